"""What README and manual promise is there: every command is documented and its --help has an example."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAMS = sorted(
    path
    for path in [*ROOT.glob("*.py"), *ROOT.glob("eval/*.py"), *ROOT.glob("access/*.py"), *ROOT.glob("postgres/*.py")]
    if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
)
PAGES = {path.name: path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *ROOT.glob("manual/*.md")]}


def command(path: Path) -> str:
    """As people type it."""
    return f"python {path.name}" if path.parent == ROOT else f"python -m {path.parent.name}.{path.stem}"


def test_there_are_programs() -> None:
    assert {"answer.py", "chunk.py", "config.py", "search.py", "server.py", "store.py", "verify.py"} <= {
        path.name for path in PROGRAMS
    }


@pytest.mark.parametrize("path", PROGRAMS, ids=command)
def test_every_command_is_documented_and_helps(path: Path) -> None:
    everything = "\n".join([*PAGES.values(), (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")])
    assert command(path) in everything
    words = [sys.executable, *command(path).split()[1:], "--help"]
    shown = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True).stdout
    assert re.search(rf"example: .*{re.escape(command(path))}", shown), shown


@pytest.mark.parametrize(
    ("page", "link"),
    [(name, link) for name, text in PAGES.items() for link in re.findall(r"\]\(([^)#:]+)\)", text)],
)
def test_every_link_leads_somewhere(page: str, link: str) -> None:
    folder = ROOT if page == "README.md" else ROOT / "manual"
    assert (folder / link).exists()


def test_the_readme_s_two_commands_are_what_ci_runs() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for line in (
        'python answer.py "How many vacation days do I get after one year?"',
        "pip install '.[test]' && pytest",
    ):
        assert line in PAGES["README.md"]
    for part in ("answer.py", "How many vacation days do I get after one year?", "'.[test]'", "pytest"):
        assert part in ci
    assert len(PAGES["README.md"].split("\n")) <= 200
