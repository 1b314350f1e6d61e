"""With which letters a text can begin that a regular expression matches: what it is looked up by, without a search.

Reads only what models.order_tables writes: letters, `_` for white space, classes, groups without names, quantifiers.
Try: python -c "from models.first_letters import first_letters; print(first_letters('(?:the|an?)_user', 4))"
"""

import re

_ATOM = re.compile(r"(\(|\[[^\]]*\]|\\.|.)")
_OPTIONAL = ("?", "*", "{0", "{,")
_QUANTIFIER = re.compile(r"(?:[?*+]|\{\d+,?\d*\})\??")


def first_letters(pattern: str, most: int) -> set[str]:
    """The first `most` letters, fewer where something that is no letter comes before."""
    return {letters for letters, _ in _heads(pattern, most)}


def _heads(pattern: str, most: int) -> set[tuple[str, bool]]:
    """(letters, whether further letters may follow at once) for every way to begin."""
    found: set[tuple[str, bool]] = set()
    for branch in _branches(pattern):
        states = {("", True)}
        for atom, optional in _atoms(branch):
            grown = set()
            for letters, goes_on in states:
                if not goes_on or len(letters) >= most:
                    grown.add((letters, False))
                    continue
                if optional:
                    grown.add((letters, True))
                grown |= {((letters + more)[:most], on) for more, on in _heads_of(atom, most)}
            states = grown
        found |= states
    return found


def _heads_of(atom: str, most: int) -> set[tuple[str, bool]]:
    if atom.startswith("(?:"):
        return _heads(atom[3:-1], most)
    if atom.startswith("[") and not atom.startswith("[^"):
        return {(one, True) if one.isalpha() else ("", False) for one in atom[1:-1]}
    return {(atom, True)} if atom.isalpha() else {("", False)}


def _branches(pattern: str) -> list[str]:
    depth, start, found = 0, 0, []
    for atom in _ATOM.finditer(pattern):
        depth += (atom[0] == "(") - (atom[0] == ")")
        if atom[0] == "|" and not depth:
            found.append(pattern[start : atom.start()])
            start = atom.end()
    return [*found, pattern[start:]]


def _atoms(branch: str) -> list[tuple[str, bool]]:
    """Its parts, each with whether it may be left out."""
    found, at = [], 0
    while at < len(branch):
        end = _group_end(branch, at) if branch[at] == "(" else at + len(_atom(branch, at))
        quantifier = _QUANTIFIER.match(branch, end)
        found.append((branch[at:end], bool(quantifier) and branch.startswith(_OPTIONAL, end)))
        at = quantifier.end() if quantifier else end
    return found


def _atom(branch: str, at: int) -> str:
    atom = _ATOM.match(branch, at)
    return atom[0] if atom else ""


def _group_end(branch: str, at: int) -> int:
    depth = 0
    for atom in _ATOM.finditer(branch, at):
        depth += (atom[0] == "(") - (atom[0] == ")")
        if not depth:
            return atom.end()
    return len(branch)
