"""Who may read what is kept by PostgreSQL itself: without the query's own filter, and against every slip of ours.

Each test asks a real server as the application does. The statements alone are looked at with the policies off, in a
database that is thrown away. Try: pytest tests/test_postgres_rights.py
"""

import contextlib
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from access import CLOSED, EVERYONE, OPEN_LIST, AccessList, Caller
from access.audit import add
from answer import Assistant
from config import load
from database import lasting
from errors import StoreBusy, StoreError, UsageError
from models import Models
from postgres import lists
from postgres.connection import Connection
from postgres.prepare import dangers, prepare
from postgres.schema import GUARDED, READER, WRITER
from postgres.store import PostgresStore
from search import Index
from service.examples import Examples
from sources.folder import FolderSource
from storage import decided
from storage.filter import Filter
from storage.schema import writing
from tests import access_worlds, engine
from tests.conftest import NOBODY, SAMPLE, HashEmbedder, caller, rows_as_stored, write
from tests.engine import Server
from tests.test_access_property import check_reader, check_replies

STAFF, BOARD = frozenset({"group:staff"}), frozenset({"group:board"})
LISTS = {
    "leave.md": AccessList(STAFF),
    "board.html": AccessList(BOARD, deny=frozenset({"user:7"})),
    "travel/expenses.md": AccessList(frozenset({EVERYONE}), narrow=STAFF),
    "zh.md": OPEN_LIST,
    "travel/vpn.txt": CLOSED,
}
SERVICES = "".join(f"<tr><td>{name}</td><td>Red</td></tr>" for name in ("plan-store", "planstore"))
TABLE = f"<table><tr><th>Service</th><th>Owner</th></tr>{SERVICES}</table>"
FILES = SAMPLE | {"board.html": f"<html><body><h1>Board</h1><p>The salary is 90000 euro.</p>{TABLE}</body></html>"}
OPEN_TO_WHO_ASKS = {*GUARDED, "meta", "models"}
EVIL = (
    "group:o'brien", 'group:"x"', "group:a','b", "group:{a,b}", "group:a\\", "group:$1", "group:%s", "group:?",
    "group:'); DROP TABLE brain.documents; --", 'group:"]]', "group:[\"everyone\"]", "group:\ud7ff\U0010ffff",
    "group:null", "group:\x01", "NULL",
)  # fmt: skip
"""Names of groups that would be more than names where a statement was glued together."""


class Ruled(FolderSource):
    """A folder with these access lists."""

    def access(self, path: str) -> AccessList:
        return LISTS.get(path, CLOSED)


def index_of(database: str, docs: Path, source: FolderSource | None = None) -> Index:
    (docs.parent / "empty.toml").touch()
    url = engine.server().application(database)
    own = load({"docs_dir": docs, "database": url}, {"BRAIN_CONFIG": str(docs.parent / "empty.toml")})
    embedder = HashEmbedder()
    embedder.embeds_units = True
    return Index(own, Models(embedder, None, ""), source or Ruled(docs), PostgresStore(url))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    docs = tmp_path_factory.mktemp("rights") / "docs"
    docs.mkdir()
    write(docs, FILES)
    return docs


@pytest.fixture(scope="module")
def filled(folder: Path) -> Iterator[str]:
    """The name of a database with documents of every kind of list; nobody is connected to it."""
    server = engine.needs_server()
    name = server.made()
    with index_of(name, folder) as index:
        index.sync()
        connection = index.store.connection()
        with lasting(connection):
            (pair,) = connection.execute("SELECT key FROM merges").fetchone()
            decided.add(connection, "user:ada", "apart", pair, "", "")
    yield name
    server.drop(name)


@pytest.fixture
def scratch(filled: str) -> Iterator[str]:
    """A copy of it to be spoilt."""
    name = engine.server().made(filled)
    yield name
    engine.server().drop(name)


@pytest.fixture
def store(scratch: str) -> Iterator[PostgresStore]:
    made = PostgresStore(engine.server().application(scratch))
    yield made
    made.close()


