"""What kind of answer a question wants (a number, a time, a person, ...), and whether a text holds one.

Read from question words of eleven languages; a kind no word tells is None. Knows no documents and no scores.
Try: python -c "from answering.wanted import wanted; print(wanted('Who signs it?', 'en'))"
"""

import re
from functools import cache

# One row a kind, in order of decision: the first whose cue stands in the question wins. Cues are searched in the
# lower-cased question; Latin and Cyrillic ones as whole words.
_CUES: dict[str, dict[str, str]] = {
    "number": {
        "en": r"how (?:many|much|long|often|far|big|large|old|soon|high|early|late)|what (?:share|percentage|amount|fee|"
        r"limit|rate|price|number|budget|age|size)|(?:what|which) .{0,30}(?:cost|limit|amount|percentage|rate|fee|allowance)",
        "de": r"wie ?viele?[nrs]?|wie (?:lange|oft|hoch|weit|gross|groß|teuer|schnell|alt)|welcher betrag|was kostet",
        "es": r"cu[aá]nt[oa]s?|cada cu[aá]nto|qu[eé] (?:cantidad|importe|porcentaje|l[ií]mite)",
        "fr": r"combien|quel(?:le)? (?:montant|pourcentage|part|durée|limite|somme|budget)",
        "pt": r"quant[oa]s?|qual (?:é )?o (?:valor|montante|limite|prazo)|com que frequência",
        "it": r"quant[oaie]|ogni quanto|qual è (?:il limite|l'importe|la durata)",
        "nl": r"hoe (?:veel|lang|vaak|hoog|groot|ver)|hoeveel",
        "ru": r"скольк\w*|как (?:долго|часто)|какова? (?:сумма|лимит|доля|срок)|в течение какого",
        "zh": r"多少|几[天个次年月小人周]|多久|多长|多大|多高|多远|最多|至少",
        "ja": r"いくら|いくつ|何[日人回年時分円個ヶ歳パ%]|どれくらい|どのくらい|何ユーロ|何週",
        "ko": r"얼마|몇|며칠|얼마나",
    },
    "time": {
        "en": r"when|what (?:time|date|day|month|year)|(?:which|what) (?:week)?day|on which .{0,12}day|until what|by what"
        r"|deadline|which (?:month|year|date)|how (?:early|late|soon)",
        "de": r"wann|um wie ?viel uhr|bis wann|ab wann|an welchem (?:tag|wochentag)|welcher (?:tag|wochentag|monat)|welches datum",
        "es": r"cu[aá]ndo|qu[eé] (?:d[ií]a|fecha|hora|mes)|hasta cu[aá]ndo|a qu[eé] hora",
        "fr": r"quand|quel(?:le)? (?:jour|date|heure|mois)|à quelle heure|jusqu'à quand",
        "pt": r"quando|que (?:dia|data|horas|mês)|até quando|a que horas|qual (?:é )?o dia",
        "it": r"quando|che (?:giorno|data|ora)|entro quando|a che ora|in quale giorno|quale giorno",
        "nl": r"wanneer|welke (?:dag|datum)|hoe laat",
        "ru": r"когда|как(?:ой|ого) (?:день|числа|дня|даты)|во сколько|до какого|в какой день",
        "zh": r"什么时候|何时|哪[天年月日]|几[点号月]|星期几|周几|什么时间",
        "ja": r"いつ|何(?:曜日|月)|何時",
        "ko": r"언제|무슨 요일|몇 (?:시|월|일)",
    },
    "person": {
        "en": r"who|whom|whose|which (?:person|team|colleague|people|department|group|role)|what team|contact",
        "de": r"wer|wem|wen|wessen|welche(?:s|r)? (?:team|person|abteilung|kolleg\w*)|ansprechpartner\w*",
        "es": r"qui[eé]n(?:es)?|qu[eé] (?:equipo|persona|departamento)",
        "fr": r"qui|quel(?:le)? (?:équipe|personne|service)|auprès de qui",
        "pt": r"quem|que (?:equipa|equipe|pessoa)|qual (?:a )?equip[ae]",
        "it": r"chi|quale (?:team|persona|squadra|reparto)",
        "nl": r"wie|welk team|welke persoon",
        "ru": r"кто|кому|кого|кем|какая команда|у кого",
        "zh": r"谁|哪[个位](?:人|团队|部门|同事)|什么人|哪个团队",
        "ja": r"誰|だれ|どのチーム|どなた",
        "ko": r"누구|누가|어느 팀|어떤 팀",
    },
    "place": {
        "en": r"where|which (?:room|floor|building|office|city|place|channel|page|form)|what (?:room|floor|address|channel)",
        "de": r"wo|wohin|woher|welche[rmns]? (?:raum|etage|büro|stadt|ort|kanal)",
        "es": r"d[oó]nde|ad[oó]nde|qu[eé] (?:sala|oficina|ciudad|canal|piso)",
        "fr": r"où|quel(?:le)? (?:salle|bureau|ville|étage|canal)",
        "pt": r"onde|aonde|em que (?:sala|cidade|escritório|andar|canal)",
        "it": r"dove|in quale (?:sala|ufficio|città|piano|canale)",
        "nl": r"waar|welke (?:kamer|stad|verdieping)",
        "ru": r"где|куда|откуда|в каком (?:городе|офисе|канале)",
        "zh": r"哪里|哪儿|在哪|什么地方|哪个(?:城市|办公室|频道)",
        "ja": r"どこ|どちら",
        "ko": r"어디",
    },
    "steps": {
        "en": r"how (?:do|can|should|would|does) (?:i|we|you|one|someone)|how to|what (?:do|should|must) i do|what now|steps",
        "de": r"wie (?:kann|muss|soll|beantrage|melde|bekomme|mache|geht|richte|gehe) |was (?:muss|soll|mache|tue)\b.{0,12}\b(?:ich|tun)|was nun",
        "es": r"c[oó]mo (?:puedo|debo|se|hago|solicito|pido)|qu[eé] (?:hago|debo hacer)",
        "fr": r"comment (?:puis-je|faire|dois-je|je|on|demander)|que (?:dois-je )?faire",
        "pt": r"como (?:posso|devo|faço|se|peço)|o que (?:faço|devo fazer)",
        "it": r"come (?:posso|devo|si|faccio|richiedo)|cosa (?:devo fare|faccio)",
        "nl": r"hoe (?:kan|moet|vraag|doe|meld) ik|wat moet ik doen",
        "ru": r"как (?:мне|я|можно|нужно|подать|получить|оформить|сообщить|вернуть)|что (?:мне )?делать",
        "zh": r"怎么|如何|怎样|怎么办",
        "ja": r"どうすれば|どうやって|どのように|方法",
        "ko": r"어떻게|방법",
    },
    "yes_no": {
        "en": r"^(?:do|does|did|can|could|may|must|is|are|am|was|should|will|would|has|have)\b.*|\b(?:am i allowed|"
        r"is it (?:ok|okay|allowed)|can i|may i|do i (?:need|have)|are we|is there)\b",
        "de": r"^(?:darf|kann|muss|soll|ist|sind|gibt|habe|hat|haben|bekomme|werden|wird|zählt|brauche|müssen|dürfen|können)\b.*",
        "es": r"^¿?(?:puedo|se puede|debo|tengo|hay|es|est[aá]|son|necesito|podemos)\b.*",
        "fr": r"^(?:puis-je|peut-on|dois-je|est-ce|faut-il|y a-t-il|ai-je|a-t-on)\b.*",
        "pt": r"^(?:posso|pode|devo|há|é|tenho|preciso|podemos|existe)\b.*",
        "it": r"^(?:posso|si può|devo|c'è|è|ho|ci sono|possiamo|bisogna)\b.*",
        "nl": r"^(?:mag|kan|moet|is|zijn|heb|krijg|wordt)\b.*",
        "ru": r"^(?:можно|могу|нужно|должен|должна|есть|обязан)\b.*|\bли\b",
        "zh": r"吗|是否|能不能|可不可以|可以.{0,20}[？?]$",
        "ja": r"(?:ます|です|でしょう|せん)か[？?。]?$",
        "ko": r"(?:나요|까요|습니까|가요|되나)[？?]?$",
    },
}
_UNSPACED = ("zh", "ja", "ko")

