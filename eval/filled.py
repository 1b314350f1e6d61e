"""A made-up index in PostgreSQL in the size that a measurement needs: a million chunks in a quarter of an hour.

Rows are copied by a superuser, past triggers and policies, and each index is built once at the end. Vectors lie in
clusters and spread along few of their dimensions, as a model's do; documents have the lists of a company of 2,000
groups. The same seed makes the same data. Knows the tables. Try: python -m eval.bench postgres
"""

import contextlib
import hashlib
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import psycopg

from access import Caller
from eval import synthetic
from language.words import terms
from models import Vector
from postgres.connection import SCHEMA
from storage.reader import Ints, text_hash
from store import Store

GROUPS = 2_000
_COMMON = 300  # lists that nine documents of ten have one of
_WORDS = 30  # of a chunk
_EACH = synthetic.CHUNKS_A_DOCUMENT
_AT_ONCE = 20_000
_SEED = 7
Lists = list[tuple[list[str], list[str] | None, list[str]]]
"""Allow, narrow and deny of each list; the first is the closed one."""


def spread(count: int, dimension: int, rng: np.random.Generator) -> Vector:
    """Random vectors of length 1 on average whose directions have the weight that a model's have.

    Of 4,000 real texts in MiniLM's space half the variance stands in 45 of 384 directions, here in 53.
    """
    weights = 1 / (np.arange(dimension) + 10)
    drawn = rng.standard_normal((count, dimension), np.float32)
    found: Vector = drawn * np.sqrt(weights / weights.sum()).astype(np.float32)
    return found


def centres(dimension: int) -> Vector:
    """The middles of the clusters, each what a few documents are about."""
    return normal(spread(synthetic.CLUSTERS, dimension, np.random.default_rng(_SEED)))


def questions(count: int, dimension: int, seed: int = 11) -> Vector:
    """A third at clusters' centres, the rest as far from them as the chunks are."""
    rng = np.random.default_rng(seed)
    noise = spread(count, dimension, rng)
    noise[::3] = 0
    return normal(centres(dimension)[rng.integers(synthetic.CLUSTERS, size=count)] + noise)


def normal(vectors: Vector) -> Vector:
    """Each of length 1."""
    found: Vector = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return found


def groups(*numbers: int) -> frozenset[str]:
    """The principals of these groups."""
    return frozenset(f"group:{number}" for number in numbers)


def callers(connection: psycopg.Connection) -> dict[str, Caller]:
    """Who asks the data that stands there, by how much they may read of it."""
    every, some = groups(*range(GROUPS)), groups(*range(3, GROUPS, 130))
    row = connection.execute(
        f"SELECT allow FROM {SCHEMA}.access_lists l JOIN {SCHEMA}.list_states s ON s.list_id = l.id "
        "WHERE narrow IS NULL AND deny = '{}' ORDER BY abs(chunks - 1000), l.id LIMIT 1".encode()
    ).fetchone()
    return {
        "nearly all": Caller("user:wide", every),
        "a third": Caller("user:third", groups(*range(0, GROUPS, 7))),
        "a tenth": Caller("user:tenth", groups(*range(0, GROUPS, 25))),
        "some": Caller("user:some", some),
        "few": Caller("user:few", frozenset(row[0][:1] if row else ())),
        "an agent for some": Caller("agent:a", every, (some,)),
    }


def fill(store: Store, owner: str, chunks: int, embedder: synthetic.Double, *, is_open: bool = False) -> int:
    """Fills an empty index and returns the model's id; `is_open`: everyone may read everything."""
    model_id, documents = store.register(embedder), -(-chunks // _EACH)
    rng = np.random.default_rng(_SEED)
    topics = rng.integers(synthetic.CLUSTERS, size=documents)
    lists, of = ([(["everyone"], None, [])], np.ones(documents, int)) if is_open else _lists(topics, rng)
    with _connected(owner) as connection, ThreadPoolExecutor(1) as pool:
        _rows_of_lists(connection, lists)
        _documents(connection, of)
        _vectors(connection, model_id, _clustered(chunks, embedder.dimension, topics, rng), of)
        building = pool.submit(_index, owner, model_id)  # the server works at it while texts are copied
        _texts(connection, chunks, of)
        building.result()
        for table in ("documents", "chunks", "vectors", "access_lists"):
            connection.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))".encode()
            )
        connection.execute(
            "INSERT INTO list_states SELECT list_id, count(*), sum(terms), 1 FROM chunks GROUP BY list_id"
        )
        connection.execute("VACUUM ANALYZE")
    return model_id


