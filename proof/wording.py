"""Words that turn a sentence into another one when they are exchanged: duties, sides, places in an order, people.

Data only; one more language is one more row. Try: python -c "from proof.wording import MODALS; print(MODALS['en'])"
"""

import re

_MODALS = {
    "en": {
        "never": r"cannot|can't|mustn't|(?:must|may|can|could|shall) not|(?:is|are) not (?:allowed|permitted|able) to|(?:is|are) (?:forbidden|prohibited)",
        "must": r"must|shall|(?:has|have|had) (?:got )?to|needs? to|(?:is|are|be|being) (?:required|obliged|obligated|bound) to|"
        r"(?:is|are) (?:mandatory|compulsory|required)|requires?",
        "should": r"should|ought to|(?:is|are) (?:recommended|encouraged|advised|advisable)(?: to)?",
        "may": r"may|can|could|might|(?:is|are|be) (?:allowed|permitted|able|free|entitled|welcome) to|"
        r"(?:is|are) optional|(?:do|does) not (?:have|need) to|need not",
    },
    "de": {
        "must": r"muss|müssen|musst|müsst|(?:ist|sind|bist) (?:verpflichtet|vorgeschrieben|erforderlich|pflicht)",
        "should": r"soll|sollen|sollte|sollten|solltest|(?:wird|werden|ist) empfohlen",
        "may": r"darf|dürfen|darfst|kann|können|kannst|könnt|könnte|könnten|(?:ist|sind) (?:erlaubt|freiwillig|möglich)",
    },
    "fr": {
        "must": r"doit|doivent|devez|dois|devra|devront|il faut|(?:est|sont) (?:obligatoires?|tenus? de|exigée?s?)",
        "should": r"devrait|devraient|devriez|(?:est|sont) (?:recommandée?s?|conseillée?s?)",
        "may": r"peut|peuvent|pouvez|peux|pourra|pourront|(?:est|sont) (?:facultatifs?|facultatives?|autorisée?s?)",
    },
    "es": {
        "must": r"debe|deben|debes|deberá|deberán|(?:tiene|tienen|tienes|hay) que|(?:es|son) (?:obligatori[oa]s?|necesari[oa]s?)",
        "should": r"debería|deberían|deberías|(?:se )?recomienda|conviene",
        "may": r"no (?:tiene|tienen|tienes|hay) que|puede|pueden|puedes|podrá|podrán|(?:es|son) (?:opcional(?:es)?|voluntari[oa]s?)",
    },
    "zh": {
        "never": "不得|禁止|不准|不能|严禁",
        "must": "必须|须|应当|务必",
        "should": "建议|最好|应该",
        "may": "可以|可选|允许|不必|无需|可",
    },
}


def _whole(kind: str, words: str, lang: str) -> str:
    return f"(?P<{kind}>{words})" if lang == "zh" else rf"(?P<{kind}>(?<!\w)(?:{words})(?!\w))"


MODALS: dict[str, re.Pattern[str]] = {
    lang: re.compile("|".join(_whole(kind, words, lang) for kind, words in kinds.items()), re.IGNORECASE)
    for lang, kinds in _MODALS.items()
}
"""What must, should or may be; a group a class, the first that fits. Negated duties ("need not") allow."""

DENIED_DUTIES: dict[str, dict[str, str]] = {
    "en": {"must": "never", "may": "never"},  # "nobody may"; "must not" and "need not" are classes of their own
    "de": {"must": "may", "may": "never"},
    "fr": {"must": "never", "may": "never"},
    "es": {"must": "never", "may": "never"},
}
"""What a duty becomes in a clause that denies."""

_SENSES = {
    "most": {
        "en": r"at most|no more than|not more than|up to|a maximum of|maximum|no longer than|limited to",
        "de": r"höchstens|maximal|bis zu|nicht mehr als|höchstbetrag",
        "fr": r"au plus|au maximum|maximum|jusqu'à|maximal\w*|pas plus de",
        "es": r"como máximo|máxim\w+|hasta|no más de|a lo sumo",
    },
    "least": {
        "en": r"at least|no less than|not less than|a minimum of|minimum",
        "de": r"mindestens|wenigstens|nicht weniger als|minimum",
        "fr": r"au moins|au minimum|minimum|minimal\w*|pas moins de",
        "es": r"al menos|como mínimo|mínim\w+|por lo menos|no menos de",
    },
    "more": {
        "en": r"more than|over|above|exceed\w*|greater than|longer than",
        "de": r"mehr als|über|übersteig\w*|länger als|größer als",
        "fr": r"plus de|plus que|dépass\w*|supérieure? à|au-delà",
        "es": r"más de|superior\w* a|super[ae]\w*|exced\w*",
    },
    "less": {
        "en": r"less than|fewer than|under|below|smaller than|shorter than",
        "de": r"weniger als|unter|kürzer als|kleiner als",
        "fr": r"moins de|moins que|inférieure? à|en dessous",
        "es": r"menos de|inferior\w* a|por debajo",
    },
    "before": {
        "en": r"before|prior to|in advance|ahead of|beforehand",
        "de": r"vor|bevor|vorher|im voraus|zuvor",
        "fr": r"avant|à l'avance|préalable\w*",
        "es": r"antes|con antelación|previ[oa]\w*",
    },
    "after": {
        "en": r"after|following|once|afterwards|since",
        "de": r"nach|nachdem|danach|anschließend|seit",
        "fr": r"après|suivant\w*|dès|depuis|une fois",
        "es": r"después|tras|siguiente\w*|una vez|desde",
    },
}
SENSES: dict[str, dict[str, re.Pattern[str]]] = {
    sense: {lang: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for lang, words in rows.items()}
    for sense, rows in _SENSES.items()
}
CONTRARY = (("most", "least"), ("more", "less"), ("before", "after"))
"""Senses that a claim in another language than its passage may not exchange."""

