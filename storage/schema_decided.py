"""The tables of names that may be one thing's, and of what people decided. Of migration 11, with those of facts.

Which things are one is worked out for who asks, from the names that they may read (facts/resolution.py). A row of
`merges` counts for who may read both of its names, one of `decisions` for who may read what it decides.
Knows SQL only. Try: pytest tests/test_decide.py
"""

DECIDED = """
-- What names are looked up by that may be meant for the same: the whole ("Person=ann lee"), and for a name what
-- facts/similar.py makes of it ("Person:lee a").
CREATE TABLE name_parts (
    part TEXT NOT NULL,
    node_id INTEGER NOT NULL REFERENCES nodes(id) ON DELETE CASCADE,
    key TEXT NOT NULL,                     -- of the name or id, as in `names`
    PRIMARY KEY (part, node_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX name_parts_by_node ON name_parts (node_id, key);

-- Each pair of names of two nodes that was looked at, once. Goes when nobody names one of them any more.
CREATE TABLE merges (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,              -- hash of type, nodes' keys and names: tells nothing of other rows
    node_a INTEGER NOT NULL REFERENCES nodes(id) ON DELETE CASCADE,
    node_b INTEGER NOT NULL REFERENCES nodes(id) ON DELETE CASCADE,
    name_a TEXT NOT NULL,                  -- as in names.key
    name_b TEXT NOT NULL,
    similarity INTEGER NOT NULL,           -- thousandths
    tier TEXT NOT NULL CHECK (tier IN ('certain', 'judged')),
    reason TEXT NOT NULL,                  -- what makes them alike, or what keeps them apart
    outcome TEXT NOT NULL CHECK (outcome IN ('proposed', 'blocked', 'merged', 'apart')),
    decided_by TEXT NOT NULL,              -- "rules", "model NAME", a principal
    path_a TEXT NOT NULL,                  -- of the documents whose words a model saw, '' for who else decided
    path_b TEXT NOT NULL,
    at TEXT NOT NULL,                      -- UTC, ISO 8601: of the outcome
    in_force INTEGER NOT NULL              -- 1: joins, or keeps apart, what the rules alone would not
) STRICT;
CREATE INDEX merges_by_a ON merges (node_a, in_force);
CREATE INDEX merges_by_b ON merges (node_b, in_force);
CREATE INDEX merges_by_time ON merges (at, key);
CREATE INDEX merges_in_force ON merges (id) WHERE in_force = 1;

-- What people decided, in order; rows are only added. It names nothing, so that no name outlives its documents here.
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    made_at TEXT NOT NULL,                 -- UTC, ISO 8601
    made_by TEXT NOT NULL,                 -- a principal
    action TEXT NOT NULL CHECK (action IN ('merge', 'apart', 'undo', 'keep', 'reopen')),
    subject TEXT NOT NULL,                 -- merges.key, or facts.key of the fact that is kept
    closed TEXT NOT NULL,                  -- '', or facts.key of the fact that it is kept against
    why TEXT NOT NULL
) STRICT;
CREATE INDEX decisions_by_subject ON decisions (subject);
CREATE INDEX decisions_by_closed ON decisions (closed);
"""
