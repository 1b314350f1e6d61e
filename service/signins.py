"""Sign-ins in the audit log: whose credentials were taken, from where, and which were refused and why.

Credentials come with each request; a row is written for the first use by one caller from one address within an hour.
Refused ones are counted by address and reason, and the counts written once a minute, those of the first 32 apart, so
that a flood costs no disk. A thread of its own writes: no request waits for it. Never holds a credential itself.
Try: BRAIN_AUTH=tokens python server.py, a request with a wrong token, then python -m access.audit show --kind sign_in
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from access import Caller
from access.identity import NO_CREDENTIALS, Identity
from answering.recorded import Log, who
from errors import NotRecorded, Refused
from service import logs

AGAIN_SECONDS = 3600.0
"""After so long the same credential from the same address is written down again."""
EVERY_SECONDS = 60.0
"""How often the counts of refused ones are written."""
MOST_COUNTED = 32
"""Kinds of refused ones (address, reason, credential) that are counted apart within that time."""
MOST_KNOWN = 10_000
"""Uses that are remembered, so as not to be written again."""
UNKNOWN = "unknown"
"""In place of a caller, where nobody knows whose the credentials were: no principal is called so."""
_ENDS = 5.0  # seconds that the last rows may take when the server stops
_OPENS = 1.0  # seconds after which a log that was not open yet is tried again
_Use = tuple[str, str, str, str]  # credential, caller, the person an agent came for, address
_Why = tuple[str, str, str, str, str]  # address, reason, credential, whose, the person an agent came for


@dataclass(slots=True)
class _Count:
    number: int
    since: str
    until: str


class SignIns:
    """Takes note of sign-ins and writes them into the audit log a moment later; safe to use from several threads."""

    def __init__(self, log: Callable[[], Log | None], *, keeps_peers: bool, every: float = EVERY_SECONDS) -> None:
        """`log` gives the audit log once there is one; without `keeps_peers` no address is kept."""
        self._log, self._keeps_peers, self._every = log, keeps_peers, every
        self._known: OrderedDict[_Use, float] = OrderedDict()  # when each was written down
        self._taken: list[tuple[Caller, dict[str, Any]]] = []
        self._counts: dict[_Why, _Count] = {}
        self._changed, self._ending, self._failing = threading.Condition(), False, False
        self._next = 0.0  # when counts are written
        self._thread: threading.Thread | None = None

    def accepted(self, identity: Identity, peer: str) -> None:
        """Credentials were taken that came from the address `peer`; nothing where nobody is asked for any."""
        if identity.by == "none":
            return
        caller, peer, now = identity.caller, peer if self._keeps_peers else "", time.monotonic()
        use = (identity.by, caller.id, caller.person, peer)
        with self._changed:
            written = self._known.get(use)
            if (written is not None and now - written < AGAIN_SECONDS) or len(self._taken) >= MOST_KNOWN:
                return
            self._known[use] = now
            self._known.move_to_end(use)
            while len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
            told = {"status": "accepted", "credential": identity.by, "scopes": sorted(identity.scopes)}
            self._taken.append((caller, who("http", caller) | told | ({"peer": peer} if peer else {})))
            self._wake()

    def refused(self, error: Refused, peer: str) -> None:
        """Credentials were refused that came from `peer`; nothing where there were none."""
        if error.reason == NO_CREDENTIALS:
            return
        key = (peer if self._keeps_peers else "", error.reason, error.credential, error.whose, error.person)
        with self._changed:
            key = _room(self._counts, key)
            if not self._counts and not self._failing:
                self._next = time.monotonic() + self._every
                self._wake()
            count = self._counts.setdefault(key, _Count(0, _now(), ""))
            count.number, count.until = count.number + 1, _now()

    def close(self) -> None:
        """Writes what is left, unless that takes longer than some seconds."""
        with self._changed:
            self._ending = True
            self._changed.notify()
        if self._thread:
            self._thread.join(_ENDS)

    def _wake(self) -> None:
        if self._thread is None and not self._ending:
            self._thread = threading.Thread(target=self._run, name="sign-ins", daemon=True)
            self._thread.start()
        self._changed.notify()

    def _run(self) -> None:
        ending = False
        while not ending:
            with self._changed:
                while not (self._ending or (self._taken and not self._failing)):
                    left = self._next - time.monotonic() if self._counts or self._failing else None
                    if left is not None and left <= 0:
                        break
                    self._changed.wait(left)
                ending = self._ending
            self._write(ending)

    def _write(self, ending: bool) -> None:
        log, now = self._log(), time.monotonic()
        with self._changed:
            taken, self._taken = self._taken, []
            counts, due = {}, ending or now >= self._next
            if due and self._counts:
                counts, self._counts = self._counts, {}
        try:
            if log is None:
                raise NotRecorded("The index is not open yet.")
            while taken:
                log.write("sign_in", *taken[0])
                taken.pop(0)
            while counts:
                key = next(iter(counts))
                log.write("sign_in", Caller(key[3] or UNKNOWN, frozenset()), _told(key, counts[key]))
                counts.pop(key)
            self._failing = False
        except Exception as error:  # whatever it is, the next sign-ins are to be written down
            self._keep(taken, counts)
            self._next = now + (self._every if log else _OPENS)
            if log and not self._failing:
                logs.LOG.warning("sign-ins wait to be written down: %s", error)
            self._failing = True

    def _keep(self, taken: list[tuple[Caller, dict[str, Any]]], counts: dict[_Why, _Count]) -> None:
        """Puts back what could not be written."""
        with self._changed:
            self._taken = taken + self._taken
            for key, count in self._counts.items():
                kept = counts.setdefault(_room(counts, key), _Count(0, count.since, ""))
                kept.number, kept.until = kept.number + count.number, count.until
            self._counts = counts


def _room(counts: dict[_Why, _Count], key: _Why) -> _Why:
    """The key, or one of its reason alone where enough are held apart: of those there are no more than reasons."""
    return key if key in counts or len(counts) < MOST_COUNTED else ("", key[1], "", "", "")


def _told(key: _Why, count: _Count) -> dict[str, Any]:
    peer, reason, credential, _, person = key
    told = {"road": "http", "status": "refused", "reason": reason, "count": count.number}
    told |= {"since": count.since, "until": count.until}
    known = {"credential": credential, "for": person, "peer": peer}
    return told | {name: value for name, value in known.items() if value}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
