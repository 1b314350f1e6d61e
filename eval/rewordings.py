"""Rules that say a sentence in other words without changing what it says: the reworded half of the true claims.

Each rule takes a plain English sentence and returns it reworded, or None where it does not fit. A rule refuses rather
than risk a false or broken sentence. Knows no passages, no checker and no faults.
Try: python -c "from eval.rewordings import RULES; print(RULES['clauses']('If you are ill, tell your manager.'))"
"""

import re
from collections.abc import Callable

Rule = Callable[[str], str | None]

NUMBER_WORDS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
]  # fmt: skip
"""The words for 0 to 20; a word's place is its value."""
MONTHS = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
]  # fmt: skip
"""Month names; a name's place is its number less one."""
_TO_LOWER = frozenset([
    "the", "a", "an", "you", "your", "we", "our", "this", "these", "that", "those", "it", "its", "if", "when", "all",
    "each", "every", "employees", "staff", "there", "they", "in", "for", "to", "by", "on", "at", "after", "before",
    "as", "some", "any", "most", "once", "while", "please", "do", "be", "make", "use", "see", "contact", "ask",
    "both", "no", "not", "with", "from", "either", "new", "such", "people", "anyone", "everyone", "managers",
    "members",
])  # fmt: skip
_SYNONYMS = (
    (r"\bmust not\b", "are not allowed to|is not allowed to"),
    (r"\bprior to\b", "before"),
    (r"\bin order to\b", "to"),
    (r"\bpurchases\b(?= (?:must|should|are|have|under|over))", "things bought"),
    (r"\bpurchase\b(?= (?:a|an|the|your|any|it|them|tickets)\b)", "buy"),
    (r"\b(?<=to )begin\b", "start"),
    (r"\bassist(?= (?:you|with|them|the|in)\b)", "help"),
    (r"\bapproximately\b", "about"),
    (r"\bvia\b", "through"),
    (r"\bobtain\b", "get"),
    (r"\badditional\b", "extra"),
    (r"\bindividuals\b", "people"),
    (r"\bensure that\b", "make sure that"),
    (r"\bensure\b", "make sure"),
    (r"\butilize\b", "use"),
    (r"\bare required to\b", "must"),
    (r"\bis required to\b", "must"),
    (r"\bneed to\b(?<!not need to)(?<!don't need to)(?<!may need to)(?<!will need to)(?<!might need to)", "have to"),
    (r"\bis able to\b", "can"),
    (r"\bare able to\b", "can"),
    (r"\bas well as\b", "and also"),
    (r"\bsubmit\b(?= (?:a|an|the|your)\b)", "hand in"),
    (r"\bregarding\b", "about"),
    (r"\binquiries\b", "questions"),
    (r"\brequests\b(?= (?:must|should|are|can))", "applications"),
    (r"\bassistance\b", "help"),
    (r"\bsufficient\b", "enough"),
    (r"\bcommence\b", "start"),
    (r"\bterminate\b", "end"),
    (r"\bcomplete(?= (?:a|an|the|your|this|all|it)\b)(?<=to complete|st complete)", "finish"),
    (r"\bnotify\b", "inform"),
    (r"\bpermitted to\b", "allowed to"),
    (r"\bat no cost\b", "free of charge"),
    (r"\bdue to\b", "because of"),
    (r"\bimmediately\b", "at once"),
    (r"\bannually\b", "every year"),
    (r"^However, ", ""),
    (r"\bprovided by\b", "given by"),
    (r"\bchoose\b(?= (?:a|an|the|your|which)\b)", "select"),
    (r"\breceive\b", "get"),
    (r"\bdetermine\b", "decide"),
)
_MODALS = ((r"\bmust\b(?! not| have)", "have to", "has to"), (r"\bmay\b(?! not| have| be |,)", "can", "can"))
_SHORT = re.compile(r"(?:^|(?<=[,;] ))(?:you|they|we|employees|staff|members|supervisors|all \w+s|these \w+s)$", re.I)
_CONTRACTED = (
    (r"\bdo not\b", "don't"), (r"\bcannot\b", "can't"), (r"\bis not\b", "isn't"), (r"\bare not\b", "aren't"),
    (r"\bwill not\b", "won't"), (r"\bdoes not\b", "doesn't"), (r"\bshould not\b", "shouldn't"),
    (r"\bdon['’]t\b", "do not"), (r"\bcan['’]t\b", "cannot"), (r"\bisn['’]t\b", "is not"),
    (r"\baren['’]t\b", "are not"), (r"\bwon['’]t\b", "will not"), (r"\bdoesn['’]t\b", "does not"),
    (r"\byou['’]re\b", "you are"), (r"\byou['’]ll\b", "you will"), (r"\bwe['’]re\b", "we are"),
    (r"\bthey['’]re\b", "they are"), (r"\bwe['’]ll\b", "we will"), (r"\byou['’]ve\b", "you have"),
    (r"\bwe['’]ve\b", "we have"),
)  # fmt: skip
_PASSIVE = {
    "approved": "approve", "reviewed": "review", "signed": "sign", "completed": "complete", "submitted": "submit",
    "reimbursed": "reimburse", "covered": "cover", "funded": "fund", "handled": "handle", "managed": "manage",
    "provided": "provide", "held": "hold", "created": "create", "maintained": "maintain", "determined": "determine",
    "made": "make", "paid": "pay", "used": "use", "granted": "grant", "required": "require", "accepted": "accept",
    "appointed": "appoint", "owned": "own", "set": "set", "organized": "organize", "charged": "charge",
    "processed": "process", "filled": "fill", "supported": "support", "decided": "decide", "chosen": "choose",
    "conducted": "conduct", "governed": "govern", "defined": "define", "led": "lead", "coordinated": "coordinate",
    "offered": "offer", "supervised": "supervise", "monitored": "monitor", "attended": "attend",
}  # fmt: skip


