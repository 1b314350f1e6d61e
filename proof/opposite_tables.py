"""Words of which one says the contrary of the other, and words of how much and how often. Data only.

A line holds the name of a pair, which is the same in every language that has it, and its two sides; a word of one
side denied says the other. One more language is one more entry.
Try: python -c "from proof.opposite_tables import CONTRARIES; print(CONTRARIES['en']['grant'])"
"""

import re

_CONTRARIES = {
    "en": """
grant: grant approve accept authorise authorize / deny refuse reject decline disapprove
allow: allowed permitted allow permit / forbidden prohibited banned disallowed forbid prohibit ban
legal: legal lawful / illegal unlawful
valid: valid / invalid void
start: start starts started begin begins began commences / end ends ended finish finishes finished stop stops stopped
open: open opens opened opening / close closes closed closing shut
rise: rose rise rises risen increase increases increased grew / fell fall falls fallen decrease decreases dropped declined
include: include includes included including covered / exclude excludes excluded excluding
hire: hired hire recruited / dismissed fired dismiss
encrypt: encrypted encrypt / unencrypted decrypted plaintext
en11: locked lock / unlocked unlock
enable: enabled enable activated / disabled disable deactivated
must: required mandatory compulsory obligatory / optional voluntary
paid: paid / unpaid
public: public / private confidential secret
internal: internal / external
en17: win wins won / lose loses lost
buy: buy bought purchase purchased / sell sold
add: add adds added / remove removes removed delete deleted
en20: arrive arrives arrival arrived / depart departs departure departed
en21: lend lends lent / borrow borrows borrowed
en22: online / offline
inside: inside indoors / outside outdoors
en24: safe / dangerous unsafe hazardous
en25: success succeeds succeeded / failure fails failed
en26: correct / wrong incorrect
working: working / calendar
net: net / gross
en29: before / after
en30: early earlier / late later
en31: minimum / maximum
fast: faster fast quicker quick / slower slow
en33: cheaper cheap / dearer pricier expensive costlier
large: larger bigger greater large / smaller small
en35: louder noisier / quieter
en36: older / newer younger
en37: better / worse
en38: higher / lower
en39: longer / shorter
en40: heavier / lighter
en41: stronger / weaker
en42: wider / narrower
en43: easier easy / harder difficult hard
en44: warmer hotter hot / colder cooler cold
en45: separate separately / together
en46: temporary / permanent
en47: manual manually / automatic automatically
same: same / different
en49: domestic / foreign abroad
en50: refundable / non-refundable nonrefundable
en51: taxable / tax-free untaxed
en52: deposit deposited / withdraw withdrawn withdrawal
en53: odd / even
en54: upstream / downstream
en55: clockwise / anticlockwise counterclockwise
en56: sender / recipient
en57: landlord / tenant
en58: employer / employee
en59: buyer / seller
en60: gain profit / loss
""",
    "de": """
grant: genehmigt bewilligt angenommen gewährt / abgelehnt verweigert zurückgewiesen versagt
allow: erlaubt gestattet zulässig / verboten untersagt unzulässig
legal: legal / illegal
valid: gültig / ungültig
start: beginnt beginnen begann startet starten anfängt / endet enden endete
open: öffnet geöffnet offen öffnen / schließt geschlossen schließen
rise: steigt stieg gestiegen steigen erhöht zugenommen / sinkt sank gesunken sinken gesenkt fällt fiel gefallen abgenommen
include: enthalten inbegriffen einschließlich inklusive / ausgenommen ausgeschlossen exklusive
hire: eingestellt / entlassen gekündigt
encrypt: verschlüsselt / unverschlüsselt
de11: gesperrt / entsperrt freigegeben
enable: aktiviert eingeschaltet / deaktiviert ausgeschaltet abgeschaltet
must: verpflichtend vorgeschrieben obligatorisch pflicht / freiwillig optional
paid: bezahlt vergütet / unbezahlt unvergütet
public: öffentlich / privat vertraulich geheim
internal: intern / extern
buy: kauft gekauft / verkauft
add: hinzugefügt / entfernt gelöscht
de19: kommt ankunft / verlässt abfahrt abreise
inside: innen drinnen / außen draußen
de21: sicher / gefährlich unsicher
de22: voll / leer
de23: anwesend / abwesend
de24: richtig / falsch
working: arbeitstage arbeitstagen werktage werktagen / kalendertage kalendertagen
net: netto / brutto
de27: vor / nach
de28: früher / später
de29: mindestens minimum / höchstens maximum maximal
fast: schneller / langsamer
de31: billiger günstiger / teurer
large: größer / kleiner
de33: lauter / leiser
de34: älter / neuer jünger
de35: besser / schlechter
de36: höher / niedriger
de37: länger / kürzer
de38: schwerer / leichter
de39: stärker / schwächer
de40: häufiger öfter / seltener
de41: wärmer heißer / kälter kühler
de42: erste ersten erster / letzte letzten letzter
de43: getrennt / gemeinsam zusammen
de44: befristet vorübergehend / unbefristet dauerhaft
de45: manuell / automatisch
same: gleich / verschieden unterschiedlich
de47: links / rechts
de48: absender / empfänger
de49: vermieter / mieter
""",
    "fr": """
grant: accordé accordée accepté acceptée approuvé approuvée / refusé refusée rejeté rejetée
allow: autorisé autorisée autorisés permis permise / interdit interdite interdits interdites défendu
legal: légal légale / illégal illégale
valid: valable valide / invalide périmé
start: commence commencent débute début / finit termine terminent fin
open: ouvre ouvrent ouvert ouverte / ferme ferment fermé fermée
rise: augmente augmentent montent augmenté hausse monte / baisse baissent diminuent baissé diminue diminué
include: inclus incluse compris comprise / exclu exclue
hire: embauché recruté / licencié
encrypt: chiffré chiffrée / déchiffré
enable: activé activée / désactivé désactivée
must: obligatoire obligatoires / facultatif facultative facultatifs facultatives
paid: payé payée rémunéré rémunérée / impayé
public: public publique / privé privée confidentiel confidentielle
internal: interne / externe
buy: acheté achète / vendu vend
add: ajouté ajoutée / supprimé supprimée retiré
inside: intérieur / extérieur
fr19: plein pleine / vide
working: ouvrables ouvrable ouvrés ouvré / calendaires calendaire
net: net nets nette nettes / brut bruts brute brutes
fr22: avant / après
fr23: tôt / tard
fast: rapide / lent lente
large: grand grande / petit petite
fr26: meilleur meilleure / pire
fr27: premier première / dernier dernière
fr28: gauche / droite
""",
    "es": """
grant: concedido concedida aceptado aceptada aprobado aprobada / denegado denegada rechazado rechazada rechaza
allow: permitido permitida autorizado autorizada / prohibido prohibida prohibidos prohibidas
es3: legal / ilegal
valid: válido válida / inválido inválida caducado
start: empieza comienza inicia inicio / termina acaba finaliza fin
open: abre abren abierto abierta / cierra cierran cerrado cerrada
rise: sube suben aumentan subió aumenta aumentó / baja bajan disminuyen bajó disminuye disminuyó
include: incluido incluida incluye / excluido excluida excluye
hire: contratado contratada / despedido despedida
encrypt: cifrado cifrada cifrados / descifrado
enable: activado activada / desactivado desactivada
must: obligatorio obligatoria / opcional voluntario voluntaria
paid: pagado pagada remunerado / impagado
public: público pública / privado privada confidencial
internal: interno interna / externo externa
buy: comprar compra / vender vende
inside: dentro / fuera
es18: lleno llena / vacío vacía
working: laborables laborable hábiles hábil / naturales natural
net: neto neta netos netas / bruto bruta brutos brutas
es21: antes / después
es22: temprano / tarde
fast: rápido rápida / lento lenta
large: grande / pequeño pequeña
es25: mejor / peor
es26: mayor / menor
es27: primero primera primer / último última
es28: izquierda / derecha
""",
    "zh": """
grant: 批准 同意 通过 / 拒绝 驳回 否决
allow: 允许 准许 可以 / 禁止 不得 不准
legal: 合法 / 非法 违法
valid: 有效 / 无效 失效
start: 开始 / 结束 终止
open: 开放 打开 开启 / 关闭
rise: 上升 增加 提高 上涨 / 下降 减少 降低 下跌
include: 包括 包含 / 不含 不包括
hire: 录用 聘用 / 解雇 辞退
encrypt: 已加密 / 未加密
enable: 启用 / 停用 禁用
must: 必须 / 自愿 可选
paid: 带薪 / 无薪
public: 公开 / 保密 私密
internal: 内部 / 外部
working: 工作日 / 自然日 日历日
gross: 税前 / 税后
zh18: 之前 以前 / 之后 以后
zh19: 最少 至少 不少于 / 最多 不超过 不得超过
zh20: 更快 / 更慢
zh21: 更便宜 / 更贵
zh22: 更大 / 更小
""",
}
CONTRARIES: dict[str, dict[str, tuple[frozenset[str], ...]]] = {
    lang: {
        name: tuple(frozenset(side.split()) for side in sides.split(" / "))
        for name, sides in (line.split(": ") for line in lines.strip().splitlines())
    }
    for lang, lines in _CONTRARIES.items()
}
"""Two sides by the name of what they are sides of; a claim may not say one where its proof says the other of it."""

