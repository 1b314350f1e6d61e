"""Words of titles, headings and paths: of what there are several side by side, and what only tells a page's age or place.

Data only; proof.apart reads it. Try: python -c "from proof.apart_tables import SEVERAL; print(SEVERAL)"
"""

SEVERAL: frozenset[str] = frozenset(
    "projects products plans offices sites locations teams services apps applications countries regions clients customers "
    "buildings models devices machines departments branches stores plants cities grades levels roles tiers brands systems "
    "vendors suppliers courses rooms hotels units subsidiaries entities editions packages series "
    "projekte produkte büros standorte dienste länder kunden werke filialen abteilungen tarife geräte maschinen modelle "
    "systeme zimmer räume niederlassungen pläne rollen "
    "projets produits bureaux équipes pays proyectos productos oficinas sedes equipos países progetti prodotti uffici sedi "
    "projetos produtos escritórios equipes projecten producten kantoren landen".split()
)
"""Below such a heading or folder stands one thing beside another."""

ONE_OF: frozenset[str] = frozenset(
    "project product plan office site location team service app country region client customer building model device machine "
    "department branch store plant city grade level role tier brand system vendor supplier course room hotel unit step phase "
    "stage edition package series pump projekt produkt büro standort dienst land kunde werk filiale abteilung tarif gerät "
    "maschine modell niederlassung rolle schritt phase stufe projet produit bureau équipe proyecto producto oficina sede equipo "
    "progetto prodotto ufficio squadra projeto produto escritório kantoor".split()
)
"""Behind such a word stands a name: "Project Heron"."""

PLAIN: frozenset[str] = frozenset(
    "old new current former previous latest final draft archive archived archives legacy updated update revised outdated "
    "deprecated obsolete valid now today copy copies backup page pages docs doc documents wiki intranet public internal index "
    "overview readme general faq summary all list table main misc other common start home welcome content src version v stand "
    "as of from since and the a an of for in to our your "
    "alt alte alter altes neu neue neuer neues aktuell archiv entwurf überarbeitet gültig übersicht allgemein und der die das für "
    "ancien nouveau nouvelle actuel archives viejo nuevo actual vecchio nuovo".split()
)
"""Words that tell a page's age or place among others, not what it is about."""

CODES: frozenset[str] = frozenset(
    "de ch pl fr es pt nl uk gb usa dk fi cz sk hu ro bg gr hr ee lv lt lu mx br cn jp kr sg au nz "
    "tr ua emea apac dach nordics benelux".split()
)
"""A country or region by its letters in a path; not what is a word, too (it, in, at, no)."""
