"""What kind of answer a question wants (a sum, a weekday, hours, a person, ...), and whether a text holds one.

Read from the question words of eleven languages; the earliest in the question decides, and a kind that no word tells
is None. Knows no documents and no scores.
Try: python -c "from language.wanted import wanted; print(wanted('Who signs it when I am away?', 'en'))"
"""

import re
from functools import cache

# Kind -> language -> cues, searched in the lower-cased question; as whole words but for zh, ja, ko. Where two kinds
# begin at the same place the one that stands first here wins.
_CUES: dict[str, dict[str, str]] = {
    "weekday": {
        "en": r"(?:what|which) (?:week ?day|day of the week)|on (?:what|which) (?:day|weekday)s?|(?:what|which) day",
        "de": r"(?:an |auf )?(?:welche[mnrs]? )(?:wochen)?tag(?:en)?",
        "es": r"qu[eé] d[ií]as?(?: de la semana)?",
        "fr": r"quel jour",
        "pt": r"(?:em )?que dia(?: da semana)?",
        "it": r"(?:in )?(?:che|quale) giorno",
        "nl": r"(?:op )?welke (?:week)?dag",
        "ru": r"(?:в )?как(?:ой|ие) д(?:ень|ни)",
        "zh": r"星期几|周几|礼拜几|哪一?天",
        "ja": r"何曜日|どの曜日",
        "ko": r"무슨 요일|어느 요일",
    },
    "clock": {
        "en": r"(?:at |by |until |from )?what (?:time|hour)|how (?:early|late)|(?:which|what) hours?",
        "de": r"um wie ?viel uhr|(?:bis |ab )?wie ?viel uhr|wie (?:früh|spät)",
        "es": r"(?:a )?qu[eé] hora",
        "fr": r"(?:à )?quelle heure",
        "pt": r"(?:a )?que horas",
        "it": r"(?:a )?che ora",
        "nl": r"hoe laat",
        "ru": r"(?:во|до) ско?льк\w+|в котором часу",
        "zh": r"几点|什么时间",
        "ja": r"何時",
        "ko": r"몇 시",
    },
    "money": {
        "en": r"how much (?:money|do i get|can i|may i|will i|does it cost|is|do we pay|is paid|extra|will)|what (?:does|will|would) .{0,40}\bcost|"
        r"(?:what|which) .{0,40}\b(?:price|fee|cost|allowance|budget|salary|bonus|amount|rate)|what do i (?:get|earn) (?:per|for|a)",
        "de": r"was kostet|wie (?:teuer|hoch)|wie ?viel (?:geld|euro|bekomme|kostet|zahlt|darf)|welche[rn]? betrag",
        "es": r"cu[aá]nto (?:dinero|cuesta|pagan?|me|puedo|cobra)|qu[eé] (?:importe|cantidad|precio)",
        "fr": r"combien (?:coûte|d'argent|d'euros|puis-je|est-ce que|me|peut-on)|quel(?:le)? (?:montant|somme|prix|budget)",
        "pt": r"quanto (?:custa|dinheiro|recebo|pago|posso)|qual (?:é )?o (?:valor|montante|preço)",
        "it": r"quanto (?:costa|denaro|ricevo|posso|pago)|quale importo",
        "nl": r"hoeveel (?:geld|euro|kost|krijg)|wat kost",
        "ru": r"сколько (?:стоит|денег|платят|евро)|какая сумма",
        "zh": r"多少(?:钱|欧元|费用|交通费)|花费|补贴多少|最多.{0,10}多少",
        "ja": r"いくら|何ユーロ|費用は",
        "ko": r"얼마(?:까지|인가|를|예요|입니까)|비용",
    },
    "duration": {
        "en": r"(?:for )?how long|how (?:soon|quickly|old|many (?:(?!per|an?|each|every|in|on|at|of)[\w-]+ ){0,2}(?:days?|weeks?|months?|years?|hours?|minutes?|nights?))|within (?:what|how)|at what age|after what time",
        "de": r"(?:seit |für )?wie (?:lange?|alt|schnell)|wie ?viele? (?:[\w-]+ )?[\w-]*(?:tage|wochen|monate|jahre|stunden|minuten)|nach wie",
        "es": r"cu[aá]nto tiempo|cu[aá]nt[oa]s (?:d[ií]as|semanas|meses|años|horas|minutos)|en qu[eé] plazo|qu[eé] plazo",
        "fr": r"combien de (?:temps|jours|semaines|mois|ans|années|heures|minutes)|quel(?:le)? (?:délai|durée)",
        "pt": r"quanto tempo|quant[oa]s (?:dias|semanas|meses|anos|horas|minutos)|(?:qual (?:é )?)?o prazo",
        "it": r"quanto tempo|quant[ie] (?:giorni|settimane|mesi|anni|ore|minuti)|entro quant[oi]",
        "nl": r"hoe ?lang|hoeveel (?:dagen|weken|maanden|jaren|uur|uren)",
        "ru": r"как долго|на сколько|сколько (?:дней|недель|месяцев|лет|часов|минут)|в течение какого|за сколько",
        "zh": r"多久|多长时间|几(?:天|个?月|年|周|个?小时|个星期|分钟)|多少(?:天|个?月|年|周|个?小时)",
        "ja": r"何(?:日|週間|か月|ヶ月|カ月|年|時間|分)|どれ(?:くらい|だけ)の期間|いつまで",
        "ko": r"며칠|얼마나 오래|얼마 동안|몇 (?:일|주|달|개월|년|시간|분)",
    },
    "date": {
        "en": r"when|(?:what|which) (?:date|month|year)|(?:by|until|since) when|deadline",
        "de": r"(?:bis |ab |seit )?wann|welche[sm]? (?:datum|monat|jahr)",
        "es": r"(?:hasta |desde )?cu[aá]ndo|qu[eé] (?:fecha|mes|año)",
        "fr": r"(?:jusqu'à |depuis )?quand|quelle (?:date|année)|quel mois",
        "pt": r"(?:até |desde )?quando|que (?:data|mês)",
        "it": r"(?:entro |da )?quando|che data",
        "nl": r"(?:tot |sinds )?wanneer|welke (?:datum|maand)",
        "ru": r"(?:до |с )?когда|какого числа|до какого",
        "zh": r"什么时候|何时|几[号月]|哪[年月]",
        "ja": r"いつ|何月",
        "ko": r"언제|몇 월",
    },
    "number": {
        "en": r"how (?:many|much|often|far|big|large|high)|(?:what|which) .{0,30}\b(?:limit|rate|value|uptime)|what (?:share|percentage|percent|number|size|version)|which (?:percentage|number|version)",
        "de": r"wie ?viele?[nrs]?|wie (?:oft|hoch|weit|gro(?:ss|ß))|welcher anteil|welche (?:nummer|version)",
        "es": r"cu[aá]nt[oa]s?|qu[eé] (?:porcentaje|l[ií]mite|n[uú]mero)|cada cu[aá]nto",
        "fr": r"combien|quel(?:le)? (?:pourcentage|part|limite|numéro)",
        "pt": r"quant[oa]s?|que (?:percentagem|limite|número)",
        "it": r"quant[oaie]|ogni quanto|quale (?:percentuale|limite|numero)",
        "nl": r"hoe (?:vaak|ver|groot|hoog)|hoeveel|welk (?:percentage|nummer)",
        "ru": r"скольк\w*|как часто|какой (?:процент|лимит|номер)",
        "zh": r"多少|几[次人个台张份]|多[大高远]|百分之几",
        "ja": r"いくつ|何(?:人|回|台|個|枚|%|パーセント)|どれ(?:くらい|だけ)|どのくらい",
        "ko": r"얼마나|몇",
    },
    "person": {
        "en": r"who|whom|whose|(?:which|what) (?:person|team|colleague|people|department|group|role)|contact",
        "de": r"wer|wem|wen|wessen|welche[srnm]? (?:team|person|abteilung|kolleg\w*|rolle)|ansprechpartner\w*",
        "es": r"(?:a |con )?qui[eé]n(?:es)?|qu[eé] (?:equipo|persona|departamento)",
        "fr": r"(?:à |avec )?qui|quel(?:le)? (?:équipe|personne|service)",
        "pt": r"(?:a |com )?quem|que (?:equip[ae]|pessoa)|qual (?:a )?equip[ae]",
        "it": r"(?:a |con )?chi|quale (?:team|persona|squadra|reparto)",
        "nl": r"wie|welk team|welke persoon",
        "ru": r"кто|кому|кого|кем|как(?:ая|ой) (?:команда|отдел)|(?:у|к) ко\w+",
        "zh": r"谁|哪[个位]?(?:人|团队|部门|同事|小组)|什么人",
        "ja": r"誰|だれ|どのチーム|どの部署|どなた",
        "ko": r"누구|누가|(?:어느|어떤) (?:팀|부서)",
    },
    "place": {
        "en": r"where|(?:which|what) (?:room|floor|building|office|city|place|channel|page|form|address|country|region)",
        "de": r"wo|wohin|woher|welche[rmns]? (?:raum|etage|büro|stadt|ort|kanal|land|region)",
        "es": r"(?:a|de )?d[oó]nde|qu[eé] (?:sala|oficina|ciudad|canal|piso)",
        "fr": r"où|quel(?:le)? (?:salle|bureau|ville|étage|canal)",
        "pt": r"a?onde|(?:em )?que (?:sala|cidade|escritório|andar|canal)",
        "it": r"dove|(?:in )?quale (?:sala|ufficio|città|piano|canale)",
        "nl": r"waar|welke (?:kamer|stad|verdieping)",
        "ru": r"где|куда|откуда|в как(?:ом|ой) (?:городе|офисе|канале|комнате)",
        "zh": r"哪里|哪儿|在哪|什么地方|哪个(?:城市|办公室|频道|房间)",
        "ja": r"どこ|どちら",
        "ko": r"어디",
    },
    "steps": {
        "en": r"how (?:do|can|should|would|must) (?:i|we|you|one|someone)|how to|what (?:do|should|must|can) (?:i|we) do|what now|what next",
        "de": r"wie (?:kann|muss|soll|beantrage|melde|bekomme|mache|geht|richte|gehe|komme)|was (?:muss|soll|mache|tue|kann) ich|was nun|was (?:ist zu )?tun",
        "es": r"c[oó]mo|qu[eé] (?:hago|debo hacer|tengo que hacer)",
        "fr": r"comment|que (?:dois-je |faut-il )?faire",
        "pt": r"como|o que (?:faço|devo fazer)",
        "it": r"come|(?:che )?cosa (?:devo fare|faccio)",
        "nl": r"hoe (?:kan|moet|vraag|doe|meld)|wat moet ik doen",
        "ru": r"как|что (?:мне )?(?:делать|нужно сделать)",
        "zh": r"怎么办?|如何|怎样",
        "ja": r"どうすれば|どうやって|どのように|方法",
        "ko": r"어떻게|방법",
    },
    "thing": {
        "en": r"what|which|why",
        "de": r"was|welche[srnm]?|warum|weshalb",
        "es": r"qu[eé]|cu[aá]l(?:es)?|por qu[eé]",
        "fr": r"quel(?:le)?s?|que|quoi|pourquoi",
        "pt": r"qual|quais|que|por que",
        "it": r"quale?|quali|che|cosa|perché",
        "nl": r"wat|welke?|waarom",
        "ru": r"что|как(?:ой|ая|ое|ие)|почему",
    },
    "yes_no": {
        "en": r"(?:^|[,.;] ?)(?:do|does|did|can|could|may|must|is|are|am|was|should|will|would|has|have) |am i allowed|is it (?:ok|okay|allowed)|(?:can|may) (?:i|we)|is there",
        "de": r"(?:^|[,.;] ?)(?:darf|kann|muss|soll|ist|sind|gibt|habe|hat|haben|bekomme|werden|wird|zählt|brauche|müssen|dürfen|können) |(?:darf|kann|muss) (?:ich|man)",
        "es": r"^¿?(?:puedo|se puede|debo|tengo|hay|es|est[aá]|son|necesito|podemos)|¿(?:puedo|se puede|debo|hay)",
        "fr": r"^(?:puis-je|peut-on|dois-je|est-ce|faut-il|y a-t-il|ai-je|a-t-on|est-on)|(?:puis-je|dois-je|peut-on)",
        "pt": r"^(?:posso|pode|devo|há|é|tenho|preciso|podemos|existe)|posso|preciso",
        "it": r"^(?:posso|si può|devo|c'è|è|ho|ci sono|possiamo|bisogna)|posso|si può",
        "nl": r"^(?:mag|kan|moet|is|zijn|heb|krijg|wordt)|mag ik",
        "ru": r"(?:можно|могу|нужно|должен|должна|обязан|есть)(?: ли)?|ли",
        "zh": r"吗|是否|能不能|可不可以|有没有",
        "ja": r"(?:ます|です|でしょう|せん)か[？?。]?$",
        "ko": r"(?:나요|까요|습니까|가요|되나)[？?]?$",
    },
}
_UNSPACED = ("zh", "ja", "ko")

