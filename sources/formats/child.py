"""Conversion in a child process, so that a broken or hostile file costs its own entry and nothing else.

A Worker starts the child with the first file and another one after a crash, a limit or some hundred files. The child
ends when its stdin does, so with its parent, however that ends; it answers in JSON, since what it reads may have taken
it over. Memory is limited where the system can (RLIMIT_AS: not on Windows, and macOS takes no notice).
Knows no index. Try: python chunk.py report.pdf
"""

import contextlib
import importlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from sources.formats import UNREAD, Converted, Limits, Unreadable, module_of

MEMORY_IS_LIMITED = sys.platform not in ("win32", "darwin")
"""Whether `memory_mb` holds on this system."""
_MOST_FILES = 300  # that one child converts: what its libraries leak ends with it
_START_SECONDS = 30.0
_ROOT = Path(__file__).resolve().parents[2]
_MOST_REASON = 300
_TOO_LONG = "takes longer than"
_NO_PROCESS = f"{UNREAD}: no process could be started for it"
_READY = b"ready\n"
_ENVIRONMENT = (
    "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LANG", "LC_ALL",
    "PYTHONHOME",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one file may take, the child's process included."""

    limits: Limits
    seconds: float  # of processor time, and by the clock
    memory_mb: float


class Worker:
    """Converts files one after another; not for several threads at once. To be closed."""

    def __init__(self, bounds: Bounds, package: str = "sources.formats") -> None:
        """`package` is where the modules named in MODULES stand."""
        self._bounds, self._package = bounds, package
        self._child: subprocess.Popen[bytes] | None = None
        self._done = 0

    def convert(self, data: bytes, name: str) -> Converted:
        """The file's text, places, meta and notes. Raises Unreadable with the reason, also for what a limit ended."""
        fresh = self._child is None or self._child.poll() is not None or self._done >= _MOST_FILES
        if fresh:
            self._start()
        reply, reason = self._asked(data, name)
        if reply is None and not fresh and not reason.startswith(_TOO_LONG):
            self._start()  # what ended the child may be what earlier files left in it
            reply, reason = self._asked(data, name)
        if reply is None:
            raise Unreadable(reason)
        return _converted(reply)

    def _asked(self, data: bytes, name: str) -> tuple[dict[str, Any] | None, str]:
        """The child's reply, or None and why; a child that is no longer to be used is ended."""
        child = self._child
        assert child is not None
        self._done += 1
        reply, code, expired = None, 0, threading.Event()
        try:
            with _ended_after(self._bounds.seconds, child, expired):
                reply = _exchange(child, data, name, self._bounds.limits)
        finally:
            if reply is None or expired.is_set() or reply.get("ends"):  # None also after Ctrl-C
                code = self.close()
        if reply is None:
            return None, self._told(code, expired.is_set())
        reason = str(reply["reason"])[:_MOST_REASON] if "reason" in reply else ""
        if reason and not reply.get("ends"):
            raise Unreadable(_clean(reason))
        return (None, reason) if reason else (reply, "")

    def close(self) -> int:
        """Ends the child, if there is one, and returns its exit code. More files start another."""
        child, self._child, self._done = self._child, None, 0
        if child is None:
            return 0
        for stream in (child.stdin, child.stdout):
            with contextlib.suppress(OSError):
                if stream:
                    stream.close()
        if child.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):  # one that is dying tells by which signal
                child.wait(0.2)
            child.kill()
        return child.wait()

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> None:
        seconds, memory = self._bounds.seconds, self._bounds.memory_mb
        words = [sys.executable, "-m", "sources.formats.child", self._package, str(seconds), str(memory)]
        paths = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        told = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}  # nobody's keys among it
        self.close()
        try:
            self._child = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=_ROOT,
                env={**told, "PYTHONPATH": os.pathsep.join(paths), "MALLOC_ARENA_MAX": "2"},
            )  # fmt: skip
        except OSError as error:
            raise Unreadable(f"{_NO_PROCESS} ({error.strerror})") from error
        assert self._child.stdout is not None
        ready = b""
        try:
            with _ended_after(_START_SECONDS, self._child, threading.Event()):
                ready = self._child.stdout.readline(8)
        finally:
            if ready != _READY:
                self.close()
        if ready != _READY:
            raise Unreadable(f"{_NO_PROCESS} (it ends at once with {memory:g} MB of memory)")

    def _told(self, code: int, expired: bool) -> str:
        if expired or code == -getattr(signal, "SIGXCPU", 0):
            return f"{_TOO_LONG} {self._bounds.seconds:g} s (BRAIN_FILE_SECONDS)"
        how = f"signal {-code}" if code < 0 else f"exit {code}"
        limit = f"needs more than {self._bounds.memory_mb:g} MB of memory (BRAIN_FILE_MEMORY_MB)"
        return f"ended the process that read it ({how}): it is broken, or {limit}"


