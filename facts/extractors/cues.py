"""The words by which a sentence of talk uses a thing now, or sets itself against a decision, in five languages.

A sentence is read clause by clause: a word of using, keeping or adopting counts where its clause neither denies nor
remembers, and the sentence neither asks nor supposes. What is used is the first name behind that word, and those joined
to it by "and". Knows no messages, and of things only where their names stand.
Try: python -c "from facts.extractors.cues import used; print(used('We keep Jenkins.', [(8, 15)], 'en'))"
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from language.stopwords import FUNCTION_WORDS

Span = tuple[int, int]
LANGUAGES = ("en", "de", "es", "fr", "zh")


@dataclass(frozen=True, slots=True)
class _Words:
    """Of one language; "|" parts alternatives, each a regular expression for whole words."""

    use: str  # the thing is named behind it
    stays: str  # the thing is named before it
    denies: str
    past: str
    supposes: str
    asks: str  # begins a question, which in talk may lack its mark
    asks_of_use: str  # begins a question that takes the use for granted
    away: str  # stands before what is left, or what something is done instead of
    aside: str  # stands before what it is done for
    joins: str
    parts: str  # parts two clauses
    defies: str  # the decision is named behind it
    of_ours: str  # ... if somebody speaks of what they do
    ours: str
    though: str  # "even though 0006 says otherwise"
    says: str
    but: str  # "0006 says otherwise, but"
    whatever: str = "(?!)"  # stands behind the decision
    onto: str = "(?!)"  # stands before what is used, wherever it is behind the word of using
    again: str = "(?!)"  # a word of using with "it", which is the name before
    place: str = "(?!)"  # stands before where something is done, which is use whatever the verb is ...
    topic: str = "(?!)"  # ... unless the clause is about the thing itself


_EN = _Words(
    use=r"(?<!to )us(?:e|es|ing)|(?:to|will|and|still|just|only|i|we|they|you) use|used (?=on|in|for|by)|keep(?:s|ing)?|stick(?:s|ing)? (?:to|with)|"
    r"go(?:es|ing)? (?:with|for|through|to|over|via)|went (?:with|for)|opt(?:ed|ing)? for|settled on|decided (?:on|for)|adopt(?:s|ed|ing)?|"
    r"cho(?:ose|se|sen|osing)|pick(?:ed|ing)?|prefers?|take(?:s)?|taking|(?:stay|remain)(?:s|ing)? (?:on|with)|stay(?:s|ing)? (?=with)|leav(?:e|es|ing)|"
    r"(?:run|runs|running|build|builds|building|built|host(?:s|ed|ing)?|deploy(?:s|ed|ing)?|put|puts|putting|add(?:s|ed|ing)?|writ(?:e|es|ing|ten)|"
    r"send(?:s|ing)?|stor(?:e|es|ed|ing)|live(?:s)?|living|mov(?:e|es|ed|ing)|switch(?:es|ed|ing)?|migrat(?:e|es|ed|ing)|sit(?:s|ting)?|"
    r"connect(?:s|ed|ing)?|publish(?:es|ed|ing)?|log(?:s|ging)?|point(?:s|ing)?|talk(?:s|ing)?|bas(?:ed|ing)|track(?:s|ing)?|"
    r"read(?:s|ing)?|load(?:s|ing)?|fetch(?:es|ing)?|rel(?:y|ies|ying)|depend(?:s|ing)?)"
    r"(?: (?!not)[\w'-]+){0,5}? (?:on|onto|over|via|through|to|into|in|with|upon)|(?:is|are|am|\w+['’]re|i['’]m|it['’]s)(?: (?:still|now|all|already|just|only|currently|both|back))* (?:on|in|over|via)|(?:read|reads|reading|load|loads|loading|fetch|fetches)"
    r"(?: (?!not)[\w'-]+){0,3}? from",
    stays=r"stays|remains|it is(?=\W*$)|is here to stay|is (?:still )?(?:in use|our|used)|are (?:still )?used|will stay|will do",
    denies=r"not|no|never|none|nobody|nothing|nowhere|neither|nor|without|cannot|\w+n['’]t|stop(?:s|ped|ping)?|drop(?:s|ped|ping)?|"
    r"avoid(?:s|ing)?|retir(?:e|es|ed|ing)|remov(?:e|es|ed|ing)|delet(?:e|es|ed|ing)|abandon(?:ed|ing)?|replac(?:e|es|ed|ing)|left|rid of|"
    r"free of|mov(?:e|es|ed|ing) (?:off|away)|(?:goes|go|going) away|(?:switch|turn|shut)(?:es|s|ed|ned|ning|ting)? (?:off|down)|hardly|refuse[sd]?",
    past=r"used to|used(?! (?:on|in|for|by))|was|were|had|ran|relied|kept|stayed|lived|back then|in the past|formerly|previously|once|long ago|"
    r"(?:\w+ )?years ago|in those days|in the old days|historically|originally|at the time|in the days of",
    supposes=r"if|unless|whether|imagine|suppose",
    asks=r"(?:who|why|how come)\b(?! cares)|(?:can|could|should|shall|do|does|did|has|have|is|are|was|were) (?:we|you|they|i|it|any\w*|some\w*|the|our|there)\b",
    asks_of_use=r"why (?:are|do|is|does)\b.*\bstill\b",
    away=r"from|off|without|instead of|rather than|than|not|no|replacing|leaving|of",
    aside=r"for|by|since|until|at|during|before|after",
    joins=r"and|or|plus|with",
    parts=r"but|because|while|although|though|whereas|so|since(?= (?:the|we|it|i|our)\b)|as(?= (?:the|we|it|i|our)\b)|instead of|rather than|and(?= (?:we|i|it|they|you|now|then|drop|stop|retire|remove|move|leave)\b)",
    defies=r"whatever|despite|in spite of|regardless of|notwithstanding|ignor(?:e|es|ing)|work(?:ing)? around|exceptions? (?:to|from)|"
    r"no matter what|bypass(?:es|ing)?|(?:had|have|going) to (?:break|bend|violate|skip|ignore)|breach(?:ing)?|violat(?:e|ing)|"
    r"(?:not|\w+n['’]t|never) (?:\w+ ){0,3}?(?:follow|following|care about|stick to|comply with|do what|wait for)",
    of_ours=r"against|contrary to|break|skip|bend",
    ours=r"i|i['’]m|i['’]ll|i['’]d|we|we['’]re|we['’]ll|we['’]d|my|our",
    though=r"know|although|though|even if|even though|yes",
    says=r"says|wants|asks|forbids|requires|demands|rules out|does not allow|doesn['’]t allow|prohibits|bans",
    but=r"but|anyway",
    whatever=r"or not|notwithstanding|does not apply|doesn['’]t apply|is wrong",
    again=r"(?:us(?:e|es|ing)|keep(?:s|ing)?|adopt(?:s|ing)?|stick(?:ing)? (?:to|with)|stay(?:s|ing)? (?:on|with)|go(?:ing)? (?:with|for)|tak(?:e|ing)|"
    r"choose|pick|prefer) (?:it|that|them|this one)(?! (?:in mind|short|easy|up|simple|quiet|going|out|off|away|down|from|to|as|slow|that))",
    place=r"on|onto|in|into|at|over|via|through|against",
    topic=r"wants?|wanted|wishes|about|articles?|docs|documentation|bugs?|issues?|problems?|errors?|outages?|incidents?|down|broken?|slow|talk|training|course|"
    r"questions?|story|history|book|look(?:s|ing|ed)?|find|found|search(?:ed|ing)?|clean(?:ed|ing)?|accounts?|licen[cs]es?|versions?|"
    r"expert|interested|opinion|fan|experience|invest\w*|work(?:s|ed|ing)? on|job|changes?|updates?|new in|fix(?:ed|es|ing)?",
)
_DE = _Words(
    use=r"nutz(?:e|en|t|st)|benutz(?:e|en|t)|verwend(?:e|en|et)|setz(?:e|en|t)|bleib(?:e|en|t) (?:\w+ ){0,3}?(?:bei|auf|mit)|behalt(?:e|en)|"
    r"behält|läuft|laufen|lasse?n?|lässt|lege?n?|legt|liegt|liegen|baue?n?|baut|nehmen?|nimmt|hänge?n?|hängt|packe?n?|stelle?n?|stellt|"
    r"wechsel[nt]?|wechsle|migrier(?:e|en|t)|zieh(?:e|en|t)|umgestiegen|umgestellt|umgezogen|gelegt|gepackt|gewechselt|eingeführt|führen|"
    r"schreib(?:e|en|t)|les(?:e|en)|liest|speicher[nt]?|schick(?:e|en|t)|steig(?:e|en|t)|entschieden",
    stays=r"bleibt|bleiben|behalten|behält|nutzen|benutzen|verwenden|nehmen|laufen|läuft|umgestiegen|umgestellt|umgezogen|baue?n?|setzen",
    denies=r"nicht|kein\w*|nie|niemals|niemand|nichts|ohne|weder|nirgends|abgeschafft|abschaffen|abgeschaltet|abschalten|weg|los|ersetzt|verzichten",
    past=r"früher|damals|hatten?|war(?:en)?|nutzten?|benutzten?|verwendeten?|lief(?:en)?|setzten|einst|ehemals|seinerzeit|vor \w+ jahren|"
    r"(?:habe?n?|hat|habt)\b.*\b(?:genutzt|benutzt|verwendet|eingesetzt|gefahren)",
    supposes=r"wenn|falls|ob|angenommen|würden?",
    asks=r"(?:wer|warum|wieso|weshalb)\b|(?:hat|haben|nutzt|benutzt|verwendet|kann|können|soll|sollen) (?:jemand|irgendwer|wir|ihr|man)\b",
    asks_of_use=r"(?:warum|wieso|weshalb)\b.*\bnoch\b",
    away=r"von|vom|statt|anstatt|ohne|nicht|kein\w*|als|weg von",
    aside=r"für|durch|seit|wegen|bis",
    joins=r"und|oder|sowie|mit",
    parts=r"aber|sondern|weil|denn|während|obwohl|dass|und(?= (?:wir|ich|es|sie|jetzt|nun)\b)",
    defies=r"trotz|ungeachtet|egal was|ignorier(?:e|en|t)|entgegen|unabhängig von|ausnahme (?:von|zu)|umgeh(?:e|en|t)|halten? (?:mich|uns) (?:\w+ )?nicht an|nicht an",
    of_ours=r"gegen|breche|brechen",
    ours=r"ich|wir|mein\w*|unser\w*",
    though=r"weiß|wissen|obwohl|auch wenn|zwar",
    says=r"verbietet|verlangt|will|sagt|fordert|schreibt|untersagt",
    but=r"aber|doch|trotzdem|dennoch",
    whatever=r"hin oder her|gilt nicht|ist falsch",
    onto=r"auf|bei|an|über|zu|nach|in|im|mit",
    again=r"(?:nutz(?:e|en|t)|benutz(?:e|en|t)|verwend(?:e|en|et)|nehmen?|nimmt|behalt(?:e|en)|behält) (?:\w+ )?(?:es|das|ihn|sie|den)|"
    r"bleib(?:e|en|t) (?:\w+ )?(?:dabei|darauf)",
    place=r"auf|bei|an|über|nach|in|im|gegen|via",
    topic=r"will|wollen|verlangt|artikel|doku|dokumentation|fehler|problem\w*|störung|ausfall|kaputt|langsam|vortrag|schulung|kurs|fragen?|geschichte|buch|"
    r"suche?n?|sucht|finde?n?|gefunden|aufräumen|konto|lizenz\w*|version\w*|experte|interessiert|meinung|erfahrung|arbeit\w*|änderung\w*|gespräch|rede\w*",
)
_ES = _Words(
    use=r"us(?:o|a|an|amos|ar|aremos|aré|ando|e|en|emos)|utiliz(?:o|a|an|amos|ar|aremos|ando|emos)|mant(?:engo|iene|ienen|enemos|ener|endremos)|"
    r"(?:sigo|sigue|siguen|seguimos|seguir|seguiremos) (?:con|en)|(?:me|nos|se) (?:quedo|quedamos|queda|quedan|quedaremos) (?:con|en)|conserv(?:a|amos|ar)|"
    r"pas(?:o|a|amos|ar|aremos) a|migr(?:o|a|amos|ar|aremos)|corre[n]?|funciona[n]? (?:con|en|sobre)|vamos (?:con|por)|adopt(?:a|amos|ar|ado)|"
    r"elegi(?:mos|r|do)|pon(?:go|e|en|emos|er|dremos)|dej(?:o|amos|aré) \w+ en|construy(?:o|e|en|endo)|construi(?:mos|r)|depende[n]? de|guard(?:a|amos|an)|"
    r"está[n]? en|vive[n]? en|prefer(?:imos)|prefiero",
    stays=r"se queda|sigue|siguen|se mantiene",
    denies=r"no|nunca|jamás|sin|nadie|nada|tampoco|ni|ningun[oa]?|ningún|dej(?:ar|amos|é|aron|aremos) de|retir(?:ar|amos)|elimin(?:ar|amos)|quitar",
    past=r"antes|us(?:aba|aban|ábamos|é)|utiliz(?:aba|aban|ábamos)|ten(?:ía|íamos|ían)|era|eran|fue|fueron|estaba|estaban|corría|corrían|había|"
    r"hace (?:\w+ )?años|en su día|antiguamente|solíamos|en aquel|entonces",
    supposes=r"si|ojalá|imagina",
    asks=r"¿|(?:quién|por qué|alguien)\b",
    asks_of_use=r"¿?por qué\b.*\b(?:seguimos|todavía|aún)\b",
    away=r"desde|en vez de|en lugar de|sin|no|que|ni",
    aside=r"para|por|desde|hasta|durante",
    joins=r"y|e|o|con",
    parts=r"pero|sino|porque|mientras|aunque|y(?= (?:ya|ahora|yo|nosotros|luego)\b)",
    defies=r"a pesar de|pese a|digan? lo que digan?|ignor(?:o|a|amos|ando|ar)|sin importar|excepción a|saltarnos|nos saltamos|me salto|no (?:sigo|seguimos|cumplo|cumplimos)",
    of_ours=r"en contra de|contra",
    ours=r"voy|vamos|hago|hacemos|yo|nosotros|mi|nuestr[oa]s?",
    though=r"sé|sabemos|aunque",
    says=r"dice|prohíbe|pide|exige|quiere",
    but=r"pero|sin embargo|igual",
    whatever=r"no se aplica|está mal|o no",
    again=r"(?:lo|la|los|las) (?:seguimos|sigo|siguen|vamos a|voy a|us\w+|manten\w+|conserv\w+)|(?:us|utiliz|manten|conserv)(?:ar|er)l[oa]s?",
    place=r"en|sobre|vía|a través de|contra",
    topic=r"quiere|exige|artículo|documentación|errore?s?|problemas?|fallos?|caído|caída|lento|charla|curso|preguntas?|historia|libro|busc\w+|encontr\w+|"
    r"limpi\w+|cuentas?|licencias?|versi(?:ón|ones)|expert[oa]|interesad[oa]|opinión|experiencia|cambios?|trabaj\w+",
)
_FR = _Words(
    use=r"utilis(?:e|es|ons|ez|ent|er|era|erons)|emplo(?:ie|ient|yons|yer)|gard(?:e|es|ons|ez|ent|er|era|erons)|rest(?:e|es|ons|ez|ent|er|era|erons) (?:sur|avec|chez|à)|"
    r"conserv(?:e|ons|er|ent)|continu(?:e|ons|er|ent)|pass(?:e|es|ons|er|ent|era|erons) (?:à|sur)|tourn(?:e|ent|er|era)|adopt(?:e|ons|er|ent|é)|"
    r"chois(?:i|it|issons|ir)|met(?:s|tons|tent|tre)?|mis (?:\w+ ){0,4}?(?:sur|dans)|laiss(?:e|ons|er)|pren(?:d|ds|ons|dre)|migr(?:e|ons|er|é)|part(?:ons|ir)? sur|"
    r"constru(?:is|it|isons|ire)|dépend(?:ent)? de|repos(?:e|ent) sur|préfèr(?:e|ons)|stock(?:e|ons|ent)|déploi(?:e|ent)|déployons|s'appuie sur",
    stays=r"reste|restera|demeure",
    denies=r"ne|n['’]\w+|pas|jamais|aucune?|sans|personne|rien|ni|arrêt(?:e|ons|er|é)|abandonn(?:e|ons|er|é)|supprim(?:e|ons|er|é)|retir(?:e|ons|er|é)|quitt(?:e|ons|er|é)|"
    r"plus rien|plus de",
    past=r"avant|autrefois|à l['’]époque|jadis|\w+(?:ait|aient|ions)(?= |$)|était|étaient|avait|avaient|(?:avons|ai|a|ont)\b.*\butilisé|il y a (?:\w+ )?ans|anciennement",
    supposes=r"si|s['’]il",
    asks=r"(?:qui|pourquoi|est-ce|qu['’]est-ce|quelqu['’]un)\b",
    asks_of_use=r"pourquoi\b.*\b(?:encore|toujours)\b",
    away=r"depuis|au lieu de|plutôt que|sans|pas|que|ni",
    aside=r"pour|par|depuis|jusqu\S*|pendant",
    joins=r"et|ou|avec",
    parts=r"mais|parce que|car|pendant que|tandis que|et(?= (?:on|nous|je|maintenant)\b)",
    defies=r"malgré|en dépit de|peu importe|quoi que dise|ignor(?:e|ons|er)|exception à|contourn(?:e|ons|er)|ne (?:suis|suivons|respecte|respectons) pas",
    of_ours=r"contre|contraire à",
    ours=r"je|j['’]\w+|nous|on|mon|notre|nos",
    though=r"sais|savons|bien que|même si|certes",
    says=r"dit|interdit|l['’]interdit|demande|exige|veut|interdise",
    but=r"mais|pourtant|quand même",
    whatever=r"ne s['’]applique pas|est faux|ou pas",
    again=r"(?:le|la|les) (?:gard\w+|utilis(?:e|ons|ent)|conserv\w+)|l['’](?:utilis(?:e|ons|ent)|adopt\w+|emploi\w*)",
    place=r"sur|dans|chez|via|contre",
    topic=r"veut|exige|articles?|documentation|erreurs?|problèmes?|pannes?|lent|exposé|formation|cours|questions?|histoire|livre|cherch\w+|trouv\w+|"
    r"nettoy\w+|comptes?|licences?|versions?|experte?|intéressée?|avis|expérience|changements?|travail\w*",
)
_ZH = _Words(
    use=r"(?<!不)(?:使用|采用|沿用|改用|选用|用(?![户途例于过])|保留|换成|切换到|换到|迁移到|迁到|部署[在到]|跑在|运行在|放[在到]|存[在到]|写[到入]|依赖|基于|留在)",
    stays=r"保留|留着|继续[用使]|还在用",
    denies=r"不(?![过错断管])|没|别|无|未|禁止|停用|弃用|停止|下线|而不是|不再|废弃|移除",
    past=r"以前|过去|曾|当时|原来|早年|过(?=[ 了。，]|$)|那时|年前|去年",
    supposes=r"如果|假如|要是|是否",
    asks=r".*(?:谁|为什么|有没有|是不是)",
    asks_of_use=r"为什么.*还",
    away=r"从|不|而不是|代替|取代",
    aside=r"为|给|对",
    joins=r"和|与|或|及|、",
    parts=r"但是?|因为|所以|而",
    defies=r"不管|尽管有|无视|忽略|违背|绕过|无论|不遵守|不按照?",
    of_ours=r"违反",
    ours=r"我|我们|咱",
    though=r"知道|虽然|尽管",
    says=r"不允许|禁止|要求|规定",
    but=r"但是?|可是|不过|还是",
    whatever=r"不适用|是错的",
    again=r"(?:继续)?(?:用|使用|保留|采用)[它这]",
    place=r"在|到|往|上|经由|通过",
    topic=r"文章|文档|错误|问题|故障|培训|课程|历史|书|找|清理|账号|许可|版本|专家|经验|意见",
)
_TABLES = {"en": _EN, "de": _DE, "es": _ES, "fr": _FR, "zh": _ZH}
_PUNCTUATION = r"[,;:()，；：（）。、!！]|(?<=\s)[-–—](?=\s)|\.(?=\s|$)"
_ARTICLES = r"(?:the|our|my|an?|old|new|this|that|dem|den|der|die|das|el|la|los|las|le|les|l['’]|du|un|une|alte[nrms]?|neue[nrms]?)"
_BARE = re.compile(
    rf"\s+(?:{_ARTICLES}\s+)*((?!{_ARTICLES}\s)[^\W\d_]\w{{2,30}})(?![\w-])(?:\s+([^\W\d_]\w{{2,30}})(?![\w-]))?"
)


def used(sentence: str, names: Sequence[Span], lang: str) -> list[int]:
    """Which of the names in a sentence, by their order there, it speaks of using, keeping or adopting now."""
    lang = lang if lang in _TABLES else "en"
    words = _TABLES[lang]
    low = _low(sentence)
    if _is_question(low, words):
        return []
    found: set[int] = set()
    before: list[int] = []
    for start, end in _clauses(low, names, words, lang):
        inside = [n for n, (a, b) in enumerate(names) if start <= a and b <= end]
        bare = _bare(low, start, end, [names[n] for n in inside])
        if inside and before and not re.sub(rf"{_whole(words.joins, lang)}|x+", " ", bare).strip(" ,.!、"):
            found |= {*inside}  # "Kafka, Redis and S3"
            continue
        before = _of_clause(low, bare, start, inside, names, words, lang)
        if not before and (cue := _search("again", lang).search(bare)) and not _is_aside(bare, lang):
            before = [n for n, (_, b) in enumerate(names) if b <= start + cue.start()][-1:]
        found |= {*before}
    return sorted(found)


def used_bare(sentence: str, names: Sequence[Span], lang: str, weak: Sequence[Span] = ()) -> list[Span]:
    """Where it names none of `names` so: which of the `weak` ones, and of the words behind a word of using, may be a name."""
    lang = lang if lang in _TABLES else "en"
    if used(sentence, names, lang):
        return []
    found = [*weak]
    for cue in _search("use", lang).finditer(_low(sentence)) if lang != "zh" else ():
        seen = _BARE.match(_low(sentence), cue.end())
        found += [seen.span(n) for n in (1, 2) if seen[n]] if seen else []
    free = [one for one in dict.fromkeys(found) if not any(a < one[1] and one[0] < b for a, b in names)]
    grammar = FUNCTION_WORDS["en"] | FUNCTION_WORDS.get(lang, frozenset())
    free = [(a, b) for a, b in free if (a, b) in weak or (sentence[a].islower() and sentence[a:b] not in grammar)]
    return [one for one in free if used(sentence, sorted([*names, one]), lang) == [sorted([*names, one]).index(one)]]


def defied(sentence: str, decisions: Sequence[Span], lang: str) -> list[int]:
    """Which of the decisions that a sentence names, by their order there, its writer sets aside."""
    lang = lang if lang in _TABLES else "en"
    words = _TABLES[lang]
    low = _low(sentence)
    if _is_question(low, words):
        return []
    found = []
    for n, (start, end) in enumerate(decisions):
        ahead, behind = low[max(0, start - 60) : start], low[end : end + 200]
        cue = _last(_search("defies", lang), ahead)
        is_set = cue is not None and not _denied(ahead[: cue.start()], lang)
        ours = _last(_search("of_ours", lang), ahead)
        is_set |= ours is not None and bool(_search("ours", lang).search(ahead[: ours.start()]))
        is_set |= bool(re.match(rf"\s*(?:{words.whatever})", behind))
        though, says = _search("though", lang).search(ahead), _search("says", lang)
        but = _search("but", lang).search(behind)
        is_set |= bool(but and (though or says.search(behind[: but.start()])))
        is_set |= bool(though and says.search(behind[:40]) and not _denied(though.group(), lang))
        if is_set:
            found.append(n)
    return found


def is_plain(sentence: str, lang: str) -> bool:
    """Whether a sentence says something outright: it neither asks, denies nor supposes."""
    lang = lang if lang in _TABLES else "en"
    low = _low(sentence)
    asks = _is_question(low, _TABLES[lang])
    return not (asks or _denied(low, lang) or _search("supposes", lang).search(low))


def _low(sentence: str) -> str:
    low = sentence.lower()
    return low if len(low) == len(sentence) else sentence  # "İ" becomes two


def _is_question(low: str, words: _Words) -> bool:
    if re.match(rf"\W*(?:{words.asks_of_use})", low):
        return False
    return bool(re.match(rf"\W*(?:{words.asks})", low)) or low.rstrip(" \"'”»)*_").endswith(("?", "？", "吗", "吗。"))


def _clauses(low: str, names: Sequence[Span], words: _Words, lang: str) -> Iterator[Span]:
    start = 0
    for cut in re.finditer(rf"{_PUNCTUATION}|{_whole(words.parts, lang)}", low):
        if any(a < cut.end() and cut.start() < b for a, b in names):
            continue
        yield start, cut.start()
        start = cut.start() if cut.group()[0].isalpha() else cut.end()
    yield start, len(low)


def _bare(low: str, start: int, end: int, inside: Sequence[Span]) -> str:
    """The clause with a word that says nothing in the place of each name."""
    text = low[start:end]
    for a, b in inside:
        text = text[: a - start] + "x" * (b - a) + text[b - start :]
    return text


def _of_clause(
    low: str, bare: str, start: int, inside: Sequence[int], names: Sequence[Span], words: _Words, lang: str
) -> list[int]:
    if not inside:
        return []
    away = re.compile(rf"({_whole(words.away, lang)})\s*(?:{_ARTICLES}\s+)*$")
    aside = re.compile(rf"{_whole(words.aside, lang)}\s*(?:{_ARTICLES}\s+)*(?:[^\W\d_]+\s+)?$")
    onto_it = re.compile(rf"{_whole(words.onto, lang)}\s*(?:{_ARTICLES}\s+)*$")
    near = {n: bare[: names[n][0] - start] for n in inside}
    read = {cue.end() for cue in _search("use", lang).finditer(bare)}  # "reads it from" is no leaving
    left = [n for n in inside if (off := away.search(near[n])) and off.end(1) not in read]
    # "not Jenkins" denies Jenkins alone
    plain = bare
    for n in left:
        plain = (
            away.sub(lambda m: re.sub(r"\S", "x", m.group()), plain[: names[n][0] - start])
            + plain[names[n][0] - start :]
        )
    if _is_aside(plain, lang):
        return []
    candidates = [n for n in inside if n not in left]
    for cue in _search("use", lang).finditer(plain):
        behind = [n for n in candidates if names[n][0] - start >= cue.end()]
        behind = [n for n in behind if not aside.search(bare, cue.end(), names[n][0] - start)]
        if behind:
            onto = [n for n in behind[1:] if onto_it.search(near[n])]
            return [behind[0], *_joined(low, behind, names, words, lang), *onto]
    at = re.compile(rf"{_whole(words.place, lang)}\s*(?:{_ARTICLES}\s+)*$")
    there = [n for n in candidates if at.search(near[n])]
    if there and not _search("topic", lang).search(plain):
        return [there[0], *_joined(low, there, names, words, lang)]
    for cue in _search("stays", lang).finditer(plain):
        ahead = [n for n in candidates if names[n][1] - start <= cue.start() and not aside.search(near[n])]
        if ahead:
            return [ahead[-1]]
    return []


def _joined(low: str, behind: Sequence[int], names: Sequence[Span], words: _Words, lang: str) -> list[int]:
    found = []
    for n, m in pairwise(behind):
        between = low[names[n][1] : names[m][0]]
        if not re.fullmatch(rf"[\s`]*(?:,|/|&|\+|、|{words.joins})?[\s`]*(?:{_ARTICLES}\s+)?", between):
            break
        found.append(m)
    return found


def _is_aside(text: str, lang: str) -> bool:
    """Whether a clause denies, remembers or supposes."""
    return _denied(text, lang) or any(_search(part, lang).search(text) for part in ("supposes", "past"))


def _denied(text: str, lang: str) -> bool:
    return bool(_search("denies", lang).search(text))


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = None
    for found in pattern.finditer(text):  # noqa: B007
        pass
    return found


def _whole(pattern: str, lang: str) -> str:
    if lang == "zh":
        return f"(?:{pattern})"
    before = r"(?<![\w-])" if lang == "fr" else r"(?<![\w'’-])"  # "d'utiliser"
    return rf"{before}(?:{pattern})(?![\w-])"


@cache
def _search(part: str, lang: str) -> re.Pattern[str]:
    return re.compile(_whole(getattr(_TABLES[lang], part), lang))
