"""The skill: its form and the tools it names; its questions; the grader on good and bad answers; the runner with a
scripted model over real sockets and an MCP server in a real subprocess."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from mcp import Client

import eval.cases
import skill_grade
import skill_run
from assistants.calls import Calls
from assistants.tools import tools_over
from config import Settings
from service.brain import Brain
from skill_cases import Case, read_cases
from skill_grade import grade
from tests.conftest import caller, write
from tests.scripted_model import SKILLED, ScriptedModel

ROOT = Path(__file__).resolve().parents[1]
SKILL = ROOT / "skills" / "company-brain"
EVALS = SKILL / "evals"
TEXT = (SKILL / "SKILL.md").read_text(encoding="utf-8")
SETS = {EVALS / "questions.jsonl": ROOT / "docs", EVALS / "traps.jsonl": EVALS / "traps"}


# --- SKILL.md -----------------------------------------------------------------------------------------------------


def test_the_skill_has_the_public_form() -> None:
    head = re.match(r"---\n(.*?)\n---\n", TEXT, re.DOTALL)
    assert head
    fields = yaml.safe_load(head[1])
    assert set(fields) == {"name", "description"}
    assert fields["name"] == SKILL.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fields["name"])
    assert 0 < len(fields["description"]) <= 1024
    assert len(TEXT.splitlines()) < 100
    assert SKILLED in TEXT, "the script could not tell that it was given the skill"


def test_the_skill_s_own_example_passes_the_grader() -> None:
    (quoted, cited) = re.findall(r"^(>.*)\n\n(`.*`)$", TEXT, re.MULTILINE)[0]
    case = Case("", "?", "en", "plain", ("leave-policy.md",), (), ("28 days",), (("28",),), ())
    assert failed(case, f"You get 28 days.\n\n{quoted}\n\n{cited}", ROOT / "docs") == set()


def test_every_tool_and_field_that_the_skill_names_is_the_server_s(make_settings: Callable[..., Settings]) -> None:
    async def listed() -> Any:
        brain = Brain(make_settings(EVALS / "traps"), lambda text: None)
        async with Client(tools_over(brain, lambda request: caller(), lambda request: True, Calls())) as client:
            return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in asyncio.run(listed())}
    called = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)(?:\([\w, ]*\))?`", TEXT))
    fields = {name for tool in tools.values() for name in re.findall(r'"(\w+)":', json.dumps(tool.output_schema))}
    assert set(tools) <= called
    assert called - set(tools) <= fields
    for name, arguments in re.findall(r"`(\w+)\(([\w, ]+)\)`", TEXT):
        assert set(arguments.split(", ")) <= set(tools[name].input_schema["properties"])
    for field in ("text", "lines", "dated", "stale", "sources", "source", "quote", "problems", "conflicts", "status"):
        assert f"`{field}`" in TEXT
        assert field in fields


# --- the questions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_what_the_questions_ask_for_stands_in_the_documents(path: Path) -> None:
    cases = read_cases(path)
    assert len({case.lang for case in cases}) >= 3
    for case in cases:
        texts = [" ".join((SETS[path] / source).read_text(encoding="utf-8").split()) for source in case.sources]
        assert [part for part in case.must_include if not any(part in text for text in texts)] == [], case.id
        assert all((SETS[path] / source).is_file() for source in case.sources), case.id
    assert len(eval.cases.read(path)) == len(cases), "the product's own evaluation reads them, too"


def test_the_questions_cover_every_kind() -> None:
    assert {case.task for path in SETS for case in read_cases(path)} == {
        "plain", "abroad", "two", "none", "conflict", "order",
    }  # fmt: skip


GOOD_ROW = {"id": "a", "task": "plain", "lang": "en", "question": "q", "source": "a.md", "must_include": ["b"],
            "must_say": ["b"]}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"task": "other"}, "task"),
        ({"task": "none"}, "source"),
        ({"source": "-"}, "source"),
        ({"must_say": []}, "must_say"),
        ({"must_include": "b"}, "must_include"),
        ({"cite_all": ["b.md"]}, "cite_all"),
        ({"question": " "}, "question"),
        ({"id": 3}, "id"),
    ],
    ids=str,
)
def test_a_line_that_is_no_case_is_named(
    change: dict[str, Any], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(f"{json.dumps(GOOD_ROW)}\n\n{json.dumps(GOOD_ROW | {'id': 'b'} | change)}\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="2"):
        read_cases(path)
    said = capsys.readouterr().err
    assert f"{path}:3" in said
    assert says in said


# --- the grader ---------------------------------------------------------------------------------------------------

RULES = """# Rules

