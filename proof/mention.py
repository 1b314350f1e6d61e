"""Which sentences of a passage speak of a subject, whatever they say of it: "data transfers outside the EU".

The measure is that of a citation: names, figures and dates stand there, and enough of the content words in one sentence
or over it; between two languages a like meaning. No rule speaks against it: who denies something speaks of it.
Must not know verdicts. Try: python -m graph join --type Decision --text "open map data"
"""

from models import Near
from proof.evidence import by_meaning
from proof.hold import MIN_SHARE, MIN_SHARE_PAIRS, lacks_fact
from proof.source import Source
from proof.stated import Stated, two_languages
from proof.words import content, unspaced


def mentions(subject: str, lang: str, source: Source, near: Near | None = None) -> list[int]:
    """Places in `source.units` of those that speak of it, those with most of its words first.

    `lang` is that of the subject, and what the source was read with. Without `near` words alone tell.
    """
    stated = Stated(subject, lang)
    is_abroad = two_languages(stated, [source])
    if not stated.terms_set or lacks_fact(subject, lang, [source], nouns=is_abroad and lang == "de"):
        return []
    if is_abroad:
        return [part.start for part in by_meaning(stated, [source], near)] if near else []
    least = (MIN_SHARE_PAIRS if unspaced(stated.terms) else MIN_SHARE) * len(stated.terms_set)
    over = stated.terms_set & {*content(source.context, lang)}
    found = []
    for at, (unit, terms) in enumerate(zip(source.units, source.line_terms, strict=True)):
        own = terms & stated.terms_set
        held = own | over | (stated.terms_set & {*content(source.above[at], lang)})
        if own and len(held) >= least and not (stated.hard and _lacks(stated, source, at)):
            found.append((unit.kind == "heading", -len(own), at))
    said = [at for is_heading, _, at in sorted(found) if not is_heading]
    return said or [at for _, _, at in sorted(found) if "|" not in source.lines[at]][:1]


def _lacks(stated: Stated, source: Source, at: int) -> bool:
    """Whether a name, figure or date of the subject stands elsewhere in the source only."""
    over = f"{source.context}\n{source.above[at]}"
    return lacks_fact(stated.text, stated.lang, [Source("", source.lines[at], over, source.answer_lang)])
