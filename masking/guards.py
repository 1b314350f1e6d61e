"""Whether a text can be a secret at all: not a word, a date, a placeholder, a path, a piece of program.

Asked of what stands where a secret would stand. Knows no line and no document.
Try: python -c "from masking.guards import mixed; print(mixed('Sommer2024!'), mixed('12-character'))"
"""

import re
from collections.abc import Callable

Test = Callable[[str], bool]
_PLACEHOLDER = re.compile(
    r"^[<\[{(].*|[>}]$|^%\w+%$|^\$(?:[A-Za-z_]\w*$|[({])|^[^\w\s]*$|^(.)\1{3,}$|^[xX*•.…_-]+$|^#\{|^@\w+@$"
    r"|x{6,}|\*{3,}|\.{3}|…|EXAMPLE|1234567890abcdef|0123456789",
)
_STANDS_FOR = re.compile(
    r"your|change[-_]?(?:me|it)|example|beispiel|placeholder|redacted|dummy|sample|foobar|replace|insert|^enter|^todo|"
    r"removed|hidden|fake",
    re.IGNORECASE,
)
_DRAWN = 0.35  # switches of a text that no words are looked for in: of 36 random letters some spell one
_CODE = re.compile(
    r"^[A-Za-z_][\w.]*[(\[].*|^(?:self|this|os|process|env|config|settings|request|vars?|local|module|args?|ctx|params?)"
    r"[.\[:].*|^!(?:Ref|Sub|GetAtt|vault|secret)\b|->|::|^[A-Za-z_]+(?:\.[A-Za-z_]+)+$|^&?[A-Za-z_]+;$|^ENC\(|^vault:|^arn:|^\\"
)
_PATH = re.compile(
    r"^(?:\.{0,2}/|~/|[A-Za-z]:\\|https?:|file:|www\.)|^[\w./~-]*\.(?:pem|key|crt|txt|json|ya?ml|md|env|py|js|ts|sh|html?|toml|ini|pdf)$"
)
_ADDRESS = re.compile(r"^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")
_NUMBER = re.compile(
    r"^[\d.,:/+-]+(?:[-–]?(?:st|nd|rd|th|s|ms|min|h|d|kb|mb|gb|tb|bits?|bytes?|chars?|%|€|\$|x|days?|px|pt|k|m))?$"
    r"|^\d+-[a-zà-ÿ]+(?:-[a-zà-ÿ]+)*$|^v?\d+(?:\.\d+)+[\w.-]*$|^\d{4}-\d\d-\d\d.*$",
    re.IGNORECASE,
)
_TECHNICAL = re.compile(
    r"^(?:sha|aes|rsa|md|oauth|saml|tls|ssl|ipv|utf|iso|rfc|office|windows|base|bcrypt|ed|hs|rs|es|x|h|web|wpa|kerberos|ntlmv|"
    r"pbkdf|argon|python|rev|v|level|page|section|table|step|fig|sso|mfa|fido|u2f|otp|totp|covid|q)[-_ ]?\d+[a-z]?$"
    r"|^(?:2fa|mfa|sso|otp|1password|keepass\w*|lastpass|bitwarden|auth0|oauth2?|openid)(?:[-_.'’].*)?$",
    re.IGNORECASE,
)
_WORDS = frozenset(
    [
        "password",
        "passwort",
        "passwd",
        "passphrase",
        "pass",
        "pwd",
        "pw",
        "secret",
        "token",
        "key",
        "value",
        "string",
        "str",
        "text",
        "bytes",
        "true",
        "false",
        "none",
        "null",
        "nil",
        "undefined",
        "required",
        "optional",
        "hidden",
        "yes",
        "no",
        "user",
        "username",
        "name",
        "see",
        "ask",
        "the",
        "any",
        "empty",
        "default",
        "unknown",
        "missing",
        "login",
        "mandatory",
        "disabled",
        "enabled",
        "public",
        "private",
        "encrypted",
        "plain",
        "bearer",
        "basic",
        "test",
        "mypassword",
        "mysecret",
        "file",
        "env",
        "stdin",
        "prompt",
        "changed",
        "unchanged",
        "expired",
        "valid",
        "invalid",
        "confidential",
    ]
)
_MARKS = frozenset("!#$%&*+=?@^~")
_MOST = 128  # characters of a password that only its marks or its mixture tell
_ID = re.compile(r"^[a-z]+(?:[-_.:/](?:[a-z]+|v?\d{1,4}))+$", re.IGNORECASE)
_WORDY = re.compile(r"[^\W\d_]{3,}")
_RUNS = re.compile(r"[a-z]+|[A-Z]+|\d+")