@contextlib.contextmanager
def asking(database: str, setting: str | None, role: str = READER) -> Iterator[psycopg.Connection]:
    """A connection in a transaction as who asks, with that text as app.principals; None: it is not set."""
    with psycopg.connect(engine.server().application(database)) as connection:
        connection.execute(f"SET LOCAL ROLE {role}".encode())
        connection.execute("SET LOCAL search_path = brain, public")
        if setting is not None:
            connection.execute("SELECT set_config('app.principals', %s, true)", (setting,))
        yield connection
        connection.rollback()


def rows(connection: psycopg.Connection) -> dict[str, int]:
    """How many rows each guarded table shows."""
    found = {}
    for table in GUARDED:
        row = connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
        found[table] = int(row[0]) if row else -1
    return found


def seen(connection: psycopg.Connection) -> set[str]:
    return {path for (path,) in connection.execute("SELECT path FROM documents")}


def as_owner(database: str, *statements: str) -> None:
    for statement in statements:
        engine.server().run(f"SET search_path = brain, public; {statement}", database)


# --- no principals, no rows ---------------------------------------------------------------------------------------

NOTHING = dict.fromkeys(GUARDED, 0)


@pytest.mark.parametrize(
    "setting", [None, "", "[]", "[{}]", "null", '[{"user:x": 1}]', '[{"EVERYONE": 1}]', '{"everyone": 1}', '"everyone"',
                '[null]', '[{"": 1}]', '[{"NULL": 1}]', '[{"group:staff": 1}, {}]', '[{"everyone": 1}, {"user:x": 1}]',
                '[{"everyone": 1}, null]'],
)  # fmt: skip
def test_who_holds_nothing_sees_no_row_of_any_table(filled: str, setting: str | None) -> None:
    with asking(filled, setting) as connection:
        for table in GUARDED:
            try:
                found = connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
            except psycopg.errors.InvalidParameterValue:  # no list at all: no answer, not all rows
                connection.rollback()
                return
            assert found == (0,), table


def test_who_may_read_sees_rows_in_every_table(filled: str) -> None:
    """Else the test above would prove nothing."""
    with asking(filled, lists.as_setting(caller("group:board"))) as connection:
        assert all(rows(connection).values()), rows(connection)
        assert seen(connection) == {"board.html"}
        assert connection.execute("SELECT count(*) FROM access_lists").fetchone() == (1,)


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        (caller(EVERYONE), {"zh.md"}),
        (caller(*STAFF), {"leave.md"}),
        (caller(EVERYONE, *STAFF), {"leave.md", "travel/expenses.md", "zh.md"}),
        (caller(*BOARD), {"board.html"}),
        (caller(*BOARD, "user:7"), set()),
        (Caller("agent:x", STAFF | BOARD, (STAFF,)), {"leave.md"}),
        (Caller("agent:x", STAFF, (STAFF | BOARD, BOARD)), set()),
        (Caller("agent:x", BOARD, (BOARD | {"user:7"},)), set()),
        (Caller("agent:x", STAFF | {EVERYONE}, (frozenset({EVERYONE}),)), {"zh.md"}),
        (Caller("agent:x", BOARD, (BOARD,)), {"board.html"}),
    ],
)
def test_each_row_obeys_its_document_s_list(filled: str, who: Caller, expected: set[str]) -> None:
    with asking(filled, lists.as_setting(who)) as connection:
        assert seen(connection) == expected
        for table, document in (
            ("chunks", "document_id"), ("texts", "document_id"), ("embeddings", "document_id"),
            ("words", "(SELECT document_id FROM chunks c WHERE c.id = rowid)"),
            ("postings", "(SELECT document_id FROM chunks c WHERE c.id = chunk_id)"),
            ("units", "(SELECT document_id FROM chunks c WHERE c.id = chunk_id)"),
        ):  # fmt: skip
            query = f"SELECT DISTINCT (SELECT path FROM documents WHERE id = {document}) FROM {table}"
            found = {path for (path,) in connection.execute(query.encode())}
            assert found == (expected & {"board.html"} if table == "texts" else expected), table
        texts = "SELECT text_hash FROM chunks UNION SELECT text_hash FROM units"
        assert {*connection.execute("SELECT text_hash FROM vectors")} == {*connection.execute(texts)}


