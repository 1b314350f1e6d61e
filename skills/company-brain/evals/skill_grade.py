"""Grades kept answers by what can be checked: every quotation and citation against the files, what must be said and
must not, "no answer" where it is due. Prints a table by arm and keeps each answer with its checks and their evidence.

No model judges here, and nothing is taken on trust from the run but the answers, the calls and the token counts.
Try: python skills/company-brain/evals/skill_grade.py answers.jsonl
"""

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from skill_cases import TASKS, Case, fail, read_cases
from skill_quotes import Parsed, check, parse, plain, spaced, unquoted, whole

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[2] / "docs"
MOST_CHARS = 20_000
"""A longer answer is none; what follows is not read."""
MOST_QUOTED = 2500
"""Characters of all quotations together: a whole document pasted in is no answer."""
BY_A_SCRIPT = "These answers were made by a script, not by a model: they show that runner and grader work, no more."

_NO = re.compile(
    r"""\bno\ (?:answer|information|mention|statement|document|passage|result|rule|entry|entries)
    | (?:\bnot|n['’]t|\bunable\ to)\ (?:be\ |able\ to\ )*(?:find|found|say|state|mention|contain|cover|answer|hold
        |document|specif|know)
    | \bnothing\ (?:about|on|in|that|was)
    | \bkeine?n?\ (?:antwort|angabe|information|auskunft|hinweis|regel|treffer)
    | \bnichts\ (?:gefunden|dazu|darüber|über|zu)
    | \bnicht\ (?:\w+\ ){0,4}(?:finden|gefunden|erwähnt|geregelt|beantwort|hervor)
    | \b(?:finde|fand|steht|sagen|nennen|erwähnen|enthalten)\b(?:\ \w+){0,6}\ (?:nicht|keine?n?|nichts)\b
    | \bno\ (?:he\ |pude\ |puedo\ |se\ |hay\ |lo\ |la\ )*(?:encontr|encuentr|respuesta|informaci[oó]n|dice|menciona
        |contien|figura|aparece|consta|indica|responde)
    | \bsin\ respuesta\b | \bning[uú]n\w*\ (?:document|respuest)
    | 没有?能?(?:在[^。]{0,15})?(?:找到|提到|提及|说明|写明|相关|答案|记载|规定|回答|信息)
    | [未无][能法]?(?:找到|提及|提到|说明|查到|回答|记载) | 找不到 | 查不到""",
    re.IGNORECASE | re.VERBOSE,
)
"""Ways to say that there is no answer, in the languages of the questions."""
_GUESS = re.compile(
    r"\b(?:typically|usually|generally|commonly|as far as i know|in der regel|üblicherweise|normalerweise"
    r"|soweit ich weiß|por lo general|normalmente|suelen?|por lo que sé)\b|通常|一般|据我所知",
    re.IGNORECASE,
)
"""Ways to go on from one's own memory."""
_COMMON = {
    "en": "the of and to in is are you your for that not this it be can by from on at with was",
    "de": "der die das und ist sind sie ich du nicht ein eine für mit auf den im von zu es wird bis nach dem",
    "es": "el la los las de y que es son en un una para con por no se del su al lo hasta días",
}


def grade(case: Case, record: dict[str, Any], docs: Path) -> list[dict[str, Any]]:
    """The checks of one kept answer: name, whether it holds, the evidence. An answer passes when all hold."""
    answer = str(record.get("answer") or "")
    searched = [str(value) for call in record.get("calls", []) for value in call["arguments"].values()]
    parsed = parse(answer[:MOST_CHARS])
    check(parsed, docs, frozenset(map(plain, [case.question, *searched])))
    trouble = record.get("error") or ("" if 0 < len(answer.strip()) <= MOST_CHARS else f"{len(answer)} characters")
    checks = [_check("answered", not trouble, trouble)]
    checks += _no_answer(parsed) if case.task == "none" else _proved(case, parsed)
    prose = " ".join(parsed.prose.split())
    said = [text for text in case.must_not_say if _says(unquoted(prose), text)]
    checks.append(_check("not said", not said, said))
    other = _other_language(prose, case.lang)
    checks.append(_check("language", not other, other))
    return checks


