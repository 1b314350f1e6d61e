"""Made-up secrets and the texts they stand in, put together at run time: this project's files hold none.

A Form is one way in which people write a secret down; the same seed gives the same values. Knows no rule that finds
one. Try: python -m eval.secrets --show 3
"""

import base64
import json
import random
import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

Value = Callable[[random.Random], str]

LETTERS, DIGITS = string.ascii_letters, string.digits
ALNUM, UPPER, HEX = LETTERS + DIGITS, string.ascii_uppercase + DIGITS, "0123456789abcdef"
URL_SAFE, BASE64 = ALNUM + "-_", ALNUM + "+/"


@dataclass(frozen=True, slots=True)
class Form:
    """A text with `{v}` where the value stands; `{w}` for what belongs to it but is no secret."""

    kind: str  # key, token, password, private key, connection string
    text: str
    value: Value


@dataclass(frozen=True, slots=True)
class Planted:
    """A text with a secret in it."""

    kind: str
    text: str
    secret: str  # as it stands there; a private key has several lines
    form: str  # the form's text: by what misses are told apart


def some(alphabet: str, length: int) -> Value:
    """Values of so many characters of an alphabet, with a digit, a small and a large letter where it has such."""

    def made(rng: random.Random) -> str:
        drawn = [rng.choice(alphabet) for _ in range(length)]
        kinds = [[c for c in alphabet if test(c)] for test in (str.isdigit, str.islower, str.isupper)]
        for at, kind in zip(rng.sample(range(length), min(3, length)), kinds, strict=False):
            drawn[at] = rng.choice(kind) if kind else drawn[at]
        return "".join(drawn)

    return made


def joined(*parts: str | Value) -> Value:
    """Values made of fixed and drawn parts, so that no prefix of a provider stands before a value in this file."""
    return lambda rng: "".join(part if isinstance(part, str) else part(rng) for part in parts)


def word_and_number(words: Sequence[str], marks: str = "!#?$%&*") -> Value:
    """As people choose them: a word, a year or number, a mark."""

    def made(rng: random.Random) -> str:
        word = rng.choice(words)
        number = rng.choice([str(rng.randint(1970, 2027)), f"{rng.randint(1, 999):02}", str(rng.randint(1000, 99999))])
        return rng.choice(
            [f"{word}{number}{rng.choice(marks)}", f"{word}{rng.choice(marks)}{number}", f"{word}{number}"]
        )

    return made


def leet(words: Sequence[str]) -> Value:
    """Words with figures for letters and a mark between."""
    table = str.maketrans("aeio", "4310")

    def made(rng: random.Random) -> str:
        first, second = rng.sample(list(words), 2)
        return f"{first.translate(table)}{rng.choice('-_.!@')}{second.capitalize()}{rng.randint(1, 99)}"

    return made


def drawn(length: int = 14, marks: str = "!#%&*+-_?@^~") -> Value:
    """As a password manager draws them."""
    return some(ALNUM + marks, length)


def jwt(rng: random.Random) -> str:
    """A signed token: head, claims, signature."""
    claims = {"sub": str(rng.randint(1000, 99999)), "iat": rng.randint(10**9, 2 * 10**9), "aud": "intranet"}
    parts = [json.dumps(part, separators=(",", ":")).encode() for part in ({"alg": "HS256", "typ": "JWT"}, claims)]
    parts.append(rng.randbytes(32))
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def pem(label: str, lines: int, width: int = 64, tail: str = "") -> Value:
    """A key in lines of base64 between its two marks; `tail` is the last word of the label."""

    def made(rng: random.Random) -> str:
        mark = f"{label} PRIVATE KEY{tail}".strip()
        body = base64.b64encode(rng.randbytes(lines * width * 3 // 4 - 5)).decode()
        rows = [body[at : at + width] for at in range(0, len(body), width)]
        return "\n".join([f"-----BEGIN {mark}-----", *rows, f"-----END {mark}-----"])

    return made


def pem_of(value: Value, *, begin: str = "", joint: str = "\n") -> Value:
    """A key whose lines begin with something, as in a quoted mail, or are joined by something else."""
    return lambda rng: joint.join(begin + line for line in value(rng).split("\n"))


def planted(forms: Sequence[Form], seed: int, each: int) -> Iterator[Planted]:
    """`each` texts of every form."""
    for number, form in enumerate(forms):
        for turn in range(each):
            rng = random.Random(f"{seed}/{number}/{turn}")
            value = form.value(rng)
            text = form.text.replace("{v}", value).replace("{w}", some(string.ascii_lowercase + DIGITS, 6)(rng))
            yield Planted(form.kind, text, value, form.text)


def leaked(secret: str, masked: str) -> bool:
    """Whether any part of the secret is left: eight characters in a row, all of it where it is shorter."""
    pieces = [line for line in secret.replace("\\n", "\n").split("\n") if "PRIVATE KEY" not in line]
    for piece in pieces:
        length = min(8, len(piece))
        if length >= 4 and any(piece[at : at + length] in masked for at in range(len(piece) - length + 1)):
            return True
    return False
