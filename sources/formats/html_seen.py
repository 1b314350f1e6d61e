"""Which elements of an HTML page a person sees: by tags, attributes, inline styles and the page's own simple rules.

Simple is a selector of one tag, id and classes; what stands inside @media and the like is for another screen. Knows no
Markdown. Try: python chunk.py page.html
"""

import re
from collections.abc import Iterator

from lxml import etree

SILENT = {
    *("script", "style", "template", "noscript", "noframes", "iframe", "object", "svg", "canvas", "audio", "video"),
    *("select", "datalist", "textarea", "button", "head", "map", "progress", "meter"),
}
"""Elements whose text is no text of the page."""
_DELETED = ("s", "strike", "del")
BOILERPLATE = {"nav", "header", "footer", "aside"}
"""Left out of a page that says what its main part is, where they stand outside of it; `nav` also inside."""
_ROLES = {"navigation": "nav", "banner": "header", "contentinfo": "footer", "complementary": "aside", "search": "nav"}
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_SELECTOR = re.compile(r"(?P<tag>[a-zA-Z][\w-]*)?(?P<rest>(?:[.#][\w-]+)*)")
_MOST_CSS, _MOST_RULES = 500_000, 5000
_FAR = re.compile(r"-(?:\d{4,}|[1-9]\d{2,}(?:r?em|vw|vh|%)|999px)")  # off the screen
_HIDES = {
    "display": re.compile(r"none\b"),
    "visibility": re.compile(r"(?:hidden|collapse)\b"),
    "font-size": re.compile(r"0+(?:\.0+)?(?:[a-z%]+)?$"),
    "opacity": re.compile(r"0+(?:\.0+)?%?$"),
    "color": re.compile(r"transparent\b"),
    "text-decoration": re.compile(r".*line-through"),
    "text-decoration-line": re.compile(r".*line-through"),
    **dict.fromkeys(("left", "top", "right", "bottom", "text-indent", "margin-left", "margin-top"), _FAR),
    "clip": re.compile(r"rect\((?:[01](?:px|%)?[\s,]*)+\)"),
    "clip-path": re.compile(r"inset\((?:50|100)%|circle\(0"),
    "transform": re.compile(r"scale\(0\)"),
}
_STRUCK = ("text-decoration", "text-decoration-line")
_SIZES = ("width", "height", "max-width", "max-height")
_NO_SIZE = re.compile(r"(?:0+(?:\.0+)?[a-z%]*|1px)$")
_GROUND = re.compile(r"\bbackground[\w-]*\s*:\s*([^;}]*)", re.IGNORECASE)
_WHITE = re.compile(r"white|#f{3}|#f{6}|rgba?\(255,255,255(?:,1(?:\.0+)?)?\)")


def tag_of(element: etree._Element) -> str:
    """The element's name in lower case without a prefix; "" for what is no element."""
    tag = element.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


