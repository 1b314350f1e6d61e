"""The company's facts beside the truth: what is read, which names are one, what contradicts, how questions fare.

docs/ against data/graph.json and data/graph-questions.jsonl, which no extractor and no router reads. Held questions are
counted, not shown: nothing is tuned on them. Try: python -m eval.graph
"""

if __name__ == "__main__":
    import commandline

    commandline.stop_quietly()

import argparse
import contextlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from access import local_caller
from config import PROJECT, Settings
from errors import UsageError
from eval import graph_answers, graph_truth
from eval.graph_truth import Reading, Sum, Truth
from facts import Extraction, Text
from facts.extract import extract
from facts.normal import id_key, key
from graph.tools import TOOLS
from graph.view import Entity, View, view_of
from language.detect import language_of
from search import Index, open_index, synced
from sources.folder import FolderSource
from sources.formats import Unreadable
from storage.text import Texts

PARTS = ("extraction", "resolution", "contradictions", "dates", "questions")
BARS = {
    "extraction, precision": 0.97, "extraction, recall": 0.97, "same things found": 0.95, "kept apart": 1.0,
    "wrong merges": 0.0, "as of a date": 1.0, "routing": 0.95, "answers": 0.95, "refusals": 0.95,
}  # fmt: skip
"""What is asked of a machine without a chat model. Of "wrong merges" the most, of the others the least."""


@dataclass(slots=True)
class Report:
    """All that was measured."""

    figures: dict[str, tuple[float, float]] = field(default_factory=dict)  # of how many
    lines: list[str] = field(default_factory=list)  # what went wrong, for people

    def share(self, name: str, good: Iterable[bool]) -> None:
        """Notes how many of some were right; a measure of nothing is no measure."""
        marks = [*good]
        if marks:
            self.figures[name] = (sum(marks), len(marks))

    def below(self) -> list[str]:
        """The measures that miss their bar."""
        found = []
        for name, bar in BARS.items():
            if name in self.figures:
                good, most = self.figures[name]
                is_met = good <= bar if name == "wrong merges" else good / most >= bar
                found += [] if is_met else [name]
        return found


