"""Sections, not fragments; one place for what is written twice; and the filters by date and place."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import UsageError
from language.words import quoted
from retrieval.found import Found, Hit
from retrieval.passages import distinct, passages
from search import Index
from storage.filter import Filter, filter_of
from storage.reader import ChunkRow
from tests.conftest import Grants, HashEmbedder, caller, write

MakeIndex = Callable[..., Index]
RULE = "Hand in the receipts of a journey within thirty days, all of them together, to the finance desk."


def ask(index: Index, question: str, who: str = "", k: int | None = None, **wanted: Any) -> Found:
    return index.searcher().search(caller(who) if who else caller(), question, k, Filter(**wanted))


def row(
    number: int, *, text: str = "", document: int = 1, heading: tuple[str, ...] = ("A",), first: int = 0
) -> ChunkRow:
    first = first or number
    text = text or f"Sentence number {number} of this section."
    last = first + text.count("\n")
    return ChunkRow(
        number, document, f"{document}.md", "A", "en", heading, first, last, text, 0, "", {}, 1, 1, "", "", ""
    )


def hit(chunk: ChunkRow, fused: float = 0.5) -> Hit:
    return Hit(chunk, fused, 0.0, 0.0, {"vectors": fused}, 1, None, "vector")


@given(st.sets(st.integers(0, 11), min_size=1), st.integers(0, 600), st.sets(st.integers(1, 11)))
def test_passages_are_runs_of_lines_that_hold_every_hit_once(wanted: set[int], budget: int, breaks: set[int]) -> None:
    lines, chunks = 1, []
    for number in range(12):
        lines += number in breaks  # a line that belongs to another section
        chunks.append(row(number + 1, first=lines))
        lines += 1
    found = passages([hit(chunks[n]) for n in wanted], lambda chunk: chunks, budget)
    taken = [line for p in found for line in range(p.first_line, p.last_line + 1)]
    assert len(taken) == len(set(taken))
    assert {chunks[n].first_line for n in wanted} <= set(taken)
    for p in found:
        assert p.text.count("\n") == p.last_line - p.first_line
        ends = [n for n in wanted if p.first_line <= chunks[n].first_line <= p.last_line]
        hits_alone = (chunks[min(ends)].first_line, chunks[max(ends)].first_line) == (p.first_line, p.last_line)
        assert hits_alone or len(p.text) <= 2 * budget + len(ends) * 40, "grown beyond the budget"
    for one in found:
        for other in found:
            assert one.last_line + 1 != other.first_line, "touching runs are one passage"


def test_a_passage_grows_within_its_budget_what_follows_first() -> None:
    chunks = [row(n, text=f"{n}" * 100) for n in range(1, 6)]
    spans = [
        [(p.first_line, p.last_line) for p in passages([hit(chunks[2])], lambda chunk: chunks, budget)]
        for budget in (0, 100, 200, 300, 500)
    ]
    assert spans == [[(3, 3)], [(3, 3)], [(3, 4)], [(2, 4)], [(1, 5)]]


def test_a_section_is_given_whole_and_nothing_of_its_neighbour(docs: Path, make_index: MakeIndex) -> None:
    parts = [
        f"Part {n} of the long rule on moving house, with a word of its own: {w}."
        for n, w in enumerate(("kitchen", "piano", "lamp", "sofa"))
    ]
    write(
        docs,
        {
            "moving.md": "# Moving\n\n## Before\n\nNothing.\n\n## Rule\n\n"
            + "\n\n".join(parts)
            + "\n\n## After\n\nNothing.\n"
        },
    )
    index = make_index(docs, HashEmbedder(), chunk_chars=200)
    index.sync()
    found = ask(index, "piano", k=1)
    (passage,) = found.passages
    assert [part for part in parts if part in passage.text] == parts
    assert "Nothing" not in passage.text
    assert (passage.first_line, passage.last_line) == (7, 16)
    (alone,) = (
        make_index(docs, HashEmbedder(), chunk_chars=200, passage_chars=0)
        .searcher()
        .search(caller(), "piano", 1)
        .passages
    )
    assert "piano" in alone.text
    assert "sofa" not in alone.text


def test_what_is_written_twice_takes_one_place(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {"a.md": f"# Travel\n\n{RULE}\n", "b/c.md": f"# Journeys\n\n**{RULE}**\n"})
    index = make_index(docs, HashEmbedder())
    index.sync()
    found = ask(index, RULE)
    places = [(h.chunk.path, h.also) for h in found.hits if "receipts of a journey" in h.chunk.text]
    assert len(places) == 1
    assert {places[0][0], *places[0][1]} in ({"a.md", "b/c.md:L1-3"}, {"b/c.md", "a.md:L1-3"})
    assert found.passages[0].also == places[0][1]


TELLING = [
    ("500 €", "500 $"), ("-20 °C", "20 °C"), ("✅", "❌"), ("< 500", "> 500"), (">= 5", "<= 5"), ("a + b", "a - b"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), TELLING)
def test_a_sign_of_difference_is_another_text(one: str, other: str) -> None:
    texts = [f"The rule that holds for all staff of the house says {sign} and nothing else." for sign in (one, other)]
    assert len(distinct([hit(row(n, text=text, document=n)) for n, text in enumerate(texts, 1)], 5)) == 2


def test_half_a_sentence_is_no_copy() -> None:
    inner = "employees may work from abroad for thirty days a year without asking."
    outer = f"It is no longer true that {inner}"
    hits = distinct([hit(row(1, text=outer)), hit(row(2, text=inner.capitalize(), document=2))], 5)
    assert len(hits) == 2


def test_a_copied_paragraph_among_others_is_a_copy() -> None:
    page = f"Something else stands first in this one.\n\n{RULE}\n\nAnd something after it."
    wrapped = RULE.replace("within", "within\n")
    hits = distinct([hit(row(1, text=page)), hit(row(2, text=wrapped, document=2))], 5)
    assert [h.also for h in hits] == [("2.md:L2-3",)]


def test_what_passed_is_not_given_up_for_what_did_not() -> None:
    below = replace(hit(row(1, text=RULE)), passed="")
    assert len(distinct([below, hit(row(2, text=RULE, document=2))], 5)) == 2
    assert len(distinct([hit(row(1, text=RULE)), replace(hit(row(2, text=RULE, document=2)), passed="")], 5)) == 1


def test_two_sections_of_one_name_are_two(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {"log.md": "# Log\n\n## Fixed\n\nThe kettle boils again.\n\n## Fixed\n\nThe lamp is bright again.\n"})
    index = make_index(docs, HashEmbedder(), min_score=-1.0)
    index.sync()
    texts = [p.text for p in ask(index, "kettle lamp").passages if p.source == "log.md"]
    assert all(("kettle" in text) != ("lamp" in text) for text in texts)
    assert len(texts) == 2


@pytest.mark.parametrize(("one", "other"), [("thirty", "sixty"), ("Hand in", "Never hand in"), ("finance", "travel")])
def test_a_word_of_difference_is_another_text(one: str, other: str) -> None:
    changed = RULE.replace(one, other)
    assert changed != RULE
    hits = distinct([hit(row(1, text=RULE)), hit(row(2, text=changed, document=2))], 5)
    assert [h.also for h in hits] == [(), ()]


def test_a_copy_in_chinese_is_told(docs: Path) -> None:
    text = "出差报销需要在三十天内提交，逾期不予受理。"
    hits = distinct([hit(row(1, text=text)), hit(row(2, text=f"**{text}**", document=2))], 5)
    assert [h.also for h in hits] == [("2.md:L2-2",)]


def test_short_texts_are_never_taken_for_copies() -> None:
    hits = distinct([hit(row(1, text="Yes, always.")), hit(row(2, text="Yes, always.", document=2))], 5)
    assert len(hits) == 2


def test_a_copy_is_named_only_to_who_may_read_it(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {"open.md": f"# Open\n\n{RULE}\n", "board.md": f"# Board\n\n{RULE}\n"})
    source = Grants(docs, {"open.md": {"staff", "board"}, "board.md": {"board"}})
    index = make_index(docs, HashEmbedder(), source=source)
    index.sync()
    assert [h.also for h in ask(index, RULE, "staff").hits] == [()]
    assert sum(len(h.also) for h in ask(index, RULE, "board").hits) == 1


@pytest.fixture
def dated(docs: Path, make_index: MakeIndex) -> Index:
    for year in (2023, 2024, 2025):
        text = f"# Rule\n\nThe travel allowance is {year % 100} euro.\n"
        write(docs, {f"rules/{year}.md": f"---\ndate: {year}-05-01\n---\n\n{text}"})
    index = make_index(docs, HashEmbedder())
    index.sync()
    return index


def paths(found: Found) -> list[str]:
    return sorted(h.chunk.path for h in found.hits)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"since": "2024-05-01", "path": "rules"}, ["rules/2024.md", "rules/2025.md"]),
        ({"until": "2024-04-30", "path": "rules/"}, ["rules/2023.md"]),
        ({"since": "2024-01-01", "until": "2024-12-31"}, ["rules/2024.md"]),
        ({"path": "rules/2025.md"}, ["rules/2025.md"]),
        ({"path": "rules/202[34].*"}, ["rules/2023.md", "rules/2024.md"]),
        ({"path": "rules", "without": ("rules/2024.md",)}, ["rules/2023.md", "rules/2025.md"]),
        ({"path": "rule"}, []),
        ({"path": "rules/[x].md"}, []),
        ({"path": "'; DROP TABLE documents; --"}, []),
    ],
)
def test_filters(dated: Index, wanted: dict[str, Any], expected: list[str]) -> None:
    assert paths(ask(dated, "travel allowance", k=20, **wanted)) == expected


def test_brackets_in_a_name_are_no_pattern_first(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {"notes [2024].md": "# A\n\nThe travel note.\n", "[id]/x.md": "# B\n\nThe travel page.\n"})
    index = make_index(docs, HashEmbedder())
    index.sync()
    for wanted, expected in (("notes [2024].md", "notes [2024].md"), ("[id]", "[id]/x.md"), ("[id]/x.md", "[id]/x.md")):
        assert paths(ask(index, "travel", path=wanted)) == [expected]


def test_what_is_no_longer_to_be_read_is_not_given(docs: Path, make_index: MakeIndex) -> None:
    lists = {name: {"staff"} for name in ("leave.md", "zh.md")}
    index = make_index(docs, HashEmbedder(), source=Grants(docs, lists))
    index.sync()
    (hit_, *_) = ask(index, "annual leave", "staff").hits
    lists["leave.md"] = {"board"}
    index.sync()
    with index.store.reader(caller("staff")) as reader:
        assert reader.section(hit_.chunk) == []
    with index.store.reader(caller("board")) as reader:
        assert hit_.chunk.id in [chunk.id for chunk in reader.section(hit_.chunk)]


def test_a_filter_changes_no_right(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder(), source=Grants(docs, {"leave.md": {"staff"}, "zh.md": {"board"}}))
    index.sync()
    assert paths(ask(index, "leave", "staff", path="zh.md")) == []
    assert set(paths(ask(index, "leave", "staff", path="*"))) == {"leave.md"}


def test_the_time_in_a_question_orders_and_refuses_nothing(dated: Index) -> None:
    assert ask(dated, "travel allowance in 2024").hits[0].chunk.path == "rules/2024.md"
    assert ask(dated, "travel allowance before 2024").hits[0].chunk.path == "rules/2023.md"
    newest = ask(dated, "What is the current travel allowance?")
    assert newest.hits[0].chunk.path == "rules/2025.md"
    assert {"rules/2023.md", "rules/2024.md"} <= set(paths(newest))


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        ("2026", "2026", ("2026-01-01", "2026-12-31")), ("2024-02", "2024-02", ("2024-02-01", "2024-02-29")),
        ("2026-03-09", None, ("2026-03-09", "")), (None, None, ("", "")),
    ],
)  # fmt: skip
def test_dates_as_people_write_them(since: str | None, until: str | None, expected: tuple[str, str]) -> None:
    made = filter_of(since, until, None)
    assert (made.since, made.until) == expected


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (None, ""), ("travel", "travel"), ("./travel/", "travel/"), ("travel\\a.md", "travel/a.md"),
        ("/srv/docs/a.md", "a.md"),
        ("/srv/docs", "*"), (" a.md ", "a.md"),
    ],
)  # fmt: skip
def test_places_as_people_write_them(written: str | None, meant: str) -> None:
    assert filter_of(None, None, written, Path("/srv/docs")).path == meant


@pytest.mark.parametrize(
    "wanted",
    [
        ("2026", "2025", None),
        ("", None, None),
        (None, " ", None),
        (None, None, ""),
        (None, None, "./"),
        (None, None, "/etc/passwd"),
    ],
)
def test_a_filter_that_can_match_nothing_is_wrong_use(wanted: tuple[str | None, str | None, str | None]) -> None:
    with pytest.raises(UsageError):
        filter_of(*wanted, Path("/srv/docs"))


@pytest.mark.parametrize("text", ["soon", "2026-13", "2026-02-30", "0000", "20260301", "2026-1-1"])
def test_no_date_is_wrong_use(text: str) -> None:
    with pytest.raises(UsageError, match="2026-03-01"):
        filter_of(text, None, None)


@pytest.mark.parametrize("quote", ['"{}"', "“{}”", "„{}“", "«{}»", "「{}」"])
def test_a_quoted_phrase_is_looked_for_word_for_word(docs: Path, make_index: MakeIndex, quote: str) -> None:
    scattered = (
        "The period of time that a notice hangs there is a week. Notice: a period ends a sentence. Period. Notice."
    )
    write(
        docs,
        {
            "near.md": f"# Signs\n\n{scattered}\n",
            "right.md": "# Leaving\n\nAmong many other things the notice periods are long here.\n",
        },
    )
    index = make_index(docs, HashEmbedder())
    index.sync()
    assert ask(index, "notice period").hits[0].chunk.path == "near.md"
    best = ask(index, f"What is the {quote.format('notice period')} here?").hits[0]
    assert best.chunk.path == "right.md"
    assert best.gave["phrase"] > 0


@pytest.mark.parametrize("phrase", ["报销流程", "流程规定", "规定如下"])
def test_a_chinese_phrase_is_found_within_a_run(docs: Path, make_index: MakeIndex, phrase: str) -> None:
    write(docs, {"flow.md": "# 流程\n\n公司出差报销流程规定如下，请各位同事遵守。\n"})
    index = make_index(docs)
    index.sync()
    best = ask(index, f"「{phrase}」是什么？").hits[0]
    assert best.chunk.path == "flow.md"
    assert best.gave["phrase"] > 0


def test_inches_are_no_phrase() -> None:
    assert quoted('Is a 24" or 27" monitor provided?') == []
    assert quoted('the "notice period" of 24"') == ["notice period"]
    assert quoted("«" * 100_000) == []


def test_a_phrase_that_nobody_wrote_lowers_the_coverage(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs)
    index.sync()
    assert ask(index, "annual leave").hits[0].coverage == 1
    assert ask(index, '"days staff"').hits[0].coverage < 0.7
