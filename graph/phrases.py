"""Relations and attributes in words, for who asked in vain and for a way in short: "the owner", "depends on".

English, as all that the product says of itself. Knows no question.
Try: python -c "from graph.phrases import noun; print(noun('owns'))"
"""

_NOUNS = {
    "owns": "owner", "leads": "lead", "member_of": "membership", "reports_to": "manager", "on_call_for": "on-call duty",
    "depends_on": "dependencies", "has_access": "access rights", "deprecates": "deprecation",
    "supersedes": "replacement", "contradicts": "contradictions", "approved_by": "approval", "written_by": "author",
    "affects": "effects", "mentions": "mentions", "uses": "use",
}  # fmt: skip
_VERBS = {
    "member_of": "belongs to", "on_call_for": "is on call for", "has_access": "has access to",
    "approved_by": "was decided by", "written_by": "was written by", "uses": "speaks of using",
}  # fmt: skip


def noun(predicate: str) -> str:
    """What a relation or attribute tells of a thing: "owner", "tier"; a company's own relation in quotation marks."""
    if predicate in _NOUNS:
        return _NOUNS[predicate]
    return f'"{predicate.replace("_", " ")}"' if "_" in predicate else predicate


def is_relation(predicate: str) -> bool:
    """Whether it is one that every company has."""
    return predicate in _NOUNS


def verb(predicate: str) -> str:
    """The same between its two ends: "depends on"."""
    return _VERBS.get(predicate, predicate.replace("_", " "))


def silent(predicate: str, names: str) -> str:
    """Nobody says it: "No document that you may read tells the owner of pay"."""
    return f"No document that you may read tells the {noun(predicate)} of {names}."
