"""Files that are no plain text: the process that converts them, its limits, receipts, and citations by place."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import docx
import pptx
import pytest

import chunk as chunking
import doctor
import store as store_module
from answer import Assistant
from answering.show import as_text, checks_as_text
from chunk import split
from config import Settings, load
from models import Models
from search import Index
from service.documents import document_lines
from sources import formats
from sources.folder import FolderSource
from sources.formats import MODULES, NEEDS, Converted, Limits, Unreadable, ending_of, lacking
from sources.formats.child import MEMORY_IS_LIMITED, Bounds, Worker
from sources.formats.place import joined, over, packed, unpacked
from store import Store
from tests.conftest import SAMPLE, HashEmbedder, age, caller, write
from tests.test_pdf import drawn, pdf

ROOT = Path(__file__).resolve().parents[1]
HOSTILE = "tests.hostile.converters"


@contextlib.contextmanager
def worker(seconds: float = 20.0, memory_mb: float = 400.0, characters: int = 1000) -> Iterator[Worker]:
    with Worker(Bounds(Limits(10, characters), seconds, memory_mb), HOSTILE) as made:
        yield made


@pytest.fixture(scope="module")
def shared() -> Iterator[Worker]:
    with worker() as made:
        yield made


def reason(made: Worker, order: str) -> str:
    with pytest.raises(Unreadable) as refused:
        made.convert(order.encode(), "x.pdf")
    return str(refused.value)


# --- places ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [
        ("p12", "p12", "p12"),
        ("p12", "p13", "p12-13"),
        ("p12-13", "p15", "p12-15"),
        ("p9", "p10", "p9-10"),
        ("p13", "p12", "p12-13"),
        ("slide 4", "slide 6", "slide 4-6"),
        ("cell 7", "cell 7", "cell 7"),
        ("¶14", "¶20", "¶14-20"),
        ("L12", "L20", "L12-20"),
        ("Budget!A5:D5", "Budget!A9:F9", "Budget!A5:F9"),
        ("Budget!A5", "Budget!A9", "Budget!A5:A9"),
        ("Q1 2025!B2:C2", "Q1 2025!AA10", "Q1 2025!B2:AA10"),
        ("Budget!A5:D5", "Costs!A9:F9", "Budget!A5:D5 to Costs!A9:F9"),
        ("p3", "slide 4", "p3 to slide 4"),
        ("", "p3", "p3"),
        ("p3", "", "p3"),
        ("", "", ""),
    ],
)
def test_places_are_joined(first: str, last: str, told: str) -> None:
    assert joined(first, last) == told


def test_places_of_lines_are_stored_as_runs() -> None:
    places = ("p1", "p1", "", "p2", "p2", "p2")
    assert unpacked(packed(places)) == places
    assert packed(("", "")) == "" == packed(())
    assert unpacked("") == ()
    assert over(places) == "p1-2"
    assert over(("", "p2", "")) == "p2"
    assert over(()) == ""


def test_what_is_converted_has_no_front_matter() -> None:
    text = "---\ntitle: Forged\n---\n\n# Real\n\nText.\n"
    assert split(text, "a.md").title == "Forged"
    assert split(text, "a.pdf", meta={}).title != "Forged"
    assert split(text, "a.pdf", meta={"title": "Told"}).title == "Told"


# --- the process ----------------------------------------------------------------------------------------------------


def test_one_child_converts_many_files_and_a_new_one_comes_after_some_hundred(
    shared: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = {shared.convert(b"pid", "x.pdf").text for _ in range(5)}
    assert len(pids) == 1
    monkeypatch.setattr("sources.formats.child._MOST_FILES", 3)
    assert shared.convert(b"pid", "x.pdf").text not in pids


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("exception", "could not be read (ValueError: line one line two)"),
        ("encrypted", "is encrypted"),
        ("deep", "is nested too deeply"),
        ("bomb", "its text is longer than 0.001 MB (BRAIN_MAX_FILE_MB)"),
        ("exit", "ended the process that read it (exit 0): it is broken, or needs more than 400 MB"),
        ("crash", f"ended the process that read it (signal {int(signal.SIGABRT)})"),
        ("no number", "ended the process that read it"),
    ],
)
def test_a_bad_file_costs_its_own_entry_alone(shared: Worker, order: str, told: str) -> None:
    assert told in reason(shared, order)
    assert shared.convert(b"fine", "x.pdf").places == ("p1",)


@pytest.mark.parametrize("order", ["loop", "sleep"])
def test_a_file_that_takes_too_long_is_ended(order: str) -> None:
    with worker(seconds=0.4) as made:
        assert reason(made, order) == "takes longer than 0.4 s (BRAIN_FILE_SECONDS)"
        assert made.convert(b"fine", "x.pdf").places == ("p1",)


@pytest.mark.skipif(not MEMORY_IS_LIMITED, reason="this system does not limit a process's memory")
def test_a_file_that_needs_too_much_memory_is_ended() -> None:
    with worker(memory_mb=300) as made:
        assert reason(made, "memory") == "needs more than 300 MB of memory (BRAIN_FILE_MEMORY_MB)"
        assert made.convert(b"fine", "x.pdf").places == ("p1",)


@pytest.mark.skipif(not MEMORY_IS_LIMITED, reason="this system does not limit a process's memory")
def test_what_an_earlier_file_left_in_the_child_is_not_charged_to_a_later_one() -> None:
    with worker(memory_mb=350) as made:
        first = made.convert(b"keep", "x.pdf").text
        assert made.convert(b"need", "x.pdf").text != first


@pytest.mark.parametrize("order", ["chatter", "interrupted"])
def test_noise_and_ctrl_c_do_not_break_the_protocol(shared: Worker, order: str) -> None:
    assert shared.convert(order.encode(), "x.pdf").places == ("p1",)


def test_what_the_child_says_is_not_taken_on_trust(shared: Worker) -> None:
    got = shared.convert(b"lie", "x.pdf")
    assert got.text == "one\ntwo\nthree?\n"
    assert got.places == ("p1", "p1", "p1")
    assert got.meta == {"title": "?"}
    assert len(got.notes[0]) < 1000


def test_the_child_is_told_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "secret")
    with worker() as made:
        names = made.convert(b"environment", "x.pdf").text.split()
    assert "PATH" in names
    assert "SOME_API_KEY" not in names


def test_a_large_file_goes_through_the_pipe(shared: Worker) -> None:
    assert shared.convert(b"fine\n" + bytes(20_000_000), "x.pdf").places == ("p1",)


AT_WORK = """
import sys
import commandline
from sources.formats import Limits
from sources.formats.child import Bounds, Worker

