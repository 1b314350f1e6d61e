"""sources/formats/pdf.py: what a person sees of a page, in the order they read it, as Markdown with its pages.

The PDFs are written here, byte by byte or by reportlab; expected texts are what a viewer shows.
"""

import contextlib
import io
import zlib
from collections.abc import Sequence
from typing import Any

import pytest
from markdown_it import MarkdownIt

from sources.formats import Converted, Limits, Unreadable
from sources.formats.pdf import convert
from sources.formats.pdf_damage import damaged
from sources.formats.pdf_text import as_line, told_date, told_title

Drawn = tuple[Any, ...]  # x, y, text, and perhaps size and font
LIMITS = Limits(100, 1_000_000)
LOREM = (
    "Receipts are handed in within thirty days of the journey,",
    "and the office checks every one of them before it pays.",
    "Anyone who books a flight without approval pays for it.",
)


def pdf(
    contents: Sequence[str], *, picture: bool = False, rotate: int = 0, packed: bool = False, info: str = "",
    outline: Sequence[tuple[str, int]] = (), encoding: str = "/WinAnsiEncoding",
) -> bytes:  # fmt: skip
    """A PDF of these content streams. Fonts are /F1, /F2 (bold) and /F3 (symbols); `picture` puts one on every page."""
    objects: list[bytes] = [b"", b""]

    def add(body: str | bytes) -> int:
        objects.append(body.encode("latin-1") if isinstance(body, str) else body)
        return len(objects)

    fonts = " ".join(
        f"/F{n} {add(f'<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding {encoding} >>')} 0 R"
        for n, name in enumerate(("Helvetica", "Helvetica-Bold"), 1)
    )
    image = add(
        b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 "
        b"/Length 1 >> stream\n\xee\nendstream"
    )
    kids = []
    for content in contents:
        drawn_first = "q 595 0 0 842 0 0 cm /Im Do Q\n" if picture else ""
        stream = (drawn_first + content).encode("cp1252")
        stream = zlib.compress(stream, 9) if packed else stream
        told = "/Filter /FlateDecode " if packed else ""
        body = add(f"<< {told}/Length {len(stream)} >> stream\n".encode() + stream + b"\nendstream")
        kids.append(add(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Rotate {rotate} /Contents {body} 0 R "
            f"/Resources << /Font << {fonts} >> /XObject << /Im {image} 0 R >> >> >>"
        ))  # fmt: skip
    marks = ""
    if outline:
        root = len(objects) + 1
        add("")
        for n, (title, page) in enumerate(outline):
            after = f"/Next {root + n + 2} 0 R " if n + 1 < len(outline) else ""
            add(f"<< /Title ({title}) /Parent {root} 0 R {after}/Dest [{kids[page - 1]} 0 R /Fit] >>")
        last = root + len(outline)
        objects[root - 1] = f"<< /Type /Outlines /First {root + 1} 0 R /Last {last} 0 R /Count 1 >>".encode()
        marks = f"/Outlines {root} 0 R "
    objects[0] = f"<< /Type /Catalog /Pages 2 0 R {marks}>>".encode()
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] /Count {len(kids)} >>".encode()
    about = add(f"<< {info} >>")
    out, places = b"%PDF-1.7\n", []
    for number, data in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, data)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer << /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF"
        % (len(objects) + 1, table, len(objects) + 1, about, len(out))
    )


def text_at(x: float, y: float, text: str, size: float = 11, font: int = 1, mode: int = 0) -> str:
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT {mode} Tr /F{font} {size} Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET\n"


def drawn(pages: Sequence[Sequence[Drawn]], **options: Any) -> bytes:
    """A PDF of pages of (x, y, text, size, font)."""
    return pdf(["".join(text_at(*one) for one in page) for page in pages], **options)


def paragraph(y: float, lines: Sequence[str] = LOREM, x: float = 60, step: float = 14) -> list[Drawn]:
    return [(x, y - step * n, line) for n, line in enumerate(lines)]


def read(data: bytes, limits: Limits = LIMITS) -> Converted:
    got = convert(data, "x.pdf", limits)
    assert len(got.places) == got.text.count("\n")
    assert all(place.startswith("p") for place in got.places)
    return got