NAMES = st.sampled_from(["a", "b", "c", EVERYONE, *EVIL[:4]])
SETS = st.frozensets(NAMES, max_size=4)
LISTED = st.builds(AccessList, SETS, st.none() | SETS, st.frozensets(NAMES, max_size=1))
CALLERS = st.builds(Caller, st.just("x"), SETS, st.lists(SETS, max_size=2).map(tuple))


def agree(store: PostgresStore, given_lists: list[AccessList], who: list[Caller]) -> None:
    """The policies without the query, and the query without the policies, say what AccessList says."""
    connection = store.connection()
    found = connection.execute("SELECT id FROM documents ORDER BY id").fetchall()
    of = dict(zip((number for (number,) in found), given_lists, strict=False))
    with writing(connection):
        lists.write(connection, of.items())
    listed = dict(connection.execute("SELECT id, list_id FROM documents").fetchall())
    assert {number: lists.stored(connection).get(number, CLOSED) for number in of} == of
    for one in who:
        able = {number for number, held in of.items() if held.lets(one)}
        unfiltered = set(lists.readable(connection, one))  # as who syncs, whom the policies let see everything
        assert {number for number in of if listed[number] in unfiltered} == able
        connection.execute("BEGIN")
        connection.execute(
            "SELECT set_config('role', ?, true), set_config('app.principals', ?, true)", (READER, lists.as_setting(one))
        )
        for table, column in (("documents", "id"), ("chunks", "document_id"), ("embeddings", "document_id")):
            told = {number for (number,) in connection.execute(f"SELECT {column} FROM {table}")}
            assert told & set(of) == able, table
        connection.execute("ROLLBACK")


@pytest.fixture(scope="module")
def lasting_store(filled: str) -> Iterator[PostgresStore]:
    name = engine.server().made(filled)
    made = PostgresStore(engine.server().application(name))
    yield made
    made.close()
    engine.server().drop(name)


@given(st.lists(LISTED, min_size=5, max_size=5), st.lists(CALLERS, min_size=3, max_size=3))
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_policies_and_statements_each_say_what_the_list_says(
    lasting_store: PostgresStore, given_lists: list[AccessList], who: list[Caller]
) -> None:
    agree(lasting_store, given_lists, who)


@pytest.mark.slow
@given(st.lists(LISTED, min_size=5, max_size=5), st.lists(CALLERS, min_size=6, max_size=6))
@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_same_of_three_thousand_callers(
    lasting_store: PostgresStore, given_lists: list[AccessList], who: list[Caller]
) -> None:
    agree(lasting_store, given_lists, who)


def test_what_is_open_to_everyone_is_denied_to_nobody(store: PostgresStore) -> None:
    """Such documents alone are read when lists have become old, so nothing may stand in the list but `everyone`."""
    connection, everyone = store.connection(), frozenset({EVERYONE})
    found = [number for (number,) in connection.execute("SELECT id FROM documents ORDER BY id")]
    given_lists = (OPEN_LIST, AccessList(everyone, deny=STAFF), AccessList(everyone, narrow=everyone), CLOSED)
    with writing(connection):
        lists.write(connection, zip(found, given_lists, strict=False))
    (able,) = lists.readable(connection, caller(EVERYONE), only_open=True)
    of = dict(connection.execute("SELECT id, list_id FROM documents").fetchall())
    assert {number for number in found[:4] if of[number] == able} == {found[0]}
    assert {number for (number,) in connection.execute(store.open_documents)} & {*found[:4]} == {found[0]}


