"""Sentences of an answer that speak of the sources themselves: "there are three documents", "they do not mention it".

No passage can prove them, and they are no statement of the matter; they are marked as what they are. What such a
sentence says is missing is looked for all the same. Knows no markers and no verdicts; one language is one row.
Try: python -c "from proof.about import about_sources; print(about_sources('The passages do not mention it.', 'en'))"
"""

import re
from functools import cache

_SOURCES = {
    "en": r"(?:documents?|passages?|sources?(?! code)|texts?|context|(?:provided|given) information|excerpts?|handbook)",
    "de": r"(?:dokumente?n?|textstellen?|passagen?|quellen?|texte?n?|auszüge?n?|informationen|handbuch)",
    "fr": r"(?:documents?|passages?|sources?|textes?|extraits?|contexte|informations?|manuel)",
    "es": r"(?:documentos?|pasajes?|fuentes?|textos?|fragmentos?|contexto|información|manual)",
    "pt": r"(?:documentos?|passagens|passagem|fontes?|textos?|trechos?|contexto|informaç(?:ão|ões)|manual)",
    "it": r"(?:documenti?|passaggi?|brani|brano|fonti|fonte|testi|testo|contesto|informazioni|manuale)",
    "nl": r"(?:documenten|document|passages?|bronnen|bron|teksten|tekst|context|informatie|handboek)",
    "ru": r"(?:документ\w*|отрывк\w*|отрывок|источник\w*|текст\w*|справочник\w*)",
    "zh": r"(?:文档|文件|段落|资料|来源|文本|手册|信息)",
    "ja": r"(?:文書|資料|抜粋|出典|情報|文章)",
    "ko": r"(?:문서|자료|출처|발췌|정보)",
}
# {S} stands for the words above, {C} for a few words between.
_SAYS_NOTHING = {
    "en": r"\b{S}\b {C}(?:do(?:es)? not|don't|doesn't|did not) (?:\w+ )?(?:mention|state|specify|say|tell|contain|include|"
    r"provide|give|describe|cover|indicate|explain|list|address|define|discuss)|"
    r"\b(?:no|not any) (?:\w+ )?(?:mention|information|details?|answer|statement|{S})\b {C}(?:in|of|from|about|on|is|are)\b|"
    r"\b(?:is|are) not (?:\w+ )?(?:mentioned|stated|specified|given|provided|described|covered|explained|included|found|"
    r"defined|listed|addressed) (?:\w+ )?(?:in|by) (?:\w+ ){0,3}{S}\b|\b(?:could|can) ?not find\b",
    "de": r"\b{S}\b {C}(?:enthalten|enthält|erwähnen|erwähnt|nennen|nennt|sagen|sagt|beschreiben|beschreibt|machen|macht|"
    r"geben|gibt)\b {C}(?:nicht|keine?n?|nichts)|(?:nicht|keine?) {C}(?:in|aus) (?:\w+ ){0,3}{S}\b {C}(?:erwähnt|"
    r"genannt|enthalten|beschrieben|angegeben|gefunden|hervor)|(?:in|aus) (?:\w+ ){0,3}{S}\b {C}(?:nicht|keine?)\b",
    "fr": r"\b{S}\b {C}ne (?:\w+ )?(?:mentionnent?|précisent?|disent|dit|contiennent|contient|indiquent?|donnent?|"
    r"décri(?:vent|t))\b|n'est pas (?:mentionné|précisé|indiqué|décrit)e? {C}{S}\b|aucune (?:information|mention)\b",
    "es": r"\b{S}\b {C}no (?:\w+ )?(?:mencionan?|especifican?|dicen?|contienen?|indican?|dan?|describen?)\b|"
    r"no se (?:menciona|especifica|indica|describe)n? {C}{S}\b|no hay (?:información|mención)\b",
    "pt": r"\b{S}\b {C}não (?:\w+ )?(?:menciona|especifica|dize|diz|contê|contém|indica|descreve)m?\b|não há informaç",
    "it": r"\b{S}\b {C}non (?:\w+ )?(?:menziona|specifica|dic|contien|contengono|indica|descriv)\w*|nessuna informazione",
    "nl": r"\b{S}\b {C}(?:vermeld(?:en|t)|noem(?:en|t)|zeg(?:gen|t)|bevat(?:ten)?|gev(?:en)|geeft) {C}(?:niet|geen|niets)",
    "ru": r"\b{S}\b {C}не (?:упомина|указыва|содерж|говор|описыва)\w*|не (?:упоминается|указан\w?|описан\w?) {C}{S}\b",
    "zh": r"{S}{C}(?:没有|未|并未|不)(?:提到|提及|说明|包含|给出|提供|涉及|指出|规定)|(?:未|没有)(?:在|从).{0,8}{S}",
    "ja": r"{S}{C}(?:記載されて(?:い)?ません|言及されて(?:い)?ません|書かれていません|ありません|含まれて(?:い)?ません)",
    "ko": r"{S}{C}(?:언급|명시|설명|포함)\w*\s?(?:않|없)|{S}{C}없",
}
_COUNTS = {
    "en": r"\b(?:there (?:is|are)|here (?:is|are)|i (?:found|have|was given)|we have|(?:all|both|these|the)) "
    r"(?:only |about )?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|several|many|no other)? ?"
    r"(?:relevant |different |provided |given |other )?{S}\b(?: (?:(?:that|which) (?:mention|discuss|describe|cover|concern|address|speak|relate|deal)|about|on|here|in total|"
    r"given|provided|available|cited|listed|above|agree|say the same).{0,40})?$",
    "de": r"\b(?:es (?:gibt|sind|liegen)|hier sind|ich habe|mir liegen) (?:\w+ )?(?:\w+ )?{S}\b(?: (?:vor|dazu|zu|über).{0,40})?$",
    "fr": r"\b(?:il y a|voici|j'ai) (?:\w+ )?{S}\b(?: (?:sur|à|au).{0,40})?$",
    "es": r"\b(?:hay|existen|tengo|aquí hay) (?:\w+ )?{S}\b(?: (?:sobre|de|acerca).{0,40})?$",
    "zh": r"^(?:共|一共|总共)?有.{0,4}(?:份|个|篇|条){S}(?:$|提到|涉及)",
}
_UNSPACED = ("zh", "ja", "ko")


def about_sources(claim: str, lang: str) -> bool:
    """Whether the claim says something about the sources and not about what they tell."""
    return denies_mention(claim, lang) or _found(_COUNTS, claim, lang)


def denies_mention(claim: str, lang: str) -> bool:
    """Whether the claim says that the sources do not tell something."""
    return _found(_SAYS_NOTHING, claim, lang)


def what_is_missed(claim: str, lang: str) -> str:
    """The words of such a denial that name what is not told; "" where the claim is none."""
    if not denies_mention(claim, lang):
        return ""
    rest = _pattern(_SAYS_NOTHING[lang], lang).sub(" ", claim)
    return re.sub(_SOURCES[lang], " ", rest, flags=re.IGNORECASE)


def _found(table: dict[str, str], claim: str, lang: str) -> bool:
    return lang in table and _pattern(table[lang], lang).search(claim.strip().rstrip(".!。！ ")) is not None


@cache
def _pattern(written: str, lang: str) -> re.Pattern[str]:
    between = r".{0,12}?" if lang in _UNSPACED else r"(?:\S+ ){0,4}"
    return re.compile(written.replace("{S}", _SOURCES[lang]).replace("{C}", between), re.IGNORECASE)
