"""Words that bound a figure, units and parts of a whole, language by language. Data only: proof.measures reads them.

One more language is one more entry in each table.
Try: python -c "from proof.measure_tables import UNITS; print(UNITS['kilograms'])"
"""

BOUNDS: dict[str, dict[str, tuple[str, str]]] = {
    "most": {
        "en": (r"at most|no more than|not more than|(?<!add )(?<!adds )up to|as (?:much|many|long) as|(?:a )?maximum(?: of| is)?|max\.?|no longer than|not exceed(?:ing)?|nor exceed|limited to(?: \w+){0,4}|no higher than|no larger than", r"or (?:less|fewer|under|below)|at (?:the )?most|maximum"),
        "de": (r"höchstens|maximal|max\.?|bis zu|nicht mehr als|nicht länger als", r"oder weniger|maximal"),
        "fr": (r"au plus|au maximum|maximum(?: de)?|max\.?|jusqu'à|pas plus de", r"au plus|au maximum|ou moins|maximum"),
        "es": (r"como máximo|máximo(?: de)?|hasta|no más de|a lo sumo", r"como máximo|o menos|máximo"),
        "zh": (r"不超过|不得超过|最多|至多|上限为?", r"以下"),
    },
    "within": {
        "en": (r"within|in|no later than(?: after)?|not later than", ""),
        "de": (r"innerhalb von|binnen|in|spätestens(?: nach)?", ""),
        "fr": (r"dans (?:les|un délai de)|sous|en|au plus tard après", ""),
        "es": (r"en un plazo de|dentro de|en|a más tardar", ""),
        "zh": (r"在", r"以内|之内|内"),
    },
    "least": {
        "en": (r"at least|no less than|not less than|no fewer than|(?:a )?minimum(?: of| is)?|min\.?|≥", r"or (?:more|over|older|longer|above|greater)|at least|minimum|and (?:over|above)"),
        "de": (r"mindestens|wenigstens|nicht weniger als|min\.?|ab", r"oder mehr|und mehr|mindestens"),
        "fr": (r"au moins|au minimum|minimum(?: de)?|pas moins de", r"au moins|au minimum|ou plus|minimum"),
        "es": (r"al menos|como mínimo|mínimo(?: de)?|por lo menos|no menos de", r"como mínimo|o más|mínimo"),
        "zh": (r"至少|最少|不少于|不低于", r"以上"),
    },
    "more": {
        "en": (r"(?<!no )(?<!not )more than|over|above|exceed(?:s|ing)?|greater than|longer than|larger than|older than|beyond|>|exceed(?:s|ing)?", ""),
        "de": (r"(?<!nicht )mehr als|über|länger als|größer als|älter als", ""),
        "fr": (r"(?<!pas )plus de|supérieure?s? à|au-delà de|dépass\w+", ""),
        "es": (r"(?<!no )más de|superior(?:es)? a|super[ae]n?|por encima de", ""),
        "zh": (r"(?<!不)(?<!不得)超过|多于|大于|高于", ""),
    },
    "less": {
        "en": (r"(?<!no )(?<!not )(?:less|fewer) than|under|below|smaller than|shorter than|younger than|<", ""),
        "de": (r"(?<!nicht )weniger als|unter|kürzer als|kleiner als|jünger als", ""),
        "fr": (r"(?<!pas )moins de|inférieure?s? à|en dessous de", ""),
        "es": (r"(?<!no )menos de|inferior(?:es)? a|por debajo de", ""),
        "zh": (r"(?<!不)(?:少于|低于|小于)", ""),
    },
    "about": {
        "en": (r"about|around|approximately|roughly|nearly|almost|some|circa|ca\.?|~|≈", r"or so"),
        "de": (r"etwa|ungefähr|rund|circa|ca\.?|knapp|fast", ""),
        "fr": (r"environ|à peu près|près de|presque", r"environ"),
        "es": (r"unos|unas|aproximadamente|alrededor de|cerca de|casi", r"aproximadamente"),
        "zh": (r"大约|约|将近|左右", r"左右"),
    },
}  # fmt: skip
"""What bounds a number: words before it, words behind its unit."""

