"""Claims in another language than their passage: held by meaning and figures, refused where a sense is turned round."""

from collections.abc import Callable
from functools import cache

import pytest

from models import Near
from models.embedded import EmbeddedEmbedder
from proof.verdict import Claim
from tests.test_verify import Passage
from verify import check

LINES = {
    "notice": "Tell the depot at least 5 days before you return a van.",
    "cap": "A crew may book at most 3 vans for one shift.",
    "gloves": "Drivers must wear gloves while they load the crates.",
    "helmet": "Visitors should wear a helmet in the loading bay.",
    "radio": "The radio in the cab can be switched off during breaks.",
    "ramp": "Nobody parks on the ramp, and it is not lit at night.",
    "wash": "Vans are washed after every trip to the quarry.",
    "cold": "Crates of more than 12 kilos are carried by two people.",
    "deposit": "Tenants pay a deposit of 40 euros per month for the locker.",
    "gate": "The depot gate opens at 6:30 and is watched by Rosalind Abara.",
}
PAGE = "# Depot\n\n" + "\n".join(LINES.values()) + "\n"
KEYS = list(LINES)
LIMIT, SAME, OTHER = 0.6, 0.8, 0.1


class Table:
    """Meanings as a table has them: a claim is near the line it is about, and far from every other."""

    def __init__(self, about: dict[str, str]) -> None:
        self.about, self.asked = about, 0

    def __call__(self, claim: str, lines: tuple[str, ...]) -> list[float]:
        self.asked += 1
        line = LINES[self.about[claim.rstrip()]]
        return [SAME if told == line else OTHER if line not in told else SAME - 0.05 for told in lines]


def abroad(text: str, about: str, lang: str, page: str = PAGE) -> tuple[Claim, Table]:
    table = Table({text: about})
    verdict = check(f"{text} [1]", [Passage(page, first_line=20)], lang, Near(table, LIMIT))
    (claim,) = verdict.claims
    return claim, table


HOLDS = [
    ("de", "notice", "Melden Sie sich mindestens 5 Tage vor der Rückgabe eines Lieferwagens beim Hof."),
    ("fr", "notice", "Prévenez le dépôt au moins 5 jours avant de rendre une camionnette."),
    ("es", "notice", "Avise al depósito al menos 5 días antes de devolver una furgoneta."),
    ("zh", "notice", "归还货车前至少提前5天通知车场。"),
    ("de", "cap", "Eine Mannschaft darf höchstens 3 Lieferwagen für eine Schicht buchen."),
    ("fr", "cap", "Une équipe peut réserver au maximum 3 camionnettes par poste."),
    ("es", "cap", "Un equipo puede reservar como máximo 3 furgonetas para un turno."),
    ("zh", "cap", "每个班组一个班次最多可以预订3辆货车。"),
    ("de", "gloves", "Fahrer müssen beim Verladen der Kisten Handschuhe tragen."),
    ("fr", "gloves", "Les chauffeurs doivent porter des gants pendant le chargement."),
    ("es", "gloves", "Los conductores deben llevar guantes mientras cargan las cajas."),
    ("zh", "gloves", "司机装货时必须戴手套。"),
    ("de", "helmet", "Besucher sollten in der Ladehalle einen Helm tragen."),
    ("de", "radio", "Das Radio im Führerhaus kann in den Pausen ausgeschaltet werden."),
    ("de", "ramp", "Auf der Rampe parkt niemand, und sie ist nachts nicht beleuchtet."),
    ("fr", "ramp", "Personne ne se gare sur la rampe, et elle n'est pas éclairée la nuit."),
    ("es", "ramp", "Nadie aparca en la rampa y de noche no está iluminada."),
    ("de", "wash", "Lieferwagen werden nach jeder Fahrt zum Steinbruch gewaschen."),
    ("de", "cold", "Kisten mit mehr als 12 Kilo werden von zwei Personen getragen."),
    ("de", "deposit", "Mieter zahlen 40 Euro pro Monat als Pfand für das Schließfach."),
    ("de", "gate", "Das Hoftor öffnet um 6:30 Uhr und wird von Rosalind Abara bewacht."),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "about", "text"), HOLDS)
def test_the_same_in_another_language_holds_by_its_line(lang: str, about: str, text: str) -> None:
    claim, _ = abroad(text, about, lang)
    assert claim.status == "supported", claim.reason
    (evidence,) = claim.evidence
    line = 22 + KEYS.index(about)
    assert (evidence.quote, evidence.first_line, evidence.last_line) == (LINES[about], line, line)


