"""A few threads that each ask Drive on a connection of their own: one after the other, 10,000 files take an hour.

Knows functions only. Try: pytest tests/test_drive.py
"""

import contextlib
import queue
import threading
from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager
from typing import TypeVar

Job = TypeVar("Job")
Tool = TypeVar("Tool")
Done = TypeVar("Done")

THREADS = 4


def each(
    jobs: Iterable[Job], tool: Callable[[], AbstractContextManager[Tool]], work: Callable[[Tool, Job], Done],
    threads: int = THREADS,
) -> Generator[Done]:  # fmt: skip
    """What `work` makes of each job, in any order; each thread has a tool. Raises the first error of any of them.

    No thread is waited for: what it waits for may take minutes.
    """
    todo, ended = list(reversed(list(jobs))), threading.Event()
    count = len(todo)
    done: queue.Queue[Done | BaseException] = queue.Queue(4 * threads)

    def run() -> None:
        try:
            with tool() as held:
                while not ended.is_set():
                    try:
                        job = todo.pop()
                    except IndexError:
                        return
                    put(work(held, job))
        except BaseException as error:
            put(error)

    def put(value: Done | BaseException) -> None:
        while not ended.is_set():
            with contextlib.suppress(queue.Full):
                done.put(value, timeout=0.2)
                return

    for number in range(min(threads, count)):
        threading.Thread(target=run, name=f"drive-{number}", daemon=True).start()
    try:
        for _ in range(count):
            value = done.get()
            if isinstance(value, BaseException):
                raise value
            yield value
    finally:
        ended.set()
