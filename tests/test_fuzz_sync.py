"""Documents nobody would write, through the whole sync: each is in the index or left out with a reason."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config import load
from models import Models
from search import Index
from sources.folder import FolderSource
from store import store_of
from tests.conftest import HashEmbedder
from tests.engine import database_of, forget, on_postgres

TEXTS = (
    "# A\n", "## B {#id}\n", "---\n", "---\ntitle: [x\ndate: 2024-13-45\n---\n", "| a | b |\n|---|---|\n",
    "| 1 \\| 2 | é |\n", "```sh\n# no heading\n", "~~~\n", "- x\n  1. y\n\n     z\n", "> q\n> > r\n", "<!-- open\n",
    "-->\n", "<table><tr><td>\n", "[a]: <b> 'c'\n", "\\\n", "\r", "\r\n", "\f\v\x85", "\t", "\u2028\u202e",
    "\ufeff", "\0", "报销。", "{% if %}{{ x }}{{< y >}}", "word " * 400, "1" * 5000, "*_`~" * 50, "&#0;&amp;&#x110000;",
    "👩\u200d", "Staff get 28 days. [1] (2) He may not. \n\n",
)  # fmt: skip
"""What Markdown, front matter, encodings and terminals stumble over."""
PIECES = st.sampled_from([*(text.encode() for text in TEXTS), b"\xff\xfe", b"\xfe\xff", b"\x85"])
BYTES = st.one_of(st.lists(PIECES, max_size=12).map(b"".join), st.binary(max_size=300), st.text(max_size=200).map(
    lambda text: text.encode("utf-8", "surrogatepass")))  # fmt: skip
FOLDERS = st.lists(st.tuples(BYTES, st.sampled_from([".md", ".txt", ".markdown"])), min_size=10, max_size=10)


def synced_whole(files: list[tuple[bytes, str]]) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made, "docs")
        folder.mkdir()
        db = Path(made, "index.db")
        for number, (data, ending) in enumerate(files):
            (folder / f"{number}{ending}").write_bytes(data)
        own = load({"docs_dir": folder, "db": db, "database": database_of(db)}, {})
        with Index(own, Models(HashEmbedder(), None, ""), FolderSource(folder), store_of(own)) as index:
            summary = index.sync()
            assert summary.added + len(summary.skipped) == len(files)
            assert all(reason for _, reason in summary.skipped)
            again = index.sync()
            assert again.unchanged == summary.added
            assert not again.wrote
            if not on_postgres():
                (broken,) = index.store.connection().execute("PRAGMA integrity_check").fetchone()
                assert broken == "ok"
        forget(db)


@given(FOLDERS)
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
def test_some_odd_documents(files: list[tuple[bytes, str]]) -> None:
    synced_whole(files)


@pytest.mark.slow
@given(FOLDERS)
@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
def test_ten_thousand_odd_documents(files: list[tuple[bytes, str]]) -> None:
    synced_whole(files)
