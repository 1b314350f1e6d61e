"""facts.toml, a company's own words: more types and relations, tables by their columns, names that are one.

    [types.Unit]
    words.en = ["business unit"]
    [relations.part_of]
    subjects = ["Team"]
    objects = ["Unit"]
    [[tables]]
    files = "applications.jsonl"
    subject = { type = "Service", name = "application" }
    relations.owns = { column = "owner", inverse = true }
    [[same]]
    names = ["Bedrock", "Core platform"]

Knows text, opens nothing. Try: python -c "import facts.mapping as m; print(m.read('[types.Unit]').relations().types)"
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from errors import UsageError
from facts.normal import key
from facts.relations import BUILT_IN, Relation, Relations, Type, Words
from facts.resolution import Alias

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

FACTS_FILE = "facts.toml"
_SIDES: dict[str, Literal["", "subject", "object"]] = {"": "", "subject": "subject", "object": "object"}
_TYPE, _RELATION = re.compile(r"[A-Z]\w{0,39}"), re.compile(r"[a-z][a-z0-9_]{0,39}")
_TABLE = ("files", "subject", "relations", "qualifiers", "since", "until", "attributes", "leave")


@dataclass(frozen=True, slots=True)
class Cells:
    """What columns of a table say: a relation of the row's thing to what the cells name."""

    relation: str
    columns: tuple[str, ...]  # as headed, in their normal form
    inverse: bool = False  # the cell is the subject: "owner"
    type: str = ""  # of what the cells name, "" where the relation leaves it open


@dataclass(frozen=True)
class Table:
    """How the rows of some files are read. Columns are in their normal form (facts.normal.key), "" for none."""

    files: tuple[str, ...]
    type: str
    name: str
    id: str
    relations: tuple[Cells, ...]
    qualifiers: tuple[str, ...]
    since: str
    until: str
    attributes: frozenset[str] | None  # None: every column that is nothing else
    leave: frozenset[str]

    @cached_property
    def _spec(self) -> "GitIgnoreSpec":
        from pathspec import GitIgnoreSpec  # most companies have no mapping

        return GitIgnoreSpec.from_lines(self.files)

    def names(self, path: str) -> bool:
        """Whether it is for this file, by its path below the root; patterns are those of .gitignore."""
        return self._spec.match_file(path)


@dataclass(frozen=True, slots=True)
class Same:
    """Names that a person says are one thing's."""

    names: tuple[str, ...]
    type: str = ""  # "": whichever type they have


@dataclass(frozen=True, slots=True)
class Mapping:
    """What one facts.toml says."""

    types: tuple[Type, ...] = ()
    own: tuple[Relation, ...] = ()
    tables: tuple[Table, ...] = ()
    same: tuple[Same, ...] = ()
    digest: str = ""  # another as soon as it says something else; "" for none

    def relations(self) -> Relations:
        """The built-in types and relations with these; words are added to the built-in ones."""
        types = {**BUILT_IN.types, **{one.name: one for one in self.types}}
        return Relations(types, {**BUILT_IN.relations, **{one.name: one for one in self.own}})

    def aliases(self) -> tuple[Alias, ...]:
        """The names that are one thing's, in normal form."""
        return tuple(Alias(frozenset(map(key, one.names)) - {""}, one.type) for one in self.same)

    def table_of(self, path: str) -> Table | None:
        """The first table that is for this file."""
        return next((one for one in self.tables if one.names(path)), None)


def read(text: str) -> Mapping:
    """What the text of a facts.toml says. Raises UsageError with the line, where it is known, and what is allowed."""
    try:
        table = tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{FACTS_FILE} is no TOML: {error}.") from error
    except RecursionError as error:
        raise UsageError(f"{FACTS_FILE} is nested too deeply.") from error
    return _Reader(text, table).mapping() if table else Mapping()


