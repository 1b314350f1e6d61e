"""Claims that repeat their passage's words and say another thing, a kind of fault a table; beside them true ones."""

import pytest

from proof.verdict import Claim
from tests.test_verify import ask

FARM = """Gate North takes tractors over 9 t, gate South takes bicycles.
Ms Adeyemi orders the seed; Mr Brandt orders the fodder.
The hens get 40 kg of grain a day. The geese get 15 kg.
The dairy audits the feed mill twice a year.
Milk is collected by the co-operative, never by the shop."""
STALLS = "| Stall | Rent 2024 | Rent 2025 |\n|--|--|--|\n| Corner | 310 € | 345 € |\n| Middle | 240 € | 255 € |"
LISTS = """Trainees get:

- six days of pasture leave

Foremen get:

- eleven days of pasture leave

## Never feed to the hens

- raw potatoes
- salted nuts

## Feed daily

- oyster shells"""
STATES = """Until 2019 the barn housed 30 cows.
~~Boots are washed twice.~~
**Myth:** Hens need a rooster to lay eggs.
**Fact:** Hens lay without a rooster.

The new silo is planned for the north field.
Visits are free for schools, except on market days.
You may enter the pen only if the bull is tied up.
The fence was rebuilt after the flood."""
LIMITS = """The trailer carries at most 800 kg. Loads of more than 600 kg need a second driver.
The lease runs for 24 months. Half of the apples go to the press.
Milk prices rose by 4 %. A calf weighs about 35 kg.
Most sheds have a tap; a few have a heater. The vet usually comes on Mondays."""
STEPS = "1. Rinse the churn.\n2. Steam the churn.\n3. Fill in the log.\n4. Lock the cold room."
GERMAN = """Der Stall öffnet um 6 Uhr, der Hofladen schließt um 18 Uhr.
Der Tierarzt informiert die Bäuerin. Die Prüfung ist freiwillig.
Alle Ställe außer dem Gänsestall haben Strom. Die Miete stieg auf 90 Euro.
Früher gab es eine Schmiede. Die meisten Felder liegen brach."""
FRENCH = """La ferme ouvre à 9 heures, le verger ferme à 17 heures.
Toutes les serres sauf la serre 3 sont chauffées. Le bail dure vingt-quatre mois.
La vétérinaire informe l'éleveur. La plupart des champs sont irrigués."""
SPANISH = """El establo abre a las 7, la tienda cierra a las 20.
Todos los corrales menos el corral 2 tienen agua. El contrato dura veinticuatro meses.
El veterinario informa al ganadero. La visita es opcional."""
CHINESE = """甲仓存放小麦，乙仓存放玉米。
大多数牛棚有自来水，少数牛棚有暖气。
参观学校免费，市集日除外。
饲料运输不得超过800公斤。"""