def _no_answer(parsed: Parsed) -> list[dict[str, Any]]:
    cited = [str(citation) for citation in parsed.citations]
    quoted = [quote.text for quote in parsed.quotes if quote.counts]
    first = _first(parsed.prose, r"\n\s*\n")
    return [
        _check("says no", _refuses(first), first),
        _check("no guess", not (guess := _GUESS.findall(parsed.prose)), guess),
        _check("cites nothing", not cited, cited),
        _check("quotes nothing", not quoted, quoted),
    ]


def _proved(case: Case, parsed: Parsed) -> list[dict[str, Any]]:
    counting = [quote for quote in parsed.quotes if quote.counts]
    good = [quote for quote in counting if quote.at]
    proved = [citation for citation in parsed.citations if citation.proved]
    first = _first(parsed.prose, r"\n\s*\n|[.!?](?:\s|$)|[。！？]")
    cited = {citation.path for citation in parsed.citations}
    astray = [f"{path} does not answer this" for path in sorted(cited - set(case.sources))]
    astray += [f"{path} must be cited, too" for path in case.cite_all if path not in {c.path for c in proved}]
    unproved = [text for text in case.must_include if not any(whole(spaced(text), spaced(q.text)) for q in good)]
    prose = " ".join(parsed.prose.split())
    unsaid = [" | ".join(texts) for texts in case.must_say if not any(_says(prose, text) for text in texts)]
    wrong = [f"{q.text[:80]!r}: {q.why}" for q in counting if q.why]
    long = sum(len(quote.text) for quote in counting)
    return [
        _check("no refusal", not _refuses(first), first),
        _check("quotes something", bool(good), [f"{q.text[:80]!r}: {q.why}" for q in parsed.quotes if q.why]),
        _check("quotations stand", not wrong, wrong or [f"{q.at} {q.text[:60]!r}" for q in good]),
        _check("citations stand", not any(c.trouble for c in parsed.citations) and bool(proved),
               [f"{c}: {c.trouble}" for c in parsed.citations if c.trouble] or [str(c) for c in proved]),
        _check("right documents", not astray, astray),
        _check("proof", not unproved, unproved),
        _check("said", not unsaid, unsaid),
        _check("not stuffed", long <= MOST_QUOTED, f"{long} characters quoted"),
    ]  # fmt: skip


def _check(name: str, ok: bool, evidence: Any) -> dict[str, Any]:
    return {"check": name, "ok": ok, "evidence": evidence}


def _first(prose: str, end: str) -> str:
    return " ".join(re.split(end, prose.strip(), maxsplit=1)[0].split())


def _refuses(text: str) -> bool:
    return _NO.search(text) is not None


def _says(prose: str, text: str) -> bool:
    return whole(text.casefold(), prose.casefold())


def _other_language(prose: str, lang: str) -> str:
    """The language that the answer's own words are in instead of `lang`; "" when it is that, or they are too few."""
    dense = len(re.findall(r"[㐀-鿿]", prose))
    counts = Counter(word for word in re.findall(r"[^\W\d_]+", prose.casefold()))
    found = {name: sum(counts[word] for word in common.split()) for name, common in _COMMON.items()}
    found["zh"] = dense if dense > sum(counts.values()) / 4 else 0
    best = max(found, key=lambda name: found[name])
    return best if lang in found and found[best] > max(2, found[lang]) else ""