def lower_first(sentence: str) -> str | None:
    """The sentence to stand inside another: its first letter small if the word is a common one, None if unsure."""
    first = re.match(r"[A-Za-z]+(?![A-Za-z'’])", sentence)
    if first and first[0].lower() in _TO_LOWER:
        return sentence[0].lower() + sentence[1:]
    return None


def upper_first(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def joined(first: str, second: str) -> str | None:
    """Two neighbouring sentences as one, or None; by `, and` where neither has clauses of its own, else by `;`."""
    follower = lower_first(second)
    if follower is None or not first.endswith(".") or ";" in first + second or ":" in first + second:
        return None
    simple = not re.search(r",|\b(?:and|or|if|but|because|unless)\b", first + " " + second)
    return f"{first[:-1]}{', and' if simple else ';'} {follower}"


def with_lead_in(lead: str, item: str) -> str | None:
    """A list's lead-in and one of its items as one sentence (`Employees must:` + `sign it`), or None."""
    opening = re.fullmatch(r"((?:[A-Z][\w’']*)(?: [\w’'/-]+){1,12}) ?:", lead)
    if not opening or not re.search(r"\b(?:to|must|should|will|can|may|not)$", opening[1]):
        return None
    if re.search(r"\b(?:following|below|steps|either|one of|any of|how|where|due|according)\b", opening[1]):
        return None
    item = item.rstrip(".;, ").removesuffix(" and").removesuffix(" or").rstrip(",; ")
    known = re.match(r"[A-Za-z]+(?= )", item)
    if not known or known[0].lower() not in _VERBS or ":" in item:
        return None
    return f"{opening[1]} {item[0].lower()}{item[1:]}."


_VERBS = frozenset([
    "add", "allow", "apply", "ask", "attend", "be", "book", "build", "check", "choose", "complete", "contact",
    "create", "define", "describe", "discuss", "do", "ensure", "explain", "fill", "find", "follow", "get", "give",
    "have", "help", "identify", "include", "keep", "learn", "make", "meet", "notify", "participate", "plan",
    "prepare", "provide", "read", "record", "request", "respect", "review", "schedule", "send", "set", "share",
    "sign", "submit", "take", "tell", "track", "update", "use", "work", "write", "understand", "support", "consider",
    "coordinate", "communicate", "maintain", "manage", "report", "return",
])  # fmt: skip


def clauses(sentence: str) -> str | None:
    """`If X, Y.` as `Y if X.`, and the other way round."""
    opening = re.fullmatch(
        r"(If|When|Before|After|Once|While|Unless|Until) ([^,;:()]{8,}), (?:then )?([^;:]{8,})\.", sentence
    )
    if opening:
        word, condition, result = opening.groups()
        risky = r"\b(?:if|unless|when|while|until|once|before|after|because|but|so|or|and|although|it|they|them)\b"
        if re.search(risky, result, re.I) or "," in result or result[0].isupper():
            return None
        return f"{upper_first(result)} {word.lower()} {condition}."
    closing = re.fullmatch(r"([^,;:()]{8,}?),? (if|when|before|after|once|unless|until) ([^,;:()]{8,})\.", sentence)
    if not closing:
        return None
    result, word, condition = closing.groups()
    inside = lower_first(result)
    risky = r"\b(?:if|unless|when|while|until|once|before|after|because|but|that|who|which|and|or|to|even|only|as|than|how|know|just|right|soon|long|shortly|days?|weeks?|hours?|months?|minutes?|time|except)\b"
    if (
        inside is None
        or re.search(risky, result, re.I)
        or not re.match(r"(?:you|your|we|the|they|a|an|it|there)\b", condition)
    ):
        return None
    if not re.search(
        r"\b(?:is|are|has|have|can|will|need|want|do|does|must|should|work|leave|receive|travel)\b", condition
    ):
        return None
    return f"{upper_first(word)} {condition}, {inside}."


_UNITS = r"(?:minutes?|hours?|(?:business |working |calendar )?days?|weeks?|months?|years?)"


def figures(sentence: str) -> str | None:
    """A figure in another form: 15 as fifteen, 3 p.m. as 15:00, 50% as 50 percent, $100 as 100 USD."""
    done = sentence
    for pattern, replace in _FIGURES:
        done = pattern.sub(replace, done)
        if done != sentence:
            return done if re.match(r"[A-Z0-9$€]", done) else None
    return None


def _clock(found: re.Match[str]) -> str:
    hour, minute = int(found["hour"]), found["minute"] or "00"
    if not 1 <= hour <= 12:
        return found[0]
    hour = hour % 12 + (12 if found["half"].lower() == "p" else 0)
    return f"{hour}:{minute}" + ("." if found[0].endswith(".") and found["end"] else "")


def _half_day(found: re.Match[str]) -> str:
    hour = int(found[1])
    if not 1 <= hour <= 23:
        return found[0]
    minute = "" if found[2] == "00" else f":{found[2]}"
    return f"{hour % 12 or 12}{minute} {'p' if hour >= 12 else 'a'}.m."


def _word_of(found: re.Match[str]) -> str:
    value = int(found[0])
    return NUMBER_WORDS[value] if 2 <= value <= 20 else found[0]


def _figure_of(found: re.Match[str]) -> str:
    value = NUMBER_WORDS.index(found[0].lower())
    return str(value)


_FIGURES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (
        re.compile(
            r"(?<![\w:-])(?P<hour>\d{1,2})(?::(?P<minute>\d\d))? ?(?P<half>[ap])\.?m(?:\.(?P<end>$)?)?(?![\w-])", re.I
        ),
        _clock,
    ),
    (re.compile(r"(?<![\w:.-])(\d{1,2}):(\d\d)(?= (?:on|every|each|UTC|CET))"), _half_day),
    (re.compile(r"(?<=\d) ?%(?!\w)"), lambda _: " percent"),
    (re.compile(r"(?<=\d) percent\b"), lambda _: "%"),
    (
        re.compile(r"(?<!\w)\$(\d[\d,]*(?:\.\d\d)?)(?![\dkKmMbB+,/-]|[.,]\d| (?:million|billion))"),
        lambda f: f"{f[1]} USD",
    ),
    (re.compile(r"€ ?(\d[\d,]*(?:\.\d\d)?)(?![\dkKmM+,/-]|[.,]\d| (?:million|billion))"), lambda f: f"{f[1]} EUR"),
    (
        re.compile(rf"\b({'|'.join(MONTHS)}) (\d{{1,2}})(?:st|nd|rd|th)?, (\d{{4}})\b,?"),
        lambda f: f"{f[2]} {f[1]} {f[3]}",
    ),
    (re.compile(rf"\b({'|'.join(MONTHS)}) (\d{{1,2}})(?:st|nd|rd|th)?\b(?!,? \d|–|-)"), lambda f: f"{f[2]} {f[1]}"),
    (re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b"), lambda f: f"{int(f[3])} {MONTHS[(int(f[2]) - 1) % 12]} {f[1]}"),
    (re.compile(r"(?<![\w$€.,-])(\d{1,3}),(\d{3})(?![\d,]|\.\d)"), lambda f: f"{f[1]}{f[2]}"),
    (re.compile(rf"(?<![\w$€.,:/–-])\d{{1,2}}(?= {_UNITS}\b)"), _word_of),
    (re.compile(rf"\b(?:{'|'.join(NUMBER_WORDS[2:])})(?= {_UNITS}\b)", re.I), _figure_of),
    (re.compile(r"(?<![\w$€.,:/#–-])(?:[2-9]|1\d|20)(?= [a-z]{3,}s\b)"), _word_of),
    (re.compile(r"(?<=[a-z] )\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve)(?= [a-z]{3,}s\b)"), _figure_of),
)


def shortened(sentence: str) -> str | None:
    """Without a parenthesis, a trailing relative clause, or examples."""
    kept = r"\b(?:except|unless|if|only|not|no|never|excluding|at least|at most|up to|without|but|or)\b"
    for pattern in (
        r" \([^()]{3,}\)",
        r", (?:which|who) [^,;:()]+(?=\.$)",
        r"(?:,| such as|, for example,?|, e\.g\.,?|,? including|, like) [^;:()]+(?=\.$)",
    ):
        found = re.search(pattern, sentence)
        if not found or re.search(kept, found[0]):
            continue
        if found[0].startswith(", ") and not re.match(
            r", (?:which|who|for example|e\.g\.|including|such as|like)\b", found[0]
        ):
            continue
        if (
            re.search(r"\b(?:each|every|any|no|all|number|only)\b", sentence[: found.start()].rsplit(",", 1)[-1])
            and "includ" in found[0]
        ):
            continue
        short = sentence[: found.start()] + sentence[found.end() :]
        before = sentence[: found.start()]
        if len(short.split()) >= 6 and not re.search(r"\b(?:as|are|is|include|to|of|with|like|for)$", before):
            return short if short.count("(") == short.count(")") and " ," not in short else None
    return None


def synonyms(sentence: str) -> str | None:
    """Common words by others that mean the same; up to two of them."""
    done, changed = sentence, 0
    for pattern, replace in _SYNONYMS:
        word = re.search(pattern, done, re.I)
        if word is None or changed == 2:
            continue
        if "|" in replace:
            subject = done[: word.start()].rstrip()
            if not _SHORT.search(subject):
                continue
            replace = replace.split("|")[0]
        if word.start() == 0:
            replace = upper_first(replace)
        done, changed = done[: word.start()] + replace + done[word.end() :], changed + 1
    for pattern, plural, _ in _MODALS:
        word = re.search(pattern, done)
        if word and changed < 2 and _SHORT.search(done[: word.start()].rstrip()):
            done, changed = done[: word.start()] + plural + done[word.end() :], changed + 1
    return upper_first(done) if changed else None


def contractions(sentence: str) -> str | None:
    """`do not` as `don't`, or the other way round."""
    for pattern, replace in _CONTRACTED:
        found = re.search(pattern, sentence, re.I)
        if found and sentence[found.end() :].strip(" .,"):
            return (
                sentence[: found.start()]
                + (upper_first(replace) if found[0][0].isupper() else replace)
                + sentence[found.end() :]
            )
    return None


_HELPERS = "can|must|should|will|may|are|have|need|want|do|work|cannot|could|would|might|use|receive|get|leave|take"


def person(sentence: str) -> str | None:
    """What a page says to `you`, told of employees."""
    if not re.search(r"\b[Yy]ou\b", sentence) or re.search(
        r"\b(?:yours|yourself|I|my|we|us|our|they|them|their|employees?|team|staff)\b|you[’']|\?|!", sentence, re.I
    ):
        return None
    first = re.match(
        rf"(?P<lead>(?:(?:If|When|Once|After|Before|While|Unless|As soon as) )?)[Yy]ou (?=(?:{_HELPERS})\b)", sentence
    )
    if first is None:
        return None
    if first["lead"]:
        parts = sentence[first.end() :].split(", ", 1)
        if len(parts) < 2 or not re.match(r"(?:you|your|the|a|an) ", parts[1]):
            return None  # an imperative follows
    elif re.search(r"[;:]|, (?:so |and |but )?[a-z]+ (?:your|the|a|it)\b", sentence):
        return None
    rest = re.sub(rf"\b(?<!to )(?<!for )(?<!with )you(?= (?:{_HELPERS})\b)", "they", sentence[first.end() :])
    rest = re.sub(r"\byour\b", "their", rest)
    rest = re.sub(
        r"\b(to|for|with|by|from|help|give|let|tell|allow|of|sends?|asks?|requires?|enables?|helps) you\b",
        r"\1 them",
        rest,
    )
    if re.search(r"\byou\b", rest, re.I) or "Your" in rest:
        return None
    return upper_first(f"{first['lead']}{'employees' if first['lead'] else 'Employees'} {rest}")


def passive(sentence: str) -> str | None:
    """`X must be approved by Y.` as `Y must approve X.`; `X is responsible for Y.` as `Y is the responsibility of X.`"""
    found = re.fullmatch(
        r"([^,;:()]{3,60}?) (must|may|can|should|will|cannot) be (\w+) by ((?:the|your|a|an|our|their|both) [^,;:()]{3,60})\.",
        sentence,
    )
    if (
        found
        and found[3] in _PASSIVE
        and not re.search(
            r"\b(?:by|and|or|if|that|who|which|when|before|after|to|on|in|at|because|until)\b", f"{found[4]}"
        )
    ):
        inside = lower_first(found[1])
        if inside and not re.search(r"\b(?:and|or|but|if|when|that|there|this|it|they)\b", inside):
            return f"{upper_first(found[4])} {found[2]} {_PASSIVE[found[3]]} {inside}."
    found = re.fullmatch(
        r"((?:The|Your|Our|A|An|All|Each) [^,;:()]{3,50}?) (is|are) responsible for (?!ensuring|making)([a-z][^,;:()]{3,90})\.",
        sentence,
    )
    if found and not re.search(r"\b(?:and|that|who|which|if|but|of security)\b", found[1] + " " + found[3]):
        inside = lower_first(found[1])
        return f"{upper_first(found[3])} is the responsibility of {inside}." if inside else None
    return None


RULES: dict[str, Rule] = {
    "clauses": clauses,
    "figures": figures,
    "shortened": shortened,
    "synonyms": synonyms,
    "contractions": contractions,
    "person": person,
    "passive": passive,
}
"""The rules for one sentence, by the name a record carries; two of them in turn are a rewording, too."""
