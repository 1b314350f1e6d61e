"""How texts speak to an assistant, language by language. Data only: proof.orders reads it.

One more language is one more entry in each table.
Try: python -c "from proof.order_tables import ORDERS; print(list(ORDERS))"
"""

_WHOM_EN = (
    r"(?:ai(?:[ -](?:assistants?|models?|bots?|systems?))?|chat ?bots?|(?:large )?language models?|llms?|assistants?|"
    r"gpt|qwen)"
)
_DO_EN = (
    r"(?:you|always|never|must|do not|don't|please|now|ignore|disregard|forget|answer|reply|respond|say|tell|print|"
    r"output"
    r"|write|repeat|reveal|show|cite|include|add|append|use|return|stop|begin|end|act)"
)
_REPLY_EN = r"(?:answers?|repl(?:y|ies)|responses?|outputs?)"

ORDERS: dict[str, tuple[str, ...]] = {
    "en": (
        r"(?:ignore|disregard|forget|override|bypass|skip)\b[\w ,']{0,40}?\b(?:previous|prior|earlier|preceding|"
        r"foregoing|"
        r"above|former|original|your|system|other)\b[\w ,']{0,20}?\b(?:instructions?|prompts?|orders|commands|messages|"
        r"directions|guidelines|rules|passages|documents|context)",
        rf"(?:^|[\W_])(?:dear |hey |hello |hi |attention,? |notes? (?:to|for) (?:the |any |all )?|instructions? (?:to|"
        rf"for) "
        rf"(?:the |any |all )?|message (?:to|for) (?:the )?|if you are an? )?{_WHOM_EN}\s?[:,!–-]+\s*{_DO_EN}\b",
        rf"(?:instructions?|orders?|notes?|messages?|rules?) (?:to|for) (?:the |any |all )?{_WHOM_EN}\b(?! (?:of|to|"
        rf"manager))",
        rf"(?:when|if|as|while) (?:the |an? |you as an? |you are an? )?{_WHOM_EN} (?:answers?|repl(?:y|ies)|reads?|"
        rf"sees?)",
        r"\b(?:the|every|any) (?:ai )?(?:assistant|chatbot|language model|llm) (?:must|shall|has to|should|may|will) "
        r"(?:now |always |never |only |not )?(?:answer|reply|respond|say|tell|ignore|print|output|cite|write|reveal)",
        r"you are (?:now |no longer )(?:an? |in |the |bound)[\w -]{0,30}(?:ai\b|assistant|chatbot|mode|model|dan\b|"
        r"rules|bound)",
        r"(?:the )?answer to (?:every|all|any|each)(?: \w+)? questions? (?:is|must|shall)",
        rf"(?:every|each|all|your) {_REPLY_EN} (?:must|shall|has to|have to) (?:only )?(?:be|contain|use|consist)\b"
        rf"[\w ]{{0,20}}(?:json|base64|xml|yaml|rot13|html|hex)\b",
        r"(?:reply|answer|respond|say|output|write|print)\b[\w ,]{0,20}(?:not_found|in base64|in rot13)",
        r"(?:reveal|print|repeat|show|disclose|leak|output|tell)\b[\w ,']{0,30}(?:system prompt|system message|initial "
        r"prompt|your (?:hidden )?instructions|(?:all |the )other passages)",
        rf"(?:in|into|to|at the end of) (?:your|every|each) {_REPLY_EN}\b[\w ,]{{0,20}}(?:image|markdown|pixel)",
        r"(?:omit|leave out|drop|without) (?:all |any |the |your )+(?:citations?|source numbers|citation marks)",
        r"as (?:the|your|an?) (?:system )?(?:administrator|developer|operator|owner),? (?:i|we) (?:hereby )?(?:confirm|"
        r"authori[sz]e|order|instruct|command|allow)",
        r"answer from the passages\b",
        r"(?:system|developer) (?:prompt|override|instructions?)\s*:",
    ),
    "de": (
        r"(?:ignorier\w*|vergiss|vergessen sie|missachte\w*|überschreibe)\b[\w ,]{0,40}?(?:bisherig\w*|vorherig\w*|"
        r"früher\w*|"
        r"obig\w*|vorig\w*|deine|ihre|vorangehend\w*)\b[\w ,]{0,20}?(?:anweisung\w*|instruktion\w*|regeln|befehl\w*|"
        r"prompts?)",
        r"(?:ki|assistent|chatbot|sprachmodell|ki-assistent)\s?[:,!]+\s*(?:du|antworte|sage|ignoriere|gib|schreibe|"
        r"zeige)\b",
        r"die antwort auf (?:jede|alle) fragen? (?:ist|lautet)",
        r"du bist (?:jetzt|nun|ab jetzt) (?:ein|eine)\b[\w ]{0,30}(?:ki|assistent\w*|chatbot|modell)",
    ),
    "es": (
        r"(?:ignora|ignore|ignorad|olvida|olvide|descarta)\b[\w ,]{0,40}?(?:instrucciones|órdenes|reglas|"
        r"indicaciones)\b"
        r"[\w ,]{0,20}?(?:anterior\w*|previas?|del sistema|de arriba)",
        r"(?:asistente|ia|modelo)\s?[:,!]+\s*(?:debes|responde|di|ignora|muestra|escribe)\b",
        r"la respuesta a (?:toda|todas|cada)(?: las)? preguntas? es",
    ),
    "fr": (
        r"(?:ignore[zr]?|oublie[zr]?)\b[\w ,]{0,40}?(?:instructions|consignes|ordres|"
        r"règles)\b[\w ,]{0,20}?(?:précédent\w*|"
        r"antérieur\w*|ci-dessus|du système)",
        r"(?:assistant|ia|modèle)\s?[:,!]+\s*(?:tu|vous|réponds|répondez|dis|dites|ignore|affiche|écris)\b",
        r"la réponse à (?:toute|toutes|chaque)(?: les)? questions? est",
    ),
    "pt": (
        r"(?:ignore|ignora|esqueça|desconsidere)\b[\w ,]{0,40}?(?:instruções|ordens|"
        r"regras)\b[\w ,]{0,20}?(?:anterior\w*|"
        r"prévias?|acima|do sistema)",
        r"(?:assistente|ia|modelo)\s?[:,!]+\s*(?:você|deve|responda|diga|ignore|mostre|escreva)\b",
    ),
    "it": (
        r"(?:ignora|ignorate|ignori|dimentica)\b[\w ,]{0,40}?(?:istruzioni|ordini|"
        r"regole)\b[\w ,]{0,20}?(?:precedent\w*|"
        r"sopra|del sistema)",
        r"(?:assistente|ia|modello)\s?[:,!]+\s*(?:devi|rispondi|di'|ignora|mostra|scrivi)\b",
    ),
    "nl": (
        r"(?:negeer|vergeet)\b[\w ,]{0,40}?(?:vorige|eerdere|voorgaande|bovenstaande|"
        r"jouw)\b[\w ,]{0,20}?(?:instructies|"
        r"opdrachten|regels)",
        r"(?:assistent|chatbot|ai)\s?[:,!]+\s*(?:je|antwoord|zeg|negeer|toon|schrijf)\b",
    ),
    "pl": (
        r"(?:zignoruj|ignoruj|zapomnij)\b[\w ,]{0,40}?(?:poprzedni\w*|wcześniejsz\w*|"
        r"powyższ\w*)\b[\w ,]{0,20}?(?:instrukcj\w*|"
        r"poleceni\w*|zasad\w*)",
    ),
    "ru": (
        r"(?:игнорируй\w*|проигнорируй\w*|забудь\w*)\b[\w ,]{0,40}?(?:предыдущ\w*|прежн\w*|прошл\w*|вышеуказанн\w*|"
        r"системн\w*)\b"
        r"[\w ,]{0,20}?(?:инструкци\w*|указани\w*|правил\w*|команд\w*)",
        r"(?:ассистент|помощник|модель|ии)\s?[:,!]+\s*(?:ты|вы|ответь\w*|скажи\w*|игнорируй\w*|покажи\w*|напиши\w*)\b",
    ),
    "zh": (
        r"(?:忽略|无视|無視|忘记|忘掉|不要理会)[^。；\n]{0,12}(?:之前|以前|先前|上面|上述|此前|前面|"
        r"系统)[^。；\n]{0,8}(?:指令|指示|提示|规则|命令|说明)",
        r"(?:助手|ai|人工智能|模型)[：:，,]\s*(?:你|请|必须|回答|忽略|输出)",
        r"所有问题的答案(?:都)?是",
    ),
    "ja": (
        r"(?:これまで|以前|前|上記|先)の[^。\n]{0,10}(?:指示|命令|ルール|プロンプト)[^。\n]{0,8}(?:無視|忘れ)",
        r"(?:アシスタント|ai)(?:へ)?[：:、]\s*[^。\n]{0,40}(?:答え|回答し|無視|出力)",
    ),
    "ko": (
        r"(?:이전|앞|위|지금까지)의?[^.\n]{0,12}(?:지시|명령|규칙|프롬프트)[^.\n]{0,6}(?:무시|잊)",
        r"(?:어시스턴트|ai|비서)[:,]\s*[^.\n]{0,40}(?:답하|대답|무시|출력)",
    ),
    "ar": (
        r"(?:تجاهل|انس|تجاهلي)[^.\n]{0,25}(?:التعليمات|الأوامر|القواعد)[^.\n]{0,15}(?:السابقة|أعلاه|السابق)",
        r"(?:المساعد|مساعد)\s?[:،,]\s*(?:أجب|قل|تجاهل|اكتب)",
    ),
}  # fmt: skip
"""Regular expressions of orders, read in a lower-case sentence without quotations and code."""

MARKS: tuple[str, ...] = (
    r"<\|[\w ]{2,20}\|>", r"</?(?:start|end)_of_turn>", r"\[/?INST\]", r"<</?SYS>>", r"(?:<|&lt;)\s*/?\s*passage\b",
    r"^#{1,6}\s*(?:system|assistant|instructions?)\s*:",
)  # fmt: skip
"""What marks turns and passages in prompts."""

ABOUT = (
    r"\b(?:attackers?|attacks?|injections?|phishing|malicious|hackers?|jailbreak\w*|such as|e\.g\.|for (?:example|"
    r"instance)|"
    r"phrases?|wording|texts? like|someone writes|angreifer\w*|angriff\w*|zum beispiel|z\. ?b\.|atacantes?|ejemplo|"
    r"attaquants?|"
    r"exemple|attaccanti|esempio|aanvallers?|злоумышленник\w*|атак\w*|например)\b|攻击|例如|攻撃|例えば|공격|"
    r"예를 들어|المهاجم|مثل"
)
"""Words before an order in its sentence that tell of orders instead of giving one."""