TURNED = [
    # language, the line it is about, the claim, what the reason must name
    # another figure, which the passage does not have or says of another thing
    ("de", "notice", "Melden Sie sich mindestens 9 Tage vor der Rückgabe eines Lieferwagens beim Hof.", "9"),
    ("fr", "notice", "Prévenez le dépôt au moins 3 jours avant de rendre une camionnette.", "3"),
    ("es", "cap", "Un equipo puede reservar como máximo 5 furgonetas para un turno.", "5"),
    ("zh", "cap", "每个班组一个班次最多可以预订12辆货车。", "12"),
    ("de", "gate", "Das Hoftor öffnet um 7:30 Uhr und wird von Rosalind Abara bewacht.", "7:30"),
    ("de", "gate", "Das Hoftor öffnet um 6:30 Uhr und wird von Teodor Lund bewacht.", "Teodor"),
    # another unit or rate
    ("de", "notice", "Melden Sie sich mindestens 5 Wochen vor der Rückgabe eines Lieferwagens beim Hof.", "5 weeks"),
    ("fr", "notice", "Prévenez le dépôt au moins 5 semaines avant de rendre une camionnette.", "5 weeks"),
    ("es", "notice", "Avise al depósito al menos 5 meses antes de devolver una furgoneta.", "5 months"),
    ("zh", "notice", "归还货车前至少提前5周通知车场。", "5 weeks"),
    ("de", "deposit", "Mieter zahlen 40 Dollar pro Monat als Pfand für das Schließfach.", "40 Dollar"),
    ("de", "deposit", "Mieter zahlen 40 Euro pro Jahr als Pfand für das Schließfach.", "40 Euro per year"),
    # the duty turned
    ("de", "gloves", "Fahrer dürfen beim Verladen der Kisten Handschuhe tragen.", "may be"),
    ("fr", "gloves", "Les chauffeurs peuvent porter des gants pendant le chargement.", "may be"),
    ("es", "gloves", "Los conductores pueden llevar guantes mientras cargan las cajas.", "may be"),
    ("de", "gloves", "Fahrer sollten beim Verladen der Kisten Handschuhe tragen.", "should be"),
    ("de", "helmet", "Besucher müssen in der Ladehalle einen Helm tragen.", "must be"),
    ("fr", "radio", "La radio de la cabine doit être éteinte pendant les pauses.", "must be"),
    # the limit or the order turned
    ("de", "notice", "Melden Sie sich höchstens 5 Tage vor der Rückgabe eines Lieferwagens beim Hof.", "höchstens"),
    ("fr", "cap", "Une équipe peut réserver au moins 3 camionnettes par poste.", "au moins"),
    ("es", "cap", "Un equipo puede reservar al menos 3 furgonetas para un turno.", "al menos"),
    ("de", "wash", "Lieferwagen werden vor jeder Fahrt zum Steinbruch gewaschen.", "vor"),
    ("fr", "wash", "Les camionnettes sont lavées avant chaque trajet à la carrière.", "avant"),
    ("es", "wash", "Las furgonetas se lavan antes de cada viaje a la cantera.", "antes"),
    ("de", "cold", "Kisten mit weniger als 12 Kilo werden von zwei Personen getragen.", "weniger als"),
    # the denial turned
    ("de", "gloves", "Fahrer müssen beim Verladen der Kisten keine Handschuhe tragen.", "may be|denies"),
    ("fr", "wash", "Les camionnettes ne sont pas lavées après chaque trajet à la carrière.", "denies"),
    ("es", "wash", "Las furgonetas no se lavan después de cada viaje a la cantera.", "denies"),
    ("zh", "gloves", "司机装货时不戴手套。", "denies"),
    ("de", "ramp", "Auf der Rampe parken alle, und sie ist nachts beleuchtet.", "denies"),
    ("fr", "ramp", "Tout le monde se gare sur la rampe, éclairée la nuit.", "denies"),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "about", "text", "named"), TURNED)
def test_what_is_turned_round_in_another_language_is_refused_by_its_name(
    lang: str, about: str, text: str, named: str
) -> None:
    claim, _ = abroad(text, about, lang)
    assert (claim.status, claim.evidence) == ("unsupported", [])
    assert any(word in claim.reason for word in named.split("|")), claim.reason


