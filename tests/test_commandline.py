"""What every command shares: flags, exit codes, one sentence for an error, and no traceback for anything of ours."""

import argparse
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import answer
import commandline
import search
import store
from config import load
from errors import BadReply, BrainError, IndexMismatch, ModelError, SourceError, StoreBusy, StoreError, UsageError
from models import Models
from tests.conftest import HashEmbedder

ROOT = Path(__file__).resolve().parents[1]


def run(main: Any) -> int:
    with pytest.raises(SystemExit) as raised:
        commandline.run(main)
    assert isinstance(raised.value.code, int)
    return raised.value.code


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError, 2), (IndexMismatch, 2), (SourceError, 2), (StoreError, 2), (StoreBusy, 2), (BrainError, 2),
        (ModelError, 3), (BadReply, 3),
    ],
)  # fmt: skip
def test_an_error_is_one_line_and_a_code(
    capsys: pytest.CaptureFixture[str], error: type[BrainError], code: int
) -> None:
    def main(argv: Sequence[str] | None) -> int:
        raise error("What, where. Run: this")

    assert run(main) == code
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "error: What, where. Run: this\n")


@pytest.mark.parametrize("code", [0, 1, 4])
def test_a_command_s_own_code(code: int) -> None:
    assert run(lambda argv: code) == code


def test_interrupted(capsys: pytest.CaptureFixture[str]) -> None:
    def main(argv: Sequence[str] | None) -> int:
        raise KeyboardInterrupt

    assert run(main) == 130
    assert capsys.readouterr().err == "stopped\n"


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send")
@pytest.mark.parametrize("command", [["answer.py"], ["store.py"], ["server.py"], ["-m", "eval.feedback"]])
def test_interrupted_while_it_is_imported(command: list[str]) -> None:
    started = [sys.executable, "-X", "importtime", *command, "--help"]
    with subprocess.Popen(started, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        assert process.stderr
        told = []
        for line in process.stderr:
            told.append(line)
            if any(re.search(r"\| +commandline$", past) for past in told[:-1]):
                process.send_signal(signal.SIGINT)
                break
        told += process.stderr
    assert "Traceback" not in "".join(told)
    assert told[-1] == "stopped\n"
    assert process.returncode == 130


def test_a_fault_of_ours_is_no_exit_code() -> None:
    def main(argv: Sequence[str] | None) -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        commandline.run(main)


def test_flags_become_settings(tmp_path: Path) -> None:
    args = commandline.parser("Does.", "python x.py").parse_args(["--docs", str(tmp_path), "-k", "3", "--json"])
    settings = commandline.settings_of(args)
    assert (settings.docs_dir, settings.k, args.json, args.explain) == (tmp_path, 3, True, False)
    with pytest.raises(UsageError, match="-k: 0"):
        commandline.settings_of(argparse.Namespace(docs=None, db=None, k=0))


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        commandline.parser("Does.", "python x.py --y").parse_args(["--help"])
    assert raised.value.code == 0
    assert "example: python x.py --y" in capsys.readouterr().out


def test_no_progress_bar_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with commandline.progress("Indexing") as tell:
        assert tell
        tell(0, 200, "a.md")
        tell(1, 200, "b.md")
    assert capsys.readouterr().err == ""


def test_a_line_now_and_then_where_no_terminal_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr(commandline, "monotonic", lambda: now[0])
    with commandline.progress("Indexing") as tell:
        assert tell
        for done in range(40):
            tell(done, 40, "a.md")
            now[0] += 1
    assert capsys.readouterr().err == "Indexing: 10 of 40\nIndexing: 20 of 40\nIndexing: 30 of 40\n"


def test_a_progress_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with commandline.progress("Indexing") as tell:
        assert tell
        tell(0, 2, "sub/" + "long" * 40 + ".md")
        tell(2, 2, "")
    assert "Indexing" in terminal.getvalue()


def test_words_without_quotation_marks_are_told_to_need_them(flags: list[str]) -> None:
    for main, name in ((answer.main, "answer.py"), (search.main, "search.py")):
        with pytest.raises(UsageError, match=f'quotation marks: python {name} "How many vacation days"'):
            main(["How", "many", "vacation", "days", *flags])


def test_each_command_says_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for show_checks in (False, True):
        with pytest.raises(SystemExit):
            answer.command(["--help"], show_checks=show_checks)
        told.append(capsys.readouterr().out)
    assert "how each sentence" not in told[0]
    assert "how each sentence" in told[1]


@pytest.mark.parametrize("module", ["eval.calibrate", "eval.proof"])
def test_the_usage_of_a_module_is_how_it_is_run(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"usage: python -m {module} ")


def test_reports(capsys: pytest.CaptureFixture[str]) -> None:
    report = {"sync": {"added": 1, "skipped": [("a.md", "is empty")], "decoded": [], "models": [{"id": 1}]}}
    commandline.show(report, as_json=False)
    assert capsys.readouterr().out == (
        "sync:\n  added: 1\n  skipped: 1\n    a.md: is empty\n  decoded: none\n  models: 1\n    id 1\n"
    )
    commandline.show({"status": {"limit": {"fits": True, "why": "", "min_confidence": None}}}, as_json=False)
    assert capsys.readouterr().out == "status:\n  limit: fits True\n"
    commandline.show(report, as_json=True)
    assert json.loads(capsys.readouterr().out)["sync"]["skipped"] == [["a.md", "is empty"]]


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "pick", lambda settings: Models(HashEmbedder(), None, "a notice"))


@pytest.fixture
def flags(docs: Path, tmp_path: Path) -> list[str]:
    return ["--docs", str(docs), "--db", str(tmp_path / "index.db")]


