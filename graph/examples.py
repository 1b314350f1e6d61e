"""Questions of each kind, in several languages, that a new one is compared with by the embedder; names are replaced.

A name stands as its type ("who owns the Service"), a date as TIME. Each example says which tool answers it and, for a
relation, which one. Their vectors are kept by syncs, else made once a process. Knows no view.
Try: python -c "from graph.examples import EXAMPLES; print(len(EXAMPLES))"
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from models import Embedder, ModelIdentity, Vector
from storage.phrases import compared, embedded

_TOLD = """
chain owns
Who owns the Service? | Which team takes care of the Service? | Whose is the System? | Who should I talk to about the Service, whose is it? | Wem gehört der Service? | Welches Team kümmert sich um den Service? | ¿De quién es el Service? | ¿Qué equipo se ocupa del Service? | À qui appartient le Service ? | Service归哪个团队负责？ | Serviceの担当チームはどこですか？ | Which services does the Team own? | What is the Team in charge of? | Welche Dienste betreut das Team? | Who is behind the Service?
chain leads
Who leads the Team? | Who is at the helm of the Team? | Wer leitet das Team? | ¿Quién dirige el Team? | Qui dirige le Team ? | Team的负责人是谁？ | Teamのリーダーは誰ですか？ | Which team does the Person head?
chain member_of
Who is in the Team? | Which people work in the Team? | What team is the Person on? | Wer gehört zum Team? | In welchem Team arbeitet die Person? | ¿Quiénes forman parte del Team? | Qui fait partie du Team ? | Team有哪些成员？ | Teamのメンバーは誰ですか？
chain reports_to
Who does the Person report to? | Who is the boss of the Person? | An wen berichtet die Person? | ¿A quién reporta la Person? | De qui dépend la Person ? | Person的上级是谁？ | Personの上司は誰ですか？ | Who works directly under the Person?
chain on_call_for
Who is on call for the Service? | Who carries the pager for the Service? | Who had the duty for the Service in TIME? | Wer hat Bereitschaft für den Service? | ¿Quién está de guardia para el Service? | Qui est d'astreinte pour le Service ? | 谁在为Service值班？ | Serviceのオンコール担当は誰ですか？
chain depends_on
What does the Service depend on? | What does the Service need in order to work? | Which services are built on the System? | Wovon hängt der Service ab? | Was läuft auf dem System? | ¿De qué depende el Service? | De quoi dépend le Service ? | Service依赖什么？ | 哪些服务依赖System？ | Serviceは何に依存していますか？
chain has_access
Which groups have access to the Service? | Who is allowed to get into the Service in production? | Which applications can the Team reach? | Welche Gruppen haben Zugriff auf den Service? | ¿Qué grupos tienen acceso al Service? | Quels groupes ont accès au Service ? | 哪些组可以访问Service？ | どのグループがServiceにアクセスできますか？
chain deprecates
Which decision retired the System? | What did the Decision put on the way out? | Welche Entscheidung hat das System abgeschafft? | ¿Qué decisión retiró el System? | Quelle décision a abandonné le System ? | 哪个决定废弃了System？
chain supersedes
Which decision replaced the Decision? | What took the place of the Decision? | Welche Entscheidung hat die Decision ersetzt? | ¿Qué decisión sustituyó a la Decision? | 哪个决定取代了Decision？
chain approved_by
Who approved the Decision? | Who gave the Decision their blessing? | Wer hat die Decision genehmigt? | ¿Quién aprobó la Decision? | Qui a approuvé la Decision ? | 谁批准了Decision？ | Decisionを承認したのは誰ですか？ | Which decisions did the Person approve?
chain written_by
Who wrote the Decision? | Who is the author of the Document? | Wer hat die Decision verfasst? | ¿Quién escribió la Decision? | Qui a rédigé la Decision ? | Decision是谁写的？
chain affects
Which services does the Decision touch? | Which decisions concern the Service? | Welche Dienste betrifft die Decision? | ¿Qué decisiones afectan al Service? | Quelles décisions concernent le Service ? | Decision影响哪些服务？
chain status
What is the status of the Decision? | What became of the Decision? | Was the Decision accepted or rejected? | Wurde die Decision angenommen? | ¿En qué estado está la Decision? | Quel est le statut de la Decision ? | Decision的状态是什么？ | How did the vote on the Decision end?
contradicted
Which active decisions were contradicted in chat in TIME? | Which decisions did somebody speak against in messages? | Did anybody say they would act against what was decided? | Welchen gültigen Beschlüssen wurde in Nachrichten widersprochen? | ¿Qué decisiones vigentes contradijo alguien en los mensajes? | Quelles décisions en vigueur sont contredites par des messages ? | 哪些有效的决定在聊天中遭到反对？ | どの決定がチャットで反対されていますか？ | Where does talk in the channels go against our decision records?
conflicts
Where do our documents disagree about the Service? | Which pages contradict each other on the owner of the Service? | Wo widersprechen sich unsere Dokumente zum Service? | ¿En qué no coinciden los documentos sobre el Service? | Sur quoi les documents se contredisent-ils à propos du Service ? | 关于Service，哪些资料说法不一？
impact
What breaks if the System goes down? | Which services and people are hit when the Service fails? | What is the blast radius of the Service? | Suppose the System is gone, what else stops? | Was fällt alles aus, wenn das System weg ist? | Wer ist von einem Ausfall des Service betroffen? | ¿Qué pasa si se cae el System? | ¿Qué deja de funcionar sin el System? | Que se passe-t-il si le System tombe en panne ? | 如果System宕机会影响什么？ | Service出故障的影响范围有多大？ | Systemが止まったら何が影響を受けますか？
changes
What changed about the Service since TIME? | What happened to the System in TIME and who approved it? | Which changes were made to the Service? | Was hat sich beim Service seit TIME geändert? | ¿Qué cambió en el Service en TIME? | Qu'est-ce qui a changé pour le Service depuis TIME ? | TIME以来Service有哪些变化？ | Serviceは何が変わりましたか？ | What is the history of the Team?
list
List all services. | Which services are marked as critical? | Which applications belong to the business unit? | Give me every decision that is proposed. | Which teams are there? | Welche Dienste gibt es? | Alle Dienste der Stufe 1 | ¿Qué servicios guardan datos confidenciales? | Quels sont tous les systèmes ? | 列出所有服务 | すべてのサービスを挙げてください
count
How many services does the Team own? | How many decisions are there per status? | Count the services of each team. | number of people who report to the Person | Wie viele Dienste hat das Team? | Anzahl der Dienste je Stufe | ¿Cuántas decisiones aprobó la Person? | Combien de services dépendent du System ? | 有多少服务依赖System？ | Systemに依存するサービスはいくつありますか？
card
What is the Service? | Who is the Person? | Tell me about the System. | What do we know about the Decision? | Was ist der Service? | Was wissen wir über die Person? | ¿Quién es la Person? | Háblame del Service. | Qu'est-ce que le System ? | 介绍一下Service | Serviceとは何ですか？
neighbours
What is the Service connected to? | Show everything related to the System. | What surrounds the Person in the graph? | Womit ist der Service verbunden? | ¿Con qué está relacionado el System? | À quoi est relié le Service ? | Service和什么有关？
path
How is the Person connected to the System? | What is the shortest path between the Service and the Decision? | What ties the Person to the Service? | Wie hängen Service und System zusammen? | ¿Qué camino une el Service con el System? | Quel est le lien entre le Service et la Decision ? | Person和System之间有什么关系？
check
Does the Service depend on the System? | May members of the Team get into the Service? | Is the Team the owner of the Service? | Hängt der Service vom System ab? | Gehört der Service noch zum Team? | ¿Depende el Service del System? | Le Service dépend-il du System ? | Person属于Team吗？ | ServiceはSystemに依存していますか？ | Did the Person approve the Decision?
text
How many days of holiday do I get? | Who approves my expenses? | What do I do when my laptop is lost? | How do I get into the building? | Why did we choose the System? | What does the System cost per year? | How do I deploy the Service to production? | What are the rules for naming a service? | When does the Team meet? | How do I ask the Team for help? | What did the Decision say about backups? | Which documents do I need for a trip? | What is the price of a hotel in the city? | How long are messages kept? | Whom do I call when I am ill? | In which language is the Service written? | Wie viele Urlaubstage bekomme ich? | Warum haben wir das System abgelöst? | Wer genehmigt meine Reise? | Was kostet das System? | Was muss ein neuer Mitarbeiter mitbringen? | ¿Cuántos días de vacaciones tengo? | ¿Cómo pido ayuda al Team? | ¿Qué pasa si pierdo mi tarjeta? | Combien de jours de congé ai-je ? | Pourquoi avons-nous abandonné le System ? | 我有多少天年假？ | 为什么放弃System？ | 出差住酒店最多多少钱？ | 有給休暇は何日ありますか？ | What does the Person do at weekends? | Is there a system for booking rooms? | Where is the first aid box? | How are backups tested by the Team?
"""


@dataclass(frozen=True, slots=True)
class Example:
    """A question and what answers it; `about`: the relation or attribute it asks for, "" for none."""

    text: str
    tool: str
    about: str = ""


def _read(told: str) -> tuple[Example, ...]:
    lines = [line for line in told.splitlines() if line.strip()]
    return tuple(
        Example(text.strip(), *head.split())
        for head, texts in zip(lines[::2], lines[1::2], strict=True)
        for text in texts.split(" | ")
    )


EXAMPLES = _read(_TOLD)
_TEXTS = [example.text for example in EXAMPLES]
compared(_TEXTS)


@dataclass(frozen=True, slots=True)
class Likeness:
    """How near a question is to the examples: the best cosine of each tool, and of each relation of a chain."""

    tools: Mapping[str, float]
    relations: Mapping[str, float]

    def margin(self, tool: str) -> float:
        """By how much this tool's nearest example is nearer than that of any other; negative where it is not."""
        others = max((value for name, value in self.tools.items() if name != tool), default=0.0)
        return self.tools.get(tool, 0.0) - others


