"""What stands in one cell: nothing, a text, a date, or names with what tells their bearers from others.

A list of names is cut only where it surely is one; a cell that is a sentence names nobody. Knows no tables.
Try: python -c "from facts.extractors.cells import things; print(things('Ann Lee <ann@x.example>, `plan-store`'))"
"""

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from facts.extractors import blanks
from facts.normal import key
from sources.dates import stated_date

Cell = str | tuple[str, ...]
MOST_VALUE = 400
"""Characters of an attribute's value; what is longer is text, which the search finds."""
_MOST_NAME, _MOST_WORDS, _MOST_THINGS, _MOST_CELL = 80, 7, 200, 20_000


_NO_NAMES = frozenset(
    [
        "yes",
        "no",
        "true",
        "false",
        "all",
        "any",
        "some",
        "various",
        "varies",
        "several",
        "everyone",
        "everybody",
        "anyone",
        "other",
        "others",
        "vacant",
        "vakant",
        "unbesetzt",
        "vacante",
        "multiple",
        "optional",
        "required",
        "see",
        "same",
        "it",
        "they",
        "we",
        "you",
        "us",
        "me",
        "present",
        "active",
        "inactive",
        "open",
        "closed",
        "new",
        "old",
        "ja",
        "nein",
        "alle",
        "sí",
        "si",
        "todos",
        "oui",
        "non",
        "tous",
    ]
)
_LINK = re.compile(
    r"(!?)\[([^\[\]]{0,500})\]\(\s*(?:\{%[^%{}]{0,300}%\})?<?([^()\s>]{0,1000})>?(?:\s+[\"'(][^\"'()]{0,300}[\"')])?\s*\)"
)
_REFERENCE = re.compile(r"\[([^\[\]]{1,500})\]\[[^\[\]]{0,200}\]")
_FOOTNOTE = re.compile(r"\[\^[^\[\]]{1,50}\]")
_BREAK = re.compile(r"<br\s*/?>", re.I)
_TAG = re.compile(r"(?<!\\)</?[a-zA-Z][^<>]{0,500}>|<!--.{0,2000}?-->")
_EMPHASIS = re.compile(r"(?<!\\)(?:\*\*|~~|`|(?<!\w)__?(?=\S)|(?<=\S)__?(?!\w)|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w))")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~])")
_SPACE = re.compile(r"\s+")
_FIGURES = re.compile(r"(\d{1,2})[-/](\d{1,2})[-/](\d{4})(?!\d)")
_EMAIL = re.compile(r"[\w.+%'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_HANDLE = re.compile(r"(?<![\w.])@[\w][\w./-]{0,100}")
_SPLIT = re.compile(r"\s*(?:;|\n|\x00|,(?!\d)|•)\s*")
_AND = re.compile(r"\s+(?:and|und|y|et|&|e)\s+")
_SENTENCE = re.compile(r"[.!?]\s+\S|[:?!]\s|\bhttps?://|[{}<>|=]")
_STRUCK = re.compile(r"~~(?=\S)[^~\n]{1,500}~~|<(s|del|strike)>[^<>]{0,500}</\1>", re.I)
_IS_OVER = re.compile(
    r"(?:formerly|former|previously|ehemals|ehemalige[rs]?|früher|vormals|anteriormente|anciennement):?\s.*|"
    r".*\((?:(?:until|till|bis|hasta|jusqu)[^()]*\d[^()]*|former|ehemals)\)",
    re.I,
)
_ASIDE = re.compile(
    r"(?<=\S)\s*\((?:formerly|previously|ehemals|früher|vormals|antes|anteriormente|anciennement|"
    r"(?:since|as of|seit|desde|depuis)(?=[^()]*\d))\s[^()]{1,80}\)$",
    re.I,
)
_ARTICLE = re.compile(
    r"(?:the|a|an|any|each|every|all|if|when|see|ask|contact|only|not|no|same|der|die|das|siehe|el|la|le|les|voir)\s",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Thing:
    """A name in a cell, without markup, and the addresses and handles beside it."""

    name: str
    ids: tuple[str, ...] = ()
    is_code: bool = False  # stood in backticks: a technical name, whole as it is
    target: str = ""  # of the link that it was


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """The text as it holds: nothing struck out, no markup, links as their words, tags away, one space between words."""
    if len(text) > _MOST_CELL:
        text = text[:_MOST_CELL]
    text = unstruck(text)
    if "[" in text:
        text = _FOOTNOTE.sub("", _REFERENCE.sub(r"\1", _LINK.sub(lambda m: "" if m[1] else m[2], text)))
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub(", ", text))
    if "&" in text:
        text = html.unescape(text)
    return _SPACE.sub(" ", _ESCAPE.sub(r"\1", _EMPHASIS.sub("", text))).strip()


def unstruck(text: str) -> str:
    """The text without what is struck out in it: it holds no more."""
    return _STRUCK.sub(" ", text) if "~~" in text or "</" in text else text


def is_nothing(text: str) -> bool:
    """Whether the cell says that there is nothing: "–", "none", "n/a", null."""
    return blanks.is_nothing(plain(text)) or ("<" in text and blanks.is_nothing(_ESCAPE.sub(r"\1", text)))


def value(cell: Cell) -> tuple[str, ...]:
    """What an attribute's cell says, each of a list by itself; () for nothing and for what is too long to be a value."""
    parts = (cell,) if isinstance(cell, str) else cell[:_MOST_THINGS]
    shown = [plain(part) for part in parts if not is_nothing(part)]
    return tuple(dict.fromkeys(one for one in shown if len(one) <= MOST_VALUE))


def day(cell: Cell, day_first: bool = False) -> str:
    """The ISO date that a cell is or begins with, "" for none. A month or a year is its first day.

    `day_first`: "03-04-2026" is the third of April, as `is_day_first` tells of its column.
    """
    if not isinstance(cell, str) or len(cell) > 200:
        return ""
    shown = re.sub(r"(?<=\d)-(?=[^\W\d])|(?<=[^\W\d])-(?=\d)", " ", plain(cell)).replace(" ,", ",")
    figures = _FIGURES.match(shown)
    if figures:
        day, month = int(figures[1]), int(figures[2])
        if day <= 12 < month:
            day, month = month, day
        elif day <= 12 and day != month and not day_first:
            return ""  # the third of April or the fourth of March
        shown = f"{figures[3]}-{month:02}-{day:02}"
    shown = re.sub(
        r"^(?:since|from|as of|until|till|ended|seit|ab|bis|vom|desde|hasta|depuis)\s+", "", shown, flags=re.I
    )
    return stated_date({"date": shown})


def is_day_first(cells: Iterable[Cell]) -> bool:
    """Whether days in figures stand before their months in these cells of one column: one of them says so, none else."""
    found = [(int(m[1]), int(m[2])) for cell in cells if isinstance(cell, str) and (m := _FIGURES.match(cell.strip()))]
    return any(first > 12 for first, _ in found) and not any(second > 12 for _, second in found)


@lru_cache(maxsize=4096)
def things(cell: Cell, *, of_people: bool = False) -> tuple[Thing, ...] | None:
    """The names in a cell, in order. None where it is a text and no list of names: nothing is cut out of a sentence."""
    if isinstance(cell, str):
        if len(cell) > _MOST_CELL:
            return None
        parts = _parts(unstruck(cell), of_people)
    else:
        parts = [*map(unstruck, cell[: _MOST_THINGS + 1])]
    found = []
    for part in parts[: _MOST_THINGS + 1]:
        if is_nothing(part) or _IS_OVER.fullmatch(plain(part)):  # "formerly Blue Team" names who it is no more
            continue
        one = _thing(part, of_people)
        if one is None:
            return None
        found.append(one)
    return tuple(dict.fromkeys(found)) if len(found) <= _MOST_THINGS else None


def _parts(cell: str, of_people: bool) -> list[str]:
    """A list's parts: between commas, semicolons, breaks; at "and" only between people's or technical names."""
    parts = [part for part in _SPLIT.split(_shielded(_BREAK.sub("\x00", cell))) if part.strip()]
    cut = []
    for part in parts:
        sides = _AND.split(part)
        is_safe = len(sides) > 1 and (
            all(side.strip().startswith(("`", "[", "@")) for side in sides)
            or (of_people and all(len(side.split()) in (2, 3) and side[:1].isupper() for side in map(str.strip, sides)))
        )
        cut += sides if is_safe else [re.sub(r"^(?:and|und|et|y)\s+", "", part) if len(parts) > 1 else part]
    return [part.replace("\x01", ",").replace("\x02", ";") for part in cut]


def _shielded(text: str) -> str:
    """Commas inside brackets separate nothing."""
    if "(" not in text and "[" not in text:
        return text
    depth, out = 0, []
    for char in text:
        depth += (char in "([") - (char in ")]" and depth > 0)
        out.append("\x01" if depth and char == "," else "\x02" if depth and char == ";" else char)
    return "".join(out)


def _thing(part: str, of_people: bool) -> Thing | None:
    part = part.strip().removeprefix("- ").removeprefix("* ").strip()
    link = _LINK.search(part)
    target = link[3] if link else ""
    is_code = part.startswith("`") or bool(link and link[2].startswith("`"))
    bare = _EMPHASIS.sub("", part) if "`" not in part else part
    shown = plain(re.sub(r"<([^<>\s]+@[^<>\s]+)>", r" \1 ", bare))
    ids = list(dict.fromkeys(_EMAIL.findall(shown)))[:3]
    if target.startswith("mailto:"):
        ids.append(target.removeprefix("mailto:").partition("?")[0])
    name = _EMAIL.sub("", shown) if ids else shown
    if ids and name.rstrip().endswith(":"):
        ids = []  # "Team X: team@x.example" is where to write to; two teams may share it
    if target.startswith("@"):
        ids.append(target)
    handles = [] if is_code else _HANDLE.findall(name)
    if handles:
        ids += [handle.rstrip(".") for handle in handles[:3]]
        name = _HANDLE.sub("", name)
    if of_people or is_code or ids:
        name = re.sub(r"\s*[(\[][^()\[\]]*[)\]]\s*$", "", name) or name
    name = _ASIDE.sub("", name.strip()).strip(" ,;:|–—-\"“”'").rstrip(".")
    if name[:1] in "([<" and name[-1:] in ")]>":
        name = name[1:-1].strip()
    if not key(name):
        return Thing("", tuple(dict.fromkeys(ids)), target=target) if ids else None
    if not (is_code or is_name(name)):
        return None
    return Thing(name, tuple(dict.fromkeys(ids)), is_code, target)


def links(cell: str) -> list[tuple[str, str]]:
    """(words without markup, target) of each link."""
    return [(plain(found[2]), found[3]) for found in _LINK.finditer(cell[:_MOST_CELL]) if not found[1]]


def split(cell: str) -> list[str]:
    """A list's parts, with their markup."""
    return _parts(cell[:_MOST_CELL], False)


def is_title(text: str) -> bool:
    """Whether a text could be a title: one line of words, not too long."""
    return 2 < len(text) <= 200 and any(c.isalpha() for c in text)


_ROLES = frozenset(
    [
        "lead",
        "leads",
        "leader",
        "leaders",
        "manager",
        "managers",
        "supervisor",
        "supervisors",
        "buddy",
        "office",
        "team",
        "department",
        "director",
        "engineer",
        "engineers",
        "officer",
        "everyone",
        "staff",
        "employee",
        "employees",
        "contractor",
        "contractors",
        "owner",
        "owners",
        "user",
        "users",
        "admin",
        "admins",
        "group",
        "chapter",
        "leitung",
        "vorgesetzte",
        "vorgesetzter",
        "abteilung",
        "mitarbeiter",
        "personal",
        "equipo",
        "departamento",
        "jefe",
        "équipe",
        "service",
        "services",
    ]
)


def is_person(text: str) -> bool:
    """Whether a text could be a person's name: capital words, particles between them, none of them a post."""
    words = re.sub(r"\s*[(\[].*", "", plain(text)).split()
    if not 0 < len(words) <= 5 or any("@" in word for word in words):
        return bool(words) and any("@" in word for word in words[:1])
    if any(word.casefold().strip(".,") in _ROLES or word.endswith(("'s", "’s")) for word in words):
        return False
    cased = [word for word in words if word.lower() != word.upper()]
    capital = [word for word in cased if word[0].isupper()]
    small = [word for word in cased if word[0].islower()]
    return not cased or (bool(capital) and all(len(word) <= 4 for word in small)) or len(words) == 1


def team_names(name: str) -> tuple[str, ...]:
    """What a team is called that a text calls so: "Platform team" is "Platform", too. () where it names no team."""
    found = re.fullmatch(r"(?:the )?(.{2,60}?)[ -](?:team|squad)|(?:team|squad|équipe|equipo)[ -](.{2,60})", name, re.I)
    return (name, found[1] or found[2]) if found and key(found[1] or found[2]) else ()


def is_name(text: str) -> bool:
    """Whether a text could be a name: short, no sentence, no word such as "yes", several words not all in lower case."""
    words = text.split()
    if not words or len(text) > _MOST_NAME or len(words) > _MOST_WORDS or text.casefold() in _NO_NAMES:
        return False
    if _SENTENCE.search(text) or _ARTICLE.match(text) or not any(c.isalpha() or c.isdigit() for c in text):
        return False
    is_cased = text.lower() != text.upper()
    return len(words) == 1 or not is_cased or any(word[:1].isupper() or any(map(str.isdigit, word)) for word in words)


def names_things(cells: Sequence[str], most_bad: int = 0) -> bool:
    """Whether a column's cells are the names of things, each its own: no days, sums, times or sentences.

    So many of them may be something else, as long as there are more that are not.
    """
    shown = [plain(cell) for cell in cells if not is_nothing(cell)]
    good = [one for one in shown if is_name(one) and _is_proper(one)]
    bad = len(shown) - len(good)
    return (
        bool(good)
        and (bad <= 0.1 * len(shown) or bad <= min(most_bad, len(good) - 1))
        and len({key(one) for one in good}) >= 0.9 * len(good)
    )


_NO_THING = re.compile(
    r"[\d\s.,:/%€$£+–-]+(?:[a-z]{1,4})?|(?:mon|tues|wednes|thurs|fri|satur|sun)day.*|(?:mon|diens|donners|frei|sams|sonn)tag.*|"
    r"mittwoch.*|(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche).*|"
    r"(?:week|day|month|quarter|year|q|step|phase|option|level|tier|total|sum|before|after|woche|tag|monat|jahr|schritt|stufe|"
    r"summe|gesamt)(?:\s.*|\d.*)?|(?:up to|more than|less than|over|under|between|from|until|bis|ab|über|unter|mehr als)\s.*",
    re.I,
)


def _is_proper(text: str) -> bool:
    if text.islower() and text.isalpha():  # a word of the language
        return False
    return not (_NO_THING.fullmatch(text) or stated_date({"date": text}))
