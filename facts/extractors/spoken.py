"""Names, decisions, people, dates and handovers of ownership in running text, as people write it to each other.

What is named is known by its form alone: `code`, an identifier, a capital inside a sentence, a decision's number. Knows
no messages and no notes.
Try: python -c "from facts.extractors.spoken import day_in; print(day_in('from 1 March', '2026-02-03'))"
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, lru_cache
from itertools import chain, pairwise

from facts import Named
from facts.extractors import cells, references
from language.stopwords import FUNCTION_WORDS
from language.when import month_of

MOST_CHARS, MOST_BLOCK = 1000, 10_000
"""Of a sentence, and of a message or paragraph, in characters: what is longer was not written by hand, and is not read.
Cutting 200,000 characters without an end into sentences took 8 s, 10,000 take 0.02 s (2 cores, 30 November 2026)."""
_LETTER = r"[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # Chinese is written to a name without a space
_TOKEN = re.compile(rf"{_LETTER}+(?:[-'’.&/]{_LETTER}+)*")
_NO_NAMES = re.compile(r"https?://\S+|\S+@\S+\.\w+|(?<!\w)#[\w-]+|:[a-z0-9_+-]+:")
_CODE = re.compile(r"(?<!`)`([^`\n]{1,60})`(?!`)")
_AT = re.compile(rf"(?<![\w@])@({_LETTER}[\w.'’-]*(?: [A-ZÀ-Þ][\w'’-]*){{0,2}})")
_WORDS = "decisions?|adr|record|entscheidung|beschluss|decisión|acuerdo|décision|决定|决策|决议"
_DECISION = re.compile(
    rf"(?<![\w/.#-])(?:(?P<prefix>(?:[A-Z][A-Za-z]{{0,11}}-){{0,4}}[A-Z]{{1,11}})[-_ #]{{1,2}}(?P<number>\d{{1,5}})"
    rf"|(?i:(?P<word>{_WORDS}))[-_ ]{{0,2}}(?i:n[or]\.? ?|nº ?|n° ?|#)?(?P<told>\d{{1,5}})"
    r"|(?P<bare>0\d{3}))(?![\w-]|[./:]\d)"
)
_DAYS = tuple(
    re.compile(form)
    for form in (
        r"\d{4}-\d\d(?:-\d\d)?|\d{1,2}\.\d{1,2}\.\d{4}|\d{4}年\d{1,2}月(?:\d{1,2}日)?",
        r"(?<!\d)\d{1,2}(?:\.|st|nd|rd|th|er)? (?:de |of )?[^\W\d]{3,12}\.?(?:,? (?:de )?\d{4})?",
        r"[^\W\d]{3,12} \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?(?!\d)|[^\W\d]{3,12} \d{4}",
    )
)
_ISO = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NO_THING = _set(
    "monday tuesday wednesday thursday friday saturday sunday mondays fridays montag dienstag mittwoch donnerstag freitag samstag "
    "sonntag lunes martes miércoles jueves viernes sábado domingo lundi mardi mercredi jeudi vendredi samedi dimanche "
    "ok okay fyi btw pr id asap eod eta tl dr lol hi hello hey thanks thank nobody none nothing everything everyone both utc cet"
)
_IDIOMS = _set(
    "course example instance fact general time sure call duty place order hand mind night summary short part least charge advance "
    "spring summer autumn winter tonight noon lunch holiday vacation tomorrow details help work feedback free good everybody"
)
_EVERYBODY = frozenset(("here", "channel", "everyone", "all"))
_BARE = tuple(
    re.compile(form)
    for form in (
        r"(?<![\w-])(?:of|in|for|on|from|over|via|through|behind|with|does|has|have) (?P<word>[a-z][a-z0-9]{3,30})(?=[.,;:?!]|$| (?:and|or|is|are|was|has|does|reads?|at|have|from|to|over|by)\b)",
        r"(?:^|[,;:] |(?<![\w-])(?:and|but|so|that|yesterday|today|now|while) )(?P<word>[a-z][a-z0-9]{3,30}) (?=(?:is|was|has|does|reads|sends|runs|needs|uses|writes|keeps|will|can|must|had|and [a-z-]+ (?:are|send|use|need|read))\b)",
    )
)
_VERBS = re.compile(
    r"\s(?:is|are|was|has|does|will|can|stays?|runs|goes|keeps|needs|ist|hat|läuft|bleibt|wird|está|tiene|sigue|est|reste|tourne)\b"
)


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a text, at `start` to `end`."""

    start: int
    end: int
    named: Named
    is_weak: bool = False  # it may be a word that merely begins the sentence


