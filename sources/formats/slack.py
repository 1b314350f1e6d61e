"""A day of a channel in a Slack export -> Markdown: who said what and when, answers under what they answer.

An export is a folder with `users.json` and `channels.json`; below it `CHANNEL/2025-03-04.json` is one document. Such a
file names people by number only, so its source hands it over together with `users.json` (`packed`). The place of a line
is its message's number in the day: "¶7".
Try: python -c "from sources.formats.slack import text_of; print(text_of('<@U1> hi', {'U1': 'Ann'}))"
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape, unescape
from typing import Any

from sources.formats import Converted, Limits, Unreadable
from sources.formats.writing import CODE, CODE_END, Page, line_of

DAY = re.compile(r"(?:.*/)?(?P<channel>[^/]+)/(?P<day>\d{4}-\d\d-\d\d)\.json")
"""The path of a day's file, below the root of the export."""
_LEFT_OUT = {
    *("channel_join", "channel_leave", "channel_topic", "channel_purpose", "channel_name", "channel_archive"),
    *(
        "channel_unarchive",
        "group_join",
        "group_leave",
        "pinned_item",
        "tombstone",
        "message_deleted",
        "bot_add",
        "bot_remove",
        "reminder_add",
    ),
}
_CODE = re.compile(r"```(.*?)```", re.DOTALL)
_ANGLE = re.compile(r"<([@#!])?([^<>|]*)(?:\|([^<>]*))?>")
_STYLE = re.compile(r"(?<![\w*_~])([*_])(?=\S)([^*_~\n]*?\S)\1(?![\w*_~])")
_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_KEPT = re.compile(f"{CODE}(\\d+){CODE_END}")
_STRUCK = re.compile(r"(?P<kept>```.*?```|`[^`\n]+`|<[^<>]*>)|(?<![\w~])~(?=\S)[^~\n]*?(?<=\S)~(?![\w~])", re.DOTALL)
_WORD = re.compile(r"\w+")
_ITEM = re.compile(r"\s*(?:[•◦▪-]|(\d{1,3}\.))\s+(?=\S)")


def packed(day: bytes, people: bytes) -> bytes:
    """A day's file and `users.json` as the one document that `convert` reads; a person's new name makes it another."""
    try:
        names = _names(json.loads(people))
    except (ValueError, RecursionError):
        names = {}
    said = {key: name for key, name in sorted(names.items()) if key.encode() in day}
    return json.dumps(said, ensure_ascii=True).encode() + b"\n" + day


