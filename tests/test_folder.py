"""The folder source: which files it lists, which it leaves out and says so, and what it never follows."""

import os
import socket
import sys
from pathlib import Path

import pytest

from errors import SourceError
from sources.folder import FolderSource
from store import Store
from tests.conftest import write

posix = pytest.mark.skipif(sys.platform == "win32", reason="names and links of POSIX")


def listed(root: Path) -> list[str]:
    return [entry.path for entry in FolderSource(root).entries()]


def skipped(root: Path) -> dict[str, str]:
    source = FolderSource(root)
    list(source.entries())
    return dict(source.skipped())


def make(root: Path, *names: str) -> None:
    write(root, dict.fromkeys(names, "text"))


def test_what_is_listed(tmp_path: Path) -> None:
    make(tmp_path, "b.md", "a.txt", "sub/deep/c.markdown", "D.MD", "e.Txt", "no.png", "no.json", "md",
         "x.md.bak", ".hidden.md", ".git/x.md", "sub/.secret/y.md", "sub/z.md")  # fmt: skip
    assert sorted(listed(tmp_path)) == ["D.MD", "a.txt", "b.md", "e.Txt", "sub/deep/c.markdown", "sub/z.md"]
    assert listed(tmp_path) == listed(tmp_path)


def test_an_entry_tells_size_and_time(tmp_path: Path) -> None:
    make(tmp_path, "a.md")
    (entry,) = FolderSource(tmp_path).entries()
    status = (tmp_path / "a.md").stat()
    assert (entry.size, entry.mtime_ns) == (4, status.st_mtime_ns)
    assert FolderSource(tmp_path).read("a.md") == b"text"
    assert FolderSource(tmp_path).locate("a.md") == tmp_path / "a.md"


IGNORED = [
    ({".gitignore": "*.txt"}, ["a.md", "sub/a.md", "sub/deep/a.md"]),
    ({".gitignore": "/a.md"}, ["a.txt", "sub/a.md", "sub/a.txt", "sub/deep/a.md", "sub/deep/a.txt"]),
    ({".gitignore": "sub/"}, ["a.md", "a.txt"]),
    ({".gitignore": "deep"}, ["a.md", "a.txt", "sub/a.md", "sub/a.txt"]),
    ({".gitignore": "*.txt\n!sub/*.txt"}, ["a.md", "sub/a.md", "sub/a.txt", "sub/deep/a.md"]),
    ({".gitignore": "*.txt", "sub/.gitignore": "!a.txt"},
     ["a.md", "sub/a.md", "sub/a.txt", "sub/deep/a.md", "sub/deep/a.txt"]),
    ({"sub/.gitignore": "/a.md"}, ["a.md", "a.txt", "sub/a.txt", "sub/deep/a.md", "sub/deep/a.txt"]),
    ({"sub/.brainignore": "*"}, ["a.md", "a.txt"]),
    # A folder that is left out cannot be let in again from within, as in git.
    ({".gitignore": "sub/", "sub/.gitignore": "!a.md"}, ["a.md", "a.txt"]),
    ({".gitignore": "*.md", ".brainignore": "!*.md\n*.txt"}, ["a.md", "sub/a.md", "sub/deep/a.md"]),
    ({".brainignore": "*.md", ".gitignore": "!*.md\n*.txt"}, []),
    ({".gitignore": "**/deep/*.md\n# *.txt\n\n"}, ["a.md", "a.txt", "sub/a.md", "sub/a.txt", "sub/deep/a.txt"]),
    ({".gitignore": "\ufeff*.txt\r\nsub/\r\n"}, ["a.md"]),
    ({".gitignore": "!\n/\n*.txt"}, ["a.md", "sub/a.md", "sub/deep/a.md"]),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "expected"), IGNORED)
