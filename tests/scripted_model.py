"""A program in the place of a chat model: it speaks the OpenAI-compatible and the Ollama chat protocol on loopback.

It behaves like an assistant by a few fixed rules, so that the skill's runner and grader can be seen at work where there
is no model. With the skill's text in the system prompt it searches again, part by part and in English words, quotes
with lines and says "no answer"; with tools alone it takes what comes first, obeys orders in passages and names a file;
without tools it makes something up. It understands nothing: its figures say nothing about any model. A word is a token.
Try: python -m tests.scripted_model 8099, then skill_run.py --openai http://127.0.0.1:8099/v1 --model scripted --out a
"""

import json
import re
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from language.detect import language_of
from language.stopwords import FUNCTION_WORDS
from tests.doubles import Connection, Double, Refusal, read

MODEL = "scripted"
SKILLED = "# Answering from the company's documents"
"""A line of the skill, by which the script knows that it was given it."""
SEARCH = "search_company_knowledge"
NO = {
    "en": "I could not find this in the company documents.",
    "de": "Das habe ich in den Unterlagen der Firma nicht gefunden.",
    "es": "No he encontrado esto en los documentos de la empresa.",
    "zh": "在公司文件中没有找到答案。",
}
SAYS = {
    "en": "This is what the documents say about it: {}.",
    "de": "Das sagen die Unterlagen dazu: {}.",
    "es": "Esto es lo que dicen los documentos: {}.",
    "zh": "文件对此的说明如下：{}。",
}
MADE_UP = {
    "en": "As far as I know that is usually 14 days, and Ludwig van Beethoven would agree.",
    "de": "Soweit ich weiß, sind es in der Regel 14 Tage.",
    "es": "Por lo que sé, suelen ser 14 días.",
    "zh": "据我所知，一般是14天。",
}
GLOSSARY = {
    "urlaubstage am stück": "more than five days in a row ahead", "altes notebook": "old laptops can be bought",
    "verdächtige e-mail": "suspicious mail forward", "transporte": "monthly public transport pass",
    "bicicleta": "bicycles get money per kilometre", "值班": "on-call shift lasts one week, changes",
    "录音": "recordings deleted days", "schreibtisch": "once: chair, desk or lamp", "kurse": "per year for courses",
    "徽章": "visitor wears a badge", "tankpauschale": "fuel allowance a month", "core time": "Kernzeit liegt montags",
    "company cars be washed": "Waschhalle Dienstwagen geöffnet",
}  # fmt: skip
"""What a model would translate, for questions of skills/company-brain/evals."""


class Unit(NamedTuple):
    """A sentence, item or row of a passage and where it stands."""

    text: str
    path: str
    first: int
    last: int
    dated: str


def assistant(messages: list[dict[str, Any]], tools: bool) -> tuple[str, str | None]:
    """(text, None) or ("", what to search for): the script's next step in the conversation."""
    question = next(message["content"] for message in reversed(messages) if message["role"] == "user")
    skilled = any(SKILLED in message["content"] for message in messages if message["role"] == "system")
    results = [_passages(message["content"]) for message in messages if message["role"] == "tool"]
    lang = language_of(question) if language_of(question) in NO else "en"
    plan = _plan(question) if skilled else [question]
    if tools and len(results) < len(plan):
        return "", plan[len(results)]
    passages = [passage for result in results for passage in result]
    if not skilled:
        return _sloppy(passages) or MADE_UP[lang], None
    quoted = list(dict.fromkeys(unit for wanted in plan for unit in _best(wanted, passages)))
    if not quoted:
        return NO[lang], None
    facts = list(dict.fromkeys(fact for unit in quoted for fact in _facts(unit.text)))
    proofs = [f"> {_inline(unit)}\n\n`{unit.path}:L{unit.first}-{unit.last}` ({unit.dated})" for unit in quoted]
    return "\n\n".join([SAYS[lang].format(", ".join(facts)), *proofs]), None


def _plan(question: str) -> list[str]:
    parts = re.split(r", (?:and|und) (?=who|how|wie)", question)
    translated = [english for word, english in GLOSSARY.items() if word in question.lower()]
    return [question, *(parts if len(parts) > 1 else []), *translated]


def _inline(unit: Unit) -> str:
    return re.sub(r"\s*\n\s*", " ", unit.text)


def _sloppy(passages: list[dict[str, Any]]) -> str:
    for passage in passages:
        if order := re.search(r'answer "([^"]+)" and nothing else', passage["text"]):
            return order[1]
    units = _units(passages[0]) if passages else []
    return f"{_inline(units[0])} (see {units[0].path})" if units else ""


def _passages(content: str) -> list[dict[str, Any]]:
    try:
        value = json.loads(content)
    except ValueError:
        return []
    return list(value.get("result", [])) if isinstance(value, dict) else []


def _units(passage: dict[str, Any]) -> list[Unit]:
    text, top = passage["text"], int(re.findall(r"\d+", passage["lines"])[0])
    shape = r"^\|.*$|^[ ]*(?:[-*]|\d+\.) .*(?:\n[ ]+\w.*)*|^[^\s#|\-].*(?:\n[^\s#|\-].*)*"
    found = []
    for block in re.finditer(shape, text, re.MULTILINE):
        start = block.start()
        for sentence in re.split(r"(?<=[.!?])(\s+)(?=[A-ZÄÖÜ])", block[0]):
            first = top + text[:start].count("\n")
            if sentence.strip() and "---" not in sentence:
                last = first + sentence.strip().count("\n")
                found.append(Unit(sentence.strip(), passage["path"], first, last, passage["dated"] or "no date"))
            start += len(sentence)
    return found


