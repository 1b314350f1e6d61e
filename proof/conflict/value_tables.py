"""Words and forms of answers that are told without a measured figure, of time zones, and of counted people.

Data only, in the languages checked so far; proof.conflict.values and proof.conflict.said read it.
Try: python -c "from proof.conflict.value_tables import FREE; print(FREE['de'])"
"""

FREE: dict[str, str] = {
    "en": r"free of charge|for free|free(?=\W*(?:[.;:!?]|$|,\s|(?:for|and|on|at|in|with) ))(?<!\Wfeel free)(?<!-free)|"
    r"costs? (?:you )?nothing|at no (?:\w+ )?(?:cost|charge)|no (?:fee|charge)s?|without (?:charge|cost)|complimentary",
    "de": r"kostenlos\w*|kostenfrei\w*|gratis|umsonst|unentgeltlich\w*|gebührenfrei\w*",
    "fr": r"gratuit\w*|sans frais",
    "es": r"gratis|gratuit[oa]s?|sin (?:costo|coste|cargo)",
    "it": r"gratis|gratuit[oaie]|senza costi",
    "pt": r"grátis|gratuit[oa]s?|sem custos?",
    "nl": r"gratis|kosteloos",
    "ru": r"бесплатн\w*",
    "zh": r"免费|免費",
    "ja": r"無料",
    "ko": r"무료",
}
"""What costs nothing."""

YEARLY: dict[str, float] = {
    "hour": 8760.0, "day": 365.0, "week": 52.14, "month": 12.0, "quarter": 4.0, "year": 1.0, "fortnight": 26.07,
}  # fmt: skip
"""How often in a year a unit comes."""

_BEHIND = (
    r"(?=\W*(?:[.,;:!?)]|$|(?:at|on|in|by|and|from|to|with|for|before|after|between|during|until|or|via|if|when|as|"
    r"à|le|par|et|por|en|a|y|el)\b))"
)  # a daily allowance is no frequency
OFTEN: dict[str, dict[str, str]] = {
    "en": {
        "hour": rf"hourly{_BEHIND}", "day": rf"(?:daily|nightly){_BEHIND}", "week": rf"weekly{_BEHIND}",
        "fortnight": rf"(?:fortnightly|bi-?weekly){_BEHIND}", "month": rf"monthly{_BEHIND}",
        "quarter": rf"quarterly{_BEHIND}", "year": rf"(?:yearly|annually){_BEHIND}",
    },
    "de": {
        "hour": "stündlich", "day": "täglich", "week": "wöchentlich", "fortnight": "(?:zweiwöchentlich|14-tägig|vierzehntägig)",
        "month": "monatlich", "quarter": "(?:vierteljährlich|quartalsweise)", "year": "jährlich",
    },
    "fr": {
        "day": "(?:quotidiennement|chaque jour|tous les jours)", "week": "(?:hebdomadairement|chaque semaine|toutes les semaines)",
        "month": "(?:mensuellement|chaque mois|tous les mois)", "year": "(?:annuellement|chaque année|tous les ans)",
    },
    "es": {
        "day": "(?:diariamente|cada día|todos los días)", "week": "(?:semanalmente|cada semana|todas las semanas)",
        "month": "(?:mensualmente|cada mes|todos los meses)", "year": "(?:anualmente|cada año|todos los años)",
    },
    "nl": {"day": "dagelijks", "week": "wekelijks", "month": "maandelijks", "year": "jaarlijks"},
}  # fmt: skip
"""Words that tell how often something is done, by what it is done once in."""

