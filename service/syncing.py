"""POST /sync: whoever holds the token makes the index follow its documents now, and may wait for what came of it.

Off while no token is set. One sync runs and one waits, for all who ask meanwhile. Knows how a sync is asked for.
Try: BRAIN_SYNC_TOKEN=a-long-secret-word python server.py, then
    curl -X POST -H "Authorization: Bearer a-long-secret-word" 127.0.0.1:8000/sync
"""

import asyncio
import re
from concurrent.futures import CancelledError, Future
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request
from fastapi.responses import JSONResponse, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from access.identity import SYNC, bearer, signs_in
from errors import BrainError, UsageError
from service.admission import allowed, headers_of, is_token
from service.brain import Brain, counts
from service.door import SYNC_PATH
from service.line import Stopping
from service.shapes import SyncReply, SyncWish, errors
from storage.follow import EndedError
from storage.report import Summary

WAIT_SECONDS = 60.0
"""How long a reply waits for its sync at most."""
_TOKEN = re.compile(r"[!-~]{16,}")  # what a header carries whole
_BEARER = HTTPBearer(auto_error=False, description="the setting BRAIN_SYNC_TOKEN")


class SyncOff(BrainError):
    """No token is set."""

    code = "sync_off"
    http_status = 403


class Unauthorised(BrainError):
    """The token is missing or another one."""

    code = "unauthorised"
    http_status = 401


def add_sync(api: FastAPI, brain: Brain) -> None:
    """Adds the route. Raises UsageError for a token that is too short to be a secret or that no header can carry."""
    token = brain.settings.sync_token
    if token and not _TOKEN.fullmatch(token):
        raise UsageError(
            "BRAIN_SYNC_TOKEN must be 16 or more ASCII characters without spaces. "
            'Make one: python -c "import secrets; print(secrets.token_urlsafe())"'
        )
    told: dict[int | str, dict[str, Any]] = {
        200: {"model": SyncReply, "description": "with `wait`: the sync has ended, `did` says with what"},
        202: {"model": SyncReply, "description": "a sync was asked for; `state` says whether it runs already"},
    }
    refused = errors(400, 401, 403, 408, 413, 415, 421, 422, 503)

    @api.post(SYNC_PATH, summary="sync now", status_code=202, response_model=SyncReply, responses={**refused, **told})
    async def sync(
        request: Request,
        given: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)],
        wish: SyncWish | None = None,
    ) -> Response:
        """Compares the index with its documents now, whatever `follow` and `sync_every` say.

        Needs `Authorization: Bearer` with the server's `BRAIN_SYNC_TOKEN`, or with a token of the scope `sync`.
        Questions are answered meanwhile.
        """
        if signs_in(brain.settings):
            allowed(request, SYNC)
        else:
            check(token, bearer(headers_of(request.scope)))
        asked = brain.sync_soon()
        summary = await _ended(asked) if wish and wish.wait else None
        did = None
        if summary:
            did = {**counts(summary), "unchanged": summary.unchanged, "left_out": len(summary.left_out)}
        return JSONResponse({**brain.following(), "did": did}, 200 if summary else 202)


def check(token: str, held: str) -> None:
    """Raises SyncOff where no token is set, Unauthorised when another one is `held`."""
    if not token:
        raise SyncOff("POST /sync is off. Set BRAIN_SYNC_TOKEN and restart the server, or run: python store.py --sync")
    if not is_token(token, held):
        raise Unauthorised("This needs the header Authorization: Bearer TOKEN with the server's BRAIN_SYNC_TOKEN.")


async def _ended(asked: Future[Summary]) -> Summary | None:
    """What the sync did, None when it has not ended in time. Raises what it raised."""
    try:
        return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(asked)), WAIT_SECONDS)
    except TimeoutError:
        return None
    except (asyncio.CancelledError, CancelledError, EndedError):
        raise Stopping("The server is being stopped. Ask again when it is back.") from None
