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
        "pl": "Nie znaleziono tego w dokumentach firmy.",
        "ar": "لم أجد هذا في مستندات الشركة.",
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
        "pl": "W dokumentach napisano:",
        "ar": "جاء في المستندات:",
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
        "pl": "Dokumenty są ze sobą sprzeczne, najnowszy na początku:",
        "ar": "المستندات متعارضة، الأحدث أولًا:",
    },
    "conflict_undated": {
        "en": "The documents disagree:",
        "de": "Die Dokumente widersprechen sich:",
        "es": "Los documentos no coinciden:",
        "fr": "Les documents se contredisent :",
        "pt": "Os documentos divergem:",
        "it": "I documenti non concordano:",
        "nl": "De documenten spreken elkaar tegen:",
        "ru": "Документы противоречат друг другу:",
        "zh": "文件说法不一：",
        "ja": "文書の記述が食い違っています：",
        "ko": "문서의 내용이 서로 다릅니다:",
        "pl": "Dokumenty są ze sobą sprzeczne:",
        "ar": "المستندات متعارضة:",
    },
    "changed": {
        "en": "file changed on {date}",
        "de": "Datei geändert am {date}",
        "es": "archivo modificado el {date}",
        "fr": "fichier modifié le {date}",
        "pt": "ficheiro alterado em {date}",
        "it": "file modificato il {date}",
        "nl": "bestand gewijzigd op {date}",
        "ru": "файл изменён {date}",
        "zh": "文件修改于 {date}",
        "ja": "ファイル更新日 {date}",
        "ko": "파일 수정일 {date}",
        "pl": "plik zmieniony {date}",
        "ar": "عُدّل الملف في {date}",
    },
    "beside": {
        "en": "This may not answer the question",
        "de": "Das beantwortet die Frage womöglich nicht",
        "es": "Es posible que esto no responda a la pregunta",
        "fr": "Cela ne répond peut-être pas à la question",
        "pt": "Isto talvez não responda à pergunta",
        "it": "Questo forse non risponde alla domanda",
        "nl": "Dit beantwoordt de vraag mogelijk niet",
        "ru": "Возможно, это не отвечает на вопрос",
        "zh": "这可能没有回答所问的问题",
        "ja": "質問への答えになっていない可能性があります",
        "ko": "질문에 대한 답이 아닐 수 있습니다",
        "pl": "To może nie odpowiadać na pytanie",
        "ar": "قد لا يجيب هذا عن السؤال",
    },
    "rows": {
        "en": "… the table has further rows",
        "de": "… die Tabelle hat weitere Zeilen",
        "es": "… la tabla tiene más filas",
        "fr": "… le tableau a d'autres lignes",
        "pt": "… a tabela tem mais linhas",
        "it": "… la tabella ha altre righe",
        "nl": "… de tabel heeft meer rijen",
        "ru": "… в таблице есть и другие строки",
        "zh": "……表中还有其他行",
        "ja": "…表には他の行もあります",
        "ko": "… 표에 다른 행이 더 있습니다",
        "pl": "… tabela ma więcej wierszy",
        "ar": "… في الجدول صفوف أخرى",
    },
}

LANGUAGES = tuple(_PHRASES["not_found"])
"""Codes of the languages that every phrase is there in."""


def say(phrase: str, lang: str) -> str:
    """The phrase ("not_found", "quote", "beside", ...) in `lang`, else in English. Raises KeyError for no phrase."""
    known = _PHRASES[phrase]
    return known.get(lang, known["en"])