_AMOUNT = (
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|half|twice|once|"
    r"double|ein(?:e[nmrs]?|mal)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|unlimited|nothing|all)\b|[一二三四五六七八九十百千两]"
)
_CJK_SPAN = "[天周月年日]|小时|時間|일|주|개월|년|시간"
_SPAN = (
    r"(?:\b(?:minutes?|hours?|days?|weeks?|months?|years?|quarters?|nights?|fortnight|minuten?|stunde|tag|woche|monat|jahr|"
    r"\w*(?:stunden|tagen?|wochen|monaten?|jahren?)|d[ií]as?|semanas?|mes(?:es)?|años?|horas?|jours?|semaines?|mois|ans?|heures?|"
    rf"дн\w+|недел\w+|месяц\w*|час\w*)\b|{_CJK_SPAN})"
)
_MONTH = (
    r"\b(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|"
    r"o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\b"
)
_DAY = (
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?|week ?days?|"
    r"weekends?|lunes|martes|miércoles|jueves|viernes|lundi|mardi|mercredi|jeudi|vendredi)\b|星期|周[一二三四五六日]|曜日|요일"
)
_TO = r"\b(?:until|till|by|through|bis|hasta|jusqu\w*|até|fino a|tot)\b"
# A time by its count of days: "within three days", "each month"; "your first three days" alone is none.
_AT = (
    r"\b(?:within|after|before|in|by|until|from|since|every|each|next|last|once an?|twice an?|(?:end|start|beginning) of|the "
    r"(?:first|last|next|same|following)|innerhalb|binnen|nach|vor|bis|ab|seit|jede[nrms]?|pro|(?:im|am|zum) \w+|en|dentro de|antes|"
    r"después|hasta|desde|cada|sous|dans|avant|après|dès|chaque|até|em|depois|entro|dopo|prima|ogni|na|voor|elke|per|через|до|"
    r"после|кажд\w+|в течение)\b"
)
_NTH = (  # a day of the month: "on the 27th", "am 27.", "le 27"; the 2nd floor is none
    r"\b(?:the|on|by|of|from) \d{1,2}(?:st|nd|rd|th)\b(?! (?:floor|storey|largest|level))|"
    r"\b(?:am|zum|bis|der|dem|den|vom|ab) \d{1,2}\.(?!\d)|\b(?:le|el|il|día|dia|dnia) \d{1,2}\b(?![.,:]?\d)"
)
_HELD = {
    "weekday": rf"{_DAY}|every day",
    "clock": r"\b\d{1,2}[:.h]\d\d\b|\b\d{1,2} ?(?:[ap]\.?m\.?|uhr|o'clock)\b|\b(?:noon|midnight|mittag|mitternacht)\b|\d点|\d時|시",
    "money": r"[€$£¥]|\b(?:eur|usd|gbp|pln|euros?|dollars?|pounds?|cents?|free|nothing|percent|unlimited)\b|\d ?%|元|ユーロ|유로",
    "duration": rf"(?:{_AMOUNT})[^.;]{{0,40}}{_SPAN}|{_SPAN}[^.;:：]{{0,20}}[:：] ?\d|{_TO}[^.;]{{0,20}}(?:{_DAY}|{_MONTH})|"
    r"\b(?:forever|indefinitely|daily|the same day|an? (?:day|week|month|year|hour))\b",
    "date": rf"{_MONTH}|{_DAY}|(?:{_AT})[^.;]{{0,25}}{_SPAN}|{_CJK_SPAN}|号|\b\d{{1,2}}[:.h]\d\d\b|\b(?:19|20)\d\d\b|"
    rf"\d{{1,2}}[./]\d{{1,2}}[./]|{_NTH}|\b(?:day|date|due|deadline|\w*tag|\w*datum|frist|termin)[^\w.;]{{1,4}}\d|\b(?:immediately|"
    r"at once|once an?|twice an?|before|after|until|by the|in advance|ahead|later|sofort|spätestens|vor|nach|bis|im voraus)\b",
    "number": rf"{_AMOUNT}|%|\b(?:daily|weekly|monthly|quarterly|yearly|annually|every|each|täglich|wöchentlich|monatlich|jährlich)\b",
    "place": r"https?:|#\w|`[^`]+`|\b(?:room|floor|office|building|street|drawer|cupboard|desk|shelf|kitchen|entrance|copier|portal|folder|channel|"
    r"page|form|intranet|site|drive|raum|etage|büro|straße|personio)\b|\b(?:in|at|on|to|under|from|into|beside|near|via|im|am|bei|unter|auf)\b.{0,25}[A-ZÀ-ÞŁŚ]",
    "person": r"[A-ZÀ-ÞŁŚŻ][\w'’-]+ (?:[A-ZÀ-Þ]\. )?[A-ZÀ-ÞŁŚŻ][\w'’-]+|@\w|\b(?:lead|manager|team|people|officer|owner|supervisor|director|"
    r"colleagues?|[Hh][Rr]|IT|finance|desk|buddy|head|board|council|Owner team|chef\w*|abteilung|leiter\w*|[Bb]etriebsrat\w*|vorgesetzte\w*)\b",
    "yes_no": r"\b(?:may|must|can|cannot|can't|not|never|no|nobody|none|always|only|allowed|forbidden|needs?|free|required|optional|yes|"
    r"should|without|any|every|everybody|except|unless|if|do not|don't|darf|dürfen|muss|müssen|kann|können|nicht|kein\w*|nur|immer|jede\w*|ohne|pflicht|erlaubt)\b",
}
_CASED = ("person", "place")  # a capital says something