def texts_of(settings: Settings) -> dict[str, Text]:
    """Each document as a sync hands it to the extractors, by path."""
    found = {}
    with contextlib.closing(Texts(settings)) as texts:
        source = FolderSource(settings.docs_dir)
        for entry in source.entries():
            try:
                read = texts.read(source.read(entry.path), entry.path)
            except Unreadable:
                continue
            document, dated = read.cut(entry.path, settings.chunk_chars)
            lines = tuple(read.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
            lang = language_of(read.text)
            found[entry.path] = Text(entry.path, document.title, document.meta, lines, lang, dated, read.format)
    return found


def of_extraction(truth: Truth, settings: Settings, report: Report) -> list[str]:
    """What the extractors read of each page."""
    texts = texts_of(settings)
    read: dict[str, Extraction] = {path: extract(text) for path, text in texts.items()}
    reading = graph_truth.judge(truth, read, {path: text.lines for path, text in texts.items()})
    whole = reading.whole
    report.figures["extraction, precision"] = whole.right, max(1, whole.right + whole.wrong)
    report.figures["extraction, recall"] = whole.found, max(1, whole.stated)
    report.share("dates of facts", reading.dates)
    report.share("words of facts", reading.quotes)
    report.lines += [f"missed  {one.source}: {_told(truth, one)}" for one in reading.missed]
    for path, said in reading.wrong:
        ends = said.subject.shown, said.object if isinstance(said.object, str) else said.object.shown
        report.lines.append(f"wrong   {path}:L{said.first_line}: {ends[0]} | {said.predicate} | {ends[1]}")
    for fact, said in reading.misdated:
        report.lines.append(f"dated   {fact.source}: {_told(truth, fact)}: {said.valid_from} to {said.valid_to}")
    return _table(reading, whole)


def _told(truth: Truth, one: graph_truth.Fact) -> str:
    return f"{truth.names[one.subject]} | {one.predicate} | {truth.names.get(one.object, one.value)}"


def _table(reading: Reading, whole: Sum) -> list[str]:
    rows = [f"{'':14}{'stated':>8}{'found':>8}{'recall':>8}{'right':>8}{'wrong':>8}{'precision':>11}"]
    for name, one in (*sorted(reading.sums.items()), ("all", whole)):
        rows.append(
            f"{name:14}{one.stated:8}{one.found:8}{one.recall:8.3f}{one.right:8}{one.wrong:8}{one.precision:11.3f}"
        )
    beside = sum(reading.beside.values())
    return [
        *rows,
        f"{beside} statements are of what the truth does not list, {reading.idle} words of talk name nothing known.",
    ]


def of_resolution(truth: Truth, view: View, report: Report) -> None:
    """Which names are taken for one thing, in pairs and over all that is known."""
    found, apart = [], []
    for one, other in truth.raw["same"]:
        ends = _at(view, one), _at(view, other)
        found.append(bool({end.key for end in ends[0]} & {end.key for end in ends[1]}))
        if not found[-1]:
            report.lines.append(f"not one  {_side(one)} and {_side(other)}{'' if all(ends) else ' (not named there)'}")
    for one, other in truth.raw["apart"]:
        ends = _at(view, one), _at(view, other)
        apart.append(not {end.key for end in ends[0]} & {end.key for end in ends[1]})
        if not apart[-1]:
            report.lines.append(f"merged   {_side(one)} and {_side(other)}")
    report.share("same things found", found)
    report.share("kept apart", apart)
    wrong, seen = 0, 0
    for kind in ("Person", "Team", "Service", "System", "Decision"):
        for thing in view.of_type(kind):
            meant = {one for name in (*thing.names, *thing.ids) for one in truth.meant(name)}
            borne = [one for one in meant if truth.types[one] == kind]
            seen += 1
            if len(borne) > 1:
                wrong += 1
                report.lines.append(f"merged   {thing.key}: {', '.join(sorted(borne))}")
    report.figures["wrong merges"] = wrong, max(1, seen)


def _side(one: Mapping[str, str]) -> str:
    return f"{one['name']} ({one['source']})"


def _at(view: View, side: Mapping[str, str]) -> list[Entity]:
    """The things that a page names so."""
    kind, name = side["type"], side["name"]
    rows = view.rows.names_by_key({made for made in (key(name), id_key(name)) if made})
    here = [row for row in rows if row.path == side["source"] and row.type in (kind, "")]
    bearing = [one for one in view.named(name) if one.type == kind]
    typed = [one for one in bearing if any(row.node in one.nodes for row in here)]
    return typed or (bearing if here and len(bearing) == 1 else [])


def of_contradictions(truth: Truth, view: View, report: Report) -> None:
    """Talk against decisions, and records that disagree."""
    said: dict[tuple[str, str], str] = {}
    for row in TOOLS["contradicted"].function(view).rows:
        for fact in row.facts[:1]:
            for one in fact.subject.ids:
                said[one, row.cells[0]] = row.cells[1]
    wanted = [one for one in truth.raw["contradictions"] if one["kind"] == "message"]
    hit = set[tuple[str, str]]()
    for one in wanted:
        message = f"{one['left']['source']}#{one['left']['place']}"
        fits = {pair for pair in said if pair[0] == message and truth.same(pair[1], one["about"])}
        hit |= fits
        if not fits:
            report.lines.append(f"not told {message} against {one['about']}")
    for pair in sorted(said.keys() - hit):
        report.lines.append(f"no contradiction: {pair[0]} against {pair[1]}: {said[pair][:80]}")
    report.share("contradictions found", [any(p[0].endswith(_place(one)) for p in hit) for one in wanted])
    report.share("contradictions rightly told", [pair in hit for pair in said])
    disputes = TOOLS["conflicts"].function(view).rows
    typed = [one for one in truth.raw["contradictions"] if one["kind"] in ("index", "owner")]
    told = [
        (row, [one for one in typed if truth.same(row.cells[0], one["about"]) and row.cells[1] == one["predicate"]])
        for row in disputes
    ]
    report.share("disputes found", [any(one in fits for _, fits in told) for one in typed])
    report.share("disputes rightly told", [bool(fits) for _, fits in told])
    report.lines += [f"no dispute: {' | '.join(row.cells)}" for row, fits in told if not fits]


def _place(one: Mapping[str, Any]) -> str:
    return f"{one['left']['source']}#{one['left']['place']}"


def of_dates(truth: Truth, view: View, report: Report) -> None:
    """What held on a day."""
    marks = []
    for one in truth.raw["as_of"]:
        kind, _, name = one["of"].partition("/")
        start = [thing.key for thing in view.named(name) if thing.type == kind]
        step = [one["relation"], "out" if one["relation"] == "reports_to" else "in"]
        rows = TOOLS["chain"].function(view, start=start, steps=[step], as_of=one["on"]).rows if start else ()
        got = sorted({row.cells[0] for row in rows})
        marks.append(got == sorted(one["answers"]))
        if not marks[-1]:
            report.lines.append(f"as of {one['on']}: {one['relation']} {name}: {got}, not {one['answers']}")
    report.share("as of a date", marks)


def of_questions(truth: Truth, index: Index, questions: Sequence[graph_answers.Question], report: Report) -> list[str]:
    """Each question asked as people ask it."""
    verdicts = [*graph_answers.ask(index, truth, questions, local_caller())]
    typed = [one for one in verdicts if one.question.answers]
    report.share("routing", [one.routed for one in verdicts])
    report.share("answers", [one.right for one in typed])
    report.share("answers with the right pages", [one.proved for one in typed])
    report.share("refusals", [one.right for one in verdicts if one.question.kind == "refusals"])
    for one in verdicts:
        if not (one.routed and one.right and one.proved) and not one.question.held:
            what = "routed" if not one.routed else "answer" if not one.right else "pages "
            report.lines.append(f"{what}  [{one.tool}] {one.question.question}\n        {one.said[:160]!r}")
    rows = [f"{'':14}{'asked':>7}{'routed':>8}{'right':>7}{'proved':>8}"]
    for kind in dict.fromkeys(one.question.kind for one in verdicts):
        of = [one for one in verdicts if one.question.kind == kind]
        rows.append(
            f"{kind:14}{len(of):7}{sum(one.routed for one in of):8}{sum(one.right for one in of):7}"
            f"{sum(one.proved for one in of):8}"
        )
    for lang in dict.fromkeys(one.question.lang for one in verdicts):
        of = [one for one in verdicts if one.question.lang == lang]
        rows.append(
            f"{lang:14}{len(of):7}{sum(one.routed for one in of):8}{sum(one.right for one in of):7}"
            f"{sum(one.proved for one in of):8}"
        )
    return rows


def measured(args: argparse.Namespace, settings: Settings) -> tuple[Report, list[str]]:
    """Everything asked for. Raises UsageError, StoreError, ModelError."""
    import commandline

    truth, report, shown = graph_truth.read(args.truth), Report(), list[str]()
    questions = [one for one in graph_answers.read(args.questions) if args.which == "all" or one.held == args.is_held]
    parts = [args.only] if args.only else PARTS
    if "extraction" in parts:
        shown += of_extraction(truth, settings, report)
    if parts == ["extraction"]:
        return report, shown
    with open_index(settings, notice=commandline.notice) as index:
        synced(index, commandline.notice, commandline.progress)
        with index.store.reader(local_caller(), index.searcher().model_id) as reader:
            view = view_of(index, reader)
            for part, of in (("resolution", of_resolution), ("contradictions", of_contradictions), ("dates", of_dates)):
                if part in parts:
                    of(truth, view, report)
        if "questions" in parts:
            shown += ["", *of_questions(truth, index, questions, report)]
    return report, shown


def _parser() -> argparse.ArgumentParser:
    import commandline

    made = commandline.bare_parser("Measure the company's facts against the truth about them.", "python -m eval.graph")
    commandline.add_index_flags(made)
    made.add_argument("--only", choices=PARTS, help="one part")
    made.add_argument("--misses", type=int, default=0, metavar="N", help="show so many of what went wrong")
    made.add_argument("--truth", type=Path, default=graph_truth.SHIPPED, metavar="FILE", help="data/graph.json")
    made.add_argument(
        "--questions", type=Path, default=graph_answers.SHIPPED, metavar="FILE", help="data/graph-questions.jsonl"
    )
    which = made.add_mutually_exclusive_group()
    which.add_argument("--held", action="store_const", dest="which", const="held", help="held questions only, counted")
    which.add_argument("--all", action="store_const", dest="which", const="all", help="open and held questions")
    made.add_argument("--bars", action="store_true", help="exit 1 when a measure misses its bar")
    made.add_argument("--json", action="store_true", help="print JSON")
    made.set_defaults(which="open")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; exit 0 when it ran, but 1 when --bars finds a measure below its bar."""
    import commandline

    args = _parser().parse_args(argv)
    args.is_held = args.which == "held"
    settings = commandline.settings_of(args)
    if args.truth == graph_truth.SHIPPED and settings.docs_dir != PROJECT / "docs":
        raise UsageError("The truth is about docs/. Name another with --truth, and its --questions.")
    report, shown = measured(args, settings)
    below = report.below()
    if args.json:
        figures = {name: {"good": good, "of": most} for name, (good, most) in report.figures.items()}
        print(json.dumps({"figures": figures, "below": below}, indent=2))
    else:
        commandline.out("\n".join([*report.lines[: args.misses], *shown, ""]))
        for name, (good, most) in report.figures.items():
            bar = f"  bar {BARS[name]:.2f}{', missed' if name in below else ''}" if name in BARS else ""
            commandline.out(f"{name:30}{good:5} of {most:4}  {good / most:6.3f}{bar}")
    return 1 if args.bars and below else 0


if __name__ == "__main__":
    import commandline

    commandline.run(main)
