"""Words that open a reason, a condition or an exception, language by language. Data only: proof.segments reads them.

One more language is one more entry in each table.
Try: python -c "from proof.segment_tables import EXCEPT; print(EXCEPT['en'])"
"""

BECAUSE: dict[str, str] = {
    "en": r"because(?: of)?|due to|owing to|as a result of|thanks to|on account of|so that|in order to|given that",
    "de": r"weil|wegen|aufgrund|infolge|dank|damit(?! (?:ist|sind|wird))|um (?=[^,]+ zu)",
    "fr": r"parce qu(?:e|')|en raison d(?:e|u|es|')|à cause d(?:e|u|es|')|grâce à|puisqu(?:e|')|afin (?:de|que)|pour que",
    "es": r"porque|debido a|a causa de|gracias a|ya que|puesto que|para que|con el fin de",
    "zh": r"因为|由于|因(?=[^此])|以便|为了",
}
"""What opens a reason or a purpose."""
IF: dict[str, str] = {
    "en": r"if|unless|provided(?: that)?|as long as|in case(?: of)?|on condition that|only when|whenever|once",
    "de": r"wenn|falls|sofern|vorausgesetzt|im falle|solange|sobald|es sei denn",
    "fr": r"si|s'il|à condition (?:que|de)|pourvu que|en cas d(?:e|')|tant que|dès que",
    "es": r"si|siempre que|en caso de|a condición de que|con tal de que|mientras|cuando",
    "zh": r"如果|若|倘若|只要|一旦|只有",
}
"""What opens a condition."""
ONLY_IF: dict[str, str] = {
    "en": r"only (?:if|when|after|with|where)|unless|provided(?: that)?|as long as|on condition that",
    "de": r"nur (?:wenn|falls|mit|nach)|sofern|vorausgesetzt|es sei denn|solange",
    "fr": r"(?:seulement|uniquement) si|sauf si|à condition (?:que|de)|pourvu que|à moins que|tant que",
    "es": r"s[oó]lo si|siempre que|a menos que|salvo que|a condición de que|con tal de que",
    "zh": r"只有|除非|前提是|仅在|须经",
}
"""What opens a condition that a claim may not leave out."""
REGARDLESS: dict[str, str] = {
    "en": r"regardless(?: of)?|irrespective of|no matter|whether or not|in any case|unconditionally|under all circumstances",
    "de": r"unabhängig (?:von|davon)|egal|ungeachtet|in jedem fall|bedingungslos|gleichgültig",
    "fr": r"quel(?:le)?s? que soi(?:t|ent)|peu importe|indépendamment d\w*|dans tous les cas|sans condition",
    "es": r"independientemente d\w+|sin importar|en cualquier caso|sea cual sea|incondicionalmente",
    "zh": r"无论|不论|不管|一律",
}
"""What says that there is no condition."""
EXCEPT: dict[str, str] = {
    "en": r"except(?:ing)?(?: for| when| in| on| that)?|apart from|other than|excluding|with the exception of|save for|but not|unless",
    "de": r"außer(?:halb)?|ausgenommen|bis auf|mit ausnahme (?:von|der|des)|abgesehen von|es sei denn",
    "fr": r"sauf|excepté|hormis|à l'exception d(?:e|u|es|')|en dehors d(?:e|u|es|')|à moins que",
    "es": r"salvo|excepto|con excepción de|a excepción de|aparte de|a menos que|menos(?= (?:l[oa]s?|el) )",
    "zh": r"除外|除了?(?!非)|不包括|但不含",
}
"""What opens an exception."""
AND: dict[str, str] = {
    "en": r"\b(?:and|plus|as well as)\b",
    "de": r"\b(?:und|sowie)\b",
    "fr": r"\b(?:et|ainsi que)\b",
    "es": r"\b(?:y|e|así como)\b",
    "zh": "，并|，以及|并且|以及|，还",
}
"""What adds a further thing."""