_UNIT_WORDS = {
    "minutes": "minutes?|minuten?|minutos?|minut[io]|минут\\w*|分钟?|分|분",
    "hours": "hours?|stunden?|horas?|heures?|or[ae]|u(?:ur|ren)|час\\w*|小时|時間|시간",
    "days": "days?|tagen?|tage?s?|d[ií]as?|jours?|giorn[io]|dag(?:en)?|дн\\w+|день|天|日间?|일",
    "weeks": "weeks?|wochen?|semanas?|semaines?|settiman[ae]|weken?|недел\\w+|个?星期|周|週間|주",
    "months": "months?|monate?n?s?|mes(?:es)?|mois|m[eê]s|mesi|mese|maand(?:en)?|месяц\\w*|个月|[かヶカ]月|개월|달",
    "years": "years?|jahre?n?s?|años?|ann[ée]e?s?|ans?|anos?|ann[io]|jaar|jaren|год\\w*|лет|年|년",
    "euros": "euros?|eur|€|евро|欧元|ユーロ|유로",
}
_HOW_MANY = {
    "en": "how (?:many|much)", "de": "wie ?viele?[nrs]?", "fr": "combien (?:de |d[’'])", "es": "cu[aá]nt[oa]s?", "pt": "quant[oa]s?",
    "it": "quant[oaie]", "nl": "hoeveel", "ru": "сколько", "zh": "(?:多少|几)个?", "ja": "何", "ko": "몇",
}  # fmt: skip
_BETWEEN = r"(?:(?!(?:per|an?|each|every|in|on|at|of|pro|im|par|por|al|je)\b)[\w-]+ ){0,2}"
_NUMERAL = (
    r"\d[\d.,]*|half|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|(?:twenty|thirty|forty|fifty|sixty)(?:-\w+)?|"
    r"zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|vierzehn|fünfzehn|\w*(?:zwanzig|[dßv]\w*[sz]ig)|"
    r"deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|quinze|vingt|(?:trente|quarante)(?:-\w+)?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|"
    r"doce|quince|veinte|treinta|cuarenta|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|dois|duas|três|quatro|sete|oito|dez|"
    r"twee|drie|vijf|zes|tien|дв[ае]|три|четыре|пять|шесть|десять"
)
_ONE = "one|ein(?:e[nmrs]?)?|une?|un[ao]?|um|één|один|одн\\w+"
_OTHERWISE = r"\b(?:unlimited|no limit|unbegrenzt\w*|illimité\w*|ilimitad\w+)\b|不限"
_BESIDE_UNIT = {  # a length of time is told in the next unit, too: six weeks for days
    "minutes": ("hours",), "hours": ("minutes",), "days": ("weeks",), "weeks": ("days", "months"),
    "months": ("weeks", "years"), "years": ("months",),
}  # fmt: skip


