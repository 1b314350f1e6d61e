"""What a person sees in small things: raised and struck figures, equations; each in every format that has it."""

from typing import Any

import pytest
from docx.enum.text import WD_BREAK
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import RGBColor
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor as SlideColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from proof.facts import numbers, plain
from sources.formats.writing import LOW, LOW_END, UP, UP_END, header_rows, small
from tests.formats.made import placed, read, slides, word, workbook

slide_colour: Any = SlideColor
WHITE, BLUE = (slide_colour.from_string(one) for one in ("FFFFFF", "000099"))
W = nsdecls("w")
MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
DECK = "http://schemas.openxmlformats.org/drawingml/2006/main"


def told(converted: Any) -> list[str]:
    return [line for _, line in placed(converted)]


def up(text: str) -> str:
    return UP + text + UP_END


def test_a_letter_of_a_symbol_font_is_the_sign_that_it_shows() -> None:
    """A limit whose sign is lost says something else; a cell that is ticked says yes."""

    def document(made: Any) -> None:
        paragraph = made.add_paragraph("At most ")
        paragraph.add_run("\u00a3").font.name = "Symbol"
        paragraph.add_run(" 5 days, ")
        paragraph._p.append(
            parse_xml(f'<w:r {W}><w:sym w:font="Symbol" w:char="F0B3"/><w:t xml:space="preserve"> </w:t></w:r>')
        )
        paragraph._p.append(parse_xml(f'<w:r {W}><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>'))
        paragraph.add_run("\uf0fe\uf028").font.name = "Wingdings"
        paragraph.add_run(" \u00fc").font.name = "Arial"

    def book(made: Any) -> None:
        made["Budget 2025"]["C5"] = "\u00fc"
        made["Budget 2025"]["C5"].font = Font(name="Wingdings")

    def deck(made: Any) -> None:
        made.slides[0].shapes.title.text = "\u00fb"
        made.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font.name = "Wingdings"

    assert "At most ≤ 5 days, ≥ ✓☑ ü" in told(read(word(document), "a.docx"))
    assert any("Paris | ✓ |" in line for line in told(read(workbook(book), "a.xlsx")))
    assert "## ✗" in told(read(slides(deck), "a.pptx"))


@pytest.mark.parametrize(
    ("marked", "seen", "first"),
    [
        (f"28{up('1')} days", "28 ¹ days", 28),
        (f"28{up('1')}{up('0')}", "28 ¹⁰", 28),
        (f"7{up('123')}", "7^123", 7),
        (f"10{up('6')} cells", "10^6 cells", 10),
        (f"40 m{up('2')}.", "40 m².", 40),
        (f"{up('1')}28 days", "¹ 28 days", 1),
        (f"28{up('a')} days", "28^(a) days", 28),
        (f"28{up('(a)')} days", "28^(a) days", 28),
        (f"1{up('st')} prize", "1st prize", 1),
        (f"28{LOW}1{LOW_END}", "28 ₁", 28),
        (f"H{LOW}2{LOW_END}O 5", "H₂O 5", 5),
        (f"3 a{up('b' + up('2'))}", "3 a^(b²)", 3),
        (f"{UP}{UP}9{LOW_END}", f"{UP}{UP}9{LOW_END}", 9),
    ],
)
def test_a_raised_figure_is_never_glued_to_a_number(marked: str, seen: str, first: int) -> None:
    assert small(marked) == seen
    assert next(iter(numbers(plain(seen), "en"))).values == {first}


def raised_in_word(document: Any) -> None:
    document.add_paragraph("Staff get 28").add_run("1").font.superscript = True
    table = document.add_table(rows=2, cols=2)
    table.cell(0, 1).paragraphs[0].add_run("10")
    table.cell(0, 1).paragraphs[0].add_run("6").font.superscript = True


def test_raised_figures_of_word() -> None:
    lines = told(read(word(raised_in_word), "a.docx"))
    assert "Staff get 28 ¹" in lines
    assert "10^6" in lines


def test_raised_figures_of_html() -> None:
    cells = "<tr><th>A<th>B<tr><td>28<sup>1</sup><td>H<sub>2</sub>O"
    lines = told(read(f"<p>28<span style='vertical-align: super'>2</span></p><table>{cells}</table>", "a.html"))
    assert lines == ["28 ²", "| A | B |", "|---|---|", "| 28 ¹ | H₂O |"]


def run_on_slide(name: str, value: str) -> Any:
    def change(deck: Any) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = "New"
        paragraph = slide.shapes.add_textbox(0, 9, 9, 9).text_frame.paragraphs[0]
        paragraph.add_run().text = "Get 28"
        run = paragraph.add_run()
        run.text = "1"
        run._r.get_or_add_rPr().set(name, value)

    return change


