"""Word documents, workbooks and presentations, as their own libraries write them."""

from typing import Any

import pytest
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn

from sources.formats import Limits, Unreadable
from sources.formats.xlsx_numbers import shown
from tests.formats.made import placed, read, slides, with_part, word, workbook

W = nsdecls("w")


def word_lines(change: Any) -> list[str]:
    """What a change adds to the sample document, which ends with a table."""
    lines = [line for _, line in placed(read(word(change), "a.docx"))]
    return lines[lines.index("| Berlin | 30 | 40 |") + 1 :]


def test_a_word_document_reads_as_it_looks() -> None:
    converted = read(word(), "a.docx")
    assert placed(converted) == [
        ("¶1", "# Leave"),
        ("¶2", "Staff get 28 days of leave"),
        ("¶3", "- card"),
        ("¶4", "  - PIN"),
        ("¶5", "1. ask"),
        ("¶6", "2. wait"),
        ("¶7", "| City | Rent | Food |"),
        ("¶7", "|---|---|---|"),
        ("¶8", "| Berlin | 1\\|0 | 20 |"),
        ("¶9", "| Berlin | 30 | 40 |"),
    ]
    assert converted.meta["owner"] == "Ann Author"


def styled(name: str, based_on: str = "", outline: int | None = None) -> Any:
    def change(document: Any) -> None:
        style = document.styles.add_style(name, 1)
        if based_on:
            style.base_style = document.styles[based_on]
        if outline is not None:
            properties = style.element.get_or_add_pPr()
            level = OxmlElement("w:outlineLvl")
            level.set(qn("w:val"), str(outline))
            properties.append(level)
        document.add_paragraph("Here", style=style)

    return change


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (styled("Überschrift 2"), "## Here"),
        (styled("Custom", based_on="Heading 3"), "### Here"),
        (styled("Section", outline=1), "## Here"),
        (styled("Heading Note", outline=9), "Here"),
        (styled("Titre 1"), "# Here"),
        (lambda d: d.add_paragraph().add_run("Here").__setattr__("bold", True), "Here"),
        (lambda d: d.add_paragraph("Here", style="Title"), "# Here"),
    ],
)
def test_headings_go_by_style_and_outline_level(change: Any, line: str) -> None:
    assert word_lines(change) == [line]


def add(xml: str) -> Any:
    return lambda document: document.element.body.insert(-1, parse_xml(xml))


RUN = f"<w:p {W}>{{}}</w:p>"
BOX = (
    '<w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="w">'
    "<w:drawing><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></w:drawing></mc:Choice><mc:Fallback>"
    "<w:pict><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></w:pict></mc:Fallback>"
    "</mc:AlternateContent></w:r>"
)


@pytest.mark.parametrize(
    ("xml", "lines"),
    [
        (RUN.format("<w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t></w:r>"), ["a  ", "b c"]),
        (
            RUN.format(
                "<w:moveFrom><w:r><w:t>OLD</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>new</w:t></w:r></w:moveTo>"
            ),
            ["new"],
        ),
        (RUN.format("<w:hyperlink><w:r><w:t>the list</w:t></w:r></w:hyperlink>"), ["the list"]),
        (RUN.format("<w:r><w:t>with</w:t></w:r>" + BOX), ["with", "boxed"]),
        (
            RUN.format(
                '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>CODE</w:t></w:r>'
                '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>12</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
            ),
            ["12"],
        ),
        (
            f"<w:sdt {W}><w:sdtContent><w:p><w:r><w:t>in a control</w:t></w:r></w:p></w:sdtContent></w:sdt>",
            ["in a control"],
        ),
        (
            f"<w:sdt {W}><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>Click</w:t></w:r></w:p></w:sdtContent></w:sdt>",
            [],
        ),
        (
            f'<w:tbl {W}><w:tr><w:tc><w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>In layout</w:t></w:r></w:p></w:tc>'
            "<w:tc><w:p><w:r><w:t>text</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
            ["## In layout", "text"],
        ),
        (
            f"<w:tbl {W}><w:tr><w:tc><w:p><w:r><w:t>A</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>B</w:t></w:r></w:p></w:tc></w:tr>"
            "<w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p><w:r><w:t>OLD</w:t></w:r></w:p></w:tc></w:tr>"
            "<w:tr><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc><w:tc><w:tbl><w:tr><w:tc><w:p><w:r><w:t>in</w:t></w:r></w:p></w:tc>"
            "<w:tc><w:p><w:r><w:t>side</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p/></w:tc></w:tr></w:tbl>",
            ["|  |  |", "|---|---|", "| A | B |", "| 1 | in, side |"],
        ),
    ],
)
def test_a_word_documents_own_xml(xml: str, lines: list[str]) -> None:
    assert word_lines(add(xml)) == lines


