"""Sign-ins in the audit log: one row for a credential from an address, refused ones counted, and never a secret.

Try: pytest tests/test_signins.py
"""

import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import config
from access import Caller, audit, tokens
from access.audit import Row, rows, verify
from access.identity import Identity, Unauthenticated, unauthenticated
from access.identity import Row as Authenticators
from answering.recorded import Log
from config import load
from errors import Refused
from service import signins
from service.signins import MOST_COUNTED, SignIns
from storage.schema import connect
from store import Store
from tests.directories import without_directory
from tests.oidc_double import AUDIENCE, OidcDouble
from tests.served import Held, Running, running, settings_for, wait_until, write_docs

ADA = Identity(Caller("user:ada", frozenset({"user:ada"})), frozenset({"ask"}), "token:aaaa")
EXAMPLES = "/examples"


def rows_of(db: Path, *kinds: audit.Kind) -> list[Row]:
    with contextlib.closing(connect(db)) as connection:
        assert verify(connection).faults == []
        return [*rows(connection, kinds=kinds or ("sign_in",))]


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Running]:
    with Held() as double:
        settings = double.settings(write_docs(tmp_path / "docs"), auth="tokens", follow=False)
        with running(settings) as service:
            service.client.headers["authorization"] = f"Bearer {made(settings.db, 'agent:watch', 'operate')[1]}"
            service.ready()
            del service.client.headers["authorization"]
            yield service


def made(db: Path, who: str, *scopes: str, days: float | None = None) -> tuple[str, str]:
    """The id of a new token and what its holder sends."""
    with contextlib.closing(connect(db)) as connection:
        token, text = tokens.make(connection, who, scopes or ("ask",), days)
    return token.id, text


def get(service: Running, token: str = "", **headers: str) -> int:
    given = {"authorization": f"Bearer {token}"} if token else {}
    return service.client.get(EXAMPLES, headers=given | headers).status_code


def test_a_credential_leaves_one_row_however_often_it_is_sent(guarded: Running) -> None:
    db = guarded.settings.db
    (one, ada), (other, helper) = made(db, "user:ada"), made(db, "agent:helpdesk", "ask", "act")
    for _ in range(20):
        assert get(guarded, ada) == 200
    for person in ("user:7", "user:7", "user:8"):
        assert get(guarded, helper, **{"x-acting-for": person}) == 200
    wait_until(lambda: len(rows_of(db)) == 4)
    _, first, second, third = rows_of(db)
    assert (first.caller, first.body) == ("user:ada", {
        "road": "http", "status": "accepted", "credential": f"token:{one}", "peer": "127.0.0.1", "scopes": ["ask"],
        "principals": ["everyone", "user:ada"],
    })  # fmt: skip
    assert [(row.caller, row.body["for"], row.body["credential"]) for row in (second, third)] == [
        ("agent:helpdesk", person, f"token:{other}") for person in ("user:7", "user:8")
    ]
    with contextlib.closing(sqlite3.connect(db)) as connection:
        everything = "\n".join(row[0] for row in connection.execute("SELECT caller || body FROM audit"))
    for text in (ada, helper):
        assert text.split("_", 2)[2] not in everything