def lines(data: bytes) -> list[str]:
    return [line for line in read(data).text.split("\n") if line]


# --- headings, paragraphs, lists ------------------------------------------------------------------------------------


def test_headings_are_told_by_size_and_weight() -> None:
    page = [
        (60, 780, "Travel policy", 22, 2), (60, 740, "Booking", 16, 2), *paragraph(715),
        (60, 650, "Rail", 11, 2), *paragraph(630),
        (60, 570, "Flights", 16, 2), *paragraph(545),
    ]  # fmt: skip
    heads = [line for line in lines(drawn([page])) if line.startswith("#")]
    assert heads == ["# Travel policy", "## Booking", "### Rail", "## Flights"]


def test_the_outline_decides_where_there_is_one() -> None:
    page = [(60, 780, "Travel policy", 22), (60, 740, "Booking", 16), *paragraph(715), (60, 650, "Plain head"),
            *paragraph(620)]  # fmt: skip
    data = drawn([page], outline=[("Booking", 1), ("Plain head", 1)])
    assert [line for line in lines(data) if line.startswith("#")] == ["# Travel policy", "# Booking", "# Plain head"]


def test_a_heading_of_two_lines_is_one() -> None:
    page = [(60, 780, "Works agreement on working time", 22, 2), (60, 753, "in Leipzig", 22, 2), *paragraph(715)]
    assert lines(drawn([page]))[0] == "# Works agreement on working time in Leipzig"


def test_a_bold_sentence_is_no_heading() -> None:
    page = [*paragraph(700), (60, 640, "Nobody may smoke here.", 11, 2), *paragraph(610)]
    assert [line for line in lines(drawn([page])) if line.startswith("#")] == []


def test_paragraphs_are_told_by_gaps_and_words_at_line_ends_are_whole() -> None:
    page = [
        *paragraph(
            760, ["The employ-", "ment contract may be ended with a notice of three", "months. A well-known rule."]
        ),
        *paragraph(700, ["The Hamburg-", "Berlin line is closed."]),
    ]
    assert read(drawn([page])).text == (
        "The employment\ncontract may be ended with a notice of three\nmonths. A well-known rule.\n\n"
        "The Hamburg-Berlin\nline is closed.\n"
    )


def test_lists_keep_their_items() -> None:
    page = [
        *paragraph(780), (60, 720, "• Ask your lead"), (72, 706, "before you book."), (60, 692, "• Book the room."),
        (80, 678, "– by rail"), (60, 650, "1. Hand in the bill."), (60, 636, "2. Wait for the money."),
    ]  # fmt: skip
    assert lines(drawn([page]))[3:] == [
        "- Ask your lead", "  before you book.", "- Book the room.", "  - by rail", "1. Hand in the bill.",
        "2. Wait for the money.",
    ]  # fmt: skip


def test_what_follows_a_list_is_no_part_of_its_last_item() -> None:
    page = [(60, 720, "• Ask your lead."), (60, 706, "• Book the room,"), (74, 692, "then the train."),
            (60, 678, "All of this holds for guests, too.")]  # fmt: skip
    assert lines(drawn([page])) == [
        "- Ask your lead.", "- Book the room,", "  then the train.", "All of this holds for guests, too.",
    ]  # fmt: skip


def test_words_in_another_size_do_not_end_a_paragraph() -> None:
    page = [(60, 700, "The files are kept in the folder"), (60, 686, "/usr/share/handbook/and/more/of/it", 10),
            (60, 672, "and are read at every start.")]  # fmt: skip
    assert "\n\n" not in read(drawn([page])).text


def test_a_table_of_contents_holds_no_headings() -> None:
    page = [(60, 780, "Contents", 18, 2), (60, 750, "1 Travel ........................ 3", 11, 2), *paragraph(700)]
    assert [line for line in lines(drawn([page])) if line.startswith("#")] == ["# Contents"]


def test_a_paragraph_that_goes_on_overleaf_is_one_and_each_line_has_its_page() -> None:
    first = [*paragraph(100, ["The committee that was", "elected in the spring meets in the"])]
    got = read(drawn([first, paragraph(740, ["small room, and speaks of roses."])]))
    assert got.text == "The committee that was\nelected in the spring meets in the\nsmall room, and speaks of roses.\n"
    assert got.places == ("p1", "p1", "p2")


