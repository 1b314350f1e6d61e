"""Which files are documents though their ending does not say so: CODEOWNERS, catalogues and org charts.

A JSON or YAML file is mostly none: it is looked into, 16 KB of it, and taken where it holds entities of a Backstage
catalogue or people and whom they report to. Knows no folder. Try: pytest tests/formats/test_structured.py
"""

import re
from collections.abc import Iterator

from sources.formats import SOME, ending_of
from sources.formats.json_file import BELOW
from sources.formats.records import heading
from sources.formats.yaml_file import API

LOOKED_AT = 16_384
"""Bytes of the beginning that decide."""
_CATALOG = ("catalog-info.yaml", "catalog-info.yml")
_ENTITY = re.compile(rf"^apiVersion:\s*[\"']?{re.escape(API)}", re.MULTILINE)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split("|"))


_MANAGER = _set(
    "manager|manager id|manager email|manager name|line manager|reports to|supervisor|boss|vorgesetzter|vorgesetzte|"
    "führungskraft|berichtet an|jefe|jefa|reporta a|superior|supérieur|managed by"
)
_NAME = _set(
    "name|full name|display name|employee|employee name|person|first name|mitarbeiter|mitarbeiterin|nombre|nom"
)
_POST = _set("title|job title|role|position|rolle|stelle|puesto|cargo|poste")
_UNIT = _set("department|team|abteilung|equipo|departamento|équipe|service")
_ADDRESS = _set("email|e mail|mail|correo|courriel|handle")
_REST = _set("joined|hired|id|employee id|emp id|phone|location|level|left|last name|nachname|skills|grade")
_VAGUE = frozenset({"children", "reports"})
_PERSON = _MANAGER | _NAME | _POST | _UNIT | _ADDRESS | _REST | BELOW
_OTHER = _set("version|path|url|href|link|icon|component|size|type|src|route|file|dependencies|license|value")
_MARKS = (
    "manage",
    "report",
    "supervis",
    "boss",
    "vorgesetz",
    "hrungskraft",
    "berichtet",
    '"jef',
    "superi",
    "sup\u00e9ri",
    "children",
    "subordinat",
    "mitarbeiter",
    "title",
    "position",
    '"role',
    "rolle",
    "stelle",
    "puesto",
    "cargo",
    "poste",
)
"""One of these is in each org chart: to look for them takes a twentieth of reading the keys."""
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[{}\[\]]')


def may_be(path: str) -> bool:
    """Whether the file must be looked into before it is known what it is."""
    return ending_of(path) in SOME


def is_named(path: str) -> bool:
    """Whether its name alone makes it a document."""
    name = path.rpartition("/")[2]
    return name == "CODEOWNERS" or name.lower() in _CATALOG


def is_structured(path: str, head: bytes) -> bool:
    """Whether a JSON or YAML file that begins so holds a catalogue's entities or an org chart."""
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    if ending_of(path) != ".json":
        return bool(_ENTITY.search(text))
    lower = text.lower()
    return any(mark in lower for mark in _MARKS) and any(map(_is_of_people, _keys(text)))


def _is_of_people(keys: list[str]) -> bool:
    """A name, somebody above or below, and mostly such keys as people have: a tree of files or a menu has others."""
    told = set(keys)
    known = told & _PERSON
    if not told & _NAME or told & _OTHER or 2 * len(known) < len(told):
        return False
    if told & (_MANAGER | BELOW - _VAGUE):
        return True
    return bool(told & _POST and told & (_UNIT | _VAGUE)) or bool(told & _VAGUE and told & _ADDRESS)


def _keys(text: str) -> Iterator[list[str]]:
    """The keys of the first objects: the outermost, those of a list that it is, and those of lists within it."""
    stack: list[list[str] | None] = []  # None: a list
    for number, token in enumerate(_TOKEN.finditer(text)):
        mark = token.group()
        if number > 20_000:
            break
        if mark == "{":
            stack.append([])
        elif mark == "[":
            stack.append(None)
        elif mark in "}]":
            if stack and (keys := stack.pop()) is not None and len(stack) < 3:
                yield keys
        elif token.group(2) and stack and (top := stack[-1]) is not None:
            top.append(heading(token.group(1)).lower())
    yield from (keys for keys in stack[:3] if keys)