def test_refused_credentials_are_counted_with_their_reason(tmp_path: Path) -> None:
    with Held() as double:
        settings = double.settings(write_docs(tmp_path / "docs"), auth="tokens,proxy", proxy_addresses="10.0.0.1")
        with running(settings) as service:
            wait_until(lambda: settings.db.exists() and get(service, made(settings.db, "user:watch")[1]) == 200)
            db = settings.db
            number, good = made(db, "user:ada")
            expired, old = made(db, "user:old", days=1)
            revoked, gone = made(db, "user:gone")
            agent, helper = made(db, "agent:x", "ask", "act")
            with contextlib.closing(connect(db)) as connection:
                tokens.revoke(connection, revoked)
                connection.execute("UPDATE tokens SET expires_at = '2026-01-01' WHERE id = ?", (expired,))
            bad = "cb_" + "a" * 12 + "_" + "b" * 43
            for token, times in ((bad, 5), ("nonsense", 1), (f"cb_{number}_{'x' * 43}", 2), (old, 1), (gone, 3)):
                assert {get(service, token) for _ in range(times)} == {401}
            assert get(service, good, **{"x-acting-for": "user:7"}) == 403
            assert get(service, helper, **{"x-acting-for": "group:board"}) == 403
            assert get(service, good, **{"x-forwarded-user": "boss"}) == 403
            assert get(service, "x" * 20_000) == 431
            assert get(service) == 401, "who sends nothing has not tried to sign in"
    refused = [row for row in rows_of(db) if row.body["status"] == "refused"]
    assert {row.body["peer"] for row in refused} == {"127.0.0.1"}
    told = {
        (row.body["reason"], row.caller, row.body.get("credential", ""), row.body.get("for", "")): row.body["count"]
        for row in refused
    }
    assert told == {
        ("unknown_token", "unknown", "", ""): 6,
        ("wrong_secret", "unknown", f"token:{number}", ""): 2,
        ("expired", "user:old", f"token:{expired}", ""): 1,
        ("revoked", "user:gone", f"token:{revoked}", ""): 3,
        ("may_not_act", "user:ada", f"token:{number}", "user:7"): 1,
        ("may_not_act", "agent:x", f"token:{agent}", "group:board"): 1,
        ("untrusted_proxy", "unknown", "", ""): 1,
        ("header_too_large", "unknown", "", ""): 1,
    }


def test_addresses_can_be_left_out(tmp_path: Path) -> None:
    with Held() as double:
        settings = double.settings(write_docs(tmp_path / "docs"), auth="tokens", audit_peers=False)
        with running(settings) as service:
            wait_until(lambda: settings.db.exists() and get(service, made(settings.db, "user:watch")[1]) == 200)
            assert get(service, "nonsense") == 401
    found = rows_of(settings.db)
    assert {row.body["status"] for row in found} == {"accepted", "refused"}
    assert not any("127.0.0.1" in str(row.body) for row in found)


def test_where_nobody_signs_in_there_is_no_row(tmp_path: Path) -> None:
    with Held() as double, running(double.settings(write_docs(tmp_path / "docs"))) as service:
        service.ready()
        assert get(service) == 200
        assert get(service, "nonsense") == 200
    assert rows_of(service.settings.db) == []


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"aud": "another"}, "wrong_audience"),
        ({"iss": "https://evil.example"}, "wrong_issuer"),
        ({"exp": 1}, "expired"),
        ({"nbf": 9_999_999_999}, "not_yet_valid"),
        ({"exp": None}, "missing_claim"),
        ({"sub": "a,b"}, "bad_name"),
    ],
)
def test_a_token_of_the_sign_on_service_is_refused_for_a_reason(
    issuer: OidcDouble, claims: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Unauthenticated) as error:
        identify(issuer, issuer.token(**claims))
    assert error.value.reason == reason


def test_a_forged_token_is_refused_for_a_reason(issuer: OidcDouble) -> None:
    head, body, _ = issuer.token().split(".")
    for token, reason in (
        (f"{head}.{body}.AAAA", "wrong_signature"), (issuer.token(header={"kid": "none"}), "unknown_key"),
        (issuer.token(header={"typ": "other"}), "wrong_type"), (f"AAAA.{body}.AAAA", "unreadable"),
    ):  # fmt: skip
        with pytest.raises(Unauthenticated) as error:
            identify(issuer, token)
        assert error.value.reason == reason


@pytest.fixture(scope="module")
def issuer() -> Iterator[OidcDouble]:
    with OidcDouble() as double:
        yield double


def identify(issuer: OidcDouble, token: str) -> Identity:
    chosen = {"auth": "oidc", "oidc_issuer": issuer.issuer, "oidc_audience": AUDIENCE}
    settings = load(chosen, {config.CONFIG_VARIABLE: os.devnull})
    return Authenticators(settings, without_directory).identify({"authorization": [f"Bearer {token}"]}, "127.0.0.1")