_ANY_UNIT = re.compile(
    rf"(?:\b|(?<=[^\W\d_]))(?:{'|'.join(_UNIT_WORDS.values())})(?!\w)|\d ?(?:h|hrs?|std|min)\b", re.I
)


def wanted(question: str, lang: str) -> str | None:
    """The kind of answer: a key of the table of kinds, or None where the question's words do not tell.

    Of "weekday", "clock", "money", "duration", "date", "number", "person", "place", "steps", "thing" and "yes_no".
    """
    asking = [part for part in re.split(r"(?<=[?？!.。])\s+", question.strip().lower()) if part.endswith(("?", "？"))]
    lowered = asking[-1] if asking else question.strip().lower()
    found = {kind: _cue(kind, lang).search(lowered) for kind, by_language in _CUES.items() if lang in by_language}
    starts = {kind: match.start() for kind, match in found.items() if match}
    return min(starts, key=starts.__getitem__) if starts else None


def holds(kind: str | None, text: str) -> bool:
    """Whether `text` holds something of the wanted kind; always true for "steps", "thing" and None, which any text may meet."""
    return kind not in _HELD or bool(_held(kind).search(text))


def wanted_unit(question: str, lang: str) -> str | None:
    """The unit that "how many hours", "wie viele Urlaubstage", "combien d'euros" or "几天" ask for, None for no such words.

    One of "minutes", "hours", "days", "weeks", "months", "years" and "euros".
    """
    if lang not in _HOW_MANY:
        return None
    found = {unit: _asking_for(unit, lang).search(question.lower()) for unit in _UNIT_WORDS}
    starts = {unit: (match.end(), -match.start()) for unit, match in found.items() if match}
    return min(starts, key=starts.__getitem__) if starts else None


