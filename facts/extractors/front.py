"""A page's front matter -> who owns, leads, wrote or approved the page itself, and what else it says of it.

The page is a Document, known by its title and its path. Who may read it is no fact. Knows no tables.
Try: python -m facts docs/services.md
"""

from facts import Extraction, Named, Text
from facts.extractors import cells as c
from facts.extractors.columns import Record, about
from facts.extractors.fields import line_of_front
from facts.extractors.headings import meaning
from facts.extractors.markdown import page, quote_of
from facts.extractors.records import decision_of
from facts.normal import key, keys

EXTRACTOR = "front/1"
_SKIPPED = keys("title|access|layout|permalink|redirect from|aliases|slug|weight|nav order|parent|draft")
_KEPT = keys("status|team|department|audience|contact|reviewer|reviewed by")


def extract(text: Text) -> Extraction:
    """What the front matter states of its page; what it says of a decision is read with the record."""
    if not text.meta or not text.lines or text.lines[0].lstrip("\ufeff").rstrip() != "---":
        return Extraction()
    seen = page(text.lines)
    if not seen.front:
        return Extraction()
    is_decision = decision_of(text, seen) is not None
    records = []
    for label, value in text.meta.items():
        shown = label.replace("_", " ").replace("-", " ")
        said = meaning(shown)
        links = [link for link in said.links if "Document" in link.things]
        is_of_page = (
            any("Decision" not in link.things for link in links) if is_decision else links or key(shown) in _KEPT
        )
        if key(shown) in _SKIPPED or not is_of_page:
            continue
        first = line_of_front(text.lines, seen.front, label)
        if first:
            last = first
            while last < seen.front - 1 and text.lines[last].lstrip().startswith("- "):
                last += 1
            records.append(Record({shown: value}, first, last, quote_of(text.lines, first, last)))
    title = c.plain(text.title)
    document = Named("Document", (title,) if key(title) else (), (text.path,))
    return Extraction(about(document, records, extractor=EXTRACTOR))
