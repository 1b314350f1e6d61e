"""A cited passage taken apart once: its sentences, their terms, the hard facts that stand in them.

Must not know claims, markers or verdicts.
Try: python -c "from proof.source import Facts; print(Facts('Up to 5 days until 31 March', 'en').values)"
"""

import re
from decimal import Decimal
from functools import cached_property

from language.detect import language_of
from language.sentences import Unit, units
from language.words import fold, is_function_word, stem, terms, words
from proof.align import spoken, tokens
from proof.facts import Moment, Number, moments, numbers, same_date, squash, units_named
from proof.status import forbids, tells_error
from proof.tables import COUNTRIES, MONTHS, SCALES
from proof.wording import ADDRESSING, ANYBODY
from proof.words import content

_OPENING = 6  # words
_ORDINAL = re.compile(r"[ \t>]*\(?(\d{1,3})[.)]\s+")
_PIPE = re.compile(r"(?<!\\)\|")
_STRUCK = re.compile(r"~~(?=\S)[^~\n]+~~")  # text that its author has struck out proves nothing


class Source:
    """One cited passage, taken apart once."""

    def __init__(self, label: str, text: str, context: str, answer_lang: str) -> None:
        self.label, self.text, self.context = label, text, context
        self.lang = language_of(f"{context}\n{text}", answer_lang)
        self.answer_lang = answer_lang
        self.foreign = self.lang != answer_lang
        self._seen = _STRUCK.sub(lambda m: " " * len(m[0]), text)
        self.units: list[Unit] = units(self._seen, self.lang)

    @cached_property
    def whole(self) -> str:
        return squash(f"{self.context}\n{self._seen}")

    @cached_property
    def lines(self) -> list[str]:
        return [squash(self._seen[u.start : u.end]) for u in self.units]

    @cached_property
    def told(self) -> list[str]:
        """The lines, a list's items behind the line that announces them."""
        told, lead = [], ""
        for unit, line in zip(self.units, self.lines, strict=True):
            lead = line if unit.kind == "lead_in" else lead if unit.kind == "item" else ""
            told.append(f"{lead} {line}" if lead and unit.kind == "item" else line)
        return told

    @cached_property
    def numbering(self) -> list[int]:
        """The number of each item of a numbered list, 0 for other units."""
        before = (self.text[: unit.start].rpartition("\n")[2] for unit in self.units)
        return [int(found[1]) if (found := _ORDINAL.fullmatch(text)) else 0 for text in before]

    @cached_property
    def cells(self) -> list[list[str]]:
        """The cells of each row of a table, [] for other units."""
        return [self._row(unit) if unit.kind == "row" else [] for unit in self.units]

    @cached_property
    def heads(self) -> list[list[str]]:
        """The heads of the columns above each row, [] where there are none or their number is another."""
        found: list[list[str]] = []
        head: list[str] = []
        for unit, line, cells in zip(self.units, self.lines, self.cells, strict=True):
            if not cells:
                head = self._row(unit) if unit.kind == "heading" and "|" in line else []
            found.append(head if len(head) == len(cells) else [])
        return found

    @cached_property
    def scales(self) -> set[int]:
        """What the figures of its tables are counted in by their headings ("in thousand euros"): 1,000."""
        over = [
            self.context,
            *(line for unit, line in zip(self.units, self.lines, strict=True) if unit.kind == "heading"),
        ]
        named = {SCALES[w.casefold()] for w in words(" ".join(over)) if w.casefold() in SCALES}
        return named if any(self.cells) else set()

    def _row(self, unit: Unit) -> list[str]:
        """The cells of the line that a unit stands in, empty ones at its ends too, which a unit leaves out."""
        end = self._seen.find("\n", unit.end)
        line = self._seen[self._seen.rfind("\n", 0, unit.start) + 1 : end if end >= 0 else None]
        line = line.lstrip(" \t>").rstrip().removeprefix("|")
        return [squash(cell) for cell in _PIPE.split(re.sub(r"(?<!\\)\|$", "", line))]

    @cached_property
    def above(self) -> list[str]:
        """What stands over each unit: the heading next above it (or the passage's own), and its list's lead-in."""
        found: list[str] = []
        heading, lead = squash(self.context.rpartition("\n")[2].rpartition(" > ")[2]), ""
        for unit, line in zip(self.units, self.lines, strict=True):
            if unit.kind == "heading" and "|" not in line:
                heading, lead = line, ""
            elif unit.kind != "item":
                lead = line if unit.kind == "lead_in" else lead if unit.kind in ("code", "row") else ""
            found.append(" ".join(part for part in (heading, lead) if part))
        return found

    @cached_property
    def errors(self) -> list[bool]:
        """Whether each unit states something only to call it wrong."""
        return [tells_error(line, above) for line, above in zip(self.lines, self.above, strict=True)]

    def forbidden(self, at: int) -> str:
        """What stands above an item, row or line of code and forbids it or leaves it out; "" for other units."""
        listed = self.units[at].kind in ("item", "row", "code")
        return self.above[at] if listed and forbids(self.above[at], self.lang) else ""

    @cached_property
    def line_terms(self) -> list[frozenset[str]]:
        return [frozenset(content(line, self.answer_lang)) for line in self.lines]

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(content(f"{self.context}\n{self._seen}", self.answer_lang))

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word's forms, function words too."""
        return frozenset(terms(f"{self.context}\n{self._seen}", self.answer_lang))

    @cached_property
    def facts(self) -> "Facts":
        return Facts(self.whole, self.reading)

    @cached_property
    def title(self) -> "Facts":
        return Facts(squash(self.context), self.reading)

    @cached_property
    def line_facts(self) -> list["Facts"]:
        return [Facts(line, self.reading) for line in self.lines]

    @cached_property
    def line_openings(self) -> list[frozenset[str]]:
        """The stems that each unit begins with."""
        return [frozenset(w.stem for w in tokens(line, self.answer_lang)[:_OPENING]) for line in self.lines]

    @cached_property
    def addresses(self) -> bool:
        """Whether the passage speaks to its reader, who may be called an employee then."""
        return bool(ADDRESSING.search(self.whole)) or not (self.words & ANYBODY.get(self.answer_lang, frozenset()))

    @property
    def reading(self) -> str | None:
        return None if self.foreign else self.lang


