"""Words around which a sentence can be turned: "than", "by", "before", "then". Data only: proof.turns reads them.

One more language is one more entry in each table.
Try: python -c "from proof.turn_tables import THAN; print(THAN['en'])"
"""

THAN: dict[str, str] = {
    "en": r"than",
    "de": r"als",
    "fr": r"(?:que|qu')",
    "es": r"que",
    "zh": r"比",
}
"""What stands between two things compared."""
LESS: dict[str, str] = {
    "en": r"less|fewer|not as",
    "de": r"weniger|nicht so",
    "fr": r"moins|pas aussi",
    "es": r"menos|no tan",
    "zh": r"更少|不如|没有",
}
"""What turns a comparison round."""
BY: dict[str, str] = {
    "en": r"(?:is|are|was|were|be|been|being|gets?)(?: \w+){1,4} by",
    "de": r"(?:wird|werden|wurden?|worden)(?: \S+){0,4} (?:von|vom|durch)",
    "fr": r"(?:est|sont|être|été|seront|sera)(?: \S+){1,4} par",
    "es": r"(?:es|son|ser|sido|fue|fueron|será|serán)(?: \S+){1,4} por",
    "zh": r"(?:被|由)",
}
"""A passive with its agent behind."""
OF: dict[str, str] = {"en": "of", "de": "von|der|des", "fr": "d[eu]", "es": "de"}
"""What turns a noun's two sides: "is the responsibility of"."""
SOONER: dict[str, str] = {
    "en": r"before|prior to|ahead of",
    "de": r"bevor|ehe|vor",
    "fr": r"avant(?: de| d'| que)?",
    "es": r"antes de(?: que)?",
    "zh": r"之前|以前|前",
}
"""What stands before it comes first."""
LATER: dict[str, str] = {
    "en": r"after|once|following",
    "de": r"nachdem|(?:erst )?nach|sobald",
    "fr": r"après(?: avoir)?|une fois|dès que",
    "es": r"después de(?: que)?|tras|una vez",
    "zh": r"之后|以后|后",
}
"""What stands before it comes second."""
THEN: dict[str, str] = {
    "en": r"(?:and |, )?(?:then|afterwards|after that|next|followed by|subsequently)",
    "de": r"(?:und )?(?:dann|danach|anschließend|daraufhin)",
    "fr": r"(?:et )?(?:puis|ensuite|après quoi)",
    "es": r"(?:y )?(?:luego|después|a continuación)(?! de)",
    "zh": r"然后|再|接着|随后",
}
"""What stands before it comes first, too."""
STEP: dict[str, str] = {
    "en": r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th)) step|step (?:number )?\d+",
    "de": r"(?:erste\w*|zweite\w*|dritte\w*|vierte\w*|fünfte\w*|sechste\w*|\d+\.) schritt|schritt (?:nummer )?\d+",
    "fr": r"(?:première|deuxième|troisième|quatrième|cinquième|\d+e) étape|étape (?:numéro )?\d+",
    "es": r"(?:primer|segundo|tercer|cuarto|quinto) paso|paso (?:número )?\d+",
    "zh": r"第\s?[一二三四五六七八九十\d]+\s?步",
}
"""A step by its number."""
PRONOUNS: dict[str, dict[str, str]] = {
    "en": {"we": "we", "us": "we", "they": "they", "them": "they", "you": "you"},
    "de": {"wir": "we", "uns": "we", "ihnen": "they"},
    "fr": {"nous": "we", "vous": "you"},
    "es": {"nosotros": "we", "nos": "we"},
}
"""Who acts or is acted on, in all cases."""
