"""Words by which a text forbids, tells of the past or of a plan, language by language. Data only: proof.status reads them.

One more language is one more entry in each table.
Try: python -c "from proof.status_tables import FORBIDS; print(FORBIDS['en'])"
"""

FORBIDS: dict[str, str] = {
    "en": r"^(?:never|no|not|don'?ts?|do not|avoid)\b(?! (?:sure|only|later|more|less))|\b(?:must|may|can|should|do) ?not\b|"
    r"\bcannot\b|\bnever\b|\bnot (?:allowed|permitted|covered|included|reimburs\w+|eligible|accepted|paid|possible)\b|"
    r"\b(?:prohibited|forbidden|banned|excluded|exclusions|unacceptable|ineligible|illegal)\b|\bmistakes\b",
    "de": r"^(?:nie|niemals|nicht|kein\w*)\b|\b(?:nie|niemals|verboten\w*|untersagt|unzulässig|ausgeschlossen|"
    r"nicht (?:erlaubt|gestattet|zulässig|erstattet|abgedeckt|enthalten)|dürfen nicht|darf nicht|tabu)\b|\bfehler\b",
    "fr": r"^(?:jamais|pas de|ne)\b|\b(?:interdits?|interdites?|jamais|exclus|exclues?|non (?:autorisé|remboursé|couvert)\w*|"
    r"ne (?:pas|peuvent pas|doivent pas))\b|\berreurs\b",
    "es": r"^(?:nunca|no)\b|\b(?:prohibid\w+|nunca|excluid\w+|no (?:permitid\w+|se permite|cubiert\w+|incluid\w+))\b|\berrores\b",
    "zh": r"禁止|严禁|不得|不准|不允许|不包括|不含|切勿|请勿|常见错误",
}
"""Headings and lead-ins under which stands what must not be, or what is left out."""
PAST: dict[str, str] = {
    "en": r"formerly|previously|used to|in the past|until (?:\d+ )?(?:[A-Z]\w+ )?(?:19|20)\d\d|(?:was|were|been) "
    r"(?:abolished|discontinued|replaced|withdrawn|closed|scrapped)|superseded|obsolete|outdated",
    "de": r"früher|ehemals|vormals|damals|bis (?:ende )?(?:19|20)\d\d|(?:wurden?|worden) (?:abgeschafft|eingestellt|ersetzt|"
    r"geschlossen)|abgeschafft|veraltet|überholt",
    "fr": r"autrefois|auparavant|jadis|anciennement|jusqu'en (?:19|20)\d\d|a été (?:supprimé|remplacé|fermé)\w*|obsolète",
    "es": r"antes (?!de\b|del\b)|antiguamente|anteriormente|hasta (?:19|20)\d\d|ya no|fue (?:suprimid|sustituid|cerrad)\w+|obsolet\w",
    "zh": r"过去|曾经?|以前|原先|已取消|已废止|已停用|已关闭|年之前",
}
"""Words of a rule that was."""
WAS: dict[str, str] = {
    "en": r"was|were|had|did|until|ended|stopped|former\w*|previous\w*|past|ago|used to|abolished|replaced|discontinued",
    "de": r"war|waren|hatte|hatten|wurde|wurden|bis|früher|ehemal\w*|damals|abgeschafft|gab",
    "fr": r"était|étaient|avait|avaient|fut|jusqu'|autrefois|ancien\w*|auparavant|supprimé\w*",
    "es": r"era|eran|estaba|había|tenía|fue|fueron|hasta|antes|antigu\w+|anterior\w*",
    "zh": r"过去|曾|以前|原|取消|废止|停用",
}
"""Words by which a claim speaks of the past, too."""
PLANNED: dict[str, str] = {
    "en": r"draft|proposed|proposals?|planned|not yet (?:in force|approved|decided)|under discussion|tentative\w*|"
    r"(?:decision|approval) is pending|(?:is|are) (?:being )?consider(?:ed|ing)|plans? to|intends? to|is thinking of|hopes? to",
    "de": r"entwurf|vorgeschlagen|vorschlag|geplant|noch nicht (?:in kraft|beschlossen|genehmigt)|in diskussion|erwogen|erwägt|will|wollen|möchten?|plant|planen|beabsichtigt|beabsichtigen|überlegt",
    "fr": r"projet de|brouillon|proposé\w*|prévue?s?|pas encore|à l'étude|envisage\w*|prévoit d\w*|compte (?=\w+er\b)|étudie",
    "es": r"borrador|propuest\w+|previst\w+|planead\w+|todavía no|aún no|en estudio|pendiente|estudia|planea\w*|prevé|piensa",
    "zh": r"草案|拟|计划于|提议|征求意见|尚未|待定|计划|打算|考虑",
}
"""Words of a rule that is not yet."""
WILL: dict[str, str] = {
    "en": r"will|would|plan\w*|draft|propos\w+|may|might|from|discuss\w*|consider\w*|intend\w*|not yet|pending|future|soon",
    "de": r"wird|werden|soll\w*|plan\w*|geplant\w*|entwurf|vorschlag\w*|vorgeschlagen|ab|noch|künftig",
    "fr": r"sera|seront|prévu\w*|projet|propos\w+|pourrait|encore|à partir|étude|futur\w*",
    "es": r"será|serán|habrá|prevé\w*|previst\w+|propuest\w+|propone\w*|podría|todavía|aún|desde|borrador|pendiente",
    "zh": r"将|拟|计划|草案|提议|可能|尚未|待|打算|考虑",
}
"""Words by which a claim speaks of a plan, too."""
