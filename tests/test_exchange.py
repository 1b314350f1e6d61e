"""Words of a claim that are exchanged for others of its passage: found where they make another rule, else not."""

import pytest

from proof.verdict import Claim
from tests.test_verify import ask


def claim(text: str, page: str, lang: str) -> Claim:
    (found,) = ask(f"{text} [1]", page, lang=lang).claims
    return found


# a passage, the words of it that are exchanged, what stands for them, and what may stand for them
DUTIES = [
    ("en", "Drivers must lock the depot gate at night.", "must", ["may", "should", "must not", "can", "need not"],
     ["have to", "need to", "shall", "are required to"]),
    ("en", "Drivers should lock the depot gate at night.", "should", ["must", "may", "must not"],
     ["ought to", "are encouraged to"]),
    ("en", "Drivers may lock the depot gate at night.", "may", ["must", "should", "may not", "are required to"],
     ["can", "are allowed to", "are free to"]),
    ("en", "Drivers must not lock the depot gate at night.", "must not", ["must", "may", "should"],
     ["may not", "cannot", "can't", "are not allowed to"]),
    ("de", "Fahrer müssen das Hoftor abends verriegeln.", "müssen", ["dürfen", "sollten", "müssen nicht"], []),
    ("de", "Fahrer sollten das Hoftor abends verriegeln.", "sollten", ["müssen", "dürfen"], ["sollen"]),
    ("de", "Fahrer dürfen das Hoftor abends verriegeln.", "dürfen", ["müssen", "sollen", "dürfen nicht"], ["können"]),
    ("fr", "Les chauffeurs doivent verrouiller le portail du dépôt.", "doivent",
     ["peuvent", "devraient", "ne doivent pas"], ["sont tenus de"]),
    ("fr", "Les chauffeurs peuvent verrouiller le portail du dépôt.", "peuvent", ["doivent", "ne peuvent pas"],
     ["sont autorisés à"]),
    ("es", "Los conductores deben cerrar la verja del depósito.", "deben", ["pueden", "deberían", "no deben"],
     ["tienen que"]),
    ("es", "Los conductores pueden cerrar la verja del depósito.", "pueden", ["deben", "no pueden"], ["podrán"]),
]  # fmt: skip
SIDES = [
    ("en", "Empty the crates before the truck arrives.", "before", ["after"], ["prior to"]),
    ("en", "The depot stays closed until the truck arrives.", "until", ["after"], []),
    ("en", "A crate weighs at least 12 kilos.", "at least", ["at most", "no more than", "up to"],
     ["a minimum of", "no less than"]),
    ("en", "A crate weighs at most 12 kilos.", "at most", ["at least", "a minimum of"], ["no more than", "up to"]),
    ("en", "Crates of more than 12 kilos need two people.", "more", ["less", "fewer"], []),
    ("en", "Crates over 12 kilos are carried down the ramp by two.", "over", ["under", "less than"], ["above"]),
    ("en", "The depot is counted weekly by the night crew.", "weekly", ["monthly", "daily"], []),
    ("en", "The helmet is optional in the loading bay.", "optional", ["required", "mandatory"], []),
    ("en", "Parcels are stored inside the loading bay.", "inside", ["outside"], []),
    ("en", "The alarm is enabled in the loading bay.", "enabled", ["disabled"], []),
    ("de", "Die Kisten werden vor der Abfahrt geleert.", "vor", ["nach"], []),
    ("de", "Eine Kiste wiegt mindestens 12 Kilo.", "mindestens", ["höchstens", "maximal", "bis zu"], ["wenigstens"]),
    ("de", "Kisten mit mehr als 12 Kilo tragen zwei Leute.", "mehr", ["weniger"], []),
    ("de", "Das Lager wird wöchentlich von der Nachtschicht gezählt.", "wöchentlich", ["monatlich", "täglich"], []),
    ("fr", "Les caisses sont vidées avant le départ du camion.", "avant", ["après"], []),
    ("fr", "Une caisse pèse au moins 12 kilos.", "moins", ["plus"], []),
    ("fr", "La caisse est vidée avec les gants du dépôt.", "avec", ["sans"], []),
    ("es", "Las cajas se vacían antes de la salida del camión.", "antes", ["después"], []),
    ("es", "Las cajas de más de 12 kilos las llevan dos personas.", "más de", ["menos de"], []),
]  # fmt: skip
ORDINALS: list[tuple[str, str, str, list[str], list[str]]] = [
    ("en", "The third shift empties the crates.", "third", ["second", "fifth", "first"], []),
    ("en", "Badges expire in the first week of service.", "first", ["last", "fourth"], []),
    ("de", "Die dritte Schicht leert die Kisten.", "dritte", ["zweite", "fünfte"], []),
    ("fr", "La troisième équipe vide les caisses.", "troisième", ["deuxième", "quatrième"], []),
    ("es", "El tercer turno vacía las cajas.", "tercer", ["segundo", "cuarto"], []),
]
WHO = [
    ("en", "Ask your supervisor for a new locker key.", "supervisor", ["accountant", "facilitator", "client"],
     ["manager", "lead"]),
    ("en", "The committee approves every new locker key.", "committee", ["board", "council", "treasurer"], []),
    ("en", "Send the invoice to the treasurer on Friday.", "treasurer", ["secretary", "board"], []),
    ("de", "Der Vorstand genehmigt jede neue Spindschlüsselnummer.", "Vorstand", ["Betriebsrat", "Ausschuss"], []),
    ("de", "Die Buchhaltung prüft jede Rechnung am Freitag.", "Buchhaltung", ["Geschäftsleitung", "Personalabteilung"],
     []),
    # names in place of names: both stand in the passage, only one in the sentence
    ("en", "Rosalind Abara keeps the locker keys. Teo Lund orders the gloves.", "Rosalind Abara", ["Teo Lund"], []),
    ("en", "Gloves come from Nordhall. Crates come from Westrup.", "Gloves come from Nordhall",
     ["Gloves come from Westrup"], []),
    ("en", "Page the crew in #dock-night. Order gloves in #dock-shop.", "Page the crew in #dock-night",
     ["Page the crew in #dock-shop"], []),
    ("en", "File faults in Krono. Book vans in Fleetly.", "File faults in Krono", ["File faults in Fleetly"], []),
]  # fmt: skip
EXCHANGED = {"duties": DUTIES, "sides": SIDES, "ordinals": ORDINALS, "who": WHO}