@pytest.mark.usefixtures("hashed")
def test_store_syncs_and_tells_its_state(flags: list[str], docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (docs / "empty.md").touch()
    assert store.main([*flags, "--sync", "--status", "--json"]) == 0
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    assert (report["sync"]["added"], report["sync"]["skipped"]) == (4, [["empty.md", "is empty"]])
    assert (report["status"]["documents"], report["status"]["docs_root"]) == (4, str(docs))
    assert report["status"]["models"][0]["missing"] == 0
    assert report["status"]["limit"]["origin"] == "built-in"
    assert captured.err == "note: a notice\n"
    assert store.main([*flags, "--status"]) == 0
    out = capsys.readouterr().out
    assert "sync:" not in out
    assert "  documents: 4\n" in out


@pytest.mark.usefixtures("hashed")
def test_store_asks_before_it_drops_everything(flags: list[str], docs: Path) -> None:
    assert store.main(flags) == 0
    for path in [*docs.rglob("*.md"), *docs.rglob("*.txt")]:
        path.unlink()
    with pytest.raises(SourceError, match="--allow-empty"):
        store.main([*flags, "--sync"])
    assert store.main([*flags, "--sync", "--allow-empty"]) == 0


@pytest.mark.usefixtures("hashed")
def test_search_prints_passages_and_marks_those_below(flags: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert search.main([*flags, "annual leave"]) == 0
    first = capsys.readouterr().out.splitlines()
    assert first[0].startswith("leave.md:L3-6 (Leave > Annual leave)  0.")
    assert first[1] == "    Staff get 28 days of annual leave after one year."
    assert search.main([*flags, "--json", "-k", "2", "annual leave"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert len(report["hits"]) == 2
    assert report["hits"][0]["passed"] is True
    assert search.main([*flags, "--explain", "annual leave"]) == 0
    assert capsys.readouterr().out.startswith("Limit: score 0.300 or coverage 0.75 (built-in, not calibrated")
    assert search.main([*flags, "zzzz qqqq"]) == 1
    assert "(below the limit)" in capsys.readouterr().out
    with pytest.raises(UsageError, match="question is empty"):
        search.main([*flags, "  "])


def process(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("BRAIN_", "OLLAMA"))}
    return subprocess.run(
        [sys.executable, *args], cwd=ROOT, env=clean | environment, capture_output=True, text=True, encoding="utf-8",
        check=False, timeout=60,
    )  # fmt: skip


def test_in_a_process_of_its_own_a_wrong_setting_is_one_line(tmp_path: Path) -> None:
    for args in (["store.py", "--status"], ["search.py", "leave"]):
        done = process(*args, BRAIN_K="many")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "error: BRAIN_K: 'many' is not a whole number from 1 to 50.\n"
    done = process("search.py", "leave", "--docs", str(tmp_path / "nowhere"))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "does not exist" in done.stderr
    assert process("store.py", "--no-such-flag").returncode == 2


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    program = (
        "import commandline\n"
        "def main(argv):\n    print('line\\n' * 200000)\n    return 0\n"
        "commandline.run(main)\n"
    )  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout
        assert running.stderr
        assert running.stdout.readline() == b"line\n"
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(20) == 0


def test_text_that_a_console_cannot_show_is_escaped(tmp_path: Path) -> None:
    program = (
        "import commandline\n"
        "def main(argv):\n    print('报销 \\udcff')\n    commandline.notice('\\udcff')\n    return 0\n"
        "commandline.run(main)\n"
    )  # fmt: skip
    done = process("-c", program, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stdout) == (0, "报销 \\udcff\n")
    assert done.stderr == "note: \\udcff\n"


NAMED = [
    ("1 file was left out; python store.py --sync names them and why", "python store.py{} --sync names"),
    ("Run: python -m eval.calibrate", "Run: python -m eval.calibrate{}"),
    ("python doctor.py --docs DIR, or BRAIN_DOCS_DIR=DIR", "python doctor.py --docs DIR{db}, or"),
    ("See: python store.py --help", "See: python store.py --help"),
    ("mystore.py --sync", "mystore.py --sync"),
]


@pytest.mark.parametrize(("text", "told"), NAMED)
def test_a_command_that_is_named_acts_on_the_same(text: str, told: str, tmp_path: Path) -> None:
    docs, db = tmp_path / "my docs", tmp_path / "b.db"
    q = commandline.quoted
    for flags, expected in (
        ({"docs_dir": docs}, {"docs": f" --docs {q(docs)}"}),
        ({"db": db}, {"db": f" --db {q(db)}"}),
        ({"docs_dir": docs, "db": db}, {"docs": f" --docs {q(docs)}", "db": f" --db {q(db)}"}),
        ({}, {}),
    ):
        settings, both = load(flags), {"docs": "", "db": ""} | expected
        aimed = commandline.aimed(text, settings)
        assert told.format(both["docs"] + both["db"], **both) in aimed
        assert commandline.aimed(aimed, settings) == aimed


def test_what_environment_and_file_name_needs_no_flag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAIN_DOCS_DIR", str(tmp_path))
    monkeypatch.setenv("BRAIN_DB", str(tmp_path / "b.db"))
    assert commandline.same(load()) == {}
    assert set(commandline.same(load({"docs_dir": tmp_path / "other"}))) == {"--docs"}


def test_errors_and_notices_name_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def main(argv: Sequence[str] | None) -> int:
        commandline.settings_of(argparse.Namespace(docs=str(tmp_path), db=None, k=None))
        commandline.notice("python store.py --sync names them")
        raise UsageError("Run: python doctor.py")

    with pytest.raises(SystemExit):
        commandline.run(main)
    told = capsys.readouterr().err
    assert f"python store.py --docs {commandline.quoted(tmp_path)} --sync names them" in told
    assert f"Run: python doctor.py --docs {commandline.quoted(tmp_path)}" in told
