"""A fact as a sentence, in the language of the question: its words, its time and its status.

A relation that is not here (a user's own) is said by its name. Knows no question and no index.
Try: python answer.py "Wer ist für plan-store zuständig?"
"""

from graph.view import Entity, Fact
from proof.markup import literal

_SAID = {
    "owns": {
        "en": "{s} owns {o}", "de": "{s} ist für {o} zuständig", "es": "{s} es responsable de {o}",
        "fr": "{s} est responsable de {o}", "zh": "{s}负责{o}", "ja": "{s}は{o}を所管している",
    },
    "leads": {
        "en": "{s} leads {o}", "de": "{s} leitet {o}", "es": "{s} dirige {o}", "fr": "{s} dirige {o}",
        "zh": "{s}领导{o}", "ja": "{s}は{o}を率いている",
    },
    "member_of": {
        "en": "{s} belongs to {o}", "de": "{s} gehört zu {o}", "es": "{s} pertenece a {o}",
        "fr": "{s} fait partie de {o}", "zh": "{s}属于{o}", "ja": "{s}は{o}に所属している",
    },
    "reports_to": {
        "en": "{s} reports to {o}", "de": "{s} berichtet an {o}", "es": "{s} depende de {o}",
        "fr": "{s} rend compte à {o}", "zh": "{s}向{o}汇报", "ja": "{s}の上司は{o}である",
    },
    "on_call_for": {
        "en": "{s} is on call for {o}", "de": "{s} hat Bereitschaft für {o}", "es": "{s} está de guardia para {o}",
        "fr": "{s} est d'astreinte pour {o}", "zh": "{s}为{o}值班", "ja": "{s}は{o}の当番である",
    },
    "depends_on": {
        "en": "{s} depends on {o}", "de": "{s} hängt von {o} ab", "es": "{s} depende de {o}",
        "fr": "{s} dépend de {o}", "zh": "{s}依赖{o}", "ja": "{s}は{o}に依存している",
    },
    "has_access": {
        "en": "{s} has access to {o}", "de": "{s} hat Zugriff auf {o}", "es": "{s} tiene acceso a {o}",
        "fr": "{s} a accès à {o}", "zh": "{s}可以访问{o}", "ja": "{s}は{o}にアクセスできる",
    },
    "deprecates": {
        "en": "{s} deprecates {o}", "de": "{s} löst {o} ab", "es": "{s} retira {o}", "fr": "{s} retire {o}",
        "zh": "{s}弃用{o}", "ja": "{s}は{o}を廃止する",
    },
    "supersedes": {
        "en": "{s} supersedes {o}", "de": "{s} ersetzt {o}", "es": "{s} sustituye a {o}", "fr": "{s} remplace {o}",
        "zh": "{s}取代{o}", "ja": "{s}は{o}に取って代わる",
    },
    "contradicts": {
        "en": "{s} contradicts {o}", "de": "{s} widerspricht {o}", "es": "{s} contradice {o}",
        "fr": "{s} contredit {o}", "zh": "{s}与{o}相矛盾", "ja": "{s}は{o}と矛盾する",
    },
    "approved_by": {
        "en": "{s} was decided by {o}", "de": "{s} wurde von {o} entschieden", "es": "{s} lo decidió {o}",
        "fr": "{s} a été décidé par {o}", "zh": "{s}由{o}批准", "ja": "{s}は{o}が決定した",
    },
    "written_by": {
        "en": "{s} was written by {o}", "de": "{s} ist von {o}", "es": "{s} lo escribió {o}",
        "fr": "{s} a été écrit par {o}", "zh": "{s}由{o}撰写", "ja": "{s}は{o}が書いた",
    },
    "affects": {
        "en": "{s} affects {o}", "de": "{s} betrifft {o}", "es": "{s} afecta a {o}", "fr": "{s} concerne {o}",
        "zh": "{s}影响{o}", "ja": "{s}は{o}に影響する",
    },
    "mentions": {
        "en": "{s} mentions {o}", "de": "{s} nennt {o}", "es": "{s} menciona {o}", "fr": "{s} mentionne {o}",
        "zh": "{s}提到{o}", "ja": "{s}は{o}に言及している",
    },
    "uses": {
        "en": "{s} speaks of using {o}", "de": "{s} spricht davon, {o} zu nutzen", "es": "{s} habla de usar {o}",
        "fr": "{s} parle d'utiliser {o}", "zh": "{s}谈到使用{o}", "ja": "{s}は{o}の利用に触れている",
    },
}  # fmt: skip
_BESIDE = {
    "since": {
        "en": "since {}", "de": "seit {}", "es": "desde {}",
        "fr": "depuis {}", "zh": "自{}起", "ja": "{}から",
    },
    "until": {
        "en": "until {}", "de": "bis {}", "es": "hasta {}",
        "fr": "jusqu'à {}", "zh": "至{}", "ja": "{}まで",
    },
    "confirmed": {
        "en": "last confirmed {}", "de": "zuletzt bestätigt {}", "es": "confirmado por última vez {}",
        "fr": "dernière confirmation {}", "zh": "最近确认于{}", "ja": "最終確認 {}",
    },
    "observed": {
        "en": "observed", "de": "belegt", "es": "documentado",
        "fr": "attesté", "zh": "已记载", "ja": "記載あり",
    },
    "verified": {
        "en": "verified", "de": "bestätigt", "es": "verificado",
        "fr": "vérifié", "zh": "已核实", "ja": "確認済み",
    },
    "inferred": {
        "en": "read by a model", "de": "von einem Modell gelesen", "es": "leído por un modelo",
        "fr": "lu par un modèle", "zh": "由模型读出", "ja": "モデルの読み取り",
    },
    "stale": {
        "en": "stale", "de": "nicht aktuell bestätigt", "es": "sin confirmar desde hace mucho",
        "fr": "pas de confirmation récente", "zh": "已久未确认", "ja": "古い情報",
    },
    "disputed": {
        "en": "disputed", "de": "umstritten", "es": "en disputa",
        "fr": "contesté", "zh": "有争议", "ja": "異なる記述あり",
    },
    "undated": {
        "en": "start not stated", "de": "Beginn nicht angegeben", "es": "inicio no indicado",
        "fr": "début non indiqué", "zh": "起始时间未注明", "ja": "開始時期の記載なし",
    },
    "as_of_undated": {
        "en": "As of {} (start not stated):", "de": "Stand {} (Beginn nicht angegeben):",
        "es": "A fecha de {} (inicio no indicado):", "fr": "En date de {} (début non indiqué) :",
        "zh": "截至{}（起始时间未注明）：", "ja": "{}時点（開始時期の記載なし）：",
    },
    "message": {
        "en": "the message of {}", "de": "die Nachricht vom {}", "es": "el mensaje del {}", "fr": "le message du {}",
        "zh": "{}的消息", "ja": "{}のメッセージ",
    },
    "also": {
        "en": "also called {}", "de": "auch {}", "es": "también {}", "fr": "aussi {}", "zh": "又称{}", "ja": "別名{}",
    },
    "yes": {"en": "Yes", "de": "Ja", "es": "Sí", "fr": "Oui", "zh": "是", "ja": "はい"},
    "no": {
        "en": "No, the documents do not say so", "de": "Nein, das sagen die Dokumente nicht",
        "es": "No, los documentos no lo dicen", "fr": "Non, les documents ne le disent pas",
        "zh": "否，文件中没有这样的记载", "ja": "いいえ、文書にその記述はありません",
    },
    "more": {
        "en": "… and {} more", "de": "… und {} weitere", "es": "… y {} más",
        "fr": "… et {} autres", "zh": "……另有{}项", "ja": "…ほか{}件",
    },
    "without": {
        "en": "No document that you may read says so of these:",
        "de": "Von diesen sagt das kein Dokument, das Sie lesen dürfen:",
        "es": "De estos no lo dice ningún documento que usted pueda leer:",
        "fr": "De ceux-ci, aucun document que vous pouvez lire ne le dit :", "zh": "以下各项，您可读的文件均无此记载：",
        "ja": "次のものについては、閲覧できる文書にその記述がない：",
    },
    "as_of": {
        "en": "As of {}:", "de": "Stand {}:", "es": "A fecha de {}:",
        "fr": "En date de {} :", "zh": "截至{}：", "ja": "{}時点：",
    },
}  # fmt: skip


