"""access.toml: who may read the files of a folder and of those below it.

    [allow]
    "**" = ["everyone"]
    "salaries/" = ["group:hr"]
    [deny]
    "salaries/board.md" = ["user:7"]
    [[files]]
    who = ["group:hr"]
    names = ["Pay [draft].md"]

Patterns are those of .gitignore, names under `[[files]]` stand for themselves; case does not count. The nearest file
that names a document decides, there a name before the pattern with the most letters; a `deny` of any file on the way
wins. Knows text and paths, opens nothing.
Try: pytest tests/test_access_rules.py
"""

import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from access import CLOSED, EVERYONE, AccessList, principal

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

RULES_FILE = "access.toml"
_WILD = "*?[]"


class RulesError(ValueError):
    """An access list that cannot be read as a whole."""


@dataclass(frozen=True, slots=True)
class _Rule:
    spec: "GitIgnoreSpec"
    letters: int  # of its pattern, wild ones left out: the narrower, the more
    principals: frozenset[str]


@dataclass(frozen=True, slots=True)
class Rules:
    """What one access.toml says."""

    allow: tuple[_Rule, ...]
    deny: tuple[_Rule, ...]
    files: Mapping[str, frozenset[str]]  # by the path from here, folded

    def allowed(self, below: str) -> frozenset[str] | None:
        """Who may read a file, named from the folder of these rules; None where nothing names it.

        Of two patterns with as many letters both must allow.
        """
        if below in self.files:
            return self.files[below]
        found = [rule for rule in self.allow if rule.spec.match_file(below)]
        most = max((rule.letters for rule in found), default=0)
        lists = [rule.principals for rule in found if rule.letters == most]
        return frozenset.intersection(*lists) if lists else None

    def denied(self, below: str) -> frozenset[str]:
        """Who may not, whatever else allows it."""
        return frozenset().union(*(rule.principals for rule in self.deny if rule.spec.match_file(below)))


def read_rules(text: str) -> Rules:
    """The rules in the text of an access.toml. Raises RulesError: half a list is none."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"is no TOML: {error}") from error
    if unknown := sorted(set(table) - {"allow", "deny", "files"}):
        raise RulesError(f"has {unknown[0]!r} beside [allow], [deny] and [[files]]")
    return Rules(tuple(_rules(table, "allow")), tuple(_rules(table, "deny")), _files(table.get("files", [])))


def _files(parts: Any) -> dict[str, frozenset[str]]:
    found = dict[str, frozenset[str]]()
    for part in parts if isinstance(parts, list) else [parts]:
        if not isinstance(part, dict) or set(part) != {"who", "names"} or not all(map(_is_list, part.values())):
            raise RulesError('[[files]] has two lists of texts: who = ["group:hr"] and names = ["plan.md"]')
        try:
            principals = frozenset(map(principal, part["who"]))
        except ValueError as error:
            raise RulesError(f"[[files]]: {error}") from error
        for name in part["names"]:
            if {"", ".", ".."} & set(name.split("/")) or "\\" in name:
                raise RulesError(f"[[files]] {name!r} is no file from here, with slashes")
            if found.setdefault(folded(name), principals) != principals:
                raise RulesError(f"[[files]] {name!r} stands in two lists")
    return found


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _rules(table: dict[str, Any], name: str) -> Iterator[_Rule]:
    from pathspec import GitIgnoreSpec  # most folders have no rules

    part = table.get(name, {})
    if not isinstance(part, dict):
        raise RulesError(f"[{name}] is no table of patterns")
    for pattern, listed in part.items():
        where = f"[{name}] {pattern!r}"
        if not _is_list(listed):
            raise RulesError(f'{where} is no list of principals, such as ["group:hr"]')
        if not pattern.strip() or pattern.startswith(("!", "#")) or "\\" in pattern or ".." in pattern.split("/"):
            raise RulesError(f"{where} is no pattern: write a file or folder from here, with slashes, * and **")
        try:
            spec = GitIgnoreSpec.from_lines([folded(pattern)])
            principals = frozenset(map(principal, listed))
        except ValueError as error:
            raise RulesError(f"{where}: {error}") from error
        yield _Rule(spec, sum(char not in _WILD for char in folded(pattern).strip("/")), principals)


class RuleBook:
    """The rules of a whole source: of each folder that has some, and what holds where they say nothing."""

    def __init__(self, texts: Mapping[str, str | None], owner: str, default: AccessList) -> None:
        """`texts`: path of an access.toml -> its text, None for one that cannot be read. `owner` is a principal or "".

        `default` is the list of every file of a source without rules; with some, a file they do not name is its
        owner's alone.
        """
        self._texts = {path.removesuffix(RULES_FILE): text for path, text in texts.items()}
        self._unnamed = AccessList(frozenset({owner} if owner else ())) if texts else default

    @cached_property
    def _read(self) -> tuple[dict[str, Rules], dict[str, str]]:
        rules, faults = dict[str, Rules](), dict[str, str]()
        for folder, text in self._texts.items():
            try:
                if text is None:
                    raise RulesError("cannot be read")
                rules[folder] = read_rules(text)
            except RulesError as error:
                faults[folder] = str(error)
        return rules, faults

    def faults(self) -> list[tuple[str, str]]:
        """(path of an access.toml, what is wrong with it): nobody reads what stands below."""
        return sorted((folder + RULES_FILE, fault) for folder, fault in self._read[1].items())

    def list_of(self, path: str) -> AccessList:
        """The access list of a document; CLOSED where a file of rules on the way to it cannot be read."""
        if not self._texts:  # most folders have none, and each of 10,000 unchanged files is asked for
            return self._unnamed
        rules, faults = self._read
        folders = [""] + [path[: at + 1] for at, char in enumerate(path) if char == "/"]
        if any(folder in faults for folder in folders):
            return CLOSED
        allow, deny = None, frozenset[str]()
        for folder in reversed(folders):
            if found := rules.get(folder):
                below = folded(path[len(folder) :])
                deny |= found.denied(below)
                if allow is None:
                    allow = found.allowed(below)
        return AccessList(self._unnamed.allow if allow is None else allow, deny=deny)


def narrowed_by(listed: AccessList, line: str) -> tuple[AccessList, str]:
    """The list as an `access:` line of the document narrows it, and what is wrong with the line: then nobody reads it.

    Between the line's principals stand commas.
    """
    try:
        found = frozenset(map(principal, line.split(",")))
    except ValueError as error:
        return replace(listed, narrow=frozenset()), f"nobody may read it, its line `access` cannot be read: {error}"
    return replace(listed, narrow=found), ""


def default_list(guarded: bool, declared: str) -> AccessList:
    """The list of files in a source without rules: what its settings say; else everyone, or nobody where `guarded`.

    Guarded is an installation that asks people who they are: there, what nobody has opened is closed.
    """
    if declared:
        return AccessList(frozenset(map(principal, declared.split(","))))
    return CLOSED if guarded else AccessList(frozenset({EVERYONE}))


def folded(path: str) -> str:
    """A path as it is compared."""
    return unicodedata.normalize("NFC", path).casefold()
