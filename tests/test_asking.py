"""A question from a sentence that answers it: one that a person would ask, or none."""

import pytest

from language.asking import question_for

ASKED = [
    ("en", "In your first year at Larkfell you get 25 days of paid vacation (annual leave) per full year.",
     "How many days of paid vacation do I get in my first year at Larkfell?"),
    ("en", "You may take up to 5 unused days into the next year.",
     "How many unused days may I take into the next year?"),
    ("en", "The probation period lasts six months.", "How long is the probation period?"),
    ("en", "A new badge costs €15.", "How much does a new badge cost?"),
    ("en", "Salaries are reviewed once a year and change on 1 April.", "When are salaries reviewed?"),
    ("en", "The office is open from 8:00.", "When is the office open?"),
    ("en", "Questions about your payslip go to Dorota Mazur.", "Who do I ask about my payslip?"),
    ("en", "Dorota Mazur signs contracts with customers.", "Who signs contracts with customers?"),
    ("en", "We pay up to €500 for a desk at home.", "How much does the company pay for a desk at home?"),
    ("en", "If you join or leave in the middle of a year, you earn one twelfth per full month.",
     "What happens if I join or leave in the middle of a year?"),
    ("en", "If your laptop is stolen, call the security team.", "What do I do if my laptop is stolen?"),
    ("en", "When you are ill on a trip, tell your lead.", "What do I do if I am ill on a trip?"),
    ("en", "If you aren't sure which form to take, ask Finance.", "What do I do if I'm not sure which form to take?"),
    ("de", "Wer seine Karte verliert, meldet das sofort.", "Was gilt, wenn man seine Karte verliert?"),
    ("de", "Wenn ein Gerät gestohlen wird, sperrt die IT das Konto.", "Was gilt, wenn ein Gerät gestohlen wird?"),
    ("de", "Die Probezeit dauert sechs Monate.", "Wie lange dauert die Probezeit?"),
    ("de", "Jeder Mitarbeiter hat 30 Tage Urlaub im Jahr.", "Wie viele Tage Urlaub hat jeder Mitarbeiter?"),
    ("de", "Ein neuer Ausweis kostet 15 Euro.", "Wie viel kostet ein neuer Ausweis?"),
    ("fr", "Si le badge est perdu, prévenez l'accueil.", "Que se passe-t-il si le badge est perdu ?"),
    ("es", "Si se pierde la tarjeta, avise a recepción.", "¿Qué pasa si se pierde la tarjeta?"),
    ("pl", "Jeśli karta zostanie zgubiona, należy to zgłosić.", "Co się dzieje, jeśli karta zostanie zgubiona?"),
    ("zh", "如果员工卡遗失，请立即报告。", "如果员工卡遗失，该怎么办？"),
]  # fmt: skip
NOT_ASKED = [
    ("en", "If that is a weekend or a holiday, it comes on the working day before."),  # what is?
    ("en", "If it breaks, call the desk."),
    ("en", "You get two."),
    ("en", "If you want to, you can build it."),
    ("en", "When your partner, the board or others ask, send the slides."),  # a list, not a clause
    ("en", "If you handle restricted data you stay inside the EU, without exception."),
    ("en", "If you think we should change something, say so."),
    ("en", "Danish employees are paid on the last day of each month."),  # a name keeps its capital: which word is one?
    ("en", "The guides are published on our blog."),  # no time, though "when" would fit
    ("en", "The three of them last six months."),
    ("en", "Friday is the last day."),
    ("en", "If you use `run --fast` (see above), wait."),
    ("de", "Wenn sie fehlt, gilt das nicht."),
    ("de", "Die Vollzeit beträgt 39 Stunden in der Woche."),
    ("ko", "열쇠를 잃어버린 경우 알려 주세요."),  # no frame in Korean
    ("en", ""),
]


@pytest.mark.parametrize(("lang", "sentence", "question"), ASKED)
def test_a_sentence_with_a_figure_or_a_condition_is_asked_for(lang: str, sentence: str, question: str) -> None:
    assert question_for(sentence, lang) == question


@pytest.mark.parametrize(("lang", "sentence"), NOT_ASKED)
def test_no_question_is_better_than_a_silly_one(lang: str, sentence: str) -> None:
    assert question_for(sentence, lang) == ""
