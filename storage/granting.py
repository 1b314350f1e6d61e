"""Access rules and lists while a sync is at work: kept from one to the next, and told to the audit log as they change.

Knows the Source protocol and one index; what a rule means is access/rules.py. Try: pytest tests/test_access_rules.py
"""

import contextlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace

from access import AccessList
from access.history import lists_are, lists_changed
from config import Settings
from database import Connection, lasting
from errors import StoreBusy
from sources import Source
from storage import lists
from storage.shelf import Shelf

Writing = Callable[[], AbstractContextManager[None]]
"""Opens a transaction that raises the index's generation."""


class Granting:
    """What one sync does about who may read."""

    def __init__(
        self, connection: Connection, shelf: Shelf, source: Source, settings: Settings, writing: Writing
    ) -> None:
        self._connection, self._shelf, self._source, self._writing = connection, shelf, source, writing
        self._is_logged = settings.audit
        self._rules: dict[str, str] = {}

    def begin(self, known: Mapping[str, AccessList]) -> None:
        """The source has been listed: rules that it had are recalled, new ones kept before any document is judged.

        `known`: the list of each document that the index holds; a log that tells of none is older than they are.
        """
        if lists.terms_of(self._connection) != self._source.access_terms:
            lists.distrust(self._connection)  # half of them will be of one kind: nobody is answered before the end
        held = dict(self._connection.execute("SELECT path, text FROM access_rules"))
        self._source.recall(held)
        self._rules = self._source.rules()
        self._keep(held | self._rules, held)
        sql = "SELECT 1 FROM audit WHERE kind = 'rights' LIMIT 1"
        if self._is_logged and known and not self._connection.execute(sql).fetchone():
            with lasting(self._connection):
                lists_are(self._connection, known.items())

    def recalled(self) -> dict[str, str]:
        """The rules that the last sync found, for one of some documents alone.

        Raises StoreBusy where the lists in the index are not those of now: then all documents are to be looked at.
        """
        is_old = lists.terms_of(self._connection) != self._source.access_terms
        if is_old or not lists.synced_at(self._connection):
            raise StoreBusy("Who may read what is to be compared first. Run: python store.py --sync")
        return dict(self._connection.execute("SELECT path, text FROM access_rules"))

    def join(self, held: dict[str, str]) -> None:
        """Keeps the rules of some documents' folders beside those that the last sync found."""
        self._keep(held | self._source.rules(), held)

    def early(self, held: Iterable[tuple[str, int, AccessList, bool]]) -> dict[str, AccessList]:
        """Writes the changed lists before any model is asked, as one that is away must hold no revocation up.

        `held`: path, id and list of each document, and whether its text is the same. Of any other only what is taken
        is written, for what that says itself is not read yet. Returns what was written.
        """
        numbers, now = dict[str, int](), dict[str, AccessList]()
        for path, number, was, same in held:
            with contextlib.suppress(OSError):
                listed = replace(self._source.access(path), narrow=was.narrow)
                if not same:
                    listed = replace(listed, allow=listed.allow & was.allow, deny=listed.deny | was.deny)
                if listed != was:
                    numbers[path], now[path] = number, listed
        if now:
            with self._writing():
                self._shelf.set_lists((numbers[path], listed) for path, listed in now.items())
                self.changed(now)
        return now

    def changed(self, now: Mapping[str, AccessList | None]) -> None:
        """Tells the log of lists in the transaction that changes them; None: the document left."""
        if self._is_logged and now:
            lists_changed(self._connection, now)

    def end(self) -> None:
        """Lets rules go whose folder has no documents any more, and notes that all lists are those of now."""
        self._keep(self._rules, dict(self._connection.execute("SELECT path, text FROM access_rules")))
        lists.note_synced(self._connection, self._source.access_terms)

    def _keep(self, wanted: dict[str, str], held: dict[str, str]) -> None:
        if wanted != held:
            with self._writing():
                self._connection.execute("DELETE FROM access_rules")
                self._connection.executemany("INSERT INTO access_rules VALUES (?, ?)", wanted.items())
