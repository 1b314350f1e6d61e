"""The words by which a question tells what is to be done with things: count, list, follow changes, find a way, ...

Data in six languages, matched by stems (sentence.py); which relations and types are meant stands in facts/relations.py.
What no table holds is left to examples.py. Knows no view.
Try: python -c "from graph.cues import CUES; print(CUES['count']['en'])"
"""

from collections.abc import Mapping

Table = Mapping[str, tuple[str, ...]]


def _by(**languages: str) -> Table:
    return {lang: tuple(one.strip() for one in told.split(",")) for lang, told in languages.items()}


CUES: Mapping[str, Table] = {
    "count": _by(
        en="how many, number of, count of, count, break … down, breakdown of, distribution of, split of", de="wie viele, wieviele, wie viel, Anzahl, zähle, Verteilung der, Aufteilung der", es="cuántos, cuántas, número de, cantidad de",
        fr="combien de, combien d, combien, nombre de, répartition des, répartition", zh="多少, 几个, 几项, 几位, 几名, 几条, 数量", ja="いくつ, 何人, 何件, 何個, 何名, 何チーム, 件数, 数",
    ),
    "by": _by(
        en="per, for each, for every, by, in each, in every, each, grouped by, broken down by, down by", de="pro, je, für jede, für jeden, für jedes, nach, jedes, jede, jeder", es="por, por cada, cada, en cada",
        fr="par, pour chaque, chaque, dans chaque", zh="每个, 每, 各, 按", ja="ごと, 別, 各",
    ),
    "most": _by(en="the most, most", de="die meisten, am meisten, meisten", es="más", fr="le plus, plus de", zh="最多", ja="最も多く, 最も, 一番"),
    "list": _by(
        en="which, what, list, list all, list the, all, every, everything, anything, enumerate, name all, show", de="welche, welcher, welches, welchen, alle, liste, zeige, nenne", es="qué, cuáles, lista, enumera, todos los, todas las, muestra",
        fr="quels, quelles, quel, quelle, liste, énumère, tous les, toutes les, montre", zh="哪些, 哪个, 哪几个, 列出, 所有, 全部", ja="どの, すべて, 全て, 一覧, 挙げ, どれ",
    ),
    "who": _by(
        en="who, whom, whose, by whom, to whom", de="wer, wen, wem, wessen, von wem, an wen", es="quién, quiénes, a quién, de quién", fr="qui, à qui, de qui, par qui", zh="谁, 哪位, 何人", ja="誰, だれ, どなた",
    ),
    "what": _by(
        en="which, what, where, when, why, how, name", de="welche, welcher, welches, welchem, welchen, was, wo, wann, warum, wie, wovon, woran, worauf, wodurch, womit, zu welchem", es="qué, cuál, cuáles, dónde, cuándo, cómo, por qué",
        fr="quel, quelle, quels, quelles, quoi, qu'est-ce, que se, où, quand, comment, pourquoi, lequel, laquelle, auquel, duquel", zh="什么, 哪, 哪些, 哪个, 怎么, 几, 多少, 为什么, 何", ja="何, なに, どの, どれ, どこ, いつ, どう, なぜ, どんな",
    ),
    "impact": _by(
        en="fails, fail, breaks, break, goes down, went down, is down, were down, be down, go down, blast radius, outage, stops working, stopped working, goes offline, is offline, unreachable, dies, unavailable, crashes, crash, falls over, is lost, losing, loss of, lose, disappears, goes away, went away, is gone, were gone, would stop, stop if, stop when, impact of, consequences of, depends on it, goes dark, hit if, hit when, knock-on effects, knock-on effect, knock-on, keels over, keel over, goes under, suffers, suffer, dragged down, drag down, taken down, in trouble, has a problem, have a problem, have problems, have trouble, knocked out, failure, downstream",
        de="ausfällt, ausfallen, Ausfall, fällt … aus, kaputt, kaputtgeht, nicht verfügbar, nicht mehr läuft, nicht läuft, nicht erreichbar, wegfällt, stillsteht, in Mitleidenschaft, abstürzt, down ist, offline, Auswirkungen, streikt, steht … still, Folgen eines, Folgen des, Folgen von, ohne … auskommen", es="alcance, falla, fallara, fallase, se cae, se cayera, caída, caer, deja de funcionar, no funciona, no responde, dejara de funcionar, avería, no está disponible, se rompe",
        fr="tombe en panne, tombait en panne, panne, tombe, cesse de fonctionner, ne fonctionne plus, ne répond plus, ne répond pas, ne marche plus, indisponible, défaillance, plante, arrêt", zh="故障, 宕机, 挂了, 挂掉, 出问题, 瘫痪, 停机, 崩溃, 失效, 中断", ja="停止, 落ち, 障害, ダウン, 止ま, 故障, 壊れ",
    ),
    "changes": _by(
        en="changed, change, changes, what is new, new about, new with, history of, history, happened to, happened with, happened, evolved, been altered, different about, altered, modified", de="geändert, verändert, Änderungen, Änderung, Neues, getan, passiert, Verlauf, Historie, Veränderungen, ändert", es="cambió, cambiado, cambios, cambiaron, ha pasado, pasó, historia, novedades, modificado",
        fr="changé, changements, changement, évolué, modifié, nouveau, passé, historique, nouveautés, évolution", zh="变化, 变更, 改变, 变了, 变动, 改了, 改动, 发生了什么", ja="変更, 変わっ, 変わり, 変化, 推移",
    ),
    "relates": _by(
        en="connected to, connected, path between, path from, way from, connection between, connection, linked to, linked, link between, related to, related, relate, connects, connect, links, link, ties, join, joins, surroundings, relationship, relation, tied to, chain between, have to do with, neighbours, neighbors, surrounds, adjacent, next to, in touch with, has to do with, to do with",
        de="Weg von, Weg zwischen, Weg, Verbindung zwischen, Verbindung, verbunden, verbindet, verbinden, zusammenhängen, hängen … zusammen, hängt … zusammen, zusammenhängt, Zusammenhang, Beziehung, Beziehungen, Nachbarn, zu tun, benachbart, verknüpft",
        es="camino, conexión entre, conexión, conecta, conectan, conectado, conectada, conectados, relacionado, relacionada, relacionados, relación, relaciona, vecinos, vínculo, que ver, vinculado", fr="chemin, lien entre, lien, liens, relié, reliée, reliés, relie, connecté, connectés, relation entre, relation, voisins, rapport, lié, liés, liée",
        zh="路径, 关系, 联系, 关联, 连接, 相连, 相关, 有关", ja="関係, 経路, つながり, つながっ, 関連, 結びつ, 繋が",
    ),
    "conflicts": _by(
        en="disagree, disagrees, disagreement, inconsistent, inconsistency, inconsistencies, contradict each other, conflicting, conflict, conflicts, discrepancy, discrepancies, differ, at odds, contradictory, do not match, say different things, contradictions, contradiction, disputed, contradictory, not agree, don't agree, not say the same",
        de="uneinig, widersprechen sich, widerspricht sich, widersprüchlich, widersprüchliche, Widersprüche, umstritten, umstrittene, strittig, unterschiedlich, unterschiedliche, Unstimmigkeiten, nicht einig, uneins, voneinander ab, stimmen … nicht überein, nicht überein", es="no coinciden, discrepan, discrepancias, se contradicen, contradictorios, contradictoria, en desacuerdo, difieren, incoherencias", fr="se contredisent, désaccord, contradictoires, divergent, divergence, incohérences, ne concordent pas, en désaccord, contesté, contestés, pas d'accord, ne disent pas la même chose",
        zh="不一致, 矛盾, 说法不一, 互相矛盾, 冲突, 分歧, 不同说法", ja="食い違, 矛盾, 不一致, 一致しない, 一致していない",
    ),
    "card": _by(
        en="what is, who is, what s, who s, tell me about, tell me everything about, what do we know about, what do we know, what do you know about, describe, overview of, everything about, profile of, details of, details on, facts on, facts of, everything you have on, everything on, all about, all you know, all we know, dossier on, summary of, summarise, information on, information about, facts about, card, fact sheet, factsheet, know about, introduce",
        de="sag mir alles über, was ist, wer ist, erzähl … über, was wissen wir über, was wissen wir, was weißt du über, beschreibe, Überblick über, Überblick, alles über, Steckbrief, Informationen, Angaben zu, Auskunft, wissen über", es="qué es, quién es, háblame de, cuéntame sobre, cuéntame todo sobre, cuéntame, háblame, qué sabemos de, qué sabemos sobre, describe, ficha, todo sobre, información, resumen",
        fr="dis-moi tout sur, dis-moi tout, qu'est-ce que, c'est quoi, qui est, parle-moi de, que sait-on de, que savons-nous de, que sait-on sur, décris, fiche, tout sur, informations sur, présente", zh="是什么, 是谁, 介绍, 介绍一下, 关于, 概况, 资料, 了解", ja="とは何, について教え, とは, について, 概要, 説明し, 情報, 教え",
    ),
    "says": _by(
        en="mention, mentions, mentioning, mentioned, say, says, speak of, speaks of, speak about, speaks about, spoken of, talk about, talks about, describe, discuss, discusses, discussed, refer to, refers to, write about, writes about, warn of, warn about, complain about, deal with, touch on, promise, allow, offer",
        de="erwähnen, erwähnt, sagen, sprechen von, spricht von, sprechen über, reden von, reden über, beschreiben, schreiben, schreiben über, warnen vor, behandeln, anbieten", es="mencionan, menciona, mencionado, dicen, hablan de, habla de, hablan sobre, tratan de, comentan, se refieren a", fr="mentionnent, mentionne, mentionné, disent, parlent de, parle de, évoquent, évoque, traitent de",
        zh="提到, 提及, 谈到, 说到, 讲到", ja="言及, 触れ, 述べ, 書い",
    ),
}  # fmt: skip
"""By what they ask for. "who" and "what" make it no question of yes or no."""
YES = _by(
    en="true, yes, x, y, 1, ✓, ✔, on", de="ja, wahr", es="sí, si, verdadero", fr="oui, vrai", zh="是, 有", ja="はい, 有",
)  # fmt: skip
"""Values of an attribute that say that it holds."""
NEGATED = _by(
    en="nor, not, no, no one, other than, besides, apart from, excluding, never, without, nobody, none, neither, aren't, isn't, don't, doesn't, lack, lacks, except, nothing", de="weder, nicht, kein, keine, keinen, keiner, ohne, niemand, niemandem, niemanden, niemals, außer, keinem, nichts, abgesehen von, ausgenommen", es="no, sin, nadie, ningún, ninguna, nunca, excepto, salvo, aparte de, nada", fr="pas, sans, aucun, aucune, jamais, sauf, ne, n, excepté, hormis, à part, rien",
    zh="没有, 不, 无, 未, 除了, 除", ja="ない, なし, ません",
)  # fmt: skip
EXCEPT = _by(
    en="except, except for, other than, besides, apart from, excluding", de="außer, abgesehen von, ausgenommen", es="excepto, salvo, aparte de, menos", fr="sauf, excepté, hormis, à part", zh="除了, 除", ja="以外, を除",
)  # fmt: skip
"""Words that leave out what is named behind them."""
NOBODY = _by(
    en="nobody, no one, none, nothing", de="niemand, niemandem, niemanden, keinem, nichts", es="nadie, nada, ninguno", fr="personne, rien, aucun", zh="", ja="",
)  # fmt: skip
"""In the place of a name: there is none."""
LOOKING = _by(
    en="can you tell me, could you tell me, can somebody tell me, do you know, does anyone know, do we know, remind me, let me know, I need to know, I need the name of, I need the, I'm looking for, I am looking for, I want to know, I want the, I'd like to know, I would like to know, I wonder, I'm trying to find, I am trying to find out",
    de="sag mir, sagt mir, kannst du mir sagen, können Sie mir sagen, kann mir jemand sagen, könnt ihr mir sagen, verrate mir, weiß jemand, weißt du, ich müsste wissen, ich würde gern wissen, ich würde gerne wissen, ich brauche, ich suche, ich brauche den Namen, ich möchte wissen, ich muss wissen, ich will wissen, ich wüsste gern, mich interessiert, ich hätte gern", es="dime, puedes decirme, me puedes decir, podrías decirme, alguien sabe, sabes, busco, quiero saber, necesito saber, quisiera saber, me gustaría saber",
    fr="dis-moi, dites-moi, peux-tu me dire, pouvez-vous me dire, pourrais-tu me dire, pourriez-vous me dire, sait-on, sais-tu, j'ai besoin, je cherche, je veux savoir, je voudrais savoir, j'aimerais savoir, je dois savoir, j'ai besoin de savoir, je me demande", zh="我想知道, 我要找, 我需要知道, 请告诉我, 告诉我, 请问, 能告诉我", ja="",
)  # fmt: skip
"""How people begin a question without asking of themselves."""
HELPS = _by(
    en="is, are, was, were, do, does, did, has, have, had, can, could, may, might, will, would, shall, should, must, isn't, aren't, doesn't, don't, whether",
)  # fmt: skip
"""Verbs of which one stands in each question of yes or no."""
SAME = _by(
    en="same",
    de="selben, gleichen, gleiche, selbe, demselben, derselben, dasselbe",
    es="mismo, misma, mismos",
    fr="même, mêmes",
    zh="同一, 相同, 同",
    ja="同じ",
)
IN_FORCE = _by(
    en="valid, in force, in effect, active, current, still stand, still stands, still apply, still applies, binding", de="gültig, in Kraft, gilt, gelten, aktiv", es="vigente, en vigor, válida, activa", fr="en vigueur, valable, valide, active", zh="有效, 生效, 仍然有效", ja="有効",
)  # fmt: skip
"""What is asked of a decision that may have been replaced."""
SELF = _by(
    en="I, me, my, mine, myself, I'm, I've", de="ich, mir, mich, mein, meine, meinen, meinem, meiner", es="yo, me, mi, mis, mí, puedo, tengo, debo", fr="je, j, me, m, moi, mon, ma, mes", zh="我", ja="私, 僕, 自分",
    pt="eu, me, meu, minha", it="io, mi, mio, mia", nl="ik, mij, mijn", ru="я, мне, меня, мой", ko="나, 내, 제, 저",
)  # fmt: skip
"""Who asks of themselves asks for a rule, which stands in a text."""
FILLERS = _by(
    en="both, several, may, shall, would, active, current, currently, present, today, valid, force, company, existing, exist, exists, list, show, name, named, called, titled, marked, mark, flagged, tagged, set, recorded, registered, listed, assigned, have, has, directly, direct, different, together, total, altogether, overall, record, records, date, made, hold, environment, environments, stage, account, please, know, find, value, status, right, official, officially, happens, happen, affected, affect, hit, shortest, way, path, connection, member, members, everything, anything, thing, things, place, came, come, moment, immediately, turn, whoever, everybody, everyone, names, need, want, like, give, tell, suppose, assume, tonight, inzwischen, yet, still, already, again, somebody, anybody, said, graph, immediate, step, proof, classed, rated, counted, been, involved",
    de="lautet, lauten, heißt, heißen, wurden, wurde, worden, inne, innehat, innehatte, haben wir, gibt es, wissen, beide, mehrere, unser, unsere, unserem, unseren, unserer, unseres, aktive, aktiven, aktuell, derzeit, derzeitig, heute, gültig, gültige, Firma, Unternehmen, namens, genannt, markiert, gekennzeichnet, eingestuft, direkt, gesamt, insgesamt, Umgebung, bitte, gibt, gehört, passiert, betroffen, kürzeste, Wert, Stand, alles, steht, stehen, arbeitet, als, zurzeit, überhaupt, eigentlich, inzwischen, noch, schon, jetzt, alles, bitte, angenommen, jemand, leute, dürfen, darf, Mitglieder, Mitglied, haben, zurzeit",
    es="se ve, ve, ven, ocupan, ocupa, tenemos, existen, existe, fueron, fue, sido, ambos, nuestro, nuestra, nuestros, nuestras, alguien, activas, activos, vigentes, vigente, actual, actualmente, hoy, empresa, llamado, llamada, marcado, marcada, marcadas, marcados, directamente, total, entorno, por favor, hay, pasa, pasaría, afectado, afectados, valor, todo, está, están, tienen, tiene, miembros, pueden, puede",
    fr="été, occupe, occupent, avons, avons-nous, avez-vous, a-t-on, existe, existe-t-il, y a-t-il, plusieurs, notre, nos, est-ce, quelqu, un, actives, actifs, actuel, actuelle, actuellement, aujourd'hui, entreprise, nommé, nommée, appelé, marqué, marquée, marquées, directement, total, environnement, il y a, a-t-il, passe, touché, touchés, valeur, tout, est, sont, membres, peuvent, peut, ont, vigueur",
    zh="互相, 地方, 当前, 目前, 现在, 有效, 公司, 名为, 叫做, 标记, 标记为, 直接, 一共, 总共, 环境, 存在, 会, 受影响, 影响, 最短, 值, 成员, 可以, 能, 能够, 哪里, 生效, 现行",
    ja="現在, 有効, 会社, 名前, 直接, 合計, 環境, 影響, 最短, 値, 教え, 全部, 受け, 間, 現行",
)  # fmt: skip
"""Words that carry no subject of their own in such questions."""
PLAIN = {
    "zh": "若如果的了是在有和与或吗呢吧啊么个位份这那我们请被把由于对从向给将会能可以要到里中上下以及其所之为用让得着过项条名就都也还谁",
    "ja": "々ー",
}
"""Characters that hold sentences together; in Japanese all hiragana do."""
ENVIRONMENTS: Mapping[str, Table] = {
    "production": _by(en="production, prod, live", de="Produktion, Produktiv, Produktivumgebung, Produktionsumgebung, produktiven", es="producción", fr="production", zh="生产, 生产环境", ja="本番, 本番環境"),
    "preproduction": _by(en="preproduction, pre-production, preprod, pre-prod", de="Vorproduktion, Vorproduktionsumgebung", es="preproducción", fr="préproduction, pré-production, préprod", zh="预生产, 预发布, 预发", ja="プレ本番, 本番前"),
    "staging": _by(en="staging", de="Staging", es="staging", fr="staging, recette", zh="预发布, 预发", ja="ステージング"),
    "test": _by(en="test, testing", de="Test, Testumgebung", es="prueba, pruebas, test", fr="test, tests", zh="测试, 测试环境", ja="テスト, テスト環境"),
    "development": _by(en="development, dev", de="Entwicklung, Entwicklungsumgebung", es="desarrollo", fr="développement", zh="开发, 开发环境", ja="開発, 開発環境"),
    "read-only": _by(en="read-only, read only, reading", de="Lesezugriff, nur lesen, lesend", es="solo lectura, lectura", fr="lecture seule, lecture", zh="只读", ja="読み取り専用, 読み取り"),
    "admin": _by(en="admin, administrator", de="Admin, Administrator", es="administrador", fr="administrateur", zh="管理员", ja="管理者"),
}  # fmt: skip
"""What narrows an access in most companies; a view's own words count beside these."""
PLACES = _by(
    en="environment, stage, account", de="Umgebung, Stufe", es="entorno, ambiente", fr="environnement", zh="环境", ja="環境",
)  # fmt: skip
"""Nouns beside which such a word stands."""
TO_OBJECT = _by(
    en="on, upon, to, into, for, against, of, in, with", de="von, vom, an, am, auf, zu, zum, zur, für, gegen, in, im", es="de, del, a, al, en, contra, para", fr="de, d, du, à, a, au, sur, dans, contre, pour", zh="向, 对, 给, 在", ja="",
)  # fmt: skip
"""What stands before an object: "depends on X", "berichtet an X"."""
BY_SUBJECT = _by(en="by, through, with", de="durch, von, vom", es="por", fr="par", zh="被, 由, 所", ja="")
"""What stands before the subject of a passive: "superseded by X"."""
PASSIVE = _by(
    en="is, are, was, were, been, be, being, gets, got", de="wird, werden, wurde, wurden, worden, ist, sind", es="fue, fueron, sido, es, está", fr="est, été, sont, fut", zh="被", ja="れ",
)  # fmt: skip
ARTICLES = _by(
    en="the, a, an, our", de="der, die, das, dem, den, des, einem, einer, unser, unserem", es="el, la, los, las, lo, un, una", fr="le, la, les, l, un, une", zh="", ja="",
)  # fmt: skip
STATES: Mapping[str, Table] = {
    "accepted": _by(en="accepted, approved, adopted, in force", de="angenommen, akzeptiert, beschlossen", es="aceptada, aceptado, aprobada", fr="acceptée, accepté, adoptée", zh="接受, 采纳, 已接受", ja="承認済み, 採択, 受理"),
    "rejected": _by(en="rejected, declined, turned down", de="abgelehnt, verworfen", es="rechazada, rechazado", fr="rejetée, rejeté, refusée", zh="拒绝, 否决, 已拒绝", ja="却下, 否決"),
    "proposed": _by(en="proposed, suggested, draft, pending, under discussion", de="vorgeschlagen, Entwurf, offen", es="propuesta, propuesto, borrador", fr="proposée, proposé, brouillon", zh="提议, 草案, 提出", ja="提案, 草案"),
    "superseded": _by(en="superseded, replaced, overtaken", de="ersetzt, abgelöst, überholt", es="reemplazada, sustituida", fr="remplacée, remplacé", zh="取代, 被取代", ja="置き換え"),
    "deprecated": _by(en="deprecated, obsolete, retired", de="veraltet", es="obsoleta", fr="obsolète, dépréciée", zh="废弃", ja="廃止"),
    "amended": _by(en="amended, modified, revised", de="geändert, ergänzt", es="enmendada, modificada", fr="amendée, modifiée", zh="修订, 修改", ja="修正, 改訂"),
    "withdrawn": _by(en="withdrawn, abandoned, cancelled", de="zurückgezogen", es="retirada", fr="retirée", zh="撤回", ja="撤回"),
}  # fmt: skip
"""In which state a record may be, by the word that records have for it."""
ALIKE: tuple[Table, ...] = (
    _by(en="role, position, job title, title, job, function, occupation", de="Rolle, Position, Funktion, Stelle, Berufsbezeichnung, Jobtitel", es="puesto, cargo, función, rol", fr="poste, fonction, rôle, intitulé", zh="职位, 职务, 岗位, 角色", ja="役職, 職位, 役割, 職種"),
    _by(en="email, e-mail, mail address, email address, mail", de="E-Mail, Mailadresse, E-Mail-Adresse", es="correo, correo electrónico", fr="adresse e-mail, courriel, mail", zh="邮箱, 电子邮件, 邮件地址", ja="メール, メールアドレス"),
    _by(en="phone, telephone, phone number, extension", de="Telefon, Telefonnummer, Durchwahl", es="teléfono", fr="téléphone", zh="电话", ja="電話, 電話番号, 内線"),
    _by(en="location, office, site, city, place of work", de="Standort, Büro, Ort, Stadt", es="ubicación, oficina, sede, ciudad", fr="lieu, site, bureau, ville", zh="地点, 办公室, 城市", ja="勤務地, 拠点, 場所, オフィス"),
    _by(en="tier, criticality, priority", de="Stufe, Kritikalität, Priorität", es="nivel, criticidad, prioridad", fr="niveau, criticité, priorité", zh="级别, 等级", ja="ティア, 優先度"),
    _by(en="since, start date, joined, hired, hire date, entry date", de="seit, Eintritt, Eintrittsdatum, Startdatum", es="desde, fecha de inicio", fr="depuis, date d'entrée, date d'arrivée", zh="入职日期, 入职", ja="入社日"),
    _by(en="data class, classification, confidentiality, data classification", de="Datenklasse, Vertraulichkeit, Einstufung", es="clasificación, confidencialidad", fr="classification, confidentialité", zh="数据分类, 数据级别, 数据等级, 数据类别, 密级", ja="データ区分, 機密区分"),
    _by(en="channel, Slack channel, chat channel", de="Kanal, Slack-Kanal", es="canal", fr="canal", zh="频道", ja="チャンネル"),
)  # fmt: skip
"""Names for one attribute: a column is called one of them, a question uses another."""
STATUS = _by(en="status, state, standing, outcome", de="Status, Stand, Zustand", es="estado, situación", fr="statut, état", zh="状态", ja="ステータス, 状態")  # fmt: skip
OR = _by(en="or", de="oder", es="o, u", fr="ou", zh="还是, 或", ja="か")
AND = _by(en="and, as well as, plus", de="und, sowie", es="y, e", fr="et", zh="和, 与, 及", ja="と, および")
BELONGS = _by(
    en="of, in, with, s, within",
    de="von, vom, des, der, im, in, bei",
    es="de, del, en",
    fr="de, du, d, dans",
    zh="的",
    ja="の",
)
"""What stands between a thing and what it has, where no relation is named."""
NAMED = _by(
    de="wie lautet, wie lauten, wie heißt, wie heißen, wie ist der, wie ist die", es="cómo se llama, cómo se llaman", fr="comment s'appelle, comment s'appellent", en="how is the, how are the",
)  # fmt: skip
"""With a word for reasons and ways, but asks what something is."""
WHY = _by(
    en="why, how, when, how long, how much, how far, how often, what time, cost, costs", de="warum, wieso, weshalb, wie, wann, wie lange, wie viel, kostet, kosten", es="por qué, cómo, cuándo, cuánto, cuánta, cuesta, cuestan", fr="pourquoi, comment, quand, combien, coûte, coûtent",
    zh="为什么, 怎么, 怎样, 如何, 何时, 什么时候, 多久, 多少钱", ja="なぜ, どうやって, どのように, いつ, いくら, どうして",
)  # fmt: skip
"""What no fact of things and relations answers: reasons, ways, moments and prices stand in texts."""
ACCORDING = _by(
    en="according to, as per, going by, from, in", de="laut, nach, gemäß, zufolge", es="según", fr="selon, d'après", zh="根据, 按照", ja="によると, によれば",
)  # fmt: skip
"""Beside a word for documents: it only says where to look."""
SOURCES = _by(
    en="documents, document, pages, page, sources, source, records, record, files, places, two places, two pages, two documents, two sources, paperwork, documentation, docs, wiki, facts, catalogue, catalog, register, table", de="Dokumente, Seiten, Quellen, Unterlagen, Texte", es="documentos, páginas, fuentes", fr="documents, pages, sources, catalogue", zh="文档, 资料, 文件, 来源", ja="文書, 資料, ドキュメント, 情報源",
)  # fmt: skip
"""What may disagree."""
PAPERS = _by(
    en="runbook, runbooks, playbook, playbooks, handbook, handbooks, manual, manuals, page, pages, note, notes, document, documents, docs, contract, contracts, agreement, agreements, policy, policies, record, records", de="Runbook, Runbooks, Handbuch, Handbücher, Handbüchern, Seite, Seiten, Notizen, Unterlagen, Dokumente, Dokumenten, Vertrag, Verträge, Verträgen, Richtlinien",
    es="manual, manuales, página, páginas, notas, documentos, contrato, contratos, políticas", fr="manuel, manuels, page, pages, notes, documents, contrat, contrats, politiques", zh="手册, 文档, 页面, 合同, 记录", ja="手順書, 文書, ページ, 契約書, 記録",
)  # fmt: skip
"""In which a thing's own texts stand: "which services' runbooks speak of"."""
TALK = _by(
    en="said, say, says, wrote, written, write, talk, chat, chats, message, messages, Slack, channel, channels, post, posts, posted, conversation", de="gesagt, Chat, Nachricht, Nachrichten, Slack, Kanal, Kanälen, Gespräch, geschrieben", es="dijo, dicho, mensaje, mensajes, chat, Slack, canal, canales", fr="dit, message, messages, chat, Slack, canal, canaux, discussion",
    zh="聊天, 消息, 讨论, 频道, 说", ja="チャット, メッセージ, 発言, 投稿, チャンネル",
)  # fmt: skip
"""Where decisions may be spoken against."""
DECIDED = _by(
    en="decided, decision, decisions, resolved, agreed, records, record", de="beschlossen, entschieden, Beschluss, Beschlüssen, Beschlüsse, Entscheidungen", es="decidido, decidimos, acordado, decisión, decisiones", fr="décidé, convenu, décision, décisions", zh="决定, 决策, 决议", ja="決定, 決めた",
)  # fmt: skip
"""What was decided, also where it is called no decision."""