@contextlib.contextmanager
def _ended_after(seconds: float, child: "subprocess.Popen[bytes]", expired: threading.Event) -> Iterator[None]:
    """Ends the child and sets `expired` when the block takes longer: the pipe that it waits for is then at its end."""

    def end() -> None:
        expired.set()
        child.kill()

    clock = threading.Timer(seconds, end)
    clock.daemon = True
    clock.start()
    try:
        yield
    finally:
        clock.cancel()
        clock.join()


def _exchange(child: "subprocess.Popen[bytes]", data: bytes, name: str, limits: Limits) -> dict[str, Any] | None:
    """The child's reply, None when it gave none."""
    assert child.stdin is not None
    assert child.stdout is not None
    head = {"name": name, "size": len(data), "pages": limits.pages, "characters": limits.characters}
    try:
        child.stdin.write(json.dumps(head).encode() + b"\n")
        child.stdin.write(data)
        child.stdin.flush()
        most = 12 * limits.characters + 10_000_000  # a line of JSON for each place, six bytes for an escaped character
        size = child.stdout.readline(32)
        if not size.endswith(b"\n") or not 0 < int(size) <= most:
            return None
        body = child.stdout.read(int(size))
        reply = json.loads(body) if len(body) == int(size) else None
    except (OSError, ValueError, RecursionError):
        return None
    return reply if isinstance(reply, dict) else None


def _converted(reply: dict[str, Any]) -> Converted:
    """What the reply says, nothing taken on trust: strings only, a place a line."""
    text = _clean(str(reply.get("text", ""))).replace("\r\n", "\n").replace("\r", "\n")
    count = text.count("\n") + (0 if text.endswith("\n") or not text else 1)
    places = [_clean(str(place)) for place in reply.get("places", ())][:count]
    places += [places[-1] if places else ""] * (count - len(places))
    meta = {_clean(str(key)): _clean(str(value)) for key, value in dict(reply.get("meta", {})).items()}
    notes = tuple(_clean(str(note))[:_MOST_REASON] for note in reply.get("notes", ()))
    return Converted(text, tuple(places), meta, notes)


def _clean(text: str) -> str:
    """Without halves of surrogate pairs, which no database and no terminal takes."""
    return text.encode("utf-8", "replace").decode()


def _requests(stream: BinaryIO) -> Iterator[tuple[dict[str, Any], bytes]]:
    while line := stream.readline():
        head = json.loads(line)
        data = stream.read(head["size"])
        if len(data) < head["size"]:
            return
        yield head, data


def _listen(stream: BinaryIO, waiting: "queue.Queue[tuple[dict[str, Any], bytes]]") -> None:
    """Hands over what is asked; in a thread of its own, so that the parent's end is noticed in the midst of a file."""
    try:
        for request in _requests(stream):
            waiting.put(request)
    finally:
        os._exit(0)


def _limit(seconds: float) -> None:
    """From now on so much processor time; the system ends the process after it."""
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        most = int(used.ru_utime + used.ru_stime + seconds) + 1
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _limit_memory(megabytes: float) -> None:
    if sys.platform != "win32":
        import resource

        most = int(megabytes * 1e6)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _answer(head: dict[str, Any], data: bytes, package: str, memory: str) -> dict[str, Any]:
    name = str(head["name"])
    try:
        module = importlib.import_module(f"{package}.{module_of(name)}")
        converted: Converted = module.convert(data, name, Limits(head["pages"], head["characters"]))
        if len(converted.text) > head["characters"]:
            return {"reason": f"its text is longer than {head['characters'] / 1e6:g} MB (BRAIN_MAX_FILE_MB)"}
        return {**asdict(converted), "meta": dict(converted.meta)}
    except Unreadable as error:
        return {"reason": str(error)}
    except MemoryError:
        return {"reason": f"needs more than {memory} MB of memory (BRAIN_FILE_MEMORY_MB)", "ends": True}
    except RecursionError:
        return {"reason": "is nested too deeply"}
    except Exception as error:
        told = " ".join(f"{type(error).__name__}: {error}".split())
        return {"reason": f"could not be read ({told[:200]})"}


def main() -> None:
    """The child: answers requests from stdin until it ends. Whatever libraries print goes nowhere."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    package, seconds, memory = sys.argv[1:4]
    out = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    asked = os.fdopen(os.dup(0), "rb")
    os.dup2(nowhere, 0)
    _limit_memory(float(memory))
    waiting: queue.Queue[tuple[dict[str, Any], bytes]] = queue.Queue()
    threading.Thread(target=_listen, args=(asked, waiting), daemon=True).start()
    out.write(_READY)
    out.flush()
    while True:
        head, data = waiting.get()
        _limit(float(seconds))
        reply = json.dumps(_answer(head, data, package, f"{float(memory):g}")).encode()
        del data
        out.write(b"%d\n" % len(reply) + reply)
        out.flush()


if __name__ == "__main__":
    main()