def people(names: Iterable[str]) -> dict[str, Named]:
    """By what a text may call them, the people of these full names; a first name that two of them bear is nobody's."""
    found: dict[str, Named] = {}
    firsts: dict[str, set[str]] = {}
    for name in dict.fromkeys(names):
        found[name] = Named("Person", (name,))
        if " " in name:
            firsts.setdefault(name.split(" ")[0], set()).add(name)
    for first, full in firsts.items():
        if len(full) == 1 and len(first) > 2:
            found.setdefault(first, found[next(iter(full))])
    return found


def names_in(sentence: str, lang: str, known: Mapping[str, Named]) -> list[Name]:
    """What a sentence names, in its order, none over another. `known`: the people that it may name (`people`)."""
    taken = [Name(one.start(), one.end(), Named("")) for one in _NO_NAMES.finditer(sentence)]
    found: list[Name] = []
    forms = (_decisions(sentence), _code(sentence), _mentioned(sentence, known), _known(sentence, known))
    for one in (*chain.from_iterable(forms), *_things(sentence, lang, known)):
        if not any(one.start < other.end and other.start < one.end for other in (*taken, *found)):
            found.append(one)
    return sorted(found, key=lambda one: one.start)


def _decisions(sentence: str) -> Iterator[Name]:
    for one in _DECISION.finditer(sentence):
        if one["prefix"] and not references.is_family(one["prefix"]):
            continue
        names = references.names_of(one["prefix"] or "", one["number"] or one["told"] or one["bare"])
        yield Name(one.start(), one.end(), Named("Decision", names))


def _code(sentence: str) -> Iterator[Name]:
    for one in _CODE.finditer(sentence):
        if cells.is_name(one[1].strip()):
            yield Name(one.start(), one.end(), Named("", (one[1].strip(),)))


def _mentioned(sentence: str, known: Mapping[str, Named]) -> Iterator[Name]:
    for one in _AT.finditer(sentence):
        words = one[1].rstrip(".'’-").split(" ")
        for n in range(len(words), 0, -1):
            name = " ".join(words[:n])
            if name in known or n == 1 or (n == len(words) and len(words) > 1):
                break
        if name.casefold() in _EVERYBODY:
            continue
        is_handle = name not in known and name[:1].islower()
        named = known.get(name) or (Named("Person", (), (f"@{name}",)) if is_handle else Named("Person", (name,)))
        yield Name(one.start(), one.start() + 1 + len(name), named)