_UNITS: dict[str, dict[str, str]] = {
    "en": {"hour": "hours?", "day": "(?:working )?days?", "week": "weeks?", "month": "months?", "quarter": "quarters?", "year": "years?"},
    "de": {"hour": "stunden?", "day": "(?:arbeits)?tage?n?", "week": "wochen?", "month": "monate?n?", "quarter": "quartale?n?", "year": "jahre?n?"},
}  # fmt: skip
_N = {
    "en": r"\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|other|second",
    "de": r"\d+|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf",
}
EVERY: dict[str, str] = {
    "en": rf"(?:every|each) (?:(?P<n>{_N['en']}) )?UNIT",
    "de": rf"(?:jede[nrsm]?|alle (?P<n>{_N['de']})) UNIT",
    "zh": r"每(?P<n>\d*)个?UNIT(?=[^\d]{0,4}次|[检更备轮发])",
}
"""`n` is the number of units between two times; UNIT stands for one of UNITS."""
TIMES: dict[str, str] = {
    "en": r"(?P<times>once|twice|(?:\d+|three|four|five|six) times) (?:a|an|per|each|every|in a) UNIT",
    "de": r"(?P<times>(?:ein|zwei|drei|vier|fünf|sechs|\d+)[ -]?mal) (?:pro|am|im|in der|je|jede[nrsm]?) UNIT",
    "zh": r"每UNIT(?P<times>[一二两三四五六\d]+)次",
}
UNITS: dict[str, dict[str, str]] = _UNITS | {
    "zh": {"hour": "小时", "day": "[天日]", "week": "(?:周|星期)", "month": "月", "quarter": "季度", "year": "年"},
}
COUNTS: dict[str, int] = {
    word: n
    for n, words in enumerate(
        ("one once ein 一", "two twice zwei other second 二 两", "three drei 三", "four vier 四", "five fünf 五", "six sechs 六",
         "seven sieben", "eight acht", "nine neun", "ten zehn", "", "twelve zwölf"),
        start=1,
    )
    for word in words.split()
}  # fmt: skip

MONTH_DAY: dict[str, str] = {
    "en": r"(?P<d>\d{1,2})(?:st|nd|rd|th)(?: day)?(?: of)?(?: (?:the|each|every|a))?(?: (?:calendar|following|next|current))? month|"
    r"(?<=on the )(?P<e>\d{1,2})(?:st|nd|rd|th)(?! \w*(?:floor|day|time|anniversary|storey|[Cc]entury|of [A-Z]|[A-Z]))",
    "de": r"(?P<d>\d{1,2})\.(?: Tag)?(?: (?:des|jeden|jedes|eines|im))(?: (?:Folge|laufenden|nächsten|folgenden))? ?[Mm]onats?",
    "fr": r"(?P<d>\d{1,2})(?:er)? (?:du|de chaque) mois",
    "es": r"(?P<d>\d{1,2}) (?:del|de cada) mes",
    "zh": r"每(?:个)?月(?P<d>\d{1,2})[日号號]",
    "ja": r"毎月(?P<d>\d{1,2})日",
}
"""A day of every month."""

VERSION: dict[str, str] = {
    lang: rf"(?:{words})(?:[^\d.;:]|[:=]\s){{0,40}}?(?P<v>\d+(?:\.\d+){{1,3}})(?![\w%]|[.,]\d)"
    for lang, words in {"en": r"versions?|releases?", "de": r"version(?:en)?", "fr": "versions?", "es": "versi[oó]n(?:es)?"}.items()
}  # fmt: skip
"""A version whose number stands apart from the word."""
EXTENSION = (
    r"(?<!\w)(?:extension|ext\.?|dial|durchwahl|dw|nebenstelle|poste|interno|toestel)\s*(?:is|number|no\.?|:|ist|nummer|lautet)*\s*"
    r"(?P<x>\d{2,6})(?![\w.,:]\d|\w)|(?:分机|分機|内線)\s*(?:是|号|：|:)?\s*(?P<y>\d{2,6})"
)
"""The short number inside a house."""

ZONES: dict[str, int] = {
    word: minutes
    for minutes, words in {
        0: "utc gmt wet", 60: "cet mez bst west", 120: "cest mesz eet", 180: "eest msk", 330: "ist", 480: "sgt", 540: "jst kst",
        -240: "edt", -300: "est et eastern cdt", -360: "cst ct central mdt", -420: "mst mt mountain pdt", -480: "pst pt pacific",
    }.items()
    for word in words.split()
} | {"central european": 60}  # fmt: skip
"""What is added to UTC, in minutes."""

PEOPLE = (
    r"people|persons?|employees?|colleagues?|managers?|directors?|approvers?|signator(?:y|ies)|reviewers?|members?|"
    r"person(?:en)?|mitarbeite\w*|kolleg\w*|führungskr\w+|vorgesetzte\w*|geschäftsführ\w*|leiter\w*|personnes?|personas?|persone"
)
"""Nouns of people who are counted: one manager against two people who approve is a disagreement."""
