"""People's judgements: what is taken over HTTP, from whom, where it is kept, and how it becomes a case.

Try: pytest tests/test_feedback.py
"""

import contextlib
import json
import multiprocessing
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import server
from access import EVERYONE, Caller
from answer import Answer, Assistant
from config import load
from errors import StoreError, UsageError
from eval import cases, export, feedback
from search import Index
from service.recent import Recent, UnknownAnswer
from storage import feedback as rows
from storage import schema
from storage.feedback import Judgement
from storage.filter import Filter
from store import Store, store_of
from tests.conftest import HashEmbedder, caller
from tests.engine import database_of, store_at
from tests.served import NO_FILE, VACATION, Running, refused, running, settings_for, write_docs

CURLING = "Wer gewann 1987 die Weltmeisterschaft im Curling?"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    docs = write_docs(tmp_path_factory.mktemp("feedback") / "docs")
    key = docs.parent / "key"
    key.write_bytes(b"of 32 bytes or more, for a test of ours")
    with running(settings_for(docs, audit_questions="hash", audit_hash_key=key)) as service:
        service.ready()
        yield service


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = store_at(tmp_path / "index.db")
    yield made
    made.close()


@pytest.fixture
def given(docs: Path, make_index: Callable[..., Index]) -> Answer:
    index = make_index(docs, HashEmbedder(dimension=512), min_score=0.2, db=docs.parent / "given.db")
    index.sync()
    answer, _ = Assistant(index).ask(caller(), "How many days of annual leave do staff get?")
    assert answer.sources
    return answer


def judge(service: Running, answer: str, verdict: str = "right", **more: Any) -> httpx.Response:
    return service.client.post("/feedback", json={"answer": answer, "verdict": verdict, **more})


def stored(service: Running) -> list[Judgement]:
    kept = store_of(service.settings)
    try:
        return rows.listed(kept)
    finally:
        kept.close()


def judgement(id_: str = "aa11", **values: Any) -> Judgement:
    told: dict[str, Any] = {
        "id": id_, "created_at": rows.now(), "caller": "user:local", "question": "How many days?", "narrowed": {},
        "lang": "en", "verdict": "right", "note": "", "status": "answered", "model": "m", "limits": {},
        "answer": "The documents say:\n- Staff get 28 days of annual leave. [1]",
        "sources": [{"source": "leave.md", "lines": "L3-5", "version": "0", "quote": "Staff get 28 days of leave."}],
        **values,
    }  # fmt: skip
    return Judgement(**told)


# --- over HTTP ---


