"""Bearer tokens: made, listed and revoked by whoever may write the index file, asked for at each request.

A token is `cb_ID_SECRET`. The file holds the secret's sha256 alone (256 random bits need no slow hash), so a token is
shown once. What changes here holds at once in running servers: each request asks the table.
Knows no HTTP. Try: python -m access.tokens make --for user:42
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta

import commandline
from access import LOCAL
from access.audit import add
from access.directory import UnknownPerson
from access.identity import (
    ACT,
    ACTING_FOR,
    ASK,
    SCOPES,
    Authenticator,
    ForgedHeader,
    Headers,
    Identity,
    NotAllowed,
    Tables,
    Unauthenticated,
    bearer,
    caller_of,
    named,
    subject,
)
from database import Connection, lasting
from errors import Refused, UsageError

PREFIX = "cb_"
MOST_DAYS = 3650
MOST_LABEL_CHARS = 200
_MOST_NAME = 200  # characters of whom an agent names in vain, in the audit log
_TOKEN = re.compile(r"cb_([a-z2-7]{12})_([A-Za-z0-9_-]{43})")
_ID_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"  # 60 bits
_NONE = hashlib.sha256(b"").digest()


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret; times are UTC, ISO 8601, "" for never."""

    id: str
    subject: str
    scopes: tuple[str, ...]
    label: str
    made_at: str
    expires_at: str
    revoked_at: str

    def state(self, now: str) -> str:
        """What it is worth at the time `now`: "valid", "expired" or "revoked"."""
        if self.revoked_at:
            return "revoked"
        return "expired" if self.expires_at and self.expires_at <= now else "valid"


class Tokens(Authenticator):
    """`tokens`: who sends one of ours as bearer token."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def identify(self, headers: Headers, peer: str) -> Identity | None:
        """The token's subject; of an agent that names a person in X-Acting-For, bound by that person's rights.

        Raises Unauthenticated, in the same words for a token that is unknown, wrong, expired or revoked; NotAllowed and
        ForgedHeader for X-Acting-For from somebody who may not send it; UnknownPerson.
        """
        text = bearer(headers)
        if not text.startswith(PREFIX):
            return None
        connection = self._tables()
        token = _held(connection, text)
        credential = f"token:{token.id}"
        try:
            caller = caller_of(connection, token.subject)
            person = _acted_for(headers, token)
            if person:
                caller = replace(caller, within=(caller_of(connection, person).principals,), person=person)
        except Refused as error:
            error.credential, error.whose = credential, token.subject
            error.person = "".join(headers.get(ACTING_FOR, []))[:_MOST_NAME]
            raise
        return Identity(caller, frozenset(token.scopes), credential)


def _held(connection: Connection, text: str) -> Token:
    parts = _TOKEN.fullmatch(text)
    number, secret = parts.groups() if parts else ("", "")
    row = connection.execute(f"SELECT {_COLUMNS}, secret FROM tokens WHERE id = ?", (number,)).fetchone()
    same = hmac.compare_digest(_digest(secret), row[-1] if row else _NONE)
    token = _token(row[:-1]) if row else None
    if token is None or parts is None:
        raise _unheld("unknown_token")
    state = token.state(_now()) if same else "wrong_secret"
    if state != "valid":
        raise _unheld(state, token.id, token.subject if same else "")
    return token


def _unheld(reason: str, number: str = "", whose: str = "") -> Unauthenticated:
    """The same words whatever is the reason, which is for the audit log."""
    return Unauthenticated(
        "The token does not hold here: it is unknown, has expired or was revoked.", reason=reason,
        credential=f"token:{number}" if number else "", whose=whose,
    )  # fmt: skip


def _acted_for(headers: Headers, token: Token) -> str:
    """The person for whom the token's agent asks, "" for nobody."""
    sent = headers.get(ACTING_FOR, [])
    if not sent:
        return ""
    if len(sent) > 1:
        raise ForgedHeader("There are two X-Acting-For headers. Send one.")
    if ACT not in token.scopes:
        raise NotAllowed(f"X-Acting-For needs the scope `{ACT}`, which this token does not have.", reason="may_not_act")
    kind, _, name = sent[0].partition(":")
    if kind != "user":
        raise NotAllowed("X-Acting-For names no person. Write it as user:NAME.", reason="may_not_act")
    return named("user", name)


_COLUMNS = "id, subject, scopes, label, made_at, expires_at, revoked_at"


def _token(row: Sequence[str]) -> Token:
    number, who, scopes, *rest = row
    return Token(number, who, tuple(scopes.split()), *rest)


def make(
    connection: Connection, who: str, scopes: Iterable[str] = (ASK,), days: float | None = None, label: str = ""
) -> tuple[Token, str]:
    """A new token of the principal `who`, and what its holder sends; that is kept nowhere.

    `days` until it expires, None for never. Raises sqlite3.Error.
    """
    number = "".join(secrets.choice(_ID_LETTERS) for _ in range(12))
    secret = secrets.token_urlsafe(32)
    ends = _iso(datetime.now(UTC) + timedelta(days=days)) if days is not None else ""
    token = Token(number, who, tuple(scopes), label, _now(), ends, "")
    values = (number, _digest(secret), who, " ".join(token.scopes), label, token.made_at, ends)
    with lasting(connection):
        connection.execute(
            "INSERT INTO tokens (id, secret, subject, scopes, label, made_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            values,
        )
        told = {"subject": who, "scopes": list(token.scopes), "label": label, "expires_at": ends}
        add(connection, "token", LOCAL, {"action": "made", "id": number, **told})
    return token, f"{PREFIX}{number}_{secret}"


