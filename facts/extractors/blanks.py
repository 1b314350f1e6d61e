"""What stands where nothing is known yet, or in a template: "TBD", "n. n.", "<name>", "Example Service".

None of it is a value, and what is called so is no thing. Knows words, no tables.
Try: python -c "from facts.extractors.blanks import is_template; print(is_template('Example Service'))"
"""

import re
from functools import lru_cache

from facts import Named


def _set(words: str) -> frozenset[str]:
    return frozenset(" ".join(words.split()).split("|"))


_NOTHING = _set(
    "none|null|nil|n/a|na|n.a|not applicable|no one|nobody|tbd|tba|tbc|todo|unknown|unassigned|undefined|nan|"
    "to be decided|to be determined|to be defined|to be confirmed|to be announced|to be assigned|not set|"
    "not assigned|not yet assigned|not yet known|none yet|placeholder|"
    "keine|keiner|keins|nichts|entfällt|offen|n. n|n.n|nn|k. a|k.a|keine angabe|noch offen|unbekannt|platzhalter|"
    "nicht zugewiesen|noch nicht zugewiesen|wird noch festgelegt|wird noch benannt|"
    "ninguno|ninguna|nada|por definir|por determinar|por asignar|sin asignar|desconocido|desconocida|"
    "aucun|aucune|néant|à définir|à déterminer|à préciser|à confirmer|non attribué|non attribuée|inconnu|inconnue"
)
_MOST = 100  # characters of what names nothing
_SLOT = re.compile(  # a slot to be filled in: "<name>", "{{ owner }}", "${TEAM}", "%SERVICE%"; no address, no figure
    r"<[^\W\d][^<>@:/]{0,80}>|\$?\{\{?[^{}]{1,80}\}?\}|\$[A-Z][A-Z_]{1,40}|%[A-Z][A-Z_]{1,40}%|_{3,}|\.{3,}|x{3,}", re.I
)
_TYPES = (
    "service|services|team|teams|system|systems|person|people|employee|user|app|application|tool|component|group|name|"
    "owner|project|product|company|department|role|manager|value|entry|row|item|here|"
    "dienst|anwendung|gruppe|mitarbeiter|abteilung|firma|projekt|zeile|eintrag|"
    "servicio|equipo|sistema|persona|aplicación|nombre|grupo|empresa|fila|"
    "équipe|système|personne|nom|groupe|entreprise|ligne"
)
_EXAMPLE = re.compile(
    rf"(?:(?:an?|your|dein|ihr|su|votre|the) )?"
    rf"(?:(?:example|sample|dummy|template|placeholder|beispiel|muster|vorlage|ejemplo|exemple|plantilla|modèle)"
    rf"(?:[ -]?(?:{_TYPES})|[ -](?:\d{{1,3}}|[a-z]))*"
    rf"|(?:{_TYPES})(?: (?:{_TYPES}))? (?:example|sample|name|here|d['’]exemple|de ejemplo|exemple|ejemplo))"
    rf"|your (?:{_TYPES})(?: (?:{_TYPES}))*"
    rf"|(?:insert|enter|fill in|add)(?: the| your| an?)? (?:{_TYPES})(?: (?:{_TYPES}))*",
    re.I,
)


@lru_cache(maxsize=8192)  # a table's cells are asked for again and again
def is_nothing(shown: str) -> bool:
    """Whether a text without markup says that there is nothing, or nothing yet."""
    if len(shown) > _MOST:
        return not any(c.isalnum() for c in shown)
    bare = shown.strip(" .()[]?!*").casefold()
    return not any(c.isalnum() for c in bare) or bare in _NOTHING or bool(_SLOT.fullmatch(shown.strip()))


@lru_cache(maxsize=8192)
def is_template(shown: str) -> bool:
    """Whether a name is that of nothing: a slot, or what a template calls its example.

    A lone word in small letters ("example") may be the name of a real system, and is one in a public catalogue.
    """
    if len(shown) > _MOST:
        return False
    bare = " ".join(shown.split()).strip(" .:()[]")
    return is_nothing(shown) or (bool(_EXAMPLE.fullmatch(bare)) and not (bare.isalpha() and bare.islower()))


def names_nothing(named: Named) -> bool:
    """Whether a thing is called as a template calls its example."""
    return bool(named.names) and is_template(named.names[0])
