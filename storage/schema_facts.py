"""The tables of facts: what documents say, in atoms. Migrations 11 and 12, PostgreSQL's are their twins.

Nothing is kept that follows from several documents (which names are one thing, what a newer fact closes, what is
disputed): it depends on who asks, so it is worked out from the rows that they may read (facts/timeline.py).
Knows SQL only. Try: pytest tests/test_graph_view.py
"""

FACTS = """
-- A thing under one name or id, of a type; '' for a name of which its document does not say the type.
CREATE TABLE nodes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type TEXT NOT NULL,
    key TEXT NOT NULL,                     -- "id:emp 0431", "name:plan store" (facts/normal.py)
    UNIQUE (type, key)
) STRICT;
CREATE INDEX nodes_by_key ON nodes (key);

-- How a document names it, and where it does so first.
CREATE TABLE names (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    node_id INTEGER NOT NULL REFERENCES nodes(id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('name', 'id')),
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    place INTEGER NOT NULL,                -- 0: the name or id that the document shows first, then its others
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    quote TEXT NOT NULL
) STRICT;
CREATE INDEX names_by_key ON names (key, node_id);
CREATE INDEX names_by_node ON names (node_id);
CREATE INDEX names_by_document ON names (document_id);

-- What is said, as it is said.
CREATE TABLE facts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,              -- hash of all that follows
    subject INTEGER NOT NULL REFERENCES nodes(id),
    predicate TEXT NOT NULL,
    object INTEGER REFERENCES nodes(id),   -- NULL: `value` is what is said
    value TEXT NOT NULL,
    qualifier TEXT NOT NULL,
    valid_from TEXT NOT NULL,              -- ISO dates, as stated; '': not stated
    valid_to TEXT NOT NULL
) STRICT;
CREATE INDEX facts_by_subject ON facts (subject, predicate);
CREATE INDEX facts_by_object ON facts (object, predicate) WHERE object IS NOT NULL;
CREATE INDEX facts_by_predicate ON facts (predicate, value);

-- Who says so, where, in which words. A fact without any is none.
CREATE TABLE evidence (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    fact_id INTEGER NOT NULL REFERENCES facts(id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    quote TEXT NOT NULL,
    rank INTEGER NOT NULL,                 -- how far its source is trusted (facts/__init__.py)
    status TEXT NOT NULL CHECK (status IN ('observed', 'inferred')),
    extractor TEXT NOT NULL
) STRICT;
CREATE INDEX evidence_by_fact ON evidence (fact_id);
CREATE INDEX evidence_by_document ON evidence (document_id);

-- What became of each sync and event that changed something or failed (storage/runs.py), the last ones.
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    started_at TEXT NOT NULL,              -- UTC, ISO 8601, like the next
    ended_at TEXT NOT NULL,
    cause TEXT NOT NULL CHECK (cause IN ('sync', 'event')),
    caller TEXT NOT NULL,
    outcome TEXT NOT NULL,                 -- "done", or the code of the error
    counts TEXT NOT NULL,                  -- JSON, as is the next
    stages TEXT NOT NULL,                  -- seconds of each
    error TEXT NOT NULL,
    times INTEGER NOT NULL                 -- how often in a row it failed so
) STRICT;
"""

COVERING = """
-- What a thing is called is read from an index alone: thousands of documents may name one.
DROP INDEX names_by_key;
DROP INDEX names_by_node;
CREATE INDEX names_by_key ON names (key, node_id, kind, name, place, document_id);
CREATE INDEX names_by_node ON names (node_id, key, kind, name, place, document_id);
"""
