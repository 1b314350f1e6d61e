"""Words that mean a number, a month, a scale or a currency, in the languages checked so far. Data only.

One more language is one more line in each table; proof.facts reads them and knows no language itself.
Try: python -c "from proof.tables import MONTHS; print(MONTHS['mai'])"
"""

_MONTH_NAMES = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
)
MONTHS: dict[str, int] = {
    name: number for names in _MONTH_NAMES for number, name in enumerate(names.split(), start=1)
} | {"sept": 9}

SCALES: dict[str, int] = {
    word: value
    for value, words in {
        1_000: "thousand tausend mille mil mila duizend тысяч k 千",
        10_000: "万 萬",
        1_000_000: "million millions mio millionen millones millón milhão milhões milione milioni miljoen mln млн 百万",
        100_000_000: "億 亿",
        1_000_000_000: "billion billions bn mrd milliarde milliarden milliard milliards miliardi miljard млрд",
        1_000_000_000_000: "trillion trillions",
    }.items()
    for word in words.split()
}

CURRENCIES: dict[str, str] = {
    word: code
    for code, words in {
        "EUR": "€ eur euro euros",
        "USD": "$ usd dollar dollars us$ dólares",
        "GBP": "£ gbp",
        "CHF": "chf franken",
        "JPY": "jpy yen 円",
        "CNY": "cny rmb yuan 元",
        "¥": "¥",
        "INR": "₹ inr",
        "RUB": "₽ rub руб рублей",
    }.items()
    for word in words.split()
}

_COUNTING = (*range(1, 20), *range(20, 100, 10))  # one to nineteen, then the tens
_COUNTED = {
    "en": "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
    "siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "fr": "- deux trois quatre cinq six sept huit - dix onze douze treize quatorze quinze seize dix-sept dix-huit "
    "dix-neuf vingt trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix",
    "es": "- dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
}
"""Words for the numbers of `_COUNTING`; `-` where the word mostly means something else (un, neuf)."""
_ONES, _TENS = "ein zwei drei vier fünf sechs sieben acht neun", "zwanzig dreißig vierzig fünfzig sechzig siebzig"
_TWENTIES = "uno dós trés cuatro cinco séis siete ocho nueve"
_MORE_COUNTED = {
    "de": {
        f"{one}und{ten}": 20 + 10 * i + j
        for j, one in enumerate(_ONES.split(), 1)
        for i, ten in enumerate(_TENS.split())
    },
    "es": {f"veinti{one}": 20 + j for j, one in enumerate(_TWENTIES.split(), 1)},
}  # fmt: skip
WORD_NUMBERS: dict[str, dict[str, int]] = {
    lang: {word: value for word, value in zip(names.split(), _COUNTING, strict=True) if word != "-"}
    | _MORE_COUNTED.get(lang, {})
    for lang, names in _COUNTED.items()
}

