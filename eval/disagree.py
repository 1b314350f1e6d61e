"""How many planted disagreements are told, and how often one is told where none was planted.

From each true sentence of the public handbooks (eval/mutations.py) comes a question, made of words of the sentence, and
a second page, dated earlier: the same section with one figure, date, name or duty changed ("copied"), or a page of its
own that says the changed sentence in other words ("reworded"). "Unchanged" is the same question over the section and
the sections of all handbooks that share most of its words, and over a page that says the true sentence in other words.
Try: python -m eval.disagree --data ~/public-data --half open --show 5
"""

import argparse
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import commandline
from eval.mutations import Passage, Record, is_held, records
from language.words import is_function_word, terms, words
from proof.conflict.find import conflicts
from proof.verdict import Conflict

ASKING = {
    "number": "How many", "duration": "How long", "amount": "How much", "percentage": "What percentage of",
    "date": "When", "time": "At what time", "name": "Who", "modality": "Do", "negation": "Do", "identifier": "What is",
    "ordinal": "Which", "unit": "How long",
}  # fmt: skip
"""Kind of fault (eval/mutation_words.py) -> how a question for it begins."""
_LIKE = 5  # other sections beside the one asked about
_OWN_PAGE = "Questions and answers\nQuestions and answers\n"
_MOST_WORDS = 6  # of a question


@dataclass(frozen=True, slots=True)
class Page:
    """A section as a search gives it."""

    text: str
    above: str
    first_line: int
    dated: str
    lang: str
    source: str


@dataclass(frozen=True, slots=True)
class Trial:
    """A question, the section that answers it, its changed copy, and others that share words with it."""

    kind: str
    question: str
    stated: str
    planted: str  # the sentence as changed
    pages: tuple[Page, ...]  # the section, then its changed copy
    others: tuple[Page, ...]  # nothing in them is changed
    held: bool


def trials(data: Path, most: int, base: str = "copied", seed: int = 1) -> list[Trial]:
    """One trial for each fault of a sentence, `most` in all; `base` is "copied" or "reworded"."""
    found = [r for r in records(data) if r.lang == "en"]
    near = _Near(data, found)
    rng = random.Random(seed)
    made: list[Trial] = []
    by_kind: dict[str, list[Record]] = defaultdict(list)
    for record in found:
        stands = record.true_claim in record.passages[record.right - 1].text
        is_fit = record.base == "verbatim" and stands if base == "copied" else _is_reworded(record)
        if record.kind in ASKING and is_fit:
            by_kind[record.kind].append(record)
    for kind, of_kind in by_kind.items():
        by_kind[kind] = rng.sample(of_kind, len(of_kind))
    while by_kind and len(made) < most:
        for kind in [*by_kind]:
            if not by_kind[kind]:
                del by_kind[kind]
            elif len(made) < most:
                made.append(_trial(by_kind[kind].pop(), near, rng))
    return made


def told(trial: Trial) -> list[Conflict]:
    """What is told of the section and its changed copy, among others: only what tells the change."""
    found = conflicts(trial.question, "en", [*trial.pages, *trial.others[-2:]])
    return [c for c in found if {1, 2} <= {side.n for side in c.sides}]


def alarms(trial: Trial) -> list[Conflict]:
    """What is told of the unchanged section among others."""
    return conflicts(trial.question, "en", [trial.pages[0], *trial.others])


def _is_reworded(record: Record) -> bool:
    return record.base == "reworded" and not {"quoted", "list", "joined"} & {*record.rewording.split("+")}


def _trial(record: Record, near: "_Near", rng: random.Random) -> Trial:
    passage = record.passages[record.right - 1]
    question = _question(record, rng)
    others = near.to(question, passage)
    if record.base == "verbatim":
        above, changed = _page(passage, "").above, passage.text.replace(record.true_claim, record.claim)
    else:
        above, changed = _OWN_PAGE, record.claim
        others = (Page(record.true_claim, _OWN_PAGE, 1, "2022-02-02", "en", "answers.md"), *others)
    copy = Page(changed, above, passage.first_line, "2023-05-01", "en", f"copies/{passage.document}")
    pages = (_page(passage, "2025-01-01"), copy)
    return Trial(record.kind, question, record.true_claim, record.claim, pages, others, is_held(passage.document))


