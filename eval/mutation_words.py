"""Faults in words: names, negation, modality, quotations, subjects, comparisons. See eval/mutation_kinds.py.

Knows no checker. Try: python -m eval.mutations --data ~/public-data --kind subject --show 10
"""

import random
import re
from collections.abc import Iterable

from eval.mutation_kinds import KINDS, Fault, Kind, Place, stands_in
from eval.mutation_more import MORE_KINDS
from eval.rewordings import MONTHS, upper_first

_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_NO_NAME = frozenset(
    [
        *MONTHS, *_DAYS, *(d + "s" for d in _DAYS),
        *["I", "OK", "A", "The", "An", "FAQ", "PDF", "URL", "If", "You", "We", "Your", "Our", "They", "It", "This", "That", "These", "Those", "When", "For", "To", "In", "On", "At", "Please", "See", "Yes", "No", "Not", "All", "Each", "Any", "How", "What", "Who", "Why", "Where", "Which", "May", "Must", "Employees", "Friday", "U.S", "US", "USD", "EUR", "Markdown", "Internet", "AM", "PM", "ET", "EST", "UTC"],
    ]
)  # fmt: skip
_NAME = re.compile(r"(?<=[a-z,] )(?:[A-Z][\w&’'-]*[\w])(?: (?:of |for |and the )?[A-Z][\w&’'-]*\w){0,4}(?![\w@])")
_ROLES = (
    "supervisor", "manager", "facilitator", "project lead", "contracting officer", "codebase steward", "chief executive",
    "treasurer", "onboarding buddy", "team lead", "board of directors", "office manager", "travel team", "general assembly",
    "outreach team", "security team", "talent team", "contractors", "interns", "operations coordinator", "staff members",
    "communications coordinator", "account manager",  "engagement manager", "secretary", "accountant",
)  # fmt: skip
_PLURAL_ROLES = ("contractors", "interns", "staff members")
_ROLE = re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(_ROLES, key=len, reverse=True))})(?![\w-]|['’]s)")


def _words(text: str) -> set[str]:
    return {w.lower().rstrip("s") for w in re.findall(r"\w{2,}", text)}


def _related(one: str, other: str) -> bool:
    """Whether two names may be the same thing: a shared word, or one the other's initials."""
    initials = ["".join(w[0] for w in re.findall(r"\b[A-Za-z]", name)).lower() for name in (one, other)]
    bare = [re.sub(r"\W|s$", "", name).lower() for name in (one, other)]
    short = bare[0] in bare[1] or bare[1] in bare[0] or initials[0] == bare[1] or initials[1] == bare[0]
    return short or bool(_words(one) & _words(other))


def _names(text: str) -> list[str]:
    found = dict.fromkeys(f for f in _NAME.findall(text) if f not in _NO_NAME and len(f) > 1)
    return [name for name in found if not set(name.split()) & set(_DAYS) and not re.search(r"\d|^[A-Z]['’]", name)]


def name(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """A person, team or system by another one, of a distractor or from elsewhere in the same passage or document."""
    if place.lang == "de":
        places = [
            f
            for f in re.finditer(r"\b[A-Z]{2,5}\b|\b[A-Z][\w-]+ [A-Z][\w-]+\b", claim)
            if f.start() and f[0] in place.passage
        ]
    else:
        places = [f for f in _NAME.finditer(claim) if f[0] in _names(claim)]
    roles = list(_ROLE.finditer(claim)) if place.lang == "en" else []
    places = [f for f in places + roles if stands_in(place.passage, f[0]) and _is_free(claim, f)]
    rng.shuffle(places)
    nearby, far = ([n for n in _names(text) if _is_proper(n, place)] for text in (place.passage, place.strangers))
    for found in places:
        before = claim[: found.start()]
        if found in roles:
            free = [r for r in _ROLES if (r in _PLURAL_ROLES) == (found[0] in _PLURAL_ROLES)]
            bosses = ("manager", "supervisor", "team lead", "project lead")  # one page says one, the next the other
            free = [r for r in free if r not in bosses or found[0] not in bosses]
            free = [r for r in free if not stands_in(place.passage, r) and not _related(r, found[0])]
            free = [
                r for r in free if (r[0] in "aeiou") == (found[0][0] in "aeiou") or not re.search(r"\ban? $", before)
            ]
        else:
            pool = nearby if rng.random() < 0.35 else far
            free = [n for n in pool if _same_shape(n, found[0]) and not _related(n, found[0])]
            free = [n for n in free if n not in claim and n not in place.sentence]
            if pool is far:
                free = [n for n in free if not stands_in(place.passage, n)]
            free = [
                n for n in free if (n[0] in "AEIOU") == (found[0][0] in "AEIOU") or not re.search(r"\ban? $", before)
            ]
        if free:
            planted = rng.choice(free)
            return Fault(before + planted + claim[found.end() :], planted)
    return None


def _is_free(claim: str, found: re.Match[str]) -> bool:
    """Whether it is a name of its own: no part of `van der Does`, nothing explained in brackets behind it."""
    before, after = claim[: found.start()], claim[found.end() :]
    opening = re.fullmatch(r"(?:.*[.!?:] )?([A-Z]\w*) ", before)
    if opening and opening[1] not in _NO_NAME:
        return False  # `Osio Labs pays`: only half of it
    return not re.search(r"\b(?:van|der|de|von) $|\d $", before) and not re.match(r" \(|['’]\w{2}|-|/| \d", after)


def _is_proper(name: str, place: Place) -> bool:
    """Whether a capital means a name: no word that the same texts write small, nothing run into a heading."""
    words = name.split()
    if any(word in _NO_NAME for word in words) or len(set(words)) < len(words):
        return False
    return (
        len(words) > 1
        or name.isupper()
        or not (stands_small(place.passage, name) or stands_small(place.strangers, name))
    )


def stands_small(text: str, word: str) -> bool:
    """Whether `word` is also written with a small letter in `text`, in the singular or plural."""
    small = word[0].lower() + word[1:].removesuffix("s")
    return re.search(rf"\b{re.escape(small)}", text) is not None


def _same_shape(one: str, other: str) -> bool:
    return one.isupper() == other.isupper() and abs(len(one.split()) - len(other.split())) <= 1


_NOT_IN = (
    (r"\b(cannot|can['’]t)\b", "can"), (r"\b(must|should|may|will|can|could) not\b", r"\1"), (r"\bwon['’]t\b", "will"),
    (r"\b(is|are|was|were) not\b(?! (?:only|just|necessarily))", r"\1"), (r"\b(isn|aren|wasn|shouldn)['’]t\b", {"isn": "is", "aren": "are", "wasn": "was", "shouldn": "should"}),
    (r"\b[Dd]o not (?=[a-z])", ""), (r"\b[Dd]on['’]t (?=[a-z])", ""), (r"\bdoes(?: not|n['’]t)\b(?! necessarily)", "does"),
    (r"\b([Nn])ever\b", {"n": "always", "N": "Always"}), (r"\balways\b", "never"), (r"\bwithout\b", "with"), (r"\bno longer\b", "still"),
)  # fmt: skip
_FOREIGN_NOT = {
    "de": (
        r"\b(ist|sind|kann|können|muss|müssen|darf|dürfen|soll|sollen|wird|werden|sollten|sollte)\b",
        r"\1 nicht",
        r" nicht\b",
    ),
    "fr": (
        r"\b(est|sont|peut|peuvent|doit|doivent|peuvent|pouvez|devez)\b",
        r"ne \1 pas",
        r"\b(?:ne |n['’])(\w+) pas\b",
    ),
    "es": (r"(?<!no )\b(es|son|puede|pueden|debe|deben|está|están|tiene|tienen|hay)\b", r"no \1", r"\b[Nn]o (?=\w)"),
}


def negation(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """A `not` taken out or put in, `never` for `always`, `no longer`."""
    if place.lang != "en":
        return _foreign_negation(claim, place)
    for pattern, new in _NOT_IN:
        found = re.search(pattern, claim)
        if found:
            said = new[found[1]] if isinstance(new, dict) else found.expand(new)
            rest = claim[found.end() :]
            if re.search(r"\b(?:or|nor|any|either|anyone|anything|yet|until|but|instead)\b", rest) and said in (
                "can",
                "",
            ):
                continue
            return Fault(upper_first(claim[: found.start()] + said + rest), "")
    main = re.search(
        r"\b(is|are|was|were|must|should|will|can|(?<=[Yy]ou )may|(?<=ees )may)\b (?!not\b|be\b$|no\b|only\b|n['’]t|never|nothing|none)",
        claim,
    )
    if main is None or re.search(
        r"\bnot only\b|\bno one\b|\b[Nn]o \w+ (?:is|are|will|can)\b|\b(?:neither|nor|nobody|nothing|none)\b|n['’]t\b|\bnot\b|^There\b",
        claim,
    ):
        return None
    if (
        main[1] in ("is", "are")
        and rng.random() < 0.25
        and not re.search(r"\b(?:responsible for|ing)\b", claim[main.end() :][:12])
    ):
        return Fault(f"{claim[: main.end(1)]} no longer{claim[main.end(1) :]}", "no longer")
    word = "never" if main[1] in ("will", "can", "must") and rng.random() < 0.2 else "not"
    planted = "cannot" if main[1] == "can" and word == "not" else f"{main[1]} {word}"
    return Fault(claim[: main.start()] + planted + claim[main.end(1) :], word)


def _foreign_negation(claim: str, place: Place) -> Fault | None:
    put, new, out = _FOREIGN_NOT[place.lang]
    if found := re.search(out, claim):
        kept = found[1] if found.re.groups else ""
        return Fault(upper_first(claim[: found.start()] + kept + claim[found.end() :]), "")
    found = re.search(put, claim)
    if found is None or re.search(
        r"\b(?:kein\w*|nie|aucune?|jamais|rien|nunca|ningun\w*|ningún|sin|sans|que des?)\b|nicht", claim
    ):
        return None
    if place.lang == "de":  # the German `nicht` stands before what is denied, most safely before the last phrase
        rest = claim[found.end() :]
        if not re.match(
            r" (?:für|in|bei|an|auf|mit|vor|nach|innerhalb|von|bis|über|am|im|zur?|zum|höchstens|mindestens)\b", rest
        ):
            return None
    if place.lang == "fr" and found[1][0] in "e":
        return Fault(claim[: found.start()] + f"n'{found[1]} pas" + claim[found.end() :], "pas")
    return Fault(claim[: found.start()] + found.expand(new) + claim[found.end() :], "nicht")


_BEFORE_DUTY = "".join(
    f"(?<!{word} )"
    for word in (
        "will",
        "would",
        "might",
        "may",
        "also",
        "n't",
        "n’t",
        "not",
        "to",
        "could",
        "does",
        "'ll",
        "’ll",
        "only",
        "still",
        "never",
    )
)
_MODAL = (
    (r"\bmust(?! not\b)(?! have\b)", ("may", "can")), (r"\bmust not\b", ("may",)), (r"\bmay not\b", ("must",)),
    (r"(?<!that )\bmay(?! not\b)(?! (?:be|have|also|want|need)\b)", ("must",)),
    (r"(?<!also )\b(?:is|are) required\b", ("OPTIONAL",)), (r"\b(?<!not )mandatory\b", ("optional",)), (r"\b(?<!not )optional\b", ("required", "mandatory")),
    (r"\b(?<!not )(?<!the )required(?= (?:to|for|by|if|when|before|in|at|on)\b)", ("optional",)),
    (_BEFORE_DUTY + r"\b(?:need|have) to\b", ("may", "can")),
    (_BEFORE_DUTY + r"\b(?:needs|has) to\b", ("may",)), (r"\bare encouraged to\b", ("are required to", "must")), (r"\bis encouraged\b", ("is required",)),
    (r"\brecommended\b", ("required",)), (r"\b(?<!not )(?<!n['’]t )allowed to\b", ("forbidden to", "required to")),
    (r"\b(?<!not )(?<!n['’]t )eligible for\b", ("excluded from",)), (r"\bprohibited\b", ("permitted",)),
    (r"\bexcept\b(?! that)", ("including",)), (r"\bunless\b", ("if",)), (r"\bUnless\b", ("If",)), (r"\bat all times\b", ("at times",)),
    (r"\bshould(?! not\b)(?! have\b)(?! also| only| never)", ("must not",)), (r"(?<!not )(?<!but )\bonly(?! (?:if|have|one|a)\b)", ("not only",)),
    (r"(?<=\byou )can(?! not\b)(?! also)|(?<=\bthey )can(?! also)|(?<=[Yy]ou )can(?! also)|(?<=[Ee]mployees )can(?! also)", ("must", "have to")),
)  # fmt: skip
_FOREIGN_MODAL = {
    "de": ((r"\bmuss\b", "kann"), (r"\bmüssen\b", "können"), (r"\bkann\b", "muss"), (r"\bkönnen\b", "müssen"), (r"\bdarf\b(?! nicht)", "muss"), (r"\bdürfen\b(?! nicht)", "müssen"), (r"\bnur\b", "nicht nur")),
    "fr": ((r"\bdoit\b", "peut"), (r"\bdoivent\b", "peuvent"), (r"\bpeut\b", "doit"), (r"\bpeuvent\b", "doivent"), (r"\bpouvez\b", "devez"), (r"\bdevez\b", "pouvez"), (r"\bobligatoire", "facultati")),
    "es": ((r"\bdebe\b", "puede"), (r"\bdeben\b", "pueden"), (r"\bpuede\b", "debe"), (r"\bpueden\b", "deben"), (r"\btienen que\b", "pueden"), (r"\btiene que\b", "puede"), (r"\bsolo\b", "no solo")),
}  # fmt: skip


def modality(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """Duty by permission or the other way round, `only`, `except` and `unless` turned."""
    if place.lang != "en":
        for pattern, new in _FOREIGN_MODAL[place.lang]:
            found = re.search(pattern, claim)
            if found and new != "facultati":
                return Fault(claim[: found.start()] + new + claim[found.end() :], new)
        return None
    fits = [(found, news) for pattern, news in _MODAL if (found := re.search(pattern, claim))]
    if not fits:
        return None
    found, news = rng.choice(fits)
    new = rng.choice(news)
    if found.start() == 0:
        new = upper_first(new)
    if new == "OPTIONAL":
        verb = found[0].split()[0]
        infinitive = claim[found.end() :].startswith(" to ")
        new = {"is": "is free", "are": "are free"}[verb] if infinitive else f"{verb} optional"
    if new == "if" and re.search(r"\b(?:otherwise|if)\b", claim):
        return None
    changed = claim[: found.start()] + new + claim[found.end() :]
    return Fault(upper_first(re.sub(r" {2,}", " ", changed)), new)


_QUOTED = re.compile(r"[“\"„«]([^“”\"„«»]{12,})[”\"“»]")
_TAILS = ("ing", "ed", "tion", "ly", "ment", "s")
_COMMON = frozenset([
    "this", "that", "with", "from", "have", "will", "must", "should", "they", "them", "your", "their", "there",
    "these", "those", "which", "when", "what", "where",
])  # fmt: skip


def quotation(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """A quoted string altered by one word; a sentence without one becomes a quotation first."""
    found = _QUOTED.search(claim)
    if (
        found
        and found[1].rstrip(".") not in place.passage
        and found[1].lower().rstrip(".,") not in place.passage.lower()
    ):
        return None
    if found is None:
        if claim.rstrip(".") not in place.passage or '"' in claim or "“" in claim:
            return None
        claim = f'The document says: "{claim}"'
        found = _QUOTED.search(claim)
        if found is None:
            return None
    words = [w for w in re.finditer(r"(?<![\w@./#'’-])[a-z]{4,}(?![\w@/'’-])", found[1]) if w[0] not in _COMMON]
    rng.shuffle(words)
    stock = sorted(set(re.findall(r"(?<![\w@./#'’-])[a-z]{4,}(?![\w@/'’-])", place.strangers)) - _COMMON)
    for word in words:
        free = [
            w for w in stock if _tail(w) == _tail(word[0]) and not stands_in(place.passage, w) and w[:4] != word[0][:4]
        ]
        free = [w for w in free if abs(len(w) - len(word[0])) <= 3]
        if free:
            planted = rng.choice(free)
            at = found.start(1)
            return Fault(claim[: at + word.start()] + planted + claim[at + word.end() :], planted)
    return None


def _tail(word: str) -> str:
    return next((tail for tail in _TAILS if word.endswith(tail)), "")


_SUBJECT = re.compile(
    r"(?P<subject>(?:The|A|An|Our|Your|All|Each|Every|This)? ?(?:[\w’'/&-]+ ){0,4}?[\w’'/&-]+) (?P<verb>is|are|was|were|must|may|can|should|will|has|have|needs?|provides?|includes?|uses?|handles?|manages?|supports?|means|covers?)\b (?P<rest>.+)"
)
_PRONOUN = re.compile(
    r"\b(?:you|it|this|that|these|those|they|we|there|he|she|i|who|what|which|if|when|here|one|some|please|also|employees|to|by|for|in|on|as|and|how|why|where|after|before|unless|better|until|since|although|only|no|once|while|because|not|both|everyone|anyone|people|most|many)\b", re.I
)  # fmt: skip
_FIGURE = re.compile(
    r"(?<![\w.,$€])(?:[$€]\d[\d,.]*\d|[$€]\d|\d[\d,]*(?:\.\d+)?%|\d[\d,]*)(?: (?:business |calendar |working )?(?:days?|hours?|weeks?|months?|years?|minutes?|percent|USD|EUR)\b)?"
)


def subject(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """What the passage says of one thing said of another: another row's value, another item's text, another subject."""
    ways = [_other_cell, _other_subject, _other_figure]
    for way in ways if rng.random() < 0.7 else ways[::-1]:
        if fault := way(claim, place, rng):
            return fault
    return None


def _other_cell(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """`Term: text` with the text of another row or item."""
    head, colon, tail = claim.partition(": ")
    if not place.items or not colon or len(head.split()) > 5 or '"' in claim:
        return None
    mine = tail.rstrip(".")
    free = [cell for cell in place.items if cell.rstrip(".").lower() != mine.lower() and not _overlap(cell, mine)]
    if not free:
        return None
    planted = rng.choice(free).rstrip(".")
    return Fault(f"{head}: {planted}.", planted)


def _overlap(one: str, other: str) -> bool:
    """Whether two cells say much the same; what both begin with (the column's name) does not count."""
    a, b = one.lower().split(), other.lower().split()
    while a and b and a[0] == b[0]:
        a, b = a[1:], b[1:]
    mine, its = set(a), set(b)
    return not mine or not its or len(mine & its) / min(len(mine), len(its)) > 0.6


def _other_subject(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """The sentence told of what a neighbouring sentence is about."""
    mine = _SUBJECT.fullmatch(claim)
    if mine is None or place.lang != "en" or _PRONOUN.search(mine["subject"]) or mine["rest"].startswith("that "):
        return None
    free = []
    for sentence in place.others:
        other = _SUBJECT.fullmatch(sentence)
        if other is None or _PRONOUN.search(other["subject"]) or other["subject"].startswith(("This ", "A ", "Folks")):
            continue
        if _plural(other["verb"], other["subject"]) != _plural(mine["verb"], mine["subject"]):
            continue
        if not _related(other["subject"], mine["subject"]) and not _words(other["subject"]) & _words(mine["rest"]):
            free.append(other["subject"])
    if not free:
        return None
    planted = rng.choice(free)
    return Fault(planted + claim[mine.end("subject") :], planted)


def _plural(verb: str, noun: str) -> bool:
    if verb in ("is", "was", "has") or (verb.endswith("s") and verb != "means"):
        return False
    return verb in ("are", "were", "have") or bool(re.search(r"[^s]s$|people|staff", noun))


def _other_figure(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """The figure that another sentence of the passage gives for another thing."""
    for found in rng.sample(mine := list(_FIGURE.finditer(claim)), len(mine)):
        if (
            not re.search(r"[$€%]|[a-z]", found[0])
            or re.search(r"[\w./#-]$", claim[: found.start()])
            or re.match(r"[\w/:-]", claim[found.end() :])
        ):
            continue
        shape = re.sub(r"[\d,.]+", "0", found[0]).rstrip("s")
        pool = {
            f
            for sentence in place.others
            for f in _FIGURE.findall(sentence)
            if re.sub(r"[\d,.]+", "0", f).rstrip("s") == shape
        }
        free = sorted(f for f in pool if not stands_in(place.sentence, f.split()[0]) and f.split()[0] not in claim)
        if free:
            planted = rng.choice(free)
            return Fault(claim[: found.start()] + planted + claim[found.end() :], planted)
    return None


_TURNS = (
    ("more than", "less than"), ("more than", "fewer than"), ("at least", "at most"), ("up to", "at least"), ("maximum", "minimum"),
    ("no more than", "no less than"), ("longer than", "shorter than"), ("no later than", "no earlier than"), ("greater than", "less than"),
    ("higher than", "lower than"), ("earlier than", "later than"), ("less", "more"), ("larger", "smaller"), ("within", "after"),
    ("mindestens", "höchstens"), ("mehr als", "weniger als"), ("vor", "nach"), ("bis zu", "mindestens"), ("au moins", "au plus"),
    ("plus de", "moins de"), ("avant", "après"), ("jusqu'à", "au moins"), ("al menos", "como máximo"), ("más de", "menos de"),
    ("antes de", "después de"), ("hasta", "al menos"),
)  # fmt: skip
_FIGURE_NEXT = (
    r"(?= (?:the |a |an |about |approximately )?[$€]?(?:\d|one |two |three |four |five |six |ten |twelve |thirty ))"
)


def _turns() -> Iterable[tuple[str, str]]:
    for one, other in _TURNS:
        ends = _FIGURE_NEXT if one in ("within", "up to", "less", "bis zu", "hasta", "jusqu'à", "vor") else ""
        yield rf"(?<!no )(?<!little )\b{one}\b(?! a little){ends}", other
        if one not in ("within", "up to", "less", "bis zu", "hasta", "jusqu'à", "higher"):
            yield rf"(?<!no )\b{other}\b{_FIGURE_NEXT if other in ('nach',) else ''}", one
    for one, other in (("over", "under"), ("above", "below"), ("under", "over"), ("below", "above")):
        yield rf"\b{one}\b{_FIGURE_NEXT}", other
    for one, other in (
        ("before", "after"),
        ("after", "before"),
        ("Before", "After"),
        ("After", "Before"),
        ("prior to", "after"),
    ):
        yield rf"(?<!look )(?<!never )(?<!name)\b{one}\b(?! (?:all|hours))", other


def comparison(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """`more than` by `less than`, `at least` by `at most`, `before` by `after`."""
    foreign = re.compile(
        r"mindest|mehr|vor|bis zu|au |plus|avant|jusqu|al menos|más|antes|hasta|nach|weniger|höchst|moins|après|menos|como|desp"
    )
    fits = []
    for pattern, new in _turns():
        if bool(foreign.search(pattern)) != (place.lang != "en"):
            continue
        fits += [(found, new) for found in [re.search(pattern, claim)] if found]
    if not fits:
        return None
    found, new = rng.choice(fits)
    if stands_in(place.sentence, new) and re.search(r"before|after", new, re.I):
        return None
    return Fault(claim[: found.start()] + new + claim[found.end() :], new)


ALL_KINDS: dict[str, Kind] = (
    KINDS
    | MORE_KINDS
    | {
        "name": name,
        "negation": negation,
        "modality": modality,
        "quotation": quotation,
        "subject": subject,
        "comparison": comparison,
    }
)
"""Every kind of fault by its name, in the order of the table."""