@pytest.mark.parametrize("backwards", [False, True])
def test_ignore_rules(
    tmp_path: Path, rules: dict[str, str], expected: list[str], backwards: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    scandir = os.scandir

    class InOrder:
        """A file system that lists by name, or the other way round."""

        def __init__(self, path: Path) -> None:
            with scandir(path) as found:
                self.found = sorted(found, key=lambda child: child.name, reverse=backwards)

        def __enter__(self) -> list[os.DirEntry[str]]:
            return self.found

        def __exit__(self, *_: object) -> None: ...

    make(tmp_path, "a.md", "a.txt", "sub/a.md", "sub/a.txt", "sub/deep/a.md", "sub/deep/a.txt")
    write(tmp_path, rules)
    monkeypatch.setattr("sources.folder.os.scandir", InOrder)
    assert sorted(listed(tmp_path)) == sorted(expected)
    assert skipped(tmp_path) == {}


def test_ignore_rules_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    make(tmp_path, "a.md")
    (tmp_path / ".gitignore").mkdir()
    assert listed(tmp_path) == ["a.md"]
    assert list(skipped(tmp_path)) == [".gitignore"]


@posix
@pytest.mark.parametrize("name", [".gitignore", ".brainignore"])
@pytest.mark.parametrize("kind", ["pipe", "socket", "device", "link to a pipe", "link out", "large"])
def test_ignore_rules_are_read_from_small_files_of_the_root_only(tmp_path: Path, name: str, kind: str) -> None:
    root = tmp_path / "docs"
    make(root, "a.md", "sub/b.md")
    (tmp_path / "outside").write_text("*.md")
    place = root / "sub" / name
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "socket":
        here = Path.cwd()
        with socket.socket(socket.AF_UNIX) as made:
            os.chdir(place.parent)  # an address has at most 100 bytes or so
            made.bind(name)
            os.chdir(here)
    elif kind == "device":
        place.symlink_to("/dev/zero")
    elif kind == "link to a pipe":
        os.mkfifo(root / "pipe")
        place.symlink_to("../pipe")
    elif kind == "link out":
        place.symlink_to("../../outside")
    else:
        place.write_text("# comment\n" * 100_001 + "*.md\n")
    assert sorted(listed(root)) == ["a.md", "sub/b.md"]
    assert list(skipped(root)) == [f"sub/{name}"]


@posix
def test_ignore_rules_behind_a_link_inside_are_obeyed(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "sub/b.md")
    (tmp_path / "rules").write_text("*.md")
    (tmp_path / "sub" / ".brainignore").symlink_to("../rules")
    assert listed(tmp_path) == ["a.md"]
    assert skipped(tmp_path) == {}


@posix
def test_only_regular_files_are_read(tmp_path: Path) -> None:
    source = FolderSource(tmp_path)
    os.mkfifo(tmp_path / "pipe.md")  # put in a file's place after the listing
    (tmp_path / "link.md").symlink_to("pipe.md")
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "device.md").symlink_to("/dev/zero")
    for name in ("pipe.md", "link.md", "folder.md", "device.md"):
        with pytest.raises(OSError, match=r"regular file|directory"):
            source.read(name)


@posix
def test_links(tmp_path: Path) -> None:
    root, outside = tmp_path / "docs", tmp_path / "outside"
    make(root, "a.md", "sub/b.md")
    make(outside, "secret.md")
    make(tmp_path / "docs-and-more", "secret.md")
    (root / "in.md").symlink_to("sub/b.md")
    (root / "out.md").symlink_to("../outside/secret.md")
    (root / "near.md").symlink_to(tmp_path / "docs-and-more" / "secret.md")
    (root / "broken.md").symlink_to("nowhere.md")
    (root / "self.md").symlink_to("self.md")
    (root / "up").symlink_to("..")
    (root / "loop").symlink_to(".")
    (root / "folder.md").symlink_to("sub")
    (root / "handbook").symlink_to("../outside")
    (root / "ignored").symlink_to("../outside")
    (root / ".brainignore").write_text("ignored/\n", encoding="utf-8")
    assert sorted(listed(root)) == ["a.md", "in.md", "sub/b.md"]
    assert set(skipped(root)) == {"out.md", "near.md", "broken.md", "self.md", "up", "handbook"}
    assert "leads out" in skipped(root)["out.md"]
    assert "leads out" in skipped(root)["handbook"]  # its documents are missed by whoever put it there
    (tmp_path / "alias").symlink_to("docs")
    assert sorted(listed(tmp_path / "alias")) == ["a.md", "in.md", "sub/b.md"]
    assert FolderSource(tmp_path / "alias").root == FolderSource(root).root