def read_run(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What the run says of itself, and the last answer of each arm and question. Ends the program if it is no run."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
        rows = [json.loads(line) for line in lines[:-1]]  # what follows the last line end was cut by a kill
        return rows[0]["run"], list({(row["arm"], row["id"]): row for row in rows[1:]}.values())
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        fail(f"{path} is no file of answers ({error!r}). Make one with skill_run.py.")


def graded(cases: Iterable[Case], records: Iterable[dict[str, Any]], docs: Path) -> list[dict[str, Any]]:
    """Every record of these cases with its `task`, `checks` and `passed`."""
    known = {case.id: case for case in cases}
    found = []
    for record in records:
        if record["id"] in known:
            checks = grade(known[record["id"]], record, docs)
            row = {"passed": all(check["ok"] for check in checks), "task": known[record["id"]].task, "checks": checks}
            found.append({**record, **row})
    return found


def table(rows: Sequence[dict[str, Any]], asked: int) -> str:
    """The figures by arm: passed, in all and by task; what failed; calls, tokens and seconds. `asked` questions make a
    whole run; of an arm that has fewer answers it is said."""
    lines = []
    for arm in dict.fromkeys(row["arm"] for row in rows):
        own = [row for row in rows if row["arm"] == arm]
        tasks = {task: [row for row in own if row["task"] == task] for task in TASKS}
        failed = Counter(one["check"] for row in own for one in row["checks"] if not one["ok"])
        calls = [call["tool"] for row in own for call in row.get("calls", [])]
        lines += [
            f"{arm}: {_share(own)} passed" + (f", {asked - len(own)} not asked yet" if asked > len(own) else ""),
            "    by task: " + ", ".join(f"{task} {_share(part)}" for task, part in tasks.items() if part),
            "    failed checks: " + (", ".join(f"{name} {count}" for name, count in failed.most_common()) or "none"),
            f"    {len(calls)} calls ({calls.count('search_company_knowledge')} searches), "
            f"tokens in {_sum(own, 'tokens_in')}, out {_sum(own, 'tokens_out')}, "
            f"{sum(row.get('seconds') or 0 for row in own):.0f} s",
        ]
    return "\n".join(lines)


def _share(rows: Sequence[dict[str, Any]]) -> str:
    return f"{sum(row['passed'] for row in rows)} of {len(rows)}"


def _sum(rows: Sequence[dict[str, Any]], key: str) -> str:
    told = [row[key] for row in rows if row.get(key) is not None]
    return f"{sum(told)}" + ("" if len(told) == len(rows) else f" (not told for {len(rows) - len(told)})")


def main(argv: Sequence[str] | None = None) -> int:
    """Grades a file of answers. Exit 0, also when answers fail; 2 when a file cannot be read or written."""
    parser = argparse.ArgumentParser(
        description="Grade kept answers against the documents.",
        epilog="example: python skills/company-brain/evals/skill_grade.py answers.jsonl --show",
    )
    parser.add_argument("answers", type=Path, help="the file that skill_run.py wrote")
    parser.add_argument("--questions", type=Path, default=HERE / "questions.jsonl", help="default: the demo's")
    parser.add_argument("--docs", type=Path, default=DOCS, help="the documents asked about; default: the demo's")
    parser.add_argument("--out", type=Path, help="where the evidence goes; default: beside the answers, .graded.json")
    parser.add_argument("--show", action="store_true", help="print each failed check with its evidence")
    args = parser.parse_args(argv)
    if not args.docs.is_dir():
        fail(f"{args.docs} is no folder. Name the documents with --docs DIR.")
    run, records = read_run(args.answers)
    cases = read_cases(args.questions)
    rows = graded(cases, records, args.docs)
    if not rows:
        fail(f"{args.answers} answers none of the questions in {args.questions}. Name theirs with --questions FILE.")
    out = args.out or args.answers.with_suffix(".graded.json")
    try:
        beside = out.with_name(out.name + ".part")
        beside.write_text(json.dumps({"run": run, "answers": rows}, ensure_ascii=False, indent=1), encoding="utf-8")
        os.replace(beside, out)
    except OSError as error:
        fail(f"{out} cannot be written: {error}. Name another place with --out FILE.")
    for row in rows if args.show else []:
        for failed in [one for one in row["checks"] if not one["ok"]]:
            print(f"{row['arm']} {row['id']}: {failed['check']}: {failed['evidence']}")
    if "scripted" in run["model"]:
        print(BY_A_SCRIPT)
    print(f"model {run['model']}, {len(cases)} questions\n{table(rows, len(cases))}\nevery check: {out}")
    return 0


if __name__ == "__main__":
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # Windows consoles speak other code pages
    raise SystemExit(main())