def test_a_deleted_paragraph_end_joins_two() -> None:
    def change(document: Any) -> None:
        first = f"<w:p {W}><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>one </w:t></w:r></w:p>"
        for xml in (first.replace("<w:t>", '<w:t xml:space="preserve">'), RUN.format("<w:r><w:t>two</w:t></w:r>")):
            add(xml)(document)

    assert word_lines(change) == ["one two"]


def numbered(*levels: tuple[str, str, int]) -> Any:
    """Paragraphs of a list whose levels have these formats; the third says of which level the paragraph is."""

    def change(document: Any) -> None:
        inside = "".join(
            f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="{text}"/></w:lvl>'
            for n, (kind, text, _) in enumerate(levels)
        )
        numbering = document.part.numbering_part.element
        numbering.insert(0, parse_xml(f'<w:abstractNum {W} w:abstractNumId="99">{inside}</w:abstractNum>'))
        numbering.append(parse_xml(f'<w:num {W} w:numId="99"><w:abstractNumId w:val="99"/></w:num>'))
        for _, _, level in levels:
            own = f'<w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="99"/></w:numPr></w:pPr>'
            add(RUN.format(own + "<w:r><w:t>x</w:t></w:r>"))(document)

    return change


@pytest.mark.parametrize(
    ("levels", "lines"),
    [
        (
            [("decimal", "%1.", 0), ("lowerLetter", "%2)", 1), ("decimal", "x", 1), ("decimal", "x", 0)],
            ["1. x", "   - a) x", "   - b) x", "2. x"],
        ),
        ([("decimal", "%1.", 0), ("decimal", "%1.%2", 1), ("decimal", "x", 1)], ["1. x", "   - 1.1 x", "   - 1.2 x"]),
        ([("upperRoman", "(%1)", 0), ("decimal", "x", 0)], ["- (I) x", "- (II) x"]),
        ([("decimal", "§ %1", 0)], ["- § 1 x"]),
    ],
)
def test_lists_are_numbered_as_shown(levels: list[tuple[str, str, int]], lines: list[str]) -> None:
    assert word_lines(numbered(*levels)) == lines