def main(argv):
    with Worker(Bounds(Limits(1, 1000), 60, 400), "tests.hostile.converters") as made:
        print(made.convert(b"pid", "x.pdf").text, end="", flush=True)
        made.convert(sys.argv[1].encode(), "x.pdf")
    return 0

commandline.run(main)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    ("order", "number"), [("loop", signal.SIGKILL), ("sleep", signal.SIGKILL), ("loop", signal.SIGINT)]
)
def test_the_child_ends_with_its_parent(order: str, number: int) -> None:
    words = [sys.executable, "-c", AT_WORK, order]
    with subprocess.Popen(
        words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as parent:  # fmt: skip
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        time.sleep(0.1)
        if number == signal.SIGKILL:
            parent.kill()
        else:
            os.killpg(parent.pid, number)  # as a terminal does: the child hears it, too
        _, said = parent.communicate(timeout=20)
    assert "Traceback" not in said
    assert parent.returncode == (130 if number == signal.SIGINT else -signal.SIGKILL)
    end = time.monotonic() + 20
    while _lives(child):
        assert time.monotonic() < end, "the child outlived its parent"
        time.sleep(0.05)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")  # one whose parent is gone may wait for a while for the system to bury it
    with contextlib.suppress(OSError):
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    return True


# --- what a folder lists --------------------------------------------------------------------------------------------


def test_every_module_that_needs_something_is_one_that_is_there() -> None:
    for name in set(MODULES.values()):
        assert (ROOT / "sources" / "formats" / f"{name}.py").exists()
    assert [ending for ending in MODULES if lacking(ending)] == []


def test_a_folder_lists_what_can_be_read_and_says_what_cannot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, dict.fromkeys(("a.md", "B.PDF", "old.doc", "~$open.pdf", ".hidden.pdf", "photo.png"), "x"))
    source = FolderSource(tmp_path)
    assert sorted(entry.path for entry in source.entries()) == ["B.PDF", "a.md"]
    assert source.skipped() == [("old.doc", "is not read; save it as .docx")]
    monkeypatch.setitem(NEEDS, "pdf", ("a_module_that_is_not_there",))
    lacking.cache_clear()
    try:
        assert [entry.path for entry in source.entries()] == ["a.md"]
        assert ("B.PDF", "needs pip install '.[formats]'") in source.skipped()
    finally:
        lacking.cache_clear()


