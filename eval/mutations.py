"""True claims about real documents, and the same claims with one planted fault: what a checker is measured with.

Reads Markdown only and imports nothing of the checker, so that neither is made to fit the other. Each claim comes with
its citation among several passages; half stand in the passage word for word, half are reworded (eval/rewordings.py) or
translated (data/proof-translations.jsonl). Every choice comes from the seed and the document's path: the same folder
gives the same set. Documents are split into an open half, for reading and tuning, and a held one, for the last figure.
Try: python -m eval.mutations --data ~/public-data --kind subject --show 10
"""

import argparse
import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import commandline
from chunk import split
from chunking.inline import trace
from config import PROJECT
from errors import UsageError
from eval.mutation_kinds import Place
from eval.mutation_words import ALL_KINDS
from eval.rewordings import RULES, joined, with_lead_in
from language.sentences import units

HANDBOOKS = ("handbook-gsa-tts", "handbook-osio", "handbook-publiccode")
"""Folders below `--data` whose `docs` are read."""
TRANSLATIONS = PROJECT / "data" / "proof-translations.jsonl"
"""Sentences of the handbooks put into other languages by hand."""
SEED = 20261130
PASSAGE_CHARS = 1800
CLAIMS = 1300
"""True claims to make, translations apart."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A section of a document as a checker gets it; `text` is the file's lines from `first_line` on."""

    document: str
    text: str
    above: str
    first_line: int


@dataclass(frozen=True, slots=True)
class Record:
    """One claim to be judged: true (`kind` is "true") or with a planted fault of that kind."""

    id: str  # of the true claim and its faults: the same
    kind: str
    base: str  # "verbatim" | "reworded"
    rewording: str  # names of the rules, joined by +; "" for verbatim, "translated" for another language
    lang: str
    claim: str
    true_claim: str
    planted: str
    answer: str
    passages: tuple[Passage, ...]
    right: int  # the passage, from 1, that the answer cites
    held: bool


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence of a passage that can be a claim, plain, with its neighbours."""

    passage: int
    text: str
    following: str = ""  # the next sentence of the same paragraph
    items: tuple[str, ...] = ()
    form: str = "sentence"  # "sentence" | "row" | "list"


def plain(markdown: str) -> str:
    """Markdown as its reader sees it, on one line."""
    return " ".join(trace(markdown).text.split())


def is_held(document: str) -> bool:
    """Whether a document belongs to the half that nobody reads or tunes by."""
    return hashlib.sha256(document.encode()).digest()[0] % 2 == 1


def folders(data: Path) -> list[Path]:
    """The handbooks' folders below `data`, or `data` itself when it holds Markdown and no handbook."""
    found = [data / name / "docs" for name in HANDBOOKS if (data / name / "docs").is_dir()]
    return found or ([data] if data.is_dir() and next(data.glob("*.md"), None) else [])