@posix
def test_odd_names(tmp_path: Path) -> None:
    names = ["new\nline.md", "tab\t.md", "quote'\".md", "e\u0301.md", "ü.md", "长" * 80 + ".md", "a b.md", "-x.md",
             "back\\slash.md", "*.md", "[a].md", "🙂.md", "\u202e.md"]  # fmt: skip
    make(tmp_path, *names)
    assert sorted(listed(tmp_path)) == sorted(names)


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="its file system refuses such names")
def test_names_that_are_not_utf8_are_told(tmp_path: Path) -> None:
    bad = os.fsdecode(b"b\xff.md")
    make(tmp_path, "a.md", bad, os.fsdecode(b"d\xff") + "/c.md")
    assert listed(tmp_path) == ["a.md"]
    reasons = skipped(tmp_path)
    assert len(reasons) == 2
    for path, reason in reasons.items():
        assert path.encode("utf-8"), "can be printed"
        assert reason == "its name is not UTF-8"


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="its file system refuses such names")
def test_a_root_whose_name_is_not_utf8_can_be_stored(tmp_path: Path) -> None:
    root = tmp_path / os.fsdecode(b"d\xffocs")
    make(root, "a.md")
    make(tmp_path, "outside.md")
    (root / "in.md").symlink_to("a.md")
    (root / "out.md").symlink_to("../outside.md")
    source = FolderSource(root)
    assert source.root == f"{os.path.realpath(tmp_path)}/d\\xffocs"
    assert sorted(listed(root)) == ["a.md", "in.md"]
    store = Store(tmp_path / "index.db")
    store.claim(source.root)
    store.claim(source.root)
    store.close()


@posix
def test_what_is_no_file(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "folder.md/b.md")
    os.mkfifo(tmp_path / "pipe.md")
    assert sorted(listed(tmp_path)) == ["a.md", "folder.md/b.md"]


@posix
def test_a_deep_tree(tmp_path: Path) -> None:
    here = Path.cwd()
    try:
        os.chdir(tmp_path)
        for _ in range(1200):
            os.mkdir("d")
            os.chdir("d")
        Path("deep.md").write_text("text")
    finally:
        os.chdir(here)
    (path,) = listed(tmp_path)
    assert path.count("/") == 1200
    # Taken away here: the test runner's own clearing of old folders recurses.
    for depth in range(1200, 0, -1):
        folder_path = tmp_path / ("d/" * depth)
        for name in os.listdir(folder_path):
            os.remove(folder_path / name)
        os.rmdir(folder_path)


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"nowhere does not exist.*--docs"):
        FolderSource(tmp_path / "nowhere").entries()
    (tmp_path / "file.md").write_text("x")
    with pytest.raises(SourceError, match="is no folder"):
        FolderSource(tmp_path / "file.md").entries()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_folders_that_may_not_be_listed(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "closed/b.md")
    (tmp_path / "closed").chmod(0)
    try:
        assert listed(tmp_path) == ["a.md"]
        assert skipped(tmp_path) == {"closed/": "cannot be listed: Permission denied"}
    finally:
        (tmp_path / "closed").chmod(0o700)
    tmp_path.chmod(0)
    try:
        with pytest.raises(SourceError, match="cannot be listed"):
            listed(tmp_path)
    finally:
        tmp_path.chmod(0o700)


def test_a_subfolder_and_a_root_that_fail_to_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a.md", "closed/b.md")
    scandir, broken = os.scandir, "closed"

    def failing(path: Path) -> object:
        if Path(path).name == broken:
            raise OSError(5, "Input/output error")
        return scandir(path)

    monkeypatch.setattr("sources.folder.os.scandir", failing)
    assert listed(tmp_path) == ["a.md"]
    assert skipped(tmp_path) == {"closed/": "cannot be listed: Input/output error"}
    broken = tmp_path.name
    with pytest.raises(SourceError, match="Input/output error"):
        listed(tmp_path)


def test_the_summary_is_of_the_last_listing(tmp_path: Path) -> None:
    make(tmp_path, "a.md")
    (tmp_path / ".gitignore").mkdir()
    source = FolderSource(tmp_path)
    for _ in range(2):
        list(source.entries())
    assert len(source.skipped()) == 1


def test_the_days_of_a_slack_export_are_listed_and_read_with_its_people(tmp_path: Path) -> None:
    slack = pytest.importorskip("sources.formats.slack")
    people = b'[{"id": "U1", "name": "ann"}]'
    day = b'[{"type": "message", "user": "U1", "text": "Hello.", "ts": "1741000000.000100"}]'
    write(tmp_path, {
        "in/users.json": people, "in/channels.json": b"[]", "in/general/2025-03-03.json": day,
        "in/general/canvas.json": b"{}", "general/2025-03-03.json": day, "loose.json": b"{}",
        "bare/users.json": people, "bare/random/2025-03-03.json": day, "site/users.json": people,
    })  # fmt: skip
    assert sorted(listed(tmp_path)) == ["bare/random/2025-03-03.json", "in/general/2025-03-03.json"]
    assert FolderSource(tmp_path).read("in/general/2025-03-03.json") == slack.packed(day, people)