def test_a_right_is_revoked_everywhere(scratch: str, folder: Path) -> None:
    """Rows of every table go with their document's list, and nothing of the former one is left."""

    class Later(FolderSource):
        def access(self, path: str) -> AccessList:
            return AccessList(STAFF if path == "board.html" else BOARD)

    with index_of(scratch, folder, Later(folder)) as index:
        assert index.sync().changed == len(FILES)
        assert rows_as_stored(index.store.connection())
    with asking(scratch, lists.as_setting(caller(*STAFF))) as connection:
        assert seen(connection) == {"board.html"}
        assert all(rows(connection).values())
    with asking(scratch, lists.as_setting(caller(EVERYONE))) as connection:
        assert rows(connection) == NOTHING


# --- a policy that is gone ----------------------------------------------------------------------------------------

SPOILT = [
    pytest.param(f"{statement} {{0}}{rest}", id=f"{statement} x{rest}")
    for statement, rest in (
        ("DROP POLICY who_may_read ON", ""),
        ("ALTER TABLE", " DISABLE ROW LEVEL SECURITY"),
        ("ALTER TABLE", " NO FORCE ROW LEVEL SECURITY"),
        ("ALTER POLICY who_may_read ON", " USING (true)"),
        ("ALTER POLICY all_rows ON", " TO PUBLIC"),
        ("CREATE POLICY another ON", " USING (true)"),
        ("DROP POLICY who_may_read ON {0}; CREATE POLICY who_may_read ON", " TO brain_writer USING (true)"),
    )
]


@pytest.mark.parametrize("spoils", SPOILT)
def test_nobody_is_answered_where_a_policy_does_not_hold(scratch: str, spoils: str) -> None:
    url = engine.server().application(scratch)
    for table in ("access_lists", "chunks", "vectors"):
        name = engine.server().made(scratch)
        try:
            as_owner(name, spoils.format(table))
            with pytest.raises(StoreError, match=rf"policy does not hold on {table}.*python -m postgres\.prepare"):
                PostgresStore(engine.server().application(name))
        finally:
            engine.server().drop(name)
    PostgresStore(url).close()


