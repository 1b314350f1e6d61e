"""Asks a chat model the skill's questions with our MCP server's tools: with the skill as system prompt, and without.

Arms: `skill` (tools and SKILL.md), `tools` (tools alone), `bare` (neither). The server's own instructions go with the
tools, as clients do it. Every answer is kept with its conversation, calls and token counts, a line each, at once, so
that a run that was ended goes on where it was. Judges nothing: skill_grade.py does.
Try: python skills/company-brain/evals/skill_run.py --ollama http://127.0.0.1:11434 --model qwen3.5:9b --out a.jsonl
"""

import argparse
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import anyio
from mcp import Client, MCPError, StdioServerParameters

from skill_cases import Case, fail, read_cases
from skill_chat import Call, Chat, ChatFault, Message, OllamaChat, OpenAIChat

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[2]
SKILL = HERE.parent / "SKILL.md"
ARMS = ("skill", "tools", "bare")
KEY = "SKILL_MODEL_KEY"
"""Environment variable with the key that an OpenAI-compatible address may ask for; it is written nowhere."""
READY_SECONDS = 1800
"""How long the server may take for a first index."""
CONNECTION_CLOSED = -32000


class ServerGone(Exception):
    """The MCP server has ended or cannot be started: nothing more can be asked."""


class Conversation:
    """One question asked of a model; `record` is filled as it goes, so that a deadline loses nothing."""

    def __init__(self, chat: Chat, client: Client, system: str, tools: list[Message], case: Case) -> None:
        self._chat, self._client, self._tools = chat, client, tools
        self._messages: list[Message] = [{"role": "system", "content": system}] if system else []
        self._messages.append({"role": "user", "content": case.question})
        self.record: dict[str, Any] = {
            "answer": "", "error": "", "rounds": 0, "tokens_in": None, "tokens_out": None, "calls": [],
            "transcript": self._messages,
        }  # fmt: skip

    async def run(self, rounds: int) -> None:
        """Lets the model call tools until it answers; in the last round it is offered none. Raises ServerGone."""
        for left in reversed(range(rounds)):
            reply = await self._chat.say(self._messages, self._tools if left else [])
            self._messages.append(reply.message)
            self.record["rounds"] += 1
            for key, told in (("tokens_in", reply.tokens_in), ("tokens_out", reply.tokens_out)):
                if told is not None:
                    self.record[key] = (self.record[key] or 0) + told
            if not reply.calls or not left:
                self.record["answer"] = re.sub(r"^.*?</think>", "", reply.text, flags=re.DOTALL).strip()
                return
            for call in reply.calls:
                self._messages.append(self._chat.result(call, await self._called(call)))

    async def _called(self, call: Call) -> str:
        started = time.monotonic()
        text, wrong = await called(self._client, call)
        row = {"tool": call.tool, "arguments": call.arguments or {}, "failed": wrong}
        self.record["calls"].append({**row, "seconds": round(time.monotonic() - started, 3)})
        return text


async def called(client: Client, call: Call) -> tuple[str, bool]:
    """What the server's tool returned as text, and whether that is an error. Raises ServerGone."""
    if call.arguments is None:
        return "The arguments are no JSON object. Call again with one.", True
    try:
        result = await client.call_tool(call.tool, call.arguments)
    except MCPError as error:
        if error.error.code == CONNECTION_CLOSED:
            raise ServerGone("it has ended") from error
        return f"The call failed: {error.error.message}", True
    except (anyio.ClosedResourceError, anyio.BrokenResourceError) as error:
        raise ServerGone("it has ended") from error
    return "\n".join(part.text for part in result.content if part.type == "text"), result.is_error


async def ready(client: Client) -> None:
    """Returns when the index can be asked. Raises ServerGone when it cannot after READY_SECONDS."""
    shown: Any = None
    end = time.monotonic() + READY_SECONDS
    while True:
        status = (await client.call_tool("index_status", {})).structured_content or {}
        if status.get("answers", True):
            return
        if time.monotonic() > end:
            raise ServerGone(f"its index is not ready after {READY_SECONDS} s: {status.get('detail')}")
        if status.get("detail") != shown:
            shown = status.get("detail")
            print(f"waiting for the index: {shown}", file=sys.stderr)
        await anyio.sleep(0.5)


