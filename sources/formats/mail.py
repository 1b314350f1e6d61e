"""A mail (.eml) -> Markdown: its subject, who wrote it to whom and when, its text, earlier mails marked as quotes.

Of a mail in two kinds the HTML is read, which is what people see. Attachments are named in the notes and not read. The
place of a line is its block's number: "¶3". Try: python chunk.py answer.eml
"""

import email
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from email.errors import HeaderParseError, MessageError
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime

from sources.decode import Undecodable, decode
from sources.formats import Converted, Limits, Unreadable
from sources.formats import html as web
from sources.formats.writing import Page, line_of

_HEADERS = ("from", "to", "cc", "date", "subject", "message-id", "received", "mime-version")
_ITEM = re.compile(r"\s*([-*•+–]|\d{1,3}[.)])\s+(?=\S)")
_QUOTED = re.compile(r"((?:>[ ]?)+)")
_ORIGINAL = re.compile(
    r"\s*-{2,}\s*(?:original (?:message|appointment)|forwarded message|(?:ursprüngliche|weitergeleitete) nachricht|"
    r"message (?:d['’]origine|transféré)|mensaje (?:original|reenviado)|messaggio originale|oorspronkelijk bericht|"
    r"原始邮件|元のメッセージ)\s*-{2,}\s*|_{20,}",
    re.IGNORECASE,
)
_WROTE = re.compile(  # with a time or a year
    r"(?=.{0,200}(?:\d[:.h]\d\d|\d{4}))(?:on|am|le|el|il|op|em|den)\b.{4,200}?\b"
    r"(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu)\b.{0,100}:",
    re.IGNORECASE,
)
_HISTORY_HEAD = {  # the lines above an earlier mail, as mail programs write them
    "from": re.compile(r"(?:from|von|de|da|van)\s?:", re.IGNORECASE),
    "sent": re.compile(
        r"(?:sent|date|gesendet|datum|envoyé|enviado(?: el)?|fecha|inviato|data|verzonden)\s?:", re.IGNORECASE
    ),
    "to": re.compile(r"(?:to|an|à|para|a|aan)\s?:", re.IGNORECASE),
    "subject": re.compile(r"(?:subject|betreff|objet|asunto|oggetto|onderwerp|assunto)\s?:", re.IGNORECASE),
}
_MARKS = re.compile(r"[\\*|]|__?(?=\w+:)")
_FULL = 55  # characters: a shorter line was ended by the writer, not by the mail program
_MOST_PARTS = 1000
_MOST_LOST, _MOST_LOST_SHARE = 3, 0.2  # characters that cannot be read, also as a share of those beyond ASCII
_CHARSETS = {  # names that mails use, as Python knows them; some mean more on the web than they say
    **dict.fromkeys(("iso-8859-1", "x-ansi"), "cp1252"),
    "us-ascii": "utf-8",
    **dict.fromkeys(("gb2312", "x-gbk", "x-euc-cn", "gbk"), "gb18030"),
    **dict.fromkeys(("iso-8859-8-i", "iso-8859-8-e", "logical"), "iso-8859-8"),
    **dict.fromkeys(("x-sjis", "shift_jis", "shift-jis", "windows-31j", "x-ms-cp932"), "cp932"),
    **dict.fromkeys(("windows-874", "x-windows-874", "tis-620"), "cp874"),
    **dict.fromkeys(("x-mac-roman", "x-macroman"), "mac_roman"),
    **dict.fromkeys(("x-mac-ce", "x-mac-centraleurroman"), "mac_latin2"),
    "x-mac-cyrillic": "mac_cyrillic",
    **dict.fromkeys(("x-euc-jp", "x-eucjp"), "euc_jp"),
    **dict.fromkeys(("x-euc-kr", "ks_c_5601-1987", "euc-kr"), "cp949"),
    **dict.fromkeys(("x-big5", "big5"), "big5hkscs"),
    "unicode-1-1-utf-8": "utf-8",
    "x-utf-8": "utf-8",
}
_NUMBERED_CHARSET = re.compile(r"(?:x-)?(?:cp|ibm|windows|win|dos)[-_]?(\d{3,4})")  # cp-850, x-cp1251
_MUCH_LESS, _ALIKE = 0.25, 0.5  # of the other part's words
_WORD = re.compile(r"(?:https?:|www\.)\S+|\w+")


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    """The mail as a person sees it. Raises Unreadable."""
    if not data.strip():
        raise Unreadable("is empty")
    try:
        message = email.message_from_bytes(data)
        found = _Found(limits)
        _collect(message, found)
    except RecursionError as error:
        raise Unreadable("is nested too deeply") from error
    except (MessageError, ValueError, LookupError, TypeError, AttributeError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(f"is a mail that cannot be read ({' '.join(str(error).split())[:100]})") from error
    if not any(message.get(key) is not None for key in _HEADERS):
        raise Unreadable("is no mail: it begins with no header lines such as From and Subject")
    found.notes += _damage(message, data)
    return _written(message, found, limits)


def _damage(message: Message, data: bytes) -> Iterator[str]:
    """What shows that the mail is not as it was sent."""
    defects = {type(defect).__name__ for part in message.walk() for defect in part.defects}
    if b"\0" in data:
        yield "holds NUL characters: it is damaged, and some of its text may be lacking"
    elif any("Base64" in name for name in defects):
        yield "a part of it is damaged (base64), and some of its text may be lacking"
    if defects & {"CloseBoundaryNotFoundDefect", "StartBoundaryNotFoundDefect"}:
        yield "is cut off: its last part has no end"


@dataclass(slots=True)
class _Found:
    limits: Limits
    texts: list[tuple[str, str]] = field(default_factory=list)  # subtype, text
    notes: list[str] = field(default_factory=list)
    parts: int = 0


def _written(message: Message, found: _Found, limits: Limits) -> Converted:
    page = Page(limits)
    subject = line_of(_header(message, "subject"))
    when, day = _date(message)
    is_html = False
    page.heading(1, subject, page.next_block())
    people = [(key, _people(message, key)) for key in ("From", "To", "Cc")]
    head = [f"{key}: {told}" for key, told in (*people, ("Date", when)) if told]
    for n, line in enumerate(head):
        (page.more if n else page.prose)(line, page.next_block(), "")
    for kind, text in found.texts:
        if kind == "html":
            web.write(text, page)
            is_html = True
        else:
            _Plain(page).write(text)
    if not any(line_of(text) for _, text in found.texts):
        found.notes.append("the mail has no text of its own")
    sender = people[0][1]
    made = page.converted({"title": subject, "date": day, "owner": sender.partition(" (")[0]}, found.notes)
    return _with_history(made, len(head) + 1) if is_html else made


def _with_history(made: Converted, blocks: int) -> Converted:
    """With the earlier mails below the answer as quotes; `blocks` are those of the mail's own head."""
    lines = made.text.split("\n")
    places = enumerate(made.places)
    body = next((n for n, place in places if place[1:].isdecimal() and int(place[1:]) > blocks), len(lines))
    start = _history(lines[body:])
    if start is None:
        return made
    while start and lines[body + start - 1].startswith("|"):  # the whole table
        start -= 1
    in_code = False
    for n in range(body + start, len(lines)):
        in_code ^= lines[n].lstrip("> ").startswith("```")
        lines[n] = f"> {lines[n]}" if lines[n] or in_code else ""
    return replace(made, text="\n".join(lines))


def _history(lines: Sequence[str]) -> int | None:
    """The first line of an earlier mail that no ">" marks."""
    told = [(n, _MARKS.sub("", line).strip()) for n, line in enumerate(lines) if line.strip()]
    for at, (n, line) in enumerate(told):
        following = [after for _, after in told[at + 1 : at + 7]]
        if _ORIGINAL.fullmatch(line) and not line.startswith("_"):
            return n
        if _HISTORY_HEAD["from"].match(line):
            kinds = {kind for kind, form in _HISTORY_HEAD.items() if any(map(form.match, following))}
            if "sent" in kinds and kinds & {"to", "subject"}:
                return n
        for several in (1, 2, 3):  # lines that it may take
            if _WROTE.fullmatch(" ".join([line, *following[: several - 1]])):
                rest = told[at + several :]
                return rest[0][0] if rest and not rest[0][1].startswith(">") else None
    return None


def _collect(part: Message, found: _Found) -> None:
    """Gathers texts and names of attachments."""
    found.parts += 1
    if found.parts > _MOST_PARTS:
        raise Unreadable(f"has more than {_MOST_PARTS} parts")
    kind = part.get_content_type()
    if kind == "multipart/encrypted" or (kind.endswith("pkcs7-mime") and "signed" not in str(part.get("content-type"))):
        raise Unreadable("is encrypted")
    name = _decoded(str(part.get_filename() or ""))
    attached = str(part.get("content-disposition") or "").strip().lower().startswith("attachment")
    if kind == "message/rfc822" or attached or (name and not part.is_multipart()):
        inner = part.get_payload(0) if kind == "message/rfc822" and part.is_multipart() else None
        name = name or (_header(inner, "subject") if isinstance(inner, Message) else "")
        found.notes.append(f"attachment {line_of(name)[:100] or kind} is not read")
    elif kind == "multipart/alternative" and part.is_multipart():
        choices = []
        for one in _children(part):
            choice = _Found(found.limits, parts=found.parts)
            _collect(one, choice)
            found.parts = choice.parts
            found.notes += choice.notes
            choices.append(choice.texts)
        found.texts += _chosen(choices, found)
    elif part.is_multipart():
        for one in _children(part):
            _collect(one, found)
    elif kind in ("text/plain", "text/html"):
        found.texts.append((kind[5:], _text(part, found)))
    elif not kind.startswith("image/"):
        found.notes.append(f"a part of kind {line_of(kind)[:60]} is not read")


def _chosen(choices: list[list[tuple[str, str]]], found: _Found) -> list[tuple[str, str]]:
    """Of alternatives the one that people see: the HTML, unless it says much less than the plain text."""
    said = [(_words(texts, found.limits), texts) for texts in choices]
    said = [(words, texts) for words, texts in said if words]
    html = next(((words, texts) for words, texts in reversed(said) if "html" in dict(texts)), None)
    plain = next(((words, texts) for words, texts in said if "html" not in dict(texts)), None)
    if html is None or plain is None:
        return (html or plain or ([], []))[1]
    seen, unseen = set(html[0]), set(plain[0])
    less = len(html[0]) < _MUCH_LESS * len(plain[0])
    if less or len(seen & unseen) < _ALIKE * len(seen | unseen):
        found.notes.append(f"its plain text and its HTML differ much: the {'plain text' if less else 'HTML'} is read")
    return plain[1] if less else html[1]


def _words(texts: list[tuple[str, str]], limits: Limits) -> list[str]:
    """The words that are seen, without addresses of pages."""
    told = ""
    for kind, text in texts:
        page = Page(limits)
        try:
            told += "\n" + text if kind == "plain" else ""
            if kind == "html":
                web.write(text, page)
                told += "\n" + page.converted().text
        except Unreadable:  # it has no text
            continue
    return [word for word in _WORD.findall(told.lower()) if not word.startswith(("http", "www."))]


def _children(part: Message) -> Iterator[Message]:
    payload = part.get_payload()
    yield from (one for one in (payload if isinstance(payload, list) else ()) if isinstance(one, Message))


def _text(part: Message, found: _Found) -> str:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    charset = str(part.get_content_charset() or "").strip("\"'")
    try:
        text = data.decode(_codec(charset))
    except (LookupError, ValueError):
        try:
            text = decode(data).text
        except Undecodable as error:
            text = data.decode("utf-8", "replace")
            beyond = sum(char > "\x7f" for char in text)
            is_lost = text.count("\ufffd") > max(_MOST_LOST, beyond * _MOST_LOST_SHARE)
            found.notes.append(f"a part of its text {error}" + (" (it is left out)" if is_lost else ""))
            text = "" if is_lost else text
    flowed = str(part.get_param("format") or "").lower() == "flowed"
    return _unflowed(text, str(part.get_param("delsp") or "").lower() == "yes") if flowed else text


def _codec(charset: str) -> str:
    numbered = _NUMBERED_CHARSET.fullmatch(charset)
    return _CHARSETS.get(charset) or (f"cp{numbered[1]}" if numbered else charset or "utf-8")


def _unflowed(text: str, without_space: bool) -> str:
    """Lines that a mail program broke (they end in a space) made whole again."""
    lines: list[str] = []
    goes_on = False
    for line in text.replace("\r\n", "\n").split("\n"):
        mark = re.match(r">*", line)
        depth = mark.end() if mark else 0
        content = line[depth:].removeprefix(" ")
        before = re.match(r">*", lines[-1]) if lines else None
        if goes_on and before and before.end() == depth:
            lines[-1] = (lines[-1][:-1] if without_space else lines[-1]) + content
        else:
            lines.append(line[:depth] + (" " if depth else "") + content)
        goes_on = content.endswith(" ") and content != "-- "
    return "\n".join(lines)


class _Plain:
    """Writes the plain text of a mail: paragraphs, lists, quoted mails as quotes."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lines: list[str] = []  # of the open paragraph
        self.depth = 0
        self.marker = ""  # of the open item

    def write(self, text: str) -> None:
        """Writes it whole."""
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        earlier = _history(lines)
        history = 0
        for n, line in enumerate(lines):
            if n == earlier:
                self._end()
                history = 1
            mark = _QUOTED.match(line)
            depth = mark.group().count(">") if mark else 0
            content = line[mark.end() :] if mark else line
            if line.rstrip("\n") == "-- ":  # what follows is a signature
                self._end()
                continue
            if not depth and _ORIGINAL.fullmatch(line):
                self._end()
                history = 1
                continue
            depth += history
            if depth != self.depth or not content.strip():
                self._end()
            self.depth = depth
            if item := _ITEM.match(content):
                self._end()
                self.marker = item.group(1) if item.group(1)[0].isdigit() else "-"
                content = content[item.end() :]
            if content.strip():
                self.lines.append(content)
        self._end()

    def _end(self) -> None:
        told = ""
        for line in self.lines:
            told += line.strip() + (" " if len(line) >= _FULL or self.marker else "\n")
        if told and self.marker:
            self.page.item(told, self.page.next_block(), 0, self.marker, self._before())
        elif told:
            self.page.prose(told, self.page.next_block(), self._before())
        self.lines, self.marker = [], ""

    def _before(self) -> str:
        return "> " * min(self.depth, 5)


def _header(message: Message, name: str) -> str:
    raw = next((value for key, value in message.raw_items() if key.lower() == name), "")
    return _decoded(str(raw))


def _decoded(raw: str) -> str:
    """A header's text: encoded words read, bytes beyond ASCII taken as UTF-8."""
    told = raw.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        pieces = decode_header(" ".join(told.split()))
    except (HeaderParseError, ValueError):
        return told
    words = ""
    for piece, charset in pieces:
        if isinstance(piece, str):
            words += piece
        else:
            try:
                words += piece.decode(_codec((charset or "").lower()), "replace")
            except (LookupError, ValueError):
                words += piece.decode("utf-8", "replace")
    return words


def _people(message: Message, name: str) -> str:
    raw = [str(value) for key, value in message.raw_items() if key.lower() == name.lower()]
    told = []
    for person, address in getaddresses([" ".join(value.split()) for value in raw])[:50]:
        person = line_of(_decoded(person))
        told.append(f"{person} ({line_of(address)})" if person and address and person != address else person or address)
    return ", ".join(filter(None, map(line_of, told))) or line_of(", ".join(map(_decoded, raw)))


def _date(message: Message) -> tuple[str, str]:
    """When it was written, as told and as a day; the header as it is when it is no date."""
    raw = line_of(_header(message, "date"))
    try:
        when = parsedate_to_datetime(raw)
        return f"{when:%Y-%m-%d %H:%M}", f"{when:%Y-%m-%d}"
    except (TypeError, ValueError, IndexError, OverflowError):
        return raw, ""