def test_heads_feet_and_page_numbers_are_left_out() -> None:
    pages = [
        [
            (60, 810, "Larkfell handbook"),
            *paragraph(740, [f"This is said on page {word}."]),
            (290, 30, f"Page {n} of 4"),
        ]
        for n, word in enumerate(("one", "two", "three", "four"), 1)
    ]
    assert lines(drawn(pages)) == [f"This is said on page {word}." for word in ("one", "two", "three", "four")]


def test_a_head_that_is_another_on_each_page_is_told_by_the_page_s_number() -> None:
    titles = ("Scope", "Duties", "Leave", "Travel", "Notice")
    pages = [
        [(60, 810, f"Chapter {title}"), (500, 810, str(n + 6)), *paragraph(740, [f"This is said of {title}."])]
        for n, title in enumerate(titles)
    ]
    assert lines(drawn(pages)) == [f"This is said of {title}." for title in titles]


def test_the_only_line_of_a_page_is_no_head() -> None:
    assert lines(drawn([[(60, 810, "Read this.")], [(60, 810, "And that.")]])) == ["Read this.", "And that."]


# --- columns and tables ---------------------------------------------------------------------------------------------


def test_two_columns_are_read_one_after_the_other() -> None:
    left = [(50, 700 - 14 * n, f"left line {n:02} of the long story that is told") for n in range(20)]
    right = [(310, 700 - 14 * n, f"right line {n:02} goes on with it to its end") for n in range(20)]
    rows = [row for pair in zip(left, right, strict=True) for row in pair]  # as a program may write them
    page = [
        (50, 760, "A title that spans both of the columns of the page", 16, 2),
        *rows,
        (50, 380, "What stands below goes over both of the columns, too.", 12),
    ]
    got = lines(drawn([page]))
    assert got[0].startswith("# A title")
    assert [line[:12] for line in got[1:21]] == [f"left line {n:02}" for n in range(20)]
    assert [line[:13] for line in got[21:41]] == [f"right line {n:02}" for n in range(20)]
    assert got[41:] == ["What stands below goes over both of the columns, too."]


def grid(x: Sequence[float], y: Sequence[float]) -> str:
    across = "".join(f"{x[0]} {at} m {x[-1]} {at} l S\n" for at in y)
    return across + "".join(f"{at} {y[0]} m {at} {y[-1]} l S\n" for at in x)


def test_a_ruled_table_is_a_table() -> None:
    cells = [["City", "Hotel", "Note"], ["Rome", "120 EUR", ""], ["Oslo", "180 EUR", "ask | first"]]
    content = grid([60, 160, 260, 400], [700, 680, 660, 640]) + "".join(
        text_at(64 + 100 * c, 686 - 20 * r, cell) for r, row in enumerate(cells) for c, cell in enumerate(row) if cell
    )
    assert lines(pdf([text_at(60, 740, "Rates are these:") + content]))[1:] == [
        "| City | Hotel | Note |", "|---|---|---|", "| Rome | 120 EUR |  |", "| Oslo | 180 EUR | ask \\| first |",
    ]  # fmt: skip


def test_cells_of_several_lines_and_joined_cells() -> None:
    content = "".join(f"60 {y} m 400 {y} l S\n" for y in (700, 660, 620)) + "".join(
        f"{x} 700 m {x} {low} l S\n" for x, low in ((60, 620), (200, 660), (400, 620))
    )
    content += text_at(64, 686, "Who") + text_at(204, 686, "What they are respon-") + text_at(204, 672, "sible for")
    content += text_at(64, 640, "This row has one cell alone that goes over both columns")
    assert lines(pdf([content])) == [
        "| Who | What they are responsible for |", "|---|---|",
        "| This row has one cell alone that goes over both columns |  |",
    ]  # fmt: skip


def test_columns_of_cells_without_lines_are_a_table() -> None:
    rows = [("Grade", "from", "to"), ("A", "40,000", "45,000"), ("B", "45,000", "50,000"), ("C", "50,000", "")]
    page = [(60 + 120 * c, 700 - 16 * r, cell) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell]
    assert lines(drawn([[*paragraph(780), *page]]))[3:] == [
        "| Grade | from | to |", "|---|---|---|", "| A | 40,000 | 45,000 |", "| B | 45,000 | 50,000 |",
        "| C | 50,000 |  |",
    ]  # fmt: skip