_held: dict[ModelIdentity, Vector] = {}
_words: dict[tuple[ModelIdentity, str], Vector | None] = {}
_MOST_WORDS = 5_000
_lock = threading.Lock()


def likeness(question: str, lang: str, embed: Embedder, kept: Callable[[Sequence[str]], Vector | None]) -> Likeness:
    """Compares a question whose names are replaced; `kept` gives vectors that a sync kept. Raises ModelError."""
    cosines = _matrix(embed, kept) @ embed.embed_query(question, lang)
    tools: dict[str, float] = {}
    relations: dict[str, float] = {}
    for example, cosine in zip(EXAMPLES, map(float, cosines), strict=True):
        tools[example.tool] = max(cosine, tools.get(example.tool, -1.0))
        if example.about:
            relations[example.about] = max(cosine, relations.get(example.about, -1.0))
    return Likeness(tools, relations)


def nearest(phrases: Sequence[str], lang: str, names: Sequence[str], embed: Embedder) -> list[tuple[float, str, str]]:
    """The pairs of a phrase and a name by likeness, in any languages: cosine, phrase, name. Raises ModelError."""
    with _lock:
        lacking = [name for name in names if (embed.identity, name) not in _words]
        if len(_words) + len(lacking) > _MOST_WORDS:
            _words.clear()
            lacking = [*names]
        for name, vector in zip(lacking, embed.embed_documents(lacking) if lacking else [], strict=True):
            _words[embed.identity, name] = vector
        vectors = [(name, _words[embed.identity, name]) for name in names]
    found = []
    for phrase in phrases:
        asked = embed.embed_query(phrase, lang)
        found += [(float(vector @ asked), phrase, name) for name, vector in vectors if vector is not None]
    return sorted(found, reverse=True)


def _matrix(embed: Embedder, kept: Callable[[Sequence[str]], Vector | None]) -> Vector:
    with _lock:
        made = _held.get(embed.identity)
        if made is None:
            found = kept(_TEXTS)
            made = _held[embed.identity] = embedded(_TEXTS, embed) if found is None else found
        return made
