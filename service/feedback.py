"""A person's judgement of an answer they were given -> a row beside the index.

Question, answer and sources are the server's own; of the request only the id, the verdict and the note are taken.
Knows no HTTP. Try: python server.py, then see manual/feedback.md
"""

from access import Caller
from answering.recorded import Log, who
from service.recent import Recent
from service.shapes import Feedback
from storage.feedback import Judgement, now, put
from store import Store


def judge(store: Store, recent: Recent, log: Log | None, caller: Caller, told: Feedback) -> None:
    """Stores what `caller` says of an answer, in place of what they said of it before, and that they did in the `log`.

    Raises UnknownAnswer when the answer was not given to them lately, StoreError when it is not stored.
    """
    given = recent.get(caller, told.answer)
    judged = Judgement(
        id=told.answer, created_at=now(), caller=caller.id, question=given.question, narrowed=given.narrowed,
        lang=given.lang, verdict=told.verdict, note=told.note, status=given.status, answer=given.answer,
        sources=given.sources, model=given.model, limits=given.limits,
    )  # fmt: skip
    put(store, judged)
    if log:
        log.write("feedback", caller, who("feedback", caller) | {"id": told.answer, "verdict": told.verdict})