_PAIRED = {
    "en": "until/after by/after until/from within/after prior/after under/over below/above less/more fewer/more "
    "under/more below/more less/over fewer/over over/within under/above less/above least/most first/last "
    "minimum/most least/maximum smallest/largest lowest/highest oldest/newest full-time/part-time always/never "
    "always/sometimes all/some all/none every/some with/without daily/weekly daily/monthly daily/yearly "
    "weekly/monthly weekly/yearly monthly/yearly monthly/annually monthly/quarterly quarterly/yearly "
    "weekly/quarterly annual/monthly eligible/ineligible possible/impossible both/neither either/neither "
    "if/unless except/including eligible/excluded required/recommended mandatory/recommended "
    "optional/recommended day/week day/month day/year week/month week/year month/year hour/day hour/week "
    "days/weeks days/months weeks/months months/years hours/days",
    "de": "bis/nach bis/ab innerhalb/nach unter/über weniger/mehr minimal/maximal wenigstens/höchstens mit/ohne "
    "immer/nie alle/einige täglich/wöchentlich täglich/monatlich wöchentlich/monatlich monatlich/jährlich "
    "vollzeit/teilzeit tag/woche tag/monat tag/jahr woche/monat woche/jahr monat/jahr",
    "fr": "jusqu/après moins/plus inférieur/supérieur minimum/maximum avec/sans toujours/jamais mensuel/annuel "
    "hebdomadaire/mensuel jour/semaine jour/mois jour/an semaine/mois semaine/an mois/an",
    "es": "hasta/desde menos/más mínimo/máximo con/sin siempre/nunca mensual/anual semanal/mensual día/semana "
    "día/mes día/año semana/mes semana/año mes/año",
}
OPPOSED: dict[str, frozenset[frozenset[str]]] = {
    lang: frozenset(frozenset(pair.split("/")) for pair in pairs.split()) for lang, pairs in _PAIRED.items()
}
"""Words of which one cannot stand for the other."""

_ORDINALS = {
    "en": "first second third fourth fifth sixth seventh eighth ninth tenth",
    "de": "erst zweit dritt viert fünft sechst siebt acht neunt zehnt",
    "fr": "premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième",
    "es": "primer segundo tercer cuarto quinto sexto séptimo octavo noveno décimo",
}
ORDINALS: dict[str, dict[str, int]] = {
    lang: {word: place for place, word in enumerate(words.split(), 1)} for lang, words in _ORDINALS.items()
}

_ACTORS = {
    "en": "supervisor=manager=boss=lead employee=staff=worker=colleague=person=people=member=user contractor vendor=supplier "
    "director ceo=chief coordinator facilitator officer accountant treasurer secretary board council assembly committee "
    "team department unit office client=customer partner intern trainee candidate=applicant visitor guest owner admin="
    "administrator hr=people-ops finance helpdesk resources buddy mentor president chair steward editor",
    "de": "vorgesetzte=führungskraft=chef=manager mitarbeiter=mitarbeitende=beschäftigte=kollege=person=mitglied "
    "geschäftsführer=geschäftsleitung koordinator leiter buchhaltung schatzmeister vorstand rat versammlung ausschuss team "
    "abteilung kunde partner praktikant auszubildende bewerber besucher gast betriebsrat personalabteilung",
}
ACTORS: dict[str, dict[str, int]] = {
    lang: {name: group for group, names in enumerate(words.split()) for name in names.split("=")}
    for lang, words in _ACTORS.items()
}
"""Who does something: two of different groups are never the same."""

_HINGES = {
    "en": "only not except unless until never always solely",
    "de": "nur nicht außer kein keine nie immer ausschließlich",
    "fr": "seulement uniquement pas sauf jamais toujours",
    "es": "solo sólo no salvo excepto nunca siempre únicamente",
}
HINGES: dict[str, frozenset[str]] = {lang: frozenset(words.split()) for lang, words in _HINGES.items()}
"""Words that make another sentence where they are put in or left out."""

_ANYBODY = {
    "en": "employee employees staff people person persons everyone everybody anyone colleague colleagues worker workers "
    "one member members",
    "de": "mitarbeiter mitarbeiterin mitarbeitende mitarbeitenden beschäftigte beschäftigten angestellte angestellten "
    "personen kollegen kolleginnen man jeder jede alle",
    "fr": "employé employés salarié salariés collaborateur collaborateurs personnel personnes chacun",
    "es": "empleado empleados trabajador trabajadores personal personas cada",
}
ANYBODY: dict[str, frozenset[str]] = {lang: frozenset(words.split()) for lang, words in _ANYBODY.items()}
"""Who is meant where a page says "you" or gives an order."""
ADDRESSING = re.compile(
    r"\b(?:you|your|yours|we|our|du|dein\w*|sie|ihr\w*|wir|unser\w*|vous|votre|vos|tu|ton|nous|usted|tu|su|sus)\b",
    re.IGNORECASE,
)
"""A page that speaks to its reader."""
