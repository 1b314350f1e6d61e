"""A move to another embedding model: the former one answers until the new one is complete, and nothing is lost."""

import contextlib
import json
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from answer import Answer, Assistant
from config import Settings
from errors import ModelError
from retrieval.gate import Calibration
from search import Index, open_index, synced
from storage import care, moving, syncing
from storage.examine import examine
from store import main
from tests.conftest import caller, settings_on, write
from tests.ollama_double import Model, OllamaDouble
from tests.served import start, wait_until

ROOT = Path(__file__).parents[1]
OLD, NEW = "old-embed:latest", "new-embed:latest"
MakeSettings = Callable[..., Settings]


class Gate(OllamaDouble):
    """Holds two embedding models, the new one of half the dimensions.

    More than three texts for the new one wait while `open` is not set: those that tell models apart pass.
    """

    def __init__(self) -> None:
        super().__init__(models={OLD: Model("embed"), NEW: Model("embed"), "qwen3.5:9b": Model("chat")})
        self.open, self.asked = threading.Event(), threading.Semaphore(0)
        self.asks = threading.local()
        self.passes = 0  # batches for the new model that pass all the same
        self.open.set()

    def find(self, body: dict[str, Any], missing: str) -> tuple[str, Model]:
        found = super().find(body, missing)
        self.asks.model = found[0]
        texts = body.get("input")
        if found[0] == NEW and isinstance(texts, list) and len(texts) > 3 and not self.open.is_set():
            self.passes -= 1
            if self.passes < 0:
                self.asked.release()
                self.open.wait(60)
        return found

    def vector(self, text: str) -> list[float]:
        whole = super().vector(text)
        if getattr(self.asks, "model", "") != NEW:
            return whole
        half = [a + b for a, b in zip(whole[::2], whole[1::2], strict=True)]
        norm = sum(value * value for value in half) ** 0.5
        return [value / norm for value in half]


@pytest.fixture
def double() -> Iterator[Gate]:
    made = Gate()
    with made:
        yield made
        made.open.set()


@pytest.fixture
def opened(tmp_path: Path, docs: Path, double: Gate) -> Iterator[Callable[..., Index]]:
    """opened(model, **settings): the index of `docs` with that embedding model of the double."""
    made: list[Index] = []

    def opens(model: str, **values: object) -> Index:
        settings = settings_on(tmp_path, docs, double, embed_model=model, min_score=None, **values)
        made.append(open_index(settings, notice=lambda text: None))
        return made[-1]

    yield opens
    for index in made:
        index.store.close()


def ask(index: Index) -> Answer:
    return Assistant(index).ask(caller(), "How many days of annual leave after one year?")[0]


def told(index: Index) -> list[str]:
    return [problem.text for problem in ask(index).problems if problem.code == "model_moving"]


def hits(index: Index) -> list[tuple[str, float | None]]:
    found = index.searcher().search(caller(), "annual leave after one year", 50).hits
    return [(hit.chunk.path, hit.score) for hit in found]


def processes(double: Gate, docs: Path, *words: str) -> subprocess.Popen[str]:
    """A program that wants the new model."""
    return start(
        list(words), docs, BRAIN_DB=str(docs.parent / "i.db"), BRAIN_BACKEND="ollama", OLLAMA_HOST=double.host,
        BRAIN_EMBED_MODEL=NEW,
    )  # fmt: skip


# --- who answers --------------------------------------------------------------------------------------------------


def test_a_model_of_other_dimensions(opened: Callable[..., Index]) -> None:
    """Nothing is dropped, no error of widths, no empty search: the former model answers, told so, until the step."""
    before, index = opened(OLD), opened(NEW)
    before.sync()
    expected = hits(before)
    assert hits(index) == expected
    assert told(index) == [f"answered with ollama/{OLD} until ollama/{NEW} is complete"]
    answer = ask(index)
    assert answer.model.startswith(f"ollama/{OLD}@")
    index.sync()
    assert told(index) == []
    assert ask(index).model.startswith(f"ollama/{NEW}@")
    assert {row["dimension"]: row["state"] for row in index.store.status().models} == {
        256: "answered before", 128: "answers",
    }  # fmt: skip
    assert hits(before) == expected, "who wants the former one has it still"
    assert told(before) == []


