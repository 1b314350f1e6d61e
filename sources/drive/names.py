"""Names of Drive -> paths below a folder: safe on every system, of one file each, the same at the next pass.

A name of Drive may be anything: `..`, a device, 300 letters, twice in a folder. Knows no file and no network.
Try: python -c "from sources.drive.names import safe; print(safe('../con: a/b?', '.md'))"
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from access.rules import RULES_FILE, folded

MOST_CHARS, MOST_BYTES = 80, 180
"""Of a name, its ending left out: 255 bytes is what file systems take, and a mark may follow."""
MOST_FOLDERS = 150
"""Characters of the folders above a file; deeper ones are named by a mark alone, below the root."""
FOLDERS = "/"
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?", re.I)
_OURS = (RULES_FILE, ".gitignore", ".brainignore")


@dataclass(frozen=True, slots=True)
class Named:
    """A file or folder of Drive under its name here. `wanted`: what it would be called if it were alone."""

    parent: str  # its id
    wanted: str
    name: str


@dataclass(frozen=True, slots=True)
class Node:
    """What is to be named. `ending` is "" for a folder."""

    id: str
    parent: str
    name: str
    ending: str = ""


def safe(name: str, ending: str = "") -> str:
    """The name as one part of a path. `ending`: what it must end with, in lower case."""
    made = unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode())
    made = re.sub(r"\s", " ", made)
    made = "".join("_" if char in '/\\<>:"|?*' or unicodedata.category(char)[0] == "C" else char for char in made)
    cut = len(made) - len(ending) if ending and made.lower().endswith(ending) else len(made)
    stem, tail = _cut(" ".join(made[:cut].split())), made[cut:] or ending
    if not stem or stem.startswith((".", "~")):
        stem = f"_{stem}"
    made = f"{stem}{tail}"
    if not ending:
        made = re.sub(r"[. ]+$", "_", made)
    if _DEVICE.fullmatch(unicodedata.normalize("NFKC", made).replace(" ", "")) or key(made) in _OURS:
        made = f"_{made}"
    return made


def _cut(stem: str) -> str:
    short = stem[:MOST_CHARS].encode()[:MOST_BYTES].decode("utf-8", "ignore")
    return unicodedata.normalize("NFC", short).rstrip()


def key(path: str) -> str:
    """Paths with the same key are one file somewhere: on a disk that knows no case, or to the rules."""
    return unicodedata.normalize("NFKC", folded(path))


def mark(id_: str, length: int = 6) -> str:
    """Some letters that tell an id from others."""
    return hashlib.sha256(id_.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def placed(
    nodes: Iterable[Node], root: str, before: Mapping[str, Named], taken: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, Named]]:
    """The path of each file by its id, and the names to remember, folders' too.

    `before`: the names of the last pass, which stay as long as nothing else is wanted. `taken`: key of a path -> id of
    whoever has it now, "" for a stranger; nobody else gets that. FOLDERS may be had by any folder.
    """
    inside: dict[str, list[Node]] = {}
    for node in nodes:
        inside.setdefault(node.parent, []).append(node)
    paths, names = dict[str, str](), dict[str, Named]()
    used, waiting = set[str](), [(root, "")]
    while waiting:
        parent, folder = waiting.pop(0)

        def stays(node: Node) -> bool:
            return before.get(node.id, node) == _named(node, before)

        for node in sorted(inside.pop(parent, ()), key=lambda one: (not stays(one), one.id)):
            wanted = safe(node.name, node.ending)
            names[node.id] = Named(parent, wanted, _free(node, folder, wanted, before, used, taken))
            path = f"{folder}{names[node.id].name}"
            used.add(key(path))
            if node.ending:
                paths[node.id] = path
            else:
                is_deep = len(path) > MOST_FOLDERS
                waiting.append((node.id, f"~{mark(node.id, 16)}/" if is_deep else f"{path}/"))
    return paths, names


def _named(node: Node, before: Mapping[str, Named]) -> Named:
    return Named(node.parent, safe(node.name, node.ending), before[node.id].name if node.id in before else "")


def _free(
    node: Node, folder: str, wanted: str, before: Mapping[str, Named], used: set[str], taken: Mapping[str, str]
) -> str:
    stem = wanted[: -len(node.ending)] if node.ending else wanted
    had = before.get(node.id)
    tries = [had.name] if had and (had.parent, had.wanted) == (node.parent, wanted) else []
    tries += [wanted, *(f"{stem} ~{mark(node.id, length)}{node.ending}" for length in (6, 16, 64))]
    may = (node.id, node.id if node.ending else FOLDERS)
    return next(name for name in tries if (at := key(folder + name)) not in used and taken.get(at, node.id) in may)