def test_from_a_question_to_a_case(
    live: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Asked, judged, approved, exported, read."""
    answer = live.ask().json()
    reply = judge(live, answer["id"], note="  as it is in my contract ")
    assert (reply.status_code, reply.json()) == (200, {"stored": True})
    (kept,) = [row for row in stored(live) if row.id == answer["id"]]
    assert (kept.question, kept.answer, kept.status) == (VACATION, answer["answer"], "answered")
    assert (kept.verdict, kept.note, kept.caller, kept.lang) == ("right", "as it is in my contract", "user:local", "en")
    assert kept.sources[0]["source"] == "leave.md"
    assert kept.sources[0]["version"] == answer["sources"][0]["version"]
    assert kept.limits["min_score"] == answer["limit"]["min_score"]

    refusal = live.ask(CURLING).json()
    assert judge(live, refusal["id"], "should_be_found").status_code == 200
    (tmp_path / "none.toml").touch()
    monkeypatch.setenv("BRAIN_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.setenv("BRAIN_DATABASE", live.settings.database)
    flags = ["--docs", str(live.settings.docs_dir), "--db", str(live.settings.db), "--by", "Ada"]
    out = tmp_path / "cases.jsonl"
    assert feedback.main(["export", "--out", str(out), *flags]) == 0
    assert not out.exists(), "nobody has approved anything"
    with pytest.raises(UsageError, match=r'--must TEXT.*Proposed: .*"28 vacation"'):
        feedback.main(["approve", answer["id"], *flags])
    assert feedback.main(["approve", answer["id"][:12], "--must", "28 vacation days", *flags]) == 0
    assert feedback.main(["approve", refusal["id"], *flags]) == 0
    assert feedback.main(["export", "--out", str(out), *flags]) == 0
    capsys.readouterr()
    able, unable = cases.read(out)
    assert (able.question, able.sources, able.must_include) == (VACATION, ("leave.md",), ("28 vacation days",))
    assert (unable.question, unable.sources) == (CURLING, ())
    feedback.main(["show", answer["id"], *flags])
    assert "approved" in capsys.readouterr().out


def test_who_judges_again_replaces(live: Running) -> None:
    answer = live.ask().json()["id"]
    for verdict in ("right", "wrong", "wrong"):
        assert judge(live, answer, verdict, note=verdict).status_code == 200
    assert [(row.verdict, row.note) for row in stored(live) if row.id == answer] == [("wrong", "wrong")]


@pytest.mark.permission
def test_another_s_answer_is_unknown(live: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = live.ask().json()["id"]
    never = refused(judge(live, "0" * 32), 404, "unknown_answer").detail
    monkeypatch.setattr(server, "caller_of", lambda request: Caller("somebody else", frozenset({EVERYONE})))
    assert refused(judge(live, answer), 404, "unknown_answer").detail == never
    assert "Ask again" in never
    assert answer not in [row.id for row in stored(live)]


def test_a_question_that_nobody_judges_is_not_kept_but_as_a_hash(live: Running) -> None:
    question = "Is xylophone practice allowed in the archive?"
    live.ask(question)
    for path in live.settings.db.parent.glob("index.db*"):
        assert b"xylophone" not in path.read_bytes()


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b'{"answer": "x"}',
        b'{"answer": "", "verdict": "right"}',
        b'{"answer": "x", "verdict": "good"}',
        b'{"answer": 5, "verdict": "right"}',
        b'{"answer": "x", "verdict": "right", "question": "What?"}',
        b'{"answer": "x", "verdict": "right", "note": null}',
        rb'{"answer": "x", "verdict": "right", "note": "\ud800"}',
        rb'{"answer": "x", "verdict": "right", "note": "a\u0000b"}',
        json.dumps({"answer": "x", "verdict": "right", "note": "x" * 2001}).encode(),
        json.dumps({"answer": "x" * 101, "verdict": "right"}).encode(),
    ],
)
def test_wrong_judgements_are_refused(live: Running, body: bytes) -> None:
    reply = live.client.post("/feedback", content=body, headers={"Content-Type": "application/json"})
    assert len(refused(reply, 422, "invalid_request").detail) < 300


def test_the_door_stands_before_it(live: Running) -> None:
    body = {"answer": "x", "verdict": "right"}
    elsewhere = live.client.post("/feedback", json=body, headers={"Origin": "https://elsewhere.example"})
    refused(elsewhere, 403, "origin_not_allowed")
    refused(live.client.post("/feedback", content=b"answer=x"), 415, "unsupported_media_type")
    assert live.client.get("/feedback").status_code == 405


@pytest.mark.sqlite
def test_a_locked_file_is_an_error_and_nothing_is_lost_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "BUSY_SECONDS", 0.3)
    with running(settings_for(write_docs(tmp_path / "docs"))) as service:
        service.ready()
        answer = service.ask().json()["id"]
        with contextlib.closing(sqlite3.connect(service.settings.db, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert "was not stored" in refused(judge(service, answer), 503, "store_busy").detail
            assert service.client.get("/healthz").status_code == 200
            other.execute("ROLLBACK")
        assert stored(service) == []
        assert judge(service, answer).status_code == 200
        assert len(stored(service)) == 1


# --- the answers given lately ---


def test_recent_answers_are_bounded_in_number_and_time(given: Answer) -> None:
    now = [0.0]
    recent = Recent(most=3, seconds=100, clock=lambda: now[0])
    for number in range(5):
        now[0] = number
        recent.add(caller(), f"q{number}", given.model_copy(update={"id": str(number)}), Filter(path="travel"))
    assert recent.get(caller(), "4").question == "q4"
    assert recent.get(caller(), "4").narrowed == {"path": "travel"}
    for lost in ("0", "1", "5"):
        with pytest.raises(UnknownAnswer):
            recent.get(caller(), lost)
    now[0] = 102.5
    assert recent.get(caller(), "3").question == "q3"
    with pytest.raises(UnknownAnswer):
        recent.get(caller(), "2")


# --- the rows ---


def test_rows_survive_a_sync_and_are_counted(docs: Path, make_index: Callable[..., Index]) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    generation = index.store._meta("generation")
    rows.put(index.store, judgement())
    assert index.store._meta("generation") == generation, "readers have nothing to read again"
    (docs / "leave.md").unlink()
    index.sync()
    assert [row.id for row in rows.listed(index.store)] == ["aa11"]
    assert (index.store.status().judgements, index.store.status().undecided) == (1, 1)
    rows.decide(index.store, rows.found(index.store, "aa"), "rejected", "Ada", {})
    assert (index.store.status().judgements, index.store.status().undecided) == (1, 0)


@pytest.mark.sqlite
def test_an_older_index_gets_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as older:
        older.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:3])
        schema.connect(tmp_path / "index.db").close()
    made = store_at(tmp_path / "index.db")
    rows.put(made, judgement())
    assert len(rows.listed(made)) == 1
    made.close()


def test_judged_again_the_approval_falls(store: Store) -> None:
    first = judgement()
    rows.put(store, first)
    rows.decide(store, first, "approved", "Ada", {"question": "q"})
    assert [row.decided_by for row in rows.listed(store, "approved")] == ["Ada"]
    again = judgement(verdict="wrong", created_at="2030-01-01")
    rows.put(store, again)
    assert rows.listed(store, "approved") == []
    with pytest.raises(UsageError, match="judged again"):
        rows.decide(store, first, "approved", "Ada", {})
    assert rows.listed(store, "") == [again]
    rows.forget(store, again)
    assert rows.listed(store) == []


@pytest.mark.parametrize(
    ("pragma", "reason"), [("query_only = ON", "readonly"), ("max_page_count = 1", "No space left")]
)
@pytest.mark.sqlite
def test_what_cannot_be_written_is_told(store: Store, pragma: str, reason: str) -> None:
    store.connection().execute(f"PRAGMA {pragma}")

    def fill() -> None:
        for number in range(50):
            rows.put(store, judgement(f"{number:03}", note="x" * 2000))

    with pytest.raises(StoreError, match=f"not stored.*{reason}"):
        fill()
    assert not store.connection().in_transaction


def test_a_model_s_half_pair_can_be_stored(store: Store) -> None:
    rows.put(store, judgement(answer="half \ud800 a pair", sources=[]))
    assert rows.found(store, "aa").answer == "half ? a pair"


def _many(path: Path, database: str, start: int) -> None:
    store = store_of(load({"db": path, "database": database}, NO_FILE))
    for number in range(start, start + 20):
        rows.put(store, judgement(f"{number:03}"))
    store.close()


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    context, path = multiprocessing.get_context("spawn"), tmp_path / "index.db"
    workers = [context.Process(target=_many, args=(path, database_of(path), start)) for start in (0, 100)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    made = store_at(tmp_path / "index.db")
    assert len(rows.listed(made)) == 40
    made.close()


# --- what an approver makes of it ---


@pytest.mark.parametrize(
    ("judged", "flags", "made"),
    [
        ({}, {"must": ["28 days"]}, ("leave.md", ["28 days"])),
        ({}, {"must": []}, ("leave.md", [])),
        ({}, {"must": ["28"], "sources": ["b.md"]}, ("b.md", ["28"])),
        ({}, {}, "--must TEXT"),
        ({}, {"must": ["29"]}, "does not contain"),
        ({}, {"unanswerable": True}, "judged right"),
        ({"verdict": "wrong"}, {}, "--source"),
        ({"verdict": "wrong"}, {"sources": ["b.md"]}, "--must"),
        ({"verdict": "wrong"}, {"must": ["30"]}, "--source"),
        ({"verdict": "wrong"}, {"sources": ["b.md"], "must": ["30"]}, ("b.md", ["30"])),
        ({"verdict": "wrong"}, {"unanswerable": True}, ("-", [])),
        ({"verdict": "wrong"}, {"unanswerable": True, "sources": ["b.md"]}, "has no --source"),
        ({"verdict": "should_be_found", "status": "not_found", "sources": []}, {}, ("-", [])),
        ({"verdict": "should_be_found"}, {"must": ["30"]}, "needs a --source"),
        ({"verdict": "should_be_found"}, {"sources": ["b.md"], "must": ["30"]}, ("b.md", ["30"])),
        ({"status": "not_found", "sources": []}, {}, ("-", [])),
        ({"status": "not_found", "sources": []}, {"sources": ["b.md"], "must": ["30"]}, "refusal was judged right"),
    ],
)
def test_verdicts_become_cases(judged: dict[str, Any], flags: dict[str, Any], made: Any) -> None:
    asked: dict[str, Any] = {"sources": [], "must": None, "unanswerable": False, **flags}
    if isinstance(made, str):
        with pytest.raises(UsageError, match=made):
            feedback.case_of(judgement(**judged), **asked)
        return
    case = feedback.case_of(judgement(**judged), **asked)
    assert (case["source"], case["must_include"]) == made
    assert set(case) == {"question", "source", "must_include", "lang", "held"}


def test_several_documents_are_alternatives() -> None:
    cited = [{"source": name, "lines": "", "version": "", "quote": ""} for name in ("a.md", "b.md", "a.md")]
    case = feedback.case_of(judgement(sources=cited), [], [], False)
    assert (case["source"], case["alt_sources"]) == ("a.md", ["b.md"])


@pytest.mark.parametrize(
    ("answer", "quote", "expected"),
    [
        ("- You get 28 days, not 30 days. [1]", "You get 28 days.", ["28 days"]),
        ("Costs 1,500 EUR and 12 %. [2]", "at most 1,500 EUR or 12 % of it", ["1,500 EUR", "12 %"]),
        ("Ask Ada Lovelace. [1]", "Ada Lovelace knows.", ["Ada", "Lovelace"]),
        ("Ask the office. [1]", "The office knows.", []),
    ],
)
def test_what_is_proposed_stands_in_answer_and_source(answer: str, quote: str, expected: list[str]) -> None:
    cited = [{"source": "a.md", "lines": "", "version": "", "quote": quote}]
    assert feedback.proposed(judgement(answer=answer, sources=cited)) == expected


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        (
            "How many days of leave do I get?",
            "You get 28 vacation days. [1]\nYou may take 5 days along. [1]",
            ["28 vacation"],
        ),
        ("How many days of leave?", "From 3 March on you get 28 days. It was 25 days. [1]", ["28 days"]),
        ("When does it begin?", "It takes 4 guests. [1]\nIt begins on 3 March 2026. [1]", ["3 March", "2026"]),
        ("Who answers?", "Ask Ada in room 12. [1]", ["Ada"]),
    ],
)
def test_only_what_was_asked_for_is_proposed(question: str, answer: str, expected: list[str]) -> None:
    cited = [{"source": "a.md", "lines": "", "version": "", "quote": answer}]
    assert feedback.proposed(judgement(question=question, answer=answer, sources=cited)) == expected
    assert feedback.proposed(judgement(question=question, answer=answer, sources=cited, verdict="wrong")) == []


@pytest.fixture
def flags(docs: Path, tmp_path: Path, make_index: Callable[..., Index], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    (tmp_path / "none.toml").touch()
    monkeypatch.setenv("BRAIN_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.setenv("BRAIN_DATABASE", database_of(tmp_path / "index.db"))
    index = make_index(docs, HashEmbedder())
    index.sync()
    rows.put(index.store, judgement("aa11", note="see\x1b[31m here\nrejected"))
    rows.put(index.store, judgement("ab22", verdict="wrong", question="How much is a night?", narrowed={"path": "x"}))
    return ["--docs", str(docs), "--db", str(tmp_path / "index.db"), "--by", "Ada"]


def test_only_an_approval_makes_a_case(flags: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert feedback.main(["export", *flags]) == 0
    assert capsys.readouterr().out == ""
    assert feedback.main(["reject", "aa", *flags]) == 0
    feedback.main(["export", *flags])
    assert "days" not in capsys.readouterr().out
    assert feedback.main(["approve", *flags, "aa", "--proposed"]) == 0
    printed = capsys.readouterr()
    assert '"must_include": ["28 days"]' in printed.out
    assert "leave.md has changed since the answer" in printed.err
    feedback.main(["export", *flags])
    assert json.loads(capsys.readouterr().out)["source"] == "leave.md"


def test_a_note_is_printed_and_nothing_else(flags: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for action in (["list"], ["list", "--json"], ["show", "aa"], ["show", "aa", "--json"]):
        assert feedback.main([*action, *flags]) == 0
        printed = capsys.readouterr().out
        assert "\x1b" not in printed
        assert not re.search(r"^rejected", printed, re.MULTILINE), "no line that looks like one of ours"
        assert "here" in printed


def test_the_list_says_of_which_index_and_what_its_columns_are(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    feedback.main(["list", *flags])
    index, head, first, second = capsys.readouterr().out.splitlines()
    assert index == f"judgements in {flags[3]}: 2"
    columns = ["id", "judged on", "verdict", "decision", "lang", "question"]
    assert re.split(r"\s{2,}", head.partition("  (")[0]) == columns
    assert first.startswith("aa11")
    for row in (first, second):  # each stands under its head
        starts = [head.index(column) for column in columns]
        assert all(start == 0 or row[start - 1] == " " != row[start] for start in starts)
    feedback.main(["list", "--json", *flags])
    assert len(json.loads(capsys.readouterr().out)) == 2


@pytest.mark.sqlite
def test_an_empty_list_says_of_which_index_and_how_to_name_another(
    docs: Path, tmp_path: Path, flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    store_at(tmp_path / "other.db").close()
    feedback.main(["list", "--docs", str(docs), "--db", str(tmp_path / "other.db")])
    told = capsys.readouterr().out
    assert str(tmp_path / "other.db") in told
    assert "--docs" in told


def test_a_wrong_answer_s_own_words_are_not_proposed(flags: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    feedback.main(["show", "ab", *flags])
    told = capsys.readouterr().out
    assert "Proposed" not in told
    assert "the answer was judged wrong" in told


def test_a_wrong_refusal_is_kept_apart(
    docs: Path, tmp_path: Path, flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    kept = store_at(tmp_path / "index.db")
    rows.put(kept, judgement("cc33", verdict="wrong", status="not_found", sources=[]))
    rows.put(kept, judgement("dd44", verdict="right", status="not_found", sources=[]))
    kept.close()
    feedback.main(["list", *flags])
    told = {line[:4]: line for line in capsys.readouterr().out.splitlines()}
    assert "  wrong refusal  " in told["cc33"]
    assert "  right refusal  " in told["dd44"]
    assert "refusal" not in told["ab22"] + told["aa11"]
    feedback.main(["show", "cc", *flags])
    assert "judged    wrong refusal" in capsys.readouterr().out


def test_the_approver_s_slips_are_told(flags: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for words, reason in (
        (["approve", "ab", "--source", "leve.md", "--must", "x"], "Did you mean leave.md"),
        (["approve", "ab", "--source", "leave.md", "--must", " "], "is empty"),
        (["approve", "ab", "--source", "leave.md", "--must", "31 days"], '"31 days" does not stand in leave.md'),
        (["approve", "ab", "--source", "leave.md", "--proposed"], "the answer was judged wrong"),
        (["approve", "ab", "--source", "leave.md", "--must", "x", "--no-must"], "--no-must says"),
        (["approve", "a", "--no-must"], "More than one"),
        (["approve", "ff", "--no-must"], "No judgement begins"),
        (["approve", "", "--no-must"], "No judgement begins"),
        (["approve"], "needs id"),
        (["list", "aa"], "takes no id"),
    ):
        with pytest.raises(UsageError, match=reason):
            feedback.main([*words, *flags])
    assert feedback.main(["approve", "ab", "--source", ".\\travel\\expenses.md", "--must", "120 euro", *flags]) == 0
    printed = capsys.readouterr()
    assert "asked with path x" in printed.err
    assert '"source": "travel/expenses.md"' in printed.out
    with pytest.raises(UsageError, match="no index at"):
        feedback.main(["list", "--docs", flags[1], "--db", flags[3] + ".none"])
    assert not Path(flags[3] + ".none").exists()
    assert feedback.main(["forget", "ab", *flags]) == 0
    feedback.main(["list", *flags])
    assert "ab22" not in capsys.readouterr().out.partition("is forgotten")[2]


# --- the file of cases ---


def a_case(question: str, source: str = "-", *must: str) -> dict[str, Any]:
    return {"question": question, "source": source, "must_include": list(must), "lang": "en", "held": False}


def test_each_question_is_added_once(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps(a_case("Is there a pool?")), encoding="utf-8")  # no line feed at its end
    new = [a_case("IS THERE  a pool"), a_case("What?", "a.md"), a_case("What", "b.md"), a_case("Wer?\n\u2028\x9b")]
    added, told = export.merged(path, new)
    assert added == 2
    assert ["twice" in text for text in told] == [True]
    assert [case.question for case in cases.read(path)] == ["Is there a pool?", "What", "Wer?\n\u2028\x9b".strip()]
    assert cases.read(path)[1].sources == ("b.md",)
    before = path.read_bytes()
    assert export.merged(path, new)[0] == 0
    assert path.read_bytes() == before
    assert "\x9b" not in path.read_text(encoding="utf-8")
    assert len(path.read_text(encoding="utf-8").splitlines()) == 3
    _, told = export.merged(path, [a_case("Is there a pool?", "pool.md")])
    assert "another answer, which is kept" in told[0]
    assert [item.name for item in tmp_path.iterdir()] == ["q.jsonl"]


@pytest.mark.parametrize("held", [b"{", b'{"question": "q"}\n', b"\xff\xfe"])
def test_a_file_that_is_no_cases_is_left_alone(tmp_path: Path, held: bytes) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(held)
    with pytest.raises(UsageError, match=r"q\.jsonl"):
        export.merged(path, [a_case("What?")])
    assert path.read_bytes() == held
    with pytest.raises(UsageError, match="cannot be"):
        export.merged(tmp_path / "none" / "q.jsonl", [a_case("What?")])
    assert [item.name for item in tmp_path.iterdir()] == ["q.jsonl"]


def test_what_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text("old")

    def changed(draft: Path) -> None:
        raise UsageError("changed")

    with pytest.raises(UsageError, match="changed"):
        export.written(path, b"new", changed)
    assert path.read_text() == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["q.jsonl"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe")
def test_a_pipe_or_device_is_not_replaced_by_an_export(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="no ordinary file"):
        export.written(tmp_path / "pipe", b"x")
    assert (tmp_path / "pipe").is_fifo()