@pytest.mark.parametrize(
    ("page", "old", "new", "lang", "holds"),
    [
        pytest.param(page, old, new, lang, holds, id=f"{group} {lang} {old}>{new}")
        for group, rows in EXCHANGED.items()
        for lang, page, old, wrong, right in rows
        for holds, words in ((False, wrong), (True, [old, *right]))
        for new in words
    ],
)
def test_an_exchanged_word(page: str, old: str, new: str, lang: str, holds: bool) -> None:
    first = page.split(". ")[0].rstrip(".") + "."
    found = claim(first.replace(old, new, 1), page, lang)
    assert (found.status == "supported") == holds, found.reason


HEADED = """The night crew:

- Counts the crates every week
- Repairs the scanners every month

The day crew sweeps the bay. The office crew waters the plants."""
TABLE = "| Item | Keeper | Place |\n|--|--|--|\n| gloves | Lund | bay |\n| scanners | Abara | tower |"

SUBJECTS = [
    ("The day crew waters the plants.", HEADED, False),
    ("The office crew waters the plants.", HEADED, True),
    ("The night crew repairs the scanners every week.", HEADED, False),
    ("The night crew repairs the scanners every month.", HEADED, True),
    ("The night crew counts the crates every week.", HEADED, True),
    ("gloves | Abara | tower", TABLE, False),
    ("scanners | Abara | tower", TABLE, True),
    ("Visitors wear a helmet in the bay.", "Drivers wear a helmet in the bay. Visitors sign in.", False),
    ("Drivers wear a helmet in the bay.", "Drivers wear a helmet in the bay. Visitors sign in.", True),
    ("The scanners are charged in the tower.", "The phones are charged in the tower. The scanners are cleaned.", False),
]


@pytest.mark.parametrize(("text", "page", "holds"), SUBJECTS)
def test_what_is_said_of_another_is_no_proof(text: str, page: str, holds: bool) -> None:
    found = claim(text, page, "en")
    assert (found.status == "supported") == holds, found.reason


