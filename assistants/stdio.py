"""The tools over stdin and stdout, where stdout belongs to the protocol: whatever else prints there goes to stderr.

Ends when stdin ends, on SIGTERM and on Ctrl-C: the sync stops at its next document and the index is closed. A second
signal ends it at once. Knows no tool. Try: python mcp_server.py < /dev/null
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from types import FrameType
from typing import Any, NoReturn

import anyio

from access import Caller
from access.identity import OPERATE, Identity
from assistants.calls import Calls
from assistants.tools import tools_over
from service import logs
from service.brain import Brain


def serve(brain: Brain, identified: Callable[[], Identity]) -> NoReturn:
    """Serves one client until it is gone; `identified` says at each call who asks.

    Ends the process: 0, or 128 and the number of the signal that ended it.
    """

    @contextlib.asynccontextmanager
    async def alive(_: Any) -> AsyncIterator[None]:
        # The SDK has put stderr in the place of file descriptor 1 by now, for C libraries too. What Python prints would
        # still wait in sys.stdout's buffer, and be written to the client when the descriptor is put back.
        with contextlib.redirect_stdout(sys.stderr):
            brain.start()
            yield
            _end(brain, 0)

    def caller_of(_: Any) -> Caller:
        return identified().caller

    def operates(_: Any) -> bool:
        return OPERATE in identified().scopes

    logs.set_up(brain.settings)
    _end_on_signals(brain)
    try:
        anyio.run(tools_over(brain, caller_of, operates, Calls(), alive).run_stdio_async)
    except* OSError:
        pass  # the client is gone, and what was still to be told has nobody to hear it
    _end(brain, 0)


def _end_on_signals(brain: Brain) -> None:
    def ended(number: int, frame: FrameType | None) -> None:
        if _ending.is_set():
            os._exit(128 + number)
        threading.Thread(target=_end, args=(brain, 128 + number), daemon=True).start()

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), ended)


_ending = threading.Event()


def _end(brain: Brain, code: int) -> NoReturn:
    """Closes the index and leaves: a thread that reads stdin cannot be ended otherwise."""
    _ending.set()
    with contextlib.suppress(Exception):
        brain.stop()
        sys.stderr.flush()
    os._exit(code)
