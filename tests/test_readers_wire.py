"""What the readers share: patience where a system asks for it, and nothing sent where it was not meant to go.

Try: pytest tests/test_readers_wire.py
"""

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from access.entries import DirectoryError, SystemAway
from access.readers import read_system, wire
from access.readers.options import Options
from access.readers.wire import Api, NotThere, Refused, retry_after
from tests.directory_double import SystemConnection, SystemDouble
from tests.doubles import Connection, Refusal, closed_port


class Echo(SystemDouble):
    """Answers every GET with its number."""

    def speaks(self) -> type[Connection]:
        return _Echo


class _Echo(SystemConnection):
    def answer(self, method: str, raw: bytes) -> None:
        self.begin()
        self.json(200, {"number": len(self.double.asked)})


@pytest.fixture
def double() -> Iterator[Echo]:
    with Echo() as made:
        yield made


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "FIRST_WAIT", 0.001)


def get(double: Echo, where: str = "users") -> dict[str, Any]:
    with Api("entra", double.host) as api:
        return api.get(where, needs="User.Read.All")


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_system_that_asks_for_patience_gets_it(double: Echo, status: int) -> None:
    double.fault = lambda number, _: Refusal(status, "", {"Retry-After": "0"}) if number < 4 else None
    assert get(double) == {"number": 4}
    double.fault = lambda number, _: Refusal(status, "")
    with pytest.raises(SystemAway, match=rf"entra: it answers {status} at /users, 6 times"):
        get(double)


def test_the_wait_is_the_one_asked_for(double: Echo, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("access.readers.wire.time.sleep", waits.append)
    double.fault = lambda number, _: Refusal(429, "", {"Retry-After": "7"}) if number < 3 else None
    get(double)
    assert waits == [7.0, 7.0]
    double.fault = lambda number, _: Refusal(429, "", {"Retry-After": "9999"})
    with pytest.raises(SystemAway, match=r"asks to wait for 9999 s"):
        get(double)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3", 3.0), (" 0 ", 0.0), ("", 5.0), ("soon", 5.0), ("-3", 5.0), ("1.5", 5.0), ("9" * 400, 999_999_999.0),
     ("Thu, 01 Jan 1970 00:02:00 GMT", 20.0), ("Thu, 01 Jan 1970 00:00:01 GMT", 0.0), ("Thu, 99 Jan 1970", 5.0)],
)  # fmt: skip
def test_retry_after(text: str, expected: float) -> None:
    assert retry_after(text, 5.0, 100.0) == expected


FAULTS = [
    (Refusal(302, "", {"Location": "/elsewhere"}), SystemAway, r"sends /users elsewhere \(302\)"),
    (Refusal(401, '{"error": {"message": "Expired"}}'), Refused, r"refuses /users \(401: Expired\)"),
    (Refusal(403, '{"error": "denied"}'), Refused, r"\(403: denied\). It needs the permission User.Read.All"),
    (Refusal(404, ""), NotThere, "it has no /users"),
    (Refusal(400, '{"detail": "filter"}'), SystemAway, "answers 400 at /users: filter"),
    (Refusal(200, "[]"), SystemAway, "no JSON object"),
    (Refusal(200, "{"), SystemAway, "no JSON object"),
    (Refusal(200, "[" * 200_000), SystemAway, "no JSON object"),
    (Refusal(200, "\xff"), SystemAway, "no JSON object"),
]


@pytest.mark.parametrize(("refusal", "kind", "told"), FAULTS, ids=lambda case: getattr(case, "status", None))
def test_any_other_reply_is_an_error(double: Echo, refusal: Refusal, kind: type[Exception], told: str) -> None:
    double.fault = lambda number, _: refusal
    with pytest.raises(kind, match=told):
        get(double)
    assert len(double.asked) == 1


def test_credentials_go_to_no_other_host(double: Echo) -> None:
    with Echo() as other:
        for where in (f"{other.host}/users", "http://localhost.evil.example/users", "ftp://127.0.0.1/users",
                      double.host.replace("127.0.0.1", "user@127.0.0.1.evil.example"), "http://[::1/x"):  # fmt: skip
            with pytest.raises(SystemAway, match="an address on another host"):
                get(double, where)
        assert (double.asked, other.asked) == ([], [])
    assert get(double, f"{double.host}/users") == {"number": 1}


