"""The last look at a checked answer: an order is no proof, and nothing of what is told is active or unseen.

Comes behind every other check, because reasons and judgements repeat what the model or a document wrote.
Must not know models. Try: python verify.py "a question"
"""

from collections.abc import Sequence

from models.orders import proves_nothing
from proof.markup import inert, without_addresses
from proof.verdict import CitedText, Claim, Verdict, unproved


def guarded(verdict: Verdict, passages: Sequence[CitedText]) -> Verdict:
    """The verdict with claims marked whose evidence is an order or hidden, and with every text inert.

    An address stays where a passage holds it that the answer cites. Done twice it changes nothing more.
    """
    claims = [_proved(claim, passages) for claim in verdict.claims]
    lost = [new for new, old in zip(claims, verdict.claims, strict=True) if new.status != old.status]
    problems = [*verdict.problems, *map(unproved, lost)]
    cited = [passages[n - 1].text for n in sorted({n for claim in claims for n in claim.citations})]

    def told(text: str) -> str:
        return inert(without_addresses(inert(text), cited)).strip()

    return verdict.model_copy(
        update={
            "text": told(verdict.text),
            "claims": [
                c.model_copy(update={"text": told(c.text), "reason": told(c.reason), "judged_why": told(c.judged_why)})
                for c in claims
            ],
            "problems": [p.model_copy(update={"text": told(p.text)}) for p in problems],
        }
    )


def _proved(claim: Claim, passages: Sequence[CitedText]) -> Claim:
    reasons = (proves_nothing(claim.text, e.quote, passages[e.n - 1].text) for e in claim.evidence)
    reason = next(filter(None, reasons), "") if claim.status == "supported" else ""
    return claim.model_copy(update={"status": "unsupported", "reason": reason, "evidence": []}) if reason else claim
