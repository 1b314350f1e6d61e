"""Random lives of a drive while passes go over it, fail and are cut off: whoever may read a text here could there.

Try: pytest tests/test_drive_random.py -m "slow or not slow"
"""

import contextlib
import os
import random
from collections import defaultdict
from pathlib import Path

import pytest

from errors import BrainError
from sources.drive import mirror
from tests.doubles import Refusal
from tests.drive_double import DOC, ROOT, person, throttled
from tests.mirrored import Mirrored, mirrored

pytest.importorskip("cryptography")
PEOPLE = ("anna", "ben", "cy", "dora")
NAMES = ("a", "A", "b", "plan [1]", "é", "e\u0301", "x/y", "..", "con")
FOLDERS = (ROOT, "d1", "d2", "d3")


class Life:
    """Somebody who edits the drive at random, and remembers who could read each text at any time."""

    def __init__(self, wiki: Mirrored, seed: int) -> None:
        self.wiki, self.drive, self.random = wiki, wiki.drive, random.Random(seed)
        self.could: dict[str, set[str]] = defaultdict(set)
        self.count, self.busy = 0, 0.0
        for number, folder in enumerate(FOLDERS[1:]):
            self.drive.folder(folder, f"Folder {number}", parent=FOLDERS[number // 2])
        for number in range(6):
            self.edit(f"f{number}")

    def edit(self, id_: str) -> None:
        """A new text, in a file that may be new."""
        self.count += 1
        held = self.drive.files.get(id_, {})
        kind = held.get("mimeType") or self.random.choice((DOC, "text/markdown"))
        name = held.get("name") or self.random.choice(NAMES) + ("" if kind == DOC else ".md")
        parent = held["parents"][0] if held else self.random.choice(FOLDERS)
        who = self.people() if self.random.random() < 0.7 or not held else None
        self.drive.put(id_, name, f"text {self.count} of {id_}", parent=parent, kind=kind, who=who)
        self.remember()

    def people(self) -> list[dict[str, object]]:
        return [person(name) for name in PEOPLE if self.random.random() < 0.5]

    def step(self) -> None:
        """One change of the drive."""
        with self.drive.gate:
            id_ = f"f{self.random.randrange(9)}"
            what = self.random.choice(("edit", "edit", "who", "who", "name", "move", "delete", "bin", "folder"))
            held = self.drive.files.get(id_)
            if what == "edit" or held is None:
                self.edit(id_)
            elif what == "who":
                self.drive.grants[id_] = self.people()
            elif what == "name":
                held["name"] = self.random.choice(NAMES) + ("" if held["mimeType"] == DOC else ".md")
            elif what == "move":
                held["parents"] = [self.random.choice(FOLDERS)]
            elif what == "delete":
                del self.drive.files[id_]
            elif what == "bin":
                held["trashed"] = not held["trashed"]
            else:
                self.drive.files[self.random.choice(FOLDERS[1:])]["name"] = f"Folder {self.random.randrange(3)}"
            self.remember()

    def remember(self) -> None:
        for id_, held in self.drive.files.items():
            if b"text" in held["data"]:
                self.could[held["data"].decode()] |= {grant["emailAddress"] for grant in self.drive.grants[id_]}

    def meddle(self, path: str) -> None:
        """Before a reply of Drive, sometimes."""
        if "/files" in path and self.random.random() < self.busy:
            self.step()

    def fault(self, number: int, path: str) -> Refusal | None:
        """What Drive answers instead, sometimes."""
        if "/files" not in path or self.random.random() > 0.04:
            return None
        return self.random.choice((Refusal(500, ""), throttled(), throttled(429), Refusal(404, ""), Refusal(403, "{}")))

    def check(self) -> None:
        """Whoever may read a text here could read it there."""
        texts, lists = self.wiki.texts(), self.wiki.lists()
        for path, text in texts.items():
            names = {who.removeprefix("user:") for who in lists[path]}
            assert names <= self.could[text], (path, text, names - self.could[text])

    def settle(self) -> None:
        """Drive stands still: one pass, and all is as it is there."""
        self.drive.fault, self.busy = (lambda number, path: None), 0.0
        self.wiki.go(allow_empty=True)
        here = {
            (text, frozenset(who))
            for text, who in zip(self.wiki.texts().values(), self.wiki.lists().values(), strict=True)
        }
        shown = {ROOT: True}
        for folder in FOLDERS[1:]:
            shown[folder] = shown[self.drive.files[folder]["parents"][0]]
        there = {
            (held["data"].decode(), frozenset(f"user:{grant['emailAddress']}" for grant in self.drive.grants[id_]))
            for id_, held in self.drive.files.items()
            if b"text" in held["data"] and not held["trashed"] and shown[held["parents"][0]]
        }
        assert here == there


def live(folder: Path, seed: int, passes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passes of every kind over one random life."""
    monkeypatch.setattr("access.readers.wire.FIRST_WAIT", 0.0005)
    monkeypatch.setattr("access.readers.wire.TRIES", 3)
    monkeypatch.setattr(mirror, "_BATCH", 1 + seed % 4)
    real = os.replace
    with mirrored(folder) as wiki:
        life = Life(wiki, seed)
        wiki.drive.meddle, wiki.drive.fault = life.meddle, life.fault

        def replace(*paths: Path) -> None:
            if cut and life.random.random() < cut:
                raise OSError(28, "No space left on device")
            real(*paths)

        for _ in range(passes):
            life.busy, cut = life.random.choice((0.0, 0.1, 0.4)), life.random.choice((0.0, 0.0, 0.1))
            end = life.random.choice((1000, 1000, life.random.randrange(30)))
            begun = len(wiki.drive.asked)
            with pytest.MonkeyPatch.context() as patched, contextlib.suppress(BrainError):
                patched.setattr(os, "replace", replace)
                wiki.go(
                    life.random.random() < 0.4, allow_empty=True,
                    stop=lambda end=end, begun=begun: len(wiki.drive.asked) - begun > end,
                )  # fmt: skip
            life.check()
            if life.random.random() < 0.2:
                life.settle()
                life.check()
                wiki.drive.fault = life.fault
            life.step()
        life.settle()


@pytest.mark.parametrize("seed", range(1))
def test_a_short_life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    live(tmp_path, seed, 6, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_a_long_life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    live(tmp_path, seed, 30, monkeypatch)