NEGATING: dict[str, tuple[str, ...]] = {
    "en": ("un", "in", "im", "il", "ir", "dis", "non", "non-", "mis"),
    "de": ("un", "in", "nicht", "nicht-", "des"),
    "fr": ("in", "im", "il", "ir", "non-", "dé", "dés"),
    "es": ("in", "im", "i", "ir", "des", "no-"),
}
"""Beginnings that turn a word into its contrary."""

_MANY = {
    "en": {
        4: r"(?<!almost )(?<!nearly )(?<!not )(?:all|every(?:one|body)?(?! (?:minute|hour|day|week|month|quarter|year|other|two|three|four|six|\d)))|"
        r"both|entire|whole",
        3: r"(?<!at )most(?! (?:of the )?(?:recent|\w+ly))|the majority|many|(?:almost|nearly) (?:all|every\w*)|mostly|for the most part|largely|mainly|"
        r"predominantly",
        2: r"some|several|a few|certain|various|partly",
        1: r"(?<!a )few|hardly any|very little",
    },
    "de": {
        4: r"(?<!fast )alle[nrs]?(?! (?:zwei|drei|vier|sechs|\d))|sämtliche\w*|jede[rns]?(?! (?:tag|woche|monat|jahr))|ganze",
        3: r"die meisten|die mehrheit|fast alle|viele|meist|meistens|größtenteils|überwiegend|mehrheitlich",
        2: r"einige\w*|manche\w*|mehrere\w*|ein paar|teilweise",
        1: r"wenige\w*|kaum (?:ein\w*|jemand)",
    },
    "fr": {
        4: r"(?<!presque )tous les(?! (?:jours|mois|ans|lundi|mardi|mercredi|jeudi|vendredi|\d|deux|trois|six))|"
        r"toutes les(?! (?:semaines|heures|\d|deux|trois|six))|chaque(?! (?:jour|semaine|mois|année))|l'ensemble",
        3: r"la plupart|presque tou\w+|beaucoup de|nombreu\w+|majoritairement|principalement",
        2: r"certain(?:e?s)|quelques|plusieurs",
        1: r"peu de|rares",
    },
    "es": {
        4: r"(?<!casi )tod[oa]s(?! l[oa]s (?:días|semanas|meses|años))|cada(?! (?:día|semana|mes|año|dos|tres|seis|\d))",
        3: r"la mayoría|casi todo\w*|casi toda\w*|much[oa]s|mayoritariamente|en su mayoría",
        2: r"algun[oa]s|varios|varias|ciert[oa]s|unos pocos",
        1: r"poc[oa]s",
    },
    "zh": {
        4: r"(?<!几乎)(?:所有|全部|全体)|每个|每位|一律",
        3: r"几乎所有|几乎全部|许多|很多|大多数|大部分|多数",
        2: r"有些|一些|部分|若干",
        1: r"少数|极少",
    },
}
_OFTEN = {
    "en": {
        4: r"always|invariably|at all times|without exception",
        3: r"usually|normally|generally|typically|often|frequently|regularly|as a rule",
        2: r"sometimes|occasionally|now and then|from time to time|at times",
        1: r"seldom|rarely|hardly ever|almost never|scarcely",
    },
    "de": {
        4: r"immer|stets|jederzeit|ausnahmslos",
        3: r"meistens|meist|normalerweise|gewöhnlich|in der regel|oft|häufig|regelmäßig|üblicherweise",
        2: r"manchmal|gelegentlich|ab und zu|mitunter|bisweilen",
        1: r"selten|kaum je|fast nie",
    },
    "fr": {
        4: r"toujours|systématiquement",
        3: r"généralement|habituellement|souvent|fréquemment|régulièrement|en règle générale|d'habitude",
        2: r"parfois|quelquefois|de temps en temps|occasionnellement",
        1: r"rarement|presque jamais|guère",
    },
    "es": {
        4: r"siempre|sistemáticamente",
        3: r"normalmente|generalmente|habitualmente|a menudo|con frecuencia|frecuentemente|regularmente|suele\w*",
        2: r"a veces|de vez en cuando|ocasionalmente",
        1: r"raramente|rara vez|casi nunca|apenas",
    },
    "zh": {4: r"总是|始终|一直|一律", 3: r"通常|一般|经常|往往|平时", 2: r"有时|偶尔", 1: r"很少|几乎不|极少"},
}
DEGREES: tuple[dict[str, dict[int, str]], ...] = (_MANY, _OFTEN)
"""How much of something, and how often; from 4 (all, always) to 1 (few, seldom)."""
FREE = re.compile(
    r"\b(?:free(?: of charge)?(?! (?:time|day|of (?!charge)))|gratis|kostenlos|kostenfrei|unentgeltlich|gratuit\w*|"
    r"gratuito|gratuita|gratuitos|gratuitas)\b|免费",
    re.IGNORECASE,
)
"""Costs nothing."""
