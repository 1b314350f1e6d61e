"""The sentences the product says itself, in the language of the question.

`say` falls back to English for a language that is not here. Knows no documents and no models.
Try: python -c "from language.phrases import say; print(say('not_found', 'de'))"
"""

_PHRASES = {
    "not_found": {
        "en": "I could not find this in the company documents.",
        "de": "Das habe ich in den Unternehmensdokumenten nicht gefunden.",
        "es": "No he encontrado esto en los documentos de la empresa.",
        "fr": "Je n'ai pas trouvé cela dans les documents de l'entreprise.",
        "pt": "Não encontrei isto nos documentos da empresa.",
        "it": "Non ho trovato questa informazione nei documenti aziendali.",
        "nl": "Dit heb ik niet gevonden in de bedrijfsdocumenten.",
        "ru": "Я не нашёл этого в документах компании.",
        "zh": "在公司文件中没有找到相关内容。",
        "ja": "社内文書の中には見つかりませんでした。",
        "ko": "회사 문서에서 찾을 수 없습니다.",
    },
    "quote": {
        "en": "The documents say:",
        "de": "In den Dokumenten steht:",
        "es": "Los documentos dicen:",
        "fr": "Les documents disent :",
        "pt": "Os documentos dizem:",
        "it": "I documenti dicono:",
        "nl": "In de documenten staat:",
        "ru": "В документах сказано:",
        "zh": "文件中写道：",
        "ja": "文書には次のように書かれています：",
        "ko": "문서에는 다음과 같이 나와 있습니다:",
    },
    "conflict": {
        "en": "The documents disagree, newest first:",
        "de": "Die Dokumente widersprechen sich, das neueste zuerst:",
        "es": "Los documentos no coinciden; el más reciente primero:",
        "fr": "Les documents se contredisent, le plus récent d'abord :",
        "pt": "Os documentos divergem; o mais recente primeiro:",
        "it": "I documenti non concordano; prima il più recente:",
        "nl": "De documenten spreken elkaar tegen, de nieuwste eerst:",
        "ru": "Документы противоречат друг другу, сначала самый новый:",
        "zh": "文件说法不一，最新的在前：",
        "ja": "文書の記述が食い違っています（新しい順）：",
        "ko": "문서의 내용이 서로 다릅니다(최신순):",
    },
}

LANGUAGES = tuple(_PHRASES["not_found"])
"""Codes of the languages that every phrase is there in."""


def say(phrase: str, lang: str) -> str:
    """ "not_found", "quote" or "conflict" in `lang`, in English where not known. Raises KeyError for no phrase."""
    known = _PHRASES[phrase]
    return known.get(lang, known["en"])