# --- the writer ------------------------------------------------------------------------------------------------------


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    store = Store(tmp_path / "index.db")
    yield Log(settings_for(tmp_path, db=store.path), store, lambda _: None)
    store.close()


def refusal(reason: str) -> Refused:
    return unauthenticated(reason)


def test_a_flood_from_everywhere_leaves_a_bounded_number_of_rows(log: Log, tmp_path: Path) -> None:
    signs = SignIns(lambda: log, keeps_peers=True)
    for number in range(5000):
        signs.refused(refusal(("unknown_token", "expired")[number % 2]), f"10.0.{number % 250}.{number % 40}")
    signs.close()
    found = rows_of(tmp_path / "index.db")
    assert len(found) == MOST_COUNTED + 2
    assert sum(row.body["count"] for row in found) == 5000
    assert [row.body["reason"] for row in found if "peer" not in row.body] == ["unknown_token", "expired"]


def test_counts_are_written_now_and_then_and_sign_ins_at_once(log: Log, tmp_path: Path) -> None:
    signs, db = SignIns(lambda: log, keeps_peers=True, every=0.3), tmp_path / "index.db"
    for _ in range(20):
        signs.refused(refusal("unknown_token"), "10.0.0.1")
    signs.accepted(ADA, "10.0.0.2")
    wait_until(lambda: len(rows_of(db)) > 0)
    assert rows_of(db)[0].body["status"] == "accepted"
    wait_until(lambda: sum(row.body.get("count", 0) for row in rows_of(db)) == 20)
    written = len(rows_of(db))
    assert written < 20
    signs.refused(refusal("unknown_token"), "10.0.0.1")
    wait_until(lambda: len(rows_of(db)) == written + 1)
    signs.close()
    assert len(rows_of(db)) == written + 1


def test_after_an_hour_and_from_elsewhere_it_is_another_sign_in(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signs = SignIns(lambda: log, keeps_peers=True)
    for peer in ("a", "b", "a"):
        signs.accepted(ADA, peer)
    monkeypatch.setattr(signins, "AGAIN_SECONDS", 0.0)  # an hour later
    signs.accepted(ADA, "a")
    signs.close()
    assert [row.body["peer"] for row in rows_of(tmp_path / "index.db")] == ["a", "b", "a"]


def test_what_cannot_be_written_waits_and_holds_up_nobody(
    log: Log, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    db = tmp_path / "index.db"
    full = "CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
    with contextlib.closing(connect(db)) as connection:
        connection.execute(full)
        signs = SignIns(lambda: log, keeps_peers=True, every=0.1)
        signs.accepted(ADA, "a")
        signs.refused(refusal("unknown_token"), "a")
        wait_until(lambda: "sign-ins wait" in caplog.text)
        for number in range(200):
            signs.refused(refusal("unknown_token"), f"peer {number}")
        connection.execute("DROP TRIGGER full")
        wait_until(lambda: sum(row.body.get("count", 0) for row in rows_of(db)) == 201)
        signs.close()
    found = rows_of(db)
    assert found[0].body["status"] == "accepted"
    assert len(found) <= 2 + 2 * (MOST_COUNTED + 1)
    assert caplog.text.count("sign-ins wait") == 1


def test_a_log_that_is_opened_later_gets_them_all(log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signins, "_OPENS", 0.05)
    opened: list[Log] = []
    signs = SignIns(lambda: opened[0] if opened else None, keeps_peers=True)
    signs.accepted(ADA, "a")
    opened.append(log)
    wait_until(lambda: len(rows_of(tmp_path / "index.db")) == 1)
    signs.close()


def test_many_threads_at_once_lose_no_count(log: Log, tmp_path: Path) -> None:
    signs = SignIns(lambda: log, keeps_peers=True, every=0.02)

    def refuse() -> None:
        for number in range(300):
            signs.refused(refusal("unknown_token"), f"10.0.0.{number % 5}")

    work: list[Callable[[], None]] = [refuse] * 4
    threads = [threading.Thread(target=one) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    signs.close()
    assert sum(row.body["count"] for row in rows_of(tmp_path / "index.db")) == 1200