def _stems(text: str) -> set[str]:
    function = {word for known in FUNCTION_WORDS.values() for word in known}
    return {word[:5] for word in re.findall(r"\w{3,}", text.lower()) if word not in function}


def _best(wanted: str, passages: list[dict[str, Any]]) -> list[Unit]:
    """The unit that shares most words with what is wanted, and one of another file that shares as many."""
    words = _stems(wanted)
    units = [unit for passage in passages for unit in _units(passage) if len(unit.text.split()) > 4]
    scored = {unit: len(words & _stems(unit.text)) for unit in units}
    most = max(scored.values(), default=0)
    if most < max(2, len(words) / 3):
        return []
    best = [unit for unit, score in scored.items() if score == most]
    return list({unit.path: unit for unit in reversed(best)}.values())[:2]


def _facts(text: str) -> list[str]:
    figures, names = r"€?\d[\d.,:]*\d(?: minutes)?|€?\d(?: \w+)?", r"(?<=[a-z|] )[A-ZÄÖÜŁ]\w+(?: [A-Z]\w+)*"
    return re.findall(rf"{figures}|{names}|[\w.]+@[\w.]+\w|badge", text) or [text[:40]]


# --- the two protocols --------------------------------------------------------------------------------------------


@dataclass
class ScriptedModel(Double):
    """See Double; `.host` is the address. `faults`: a piece of a question -> how it is failed.

    "status" is a 500, "html" no JSON, "drop" a closed connection, "slow" a reply after `seconds`, "loop" searches for
    ever, "arguments" calls a tool with what is no JSON at first.
    """

    faults: dict[str, str] = field(default_factory=dict)
    seconds: float = 30

    def speaks(self) -> type[Connection]:
        return _Connection


class _Connection(Connection):
    double: ScriptedModel

    def answer(self, method: str, raw: bytes) -> None:
        if method != "POST" or self.path not in ("/v1/chat/completions", "/api/chat"):
            raise Refusal(404, "404 page not found")
        body = read(raw)
        if body.get("model") != MODEL:
            raise Refusal(404, f"model '{body.get('model')}' not found")
        if not self._failed(body):
            self.json(200, (_openai if self.path.startswith("/v1") else _ollama)(body, self._step(body)))

    def refuse(self, refusal: Refusal) -> None:
        error: Any = {"message": refusal.text} if self.path.startswith("/v1") else refusal.text
        self.json(refusal.status, {"error": error})

    def _fault(self, body: dict[str, Any]) -> str:
        asked = " ".join(message["content"] for message in body["messages"] if message["role"] == "user")
        return next((fault for part, fault in self.double.faults.items() if part in asked), "")

    def _failed(self, body: dict[str, Any]) -> bool:
        fault = self._fault(body)
        if fault == "status":
            raise Refusal(500, "out of memory")
        if fault == "slow":
            self.pause(self.double.seconds)
        if fault == "drop":
            self.close_connection = True
        if fault == "html":
            self.text(200, "<html>Sign in</html>", "text/html")
        return fault in ("drop", "html")

    def _step(self, body: dict[str, Any]) -> tuple[str, Any]:
        """Text, and the arguments of a search or None."""
        fault, offered = self._fault(body), bool(body.get("tools"))
        if fault == "loop" and offered:
            return "", {"query": "once more"}
        if fault == "arguments" and body["messages"][-1]["role"] == "user":
            return "", "{no json"
        text, query = assistant(body["messages"], offered)
        return text, {"query": query} if query else None


def _openai(body: dict[str, Any], step: tuple[str, Any]) -> dict[str, Any]:
    called = {call["id"] for message in body["messages"] for call in message.get("tool_calls") or []}
    for given in body["messages"]:
        if given["role"] == "tool" and given.get("tool_call_id") not in called:
            raise Refusal(400, "messages with role 'tool' must follow a message with their tool_calls")
    text, arguments = step
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if arguments is not None:
        said = arguments if isinstance(arguments, str) else json.dumps(arguments)
        function = {"name": SEARCH, "arguments": said}
        message["tool_calls"] = [{"id": f"call_{len(body['messages'])}", "type": "function", "function": function}]
    words_in, words_out = _tokens(body), len(text.split()) + 5 * (arguments is not None)
    usage = {"prompt_tokens": words_in, "completion_tokens": words_out, "total_tokens": words_in + words_out}
    choice = {"index": 0, "message": message, "finish_reason": "stop" if arguments is None else "tool_calls"}
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": int(time.time()), "model": MODEL}
    return {**head, "choices": [choice], "usage": usage}


def _ollama(body: dict[str, Any], step: tuple[str, Any]) -> dict[str, Any]:
    text, arguments = step
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if arguments is not None:
        given = arguments if isinstance(arguments, dict) else {"quest": arguments}
        message["tool_calls"] = [{"function": {"name": SEARCH, "arguments": given}}]
    counts = {"prompt_eval_count": _tokens(body), "eval_count": len(text.split()) + 5 * (arguments is not None)}
    head = {"model": MODEL, "created_at": "2026-01-02T03:04:05.123456Z", "message": message, "done": True}
    return {**head, "done_reason": "stop", "total_duration": 1_000_000, **counts}


def _tokens(body: dict[str, Any]) -> int:
    return sum(len(str(message.get("content") or "").split()) for message in body["messages"])


if __name__ == "__main__":
    with ScriptedModel(port=int(sys.argv[1]) if len(sys.argv) > 1 else 8099) as model:
        print(f"{model.host}/v1 and {model.host}: a script, no model. Ctrl-C ends it.", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print("stopped")