def is_none(value: str) -> bool:
    """Whether a value is surely no secret: a placeholder, a path, an address, a piece of program, a known word."""
    if value.lower().strip("!?*_") in _WORDS or _PLACEHOLDER.search(value) or _PATH.match(value):
        return True
    if _STANDS_FOR.search(value) and switches(value) < _DRAWN:
        return True
    return bool(_CODE.search(value) or _ADDRESS.match(value) or _TECHNICAL.match(value))


def mixed(value: str, least: int = 6) -> bool:
    """Whether a value has letters and figures as no word, date, number or version has."""
    if len(value) < least or is_none(value) or _NUMBER.match(value):
        return False
    return any(map(str.isalpha, value)) and any(map(str.isdigit, value))


def marked(value: str) -> bool:
    """Whether a value has letters and, between them, a mark that words do not have."""
    inner = value.strip("!?.,;:*_()#$%&+=@^~-")
    has = 6 <= len(value) <= _MOST and any(map(str.isalpha, inner)) and not _MARKS.isdisjoint(inner)
    return has and not is_none(value)


def strong(value: str) -> bool:
    """Whether a value looks like a secret wherever it stands near a name of one."""
    return mixed(value, 7) and (len(value) >= 12 or any(map(str.islower, value)))


def telling(value: str) -> bool:
    """Whether a value looks like a password though nothing but a name somewhere in its line speaks for it."""
    if len(value) > _MOST or "/" in value or "\\" in value or not strong(value):
        return False
    if not _MARKS.isdisjoint(value.strip("!?.,;:*#")):
        return True
    if re.search(r"[A-Za-z]\d[A-Za-z].*[A-Z]|[A-Z].*[A-Za-z]\d[A-Za-z]", value) and len(value) >= 10:
        return True
    return bool(re.fullmatch(r"[^\W\d_]{3,}\d{2,}[!?#$%&*+=@^~]*|[^\W_]{10,}[!?#$%&*+=@^~]*", value))


def keyish(value: str, least: int = 12) -> bool:
    """Whether a value looks like a key or token: long, and not the name of something."""
    if len(value) < least or " " in value or is_none(value) or _NUMBER.match(value) or _ID.match(value):
        return False
    has_both = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return has_both or (len(value) >= 20 and switches(value) > 0.3)


def chosen(value: str) -> bool:
    """Whether a word can be a password where a program would read one: no known word, nothing to be computed."""
    return len(value) >= 4 and not is_none(value) and not _NUMBER.match(value)


def drawn(value: str) -> bool:
    """Whether small and large letters follow each other as in no word: "aHVudGVyMg=="."""
    return len(value) >= 8 and switches(value) > _DRAWN and not is_none(value)


def phrase(value: str) -> bool:
    """Whether it can be a passphrase: several words."""
    return len(_WORDY.findall(value)) >= 4 and not (_PLACEHOLDER.search(value) or _STANDS_FOR.search(value))


def switches(value: str) -> float:
    """How often small letters, large ones and figures follow each other, a character: 0.62 in random ones."""
    return (len(_RUNS.findall(value)) - 1) / len(value) if value else 0.0


def random_looking(value: str) -> bool:
    """Whether a long text of letters and figures was drawn by lot: no name, no hexadecimal sum, no identifier."""
    if len(value) < 32 or is_none(value) or re.fullmatch(r"[0-9a-fA-F-]+|[A-Z0-9=]+|[a-z0-9=]+", value):
        return False
    if not (re.search(r"\d", value) and re.search(r"[a-z]", value) and re.search(r"[A-Z]", value)):
        return False
    return switches(value) > 0.4 and bool(re.search(r"[A-Za-z0-9+]{12,}", value))
