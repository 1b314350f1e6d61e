"""The set of planted faults (same folder, same set; faults are faults) and the tables of eval.proof."""

import ast
import json
import os
import random
from pathlib import Path

import pytest

from config import PROJECT
from errors import UsageError
from eval import proof, proof_pairs
from eval.mutation_kinds import Place, stands_in
from eval.mutation_words import ALL_KINDS
from eval.mutations import HANDBOOKS, TRANSLATIONS, Record, is_held, plain, records
from eval.rewordings import RULES, joined, with_lead_in
from tests.conftest import write

DATA = os.environ.get("BRAIN_TEST_DATA", "")
OWN = records(PROJECT / "docs", claims=160, translations=None)
"""A small slice that needs no public data: the demo documents."""

LEAVE = """# Leave

Every member of staff receives 28 days of annual leave in a calendar year. You must ask your manager for leave at least
3 weeks before it begins. If you are ill, tell your manager before 9:30 a.m. on the first day. The Travel Team approves
no leave. Unused days expire on March 31 unless the manager agrees to keep them. Write to leave@example.org.

## Allowances

The company pays $450 for a desk and 60% of a course fee (up to two courses). The finance team pays it within 10 days.

| Office | Rooms | Floor |
|---|---|---|
| Berlin | 12 rooms | third floor |
| Lyon | 7 rooms | ground floor |
"""
PETS = """# Pets

Dogs may come to the office on Fridays only. Cats must stay at home. The Facilities Team keeps a list of the dogs.
"""


@pytest.fixture
def handbooks(tmp_path: Path) -> Path:
    write(tmp_path / "handbook-osio" / "docs", {"leave.md": LEAVE, "pets.md": PETS})
    return tmp_path


def made(text: str, passage: str = "", kind: str = "number", lang: str = "en", **more: object) -> list[str]:
    """What a kind of fault makes of a claim in forty draws, each once."""
    others = more.get("others", ())
    items = more.get("items", ())
    assert isinstance(others, tuple)
    assert isinstance(items, tuple)
    place = Place(passage or text, text, others, items, str(more.get("strangers", "")), lang)
    found = [ALL_KINDS[kind](text, place, random.Random(seed)) for seed in range(40)]
    return sorted({fault.claim for fault in found if fault})


