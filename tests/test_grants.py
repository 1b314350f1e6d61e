"""A table of grants as directory and rules: what a row becomes, and that every question about it is answered rightly.

Try: BRAIN_TEST_DATA=DIR pytest tests/test_grants.py
"""

import os
from pathlib import Path
from typing import Any

import pytest

from errors import UsageError
from eval.grants import check, convert, run

DATA = os.environ.get("BRAIN_TEST_DATA", "")
ROWS = [
    {"application": "mail", "environment": "live", "group": "ops", "level": "administrator"},
    {"application": "mail", "environment": "live", "group": "audit", "level": "read-only"},
    {"application": "mail", "environment": "test", "group": "ops", "level": "developer"},
    {"application": "wiki", "environment": "live", "group": "ops", "level": "developer"},
]


def case(question: str, *answers: str) -> dict[str, Any]:
    return {"question": question, "answers": list(answers)}


def files(folder: Path, rows: list[dict[str, str]]) -> Path:
    made = convert(rows)
    (folder / "directory.jsonl").write_text(made.directory, encoding="utf-8")
    (folder / "access.toml").write_text(made.rules, encoding="utf-8")
    return folder


@pytest.mark.permission
def test_questions_are_answered_by_who_may_read(tmp_path: Path) -> None:
    right = [
        case("May members of audit get into the live environment of mail?", "yes"),
        case("May members of audit get into the test environment of mail?", "no"),
        case("May members of ops get into the live environment of phone?", "no"),
        case("Which groups have access to the live environment of mail?", "ops", "audit"),
        case("Which applications can the group ops reach in live?", "mail", "wiki"),
        case("Who wrote this?", "nobody"),
    ]
    assert check(files(tmp_path, ROWS), right) == (5, [])


def test_a_wrong_answer_is_told(tmp_path: Path) -> None:
    asked, wrong = check(
        files(tmp_path, ROWS[1:]), [case("Which groups have access to the live environment of mail?", "audit", "ops")]
    )
    assert (asked, wrong) == (
        1, ["Which groups have access to the live environment of mail? ['audit'], not ['audit', 'ops']"]
    )  # fmt: skip


@pytest.mark.parametrize("row", [{}, {**ROWS[0], "group": ""}, {**ROWS[0], "application": "../x/**"}])
def test_a_row_that_is_none(row: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="line 2"):
        convert([ROWS[0], row])


@pytest.mark.skipif(not DATA, reason="set BRAIN_TEST_DATA to the folder of public data")
def test_the_public_table_loads_and_answers_without_an_error(tmp_path: Path) -> None:
    told, wrong = run(Path(DATA), tmp_path)
    assert wrong == []
    assert told == "1045 grants, 151 groups, 299 places; 55 questions, 0 wrong"