class _Reader:
    def __init__(self, text: str, table: dict[str, Any]) -> None:
        self.text, self.table = text, table
        self.known = BUILT_IN

    def mapping(self) -> Mapping:
        self.only(self.table, ("types", "relations", "tables", "same"), "the file")
        types = tuple(self.types())
        self.known = Mapping(types).relations()
        own = tuple(self.relations())
        self.known = Mapping(types, own).relations()
        tables = tuple(self.one_table(n, one) for n, one in self.all_of("tables"))
        same = tuple(self.one_same(n, one) for n, one in self.all_of("same"))
        told = json.dumps(self.table, sort_keys=True, default=str).encode()
        return Mapping(types, own, tables, same, hashlib.sha256(told).hexdigest()[:16])

    def types(self) -> Iterator[Type]:
        for name, told in self.named("types", _TYPE, 'a word that begins with a capital, such as "Unit"'):
            where = f"[types.{name}]"
            self.only(told, ("words",), where)
            before = self.known.types.get(name, Type(name, {}))
            yield Type(name, self.words(told.get("words", {}), where, before.words))

    def relations(self) -> Iterator[Relation]:
        for name, told in self.named("relations", _RELATION, 'small letters with "_", such as "part_of"'):
            where = f"[relations.{name}]"
            self.only(told, ("subjects", "objects", "one", "fresh_days", "words", "inverse"), where)
            before = self.known.relations.get(name)
            ends = [self.types_in(told, side, where, before) for side in ("subjects", "objects")]
            made = replace(before, subjects=ends[0], objects=ends[1]) if before else Relation(name, ends[0], ends[1])
            side, days = told.get("one", made.one), told.get("fresh_days", made.fresh_days)
            if not isinstance(side, str) or side not in _SIDES:
                self.fail(where, f'one = {side!r} is neither "subject" nor "object"', "one")
            if not isinstance(days, int) or isinstance(days, bool) or not 0 <= days <= 100_000:
                self.fail(where, f"fresh_days = {days!r} is no number of days; 0 is for ever", "fresh_days")
            words = self.words(told.get("words", {}), where, made.words)
            inverse = self.words(told.get("inverse", {}), where, made.inverse)
            yield replace(made, one=_SIDES[side], fresh_days=days, words=words, inverse=inverse)

    def types_in(self, told: dict[str, Any], side: str, where: str, before: Relation | None) -> frozenset[str]:
        names = self.texts(told.get(side, []), where, side)
        for name in names:
            self.one_of(name, self.known.types, where, "type", side)
        held = frozenset[str]() if before is None else before.subjects if side == "subjects" else before.objects
        if not names and not held:
            self.fail(where, f'needs {side}, a list of types such as ["Team"]')
        return held | frozenset(names)

    def words(self, told: Any, where: str, before: Words) -> Words:
        if not isinstance(told, dict) or not all(re.fullmatch("[a-z]{2,3}", lang) for lang in told):
            self.fail(where, 'words stand by language: words.en = ["business unit"]', "words")
        found = dict(before)
        for lang, listed in told.items():
            found[lang] = tuple(dict.fromkeys((*found.get(lang, ()), *self.texts(listed, where, f"words.{lang}"))))
        return found

    def one_table(self, number: int, told: dict[str, Any]) -> Table:
        where = f"[[tables]] {number}"
        self.only(told, _TABLE, where)
        files = self.texts(told.get("files", []), where, "files")
        if not files or any(one.startswith("!") or "\\" in one or ".." in one.split("/") for one in files):
            self.fail(where, 'needs files, such as "applications.jsonl" or ["teams/*.csv"], from the root', "files")
        subject = told.get("subject")
        if not isinstance(subject, dict):
            self.fail(where, 'needs subject = { type = "Service", name = "application" }', "subject")
        self.only(subject, ("type", "name", "id"), f"{where} subject")
        type_ = self.one_of(subject.get("type"), self.known.types, f"{where} subject", "type")
        name, id_ = (self.column(subject.get(part, ""), f"{where} subject", part) for part in ("name", "id"))
        if not name and not id_:
            self.fail(f"{where} subject", "needs a column: name, id or both")
        listed = told.get("relations", {})
        if not isinstance(listed, dict):
            self.fail(where, 'relations are tables: relations.owns = { column = "owner", inverse = true }', "relations")
        cells = tuple(self.cells(one, how, type_, where) for one, how in listed.items())
        held = told.get("attributes")
        return Table(
            files, type_, name, id_, cells,
            self.columns(told.get("qualifiers", []), where, "qualifiers"),
            self.column(told.get("since", ""), where, "since"),
            self.column(told.get("until", ""), where, "until"),
            None if held is None else frozenset(self.columns(held, where, "attributes")),
            frozenset(self.columns(told.get("leave", []), where, "leave")),
        )  # fmt: skip

    def cells(self, name: str, told: Any, type_: str, where: str) -> Cells:
        relation = self.known.relations[self.one_of(name, self.known.relations, where, "relation", name)]
        where = f"{where} relations.{name}"
        if not isinstance(told, dict):
            self.fail(where, f'is no table such as {{ column = "{name}" }}')
        self.only(told, ("column", "inverse", "type"), where)
        columns = self.columns(told.get("column", []), where, "column")
        if not columns:
            self.fail(where, "needs a column")
        inverse = told.get("inverse", False)
        if not isinstance(inverse, bool):
            self.fail(where, "inverse is true (the cell is the subject) or false", "inverse")
        here, there = (relation.objects, relation.subjects) if inverse else (relation.subjects, relation.objects)
        if type_ not in here:
            other = "; with inverse = true it would fit" if not inverse and type_ in relation.objects else ""
            self.fail(where, f"joins {_listed(here)} here, not {type_}{other}")
        cell = told.get("type", "")
        return Cells(name, columns, inverse, self.one_of(cell, there, where, "type") if cell else "")

    def one_same(self, number: int, told: dict[str, Any]) -> Same:
        where = f"[[same]] {number}"
        self.only(told, ("names", "type"), where)
        names = self.texts(told.get("names", []), where, "names")
        if len({key(one) for one in names} - {""}) < 2:
            self.fail(where, "needs names, two or more that are one thing's", "names")
        type_ = told.get("type", "")
        return Same(names, self.one_of(type_, self.known.types, where, "type") if type_ else "")

    def named(self, part: str, form: re.Pattern[str], told: str) -> Iterator[tuple[str, dict[str, Any]]]:
        for name, inner in self.section(part).items():
            if not form.fullmatch(name):
                self.fail(f"[{part}.{name}]", f"a name is {told}")
            if not isinstance(inner, dict):
                self.fail(f"[{part}]", f"{name} is no table", name)
            yield name, inner

    def section(self, part: str) -> dict[str, Any]:
        found = self.table.get(part, {})
        return found if isinstance(found, dict) else self.fail(f"[{part}]", "is no table", part)

    def all_of(self, part: str) -> Iterator[tuple[int, dict[str, Any]]]:
        found = self.table.get(part, [])
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            self.fail(f"[{part}]", f"is written [[{part}]], with two brackets")
        yield from enumerate(found, 1)

    def only(self, told: dict[str, Any], allowed: Collection[str], where: str) -> None:
        unknown = next((one for one in told if one not in allowed), None)
        if unknown is not None:
            self.fail(where, f"has {unknown!r}; allowed: {', '.join(allowed)}", unknown)

    def one_of(self, name: Any, allowed: Collection[str], where: str, what: str, at: str = "") -> str:
        if isinstance(name, str) and name in allowed:
            return name
        return self.fail(where, f"{name!r} is no {what} here; allowed: {_listed(allowed)}", at or what)

    def texts(self, told: Any, where: str, at: str) -> tuple[str, ...]:
        listed = [told] if isinstance(told, str) else told
        if not isinstance(listed, list) or not all(isinstance(one, str) and one.strip() for one in listed):
            self.fail(where, f"{at} is no text and no list of texts", at)
        return tuple(one.strip() for one in listed)

    def columns(self, told: Any, where: str, at: str) -> tuple[str, ...]:
        return tuple(filter(None, map(key, self.texts(told, where, at))))

    def column(self, told: Any, where: str, at: str) -> str:
        return key(told) if isinstance(told, str) else self.fail(where, f"{at} is no column's heading", at)

    def fail(self, where: str, what: str, at: str = "") -> NoReturn:
        line = _line_of(self.text, where, at)
        raise UsageError(f"{FACTS_FILE}{f', line {line}' if line else ''}: {where}: {what}.")


