"""How decisions are named and what becomes of them: numbers ("ADR 12", "D-0006"), links to records, words of status.

A record is known by its place, since two folders count from 1; its number is a further name. Knows no tables.
Try: python -c "from facts.extractors.references import decision; print(decision('[0019](0019-go.md)', 'adr/0004-a.md'))"
"""

import re
from posixpath import dirname, normpath
from urllib.parse import unquote

from facts import Named
from facts.extractors import cells as c
from facts.normal import key, keys

STATUSES = ("accepted", "proposed", "rejected", "deprecated", "superseded", "amended")
_WORDS = {
    "accepted": "accepted|approved|adopted|agreed|decided|active|implemented|in force|ratified|akzeptiert|angenommen|beschlossen|genehmigt|"
    "gültig|in kraft|umgesetzt|aceptado|aceptada|aprobado|aprobada|adoptado|vigente|accepté|acceptée|approuvé|approuvée|adopté|adoptée",
    "proposed": "proposed|proposal|draft|review|in review|under review|in progress|pending|open|in discussion|under discussion|rfc|wip|"
    "vorgeschlagen|vorschlag|entwurf|in prüfung|in arbeit|offen|propuesto|propuesta|borrador|en revisión|pendiente|proposé|proposée|"
    "brouillon|en cours|en discussion",
    "rejected": "rejected|declined|withdrawn|abandoned|refused|abgelehnt|verworfen|zurückgezogen|rechazado|rechazada|rejeté|rejetée|refusé|"
    "refusée|abandonné|abandonnée",
    "deprecated": "deprecated|obsolete|retired|expired|no longer valid|veraltet|ungültig|außer kraft|obsoleto|obsoleta|obsolète|périmé|déprécié|"
    "dépréciée",
    "superseded": "superseded|superceded|replaced|ersetzt|abgelöst|reemplazado|reemplazada|sustituido|sustituida|reemplazado por|remplacé|"
    "remplacée",
    "amended": "amended|modified|ergänzt|geändert|enmendado|modificado|modificada|amendé|amendée|modifié|modifiée",
}
_STATUS = {key(word): status for status, words in _WORDS.items() for word in words.split("|")}
STATUS_LABELS = keys("status|state|current status|decision status|estado|statut|stand")
_DATES = "date|decision date|date decided|decided on|decided|datum|beschlossen am|entschieden am|fecha|date de décision|accepted on|approved on"
DATE_LABELS = keys(_DATES)
_STRUCK = re.compile(r"~~[^~]{0,200}~~|<(?:del|s)>[^<]{0,200}</(?:del|s)>")
_REPLACES = re.compile(r"(?:supersedes|supercedes|replaces|amends|ersetzt (?!durch)\S|reemplaza a|remplace )", re.I)
_NUMBERED = re.compile(
    r"[\[(#]*(?:(?P<prefix>[^\W\d_][^\W_]{0,11}(?:[-_][^\W\d_][^\W_]{0,11}){0,4}?)[-_ #.]{0,2})??#?"
    r"(?P<number>\d{1,5})(?![\d/%])[\])]*(?P<mark>\s*[:.)–—-]*(?=\s|[-_]|\Z))(?P<rest>.*)\Z",
    re.S,
)
_FAMILIES = ("adr", "d", "decision", "entscheidung", "decisión", "décision", "madr", "rfc", "pdr", "ddr", "lade", "dr")
_FOLDERS = re.compile(
    r"adrs?|decisions?|(?:architecture |architectural )?decision (?:records?|log)|entscheidungen|decisiones|decisions"
)
_MENTION = re.compile(
    r"(?<![\w/.-])(?P<prefix>(?:[A-Z][A-Za-z]{0,11}-){0,4}(?:[A-Z]{1,11}|[Dd]ecision|[Aa]dr|Entscheidung))[-_ #]{1,2}(?P<number>\d{1,5})(?![\w/.]*\d)"
)
_TITLED = re.compile(r"[^:–—]{0,40}\d\]?\s*[:–—.]")


def status(text: str) -> str:
    """The status that a text begins to tell, of STATUSES; "" where it tells none, or all that there could be."""
    shown = c.plain(_STRUCK.sub("", text)).casefold()
    words = re.findall(r"[^\W\d_]+", shown)[:12]
    found = []
    at = 0
    while at < len(words):
        for size in (3, 2, 1):
            one = _STATUS.get(key(" ".join(words[at : at + size])))
            if one and at + size <= len(words):
                found.append((at, one))
                at += size - 1
                break
        at += 1
    kinds = list(dict.fromkeys(one for _, one in found))
    if not found or len(kinds) > 2 or (len(kinds) == 2 and re.search(r"\w\s*[|/]\s*\w", shown)):
        return ""
    if found[0][0] > 1 or words[0] in ("not", "nicht", "no", "non", "if", "when"):
        return ""
    return "superseded" if "superseded" in kinds else kinds[0]


def place(base: str, target: str) -> str:
    """The path of the page that a link in the document `base` leads to, "" where it leads out or to no page."""
    target = unquote(target.partition("#")[0].partition("?")[0])
    if (
        not target
        or ":" in target
        or not target.lower().endswith((".md", ".markdown", ".txt", ".rst", ".html", ".adoc"))
    ):
        return ""
    joined = target.lstrip("/") if target.startswith("/") else f"{dirname(base)}/{target}".lstrip("/")
    found = normpath(joined)
    return "" if found.startswith("..") else found


