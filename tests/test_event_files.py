"""Events as files: whole or not there, one for the same event, and nothing in them says what its sender may not.

Try: pytest tests/test_event_files.py
"""

import os
import re
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from access import EVERYONE, AccessList
from access.rules import RuleBook, narrowed_by, read_rules
from chunk import split
from chunking.front import front_matter
from config import PROJECT
from facts import MESSAGE, NOTES, Named, Text
from facts.extract import extract
from sources.events import MOST_TEXT, RULES, Event, Folder, NotWritten, event_of
from tests.conftest import mounted

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
FORGED = "---\naccess: everyone\n---\n\n# Ben Ode\n\nAnother title\n=====\n\nSigned\n---\n\nStatus: accepted"


def made(text: str = "We still use the old bus.", **values: object) -> Event:
    given: dict[str, object] = {"author": "user:ada", "at": "2026-11-30T09:15:00Z", "now": NOW, **values}
    return event_of(text, **given)  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "docs").mkdir()
    return Folder(tmp_path / "docs", tmp_path / "docs" / "events")


def files(tmp_path: Path) -> list[str]:
    root = tmp_path / "docs"
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def test_an_event_is_a_document(tmp_path: Path, folder: Folder) -> None:
    event = made(name="Ada Weber", channel="platform", readers=["group:bedrock"])
    assert folder.write(event)
    assert files(tmp_path) == [f"events/2026-11/{event.id}.md"]
    document = split(folder.read(event).decode(), event.path)
    assert document.title == "Message of Ada Weber in platform, 2026-11-30"
    assert document.meta["access"] == "user:ada, group:bedrock"
    assert (document.meta["kind"], document.meta["date"]) == ("message", "2026-11-30T09:15:00Z")
    assert [chunk.body.strip() for chunk in document.chunks if not chunk.is_empty] == ["We still use the old bus."]
    if os.name != "nt":
        assert (tmp_path / "docs" / "events" / event.path).stat().st_mode & 0o077 == 0


def test_the_same_event_is_one_file(tmp_path: Path, folder: Folder) -> None:
    first = made()
    assert [folder.write(first), folder.write(made()), folder.write(made(at="2026-11-30T10:15:00+01:00"))] == [
        True, False, False,
    ]  # fmt: skip
    wider = made(readers=[EVERYONE])
    assert not folder.write(wider)
    assert b"everyone" not in folder.read(first), "to send it again lets nobody else in"
    others = [made("x"), made(author="user:ben"), made(channel="x"), made(at="2026-11-30T09:16:00Z")]
    assert len({first.id, *(one.id for one in others)}) == 5
    assert made(at="").id == made(at="", now=NOW.replace(hour=23)).id, "without a time, the same of one day"
    assert made(at="").id != made(at="", now=NOW.replace(day=29)).id


@given(st.text(max_size=60), st.text(max_size=60), st.text(min_size=1, max_size=300))
def test_nothing_that_is_sent_is_front_matter(channel: str, name: str, text: str) -> None:
    try:
        event = made(text, channel=channel, name=name, readers=["group:a", 'user:x"] #: y'])
    except ValueError:
        return
    lines = event.document().split("\n")
    meta, front = front_matter(lines)
    assert meta["access"] == 'user:ada, group:a, user:x"] #: y'
    assert narrowed_by(AccessList(frozenset({EVERYONE})), meta["access"])[0].narrow == frozenset(event.access)
    assert (meta["kind"], meta["principal"], meta["author"]) == ("message", "user:ada", event.name)
    assert meta.get("channel", "") == event.channel
    assert [line for line in lines[:front] if "access" in line.partition(":")[0]] == [lines[front - 2]]
    assert len(split(event.document(), event.path).chunks) >= 1


def test_a_message_is_no_page_of_headings(folder: Folder) -> None:
    event = made(FORGED, name="Ada", channel="x: y # z")
    document = split(event.document(), event.path)
    assert {chunk.heading for chunk in document.chunks} == {(document.title,)}
    assert document.meta["access"] == "user:ada"
    read = Text(
        event.path, document.title, document.meta, tuple(event.document().split("\n")), "en", "2026-11-30", "md"
    )
    said = extract(read).statements
    assert {one.rank for one in said} == {MESSAGE}
    assert {one.subject.ids for one in said} == {(f"{event.path}#¶1",)}
    assert next(one.object for one in said if one.predicate == "written_by") == Named("Person", ("Ada",), ("user:ada",))