def test_raised_and_struck_figures_of_slides() -> None:
    assert told(read(slides(run_on_slide("baseline", "30000")), "a.pptx"))[-1] == "Get 28 ¹"
    assert told(read(slides(run_on_slide("strike", "sngStrike")), "a.pptx"))[-1] == "Get 28"


def struck_in_workbook(book: Any) -> None:
    sheet = book.create_sheet("New")
    struck, raised = InlineFont(strike=True), InlineFont(vertAlign="superscript")
    sheet["A1"] = CellRichText("Get ", TextBlock(struck, "25"), " 28", TextBlock(raised, "1"))
    sheet["A2"] = "OLD"
    sheet["A2"].font = Font(strike=True)


def test_raised_and_struck_figures_of_a_workbook() -> None:
    lines = told(read(workbook(struck_in_workbook), "a.xlsx"))
    assert lines[-1] == "Get 28 ¹"
    assert "OLD" not in lines


def struck_in_word(document: Any) -> None:
    style = document.styles.add_style("Gone", 1)
    style.font.strike = True
    document.add_paragraph("OLD " * 100, style="Gone")
    paragraph = document.add_paragraph("Get ")
    paragraph.add_run("25").font.double_strike = True
    paragraph.add_run(" 28")


def test_struck_text_of_word_is_left_out_and_much_of_it_told() -> None:
    converted = read(word(struck_in_word), "a.docx")
    assert told(converted)[-1] == "Get 28"
    assert "OLD" not in converted.text
    assert converted.notes == ("401 characters that are struck through are left out",)


def equation(inside: str) -> Any:
    return lambda document: document.add_paragraph("is 3")._p.append(parse_xml(f"<m:oMath {MATH}>{inside}</m:oMath>"))


def of_word(*parts: tuple[str, str]) -> str:
    return "".join(f"<m:{name}><m:r><m:t>{text}</m:t></m:r></m:{name}>" for name, text in parts)


@pytest.mark.parametrize(
    ("inside", "line"),
    [
        (f"<m:f>{of_word(('num', '1'), ('den', '2'))}</m:f>", "is 3 1/2"),
        (f"<m:f>{of_word(('num', 'a+b'), ('den', '2'))}</m:f>", "is 3(a+b)/2"),
        (f"<m:r><m:t>x</m:t></m:r><m:sSup>{of_word(('e', '10'), ('sup', '3'))}</m:sSup>", "is 3 x10^3"),
        (f"<m:r><m:t>=</m:t></m:r><m:sSup>{of_word(('e', 'x'), ('sup', '2'))}</m:sSup>", "is 3=x²"),
        (f"<m:r><m:t>=</m:t></m:r><m:rad>{of_word(('e', '16'))}</m:rad>", "is 3=√(16)"),
        (f"<m:r><m:t>=</m:t></m:r><m:d>{of_word(('e', 'a'))}</m:d>", "is 3=(a)"),
    ],
)
def test_an_equation_of_word_in_one_line(inside: str, line: str) -> None:
    assert told(read(word(equation(inside)), "a.docx"))[-1] == line


@pytest.mark.parametrize(
    ("inside", "line"),
    [
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "is 1/2."),
        ("<msup><mn>10</mn><mn>3</mn></msup>", "is 10^3."),
        ("<msup><mi>m</mi><mn>2</mn></msup>", "is m²."),
        ("<msub><mi>x</mi><mn>1</mn></msub><mo>=</mo><msqrt><mn>9</mn></msqrt>", "is x₁=√(9)."),
        ("<semantics><mrow><mn>3</mn><mn>4</mn></mrow><annotation>NO</annotation></semantics>", "is 3 4."),
        ("<msup><mfenced><mi>a</mi><mi>b</mi></mfenced><mn>2</mn></msup>", "is (a, b)^2."),
    ],
)
def test_mathml_in_one_line(inside: str, line: str) -> None:
    assert told(read(f"<p>is <math>{inside}</math>.</p>", "a.html"))[-1] == line


@pytest.mark.parametrize(
    ("rows", "wide", "head"),
    [
        ([["Region", "2023", "2024"], ["North", "11 %", "12 %"]], False, 1),
        ([["Anna", "2019", "2020"], ["Bob", "2018", "2021"]], False, 0),
        ([["Pos.", "Item", "Price"], ["1", "Desk", "€ 400"]], False, 1),
        ([["Question:", "Answer:", "Owner:"], ["Who pays?", "The firm", "CFO"]], False, 1),
        ([["Name:", "Ann", "Berlin"], ["Phone:", "x41", "Rome"]], False, 0),
        ([["Country", "Currency"], ["Poland", "Zloty"], ["Norway", "Krone"]], False, 1),
        ([["Name", "Ann"], ["Phone", "123"], ["City", "Berlin"]], False, 0),
        ([["Land", "Home", "Home"], ["", "Meals", "Hotel"], ["Poland", "29", "120"]], True, 2),
        ([["The rule holds for all staff.", "It is old.", "x"], ["a", "b", "c"]], False, 0),
    ],
)
def test_which_rows_name_the_columns(rows: list[list[str]], wide: bool, head: int) -> None:
    assert header_rows(rows, wide) == head