def test_a_row_whose_cells_are_close_is_one_of_its_table() -> None:
    rows = [("Amount", "Approver"), ("up to 500", "team lead"), ("up to 2500", "head of department"),
            ("any contract over a year", "the chief of finance")]  # fmt: skip
    page = [(x, 700 - 16 * r, cell) for r, row in enumerate(rows) for x, cell in zip((60, 184), row, strict=True)]
    assert lines(drawn([[*page, (60, 620, "Splitting is not allowed.")]]))[-3:] == [
        "| up to 2500 | head of department |", "| any contract over a year | the chief of finance |",
        "Splitting is not allowed.",
    ]  # fmt: skip


def test_narrow_columns_below_a_header_in_their_middle() -> None:
    rows = [("Amsterdam", "Netherlands", "47"), ("Copenhagen", "Denmark", "66"), ("New York", "United States", "74"),
            ("Oslo", "Norway", "69"), ("Rome", "Italy", "48")]  # fmt: skip
    page: list[Drawn] = [(72, 720, "City", 11, 2), (136, 720, "Country", 11, 2), (201, 720, "Rate", 11, 2)]
    page += [(x, 700 - 20 * r, cell) for r, row in enumerate(rows) for x, cell in zip((60, 128, 200), row, strict=True)]
    assert lines(drawn([page])) == [
        "| City | Country | Rate |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows),
    ]  # fmt: skip


@pytest.fixture(scope="session")
def reported() -> bytes:
    """What reportlab makes of a table of 60 rows over three pages, its header repeated on each."""
    from reportlab.lib import colors
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Table, TableStyle

    styles = getSampleStyleSheet()
    rows = [
        ["City", "Hotel per night", "Meals per day"],
        *([f"City {n}", f"{100 + n} EUR", f"{n} EUR"] for n in range(60)),
    ]
    table = Table(rows, repeatRows=1, rowHeights=26)
    table.setStyle(TableStyle([
        ("GRID", (0, 0), (-1, -1), 0.5, colors.grey), ("BACKGROUND", (0, 0), (-1, 0), colors.darkblue),
        ("TEXTCOLOR", (0, 0), (-1, 0), colors.white),
    ]))  # fmt: skip
    out = io.BytesIO()
    SimpleDocTemplate(out, title="Rates of 2025", author="Finance").build(
        [Paragraph("Rates", styles["Heading1"]), table, Paragraph("After it.", styles["BodyText"])]
    )
    return out.getvalue()


def test_a_table_over_three_pages_is_one_with_one_header(reported: bytes) -> None:
    got = read(reported)
    assert got.text.count("| City | Hotel per night | Meals per day |") == 1
    rows = [
        (line, place) for line, place in zip(got.text.split("\n"), got.places, strict=False) if line[:7] == "| City "
    ]
    assert len(rows) == 60 + 1
    assert [place for _, place in rows] == sorted(place for _, place in rows)
    assert {place for _, place in rows} == {"p1", "p2", "p3"}
    assert got.text.endswith("| City 59 | 159 EUR | 59 EUR |\n\nAfter it.\n")


def test_each_piece_of_a_long_table_keeps_its_header(reported: bytes) -> None:
    from chunk import split

    document = split(read(reported).text, "rates.pdf", meta=read(reported).meta)
    pieces = [chunk for chunk in document.chunks if "| City " in chunk.text]
    assert document.title == "Rates of 2025"
    assert len(pieces) > 2
    assert all("| City | Hotel per night |" in chunk.text + chunk.context for chunk in pieces)


# --- what nobody sees -----------------------------------------------------------------------------------------------


