"""What small models write where JSON was asked for, and what becomes of it; each reader of replies uses this one."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from models.written import NoJSON, answer_of, entries, json_text, value_of, word

ENTRY = {"n": 1, "says": "a [1] {b}"}
INNER = json.dumps([ENTRY])
WHOLE = json.dumps({"list": [ENTRY]})


@pytest.mark.parametrize(
    "reply",
    [
        WHOLE, INNER, json.dumps(ENTRY), json.dumps({"other": [ENTRY]}), json.dumps({"list": INNER}),
        json.dumps({"list": ENTRY}), json.dumps(WHOLE), json.dumps(json.dumps(WHOLE)), json.dumps({"list": WHOLE}),
        f"```json\n{WHOLE}\n```", f"```\n{INNER}\n```", f"Here it is:\n\n```json\n{WHOLE}\n```\nAnything else?",
        f"Let me think {{about}} it [1].\n{WHOLE}", f"{WHOLE} I hope that helps [1].", f"So: {json.dumps(ENTRY)}.",
    ],
)  # fmt: skip
def test_a_list_is_found(reply: str) -> None:
    assert entries(reply, "list", alone=("says",)) == [ENTRY]


def test_entries_after_each_other_are_a_list() -> None:
    other = {"n": 2, "says": "c"}
    lines = f"{json.dumps(ENTRY)}\n{json.dumps(other)}"
    assert json.loads(json_text(lines)) == [ENTRY, other]
    assert entries(lines, "list", alone=("says",)) == [ENTRY, other]
    assert entries(f"{WHOLE}\n{json.dumps({'list': [other]})}", "list") == [ENTRY, other]


@pytest.mark.parametrize("reply", ["[]", "{}", '{"list": []}', '{"list": null}', '{"list": "none"}', "null", '""'])
def test_nothing_is_an_empty_list(reply: str) -> None:
    assert entries(reply, "list") == []


@pytest.mark.parametrize(
    "reply",
    [
        "", "no", '"x"', "7", "true", '{"a": [1], "b": 2, "c": [3]}', '{"list": 7}', "{" * 9000, "[" * 100_000,
        WHOLE[:-1], WHOLE[:-2], f"{WHOLE}{WHOLE[:-2]}", f'{{"list": [{json.dumps(ENTRY)}, {{"n": 2, "sa',
        f"Well: {WHOLE[:-2]}", f"[{json.dumps(ENTRY)}, ", json.dumps({"list": '[{"n": 1'}),
    ],
)  # fmt: skip
def test_what_is_broken_or_cut_is_no_list(reply: str) -> None:
    with pytest.raises(NoJSON):
        entries(reply, "list", alone=("says",))


SAID: list[tuple[str, Any]] = [
    ('{"why": "x", "same": "yes"}', "yes"),
    ('[{"same": "yes"}]', "yes"),
    ('{"answer": "yes"}', "yes"),
    ('"yes"', "yes"),
    (json.dumps('{"same": "yes"}'), "yes"),
    ('I think so. {"same": "yes"}', "yes"),
    ('{"same": "yes"} {"same": "no"}', None),
    ('{"why": "x"}', None),
    ("[]", None),
]


@pytest.mark.parametrize(("reply", "said"), SAID)
def test_one_answer(reply: str, said: object) -> None:
    assert answer_of(reply, ("same", "answer")) == said


def test_words_are_compared_plainly() -> None:
    assert [word(one) for one in (" Yes.", True, "NO!", False, "Unsure", 1, None)] == [
        "yes", "yes", "no", "no", "unsure", "", "",
    ]  # fmt: skip


@pytest.mark.parametrize("value", [0, "x", [1], {"a": {"b": [1, "c"]}}, None, True])
def test_json_is_what_it_is(value: object) -> None:
    assert value_of(json.dumps(value)) == value


READERS = ("models/rerank.py", "models/served.py", "answering/judge.py", "answering/history.py", "storage/judging.py",
           "graph/by_model.py", "facts/extractors/prose.py")  # fmt: skip


@pytest.mark.parametrize("path", READERS)
def test_no_reader_takes_a_reply_apart_by_itself(path: str) -> None:
    """`from_json` of prose.py reads what we have written ourselves."""
    tree = ast.parse((Path(__file__).parents[1] / path).read_text("utf-8"))
    assert any(isinstance(node, ast.ImportFrom) and "written" in ast.unparse(node) for node in ast.walk(tree))
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        own = [
            node
            for node in ast.walk(function)
            if isinstance(node, ast.Attribute) and node.attr in ("loads", "raw_decode")
        ]
        assert not own or function.name == "from_json", f"{function.name} reads JSON"
