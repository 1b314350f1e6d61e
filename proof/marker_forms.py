"""The forms in which models write citations: `[1]`, `【1†source】`, `[^1]`, `[Quelle 1]`, `[1](leave.md)`, `word.¹`.

Says which characters may be one and which numbers they name; whether they are one is for proof.markers to tell.
One more language is one more word in the tables.
Try: python -c "from proof.marker_forms import numbers; print(numbers('[1-3]', 2))"
"""

import re

_MOST = 50  # numbers one range may stand for; a wider one is a year span or nonsense
_WORDS = (
    r"sources?|src|passages?|excerpts?|docs?|documents?|refs?|references?|citations?|quellen?|dokumente?|belege?|"
    r"textstellen?|passagen?|fuentes?|documentos?|pasajes?|fontes?|trechos?|fonti|fonte|documenti|documento|passaggi|"
    r"passaggio|brano|bron|bronnen|documenten|źródł[oa]|dokument|источники?|документ|отрывок|kaynak|belge|"
    r"出典|出处|来源|來源|资料|資料|文档|文件|文書|段落|引用|参考|출처|문서|المصدر|مصدر"
)
_NAMED = rf"(?:(?:see|siehe|vgl\.?|cf\.?|voir)\s+)?(?:{_WORDS})\s*[:：.]?\s*(?:#|no\.|nr\.)?\s*"
_ITEM = r"\d{1,9}(?:\s*[-–—]\s*\d{1,9})?"
_SEPARATOR = r"(?:\s*[,，、;；&]\s*|\s+(?:and|und|et|y|e|en|и)\s+)"
_LIST = rf"\s*\^?{_ITEM}(?:{_SEPARATOR}\^?{_ITEM})*\s*"
_SHORT = r"\d{1,3}(?:\s*[-–—]\s*\d{1,3})?"
_NAMED_LIST = rf"\s*{_NAMED}{_SHORT}(?:{_SEPARATOR}(?:{_NAMED})?{_SHORT})*\s*"
_ANY_LIST = rf"(?:{_LIST}|{_NAMED_LIST})"
FILE = r"[\w./%-]{1,200}\.(?:md|markdown|txt|rst|adoc|html?|pdf|docx?|pptx?|xlsx?)"
"""A file's name. It states nothing, so it need not be proved."""
# Only a file beside the answer or a place in it: whatever has a scheme or a host stays, to be named as a foreign link.
_TARGET = rf"(?:\((?:(?!//){FILE}(?:[#:][\w-]{{0,80}})?|#[\w-]{{0,80}}|\d{{1,3}})\))"
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_LOWERED = str.maketrans(_RAISED, "0123456789")

MARKER = re.compile(
    rf"(?<!\\)\[\[{_ANY_LIST}\]\]{_TARGET}?|(?<!\\)\[{_ANY_LIST}\]{_TARGET}?|【{_ANY_LIST}(?:†[^【】\n]{{0,60}})?】|"
    rf"［{_ANY_LIST}］|[(（]{_NAMED_LIST}[)）]|"
    rf"(?<=[^\W\d_]|[.!?。！？…,;:)”\"»])[{_RAISED}]{{1,4}}(?:[,，˒][ ]?[{_RAISED}]{{1,4}}){{0,9}}(?!\w)",
    re.IGNORECASE,
)
"""What may be a citation wherever it stands outside code."""

ROUND = re.compile(rf"[(（]{_LIST}[)）]")
"""What is one only for a caller who says so."""

_UNIT = re.compile(r"(?:^|[^\w])(?:[a-zµμ]|[mcdkhnµμ]m|ft|in|yd|mi|sq|qm|м|[смдк]м|co|no|so)$", re.IGNORECASE)


def is_power(before: str, marker: str) -> bool:
    """Whether raised digits behind `before` belong to a unit or a letter ("m²", "x³") and cite nothing."""
    return marker[0] in _RAISED and bool(_UNIT.search(before[-4:]) or before[-1:].isdigit())


def numbers(marker: str, count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The passages a marker names: those of `count` that exist, and numbers that none has."""
    good: dict[int, None] = {}
    bad: dict[int, None] = {}
    for first, last in _ranges(marker, count):
        if not first <= last <= first + _MOST:
            bad |= dict.fromkeys((first, last))
            continue
        for number in range(first, last + 1):
            (good if 1 <= number <= count else bad)[number] = None
    return tuple(good), tuple(bad)


def _ranges(marker: str, count: int) -> list[tuple[int, int]]:
    if marker[0] in _RAISED:
        runs = [run.translate(_LOWERED) for run in re.findall(f"[{_RAISED}]+", marker)]
        # "¹²" is passage 12 where there is one, else 1 and 2
        named = [[run] if int(run) <= count or any(not 1 <= int(d) <= count for d in run) else [*run] for run in runs]
        return [(int(one), int(one)) for run in named for one in run]
    listed = marker.split("†")[0].split("](")[0]
    return [(int(m[1]), int(m[2] or m[1])) for m in re.finditer(r"(\d+)(?:\s*[-–—]\s*(\d+))?", listed)]
