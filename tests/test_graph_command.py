"""python -m graph: typed questions at a terminal, over documents that a sync has read."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from access import audit
from errors import UsageError
from graph.__main__ import main
from tests.conftest import write
from tests.engine import database_of
from tests.ollama_double import OllamaDouble

DOCS = {
    "services.md": "# Services\n\n| Service | Owner team | Tier | Depends on |\n|---|---|---|---|\n"
    "| `mail` | Red | 1 | `bus` |\n| `maps` | Blue | 2 | `mail` |\n",
    "systems.md": "# Systems\n\n| System | Owner |\n|---|---|\n| `bus` | Red |\n",
    "decisions/0001-no-bus.md": "---\ntitle: '0001: The bus ends'\nstatus: accepted\ndate: 2025-05-01\n"
    "deciders: [Ann Lee]\ndeprecates: [bus]\n---\n\n# 0001: The bus ends\n\nNothing new on the bus.\n",
}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    folder, db = tmp_path / "pages", tmp_path / "index.db"
    write(folder, DOCS)
    for name, value in {
        "CONFIG": os.devnull, "BACKEND": "ollama", "DOCS_DIR": folder, "DB": db, "DATABASE": database_of(db),
    }.items():  # fmt: skip
        monkeypatch.setenv(f"BRAIN_{name}", str(value))
    with OllamaDouble() as double:
        monkeypatch.setenv("OLLAMA_HOST", double.host)
        yield lambda *words: (main(words), *capsys.readouterr())


def test_rows_come_with_the_words_that_show_them_and_leave_a_record(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = ("--steps", "deprecates", "out", "--steps", "depends_on", "in", "--steps", "owns", "in")
    code, out, _ = run("chain", "--start", "0001", *steps)
    assert code == 0
    assert "Red  The bus ends deprecates bus; mail depends on bus; Red owns mail" in out
    assert "        services.md:L5  | `mail` | Red | 1 | `bus` |" in out
    assert audit.main(["show", "--kind", "search", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["body"]["status"] == "found"
    assert {one["path"] for one in row["body"]["documents"]} == {"services.md", "decisions/0001-no-bus.md"}


def test_as_json_all_is_there(run: Run) -> None:
    code, out, _ = run("list", "--type", "Service", "--where", "owns", "in", "Blue", "--json")
    told = json.loads(out)
    assert (code, told["arguments"]["where"]) == (0, [["owns", "in", "Team/blue"]])
    (row,) = told["rows"]
    assert (row["cells"], row["thing"]) == (["maps", "Blue"], "Service/maps")
    assert row["facts"][0]["evidence"] == [
        {"source": "services.md", "lines": [6, 6], "quote": "| `maps` | Blue | 2 | `mail` |"}
    ]


def test_a_question_in_words_shows_what_it_became(run: Run) -> None:
    code, out, err = run("ask", "Who owns maps?")
    assert (code, "Blue" in out) == (0, True)
    assert "note: chain" in err
    code, out, _ = run("ask", "How long is parental leave?")
    assert code == 1


def test_what_is_not_there_or_not_one_is_told(run: Run) -> None:
    code, out, _ = run("card", "--thing", "nothing")
    assert (code, out) == (1, "No document that you may read names nothing.\n")
    code, out, _ = run("check", "--subject", "maps", "--predicate", "depends_on", "--object", "bus")
    assert (code, out.splitlines()[1].split("  ")[0]) == (0, "yes")
    with pytest.raises(UsageError, match=r"changes: since: .*--help"):
        run("changes", "--thing", "mail", "--since", "soon")
