"""Who asks on this machine without a server: commands, and assistants over stdin and stdout.

Where `auth` is none it is the setting `caller`; else the bearer of a token (`BRAIN_TOKEN`, `token_file`), known by the
same authenticators as over HTTP. This binds people who use the commands, not those who may read the index file itself.
Try: python search.py "parental leave" --as user:42
"""

from dataclasses import replace

from access.identity import ASK, IMPERSONATE, Identity, Row, Tables, Unauthenticated, caller_of, subject
from config import Settings
from errors import UsageError

_MOST_FILE_BYTES = 65_536


def local_identity(settings: Settings, tables: Tables, as_whom: str = "", scope: str = ASK) -> Identity:
    """Who does what needs `scope`, or the principal `as_whom`, for whom they may ask by the scope `impersonate`.

    Raises Unauthenticated, NotAllowed without `scope` or `impersonate`, UnknownPerson, UsageError.
    """
    row = Row(replace(settings, open=False), tables)  # whoever is at this machine is nobody from outside
    held = token(settings) if row.asks else ""
    if row.asks and not held and settings.auth[-1] != "none":
        raise Unauthenticated(
            f"This installation asks who you are (BRAIN_AUTH={','.join(settings.auth)}). Set BRAIN_TOKEN or "
            "BRAIN_TOKEN_FILE; whoever runs it makes a token: python -m access.tokens make --for user:NAME"
        )
    found = row.identify({"authorization": [f"Bearer {held}"]} if held else {}, "").need(scope)
    if not as_whom:
        return found
    found.need(IMPERSONATE)
    return Identity(caller_of(tables(), subject(as_whom, "--as")), frozenset({ASK}), f"{found.by} of {found.caller.id}")


def token(settings: Settings) -> str:
    """The token of whoever runs this, "" where none is set. Raises UsageError for a file that cannot be read."""
    path = settings.token_file
    if settings.token or path is None:
        return settings.token
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_FILE_BYTES).decode("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        told = "it is no text" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise UsageError(f"BRAIN_TOKEN_FILE: {path} cannot be read: {told}.") from error
    if not text or len(text.split()) != 1:
        raise UsageError(f"BRAIN_TOKEN_FILE: {path} must hold one token and nothing else.")
    return text
