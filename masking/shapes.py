"""Secrets that are told by their own form: keys of providers, signed tokens, addresses with a password, private keys.

What stands around them does not matter. Knows lines, no document.
Try: python -m eval.secrets --half open --misses 3
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from masking import guards

KEY, TOKEN, PASSWORD, PRIVATE, CONNECTION = "key", "token", "password", "private key", "connection string"
KINDS = (PRIVATE, CONNECTION, KEY, TOKEN, PASSWORD, "account number", "card number", "personal number")
"""What secrets are called in marks and notes; of two that overlap the one that comes first names both."""


class Span(NamedTuple):
    """A part of a line that is a secret."""

    start: int
    end: int
    kind: str


class Shape(NamedTuple):
    """One form of secrets. A line without any of the cues, which are in small letters, does not hold it."""

    cues: tuple[str, ...]
    form: re.Pattern[str]
    kind: str
    test: Callable[[str], bool]  # of the form's first group, or of all of it


def _is_key(value: str) -> bool:
    return not guards.is_none(value) and (any(map(str.isdigit, value)) or guards.switches(value) > 0.3)


def _is_some(value: str) -> bool:
    return not guards.is_none(value)


_A, _H, _U = r"[A-Za-z0-9]", r"[0-9a-f]", r"[A-Za-z0-9_-]"
# Lengths are at most those that the providers document, often less: a line end may cut a key in two.
_KEYS = (
    ("akia asia abia acca", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    ("ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}"),
    ("glpat- gldt- glrt- glptt- glft- glsoat- glcbt- glimt- glagent-", rf"gl(?:pat|dt|rt|ptt|ft|soat|cbt|imt|agent)-{_U}{{16,}}"),
    ("glsa_ glc_", r"\bgl(?:sa|c)_[A-Za-z0-9+/=_]{20,}"),
    ("xox", r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}"), ("xapp-", r"xapp-\d-[A-Za-z0-9-]{16,}"),
    ("hooks.slack.com", rf"hooks\.slack\.com/(?:services|workflows)/(T{_A}+/[AB]{_A}+/[A-Za-z0-9/]{{8,}})"),
    ("api/webhooks/", rf"/api/webhooks/(\d+/{_U}{{30,}})"), ("webhookb2/", r"/webhookb2/(\S{40,})"),
    ("k_live_ k_test_ k_prod_", rf"[sr]k_(?:live|test|prod)_{_A}{{10,}}"), ("whsec_", r"whsec_[A-Za-z0-9+/=]{16,}"),
    ("aiza", rf"AIza{_U}{{30,}}"), ("gocspx-", rf"GOCSPX-{_U}{{16,}}"), ("ya29.", rf"ya29\.{_U}{{16,}}"),
    ("sk-", rf"(?<![\w-])sk-(?:[a-z]{{2,10}}[0-9]*-)*{_U}{{20,}}"), ("hf_ gsk_ r8_ ntn_", rf"\b(?:hf|gsk|r8|ntn)_{_A}{{16,}}"),
    ("xai- pplx-", rf"\b(?:xai|pplx)-{_A}{{20,}}"),
    ("npm_", rf"\bnpm_{_A}{{16,}}"), ("pypi-age", rf"pypi-AgE{_U}{{16,}}"), ("dckr_", rf"dckr_(?:pat|oat)_{_U}{{16,}}"),
    ("sg.", rf"\bSG\.{_U}{{16,}}\.{_U}{{16,}}"), ("key-", rf"\bkey-{_H}{{32}}\b"), ("-us", rf"\b{_H}{{32}}-us\d{{1,2}}\b"),
    (":aa", rf"\b\d{{8,10}}:AA{_U}{{30,}}"), ("_v1_", rf"\bdo[opr]_v1_{_H}{{20,}}"),
    ("shpat_ shpca_ shppa_ shpss_", rf"\bshp(?:at|ca|pa|ss)_{_H}{{16,}}"), ("sq0", rf"\bsq0[a-z]{{3}}-{_U}{{20,}}"),
    ("dapi", rf"\bdapi{_H}{{32}}"), ("atatt3", rf"ATATT3{_U}{{20,}}"), ("lin_", rf"lin_(?:api|oauth)_{_A}{{16,}}"),
    ("hvs. hvb. hvr.", rf"\bhv[sbr]\.{_U}{{20,}}"), (".atlasv1.", rf"{_A}{{14}}\.atlasv1\.{_U}{{20,}}"),
    ("nrak-", r"NRAK-[A-Z0-9]{20,}"), ("pmak-", rf"PMAK-{_H}{{20,}}-{_H}{{10,}}"), ("pscale_", rf"pscale_(?:tkn|pw|oauth)_{_U}{{20,}}"),
    ("dp.", rf"\bdp\.(?:pt|st|ct|sa|scim|audit)\.{_A}{{20,}}"), ("figd_", rf"figd_{_U}{{20,}}"), ("sbp_", rf"\bsbp_{_H}{{20,}}"),
    ("8q~", rf"\b{_A}{{3}}8Q~[\w~.-]{{30,}}"), ("age-secret", r"AGE-SECRET-KEY-1[A-Z0-9]{20,}"),
    ("tskey-", rf"tskey-[a-z]+-{_U}{{16,}}"), ("akcp", rf"\bAKCp{_A}{{20,}}"), ("sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9+/=_]{20,}"),
    ("cb_", rf"\bcb_[a-z2-7]{{8,}}_{_U}{{20,}}"), ("eaa", rf"\bEAA[A-Z]{_A}{{40,}}"),
)  # fmt: skip
_USER = (
    r"log-?in|user(?:name)?|account|benutzer(?:name)?|zugang(?:sdaten)?|credentials?|usuario|utilisateur|identifiant"
)
_OTHERS = (
    ("eyj", r"(?<![\w-])eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{6,}){1,4}", TOKEN, _is_some),
    ("$|{sha}|{ssha}", r"\$(?:1|2[abxy]|5|6|y|apr1|argon2(?:id?|d)|scrypt|pbkdf2[\w-]*)\$[\w./$,=+-]{20,}|\{S?SHA\}[\w+/=]{20,}", PASSWORD, _is_some),
    ("://", r"://[^\s/?#@:\"'<>`]{0,100}:(?!\d{1,5}(?:[/?#]|$))([^\s\"'<>`]{1,300})@(?=[\w.\[$-])", CONNECTION, _is_some),
    ("://", r"://([A-Za-z0-9_-]{20,300})@", CONNECTION, guards.keyish),
    ("://", r"[?&;](?:sig|signature|x-amz-signature|key|auth|apikey|hmac)=([^\s&#\"'<>)\]]{16,})", TOKEN, guards.keyish),
    ("bearer|basic|token|digest", r"\b(?:bearer|basic|token|digest)\s+([A-Za-z0-9._~+/-]{12,}=*)", TOKEN, guards.keyish),
    (" -u|--user|--proxy-user", r"(?:\s-u|--user|--proxy-user)[ =]?['\"]?[\w.@+-]+:([^\s'\"]+)", PASSWORD, guards.chosen),
    ("identified by", r"identified by ['\"]([^'\"]+)", PASSWORD, guards.chosen),
    ("password|secret", r"\b(?:password|secret) [05-9] (\S{8,})", PASSWORD, guards.chosen),
    (" -p", r"\b(?:mysql\w*|mariadb\w*|sshpass)\b.{0,200}?\s-p\s?['\"]?([^\s'\"]+)", PASSWORD, guards.chosen),
    ("user:|user =|user=|name:|name =|name=|login:|login =|login=|log-in:|account:|account =|account=|benutzer:|zugang:|daten:|credentials:|credential:|usuario:|utilisateur :|utilisateur:|identifiant :|identifiant:|user :|login :", rf"\b(?:{_USER})\s*[:=]\s*[`\"'*]*[\w.@+-]+[`\"'*]*\s*[/:]\s*[`\"'*]*([^\s`\"'|]+)", PASSWORD, guards.mixed),
)  # fmt: skip
KEYS = tuple(Shape(tuple(cues.split()), re.compile(form), KEY, _is_key) for cues, form in _KEYS)
"""Forms that are one run of 15 and more characters without a blank."""
OTHERS = tuple(Shape(tuple(cues.split("|")), re.compile(form, re.I), kind, test) for cues, form, kind, test in _OTHERS)
"""Other forms that stand within a line."""
_LONG = re.compile(r"(?<![\w+/=.-])[A-Za-z0-9+/_-]{32,}={0,2}")
_TWILIO = re.compile(r"SK[0-9a-f]{32}")
_NOT_LOOSE = re.compile(r"://|^data:|base64,|^www\.|sha\d+-|AAAA[BCEI]|^\(?[./~]|\.\w{2,4}$")
_BEGIN = re.compile(r"-{4,5} ?BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = re.compile(r"-{4,5} ?END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_PUBLIC = re.compile(r"-{4,5} ?(BEGIN|END) (?!(?:[A-Z0-9]+ )*PRIVATE)[A-Z0-9 ]+-{4,5}")
_IMAGE = re.compile(r"data:[\w/+.-]+;base64,[A-Za-z0-9+/=]+")
_BODY = re.compile(r"[A-Za-z0-9+/=]{16,}")
_HEADER = re.compile(r"^(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Subject|X-\w+): ")
_EDGE = re.compile(r"(?:[\s>|#*\"']|[-/+]+(?=\s))*")
_WORD = 300  # characters to each side in which the word is looked for that a long text is part of
_MOST_LINES = 400  # of one private key; 16,384 bits take 260
_PUTTY = re.compile(r"^\W*Private-Lines: (\d{1,3})\s*$")


def in_line(line: str, lowered: str, shapes: Sequence[Shape]) -> Iterator[Span]:
    """Secrets of a line that have one of these forms."""
    for shape in shapes:
        if any(cue in lowered for cue in shape.cues):
            for found in shape.form.finditer(line):
                group = shape.form.groups and found[1] is not None
                if shape.test(found[1] if group else found[0]):
                    yield Span(*found.span(1 if group else 0), shape.kind)


def outside_images(line: str, lowered: str, spans: list[Span]) -> list[Span]:
    """Those that are no part of a picture that stands in the line as base64, where any form may come about by chance."""
    if not spans or "base64," not in lowered:
        return spans
    images = [found.span() for found in _IMAGE.finditer(line)]
    return [span for span in spans if not any(start <= span.start < end for start, end in images)]


def loose(line: str) -> Iterator[Span]:
    """Long texts drawn by lot that nothing names."""
    for found in _LONG.finditer(line):
        begin, end = max(0, found.start() - _WORD), found.end() + _WORD
        start, stop = line.rfind(" ", begin, found.start()) + 1, line.find(" ", found.end(), end)
        if not _NOT_LOOSE.search(line[max(start, begin) : stop if stop >= 0 else end]) and _is_loose(found[0]):
            yield Span(*found.span(), KEY)


def _is_loose(value: str) -> bool:
    return guards.random_looking(value) or bool(_TWILIO.fullmatch(value))


def public_lines(lines: Sequence[str]) -> set[int]:
    """Indexes of the lines of certificates and public keys, which look drawn by lot and may be read by all."""
    found: set[int] = set()
    inside = False
    for number, line in enumerate(lines):
        if begin := _PUBLIC.search(line):
            inside = begin[1] == "BEGIN"
        if inside or begin:
            found.add(number)
    return found


def private_keys(lines: Sequence[str]) -> Iterator[tuple[int, Span]]:
    """(index of the line, what of it) of private keys, which take several lines."""
    skip_to = 0
    for number, line in enumerate(lines):
        if number < skip_to or "rivate" not in line.lower():
            continue
        if found := _PUTTY.match(line):
            skip_to = min(len(lines), number + 1 + int(found[1]))
            yield from ((n, _whole(lines[n])) for n in range(number + 1, skip_to) if _BODY.search(lines[n]))
            continue
        at = 0
        while begin := _BEGIN.search(line, at):
            if end := _END.search(line, begin.end()):
                if _BODY.search(line, begin.end(), end.start()):
                    yield number, Span(begin.start(), end.end(), PRIVATE)
                at = end.end()
                continue
            yield from (spans := list(_over_lines(lines, number, begin.start())))
            skip_to = max([number + 1, *(n for n, _ in spans)])
            break


def _over_lines(lines: Sequence[str], first: int, start: int) -> Iterator[tuple[int, Span]]:
    last = next((n for n in range(first + 1, min(len(lines), first + _MOST_LINES)) if _END.search(lines[n])), 0)
    if not last:  # its end is missing: as far as it looks like one
        last = first
        while last + 1 < len(lines) and _like_a_key(lines[last + 1]):
            last += 1
    inside = lines[first : last + 1]
    if not any(_BODY.search(line, start * (line is lines[first])) for line in inside):
        return
    yield first, Span(start, len(lines[first]), PRIVATE)
    for number in range(first + 1, last + 1):
        end = _END.search(lines[number])
        span = _whole(lines[number])
        if span.end > span.start:
            yield number, span._replace(end=end.end()) if end else span


def _like_a_key(line: str) -> bool:
    bare = line[_whole(line).start :].strip()
    return bool(_HEADER.match(bare)) or (len(bare) >= 4 and bool(re.fullmatch(r"[A-Za-z0-9+/=]+[\\n\"',]*", bare)))


def _whole(line: str) -> Span:
    edge = _EDGE.match(line)
    return Span(edge.end() if edge else 0, len(line.rstrip()), PRIVATE)
