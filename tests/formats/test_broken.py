"""Whatever the bytes are, a reader gives a text or a reason: nothing else is raised."""

import contextlib
import io
import random
import re
import struct
import zipfile
from functools import cache
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sources.formats import Limits, Unreadable
from tests.formats.made import ALL, read, with_part, word, workbook, zipped

OFFICE = ("a.docx", "a.xlsx", "a.pptx")
INSERTED = (
    b"<",
    b'"',
    b"9" * 12,
    b"-1",
    b"</w:p>",
    b"\xff",
    b"&x;",
    b"<w:p>",
    b"\n",
    b"> ",
    b".. x::\n\n   ",
    b"]]>",
    b"\0",
)
VALUES = (b'""', b'"-5"', b'"999999999999"', b'"x"', b'"rId1"', b'"A1:ZZZ9999999"', b'"1e308"')


@cache
def sample(name: str) -> bytes:
    return ALL[name]()


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The bytes with one to five places changed, removed, doubled, or an attribute given another value."""
    broken = bytearray(data)
    for _ in range(chance.randint(1, 5)):
        at, kind = chance.randrange(len(broken) or 1), chance.randrange(5)
        if kind == 0:
            broken[at : at + 1] = bytes([chance.randrange(256)])
        elif kind == 1:
            del broken[at : at + chance.randint(1, 60)]
        elif kind == 2:
            again = chance.randrange(len(broken) or 1)
            broken[at:at] = broken[again : again + chance.randint(1, 100)]
        elif kind == 3:
            broken[at:at] = chance.choice(INSERTED)
        elif found := list(re.finditer(rb'"[^"]{1,30}"', bytes(broken))):
            value = chance.choice(found)
            broken[value.start() : value.end()] = chance.choice(VALUES)
    return bytes(broken)


def read_or_reason(data: bytes, name: str) -> None:
    with contextlib.suppress(Unreadable):
        read(data, name, Limits(20, 300_000))


def mutate_and_read(name: str, seed: int) -> None:
    chance, data = random.Random(seed), sample(name)
    if PurePosixPath(name).name in OFFICE and seed % 4:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            part = chance.choice([part for part in archive.namelist() if part.endswith((".xml", ".rels"))])
        read_or_reason(with_part(data, part, lambda old: mutated(old, chance)), name)
    else:
        read_or_reason(mutated(data, chance), name)


@pytest.mark.parametrize("name", ALL)
def test_changed_files_give_a_text_or_a_reason(name: str) -> None:
    for seed in range(25):
        mutate_and_read(name, seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_ten_thousand_changed_files(name: str) -> None:
    for seed in range(25, 10_025):
        mutate_and_read(name, seed)


@pytest.mark.parametrize("name", ALL)
@given(data=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
@settings(max_examples=15, deadline=None)
def test_any_bytes_give_a_text_or_a_reason(name: str, data: bytes) -> None:
    read_or_reason(data, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
@given(data=st.binary(max_size=2000) | st.text(max_size=2000).map(str.encode))
@settings(max_examples=10_000, deadline=None)
def test_ten_thousand_times_any_bytes(name: str, data: bytes) -> None:
    read_or_reason(data, name)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("size", [0.1, 0.5, 0.9, 0.99])
def test_a_file_that_was_cut_off_has_a_reason_or_a_part(name: str, size: float) -> None:
    data = sample(name)
    if name in OFFICE:
        with pytest.raises(Unreadable, match="is broken"):
            read(data[: int(len(data) * size)], name)
    else:
        read_or_reason(data[: int(len(data) * size)], name)


@pytest.mark.parametrize("name", OFFICE)
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is empty"),
        (b"%PDF-1.7 ...", "is a PDF, not a"),
        (b"{\\rtf1 x}", "is RTF, not a"),
        (b"<html><body>x", "is HTML, not a"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"W\0o\0r\0d\0" * 9, "is a file of an old Office program; save it as"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "is encrypted"),
        (b"plain words", "is broken: no ZIP archive"),
        (zipped({"a.txt": b"x"}), "a ZIP archive, but not"),
    ],
)
def test_what_has_the_wrong_ending_says_what_it_is(name: str, data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        read(data, name)


def test_one_office_format_under_the_ending_of_another() -> None:
    with pytest.raises(Unreadable, match="is an Excel workbook, not a Word document"):
        read(workbook(), "a.docx")
    with pytest.raises(Unreadable, match="is a Word document, not an Excel workbook"):
        read(word(), "a.xlsx")


@pytest.mark.parametrize("name", OFFICE)
def test_an_archive_that_is_packed_as_no_office_program_does_is_refused(name: str) -> None:
    with zipfile.ZipFile(io.BytesIO(sample(name))) as archive:
        packed = zipped({part: archive.read(part) for part in archive.namelist()}, zipfile.ZIP_LZMA)
    for at in range(0, len(packed), len(packed) // 40):  # LZMA has an error of its own
        read_or_reason(packed[:at] + b"\xff" + packed[at + 1 :], name)
    with pytest.raises(Unreadable, match="is packed as no Office program does"):
        read(packed, name)


def test_a_zip_bomb_is_refused_by_what_its_directory_says_and_by_what_comes_out() -> None:
    limits = Limits(5, 10_000)  # 10.2 MB of XML
    bomb = with_part(
        word(), "word/document.xml", lambda old: old.replace(b"</w:body>", b" " * 11_000_000 + b"</w:body>")
    )
    with pytest.raises(Unreadable, match=r"unpacks to more than 10\.2 MB of XML \(BRAIN_MAX_FILE_MB\)"):
        read(bomb, "a.docx", limits)
    hollow = with_part(word(), "word/document.xml", lambda old: b"")
    at = hollow.index(b"word/document.xml", hollow.index(b"PK\x01\x02")) - 46
    with pytest.raises(Unreadable, match=r"unpacks to more than 10\.2 MB"):  # before it is looked into
        read(hollow[: at + 24] + struct.pack("<I", 10**9) + hollow[at + 28 :], "a.docx", limits)
    with pytest.raises(Unreadable, match=r"unpacks to more than 10\.2 MB"):  # of parts that fit one by one
        read(
            with_part(word(), "word/styles.xml", lambda old: old + b" " * 6_000_000, "word/document.xml"),
            "a.docx",
            limits,
        )
    at = bomb.index(b"word/document.xml", bomb.index(b"PK\x01\x02")) - 46
    lying = bytearray(bomb)
    for place in (at + 24, bomb.index(b"word/document.xml") - 30 + 22):
        lying[place : place + 4] = struct.pack("<I", 1000)
    with pytest.raises(Unreadable, match=r"is broken: word/document\.xml"):
        read(bytes(lying), "a.docx", limits)


def test_a_sheet_that_never_ends_is_bounded_while_it_is_read() -> None:
    rows = b"".join(b"<row><c><v>%d</v></c></row>" % n for n in range(20_000))
    data = with_part(
        workbook(),
        "xl/worksheets/sheet1.xml",
        lambda old: re.sub(rb"(?s)<sheetData>.*</sheetData>", b"<sheetData>" + rows + b"</sheetData>", old),
    )
    with pytest.raises(Unreadable, match=r"its text is longer than 0\.01 MB \(BRAIN_MAX_FILE_MB\)"):
        read(data, "a.xlsx", Limits(5, 10_000))


BOMB = b'<!DOCTYPE x [<!ENTITY a "' + b"x" * 1000 + b'">' + b"".join(
    b'<!ENTITY %c "%s">' % (c, b"&%c;" % (c - 1) * 30) for c in range(98, 108)
) + b"]>"  # fmt: skip


@pytest.mark.parametrize(
    ("name", "part"),
    [("a.docx", "word/document.xml"), ("a.xlsx", "xl/worksheets/sheet1.xml"), ("a.pptx", "ppt/slides/slide1.xml")],
)
@pytest.mark.parametrize(
    "entity",
    [
        BOMB,
        b'<!DOCTYPE x [<!ENTITY k SYSTEM "file:///etc/hostname">]>',
        b'<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
    ],
)
def test_entities_are_neither_expanded_nor_fetched(name: str, part: str, entity: bytes) -> None:
    def change(old: bytes) -> bytes:
        old = old[old.index(b"?>") + 2 :] if old.startswith(b"<?xml") else old
        return entity + re.sub(rb"(<(?:w|a):t>|<v>)", rb"\1&k;", old)

    with pytest.raises(Unreadable, match=r"declares XML entities|is broken"):
        read(with_part(sample(name), part, change), name)


def test_a_document_nested_beyond_reason_has_one() -> None:
    long = b"<w:p><w:r><w:t>" + b"x" * 11_000_000 + b"</w:t></w:r></w:p>"
    with pytest.raises(Unreadable, match=r"document\.xml cannot be read \(it holds a text of more than 10 MB\)"):
        read(
            with_part(word(), "word/document.xml", lambda old: old.replace(b"</w:body>", long + b"</w:body>")),
            "a.docx",
            Limits(5, 10**8),
        )
    deep = b"<w:tbl><w:tr><w:tc>" * 3000 + b"</w:tc></w:tr></w:tbl>" * 3000
    with pytest.raises(Unreadable, match=r"nested too deeply"):
        read(
            with_part(word(), "word/document.xml", lambda old: old.replace(b"</w:body>", deep + b"</w:body>")), "a.docx"
        )