def _known(sentence: str, known: Mapping[str, Named]) -> Iterator[Name]:
    for name, named in known.items():
        if " " in name and name in sentence:
            yield from (Name(*one.span(), named) for one in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", sentence))


def _things(sentence: str, lang: str, known: Mapping[str, Named]) -> Iterator[Name]:
    """Identifiers, and runs of words with capitals and figures: "Atlas 2", "Legacy Maps", "plan-store"."""
    run: list[re.Match[str]] = []
    for token in _TOKEN.finditer(sentence):
        if run and not (sentence[run[-1].end() : token.start()] == " " and _goes_on(token[0], run[0][0])):
            yield from _thing(sentence, run, known)
            run = []
        if not run:
            plain = token[0].casefold()
            is_word = plain in _grammar(lang) or plain in _NO_THING or "'" in plain or "’" in plain or _is_month(plain)
            if not (is_word and token[0][1:] == token[0][1:].lower()) and (
                _is_identifier(token[0]) or token[0][0].isupper()
            ):
                run = [token]
                is_first = not any(map(str.isalnum, sentence[: token.start()]))
                if is_first and not _is_identifier(token[0]) and len(token[0]) > 1:
                    rest = _TOKEN.match(sentence, token.end() + 1)
                    if not (rest and sentence[token.end()] == " " and _goes_on(rest[0], token[0])):
                        yield _weak(token, sentence, known)
                        run = []
        else:
            run.append(token)
    if run:
        yield from _thing(sentence, run, known)


def bare(sentence: str, names: Sequence[Name]) -> Iterator[Name]:
    """Words in small letters where English has no word of its own without an article: "a role in identity", "notify is"."""
    for form in _BARE:
        for one in form.finditer(sentence):
            word = one["word"]
            if word not in _grammar("en") | _IDIOMS and not any(
                n.start < one.end("word") and one.start("word") < n.end for n in names
            ):
                yield Name(*one.span("word"), Named("", (word,)))


def _weak(token: re.Match[str], sentence: str, known: Mapping[str, Named]) -> Name:
    name = re.sub(r"['’]s$", "", token[0])
    is_subject = bool(_VERBS.match(sentence, token.end()))
    is_person = name in known
    return Name(
        token.start(),
        token.start() + len(name),
        known.get(name) or Named("", (name,)),
        not (is_subject or is_person),
    )


def _thing(sentence: str, run: Sequence[re.Match[str]], known: Mapping[str, Named]) -> Iterator[Name]:
    start = run[0].start()
    name = re.sub(r"['’]s$", "", sentence[start : run[-1].end()])
    if len(name) > 1 and not name.replace(".", "").isdigit():
        yield Name(start, start + len(name), known.get(name) or Named("", (name,)))


def _goes_on(token: str, first: str) -> bool:
    if not first[0].isupper():
        return False
    is_figure = re.fullmatch(r"\d{1,3}(?:\.\d+)*", token)
    return bool(is_figure) or (token[0].isupper() and not _is_month(token) and token.casefold() not in _NO_THING)


def _is_identifier(token: str) -> bool:
    has_letter = any(c.isalpha() for c in token)
    inner = token[1:] != token[1:].lower() and token != token.upper()
    return (
        has_letter
        and ("-" in token or "_" in token or inner or any(c.isdigit() for c in token))
        and not token[0].isdigit()
    )


@lru_cache(maxsize=4096)
def _is_month(word: str) -> bool:
    return bool(month_of(word))


@cache
def _grammar(lang: str) -> frozenset[str]:
    return FUNCTION_WORDS.get(lang, frozenset()) | FUNCTION_WORDS["en"]


def day_in(text: str, around: str = "") -> str:
    """The first ISO date in a text, "" for none. One without a year is the one nearest to the ISO date `around`."""
    return next((day for _, day in _days(text, around)), "")


def _days(text: str, around: str) -> Iterator[tuple[int, str]]:
    near = date.fromisoformat(around) if _ISO.fullmatch(around) else None
    for one in (one for form in _DAYS for one in form.finditer(text)):
        if found := cells.day(one[0]):
            yield one.start(), found
        elif near and any(c.isdigit() for c in one[0]) and not re.search(r"\d{4}", one[0]):
            days = [day for n in (-1, 0, 1) if (day := cells.day(f"{one[0]} {near.year + n}"))]
            if days:
                yield one.start(), min(days, key=lambda day: abs((date.fromisoformat(day) - near).days))


@dataclass(frozen=True, slots=True)
class Owning:
    """That somebody owns a thing, from one ISO date to another; "" where none is told."""

    owner: Named
    thing: Named
    since: str = ""
    until: str = ""


_TEAM = r"(?:(?:the|team|squad|das team|dem team|l['’]équipe|équipe|el equipo|equipo|团队) ?)*"
_OF_TEAM = r"(?: (?:team|squad))?\)? ?"
_KIND = r"(?:(?:the|service|system|app|el|la|le|das|den|die|der|dem|dienst) ?)*"
_OWNS = re.compile(
    rf"{_OF_TEAM}(?:now |already |jetzt |nun |ahora )?(?:owns?|takes? (?:over|ownership of|responsibility for)|took over|"
    r"(?:has|have) taken over|will (?:own|take over)|(?:is|are) (?:now )?responsible for|is (?:now )?the owner of|übernimmt|übernehmen|"
    r"verantwortet|asume|se (?:hace|hará) cargo de|es responsable de|reprend|prend en charge|est responsable de|接手了?|负责|接管了?)"
    rf"(?: now| jetzt| nun| ahora)? ?{_KIND}"
)
_OWNED = re.compile(
    r"(?: service| system)? ?(?:is now owned by|is owned by|will be owned by|now belongs to|belongs to|gehört(?: jetzt| nun)?(?: zu)?|"
    rf"pertenece(?: ahora)? a|appartient(?: désormais)? à|归|现在归|由) ?{_TEAM}"
)
_GOES = (
    r"(?: service| system)? ?(?:(?:now |will )?(?:goes|go|moves?|is handed(?: over)?|passes|transfers?|is transferred)(?: over)?|"
    r"wechselt|geht|pasa|passe)"
)
_TO = re.compile(rf"{_OF_TEAM}(?:to|zu|an|a|à) {_TEAM}")
_GOES_FROM, _GOES_TO = re.compile(rf"{_GOES} (?:from|von|de) {_TEAM}"), re.compile(rf"{_GOES} (?:to|zu|an|a|à) {_TEAM}")
_SINCE = re.compile(
    r"(?:from|as of|since|starting|effective|on|ab|seit|zum|am|desde el|desde|a partir del?|el|à partir du|depuis le|le|dès le|自|从)\s*$",
    re.I,
)
_TODAY = re.compile(
    r"(?<!\w)(?:as of|from|since|ab|seit|desde|depuis|dès) (?:(today|heute|hoy|aujourd['’]hui)|(?:yesterday|gestern|ayer|hier))"
)
_PRONOUNS = _set(
    "it this that they we you he she which who what everything es das sie wir ça cela elle il esto eso one"
)


def since_in(text: str, around: str) -> str:
    """The ISO date from which a text says that something holds, "" for none: "from 1 March", "since yesterday"."""
    told = _TODAY.search(text.lower())
    if told and len(around) == 10:
        day = date.fromisoformat(around)
        return (day if told[1] else day - timedelta(days=1)).isoformat()
    return next((day for start, day in _days(text, around) if _SINCE.search(text[:start])), "")


def owners(sentence: str, names: Sequence[Name], around: str, moves: bool = False) -> list[Owning]:
    """What a sentence plainly says of ownership; with `moves` also "`x` goes from Inflow to Bedrock on 1 March"."""
    found: list[Owning] = []
    every = _with_bare(sentence, names, moves)
    has_owner = len(every) > 1 and any(form.search(sentence) for form in (_OWNS, _OWNED, _GOES_TO, _GOES_FROM))
    since = since_in(sentence, around) if has_owner else ""
    for n, (one, other) in enumerate(pairwise(every)):
        gap = sentence[one.end : other.start].strip("`")
        third = every[n + 2] if n + 2 < len(every) else None
        is_owned = _OWNED.fullmatch(gap) or (moves and since and _GOES_TO.fullmatch(gap))
        if _OWNS.fullmatch(gap) and _may_own(sentence, one) and _may_be_owned(other):
            found.append(Owning(_owner(sentence, one), other.named, since))
        elif is_owned and _may_own(sentence, other) and _may_be_owned(one):
            found.append(Owning(_owner(sentence, other), one.named, since))
        elif moves and third and since and _GOES_FROM.fullmatch(gap) and _may_be_owned(one):
            between = sentence[other.end : third.start].strip("`")
            if _TO.fullmatch(between) and _may_own(sentence, other) and _may_own(sentence, third):
                found.append(Owning(_owner(sentence, other), one.named, "", since))
                found.append(Owning(_owner(sentence, third), one.named, since))
    return found


def _with_bare(sentence: str, names: Sequence[Name], moves: bool) -> list[Name]:
    """The names, and words in small letters that stand where the thing owned is named."""
    found = [*names]
    before = [_OWNED, _GOES_TO, _GOES_FROM] if moves else [_OWNED]
    for pattern in before:
        for gap in pattern.finditer(sentence):
            word = re.search(r"(?<![\w-])[a-z]\w{2,30}$", sentence[: gap.start()])
            found += [Name(word.start(), word.end(), Named("", (word[0],)))] if word else []
    for gap in _OWNS.finditer(sentence):
        word = re.compile(r"[a-z]\w{2,30}(?![\w-])").match(sentence, gap.end())
        found += [Name(word.start(), word.end(), Named("", (word[0],)))] if word else []
    kept: list[Name] = []
    for one in found:
        bare = one not in names
        if not (bare and (one.named.shown in _PRONOUNS or one.named.shown in _grammar("en"))) and not any(
            one.start < other.end and other.start < one.end for other in kept
        ):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def _may_own(sentence: str, one: Name) -> bool:
    is_code = sentence[one.start : one.start + 1] == "`"
    return one.named.type in ("", "Person", "Team") and not is_code and one.named.shown.lstrip("@")[:1].isupper()


def _may_be_owned(one: Name) -> bool:
    return not one.named.type


def _owner(sentence: str, one: Name) -> Named:
    if one.named.type:
        return one.named
    name = one.named.shown
    names = cells.team_names(name)
    if names:
        return Named("Team", (*names[1:], names[0]))
    around = sentence[max(0, one.start - 12) : one.start].lower(), sentence[one.end : one.end + 6].lower()
    is_team = re.search(r"(?:team|squad|équipe|equipo|团队) ?$", around[0]) or re.match(r" (?:team|squad)\b", around[1])
    return Named("Team" if is_team else "", (name,))