@pytest.mark.parametrize(("path", "ending"), [("a/B.PDF", ".pdf"), ("a.b/c", ""), ("x.tar.gz", ".gz"), (".pdf", "")])
def test_the_ending_decides(path: str, ending: str) -> None:
    assert ending_of(path) == ending


# --- a sync ---------------------------------------------------------------------------------------------------------

FILLER = "The garden committee meets in the small room and speaks of roses, hedges and the pond"


@pytest.fixture(scope="session")
def thirty() -> bytes:
    """30 pages of running text; pages 2 and 27 hold a word that stands nowhere else."""
    pages = []
    for number in range(1, 31):
        lines = [f"{FILLER} of plot {number}{line:02}." for line in range(8)]
        if number == 2:
            lines.append("The zeppelin hangar opens at seven in the morning.")
        if number == 27:
            lines.append("The submarine dock closes at nine in the evening.")
        pages.append([(60, 760 - 18 * n, line) for n, line in enumerate(lines)])
    return drawn(pages)


@pytest.fixture(scope="session")
def scanned() -> bytes:
    return pdf(["", ""], picture=True)


@pytest.fixture
def mixed(tmp_path: Path, scanned: bytes) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    bomb = pdf([" " * 30_000_000], packed=True)
    files: dict[str, str | bytes] = {
        "leave.md": "# Leave\n\nStaff get 28 days of annual leave.\n",
        "empty.md": "",
        "pages.pdf": drawn([[(60, 700, f"Word {n}.")] for n in "abc"]),
        "scan.pdf": scanned,
        "half.pdf": drawn(
            [[(60, 700, "The ferry leaves from pier nine.")], [], [(60, 700, "It is blue.")]], picture=True
        ),
        "broken.pdf": b"%PDF-1.7 nothing more",
        "nothing.pdf": b"",
        "bomb.pdf": bomb,
        "old.doc": b"x",
    }
    write(folder, files)
    return folder