HINGES = [
    ("en", "Only drivers open the depot gate.", "Drivers open the depot gate.", False),
    ("en", "Drivers open only the depot gate at night.", "Drivers open the depot gate at night.", False),
    ("en", "Drivers open the depot gate at night.", "Drivers open only the depot gate at night.", False),
    ("en", "Drivers do not open the depot gate.", "Drivers open the depot gate.", False),
    ("en", "Drivers open the depot gate.", "Drivers do not open the depot gate.", False),
    ("en", "Drivers always wear gloves in the bay.", "Drivers wear gloves in the bay.", False),
    ("en", "Drivers never wear gloves in the bay.", "Drivers wear gloves in the bay.", False),
    ("de", "Die Fahrer öffnen nur das Hoftor am Abend.", "Die Fahrer öffnen das Hoftor am Abend.", False),
    ("de", "Die Fahrer öffnen nicht das Hoftor.", "Die Fahrer öffnen das Hoftor.", False),
    ("fr", "Les chauffeurs ouvrent uniquement le portail du dépôt.", "Les chauffeurs ouvrent le portail du dépôt.",
     False),
    ("fr", "Les chauffeurs n'ouvrent pas le portail.", "Les chauffeurs ouvrent le portail.", False),
    ("es", "Los conductores abren solo la verja del depósito.", "Los conductores abren la verja del depósito.", False),
    ("es", "Los conductores no abren la verja.", "Los conductores abren la verja.", False),
    ("en", "Only drivers open the depot gate.", "Only drivers open the depot gate at night.", True),
    ("en", "Drivers don't open the depot gate.", "Drivers do not open the depot gate.", True),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "text", "page", "holds"), HINGES)
def test_a_word_put_in_or_left_out(lang: str, text: str, page: str, holds: bool) -> None:
    found = claim(text, page, lang)
    assert (found.status == "supported") == holds, found.reason


ORDER = "You must return the van by noon. Refuel it before you park. You'll get the key from the night desk."
REWORDED = [
    # joined and cut
    ("en", "You must return the van by noon and refuel it before you park.", ORDER),
    ("en", "Return the van by noon, refuel it before you park and get the key from the night desk.", ORDER),
    ("en", "Before you park, refuel it.", ORDER),
    ("en", "By noon, you must return the van.", ORDER),
    ("en", "The van must be returned by noon.", ORDER),
    # contractions
    ("en", "You will get the key from the night desk.", ORDER),
    ("en", "The gate isn't locked at night.", "The gate is not locked at night."),
    ("en", "You can't open the gate at night.", "You cannot open the gate at night."),
    ("en", "It is the crew's job to sweep the bay.", "It's the crew's job to sweep the bay."),
    # who is addressed
    ("en", "Employees must return the van by noon.", ORDER),
    ("en", "Staff will get the key from the night desk.", ORDER),
    ("en", "Everyone must return the van by noon.", ORDER),
    ("de", "Mitarbeiter müssen den Lieferwagen bis mittags zurückbringen.",
     "Sie müssen den Lieferwagen bis mittags zurückbringen."),
    ("fr", "Les employés doivent rendre la camionnette avant midi.", "Vous devez rendre la camionnette avant midi."),
    # frames
    ("en", "According to the handbook, you must return the van by noon.", ORDER),
    ("en", "According to the employee handbook: refuel it before you park.", ORDER),
    ("en", "The documents state that you must return the van by noon.", ORDER),
    ("en", "Based on the provided passages, you must return the van by noon.", ORDER),
    ("de", "Laut Handbuch verriegeln die Fahrer das Hoftor.", "Die Fahrer verriegeln das Hoftor."),
    ("fr", "Selon le manuel, les chauffeurs ferment le portail.", "Les chauffeurs ferment le portail."),
    ("es", "Según el manual, los conductores cierran la verja.", "Los conductores cierran la verja."),
    # names with figures in them
    ("en", "7Q staff book the van in Fleetly.", "At 7Q you book the van in Fleetly. 7Q has 40 vans."),
    ("en", "As a 7Q driver, you must return the van by noon.", "7Q drivers must return the van by noon."),
    # lists and rows
    ("en", "The night crew counts the crates and repairs the scanners.", HEADED),
    ("en", "Lund keeps the gloves in the bay.", TABLE),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "text", "page"), REWORDED)
def test_the_same_in_other_words_holds(lang: str, text: str, page: str) -> None:
    found = claim(text, page, lang)
    assert found.status == "supported", found.reason


NOT_REWORDED = [
    ("According to the handbook, you may return the van by noon.", ORDER),
    ("You must return the van by noon and refuel it after you park.", ORDER),
    ("Employees may return the van by noon.", ORDER),
    ("7Q drivers must return the van by noon.", "8Q drivers must return the van by noon."),
]


@pytest.mark.parametrize(("text", "page"), NOT_REWORDED)
def test_a_fault_inside_other_words_is_found(text: str, page: str) -> None:
    assert claim(text, page, "en").status == "unsupported"
