"""What the headings of a table's columns mean: which name the thing, which relate it, date it or narrow what is said.

A table of words in English, German, Spanish and French, matched as a whole: "On-call channel" is no "on call".
Knows no rows. Try: python -c "from facts.extractors.headings import meaning; print(meaning('Owner team'))"
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from facts.normal import key, keys

Kind = Literal["type", "id", "name", "alias", "contact", "relation", "from", "to", "qualifier", "attribute"]


@dataclass(frozen=True, slots=True)
class Link:
    """How a cell is related to the thing of its row."""

    relation: str
    cell_is_subject: bool  # "owner": the cell owns the thing
    things: frozenset[str]  # types of the row's thing that the heading speaks of so
    cell: str = ""  # the type that the heading says, "" where it leaves it open
    weight: int = 1  # of two columns for a relation that has one, the heavier speaks


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one heading says of its column."""

    kind: Kind
    type: str = ""  # of the thing that a "type" or "id" column names
    links: tuple[Link, ...] = ()


_RUNS, _ACTS = frozenset({"Service", "System", ""}), frozenset({"Person", "Team"})
_WRITTEN = frozenset({"Decision", "Document"})
_TYPES = {
    "Person": "person|people|employee|employees|engineer|engineers|colleague|staff|staff member|emp|full name|employee name|"
    "person name|first and last name|mitarbeiter|mitarbeiterin|mitarbeitende|kollege|kollegin|angestellte|empleado|empleada|persona|"
    "colaborador|employé|employée|collaborateur|collaboratrice|personne|salarié",
    "Team": "team|teams|squad|squads|tribe|team name|group|groups|group name|gruppe|grupo|groupe|equipo|equipos|équipe|équipes",
    "Service": "service|services|application|applications|app|apps|microservice|microservices|service name|"
    "application name|app name|dienst|dienste|anwendung|anwendungen|applikation|servicio|servicios|aplicación|aplicaciones",
    "System": "system|systems|platform|platforms|database|databases|tool|system name|datenbank|plattform|werkzeug|sistema|sistemas|"
    "plataforma|herramienta|système|systèmes|plateforme|outil",
    "Decision": "decision|decisions|adr|adrs|decision record|architecture decision|entscheidung|entscheidungen|beschluss|decisión|"
    "décision|décisions",
    "Document": "document|documents|page|pages|policy|policies|dokument|dokumente|seite|richtlinie|documento|documentos|página|"
    "política|politique",
}
_NAMES = "name|names|title|titel|nombre|título|nom|titre|bezeichnung|display name"
_IDS = "id|ids|identifier|kennung|identificador|identifiant|key|slug|number|no|nr|num|ref|reference|#|n°|código|code"
_CONTACTS = (
    "email|e mail|mail|email address|e mail address|handle|github|github handle|github user|username|user name|slack|slack handle|"
    "login|correo|correo electrónico|courriel|adresse e mail|e mail adresse|benutzername"
)
_ALIASES = (
    "alias|aliases|also known as|aka|a k a|called|nickname|known as|other name|other names|former name|formerly|short name|acronym|"
    "abbreviation|rufname|kurzname|spitzname|auch bekannt als|abkürzung|apodo|también conocido como|surnom|aussi appelé|abréviation"
)
_FROM = (
    "since|from|valid from|start|starts|start date|starting|effective|effective from|effective date|in force since|seit|ab|von|"
    "gültig ab|gültig von|beginn|desde|válido desde|inicio|vigente desde|depuis|à partir de|à partir du|début|valable dès|dès"
)
_TO = (
    "until|till|to|valid to|valid until|end|ends|ended|ends on|end date|expires|bis|gültig bis|ende|endet|hasta|válido hasta|fin|"
    "jusqu au|jusque|jusquà|jusqu à|valable jusqu au"
)
_QUALIFIERS = (  # in the order in which they are told
    "environment|environments|env|stage|umgebung|entorno|ambiente|environnement",
    "level|access level|access|permission|permissions|role|rights|berechtigung|rolle|stufe|nivel|permiso|rol|niveau|droit|rôle",
)


def _link(
    relation: str, cell_is_subject: bool, things: frozenset[str], words: str, cell: str = "", weight: int = 1
) -> tuple[Link, str]:
    return Link(relation, cell_is_subject, things, cell, weight), words


