"""Who may come in, where a backup is put back: a restore takes documents back, and opens no door that was shut since.

Tokens and the directory of the index in use go on; access lists wait for a sync. Knows two connections.
Try: python store.py --restore /tmp/index.db
"""

from database import Connection
from storage import lists

GO_ON = ("tokens", "directories", "directory_version", "people", "accounts", "directory_groups", "memberships",
          "identity_reviews")  # fmt: skip
"""Tables of who comes in, each behind those that it refers to."""
STAY = "identity_decisions"
"""Is only ever added to."""


def bring(live: Connection | None, made: Connection) -> None:
    """Makes tokens and directory of `made` those of the live index, inside the caller's transaction.

    Without a `live` one, which could not be read, they are the backup's. Raises sqlite3.Error.
    """
    lists.distrust(made)
    if live is None:
        return
    made.execute("PRAGMA defer_foreign_keys = ON")
    for table in reversed(GO_ON):
        made.execute(f"DELETE FROM {table}")
    for table in (*GO_ON, STAY):
        rows = live.execute(f"SELECT * FROM {table}").fetchall()
        if rows:
            made.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({','.join('?' * len(rows[0]))})", rows)
