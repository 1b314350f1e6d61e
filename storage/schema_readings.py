"""The tables of what a chat model read in prose. Migration 13 of storage/schema.py; PostgreSQL's is its twin.

A reading is of a text, wherever it stands, so the same text costs one call. Knows SQL only.
Try: pytest tests/test_reading.py
"""

READINGS = """
-- What the chat model read in a piece of prose: a row for each text, model and version of what was asked
-- (storage/readings.py). Goes with the last chunk of its text.
CREATE TABLE readings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    text_hash TEXT NOT NULL,               -- of the chunk's text below its heading
    prompt TEXT NOT NULL,                  -- version of what was asked: another, read again
    model TEXT NOT NULL,                   -- name and digest
    outcome TEXT NOT NULL CHECK (outcome IN ('ok', 'empty', 'unreadable', 'refused', 'orders', 'failed')),
    facts TEXT NOT NULL,                   -- JSON, lines counted from the text's first
    dropped INTEGER NOT NULL,              -- facts that it told and that do not stand there
    prompt_tokens INTEGER,                 -- NULL: the server did not say
    reply_tokens INTEGER,
    milliseconds INTEGER NOT NULL,
    read_at TEXT NOT NULL,                 -- UTC, ISO 8601
    in_force INTEGER NOT NULL,             -- 1: its facts are those of the text
    UNIQUE (text_hash, model, prompt)
) STRICT;
CREATE TABLE read_chunks (
    chunk_id INTEGER PRIMARY KEY REFERENCES chunks(id) ON DELETE CASCADE,
    text_hash TEXT NOT NULL                -- '': it holds no prose
) STRICT;
CREATE INDEX read_chunks_by_hash ON read_chunks (text_hash);

-- 1: an end of a fact that a model read, which goes when that does.
ALTER TABLE names ADD COLUMN by_model INTEGER NOT NULL DEFAULT 0;
"""
