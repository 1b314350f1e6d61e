"""Words of which one says the contrary of the other, and words of how much and how often. Data only.

A line of a family holds two sides; a word of one side denied says the other. One more language is one more entry.
Try: python -c "from proof.opposite_tables import CONTRARIES; print(CONTRARIES['en'][0])"
"""

_CONTRARIES = {
    "en": """
grant approve accept authorise authorize / deny refuse reject decline disapprove
allowed permitted allow permit / forbidden prohibited banned disallowed forbid prohibit ban
legal lawful / illegal unlawful
valid / invalid void
start starts started begin begins began commences / end ends ended finish finishes finished stop stops stopped
open opens opened opening / close closes closed closing shut
rose rise rises risen increase increases increased grew / fell fall falls fallen decrease decreases dropped declined
include includes included including covered / exclude excludes excluded excluding
hired hire recruited / dismissed fired dismiss
encrypted encrypt / unencrypted decrypted plaintext
locked lock / unlocked unlock
enabled enable activated / disabled disable deactivated
required mandatory compulsory obligatory / optional voluntary
paid / unpaid
public / private confidential secret
internal / external
win wins won / lose loses lost
buy bought purchase purchased / sell sold
add adds added / remove removes removed delete deleted
arrive arrives arrival arrived / depart departs departure departed
lend lends lent / borrow borrows borrowed
online / offline
inside indoors / outside outdoors
safe / dangerous unsafe hazardous
success succeeds succeeded / failure fails failed
correct / wrong incorrect
working / calendar
net / gross
before / after
early earlier / late later
minimum / maximum
faster fast quicker quick / slower slow
cheaper cheap / dearer pricier expensive costlier
larger bigger greater large / smaller small
louder noisier / quieter
older / newer younger
better / worse
higher / lower
longer / shorter
heavier / lighter
stronger / weaker
wider / narrower
easier easy / harder difficult hard
warmer hotter hot / colder cooler cold
separate separately / together
temporary / permanent
manual manually / automatic automatically
same / different
domestic / foreign abroad
refundable / non-refundable nonrefundable
taxable / tax-free untaxed
deposit deposited / withdraw withdrawn withdrawal
odd / even
upstream / downstream
clockwise / anticlockwise counterclockwise
sender / recipient
landlord / tenant
employer / employee
buyer / seller
gain profit / loss
""",
    "de": """
genehmigt bewilligt angenommen gewährt / abgelehnt verweigert zurückgewiesen versagt
erlaubt gestattet zulässig / verboten untersagt unzulässig
legal / illegal
gültig / ungültig
beginnt beginnen begann startet starten anfängt / endet enden endete
öffnet geöffnet offen öffnen / schließt geschlossen schließen
steigt stieg gestiegen steigen erhöht zugenommen / sinkt sank gesunken sinken gesenkt fällt fiel gefallen abgenommen
enthalten inbegriffen einschließlich inklusive / ausgenommen ausgeschlossen exklusive
eingestellt / entlassen gekündigt
verschlüsselt / unverschlüsselt
gesperrt / entsperrt freigegeben
aktiviert eingeschaltet / deaktiviert ausgeschaltet abgeschaltet
verpflichtend vorgeschrieben obligatorisch pflicht / freiwillig optional
bezahlt vergütet / unbezahlt unvergütet
öffentlich / privat vertraulich geheim
intern / extern
kauft gekauft / verkauft
hinzugefügt / entfernt gelöscht
kommt ankunft / verlässt abfahrt abreise
innen drinnen / außen draußen
sicher / gefährlich unsicher
voll / leer
anwesend / abwesend
richtig / falsch
arbeitstage arbeitstagen werktage werktagen / kalendertage kalendertagen
netto / brutto
vor / nach
früher / später
mindestens minimum / höchstens maximum maximal
schneller / langsamer
billiger günstiger / teurer
größer / kleiner
lauter / leiser
älter / neuer jünger
besser / schlechter
höher / niedriger
länger / kürzer
schwerer / leichter
stärker / schwächer
häufiger öfter / seltener
wärmer heißer / kälter kühler
erste ersten erster / letzte letzten letzter
getrennt / gemeinsam zusammen
befristet vorübergehend / unbefristet dauerhaft
manuell / automatisch
gleich / verschieden unterschiedlich
links / rechts
absender / empfänger
vermieter / mieter
""",
    "fr": """
accordé accordée accepté acceptée approuvé approuvée / refusé refusée rejeté rejetée
autorisé autorisée autorisés permis permise / interdit interdite interdits interdites défendu
légal légale / illégal illégale
valable valide / invalide périmé
commence commencent débute début / finit termine terminent fin
ouvre ouvrent ouvert ouverte / ferme ferment fermé fermée
augmente augmenté hausse monte / baisse baissé diminue diminué
inclus incluse compris comprise / exclu exclue
embauché recruté / licencié
chiffré chiffrée / déchiffré
activé activée / désactivé désactivée
obligatoire obligatoires / facultatif facultative facultatifs facultatives
payé payée rémunéré rémunérée / impayé
public publique / privé privée confidentiel confidentielle
interne / externe
acheté achète / vendu vend
ajouté ajoutée / supprimé supprimée retiré
intérieur / extérieur
plein pleine / vide
ouvrables ouvrable ouvrés ouvré / calendaires calendaire
net nets nette nettes / brut bruts brute brutes
avant / après
tôt / tard
rapide / lent lente
grand grande / petit petite
meilleur meilleure / pire
premier première / dernier dernière
gauche / droite
""",
    "es": """
concedido concedida aceptado aceptada aprobado aprobada / denegado denegada rechazado rechazada rechaza
permitido permitida autorizado autorizada / prohibido prohibida prohibidos prohibidas
legal / ilegal
válido válida / inválido inválida caducado
empieza comienza inicia inicio / termina acaba finaliza fin
abre abren abierto abierta / cierra cierran cerrado cerrada
sube subió aumenta aumentó / baja bajó disminuye disminuyó
incluido incluida incluye / excluido excluida excluye
contratado contratada / despedido despedida
cifrado cifrada cifrados / descifrado
activado activada / desactivado desactivada
obligatorio obligatoria / opcional voluntario voluntaria
pagado pagada remunerado / impagado
público pública / privado privada confidencial
interno interna / externo externa
comprar compra / vender vende
dentro / fuera
lleno llena / vacío vacía
laborables laborable hábiles hábil / naturales natural
neto neta netos netas / bruto bruta brutos brutas
antes / después
temprano / tarde
rápido rápida / lento lenta
grande / pequeño pequeña
mejor / peor
mayor / menor
primero primera primer / último última
izquierda / derecha
""",
    "zh": """
批准 同意 通过 / 拒绝 驳回 否决
允许 准许 可以 / 禁止 不得 不准
合法 / 非法 违法
有效 / 无效 失效
开始 / 结束 终止
开放 打开 开启 / 关闭
上升 增加 提高 上涨 / 下降 减少 降低 下跌
包括 包含 / 不含 不包括
录用 聘用 / 解雇 辞退
已加密 / 未加密
启用 / 停用 禁用
必须 / 自愿 可选
带薪 / 无薪
公开 / 保密 私密
内部 / 外部
工作日 / 自然日 日历日
税前 / 税后
之前 以前 / 之后 以后
最少 至少 不少于 / 最多 不超过 不得超过
更快 / 更慢
更便宜 / 更贵
更大 / 更小
""",
}
CONTRARIES: dict[str, tuple[tuple[frozenset[str], frozenset[str]], ...]] = {
    lang: tuple(
        (frozenset(left.split()), frozenset(right.split()))
        for left, right in (line.split(" / ") for line in lines.strip().splitlines())
    )
    for lang, lines in _CONTRARIES.items()
}
"""Pairs of sides; a claim may not say one where its proof says the other of the same thing."""

