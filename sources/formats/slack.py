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
from html import unescape
from typing import Any

from sources.formats import Converted, Limits, Unreadable
from sources.formats.writing import Page, line_of

PEOPLE, CHANNELS = "users.json", "channels.json"
"""The two files at the root of an export."""
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
        "bot_add",
        "bot_remove",
        "reminder_add",
    ),
}
_CODE = re.compile(r"```(.*?)```", re.DOTALL)
_ANGLE = re.compile(r"<([@#!])?([^<>|]*)(?:\|([^<>]*))?>")
_STYLE = re.compile(r"(?<![\w*_~])([*_~])(?=\S)([^*_~\n]*?\S)\1(?![\w*_~])")
_STRUCK = re.compile(r"(?<![\w~`])([*_]?)~(?=\S)[^~\n`]*?(?<=\S)~\1(?![\w~`])")
_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_ITEM = re.compile(r"\s*(?:[•◦▪-]|(\d{1,3}\.))\s+(?=\S)")


def packed(day: bytes, people: bytes) -> bytes:
    """A day's file and `users.json` as the one document that `convert` reads; a person's new name makes it another."""
    try:
        names = _names(json.loads(people))
    except (ValueError, RecursionError):
        names = {}
    said = {key: name for key, name in sorted(names.items()) if key.encode() in day}
    return json.dumps(said, ensure_ascii=True).encode() + b"\n" + day


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
        told = [(n, one) for n, one in enumerate(messages, 1) if one.get("subtype") not in _LEFT_OUT]
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
        label = f"{self._author(message)} ({_clock(_stamp(message, 'ts'))}): "
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

    def _author(self, message: Mapping[str, Any]) -> str:
        key = message.get("user")
        profile = message.get("user_profile")
        told = [self.names.get(key) if isinstance(key, str) else None]
        told += [profile.get("real_name")] if isinstance(profile, dict) else []
        told += [message.get("username"), key, "somebody"]
        return line_of(next(one for one in told if isinstance(one, str) and one.strip()))


def text_of(text: str, names: Mapping[str, str]) -> str:
    """Slack's markup as plain text: people and channels by name, links by their words, no marks, nothing struck."""

    def shown(match: re.Match[str]) -> str:
        kind, target, label = match.groups()
        if kind == "@":
            return "@" + (names.get(target) or label or target).lstrip("@")
        if kind == "#":
            return "#" + (label or target)
        if kind == "!":
            return label or "@" + target.partition("^")[0]
        return label or target.removeprefix("mailto:")

    told = _STYLE.sub(r"\2", _SPAN.sub(r"\1", _STRUCK.sub("", _ANGLE.sub(shown, text))))
    return unescape(told)


def _said(message: Mapping[str, Any]) -> str:
    """The message's text; where it has none, that of its attachments, as bots write."""
    text = message.get("text")
    if isinstance(text, str) and text.strip():
        return text
    found = message.get("attachments")
    parts = []
    for one in found if isinstance(found, list) else ():
        if isinstance(one, dict):
            told = [one.get(key) for key in ("title", "text")] if one.get("text") else [one.get("fallback")]
            parts += [part for part in told if isinstance(part, str)]
    return "\n".join(parts)


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