@contextlib.contextmanager
def _connected(owner: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(f"SET search_path = {SCHEMA}, public".encode())
        connection.execute("SET session_replication_role = replica")  # no triggers: the lists are right as they come
        connection.execute("SET maintenance_work_mem = '2GB'")
        connection.execute("SET work_mem = '1GB'")
        yield connection


@contextlib.contextmanager
def _bare(connection: psycopg.Connection, *tables: str) -> Iterator[None]:
    """Without the indexes of these tables, which are made anew afterwards, with what refers to them: row by row they
    take the most."""
    of = ([*tables],)
    foreign = connection.execute(
        "SELECT conname, pg_get_constraintdef(oid), conrelid::regclass::text FROM pg_constraint "
        "WHERE contype = 'f' AND confrelid = ANY(%s::text[]::regclass[])",
        of,
    ).fetchall()
    keys = connection.execute(
        "SELECT conname, pg_get_constraintdef(oid), conrelid::regclass::text FROM pg_constraint "
        "WHERE contype IN ('p', 'u') AND conrelid = ANY(%s::text[]::regclass[])",
        of,
    ).fetchall()
    indexes = connection.execute(
        "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index "
        "WHERE indrelid = ANY(%s::text[]::regclass[]) "
        "AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))",
        of,
    ).fetchall()
    for name, _, table in [*foreign, *keys]:
        connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}".encode())
    for name, _ in indexes:
        connection.execute(f"DROP INDEX {name}".encode())
    yield
    for _, made in indexes:
        connection.execute(made.encode())
    for name, definition, table in [*keys, *foreign]:
        connection.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}".encode())


def _lists(topics: Ints, rng: np.random.Generator) -> tuple[Lists, Ints]:
    """Half of the documents have a list of those who work at their topic, four of ten one of some hundred others,
    one of ten a list of its own; one of fifty lists denies, one of twenty narrows."""
    made: Lists = []
    for number, first in enumerate(rng.permutation(GROUPS)[:_COMMON].tolist()):
        allow = sorted(groups(first, *rng.integers(GROUPS, size=number % 3)))
        narrow = sorted(groups(*rng.integers(GROUPS, size=100))) if number % 20 == 1 else None
        made.append((allow, narrow, sorted(groups(int(rng.integers(GROUPS)))) if number % 50 == 2 else []))
    kind = rng.random(len(topics))
    of = np.where(kind < 0.5, topics % _COMMON, (_COMMON * rng.random(len(topics)) ** 2).astype(int)) + 1
    for document in np.flatnonzero(kind >= 0.9).tolist():
        made.append(([*sorted(groups(int(rng.integers(GROUPS)))), f"user:owner-{document}"], None, []))
        of[document] = len(made)
    return made, of


def _rows_of_lists(connection: psycopg.Connection, lists: Lists) -> None:
    with connection.cursor().copy("COPY access_lists (id, allow, narrow, deny, key) FROM STDIN") as copy:
        for number, (allow, narrow, deny) in enumerate(lists, 1):
            key = hashlib.sha256(json.dumps([allow, narrow, deny]).encode()).hexdigest()
            copy.write_row((number, allow, narrow, deny, key))


def _documents(connection: psycopg.Connection, of: Ints) -> None:
    connection.execute("INSERT INTO meta VALUES ('docs_root', 'synthetic') ON CONFLICT DO NOTHING")
    columns = "id, path, title, lang, size, mtime_ns, settled, sha256, recipe, meta, indexed_at, dated, list_id"
    with connection.cursor().copy(f"COPY documents ({columns}) FROM STDIN".encode()) as copy:
        for i, listed in enumerate(of.tolist(), 1):
            at = "2026-01-01T00:00:00+00:00"
            copy.write_row((i, f"{i:06}.md", f"Document {i}", "en", 1, 1, 1, "", "", "{}", at, "2026-01-01", listed))


