"""A picture of what was measured: answerable questions' scores above the axis, the others' below, the limit as a line.

Plain SVG with its own colours for light and dark; knows scores only. Try: python -m eval.calibrate --plot limit.svg
"""

from collections.abc import Sequence
from html import escape

import numpy as np

_WIDTH, _HEIGHT, _MARGIN = 720, 400, 48  # pixels
_TOP, _BOTTOM = 64, 44
_BINS = 30
_STEP = 0.1  # between ticks of the axis
_STYLE = """
svg { background: #ffffff; font: 13px system-ui, sans-serif }
text { fill: #22272e } .faint { fill: #59636e } .axis { stroke: #59636e }
.able { fill: #1f6feb } .others { fill: #bc4c00 } .limit { stroke: #22272e; stroke-width: 2; stroke-dasharray: 5 3 }
@media (prefers-color-scheme: dark) {
  svg { background: #14181d } text { fill: #e6edf3 } .faint { fill: #9aa4af } .axis { stroke: #9aa4af }
  .able { fill: #58a6ff } .others { fill: #f0883e } .limit { stroke: #e6edf3 }
}
"""


def drawn(answerable: Sequence[float], unanswerable: Sequence[float], limits: dict[str, float], title: str) -> str:
    """An SVG document: two histograms of scores as shares of their list, mirrored, and a line a limit.

    `limits` is what to write at each line -> its score; `title` is one line for people. Raises ValueError without
    scores of both kinds.
    """
    if not len(answerable) or not len(unanswerable):
        raise ValueError("a picture needs questions of both kinds")
    every = [*answerable, *unanswerable, *limits.values()]
    low, high = np.floor(min(every) / _STEP) * _STEP, np.ceil(max(every) / _STEP) * _STEP
    high = high if high > low else low + _STEP
    edges = np.linspace(low, high, _BINS + 1)
    above, below = (np.histogram(part, edges)[0] / len(part) for part in (answerable, unanswerable))
    most = max(above.max(), below.max())
    half = (_HEIGHT - _TOP - _BOTTOM) / 2
    middle = _TOP + half

    def across(score: float) -> float:
        return float(_MARGIN + (score - low) / (high - low) * (_WIDTH - 2 * _MARGIN))

    parts = [f'<text x="{_MARGIN}" y="22" font-weight="600">{escape(title)}</text>']
    for place in range(_BINS):
        left, width = across(edges[place]) + 0.5, across(edges[1]) - across(edges[0]) - 1
        for name, share, up in (("able", above[place], True), ("others", below[place], False)):
            tall = share / most * (half - 8)
            if tall:
                top = middle - tall - 0.5 if up else middle + 0.5
                shape = f'x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{tall:.1f}"'
                parts.append(f'<rect class="{name}" {shape}><title>{share:.1%}</title></rect>')
    right = _WIDTH - _MARGIN
    parts.append(f'<line class="axis" x1="{_MARGIN}" x2="{right}" y1="{middle:.1f}" y2="{middle:.1f}"/>')
    for tick in np.arange(low, high + _STEP / 2, _STEP):
        parts.append(
            f'<text class="faint" x="{across(tick):.1f}" y="{_HEIGHT - 26}" text-anchor="middle">{tick:.1f}</text>'
        )
    parts += [
        f'<text class="faint" x="{right}" y="{_HEIGHT - 8}" text-anchor="end">score (cosine)</text>',
        f'<text class="able" x="{right}" y="{_TOP + 14}" text-anchor="end">answerable ({len(answerable)})</text>',
        f'<text class="others" x="{right}" y="{_HEIGHT - _BOTTOM - 4}" text-anchor="end">'
        f"unanswerable ({len(unanswerable)})</text>",
    ]
    for row, (name, limit) in enumerate(limits.items()):
        at, y = across(limit), 42 + 16 * row
        parts.append(f'<line class="limit" x1="{at:.1f}" x2="{at:.1f}" y1="{y + 4}" y2="{_HEIGHT - _BOTTOM}"/>')
        anchor = "end" if at > _WIDTH * 0.7 else "start"
        parts.append(f'<text x="{at:.1f}" y="{y}" text-anchor="{anchor}">{escape(name)} {limit:.3f}</text>')
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n<title>{escape(title)}</title>\n'
        f"<style>{_STYLE}</style>\n{body}\n</svg>\n"
    )