def test_a_sync_of_mixed_files_adds_up(mixed: Path, make_index: Callable[..., Index]) -> None:
    index = make_index(mixed, HashEmbedder())
    summary = index.sync()
    left_out = dict(index.store.left_out())
    assert left_out == {
        "bomb.pdf": "0 characters, not indexed (scanned? it has 1 page without text)",
        "broken.pdf": "is broken: its pages cannot be found",
        "empty.md": "is empty",
        "nothing.pdf": "is empty",
        "old.doc": "is not read; save it as .docx",
        "scan.pdf": "0 characters, not indexed (scanned? it has 2 pages without text)",
    }
    receipts = {receipt.path: receipt for receipt in index.store.receipts()}
    listed = {entry.path for entry in index.source.entries()} | {path for path, _ in index.source.skipped()}
    assert set(receipts) | set(dict(index.store.left_out())) == listed
    assert set(receipts).isdisjoint(dict(index.store.left_out()))
    assert receipts["leave.md"].format == "md"
    assert receipts["leave.md"].characters == len("# Leave\n\nStaff get 28 days of annual leave.\n")
    assert receipts["pages.pdf"].chunks == 1
    assert receipts["half.pdf"].notes == ("page 2 has no text (scanned?)",)
    assert summary.notes == [("half.pdf", "page 2 has no text (scanned?)")]
    assert summary.warnings == 1 + sum(why != "is empty" for why in dict(index.store.left_out()).values())
    assert dict(summary.left_out) == {path: why for path, why in left_out.items() if why != "is empty"}
    assert index.sync().notes == summary.notes  # told each time, not only when it was read


