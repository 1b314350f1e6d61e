"""The server's log on stderr: one line an event, for people or as JSON, uvicorn's own warnings among them.

A line is one line whatever it holds: line ends, control and unseen characters are written out, so that no document and
no question can forge one or steer a terminal, and secrets are masked. Knows no questions and no routes.
Try: BRAIN_LOG_FORMAT=json python server.py
"""

import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from uvicorn.logging import DefaultFormatter

import commandline
from config import Settings
from masking import mask_line

LOG = logging.getLogger("brain")
"""Where the server's own events go."""
_LOGGERS = ("brain", "uvicorn")
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/+@-")


def set_up(settings: Settings) -> None:
    """Sends the server's and uvicorn's events to stderr in the form that the settings ask for.

    A handler that somebody else has put there with a form of its own (`uvicorn --log-config`) stays as it is.
    """
    form = _Json() if settings.log_format == "json" else _Human()
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        if not logger.handlers:
            logger.addHandler(_Stderr())
            logger.propagate = False
        for handler in logger.handlers:
            if isinstance(handler, _Stderr) or isinstance(handler.formatter, DefaultFormatter):
                handler.setFormatter(form)
    LOG.setLevel(logging.INFO)


def notice_for(settings: Settings) -> Callable[[str], None]:
    """Who tells people one line: as commands do, or as an event where a program reads the log."""
    tell = LOG.warning if settings.log_format == "json" else commandline.notice
    return lambda text: tell(commandline.aimed(mask_line(text), settings))


def event(level: int, message: str, fields: dict[str, Any]) -> None:
    """One event with what is known of it; a field that is None is left out."""
    LOG.log(level, message, extra={"fields": {name: value for name, value in fields.items() if value is not None}})


class _Stderr(logging.StreamHandler[Any]):
    """Writes to what stderr is at the moment; one that is full or closed costs the line, not the question."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> Any:
        return sys.stderr

    def handleError(self, record: logging.LogRecord) -> None:
        """Nothing: there is no other place to say it."""


class _Form(logging.Formatter):
    def parts(self, record: logging.LogRecord) -> dict[str, Any]:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told = {"time": at.replace("+00:00", "Z"), "level": record.levelname.lower(), "log": record.name}
        told |= {"message": record.getMessage(), **getattr(record, "fields", {})}
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return {name: _masked(value) for name, value in told.items()}


def _masked(value: Any) -> Any:
    """What is told without secrets: a question, a path and a server's reply may hold one."""
    if isinstance(value, str):
        return mask_line(value)
    if isinstance(value, dict):
        return {_masked(name): _masked(part) for name, part in value.items()}
    return [*map(_masked, value)] if isinstance(value, list | tuple) else value


class _Json(_Form):
    def format(self, record: logging.LogRecord) -> str:
        return commandline.json_text(self.parts(record), indent=None)


class _Human(_Form):
    def format(self, record: logging.LogRecord) -> str:
        told = self.parts(record)
        traceback = told.pop("traceback", "")
        head = " ".join(_shown(str(told.pop(name))) for name in ("time", "level", "log", "message"))
        lines = [" ".join([head, *(f"{name}={_value(value)}" for name, value in told.items())])]
        lines += [f"  | {_shown(line)}" for line in traceback.splitlines()]  # no line of it begins like an event
        return "\n".join(lines)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ",".join(f"{name}:{_value(part)}" for name, part in value.items())
    if isinstance(value, list):
        return _value(", ".join(map(str, value)))
    if isinstance(value, str) and not (value and set(value) <= _PLAIN):
        return commandline.json_text(value, indent=None)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _shown(text: str) -> str:
    """The text on one line, nothing in it unseen."""
    return commandline.shown(text).replace("\n", "\\n").replace("\t", "\\t")
