"""The types of things and the relations between them: one table, which a user's file extends.

Of each relation: which types it joins, on which side there can be but one, how long it is trusted, and the words people
use for it, which the questions are read by. Knows no documents.
Try: python -c "from facts.relations import BUILT_IN; print(BUILT_IN.relations['owns'])"
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Words = Mapping[str, tuple[str, ...]]
"""By language (ISO 639-1), words and phrases in their plain form."""


@dataclass(frozen=True, slots=True)
class Type:
    """A kind of thing."""

    name: str
    words: Words  # what people call one: "service", "application"


@dataclass(frozen=True, slots=True)
class Relation:
    """A kind of fact, read from its subject to its object: "Bedrock owns plan-store"."""

    name: str
    subjects: frozenset[str]  # types
    objects: frozenset[str]
    one: Literal["", "subject", "object"] = ""
    """On which side there is but one at a time for each of the other: `owns` has one subject (owner) for each object."""
    fresh_days: int = 365  # for so long after it was last confirmed it is not stale; 0: for ever
    words: Words = field(default_factory=dict)  # "owns", "depends on": subject first; "…" stands for words between
    inverse: Words = field(default_factory=dict)  # "owned by", "belongs to": object first
    subject_nouns: Words = field(default_factory=dict)  # what the subject is to the object: "owner"
    object_nouns: Words = field(default_factory=dict)  # what the object is to the subject: "manager"


@dataclass(frozen=True, slots=True)
class Relations:
    """All types and relations in force."""

    types: Mapping[str, Type]
    relations: Mapping[str, Relation]


def _by(**languages: str) -> Words:
    return {lang: tuple(one.strip() for one in told.split(",")) for lang, told in languages.items()}


_ACTORS, _RUNS = frozenset({"Person", "Team"}), frozenset({"Service", "System"})
_TALK = frozenset({"Message", "Document"})
_TYPES = (
    Type("Person", _by(
        en="person, people, employee, colleague, engineer, staff, somebody, individual, folks, teammates",
        de="Person, Mitarbeiter, Mitarbeiterin, Mitarbeitende, Kollege, Kollegin, Leute, Mensch",
        es="persona, empleado, empleada, colega, gente, ingeniero",
        fr="personne, employé, employée, collègue, gens, salarié, ingénieur",
        zh="人员, 员工, 同事, 工程师, 人", ja="社員, 従業員, 同僚, エンジニア, 人",
    )),
    Type("Team", _by(
        en="team, group, business unit, department, squad, crew", de="Team, Gruppe, Abteilung, Bereich, Mannschaft",
        es="equipo, grupo, departamento", fr="équipe, groupe, département, service responsable",
        zh="团队, 小组, 部门, 组", ja="チーム, グループ, 部署, 部門",
    )),
    Type("Service", _by(
        en="service, application, app, microservice", de="Dienst, Anwendung, Applikation, Service, App, Microservice",
        es="servicio, aplicación, app, microservicio", fr="service, application, appli, microservice",
        zh="服务, 应用, 应用程序", ja="サービス, アプリケーション, アプリ",
    )),
    Type("System", _by(
        en="system, platform, database, tool, technology, component", de="System, Plattform, Werkzeug, Datenbank, Technik, Komponente",
        es="sistema, plataforma, base de datos, herramienta, tecnología", fr="système, plateforme, base de données, outil, technologie",
        zh="系统, 平台, 数据库, 工具", ja="システム, プラットフォーム, データベース, ツール",
    )),
    Type("Decision", _by(
        en="decision, decision record, record, ADR, architecture decision, architecture decision record", de="Entscheidung, Beschluss, Entscheid, ADR, Architekturentscheidung",
        es="decisión, registro de decisión, ADR", fr="décision, ADR, fiche de décision",
        zh="决策, 决定, 决议, 决策记录", ja="決定, 意思決定, 決定事項, 決定記録",
    )),
    Type("Document", _by(
        en="document, page", de="Dokument, Seite", es="documento, página", fr="document, page", zh="文档, 文件, 页面", ja="文書, ドキュメント, ページ",
    )),
    Type("Message", _by(
        en="message, post, chat, talk, Slack message, conversation", de="Nachricht, Beitrag, Chat, Gespräch, Unterhaltung",
        es="mensaje, conversación, chat", fr="message, conversation, discussion", zh="消息, 聊天, 讨论, 对话", ja="メッセージ, 投稿, チャット, 会話",
    )),
)  # fmt: skip
_RELATIONS = (
    Relation(
        "owns", _ACTORS, _RUNS | {"Document"}, "subject",
        words=_by(
            en="own, maintain, look after, looks after, behind, responsible for, responsible, accountable for, answerable for, in charge of, take care of, takes care of, run, operate, have ownership of",
            de="besitzt, besitzen, betreut, betreuen, verantwortet, verantworten, verantwortlich, zuständig, kümmert … um, kümmert, pflegt, betreibt, betreiben",
            es="posee, mantiene, mantienen, responsable de, responsable, se encarga, se ocupa, encargado, a su cargo, a cargo, lleva, gestiona",
            fr="possède, possèdent, maintient, responsable de, responsable, s'occupe, s'occupent, en charge, gère, gèrent, maintiennent",
            zh="拥有, 负责, 维护, 管理, 掌管", ja="所有, 担当し, 担当, 管理, 保守, 責任を持",
        ),
        inverse=_by(
            en="fall under, falls under, owned by, maintained by, belong to, looked after by, run by, operated by, in the hands of, in whose hands, whose is, whose are, whose", de="gehört, gehören, betreut von, verantwortet von, in wessen Hand, wessen",
            es="pertenece, pertenecen, mantenido por, de quién es, de quién son, de quién era, de quién eran, de quién fue", fr="appartient, appartiennent, maintenu par, à qui est, à qui sont, à qui était, à qui étaient", zh="归…负责, 由…负责, 归…所有, 由…维护, 由…管理, 归…管, 归, 属于, 隶属于, 所属", ja="属し, 属する",
        ),
        subject_nouns=_by(
            en="owner, maintainer, owning team, responsible team, keeper, product owner", de="Eigentümer, Eigentümerin, Besitzer, Besitzerin, Inhaber, Verantwortliche, Verantwortlicher, Ansprechpartner",
            es="dueño, dueña, propietario, propietaria, responsable, titular", fr="propriétaire, responsable, mainteneur",
            zh="负责人, 所有者, 负责团队, 拥有者, 维护者, 主人", ja="オーナー, 担当者, 担当チーム, 所有者, 責任者, 持ち主",
        ),
    ),
    Relation(
        "leads", frozenset({"Person"}), frozenset({"Team"}), "subject",
        words=_by(
            en="lead, led, head, heads up, manage, run, ran, in charge of, responsible for", de="leitet, leiten, führt, führen, geleitet, verantwortlich", es="lidera, dirige, encabeza, coordina",
            fr="dirige, mène, pilote, gère", zh="领导, 带领, 管理, 负责, 由…领导", ja="率い, リードし, 統括, まとめ",
        ),
        inverse=_by(en="led by, headed by, managed by", de="geleitet von, unter der Leitung", es="dirigido por", fr="dirigé par, dirigée par"),
        subject_nouns=_by(
            en="lead, leader, head, team lead, head of, manager, boss", de="Leiter, Leiterin, Teamleiter, Teamleiterin, Teamleitung, Leitung, Chef, Chefin", es="líder, jefe, jefa, responsable, director, directora",
            fr="chef, cheffe, responsable, dirigeant, leader", zh="负责人, 领导, 领导者, 组长, 主管, 经理, 团队负责人, 队长", ja="リーダー, 責任者, チームリーダー, 長",
        ),
    ),
    Relation(
        "member_of", _ACTORS, frozenset({"Team"}),
        words=_by(
            en="belong to, part of, work in, works in, work for, work on, is on, are on, are in, is in, sit in, work with", de="gehört … zu, gehört, gehören, arbeitet, arbeiten, Teil von, Teil des",
            es="pertenece, pertenecen, forma parte, forman parte, trabaja, trabajan, está en, están en", fr="appartient, appartiennent, fait partie, font partie, travaille, travaillent, est dans, sont dans",
            zh="属于, 隶属于, 隶属, 所属, 加入, 工作, 在", ja="所属, 属し, 働い, 入っ",
        ),
        inverse=_by(en="include, consist of, made up of, comprise", de="besteht aus, umfasst", es="incluye, se compone, compone", fr="comprend, se compose, compte", zh="包括, 有哪些人, 包含", ja="含ま"),
        subject_nouns=_by(
            en="member, team member, membership", de="Mitglied, Mitglieder, Teammitglied", es="miembro, integrante", fr="membre", zh="成员, 组员, 队员", ja="メンバー, 構成員, 一員",
        ),
    ),
    Relation(
        "reports_to", frozenset({"Person"}), frozenset({"Person"}), "object",
        words=_by(
            en="report to, reports to, report, answer to, work under, works under, under … work, under … working", de="berichtet, berichten, unterstellt, untersteht, unter wem arbeitet, unter … arbeitet", es="reporta, reportan, rinde cuentas, responde ante, depende",
            fr="rend compte, rendent compte, rapporte, rapportent, relève, relèvent, répond, répondent, rattaché, rattachée, rattachés, rattachées", zh="汇报, 报告", ja="報告, 直属",
        ),
        inverse=_by(en="manage, manages, supervise, supervises", de="führt, beaufsichtigt", es="supervisa, dirige", fr="supervise, encadre, dirige, chapeaute", zh="管理, 领导", ja="管理, 監督"),
        subject_nouns=_by(en="direct report, subordinate, reports of", de="Untergebene, Untergebener, Unterstellte, direkte Mitarbeiter, direkten Mitarbeiter, direkte Mitarbeiterin", es="subordinado, subordinada", fr="subordonné, subordonnée", zh="下属, 部下", ja="部下"),
        object_nouns=_by(
            en="manager, boss, supervisor, line manager, superior, sits above, above, superiors", de="Chef, Chefin, Vorgesetzte, Vorgesetzter, Manager, Managerin, Führungskraft", es="jefe, jefa, gerente, superior, supervisor, supervisora, mánager",
            fr="chef, cheffe, manager, supérieur, supérieure, responsable, patron", zh="经理, 上级, 主管, 上司, 老板, 领导", ja="上司, マネージャー, マネジャー, 上長",
        ),
    ),
    Relation(
        "on_call_for", _ACTORS, frozenset({"Team"}) | _RUNS,
        words=_by(
            en="on call for, on call, on duty for, on duty, duty, pager, carry the pager, carries the pager", de="Bereitschaft, Rufbereitschaft, Bereitschaftsdienst, Notdienst", es="de guardia, guardia", fr="d'astreinte, astreinte, de garde",
            zh="值班, 待命, 值守", ja="オンコール, 当番, 待機",
        ),
    ),
    Relation(
        "depends_on", _RUNS, _RUNS,
        words=_by(
            en="depend on, depend upon, rely on, rely upon, rely, depend, use, need to run, needs to run, need to work, needs to work, need, require, stand on, stands on, hang on, hangs on, hinge on, run on, runs on, sit on, build on, built on, build upon, built upon, lean on, leans on, hang off, hangs off, rest on, rests on, consume, dependent on, reliant on, sit on top of", de="hängt … ab, hängen … ab, hängt … an, hängen … an, an … hängt, an … hängen, beruht, beruhen, abhängt, abhängen, abhängig, abhängige, nutzt, nutzen, benutzt, benutzen, verwendet, verwenden, braucht, brauchen, benötigt, benötigen, angewiesen, baut … auf, setzt … auf, läuft auf, laufen auf, auf … läuft",
            es="depende, dependen, usa, usan, utiliza, utilizan, necesita, necesitan, requiere, requieren, se apoya", fr="dépend, dépendent, utilise, utilisent, s'appuie, s'appuient, a besoin, ont besoin, dépendant, repose, reposent",
            zh="依赖于, 依赖, 使用, 用到, 需要, 依靠", ja="依存し, 依存, 使っ, 使う, 利用し, 使用し, 頼っ, 必要",
        ),
        inverse=_by(en="used by, needed by, required by, relied on by", de="genutzt von, verwendet von, gebraucht von", es="usado por, utilizado por", fr="utilisé par"),
        subject_nouns=_by(en="dependent, consumer", de="Abnehmer, Nutzer", es="consumidor", fr="consommateur"),
        object_nouns=_by(en="dependency, dependencies, prerequisite", de="Abhängigkeit, Abhängigkeiten, Voraussetzung", es="dependencia, dependencias", fr="dépendance, dépendances", zh="依赖项", ja="依存先"),
    ),
    Relation(
        "has_access", _ACTORS, _RUNS,
        words=_by(
            en="access to, have access, access, reach, get into, get in, log into, log in to, sign in to, enter, allowed into, allowed in, admitted to, let into, permission, go into",
            de="Zugriff, Zugang, zugreifen, zugreift, erreichen, erreicht, Zutritt, einloggen, anmelden, hinein, hineinkommen, kommen … in, rein, Berechtigung",
            es="acceso, acceder, accede, acceden, entrar, entra, alcanzar, alcanza, permiso", fr="accès, accéder, accède, accèdent, entrer, entre dans, atteindre, droit",
            zh="访问权限, 访问, 进入, 权限, 登录", ja="アクセス権, アクセス, 入れ, 入る, 権限, ログイン",
        ),
        inverse=_by(en="accessible by, accessible to, accessible for, open to, reachable by, reachable for", de="zugänglich, offen für", es="accesible", fr="accessible", zh="对…开放"),
    ),
    Relation(
        "deprecates", frozenset({"Decision"}), _RUNS, fresh_days=0,
        words=_by(
            en="deprecate, retire, phase out, phased out, phases out, sunset, drop, abandon, decommission, discontinue, do away with, does away with, switch off, switches off, switched off, turn off, turned off, get rid of, gets rid of, got rid of, put an end to, end of life",
            de="abgelöst, ablöst, abgeschafft, abschafft, abgekündigt, abkündigt, ausgemustert, ausmustert, stillgelegt, stilllegt, eingestellt, einstellt, abgeschaltet, veraltet",
            es="depreca, deprecó, deprecado, deprecada, retira, retiró, retirado, abandona, abandonó, abandonado, da de baja, dado de baja, obsoleto, elimina, descarta, jubila", fr="déprécie, déprécié, dépréciée, abandonne, abandonné, abandonnée, retire, retiré, supprime, supprimé, obsolète",
            zh="弃用, 废弃, 淘汰, 停用, 废除, 下线", ja="非推奨, 廃止, 廃棄, 退役",
        ),
    ),
    Relation(
        "supersedes", frozenset({"Decision", "Document"}), frozenset({"Decision", "Document"}), fresh_days=0,
        words=_by(
            en="supersede, replace, override, overrule, take the place of, took the place of, takes the place of, overturn", de="ersetzt, ersetzen, abgelöst, ablöst, aufgehoben, aufhebt", es="reemplaza, reemplazó, reemplazada, sustituye, sustituyó, sustituida, sucede",
            fr="remplace, remplacé, remplacée, annule", zh="取代, 替代, 代替, 替换", ja="置き換え, 取って代わ, 差し替え, 取り替え",
        ),
        inverse=_by(en="superseded by, replaced by, overruled by, overridden by", zh="被…取代, 被…替代"),
        subject_nouns=_by(en="successor, replacement", de="Nachfolger, Nachfolgerin, Ersatz", es="sucesor, sucesora, reemplazo", fr="successeur, remplaçante", zh="后继", ja="後継"),
        object_nouns=_by(en="predecessor", de="Vorgänger, Vorgängerin", es="predecesor, predecesora", fr="prédécesseur", zh="前身", ja="前身"),
    ),
    Relation(
        "contradicts", _TALK | {"Decision"}, frozenset({"Decision", "Document"}), fresh_days=0,
        words=_by(
            en="contradict, conflict with, violate, go against, goes against, went against, gone against, act against, acted against, speak against, spoke against, argue against, argued against, ignore, at odds with, odds, inconsistent with, contrary to, disagree with, flout, contravene, breach, disregard, oppose, clash with, clash, against",
            de="widerspricht, widersprechen, widersprochen, verstößt, verstoßen, missachtet, missachten, Widerspruch, ignoriert, gegen, zuwider, zuwidergehandelt, zuwiderhandelt, entgegen, verstieß, hinwegsetzt, hinweggesetzt, infrage gestellt, in Frage gestellt, angezweifelt", es="contradice, contradicen, contradijo, contradijeron, contradecir, contradicho, contradichas, viola, violan, incumple, incumplen, en contra, contra, contraria, contradicción",
            fr="contredit, contredisent, contredites, viole, violent, enfreint, enfreignent, à l'encontre, contre, contraire, contradiction", zh="矛盾, 违反, 违背, 抵触, 冲突, 相左, 不一致, 相悖, 反对, 唱反调", ja="矛盾, 反し, 違反, 反する, 食い違",
        ),
    ),
    Relation(
        "approved_by", frozenset({"Decision", "Document"}), _ACTORS, fresh_days=0,
        words=_by(en="approved by, signed off by, signed by"),
        inverse=_by(
            en="approve, signed, gave the nod, give the nod, give the go-ahead, gave the go-ahead, gave the okay, gave the OK, sign off, signed off, green-light, greenlit, okayed, ratify, decide on, decide, give the green light, gave the green light, made the decision, made decision, took the decision, made the call", de="genehmigt, genehmigte, freigegeben, beschlossen, beschloss, abgesegnet, bewilligt, zugestimmt, abgenommen, getroffen, entschieden, entschied",
            es="aprueba, aprobó, aprobado, aprobada, aprobaron, autorizó, visto bueno, firmó, tomó", fr="approuve, approuvé, approuvée, validé, validée, autorisé, entériné", zh="批准, 审批, 通过, 同意", ja="承認, 決裁",
        ),
        object_nouns=_by(en="approver, decider, decision maker", de="Genehmiger", es="aprobador", fr="approbateur, décideur", zh="批准人, 审批人, 批准者", ja="承認者"),
    ),
    Relation(
        "written_by", frozenset({"Decision", "Document", "Message"}), _ACTORS, fresh_days=0,
        words=_by(en="written by, authored by, drafted by, posted by", de="geschrieben von, verfasst von", es="escrito por", fr="écrit par"),
        inverse=_by(
            en="write, wrote, written, author, draft, pen, penned, compose", de="schrieb, schrieben, geschrieben, verfasst, verfasste, verfassten, stammt von, stammt", es="escribió, escribieron, escrito, redactó, redactaron", fr="écrit, rédigé, a écrit, écrite, rédigée", zh="撰写, 起草, 写了, 写的, 编写, 写", ja="書い, 書き, 書か, 執筆, 作成",
        ),
        object_nouns=_by(en="author, writer", de="Autor, Autorin, Autoren, Verfasser, Verfasserin", es="autor, autora, autores", fr="auteur, auteurs, autrice, rédacteur", zh="作者, 撰写人", ja="著者, 作成者, 執筆者"),
    ),
    Relation(
        "affects", frozenset({"Decision"}), _RUNS | _ACTORS, fresh_days=0,
        words=_by(
            en="affect, concern, apply to, bear on, touch, cover, govern", de="betrifft, betreffen, betroffen, gilt für, gelten für", es="afecta, afectan, atañe, se aplica, concierne", fr="affecte, affectent, concerne, concernent, touche, s'applique",
            zh="影响, 涉及, 适用于, 适用", ja="影響, 関わ, 適用",
        ),
    ),
    Relation(
        "mentions", _TALK | {"Decision"}, frozenset({"Person", "Team", "Service", "System", "Decision"}), fresh_days=0,
        words=_by(
            en="mention, refer to, talk about, discuss, speak of, speak about, bring up, brought up", de="erwähnt, erwähnen, nennt, nennen, spricht über, sprechen über, reden über, besprochen", es="menciona, mencionan, habla de, hablan de, cita, citan", fr="mentionne, mentionnent, parle, parlent, évoque, évoquent, cite, citent",
            zh="提到, 提及, 谈到, 讨论, 谈论", ja="言及, 触れ, 話し, 述べ",
        ),
    ),
)  # fmt: skip
BUILT_IN = Relations({one.name: one for one in _TYPES}, {one.name: one for one in _RELATIONS})
"""What there is without a user's file."""
FIGURE = "set at"
"""The attribute under which a model tells a number that prose sets for something, its qualifier saying which."""
SINGLE_ATTRIBUTES = frozenset({FIGURE, "status", "tier", "level", "business unit", "department", "due", "date"})
"""Attributes that a thing has once: two values at a time are a conflict."""
