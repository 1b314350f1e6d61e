"""The JSON that a chat model wrote, also as small models write it: behind thoughts, in fences, bare, inside a string.

What is broken stays broken: a part of a reply that was cut is no reply. Knows no server and no prompt.
Try: python -c "from models.written import entries; print(entries('Well: [{\"n\": 1}]', 'scores'))"
"""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal

_MOST_STARTS = 200  # of what may be JSON: each costs a look, and no reply of sense has more
_MOST_DEEP = 4  # a string that holds an object that holds a string that holds the list
_NOTHING = ("", "none", "null", "n/a")
_WORDS: dict[str, Literal["yes", "no"]] = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}


class NoJSON(ValueError):
    """A reply that holds no JSON of the kind that was asked for."""


def json_text(reply: str) -> str:
    """The JSON in a reply, of several objects after each other their list; "" where there is none, or not all of it."""
    if _loaded(reply) is not _NONE:
        return reply
    found = [*_inside(reply)]
    objects = [text for text in found if text.startswith("{")]
    longest = max(found, key=len, default="")
    best = objects if len(objects) > 1 else [longest]
    rest = reply
    for text in best:
        rest = rest.replace(text, "", 1)
    if any(rest.count(one) != rest.count(other) for one, other in ("{}", "[]")):
        return ""  # what was cut holds whole parts as well
    return f"[{', '.join(best)}]" if len(best) > 1 else longest


def value_of(reply: str) -> Any:
    """What a reply says, a string that holds JSON as what it holds. Raises NoJSON."""
    text = json_text(reply)
    if not text:
        raise NoJSON("The reply is no JSON.")
    value = json.loads(text)
    for _ in range(_MOST_DEEP):
        if not isinstance(value, str) or value.strip()[:1] not in tuple('{["'):
            break
        value = value_of(value)
    return value


def entries(reply: str, name: str, alone: Collection[str] = ()) -> list[Any]:
    """The list that should stand under `name`: there, bare, under another name, inside a string, or its one entry.

    An object is an entry by itself where it has one of the keys `alone`. Raises NoJSON.
    """
    value = value_of(reply)
    for _ in range(_MOST_DEEP):
        if isinstance(value, list):
            several = value and all(isinstance(one, Mapping) and isinstance(one.get(name), list) for one in value)
            return [entry for one in value for entry in one[name]] if several else value
        if value is None or (isinstance(value, str) and value.strip().casefold() in _NOTHING) or value == {}:
            return []
        if isinstance(value, str):
            value = value_of(value)
        elif isinstance(value, Mapping):
            value = _listed(value, name, alone)
        else:
            break
    raise NoJSON(f"The reply holds no list of {name}.")


def answer_of(reply: str, names: Collection[str]) -> Any:
    """What an object says under the first of these names that it has, in a list of one as well; a bare value as it is.

    None where it says nothing there. Raises NoJSON.
    """
    value = value_of(reply)
    for _ in range(_MOST_DEEP):
        if isinstance(value, list):
            value = value[0] if len(value) == 1 else None
        elif isinstance(value, Mapping):
            value = next((value[name] for name in names if name in value), None)
    return value


def word(value: object) -> str:
    """A word that was asked for, as it is compared: lower case, without marks, true as yes and false as no."""
    said = str(value).strip(" .!\n").casefold() if isinstance(value, str | bool) else ""
    return _WORDS.get(said, said)


def _listed(value: Mapping[str, Any], name: str, alone: Collection[str]) -> Any:
    if name in value:
        return value[name]
    if any(key in value for key in alone):
        return [value]
    lists = [part for part in value.values() if isinstance(part, list)]
    if len(lists) != 1:
        raise NoJSON(f"The reply holds no list of {name}.")
    return lists[0]


_NONE = object()


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NONE


def _inside(reply: str) -> Iterator[str]:
    """Every object and list that stands in a text and in none before it."""
    decoder, at = json.JSONDecoder(), 0
    for _ in range(_MOST_STARTS):
        start = min((n for n in (reply.find("{", at), reply.find("[", at)) if n >= 0), default=-1)
        if start < 0:
            return
        try:
            _, at = decoder.raw_decode(reply, start)
        except (ValueError, RecursionError):
            at = start + 1
            continue
        yield reply[start:at]