@pytest.mark.slow
def test_the_same_with_the_real_weights(docs: Path, make_settings: MakeSettings) -> None:

    def opens(model: str) -> Index:
        settings = make_settings(docs, backend="embedded", embed_model=model)
        return open_index(settings, notice=lambda text: None)

    with opens("use+minilm") as before, opens("use") as index:
        before.sync()
        expected = hits(before)
        assert hits(index) == expected
        answer = ask(index)
        assert told(index) == ["answered with embedded/use+minilm until embedded/use is complete"]
        assert answer.model.startswith("embedded/use+minilm@")
        assert answer.status == "answered"
        assert not answer.needs_review
        index.sync()
        assert told(index) == []
        assert ask(index).model.startswith("embedded/use@")
        assert {row["name"]: row["state"] for row in index.store.status().models} == {
            "use+minilm": "answered before", "use": "answers",
        }  # fmt: skip
        assert hits(before) == expected, "who wants the former one has it still"
        assert told(before) == []


def test_a_command_does_not_wait_for_a_move(opened: Callable[..., Index], double: Gate) -> None:
    opened(OLD).sync()
    double.open.clear()
    index = opened(NEW)
    said: list[str] = []
    synced(index, said.append, lambda _: contextlib.nullcontext(), moves=False)
    assert said == ["another embedding model is set than the index was filled with; python store.py --sync fills it"]
    assert told(index)[0].startswith(f"answered with ollama/{OLD} until")
    assert {row["name"]: row["vectors"] for row in index.store.status().models}[NEW] == 0


def test_documents_that_change_during_a_move_are_found(opened: Callable[..., Index], docs: Path) -> None:
    opened(OLD).sync()
    index = opened(NEW)
    write(docs, {"leave.md": "# Leave\n\nStaff get 31 days of annual leave after one year.\n"})
    index.sync(moves=False)
    best = index.searcher().search(caller(), "annual leave after one year").hits[0]
    assert "31 days" in best.chunk.text
    assert best.score is not None
    assert told(index)
    done = index.sync()
    assert (done.added, done.changed, done.unchanged) == (0, 0, 4)
    assert done.embedded == index.store.chunk_count()
    assert told(index) == []


def test_what_both_rounds_of_a_move_found_is_told(opened: Callable[..., Index], docs: Path) -> None:
    opened(OLD).sync()
    text = "Für größere Beträge fragen Sie bitte die Buchhaltung, weil sie das für alle macht und nicht jeder für sich."
    write(docs, {"old.txt": text.encode("cp1252")})
    done = opened(NEW).sync()
    assert (done.added, done.decoded) == (1, [("old.txt", "cp1252")])


def test_the_former_model_cannot_be_had(opened: Callable[..., Index], double: Gate) -> None:
    opened(OLD).sync()
    double.models.pop(OLD)
    double.open.clear()
    index = opened(NEW)
    assert told(index)[0].startswith(f"answered by words alone, the former model cannot be had, until ollama/{NEW}")
    assert index.searcher().search(caller(), "annual leave after one year").best_score is None
    double.open.set()
    index.sync()
    assert told(index) == []
    assert hits(index)[0][1] is not None


@pytest.mark.slow
def test_of_another_backend_it_cannot_be_had(
    opened: Callable[..., Index], docs: Path, make_settings: MakeSettings, tmp_path: Path
) -> None:
    opened(OLD).sync()
    settings = make_settings(docs, backend="embedded", embed_model="use", db=tmp_path / "i.db")
    with open_index(settings, notice=lambda text: None) as index:
        assert "by words alone" in told(index)[0]