def _listed(names: Collection[str]) -> str:
    return ", ".join(sorted(names))


def _line_of(text: str, where: str, at: str) -> int:
    """The line of a key in its table, or of the table's heading; 0 where it is written in another way."""
    head, _, rest = where.partition(" ")
    lines = text.split("\n")
    bare = head.strip("[]")
    heads = [n for n, line in enumerate(lines) if re.sub(r"[\s\[\]\"']", "", line.partition("#")[0]) == bare]
    nth = int(number[0]) if (number := re.match(r"\d+", rest)) else 1
    start, end = 0, len(lines)
    if len(heads) >= nth:
        start = heads[nth - 1]
        end = next((n for n in range(start + 1, len(lines)) if lines[n].startswith("[")), len(lines))
    for one in (re.sub(r"^\d+ ?", "", rest) if head.startswith("[") else "", at):
        start = next((n for n in range(start, end) if one and _begins(lines[n], one)), start)
    return start + 1 if heads or _begins(lines[start], at) else 0


def _begins(line: str, name: str) -> bool:
    """Whether a key stands in a line, at its beginning or in a table within it."""
    return bool(
        re.match(rf"\s*\[*\s*(?:[\w.\"']*[.\"'])?{re.escape(name)}(?![\w-])|.*[{{,]\s*{re.escape(name)}\s*=", line)
    )
