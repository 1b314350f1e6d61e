"""A sentence -> a question that a person would ask and that it answers, "" where none comes out natural.

Frames for sentences with a figure, a name or a condition: English and German several, other languages a condition's.
Better none than a silly one: what leans on a word before it ("it", "that") is passed over. Knows no documents.
Try: python -c "from language.asking import question_for; print(question_for('The trial lasts two days.', 'en'))"
"""

import re

from language.wanted import holds, wanted

_LEAST_CHARS, _MOST_CHARS = 18, 110
_LEAST_CLAUSE = 4  # words: "if I want to"
_EN_NUMBER = r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty)"
_EN_SOME = r"(?:(?:up to|at least|at most|about|only|usually) )*"
_DE_NUMBER = r"(?:\d[\d.,]*|eine[nm]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)"
_DE_SOME = r"(?:(?:bis zu|mindestens|höchstens|etwa|rund) )*"
_MONEY = r"(?:[€$£] ?\d[\d.,]*|\d[\d.,]* ?(?:[€$£]|EUR|USD|GBP|PLN|euros?\b|Euro\b))"
_COUNTED = "(?:days?|weeks|months|hours|minutes|nights|sessions|breaks|visits|trips|keys|parcels)"
_THING = rf"(?P<thing>(?:[a-z-]+ ){{0,2}}{_COUNTED}(?: (?:of|off|paid|unpaid|sick|parental|annual|holiday|vacation|leave|holidays)\b)*)"
_NAME = r"[A-ZÀ-ÞŁŚŻ][\w'’-]+ [A-ZÀ-ÞŁŚŻ][\w'’-]+"
# Language -> (a sentence, the question), the first that fits. Groups are put in; English ones are turned to "I".
_FRAMES: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (
        (rf"(?:(?P<when>(?:In|After|Within|During|Before|For) [^,]{{3,50}}?),? )?[Yy]ou (?:will )?(?P<verb>get|have|receive|earn|need) "
         rf"{_EN_SOME}{_EN_NUMBER} {_THING}(?=(?P<rest> for [^,.;(]{{3,40}})|[ ,.;(])", "How many {thing} do I {verb}{rest}{when}?"),
        (rf"You (?P<may>may|can|must|have to) (?P<verb>take|carry|work|stay|use|book) {_EN_SOME}{_EN_NUMBER} {_THING}"
         r"(?P<rest> [^,.;(]{3,40})", "How many {thing} {may} I {verb}{rest}?"),
        (rf"(?P<x>(?:The|Your) [\w -]{{3,40}}?) (?:lasts|takes|is|runs for) {_EN_SOME}{_EN_NUMBER} (?:working |calendar )?"
         r"(?:minutes?|hours?|days?|weeks?|months?|years?)\b(?! (?:old|away|late|ago))", "How long is {x}?"),
        (rf"(?P<x>(?:The|An?|Your) [\w -]{{3,40}}?) costs? {_EN_SOME}{_MONEY}", "How much does {x} cost?"),
        (rf"We (?P<verb>pay|add|refund|reimburse) {_EN_SOME}{_MONEY}(?: (?:per|a) \w+)? (?P<to>for|towards) (?P<x>[^,.;]{{4,50}})[,.;]",
         "How much does the company {verb} {to} {x}?"),
        (r"(?P<x>(?:(?:The|Your) )?[\w -]{3,40}?) (?P<be>is|are) (?P<done>paid|due|reviewed|open|closed|held|sent|published|tested|"
         r"renewed|counted) (?:out )?(?:once|twice|every|each|on|by|from|until|at|within|between)\b", "When {be} {x} {done}?"),
        (r"Questions (?:about|on) (?P<x>[^,.]{3,40}) go to ", "Who do I ask about {x}?"),
        (rf"{_NAME} (?P<does>is responsible for|is in charge of|looks after|approves|signs|decides on) (?P<x>[^,.;]{{4,50}})[,.;]",
         "Who {does} {x}?"),
        (r"(?:If|When) (?P<x>(?:you|your) [^,]{6,70}), (?=you (?:must|should|need|have to|can|may)|(?!(?:we|the|an?|you|your|people|"
         r"nobody|somebody|everybody|there|no)\b)[a-z]+ )", "What do I do if {x}?"),
        (r"(?:If|When) (?P<x>(?:you|your) [^,]{6,70}), ", "What happens if {x}?"),
    ),
    "de": (
        (rf"(?P<x>(?:Die|Der|Das|Eine?) [\w -]{{3,40}}?) dauert {_DE_SOME}{_DE_NUMBER} ", "Wie lange dauert {x}?"),
        (rf"(?P<x>(?:Die|Der|Das) [\w -]{{3,40}}?) beträgt {_DE_SOME}{_DE_NUMBER} (?:Tage?|Wochen?|Monate?|Jahre?)\b", "Wie lang ist {x}?"),
        (rf"(?P<x>(?:Die|Der|Das) [\w -]{{3,40}}?) beträgt {_DE_SOME}(?:{_MONEY}|\d[\d.,]* ?(?:%|Prozent))", "Wie hoch ist {x}?"),
        (rf"(?P<x>(?:Die|Der|Das|Eine?) [\w -]{{3,40}}?) kostet {_DE_SOME}{_MONEY}", "Wie viel kostet {x}?"),
        (rf"(?P<x>(?:Jede[rs]? [\w-]+|Alle [\w-]+)) (?P<verb>hat|haben|bekommt|bekommen|erhält|erhalten) {_DE_SOME}\d+ "
         r"(?P<thing>(?:Tage|Wochen|Stunden) \w+|\w+tage)\b", "Wie viele {thing} {verb} {x}?"),
        (r"Wer (?P<x>[^,]{8,70}), ", "Was gilt, wenn man {x}?"),
        (r"(?:Wenn|Falls) (?P<x>[^,]{8,80}), ", "Was gilt, wenn {x}?"),
    ),
    "fr": ((r"Si (?P<x>[^,]{8,80}), ", "Que se passe-t-il si {x} ?"),),
    "es": ((r"Si (?P<x>[^,]{8,80}), ", "¿Qué pasa si {x}?"),),
    "pt": ((r"Se (?P<x>[^,]{8,80}), ", "O que acontece se {x}?"),),
    "it": ((r"Se (?P<x>[^,]{8,80}), ", "Che cosa succede se {x}?"),),
    "nl": ((r"Als (?P<x>[^,]{8,80}), ", "Wat gebeurt er als {x}?"),),
    "pl": ((r"(?:Jeśli|Jeżeli) (?P<x>[^,]{8,80}), ", "Co się dzieje, jeśli {x}?"),),
    "ru": ((r"Если (?P<x>[^,]{8,80}), ", "Что делать, если {x}?"),),
    "zh": ((r"如果(?P<x>[^，,]{4,30})[，,]", "如果{x}，该怎么办？"),),
    "ar": ((r"إذا (?P<x>[^،,]{8,80})[،,] ?", "ماذا يحدث إذا {x}؟"),),
}  # fmt: skip
# Words that lean on what was said before, and marks of code, links and notes.
_LEANS = {
    "en": r"(?i:\b(?:it|its|this|that|these|those|they|them|their|he|she|his|her|there|here|above|below|following|ones?|such|we|us|our|please)\b)",
    "de": r"\b(?:dies\w*|sie|ihn|ihm|ihr\w*|er|es|dort|hier|oben|unten|solche\w*|folgende\w*|das)\b(?! [A-ZÄÖÜ])",
    "fr": r"\b(?:il|elle|ils|elles|cela|ceci|celui|celle|ça|ce|cet|cette|ces|son|sa|ses|leur|leurs)\b",
    "es": r"\b(?:esto|eso|este|esta|ese|esa|él|ella|ellos|ellas|su|sus)\b",
    "pt": r"\b(?:isto|isso|este|esta|esse|essa|ele|ela|eles|elas|seu|sua)\b",
    "it": r"\b(?:ciò|questo|questa|quello|quella|esso|essa|lui|lei|loro|suo|sua)\b",
    "nl": r"\b(?:het|dit|dat|deze|die|hij|zij|ze)\b(?! [a-z])",
    "pl": r"\b(?:to|ten|ta|te|on|ona|ono|oni|one|jego|jej|ich)\b",
    "ru": r"\b(?:это|этот|эта|эти|он|она|оно|они|его|её|их)\b",
    "zh": r"[这那它他她]",
    "ar": r"\b(?:هذا|هذه|ذلك|تلك|هو|هي|هم)\b",
}
_LOWERED = {
    "en": ("The", "A", "An", "Your", "In", "After", "Within", "During", "Before", "For"),
    "de": ("Die", "Der", "Das", "Ein", "Eine", "Jeder", "Jede", "Jedes", "Alle"),
}
_MARKS = re.compile(r"[`<>(){}\[\]:;/|*_\"“”„«»]")
_SWAPS = (
    (r"\byou aren['’]t\b", "I'm not"), (r"\byou are\b", "I am"), (r"\byou were\b", "I was"), (r"\byou're\b|\byou’re\b", "I'm"), (r"\byou've\b|\byou’ve\b", "I've"), (r"\byourself\b", "myself"),
    (r"\byours\b", "mine"), (r"\byour\b", "my"), (r"\b(for|to|with|of|from|by|about|gives?|tells?|asks?|lets?) you\b", r"\1 me"),
    (r"\byou\b", "I"),
)  # fmt: skip


