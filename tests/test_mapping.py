"""facts.toml: what it says, what it is told when it is wrong, and the statements of tables that it describes."""

import re
from pathlib import Path

import pytest

from errors import UsageError
from facts import Statement
from facts.extractors.columns import Record
from facts.extractors.mapped import of_rows
from facts.mapping import Mapping, Same, read
from facts.relations import BUILT_IN

GOOD = """\
# Larkfell
[types.Unit]
words.en = ["business unit"]
words.de = ["Geschäftsbereich"]

[types.Service]
words.en = ["workload"]

[relations.part_of]
subjects = ["Service", "Team"]
objects = ["Unit"]
one = "object"
fresh_days = 0
words.en = ["belongs to"]

[relations.owns]
fresh_days = 90
words.en = ["looks after"]

[[tables]]
files = ["apps.jsonl", "lists/*.csv"]
subject = { type = "Service", name = "svc" }
relations.owns = { column = "Squad", inverse = true, type = "Team" }
relations.part_of = { column = "business_unit" }
since = "ab"
leave = ["notes"]

[[tables]]
files = "grants.json"
subject = { type = "Team", name = "group" }
relations.has_access = { column = ["app"] }
qualifiers = ["entorno", "level"]
attributes = []

[[same]]
names = ["Bedrock", "Core platform"]
type = "Team"
"""


def told(found: tuple[Statement, ...]) -> list[tuple[str, ...]]:
    """Each statement as texts."""
    shown = [
        (one.object if isinstance(one.object, str) else f"{one.object.type} {one.object.shown}", one) for one in found
    ]
    return [
        (f"{one.subject.type} {one.subject.shown}", one.predicate, other, one.qualifier, one.valid_from, one.valid_to)
        for other, one in shown
    ]


def rows(*cells: dict[str, str | tuple[str, ...]]) -> list[Record]:
    return [Record(one, n, n, f"line {n}") for n, one in enumerate(cells, 1)]


def test_what_a_mapping_says() -> None:
    mapping = read(GOOD)
    known = mapping.relations()
    assert known.types["Unit"].words["de"] == ("Geschäftsbereich",)
    assert known.types["Service"].words["en"] == (*BUILT_IN.types["Service"].words["en"], "workload")
    part_of, owns = known.relations["part_of"], known.relations["owns"]
    assert (*map(set, (part_of.subjects, part_of.objects)),) == ({"Service", "Team"}, {"Unit"})
    assert (part_of.one, part_of.fresh_days) == ("object", 0)
    assert (owns.subjects, owns.one, owns.fresh_days) == (BUILT_IN.relations["owns"].subjects, "subject", 90)
    assert known.relations["leads"] == BUILT_IN.relations["leads"]
    assert mapping.same == (Same(("Bedrock", "Core platform"), "Team"),)
    found = [mapping.table_of(path) for path in ("a/apps.jsonl", "lists/x.csv", "x.csv", "grants.json")]
    assert [one.type if one else "" for one in found] == ["Service", "Service", "", "Team"]


