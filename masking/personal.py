"""Numbers of accounts, cards and persons that a check digit proves; looked for where a setting asks for it.

Names, addresses and telephone numbers have no such proof and are left alone. Knows lines, no document.
Try: python -c "from masking.personal import in_line; print(list(in_line('IBAN DE89 3704 0044 0532 0130 00')))"
"""

import re
from collections.abc import Callable, Iterator

from masking.shapes import Span

IBAN, CARD, PERSON = "account number", "card number", "personal number"
_CARD = (
    r"(?<![\d.,-])(?:3[47]|4\d|5[1-5]|2[2-7]|6[05])\d\d"
    r"(?:([ -]?)\d{4}\1\d{4}\1\d{4}|([ -]?)\d{6}\2\d{5})(?![\d.,-]\d)\b"
)
_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"


def _iban(digits: str) -> bool:
    turned = digits[4:] + digits[:4]
    return int("".join(str(int(c, 36)) for c in turned)) % 97 == 1


def _luhn(digits: str) -> bool:
    doubled = [int(c) * (1 + n % 2) for n, c in enumerate(reversed(digits))]
    return sum(n - 9 * (n > 9) for n in doubled) % 10 == 0 and len(set(digits)) > 1


def _ahv(digits: str) -> bool:
    return sum(int(c) * (1 + 2 * (n % 2)) for n, c in enumerate(digits)) % 10 == 0


def _dni(text: str) -> bool:
    number = int(text[:-1].translate(str.maketrans("XYZ", "012")))
    return _DNI[number % 23] == text[-1]


_NUMBERS: tuple[tuple[re.Pattern[str], str, Callable[[str], bool]], ...] = (
    (re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"), IBAN, _iban),
    (re.compile(_CARD), CARD, _luhn),
    (re.compile(r"\b756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}\b"), PERSON, _ahv),  # Switzerland
    (re.compile(r"\b(?:\d{8}|[XYZ]\d{7})-?[A-HJ-NP-TV-Z]\b"), PERSON, _dni),  # Spain
)  # fmt: skip


def in_line(line: str) -> Iterator[Span]:
    """Numbers in a line whose check digits are right."""
    for form, kind, is_right in _NUMBERS:
        for found in form.finditer(line):
            if is_right(re.sub(r"[ .-]", "", found[0])):
                yield Span(*found.span(), kind)
