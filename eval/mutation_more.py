"""Faults that keep a claim's words and add to them or turn one round: an invented addition or reason, a contrary.

Imports nothing of the checker and knows none of its tables. Each kind returns None where it does not fit.
Try: python -m eval.mutations --data ~/public-data --kind addition --show 10
"""

import random
import re

from eval.mutation_kinds import Fault, Kind, Place, stands_in

_CONTRARIES = (
    "approved rejected", "approve reject", "accepted declined", "accept refuse", "open closed", "opens closes", "public private",
    "required optional", "mandatory voluntary", "internal external", "paid unpaid", "increase decrease", "increases decreases",
    "included excluded", "allowed prohibited", "valid invalid", "enabled disabled", "early late", "start end", "starts ends",
    "begins ends", "encrypted unencrypted", "online offline", "same different", "temporary permanent", "safe dangerous",
    "automatically manually", "hired dismissed", "legal illegal", "add remove", "added removed", "buy sell", "larger smaller",
    "eligible ineligible", "complete incomplete", "necessary unnecessary", "possible impossible", "formal informal",
)  # fmt: skip
_TURNED = {a: b for pair in _CONTRARIES for a, b in (pair.split(), pair.split()[::-1])}
_ADDED = (
    "and a free parking space", "and a yearly bonus", "and two concert tickets", "plus a gym membership", "and a company bicycle",
    "and free lunches", "as well as a language course", "because the insurer demands it", "because of a court ruling",
    "because the old vendor went bankrupt", "due to a shortage of printers", "if the moon festival falls in that quarter",
)  # fmt: skip


def contrary(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """A word by its contrary ("approved" by "rejected"), where the passage does not hold that one."""
    if place.lang != "en":
        return None
    found = [m for m in re.finditer(r"(?<![\w-])[a-z]+(?![\w-])", claim) if m[0] in _TURNED]
    rng.shuffle(found)
    for match in found:
        planted = _TURNED[match[0]]
        denied = re.search(r"\b(?:not|never|no|without)\b|n['’]t\b", claim)
        if not denied and not stands_in(place.passage.lower(), planted):
            article = re.search(r"\b(a|an) $", claim[: match.start()])
            if article and (article[1] == "an") != (planted[0] in "aeiou"):
                continue
            return Fault(claim[: match.start()] + planted + claim[match.end() :], planted)
    return None


def addition(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """Something behind the sentence that the passage does not say: a benefit, a reason, a condition."""
    if place.lang != "en" or not claim.endswith(".") or re.search(r"[\"”’)]\.$", claim) or rng.random() > 0.3:
        return None
    planted = rng.choice(_ADDED)
    return Fault(f"{claim[:-1]} {planted}.", planted)


MORE_KINDS: dict[str, Kind] = {"contrary": contrary, "addition": addition}
"""The kinds of this module."""
