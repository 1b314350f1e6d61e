"""What kind of reply a request asks for; errors as replies, each as a status, a code and a sentence.

Knows no routes. Try: curl -d '{' -H "Content-Type: application/json" 127.0.0.1:8000/ask
"""

import logging
import re
from collections.abc import Sequence

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from answering.events import Failed
from errors import BrainError
from service.door import refusal

_RETRY_AFTER = {"not_ready": 2, "busy": 5}  # seconds
_RETRY_AFTER_OTHERS = 10
_OURS = "The server failed at this request; its log says how."
_log = logging.getLogger("uvicorn.error")


def kind_asked(request: Request, offered: Sequence[str]) -> str:
    """Of the media types `offered` the one that Accept puts highest, of equals one that it names, else the first."""
    accepted: dict[str, float] = {}
    for part in request.headers.get("accept", "").split(","):
        kind, _, parameters = part.partition(";")
        weight = re.search(r"(?:^|;)\s*q\s*=\s*([^;\s]*)", parameters)
        accepted[kind.strip().lower()] = _weight(weight[1]) if weight else 1.0

    def wish(kind: str) -> tuple[float, int]:
        for named, name in ((2, kind), (1, f"{kind.partition('/')[0]}/*"), (0, "*/*")):
            if name in accepted:
                return accepted[name], named if accepted[name] else 0
        return 0.0, 0

    return max(offered, key=wish)


def _weight(text: str) -> float:
    return float(text) if re.fullmatch(r"0(?:\.\d{0,3})?|1(?:\.0{0,3})?", text) else 0.0


def retry_after(error: BrainError) -> int:
    """Seconds after which asking again may help; 0 where it will not."""
    return _RETRY_AFTER.get(error.code, _RETRY_AFTER_OTHERS) if error.http_status == 503 else 0


def failed(error: BaseException) -> Failed:
    """The error as the last event of a stream; one that nobody foresaw goes to the log."""
    if isinstance(error, BrainError):
        detail = str(error).encode("utf-8", "replace").decode()
        return Failed(code=error.code, detail=detail, retry_after=retry_after(error))
    _log.error("A stream failed", exc_info=error)
    return Failed(code="internal", detail=_OURS, retry_after=0)


async def error_reply(_: Request, error: Exception) -> Response:
    """The error as a reply of its own."""
    if isinstance(error, BrainError):
        reply = refusal(error.http_status, error.code, str(error), retry_after(error))
        if error.http_status == 401:
            reply.headers["WWW-Authenticate"] = "Bearer"
        return reply
    if isinstance(error, RequestValidationError):
        return _wrong_request(error)
    if isinstance(error, HTTPException):
        codes = {400: "invalid_json", 404: "no_such_path", 405: "method_not_allowed"}
        reply = refusal(error.status_code, codes.get(error.status_code, "http_error"), f"{error.detail}. See /docs")
        reply.headers.update(error.headers or {})
        return reply
    return refusal(500, "internal", _OURS)


def _wrong_request(error: RequestValidationError) -> Response:
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return refusal(400, "invalid_json", f"The body is no JSON: {first.get('ctx', {}).get('error', '')}. See /docs")
    where = ".".join(str(part) for part in first["loc"][1:])[:100]
    message = first["msg"].removeprefix("Value error, ")
    return refusal(422, "invalid_request", f"{where or 'the body'}: {message.rstrip('.')}. See /docs")
