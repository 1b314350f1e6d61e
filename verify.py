"""Which sentences of an answer are proved by the passages it cites, and by which words.

Pure rules: no files, no network, no model. `check` strips reasoning, reads the markers, splits the answer into
claims and holds each against its passages; what cannot be proved is named with its reason, never passed over.
Must not know where passages come from, who asks, or how an answer is shown. The rules live in proof/.
Try: python verify.py "How many days of leave do I get?"
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import groupby

from language.sentences import Unit, units
from language.words import words
from models import Near
from proof.about import about_sources, denies_mention, what_is_missed
from proof.evidence import Part
from proof.facts import names, plain
from proof.guard import guarded
from proof.heads import states
from proof.hold import OPENER, Finding, holds
from proof.markers import Cite, read, without_reasoning
from proof.markup import foreign
from proof.source import Source
from proof.status import forbids
from proof.tables import ASKING
from proof.verdict import CitedText, Claim, Evidence, Problem, Status, Verdict, unproved
from proof.words import content

_INHERITING = ("item", "row", "code")
_SURROGATE = re.compile("[\ud800-\udfff]")
_EMPTY_BRACKETS = re.compile(r"\s*[(（](?:see|siehe|vgl\.?|cf\.?|voir|véase|参见|见)?\s*[)）]", re.IGNORECASE)
_WHO = re.compile(r"\b(?:who|wer|qui|quién)\b")
# Whole sentences that only lead in or close; one with a figure or a name in it is a claim all the same.
_CONNECTIVE = re.compile(
    r"(?:sure|certainly|of course|okay|gerne|natürlich|bien sûr|por supuesto|certo|claro)(?:[,!.] here you go)?|"
    r"here(?:'s| is| are) (?:what i found|the (?:answer|information|details|summary|steps|list|overview))"
    r"(?: (?:you (?:asked|need)(?: for)?|to your question|in short))?|"
    r"(?:based on|according to) the (?:provided |given )?(?:documents|passages|sources|context)|"
    r"(?:i hope (?:this|that) helps|"
    r"let me know if you (?:have|need) (?:any |more |other |further |anything |additional )*"
    r"(?:questions?|help|details?|information|clarification|assistance|else)?)|"
    r"hier (?:ist|sind) die (?:antwort|informationen|einzelheiten|schritte|übersicht)|"
    r"voici (?:la réponse|les informations|les étapes)|aquí (?:está la respuesta|tiene la información)|"
    r"以下是(?:相关)?(?:信息|内容|答案|总结|步骤|列表)|根据(?:提供的)?(?:文档|资料|文件)|以下の通りです",
    re.IGNORECASE,
)


def check(
    answer: str,
    passages: Sequence[CitedText],
    lang: str,
    near: Near | None = None,
    *,
    round_brackets: bool = False,
) -> Verdict:
    """Hold every claim of `answer` (in language `lang`, ISO 639-1) against `passages`, numbered from 1.

    `round_brackets` says that whoever wrote it was asked to cite as `(1)`. `near` compares meanings where words cannot
    be compared. Raises nothing, whatever the answer holds; an answer without any claim about the matter is a problem of
    its own.
    """
    answer = _SURROGATE.sub("\ufffd", without_reasoning(answer))
    titles = [passage.above for passage in passages]
    marked = read(answer, [passage.text for passage in passages], titles, round_brackets=round_brackets)
    sources = {n: Source(f"[{n}]", p.text, p.above, lang) for n, p in enumerate(passages, start=1)}
    said = _ended([*_said(marked.bare, marked.cites, lang, sources)])
    if len(marked.listed) == 1:  # of more than one nobody knows which says what
        for one in said:
            one.good = one.good or ([] if one.bad else [*marked.listed])
    claims = [_judged(one, sources, passages, lang, near) for one in said]
    problems = [_problem(claim) for claim in claims if claim.status != "supported"]
    if all(claim.about == "sources" for claim in claims):
        problems.append(
            Problem(code="no_claims", text="The answer states nothing that could be checked.", severity="error")
        )
    return guarded(Verdict(text=marked.text, claims=claims, problems=problems), passages)


class _Said:
    """A claim before it is judged."""

    def __init__(self, text: str, unit: Unit, written: str) -> None:
        self.text, self.unit, self.written = text, unit, written
        self.lead = ""  # of a list: "Not allowed:" belongs to each of its items
        self.good: list[int] = []
        self.bad: list[int] = []

    def cite(self, cites: Sequence[Cite]) -> None:
        self.good = list(dict.fromkeys([*self.good, *(n for c in cites for n in c.good)]))
        self.bad = list(dict.fromkeys([*self.bad, *(n for c in cites for n in c.bad)]))


def _said(bare: str, cites: Sequence[Cite], lang: str, sources: Mapping[int, Source]) -> Iterator[_Said]:
    found = units(bare, lang)
    owned = _owners(bare, found, cites)
    cited = [sources[n] for n in sorted({n for cite in cites for n in cite.good})] or [*sources.values()]
    inherited: list[Cite] = []
    section: list[Cite] = []  # of the heading above, down to the next one of its level
    level = 0
    lead = ""
    waiting: _Said | None = None  # "Yes." says nothing alone: it is checked with the sentence behind it
    for index, unit in enumerate(found):
        own = owned.get(index, [])
        written = bare[unit.start : unit.end]
        lead = written if unit.kind in ("heading", "lead_in") else lead if unit.kind in _INHERITING else ""
        if unit.kind == "heading" and "|" not in written and (own or _level(bare, unit) <= level):
            section, level = own, _level(bare, unit)
        if unit.kind in ("heading", "lead_in") and not _heads_claim(bare, found, index, lang, cited):
            heads_table = unit.kind == "heading" and "|" in written and not own  # the line above it may cite for it
            if own or (not heads_table and (unit.kind == "heading" or not _inside_item(bare, unit))):
                inherited = own
            continue
        text = _tidy(written, unit)
        if unit.kind not in _INHERITING:
            inherited = own  # a command behind its sentence has that sentence's proof
        if _CONNECTIVE.fullmatch(text.rstrip(" .!:。！：")) and not re.search(r"\d", text):
            continue
        if text.endswith(("?", "？")) and not own:
            continue  # a question states nothing; one that cites is looked at all the same
        said = _Said(f"{waiting.text} {text}" if waiting else text, unit, written)
        if waiting:
            said.cite([Cite(0, tuple(waiting.good), tuple(waiting.bad))])
        said.lead = lead.rstrip(" :：") if unit.kind in _INHERITING and forbids(plain(lead), lang) else ""
        said.cite(own or (inherited if unit.kind in _INHERITING else []) or section)
        waiting = None
        if unit.kind == "text" and OPENER.fullmatch(text) and _follows(bare, found, index):
            waiting = said
            continue
        yield said


def _ended(said: list[_Said]) -> list[_Said]:
    """The same claims; a list of which only the end cites anything is cited by it as a whole."""
    for listed, group in groupby(said, lambda one: one.unit.kind in _INHERITING):
        items = [*group] if listed else []
        if items and not any(one.good or one.bad for one in items[:-1]):
            for one in items[:-1]:
                one.good, one.bad = list(items[-1].good), list(items[-1].bad)
    return said


def _owners(bare: str, found: Sequence[Unit], cites: Sequence[Cite]) -> dict[int, list[Cite]]:
    """Which unit each marker belongs to: the one it stands in or follows; at a line's start the one behind it."""
    owned: dict[int, list[Cite]] = {}
    index = -1
    for cite in cites:
        while index + 1 < len(found) and found[index + 1].start < cite.place:
            index += 1
        line_end = bare.find("\n", cite.place)
        rest = bare[cite.place : line_end if line_end >= 0 else len(bare)]
        owner = index
        opens_line = index < 0 or "\n" in bare[found[index].end : cite.place]
        if opens_line and any(c.isalnum() for c in rest) and index + 1 < len(found):
            owner = index + 1
        if owner >= 0:
            owned.setdefault(owner, []).append(cite)
    return owned


