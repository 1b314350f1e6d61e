"""Characters that nobody sees or that turn the direction of reading: where they stand in a text, and the text without.

Joiners stay where a script or an emoji is made of them. Knows no Markdown and no documents.
Try: python -c "from language.invisible import seen; print(seen('an\\u200bnual'))"
"""

import re

_JOINERS = "\u200c\u200d"
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_STEERING = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029"
# Persian, Hindi and emoji need them: between two signs beyond Latin, themselves seen.
_BEYOND_LATIN = rf"[^\x00-\u02ff\u2000-\u206f{_UNSEEN}]"
_KEPT = rf"(?:(?<={_BEYOND_LATIN})|(?<=\ufe0f))[{_JOINERS}](?={_BEYOND_LATIN})|(?<={_BEYOND_LATIN})[\ufe0e\ufe0f]"
_FOUND = re.compile(rf"({_KEPT})|[{_STEERING}{_UNSEEN}]")
_SMUGGLED = re.compile("[\U000e0020-\U000e007e]{8,}|[\U000e0100-\U000e01ef]{4,}|[\u200b-\u200d\u2060\ufeff]{8,}")

UNSEEN = re.compile(rf"(?!{_KEPT})[{_STEERING}{_UNSEEN}]")
"""One character that is not seen, or that steers a terminal; tab and line feed are none."""


def seen(text: str) -> str:
    """The text without them; a line or paragraph separator becomes a space."""
    return _FOUND.sub(lambda m: m[1] or " " * (m[0] in "\u2028\u2029"), text)


def smuggled(text: str) -> str:
    """What a run of unseen characters spells ("" for none): text in tag characters, else how many there are."""
    found = _SMUGGLED.search(text)
    if not found:
        return ""
    letters = "".join(chr(ord(c) - 0xE0000) for c in found[0] if 0xE0020 <= ord(c) <= 0xE007E)
    return letters or f"{len(found[0])} unseen characters"