def question_for(sentence: str, lang: str) -> str:
    """The question in the sentence's language, "" where no frame fits or it would not be understood alone."""
    for pattern, frame in _FRAMES.get(lang, ()):
        found = re.match(pattern, sentence)
        if not found:
            continue
        parts = {name: _inside(text or "", lang) for name, text in found.groupdict().items()}
        if parts.get("when"):
            parts["when"] = f" {parts['when']}"
        question = frame.format_map(parts)
        good = _stands_alone(question, parts, lang) and holds(wanted(question, lang), sentence)
        return question if good else ""
    return ""


def _inside(text: str, lang: str) -> str:
    """The words as they stand inside a question: articles and plurals in lower case, English turned to "I"."""
    first = text.partition(" ")[0]
    if first in _LOWERED.get(lang, ()) or (lang == "en" and re.fullmatch("[A-Z][a-z]+s", first)):
        text = text[:1].lower() + text[1:]
    if lang == "en":
        for pattern, mine in _SWAPS:
            text = re.sub(pattern, mine, text)
    return text


def _stands_alone(question: str, parts: dict[str, str], lang: str) -> bool:
    told = " ".join(parts.values())
    if _MARKS.search(told) or (lang in _LEANS and re.search(_LEANS[lang], told)):
        return False
    about = parts.get("x", "")
    if lang == "en" and about[:1].isupper() and not re.match("I\\b", about):
        return False  # a name keeps its capital, another first word does not: no word tells which it is
    clause = question.startswith(("What do I do if", "What happens if"))
    if clause and (len(about.split()) < _LEAST_CLAUSE or about.split().count("I") > 1):
        return False  # too little, or two sentences in one
    if parts.get("thing") and not (parts.get("when") or parts.get("rest") or " " in parts["thing"] or about):
        return False  # "How many days do I get?" of what?
    width = len(question) * (3 if lang == "zh" else 1)
    return _LEAST_CHARS <= width <= _MOST_CHARS