def test_it_went_away_in_the_middle(
    opened: Callable[..., Index], double: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retrieval.answering._RECHECK_SECONDS", -1.0)
    opened(OLD).sync()
    index = opened(NEW)
    assert "answered with" in told(index)[0]
    double.models.pop(OLD)
    assert "by words alone" in told(index)[0]
    double.models[OLD] = Model("embed")
    assert "answered with" in told(index)[0]


def test_weights_that_changed_under_the_same_name(opened: Callable[..., Index], double: Gate) -> None:
    """After `ollama pull` of the same name: the former vectors have nobody who embeds questions for them."""
    opened(OLD).sync()
    double.models[OLD] = Model("embed", trained_context=8192)
    index = opened(OLD)
    assert "by words alone" in told(index)[0]
    index.sync()
    assert told(index) == []


def test_an_index_from_before_there_was_a_row(opened: Callable[..., Index]) -> None:
    before = opened(OLD)
    before.sync()
    before.store.connection().execute("DELETE FROM meta WHERE key = 'answering'")
    index = opened(NEW)
    assert "answered with" in told(index)[0]
    index.sync(moves=False)
    assert moving.answering(index.store.connection()) == (1,)


def test_a_first_sync_has_no_former_model(opened: Callable[..., Index], double: Gate) -> None:
    index = opened(OLD)
    double.fail("status", path="/api/embed", times=99)
    with pytest.raises(ModelError):
        index.sync()
    double._faults.clear()
    assert told(index) == []
    index.sync()
    assert moving.answering(index.store.connection()) == (1,)


@pytest.mark.slow
def test_one_that_was_complete_and_lacks_little_still_answers(opened: Callable[..., Index], docs: Path) -> None:
    write(docs, {f"{n}.md": f"# Page {n}\n\nText of page {n}.\n" for n in range(40)})
    first, second = opened(OLD), opened(NEW)
    first.sync()
    second.sync()
    write(docs, {"more.md": "# More\n\nOne page more.\n"})
    second.sync()
    assert told(first) == [], "it lacks 1 of 45"
    write(docs, {f"more-{n}.md": f"# More {n}\n\nText {n} more.\n" for n in range(9)})
    second.sync()
    first.store.close()
    assert "answered with" in told(opened(OLD))[0]


# --- killed, and a server in use ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_killed_in_a_move_it_goes_on_where_it_was(
    opened: Callable[..., Index], docs: Path, double: Gate, tmp_path: Path
) -> None:
    write(docs, {f"{n}.md": f"# Page {n}\n\nText of page {n}.\n" for n in range(2 * syncing._BATCH)})
    opened(OLD).sync()
    double.open.clear()
    double.passes = syncing._BATCH // 32 + 2
    with processes(double, docs, "store.py", "--sync") as process:
        assert double.asked.acquire(timeout=60)
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
    double.open.set()
    index = opened(NEW)
    count = index.store.chunk_count()
    vectors = {row["name"]: row["vectors"] for row in index.store.status().models}
    assert vectors[OLD] == count
    assert 0 < vectors[NEW] < count
    assert examine(index.store.path) == []
    assert told(index) == [f"answered with ollama/{OLD} until ollama/{NEW} is complete"]
    assert index.sync().embedded == count - vectors[NEW]
    assert told(index) == []


@pytest.mark.slow
def test_a_running_server_moves_while_it_answers(
    opened: Callable[..., Index], docs: Path, double: Gate, tmp_path: Path
) -> None:
    opened(OLD).sync()
    double.open.clear()
    double.handler = lambda messages: "Staff get 28 days of annual leave after one year. [1]"
    with processes(double, docs, "server.py", "--port", "0", "--json") as process:
        try:
            assert process.stdout
            address = json.loads(process.stdout.readline())["url"]

            def asked() -> tuple[str, list[str]]:
                reply = httpx.post(f"{address}/ask", json={"text": "How many days of annual leave?"}, timeout=60).json()
                return reply["model"], [p["text"] for p in reply["problems"] if p["code"] == "model_moving"]

            wait_until(lambda: httpx.get(f"{address}/readyz").status_code == 200)
            assert double.asked.acquire(timeout=60), "the new model is being filled"
            model, problems = asked()
            assert OLD in model
            assert problems[0].startswith(f"answered with ollama/{OLD} until ollama/{NEW} is complete")
            write(docs, {"leave.md": "# Leave\n\nNow other words.\n"})
            double.open.set()
            wait_until(lambda: NEW in asked()[0])
            assert asked()[1] == []
        finally:
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=20)
    assert "Traceback" not in said
    assert f"questions are answered with ollama/{OLD} until" in said
    assert f"questions are answered with ollama/{NEW}" in said.rpartition("until")[2]