@pytest.mark.parametrize(
    "name", ["mutations.py", "mutation_kinds.py", "mutation_words.py", "rewordings.py"], ids=lambda name: str(name)
)
def test_the_set_knows_nothing_of_the_checker(name: str) -> None:
    tree = ast.parse((PROJECT / "eval" / name).read_text(encoding="utf-8"))
    modules = [str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    modules += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    assert modules
    forbidden = ("verify", "proof", "answer", "answering", "importlib", "eval.judged", "eval.proof", "eval.proof_pairs")
    assert [m for m in modules if m in forbidden or m.startswith(("proof.", "answering."))] == []


def test_the_same_folder_gives_the_same_set(handbooks: Path) -> None:
    first, again = records(handbooks, claims=40), records(handbooks, claims=40)
    assert first == again
    assert first != records(handbooks, claims=40, seed=7)
    assert {record.kind for record in first} > {"true", "number", "duration", "negation", "modality"}


def test_the_demo_documents_give_every_common_kind() -> None:
    assert {"true", "duration", "name", "negation", "modality", "quotation"} <= {record.kind for record in OWN}
    assert {record.base for record in OWN} == {"verbatim", "reworded"}


def squeezed(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())


def test_a_true_verbatim_claim_stands_in_the_passage_it_cites() -> None:
    verbatim = [record for record in OWN if record.kind == "true" and record.base == "verbatim"]
    assert len(verbatim) > 50
    for record in verbatim:
        passage = record.passages[record.right - 1]
        assert f"[{record.right}]" in record.answer
        head, _, tail = record.claim.rstrip(".").partition(": ")
        text = squeezed(plain(passage.text))
        assert squeezed(record.claim) in text or all(squeezed(w) in text for w in [*head.split(), *tail.split()])


def check_faults(found: list[Record]) -> None:
    faults = [record for record in found if record.kind != "true"]
    assert faults
    for record in faults:
        assert record.claim != record.true_claim
        assert record.planted in record.claim or record.kind in ("amount", "negation", "modality"), record
        if record.kind in ("number", "date", "amount", "percentage"):
            passage = record.passages[record.right - 1]
            figure = record.planted.lstrip("$€£ ").split(" ")[0].rstrip("%")
            own = stands_in(plain(passage.text), record.planted if record.planted[0] in "$€£" else figure)
            assert not own or record.planted.startswith(("EUR", "USD")), record


def test_a_fault_differs_and_its_figure_stands_nowhere_in_the_passage(handbooks: Path) -> None:
    check_faults(OWN)
    check_faults(records(handbooks, claims=60))


@pytest.mark.parametrize(
    ("kind", "claim", "fault"),
    [
        ("duration", "You get 28 days of leave.", "You get 29 days of leave."),
        ("duration", "Wait three weeks.", "Wait four weeks."),
        ("unit", "You get 28 days of leave.", "You get 28 weeks of leave."),
        ("number", "The hall has 12 rooms.", "The hall has 13 rooms."),
        ("amount", "It costs $450.", "It costs €450."),
        ("amount", "It costs 1,500 USD.", "It costs 2,000 USD."),
        ("percentage", "We pay 60% of it.", "We pay 65% of it."),
        ("time", "It opens at 9:30.", "It opens at 10:30."),
        ("time", "It opens at 9 a.m.", "It opens at 9 p.m."),
        ("date", "It ends on March 20, 2025.", "It ends on March 25, 2025."),
        ("ordinal", "It is on the third floor.", "It is on the second floor."),
        ("negation", "Cats must stay at home.", "Cats must not stay at home."),
        ("negation", "Do not feed the dogs.", "Feed the dogs."),
        ("negation", "Hunde dürfen nicht ins Haus.", "Hunde dürfen ins Haus."),
        ("modality", "Cats must stay at home.", "Cats may stay at home."),
        ("modality", "A passport is required for it.", "A passport is optional for it."),
        ("modality", "It is open except on Sundays.", "It is open including on Sundays."),
        ("comparison", "It takes at least 3 days.", "It takes at most 3 days."),
        ("comparison", "Ask before you leave.", "Ask after you leave."),
    ],
)
def test_a_kind_plants_its_fault(kind: str, claim: str, fault: str) -> None:
    assert fault in made(claim, kind=kind, lang="de" if "Hunde" in claim else "en")


@pytest.mark.parametrize(
    ("kind", "claim"),
    [
        ("number", "Fill in form GS-14 for 18F."),  # identifiers are no numbers
        ("number", "See section 4 of the policy."),
        ("amount", "Nothing is paid for it."),
        ("modality", "You will need to sign it."),  # "will may sign"
        ("negation", "There are dogs."),
        ("comparison", "Ask for more information."),
    ],
)
def test_a_kind_refuses_what_would_be_broken_or_true(kind: str, claim: str) -> None:
    assert made(claim, kind=kind) == []


def test_a_figure_of_the_passage_is_planted_only_as_another_thing_of_it() -> None:
    passage = "You get 28 days of leave. Parents get 29 days, 30 days, 31 days, 32 days, 34 days, 27, 26 and 25 days."
    assert made("You get 28 days of leave.", passage, "duration") == []
    swapped = made("You get 28 days of leave.", passage, "subject", others=("Parents get 30 days.",))
    assert swapped == ["You get 30 days of leave."]
    rows = made("Berlin: Rooms 12.", "", "subject", items=("Rooms 7",))
    assert rows == ["Berlin: Rooms 7."]


def test_a_name_is_replaced_by_another_of_the_documents_and_never_by_its_own_short_form() -> None:
    claim = "Ask the Travel Team about it."
    found = made(claim, "Ask the Travel Team (TT) about it.", "name", strangers="we call the Payroll Office, the TT")
    assert "Ask the Payroll Office about it." in found
    assert not any("the TT" in text for text in found)


@pytest.mark.parametrize(
    ("rule", "sentence", "reworded"),
    [
        ("clauses", "If you are ill, tell your manager.", "Tell your manager if you are ill."),
        ("figures", "You have 15 days.", "You have fifteen days."),
        ("figures", "It opens at 3 p.m. on Fridays.", "It opens at 15:00 on Fridays."),
        ("figures", "We pay 50% of it.", "We pay 50 percent of it."),
        ("figures", "It costs $100 a month.", "It costs 100 USD a month."),
        ("figures", "It ends on 2024-05-01 for all.", "It ends on 1 May 2024 for all."),
        (
            "shortened",
            "The form (a blue one) goes to the finance team today.",
            "The form goes to the finance team today.",
        ),
        ("shortened", "The form (except for trips) goes to the finance team today.", None),
        ("synonyms", "You must purchase a ticket prior to it.", "You must buy a ticket before it."),
        ("person", "You can ask your manager.", "Employees can ask their manager."),
        ("person", "If you are ill, call your manager.", None),
        ("passive", "Such trips must be approved by the board.", "The board must approve such trips."),
        ("contractions", "You do not pay.", "You don't pay."),
    ],
)
def test_rewordings(rule: str, sentence: str, reworded: str | None) -> None:
    assert RULES[rule](sentence) == reworded


def test_two_sentences_become_one() -> None:
    assert joined("Dogs stay outside.", "The cats sleep.") == "Dogs stay outside, and the cats sleep."
    assert joined("Dogs, cats and pigs stay.", "The cats sleep.") == "Dogs, cats and pigs stay; the cats sleep."
    assert joined("Dogs stay outside.", "Berlin is large.") is None
    assert with_lead_in("Employees must:", "sign the form;") == "Employees must sign the form."
    assert with_lead_in("Employees must do one of the following:", "sign the form") is None


def test_documents_fall_into_two_halves() -> None:
    halves = [is_held(f"handbook/{n}.md") for n in range(200)]
    assert 70 < sum(halves) < 130
    assert is_held("handbook/1.md") == is_held("handbook/1.md")


def printed(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert proof.main([*argv]) == 0
    return capsys.readouterr().out


def test_the_tables(handbooks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "--data", str(handbooks), "--claims", "40", "--only", "mutations,begin", "--misses", "1")
    assert "duration       verbatim" in text
    assert "true claims doubted" in text
    assert "begin: skipped" in text
    report = json.loads(
        printed(capsys, "--data", str(handbooks), "--claims", "40", "--only", "mutations", "--kinds", "unit", "--json")
    )
    assert {row["group"] for row in report["mutations"]["faults"]} == {"unit"}
    assert all(0 <= row["share"] <= 1 for row in report["mutations"]["false_alarms"])


@pytest.mark.parametrize(
    "argv",
    [["--misses", "3", "--half", "held"], ["--kinds", "nonsense"], ["--only", "nonsense"]],
    ids=["misses of the held half", "unknown kind", "unknown part"],
)
def test_wrong_use(handbooks: Path, argv: list[str]) -> None:
    with pytest.raises(UsageError):
        proof.main(["--data", str(handbooks), *argv])


def test_no_data_at_all_says_what_is_wanted(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"{HANDBOOKS[0]}/docs"):
        proof.main(["--data", str(tmp_path)])


def test_misses_are_never_of_the_held_half() -> None:
    wrong = [proof.Judged(record, record.kind != "true") for record in OWN]
    held = [one.record.answer for one in wrong if one.record.held]
    assert held
    told = "\n".join(proof.misses(wrong, 10**6, 1))
    seen = {one.record.answer for one in wrong if not one.record.held}
    assert not any(f"- {answer}  (" in told for answer in held if answer not in seen)


def test_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"id": f"p{n}", "source": "The bridge is 40 metres long.", "answer": answer, "label": label}
        for n in range(10)
        for answer, label in (
            ("The bridge is 40 metres long.", "supported"),
            ("The bridge is 70 metres long.", "unsupported"),
        )
    ]
    write(tmp_path / "begin-wow", {"pairs.jsonl": "\n".join(map(json.dumps, rows))})
    assert "balanced accuracy 100.0%" in printed(capsys, "--data", str(tmp_path), "--only", "begin")
    write(tmp_path / "begin-wow", {"pairs.jsonl": '{"id": "x"}'})
    with pytest.raises(UsageError, match=r"pairs\.jsonl:1"):
        proof.main(["--data", str(tmp_path), "--only", "begin"])