def test_no_proxy_of_the_environment(double: Echo, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{closed_port()}")
    assert get(double) == {"number": 1}


def test_a_reply_without_end_is_cut(double: Echo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MOST_REPLY", 1000)
    double.fault = lambda number, _: Refusal(200, json.dumps({"x": "y" * 2000}))
    with pytest.raises(SystemAway, match="larger than"):
        get(double)


def test_a_connection_cut_half_way_is_tried_again_then_away() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        cut = b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"number'

        def serve() -> None:
            for _ in range(wire.TRIES):
                connection, _ = server.accept()
                with connection:
                    connection.recv(10_000)
                    connection.sendall(cut)

        thread = threading.Thread(target=serve)
        thread.start()
        away = pytest.raises(SystemAway, match=r"cannot be reached at http://127.0.0.1:.*6 times")
        with Api("entra", f"http://127.0.0.1:{server.getsockname()[1]}") as api, away:
            api.get("users")
        thread.join()


def test_nobody_listens() -> None:
    with Api("entra", f"http://127.0.0.1:{closed_port()}") as api, pytest.raises(SystemAway, match="cannot be reached"):
        api.get("users")


def test_pages_in_a_circle_end(double: Echo) -> None:
    with Api("entra", double.host) as api, pytest.raises(SystemAway, match="go round in a circle"):
        list(api.pages("users", {}, lambda page: ("users", {"page": str(page["number"] % 2)})))


def test_new_credentials_once(double: Echo) -> None:
    with Api("entra", double.host) as api:
        renewed: list[int] = []
        api.again = lambda: renewed.append(1)
        double.fault = lambda number, _: Refusal(401, "") if number == 1 else None
        assert api.get("users") == {"number": 2}
        double.fault = lambda number, _: Refusal(401, "")
        with pytest.raises(Refused):
            api.get("users")
        assert (len(renewed), len(double.asked)) == (2, 4)


TABLES = [
    ({}, "reader is missing"),
    ({"reader": "sap"}, "reader 'sap' is none of"),
    ({"reader": "graph", "url": "http://graph.example"}, "url: 'http://graph.example' is no https:// address"),
    ({"reader": "graph", "url": "https://a@graph.example"}, "is no https:// address"),
    ({"reader": "graph", "url": "https://[x"}, "is no https:// address"),
    ({"reader": "graph", "pause_seconds": 90}, "pause_seconds: 90 is not from 0 to 60"),
    ({"reader": "graph"}, "tenant is missing"),
    ({"reader": "graph", "tenant": 3}, "tenant: 3 is not text"),
    ({"reader": "graph", "tenant": "t", "client": "c", "secret": "x"}, "a secret does not belong"),
    ({"reader": "graph", "tenant": "t", "client": "c"}, "the secret is empty"),
    ({"reader": "graph", "tenant": "t", "client": "c", "secret_env": "NO_SUCH"}, "the secret is empty"),
    ({"reader": "graph", "tenant": "t", "client": "c", "secret_file": "none"}, "secret_file: .*none cannot be read"),
    ({"reader": "graph", "tenant": "t", "client": "c", "secret_file": "two"}, "no single line"),
    ({"reader": "graph", "tenant": "t", "client": "c", "secret_file": "one", "x": 1}, "unknown name 'x'; known are"),
    ({"reader": "graph", "tenant": "t", "client": "c", "secret_file": "one", "verified_domains": "a.example"},
     "verified_domains: 'a.example' is not a list"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "told"), TABLES)
def test_a_wrong_table_asks_nobody(tmp_path: Path, table: dict[str, Any], told: str) -> None:
    (tmp_path / "one").write_text("secret-word\n")
    (tmp_path / "two").write_text("secret-word\nmore\n")
    with pytest.raises(DirectoryError, match=told) as raised:
        read_system("entra", table, tmp_path)
    assert not isinstance(raised.value, SystemAway)
    assert "secret-word" not in str(raised.value)


def test_a_secret_comes_from_a_file_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one").write_text("\ufefffrom file\n", encoding="utf-8")
    monkeypatch.setenv("ENTRA_SECRET", " from environment ")
    assert Options("x", {"secret_file": "one"}, tmp_path).secret("secret") == "from file"
    assert Options("x", {"secret_env": "ENTRA_SECRET"}, tmp_path).secret("secret") == "from environment"