async def ask_all(chat: Chat, args: argparse.Namespace, work: list[tuple[str, Case]], out: IO[bytes]) -> int:
    """Asks what is left, in order; returns how many questions the model failed. Raises ServerGone."""
    failed = 0
    environment = {name: value for name, value in os.environ.items() if name != KEY}
    words = [str(args.server), "--docs", str(args.docs), *(["--db", str(args.db)] if args.db else [])]
    server = StdioServerParameters(command=sys.executable, args=words, env=environment)
    try:
        async with Client(server) as client:
            await ready(client)
            offered = [_function(tool) for tool in (await client.list_tools()).tools]
            for arm, case in work:
                system, tools = _system(arm, client.instructions), [] if arm == "bare" else offered
                record = await asked(Conversation(chat, client, system, tools, case), args.rounds, args.deadline)
                _write(out, {"arm": arm, "id": case.id, "question": case.question} | record)
                failed += bool(record["error"])
                told = record["error"] or f"{len(record['calls'])} calls, {len(record['answer'])} characters"
                print(f"{arm:5} {case.id}: {told}, {record['seconds']:.1f} s", flush=True)
    finally:
        await chat.close()
    return failed


async def asked(talk: Conversation, rounds: int, deadline: float) -> dict[str, Any]:
    """The record of one question, with the model's error or the deadline in `error`. Raises ServerGone."""
    started, when = time.monotonic(), datetime.now(UTC).isoformat(timespec="seconds")
    try:
        with anyio.fail_after(deadline):
            await talk.run(rounds)
    except ChatFault as error:
        talk.record["error"] = str(error)
    except TimeoutError:
        talk.record["error"] = f"No answer within {deadline:g} s (--deadline)."
    return talk.record | {"asked": when, "seconds": round(time.monotonic() - started, 3)}


def _function(tool: Any) -> Message:
    shape = {"name": tool.name, "description": tool.description or "", "parameters": tool.input_schema}
    return {"type": "function", "function": shape}


def _system(arm: str, instructions: str | None) -> str:
    skill = re.sub(r"\A---\n.*?\n---\n", "", SKILL.read_text(encoding="utf-8"), flags=re.DOTALL).strip()
    return "\n\n".join([instructions or ""] * (arm != "bare") + [skill] * (arm == "skill")).strip()


def _write(out: IO[bytes], row: Any) -> None:
    # A lone surrogate, which JSON may hold and UTF-8 may not, is written as its escape.
    out.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
    out.flush()