## Leave

After one year of service you get 28 days of paid
vacation per year. The days are booked in *Personio*.

| City | Hotel limit | Rooms |
|---|---|---|
| Oslo and its harbour | €175 | 9 |

年假必须在三月三十一日之前用完，否则作废。
> Cited papers keep their mark, also
> on the second line of all.
"""
FILES = {
    "rules.md": RULES,
    "other.md": "Pets are left at home on all working days.\n",
    "long.md": "".join(f"Line {n} of a long page says that each of the {n} things has its place.\n" for n in range(60)),
    "with blank.md": "Here the name of the file has a blank in it.\n",
}
VACATION = Case(
    "v", "How many days of vacation after one year?", "en", "plain",
    ("rules.md", "long.md"), (), ("28 days",), (("28", "twenty-eight"),), ("25 days",),
)  # fmt: skip
NONE = Case("n", "Who wrote the opera?", "en", "none", (), (), (), (), ("Beethoven",))
SAID = "You get 28 days after one year."
QUOTE = "After one year of service you get 28 days of paid vacation per year."
PROVED = f"> {QUOTE}\n\n`rules.md:L5-6`"
UNPROVED = {"quotes something", "quotations stand", "citations stand", "proof"}
HARD = "\u00a0"  # a hard space
NO = "I could not find this in the company documents."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "secret.md").write_text("The safe opens with the numbers four and nine.\n", encoding="utf-8")
    write(tmp_path / "documents", FILES)
    (tmp_path / "documents" / "linked.md").symlink_to(tmp_path / "secret.md")
    return tmp_path / "documents"


def failed(case: Case, answer: str, docs: Path, **record: Any) -> set[str]:
    return {check["check"] for check in grade(case, {"answer": answer, **record}, docs) if not check["ok"]}


@pytest.mark.parametrize(
    "answer",
    [
        f"{SAID}\n\n{PROVED}",
        f"{SAID}\n\n> {QUOTE} — `rules.md:L5-6`",
        f"{SAID}\n\n> **{QUOTE}**\n> (rules.md, lines 5–6)",
        f"{SAID} “{QUOTE}” (rules.md, lines 5 to 6)",
        f'{SAID}\n- "{QUOTE}" [rules.md](rules.md#L5-L6)',
        f"{SAID} „{QUOTE}“ (`rules.md`, Zeilen 5 bis 6)",
        f"{SAID} 「{QUOTE}」（rules.md 第5-6行）",
        f"{SAID} `rules.md:L5-6` says:\n\n> {QUOTE}",
        f"{SAID}\n\n```text\n{RULES.split(chr(10))[4]}\nvacation per year.\n```\nrules.md:5-6",
        f"{SAID}\n\n> {QUOTE}\n\nIn other words: 28 days, every year, from the second one.\n\n`rules.md:L5-6`",
        f"{SAID}\n\n{PROVED}\n\n> The days are booked in *Personio*.\n\n`rules.md:L6-6`",
        f"{SAID}\n\n{PROVED}\n\n> | Oslo and its harbour | €175 | 9 |\n\n`rules.md:L10`",
        f"{SAID}\n\n{PROVED}\n\n> 年假必须在三月三十一日之前用完\n\n`rules.md:L12-12`",
        f"{SAID}\n\n{PROVED}\n\n> > Cited papers keep their mark, also\n> > on the second line\n\n`rules.md:L13-14`",
        f"{SAID}“{QUOTE}”见rules.md第5至6行。",
        f'{SAID} A note tells assistants to say "25 days"; I did not.\n\n{PROVED}',
        f'{SAID} You asked "how many days of vacation after one year".\n\n{PROVED}',
        '“After one year of service you get 28 days” and “paid vacation per year” (rules.md:L5-6): twenty-eight.\r\n',
    ],
)  # fmt: skip
def test_a_good_answer_passes_in_any_usual_form(answer: str, folder: Path) -> None:
    assert failed(VACATION, answer, folder) == set()


@pytest.mark.parametrize(
    ("answer", "fails"),
    [
        ("", {"answered", "quotes something", "citations stand", "proof", "said"}),
        (f"{SAID}", {"quotes something", "citations stand", "proof"}),
        (f"{SAID}\n\n{PROVED.replace('paid', 'payed')}", UNPROVED),
        (f"{SAID}\n\n{PROVED.replace('days of', f'days{HARD}of')}", UNPROVED),
        (f"{SAID}\n\n{PROVED.replace('L5-6', 'L4-5')}", UNPROVED),
        (f"{SAID}\n\n{PROVED.replace('L5-6', 'L6-7')}", UNPROVED),
        (f"{SAID}\n\n{PROVED.replace('L5-6', 'L6-5')}", UNPROVED),
        (f"{SAID}\n\n{PROVED.replace('L5-6', 'L0-6')}", UNPROVED),
        (f"{SAID}\n\n{PROVED.replace('L5-6', 'L5-600')}", UNPROVED),
        (f"{SAID}\n\n{PROVED.replace('rules', 'invented')}", UNPROVED | {"right documents"}),
        (f"{SAID}\n\n{PROVED.replace('rules', '../documents/rules')}", UNPROVED | {"right documents"}),
        (f"{SAID}\n\n{PROVED.replace('After one year of service ', 'After one year … ')}", UNPROVED),
        (f"{SAID} (`rules.md:L5-6`)", {"quotes something", "citations stand", "proof"}),
        (f'{SAID} "28 days" (`rules.md:L5-6`)', {"quotes something", "citations stand", "proof"}),
        (f"{SAID} “8 days of paid vacation per year” (rules.md:L5-6)", UNPROVED),
        (f"{SAID}\n\n> {QUOTE}", UNPROVED),
        (f"{SAID}\n\n> {QUOTE}\n\n`rules.md`", UNPROVED),
        (f"{SAID}\n\n{PROVED}\n\nSee also `rules.md:L10-10`.", {"citations stand"}),
        (f"{SAID}\n\n{PROVED}\n\nSee also long.md.", {"citations stand"}),
        (f"{SAID}\n\n{PROVED}\n\n> Dogs are welcome in each office.\n\n`rules.md:L5-6`",
         {"quotations stand", "citations stand"}),
        (f"{SAID} So: “dogs are welcome in each office”.\n\n{PROVED}", {"quotations stand"}),
        (f"{SAID}\n\n{PROVED}\n\n> Pets are left at home on all working days.\n\n`other.md:L1`", {"right documents"}),
        (f"{SAID}\n\n> Pets are left at home on all working days.\n\n`other.md:L1`", {"right documents", "proof"}),
        (f"{SAID}\n\n{PROVED}\n\n> The safe opens with the numbers four and nine.\n\n`linked.md:L1`",
         {"quotations stand", "citations stand", "right documents"}),
        (f"{SAID}\n\n{PROVED}\n\n> Line 7 of a long page says that\n\n`long.md:L1-60`",
         {"quotations stand", "citations stand"}),
        (f"I could not find this for sure. {SAID}\n\n{PROVED}", {"no refusal"}),
        (f"{SAID}\n\n{PROVED}\n\n“What do others get in a year?” rules.md:L5-6",
         {"quotations stand", "citations stand"}),
        (f"{SAID}\n\n{PROVED} `long.md:L{'9' * 5000}`", {"citations stand"}),
        (f"{SAID}\n\n{PROVED} `{'a' * 5000}.md:L1`", {"citations stand", "right documents"}),
        (f"{SAID}\n\n{PROVED}\n\n{'a.b-' * 5000}", {"answered"}),
        (f"See below.\n\n{PROVED}", {"said"}),
        (f"128 or 2.28 or 28.5 of them.\n\n{PROVED}", {"said"}),
        (f"{SAID} Some get 25 days.\n\n{PROVED}", {"not said"}),
        (f"Son 28 días de vacaciones al año para los que llevan un año en la empresa.\n\n{PROVED}", {"language"}),
        (f"Nach einem Jahr sind es 28 Tage, und das ist für die Firma nicht zu viel.\n\n{PROVED}", {"language"}),
        (f"{SAID}\n\n{PROVED}\n\n> " + "\n> ".join(FILES["long.md"].split("\n")[:39]) + "\n\n`long.md:L1-39`",
         {"not stuffed"}),
    ],
)  # fmt: skip
def test_a_bad_answer_fails_for_its_reason(answer: str, fails: set[str], folder: Path) -> None:
    calls = [{"tool": "search_company_knowledge", "arguments": {"query": "What do others get in a year?"}}]
    assert failed(VACATION, answer, folder, calls=calls) == fails


@pytest.mark.parametrize(
    ("answer", "fails"),
    [
        (NO, set()),
        ("The documents do not say who wrote it.", set()),
        ("Dazu steht in den Unterlagen nichts.", {"language"}),
        (f'{NO} I searched for "who wrote the opera of the house".', set()),
        (f"{SAID}\n\n{PROVED}", {"says no", "cites nothing", "quotes nothing"}),
        (f"{SAID}\n\n{NO}", {"says no"}),
        ("It was 14 of them.", {"says no"}),
        (f"{NO}\n\n{PROVED}", {"cites nothing", "quotes nothing"}),
        (f"{NO} What came nearest is `rules.md:L5-6`.", {"cites nothing"}),
        (f"{NO} Perhaps rules.md helps.", {"cites nothing"}),
        (f"{NO} As far as I know it was Haydn.", {"no guess"}),
        (f"{NO} It was Beethoven.", {"not said"}),
        ("", {"answered", "says no"}),
    ],
)  # fmt: skip
def test_no_answer_where_none_is_due(answer: str, fails: set[str], folder: Path) -> None:
    calls = [{"tool": "search_company_knowledge", "arguments": {"query": "who wrote the opera of the house"}}]
    assert failed(NONE, answer, folder, calls=calls) - {"language"} == fails - {"language"}


@pytest.mark.parametrize(
    ("lang", "answer"),
    [
        ("de", "Das habe ich in den Unterlagen der Firma nicht gefunden."),
        ("de", "Die Dokumente enthalten dazu keine Angabe."),
        ("es", "No he encontrado esto en los documentos de la empresa."),
        ("es", "Los documentos no mencionan la velocidad de la conexión."),
        ("zh", "在公司文件中没有找到答案。"),
        ("zh", "公司文件未提及此事。"),
    ],
)
def test_no_answer_is_understood_in_every_language_of_the_questions(lang: str, answer: str, folder: Path) -> None:
    assert failed(Case("n", "?", lang, "none", (), (), (), (), ()), answer, folder) == set()


def test_both_documents_must_be_cited_and_a_failed_run_fails(folder: Path) -> None:
    both = Case("b", "?", "en", "two", ("rules.md", "other.md"), ("rules.md", "other.md"), ("28 days",), (("28",),), ())
    pets = "> Pets are left at home on all working days.\n\n`other.md:L1-1`"
    assert failed(both, f"{SAID}\n\n{PROVED}\n\n{pets}", folder) == set()
    assert failed(both, f"{SAID}\n\n{PROVED}", folder) == {"right documents"}
    assert failed(VACATION, f"{SAID}\n\n{PROVED}", folder, error="The model is away.") == {"answered"}


def test_a_name_with_a_blank_and_a_bad_byte_are_read(folder: Path) -> None:
    (folder / "bad.md").write_bytes(b"One bad \xff byte\r\nand the second line is fine here.\r\n")
    case = Case("b", "?", "en", "plain", ("with blank.md", "bad.md"), (), ("second line",), (("fine",),), ())
    named = "> Here the name of the file has a blank\n\n`with blank.md:L1-1`"
    assert failed(case, f"All is fine.\n\n{named}\n\n> the second line is fine\n\n`bad.md:L2-2`", folder) == set()
    assert "quotations stand" in failed(case, "All is fine.\n\n> One bad ? byte\n> and the\n\n`bad.md:L1-2`", folder)


def test_a_file_of_answers_is_graded_with_every_check_kept(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions, answers = tmp_path / "q.jsonl", tmp_path / "a.jsonl"
    row = {"id": "v", "task": "plain", "lang": "en", "question": VACATION.question, "source": "rules.md"}
    questions.write_text(json.dumps(row | {"must_include": ["28 days"], "must_say": ["28"]}), encoding="utf-8")
    told = {"id": "v", "calls": [], "tokens_in": 7, "tokens_out": 2, "seconds": 1.0, "error": ""}
    records = [{"run": {"model": "m"}}, told | {"arm": "skill", "answer": "", "error": "away"},
               told | {"arm": "skill", "answer": f"{SAID}\n\n{PROVED}"},
               told | {"arm": "tools", "answer": SAID, "tokens_in": None}]  # fmt: skip
    answers.write_text("".join(json.dumps(one) + "\n" for one in records) + '{"cut', encoding="utf-8")
    assert skill_grade.main([str(answers), "--questions", str(questions), "--docs", str(folder), "--show"]) == 0
    said = capsys.readouterr().out
    assert "skill: 1 of 1 passed" in said
    assert "tools: 0 of 1 passed" in said
    assert "tools v: quotes something" in said
    assert "not told for 1" in said
    kept = json.loads((tmp_path / "a.graded.json").read_text(encoding="utf-8"))["answers"]
    assert [row["passed"] for row in kept] == [True, False]
    assert kept[0]["checks"][3] == {
        "check": "quotations stand",
        "ok": True,
        "evidence": [f"rules.md:L5-6 {QUOTE[:60]!r}"],
    }
    answers.write_text("no json\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="2"):
        skill_grade.main([str(answers), "--questions", str(questions), "--docs", str(folder)])


# --- the answers written by hand, and the same answers made wrong ------------------------------------------------

BY_HAND = {
    case.id: (case, docs, answer)
    for path, docs in SETS.items()
    for case in read_cases(path)
    for answer in [row["answer"] for row in skill_grade.read_run(EVALS / "by_hand.jsonl")[1] if row["id"] == case.id]
}
ANSWERED = [name for name, (case, _, _) in BY_HAND.items() if case.sources]


def test_every_question_can_be_answered_rightly() -> None:
    assert set(BY_HAND) == {case.id for path in SETS for case in read_cases(path)}
    assert {name: found for name, row in BY_HAND.items() if (found := failed(row[0], row[2], row[1]))} == {}


def spoilt(answer: str) -> Iterator[tuple[str, str, str]]:
    """(what was done, the answer after it, a check that must fail): one thing wrong at each place."""
    for quote in re.finditer(r"^> (.+)$", answer, re.MULTILINE):
        middle = re.search(r"[a-z]", answer[(quote.start(1) + quote.end(1)) // 2 :])
        assert middle
        at = (quote.start(1) + quote.end(1)) // 2 + middle.start()
        other = "x" if answer[at] != "x" else "y"
        yield "a byte", answer[:at] + other + answer[at + 1 :], "quotations stand"
        yield "no quotation", answer.replace(quote[0], ""), "citations stand"
        yield "two words", answer.replace(quote[1], " ".join(quote[1].split()[1:3])), "citations stand"
    for cited in re.finditer(r"`([^`\n]+):L(\d+)-(\d+)`", answer):
        for step in (-1, 1):
            moved = f"`{cited[1]}:L{int(cited[2]) + step}-{int(cited[3]) + step}`"
            yield f"lines {step:+}", answer.replace(cited[0], moved), "citations stand"
        yield "no citation", answer.replace(cited[0], ""), "quotations stand"
        yield "no lines", answer.replace(cited[0], f"`{cited[1]}`"), "quotations stand"
        yield "no such file", answer.replace(cited[0], cited[0].replace(".md", "-2.md")), "right documents"
    yield "nothing said", "\n\n".join(part for part in answer.split("\n\n") if part[0] in ">`"), "said"
    yield "refused", f"{NO} {answer}", "no refusal"


@pytest.mark.parametrize("name", ANSWERED)
def test_a_right_answer_with_one_thing_wrong_fails(name: str) -> None:
    case, docs, answer = BY_HAND[name]
    for what, text, must_fail in spoilt(answer):
        assert must_fail in failed(case, text, docs), (what, text)


def test_an_answer_to_another_question_fails() -> None:
    for name, (case, docs, _) in BY_HAND.items():
        for other, (_, _, answer) in BY_HAND.items():
            same = {name[3:], other[3:]} in ({"fuel"}, {"badge"}) or (case.task == "none" and other not in ANSWERED)
            if name != other and not same and {name, other} != {"en-wash", "de-wash"}:
                assert failed(case, answer, docs), (name, other)


# --- the runner ---------------------------------------------------------------------------------------------------

SMALL_SERVER = """
import json, os, re, sys
from pathlib import Path