@pytest.mark.parametrize("table", GUARDED)
def test_each_table_s_policy_is_missed_when_it_is_off(scratch: str, table: str) -> None:
    """What shows that the checks above look at the policies and not at something else that holds."""
    with asking(scratch, None) as connection:
        assert rows(connection) == NOTHING
    as_owner(scratch, f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
    with asking(scratch, None) as connection:
        assert rows(connection)[table] > 0
    with pytest.raises(StoreError, match=f"policy does not hold on {table}"):
        PostgresStore(engine.server().application(scratch))


def test_a_store_that_is_open_asks_again_for_every_new_connection(store: PostgresStore, scratch: str) -> None:
    as_owner(scratch, "ALTER TABLE chunks DISABLE ROW LEVEL SECURITY")
    with ThreadPoolExecutor(1) as pool, pytest.raises(StoreError, match="policy does not hold on chunks"):
        pool.submit(store.status).result()


# --- who connects -------------------------------------------------------------------------------------------------


@pytest.fixture
def role(filled: str) -> Iterator[str]:
    """Another role that may log in; it may ask and sync as the application's."""
    server = engine.server()
    name = f"{server.role}_other"
    server.run(f"CREATE ROLE {name} LOGIN PASSWORD 'x'")
    server.run(f"GRANT {READER}, {WRITER} TO {name} WITH INHERIT FALSE, SET TRUE")
    yield name
    server.run(f"DROP OWNED BY {name}")
    server.run(f"DROP ROLE {name}")


@pytest.mark.parametrize(
    ("grants", "back", "told"),
    [
        ("ALTER ROLE {role} SUPERUSER", "ALTER ROLE {role} NOSUPERUSER", "superuser"),
        ("ALTER ROLE {role} BYPASSRLS", "ALTER ROLE {role} NOBYPASSRLS", "BYPASSRLS"),
        ("CREATE ROLE {role}_b BYPASSRLS; GRANT {role}_b TO {role}", "DROP ROLE {role}_b", "BYPASSRLS"),
        ("CREATE ROLE {role}_s SUPERUSER; GRANT {role}_s TO {role}", "DROP ROLE {role}_s", "superuser"),
        ("GRANT {owner} TO {role} WITH INHERIT FALSE", "REVOKE {owner} FROM {role}", "superuser"),
        ("REVOKE brain_reader FROM {role}", "SELECT 1", "may not ask and sync yet"),
    ],
)
def test_a_role_that_could_read_past_the_lists_is_refused(
    filled: str, role: str, grants: str, back: str, told: str
) -> None:
    server = engine.server()
    owner = server.url.split("//")[1].partition("@")[0].partition(":")[0]
    url = server.application(filled, role, "x")
    PostgresStore(url).close()
    for statement in grants.format(role=role, owner=owner).split("; "):
        server.run(statement)
    try:
        with pytest.raises(StoreError, match=told):
            PostgresStore(url)
        if "may not" not in told:
            with pytest.raises(UsageError, match=told):
                prepare(server.owner(filled), url)
    finally:
        server.run(back.format(role=role, owner=owner))


def test_who_asks_must_not_be_able_to_act_as_who_syncs(role: str) -> None:
    with psycopg.connect(engine.server().url) as connection:  # the two roles are all databases': nothing is committed
        assert dangers(connection, role) == []
        connection.execute(f"GRANT {WRITER} TO {READER}".encode())
        assert "may act as brain_writer" in dangers(connection, role)[0]
        connection.rollback()


def test_the_owner_of_the_tables_is_refused(scratch: str, role: str) -> None:
    server = engine.server()
    as_owner(scratch, f"ALTER TABLE documents OWNER TO {role}")
    with pytest.raises(StoreError, match="owns the tables"):
        PostgresStore(server.application(scratch, role, "x"))
    server.run(f"REASSIGN OWNED BY {role} TO CURRENT_USER", scratch)


def test_the_superuser_is_refused(filled: str) -> None:
    with pytest.raises(StoreError, match="superuser"):
        PostgresStore(engine.server().owner(filled))


# --- what a connection carries to the next transaction ------------------------------------------------------------


def carried(connection: Connection) -> tuple[str, str]:
    row = connection.execute("SELECT current_user, coalesce(current_setting('app.principals', true), '')").fetchone()
    return row[0], row[1]


def broken(store: PostgresStore, how: str) -> None:
    """A question that ends that way, on this thread's connection."""
    with store.reader(caller(*STAFF)):
        connection = store.connection()
        assert carried(connection)[0] == READER
        if how == "commit":
            connection.execute("COMMIT")
        elif how == "an error of ours":
            raise KeyError(how)
        elif how == "a wrong statement":
            connection.execute("SELECT 1 / 0")
        elif how == "caught, and then another":
            with contextlib.suppress(StoreError):
                connection.execute("SELECT 1 / 0")
            connection.execute("SELECT 1")
        elif how == "cancelled":
            (number,) = connection.execute("SELECT pg_backend_pid()").fetchone()
            cancel = f"SELECT pg_cancel_backend({number})"
            threading.Timer(0.2, engine.server().run, (cancel,)).start()
            connection.execute("SELECT pg_sleep(20)")
        elif how == "ended by the server":
            (number,) = connection.execute("SELECT pg_backend_pid()").fetchone()
            engine.server().run(f"SELECT pg_terminate_backend({number})")
            connection.execute("SELECT 1")
        elif how == "a reader of another within":
            with store.reader(caller(*BOARD)):
                pass


@pytest.mark.parametrize(
    ("how", "raised"),
    [
        ("as usual", ()), ("commit", ()), ("an error of ours", KeyError), ("a wrong statement", StoreError),
        ("caught, and then another", StoreError), ("cancelled", StoreError), ("ended by the server", StoreBusy),
        ("a reader of another within", StoreError),
    ],
)  # fmt: skip
def test_nothing_is_carried_to_the_next_transaction(store: PostgresStore, how: str, raised: Any) -> None:
    with pytest.raises(raised) if raised else contextlib.nullcontext():
        broken(store, how)
    connection = store.connection()
    assert not connection.in_transaction
    assert carried(connection) == (WRITER, "")
    connection.execute("BEGIN")
    assert carried(connection) == (WRITER, "")
    connection.execute(f"SET LOCAL ROLE {READER}")
    assert connection.execute("SELECT count(*) FROM documents").fetchone() == (0,)
    connection.execute("ROLLBACK")
    with store.reader(caller(*BOARD)) as reader:
        assert [row.path for row in reader.chunks(reader.places())] == ["board.html"]


def test_callers_who_take_turns_on_few_connections_get_their_own(store: PostgresStore) -> None:
    expected = {"group:staff": {"leave.md"}, "group:board": {"board.html"}, EVERYONE: {"zh.md"}, "user:x": set()}

    def ask(number: int) -> None:
        one = [*expected][number % 4]
        with store.reader(caller(one), 1) as reader:
            assert {row.path for row in reader.chunks(reader.places())} == expected[one]
            (stays,) = store.connection().execute("SELECT current_setting('app.principals')").fetchone()
            assert json.loads(stays) == [{one: 1}]

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(ask, range(60)))


