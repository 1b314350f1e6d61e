"""Words by which two sentences that are alike otherwise say opposite things. Data only; proof.conflict.twins reads it.

Try: python -c "from proof.conflict.twin_tables import OPPOSITE; print(OPPOSITE['en'])"
"""

ADVISED: dict[str, str] = {
    "en": r"should(?! ?n[o']t)|ought to|recommended|encouraged to|advised to",
    "de": r"soll(?:te|ten|en)?|empfohlen",
    "fr": r"devrai(?:t|ent|ez)|recommandée?s?|conseillée?s?",
    "es": r"debería[ns]?|recomendad[oa]s?|recomienda[ns]?",
    "it": r"dovrebbe(?:ro)?|consigliat[oaie]|raccomandat[oaie]",
    "pt": r"deveria[m]?|recomendad[oa]s?",
    "nl": r"zou(?:den)? moeten|aanbevolen",
    "zh": r"建议|最好",
    "ja": r"推奨|望ましい",
    "ru": r"следует|рекоменд\w+",
}
"""Weaker than a duty, stronger than leave."""

OPPOSITE: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (
        ("at least", "at most"), ("minimum", "maximum"), ("no less than", "no more than"), ("more than", "less than"),
        ("before", "after"), ("until", "from"), ("above", "below"), ("over", "under"), ("paid", "unpaid"),
        ("with", "without"), ("including", "excluding"), ("includes?", "excludes?"), ("included", "excluded"),
        ("internal", "external"), ("public", "private"), ("open", "closed"), ("opens", "closes"), ("enabled?s?", "disabled?s?"),
        ("always", "never"), ("all", "none"), ("all", "only"), ("granted", "denied"), ("accepted?s?", "rejected?s?"),
        ("approved", "rejected"), ("taxable", "tax-free"), ("eligible", "ineligible"), ("employer", "employee"),
        ("in advance", "afterwards"), ("manually", "automatically"), ("earlier", "later"), ("increased?s?", "decreased?s?"),
        ("calendar days?", "(?:working|business) days?"), ("everyone", "nobody"), ("available", "unavailable"), ("and", "or"),
    ),
    "de": (
        ("mindestens", "höchstens"), ("mindestens", "maximal"), ("mehr als", "weniger als"), ("vor", "nach"), ("bis", "ab"),
        ("über", "unter"), (r"bezahlt\w*", r"unbezahlt\w*"), ("mit", "ohne"), ("inklusive", "exklusive"), ("intern", "extern"),
        ("öffentlich", "privat"), ("immer", "nie"), (r"genehmigt\w*", r"abgelehnt\w*"), ("früher", "später"),
        (r"kalendertag\w*", r"(?:arbeits|werk)tag\w*"), ("vorher", "nachher"), ("und", "oder"), ("offen", "geschlossen"),
    ),
    "fr": (("avant", "après"), ("au moins", "au plus"), ("avec", "sans"), ("payée?s?", "non payée?s?"), ("toujours", "jamais")),
    "es": (("antes", "después"), ("al menos", "como máximo"), ("con", "sin"), ("siempre", "nunca")),
    "zh": (("至少", "最多"), ("之前", "之后"), ("以前", "以后"), ("带薪", "无薪"), ("包括", "不包括"), ("以上", "以下")),
}  # fmt: skip
"""Of each pair a sentence says one or the other."""

ANSWERS_WHO = (
    r"by|by the|to|to the|from|from the|contact|contacts|ask|is|are|with|with the|via|von|vom|durch|an|beim|bei|der|die|"
    r"ist|par|por|da|dal|door"
)
"""Words behind which a person, a team or a place is named."""