class Facts:
    """The hard facts stated in a text."""

    def __init__(self, text: str, lang: str | None) -> None:
        self.text, self.spoken = text, squash(spoken(text))
        self.numbers = numbers(text, lang)
        self.moments = moments(text)

    @cached_property
    def values(self) -> set[Decimal]:
        """Every number, those inside dates and times included."""
        return self._inside | {value for n in self.numbers for value in n.values}

    @cached_property
    def _inside(self) -> set[Decimal]:
        return {Decimal(p) for m in self.moments for d in (*m.dates, *m.times) for p in d if p is not None}

    @cached_property
    def folded(self) -> str:
        return fold(self.text)

    @cached_property
    def words(self) -> set[str]:
        return {part for w in words(self.text) for part in (fold(w), *fold(w).replace("'", "-").split("-"))}

    def has_number(self, number: Number) -> bool:
        same = [
            n for n in self.numbers if n.text == number.text or (n.values & number.values and not _apart(n, number))
        ]
        if not number.unit:
            return bool(same) or bool(number.values & self._inside)
        # A table writes its unit once, in the header.
        told = number.unit in units_named(self.text)
        return any(n.unit == number.unit or (not n.unit and told) for n in same)

    def has_moment(self, moment: Moment) -> bool:
        if moment.times:
            return any(moment.times & m.times for m in self.moments)
        for claimed in moment.dates:
            for stated in (d for m in self.moments for d in m.dates):
                year_known = claimed[0] is None or stated[0] is not None or Decimal(claimed[0]) in self.values
                if same_date(claimed, stated) and year_known:
                    return True
        return False

    def has_name(self, name: str, lang: str) -> bool:
        folded = fold(name)
        if folded in MONTHS and any(d[1] == MONTHS[folded] for m in self.moments for d in m.dates):
            return True
        if name.isupper() and is_function_word(name.lower(), lang):  # the DO, not "do"
            return stands(name, self.text)
        if folded in self.words or stands(folded, self.folded):
            return True
        if any(stands(fold(other), self.folded) for other in COUNTRIES.get(name.casefold(), ())):
            return True
        parts = [p for p in folded.replace("'", "-").replace("/", "-").split("-") if len(p) > 1]
        if any(c.isdigit() or c in "_@." for c in name):
            return False
        stems = {stem(word, lang) for word in self.words}
        return bool(parts) and all(part in self.words or stem(part, lang) in stems for part in parts)


def _apart(one: Number, other: Number) -> bool:
    """Whether two numbers of one value are labels that differ: versions 3.1 and 3.10, keys 071 and 0071."""
    if one.unit or other.unit or one.text == other.text:
        return False
    pair = one.text, other.text
    return all("." in text for text in pair) or any(text.isdigit() and text[0] == "0" for text in pair)


def stands(needle: str, text: str) -> bool:
    at = text.find(needle)
    while at >= 0:
        before, after = text[at - 1 : at] if at else "", text[at + len(needle) : at + len(needle) + 1]
        if not (before.isalnum() and before.isascii()) and not (after.isalnum() and after.isascii()):
            return True
        at = text.find(needle, at + 1)
    return False