# --- what the two roles may do ------------------------------------------------------------------------------------


def tables(database: str) -> list[str]:
    with psycopg.connect(engine.server().owner(database)) as connection:
        query = "SELECT tablename FROM pg_tables WHERE schemaname = 'brain' ORDER BY 1"
        return [name for (name,) in connection.execute(query)]


def test_who_asks_writes_nothing_and_reads_no_records(filled: str) -> None:
    every = tables(filled)
    assert {"tokens", "audit", "feedback", "accounts", "memberships", "access_rules"} <= set(every) - OPEN_TO_WHO_ASKS
    for table in every:
        for statement in ("SELECT count(*) FROM {0}", "INSERT INTO {0} DEFAULT VALUES", "DELETE FROM {0}",
                          "TRUNCATE {0}", "DROP TABLE {0}", "ALTER TABLE {0} DISABLE ROW LEVEL SECURITY"):  # fmt: skip
            with asking(filled, '[{"everyone": 1}]') as connection:
                told = statement.format(table)
                if "SELECT" in statement and table in OPEN_TO_WHO_ASKS:
                    connection.execute(told.encode())
                else:
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        connection.execute(told.encode())


@pytest.mark.parametrize("role", [READER, WRITER])
@pytest.mark.parametrize(
    "statement",
    [
        "DROP POLICY who_may_read ON documents",
        "ALTER POLICY who_may_read ON documents USING (true)",
        "CREATE POLICY mine ON documents USING (true)",
        "ALTER TABLE documents DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE documents NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE audit DISABLE TRIGGER ALL",
        "CREATE TABLE brain.mine (x int)",
        "CREATE FUNCTION brain.sets() RETURNS jsonb LANGUAGE sql RETURN '[]'::jsonb",
        "DROP TRIGGER audit_only_grows ON audit",
        "UPDATE audit SET caller = 'x'",
        "DELETE FROM audit",
        "TRUNCATE audit",
        "UPDATE identity_decisions SET made_by = 'x'",
        "DELETE FROM identity_decisions",
        f"GRANT {WRITER} TO {READER}",
        f"ALTER ROLE {READER} BYPASSRLS",
        "SET LOCAL session_replication_role = replica",
        "SET SESSION AUTHORIZATION postgres",
    ],
)
def test_neither_role_takes_a_guard_away(filled: str, role: str, statement: str) -> None:
    with asking(filled, None, role) as connection, pytest.raises(psycopg.Error) as raised:
        connection.execute(statement.encode())
    assert isinstance(raised.value, psycopg.errors.InsufficientPrivilege), raised.value