def test_hidden_text_is_left_out() -> None:
    content = "".join((
        text_at(60, 700, "Visible."), "1 1 1 rg ", text_at(60, 680, "WHITE on white"), "0 0 0 rg ",
        text_at(60, 660, "INVISIBLE", mode=3), text_at(60, 640, "CLIPPED", mode=7), text_at(-300, 620, "OFF the page"),
        text_at(60, 900, "ABOVE the page"), text_at(60, 600, "TINY", 0.5),
        "0 0 0.5 rg 50 500 300 30 re f 1 1 1 rg ", text_at(60, 510, "White on blue is seen."),
        "0 0 0.5 rg 50 450 300 30 re f ", text_at(60, 460, "BLUE on blue"), "0 0 0 rg ", text_at(60, 400, "The end."),
    ))  # fmt: skip
    assert lines(pdf([content])) == ["Visible.", "White on blue is seen.", "The end."]


def test_text_laid_over_a_scanned_page_is_read_and_said_to_be_recognised() -> None:
    got = read(pdf([text_at(60, 700, "What the scanner read.", mode=3)], picture=True))
    assert got.text == "What the scanner read.\n"
    assert got.notes == ("page 1: scanned; the text is what the scanner's software recognised",)


def test_a_scan_has_no_text_and_a_page_without_is_named() -> None:
    with pytest.raises(Unreadable, match=r"^0 characters, not indexed \(scanned\? it has 3 pages without text\)$"):
        convert(pdf(["", "", ""], picture=True), "x.pdf", LIMITS)
    page = text_at(60, 700, "Words.")
    assert read(pdf([page, "", "", page, ""], picture=True)).notes == ("pages 2-3, 5 have no text (scanned?)",)
    assert read(pdf([page, "", page])).notes == ()  # a blank page lacks nothing


def test_a_stamped_page_number_makes_no_text() -> None:
    with pytest.raises(Unreadable, match="scanned"):
        convert(pdf([text_at(290, 30, str(n)) for n in range(1, 4)], picture=True), "x.pdf", LIMITS)


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_a_turned_page_is_read_upright(rotate: int) -> None:
    matrix = {90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}[rotate]
    at = {90: [(200, 100), (220, 100)], 180: [(500, 180), (500, 200)], 270: [(300, 700), (280, 700)]}[rotate]
    content = "".join(
        f"BT /F1 11 Tf {' '.join(map(str, matrix))} {x} {y} Tm ({text}) Tj ET\n"
        for (x, y), text in zip(at, ("The first line of it", "and the second one."), strict=True)
    )
    assert lines(pdf([content], rotate=rotate)) == ["The first line of it", "and the second one."]


# --- text that looks like Markdown ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Nothing to escape: 5 * 3, a_b, R&D, x < y, (see p. 3) [note] 100 % #4", None),
        ("file_name_of_it and 2*3", None),
        ("# no heading", "\\# no heading"),
        ("- no item", "\\- no item"),
        ("> no quote", "\\> no quote"),
        ("---", "\\---"),
        ("===", "\\==="),
        ("| no | table |", "\\| no | table |"),
        ("```", "\\`\\``"),
        ("see <script> and </b>", "see \\<script> and \\</b>"),
        ("so *marked* text", "so \\*marked\\* text"),
        ("so _marked_ text", "so \\_marked\\_ text"),
        ("[a](http://x)", "[a\\](http://x)"),
        ("AT&amp;T", "AT\\&amp;T"),
        ("a `b` c", "a \\`b` c"),
        ("C:\\temp", None),
        ("C:\\!x", "C:\\\\!x"),
    ],
)
def test_text_is_escaped_only_where_it_would_be_markup(text: str, shown: str | None) -> None:
    made = as_line(text)
    assert made == (shown or text)
    seen = MarkdownIt("commonmark").enable("table").parse(made)
    assert [token.type for token in seen] == ["paragraph_open", "inline", "paragraph_close"]
    assert "".join(child.content for child in seen[1].children or ()) == text


def test_a_number_in_the_midst_of_a_paragraph_begins_no_list() -> None:
    assert as_line("1. of May", first=False) == "1\\. of May"
    assert as_line("1. of May") == "1. of May"


# --- what the file says of itself -----------------------------------------------------------------------------------


def test_title_owner_and_date_come_from_the_file() -> None:
    info = "/Title (Travel policy) /Author (People team) /CreationDate (D:20250211093000Z) /ModDate (D:20250301)"
    assert read(pdf([text_at(60, 700, "Text.")], info=info)).meta == {
        "title": "Travel policy", "owner": "People team", "date": "2025-03-01",
    }  # fmt: skip