def test_a_blank_row_makes_no_new_header() -> None:
    def change(book: Any) -> None:
        sheet = book.create_sheet("New")
        rows = [("Name", "Team", "City"), (), ("Ann", "HR", "Rome"), ("Bob", "IT", "Oslo"), (), ("Cem", "HR", "Bonn")]
        for row in (*rows, ("Dora", "IT", "Rome"), (), ("Rate", "From", "To"), ("A", "1", "2"), ("B", "3", "4")):
            sheet.append(row)

    lines = [line for place, line in placed(read(workbook(change), "a.xlsx")) if place.startswith("New!")]
    head, rule = "| Name | Team | City |", "|---|---|---|"
    assert lines[1:] == [
        *(head, rule, "| Ann | HR | Rome |", "| Bob | IT | Oslo |"),
        *(head, rule, "| Cem | HR | Bonn |", "| Dora | IT | Rome |"),
        *("| Rate | From | To |", rule, "| A | 1 | 2 |", "| B | 3 | 4 |"),
    ]


def test_what_a_slide_does_not_show_is_left_out() -> None:
    def change(deck: Any) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = "New"
        slide.shapes.add_textbox(-Inches(5), 0, Inches(2), Inches(1)).text_frame.text = "OFF"
        group = slide.shapes.add_group_shape()
        for text, top in (("Below", 4), ("Above", 2)):
            group.shapes.add_textbox(Inches(1), Inches(top), Inches(2), Inches(1)).text_frame.text = text
        frame = slide.shapes.add_textbox(Inches(1), Inches(6), Inches(2), Inches(1)).text_frame
        frame.text = "WHITE"
        frame.paragraphs[0].runs[0].font.color.rgb = WHITE

    def darken(deck: Any) -> None:
        change(deck)
        deck.slides[-1].background.fill.solid()
        deck.slides[-1].background.fill.fore_color.rgb = BLUE

    assert told(read(slides(change), "a.pptx"))[-3:] == ["## New", "Above", "Below"]
    assert told(read(slides(darken), "a.pptx"))[-1] == "WHITE"


def test_a_chart_is_the_table_of_its_values() -> None:
    def change(deck: Any) -> None:
        make: Any = CategoryChartData
        chart = make(number_format="0%")
        chart.categories = ["Q1", "Q2"]
        chart.add_series("North", (0.15, 0.2))
        chart.add_series("South", (0.3, None))
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(5), Inches(5), chart)

    lines = told(read(slides(change), "a.pptx"))
    assert lines[-4:] == ["|  | North | South |", "|---|---|---|", "| Q1 | 15% | 30% |", "| Q2 | 20% |  |"]


def test_what_word_does_not_show_is_left_out() -> None:
    def change(document: Any) -> None:
        style = document.styles.add_style("Secret", 1)
        style.font.hidden = True
        document.add_paragraph("NO", style="Secret")
        document.add_paragraph().add_run("NO").font.color.rgb = RGBColor(255, 255, 255)
        paragraph = document.add_paragraph("End.")
        paragraph.add_run().add_break(WD_BREAK.PAGE)
        paragraph.add_run("Start")
        cell = document.add_table(rows=2, cols=2).cell(0, 0)
        cell.paragraphs[0].add_run("WHITE ON BLUE").font.color.rgb = RGBColor(255, 255, 255)
        cell._tc.get_or_add_tcPr().append(parse_xml(f'<w:shd {W} w:val="clear" w:fill="000099"/>'))

    assert told(read(word(change), "a.docx"))[-2:] == ["End. Start", "WHITE ON BLUE"]


@pytest.mark.parametrize(
    "rule",
    [
        *("position:absolute; left:-9999px", "text-indent:-999em", "clip:rect(0 0 0 0)", "clip-path: inset(50%)"),
        *("height:1px;overflow:hidden", "color:#fff", "text-decoration:line-through"),
    ],
)
def test_what_a_class_moves_away_is_left_out(rule: str) -> None:
    page = "<style>.x{{{}}}{}</style><p>before</p><p class=x>NO</p>"
    assert told(read(page.format(rule, ""), "a.html")) == ["before"]


def test_what_a_class_may_show_stays() -> None:
    for rule in (".x{color:#fff} .y .x{background:#036}", ".x{left:-20px;height:20px;overflow:hidden;clip:auto}"):
        assert "YES" in told(read(f"<style>{rule}</style><p>before</p><p class=x>YES</p>", "a.html"))
