"""The doctor's lines about an index in PostgreSQL: each thing is really broken, told, and told how to mend."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import doctor
from checks import Check
from checks.database import engine
from config import Settings, load
from errors import UsageError
from postgres.prepare import main, prepare
from search import Index
from tests.conftest import HashEmbedder
from tests.engine import Server, needs_server


@dataclass
class House:
    """A prepared database that can be broken by its owner."""

    server: Server
    name: str

    def run(self, *statements: str) -> None:
        for sql in statements:
            self.server.run(sql, self.name)

    @property
    def settings(self) -> Settings:
        return load({"database": self.server.application(self.name)}, {})

    def looks(self) -> dict[str, Check]:
        return {check.name: check for check in engine(self.settings)}

    def mended(self) -> list[str]:
        return prepare(self.server.owner(self.name), self.server.application(self.name))


@pytest.fixture
def house() -> Iterator[House]:
    server = needs_server()
    made = House(server, server.made())
    yield made
    server.drop(made.name)
    server.run(f"ALTER ROLE {server.role} NOSUPERUSER NOBYPASSRLS CONNECTION LIMIT -1")


def test_all_is_well(house: House) -> None:
    found = house.looks()
    assert {check.status for check in found.values()} == {"ok"}, found
    assert list(found) == ["database", "role", "policies", "without principals", "form", "connections"]
    assert "pgvector 0." in found["database"].text


OPEN = "CREATE POLICY who_may_read ON brain.access_lists TO brain_reader USING (true)"
BROKEN = {
    "superuser": ("ALTER ROLE {role} SUPERUSER", "role", "is a superuser", "NOSUPERUSER", False),
    "bypass": ("ALTER ROLE {role} BYPASSRLS", "role", "has BYPASSRLS", "NOBYPASSRLS", False),
    "owner": ("ALTER TABLE brain.chunks OWNER TO {role}", "role", "owns the tables", "owns nothing", False),
    "off": ("ALTER TABLE brain.chunks DISABLE ROW LEVEL SECURITY", "policies", ": chunks", "prepare", True),
    "not forced": ("ALTER TABLE brain.words NO FORCE ROW LEVEL SECURITY", "policies", ": words", "prepare", True),
    "lacking": ("DROP POLICY who_may_read ON brain.vectors", "policies", ": vectors", "prepare", True),
    "one too many": ("CREATE POLICY more ON brain.texts USING (true)", "policies", ": texts", "prepare", True),
    "open": (f"DROP POLICY who_may_read ON brain.access_lists; {OPEN}", "without principals",
             "is shown rows of access_lists", "stop the server", True),
    "older": ("UPDATE brain.meta SET value = '0' WHERE key = 'schema'", "form", "older version (0", "prepare", False),
    "newer": ("UPDATE brain.meta SET value = '99' WHERE key = 'schema'", "form", "newer version (99", "pull", False),
    "no tables": ("DROP SCHEMA brain CASCADE", "policies", "is off", "prepare", False),
    "few connections": ("ALTER ROLE {role} CONNECTION LIMIT 9", "connections", "of 9 in use", "max_connections", False),
    "no extension": ("DROP EXTENSION vector CASCADE", "database", "no pgvector", "prepare", False),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_each_broken_thing_is_told(house: House, case: str) -> None:
    sql, name, text, mends, mendable = BROKEN[case]
    house.run(*sql.format(role=house.server.role).split("; "))
    check = house.looks()[name]
    assert (check.status, text in check.text, mends in check.mends) == (
        "warn" if case == "few connections" else "fail", True, True
    ), check  # fmt: skip
    if mendable:
        assert "policies made anew" in house.mended()[0]
        assert {one.status for one in house.looks().values()} == {"ok"}
        assert house.mended() == ["nothing: all is as it should be"]


def test_a_role_that_was_granted_nothing(house: House) -> None:
    role = f"{house.server.role}_other"
    house.run(f"CREATE ROLE {role} LOGIN PASSWORD 'x'")
    try:
        settings = load({"database": house.server.application(house.name, role, "x")}, {})
        found = {check.name: check for check in engine(settings)}
        assert list(found) == ["database", "role"]
        assert (found["role"].status, "prepare" in found["role"].mends) == ("fail", True)
    finally:
        house.run(f"DROP ROLE {role}")


@pytest.mark.parametrize(
    ("address", "mends"),
    [("postgresql://app@127.0.0.1:9/brain", "pg_isready -h 127.0.0.1 -p 9"), ("brain", "BRAIN_DATABASE=postgresql://")],
)
def test_a_database_that_cannot_be_reached(address: str, mends: str) -> None:
    (check,) = engine(load({"database": address}, {}))
    assert (check.status, mends in check.mends) == ("fail", True), check


def test_the_owner_s_address_is_not_where_the_application_runs(house: House) -> None:
    settings = load({"database": house.server.application(house.name), "database_owner": "postgresql://x@db/y"}, {})
    assert {check.name: check.status for check in engine(settings)}["owner"] == "warn"


def test_many_passages_want_an_index(
    house: House, docs: Path, make_index: Callable[..., Index], monkeypatch: pytest.MonkeyPatch
) -> None:
    index = make_index(docs, HashEmbedder(), database=house.server.application(house.name))
    from postgres import shelf
    from store import store_of

    index = Index(index.settings, index.models, index.source, store_of(index.settings))
    index.sync()
    monkeypatch.setattr(shelf, "MANY", 3)
    assert house.looks()["vector index"].status == "warn"
    index.sync()
    assert house.looks()["vector index"].text == "there for hash"
    index.store.close()


def test_the_command_tells_what_the_index_holds(
    house: House, docs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {"DATABASE": house.server.application(house.name), "BACKEND": "embedded", "PORT": "0"}.items():
        monkeypatch.setenv(f"BRAIN_{name}", value)
    assert doctor.main(["--docs", str(docs), "--full", "--json"]) == 0
    found: dict[str, Any] = {row["name"]: row for row in json.loads(capsys.readouterr().out)["checks"]}
    assert found["integrity"]["text"] == "looked through"
    assert "4 new" in found["fresh"]["text"]
    assert found["audit"]["status"] == "ok"
    house.run("ALTER TABLE brain.chunks DISABLE ROW LEVEL SECURITY")
    assert doctor.main(["--docs", str(docs)]) == 2
    assert "row-level security is off" in capsys.readouterr().out.replace("\n" + " " * 23, " ")


def test_prepare_as_people_run_it(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UsageError, match="BRAIN_DATABASE_OWNER is not set"):
        main([])
    monkeypatch.setenv("BRAIN_DATABASE_OWNER", house.server.owner(house.name))
    assert main([]) == 0
    told = capsys.readouterr()
    assert ("nothing: all is as it should be" in told.out, "nobody was granted" in told.err) == (True, True)
    monkeypatch.setenv("BRAIN_DATABASE", house.server.owner(house.name))
    with pytest.raises(UsageError, match="is a superuser"):
        main([])
