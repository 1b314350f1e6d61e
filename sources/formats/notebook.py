"""A Jupyter notebook -> its text cells as they are, code cells and short outputs as code; places are "cell 7".

Images, HTML outputs and cells that the notebook hides are left out. Nothing is run. Try: python chunk.py analysis.ipynb
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from chunking.front import front_matter
from chunking.hidden import uncovered
from sources.decode import Undecodable, decode
from sources.formats import Converted, Limits, Unreadable
from sources.formats.writing import Page, line_of

_OUTPUT_LINES, _OUTPUT_CHARS = 20, 2000  # of a text output; a longer one is cut
_EMBEDDED = re.compile(r"\(data:[\w/+.;=-]{1,100},[^()\s]*\)")
_INDENTED = re.compile(r"\A {1,3}(?![-+*\d])")  # after a list it would go on with that
_TAG = re.compile(r"<(/?[A-Za-z][\w-]*)")
_PROBE = "\ue000"
_MAY_OPEN = re.compile(r"<|```|~~~")
_MOST_TRIED = 100_000  # characters; a longer cell that may leave something open is written as code: 1 MB took 54 s
_MARKDOWN = MarkdownIt("commonmark").enable("table")
_TERMINAL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    """The notebook's cells. Raises Unreadable."""
    try:
        book = json.loads(decode(data).text)
    except Undecodable as error:
        raise Unreadable(str(error)) from error
    except (ValueError, RecursionError) as error:
        raise Unreadable("is empty" if not data.strip() else "is no notebook: no JSON that can be read") from error
    cells = list(_cells(book))
    meta = _dict(book, "metadata") if isinstance(book, dict) else {}
    language = _dict(meta, "language_info").get("name") or _dict(meta, "kernelspec").get("language") or ""
    language = language if isinstance(language, str) and re.fullmatch(r"[\w+#.-]{1,30}", language) else ""
    page = Page(limits)
    cut, said = 0, dict[str, str]()
    if cells and cells[0].get("cell_type") in ("raw", "markdown"):
        lines = _text(cells[0].get("source")).split("\n")
        said, taken = front_matter(lines)
        cells[0] = {**cells[0], "source": "\n".join(lines[taken:])}
    for number, cell in enumerate(cells, 1):
        cut += _write(cell, f"cell {number}", language, page)
    notes = [f"{cut} long output{'s are' if cut > 1 else ' is'} cut"] if cut else []
    authors = meta.get("authors")
    owners = [one.get("name") for one in (authors if isinstance(authors, list) else ()) if isinstance(one, dict)]
    told = {
        "title": meta.get("title"),
        "date": meta.get("date"),
        "owner": ", ".join(o for o in owners if isinstance(o, str)),
    }
    return page.converted({key: value for key, value in told.items() if isinstance(value, str)} | said, notes)


def _cells(book: object) -> Iterator[Mapping[str, Any]]:
    """The cells of any version of the format. Raises Unreadable."""
    if not isinstance(book, dict):
        raise Unreadable("is no notebook: it has no cells")
    sheets = book.get("worksheets")  # version 3
    found = book.get("cells")
    if not isinstance(found, list) and isinstance(sheets, list):
        parts = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
        found = [cell for part in parts if isinstance(part, list) for cell in part]
    if not isinstance(found, list):
        raise Unreadable("is no notebook: it has no cells")
    yield from (cell if isinstance(cell, dict) else {} for cell in found)


def _write(cell: Mapping[str, Any], place: str, language: str, page: Page) -> int:
    """Writes a cell; how many of its outputs were cut."""
    hidden = _dict(_dict(cell, "metadata"), "jupyter")
    source = _text(cell.get("source", cell.get("input")))
    if cell.get("cell_type") == "heading":  # version 3
        level = cell.get("level")
        page.heading(level if isinstance(level, int) else 1, source, place)
    elif cell.get("cell_type") == "markdown" and not hidden.get("source_hidden"):
        _markdown(source, place, page)
    elif cell.get("cell_type") == "code":
        if not hidden.get("source_hidden"):
            page.code(source, place, language)
        outputs = cell.get("outputs")
        if not hidden.get("outputs_hidden") and isinstance(outputs, list):
            return sum(_output(one, place, page) for one in outputs if isinstance(one, dict))
    return 0


