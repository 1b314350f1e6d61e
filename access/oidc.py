"""Access and identity tokens of a company's own sign-on service: JWTs of OpenID Connect, sent as bearer tokens.

Signed by one of the issuer's public keys, for us, and in their time; no other algorithm than those that are named, and
those have a key pair. What a token says of where its keys are is not read.
Knows no HTTP of ours. Try: pytest tests/test_oidc.py
"""

import re
from typing import Any

import jwt

from access.identity import ASK, Authenticator, Headers, Identity, Tables, Unauthenticated, bearer, caller_of, named
from access.keys import Keys
from config import Settings
from errors import UsageError

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
_FORM = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*")
_TYPES = ("jwt", "at+jwt", "application/at+jwt")
_SAID: dict[type[Exception], tuple[str, str]] = {
    jwt.ExpiredSignatureError: ("expired", "has expired"),
    jwt.ImmatureSignatureError: ("not_yet_valid", "is not valid yet"),
    jwt.InvalidAudienceError: ("wrong_audience", "is for somebody else (aud)"),
    jwt.InvalidIssuerError: ("wrong_issuer", "comes from somebody else (iss)"),
    jwt.MissingRequiredClaimError: ("missing_claim", "lacks a claim that it must have"),
}
"""What is wrong with a token whose signature holds: for the log, and so that whoever sends it can mend it."""


class Oidc(Authenticator):
    """`oidc`: who sends a JWT of the issuer."""

    def __init__(self, settings: Settings, tables: Tables, keys: Keys | None = None) -> None:
        """Raises UsageError for settings that cannot work. `keys` are the issuer's, unless others are given."""
        if not settings.oidc_issuer or not settings.oidc_audience:
            raise UsageError("BRAIN_AUTH=oidc needs BRAIN_OIDC_ISSUER and BRAIN_OIDC_AUDIENCE (manual/access.md).")
        wrong = [name for name in settings.oidc_algorithms if name not in ALGORITHMS]
        if wrong or not settings.oidc_algorithms:
            raise UsageError(
                f"BRAIN_OIDC_ALGORITHMS: {', '.join(wrong) or 'nothing'!r} is not of {', '.join(ALGORITHMS)}."
            )
        self._settings, self._tables = settings, tables
        most_age = settings.oidc_keys_hours * 3600
        self._keys = keys or Keys(settings.oidc_issuer, settings.oidc_keys_url, most_age)

    def identify(self, headers: Headers, peer: str) -> Identity | None:
        """The person whom the token names, with the groups in it.

        Raises Unauthenticated for a token that does not hold, KeysUnavailable, UnknownPerson.
        """
        token = bearer(headers)
        if not _FORM.fullmatch(token):
            return None
        claims = self._claims(token)
        name = claims.get(self._settings.oidc_id_claim)
        if not isinstance(name, str):
            raise _wrong("bad_name", f"has no `{self._settings.oidc_id_claim}` that names a person")
        groups = [named("group", group) for group in self._groups(claims)]
        return Identity(caller_of(self._tables(), named("user", name), groups), frozenset({ASK}), "oidc")

    def _claims(self, token: str) -> dict[str, Any]:
        settings = self._settings
        try:
            header = jwt.get_unverified_header(token)
        except (jwt.PyJWTError, ValueError, RecursionError) as error:
            raise _wrong("unreadable", "cannot be read") from error
        algorithm, number = header.get("alg"), header.get("kid", "")
        if algorithm not in settings.oidc_algorithms or "crit" in header or not isinstance(number, str):
            raise _wrong("wrong_algorithm", "is not signed in a way that is taken here (alg)")
        if str(header.get("typ", "JWT")).lower() not in _TYPES:
            raise _wrong("wrong_type", "is for another use (typ)")
        key = self._keys.key(number, algorithm)
        if key is None:
            raise _wrong("unknown_key", "is signed by a key that the issuer does not publish (kid)")
        try:
            claims: dict[str, Any] = jwt.decode(
                token, key.public, algorithms=[algorithm], audience=settings.oidc_audience, issuer=settings.oidc_issuer,
                leeway=settings.oidc_skew, options={"require": ["exp", "iss", "aud"]},
            )  # fmt: skip
        except jwt.PyJWTError as error:
            said = next((said for kind, said in _SAID.items() if isinstance(error, kind)), None)
            raise _wrong(*(said or ("wrong_signature", "does not hold"))) from error
        except (ValueError, TypeError, RecursionError, OverflowError) as error:
            raise _wrong("unreadable", "cannot be read") from error
        if claims["iss"] != settings.oidc_issuer:
            raise _wrong(*_SAID[jwt.InvalidIssuerError])
        return claims

    def _groups(self, claims: dict[str, Any]) -> list[str]:
        claim = self._settings.oidc_groups_claim
        if not claim:
            return []
        elsewhere = claims.get("_claim_names")
        if isinstance(elsewhere, dict) and claim in elsewhere:
            raise _wrong(
                "bad_groups",
                f"holds too many groups to name them in `{claim}`; let the issuer send those alone that matter",
            )
        found = claims.get(claim, [])
        found = [found] if isinstance(found, str) else found
        if not isinstance(found, list) or not all(isinstance(group, str) for group in found):
            raise _wrong("bad_groups", f"has a `{claim}` that is no list of groups")
        return found


def _wrong(reason: str, said: str) -> Unauthenticated:
    return Unauthenticated(f"The token {said}.", reason=reason)