def _page(passage: Passage, dated: str) -> Page:
    heading, _, context = passage.above.partition("\n")
    above = f"{heading.split(' > ')[0]}\n{heading}\n{context}"
    return Page(passage.text, above, passage.first_line, dated, "en", passage.document)


def _question(record: Record, rng: random.Random) -> str:
    """Some words of the sentence that the change left alone, in their order, behind the words that ask for its kind."""
    changed = set(words(record.claim))
    kept = [w for w in words(record.true_claim) if w in changed and not re.search(r"\d", w)]
    kept = [w for w in dict.fromkeys(kept) if not is_function_word(w, "en") and len(w) > 2]
    chosen = set(rng.sample(kept, min(len(kept), _MOST_WORDS, max(2, round(0.7 * len(kept))))))
    return f"{ASKING[record.kind]} {' '.join(w for w in kept if w in chosen)}?"


class _Near:
    """The sections of all documents by the words in them."""

    def __init__(self, data: Path, found: Sequence[Record]) -> None:
        self.passages = [*{(p.document, p.first_line): p for r in found for p in r.passages}.values()]
        self.words = [Counter(terms(f"{p.above} {p.text}", "en")) for p in self.passages]
        self.documents = Counter(w for found in self.words for w in found)

    def to(self, question: str, passage: Passage) -> tuple[Page, ...]:
        asked = set(terms(question, "en"))
        weighed = [
            (sum(1 / self.documents[w] for w in asked & found.keys()), -n)
            for n, found in enumerate(self.words)
            if self.passages[n].text != passage.text
        ]
        best = sorted(weighed, reverse=True)[:_LIKE]
        return tuple(_page(self.passages[-n], f"202{n % 5}-03-04") for _, n in best)


def _report(found: Sequence[Trial], show: int, rng: random.Random) -> Iterator[str]:
    by_kind = defaultdict(list)
    for trial in found:
        by_kind[trial.kind].append(trial)
    missed, wrong = [t for t in found if not told(t)], [(t, a) for t in found if (a := alarms(t))]
    for kind, of_kind in by_kind.items():
        lacking = sum(t in missed for t in of_kind)
        yield f"{kind:12} told {len(of_kind) - lacking} of {len(of_kind)}"
    yield f"{'all':12} told {len(found) - len(missed)} of {len(found)}"
    yield f"{'unchanged':12} told {len(wrong)} of {len(found)}"
    for trial in rng.sample(missed, min(show, len(missed))):
        yield f"\nmissed ({trial.kind}): {trial.question}\n  {trial.stated}\n  {trial.planted}"
    for trial, conflict in rng.sample(wrong, min(show, len(wrong))):
        yield f"\nunchanged ({trial.kind}): {trial.question}"
        pages = [trial.pages[0], *trial.others]
        yield from (f"  {s.value!r}: {s.quote!r} ({pages[s.n - 1].above!r})" for c in conflict for s in c.sides)


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog=commandline.program(),
        description=(__doc__ or "").splitlines()[0],
        epilog="example: python -m eval.disagree --data ~/public-data --half open --show 5",
    )
    parser.add_argument("--data", type=Path, required=True, help="folder that holds handbook-*/docs")
    parser.add_argument("--base", choices=("copied", "reworded"), default="copied", help="how the second page says it")
    parser.add_argument("--half", choices=("open", "held", "both"), default="both", help="of the documents")
    parser.add_argument("--most", type=int, default=400, help="trials before they are halved")
    parser.add_argument("--show", type=int, default=0, help="of what was missed or told wrongly")
    args = parser.parse_args(argv)
    found = trials(args.data, args.most, args.base)
    if args.half != "both":
        found = [t for t in found if t.held == (args.half == "held")]
    print("\n".join(_report(found, args.show, random.Random(0))))
    return 0


if __name__ == "__main__":
    commandline.run(main, kept="nothing is kept, the next run begins anew")