def _markdown(source: str, place: str, page: Page) -> None:
    """A text cell's own lines; what it leaves open ends with it, as it does where the notebook is seen."""
    text = _EMBEDDED.sub("()", source).strip("\n")
    if not text.strip():
        return
    if len(text) > _MOST_TRIED:
        page.code(source, place) if _MAY_OPEN.search(text) else page.add(text.split("\n"), place)
        return
    tokens = _blocks(text)
    if tokens and tokens[0].type == "code_block" and tokens[0].map:  # after a list it would go on with that
        end = tokens[0].map[1]
        page.code(tokens[0].content, place)
        _markdown("\n".join(text.split("\n")[end:]), place, page)
        return
    text = _INDENTED.sub("", text, count=1)
    ended = next((one for one in (text, *_endings(text, tokens)) if _is_whole(one)), None)
    if ended is None:
        page.code(source, place)
    else:
        page.add(ended.split("\n"), place)


def _blocks(text: str) -> list[Token]:
    tokens: list[Token] = []
    _MARKDOWN.block.parse(text.replace("\0", "\ufffd"), _MARKDOWN, {}, tokens)
    return tokens


def _is_whole(text: str) -> bool:
    """Whether a paragraph after the text is one, and seen, whatever follows."""
    probed = f"{text}\n\n{_PROBE} -->"
    last = _blocks(probed)[-3:]
    kinds = [(token.type, token.level) for token in last]
    return kinds == [("paragraph_open", 0), ("inline", 1), ("paragraph_close", 0)] and _PROBE in uncovered(probed)


def _endings(text: str, tokens: Sequence[Token]) -> Iterator[str]:
    """The text with one thing after another that may end what it leaves open."""
    at = text.rfind("<!--")
    if at >= 0 and "-->" not in text[at:] and text[text.rfind("\n", 0, at) + 1 : at].strip():
        text = f"{text[:at]}&lt;{text[at + 1 :]}"  # in the midst of a line it hides nothing
        yield text
    fences = [token.markup for token in tokens if token.type == "fence"]
    names = [name.lower() for name in _TAG.findall(text)]
    opened = [name for name in reversed(names) if not name.startswith("/")]
    tags = [f"</{name}>" for name in dict.fromkeys(opened)][:20]
    every = "".join(
        f"</{name}>" * max(0, names.count(name) - names.count("/" + name)) for name in dict.fromkeys(opened)
    )
    for ending in (*fences[-1:], "-->", *tags, "?>", "]]>", ">", every):
        yield f"{text}\n{ending}"


def _output(output: Mapping[str, Any], place: str, page: Page) -> int:
    told = _text(output.get("text")) or _text(_dict(output, "data").get("text/plain"))
    if output.get("output_type") in ("error", "pyerr"):
        told = ": ".join(filter(None, (line_of(_text(output.get(key))) for key in ("ename", "evalue"))))
    told = _TERMINAL.sub("", told).strip("\n")
    lines = told[:_OUTPUT_CHARS].split("\n")[:_OUTPUT_LINES]
    page.code("\n".join(line.rpartition("\r")[2] for line in lines), place, "text")
    return len("\n".join(lines)) < len(told)


def _text(value: object) -> str:
    told = "".join(part for part in value if isinstance(part, str)) if isinstance(value, list) else value
    return told.replace("\r\n", "\n").encode("utf-8", "replace").decode() if isinstance(told, str) else ""


def _dict(holder: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = holder.get(key)
    return value if isinstance(value, dict) else {}