BY_OR_TO: dict[str, dict[str, str]] = {
    "en": {"by": r"(?:rise|rose|risen|increas\w+|grew|grow\w*|fell|fall\w*|drop\w*|decreas\w+|reduc\w+|cut|rais\w+|lower\w*|declin\w+|went (?:up|down)|goes (?:up|down)|up|down) by", "to": r"(?:rise|rose|risen|increas\w+|grew|grow\w*|fell|fall\w*|drop\w*|decreas\w+|reduc\w+|cut|rais\w+|lower\w*|declin\w+|went (?:up|down)|goes (?:up|down)|up|down) to"},
    "de": {"by": r"\bum", "to": r"\bauf"},
    "fr": {"by": r"(?:augment|baiss|diminu|rédui|progress|recul)\w* de", "to": r"(?:augment|baiss|diminu|rédui|pass|port|ramen)\w* (?:à|jusqu'à)"},
    "es": {"by": r"(?:subi|aument|baj|reduj|disminuy|creci|reduc)\w* (?:en )?(?:un|una)", "to": r"(?:hasta|al)(?: el)?"},
    "zh": {"by": r"(?:增加|上升|上涨|提高|下降|减少|降低)了?", "to": r"(?:增加|上升|上涨|提高|下降|减少|降低)(?:到|至)"},
}  # fmt: skip
"""Words between a change and its figure."""

_UNITS = {
    "kg": "kg kilo kilos kilogram kilograms kilogramme kilogrammes kilogramm kilogramos 公斤 千克",
    "g": "g gram grams gramm gramme grammes gramos 克",
    "mg": "mg milligram milligrams milligramm",
    "t": "t ton tons tonne tonnes tonnen toneladas 吨",
    "km": "km kilometer kilometers kilometre kilometres kilometern kilomètres kilómetros 公里 千米",
    "m": "m meter meters metre metres metern mètres metros 米",
    "cm": "cm centimeter centimeters centimetre centimetres zentimeter centimètres centímetros 厘米",
    "mm": "mm millimeter millimeters millimetre millimetres 毫米",
    "mile": "mile miles meilen",
    "ft": "ft foot feet",
    "inch": "inch inches zoll",
    "l": "l liter liters litre litres liters litros 升",
    "ml": "ml milliliter milliliters millilitre millilitres 毫升",
    "KB": "kb kilobyte kilobytes",
    "MB": "mb megabyte megabytes",
    "GB": "gb gigabyte gigabytes",
    "TB": "tb terabyte terabytes",
    "Mbit/s": "mbit/s mbps",
    "Gbit/s": "gbit/s gbps",
    "°C": "°c °\u00a0c celsius",
    "°F": "°f fahrenheit",
    "kW": "kw kilowatt kilowatts",
    "kWh": "kwh",
    "W": "w watt watts",
    "second": "s sec second seconds sekunde sekunden seconde secondes segundo segundos 秒",
    "ms": "ms millisecond milliseconds millisekunden",
    "bar": "bar bars",
    "V": "v volt volts",
}
UNITS: dict[str, str] = {word: unit for unit, words in _UNITS.items() for word in words.split()}
"""Words for units of mass, length, volume, data, temperature and power -> their sign."""

PARTS: dict[str, dict[str, str]] = {
    "en": {
        "half|one half": ".5",
        "a quarter|one quarter": ".25",
        "three quarters": ".75",
        "a third|one third": ".333",
        "two thirds": ".667",
    },
    "de": {
        r"die hälfte|zur hälfte|halbe[rsn]?|hälftig": ".5",
        "ein(?:em)? viertel": ".25",
        "drei viertel|dreiviertel": ".75",
    },
    "fr": {
        r"(?:la )?moitié|à moitié": ".5",
        "un quart": ".25",
        "trois quarts": ".75",
        "un tiers": ".333",
        "deux tiers": ".667",
    },
    "es": {
        "(?:la )?mitad": ".5",
        "(?:un )?cuarto|cuarta parte": ".25",
        "tres cuartos": ".75",
        "un tercio": ".333",
        "dos tercios": ".667",
    },
    "zh": {"一半|半数": ".5", "四分之一": ".25", "四分之三": ".75", "三分之一": ".333", "三分之二": ".667"},
}
"""Parts of a whole."""

EVERY: dict[str, dict[str, str]] = {
    "en": {r"monthly|every month|each month": "1", "quarterly|every quarter|each quarter": "3", r"half-yearly|biannual\w*|twice a year|semi-annual\w*|every six months": "6", r"yearly|annual\w*|every year|once a year|per year|a year": "12"},
    "de": {"monatlich": "1", "vierteljährlich|quartalsweise|jedes quartal": "3", "halbjährlich|zweimal (?:im|pro) jahr": "6", "jährlich|einmal (?:im|pro) jahr": "12"},
    "fr": {"mensuel\\w*|chaque mois": "1", "trimestriel\\w*|chaque trimestre": "3", "semestriel\\w*|deux fois par an": "6", "annuel\\w*|chaque année": "12"},
    "es": {"mensual\\w*|cada mes": "1", "trimestral\\w*|cada trimestre": "3", "semestral\\w*|dos veces al año": "6", "anual\\w*|cada año": "12"},
    "zh": {"每月": "1", "每季度|每季": "3", "每半年|半年一次": "6", "每年|一年一次": "12"},
}  # fmt: skip
"""Words that mean every so many months."""