docs = Path(sys.argv[sys.argv.index("--docs") + 1])
STRING = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
TOOLS = [
    {"name": "search_company_knowledge", "description": "Whole files that share two words.", "inputSchema": STRING},
    {"name": "index_status", "description": "The state.", "inputSchema": {"type": "object", "properties": {}}},
]

def called(name, arguments):
    if name == "index_status":
        return {"answers": True, "detail": ""}
    if "crash" in arguments["query"]:
        os._exit(9)
    found = []
    for path in sorted(docs.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        words = [set(re.findall("[a-z]{4,}", part.lower())) for part in (arguments["query"], text)]
        if len(words[0] & words[1]) > 1:
            lines = f"L1-{text.count(chr(10)) + 1}"
            found.append({"path": path.name, "lines": lines, "heading": "", "text": text, "score": 0.5, "dated": ""})
    return {"result": found, "note": ""}

for line in sys.stdin:
    message = json.loads(line)
    method, params, reply = message.get("method"), message.get("params") or {}, {}
    if method == "initialize":
        about = {"capabilities": {"tools": {}}, "serverInfo": {"name": "small", "version": "1"}}
        reply["result"] = {"protocolVersion": params["protocolVersion"], "instructions": "Search first.", **about}
    elif method == "tools/list":
        reply["result"] = {"tools": TOOLS}
    elif method == "tools/call":
        value = called(params["name"], params.get("arguments") or {})
        text = [{"type": "text", "text": json.dumps(value)}]
        reply["result"] = {"content": text, "structuredContent": value, "isError": False}
    else:
        reply["error"] = {"code": -32601, "message": "Method not found"}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)