def numbered(text: str) -> tuple[str, str, str]:
    """(prefix, number, what follows) of a title or file name that begins with a number: ("ADR", "0006", "Use X").

    ("", "", text) where it begins with none: "12 factor apps" has no mark after its figure, "Team 3" is no decision.
    """
    found = _NUMBERED.match(text.strip())
    if not found:
        return "", "", text
    prefix, mark, rest = found["prefix"] or "", found["mark"].strip(), found["rest"].strip(" -_:–—.")
    if not (
        is_family(prefix)
        or (not prefix and (mark or not rest or found["number"][0] == "0"))
        or (mark and prefix.isupper())
    ):
        return "", "", text
    return prefix, found["number"], rest


def is_family(prefix: str) -> bool:
    """Whether a number after this prefix is a decision's: "ADR", "D", "ODH-ADR-DW"."""
    parts = re.split("[-_ ]", prefix.casefold())
    return parts[-1] in _FAMILIES or "adr" in parts


def names_of(prefix: str, number: str) -> tuple[str, ...]:
    """What people call the decision of this number: "D-0006", "0006", "ADR-0006", "ADR 6"."""
    if not number:
        return ()
    if not prefix or prefix.casefold() in _FAMILIES:
        own = (f"{prefix.upper()}-{number}",) if prefix else ()
        padded = (number,) if number[0] == "0" or len(number) > 2 else ()  # a bare 12 is no name
        family = ("RFC",) if prefix.casefold() == "rfc" else ("D", "ADR")
        every = [
            *own,
            *padded,
            *(f"{one}-{number}" for one in family),
            f"{family[-1]} {int(number)}",
            f"Decision {int(number)}",
        ]
        return tuple(dict.fromkeys(every))
    return (f"{prefix}-{number}",)


def decision(cell: str, base: str) -> Named | None:
    """The decision that a cell or an entry names, by a link to its record, its number or its title; None for none."""
    shown, target = c.plain(cell), ""
    for text, to in c.links(cell):
        found = place(base, to)
        if found:
            shown, target = text, found
            break
    if c.is_nothing(shown) or ("://" in shown and not target):
        return None
    prefix, number, rest = numbered(shown)
    title = rest if number and c.is_title(rest) and (target or _TITLED.match(shown)) else ""
    mention = None if number else next((one for one in _MENTION.finditer(shown) if is_family(one["prefix"])), None)
    if mention:
        prefix, number = mention["prefix"], mention["number"]
    elif not number and (c.is_title(shown) if target else c.is_name(shown)):
        title = shown
    if target:
        of_file = numbered(target.rpartition("/")[2].rpartition(".")[0])
        prefix, number = (prefix or of_file[0], of_file[1]) if of_file[1] else (prefix, number)
    names = tuple(dict.fromkeys(((title,) if title else ()) + names_of(prefix, number)))
    return Named("Decision", names, (target,) if target else ()) if names or target else None


def decisions(cell: str, base: str) -> list[Named]:
    """Each decision that a list names."""
    found = []
    for part in c.split(cell):
        one = decision(part, base)
        if one:
            found.append(one)
    return found


def mentions(line: str, base: str) -> list[Named]:
    """The decisions that a line of text names by links or numbers, in order; its other words are no titles."""
    found = [
        one for text, to in c.links(line) if (one := decision(f"[{text}]({to})", base) if place(base, to) else None)
    ]
    if not found:
        shown = c.plain(line)
        found = [
            Named("Decision", names_of(one["prefix"], one["number"]))
            for one in _MENTION.finditer(shown)
            if is_family(one["prefix"])
        ]
        if not found:
            bare = re.search(
                r"(?:by|with|durch|por|par|supersedes|replaces|amends)\s+#?(\d{1,5})\b(?![-.:/\d])", shown, re.I
            )
            found = (
                [Named("Decision", names_of("", bare[1]))] if bare and (bare[1][0] == "0" or len(bare[1]) < 4) else []
            )
    return list(dict.fromkeys(found))


def mentioned(title: str) -> tuple[str, ...]:
    """The names of the number that a title holds somewhere: "Data Hub - ODH-ADR-0003 - licence"."""
    found = next((one for one in _MENTION.finditer(title) if is_family(one["prefix"])), None)
    return names_of(found["prefix"], found["number"]) if found else ()


NUMBER_AHEAD = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+\S{0,4}\s*(?:[A-Za-z]{1,8}[- ])?\d{2,5}\b")
"""An entry of a list that begins with a number."""


def is_kept(path: str) -> bool:
    """Whether a page stands in a folder of decisions."""
    return any(_FOLDERS.fullmatch(key(part)) for part in path.split("/")[:-1])


def is_called_so(title: str) -> bool:
    """Whether a title calls itself a decision: "ADR 6: Maps move"."""
    prefix, number, _ = numbered(title)
    return bool(number and prefix and is_family(prefix))


def is_numbered(name: str) -> bool:
    """Whether a name is a decision's number: "ADR 6"."""
    prefix, number, rest = numbered(name)
    return bool(number and prefix and not rest and is_family(prefix))


def plain_field(predicate: str, values: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """A decision's field as all tell it: the status as one of STATUSES, the date in ISO form."""
    if key(predicate) in STATUS_LABELS:
        found = tuple(one for one in map(status, values) if one)
        return ("status", found) if found else (predicate, values)
    if key(predicate) in DATE_LABELS:
        found = tuple(one for one in map(c.day, values) if one)
        return ("date", found) if found else (predicate, ())
    return predicate, values


def is_mark_of_superseding(line: str) -> bool:
    """Whether a line says what its decision replaces, which is no status of its own."""
    return bool(_REPLACES.match(c.plain(line).strip()))