def test_the_threshold_is_the_best_of_its_half() -> None:
    found = [proof_pairs.Scored(str(n), n >= 6, n / 10, True, "", "") for n in range(10)]
    assert proof_pairs.threshold(found) == 0.6


def test_an_answer_is_cited_sentence_by_sentence() -> None:
    assert proof_pairs.cited("One is red. Two is blue") == "One is red [1]. Two is blue [1]"
    pair = proof_pairs.Pair("h", "Who wrote it?", "", "Ada.", True)
    assert proof_pairs.statement(pair) == "Ada [1]."


def test_labelled_answers(handbooks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right, wrong = "Dogs may come to the office on Fridays only.", "Cats may come on 17 Mondays."
    row = {
        "id": "a1",
        "lang": "en",
        "question": "Which pets may come?",
        "passages": [{"document": "handbook-osio/docs/pets.md", "first_line": 1, "last_line": 3}],
        "answer": f"{right[:-1]} [1]. {wrong[:-1]} [1].",
        "sentences": [
            {"text": right, "supported": True},
            {"text": wrong, "supported": False, "why": "no such Mondays"},
        ],
    }
    path = handbooks / "answers.jsonl"
    write(handbooks, {path.name: json.dumps(row)})
    text = printed(capsys, "--data", str(handbooks), "--only", "answers", "--answers", str(path))
    assert "answers, supported: precision 100.0% of 1, recall 100.0% of 1" in text
    assert "answers, not supported: precision 100.0% of 1, recall 100.0% of 1" in text


@pytest.mark.skipif(not DATA, reason="set BRAIN_TEST_DATA to the folder of public data")
def test_the_translated_sentences_stand_in_their_documents() -> None:
    rows = [json.loads(line) for line in TRANSLATIONS.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        text = plain((Path(DATA) / row["document"]).read_text(encoding="utf-8"))
        assert row["source"] in text, row


def test_the_translations_are_enough_and_distinct() -> None:
    rows = [json.loads(line) for line in TRANSLATIONS.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 120
    assert {row["lang"] for row in rows} == {"de", "fr", "es"}
    assert len({(row["source"], row["lang"]) for row in rows}) == len(rows)


@pytest.mark.skipif(not DATA, reason="set BRAIN_TEST_DATA to the folder of public data")
def test_the_whole_set_is_large_and_sound() -> None:
    found = records(Path(DATA))
    assert sum(record.kind == "true" for record in found) > 1000
    assert {record.kind for record in found} == {"true", *ALL_KINDS}
    check_faults(found)