_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|half|twice|once|double|daily|weekly|monthly|"
    r"quarterly|yearly|eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|unlimited|nothing)\b|[一二三四五六七八九十百千两]",
    re.I,
)
_TIME = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday|mondays|tuesdays|wednesdays|thursdays|fridays|januar|februar|märz|mai|juni|juli|"
    r"oktober|dezember|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|jan|feb|mar|apr|"
    r"jun|jul|aug|sep|sept|oct|nov|dec|noon|midnight|today|tomorrow|day|days|week|weeks|month|months|year|years|hour|"
    r"hours|minutes|quarter|morning|evening|tag|tage|tagen|woche|wochen|monat|monate|monaten|jahr|jahre|uhr|before|after)\b|\d{1,2}:\d\d|"
    r"\b(?:19|20)\d\d\b|\d{1,2}[./]\d{1,2}[./]|[年月日时]|曜日",
    re.I,
)
_PERSON = re.compile(
    r"(?:[A-ZÀ-ÞŁŚŻ][\w'’-]+ ){1,2}[A-ZÀ-ÞŁŚŻ][\w'’-]+|@\w+|\b(?:lead|manager|team|people|officer|owner|supervisor|director|"
    r"colleague|hr|it|finance|desk|office|buddy|head|board|council|contact|ask|chef\w*|team\w*|abteilung|leiter\w*|"
    r"betriebsrat|vorgesetzte\w*)\b",
)
_PLACE = re.compile(
    r"(?:\b(?:in|at|on|to|under|from|into|beside|near|next to|via|im|am|in der|bei|unter|auf)\b.{0,25}[A-ZÀ-Þ#`/\d])|https?:|#\w|"
    r"\b(?:room|floor|office|building|street|drawer|cupboard|desk|shelf|kitchen|entrance|copier|portal|folder|channel|page|form|"
    r"raum|etage|büro|straße)\b",
)
_RULE = re.compile(
    r"\b(?:may|must|can|cannot|can't|not|never|no|nobody|always|only|allowed|forbidden|need|needs|free|required|optional|yes|"
    r"should|without|any|every|everybody|except|unless|if|darf|dürfen|muss|müssen|kann|können|nicht|kein\w*|nur|immer|"
    r"jede\w*|ohne|pflicht|erlaubt)\b",
    re.I,
)


def wanted(question: str, lang: str) -> str | None:
    """ "number", "time", "person", "place", "steps", "yes_no", or None where the question's words do not tell."""
    lowered = question.strip().lower()
    for kind, by_language in _CUES.items():
        if lang in by_language and _cue(kind, lang).search(lowered):
            return kind
    return None


def holds(kind: str | None, text: str) -> bool:
    """Whether `text` holds something of the wanted kind; always true for "steps" and None, which any text may meet."""
    patterns = {"number": _NUMBER, "time": _TIME, "person": _PERSON, "place": _PLACE, "yes_no": _RULE}
    return kind not in patterns or bool(patterns[kind].search(text) or (kind == "time" and _NUMBER.search(text)))


@cache
def _cue(kind: str, lang: str) -> re.Pattern[str]:
    cues = _CUES[kind][lang]
    return re.compile(cues if lang in _UNSPACED or kind == "yes_no" else rf"\b(?:{cues})")