def listed(connection: Connection) -> list[Token]:
    """Every token, the newest last, the revoked and expired too. Raises sqlite3.Error."""
    return [_token(row) for row in connection.execute(f"SELECT {_COLUMNS} FROM tokens ORDER BY made_at, id")]


def revoke(connection: Connection, number: str) -> Token | None:
    """The token of this id, which from now on opens nothing; None where there is none. Raises sqlite3.Error."""
    with lasting(connection):
        sql = "UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at = ''"
        if connection.execute(sql, (_now(), number)).rowcount:
            add(connection, "token", LOCAL, {"action": "revoked", "id": number})
    row = connection.execute(f"SELECT {_COLUMNS} FROM tokens WHERE id = ?", (number,)).fetchone()
    return _token(row) if row else None


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _now() -> str:
    return _iso(datetime.now(UTC))


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")


def scopes_of(text: str) -> tuple[str, ...]:
    """The scopes in a list with commas, each once. Raises UsageError for one that is none."""
    wanted = dict.fromkeys(part.strip() for part in text.split(",") if part.strip())
    wrong = [scope for scope in wanted if scope not in SCOPES]
    if wrong or not wanted:
        raise UsageError(f"--scopes: {', '.join(wrong) or 'nothing'!r} is no list of {', '.join(SCOPES)}.")
    return tuple(wanted)


def main(argv: Sequence[str] | None = None) -> int:
    """The command line: make, list, revoke. Exit 0, 2 for wrong use or a file that cannot be used."""
    from store import connected

    parser = commandline.bare_parser(
        "Make, list and revoke the tokens by which people and agents say who they are.",
        "python -m access.tokens make --for user:42 --scopes ask,sync --days 90 --label laptop",
    )
    parser.add_argument("action", choices=("make", "list", "revoke"))
    parser.add_argument("id", nargs="?", help="the token's id (revoke)")
    parser.add_argument("--for", dest="who", metavar="PRINCIPAL", help="whose it is: user:NAME or agent:NAME (make)")
    parser.add_argument("--scopes", metavar="LIST", help=f"of {', '.join(SCOPES)}; by default ask (make)")
    parser.add_argument("--days", type=float, metavar="N", help="how long it holds; by default until revoked (make)")
    parser.add_argument("--label", default="", metavar="TEXT", help="what it is for (make)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    commandline.add_index_flags(parser)
    args = parser.parse_intermixed_args(argv)
    if (args.id is None) == (args.action == "revoke"):
        raise UsageError("revoke takes the token's id: python -m access.tokens list shows it.")
    if (args.who is None) == (args.action == "make"):
        raise UsageError("make takes whose token it is: python -m access.tokens make --for user:NAME")
    settings = commandline.settings_of(args)
    if not settings.database and not settings.db.exists():
        raise UsageError(f"There is no index at {settings.db} yet. Run: python store.py --sync")
    with connected(settings, create=False) as connection:
        if args.action == "list":
            _show(listed(connection), args.json)
        elif args.action == "revoke":
            _revoked(connection, args.id)
        else:
            who, scopes = subject(args.who, "--for"), scopes_of(args.scopes or ASK)
            _check_made(who, scopes, args.days, args.label)
            _made(connection, who, scopes, args.days, args.label, args.json)
    if args.action == "make" and "tokens" not in settings.auth:
        commandline.notice("no server takes tokens yet: the setting auth does not name them (BRAIN_AUTH=tokens)")
    return 0


def _check_made(who: str, scopes: tuple[str, ...], days: float | None, label: str) -> None:
    if days is not None and not 0 < days <= MOST_DAYS:
        raise UsageError(f"--days: {days:g} is not a number above 0 and up to {MOST_DAYS}.")
    if len(label) > MOST_LABEL_CHARS or not label.isprintable():
        raise UsageError(f"--label: at most {MOST_LABEL_CHARS} characters on one line.")
    if ACT in scopes and not who.startswith("agent:"):
        raise UsageError(f"--scopes: `{ACT}` is for agents; {who} is a person. Write --for agent:NAME")


def _made(
    connection: Connection, who: str, scopes: tuple[str, ...], days: float | None, label: str, as_json: bool
) -> None:
    try:
        caller_of(connection, who)
    except UnknownPerson as error:
        commandline.notice(f"{error} Until that changes the token opens nothing.")
    token, text = make(connection, who, scopes, days, label)
    if as_json:
        print(commandline.json_text({"token": text, **asdict(token)}))
        return
    ends = f"until {token.expires_at}" if token.expires_at else "until it is revoked"
    print(f"token {token.id} for {who} ({', '.join(scopes)}) {ends}; it is shown this once:\n{text}")


def _revoked(connection: Connection, number: str) -> None:
    token = revoke(connection, number)
    if token is None:
        raise UsageError(f"There is no token {number[:40]!r} in this index. Run: python -m access.tokens list")
    print(f"token {token.id} for {token.subject} is revoked since {token.revoked_at}")


def _show(tokens: Sequence[Token], as_json: bool) -> None:
    now = _now()
    if as_json:
        print(commandline.json_text([{**asdict(token), "state": token.state(now)} for token in tokens]))
        return
    for token in tokens:
        ends = f"until {token.expires_at[:16]}" if token.expires_at else "without end"
        told = [token.id, token.state(now), token.subject, ",".join(token.scopes), f"made {token.made_at[:16]}", ends]
        commandline.out("  ".join([*told, token.label]).rstrip())
    if not tokens:
        commandline.notice("no token was made in this index")


if __name__ == "__main__":
    commandline.run(main)