def test_kinds_that_nothing_reads_are_counted_by_ending(
    tmp_path: Path, make_index: Callable[..., Index], capsys: pytest.CaptureFixture[str]
) -> None:
    docs = tmp_path / "docs"
    unknown = (
        "b/1.msg",
        "b/2.MSG",
        "c.xlsb",
        "photo.png",
        "all.zip",
        "notes.json",
        "README",
        ".hidden.log",
        "lost.log",
    )
    write(docs, {"a.md": SAMPLE["leave.md"], ".gitignore": "lost.log\n", **dict.fromkeys(unknown, "x")})
    write(docs, {"slack/users.json": "[]", "slack/channels.json": "[]", "slack/general/pins.json": "[]"})
    index = make_index(docs, HashEmbedder())
    summary = index.sync()
    counted = {".msg": 2, ".xlsb": 1, ".png": 1, ".zip": 1, ".json": 1, "": 1}
    assert (summary.not_looked_at, index.store.not_looked_at()) == (counted, counted)
    assert (summary.skipped, index.store.left_out(), summary.warnings) == ([], [], 0)
    generation = index.store.generation()
    index.sync()
    assert index.store.generation() == generation, "what is the same is not written again"
    line = "7 files (.msg 2, no ending 1, .json 1, .png 1, .xlsb 1, .zip 1)"
    flags = ["--docs", str(docs), "--db", str(tmp_path / "own.db")]
    assert store_module.main([*flags, "--sync", "--receipts"]) == 0
    assert capsys.readouterr().out.count(f"not_looked_at: {line}\n") == 2
    assert store_module.main([*flags, "--sync", "--receipts", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["sync"]["not_looked_at"], told["receipts"]["not_looked_at"]) == (counted, counted)
    doctor.main(flags)
    assert f"{line}: nothing here reads such" in " ".join(capsys.readouterr().out.split())
    for name in unknown:
        (docs / name).unlink()
    index.sync()
    assert index.store.not_looked_at() == {}


@pytest.mark.parametrize(("ending", "kind"), [(".docx", "word.document"), (".pptx", "powerpoint.presentation")])
def test_a_file_with_macros_is_read_as_one_without(tmp_path: Path, ending: str, kind: str) -> None:
    plain, macros = tmp_path / f"a{ending}", tmp_path / f"a{ending[:-1]}m"
    if ending == ".docx":
        letter = docx.Document()
        letter.add_paragraph("The ferry leaves from pier nine.")
        letter.save(str(plain))
    else:
        deck = pptx.Presentation()
        deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "The ferry leaves from pier nine."
        deck.save(str(plain))
    with zipfile.ZipFile(plain) as before, zipfile.ZipFile(macros, "w") as after:
        for name in before.namelist():
            data = before.read(name)
            if name == "[Content_Types].xml":
                data = re.sub(rb"[\w./-]*vnd\.openxml[\w.-]*\.(document|presentation)\.main\+xml",
                              f"application/vnd.ms-{kind}.macroEnabled.main+xml".encode(), data)  # fmt: skip
                assert b"macroEnabled" in data
            after.writestr(name, data)
        after.writestr(f"{kind.split('.')[0]}/vbaProject.bin", b"\xd0\xcf\x11\xe0 a macro")
    convert = import_module(f"sources.formats.{MODULES[macros.suffix]}").convert
    found = convert(macros.read_bytes(), macros.name, Limits(10, 10_000))
    assert found.text == convert(plain.read_bytes(), plain.name, Limits(10, 10_000)).text
    assert "pier nine" in found.text


def test_a_number_of_a_converted_file_is_shown_without_the_backslash_before_it(
    tmp_path: Path, make_index: Callable[..., Index]
) -> None:
    letter = docx.Document()
    letter.add_paragraph("2. Response: the ferry desk answers within four hours.")
    letter.save(str(tmp_path / "sla.docx"))
    write(tmp_path, {"raw.md": "# Raw\n\n3\\. Refunds: the refund desk answers within nine hours.\n"})
    index = make_index(tmp_path, HashEmbedder(), min_score=0.1)
    index.sync()
    answer, _ = Assistant(index).ask(caller(), "the ferry desk answers within hours")
    (source,) = [one for one in answer.sources if one.place]
    assert source.quote == "2\\. Response: the ferry desk answers within four hours.", "byte for byte"
    for told in (as_text(answer), checks_as_text(answer)):
        assert "2. Response: the ferry" in told
        assert "2\\." not in told
    answer, _ = Assistant(index).ask(caller(), "the refund desk answers within nine hours")
    assert "    3\\. Refunds" in as_text(answer), "a text file is shown as it stands"


def test_what_cannot_be_converted_is_not_tried_again_until_it_changes(
    mixed: Path, make_index: Callable[..., Index], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    convert = Worker.convert

    def seen(self: Worker, data: bytes, name: str) -> Converted:
        tried.append(name)
        return convert(self, data, name)

    monkeypatch.setattr(Worker, "convert", seen)
    index = make_index(mixed)
    first = index.sync().skipped
    assert {"broken.pdf", "scan.pdf", "pages.pdf"} <= set(tried)
    tried.clear()
    generation = index.store.connection().execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
    assert index.sync().skipped == first
    assert tried == []
    assert index.store.connection().execute("SELECT value FROM meta WHERE key = 'generation'").fetchone() == generation
    index.sync(retry_refused=True)  # by hand: a slow machine may have been the reason
    assert {"broken.pdf", "scan.pdf"} <= set(tried)
    assert "pages.pdf" not in tried
    tried.clear()
    write(mixed, {"broken.pdf": drawn([[(60, 700, "It was mended.")]])})
    index.sync()
    assert tried == ["broken.pdf"]
    assert "broken.pdf" not in dict(index.store.left_out())


def test_what_could_not_be_read_for_a_while_is_tried_again(
    mixed: Path, make_index: Callable[..., Index], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock of Windows, a right that was lacking, a share: the file itself is as it was when that has passed."""

    def fails(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    index = make_index(mixed)
    for of, name in ((FolderSource, "read"), (subprocess, "Popen")):
        path = f"{name}.pdf"
        write(mixed, {path: drawn([[(60, 700, f"The word is {name}.")]])})
        age(mixed / path)
        with monkeypatch.context() as patched:
            patched.setattr(of, name, fails)
            assert "Permission denied" in dict(index.sync().skipped)[path]
        index.sync()
        assert path not in dict(index.store.left_out())


def test_a_file_that_went_bad_leaves_nothing_behind(mixed: Path, make_index: Callable[..., Index]) -> None:
    index = make_index(mixed)
    index.sync()
    write(mixed, {"pages.pdf": b"%PDF-1.7 cut off"})
    assert ("pages.pdf", "is broken: its pages cannot be found") in index.sync().skipped
    assert "pages.pdf" not in [receipt.path for receipt in index.store.receipts()]
    assert index.store.connection().execute("SELECT count(*) FROM texts").fetchone() == (1,)  # half.pdf


def test_limits_come_from_the_settings(mixed: Path, make_index: Callable[..., Index]) -> None:
    index = make_index(mixed, max_pages=2, max_document_mb=0.001)
    told = dict(index.sync().skipped)
    assert told["pages.pdf"] == "is larger than 0.001 MB (BRAIN_MAX_DOCUMENT_MB)"
    index = make_index(mixed, max_pages=2)
    assert dict(index.sync().skipped)["pages.pdf"] == "has 3 pages, more than 2 (BRAIN_MAX_PAGES)"


def test_no_process_starts_where_nothing_is_converted(
    docs: Path, make_index: Callable[..., Index], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Worker, "_start", lambda self: pytest.fail("a process was started"))
    assert make_index(docs).sync().added == 4


# --- citations ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def paged(tmp_path_factory: pytest.TempPathFactory, thirty: bytes) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("paged") / "docs"
    folder.mkdir()
    write(folder, {"report.pdf": thirty, "copy.md": "# Copy\n\nThe ferry leaves from pier nine.\n"})
    (folder.parent / "empty.toml").touch()
    flags = {"docs_dir": folder, "db": folder.parent / "i.db", "min_score": 0.1, "min_coverage": 0.3}
    settings = load(flags, {"BRAIN_CONFIG": str(folder.parent / "empty.toml")})
    with Index(settings, Models(HashEmbedder(), None, ""), FolderSource(folder), Store(settings.db)) as index:
        index.sync()
        yield index


@pytest.mark.parametrize(
    ("question", "place"),
    [("When does the zeppelin hangar open?", "p2"), ("When does the submarine dock close?", "p27")],
)
def test_a_citation_names_the_page(paged: Index, question: str, place: str) -> None:
    from answering.events import Searched
    from answering.show import as_text, checks_as_text

    told: list[Any] = []
    answer, found = Assistant(paged).ask(caller(), question, tell=told.append)
    (source,) = answer.sources
    assert source.place == place
    assert f"report.pdf:{place} (" in as_text(answer)
    assert f"report.pdf:{place}\n" in checks_as_text(answer)
    assert answer.claims[0].evidence[0].place == place
    first, last = (int(n) for n in source.lines[1:].split("-"))
    shown = document_lines(paged, caller(), "report.pdf", first, last)
    assert source.quote in shown.text
    at = shown.text[: shown.text.index(source.quote)].count("\n")
    assert shown.places[at] == place
    assert len(shown.places) == shown.text.count("\n") + 1
    looked = next(event for event in told if isinstance(event, Searched))
    assert place in looked.passages[0].place
    assert found.hits[0].chunk.place == over(found.hits[0].chunk.places) != ""


def test_lines_that_no_passage_holds_are_shown_from_what_was_read(
    tmp_path: Path, make_index: Callable[..., Index]
) -> None:
    page = [
        (60, 780, "Travel policy", 22),
        (60, 740, "Booking", 16),
        (60, 700, "Ask your lead before you go."),
    ]
    write(tmp_path, {"policy.pdf": drawn([page])})
    index = make_index(tmp_path, HashEmbedder())
    index.sync()
    assert index.store.chunk_count() == 1  # the first heading has no text of its own
    shown = document_lines(index, caller(), "policy.pdf", 1, 9)
    assert shown.text == "# Travel policy\n\n## Booking\n\nAsk your lead before you go."
    write(tmp_path, {"policy.pdf": b"gone"})
    assert document_lines(index, caller(), "policy.pdf", 1, 1).text == "# Travel policy"  # nothing is converted again


def test_plain_text_keeps_its_lines(paged: Index) -> None:
    answer, _ = Assistant(paged).ask(caller(), "Where does the ferry leave from?")
    assert (answer.sources[0].place, answer.sources[0].cited) == ("", "L1-3")
    assert document_lines(paged, caller(), "copy.md", 1, 3).places == []


def test_both_sides_of_a_disagreement_have_their_place(tmp_path: Path, make_index: Callable[..., Index]) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    write(folder, {
        "old.pdf": drawn([[(60, 700, "First page.")], [(60, 700, "The notice period for employees is 30 days.")]]),
        "new.md": "# Notice\n\nThe notice period for employees is 60 days.\n",
    })  # fmt: skip
    index = make_index(folder, HashEmbedder(), min_score=0.1)
    index.sync()
    answer, _ = Assistant(index).ask(caller(), "How long is the notice period for employees?")
    (conflict,) = answer.conflicts
    assert {(side.value, side.place) for side in conflict.sides} == {("30 days", "p2"), ("60 days", "")}


def test_the_same_words_elsewhere_are_named_by_their_page(tmp_path: Path, make_index: Callable[..., Index]) -> None:
    text = "The night train to Vienna leaves from platform nine at half past ten."
    folder = tmp_path / "docs"
    folder.mkdir()
    write(folder, {"a.pdf": drawn([[(60, 700, "Cover.")], [(60, 700, text)]]), "b.md": f"{text}\n"})
    index = make_index(folder, HashEmbedder(), min_score=0.1)
    index.sync()
    hits = index.searcher().search(caller(), "night train to Vienna").hits
    assert {hit.chunk.path for hit in hits} | {place for hit in hits for place in hit.also} >= {"b.md"}
    told = [f"{hit.chunk.path}:{hit.chunk.cited}" for hit in hits] + [place for hit in hits for place in hit.also]
    assert any(one.startswith("a.pdf:p") for one in told)


# --- the commands ---------------------------------------------------------------------------------------------------


def test_chunk_shows_a_pdf_with_its_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"r.pdf": drawn([[(60, 700, "The ferry leaves.")], [(60, 700, "It is blue.")]]), "b.pdf": b"no"})
    assert chunking.main([str(tmp_path / "r.pdf")]) == 0
    assert "L1-3 p1-2  R\n  | The ferry leaves." in capsys.readouterr().out
    assert chunking.main([str(tmp_path / "r.pdf"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["chunks"][0]["place"] == "p1-2"
    assert chunking.main([str(tmp_path / "b.pdf")]) == 2
    assert "b.pdf cannot be read: is no PDF: it does not begin as one." in capsys.readouterr().err


def test_store_tells_receipts_and_warnings(
    mixed: Path,
    make_settings: Callable[..., Settings],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings = make_settings(mixed, backend="embedded", min_score=0.5)
    monkeypatch.setattr("commandline.settings_of", lambda args: settings)
    monkeypatch.setattr("search.pick", lambda settings: _no_models())
    assert store_module.main(["--sync", "--receipts"]) == 0
    told = capsys.readouterr().out
    assert "half.pdf: page 2 has no text (scanned?)" in told
    assert "warnings: 5" in told or "warnings: 6" in told
    assert "half.pdf: pdf, " in told
    assert "1 chunks out; page 2 has no text (scanned?)" in told
    assert "scan.pdf: 0 characters, not indexed" in told
    assert store_module.main(["--receipts", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert set(report) == {"receipts"}
    assert {row["path"] for row in report["receipts"]["indexed"]} >= {"leave.md", "pages.pdf", "half.pdf"}


def _no_models() -> Models:
    return Models(None, None, "")


def test_an_older_index_is_read_again(docs: Path, make_index: Callable[..., Index]) -> None:
    index = make_index(docs)
    index.sync()
    index.store.connection().execute("UPDATE documents SET recipe = '5/900/no-units', format = '', characters = 0")
    assert index.sync().changed == 4
    assert {receipt.format for receipt in index.store.receipts()} == {"md", "txt"}
    assert formats.MODULES[".pdf"] == "pdf"