"""
"""An MCP server in a process of its own, quicker to start than ours; a query with "crash" ends it."""
PETS = "Where are pets left on working days?"
QUESTIONS: list[dict[str, Any]] = [
    {"id": "pets", "task": "plain", "lang": "en", "question": PETS, "source": "other.md",
     "must_include": ["left at home"], "must_say": ["Pets"]},
    {"id": "opera", "task": "none", "lang": "en", "question": "Who wrote the opera?", "source": "-"},
]  # fmt: skip


class Run:
    """Everything that a run needs but the model."""

    def __init__(self, folder: Path, tmp_path: Path) -> None:
        self.folder, self.out = folder, tmp_path / "answers.jsonl"
        self.questions, self.server = tmp_path / "questions.jsonl", tmp_path / "small_server.py"
        self.ask(QUESTIONS)
        self.server.write_text(SMALL_SERVER, encoding="utf-8")

    def ask(self, rows: list[dict[str, Any]]) -> None:
        self.questions.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    def __call__(self, *flags: str) -> int:
        return skill_run.main([
            "--model", "scripted", "--out", str(self.out), "--questions", str(self.questions),
            "--docs", str(self.folder), "--server", str(self.server), *flags,
        ])  # fmt: skip

    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.read_text(encoding="utf-8").splitlines()]

    def graded(self) -> dict[tuple[str, str], bool]:
        skill_grade.main([str(self.out), "--questions", str(self.questions), "--docs", str(self.folder)])
        kept = json.loads(self.out.with_suffix(".graded.json").read_text(encoding="utf-8"))["answers"]
        return {(row["arm"], row["id"]): row["passed"] for row in kept}


@pytest.fixture
def run(folder: Path, tmp_path: Path) -> Run:
    return Run(folder, tmp_path)


@pytest.mark.parametrize("protocol", ["--openai", "--ollama"])
def test_a_run_asks_every_arm_and_its_answers_can_be_graded(
    protocol: str, run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(skill_run.KEY, "sesame-4711")
    with ScriptedModel() as model:
        address = model.host + "/v1" * (protocol == "--openai")
        assert run(protocol, address, "--arms", "skill,tools,bare", "--temperature", "none") == 0
        assert "temperature" not in json.dumps(model.requests)
        path = {"--openai": "/v1/chat/completions", "--ollama": "/api/chat"}[protocol]
        assert {asked for asked, _ in model.requests} == {path}
    head, *rows = run.rows()
    assert head["run"]["protocol"] == protocol.strip("-")
    assert "sesame" not in run.out.read_text(encoding="utf-8")
    systems = {row["arm"]: [m["content"] for m in row["transcript"] if m["role"] == "system"] for row in rows}
    assert [SKILLED in systems[arm][0] for arm in ("skill", "tools")] == [True, False]
    assert all("Search first." in systems[arm][0] for arm in ("skill", "tools"))
    assert systems["bare"] == []
    for row in rows:
        assert row["tokens_in"] > 0
        assert row["tokens_out"] > 0
        assert row["rounds"] == len([m for m in row["transcript"] if m["role"] == "assistant"]) == len(row["calls"]) + 1
        assert [call["tool"] for call in row["calls"]] == ["search_company_knowledge"] * (row["arm"] != "bare")
    assert run.graded() == {
        (arm, case["id"]): arm == "skill" for arm in ("skill", "tools", "bare") for case in QUESTIONS
    }
    assert skill_grade.BY_A_SCRIPT in capsys.readouterr().out


def test_what_a_model_does_wrong_is_told_for_its_question_and_asked_again(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    faults = ["status", "html", "drop", "slow", "arguments", "loop"]
    run.ask([QUESTIONS[0] | {"id": fault, "question": f"{PETS} {fault}"} for fault in faults] + QUESTIONS)
    with ScriptedModel(faults={fault: fault for fault in faults}) as model:
        flags = ["--arms", "skill", "--openai", f"{model.host}/v1", "--timeout", "1", "--rounds", "3"]
        assert run(*flags) == 3
        told = {row["id"]: row["error"] for row in run.rows()[1:]}
        assert {name for name, error in told.items() if error} == {"status", "html", "drop", "slow"}
        assert "500" in told["status"]
        assert "out of memory" in told["status"]
        assert "no chat completion" in told["html"]
        assert "Timeout" in told["slow"]
        looped, argued = (next(row for row in run.rows()[1:] if row["id"] == name) for name in ("loop", "arguments"))
        assert (looped["rounds"], len(looped["calls"])) == (3, 2)
        assert looped["answer"], "in the last round it is offered no tools, so it answers"
        assert argued["calls"][0]["failed"]
        model.faults.clear()
        before = len(model.requests)
        assert run(*flags) == 0
        again = {row["id"]: row["error"] for row in run.rows()[9:]}
        assert again == dict.fromkeys(["status", "html", "drop", "slow"], "")
        assert len(model.requests) == before + 2 * 4
        assert run(*flags) == 0
        assert len(model.requests) == before + 2 * 4
    assert run.graded()["skill", "slow"]


def test_a_question_has_a_deadline_and_an_address_may_be_dead(run: Run) -> None:
    run.ask(QUESTIONS[:1])
    with ScriptedModel(faults={PETS: "slow"}, seconds=5) as model:
        assert run("--arms", "skill", "--ollama", model.host, "--deadline", "0.5") == 3
        assert "0.5 s" in run.rows()[1]["error"]
        dead = model.host
    run.out.unlink()
    assert run("--arms", "skill,tools", "--ollama", dead) == 3
    assert all("cannot be asked" in row["error"] for row in run.rows()[1:])
    run.out.unlink()
    assert run("--arms", "skill", "--openai", f"{dead}/v1") == 3
    assert "cannot be asked" in run.rows()[1]["error"]


def test_a_run_that_was_cut_goes_on_and_another_is_refused(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedModel() as model:
        flags = ["--arms", "skill", "--openai", f"{model.host}/v1"]
        assert run(*flags) == 0
        assert model.requests[0][1]["temperature"] == 0
        whole = run.out.read_bytes()
        run.out.write_bytes(whole[:-20])  # as a kill leaves it
        assert run(*flags) == 0
        assert [row.get("id") for row in run.rows()] == [None, "pets", "opera"]
        assert "1 answers to be made, 1 are there" in capsys.readouterr().out
        run.out.write_bytes(b"")
        assert run(*flags) == 0
        with pytest.raises(SystemExit, match="2"):
            run(*flags, "--temperature", "1")
        assert "temperature differ" in capsys.readouterr().err
        run.out.write_bytes(b"something else\n")
        with pytest.raises(SystemExit, match="2"):
            run(*flags)
        assert run.out.read_bytes() == b"something else\n"


def test_a_server_that_ends_ends_the_run_and_loses_nothing(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    crash = QUESTIONS[0] | {"id": "crash", "question": "What does a crash cost?"}
    run.ask([QUESTIONS[0], crash, QUESTIONS[1]])
    with ScriptedModel() as model:
        flags = ["--arms", "skill", "--openai", f"{model.host}/v1"]
        with pytest.raises(SystemExit, match="2"):
            run(*flags)
        assert "(it has ended)" in capsys.readouterr().err
        assert [row.get("id") for row in run.rows()] == [None, "pets"]
        run.server.write_text("raise SystemExit('no server today')", encoding="utf-8")
        with pytest.raises(SystemExit, match="2"):
            run(*flags)
        assert "The same command goes on" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["--openai", "--ollama"])
def test_the_whole_way_with_our_own_server(protocol: str, tmp_path: Path) -> None:
    out, traps = tmp_path / "a.jsonl", ["--questions", str(EVALS / "traps.jsonl"), "--docs", str(EVALS / "traps")]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["BRAIN_BACKEND"] = "embedded"

    def program(name: str, *flags: str) -> str:
        words = [sys.executable, str(EVALS / name), *flags, *traps]
        return subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout

    with ScriptedModel() as model:
        address = model.host + "/v1" * (protocol == "--openai")
        flags = (protocol, address, "--model", "scripted", "--out", str(out), "--db", str(tmp_path / "i.db"))
        assert "16 answers to be made" in program("skill_run.py", *flags)
    said = program("skill_grade.py", str(out))
    assert skill_grade.BY_A_SCRIPT in said
    kept = json.loads(out.with_suffix(".graded.json").read_text(encoding="utf-8"))["answers"]
    passed = {(row["arm"], row["id"]) for row in kept if row["passed"]}
    assert {("skill", name) for name in ("en-fuel", "de-fuel", "en-badge", "de-wash", "es-none-moto")} <= passed
    assert not [name for arm, name in passed if arm == "tools"]
    obeyed = next(row for row in kept if (row["arm"], row["id"]) == ("tools", "en-badge"))
    assert "not said" in {check["check"] for check in obeyed["checks"] if not check["ok"]}