def _clustered(chunks: int, dimension: int, topics: Ints, rng: np.random.Generator) -> Iterator[Vector]:
    """Seven of ten chunks of a document near its topic, the others near any."""
    middles = centres(dimension)
    for start in range(0, chunks, _AT_ONCE):
        size = min(_AT_ONCE, chunks - start)
        own = topics[np.arange(start, start + size) // _EACH]
        near = np.where(rng.random(size) < 0.7, own, rng.integers(synthetic.CLUSTERS, size=size))
        yield normal(middles[near] + spread(size, dimension, rng))


def _vectors(connection: psycopg.Connection, model_id: int, batches: Iterator[Vector], of: Ints) -> None:
    """Both forms of each chunk's vector, in the server's own binary form: as text they take ten times as long."""
    exact = "COPY vectors (id, model_id, text_hash, vector) FROM STDIN (FORMAT binary)"
    halves = (
        "COPY embeddings (chunk_id, model_id, document_id, list_id, vector_id, embedding) FROM STDIN (FORMAT binary)"
    )
    first = 1
    with _bare(connection, "vectors", "embeddings"):
        for found in batches:
            width, ids = found.shape[1], np.arange(first, first + len(found))
            document = (ids - 1) // _EACH + 1
            keys = np.frombuffer(b"".join(map(_key, ids.tolist())), "V16")
            columns: list[tuple[str, Any]] = [
                (">i8", ids), (">i4", model_id), ("V16", keys), (f"V{4 * width}", _bytes(found.astype("<f4"))),
            ]  # fmt: skip
            _copy(connection, exact, columns, len(found))
            head = np.zeros(len(found), [("width", ">i2"), ("unused", ">i2"), ("halves", ">f2", width)])
            head["width"], head["halves"] = width, found
            columns = [
                (">i8", ids), (">i4", model_id), (">i8", document), (">i4", of[document - 1]), (">i8", ids),
                (f"V{4 + 2 * width}", _bytes(head)),
            ]  # fmt: skip
            _copy(connection, halves, columns, len(found))
            first += len(found)


def _bytes(rows: Any) -> Any:
    return np.ascontiguousarray(rows).view(f"V{rows.nbytes // len(rows)}").reshape(len(rows))


def _copy(connection: psycopg.Connection, sql: str, columns: list[tuple[str, Any]], count: int) -> None:
    """Sends rows of columns of constant width: a count of columns, then each with its length before it."""
    parts: list[tuple[str, Any]] = [("columns", ">i2")]
    for number, (kind, _) in enumerate(columns):
        parts += [(f"length{number}", ">i4"), (f"value{number}", kind)]
    rows = np.zeros(count, parts)
    rows["columns"] = len(columns)
    for number, (kind, values) in enumerate(columns):
        rows[f"length{number}"] = np.dtype(kind).itemsize
        rows[f"value{number}"] = values
    with connection.cursor().copy(sql.encode()) as copy:
        copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8) + rows.tobytes() + b"\xff\xff")


def _texts(connection: psycopg.Connection, chunks: int, of: Ints) -> None:
    corpus = synthetic.Corpus()
    stems = cache(lambda rank: " ".join(terms(corpus.vocabulary[rank], "en")))
    with _bare(connection, "chunks", "words", "units", "postings"):
        for start in range(0, chunks, _AT_ONCE):
            ids = range(start + 1, min(start + _AT_ONCE, chunks) + 1)
            drawn = [corpus.draw(_WORDS) for _ in ids]
            found = [" ".join(map(stems, ranks)) for ranks in drawn]
            columns = "id, document_id, heading, first_line, last_line, text, skip, context, terms, text_hash, list_id"
            with connection.cursor().copy(f"COPY chunks ({columns}) FROM STDIN".encode()) as copy:
                for number, ranks in zip(ids, drawn, strict=True):
                    document = (number - 1) // _EACH + 1
                    line = 4 * ((number - 1) % _EACH) + 1
                    copy.write_row((
                        number, document, f'["Section {number}"]', line, line + 1, corpus.text(ranks), 0, "", _WORDS,
                        _key(number), int(of[document - 1]),
                    ))  # fmt: skip
            with connection.cursor().copy("COPY words (rowid, terms) FROM STDIN") as copy:
                for row in zip(ids, found, strict=True):
                    copy.write_row(row)
            with connection.cursor().copy("COPY units (chunk_id, text_hash) FROM STDIN") as copy:
                for number in ids:
                    copy.write_row((number, _key(number)))  # a chunk of one unit
        connection.execute(
            "INSERT INTO postings (term, chunk_id, list_id, count, length) "
            "SELECT t.term, w.rowid, d.list_id, count(*), %s FROM words w JOIN documents d "
            "ON d.id = (w.rowid - 1) / %s + 1, unnest(string_to_array(w.terms, ' ')) AS t(term) "
            "GROUP BY 1, 2, 3 ORDER BY 1, 2",
            (_WORDS, _EACH),
        )


def _index(owner: str, model_id: int) -> float:
    """Builds the index of the vectors; returns the seconds it took."""
    started = time.perf_counter()
    with _connected(owner) as connection:
        connection.execute("SELECT index_model(%s)", (model_id,))
    return time.perf_counter() - started


def _key(chunk_id: int) -> bytes:
    return text_hash(f"{chunk_id}/0")
