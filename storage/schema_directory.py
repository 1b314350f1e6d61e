"""The tables of the directory: people, their accounts, groups and what was decided on who is who.

Written by access/directory_sync.py and access/people.py, read at each question. Knows SQL only.
Try: python -m access.directory groups
"""

DIRECTORY = """
-- Each directory that was loaded: '' is the directory file, else the name of a system. No row: none ever was.
CREATE TABLE directories (
    source TEXT PRIMARY KEY,
    synced_at TEXT NOT NULL,               -- UTC, ISO 8601: the last complete sync
    people INTEGER NOT NULL,
    groups_ INTEGER NOT NULL,
    memberships INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE directory_version (version INTEGER NOT NULL) STRICT;  -- one row; grows with every change
INSERT INTO directory_version VALUES (0);

-- A person is a set of accounts, made by access/people.py. An id is never used again.
CREATE TABLE people (id INTEGER PRIMARY KEY AUTOINCREMENT) STRICT;
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,                   -- the principal without `user:`; a system's begin with its name and a slash
    source TEXT NOT NULL REFERENCES directories(source),
    person_id INTEGER NOT NULL REFERENCES people(id),
    name TEXT NOT NULL,
    email TEXT NOT NULL,                   -- as told
    email_key TEXT NOT NULL,               -- as compared; '': none, or not verified
    employee_id TEXT NOT NULL,
    login TEXT NOT NULL,                   -- what a sign-on service calls it besides its id; '': nothing else
    disabled INTEGER NOT NULL,
    same TEXT NOT NULL,                    -- JSON list: ids of accounts that the directory says are the same person's
    match_evidence TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX accounts_by_person ON accounts (person_id);
CREATE INDEX accounts_by_email ON accounts (email_key) WHERE email_key != '';
CREATE INDEX accounts_by_login ON accounts (login) WHERE login != '';
CREATE INDEX accounts_by_source ON accounts (source);

CREATE TABLE directory_groups (
    id TEXT PRIMARY KEY,                   -- the principal without `group:`; stays when the name changes
    source TEXT NOT NULL REFERENCES directories(source),
    name TEXT NOT NULL,
    address TEXT NOT NULL                  -- of mail, where the system has one
) STRICT, WITHOUT ROWID;
CREATE TABLE memberships (
    member TEXT NOT NULL,                  -- a principal: user:, group: or agent:
    group_id TEXT NOT NULL REFERENCES directory_groups(id) ON DELETE CASCADE,
    PRIMARY KEY (member, group_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memberships_by_group ON memberships (group_id);

-- Pairs of accounts that may be one person's, for a person to decide. Made anew with each sync.
CREATE TABLE identity_reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_a TEXT NOT NULL,
    account_b TEXT NOT NULL,               -- the greater of the two
    reason TEXT NOT NULL,
    found_at TEXT NOT NULL,
    UNIQUE (account_a, account_b)
) STRICT;
-- What was decided on a pair; the last one of a pair counts. Outlives the accounts.
CREATE TABLE identity_decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    made_at TEXT NOT NULL,
    made_by TEXT NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('merge', 'unmerge')),
    account_a TEXT NOT NULL,
    account_b TEXT NOT NULL,
    why TEXT NOT NULL,
    evidence TEXT NOT NULL                 -- the reason on the review list, where it stood there
) STRICT;
CREATE TRIGGER identity_decisions_stay BEFORE DELETE ON identity_decisions
BEGIN SELECT RAISE(ABORT, 'decisions are kept'); END;
CREATE TRIGGER identity_decisions_stand BEFORE UPDATE ON identity_decisions
BEGIN SELECT RAISE(ABORT, 'decisions are kept'); END;
"""