_LINKS = (
    _link("owns", True, _RUNS | {"Document"}, "owner|owned by|owners|ownership|product owner|service owner|system owner|business owner|"
          "responsible|responsible for it|responsible party|accountable|maintained by|maintainer|verantwortlich|verantwortliche|"
          "verantwortlicher|zuständig|eigentümer|besitzer|inhaber|propietario|propietaria|responsable|dueño|propriétaire|"
          "détenu par|possédé par", weight=2),
    _link("owns", True, _RUNS | {"Document"}, "owner team|owning team|team owner|responsible team|team responsible|owned by team|"
          "verantwortliches team|zuständiges team|equipo responsable|équipe responsable|équipe propriétaire", "Team", 3),
    _link("owns", True, _RUNS, "team|teams|squad|equipo|équipe", "Team"),
    _link("owns", False, _ACTS, "owns|services|applications|apps|systems|owned services|verantwortet|dienste|anwendungen|servicios|"
          "aplicaciones|possède"),
    _link("depends_on", False, _RUNS, "depends on|dependencies|dependency|depends upon|requires|upstream|upstreams|needs|"
          "hängt ab von|abhängigkeiten|abhängig von|benötigt|depende de|dependencias|dépend de|dépendances"),
    _link("depends_on", True, _RUNS, "used by|dependents|consumers|consumed by|downstream|downstreams|required by|genutzt von|"
          "usado por|utilisé par"),
    _link("reports_to", False, frozenset({"Person"}), "manager|line manager|reports to|supervisor|boss|managed by|report to|"
          "vorgesetzter|vorgesetzte|berichtet an|führungskraft|jefe|jefa|reporta a|superior|supérieur|supérieure|responsable|"
          "rattaché à|supervisor id", "Person", 2),
    _link("reports_to", True, frozenset({"Person"}), "reportees|direct reports|reports|subordinates|mitarbeiter|unterstellte|"
          "subordinados|subordonnés", "Person"),
    _link("leads", True, frozenset({"Team"}), "lead|leads|team lead|team leads|leader|leaders|team leader|head|led by|manager|"
          "team manager|leitung|teamleitung|leiter|leiterin|teamleiter|geleitet von|líder|jefe|dirige|dirigido por|chef|"
          "cheffe|responsable|dirigé par|chef d équipe", "Person"),
    _link("leads", False, frozenset({"Person"}), "leads|leads team|head of|leitet|lidera|dirige", "Team"),
    _link("member_of", True, frozenset({"Team"}), "members|member|people|team members|mitglieder|miembros|membres|persons|staff",
          "Person"),
    _link("member_of", False, frozenset({"Person"}), "team|teams|member of|squad|squads|mitglied von|mitglied in|equipo|equipos|"
          "miembro de|équipe|équipes|membre de", "Team"),
    _link("approved_by", False, _WRITTEN, "approved by|approver|approvers|decided by|decider|deciders|decision maker|"
          "decision makers|approval|signed off by|entschieden von|genehmigt von|freigegeben von|beschlossen von|entscheider|"
          "aprobado por|decidido por|approuvé par|décidé par|décideurs|validé par"),
    _link("written_by", False, _WRITTEN, "author|authors|written by|autor|autorin|autoren|autora|autores|verfasser|verfasst von|"
          "escrito por|auteur|auteurs|autrice|écrit par|rédigé par", "Person"),
    _link("supersedes", False, _WRITTEN, "supersedes|replaces|supersede|ersetzt|löst ab|reemplaza|sustituye|remplace|annule et remplace"),
    _link("supersedes", True, _WRITTEN, "superseded by|replaced by|ersetzt durch|abgelöst durch|reemplazado por|reemplazada por|"
          "sustituida por|sustituido por|remplacé par|remplacée par"),
    _link("deprecates", False, frozenset({"Decision"}), "deprecates|retires|schafft ab|depreca|rend obsolète"),
    _link("deprecates", True, frozenset({"Service", "System"}), "deprecated by|retired by|abgeschafft durch|depreciado por|"
          "déprécié par|rendu obsolète par", "Decision"),
    _link("affects", False, frozenset({"Decision"}), "affects|impacts|affected services|affected systems|affected teams|"
          "affected|betrifft|betroffen|afecta|afecta a|concerne|affecte"),
    _link("on_call_for", True, _RUNS | {"Team"}, "on call|on call person|on call engineer|on call team|on duty|oncall|rufbereitschaft|"
          "bereitschaft|de guardia|guardia|astreinte|d astreinte"),
    _link("on_call_for", False, _ACTS, "on call for|bereitschaft für|de guardia para|d astreinte pour"),
)  # fmt: skip


def _listed(words: str, kind: Kind, type_: str = "") -> dict[str, Meaning]:
    return {key(word) or word: Meaning(kind, type_) for word in words.split("|")}


def _table() -> dict[str, Meaning]:
    found: dict[str, Meaning] = {}
    for type_, words in _TYPES.items():
        found |= _listed(words, "type", type_)
    found |= _listed(_NAMES, "name") | _listed(_IDS, "id") | _listed(_CONTACTS, "contact") | _listed(_ALIASES, "alias")
    found |= _listed(_FROM, "from") | _listed(_TO, "to")
    for place, words in enumerate(_QUALIFIERS):
        found |= _listed(words, "qualifier", str(place))
    for link, words in _LINKS:
        for word in map(key, words.split("|")):
            before = found.get(word, Meaning("relation"))
            kind = before.kind if before.kind == "type" else "relation"
            found[word] = Meaning(kind, before.type, (*before.links, link))
    return found