@pytest.mark.parametrize(
    "title",
    ["", "x", "Microsoft Word - travel.doc", "travel_v3.docx", "untitled", "Untitled document", "Document1", "Slide 1",
     "PowerPoint Presentation", "(anonymous)", "2025-03", "Unbenannt"],
)  # fmt: skip
def test_a_title_that_a_program_made_is_none(title: str) -> None:
    assert told_title(title) == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [("D:20250211093000+01'00'", "2025-02-11"), ("20250211", "2025-02-11"), ("D:20251399", ""), ("yesterday", "")],
)
def test_dates_of_the_file(text: str, told: str) -> None:
    assert told_date(text) == told


# --- files that cannot be read --------------------------------------------------------------------------------------


def encrypted(password: str) -> bytes:
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, encrypt=StandardEncryption(password, "owner"))
    canvas.drawString(72, 700, "Between us.")
    canvas.save()
    return out.getvalue()


def test_a_locked_file_is_told_and_one_that_opens_is_read() -> None:
    with pytest.raises(Unreadable, match=r"^is encrypted: it opens with a password only$"):
        convert(encrypted("secret"), "x.pdf", LIMITS)
    assert read(encrypted("")).text == "Between us.\n"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is no PDF: it does not begin as one"),
        (b"%PDF-1.7", "is broken: its pages cannot be found"),
        (b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF", "is broken: its pages cannot be found"),
        (b"no pdf", "is no PDF: it does not begin as one"),
        (bytes(1000), "is no PDF: it does not begin as one"),
        (b"PK\3\4 ...", "is no PDF but an Office file or ZIP archive; name it by its kind"),
        (b"\n<!DOCTYPE html><p>x", "is no PDF but HTML or XML; name it by its kind"),
        (b"\x89PNG\r\n", "is no PDF but a picture; name it by its kind"),
    ],
)
def test_a_broken_file_is_told(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable) as refused:
        convert(data, "x.pdf", LIMITS)
    assert str(refused.value) == reason


LOST = b"\n4 0 obj\n<< /Length 3 >> stream\nabc\nendstream\nendobj\n"


@pytest.mark.parametrize(
    ("head", "body", "count"),
    [
        (b"/Filter /FlateDecode", zlib.compress(b"words " * 999), 0),
        (b"/Filter [ /FlateDecode ]", zlib.compress(b"words " * 999) + b"\r", 0),
        (b"/Filter /FlateDecode", zlib.compress(bytes(range(256)) * 9)[:-9] + bytes(9), 1),
        (b"/Filter /FlateDecode", zlib.compress(bytes(range(256)) * 9)[:99], 1),
        (b"/Subtype /Image /Filter /FlateDecode", b"anything", 0),
        (b"/Filter /DCTDecode", b"anything", 0),
        (b"/Filter [ /ASCII85Decode /FlateDecode ]", b'87cURD]i,"Ebo80~>', 0),
        (b"/Filter [ /ASCII85Decode /FlateDecode ]", b'87cUR\0]i,"Ebo80~>', 1),
        (b"", bytes(999), 0),
    ],
)
def test_parts_that_cannot_be_unpacked_are_counted(head: bytes, body: bytes, count: int) -> None:
    data = b"%PDF-1.7\n3 0 obj\n<< " + head + b" >> stream\n" + body + b"\nendstream\nendobj\n" + LOST
    assert damaged(data) == count
    assert damaged(data + bytes(99) + LOST) == damaged(data + LOST + bytes(99)) == count + 1
    assert damaged(data + bytes(99) + LOST + b"trailer << /Encrypt 9 0 R >>") == 0


def test_a_damaged_file_has_a_note_beside_what_is_left_of_it() -> None:
    contents = [f"BT /F1 12 Tf 72 {y} Td ({text}) Tj ET" for y, text in zip((700, 500), LOREM, strict=False)]
    whole = pdf(contents, packed=True)
    assert read(whole).notes == ()
    at = whole.index(b"stream\n", whole.index(b"FlateDecode")) + 40
    broken = convert(whole[:at] + bytes(9) + whole[at + 9 :], "x.pdf", LIMITS)
    assert LOREM[1] in broken.text
    assert broken.notes[-1] == "is damaged: some of its text may be lacking or wrong; fetch the file anew"