def _heads_claim(bare: str, found: Sequence[Unit], index: int, lang: str, cited: Sequence[Source]) -> bool:
    """Whether a heading or lead-in states something, be it only a figure ("You get 45 days, as follows:")."""
    followers = sum(1 for unit in found[index + 1 :] if unit.kind in _INHERITING)
    written = bare[found[index].start : found[index].end]
    line = plain(written)
    figures = [f for f in re.findall(r"\d+", line) if int(f) > followers]
    known = {f for s in cited for f in re.findall(r"\d+", s.whole)} if figures else set()
    if foreign(written, [s.text for s in cited]) or not all(f in known for f in figures):
        return True
    return states(re.sub(r"\d+", "", line), lang, cited)


def _level(bare: str, heading: Unit) -> int:
    """How deep a heading stands; a line in bold type is below them all."""
    return bare.count("#", bare.rfind("\n", 0, heading.start) + 1, heading.start) or 7


def _inside_item(bare: str, unit: Unit) -> bool:
    return bare[bare.rfind("\n", 0, unit.start) + 1 : unit.start].strip() != ""


def _follows(bare: str, found: Sequence[Unit], index: int) -> bool:
    behind = found[index + 1 : index + 2]
    return bool(behind) and behind[0].kind == "text" and "\n" not in bare[found[index].end : behind[0].start]