# --- what is dropped ----------------------------------------------------------------------------------------------


@pytest.mark.sqlite
def test_the_former_vectors_are_dropped_when_asked(opened: Callable[..., Index]) -> None:
    before, index = opened(OLD), opened(NEW)
    before.sync()
    hits(before)
    assert index.unused_models() == [], "while it answers"
    index.sync()
    expected = hits(index)
    assert index.unused_models() == [1]
    care.vacuum(index.store)
    assert index.unused_models() == [1], "nothing is dropped unasked"
    assert care.vacuum(index.store, index.unused_models()).dropped == (f"ollama/{OLD}",)
    assert hits(index) == expected
    assert examine(index.store.path) == []
    assert [row["name"] for row in index.store.status().models] == [NEW]
    assert f"answered with ollama/{NEW} until ollama/{OLD}" in told(before)[0], "a process that wants it still"
    assert hits(before) == expected
    before.sync()
    assert before.answering().model_id == 3
    assert told(before) == []


@pytest.mark.sqlite
def test_a_number_of_a_model_is_never_given_twice(opened: Callable[..., Index]) -> None:
    """What stands in the memory of a running process under the number would be taken for another model's."""
    before, index = opened(OLD), opened(NEW)
    index.sync()
    before.sync()
    assert before.unused_models() == [1]
    care.vacuum(before.store, [2, 1])
    assert [row["id"] for row in before.store.status().models] == []
    before.sync()
    assert (before.answering().model_id, told(before)) == (3, [])


def test_status_and_vacuum_from_the_command_line(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], double: Gate
) -> None:
    monkeypatch.setenv("BRAIN_BACKEND", "ollama")
    monkeypatch.setenv("OLLAMA_HOST", double.host)
    monkeypatch.setenv("BRAIN_EMBED_MODEL", OLD)
    flags = ["--docs", str(docs), "--db", str(tmp_path / "i.db"), "--json"]
    assert main(["--sync", *flags]) == 0
    monkeypatch.setenv("BRAIN_EMBED_MODEL", NEW)
    capsys.readouterr()
    assert main(["--status", *flags]) == 0
    status = json.loads(capsys.readouterr().out)["status"]
    assert [row["state"] for row in status["models"]] == ["answers", "not complete yet"]
    assert "is complete" in status["moving"]
    assert status["models"][1]["missing"] == status["chunks"]
    assert main(["--sync", "--status", *flags]) == 0
    status = json.loads(capsys.readouterr().out)["status"]
    assert [row["state"] for row in status["models"]] == ["answered before", "answers"]
    assert "moving" not in status
    assert main(["--vacuum", "--drop-models", *flags]) == 0
    assert json.loads(capsys.readouterr().out)["vacuum"]["dropped"] == [f"ollama/{OLD}"]


def test_the_limit_of_the_new_model_is_measured_or_told(opened: Callable[..., Index]) -> None:
    before, index = opened(OLD), opened(NEW)
    before.sync()
    made = Calibration(0.4, 0.5, "x", before.store.chunk_count(), {"answerable": 9})
    before.store.calibrate(1, made.as_json())
    assert index.searcher().limit.min_score == pytest.approx(0.4), "of the one that answers"
    assert not index.needs_limit()
    index.sync()
    assert index.needs_limit()
    assert "limit_not_calibrated" in [problem.code for problem in ask(index).problems]