def test_who_asks_may_not_turn_the_policies_off_for_itself(filled: str) -> None:
    """The server then refuses the statement instead of leaving rows out; it shows none more."""
    with asking(filled, None) as connection:
        connection.execute("SET LOCAL row_security = off")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            connection.execute("SELECT * FROM documents")


def test_the_audit_log_is_cut_by_a_retention_row_alone(scratch: str, store: PostgresStore) -> None:
    connection = store.connection()
    for number in range(3):
        with lasting(connection):
            add(connection, "sync", "x", {"n": number})
    for last in (1, 3, 10**9):
        with pytest.raises(StoreError, match="nothing is removed but by a retention row"):
            connection.execute("SELECT cut_audit(?)", (last,))
    with lasting(connection):
        add(connection, "retention", "x", {"cut": {"number": 1}})
    with pytest.raises(StoreError, match="nothing is removed but by a retention row"):
        connection.execute("SELECT cut_audit(?)", (2,))
    assert connection.execute("SELECT cut_audit(?)", (1,)).fetchone() == (1,)
    again = "INSERT INTO audit SELECT {}, at, kind, caller, body, previous, hash FROM audit LIMIT 1"
    for told in ("1", "3", "9", "-1", "NULL"):
        with pytest.raises(StoreError, match="only grows at its end"):
            connection.execute(again.format(told))
    with asking(scratch, None) as other, pytest.raises(psycopg.errors.InsufficientPrivilege):
        other.execute("SELECT cut_audit(1)")
    for statement in ("UPDATE audit SET caller = 'x'", "TRUNCATE audit"):  # also for the owner
        with pytest.raises(psycopg.errors.RaiseException, match="not changed"):
            as_owner(scratch, statement)


# --- what people write --------------------------------------------------------------------------------------------


def test_a_principal_is_a_name_whatever_stands_in_it(store: PostgresStore, scratch: str) -> None:
    connection = store.connection()
    found = connection.execute("SELECT id FROM documents ORDER BY id").fetchall()
    for number, name in enumerate(EVIL):
        (document,) = found[number % len(found)]
        with writing(connection):
            lists.write(connection, [(one, CLOSED) for (one,) in found])
            lists.write(connection, [(document, AccessList(frozenset({name}), deny=frozenset({f"{name}'"})))])
        for held, able in (({name}, 1), ({name, f"{name}'"}, 0), ({f"{name} "}, 0), ({name[:-1]}, 0), (set(EVIL), 1)):
            with asking(scratch, lists.as_setting(Caller("x", frozenset(held)))) as other:
                assert len(seen(other)) == able, (name, held)
            with store.reader(Caller("x", frozenset(held))) as reader:
                assert bool(reader.count) == bool(able), (name, held)
    with store.reader(Caller("x", frozenset({"group:a\0b", "\0"}))) as reader:
        assert reader.count == 0


