"""The inside of .docx, .xlsx and .pptx: a ZIP archive of XML parts that refer to each other.

What is unpacked is bounded before and while it is; XML with entities is refused, nothing
is fetched. Elements and attributes go by their names without namespace: the editions of the standard differ only there.
Try: python chunk.py report.docx
"""

import io
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

from lxml import etree

from sources.formats import Limits, Unreadable

_OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OTHERS = ((b"%PDF", "a PDF"), (b"{\\rtf", "RTF"), (b"<!do", "HTML"), (b"<htm", "HTML"), (b"<?xml", "XML"))
_KINDS = {
    "wordprocessingml": "a Word document",
    "spreadsheetml": "an Excel workbook",
    "presentationml": "a presentation",
}
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # what the standard allows; the others' errors are many
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, struct.error),
    *(RuntimeError, EOFError, ValueError, LookupError, OSError, OverflowError),
)
_XML_PER_CHARACTER = 20  # bytes of XML that a character of text may take
_MOST_PARTS = 100_000


def local(element: etree._Element) -> str:
    """The element's name without namespace; "" for what is no element."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: etree._Element | None, name: str, otherwise: str = "") -> str:
    """An attribute by its name without namespace."""
    if element is None:
        return otherwise
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return otherwise


def child(element: etree._Element | None, *path: str) -> etree._Element | None:
    """The first child of this name, its first child of the next name, and so on."""
    for name in path:
        if element is None:
            return None
        element = next((one for one in element if local(one) == name), None)
    return element


def is_on(element: etree._Element | None) -> bool:
    """Whether a switch such as <w:vanish/> is there and not turned off."""
    return element is not None and attribute(element, "val", "1").lower() not in ("0", "false", "off", "none")


def relation(element: etree._Element) -> str:
    """The id under which the element refers to another part; "" when it does to none."""
    return next((str(value) for key, value in element.attrib.items() if str(key).endswith("}id")), "")


def whole(value: str, otherwise: int = 0) -> int:
    """The value as a whole number, `otherwise` for what is none."""
    return int(value) if re.fullmatch(r"-?\d{1,9}", value) else otherwise


class Package:
    """An Office file. Raises Unreadable for what is none."""

    def __init__(self, data: bytes, ending: str, kind: str, limits: Limits) -> None:
        """`kind` is the namespace's word for what `ending` holds: "wordprocessingml"."""
        _refuse_others(data, ending)
        self._left = self._most = limits.characters * _XML_PER_CHARACTER + 10_000_000
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            names = self._zip.namelist()
        except _BROKEN as error:
            raise Unreadable(f"is broken: no ZIP archive as {ending} files are") from error
        if len(names) > _MOST_PARTS:
            raise Unreadable(f"holds {len(names):,} parts")
        self._names = {name.lower().lstrip("/"): name for name in names}
        if "encryptedpackage" in self._names:
            raise Unreadable("is encrypted")
        self.main = next((part for kind_, part in self.related("").values() if kind_ == "officeDocument"), "")
        if not self.main or self.main.lower() not in self._names:
            raise Unreadable(f"is broken: a ZIP archive, but not {_KINDS[kind]}")
        types = self._read("[Content_Types].xml")
        found = next((k for k in _KINDS if re.search(rb"%b[^\"']{0,60}main\+xml" % k.encode(), types)), kind)
        if found != kind:
            raise Unreadable(f"is {_KINDS[found]}, not {_KINDS[kind]}; name it by its kind")

    def xml(self, part: str) -> etree._Element | None:
        """The part's root; None when there is no such part."""
        data = self._read(part)
        if not data:
            return None
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
        )
        try:
            root = etree.fromstring(data, parser)
        except (etree.LxmlError, ValueError) as error:
            raise self._broken(part, error) from error
        if root.getroottree().docinfo.internalDTD is not None:
            raise Unreadable("declares XML entities, which no Office program does")
        return root

    def elements(self, part: str, *names: str) -> Iterator[etree._Element]:
        """The elements of these local names as they are read, for parts too large for a tree; emptied after use."""
        stream = self._open(part)
        if stream is None:
            return
        try:
            reader = etree.iterparse(
                stream, events=("end",), tag=[f"{{*}}{name}" for name in names], resolve_entities=False,
                no_network=True, load_dtd=False, remove_comments=True, remove_pis=True,
            )  # fmt: skip
            for _, element in reader:
                if element.getroottree().docinfo.internalDTD is not None:
                    raise Unreadable("declares XML entities, which no Office program does")
                yield element
                element.clear()
                while element.getprevious() is not None:
                    above = element.getparent()
                    if above is None:
                        break
                    del above[0]
        except (etree.LxmlError, *_BROKEN) as error:
            if isinstance(error, Unreadable):
                raise
            raise self._broken(part, error) from error

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """By id what the part refers to inside the file: (last word of its type, part)."""
        folder, name = posixpath.split(part)
        root = self.xml(posixpath.join(folder, "_rels", f"{name}.rels"))
        found: dict[str, tuple[str, str]] = {}
        for one in root if root is not None else ():
            if attribute(one, "TargetMode") != "External":
                target = attribute(one, "Target")
                place = (
                    target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
                )
                found[attribute(one, "Id")] = (attribute(one, "Type").rpartition("/")[2], place)
        return found

    def part_of(self, part: str, kind: str) -> str:
        """The first part of this kind that `part` refers to; "" when there is none."""
        return next((place for its, place in self.related(part).values() if its == kind), "")

    def meta(self) -> dict[str, str]:
        """Title, date, owner and tags as the file's properties say; nothing where these are broken."""
        try:
            root = self.xml(self.part_of("", "core-properties") or "docProps/core.xml")
        except Unreadable:
            return dict.fromkeys(("title", "date", "owner", "tags"), "")
        told = {local(one): "".join(map(str, one.itertext())) for one in root} if root is not None else {}
        return {
            "title": told.get("title", ""),
            "date": (told.get("modified") or told.get("created", ""))[:10],
            "owner": told.get("creator", ""),
            "tags": ", ".join(filter(None, map(str.strip, re.split("[,;]", told.get("keywords", ""))))),
        }

    def _open(self, part: str) -> IO[bytes] | None:
        name = self._names.get(part.lower())
        if name is None:
            return None
        info = self._zip.getinfo(name)
        self._left -= info.file_size  # zipfile unpacks no more of a part than its directory says
        if self._left < 0:
            raise Unreadable(f"unpacks to more than {self._most / 1e6:g} MB of XML (BRAIN_MAX_FILE_MB)")
        try:
            stream = self._zip.open(name)
        except _BROKEN as error:
            if "encrypted" in str(error):
                raise Unreadable("is encrypted") from error
            raise self._broken(part, error) from error
        if info.compress_type not in _PACKED:
            raise Unreadable(f"is broken: {part} is packed as no Office program does")
        return stream

    def _read(self, part: str) -> bytes:
        stream = self._open(part)
        if stream is None:
            return b""
        try:
            return stream.read()
        except _BROKEN as error:
            raise self._broken(part, error) from error

    def _broken(self, part: str, error: Exception) -> Unreadable:
        why = " ".join(str(error).split())[:100]
        if "XML_PARSE_HUGE" in str(error):  # libxml2's bounds, told in its own words
            why = "nested too deeply" if "depth" in why.lower() else "it holds a text of more than 10 MB"
        return Unreadable(f"is broken: {part} cannot be read ({why})")


def _refuse_others(data: bytes, ending: str) -> None:
    if not data.strip():
        raise Unreadable("is empty")
    if data.startswith(_OLD):
        if "EncryptedPackage".encode("utf-16-le") in data or "EncryptionInfo".encode("utf-16-le") in data:
            raise Unreadable("is encrypted")
        raise Unreadable(f"is a file of an old Office program; save it as {ending}")
    start = data[:64].lstrip(b"\xef\xbb\xbf \r\n\t").lower()
    for mark, what in _OTHERS:
        if start.startswith(mark.lower()):
            raise Unreadable(f"is {what}, not a {ending} file; name it by its kind")
