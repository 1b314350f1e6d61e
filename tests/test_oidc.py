"""Tokens of a sign-on service: which hold and which do not, and what becomes of keys that change or cannot be had."""

import base64
import contextlib
import hashlib
import hmac
import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

import config
from access import EVERYONE
from access import keys as keys_module
from access import tokens as rows
from access.identity import Row, Unauthenticated
from access.keys import AGAIN_SECONDS, FRESH_SECONDS, MOST_BYTES, Keys, KeysUnavailable, is_safe
from access.oidc import Oidc
from config import load
from errors import UsageError
from storage.schema import connect
from tests.directories import without_directory
from tests.oidc_double import AUDIENCE, OidcDouble
from tests.served import VACATION, Held, refused, running, wait_until, write_docs


@pytest.fixture(scope="module")
def issuer() -> Iterator[OidcDouble]:
    with OidcDouble() as double:
        double.publish("curve", "ES256")
        double.publish("edwards", "EdDSA")
        yield double


@pytest.fixture
def own() -> Iterator[OidcDouble]:
    with OidcDouble() as double:
        yield double


class Clock:
    """Seconds that pass when the test says so."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def tables() -> sqlite3.Connection:
    return without_directory()


def settings_for(issuer: OidcDouble, **more: Any) -> config.Settings:
    chosen = {"auth": "oidc", "oidc_issuer": issuer.issuer, "oidc_audience": AUDIENCE}
    return load({**chosen, **more}, {config.CONFIG_VARIABLE: os.devnull})


def identify(issuer: OidcDouble, token: str, **more: Any) -> Any:
    return Row(settings_for(issuer, **more), tables).identify({"authorization": [f"Bearer {token}"]}, "127.0.0.1")


@pytest.mark.parametrize("kid", ["first", "curve", "edwards"])
def test_a_token_of_the_issuer_says_who_asks(issuer: OidcDouble, kid: str) -> None:
    found = identify(issuer, issuer.token(kid), oidc_algorithms="RS256,ES256,EdDSA")
    assert (found.caller.id, set(found.caller.principals)) == ("user:ada", {"user:ada", EVERYONE})
    assert (set(found.scopes), found.by) == ({"ask"}, "oidc")


def test_claims_name_the_person_and_groups(issuer: OidcDouble) -> None:
    token = issuer.token(email="ada@example.org", roles=["hr", "Berlin office"], typ="Bearer")
    found = identify(issuer, token, oidc_id_claim="email", oidc_groups_claim="roles")
    wanted = {"user:ada@example.org", EVERYONE, "group:hr", "group:Berlin office"}
    assert (found.caller.id, set(found.caller.principals)) == ("user:ada@example.org", wanted)
    assert set(identify(issuer, issuer.token(roles=["hr"])).caller.principals) == {"user:ada", EVERYONE}
    assert "group:hr" in identify(issuer, issuer.token(roles="hr"), oidc_groups_claim="roles").caller.principals


def test_operators_and_auditors_need_no_token_of_ours(issuer: OidcDouble) -> None:
    more = {"operators": "group:ops", "auditors": "user:ada", "oidc_groups_claim": "roles"}
    assert set(identify(issuer, issuer.token(), **more).scopes) == {"ask", "audit"}
    scopes = set(identify(issuer, issuer.token(sub="bob", roles=["ops"]), **more).scopes)
    assert scopes == {"ask", "sync", "metrics", "operate"}


def part(value: Any) -> str:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def by_hand(header: dict[str, Any], claims: dict[str, Any], secret: bytes | None = None) -> str:
    """A token that no library would make."""
    text = f"{part(header)}.{part(claims)}"
    return f"{text}.{part(hmac.digest(secret, text.encode(), hashlib.sha256)) if secret is not None else ''}"


def public_forms(issuer: OidcDouble) -> list[bytes]:
    """The published key in the forms that a careless checker would take for the secret of HS256."""
    public = issuer.private["first"][0].public_key()
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    row = issuer.published[0]
    return [
        public.public_bytes(serialization.Encoding.PEM, form), public.public_bytes(serialization.Encoding.DER, form),
        json.dumps(row).encode(), row["n"].encode(), b"",
    ]  # fmt: skip


def forged(issuer: OidcDouble) -> dict[str, str]:
    """Tokens that nobody may come in with."""
    now, claims = int(time.time()), issuer.claims(sub="boss")
    other = rsa.generate_private_key(65537, 2048)
    head, body, signature = issuer.token().split(".")
    inside = {**RSAAlgorithm.to_jwk(other.public_key(), as_dict=True), "kid": "first"}
    made = {
        "no signature": by_hand({"alg": "none"}, claims),
        "none in capitals": by_hand({"alg": "None", "kid": "first"}, claims),
        "no alg": by_hand({"kid": "first"}, claims),
        "alg is a list": by_hand({"alg": ["RS256"], "kid": "first"}, claims),
        "signature left out": f"{head}.{body}.",
        "another body": f"{head}.{part(claims)}.{signature}",
        "another header": f"{part({'alg': 'RS256', 'kid': 'first', 'x': 1})}.{body}.{signature}",
        "its own key": jwt.encode(claims, other, "RS256", {"kid": "first"}),
        "key in the header": jwt.encode(claims, other, "RS256", {"kid": "first", "jwk": inside}),
        "key elsewhere": jwt.encode(claims, other, "RS256", {"kid": "first", "jku": "https://evil.example/keys"}),
        "unknown kid": jwt.encode(claims, other, "RS256", {"kid": "nobody's"}),
        "kid is a number": by_hand({"alg": "RS256", "kid": 1}, claims, b"x"),
        "kid is a path": jwt.encode(claims, other, "RS256", {"kid": "../../etc/passwd"}),
        "another type of key": jwt.encode(claims, other, "RS256", {"kid": "curve"}),
        "an algorithm not named": issuer.token("edwards"),
        "critical": issuer.token(header={"crit": ["exp"]}),
        "a logout token": issuer.token(header={"typ": "logout+jwt"}),
        "another audience": issuer.token(aud="payroll"),
        "part of the audience": issuer.token(aud=AUDIENCE[:-1]),
        "no audience": issuer.token(aud=None),
        "other audiences": issuer.token(aud=["payroll", "mail"]),
        "another issuer": issuer.token(iss="https://evil.example"),
        "a longer issuer": issuer.token(iss=f"{issuer.issuer}/"),
        "part of the issuer": issuer.token(iss=issuer.issuer[:-1]),
        "no issuer": issuer.token(iss=None),
        "expired": issuer.token(exp=now - 61),
        "never expires": issuer.token(exp=None),
        "expires in words": issuer.token(exp="tomorrow"),
        "expires at infinity": issuer.token(exp=float("inf")),
        "not yet": issuer.token(nbf=now + 120),
        "made in the future": issuer.token(iat=now + 120),
        "nobody": issuer.token(sub=None),
        "nobody named": issuer.token(sub=""),
        "blanks around": issuer.token(sub=" ada"),
        "a blank after": issuer.token(sub="ada "),
        "letters in another form": issuer.token(sub="ada\u0301"),
        "a list of people": issuer.token(sub="ada,boss"),
        "unseen": issuer.token(sub="ada\u200b"),
        "no JSON": f"{part(b'{')}.{part(b'{')}.x",
        "no object": f"{part([])}.{part([])}.x",
        "deep": f"{part(b'[' * 5000)}.{part(b'[' * 5000)}.x",
    }  # fmt: skip
    for n, secret in enumerate(public_forms(issuer)):
        made[f"HS256 {n}"] = by_hand({"alg": "HS256", "kid": "first", "typ": "JWT"}, claims, secret)
    return made


def test_no_forged_token_lets_anybody_in(issuer: OidcDouble) -> None:
    assert identify(issuer, issuer.token())
    row = Row(settings_for(issuer), tables)
    let_in = []
    for name, token in forged(issuer).items():
        with contextlib.suppress(Unauthenticated):
            let_in.append((name, row.identify({"authorization": [f"Bearer {token}"]}, "")))
    assert let_in == []


def test_a_clock_may_differ_a_little(issuer: OidcDouble) -> None:
    now = int(time.time())
    for claim, at in (("exp", now - 30), ("nbf", now + 30), ("iat", now + 30)):
        token = issuer.token("first", None, **{claim: at})
        assert identify(issuer, token)
        with pytest.raises(Unauthenticated, match=r"has expired|not valid yet"):
            identify(issuer, token, oidc_skew=5)


@pytest.mark.parametrize("groups", [5, [5], {"hr": True}, ["hr,board"], [" hr"], ["a" * 300], None])
def test_groups_that_cannot_be_read_are_not_left_out(issuer: OidcDouble, groups: Any) -> None:
    """A rule may forbid a group something, so a token whose groups are not known as a whole opens nothing."""
    claims = {"roles": groups} if groups is not None else {"_claim_names": {"roles": "src1"}}
    with pytest.raises(Unauthenticated):
        identify(issuer, issuer.token(**claims), oidc_groups_claim="roles")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"oidc_issuer": ""}, "needs BRAIN_OIDC_ISSUER"),
        ({"oidc_audience": ""}, "needs BRAIN_OIDC_ISSUER and BRAIN_OIDC_AUDIENCE"),
        ({"oidc_algorithms": "HS256"}, "'HS256' is not of RS256"),
        ({"oidc_algorithms": "RS256,none"}, "'none' is not of"),
        ({"oidc_algorithms": ""}, "'nothing' is not of"),
        ({"oidc_issuer": "http://login.example.org"}, "is no https://, nor on this machine"),
        ({"oidc_keys_url": "http://10.0.0.5/keys"}, "is no https://"),
    ],
)
def test_settings_that_cannot_work(issuer: OidcDouble, values: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Row(settings_for(issuer, **values), tables)


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://login.example.org/realm", True), ("http://127.0.0.1:8080/x", True), ("http://localhost/x", True),
        ("http://[::1]:80/x", True), ("http://login.example.org", False), ("http://127.0.0.1.evil.example", False),
        ("http://localhost.evil.example", False), ("https://user@login.example.org", False), ("ftp://127.0.0.1", False),
        ("file:///etc/passwd", False), ("https://", False), ("", False), ("https://a:b", False), ("//127.0.0.1", False),
    ],
)  # fmt: skip
def test_keys_come_from_safe_addresses(url: str, safe: bool) -> None:
    assert is_safe(url) is safe


# --- keys that change or cannot be had ----------------------------------------------------------------------------


def test_keys_are_fetched_once_and_again_for_an_unknown_one(own: OidcDouble) -> None:
    clock = Clock()
    oidc = Oidc(settings_for(own), tables, Keys(own.issuer, f"{own.issuer}/keys", 3600, clock))

    def comes_in(token: str) -> bool:
        try:
            return oidc.identify({"authorization": [f"Bearer {token}"]}, "") is not None
        except Unauthenticated:
            return False

    assert all(comes_in(own.token()) for _ in range(5))
    assert own.asked == ["/keys"]
    own.publish("second", "RS256")
    assert not comes_in(own.token("second")), "asked for a moment ago"
    clock.now += AGAIN_SECONDS
    assert comes_in(own.token("second"))
    assert own.asked == ["/keys"] * 2
    stranger = jwt.encode(own.claims(), rsa.generate_private_key(65537, 2048), "RS256", {"kid": "nobody's"})
    for _ in range(50):
        clock.now += 0.1
        assert not comes_in(stranger)
    assert own.asked == ["/keys"] * 2, "unknown keys make nobody knock more often"
    own.withdraw("first")
    clock.now += FRESH_SECONDS
    assert not comes_in(own.token("first"))
    assert comes_in(own.token("second"))


def test_old_keys_serve_through_an_outage_for_a_set_time(own: OidcDouble, caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    keys = Keys(own.issuer, "", 3600, clock)
    assert keys.key("first", "RS256")
    assert own.asked == ["/.well-known/openid-configuration", "/keys"]
    own.replies["/keys"] = (500, {}, b"")
    clock.now += 3500
    assert keys.key("first", "RS256")
    assert "answers 500" in caplog.text
    with pytest.raises(KeysUnavailable):  # it may have been published since
        keys.key("second", "RS256")
    clock.now += 101
    with pytest.raises(KeysUnavailable):
        keys.key("first", "RS256")
    del own.replies["/keys"]
    clock.now += AGAIN_SECONDS
    assert keys.key("first", "RS256")


LOST: list[tuple[str, tuple[int, dict[str, str], bytes]]] = [
    ("/keys", (404, {}, b"")),
    ("/keys", (200, {}, b"{")),
    ("/keys", (200, {}, b"[" * 9000)),
    ("/keys", (200, {}, b'{"keys": []}')),
    ("/keys", (200, {}, b'{"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "first"}]}')),
    ("/keys", (200, {}, b'{"keys": [{"kty": "RSA", "n": "AQAB", "e": "AQAB", "kid": "first"}]}')),
    ("/keys", (200, {}, b'{"keys": {"kty": "RSA"}}')),
    ("/keys", (302, {"Location": "/elsewhere"}, b"")),
    ("/.well-known/openid-configuration", (200, {}, b'{"issuer": "https://evil.example", "jwks_uri": "/keys"}')),
    ("/.well-known/openid-configuration", (301, {"Location": "https://evil.example/"}, b"")),
    ("/.well-known/openid-configuration", (200, {}, b"[]")),
]


@pytest.mark.parametrize(("path", "reply"), LOST)
def test_a_key_server_that_sends_something_else(
    own: OidcDouble, path: str, reply: tuple[int, dict[str, str], bytes]
) -> None:
    own.replies[path] = reply
    with pytest.raises(KeysUnavailable):
        Keys(own.issuer, "", 3600).key("first", "RS256")
    assert "/elsewhere" not in own.asked


def test_more_than_keys_take_is_not_read(own: OidcDouble) -> None:
    own.replies["/keys"] = (200, {}, json.dumps({"keys": own.published}).encode() + b" " * MOST_BYTES)
    with pytest.raises(KeysUnavailable):
        Keys(own.issuer, "", 3600).key("first", "RS256")


@pytest.mark.parametrize(
    ("issuer", "address"),
    [
        ("http://127.0.0.1:{}", "http://keys.example.org/"),
        ("http://127.0.0.1:{}", "http://somebody@127.0.0.1:{}/keys"),
        ("https://evil.example", "http://127.0.0.1:{}/keys"),
        ("http://127.0.0.1:{}/", "http://127.0.0.1:{}/keys"),
    ],
)
def test_a_discovery_document_of_another_or_to_an_unsafe_address(own: OidcDouble, issuer: str, address: str) -> None:
    told = {"issuer": issuer.format(own.server_address[1]), "jwks_uri": address.format(own.server_address[1])}
    own.replies["/.well-known/openid-configuration"] = (200, {}, json.dumps(told).encode())
    with pytest.raises(KeysUnavailable):
        Keys(own.issuer, "", 3600).key("first", "RS256")
    assert "/keys" not in own.asked


def test_a_key_is_for_the_algorithm_that_it_names(own: OidcDouble) -> None:
    own.publish("named", "RS256", alg="RS512")
    own.publish("other use", "RS256", use="enc")
    keys = Keys(own.issuer, "", 3600)
    assert keys.key("named", "RS512")
    assert keys.key("named", "RS256") is None
    assert keys.key("other use", "RS256") is None
    assert keys.key("first", "ES256") is None
    assert keys.key("", "RS512") is None, "without a name only where there is no choice"
    own.withdraw("first")
    assert Keys(own.issuer, "", 3600).key("", "RS512")


def test_a_short_key_is_none(own: OidcDouble) -> None:
    short = rsa.generate_private_key(65537, 1024).public_key()
    row = {**RSAAlgorithm.to_jwk(short, as_dict=True), "kid": "short"}
    own.replies["/keys"] = (200, {}, json.dumps({"keys": [*own.published, row]}).encode())
    keys = Keys(own.issuer, "", 3600)
    assert keys.key("first", "RS256")
    assert keys.key("short", "RS256") is None


def test_a_key_server_that_hangs_holds_one_and_not_all(own: OidcDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys_module, "FETCH_SECONDS", 10.0)
    clock = Clock()
    keys = Keys(own.issuer, f"{own.issuer}/keys", 3600, clock)
    assert keys.key("first", "RS256")
    own.hold.clear()
    clock.now += AGAIN_SECONDS
    first = threading.Thread(target=lambda: keys.key("unknown", "RS256"))
    first.start()
    wait_until(lambda: len(own.asked) == 2)
    assert keys.key("first", "RS256")
    with pytest.raises(KeysUnavailable):
        keys.key("unknown", "RS256")
    own.hold.set()
    first.join(10)
    assert own.asked == ["/keys"] * 2


def test_nothing_of_the_environment_leads_the_way_to_keys(own: OidcDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert Keys(own.issuer, "", 3600).key("first", "RS256")


# --- through the server -------------------------------------------------------------------------------------------


def test_through_the_server_beside_our_own_tokens(own: OidcDouble, tmp_path: Path) -> None:
    docs = write_docs(tmp_path / "docs")
    flags = {"auth": "tokens,oidc", "oidc_issuer": own.issuer, "oidc_audience": AUDIENCE, "operators": "user:ada"}
    with Held() as double, running(double.settings(docs, **flags)) as service:
        service.client.headers["authorization"] = f"Bearer {own.token()}"
        service.ready()
        answer = service.ask()
        assert answer.status_code == 200
        judged = service.client.post("/feedback", json={"answer": answer.json()["id"], "verdict": "right"})
        assert judged.status_code == 200
        connection = connect(service.settings.db)
        assert connection.execute("SELECT caller FROM feedback").fetchone() == ("user:ada",)
        token = rows.make(connection, "user:42")[1]
        connection.close()
        own.publish("curve", "ES256")
        own.publish("edwards", "EdDSA")
        for name, wrong in forged(own).items():
            headers = {"authorization": f"Bearer {wrong}"}
            reply = service.client.post("/search", json={"text": VACATION}, headers=headers)
            assert reply.status_code == 401, name
        own.replies["/keys"] = (500, {}, b"")
        stranger = own.token(header={"kid": "published since"})
        reply = service.client.get("/examples", headers={"authorization": f"Bearer {stranger}"})
        assert reply.status_code in (401, 503)
        assert service.client.get("/examples", headers={"authorization": f"Bearer {token}"}).status_code == 200
        refused(service.client.get("/examples", headers={"authorization": "Bearer a.b.c"}), 401, "unauthenticated")


def test_without_keys_nobody_comes_in_and_is_told_to_ask_again(own: OidcDouble, tmp_path: Path) -> None:
    docs = write_docs(tmp_path / "docs")
    own.replies["/keys"] = (500, {}, b"")
    flags = {"auth": "oidc", "oidc_issuer": own.issuer, "oidc_audience": AUDIENCE}
    with Held() as double, running(double.settings(docs, **flags)) as service:
        headers = {"authorization": f"Bearer {own.token()}"}
        told = refused(service.client.get("/examples", headers=headers), 503, "keys_unavailable")
        assert own.issuer not in told.detail
