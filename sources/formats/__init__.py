"""Files that are no plain text -> Markdown, with the place of every line in the original: a page, cells, a slide.

One module a format, imported only when a file of it is read; each has `convert(data, name, limits)`, which returns a
Converted or raises Unreadable. They know neither files nor the index, and what they are given may be broken or hostile:
see child.py for what bounds them.
Try: python chunk.py report.pdf
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from posixpath import splitext

UNREAD = "cannot be read"
"""Begins the reason of a file whose bytes nobody saw, which may pass without a change of the file."""


class Unreadable(ValueError):
    """The file cannot be used; the text of the error is the reason, as in "is encrypted"."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may take; more is an Unreadable that names the setting."""

    pages: int  # pages, slides, sheets
    characters: int  # of the text that comes out


@dataclass(frozen=True, slots=True)
class Converted:
    """A file's text as a person sees it."""

    text: str  # Markdown, lines ended by LF; headings as `#`, tables as pipe tables with their header
    places: tuple[
        str, ...
    ]  # of each line of `text`: "p12", "Budget!A5:D5", "slide 4", "cell 7", "¶14", "L12" (of the file)
    meta: Mapping[str, str] = field(default_factory=dict)  # title, date (ISO), owner, tags, where the file states them
    notes: tuple[str, ...] = ()  # what a person should know: "page 3 has no text"


MODULES = {
    ".pdf": "pdf",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".docx": "docx",
    ".docm": "docx",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".csv": "table_csv",
    ".tsv": "table_csv",
    ".pptx": "pptx",
    ".pptm": "pptx",
    ".eml": "mail",
    ".ipynb": "notebook",
    ".rst": "rst",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json_file",
    ".yaml": "yaml_file",
    ".yml": "yaml_file",
}
"""By a file's ending, the module of this package that reads it."""
NAMED = {"CODEOWNERS": "codeowners"}
"""By a file's whole name, the same."""
SOME = (".json", ".yaml", ".yml")
"""Endings of which few files are documents: sources/kinds.py tells which."""
NEEDS = {
    "pdf": ("pypdfium2",),
    "html": ("lxml",),
    "docx": ("lxml",),
    "xlsx": ("lxml",),
    "pptx": ("lxml",),
    "mail": ("lxml",),
    "rst": ("docutils",),
}
"""By module, what it imports that the extra `formats` brings; one that is not here needs the standard library alone."""
OLD = {
    ".doc": ".docx", ".dot": ".docx", ".rtf": ".docx", ".odt": ".docx", ".ppt": ".pptx", ".odp": ".pptx",
    ".xls": ".xlsx", ".ods": ".xlsx",
}  # fmt: skip
"""Endings of office files that nothing here reads, and as what to save such a file."""


def ending_of(path: str) -> str:
    """The ending that says how a file is read, in lower case: ".pdf"."""
    return splitext(path)[1].lower()  # with a Path a sync of 10,000 unchanged files took 0.29 s, not 0.17


def module_of(path: str) -> str:
    """The module of this package that reads the file, "" for one that is text as it stands."""
    return NAMED.get(path.replace("\\", "/").rpartition("/")[2]) or MODULES.get(ending_of(path), "")


@cache
def lacking(ending: str) -> str:
    """What must be installed before files of this ending can be read, as a reason; "" where nothing is missing."""
    missing = [name for name in NEEDS.get(MODULES.get(ending, ""), ()) if find_spec(name) is None]
    return "needs pip install '.[formats]'" if missing else ""
