"""What one document changed for one caller, and the way back to the documents without events.

Try: pytest tests/test_graph_changed.py
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from access import Caller
from access.sources import source_of
from config import Settings
from errors import UsageError
from facts.relations import BUILT_IN
from graph import reset
from graph.changed import Changes, changes_of, look
from graph.view import View
from search import Index, open_index
from sources.events import Folder, event_of
from sources.folder import folder_of
from storage.facts import FactReader
from storage.filter import Filter
from tests.conftest import HashEmbedder, caller, write
from tests.served import Held

TODAY = "2026-11-30"
DECISION = (
    "# 0007: Ferries move\n\nStatus: accepted\nDate: 2026-03-01\nDeprecates: `old-bus`\n\nWe stop using `old-bus`.\n"
)
Maker = Callable[..., Index]
Choose = Callable[..., Settings]


def table(*rows: tuple[str, ...], heads: tuple[str, ...] = ("Service", "Owner")) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "# Services\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def changed(index: Index, path: str, who: Caller | None = None) -> Changes:
    who = who or caller()
    with index.store.reader(who) as reader:
        after = look(View(FactReader(reader), BUILT_IN, TODAY), path)
    with index.store.reader(who, 0, Filter(without=(path,))) as reader:
        return changes_of(look(View(FactReader(reader), BUILT_IN, TODAY), path, after), after)


def lines(told: Changes) -> list[str]:
    return sorted(f"{one['subject']} {one['predicate']} {one['object']}" for one in told.facts)


def pairs(told: Changes) -> list[list[str]]:
    return sorted(sorted(f"{one['subject']} {one['words'][0]['source']}" for one in both) for both in told.conflicts)


def test_facts_that_came_and_what_they_stand_against(docs: Path, make_index: Maker) -> None:
    write(docs, {"a.md": table(("`plan`", "Red"), ("`dock`", "Red"))})
    write(docs, {"b.md": table(("`plan`", "Blue"), ("`gate`", "Blue"), ("`dock`", "Red"))})
    index = make_index(docs, HashEmbedder())
    index.sync()
    told = changed(index, "b.md")
    assert lines(told) == ["Blue owns gate", "Blue owns plan"], "what another document said already is nothing new"
    assert pairs(told) == [["Blue b.md", "Red a.md"]]
    assert told.facts[0]["words"][0]["lines"] == "L6-6"
    assert changed(index, "zh.md") == Changes()
    assert changed(index, "none.md") == Changes()


def test_what_it_ended(docs: Path, make_index: Maker) -> None:
    heads = ("Service", "Owner", "Since")
    write(docs, {"a.md": table(("`plan`", "Red", "2025-01-01"), heads=heads)})
    write(docs, {"b.md": table(("`plan`", "Blue", "2026-01-01"), heads=heads)})
    index = make_index(docs, HashEmbedder())
    index.sync()
    told = changed(index, "b.md")
    assert [(one["subject"], one["valid_to"]) for one in told.ended] == [("Red", "2026-01-01")]
    assert told.conflicts == []


def test_nothing_of_what_the_caller_may_not_read(docs: Path, make_index: Maker) -> None:
    """To the byte as if the others did not exist."""
    secret = '---\naccess: ["group:hr"]\n---\n' + table(("`plan`", "Red"))
    message = event_of("We still use `old-bus`.", author="user:ada", at=TODAY, readers=["everyone"]).document()
    open_ = {"b.md": table(("`plan`", "Blue")), "m.md": message}
    write(docs, {"a.md": secret, "0007.md": '---\naccess: ["group:hr"]\n---\n' + DECISION, **open_})
    index = make_index(docs, HashEmbedder())
    index.sync()
    told = [changed(index, path) for path in open_]
    assert pairs(changed(index, "b.md", caller("everyone", "group:hr"))) == [["Blue b.md", "Red a.md"]]
    assert len(changed(index, "m.md", caller("everyone", "group:hr")).conflicts) == 1
    for path in ("a.md", "0007.md"):
        (docs / path).unlink()
    index.sync()
    assert [changed(index, path) for path in open_] == told
    assert all(one.conflicts == [] for one in told)
    assert changed(index, "b.md", caller("nobody")) == Changes()


def test_talk_against_a_decision(docs: Path, make_index: Maker) -> None:
    message = event_of("We still use `old-bus`.", author="user:ada", name="Ada", at=TODAY, readers=["everyone"])
    earlier = event_of("We use `old-bus`.", author="user:ada", at="2026-02-01", readers=["everyone"])
    write(docs, {"0007.md": DECISION, "m.md": message.document(), "e.md": earlier.document()})
    index = make_index(docs, HashEmbedder())
    index.sync()
    (conflict,) = changed(index, "m.md").conflicts
    assert {words["source"] for fact in conflict for words in fact["words"]} == {"m.md", "0007.md"}
    assert changed(index, "e.md").conflicts == [], "it was said before the decision"


# --- python -m graph.reset -----------------------------------------------------------------------------------------


@pytest.fixture
def environment(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_settings: Choose, double: Held
) -> Settings:
    chosen = {"backend": "ollama", "ollama_host": double.host, "min_score": 0.2}
    settings = make_settings(docs, events_dir=docs / "events", **chosen)
    monkeypatch.setenv("BRAIN_CONFIG", str(tmp_path / "empty.toml"))
    monkeypatch.setenv("BRAIN_BACKEND", "ollama")
    monkeypatch.setenv("OLLAMA_HOST", double.host)
    monkeypatch.setenv("BRAIN_MIN_SCORE", "0.2")
    monkeypatch.setenv("BRAIN_DOCS_DIR", str(docs))
    monkeypatch.setenv("BRAIN_DB", str(settings.db))
    if settings.database:
        monkeypatch.delenv("BRAIN_DB")
        monkeypatch.setenv("BRAIN_DATABASE", settings.database)
    monkeypatch.setenv("BRAIN_EVENTS_DIR", str(docs / "events"))
    return settings


def test_reset_lists_and_removes_events_alone(environment: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    settings, docs = environment, environment.docs_dir
    folder = Folder(docs, docs / "events")
    made = [event_of(f"Ferry {n} is late.", author="user:local", at=TODAY) for n in range(30)]
    with open_index(settings, notice=lambda text: None) as index:
        index.sync()
        before = index.store.lists_by_path()
        for one in made:
            folder.write(one)
        index.sync()
        assert len(index.store.lists_by_path()) == len(before) + 30
    assert reset.main([]) == 0
    assert "found: 30" in capsys.readouterr().out
    assert len([*folder.files()]) == 30
    (docs / "events" / "2026-11" / "plan.md").write_text("# Plan\n\nOurs.\n")
    assert reset.main(["--yes"]) == 0
    assert "removed: 30" in capsys.readouterr().out
    with open_index(settings, notice=lambda text: None) as index:
        assert {*index.store.lists_by_path()} == {*before, "events/2026-11/plan.md"}
    assert reset.main(["--yes"]) == 0


def test_reset_without_a_folder(environment: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRAIN_EVENTS_DIR")
    with pytest.raises(UsageError, match="BRAIN_EVENTS_DIR"):
        reset.main(["--yes"])


# --- the folder as a setting ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "said"),
    [("docs", "itself"), ("elsewhere", "not below"), ("docs/.events", "hidden"), ("docs/a/~$b", "hidden")],
)
def test_a_folder_that_can_hold_no_events(make_settings: Choose, tmp_path: Path, place: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        make_settings(tmp_path / "docs", events_dir=tmp_path / place)


def test_it_is_a_source_of_its_own(make_settings: Choose, docs: Path, tmp_path: Path) -> None:
    toml = tmp_path / "empty.toml"
    plain = make_settings(docs, events_dir=docs / "events")
    assert folder_of(plain).access_terms == "", "nothing to compare anew where nobody signs in"
    toml.write_text('[sources.hr]\npath = "hr"\nowner = "user:eve"\nsensitivity = "restricted"\ndefault = "group:hr"\n')
    inside = make_settings(docs, events_dir=docs / "hr" / "events", auth="tokens")
    one = source_of(sorted(inside.sources, key=lambda one: -len(one.path)), "hr/events/2026-11/x.md")
    assert (one.sensitivity, one.owner, one.default) == ("restricted", "user:eve", "everyone")
    own = make_settings(docs, events_dir=docs / "hr")
    assert [one.name for one in own.sources] == ["hr"], "one that is declared stays as it is"
    toml.write_text('[sources.far]\npath = "far"\nreader = "drive"\nsystem = "google"\nfolder = "x"\n')
    with pytest.raises(UsageError, match="filled from outside"):
        make_settings(docs, events_dir=docs / "far" / "events")


def test_an_empty_folder_of_events_is_no_fault(docs: Path, make_settings: Choose) -> None:
    source = folder_of(make_settings(docs, events_dir=docs / "events"))
    assert len([*source.entries()]) == 4
    assert source.skipped() == []
