"""Answers that are no figures: allowed or forbidden, required or optional, whose it is, and a decision's status.

Must not know questions or which passages are compared.
Try: python -c "from proof.conflict.stance import stances; print(stances('Dogs are not allowed.', 'en'))"
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from chunking.units import Unit
from language.words import is_function_word
from proof.conflict.stance_tables import ICONS, NAMES, RELATIONS, STANCES, STATUSES
from proof.conflict.subject import terms
from proof.conflict.value import Value

_INDEX_LINE = re.compile(
    r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+(?P<mark>[^\w\s\[(*_`]{1,3})[ \t]*\[(?P<title>[^\]\n]+)\]\([^)\n]*\)[ \t]*$", re.M
)
_LABEL = re.compile(r"^\W*(?:status|state|stand|statut|estado|stato|状态|ステータス)\W*[:：]\W*(.+)$", re.IGNORECASE)
_STATUS_HEADING = re.compile(r"(?:status|state|statut|estado|stato|状态|ステータス)", re.IGNORECASE)
_PERSON = r"[A-ZÀ-ÞŁŚŻ][\w'’-]+(?: (?:de|van|von|der|la|di|da))?(?: [A-ZÀ-ÞŁŚŻ][\w'’.-]*){1,2}"
_ANSWER = re.compile(  # one word behind "contact", "owner is", "approved by the"
    r"\W{0,2}\s*(?:(?:is|are|ist|sind|est|es|:|=|by|to|bei|durch|von|par|por|the|der|die|das|dem|den|our|your|für|for)\s+){0,3}"
    r"([A-ZÀ-ÞŁŚŻ][\w'’-]+)(?: (?:team|desk|department|office)\b)?"
)


def stances(text: str, lang: str) -> list[Value]:
    """Whether a `plain` text allows or forbids, requires or leaves free; nothing where it does both."""
    found = []
    for axis, sides in STANCES.items():
        told = {
            side: match
            for side in ("no", "yes")
            if lang in sides[side] and (match := _stance(axis, side, lang).search(text))
        }
        if "no" in told and "yes" in told:  # "may not" holds "may"
            inside = told["no"].start() <= told["yes"].start() < told["no"].end()
            told = (
                {"no": told["no"]} if inside and not _stance(axis, "yes", lang).search(text, told["no"].end()) else {}
            )
        for side, match in told.items():
            found.append(Value(f"stance {axis}", match.start(), match.end(), match[0], words=frozenset({side})))
    return found if len(found) == 1 else []


@cache
def _stance(axis: str, side: str, lang: str) -> re.Pattern[str]:
    pattern = STANCES[axis][side][lang]
    return re.compile(pattern if lang in ("zh", "ja", "ko") else rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)


def names_of(text: str, lang: str) -> list[Value]:
    """Who is named by a `plain` text that names one relation: "Owner: Anna Schmidt", "is led by Ben", "contact IT"."""
    relations = {name: match for name, pattern in _relations() if (match := pattern.search(text))}
    if len(relations) != 1:
        return []
    [(relation, at)] = relations.items()
    people = [m for m in re.finditer(NAMES.get(lang, _PERSON), text) if not _is_no_name(m[0], lang)]
    if not people and lang not in NAMES:
        people = [m for m in [_ANSWER.match(text, at.end())] if m and not _is_no_name(m[1], lang)]
    if not people:
        return []
    spoken = ", ".join(m[m.lastindex or 0].rstrip(".,") for m in people)
    words = frozenset(w for m in people for w in _ids(m[m.lastindex or 0]))
    first, last = people[0].start(people[0].lastindex or 0), people[-1].end()
    return [Value(f"name {relation}", first, last, spoken, words=words)]


def _is_no_name(found: str, lang: str) -> bool:
    return is_function_word(found.split()[0], lang) or any(
        pattern.fullmatch(word) for word in found.split() for _, pattern in _relations()
    )


def name_in_cell(header: str, cell: str, lang: str) -> Value | None:
    """The people of a table's cell under a header that names a relation."""
    found = names_of(f"{header}: {cell}", lang)
    return found[0] if found else None


def every(text: str, lang: str) -> list[Value]:
    """All people a text names, whatever for."""
    return [
        Value("name", m.start(), m.end(), m[0], words=frozenset(_ids(m[m.lastindex or 0])))
        for m in re.finditer(NAMES.get(lang, _PERSON), text)
    ]


def _ids(name: str) -> set[str]:
    return {name.rstrip(".,").split()[-1].casefold()}  # A. Schmidt is Anna Schmidt


@cache
def _relations() -> list[tuple[str, re.Pattern[str]]]:
    return [
        (name, re.compile(rf"(?<!\w)(?:{words})(?!\w)|{marks}", re.I)) for name, (words, marks) in RELATIONS.items()
    ]


@dataclass(frozen=True)
class Status:
    """A decision's status: its mark or word, what it is the status of, and where that stands."""

    word: str
    subject: frozenset[str]
    number: str
    unit: Unit


def statuses(text: str, first_line: int, headings: Sequence[str], units: Sequence[Unit], lang: str) -> Iterator[Status]:
    """The statuses a passage states, of its own document or of others in a list or table."""
    title = headings[-1] if headings else ""
    for unit in units:
        if unit.kind == "row":
            if word := _row_status(unit):
                yield Status(word, terms(unit.text, lang) - _words_of_status(lang), _number(unit.text), unit)
            continue
        label = _LABEL.match(unit.text)
        short = len(unit.text.split()) <= 4 and headings and _STATUS_HEADING.fullmatch(headings[0].strip())
        told = label[1] if label else unit.text if short else ""
        if told and unit.kind == "sentence" and (word := status_word(told)):
            yield Status(word, terms(title, lang), _number(title), unit)
    for match in _INDEX_LINE.finditer(text):
        word = status_word(match["mark"])
        if word:
            quote = match[0].strip()
            first = first_line + text.count("\n", 0, match.start() + len(match[0]) - len(match[0].lstrip()))
            unit = Unit("item", quote, quote, first, first, "", -1, False)
            yield Status(word, terms(match["title"], lang), _number(match[0].split("](")[-1]), unit)


def status_word(text: str) -> str:
    """The status a few words or a mark stand for, "" for none."""
    mark = text.strip().replace("\ufe0f", "")[:1]
    if mark in ICONS:
        return ICONS[mark]
    found = {name for name, pattern in _statuses_known() if pattern.search(text)}
    return found.pop() if len(found) == 1 else ""


@cache
def _statuses_known() -> list[tuple[str, re.Pattern[str]]]:
    return [(name, re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.I)) for name, words in STATUSES.items()]


def _row_status(unit: Unit) -> str:
    for part in unit.text.split("; "):
        if label := _LABEL.match(part):
            return status_word(label[1])
    return ""


def _words_of_status(lang: str) -> frozenset[str]:
    return terms("status accepted superseded rejected proposed deprecated amended", lang)


def _number(text: str) -> str:
    found = re.search(r"(?<!\d)0*(\d{1,4})(?!\d)", text)
    return found[1] if found else ""


def same_record(one: Status, other: Status) -> bool:
    """Whether two statuses are of one decision: most words of the shorter title, and no other number."""
    if one.number and other.number and one.number != other.number:
        return False
    shared = one.subject & other.subject
    return bool(shared) and len(shared) >= 0.75 * min(len(one.subject), len(other.subject))