def test_a_cut_file_gives_what_is_whole_or_its_reason() -> None:
    data = drawn([paragraph(700)] * 3)
    for size in range(0, len(data), 97):
        with contextlib.suppress(Unreadable):
            read(data[:size])


def test_limits_are_told_by_the_setting() -> None:
    with pytest.raises(Unreadable, match=r"^has 3 pages, more than 2 \(BRAIN_MAX_PAGES\)$"):
        convert(drawn([paragraph(700)] * 3), "x.pdf", Limits(2, 1000))
    with pytest.raises(Unreadable, match=r"^its text is longer than 0.0001 MB \(BRAIN_MAX_FILE_MB\)$"):
        convert(drawn([paragraph(700)] * 3), "x.pdf", Limits(3, 100))


def test_a_table_below_the_end_of_the_other_column_stays_in_its_own() -> None:
    left = [(50, 700 - 14 * n, f"left line {n:02} of the long story that is told") for n in range(20)]
    right = [(310, 700 - 14 * n, f"right line {n:02} goes on with it to its end") for n in range(10)]
    cells = [(x, y, text) for y in (555, 535) for x, text in ((60, "some words"), (190, "and others"))]
    page = "".join(text_at(*one) for one in (*left[:10], *right, *cells))
    below = "".join(text_at(x, y - 60, text) for x, y, text in left[10:])
    got = lines(pdf([grid((52, 180, 297), (570, 550, 530)) + page + below]))
    assert [line[:7] for line in got].index("| some ") < got.index("right line 00 goes on with it to its end")


def test_items_of_a_list_beside_another_column_are_no_cells() -> None:
    left = [(60, 700 - 14 * n, f"Line {n} of the left column goes on to its very end") for n in range(14)]
    marks = [(320, 700 - 14 * n, "•") for n in range(14)]
    items = [(338, 700 - 14 * n, f"Item {n} of the right column is as long as it is") for n in range(14)]
    got = lines(drawn([[*left, *marks, *items]]))
    assert [line.split(" of the ")[0] for line in got] == [
        f"{what} {n}" for what in ("Line", "- Item") for n in range(14)
    ]


def test_lines_that_count_up_are_no_running_heads() -> None:
    rows = [f"Grade {n}: {20 + n} euros a day." for n in range(1, 157)]
    pages = [[(60, 800 - 15 * n, row) for n, row in enumerate(rows[at : at + 52])] for at in (0, 52, 104)]
    assert [line.removeprefix("- ") for line in lines(drawn(pages))] == rows
    for n, page in enumerate(pages, 1):
        page[:0] = [(60, 830, "Rates"), (300, 830, f"valid from {2025 + n}")]
        page.append((290, 10, f"Page {n} of 3"))
    got = lines(drawn(pages))
    assert [line for line in got if line.startswith("Grade")] == rows
    assert not [line for line in got if "Page" in line]


@pytest.mark.parametrize("rise", [1.5, 4])
def test_raised_and_lowered_digits_are_told_from_the_number_beside_them(rise: float) -> None:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    page: list[Drawn] = []
    at = dict.fromkeys((700, 660), 60.0)
    for y, text, up, on in (
        (700, "Everyone gets 28", 0, 1), (700, "1", rise, 1), (700, " days, the limit is 10", 0, 1),
        (700, "-6", rise, 1), (700, " units of CO", 0, 1), (700, "2", -rise, 1), (660, "It takes 2", 0, 1),
        (660, "1", 4, 0), (660, "2", -3, 1), (660, " hours.", 0, 1),
    ):  # fmt: skip
        size = 7 if up else 11
        page.append((at[y], y + up, text, size))
        at[y] += on * stringWidth(text, "Helvetica", size)
    assert lines(drawn([page])) == ["Everyone gets 28¹ days, the limit is 10⁻⁶ units of CO₂", "It takes 2¹⁄₂ hours."]