def _digest(paths: Iterable[Path]) -> str:
    parts = [f"{path.name}:{hashlib.sha256(path.read_bytes()).hexdigest()}" for path in sorted(paths)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _head(args: argparse.Namespace, chat: Chat) -> dict[str, Any]:
    """What a run is of. A run goes on only under the same head, but for its date."""
    return {
        "model": args.model, "protocol": chat.protocol, "temperature": args.temperature,
        "address": re.sub(r"//[^/@]*@", "//", args.openai or args.ollama),
        "rounds": args.rounds, "deadline": args.deadline, "timeout": args.timeout,
        "num_ctx": args.num_ctx if args.ollama else None, "skill": _digest([SKILL]),
        "questions": _digest([args.questions]), "docs": _digest(p for p in args.docs.rglob("*") if p.is_file()),
    }  # fmt: skip


def _resumed(out: IO[bytes], head: dict[str, Any]) -> set[tuple[str, str]]:
    """What the file holds without errors; a cut last line is taken off. Ends the program if it is of another run."""
    out.seek(0)
    held = out.read()
    out.truncate(held.rfind(b"\n") + 1)
    out.seek(0, os.SEEK_END)
    try:
        rows = [json.loads(line) for line in held[: held.rfind(b"\n") + 1].splitlines()]
        before = dict(rows[0]["run"]) if rows else head
        done = {(row["arm"], row["id"]) for row in rows[1:] if not row["error"]}
    except (ValueError, KeyError, TypeError):
        fail(f"{out.name} is no file of answers. Name another with --out FILE.")
    before.pop("started", None)
    if differ := [name for name in head if before.get(name) != head[name]]:
        fail(f"{out.name} holds another run ({', '.join(differ)} differ). Name another file with --out FILE.")
    if not rows:
        _write(out, {"run": head | {"started": datetime.now(UTC).isoformat(timespec="seconds")}})
    return done


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Ask a model the skill's questions, with the skill and without; keep every answer.",
        epilog="example: python skills/company-brain/evals/skill_run.py --ollama http://127.0.0.1:11434 "
        "--model qwen3.5:9b --out answers.jsonl; the same command goes on with a run that was ended",
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--openai", metavar="URL", help=f"OpenAI-compatible address, as http://host/v1 (key: {KEY})")
    where.add_argument("--ollama", metavar="URL", help="address of an Ollama server")
    parser.add_argument("--model", required=True, help="the model's name there")
    parser.add_argument("--out", type=Path, required=True, help="file of answers, added to")
    parser.add_argument("--arms", default="skill,tools", help=f"of {','.join(ARMS)} (default: skill,tools)")
    parser.add_argument("--questions", type=Path, default=HERE / "questions.jsonl", help="default: about the demo")
    parser.add_argument("--docs", type=Path, default=PROJECT / "docs", help="documents; default: the demo's")
    parser.add_argument("--db", type=Path, help="the index file; default: the server's own for these documents")
    parser.add_argument("--server", type=Path, default=PROJECT / "mcp_server.py", help="the MCP server's program")
    parser.add_argument("--only", metavar="ID,ID", help="ask only these questions")
    parser.add_argument("--rounds", type=int, default=8, help="replies of the model to one question at most (8)")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one reply of the model (300)")
    parser.add_argument("--deadline", type=float, default=900, help="seconds for one question (900)")
    parser.add_argument("--temperature", type=_temperature, default=0.0, help="none: the server's own (default: 0)")
    parser.add_argument("--num-ctx", type=int, default=32768, help="Ollama's window in tokens (32768)")
    args = parser.parse_args(argv)
    args.arms = args.arms.split(",")
    if not set(args.arms) <= set(ARMS):
        parser.error(f"--arms takes some of {','.join(ARMS)}")
    if min(args.rounds, args.timeout, args.deadline) <= 0:
        parser.error("--rounds, --timeout and --deadline are more than 0")
    for path in (args.server, args.docs):
        if not path.exists():
            parser.error(f"{path} is not there")
    if args.out.exists() and not args.out.is_file():
        parser.error(f"--out {args.out} is no file")
    return args


def _temperature(text: str) -> float | None:
    return None if text == "none" else float(text)


def _chat(args: argparse.Namespace) -> Chat:
    if args.ollama:
        return OllamaChat(args.ollama, args.model, args.num_ctx, args.temperature, args.timeout)
    return OpenAIChat(args.openai, args.model, os.environ.get(KEY, ""), args.temperature, args.timeout)


def _leaf(error: BaseException) -> BaseException:
    return _leaf(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def main(argv: Sequence[str] | None = None) -> int:
    """Asks all. Exit 0; 3 when the model failed some (the same command asks again); 2 for wrong use or no server."""
    args = _arguments(argv)
    cases = [case for case in read_cases(args.questions) if not args.only or case.id in args.only.split(",")]
    if not cases:
        fail(f"{args.questions} has none of --only {args.only}.")
    chat = _chat(args)
    try:
        with args.out.open("a+b") as out:
            done = _resumed(out, _head(args, chat))
            work = [(arm, case) for case in cases for arm in args.arms if (arm, case.id) not in done]
            print(f"{len(work)} answers to be made, {len(cases) * len(args.arms) - len(work)} are there", flush=True)
            failed = anyio.run(ask_all, chat, args, work, out) if work else 0
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
        return 130
    except Exception as error:
        cause = _leaf(error)
        if isinstance(cause, OSError):
            fail(f"{cause}. What {args.out} holds is kept; the same command goes on.")
        if isinstance(cause, ServerGone | MCPError | anyio.ClosedResourceError):
            fail(f"The MCP server {args.server} does not answer ({cause}). The same command goes on.")
        raise
    print(f"{failed} failed; the same command asks them again" if failed else f"Grade them: {_grading(args)}")
    return 3 if failed else 0


def _grading(args: argparse.Namespace) -> str:
    own = [] if args.questions == HERE / "questions.jsonl" else ["--questions", str(args.questions)]
    own += [] if args.docs == PROJECT / "docs" else ["--docs", str(args.docs)]
    return " ".join(["python", os.path.relpath(HERE / "skill_grade.py"), str(args.out), *own])


if __name__ == "__main__":
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # Windows consoles speak other code pages
    raise SystemExit(main())