KINDS: dict[str, list[tuple[str, str, str, bool]]] = {
    "two things mixed": [
        (FARM, "en", "Gate South takes tractors over 9 t.", False),
        (FARM, "en", "Tractors over 9 t go through gate North, bicycles through gate South.", True),
        (FARM, "en", "Mr Brandt orders the seed.", False),
        (FARM, "en", "The seed is ordered by Ms Adeyemi.", True),
        (FARM, "en", "The geese get 40 kg of grain a day.", False),
        (CHINESE, "zh", "甲仓存放玉米。", False),
        (CHINESE, "zh", "乙仓存放玉米。", True),
    ],
    "rows and columns": [
        (STALLS, "en", "The rent of the corner stall was 345 € in 2024.", False),
        (STALLS, "en", "The rent of the corner stall was 310 € in 2024.", True),
        (STALLS, "en", "In 2025 the middle stall's rent is 345 €.", False),
        (STALLS, "en", "In 2025 the middle stall's rent is 255 €.", True),
    ],
    "under another lead-in": [
        (LISTS, "en", "Trainees get eleven days of pasture leave.", False),
        (LISTS, "en", "Foremen get eleven days of pasture leave.", True),
        (LISTS, "en", "Salted nuts are fed to the hens.", False),
        (LISTS, "en", "Never feed raw potatoes to the hens.", True),
        (LISTS, "en", "Feed oyster shells daily.", True),
        ("Never run this:\n\n```\nrm -rf /herd\n```", "en", "```\nrm -rf /herd\n```", False),
        ("Clean up with:\n\n```\nrm -rf /herd\n```", "en", "```\nrm -rf /herd\n```", True),
    ],
    "not in force": [
        (STATES, "en", "The barn houses 30 cows.", False),
        (STATES, "en", "The barn housed 30 cows until 2019.", True),
        (STATES, "en", "Boots are washed twice.", False),
        (STATES, "en", "Hens need a rooster to lay eggs.", False),
        (STATES, "en", "It is a myth that hens need a rooster to lay eggs.", True),
        (STATES, "en", "Hens lay without a rooster.", True),
        (STATES, "en", "The new silo stands in the north field.", False),
        (STATES, "en", "A new silo is planned for the north field.", True),
        (GERMAN, "de", "Es gibt eine Schmiede.", False),
        (GERMAN, "de", "Früher gab es eine Schmiede.", True),
    ],
    "exceptions and conditions": [
        (STATES, "en", "Visits are free for schools on market days.", False),
        (STATES, "en", "Visits are not free for schools on market days.", True),
        (STATES, "en", "Schools visit free, except on market days.", True),
        (STATES, "en", "Schools visit free, except in winter.", False),
        (STATES, "en", "You may enter the pen.", False),
        (STATES, "en", "You may enter the pen only if the bull is tied up.", True),
        (STATES, "en", "You may enter the pen if you wear a helmet.", False),
        (STATES, "en", "The fence was rebuilt after the flood because the insurer asked.", False),
        (STATES, "en", "The fence was rebuilt after the flood and painted green.", False),
        (GERMAN, "de", "Der Gänsestall hat Strom.", False),
        (GERMAN, "de", "Der Gänsestall hat keinen Strom.", True),
        (FRENCH, "fr", "La serre 3 est chauffée.", False),
        (SPANISH, "es", "El corral 2 tiene agua.", False),
        (CHINESE, "zh", "市集日参观学校免费。", False),
    ],
    "limits and measures": [
        (LIMITS, "en", "The trailer carries at least 800 kg.", False),
        (LIMITS, "en", "The trailer carries a maximum of 800 kg.", True),
        (LIMITS, "en", "The trailer carries at most 800 g.", False),
        (LIMITS, "en", "Loads of 600 kg need a second driver.", False),
        (LIMITS, "en", "Loads over 600 kg need a second driver.", True),
        (LIMITS, "en", "Milk prices rose to 4 %.", False),
        (LIMITS, "en", "The prices of milk rose by 4 %.", True),
        (LIMITS, "en", "The lease runs for two years.", True),
        (LIMITS, "en", "The lease runs for three years.", False),
        (LIMITS, "en", "50 % of the apples go to the press.", True),
        (FRENCH, "fr", "Le bail dure deux ans.", True),
        (SPANISH, "es", "El contrato dura dos años.", True),
        (SPANISH, "es", "El contrato dura 24 meses.", True),
        (GERMAN, "de", "Die Miete stieg um 90 Euro.", False),
        (CHINESE, "zh", "饲料运输至少800公斤。", False),
        ("Use agent 4.10. Agent 4.1 is the old one.", "en", "Use agent 4.1.", False),
        ("Key 0052 fits the dairy.", "en", "Key 52 fits the dairy.", False),
        ("Key 0052 fits the dairy.", "en", "Key 0052 fits the dairy door.", True),
    ],
    "limits by denial": [
        (LIMITS, "en", "The trailer may not carry more than 800 kg.", True),
        (LIMITS, "en", "The trailer may not carry less than 800 kg.", False),
        ("Report a sick calf within two days.", "en", "Report a sick calf no later than two days.", True),
        ("Ein Kalb wiegt höchstens 35 kg.", "de", "Ein Kalb wiegt nicht mehr als 35 kg.", True),
        ("Un veau pèse au plus 35 kg.", "fr", "Un veau ne pèse pas plus de 35 kg.", True),
        ("Un ternero pesa como máximo 35 kg.", "es", "Un ternero no puede pesar más de 35 kg.", True),
        (CHINESE, "zh", "饲料运输最多800公斤。", True),
    ],
    "days of the week": [
        ("The churn room is cleaned on Mondays and Thursdays.", "en", "Tuesdays are for the churn room.", False),
        (
            "Der Hofladen ist jeden Montag von acht bis zwölf offen.",
            "de",
            "Der Hofladen ist jeden Dienstag von acht bis zwölf offen.",
            False,
        ),
        (
            "Le marché de la ferme se tient le lundi dans la cour.",
            "fr",
            "Le marché de la ferme se tient le mardi dans la cour.",
            False,
        ),
        (
            "El mercado de la granja es el lunes en el patio.",
            "es",
            "El mercado de la granja es el martes en el patio.",
            False,
        ),
        ("农场集市周一开放。", "zh", "农场集市周二开放。", False),
        ("The shop is open Mon–Fri.", "en", "On Wednesday the shop is open.", True),
        ("The shop is open Mon–Fri.", "en", "On Sunday the shop is open.", False),
        ("The shop is open Monday to Friday.", "en", "The shop is open on Wednesday.", True),
        ("The shop is open daily.", "en", "The shop is open on Sunday.", True),
    ],
    "shares": [
        ("A stall costs 12 EUR per horse.", "en", "A stall costs 12 EUR per rider.", False),
        ("A stall costs 12 EUR per horse.", "en", "12 EUR per horse is what a stall costs.", True),
        ("A stall costs 12 EUR.", "en", "A stall costs 12 EUR per day.", False),
    ],
    "plans": [
        ("The farm intends to close the mill.", "en", "The farm has closed the mill.", False),
        ("The farm intends to close the mill.", "en", "The farm plans to close the mill.", True),
        ("Der Hof will die Mühle schließen.", "de", "Der Hof hat die Mühle geschlossen.", False),
        ("In the draft lease, which nobody has signed, goats are free.", "en", "Goats are free.", False),
    ],
    "how much and how often": [
        (LIMITS, "en", "All sheds have a tap.", False),
        ("Almost all sheds have a tap.", "en", "All sheds have a tap.", False),
        ("Fast alle Ställe haben Wasser.", "de", "Alle Ställe haben Wasser.", False),
        (LIMITS, "en", "Most sheds have a tap.", True),
        (LIMITS, "en", "The vet always comes on Mondays.", False),
        (LIMITS, "en", "The vet normally comes on Mondays.", True),
        (GERMAN, "de", "Alle Felder liegen brach.", False),
        (FRENCH, "fr", "Tous les champs sont irrigués.", False),
        (CHINESE, "zh", "所有牛棚有自来水。", False),
        (CHINESE, "zh", "大多数牛棚有自来水。", True),
    ],
    "turned round": [
        (FARM, "en", "The feed mill audits the dairy twice a year.", False),
        (FARM, "en", "The feed mill is audited by the dairy twice a year.", True),
        (FARM, "en", "The dairy is audited by the feed mill twice a year.", False),
        ("The red barn is larger than the blue barn.", "en", "The blue barn is larger than the red barn.", False),
        ("The red barn is larger than the blue barn.", "en", "The blue barn is smaller than the red barn.", True),
        (GERMAN, "de", "Die Bäuerin informiert den Tierarzt.", False),
        (FRENCH, "fr", "L'éleveur informe la vétérinaire.", False),
        (SPANISH, "es", "El ganadero informa al veterinario.", False),
        (STEPS, "en", "Lock the cold room before you steam the churn.", False),
        (STEPS, "en", "Rinse the churn, then steam the churn.", True),
        ("Rinse the pail before you fill it.", "en", "Rinse the pail after you fill it.", False),
        ("Rinse the pail before you fill it.", "en", "Fill the pail only after you have rinsed it.", True),
        (STEPS, "en", "The second step is to lock the cold room.", False),
    ],
    "contraries": [
        ("The request was denied by the herd office.", "en", "The request was granted by the herd office.", False),
        ("The request was denied by the herd office.", "en", "The request was not granted by the herd office.", True),
        ("Seed deliveries are taxable.", "en", "Seed deliveries are untaxed.", False),
        ("Notice is given in working days.", "en", "Notice is given in calendar days.", False),
        (GERMAN, "de", "Der Hofladen öffnet um 18 Uhr.", False),
        (GERMAN, "de", "Die Prüfung ist verpflichtend.", False),
        (FRENCH, "fr", "Le verger ouvre à 17 heures.", False),
        (SPANISH, "es", "La tienda abre a las 20.", False),
        (SPANISH, "es", "La visita es obligatoria.", False),
    ],
}