def test_the_first_row_is_a_header_where_the_tables_style_sets_it_off() -> None:
    def change(document: Any, style: str = "Light List Accent 1") -> None:
        table = document.add_table(rows=2, cols=2)
        table.style = style
        for n, text in enumerate(("Name", "Ann", "Phone", "123")):
            table.cell(n // 2, n % 2).text = text

    assert word_lines(change) == ["| Name | Ann |", "|---|---|", "| Phone | 123 |"]
    assert word_lines(lambda document: change(document, "Table Grid"))[:2] == ["|  |  |", "|---|---|"]


def test_footnotes_stand_under_their_paragraph() -> None:
    part = f'<w:footnotes {W}><w:footnote w:type="separator" w:id="0"/><w:footnote w:id="5"><w:p><w:r><w:footnoteRef/></w:r>'
    part += "<w:r><w:t>Since 2024.</w:t></w:r></w:p></w:footnote></w:footnotes>"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"

    def change(document: Any) -> None:
        add(RUN.format('<w:r><w:t>Rule</w:t></w:r><w:r><w:footnoteReference w:id="5"/></w:r>'))(document)

    data = with_part(
        word(change), "word/_rels/document.xml.rels",
        lambda old: old.replace(b"</Relationships>", f'<Relationship Id="n" Type="{kind}" Target="settings.xml"/></Relationships>'.encode()),
    )  # fmt: skip
    data = with_part(data, "word/settings.xml", lambda old: part.encode())
    assert [line for _, line in placed(read(data, "a.docx"))][-2:] == ["Rule[1]", "[1] Since 2024."]


def test_a_workbook_shows_its_visible_cells() -> None:
    converted = read(workbook(), "a.xlsx")
    assert placed(converted) == [
        ("'Budget 2025'!B2", "## Budget 2025"),
        ("'Budget 2025'!B2", "Overview"),
        ("'Budget 2025'!B3:E3", "| City | Rent | Share | From |"),
        ("'Budget 2025'!B3:E3", "|---|---|---|---|"),
        ("'Budget 2025'!B4:E4", "| Berlin | 1,234.50 € | 12.5% | 2025-03-04 |"),
        ("'Budget 2025'!B5:E5", "| Paris | -100.00 € | 100% | 2025-03-04 13:30:00 |"),
        ("'Budget 2025'!B6:E6", "| Total | (no stored value) |  |  |"),
        ("'Budget 2025'!B10:D10", "| Second | Table | Here |"),
        ("'Budget 2025'!B10:D10", "|---|---|---|"),
        ("'Budget 2025'!B11:D11", "| a\\|b | TRUE | x y |"),
    ]
    assert converted.notes == (
        "sheet Budget 2025: 1 hidden row and 1 hidden column left out",
        "sheet Budget 2025: a formula has no stored value, in C6; open and save it in a spreadsheet program",
        "the hidden sheet Secret is left out",
    )


@pytest.mark.parametrize(
    ("number", "code", "text"),
    [
        (45720.0, "d/m/yyyy", "4/3/2025"),
        (45720.5625, "m/d/yy h:mm", "3/4/25 13:30"),
        (0.5625, "h:mm AM/PM", "1:30 PM"),
        (1.25, "[h]:mm", "30:00"),
        (0.125, "0%", "13%"),
        (2.675, "0.00", "2.68"),
        (1.005, '#,##0.00 "€"', "1.01 €"),
        (-2.5, "0", "-3"),
        (-0.4, "0", "0"),
        (1500, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', "1.5K"),
        (2_500_000, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', "2.5M"),
        (12, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', "12"),
        (1_234_567, r"[>=10000000]##\,##\,##\,##0;[>=100000]##\,##\,##0;##,##0", "12,34,567"),
        (123456789, "000-00-0000", "123-45-6789"),
        (1234567, "# ##0", "1234 567"),
        (0, '_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-', "-"),
        (-7.5, '_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-', "-7.50"),
        (28, 'General" days"', "28 days"),
        (-28, '"€"General', "-€28"),
        (45720, "dd.mm.yyyy", "04.03.2025"),
        (45720, "dd/mm/yyyy;@", "04/03/2025"),
        (45717, "mmm-yy", "Mar-25"),
        (45717, "yyyy", "2025"),
        (45720, "[$-407]d. mmmm yyyy", "4. März 2025"),
        (45720, "[$-40C]d mmmm yyyy", "2025-03-04"),
        (45720, "[$-F800]dddd, mmmm dd, yyyy", "2025-03-04"),
        (45720.5, "ggge", "45720.5"),
        (0.0625, "[mm]:ss", "90:00"),
        (1.5, "[h]:mm", "36:00"),
        (0.5 + 1.25 / 86400, "mm:ss.0", "00:01.3"),
        (0, "0;-0;;@", ""),
        (-3, "0;-0;;@", "-3"),
        (4711, ";;;", ""),
        (28, '0\\ "T"age', "28"),
        (1234, "#,##0,", "1"),
        (5, "#.##", "5"),
        (0.5, "0.0##", "0.5"),
        (1500, "0.00E+00", "1500"),
        (0.125, "0.0 %", "12.5 %"),
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (1234.5, "[$€-407] #,##0.00", "€ 1,234.50"),
        (1234.5, '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)', "$1,234.50"),
        (-1234.5, '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)', "($1,234.50)"),
        (7, "00000", "00007"),
        (1_500_000, '0.0,,"M"', "1.5M"),
        (0, '0;-0;"none"', "none"),
        (3, '0 "days"', "3 days"),
        (0.1 + 0.2, "General", "0.3"),
        (1e20, "", "1e+20"),
        (2.5, "# ?/?", "2.5"),
        (12, "@", "12"),
        (-5, "yyyy", "-5"),
        (1e300, "0.00", "1" + "0" * 300 + ".00"),
    ],
)
def test_numbers_are_shown_as_their_cells_show_them(number: float, code: str, text: str) -> None:
    assert shown(number, code) == text


def test_slides_are_read_from_top_to_bottom() -> None:
    converted = read(slides(), "a.pptx")
    assert placed(converted) == [
        ("slide 1", "## Agenda"),
        ("slide 1", "- One"),
        ("slide 1", "  - Inner"),
        ("slide 1", "Notes:"),
        ("slide 1", "Say hello."),
        ("slide 2", "## Rents"),
        ("slide 2", "Left"),
        ("slide 2", "Right"),
        ("slide 2", "| City | Rent |"),
        ("slide 2", "|---|---|"),
        ("slide 2", "| Berlin | 1\\|0 |"),
        ("slide 2", "Below"),
    ]
    assert converted.notes == ("slide 3 is hidden and left out",)


@pytest.mark.parametrize(("make", "name"), [(workbook, "a.xlsx"), (slides, "a.pptx")])
def test_too_many_sheets_or_slides_name_the_setting(make: Any, name: str) -> None:
    with pytest.raises(Unreadable, match=r"has 3 (sheets|slides), more than 2 \(BRAIN_MAX_PAGES\)"):
        read(make(), name, Limits(2, 100_000))