@pytest.mark.parametrize(
    "text", [*EVIL, "x'; SET ROLE brain_writer; --", "a\0b", "') OR true --", "%(p1)s", "?1 :name"]
)
def test_no_field_of_a_question_becomes_a_statement(
    scratch: str, folder: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    execute = Connection.execute

    def noted(self: Connection, sql: str, values: Any = (), /) -> Any:
        sent.append(sql)
        return execute(self, sql, values)

    monkeypatch.setattr(Connection, "execute", noted)
    mark = f"zqmark {text} zqmark"
    with index_of(scratch, folder) as index:
        searcher, who = index.searcher(), Caller(mark, frozenset({"group:staff", mark}))
        for wanted in (Filter(), Filter(path=mark), Filter(without=(mark,)), Filter(since=mark, until=mark)):
            searcher.search(who, mark, 5, wanted)
        Assistant(index).ask(who, f'"{mark}"')
        with index.store.reader(who, searcher.model_id) as reader:
            reader.postings(mark)
            reader.phrase((mark, text))
            reader.vectors_of([mark])
            assert reader.last_line(mark) == 0
            assert reader.converted(mark) == ([], ())
        assert len(sent) > 20
        assert not [sql for sql in sent if "zqmark" in sql]
        assert carried(index.store.connection())[0] == WRITER  # type: ignore[arg-type]
        assert index.store.status().documents == len(FILES)


# --- the statements without the policies --------------------------------------------------------------------------


@pytest.fixture
def on_postgres(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Worlds of tests.access_worlds stand in PostgreSQL, whatever the run was asked for."""
    server, before = engine.needs_server(), engine.known()
    monkeypatch.setattr(engine, "_chosen", "postgres")
    yield server
    engine.forget(*engine.known() - before)


@pytest.mark.parametrize("seed", [1, 5])
def test_the_statements_alone_keep_the_lists(on_postgres: Server, seed: int) -> None:
    """With every policy off: what is asked names the caller's lists by itself, on every road."""
    world = access_worlds.made(seed)
    with access_worlds.opened(world) as index:
        database = on_postgres.names[index.settings.db.absolute()]
        as_owner(database, *(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY" for table in GUARDED))
        examples = Examples()
        for who in access_worlds.callers(world):
            check_reader(world, index, who)
            check_replies(world, index, examples, who, access_worlds.questions(world, 1))


def test_a_text_that_others_have_too_is_found_where_it_is_theirs(filled: str, tmp_path: Path) -> None:
    """The same words, phrases and vectors stand in a page that the caller may read and in one that they may not."""
    docs = tmp_path / "docs"
    docs.mkdir()
    write(docs, {"leave.md": SAMPLE["leave.md"], "board.html": FILES["board.html"], "zz.md": SAMPLE["leave.md"]})
    name = engine.server().made()
    with index_of(name, docs) as index:
        index.sync()
        as_owner(name, *(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY" for table in GUARDED))
        with index.store.reader(caller(*STAFF), 1) as reader:
            mine = [row.id for row in reader.chunks(range(100))]
            assert 0 < len(mine) == reader.count < index.store.chunk_count()
            leave = reader.postings("leav")[0].tolist()
            assert reader.phrase(("annual", "leav"))[0].tolist()
            for found in (leave, reader.phrase(("annual", "leav"))[0].tolist(), reader.places().tolist()):
                assert found
                assert set(found) <= set(mine)
        for person, path in ((STAFF, "leave.md"), (BOARD, "board.html"), (STAFF, "leave.md")):
            with index.store.reader(Caller("agent:x", STAFF | BOARD, (person,))) as reader:
                assert {row.path for row in reader.chunks(range(100))} == {path}
    engine.server().drop(name)


def test_the_policies_alone_keep_the_lists(scratch: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every condition of ours gone: the database leaves the rows out."""

    def all_lists(connection: Connection, *_: Any) -> list[int]:
        store = PostgresStore(engine.server().application(scratch))
        try:
            return [number for (number,) in store.connection().execute("SELECT id FROM access_lists")]
        finally:
            store.close()

    monkeypatch.setattr(lists, "readable", all_lists)
    with index_of(scratch, folder) as index:
        for who, expected in ((NOBODY, set()), (caller(*STAFF), {"leave.md"}), (caller(EVERYONE), {"zh.md"})):
            found = index.searcher().search(who, "annual leave salary of the board 报销", 50)
            assert {hit.chunk.path for hit in found.hits} == expected
            with index.store.reader(who, 1) as reader:
                assert {row.path for row in reader.chunks(range(100))} == expected
                assert reader.count == len(reader.places())
                assert bool(reader.last_line("board.html")) is ("board.html" in expected)


def test_nobody_else_of_the_server_connects() -> None:
    """The two roles are the server's: the application's role of another index may act as them, too."""
    server = engine.needs_server()
    database = server.made()
    prepare(server.owner(database), server.application(database))
    with psycopg.connect(server.application(database)) as connection:
        name = "SELECT has_database_privilege('public', current_database(), 'CONNECT, TEMPORARY')"
        assert connection.execute(name).fetchone() == (False,)
    server.drop(database)