def test_what_is_read_from_right_to_left_keeps_its_order() -> None:
    names = " ".join(f"/afii{57664 + n}" for n in range(27))  # Hebrew letters from alef, as the codes of A, B, ...
    said = ["כל עובד מקבל 28 ימי חופשה בשנה.", "עד 14 יום מראש."]
    drawn_as = []
    for line in said:
        shown = "".join(chr(ord(char) - 0x5D0 + 65) if char >= "א" else char for char in line)[::-1]
        drawn_as.append(shown.replace("82", "28").replace("41", "14"))
    content = "".join(text_at(300, 700 - 14 * n, line) for n, line in enumerate(drawn_as))
    widths = f"<< /Type /Encoding /Differences [65 {names}] >> /FirstChar 32 /LastChar 91 /Widths [{'550 ' * 60}]"
    assert lines(pdf([content], encoding=widths)) == said


def test_what_is_drawn_over_or_clipped_away_is_left_out() -> None:
    content = "".join((
        text_at(60, 700, "The salary is 120,000 EUR."), "0 g 138 697 31 14 re f\n",
        text_at(60, 660, "COVERED by a white box"), "1 g 50 655 400 16 re f 0 g\n",
        "q 0 0 10 10 re W n ", text_at(60, 620, "CLIPPED away"), "Q q 50 570 400 40 re W n ", text_at(60, 580, "Kept."),
        "Q ", text_at(60, 540, "Only framed."), "50 535 400 16 re S\n1 g 50 495 400 16 re f 0 g ",
        text_at(60, 500, "On a box."), text_at(580, 460, "2024"),
    ))  # fmt: skip
    assert lines(pdf([content])) == ["The salary is EUR.", "Kept.", "Only framed.", "On a box."]


def test_what_is_filled_into_a_form_stands_where_its_field_does() -> None:
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842))
    form = canvas.acroForm
    canvas.drawString(60, 700, "Days of leave:")
    form.textfield(name="days", value="28 days", x=220, y=695, width=60, height=16)
    canvas.drawString(60, 670, "Approved")
    form.checkbox(name="yes", checked=True, x=120, y=666)
    canvas.drawString(60, 640, "Refused")
    form.checkbox(name="no", checked=False, x=120, y=636)
    canvas.drawString(60, 600, "Office:")
    form.choice(name="office", value="Berlin", options=["Berlin", "Paris"], x=120, y=595, width=100, height=16)
    form.textfield(name="secret", value="PASSWORD", x=220, y=500, width=60, height=16, fieldFlags="password")
    canvas.save()
    got = lines(out.getvalue())
    assert [" ".join(line.replace("|", " ").split()) for line in got if "---" not in line] == [
        "Days of leave: 28 days", "Approved ☒", "Refused ☐", "Office: Berlin",
    ]  # fmt: skip


def test_a_row_of_several_lines_between_two_rules_is_one() -> None:
    from reportlab.lib import colors
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Table, TableStyle

    style = getSampleStyleSheet()["BodyText"]
    rows = [["Grade", "Leave", "Notice"], *([
        f"G{n}", f"{20 + n} days of paid annual leave for each full calendar year of service with the company",
        f"{n} months to the end of the quarter unless agreed otherwise in the contract",
    ] for n in range(1, 9))]  # fmt: skip
    table = Table([[Paragraph(cell, style) for cell in row] for row in rows], colWidths=[60, 200, 200])
    table.setStyle(
        TableStyle([("LINEBELOW", (0, 0), (-1, -1), 0.3, colors.black), ("VALIGN", (0, 0), (-1, -1), "TOP")])
    )
    out = io.BytesIO()
    SimpleDocTemplate(out).build([table])
    head, _, *got = lines(out.getvalue())
    assert [head, *got] == [f"| {' | '.join(row)} |" for row in rows]


def test_rows_without_a_rule_between_them_stay_rows() -> None:
    rows = [("Germany", "Berlin", "100"), ("", "Munich", "90"), ("France", "Paris", "80"), ("", "Lyon", "70"),
            ("Spain", "Madrid", "60"), ("", "Cadiz", "50")]  # fmt: skip
    content = "".join(
        text_at(60 + 120 * c, 700 - 16 * r, cell) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell
    )
    content += "".join(f"60 {y} m 400 {y} l S\n" for y in (712, 680, 648, 616))
    assert [line for line in lines(pdf([content])) if "---" not in line] == [f"| {' | '.join(row)} |" for row in rows]
