"""CODEOWNERS -> who owns what its paths name. Of two rules for a path the last one holds, as on GitHub and GitLab.

A path is read as the thing that its last telling part names: "/services/plan-store/src/**" is plan-store. What names
nothing ("*", "*.js") states nothing. Knows the lines that sources/formats/codeowners.py writes.
Try: python -m facts CODEOWNERS
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from facts import Extraction, Named, Statement, Text
from facts.extractors.columns import Record
from facts.normal import key

EXTRACTOR = "codeowners/1"
NARROWS = "code"
"""Who reviews a service's code need not be who answers for the service: both are owners, and contradict nothing."""
_RULE = re.compile(r"- `(?P<pattern>[^`]+)`(?:: (?P<owners>.*))?")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_KINDS = {
    **dict.fromkeys(("services", "service", "apps", "app", "applications", "microservices", "components"), "Service"),
    **dict.fromkeys(("systems", "system", "platforms", "databases", "resources", "clusters"), "System"),
}
"""Folders whose parts are things of a type."""
_GENERIC_WORDS = (
    "src source lib libs pkg packages package modules module internal cmd main test tests spec docs doc documentation "
    "config configs configuration scripts script tools tool bin build dist assets static public resources infra code "
    "infrastructure terraform environments environment env deploy deployment k8s helm charts api web client server "
    "backend frontend common shared core util utils example examples github gitlab workflows root all java python go "
    "index readme"
)
_GENERIC = frozenset(_GENERIC_WORDS.split()) | set(_KINDS)
_DOCUMENT = (".md", ".markdown", ".txt", ".rst", ".adoc", ".pdf", ".docx", ".html")
_PATTERNS, _OWNERS = (
    ("pattern", "path", "paths", "glob", "file pattern"),
    ("owners", "owner", "code owners", "codeowners"),
)
_MOST_RULES = 2000  # each is compared with those after it that could match


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, its owners as written, and where it stands."""

    pattern: str
    owners: tuple[str, ...]
    line: int
    quote: str


def extract(text: Text) -> Extraction:
    """Who owns what; nothing of a document of another format."""
    if text.format != "codeowners":
        return Extraction()
    sections: list[list[Rule]] = [[]]  # in each of GitLab's the last match holds
    for number, line in enumerate(text.lines, 1):
        if line.startswith("## "):
            sections.append([])
        elif match := _RULE.fullmatch(line.rstrip()):
            owners = _ESCAPED.sub(r"\1", match["owners"] or "").split()
            sections[-1].append(Rule(match["pattern"], tuple(owners), number, line.rstrip()))
    return Extraction(tuple(one for rules in sections for one in of_rules(rules, text.path)))


def of_rows(records: Sequence[Record], path: str) -> tuple[Statement, ...]:
    """The same of a table whose rows are such rules; () for any other."""
    headings = {heading: key(heading) for record in records[:1] for heading in record.cells}
    pattern = next((one for one, told in headings.items() if told in _PATTERNS), "")
    owners = next((one for one, told in headings.items() if told in _OWNERS), "")
    if not (pattern and owners) or len(headings) > 3:
        return ()
    rules = []
    for record in records:
        cell, told = record.cells.get(pattern, ""), record.cells.get(owners, ())
        if isinstance(cell, str) and cell:
            listed = told.replace(",", " ").split() if isinstance(told, str) else told
            rules.append(Rule(cell, tuple(listed), record.first_line, record.quote))
    is_one = sum(any(mark in rule.pattern for mark in "/*.") for rule in rules) > 0.9 * len(rules)
    return of_rules(rules, path) if is_one else ()


def of_rules(rules: Sequence[Rule], path: str) -> tuple[Statement, ...]:
    """What rules in their order state. `path` is the file's: what stands above it names what "*" is."""
    found: dict[tuple[str, str], Statement] = {}
    rules = rules[:_MOST_RULES]
    for rule, holds in zip(rules, _holding(rules), strict=True):
        thing = _thing(rule.pattern, path)
        for owner in map(_owner, holds.owners) if thing else ():
            assert thing is not None
            if owner:
                told = Statement(
                    owner, "owns", thing, holds.line, holds.line, holds.quote, NARROWS, extractor=EXTRACTOR
                )
                found.setdefault((owner.shown, key(thing.shown)), told)
    return tuple(found.values())


def _holding(rules: Sequence[Rule]) -> Iterator[Rule]:
    """For each rule the last one that is for what it names: itself, or a later one that takes its place."""
    from pathspec import GitIgnoreSpec  # most documents are none of these

    try:
        patterns = list(GitIgnoreSpec.from_lines(rule.pattern for rule in rules).patterns)
    except ValueError:
        yield from rules
        return
    for n, rule in enumerate(rules):
        named = re.sub(r"(?:^|/)[^/]*[*?].*", "", rule.pattern).strip("/")
        later = range(len(rules) - 1, n if named else len(rules), -1)
        yield rules[next((m for m in later if patterns[m].include and patterns[m].match_file(f"{named}/x")), n)]


def _thing(pattern: str, path: str) -> Named | None:
    """What a pattern names: the last part that tells more than "src"; a document by its path; None for nothing."""
    parts = [part for part in pattern.replace("\\ ", " ").split("/") if part and part != "**"]
    if parts and not set(parts[-1]) & set("*?[") and parts[-1].lower().endswith(_DOCUMENT):
        return Named("Document", ids=("/".join(parts),))
    if not parts or (len(parts) == 1 and parts[0] == "*"):
        parts = path.split("/")[:-1]
    plain = [re.sub(r"\.[A-Za-z0-9]{1,5}\Z", "", part) for part in parts]
    named = [n for n, part in enumerate(plain) if part[:1] != "." and not set(part) & set("*?[]!{}") and key(part)]
    at = next((n for n in reversed(named) if plain[n].lower() not in _GENERIC), max(named, default=-1))
    return Named(_KINDS.get(parts[at - 1].lower(), "") if at > 0 else "", (plain[at],)) if at >= 0 else None


def _owner(told: str) -> Named | None:
    """ "@org/team" is a team, "@ann" or an address somebody."""
    told = told.strip(" ,;")
    if told.startswith("@") and len(told) > 1 and not told.startswith("@@"):
        _, slash, team = told.rpartition("/")
        return Named("Team", (team,), (told,)) if slash and team else Named("", ids=(told,))
    if _EMAIL.fullmatch(told):
        return Named("", ids=(told,))
    return Named("", (told,)) if re.fullmatch(r"[\w.-]{2,80}", told) and key(told) else None