def test_the_digest_is_of_what_it_says() -> None:
    digest = read(GOOD).digest
    assert read(GOOD.replace("# Larkfell", "#").replace("\n", "\r\n")).digest == digest != ""
    assert read(GOOD.replace("workload", "job")).digest != digest
    assert read("") == read("# nothing\n") == Mapping()
    assert Mapping().relations() == BUILT_IN


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("[types.Unit]", "[types.unit]", 2, "a name is a word that begins with a capital"),
        ("[types.Unit]", "[types.Unit]\nword = 1", 3, "has 'word'; allowed: words"),
        ('words.en = ["looks after"]', 'words = ["looks after"]', 18, "words stand by language: words.en"),
        ('words.en = ["business unit"]', "words.en = [1]", 3, "words.en is no text and no list of texts"),
        ("objects", "object", 11, "has 'object'; allowed: subjects, objects, one, fresh_days, words, inverse"),
        ('objects = ["Unit"]', "", 9, "needs objects, a list of types"),
        ('["Unit"]', '["Units"]', 11, "'Units' is no type here; allowed: Decision, Document"),
        ('one = "object"', 'one = "both"', 12, "one = 'both' is neither \"subject\" nor \"object\""),
        ("fresh_days = 0", "fresh_days = true", 13, "fresh_days = True is no number of days"),
        ("fresh_days = 90", "fresh_days = -1", 17, "fresh_days = -1 is no number of days"),
        ('files = "grants.json"', 'file = "grants.json"', 29, "has 'file'; allowed: files, subject, relations"),
        ('files = "grants.json"', 'files = "../grants.json"', 29, "needs files, such as"),
        ('subject = { type = "Team", name = "group" }', "", 28, 'needs subject = { type = "Service"'),
        ('type = "Team", name', 'type = "Squad", name', 30, "'Squad' is no type here; allowed: Decision"),
        (', name = "group"', "", 30, "needs a column: name, id or both"),
        ("relations.has_access", "relations.has_acces", 31, "'has_acces' is no relation here; allowed: affects"),
        ('column = ["app"]', 'colum = "app"', 31, "has 'colum'; allowed: column, inverse, type"),
        (', inverse = true, type = "Team"', "", 23, "joins Person, Team here, not Service; with inverse = true"),
        ('type = "Team" }\nrel', 'type = "Unit" }\nrel', 23, "'Unit' is no type here; allowed: Person, Team"),
        ("inverse = true", "inverse = 1", 23, "inverse is true (the cell is the subject) or false"),
        ('names = ["Bedrock", "Core platform"]', 'names = ["Bedrock", "bedrock"]', 36, "needs names, two or more"),
        ("[[same]]", "[same]", 35, "is written [[same]], with two brackets"),
        ("# Larkfell", "[x]", 1, "has 'x'; allowed: types, relations, tables, same"),
        ("# Larkfell", "= 3", 1, "is no TOML"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(old: str, new: str, line: int, what: str) -> None:
    assert GOOD.count(old) >= 1
    with pytest.raises(UsageError) as wrong:
        read(GOOD.replace(old, new, 1))
    assert "facts.toml" in str(wrong.value)
    assert re.search(rf"line {line}\b", str(wrong.value))
    assert what in str(wrong.value)


def test_a_mapping_that_nests_for_ever_is_an_error() -> None:
    with pytest.raises(UsageError):
        read("a = " + "[" * 100_000)


def test_a_table_of_things() -> None:
    mapping = read(GOOD)
    table = mapping.table_of("apps.jsonl")
    assert table
    records = rows(
        {
            "svc": "plan-store",
            "squad": "Bedrock",
            "business unit": "Retail",
            "ab": "14-02-2026",
            "tier": "1",
            "Notes": "x",
        },
        {"svc": "geo", "squad": ("Bedrock", "Ann Lee <ann@l.example>"), "business unit": "none", "ab": "03-04-2026"},
        {"svc": "-", "squad": "Bedrock"},
    )
    assert told(of_rows(records, table, mapping.relations())) == [
        ("Team Bedrock", "owns", "Service plan-store", "", "2026-02-14", ""),
        ("Service plan-store", "part_of", "Unit Retail", "", "2026-02-14", ""),
        ("Service plan-store", "tier", "1", "", "", ""),
        ("Team Bedrock", "owns", "Service geo", "", "2026-04-03", ""),
        ("Team Ann Lee", "owns", "Service geo", "", "2026-04-03", ""),
    ]


def test_a_table_of_grants() -> None:
    mapping = read(GOOD)
    table = mapping.table_of("grants.json")
    assert table
    records = rows(
        {"group": "ops", "app": "plan-store", "entorno": "producción", "level": "read"},
        {"group": "ops", "app": ("geo", "plan-store"), "entorno": "prueba", "reviewer": "true"},
    )
    assert told(of_rows(records, table, mapping.relations())) == [
        ("Team ops", "has_access", " plan-store", "producción; read", "", ""),
        ("Team ops", "has_access", " geo", "prueba", "", ""),
        ("Team ops", "has_access", " plan-store", "prueba", "", ""),
    ]


def test_people_are_told_apart_by_their_ids() -> None:
    mapping = read(
        '[[tables]]\nfiles = "*.csv"\nsubject = {type = "Person", name = "wer", id = "nr"}\n'
        'relations.reports_to = {column = "chef"}\nuntil = "weg"\n'
    )
    table = mapping.table_of("x.csv")
    assert table
    found = of_rows(
        rows(
            {"nr": "1", "wer": "Ann Lee", "chef": "", "weg": ""},
            {"nr": "2", "wer": "Ann Lee", "chef": "1", "weg": "2026-03-31"},
            {"nr": "3", "wer": "Bo", "chef": "2", "weg": "Present"},
            {"nr": "4", "wer": "Cy", "chef": "Ann Lee"},
            {"nr": "5", "wer": "Di", "chef": "Cy"},
        ),
        table,
        mapping.relations(),
    )
    assert [(one.subject.ids, one.object.ids, one.valid_to) for one in found if not isinstance(one.object, str)] == [
        (("person#2",), ("person#1",), "2026-03-31T24"),
        (("person#3",), ("person#2",), ""),
        (("person#4",), (), ""),
        (("person#5",), ("person#4",), ""),
    ]


def test_the_manual_shows_a_mapping_that_can_be_read() -> None:
    page = (Path(__file__).resolve().parents[1] / "manual" / "graph.md").read_text(encoding="utf-8")
    blocks = [block.partition("\n```")[0] for block in page.split("```toml\n")[1:]]
    assert blocks
    for block in blocks:
        assert read(block) != Mapping()
