"""What secrets are called, in some thirty languages, and what a name with such a word in it means instead.

Tables and their patterns alone. Try: python -c "from masking.names import NAME; print(NAME.search('WLAN-Passwort: x'))"
"""

import re

_PASSWORD = (
    r"requirepass|masterauth|zugangsdaten|credentials?|identifiants|pass ?word|passwort|passord|passwd|passphrase|passcode|kennwort|losungswort|zugangscode|adgangskode|kodeord|"
    r"wachtwoord|toegangscode|l[öo]senord|salasana|jelsz[óo]|mot de passe|code d['’]acc[eè]s|phrase secr[eè]te|"
    r"contrase[ñn]a|palavra[- ]passe|codice (?:di accesso|segreto)|mật khẩu|kata sandi|пароль|κωδικός|"
    r"密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|كلمة المرور|كلمة السر|पासवर्ड|סיסמה|รหัสผ่าน"
)
_SHORT = (
    r"pass|pwd|pw|psk|mdp|senha|clave|parol[aă]|has[łl]o|heslo|[şs]ifre|"
    r"pin(?:[- ]?(?:code|nummer|kod))?"
)
_TOKEN = (
    r"(?:auth|access|refresh|bearer|session|sessie|security|deploy|bot|api)?[ _-]?token|session[ _-]?id|sessid|jeton(?: d['’]acc[eè]s)?|"
    r"トークン|토큰|токен|令牌"
)
_KEY = (
    r"(?:client|api|app|webhook|signing|shared|consumer|user)?[ _-]?secret|api[ _-]?(?:key|schl[üu]ssel|キー|키)|"
    r"(?:access|private|secret|account|signing|encryption|master|license|licence|service|subscription|auth|"
    r"storage|ssh|deploy|shared ?access|zugangs|geheim|zugriffs)[ _-]?(?:key|schl[üu]ssel)|(?<=[_-])keys?|"
    r"cl[ée] (?:d['’]api|api|secr[èe]te|d['’]acc[èe]s)|clave (?:de )?(?:api|acceso)|clave secreta|"
    r"chiave (?:api|segreta|di accesso)|chave (?:de )?(?:api|acesso)|chave secreta|klucz api|api[- ]sleutel|"
    r"ключ api|секрет|密钥|密鑰|秘钥|シークレット|비밀 키"
)
NAME = re.compile(
    rf"(?P<key>{_KEY})|(?P<token>{_TOKEN})|(?P<password>{_PASSWORD})|(?<![^\W_])(?P<short>{_SHORT})(?![^\W\d_])",
    re.IGNORECASE,
)
"""A name of a secret within a line; which group says the kind."""
CUES = (
    "pass", "kennwort", "losungswort", "woord", "zugangscode", "toegangscode", "code d", "codice", "secret", "token", "key",
    "pwd", "pw", "psk", "pin ", "pin:", "pin=", "pin-", "pincode", "pinnummer", "mdp", "senha", "clave", "parol",
    "hasło", "haslo", "heslo", "ifre", "schlüssel", "schluessel", "lösenord", "losenord", "salasana", "jelsz", "masterauth", "zugangsdaten", "credential", "identifiant", "session", "sessid", "contrase",
    "jeton", "clé ", "chiave", "chave", "klucz", "sleutel", "kodeord", "adgangskode", "kata sandi", "mật khẩu", "пароль",
    "токен", "секрет", "ключ", "κωδικός", "密", "口令", "令牌", "秘", "パスワード", "暗証", "トークン", "キー",
    "シークレット", "비밀", "암호", "토큰", "كلمة", "पासवर्ड", "סיסמה", "รหัส",
)  # fmt: skip
"""In small letters: a line without any of them holds no NAME, which is sooner told than by the pattern."""
OTHER = re.compile(
    r"length|l[äa]nge|\blen\b|polic|richtlin|\bmin|\bmax|\bage\b|alter\b|expir|ablauf|hint|reset|field|feld|file|datei|"
    r"path|pfad|ur[li]\b|name|\bids?\b|_id\b|type|typ\b|count|anzahl|manager|prompt|input|label|required|enabled|"
    r"protect|less\b|forg|strength|stärke|rule|regel|generator|vault|tresor|\bref\b|_ref\b|keyref|endpoint|header|"
    r"limit|usage|budget|ring\b|rotation|requirement|complexity|attempt|versuch|encoding|format|algorithm",
    re.IGNORECASE,
)
"""In what follows a name: then it is about secrets and none is told, as in `password_min_length` or "Passwort-Regeln"."""
COUNTED = re.compile(r"(?<![^\W_])(?:max|min|num|total|count|no|has|is|n)[_-]?$", re.IGNORECASE)
"""Before a name: then it is a number or a yes, as in `max_tokens`."""
VERB = (
    r"(?:is|are|was|ist|war|lautet|lautete|hei[sß]t|auf|to|est|es|era|è|é|jest|är|er|adalah|là|это|:=|=>|=|:)(?=[\s`\"'“„«*]|$)"
    r"|[=：は是为為]"
)
"""What stands between a name, or what it is the name for, and the secret."""
