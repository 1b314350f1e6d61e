"""An index is copied, put back, looked through and made smaller while it is in use, and nothing is ever half."""

import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import commandline
from commandline import quoted
from errors import IndexMismatch, StoreBusy, StoreError, UsageError
from search import Index
from storage import care
from storage.examine import examine
from storage.lock import locked
from store import Store, main
from tests.conftest import HashEmbedder, caller, mounted, searched_as_stored, write

MakeIndex = Callable[..., Index]
ROOT = Path(__file__).parents[1]
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and modes of POSIX")


def child(program: str, *arguments: object) -> subprocess.Popen[str]:
    """A process of its own that runs this Python."""
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)], cwd=ROOT, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def paths(index: Path) -> set[str]:
    with contextlib.closing(sqlite3.connect(index)) as connection:
        return {row[0] for row in connection.execute("SELECT path FROM documents")}


def found(index: Index, question: str = "annual leave after one year") -> list[tuple[str, float | None]]:
    hits = index.searcher().search(caller(), question, 50).hits
    return [(hit.chunk.path, hit.score) for hit in hits]


def damage(path: Path) -> None:
    """Other bytes over two thirds of the file's middle, as a bad disk leaves them."""
    size = path.stat().st_size
    with path.open("rb+") as file:
        file.seek(size // 6)
        file.write(os.urandom(size * 2 // 3))


@pytest.fixture
def index(docs: Path, make_index: MakeIndex) -> Index:
    made = make_index(docs, HashEmbedder())
    made.sync()
    return made


# --- backup -------------------------------------------------------------------------------------------------------


def test_a_backup_is_one_whole_file_for_its_owner(index: Index, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    target = tmp_path / "saved" / "b.db"
    target.parent.mkdir()
    done = care.backup(index.store.path, target, progress=lambda done, total, name: told.append((done, total)))
    assert (done.documents, done.file, done.docs_root) == (4, str(target), index.source.root)
    assert told[-1][0] == told[-1][1] > 10
    assert os.listdir(target.parent) == ["b.db"]
    if sys.platform != "win32":
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert examine(target) == []
    store = Store(target)
    assert searched_as_stored(store)
    store.close()


WRITER = """
import sys; from pathlib import Path
from models import Models; from sources.folder import FolderSource; from store import Store
from tests.conftest import HashEmbedder, write; import search; from config import load
docs, db = map(Path, sys.argv[1:])
settings = load({"docs_dir": docs, "db": db}, {})
index = search.Index(settings, Models(HashEmbedder(), None, ""), FolderSource(docs), Store(db))
round = 0
while True:
    for number in range(6):
        write(docs, {f"{number}.md": f"# Page {number}\\n\\nIn round {round} page {number} has changed.\\n"})
    index.sync()
    round += 1
    print(round, flush=True)
"""


@pytest.mark.slow
def test_backups_during_a_sync_of_another_process(index: Index, docs: Path, tmp_path: Path) -> None:
    """Each copy is of one moment: whole documents, and rows that fit each other."""
    with child(WRITER, docs, index.store.path) as writer:
        try:
            assert writer.stdout
            writer.stdout.readline()
            seen = set()
            for number in range(8):
                target = tmp_path / f"{number}.db"
                assert care.backup(index.store.path, target).documents >= 4
                assert examine(target) == []
                seen.add(target.read_bytes())
                assert found(index), "and questions are answered meanwhile"
            assert len(seen) > 1, "the sync went on"
            assert writer.poll() is None
        finally:
            writer.kill()
            writer.communicate()
    assert not list(tmp_path.glob("*.part*"))


def test_what_is_there_stays_unless_told(index: Index, tmp_path: Path) -> None:
    target = tmp_path / "b.db"
    target.write_text("mine")
    with pytest.raises(UsageError, match=r"is there already.*--force"):
        care.backup(index.store.path, target)
    assert target.read_text() == "mine"
    care.backup(index.store.path, target, force=True)
    assert examine(target) == []


@pytest.mark.parametrize("end", ["", "-wal", ".lock"])
def test_a_backup_is_never_written_over_the_index(index: Index, end: str) -> None:
    with pytest.raises(UsageError, match="belongs to the index itself"):
        care.backup(index.store.path, Path(f"{index.store.path}{end}"), force=True)
    assert examine(index.store.path) == []


def test_a_folder_that_is_missing_is_told(index: Index, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no folder"):
        care.backup(index.store.path, tmp_path / "none" / "b.db")


def test_a_damaged_index_is_not_backed_up(index: Index, tmp_path: Path) -> None:
    target = tmp_path / "b.db"
    care.backup(index.store.path, target)
    before = target.read_bytes()
    index.store.close()
    damage(index.store.path)
    with pytest.raises(StoreError, match="damaged"):
        care.backup(index.store.path, target, force=True)
    assert target.read_bytes() == before
    assert not list(tmp_path.glob("*.part*"))


LIMITED = """
import resource, sys; from pathlib import Path
from storage.care import backup; from errors import StoreError
size = Path(sys.argv[1]).stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, size // 2))
try:
    backup(Path(sys.argv[1]), Path(sys.argv[2]), force=True)
except StoreError as error:
    print(error)
"""


@posix
def test_a_file_that_cannot_grow_leaves_the_former_backup(index: Index, tmp_path: Path) -> None:
    target = tmp_path / "b.db"
    care.backup(index.store.path, target)
    index.store.close()
    before = target.read_bytes()
    with child(LIMITED, index.store.path, target) as process:
        out, err = process.communicate(timeout=60)
    assert "was not written" in out, err
    assert "as it was" in out
    assert target.read_bytes() == before
    assert not list(tmp_path.glob("*.part*"))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MB."""
    with mounted(tmp_path / "disk", "1000k") as place:
        yield place


def test_a_full_disk_is_told(index: Index, small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (small_disk / "other").write_bytes(bytes(900_000))
    with pytest.raises(StoreError, match=r"MB are needed, 0\.1 MB are free"):
        care.backup(index.store.path, small_disk / "b.db")
    (small_disk / "other").unlink()
    monkeypatch.setattr(care, "_PAGES", 8)

    def fill(done: int, total: int, name: str) -> None:
        if not (small_disk / "other").exists():
            (small_disk / "other").write_bytes(bytes(900_000))

    with pytest.raises(StoreError, match="was not written: database or disk is full"):
        care.backup(index.store.path, small_disk / "b.db", progress=fill)
    assert os.listdir(small_disk) == ["other"]


# --- restore ------------------------------------------------------------------------------------------------------


def test_a_restore_into_an_index_in_use(index: Index, docs: Path, tmp_path: Path) -> None:
    """What was open before sees the restored content, as a process that is started afterwards does."""
    saved = tmp_path / "b.db"
    before = found(index)
    care.backup(index.store.path, saved)
    (docs / "leave.md").unlink()
    write(docs, {"new.md": "# New\n\nAnnual leave is told elsewhere now.\n", "zh.md": "# 报销\n\n别的。\n"})
    index.sync()
    changed = found(index)
    assert changed != before
    done = care.restore(index.store.path, saved, index.source.root)
    assert (done.documents, done.how) == (4, "into the index in use")
    assert found(index) == before
    assert examine(index.store.path) == []
    index.sync()
    assert found(index) == changed
    assert searched_as_stored(index.store)


def test_a_restore_of_another_line_of_documents_and_models(
    index: Index, docs: Path, make_index: MakeIndex, tmp_path: Path
) -> None:
    """The same numbers mean other documents, passages and models in it."""
    found(index)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    write(elsewhere, {f"{n}.md": f"# Page {n}\n\nAnnual leave after {n} years.\n" for n in range(9)})
    other = make_index(elsewhere, HashEmbedder("first"), db=tmp_path / "other.db")
    other.sync()
    both = make_index(elsewhere, HashEmbedder(), db=tmp_path / "other.db")
    both.sync()
    expected = found(both)
    care.backup(tmp_path / "other.db", tmp_path / "b.db")
    for rebind, force in ((False, False), (True, False), (False, True)):  # its own folder is there
        with pytest.raises(IndexMismatch, match=rf"Run: .* --docs {re.escape(quoted(elsewhere))} --restore"):
            care.restore(index.store.path, tmp_path / "b.db", index.source.root, rebind=rebind, force=force)
    shutil.move(elsewhere, tmp_path / "moved")
    with pytest.raises(IndexMismatch, match="have moved"):
        care.restore(index.store.path, tmp_path / "b.db", index.source.root)
    care.restore(index.store.path, tmp_path / "b.db", index.source.root, rebind=True)
    assert found(index) == expected
    index.sync()
    assert paths(index.store.path) == {"leave.md", "travel/expenses.md", "travel/vpn.txt", "zh.md"}


def test_a_restore_gives_up_nothing_unasked(index: Index, docs: Path, make_index: MakeIndex, tmp_path: Path) -> None:
    """Neither what people said since, nor the index of another folder."""
    saved, root = tmp_path / "b.db", index.source.root
    care.backup(index.store.path, saved)
    feedback = "INSERT INTO feedback VALUES ('{}', '', '', '', '', '', 'right', '', '', '', '', '', '', '', '', '', '')"
    for name in "ab":
        index.store.connection().execute(feedback.format(name))
    with pytest.raises(UsageError, match=r"2 judgements of answers in .* would be lost.*--force"):
        care.restore(index.store.path, saved, root)
    care.backup(index.store.path, tmp_path / "judged.db")
    assert care.restore(index.store.path, tmp_path / "judged.db", root).judgements == 2
    assert care.restore(index.store.path, saved, root, force=True).judgements_before == 2
    (tmp_path / "elsewhere").mkdir()
    write(tmp_path / "elsewhere", {"a.md": "# A\n\nAnnual leave.\n"})
    other = make_index(tmp_path / "elsewhere", HashEmbedder(), db=tmp_path / "other.db")
    other.sync()
    with pytest.raises(IndexMismatch, match=r"is the index of .*elsewhere"):
        care.restore(tmp_path / "other.db", saved, root)
    assert paths(tmp_path / "other.db") == {"a.md"}


def test_questions_during_a_restore_see_one_index_or_the_other(index: Index, docs: Path, tmp_path: Path) -> None:
    care.backup(index.store.path, tmp_path / "old.db")
    old = found(index)
    write(docs, {f"{n}.md": f"# Page {n}\n\nAnnual leave after {n} years.\n" for n in range(5)})
    index.sync()
    care.backup(index.store.path, tmp_path / "new.db")
    new = found(index)
    end, seen, failed = threading.Event(), [], []

    def ask() -> None:
        while not end.is_set():
            try:
                seen.append(found(index))
            except Exception as error:
                failed.append(error)
                return

    asking = [threading.Thread(target=ask) for _ in range(2)]
    for thread in asking:
        thread.start()
    for name in ("old", "new") * 3:
        care.restore(index.store.path, tmp_path / f"{name}.db", index.source.root)
    end.set()
    for thread in asking:
        thread.join()
    assert failed == []
    assert all(told in (old, new) for told in seen)


KILLED = """
import os, sys; from pathlib import Path
from storage import care

pytestmark = pytest.mark.sqlite
care._PAGES = 8
left = int(sys.argv[4])
def tell(done, total, name):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), 9)
care.restore(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], progress=tell)
print("done")
"""


@pytest.mark.slow
@posix
def test_killed_in_a_restore_the_index_is_the_old_or_the_new(index: Index, docs: Path, tmp_path: Path) -> None:
    care.backup(index.store.path, tmp_path / "b.db")
    write(docs, {"new.md": "# New\n\nA page more.\n"})
    index.sync()
    after, old, ended, steps = paths(index.store.path), paths(tmp_path / "b.db"), 0, 0
    while not ended:
        with child(KILLED, index.store.path, tmp_path / "b.db", index.source.root, steps) as process:
            out, err = process.communicate(timeout=60)
        ended = "done" in out
        assert ended or process.returncode == -signal.SIGKILL, err
        assert examine(index.store.path) == []
        assert paths(index.store.path) == (old if ended else after)
        found(index)
        steps += 6
    assert steps >= 18, "killed twice at least: in the copy and in the writing"


def test_a_damaged_index_is_replaced_and_kept_aside(index: Index, docs: Path, tmp_path: Path) -> None:
    care.backup(index.store.path, tmp_path / "b.db")
    index.store.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with index.store.path.open("rb+") as file:
        file.write(b"no database any more")
    done = care.restore(index.store.path, tmp_path / "b.db", index.source.root)
    assert (done.how, done.judgements_before) == ("in its place", None)
    assert examine(index.store.path) == []
    assert Path(f"{index.store.path}.damaged").read_bytes().startswith(b"no database any more")
    with pytest.raises(StoreError, match="Restart the program"):
        found(index)
    index.store.close()
    Store(index.store.path).close()
    assert examine(index.store.path) == []


def test_a_missing_index_is_restored(index: Index, tmp_path: Path) -> None:
    care.backup(index.store.path, tmp_path / "b.db")
    done = care.restore(tmp_path / "fresh.db", tmp_path / "b.db", index.source.root)
    assert done.how == "in its place"
    assert examine(tmp_path / "fresh.db") == []


def test_a_log_that_lies_about_is_not_played_into_a_file_that_comes_to_stand_there(
    index: Index, docs: Path, tmp_path: Path
) -> None:
    """As where a process was killed and its index deleted by hand, without the log."""
    saved, fresh, again = tmp_path / "b.db", tmp_path / "fresh.db", tmp_path / "again.db"
    care.backup(index.store.path, saved)
    before = paths(saved)
    write(docs, {"new.md": "# New\n\nThe gate code is 4711.\n"})
    index.sync()
    for made in (fresh, again):
        shutil.copy2(f"{index.store.path}-wal", f"{made}-wal")
    care.restore(fresh, saved, index.source.root)
    care.backup(fresh, again)
    assert paths(fresh) == paths(again) == before


def test_a_copy_made_by_hand_with_its_log(index: Index, docs: Path, tmp_path: Path) -> None:
    """Of a process that was killed: what it committed last stands in the log alone."""
    saved = tmp_path / "copy"
    saved.mkdir()
    for end in ("", "-wal"):
        shutil.copy2(f"{index.store.path}{end}", saved / f"index.db{end}")
    (docs / "zh.md").unlink()
    index.sync()
    assert care.restore(index.store.path, saved / "index.db", index.source.root).documents == 4
    assert examine(index.store.path) == []


def test_a_restore_onto_a_full_disk(index: Index, small_disk: Path, tmp_path: Path) -> None:
    care.backup(index.store.path, tmp_path / "b.db")
    shutil.copy2(tmp_path / "b.db", small_disk / "index.db")
    with contextlib.closing(sqlite3.connect(small_disk / "index.db")) as connection:
        connection.execute("DELETE FROM grants")
        connection.commit()
    with pytest.raises(StoreError, match="was not written"):
        care.restore(small_disk / "index.db", tmp_path / "b.db", index.source.root)
    with contextlib.closing(sqlite3.connect(small_disk / "index.db")) as connection:
        assert connection.execute("SELECT count(*) FROM grants").fetchone() == (0,), "the old one"
    assert examine(small_disk / "index.db") == []
    assert set(os.listdir(small_disk)) <= {"index.db", "index.db.lock"}


def test_a_restore_waits_for_no_sync(index: Index, tmp_path: Path) -> None:
    care.backup(index.store.path, tmp_path / "b.db")
    with locked(index.store.path, wait=False), pytest.raises(StoreBusy, match="syncing"):
        care.restore(index.store.path, tmp_path / "b.db", index.source.root)
    assert not list(tmp_path.glob("*.part*"))


def test_a_file_that_was_set_back_by_other_means(index: Index, docs: Path, tmp_path: Path) -> None:
    """As `sqlite3 FILE ".restore copy"` does: the state has an older number than the one in memory."""
    before = found(index)
    care.backup(index.store.path, tmp_path / "b.db")
    write(docs, {"new.md": "# New\n\nAnnual leave after one year.\n"})
    index.sync()
    assert found(index) != before
    with (
        contextlib.closing(sqlite3.connect(tmp_path / "b.db")) as saved,
        contextlib.closing(sqlite3.connect(index.store.path)) as live,
    ):
        saved.backup(live)
    assert found(index) == before


def test_only_a_whole_backup_of_ours_is_restored(index: Index, tmp_path: Path) -> None:
    root = index.source.root
    care.backup(index.store.path, tmp_path / "b.db")
    before = found(index)
    damage(tmp_path / "b.db")
    with contextlib.closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE mine (x)")
    (tmp_path / "text.db").write_text("a letter, and no database at all" * 100)
    (tmp_path / "empty.db").touch()
    for name, reason in {
        "b": "damaged", "other": "not one of ours", "text": "no backup of an index", "empty": "not", "none": "exist",
    }.items():  # fmt: skip
        with pytest.raises((StoreError, UsageError), match=reason):
            care.restore(index.store.path, tmp_path / f"{name}.db", root)
    with pytest.raises(UsageError, match="the index itself"):
        care.restore(index.store.path, index.store.path, root)
    assert found(index) == before


# --- verify -------------------------------------------------------------------------------------------------------

FAULTS = {
    "UPDATE documents SET sha256 = 'x' WHERE path = 'leave.md'": ("sha256", "leave.md"),
    "DELETE FROM chunks WHERE document_id IN (SELECT id FROM documents WHERE lang = 'zh')": ("no passage", "zh.md"),
    "UPDATE chunks SET last_line = last_line + 1 WHERE id = 1": ("says it has others", "leave.md:L"),
    "UPDATE chunks SET first_line = 1, last_line = last_line - first_line + 1 WHERE id = 2": ("overlap", "leave.md:L1"),
    "UPDATE chunks SET text = replace(text, 'Staff', 'Xtaff')": ("not the one that was embedded", "leave.md:L"),
    "UPDATE words SET terms = 'other words' WHERE rowid = 1": ("found by all of its words", "leave.md:L"),
    "INSERT INTO words (rowid, terms) VALUES (999, 'stray')": ("words of a passage that is not there", "chunk 999"),
    "UPDATE packed_chunks SET terms = zeroblob(length(terms))": ("packed passages", "leave.md"),
    "UPDATE packed_codes SET codes = zeroblob(length(codes))": ("packed vectors", "leave.md"),
    "DELETE FROM packed_codes": ("packed vectors", "leave.md"),
    "UPDATE vectors SET vector = zeroblob(256) WHERE id = 1": ("not of length 1", "vector 1"),
    "UPDATE vectors SET vector = zeroblob(8) WHERE id = 1": ("64 dimensions", "vector 1"),
    "INSERT INTO vectors (model_id, text_hash) VALUES (1, zeroblob(16))": ("no document holds", "model 1"),
    "UPDATE meta SET value = 'x' WHERE key = 'generation'": ("generation", "meta"),
    "INSERT INTO calibrations VALUES (1, '{')": ("limit cannot be read", "model 1"),
    "DELETE FROM documents WHERE path = 'zh.md'": ("a row of", "row"),
}  # fmt: skip


@pytest.mark.parametrize("sql", FAULTS)
def test_each_fault_is_found_and_told(index: Index, sql: str) -> None:
    assert examine(index.store.path) == []
    with contextlib.closing(sqlite3.connect(index.store.path)) as connection:  # without foreign keys
        connection.execute(sql)
        connection.commit()
    what, where = FAULTS[sql]
    faults = examine(index.store.path)
    assert any(what in fault.what and where in fault.where for fault in faults), faults
    assert all(fault.mends.startswith("python ") for fault in faults)


def test_damaged_pages_are_found(index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    index.store.close()
    before = sorted(os.listdir(index.store.path.parent))
    assert main(["--verify", "--db", str(index.store.path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verify"]["faults"] == []
    assert sorted(os.listdir(index.store.path.parent)) == before, "it only reads"
    damage(index.store.path)
    assert main(["--verify", "--db", str(index.store.path), "--json"]) == 2
    told = json.loads(capsys.readouterr().out)["verify"]["faults"]
    assert {fault["what"] for fault in told} == {"pages of the file are damaged"}


def test_nothing_is_made_by_looking(tmp_path: Path, docs: Path) -> None:
    for flag in ("--verify", "--vacuum"):
        with pytest.raises(UsageError, match="does not exist"):
            main([flag, "--docs", str(docs), "--db", str(tmp_path / "none.db")])
    assert not list(tmp_path.glob("none*"))


# --- vacuum -------------------------------------------------------------------------------------------------------


def test_a_vacuum_beside_a_reader(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {f"{n}.md": f"# Page {n}\n\n" + f"Words of page {n}. " * 40 for n in range(60)})
    index = make_index(docs, HashEmbedder(dimension=512))
    index.sync()
    for n in range(60):
        (docs / f"{n}.md").unlink()
    index.sync(allow_empty=True)
    index.store.connection().execute("INSERT INTO vectors (model_id, text_hash) VALUES (1, zeroblob(16))")
    before = found(index)
    with index.store.reader(caller()) as reader:
        other = Store(index.store.path)
        done = care.vacuum(other)
        assert reader.count == 6
        other.close()
    assert (done.orphans, done.megabytes_after < done.megabytes_before + 1) == (1, True)
    assert "when that has ended" in done.note
    again = care.vacuum(index.store)
    assert again.megabytes_after < done.megabytes_before / 2
    assert again.note == ""
    assert found(index) == before
    assert examine(index.store.path) == []


def test_after_a_vacuum_no_word_of_a_deleted_document_stands_in_the_file(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {f"{n}.md": f"# Page {n}\n\nThe ferry leaves on day {n}.\n" for n in range(30)})
    write(docs, {"gone.md": "# Gone\n\nThe ferry leaves for Xochimilcopolis.\n"})
    index = make_index(docs, HashEmbedder())
    index.sync()
    (docs / "gone.md").unlink()
    index.sync()
    assert b"xochimilcopoli" in index.store.path.read_bytes().lower() + _journal(index)
    care.vacuum(index.store)
    assert b"xochimilcopoli" not in index.store.path.read_bytes().lower() + _journal(index)


def _journal(index: Index) -> bytes:
    return Path(f"{index.store.path}-wal").read_bytes().lower()


# --- the command line ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (["--verify", "--sync"], "stands alone"),
        (["--verify", "--vacuum"], "stands alone"),
        (["--sync", "--force"], "--backup"),
        (["--status", "--drop-models"], "--vacuum"),
        (["--backup", ""], "--backup: '' is not a file"),
        (["--restore", "", "--force"], "--restore: '' is not a file"),
    ],
)
def test_flags_that_are_refused(flags: list[str], reason: str, docs: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=reason):
        main([*flags, "--docs", str(docs), "--db", str(tmp_path / "i.db")])


def test_backup_and_restore_from_the_command_line(
    index: Index, docs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ["--db", str(index.store.path), "--json"]
    assert main(["--backup", str(tmp_path / "b.db"), *common]) == 0
    assert json.loads(capsys.readouterr().out)["backup"]["documents"] == 4
    assert main(["--restore", str(tmp_path / "b.db"), "--docs", str(docs), *common]) == 0
    assert json.loads(capsys.readouterr().out)["restore"]["how"] == "into the index in use"
    vectors = index.store.connection().execute("SELECT vector FROM vectors").fetchall()
    assert all(abs(np.linalg.norm(np.frombuffer(row[0], "<f4")) - 1) < 1e-3 for row in vectors)


def test_what_verify_names_acts_on_the_same(
    index: Index, docs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index.store.connection().execute("INSERT INTO vectors (model_id, text_hash) VALUES (1, zeroblob(16))")
    assert main(["--verify", "--docs", str(docs), "--db", str(index.store.path)]) == 2
    assert f"python store.py --docs {quoted(docs)} --db {quoted(index.store.path)} --" in capsys.readouterr().out


@posix
def test_a_restore_without_the_folder_names_the_backups_own(index: Index, docs: Path, tmp_path: Path) -> None:
    """As typed: the command that the error names puts the backup back, and no other index is touched."""
    common = ["--db", str(index.store.path)]
    assert main(["--backup", str(tmp_path / "b.db"), "--docs", str(docs), *common]) == 0
    with pytest.raises(IndexMismatch) as raised:
        main(["--restore", str(tmp_path / "b.db"), *common])
    named = re.search(r"Run: python store\.py (.*?)\. Only", commandline.aimed(str(raised.value)))
    assert named
    assert main(shlex.split(named[1])) == 0
    assert paths(index.store.path) == {"leave.md", "travel/expenses.md", "travel/vpn.txt", "zh.md"}
