"""eval.access: cases asked as their asker and as one who may not know, over a small folder with the embedded models.

Try: pytest tests/test_access_cases.py
"""

import json
from pathlib import Path

import pytest

from eval import access
from eval.access import main
from storage import lists
from tests.conftest import write

pytestmark = pytest.mark.permission

PAGES = {
    "rota.md": "# Rota\n\nThe night engineer on call gets 90 euro for each night in the tower.\n",
    "lunch.md": "# Lunch\n\nThe soup in the bistro costs four euro on Mondays.\n",
}
CASE = {
    "question": "How much does the night engineer on call get in the tower?", "source": "rota.md",
    "must_include": ["90 euro"], "caller": "user:eva",
}  # fmt: skip


@pytest.fixture
def arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    docs, rules, cases = (tmp_path / name for name in ("docs", "access.toml", "cases.jsonl"))
    docs.mkdir()
    write(docs, PAGES)
    rules.write_text("[allow]\n'**' = ['group:staff']\n'rota.md' = ['group:engineering']\n")
    cases.write_text(json.dumps(CASE) + "\n")
    monkeypatch.setattr(access, "RULES", rules)
    monkeypatch.setenv("BRAIN_BACKEND", "embedded")
    monkeypatch.setenv("BRAIN_MIN_SCORE", "0.3")
    return ["--docs", str(docs), "--cases", str(cases), "--json"]


@pytest.mark.refusal
def test_the_asker_is_answered_and_others_learn_nothing(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["traces"] == []
    assert (told["of these rightly answered"], told["of these refused"], told["of those refused"]) == (1, 1, 1)
    everybody = "SELECT DISTINCT document_id FROM grants"
    monkeypatch.setattr(lists, "readable", lambda caller: (everybody, []))
    assert main(arguments) == 1
    assert {trace["who"] for trace in json.loads(capsys.readouterr().out)["traces"]} == {"user:jonas", "user:guest"}