@pytest.mark.parametrize(
    ("page", "lang", "claim", "holds"),
    [pytest.param(*row, id=f"{kind}: {row[2][:60]}") for kind, rows in KINDS.items() for row in rows],
)
def test_a_claim_in_its_passages_own_words(page: str, lang: str, claim: str, holds: bool) -> None:
    found = judged(page, lang, claim)
    assert (found.status == "supported") == holds, found.reason


def judged(page: str, lang: str, claim: str) -> Claim:
    text = f"Run this [1]:\n\n{claim}" if claim.startswith("```") else f"{claim} [1]"
    return ask(text, page, lang=lang).claims[-1]


@pytest.mark.parametrize(
    "said",
    [
        "Let me know if you need boots, all are free.",
        "Here is the answer dogs may enter.",
        "Let me know if you need it: the mill is open.",
    ],
)
def test_no_claim_hides_behind_a_courtesy(said: str) -> None:
    claims = ask(f"{said} Milk is collected by the co-operative [1].", FARM).claims
    assert [claim.status for claim in claims] == ["uncited", "supported"]


def test_a_lead_in_that_forbids_belongs_to_each_item() -> None:
    answer = "Never feed these to the hens [1]:\n- raw potatoes\n- salted nuts"
    assert {claim.status for claim in ask(answer, LISTS).claims} == {"supported"}
    allowed = "Feed these to the hens [1]:\n- raw potatoes\n- salted nuts"
    assert "supported" not in {claim.status for claim in ask(allowed, LISTS).claims[-2:]}


def test_a_bare_question_claims_nothing() -> None:
    verdict = ask("Who orders the seed?", FARM)
    assert (verdict.claims, [problem.code for problem in verdict.problems]) == ([], ["no_claims"])


def test_what_is_said_not_to_be_told_may_be_told_by_another_word() -> None:
    (claim,) = ask("The documents do not say who runs Hilltop.", "Hilltop is led by Ms Adeyemi.").claims
    assert (claim.status, claim.about) == ("unsupported", "documents") or claim.reason.startswith(
        "a passage does speak"
    )