def _tidy(text: str, unit: Unit) -> str:
    if unit.kind == "code":
        return text
    text = _EMPTY_BRACKETS.sub("", text)
    if unit.kind == "row":
        text = " | ".join(cell.strip() for cell in text.split("|"))
    return " ".join(text.replace("**", "").split())


def _judged(
    said: _Said, sources: Mapping[int, Source], passages: Sequence[CitedText], lang: str, near: Near | None
) -> Claim:
    cited = [sources[n] for n in said.good]
    finding = Finding("")
    status: Status = "unsupported"
    if said.bad:
        wrong = ", ".join(f"[{n}]" for n in said.bad)
        status, finding = (
            "bad_citation",
            Finding(f"it cites {wrong}; the passages are numbered {_range(len(passages))}"),
        )
    elif not cited:
        status, finding = "uncited", Finding("it cites no passage")
    elif said.unit.kind != "code" and foreign(said.written, [source.text for source in cited]):
        finding = Finding("it holds a link (or markup) that its passage does not")
    else:
        finding = holds(f"{said.lead} {said.text}".strip(), lang, cited, code=said.unit.kind == "code", near=near)
        status = "unsupported" if finding.reason else "supported"
    about_them = finding.reason and status != "bad_citation" and about_sources(said.text, lang)
    if about_them and not (told := denies_mention(said.text, lang) and _told_after_all(said.text, lang, sources)):
        status, finding = "uncited", Finding("it speaks of the sources themselves, which no passage can prove")
    elif about_them:
        status, finding = "unsupported", Finding(f"a passage does speak of it: “{told}”")
    return Claim(
        text=said.text, status=status, about="sources" if about_them else "documents", citations=said.good,
        evidence=[_evidence(part, said.good, passages) for part in finding.parts],
        support=round(finding.support, 3), reason=finding.reason,
    )  # fmt: skip


def _evidence(part: Part, cited: Sequence[int], passages: Sequence[CitedText]) -> Evidence:
    n = cited[part.source]
    text = passages[n - 1].text
    quote = text[part.start : part.end]
    first = passages[n - 1].first_line + text.count("\n", 0, part.start)
    return Evidence(n=n, quote=quote, first_line=first, last_line=first + quote.count("\n"))


def _told_after_all(claim: str, lang: str, sources: Mapping[int, Source]) -> str:
    """The sentence of a passage that speaks of what the claim says no passage mentions; "" when there is none."""
    missed = what_is_missed(claim, lang)
    wanted, named = frozenset(content(missed, lang)), frozenset(content(" ".join(names(missed, lang)), lang))
    asks = next(iter(words(missed)), "").casefold() in ASKING or _WHO.search(missed)
    for source in sources.values():
        for line, terms in zip(source.lines, source.line_terms, strict=True):
            # "... do not say who leads Atlas": a line on Atlas that names somebody tells it by another word, maybe.
            person = named and asks and named <= terms and set(names(line, lang)) - set(names(missed, lang))
            if (len(wanted) > 1 and wanted <= terms) or person:
                return line
    return ""


def _problem(claim: Claim) -> Problem:
    problem = unproved(claim)
    if claim.about == "sources" and claim.status == "uncited":
        return problem.model_copy(update={"code": "about_sources", "severity": "notice"})
    return problem


def _range(count: int) -> str:
    return f"1 to {count}" if count > 1 else "1 only" if count else "not at all: none were given"


def main(argv: Sequence[str] | None = None) -> int:
    """Ask a question and show how each sentence of its answer was checked; returns the exit code of `answer`."""
    command = import_module("answer").command  # stands above this module, so it is looked up only when run
    return int(command(list(sys.argv[1:] if argv is None else argv), show_checks=True))


if __name__ == "__main__":
    import commandline

    commandline.run(main)