NEGATING: dict[str, tuple[str, ...]] = {
    "en": ("un", "in", "im", "il", "ir", "dis", "non", "non-", "mis"),
    "de": ("un", "in", "nicht", "nicht-", "des"),
    "fr": ("in", "im", "il", "ir", "non-", "dé", "dés"),
    "es": ("in", "im", "i", "ir", "des", "no-"),
}
"""Beginnings that turn a word into its contrary."""

_MANY = {
    "en": {
        4: r"all|every(?:one|body)?(?! (?:minute|hour|day|week|month|quarter|year|other|two|three|four|six|\d))|"
        r"both|entire|whole",
        3: r"(?<!at )most(?! (?:of the )?(?:recent|\w+ly))|the majority|mostly|for the most part|largely|mainly|"
        r"predominantly",
        2: r"some|several|a few|certain|various|partly",
        1: r"(?<!a )few|hardly any|very little",
    },
    "de": {
        4: r"alle[nrs]?(?! (?:zwei|drei|vier|sechs|\d))|sämtliche\w*|jede[rns]?(?! (?:tag|woche|monat|jahr))|ganze",
        3: r"die meisten|meist|meistens|größtenteils|überwiegend|mehrheitlich",
        2: r"einige\w*|manche\w*|mehrere\w*|ein paar|teilweise",
        1: r"wenige\w*|kaum (?:ein\w*|jemand)",
    },
    "fr": {
        4: r"tous les(?! (?:jours|mois|ans|lundi|mardi|mercredi|jeudi|vendredi|\d|deux|trois|six))|"
        r"toutes les(?! (?:semaines|heures|\d|deux|trois|six))|chaque(?! (?:jour|semaine|mois|année))|l'ensemble",
        3: r"la plupart|majoritairement|principalement",
        2: r"certain(?:e?s)|quelques|plusieurs",
        1: r"peu de|rares",
    },
    "es": {
        4: r"tod[oa]s(?! l[oa]s (?:días|semanas|meses|años))|cada(?! (?:día|semana|mes|año|dos|tres|seis|\d))",
        3: r"la mayoría|mayoritariamente|en su mayoría",
        2: r"algun[oa]s|varios|varias|ciert[oa]s|unos pocos",
        1: r"poc[oa]s",
    },
    "zh": {4: r"所有|全部|全体|每个|每位|一律", 3: r"大多数|大部分|多数", 2: r"有些|一些|部分|若干", 1: r"少数|极少"},
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