RULES = (
    "Drivers must not smoke in the cab.",
    "Drivers do not have to wash the van.",
    "Nobody may sleep in the cab.",
    "You may smoke at the gate, but you must not leave the engine on.",
)
DENIED_DUTIES = [
    ("de", 0, "Fahrer dürfen im Führerhaus nicht rauchen.", True),
    ("fr", 0, "Les chauffeurs ne doivent pas fumer dans la cabine.", True),
    ("es", 0, "Los conductores no pueden fumar en la cabina.", True),
    ("de", 0, "Fahrer dürfen im Führerhaus rauchen.", False),
    ("de", 0, "Fahrer müssen im Führerhaus nicht rauchen.", False),
    ("de", 1, "Fahrer müssen den Lieferwagen nicht waschen.", True),
    ("de", 1, "Fahrer dürfen den Lieferwagen nicht waschen.", False),
    ("es", 1, "Los conductores no tienen que lavar la furgoneta.", True),
    ("de", 2, "Niemand darf im Führerhaus schlafen.", True),
    ("fr", 2, "Personne ne peut dormir dans la cabine.", True),
    ("de", 3, "Am Tor darf geraucht werden, aber der Motor darf nicht laufen.", True),
]


@pytest.mark.parametrize(("lang", "rule", "text", "holds"), DENIED_DUTIES)
def test_a_denied_duty_forbids_in_one_language_and_frees_in_another(
    lang: str, rule: int, text: str, holds: bool
) -> None:
    near = Near(lambda claim, lines: [SAME if RULES[rule] == line else OTHER for line in lines], LIMIT)
    claim = check(f"{text} [1]", [Passage("\n".join(RULES))], lang, near).claims[0]
    assert (claim.status == "supported") == holds, claim.reason


def test_far_meanings_prove_nothing_and_without_meanings_only_figures_and_names_tie() -> None:
    text = HOLDS[8][2]
    far = Near(lambda claim, lines: [OTHER] * len(lines), LIMIT)
    reason = check(f"{text} [1]", [Passage(PAGE)], "de", far).claims[0].reason
    assert reason.startswith("could not be checked")
    zh = next(text for lang, _, text in HOLDS if lang == "zh" and not any(c.isdigit() for c in text))
    assert "another language (en)" in check(f"{zh} [1]", [Passage(PAGE)], "zh").claims[0].reason
    assert check(f"{HOLDS[0][2]} [1]", [Passage(PAGE)], "de").claims[0].status == "supported"


def test_two_lines_prove_together_what_neither_tells_alone() -> None:
    text = "Fahrer müssen Handschuhe tragen, und Besucher sollten in der Halle einen Helm tragen."
    both = {LINES["gloves"]: 0.5, LINES["helmet"]: 0.45, f"{LINES['gloves']} {LINES['helmet']}": 0.75}
    near = Near(lambda claim, lines: [both.get(line, OTHER) for line in lines], LIMIT)
    claim = check(f"{text} [1]", [Passage(PAGE, first_line=20)], "de", near).claims[0]
    assert [(e.quote, e.first_line, e.last_line) for e in claim.evidence] == [
        (f"{LINES['gloves']}\n{LINES['helmet']}", 24, 25)
    ]


ASKED = [
    # a claim in English or German, whether meanings must be compared
    ("en", LINES["gloves"], False),
    ("en", "While they load the crates, drivers must wear gloves.", False),
    ("en", "Pineapples grow in tropical gardens overseas.", False),
    ("en", "Drivers must wear gloves for lifting heavy boxes up.", True),
    ("de", HOLDS[8][2], True),
    ("de", "Fahrer müssen beim Verladen 77 Handschuhe tragen.", False),  # the figure is enough
]


@pytest.mark.parametrize(("lang", "text", "compared"), ASKED)
def test_meanings_are_compared_only_where_words_do_not_do(lang: str, text: str, compared: bool) -> None:
    _, table = abroad(text, "gloves", lang)
    assert (table.asked > 0) == compared


@pytest.fixture(scope="module")
def embedded() -> Callable[[str], Near]:
    embedder = EmbeddedEmbedder()
    query = cache(embedder.embed_query)

    def near(lang: str) -> Near:
        def cosines(claim: str, lines: tuple[str, ...]) -> list[float]:
            vectors = embedder.embed_documents(lines)
            return [float(v @ query(claim, lang)) for v in vectors if v is not None]

        return Near(cosines, embedder.same_meaning)

    return near


@pytest.mark.parametrize(
    ("lang", "text", "about"),
    [*((lang, text, about) for lang, about, text in HOLDS[:12]),
     *((lang, text, "") for lang, _, text, _ in (TURNED[1], TURNED[6], TURNED[12], TURNED[19], TURNED[26]))],
)  # fmt: skip
def test_the_embedded_models_tie_languages(lang: str, text: str, about: str, embedded: Callable[[str], Near]) -> None:
    claim = check(f"{text} [1]", [Passage(PAGE)], lang, embedded(lang)).claims[0]
    assert [e.quote for e in claim.evidence] == ([LINES[about]] if about else []), claim.reason