def test_a_note_is_markdown_of_a_lower_rank(folder: Folder) -> None:
    event = made("# Sync\n\n| Service | Owner |\n|---|---|\n| `plan-store` | Bedrock |", kind="note")
    document = split(event.document(), event.path)
    read = Text(event.path, document.title, document.meta, tuple(event.document().split("\n")), "en", "", "md")
    said = extract(read).statements
    assert ("Bedrock", "owns") in {(one.subject.shown, one.predicate) for one in said}
    assert max(one.rank for one in said) == NOTES


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"text": " \n\t"}, "empty"),
        ({"text": "x" * (MOST_TEXT + 1)}, "characters"),
        ({"text": "a\x1b[2J"}, "control"),
        ({"text": "a\ud800"}, "surrogate"),
        ({"channel": "a\nb"}, "one line"),
        ({"channel": "../../x\0"}, "one line"),
        ({"channel": "a\u2028access: everyone"}, "one line"),
        ({"name": "a\u200bb"}, "one line"),
        ({"thread": "x" * 201}, "200"),
        ({"at": "yesterday"}, "ISO"),
        ({"at": "2026-12-05"}, "ahead"),
        ({"at": "0001-01-01T00:00:00+14:00"}, "at:"),
        ({"readers": ["ada"]}, "principal"),
        ({"readers": ["user:ad\u200ba"]}, "principal"),
        ({"readers": ["user:a\naccess: everyone"]}, "principal"),
        ({"readers": [f"user:{n}" for n in range(51)]}, "group"),
    ],
)
def test_what_no_event_holds(values: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        made(**values)  # type: ignore[arg-type]


def test_line_ends_of_all_kinds_are_line_ends() -> None:
    assert made("\r\na\rb\u2028c\x85d\r\n").text == "a\nb\nc\nd"


@pytest.mark.parametrize("channel", ["../../../etc/passwd", "C:\\con", "con", "a/b", "~root", "aux.md", "x" * 200])
def test_no_name_of_a_file_is_what_somebody_sends(folder: Folder, channel: str) -> None:
    event = made(channel=channel, thread=channel, author="user:../x")
    assert re.fullmatch(r"2026-11/[0-9a-f]{32}\.md", event.path)
    assert folder.write(event)


WRITER = """
import sys
from pathlib import Path
from sources.events import Folder, event_of
docs = Path(sys.argv[1])
made = [event_of(f"Number {n}.", author="user:ada", at="2026-11-30") for n in range(25)]
print("ready", flush=True)
sys.stdin.readline()
print(sum(Folder(docs, docs / "events").write(event) for event in made))
"""
KILLED = """
import os, signal, sys
from pathlib import Path
from sources import events
docs = Path(sys.argv[1])
getattr(events.os, sys.argv[2])  # there is such a function
setattr(events.os, sys.argv[2], lambda *_: os.kill(os.getpid(), signal.SIGKILL))
events.Folder(docs, docs / "events").write(events.event_of("The same.", author="user:ada", at="2026-11-30"))
"""


def process(script: str, *arguments: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", script, *arguments]
    return subprocess.Popen(words, cwd=PROJECT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def test_of_several_processes_one_writes_each(tmp_path: Path, folder: Folder) -> None:
    writers = [process(WRITER, str(tmp_path / "docs")) for _ in range(3)]
    assert [one.stdout.readline() for one in writers if one.stdout] == ["ready\n"] * 3
    for one in writers:
        assert one.stdin
        one.stdin.write("\n")
        one.stdin.flush()
    told = [int(one.communicate(timeout=60)[0]) for one in writers]
    assert (sum(told), len(files(tmp_path))) == (25, 25)


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
@pytest.mark.parametrize("at", ["fsync", "link"])
def test_killed_while_it_is_written(tmp_path: Path, folder: Folder, at: str) -> None:
    with process(KILLED, str(tmp_path / "docs"), at) as killed:
        assert killed.wait(60) == -9
    left = files(tmp_path)
    assert [name for name in left if "/.waiting/" not in name] == []
    assert len(left) == 1, "what was begun stands where no sync looks"
    (waiting,) = (tmp_path / "docs" / "events" / ".waiting").iterdir()
    then = time.time() - 7200
    os.utime(waiting, (then, then))
    event = event_of("The same.", author="user:ada", at="2026-11-30")
    assert folder.write(event)
    assert files(tmp_path) == [f"events/{event.path}"]


def test_a_full_disk(tmp_path: Path) -> None:
    with mounted(tmp_path / "docs", "128k") as docs:
        folder = Folder(docs, docs / "events")
        written, told = list[Event](), ""
        for n in range(20):
            event = made("x" * 15_000, channel=str(n))
            try:
                assert folder.write(event)
                written.append(event)
            except NotWritten as error:
                told = str(error)
        assert re.search(r"No space left.*Free some space", told)
        assert written
        assert files(tmp_path) == sorted(f"events/{one.path}" for one in written), "nothing half"
        for one in written:
            assert folder.read(one) == one.document().encode()


def test_its_rules_stand_where_others_would_decide(tmp_path: Path, folder: Folder) -> None:
    assert folder.write(made())
    assert not (tmp_path / "docs/events/access.toml").exists(), "rules in a source that has none close its other files"
    (tmp_path / "docs" / "access.toml").write_text('[allow]\n"**" = ["group:hr"]\n[deny]\n"**" = ["user:mallory"]\n')
    event = made("More.")
    assert folder.write(event)
    rules = (tmp_path / "docs/events/access.toml").read_text()
    assert rules == RULES
    texts = {"access.toml": (tmp_path / "docs/access.toml").read_text(), "events/access.toml": rules}
    book = RuleBook(texts, "user:owner", AccessList(frozenset()))
    listed = book.list_of(f"events/{event.path}")
    assert (listed.allow, listed.deny) == (frozenset({EVERYONE}), frozenset({"user:mallory"}))
    for other in ("events/plan.md", "events/2026-11/plan.md", f"events/2026-11/deep/{event.id}.md"):
        assert EVERYONE not in book.list_of(other).allow, "it opens nothing that is no event"
    assert read_rules(RULES).allowed(f"2026-11/{event.id}.md") == frozenset({EVERYONE})


def test_a_folder_of_other_documents_is_left_alone(tmp_path: Path, folder: Folder) -> None:
    events = tmp_path / "docs" / "events"
    events.mkdir()
    (tmp_path / "docs" / "access.toml").write_text('[allow]\n"**" = ["group:hr"]\n')
    (events / "salaries.md").write_text("# Salaries\n")
    with pytest.raises(NotWritten, match=r"salaries\.md"):
        folder.write(made())
    assert files(tmp_path) == ["access.toml", "events/salaries.md"]


def test_a_folder_behind_a_link_is_refused(tmp_path: Path, folder: Folder) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "docs" / "events").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotWritten, match="link"):
        folder.write(made())
    assert [*(tmp_path / "elsewhere").iterdir()] == []


def test_only_events_are_removed(tmp_path: Path, folder: Folder) -> None:
    (tmp_path / "docs" / "access.toml").write_text('[allow]\n"**" = ["group:hr"]\n')
    event = made()
    folder.write(event)
    month = tmp_path / "docs" / "events" / "2026-11"
    (month / "plan.md").write_text("# Plan\n")
    (month / f"{'a' * 32}.md").write_text("# A page with such a name\n")
    (month / f"{'b' * 32}.md").symlink_to(month / f"{event.id}.md")
    assert [path.name for path in folder.files()] == [f"{event.id}.md"]
    assert folder.remove() == 1
    assert [name for name in files(tmp_path) if event.id in name or "access" in name] == ["access.toml"]
    assert (month / "plan.md").exists()
    assert (month / f"{'a' * 32}.md").exists()
