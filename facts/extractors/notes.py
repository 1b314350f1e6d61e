"""Notes of a meeting -> who was there, what was named, what was decided and who approved it, who does what by when.

Notes are known by a list of who was there, or by a section of decisions in a folder of notes. Owners are taken from
them where the date of a change is stated or it is said outright. All of it ranks below records.
Try: python -m facts docs/notes/2026-01-20-core-leads.md
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from facts import NOTES, Extraction, Named, Statement, Text
from facts.extractors import cells, cues, references, spoken
from facts.extractors.fields import line_of_front
from facts.extractors.markdown import Page, page, quote_of
from facts.extractors.records import decision_of
from facts.normal import key
from language.sentences import sentences

EXTRACTOR = "notes/1"


def _words(text: str) -> frozenset[str]:
    return frozenset(map(key, text.split("|")))


_PRESENT = _words(
    "attendees|attendance|attending|present|participants|who was there|in attendance|guests|guest|teilnehmer|teilnehmerinnen|"
    "teilnehmende|teilnehmer innen|anwesend|anwesende|gäste|gast|asistentes|asistencia|participantes|presentes|invitados|présents|"
    "participants présents|invités|与会人员|参会人员|参会人|出席|出席人员"
)
_WRITER = _words(
    "notes|notes by|note taker|notetaker|minutes|minutes by|scribe|recorded by|protokoll|protokollführung|protokollant|"
    "secretario|secretaria|acta|secrétaire|rédacteur|rédactrice|记录|记录人"
)
_DATE = _words("date|datum|fecha|日期|when|wann|meeting date")
_DECISIONS = _words(
    "decisions|decision|decisions taken|decisions made|what we decided|agreed|agreements|resolutions|beschlüsse|beschluesse|beschluss|"
    "entscheidungen|decisiones|acuerdos|décisions|决定|决议|会议决定"
)
_APPROVAL = _words(
    "approval|approvals|approved by|approved|signed off by|sign off|genehmigung|genehmigt von|aprobación|aprobado por|approbation|"
    "approuvé par|批准|批准人"
)
_ACTIONS = _words(
    "actions|action items|action points|todo|to do|todos|to dos|next steps|tasks|aufgaben|maßnahmen|massnahmen|nächste schritte|"
    "to do liste|acciones|tareas|próximos pasos|actions à mener|tâches|prochaines étapes|行动|行动项|待办|待办事项|后续步骤"
)
_WHO = _words(
    "who|owner|assignee|assigned to|responsible|person|wer|verantwortlich|zuständig|quién|responsable|qui|负责人|谁"
)
_WHAT = _words("what|action|task|item|to do|was|aufgabe|maßnahme|qué|acción|tarea|quoi|tâche|事项|任务|内容")
_DUE = _words(
    "due|due date|by|by when|deadline|when|until|bis|bis wann|termin|fällig|frist|fecha|plazo|cuándo|échéance|pour le|截止|截止日期|期限"
)
_FOLDERS = _words(
    "notes|meeting notes|meetings|meeting|minutes|protokolle|protokoll|besprechungen|actas|acta|reuniones|comptes rendus|compte rendu|"
    "réunions|会议纪要|会议记录|会议"
)
_LABEL = re.compile(
    r"\s{0,3}(?:[-*+]\s+)?(?:\*\*|__)?(?P<label>[^\W\d_][^:：*_|]{1,30}?)(?:\*\*|__)?\s?[:：](?:\*\*|__)?\s*(?P<value>.*)\Z"
)
_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_APPROVED = re.compile(
    r"(?:approved|decided|agreed|signed off|confirmed|accepted|genehmigt|beschlossen|entschieden|freigegeben|aprobad[oa]s?|decidid[oa]s?|"
    r"acordad[oa]s?|approuvée?s?|décidée?s?|validée?s?) (?:by|von|por|par) |由\s?(?=\S{1,40}?\s?(?:批准|决定))",
    re.I,
)
_AND = re.compile(r"\s*(?:,|&|,? and|,? und|,? y|,? e|,? et|、|和)\s*")
_BY = re.compile(
    r"(?:\bby|\bdue|\buntil|\bbis|\bpara el|\bantes del?|\bd['’]ici|\bavant le|\bpour le|截止)[ :：]*", re.I
)
_OWNER = re.compile(r"@?(?P<who>[^:：]{2,60}?)\s*(?::|：|\s[–—-]\s|\sto\s|\swill\s)\s*(?P<what>.+)", re.S)
_MOST_MENTIONS, _MOST_TEXT = 200, 300_000


@dataclass(slots=True)
class _Block:
    """A paragraph, an item or a heading: its lines, counted from 1, and their texts without bullets."""

    section: str  # the plain form of the heading or label that it stands under
    lines: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


def extract(text: Text) -> Extraction:
    """What notes of a meeting state; nothing for any other document."""
    if sum(map(len, text.lines)) > _MOST_TEXT or text.format not in (
        "md",
        "markdown",
        "txt",
        "docx",
        "html",
        "htm",
        "eml",
    ):
        return Extraction()
    seen = page(text.lines)
    blocks = list(_blocks(text, seen))
    present = list(_listed(text, seen, blocks, _PRESENT))
    is_kept = any(key(part) in _FOLDERS for part in re.split(r"[/.]", text.path))
    if not (present or (is_kept and any(block.section in _DECISIONS for block in blocks))):
        return Extraction()
    if decision_of(text, seen) is not None:
        return Extraction()
    return Extraction(tuple(_Notes(text, seen, blocks, present).statements()))


def _blocks(text: Text, seen: Page) -> Iterator[_Block]:
    """The page below its front matter: paragraphs, items, rows and headings, each with its section."""
    headings = {one.line: one for one in seen.headings}
    section, depth = "", 0
    block, room = _Block(""), spoken.MOST_BLOCK
    for number, line in enumerate(text.lines[seen.front :], seen.front + 1):
        heading = headings.get(number)
        is_row = line.lstrip().startswith("|")
        bullet = _BULLET.match(line)
        label = None if heading or is_row else _LABEL.match(line[bullet.end() :] if bullet else line)
        if heading or is_row or bullet or label or not line.strip() or not seen.shown[number - 1]:
            if block.lines:
                yield block
            block, room = _Block(section), spoken.MOST_BLOCK
        if heading:
            plain = key(cells.plain(heading.text).rstrip(":："))
            if not (depth and heading.level > depth):
                section, depth = plain, heading.level if plain in _KNOWN else 0
        elif label and not label["value"].strip() and (not bullet or key(label["label"]) in _KNOWN):
            section, depth = key(label["label"]), 0  # "Attendees:", "Absent:"
        if not seen.shown[number - 1] or not line.strip() or len(line) > spoken.MOST_BLOCK:
            continue
        room -= len(line) + 1
        if room < 0 and block.lines:
            yield block
            block, room = _Block(section), spoken.MOST_BLOCK - len(line)
        block.section = section
        block.lines.append(number)
        shown = heading.text if heading else line.strip().strip("|").replace("|", " ; ") if is_row else line
        block.texts.append(shown[bullet.end() :] if bullet else shown)
    if block.lines:
        yield block


_KNOWN = _PRESENT | _DECISIONS | _ACTIONS | _APPROVAL


def _listed(
    text: Text, seen: Page, blocks: Sequence[_Block], labels: frozenset[str]
) -> Iterator[tuple[Named, int, int]]:
    """The people behind a label of these, in front matter, a line, or a section; with their lines."""
    for label, value in text.meta.items():
        line = line_of_front(text.lines, seen.front, label) if key(label.replace("_", " ")) in labels else 0
        if line:
            last = line
            while last < seen.front - 1 and text.lines[last].lstrip().startswith("- "):
                last += 1
            yield from ((one, line, last) for one in _people(value))
    for block in blocks:
        found = _LABEL.match(block.texts[0])
        if found and key(found["label"]) in labels and found["value"].strip():
            value = " ".join([found["value"], *block.texts[1:]])
            yield from ((one, block.lines[0], block.lines[-1]) for one in _people(value))
        elif block.section in labels and not found:
            for line, told in zip(block.lines, block.texts, strict=True):
                if not text.lines[line - 1].startswith("#"):
                    yield from ((one, line, line) for one in _item_people(told))


def _people(value: str) -> list[Named]:
    things = cells.things(re.sub("[、，]", ", ", value.strip().strip("[]")), of_people=True) or ()
    return [
        Named("Person", (one.name,) if one.name else (), one.ids) for one in things if one.ids or _is_full(one.name)
    ]


def _item_people(item: str) -> list[Named]:
    """Of an item of a list of people: "Ann Lee, chair of the board" is one, "Bo Li - approved" too."""
    found = _people(item)
    parts = item.split(",")
    if len(parts) > 1 and len(found) == len(parts) and all(one.ids or " " in one.shown for one in found):
        return found
    return _people(re.split(r",|\s[–—-]\s|[:：]", item)[0])


def _is_full(name: str) -> bool:
    return bool(name) and cells.is_person(name) and not any(map(str.isdigit, name))


def _is_field(block: _Block) -> bool:
    found = _LABEL.match(block.texts[0])
    return bool(found and key(found["label"]) in _PRESENT | _WRITER | _DATE)


class _Notes:
    """One meeting's notes while they are read."""

    def __init__(
        self, text: Text, seen: Page, blocks: Sequence[_Block], present: Sequence[tuple[Named, int, int]]
    ) -> None:
        self.text, self.seen, self.blocks, self.present = text, seen, blocks, present
        self.writers = [one for one in _listed(text, seen, blocks, _WRITER) if " " in one[0].shown or one[0].ids]
        self.day = self._day()
        self.known = spoken.people(one.shown for one, _, _ in (*present, *self.writers) if one.names)
        title = cells.plain(text.title)
        self.document = Named("Document", (title,) if key(title) else (), (text.path,))
        self._headings = {one.line for one in seen.headings}
        self._mentioned: set[Named] = set()

    def statements(self) -> Iterator[Statement]:
        for one, first, last in self.present:
            yield from self._mention(one, first, last)
        for one, first, last in self.writers:
            yield self._said(self.document, "written_by", one, first, last)
        for one, first, last in _listed(self.text, self.seen, self.blocks, _APPROVAL):
            by = self._said(self.document, "approved_by", one, first, last)
            yield replace(by, valid_from=self.day)
        yield from self._table_of_actions()
        heads = {table.head.line for table in self.seen.tables}
        rest = [block for block in self.blocks if not _is_field(block) and block.lines[0] not in heads]
        for block in rest:
            if block.section in _ACTIONS:
                yield from self._action(block)
        for block in rest:
            yield from self._of_block(block)

    def _day(self) -> str:
        told = (_LABEL.match(block.texts[0]) for block in self.blocks[:10])
        dates = [found["value"] for found in told if found and key(found["label"]) in _DATE]
        places = [*dates, self.text.title, self.text.path.rpartition("/")[2]]
        return next(filter(None, map(spoken.day_in, places)), "") or self.text.dated

    def _said(self, subject: Named, predicate: str, thing: Named | str, first: int, last: int) -> Statement:
        quote = quote_of(self.text.lines, first, last)
        return Statement(subject, predicate, thing, first, last, quote, rank=NOTES, extractor=EXTRACTOR)

    def _mention(self, thing: Named, first: int, last: int) -> Iterator[Statement]:
        if thing not in self._mentioned and len(self._mentioned) < _MOST_MENTIONS:
            self._mentioned.add(thing)
            yield self._said(self.document, "mentions", thing, first, last)

    def _of_block(self, block: _Block) -> Iterator[Statement]:
        starts = [0]
        for one in block.texts:
            starts.append(starts[-1] + len(one) + 1)
        subject: Named | None = None
        label = _LABEL.match(block.texts[0])
        for begin, end in sentences(block.text, self.text.lang):
            if end - begin > spoken.MOST_CHARS:
                continue
            at, to = (block.lines[bisect_right(starts, place) - 1] for place in (begin, end - 1))
            sentence = block.text[begin:end].replace("\n", " ")
            names = spoken.names_in(sentence, self.text.lang, self.known)
            if not names and re.fullmatch(r"[a-z][\w-]{2,40}", sentence) and at in self._headings:
                names = [spoken.Name(0, len(sentence), Named("", (sentence,)))]
            for found in names:
                if not found.is_weak:
                    yield from self._mention(found.named, at, to)
            if cues.is_plain(sentence, self.text.lang):
                for told in spoken.owners(sentence, names, self.day, moves=True):
                    owns = self._said(told.owner, "owns", told.thing, at, to)
                    yield replace(owns, valid_from=told.since, valid_to=told.until)
                if block.section in _DECISIONS or (label and key(label["label"]) in _DECISIONS):
                    subject = subject or next((one.named for one in names if one.named.type == "Decision"), None)
                    yield from self._decided(subject, sentence, names, at, to)

    def _decided(
        self, subject: Named | None, sentence: str, names: Sequence[spoken.Name], first: int, last: int
    ) -> Iterator[Statement]:
        """Who approved what the item decides, which is the record it names, else what the notes say."""
        for one in names:
            if one.named.type == "Decision" and one.named == subject:
                status = references.status(sentence[one.end :].strip(" :"))
                if status:
                    yield replace(self._said(subject, "status", status, first, last), valid_from=self.day)
        approved = _APPROVED.search(sentence)
        end = approved.end() if approved else -1
        for one in names if approved else ():
            if one.start < end:
                continue
            if one.start > end and not _AND.fullmatch(sentence, end, one.start):
                break
            end = one.end
            if one.named.type in ("", "Person"):
                person = Named("Person", one.named.names) if " " in one.named.shown else one.named
                by = self._said(subject or self.document, "approved_by", person, first, last)
                yield replace(by, valid_from=self.day)

    def _action(self, block: _Block) -> Iterator[Statement]:
        """Of "Ann Lee: write it down, by 31 March"."""
        if self.text.lines[block.lines[0] - 1].lstrip().startswith(("|", "#")):
            return
        found = _OWNER.fullmatch(block.text.replace("\n", " ").strip())
        name = cells.plain(found["who"]).lstrip("@") if found else ""
        person = self.known.get(name) or (Named("Person", (name,)) if " " in name and _is_full(name) else None)
        if found and person:
            yield from self._does(person, found["what"], "", block.lines[0], block.lines[-1])

    def _table_of_actions(self) -> Iterator[Statement]:
        for table in self.seen.tables:
            heads = [key(cells.plain(one)) for one in table.head.cells]
            under = {key(cells.plain(one.text)) for one in table.under}
            who = next((n for n, one in enumerate(heads) if one in _WHO), None)
            what = next((n for n, one in enumerate(heads) if one in _WHAT), None)
            due = next((n for n, one in enumerate(heads) if one in _DUE), None)
            if who is None or what is None or not under & _ACTIONS:
                continue
            for row in table.rows:
                if len(row.cells) > max(who, what):
                    until = row.cells[due] if due is not None and due < len(row.cells) else ""
                    for one in cells.things(row.cells[who], of_people=True) or ():
                        person = self.known.get(one.name) or Named("Person", (one.name,) if one.name else (), one.ids)
                        yield from self._does(person, row.cells[what], until, row.line, row.line)

    def _does(self, person: Named, what: str, due: str, first: int, last: int) -> Iterator[Statement]:
        """That somebody has something to do: the task and its day are the qualifier."""
        by = _BY.search(what) if not due else None
        day = spoken.day_in(due or (what[by.end() :] if by else ""), self.day)
        task = cells.plain(what[: by.start()] if by and day else what).strip(" ,;.(，；。（")[: cells.MOST_VALUE]
        if person.names and person.shown not in self.known:
            self.known = spoken.people([*(one.shown for one in self.known.values()), person.shown])
        yield from self._mention(person, first, last)
        action = self._said(self.document, "action", person.shown, first, last)
        yield replace(action, qualifier=f"{task}; due {day}" if day else task)