HAN: dict[str, int] = dict(zip("零〇一二两兩三四五六七八九", (0, 0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True)) | {
    "十": 10, "百": 100, "千": 1_000, "万": 10_000, "萬": 10_000, "亿": 10**8, "億": 10**8,
}  # fmt: skip

_COUNTRIES = (
    "usa us u.s u.s.a united-states america ee ee.uu uu états-unis estados-unidos vereinigte-staaten 美国 アメリカ",
    "uk u.k united-kingdom britain großbritannien royaume-uni reino-unido england",
    "eu e.u european-union europäische-union ue union-européenne unión-europea",
    "germany deutschland allemagne alemania", "france frankreich francia", "spain spanien espagne españa",
    "denmark dänemark danemark dinamarca", "netherlands niederlande pays-bas holanda países-bajos",
    "poland polen pologne polonia", "china 中国 chine", "canada kanada canadá", "italy italien italie italia",
    "switzerland schweiz suisse suiza", "austria österreich autriche",
)  # fmt: skip
COUNTRIES: dict[str, frozenset[str]] = {
    name: frozenset(n.replace("-", " ") for n in names.split()) for names in _COUNTRIES for name in names.split()
}
"""A country's or union's name -> all its names, as written in folded text."""

_PLAIN = {
    "en": "step steps take document documents passage passages source sources say says summary answer answers overview "
    "detail details information list note notes according follow follows following key point points important topic "
    "question item items name type category description value amount option options next here asked found find works "
    "example examples rule rules exception exceptions condition conditions section page conclusion short brief "
    "handbook below above",
    "de": "schritt schritte dokument dokumente quelle quellen zusammenfassung antwort überblick übersicht einzelheiten "
    "information informationen liste hinweis hinweise laut folgende folgenden folgendes wichtig frage punkt punkte "
    "regel regeln ausnahme ausnahmen beispiel beispiele fazit kurz handbuch sagen sagt gefunden",
    "fr": "étape étapes document documents source sources résumé réponse détails information informations liste note "
    "suivant suivante suivants suivantes règle règles exception exceptions exemple exemples selon disent question",
    "es": "paso pasos documento documentos fuente fuentes resumen respuesta detalles información lista nota siguiente "
    "siguientes regla reglas excepción excepciones ejemplo ejemplos según dicen pregunta",
}
PLAIN_WORDS: dict[str, frozenset[str]] = {lang: frozenset(words.split()) for lang, words in _PLAIN.items()}
"""Words of headings and lead-ins that state nothing of the matter."""

VERBS: dict[str, str] = {
    "en": r"\b(?:may|must|can|could|need|needs|are|is|was|were|will|shall|should|has|have|do|does|gets?)\b",
    "de": r"\b(?:darf|dürfen|muss|müssen|kann|können|ist|sind|war|waren|wird|werden|soll|sollen|sollte|hat|haben)\b",
    "fr": r"\b(?:peut|peuvent|pouvez|doit|doivent|devez|est|sont|sera|seront|a|ont|avez|faut)\b",
    "es": r"\b(?:puede|pueden|debe|deben|es|son|está|están|será|serán|ha|han|tiene|tienen|hay)\b",
    "pt": r"\b(?:pode|podem|deve|devem|é|são|está|estão|será|tem|têm|há)\b",
    "it": r"\b(?:può|possono|deve|devono|è|sono|sarà|ha|hanno)\b",
    "nl": r"\b(?:mag|mogen|moet|moeten|kan|kunnen|is|zijn|wordt|worden|zal|heeft|hebben)\b",
    "ru": r"\b(?:может|могут|должен|должны|можно|нужно|надо|будет|будут)\b",
    "zh": r"可以|必须|必須|应当|應當|需要|可|会|會|是",
    "ja": r"できます|できる|必要|べき|です|ます",
    "ko": r"합니다|입니다|있습니다|됩니다|필요",
}
"""Verbs behind which a line states something: what may, must or is."""

POINTERS: dict[str, str] = {
    "en": r"\b(?:here|below|this|these|that|following|how|what|when|where|who|which|why|if)\b.{0,20}?$",
    "de": r"\b(?:hier|dies|das|folgende[ns]?|wie|was|wann|wo|wer|welche[rs]?|warum|wenn)\b.{0,20}?$",
    "fr": r"\b(?:voici|ce|ceci|comment|quand|où|qui|quelle?s?|si)\b.{0,20}?$",
    "es": r"\b(?:aquí|esto|cómo|qué|cuándo|dónde|quién|si)\b.{0,20}?$",
}
"""Words before such a verb that only point to what follows, or ask."""
_ASKING = (
    "how what when where who why wie was wann wo wer warum comment quand où qui pourquoi cómo qué cuándo dónde quién"
)
ASKING = frozenset(_ASKING.split())
"""Words that open a question."""

_TIME_UNITS = {
    "en": ("minutes?", "hours?", "days?", "weeks?", "months?", "years?"),
    "de": (
        r"minuten?",
        r"\w*stunden?",
        r"\w*tag(?:en?|es|s)?",
        r"\w*wochen?",
        r"\w*monat(?:en?|s)?",
        r"jahr(?:en?|s)?",
    ),
    "fr": ("minutes?", "heures?", "jours?", "semaines?", "mois", "an(?:s|nées?|née)?"),
    "es": ("minutos?", "horas?", "días?", "semanas?", "mes(?:es)?", "años?"),
    "zh": ("分钟", "小时", "[天日]", "(?:个?星期|周)", "个?月", "年"),
}
_UNIT_NAMES = ("minute", "hour", "day", "week", "month", "year")
TIME_UNITS: dict[str, dict[str, str]] = {
    lang: dict(zip(_UNIT_NAMES, units, strict=True)) for lang, units in _TIME_UNITS.items()
}
BETWEEN: dict[str, str] = {
    "en": r"(?:(?:working|business|calendar|full|whole|paid|unpaid|consecutive|more|additional) )?",
    "de": r"(?:(?:volle|ganze|weitere|zusätzliche)n? )?",
}
"""Words between a number and its unit."""
PER: dict[str, tuple[str, dict[str, str]]] = {
    "en": (r"(?:per|an?|each|every|/) ?(?:calendar |working )?", {
        "hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "annual": "year", "annually": "year",
        "yearly": "year"}),
    "de": (r"(?:pro|je|im|/) ?", {
        "täglich": "day", "wöchentlich": "week", "monatlich": "month", "jährlich": "year"}),
    "fr": (r"(?:par|/) ?", {"mensuel": "month", "annuel": "year"}),
    "es": (r"(?:por|al|a la|cada|/) ?", {"mensual": "month", "anual": "year"}),
    "zh": ("每", {}),
}  # fmt: skip
"""What stands before the unit of a rate, and words that are a rate by themselves."""

OPPOSITES_WITH_OBJECT: dict[str, tuple[tuple[str, ...], ...]] = {
    "en": (
        (r"under|below|less than|fewer than", r"(?<!no )(?<!not )more than|over|above"),
        (r"before|until|by|no later than", r"after|from"),
    ),
    "de": (
        ("unter|weniger als", "über|mehr als"),
        ("vor|bis|bis zum", "nach|ab|ab dem"),
    ),
}
"""Words of which a claim and its proof cannot hold different ones before the same figure or the same word."""
ARTICLES = frozenset(("the", "a", "an", "der", "die", "das", "le", "la", "les", "el", "los", "las"))
NOES = ["no", "nein", "non", "não", "nee", "нет", "不", "不是", "いいえ", "아니요"]
LIMITS = (
    r"\b(?:only|at most|must|required?s?|instead|forbidden|prohibited|banned|unpaid|until|up to|before|except|unless|"
    r"nur|höchstens|muss|müssen|verboten|untersagt|erst|uniquement|seulement|interdit|solo|sólo|prohibido)\b|只|仅|必须|のみ"
)
"""What denies or limits without a word of negation: "No. Only managers ..." """

DAYS: tuple[tuple[str, str], ...] = (
    (r"mondays?|montags?|lundis?|lunes|lunedì|segunda-feira|maandag", r"周一|星期一|月曜"),
    (r"tuesdays?|dienstags?|mardis?|martes|martedì|terça-feira|dinsdag", r"周二|星期二|火曜"),
    (r"wednesdays?|mittwochs?|mercredis?|miércoles|mercoledì|quarta-feira|woensdag", r"周三|星期三|水曜"),
    (r"thursdays?|donnerstags?|jeudis?|jueves|giovedì|quinta-feira|donderdag", r"周四|星期四|木曜"),
    (r"fridays?|freitags?|vendredis?|viernes|venerdì|sexta-feira|vrijdag", r"周五|星期五|金曜"),
    (r"saturdays?|samstags?|samedis?|sábados?|sabato|zaterdag", r"周六|星期六|土曜"),
    (r"sundays?|sonntags?|dimanches?|domingos?|domenica|zondag", r"周日|星期日|日曜"),
)
"""The days of the week from Monday on: words of spaced languages, and of those without spaces."""

_MARKS = {
    True: "yes y ja j oui sí si sim x ✓ ✔ ✅ ☑ 是 有 可 はい",
    False: "no n nein non não ✗ ✘ ❌ ☐ 否 无 無 いいえ",
}
MARKS: dict[str, bool] = {mark: value for value, marks in _MARKS.items() for mark in marks.split()}
"""Cells of a table that only say yes or no."""
NO_MARKS = "-–— ./"
"""What a cell holds of which nothing is said."""