_MEANINGS = _table()
_ID_OF = re.compile(r"(.+) (?:id|identifier|number|key|nr|no)\Z")


@lru_cache(maxsize=4096)
def meaning(heading: str) -> Meaning:
    """What a heading says of its column; a heading that is not known heads an attribute."""
    plain = key(heading).strip(" ?:()") or heading.strip()
    found = _MEANINGS.get(plain)
    if found:
        return found
    if plain.endswith((" e mail", " email", " mail address", " e mail address")):
        return Meaning("contact")
    of = _ID_OF.match(plain)
    if of:
        thing = _MEANINGS.get(of[1], Meaning("attribute"))
        return (
            Meaning("relation", links=thing.links)
            if thing.links and thing.kind != "type"
            else Meaning("id", thing.type)
        )
    return Meaning("attribute")


_KINDS_OF_NOTHING = (
    "status|priority|severity|level|tier|day|days|week|weekday|work week|month|quarter|year|date|time|step|steps|phase|stage|option|"
    "criterion|criteria|question|problem|issue|symptom|error|condition|situation|scenario|case|use case|example|event|action|activity|"
    "requirement|need|project need|goal|rule|topic|dimension|aspect|factor|risk|failure|before|after|pro|con|pros|cons|type|"
    "argument|variable|parameter|field|flag|setting|input|output|term|definition|metric|cost|costs|item|amount|range|role|reason|"
    "priorität|stufe|tag|woche|monat|jahr|datum|zeit|schritt|frage|problem|fall|beispiel|ereignis|aktion|anforderung|ziel|regel|"
    "thema|risiko|begriff|variable|stand|farbe|rolle|art|"
    "estado|prioridad|nivel|día|semana|mes|año|fecha|hora|paso|fase|opción|pregunta|problema|caso|ejemplo|acción|requisito|objetivo|"
    "regla|tema|riesgo|término|rol|tipo|"
    "statut|priorité|niveau|jour|semaine|mois|année|heure|étape|cas|exemple|événement|exigence|objectif|règle|sujet|thème|risque|"
    "terme|rôle"
)
_NO_THINGS = keys(_KINDS_OF_NOTHING)
_OF_A_MANUAL = keys("default|default value|required|mandatory|optional|data type|standardwert|pflicht|obligatorio")


def names_no_things(heading: str, others: Iterable[str]) -> bool:
    """Whether a table's first column holds what is no thing: steps, days, levels, or a program's arguments."""
    plain = key(heading).strip(" ?:()")
    return (
        plain in _NO_THINGS
        or plain.startswith(("if ", "when "))
        or bool(_OF_A_MANUAL & {key(one).strip(" ?") for one in others})
    )


_OF_PEOPLE = keys(
    "role|position|job title|job|phone|telephone|department|pronouns|funktion|stelle|abteilung|telefon|cargo|"
    "puesto|departamento|teléfono|poste|fonction|téléphone"
)


def of_people(headings: Iterable[str]) -> bool:
    """Whether columns are such as people have: an address, a post, a team, a manager."""
    for heading in headings:
        said = meaning(heading)
        if said.kind == "contact" or key(heading) in _OF_PEOPLE or any("Person" in link.things for link in said.links):
            return True
    return False


_ENDS = keys("ends|ended|ends on|end date|end|expires|ende|endet|fin|fin de vie|end of life|eol")


def is_end_of_thing(heading: str) -> bool:
    """Whether a column without one for the beginning says when the thing itself ends: "Ends on", not "Until"."""
    return key(heading) in _ENDS


def type_in(words: str) -> str:
    """The type of which a heading or a file's name says that many are listed: "Service catalogue", "applications".

    "Platform team" is one of them, so it tells nothing of a table below it.
    """
    found = re.findall(r"\w+", key(words))
    for word, after in reversed([*pairwise([*found, ""])]):
        told = _MEANINGS.get(word)
        if told and told.kind == "type" and (word in _MANY or after in _LISTS):
            return told.type
    return ""


_MANY = keys(
    "people|employees|engineers|staff|teams|squads|groups|services|applications|apps|microservices|systems|"
    "platforms|databases|decisions|adrs|documents|policies|mitarbeiter|mitarbeitende|dienste|anwendungen|"
    "equipos|servicios|aplicaciones|sistemas|empleados|personas|équipes|applications|systèmes|employés|"
    "entscheidungen|decisiones|décisions"
)
_LISTS = keys(
    "catalog|catalogue|directory|register|registry|inventory|list|overview|index|log|roster|records|portfolio|landscape"
)