def is_packed(data: bytes) -> bool:
    """Whether `packed` made it: its first line has people's names by number, and nothing in them."""
    try:
        names = json.loads(data.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(names, dict) and all(isinstance(name, str) for name in names.values())


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    """The day's messages; `data` is what `packed` gives. Raises Unreadable."""
    head, _, day = data.partition(b"\n")
    try:
        names, messages = json.loads(head), json.loads(day)
    except (ValueError, RecursionError) as error:
        raise Unreadable("is no day of a Slack export: no JSON that can be read") from error
    if not isinstance(names, dict) or not isinstance(messages, list):
        raise Unreadable("is no day of a Slack export: no list of messages")
    match = DAY.fullmatch(name.replace("\\", "/"))
    channel, date = (match["channel"], match["day"]) if match else (name, "")
    page = Page(limits)
    page.heading(1, f"{channel}, {date}", "¶1")
    writer = _Day(page, {str(key): str(value) for key, value in names.items()})
    writer.write([one for one in messages if isinstance(one, dict)])
    if not writer.written:
        raise Unreadable("holds no message that anybody wrote")
    return page.converted({"title": f"{channel}, {date}", "date": date}, writer.notes)


class _Day:
    def __init__(self, page: Page, names: Mapping[str, str]) -> None:
        self.page, self.names = page, names
        self.notes: list[str] = []
        self.written = 0

    def write(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Each message with the answers to it, in the order of their times."""
        told = [
            (n, one)
            for n, one in enumerate(messages, 1)
            if one.get("subtype") not in _LEFT_OUT and not one.get("hidden")
        ]
        stamps = {_stamp(one, "ts") for _, one in told}
        answers: dict[str, list[tuple[int, Mapping[str, Any]]]] = {}
        first = []
        for n, one in sorted(told, key=lambda pair: (_seconds(_stamp(pair[1], "ts")), pair[0])):
            thread = _stamp(one, "thread_ts")
            if thread and thread != _stamp(one, "ts") and thread in stamps:
                answers.setdefault(thread, []).append((n, one))
            else:
                first.append((n, one))
        for n, one in first:
            self._message(one, f"¶{n}", "")
            for at, answer in answers.get(_stamp(one, "ts"), ()):
                self._message(answer, f"¶{at}", "> ")

    def _message(self, message: Mapping[str, Any], place: str, before: str) -> None:
        text = _said(message)
        files = message.get("files")
        for file in files if isinstance(files, list) else ():
            if isinstance(file, dict) and isinstance(file.get("name"), str):
                self.notes.append(f"file {line_of(file['name'])[:100]} is not read")
        if not text.strip():
            return
        self.written += 1
        label = f"{self._author(message)} ({_clock(_stamp(message, 'ts'))}{self._answered(message, before)}): "
        for n, part in enumerate(_CODE.split(text)):
            if n % 2:
                self.page.code(unescape(part), place, before=before)
                continue
            lines: list[str] = []
            for line in text_of(part, self.names).split("\n"):
                quote = line.startswith(("> ", ">"))
                item = _ITEM.match(line)
                if quote or item:
                    label = self._lines(lines, label, place, before)
                if item:
                    self.page.item(line[item.end() :], place, 0, item.group(1) or "-", before)
                elif quote:
                    self.page.prose(line.lstrip("> "), place, before + "> ")
                else:
                    lines.append(line)
            label = self._lines(lines, label, place, before)

    def _lines(self, lines: list[str], label: str, place: str, before: str) -> str:
        """Writes the lines so far, after who said them; what is left of the label for the next ones."""
        text = "\n".join(lines).strip()
        lines.clear()
        if text or label:
            self.page.prose(label + text, place, before)
        return ""

    def _answered(self, message: Mapping[str, Any], before: str) -> str:
        """Of an answer whose thread another day began: whose it is and of when."""
        thread = _stamp(message, "thread_ts")
        if before or thread == _stamp(message, "ts") or not _seconds(thread):
            return ""
        whose = self.names.get(_stamp(message, "parent_user_id"), "")
        day = datetime.fromtimestamp(_seconds(thread), UTC)
        return ", in answer to a message of " + (f"{line_of(whose)} of " if whose else "") + f"{day:%Y-%m-%d}"

    def _author(self, message: Mapping[str, Any]) -> str:
        key = message.get("user")
        profile = message.get("user_profile")
        told = [self.names.get(key) if isinstance(key, str) else None]
        told += [profile.get("real_name")] if isinstance(profile, dict) else []
        told += [message.get("username"), key, "somebody"]
        return line_of(next(one for one in told if isinstance(one, str) and one.strip()))


def text_of(text: str, names: Mapping[str, str]) -> str:
    """Slack's markup as plain text: people and channels by name, links by their words, no marks but those of code."""

    def shown(match: re.Match[str]) -> str:
        kind, target, label = match.groups()
        if kind == "@":
            return "@" + (names.get(target) or label or target).lstrip("@")
        if kind == "#":
            return "#" + (label or target)
        if kind == "!":
            return label or "@" + target.partition("^")[0]
        return label or target.removeprefix("mailto:")

    spans: list[str] = []

    def kept(match: re.Match[str]) -> str:
        spans.append(match[1])
        return f"{CODE}{len(spans) - 1}{CODE_END}"

    told = _ANGLE.sub(shown, text.replace(CODE, "").replace(CODE_END, ""))
    styled = _STYLE.sub(r"\2", _SPAN.sub(kept, told))  # in code an asterisk is one
    return unescape(_KEPT.sub(lambda match: f"{CODE}{spans[int(match[1])]}{CODE_END}", styled))


def _said(message: Mapping[str, Any]) -> str:
    """What is seen of a message, in Slack's markup: its text, or its blocks where they say more; its attachments."""
    text = message.get("text")
    text = text if isinstance(text, str) else ""
    blocks = "\n".join(_of_blocks(message.get("blocks")))
    if not set(_WORD.findall(blocks)) <= set(_WORD.findall(text)):
        text = blocks  # the text is for notifications
    parts = [text]
    for one in _dicts(message.get("attachments")):
        told = [one[key] for key in ("pretext", "title", "text") if isinstance(one.get(key), str)]
        told += [
            f"{field.get('title') or ''}: {field.get('value') or ''}".strip(": ") for field in _dicts(one.get("fields"))
        ]
        told += _of_blocks(one.get("blocks"))
        if not any(told):
            told = [one["fallback"]] if isinstance(one.get("fallback"), str) else []
        is_shared = one.get("is_msg_unfurl") or one.get("is_share")  # another one's words
        lines = [line for part in told for line in part.split("\n") if line.strip()]
        parts += ["> " + line for line in lines] if is_shared else lines
    return _STRUCK.sub(lambda match: match["kept"] or "", "\n".join(filter(str.strip, parts)))


def _of_blocks(blocks: object) -> list[str]:
    """The texts of blocks of the kinds that hold words."""
    told = []
    for block in _dicts(blocks):
        if block.get("type") == "rich_text":
            told += [_rich(one) for one in _dicts(block.get("elements"))]
            continue
        if block.get("type") == "table":
            rows = block.get("rows")
            told += [" | ".join(map(_table_cell, _dicts(row))) for row in (rows if isinstance(rows, list) else ())]
            continue
        texts = [block.get("text"), *_dicts(block.get("fields"))]
        texts += _dicts(block.get("elements")) if block.get("type") == "context" else []
        told += [one if isinstance(one, str) else _composed(one) for one in texts]
    return [text for text in told if text.strip()]


def _table_cell(cell: Mapping[str, Any]) -> str:
    inner = _dicts(cell.get("elements"))
    return " ".join(map(_rich, inner)).replace("\n", " ") if inner else _composed(cell)


def _composed(text: object) -> str:
    told = text.get("text") if isinstance(text, dict) else None
    return told if isinstance(told, str) else ""


def _rich(element: Mapping[str, Any]) -> str:
    """A rich text's section, list, quotation or code; what is struck out is left out."""
    kind, inner = element.get("type"), _dicts(element.get("elements"))
    if kind == "rich_text_list":
        return "\n".join("• " + _rich(one) for one in inner)
    told = "".join(map(_run, inner))
    if kind == "rich_text_preformatted":
        return f"```{told}```"
    return "\n".join("> " + line for line in told.split("\n")) if kind == "rich_text_quote" else told


def _run(run: Mapping[str, Any]) -> str:
    def of(key: str) -> str:
        value = run.get(key)
        return escape(value, quote=False) if isinstance(value, str) else ""

    style = run.get("style")
    if isinstance(style, dict) and style.get("strike"):
        return ""
    if isinstance(style, dict) and style.get("code") and "`" not in of("text"):
        return f"`{of('text')}`"
    marked = {
        "user": f"<@{of('user_id')}>",
        "channel": f"<#{of('channel_id')}>",
        "broadcast": f"<!{of('range')}>",
        "link": f"<{of('url')}|{of('text') or of('url')}>",
        "emoji": f":{of('name')}:",
    }
    return marked.get(str(run.get("type")), of("text"))


def _dicts(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _names(people: object) -> dict[str, str]:
    """By number, the name of each person: the real one where it is known."""
    names: dict[str, str] = {}
    for one in people if isinstance(people, list) else ():
        if isinstance(one, dict) and isinstance(one.get("id"), str):
            found = one.get("profile")
            profile = found if isinstance(found, dict) else {}
            told = [profile.get("real_name"), one.get("real_name"), profile.get("display_name"), one.get("name")]
            names[one["id"]] = line_of(next((t for t in told if isinstance(t, str) and t.strip()), one["id"]))
    return names


def _stamp(message: Mapping[str, Any], key: str) -> str:
    value = message.get(key)
    return value if isinstance(value, str) else ""


def _seconds(stamp: str) -> float:
    return float(stamp) if re.fullmatch(r"\d{1,11}(?:\.\d{1,9})?", stamp) else 0.0


def _clock(stamp: str) -> str:
    return f"{datetime.fromtimestamp(_seconds(stamp), UTC):%H:%M} UTC"