def records(
    data: Path, *, seed: int = SEED, claims: int = CLAIMS, translations: Path | None = TRANSLATIONS
) -> list[Record]:
    """The true claims and their faults, in the same order for the same folder and seed.

    Raises UsageError when `data` holds neither a handbook nor Markdown.
    """
    found = folders(data)
    if not found:
        raise UsageError(f"There are no documents in {data}: it must hold {', '.join(f'{n}/docs' for n in HANDBOOKS)}.")
    library = _Library(data, found)
    bases = [*_verbatim(library, claims // 2, seed), *_reworded(library, claims - claims // 2, seed)]
    if translations is not None:
        bases += _translated(library, translations)
    return [record for base in bases for record in _with_faults(library, base, seed)]


class _Library:
    """The passages of all documents and the sentences in them."""

    def __init__(self, data: Path, found: Sequence[Path]) -> None:
        self.passages: list[Passage] = []
        self.plain: list[str] = []
        self.sentences: list[list[str]] = []
        self.of_document: dict[str, list[int]] = {}
        self.of_folder: dict[str, list[int]] = {}
        self.said: list[_Said] = []
        for folder in found:
            for path in sorted(folder.rglob("*.md")):
                self._read(path, path.relative_to(data).as_posix(), folder.as_posix())

    def _read(self, path: Path, name: str, folder: str) -> None:
        document = split(path.read_text(encoding="utf-8", errors="replace"), name, max_chars=PASSAGE_CHARS)
        for chunk in document.chunks:
            if chunk.is_empty:
                continue
            heading = " > ".join(dict.fromkeys((document.title, *chunk.heading)))
            above = "\n".join(part for part in (heading, chunk.context) if part)
            at = len(self.passages)
            self.passages.append(Passage(name, chunk.text, above, chunk.first_line))
            self.plain.append(f"{plain(above)} {plain(chunk.text)}")
            self.of_document.setdefault(name, []).append(at)
            self.of_folder.setdefault(folder, []).append(at)
            said = list(_said(chunk.body, at)) if _is_english(self.plain[-1]) else []
            self.sentences.append([one.text for one in said])
            self.said += said


def _is_english(text: str) -> bool:
    words = re.findall(r"[a-z]+", text.lower())
    return (
        sum(word in ("the", "to", "of", "and", "a", "is", "are", "for", "you", "in", "we") for word in words)
        > len(words) / 8
    )


def _said(body: str, at: int) -> Iterator[_Said]:
    found = [(unit.kind, plain(body[unit.start : unit.end]), body[unit.start : unit.end]) for unit in units(body, "en")]
    entries = tuple(
        m[2]
        for kind, text, _ in found
        if kind in ("item", "text") and (m := re.fullmatch(r"([^:.]{2,50}): (.{3,140})", text))
    )
    lead = ""
    for number, (kind, text, raw) in enumerate(found):
        if kind == "lead_in":
            lead = text
        elif kind == "item" and lead and len(text) > 12 and (whole := with_lead_in(lead, text)) and _is_clean(whole):
            yield _Said(at, whole, form="list")
        elif kind == "text":
            lead = ""
        if kind in ("text", "item") and _is_clean(text) and "{%" not in raw:
            nearby = found[number + 1] if number + 1 < len(found) else ("", "", "")
            following = nearby[1] if nearby[0] == kind == "text" and _is_clean(nearby[1]) else ""
            others = tuple(e for e in entries if not text.endswith(e)) if ": " in text[:55] else ()
            yield _Said(at, text, following, others)
    yield from _rows(body, at)


_BROKEN = re.compile(
    r"[|<>{}\\*`]|\]\(|\[|\]|\.\.|—$|^\W|\?|!|&\w+;|\( | \)|\ufffd|- \["
    r"|(?<!\w)_|_(?!\w)|\bas follows|\bbelow\b|\babove\b|:\.$"
)


def _is_clean(text: str) -> bool:
    """Whether a sentence is whole and can be told by itself."""
    if not re.match(r"[A-Z0-9]", text) or not text.endswith(".") or text.endswith(("e.g.", "i.e.", "etc.", "U.S.")):
        return False
    if not 6 <= len(text.split()) <= 40 or len(text) > 320 or _BROKEN.search(text) or re.match(r"\d+[.)]", text):
        return False
    if (
        re.match(r"(?:And|But|Or|Then|For example|Example|For instance|E\.g|However|Also|Note)\b", text)
        or "TODO" in text
    ):
        return False
    return (
        text.count("(") == text.count(")")
        and text.count('"') % 2 == 0
        and text.count("“") == text.count("”")
        and _has_verb(text)
    )


_VERB = re.compile(
    r"\b(?:"
    r"is|are|was|were|be|been|has|have|had|do|does|did|can|could|will|would|shall|should|may|might|"
    r"must|need|needs|use|uses|make|makes|see|get|gets|give|gives|take|takes|work|works|provide|"
    r"provides|include|includes|help|helps|contact|ask|receive|send|submit|complete|want|allow|allows|"
    r"require|requires|manage|manages|support|supports|apply|applies|choose|check|set|add|create|"
    r"follow|review|keep|meet|meets|ensure|"
    r"[a-z]+n['’]t|[Yy]ou['’](?:ll|re|ve)|[Ww]e['’](?:ll|re|ve))\b",
    re.I,
)


def _has_verb(text: str) -> bool:
    main = re.sub(r"\bto \w+|\b(?:that|which|who|where) .*", "", text)
    return _VERB.search(main) is not None and not re.match(r"(?:Where|Who|What|Why|How)\b", text)


def _rows(body: str, at: int) -> Iterator[_Said]:
    """Cells of pipe tables told as `row: column value`, with the column's other cells."""
    lines = body.split("\n")
    for number in range(1, len(lines) - 1):
        if not re.fullmatch(r"\s*\|?[ :|-]*-{2,}[ :|-]*\|?\s*", lines[number]) or "|" not in lines[number - 1]:
            continue
        head, rows = _cells(lines[number - 1]), []
        for line in lines[number + 1 :]:
            if "|" not in line:
                break
            rows.append(_cells(line))
        rows = [row for row in rows if len(row) == len(head) and row[0]]
        for row in rows:
            for column in range(1, len(head)):
                cell, name = row[column], head[column]
                if not (1 < len(name) < 30 and 2 < len(row[0]) < 60 and 1 < len(cell) < 90) or re.search(
                    r"[|<>{}\\\[\]*?:]", row[0] + cell + name
                ):
                    continue
                others = tuple(
                    f"{name} {other[column]}" for other in rows if other is not row and 1 < len(other[column]) < 90
                )
                yield _Said(at, f"{row[0]}: {name} {cell.rstrip('.')}.", "", others, "row")


def _cells(line: str) -> list[str]:
    return [plain(cell) for cell in line.strip().strip("|").split("|")]


@dataclass(frozen=True, slots=True)
class _Base:
    """A true claim before its citation."""

    said: _Said
    claim: str
    rewording: str
    lang: str = "en"


_RARE = re.compile(
    r"[$€]\d|\d ?%|\d percent|\d ?[ap]\.?m\b|\b\d{1,2}:\d\d|@|\b(?:the|your) (?:first|second|third|fourth)\b"
    r"|\b(?:January|February|March|April|June|July|August|September|October|November|December) \d"
    r"|\d+(?:st|nd|rd|th)\b|day\b|\b(?:19|20)\d\d\b",
)
_FIGURED = re.compile(r"\d|\b(?:two|three|four|five|six|ten|at least|at most|before|after|more than|less than)\b")


def _drawn(library: _Library, seed: int) -> list[_Said]:
    """The sentences in a drawn order, those with figures more often among the first, rows no more than a twelfth."""
    rng = random.Random(f"{seed}:order")
    once = list({one.text: one for one in library.said}.values())
    rank = {}
    for one in once:
        weight = (
            1.0 if one.form == "row" else 0.15 if _RARE.search(one.text) else 0.4 if _FIGURED.search(one.text) else 1.0
        )
        rank[id(one)] = rng.random() * weight
    return sorted(once, key=lambda one: rank[id(one)])


def _verbatim(library: _Library, most: int, seed: int) -> Iterator[_Base]:
    room = {"row": most // 6, "sentence": most, "list": 0}
    left = most
    for said in _drawn(library, seed):
        if left and room[said.form]:
            room[said.form] -= 1
            left -= 1
            yield _Base(said, said.text, "")


def _reworded(library: _Library, most: int, seed: int) -> Iterator[_Base]:
    """Sentences reworded, the rules in equal parts as far as they fit; every fourth by two rules."""
    rng = random.Random(f"{seed}:rewording")
    share = dict.fromkeys((*RULES, "joined", "list", "quoted"), most // 9)
    left = most
    for said in _drawn(library, seed + 1):
        ways = [name for name, room in share.items() if room > 0]
        rng.shuffle(ways)
        for way in sorted(ways, key=lambda name: name not in ("passive", "figures", "list")):
            claim = _by(way, said)
            if left and claim and (claim != said.text or way == "list") and _is_sound(claim):
                share[way] -= 1
                left -= 1
                claim, names = _by_a_second(claim, way, rng)
                yield _Base(said, claim, names)
                break


def _by(way: str, said: _Said) -> str | None:
    if said.form == "row":
        return None
    if said.form == "list" or way == "list":
        return said.text if said.form == way else None
    if way == "joined":
        return joined(said.text, said.following) if said.following else None
    if way == "quoted":
        return f'The document says: "{said.text}"' if '"' not in said.text and "“" not in said.text else None
    return RULES[way](said.text)


def _by_a_second(claim: str, way: str, rng: random.Random) -> tuple[str, str]:
    if way in ("quoted", "list") or rng.random() > 0.25:
        return claim, way
    for name in rng.sample(("synonyms", "contractions", "figures"), 3):
        again = RULES[name](claim) if name != way else None
        if again and again != claim and _is_sound(again):
            return again, f"{way}+{name}"
    return claim, way


def _is_sound(claim: str) -> bool:
    return (
        len(claim.split()) >= 5
        and "  " not in claim
        and claim.count("(") == claim.count(")")
        and claim[0].upper() == claim[0]
    )


def _translated(library: _Library, path: Path) -> Iterator[_Base]:
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for at in library.of_document.get(row["document"], ()):
            if row["source"] in library.plain[at]:
                yield _Base(_Said(at, row["source"]), row["translation"], "translated", row["lang"])
                break


def _with_faults(library: _Library, base: _Base, seed: int) -> Iterator[Record]:
    at = base.said.passage
    document = library.passages[at].document
    identity = hashlib.sha256(f"{document}\0{base.said.text}\0{base.claim}".encode()).hexdigest()[:12]
    rng = random.Random(f"{seed}:{identity}")
    same = [n for n in library.of_document[document] if n != at]
    others = next(inside for inside in library.of_folder.values() if at in range(inside[0], inside[-1] + 1))
    chosen = rng.sample(same, min(len(same), rng.randint(0, 2)))
    chosen += [n for n in rng.sample(others, min(len(others), 3)) if n != at and n not in chosen][
        : rng.randint(1, 3) - len(chosen) if len(chosen) < 3 else 0
    ]
    right = rng.randint(1, len(chosen) + 1)
    chosen.insert(right - 1, at)
    passages = tuple(library.passages[n] for n in chosen)
    strangers = " ".join(library.plain[n] for n in [*chosen, *same] if n != at)
    neighbours = tuple(s for s in library.sentences[at] if s != base.said.text)
    place = Place(library.plain[at], base.said.text, neighbours, base.said.items, strangers, base.lang)

    def made(kind: str, claim: str, planted: str) -> Record:
        answer = _cited(claim, right)
        return Record(
            identity, kind, "reworded" if base.rewording else "verbatim", base.rewording, base.lang, claim, base.claim,
            planted, answer, passages, right, is_held(document),
        )  # fmt: skip

    yield made("true", base.claim, "")
    for kind, plant in ALL_KINDS.items():
        fault = plant(base.claim, place, random.Random(f"{seed}:{identity}:{kind}"))
        if fault and fault.claim != base.claim:
            yield made(kind, fault.claim, fault.planted)


def _cited(claim: str, n: int) -> str:
    end = re.search(r"[.!?][\"”»]?$", claim)
    at = end.start() if end and len(end[0]) == 1 else len(claim)
    return f"{claim[:at]} [{n}]{claim[at:]}"


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog=commandline.program(),
        description=(__doc__ or "").splitlines()[0],
        epilog="example: python -m eval.mutations --data ~/public-data --kind negation --show 5",
    )
    made.add_argument("--data", type=Path, required=True, metavar="DIR", help=f"holds {', '.join(HANDBOOKS)}")
    made.add_argument("--seed", type=int, default=SEED)
    made.add_argument("--claims", type=int, default=CLAIMS, metavar="N", help="true claims to make")
    made.add_argument("--kind", choices=["true", *ALL_KINDS], help="show only these")
    made.add_argument("--rewording", help="show only claims reworded by this rule")
    made.add_argument("--show", type=int, default=0, metavar="N", help="print N of the open half to be read")
    made.add_argument("--json", action="store_true", help="print every record as a line of JSON")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """The command line: counts of each kind, records as JSON, or some to be read."""
    args = _parser().parse_args(argv)
    found = records(args.data, seed=args.seed, claims=args.claims)
    if args.json:
        for record in found:
            print(json.dumps(asdict(record), ensure_ascii=False))
        return 0
    if args.show:
        open_ones = [
            r for r in found if not r.held and args.kind in (None, r.kind) and (args.rewording or "") in r.rewording
        ]
        for record in random.Random(args.seed).sample(open_ones, min(args.show, len(open_ones))):
            print(
                f"{record.kind} {record.base} {record.rewording} {record.lang}",
                f"  true:  {record.true_claim}",
                f"  claim: {record.claim}",
                sep="\n",
            )
        return 0
    for (base, kind), n in sorted(Counter((r.base, r.kind) for r in found).items()):
        print(f"{base:9} {kind:12} {n:5}")
    return 0


if __name__ == "__main__":
    commandline.run(main)