def holds_unit(unit: str, text: str, *, or_next: bool = False) -> bool:
    """Whether `text` gives an amount in this unit, in any language here; with `or_next` also in the next unit of time.

    "3 days a week" gives days and no weeks. That there is no limit is an amount of any unit.
    """
    units = (unit, *(_BESIDE_UNIT.get(unit, ()) if or_next else ()))
    return any(_amount_in(one).search(text) for one in units)


def names_unit(text: str) -> bool:
    """Whether a word of any of the units stands in `text`: then a figure in it is not one of just anything."""
    return bool(_ANY_UNIT.search(text))


@cache
def _asking_for(unit: str, lang: str) -> re.Pattern[str]:
    how_many, words = _HOW_MANY[lang], _UNIT_WORDS[unit]
    if lang in _UNSPACED:
        return re.compile(f"(?:{how_many})(?:{words})")
    joined = r"[\w-]*" if lang in ("de", "nl") else ""
    return re.compile(rf"(?<!\w)(?:{how_many}) ?{_BETWEEN}{joined}(?:{words})(?!\w)")


@cache
def _amount_in(unit: str) -> re.Pattern[str]:
    words = _UNIT_WORDS[unit]
    short = {"hours": r"|\d ?(?:h|hrs?|std)\b", "minutes": r"|\d ?min\b", "euros": r"|€ ?\d"}.get(unit, "")
    often = r"|\b(?:once|twice|daily|every day|täglich|(?:ein|zwei)mal)\b" if unit == "days" else ""
    return re.compile(
        rf"(?<!\w)(?:(?:{_NUMERAL})\W{{0,3}}{_BETWEEN}[^\W\d_]*?|(?:{_ONE}) )(?:{words})(?!\w)|"
        rf"\d ?(?:{words})|[一二三四五六七八九十百两半]+个?(?:{words})|"
        rf"(?:{words})\b[^.;\n]{{0,30}}[:：|=–-]\s*\d{short}{often}|{_OTHERWISE}",
        re.I,
    )


@cache
def _cue(kind: str, lang: str) -> re.Pattern[str]:
    cues = _CUES[kind][lang]
    return re.compile(cues if lang in _UNSPACED else rf"(?<!\w)(?:{cues})(?!\w)|(?<!\w)(?:{cues})(?<=\W)")


@cache
def _held(kind: str) -> re.Pattern[str]:
    return re.compile(_HELD[kind], 0 if kind in _CASED else re.I)