class Sight:
    """What the page's own rules and its elements' attributes hide."""

    def __init__(self, root: etree._Element) -> None:
        css = "\n".join((style.text or "") for style in root.iter("style"))[:_MOST_CSS]
        self._rules: dict[str, list[tuple[int, str, str, frozenset[str], dict[str, bool]]]] = {}
        for rule in _rules(_COMMENT.sub("", css)):
            _, tag, name, classes, _ = rule
            key = f"#{name}" if name else f".{min(classes)}" if classes else tag
            self._rules.setdefault(key, []).append(rule)
        linked = any("stylesheet" in (link.get("rel") or "").lower() for link in root.iter("link"))
        self._is_styled = bool(css.strip()) or linked
        styles = css + ";".join(str(found) for found in root.xpath("//@style"))  # type: ignore[union-attr]
        grounds = [one.replace(" ", "").lower() for one in _GROUND.findall(styles)]
        grounds += [str(found).lower() for found in root.xpath("//@bgcolor")]  # type: ignore[union-attr]
        self._is_white = not linked and all(_WHITE.fullmatch(one) for one in grounds)  # everywhere
        main = next((e for e in root.iter() if tag_of(e) == "main" or e.get("role") == "main"), None)
        article = next(root.iter("article"), None) if main is None else None
        self.has_main = main is not None or article is not None

    def is_hidden(self, element: etree._Element, inside_main: bool) -> bool:
        """Whether the element and all in it is not seen; what it stands in is."""
        tag = tag_of(element)
        if not tag or tag in SILENT or tag in _DELETED or element.get("hidden") is not None:
            return True
        if element.get("aria-hidden") == "true" and _is_sign(element, tag):
            return True
        if tag == "dialog" and element.get("open") is None:
            return True
        if tag == "input" or (tag == "a" and "headerlink" in (element.get("class") or "")):
            return tag != "input"
        if self.has_main:
            part = _ROLES.get((element.get("role") or "").lower(), tag)
            if part in BOILERPLATE and (not inside_main or part == "nav"):
                return True
        style = element.get("style") or ""
        return any(self._hidden_by(element, tag, style)) or (bool(style) and self._is_white_on_white(element, style))

    def is_struck(self, element: etree._Element) -> bool:
        """Whether a hidden element is one that is struck through."""
        tag = tag_of(element)
        return tag in _DELETED or any(p in _STRUCK for p in self._hidden_by(element, tag, element.get("style") or ""))

    def _hidden_by(self, element: etree._Element, tag: str, style: str) -> list[str]:
        """The properties that hide it."""
        if not style and not self._rules:
            return []
        found: dict[str, bool] = {}
        if self._rules:
            name, classes = element.get("id") or "", frozenset((element.get("class") or "").split())
            keys = [tag, "", f"#{name}", *(f".{one}" for one in classes)]
            rules = [rule for key in keys for rule in self._rules.get(key, ())]
            for _, its_tag, its_name, its_classes, hides in sorted(rules, key=lambda rule: rule[0]):
                if its_tag in ("", tag) and its_name in ("", name) and its_classes <= classes:
                    found.update(hides)
        found.update(_hides(style))
        shown = "" if self._is_white and tag not in ("html", "body") else "white"
        return [name for name, hides in found.items() if hides and name != shown]

    def _is_white_on_white(self, element: etree._Element, style: str) -> bool:
        own = _declared(style)
        if not _WHITE.fullmatch(own.get("color", "").replace(" ", "")):
            return False
        above: etree._Element | None = element
        for _ in range(30):
            if above is None:
                break
            declared = _declared(above.get("style") or "")
            ground = declared.get("background-color") or declared.get("background") or above.get("bgcolor") or ""
            if ground:
                return bool(_WHITE.fullmatch(ground.lower().replace(" ", "")))
            if self._is_styled and (above.get("class") or above.get("id")):
                return False  # a rule that is not read here may give it a ground
            above = above.getparent()
        return True


def _declared(style: str) -> dict[str, str]:
    pairs = (part.partition(":") for part in style[:5000].lower().split(";"))
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs}


def _hides(style: str) -> dict[str, bool]:
    """By property, whether the declarations hide what they apply to."""
    declared = _declared(style) if style else {}
    found = {name: bool(form.match(declared[name])) for name, form in _HIDES.items() if name in declared}
    if declared.get("overflow") in ("hidden", "clip"):
        found["size"] = any(_NO_SIZE.match(declared.get(name, "-")) for name in _SIZES)
    if "color" in declared:
        found["white"] = bool(_WHITE.fullmatch(declared["color"].replace(" ", "")))
    return found


def _is_sign(element: etree._Element, tag: str) -> bool:
    """Whether it is a mark beside a heading or a letter that a font shows as a picture."""
    text = "".join(map(str, element.itertext()))
    return (tag == "a" and not any(map(str.isalnum, text))) or "material-" in (element.get("class") or "")


def _rules(css: str) -> Iterator[tuple[int, str, str, frozenset[str], dict[str, bool]]]:
    """(specificity and order, tag, id, classes, what is hidden) of the rules outside of any @ block."""
    at, order = 0, 0
    while order < _MOST_RULES and (opened := css.find("{", at)) >= 0:
        head = css[at:opened].rpartition(";")[2].strip()
        closed = _closing(css, opened) if head.startswith("@") else css.find("}", opened)
        closed = len(css) if closed < 0 else closed
        at = closed + 1
        hides = {} if head.startswith("@") else _hides(css[opened + 1 : closed])
        for selector in head.split(",") if hides else ():
            match = _SELECTOR.fullmatch(selector.strip())
            if match and match.group():
                names = re.findall(r"([.#])([\w-]+)", match["rest"])
                classes = frozenset(name for kind, name in names if kind == ".")
                ids = [name for kind, name in names if kind == "#"]
                order += 1
                weight = (len(ids) * 100 + len(classes) * 10 + bool(match["tag"])) * 2 * _MOST_RULES + order
                yield weight, (match["tag"] or "").lower(), ids[0] if ids else "", classes, hides


def _closing(css: str, opened: int) -> int:
    depth = 0
    for brace in re.finditer(r"[{}]", css[opened:]):
        depth += 1 if brace.group() == "{" else -1
        if not depth:
            return opened + brace.start()
    return -1