_VOWELS = tuple("aeiouyàâéèêëîïôùû")
_QUOTES = {"en": "“{}”", "de": "„{}“", "es": "«{}»", "fr": "« {} »", "zh": "“{}”", "ja": "「{}」"}


def word(name: str, lang: str, *values: object) -> str:
    """A phrase of the product's own ("since", "yes") in `lang`, else in English."""
    known = _BESIDE[name]
    return known.get(lang, known["en"]).format(*values)


def called(thing: Entity, lang: str, day: str = "") -> str:
    """A thing within a sentence: a title in quotation marks, a message by its `day`; names are literal."""
    if thing.type == "Message" and day and thing.ids == (thing.name,):
        return word("message", lang, day)
    if thing.type in ("Decision", "Document") and thing.name.count(" ") > 1:
        return _QUOTES.get(lang, _QUOTES["en"]).format(literal(thing.name))
    return literal(thing.name)


def sentence(fact: Fact, lang: str) -> str:
    """What it says, its qualifier in parentheses; names are literal, no markup of theirs comes through."""
    subject = called(fact.subject, lang, fact.valid_from or fact.observed_at)
    said = called(fact.object, lang) if fact.object else literal(fact.value)
    known = _SAID.get(fact.predicate)
    if known:
        text = known.get(lang, known["en"]).format(s=subject, o=said)
    elif fact.object:
        text = f"{subject} {fact.predicate.replace('_', ' ')} {said}"
    else:
        text = f"{subject}, {literal(fact.predicate)}: {said}"
    if lang == "fr" and said[:1].casefold() in _VOWELS:
        text = text.replace(f" de {said}", f" d’{said}")
    return f"{text} ({literal(fact.qualifier)})" if fact.qualifier else text


def beside(fact: Fact, lang: str, *, undated: bool = False) -> str:
    """Its time and status, as in "since 2025-03-01, last confirmed 2026-03-02, observed".

    `undated`: it is told as of a day, and no document states since when it holds.
    """
    if fact.subject.type == "Message" and fact.status == "observed":
        return ""  # it was said on the day that the sentence tells
    parts = [word("undated", lang)] if undated else []
    parts += [word(name, lang, date) for name, date in (("since", fact.valid_from), ("until", fact.until)) if date]
    parts += [word("confirmed", lang, fact.observed_at)] if fact.observed_at else []
    read = ["inferred"] if fact.by_model and fact.status != "inferred" else []
    return ", ".join([*parts, *(word(one, lang) for one in (fact.status, *read))])
