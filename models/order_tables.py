"""Signals that a text speaks to the assistant, language by language, and which of them make an order together.

Data only: models.orders reads it. An entry is the beginning of a word in lower case and may go on as a regular
expression: `_` is white space, a final `~` any further letters. One more language is one more entry.
Try: python -c "from models.order_tables import RULES; print(*RULES, sep='\\n')"
"""

Signals = dict[str, dict[str, str]]

_AI = r"(?:ai|a\.i\.|artificial_intelligence|language_model|llm|chat_?bot|gpt|qwen)"
_AI_EN = (
    rf"(?:(?:large_|automated_|digital_)?{_AI}s?(?:[_-](?:assistants?|models?|bots?|systems?|agents?))?|model|responder|"
    r"automated_(?:reader|system|assistant|agent|summari[sz]er)|answer(?:ing)?_(?:engine|bot|system)|summari[sz]er)"
)
_YOUR_EN = r"(?:your|each_of_your|all_(?:of_)?your|every_one_of_your)"
_REPLY_EN = r"(?:answers?|repl(?:y|ies)|responses?|outputs?|summar(?:y|ies)|completions?)"
_THIS_EN = r"(?:this|these|the_following|the_above|the_hidden)"
_NOTE_EN = (
    r"(?:notes?|messages?|instructions?|paragraphs?|texts?|lines?|sentences?|comments?|prompts?|passages?|pages?)"
)
_TO_OTHERS = (
    r"(?!_(?:to|for)_(?!the_user|every_q|each_q|all_q|any_q|this|each_user|every_user))"  # someone else is answered
)
_OLD_EN = r"(?:previous|prior|earlier|preceding|foregoing|above|former|original|initial|other|system)"
_TOLD_EN = r"(?:instructions?|prompts?|orders|commands|directions|guidelines|directives)"
_YOUR_DE = r"(?:deiner?n?|deines|ihrer?n?|jeder?_(?:deiner|ihrer)|alle_(?:deine|ihre)|allen_(?:deinen|ihren))"
_REPLY_DE = r"(?:antwort(?:en)?|ausgaben?|erwiderung(?:en)?|zusammenfassung(?:en)?)"
_AI_DE = r"(?:ki(?:-?(?:assistent(?:en)?|modell|system))?|sprachmodell|chatbot|assistenzsystem)"

SIGNALS: Signals = {
    "en": {
        "addressed": rf"""
            to_(?:the_|any_|every_|all_|whichever_|whatever_)?{_AI_EN}(?:_(?:that|who|which)|_read\w*|_process\w*|_summari\w*|[:,!])
            for_(?:the_|any_|every_|whichever_)?{_AI_EN}(?:_(?:that|who|which)|_read\w*|_process\w*|_summari\w*|:|$)
            for_(?:the_)?{_AI}_assistant(?:[:,]|$)
            (?:note|notes|instruction|instructions|message|guidance|order|orders)_(?:to|for)_(?:the_|any_)?{_AI_EN}(?![\w-]|_(?:of|manager|team|users?)\b)
            dear_{_AI_EN}\b hey_{_AI_EN}\b hello_{_AI_EN}\b attention,?:?_(?:all_|any_|the_)?{_AI_EN}\b
            as_an?_{_AI_EN},?_(?:you|your)\b being_an?_{_AI_EN},?_(?:you|your)\b
            (?:you|if_you)_are_(?:an?_)(?:large_)?{_AI}\b you,?_(?:the|as_an?)_{_AI_EN}\b
            (?:whoever|whichever_\w+|whatever_\w+|any_\w+|anyone|anything)_(?:that_|who_)?(?:is_)?(?:process|pars|summari)\w+_(?:this|these)
            (?:ai|llm|llms|gpt|qwen|chatbots?|chat_bot)(?:[_-](?:assistants?|models?|bots?|systems?))?_?[:,!–-]+\s*(?:you|always|never|must|do_not|don't|please|now|ignore|disregard|forget|answer|reply|respond|say|tell|print|output|write|repeat|reveal|show|cite|include|add|append|use|return|stop|begin|end|act)
            language_models?_?[:,!–-]+\s*(?:you|always|never|must|do_not|please|ignore|answer|reply|respond|say|tell|include|add|append)
            (?:when|if|as|while)_(?:the_|an?_)?(?:ai|llm|chatbot|language_model)(?:[_-]\w+)?_(?:answers?|repl(?:y|ies)|reads?|sees?)\b
            reader_of_these_(?:passages|excerpts)
            if_you_are_(?:an?_)?(?:automated|machine|bot|computer|software)\b
            (?:model|ai|agent|bot|chatbot|chat_bot|llm|language_model|assistant|machine)s?_(?:that_|which_|who_)?(?:reads?|reading|process\w*|summari\w+|pars\w+|index\w+)_(?:this|these)
            (?:systems?|software|programs?|services?)_(?:that_|which_)?(?:reads?|reading|process\w*|summari\w+|pars\w+)_(?:this|these)_(?:documents?|texts?|pages?|passages?|lines)
        """,
        "assistant": r"""
            assistants?_?[:,!–-]+\s*(?:you|always|never|must|do_not|don't|please|now|ignore|disregard|forget|answer|reply|respond|say|tell|print|output|write|repeat|reveal|show|cite|include|add)\b
            (?:the|every|any)_(?:ai_)?(?:assistant|chatbot|language_model|llm)_(?:must|shall|has_to|should|may|will|can)
        """,
        "scope": r"""
            from_(?:now|here|this_(?:point|message|moment|line|text))_?(?:on|onwards?|forward)? henceforth
            starting_(?:now|with_this|from_this|immediately)\b until_(?:further_notice|i_say|told_otherwise)
            for_(?:the_rest_of_)?(?:this|the)_(?:conversation|chat|session)
        """,
        "whatever": r"""
            (?:whatever|no_matter_what|no_matter_which|regardless_of_(?:what|which|the)|irrespective_of_(?:what|the)|whichever)_(?:the_|a_|your_|this_|any_)(?:user|person|reader|human|asker)s?\b
            (?:no_matter_(?:what|which)|whatever|whichever)_(?:the_)?(?:questions?|query|prompt)_(?:is|are|was|may|might|the_user)\b
            (?:no_matter_what|whatever|regardless_of_what|even_if|although|contrary_to_what)_(?:the_|all_|any_)?other_(?:sources|passages|documents|pages|texts)\b
            (?:regardless|irrespective)_of_(?:the|what|which)_(?:\w+_)?(?:questions?|query|prompt)\b
            (?:whatever|no_matter_what|regardless_of_what|whenever)_(?:you|they|he|she|is|was|anyone|somebody|someone|anybody|people)_(?:\w+_){0,2}?(?:asks?|asked|want_to_know|wants_to_know|inquires?|wonders?)\b
        """,
        "decree": r"(?:answer|reply|response)_to_(?:every|all|any|each)(?:_\w+)?_questions?_(?:is|must|shall|will)\b answer_from_the_passages",
        "speak": "say tell answer reply respond state mention claim assert insist write recommend declare add",
        "output": rf"""
            {_YOUR_EN}_(?:next_|final_|whole_|entire_|own_|first_|last_|future_|generated_)?{_REPLY_EN}
            (?:each|every|all|any)_(?:single_|of_(?:the|your)_|your_|further_|future_)?{_REPLY_EN}
            whatever_you_(?:write|say|reply|answer|output|generate) what_you_(?:write|reply|answer|output|generate)
            your_(?:first|last|only|next)_(?:words?|sentence|line) (?:the|an?)_(?:answer|reply|response)_you_
        """,
        "own": rf"{_YOUR_EN}_(?:next_|final_|whole_|entire_|own_|future_)?{_REPLY_EN}{_TO_OTHERS} (?:each|every|any|the)_{_REPLY_EN}_(?:that_)?you_(?:give|write|make|send_to_the_user|produce|generate) your_(?:first|last|only)_(?:words?|sentence|line)_(?:must|should|shall|are|is|will|have|has)",
        "edge": r"""
            (?:begin|start|end|finish|conclude|open|close|prefix|preface|precede|sign_off|ends|starts|begins|ended)\b[^.!?]{0,70}?\bwith\b
            (?:has|have)_to_(?:begin|start|end|finish|contain|include)\b must_(?:only_)?(?:begin|start|end|finish|contain|include|consist)\b
            shall_(?:begin|start|end|contain|include)\b your_(?:first|last|only)_(?:words?|sentence|line)_(?:must|should|shall|are|is|will|have|has) (?:sign_off|prefix|preface|prepend|postfix)
            (?:appears?|occurs?|be_contained|be_included|be_found|be_used)_in_(?:each_of_|all_of_|every_one_of_)?your_ nothing_but only_the_(?:words?|number|letters?|sentence)\b
            (?:the_)?(?:single|one|only)_word\b
        """,
        "attach": r"""
            append attach include add insert put place embed paste display show render weave work use output return write
            format encode convert present give reply respond answer begin end start finish must has_to have_to shall produce
        """,
        "payload": r"""
            (?:this|the_following|that|the_above|these|a_(?:hidden|tracking|clickable|markdown))_(?:\w+_)?(?:links?|urls?|address|addresses|line|sentence|image|images|text|phrase|banner|code|pixel|footer|notice)\b
            link_to_http url http https markdown_(?:image|link) (?:an?_)?(?:markdown|html|tracking|invisible)_(?:image|pixel|link) image_(?:tag|whose|with|from)\b
            an_image pixel json yaml xml base64 rot13 html hexadecimal csv morse emojis? pig_latin iframe
            (?:link|url|address)_(?:that|which|whose|with|containing|holding)\b link_at_the_end
        """,
        "active": r"(?:an?_)?(?:markdown|html|tracking|invisible|hidden)_(?:image|pixel|link)s?\b",
        "odd": r"in_(?:rhymes?|verse|emojis?|capital_letters|all_caps|uppercase|morse|pig_latin|base64|rot13|leetspeak)\b only_(?:in_)?(?:emojis?|json|yaml|xml)",
        "retell": r"""
            (?:when|whenever|while|if|as|before|after|once)_(?:you_|you_are_|you're_|asked_to_)?(?:summari[sz]|describ|quot|answer|process|pars|present|analy[sz]|index|ingest)\w*_(?:\w+_){0,2}?(?:this|these)_(?:page|document|text|passage|note|file|content|article|policy|message|handbook)s?\b
            (?:(?:any|every|each|all|your|a|the)_)?(?:summaries|summary)_of_this_(?:page|document|text|passage|policy)\b
            (?:when|if|while)_(?:you_)?answer(?:ing)?_(?:the_user|questions?_(?:from|about)_this|from_this)
        """,
        "hush": r"""
            (?:do_not|don't|never|must_not|mustn't|should_not|without|avoid|not_to|refrain_from)_(?:ever_)?(?:reveal|tell|mention|show|disclose|inform|let|say|talk|telling|mentioning|revealing|showing|report|acknowledge|admit|quote|share|display)\w*
            (?:must|may|should|shall|can|is|are)_(?:never|not)_(?:to_)?(?:learn|know|see|find_out|be_told|be_shown|hear)\b
            keep_(?:\w+_){1,4}?(?:secret|hidden|confidential|from|to_yourself) hide_ conceal
        """,
        "note": rf"""
            {_THIS_EN}_(?:hidden_|secret_|internal_|short_)?{_NOTE_EN}\b
            that_you_(?:have_|were_|are_|had_)?(?:read|seen|been_told|been_given|received|instructed|following|told|obey)\b existence_of_(?:this|these) the_fact_that_you
        """,
        "user": r"""
            (?:the|your|this|any|our)_(?:user|users|human|end_user|asker|questioner|person_asking|requester)\b users? user's
            readers? (?:the_)?(?:person|human|people)_(?:who_is_)?(?:reading|asking)\b (?:the_person|the_one|anyone|anybody|whoever|someone|people|those)_(?:who_)?(?:is_|are_)?ask(?:s|ing)?\b the_person_you
        """,
        "ignore": r"(?:set|put|lay|cast|throw|leave)_(?:aside|away) ignored disregarded ignore disregard forget bypass discard abandon drop stop_(?:following|obeying|using) do_not_(?:follow|obey) never_follow pay_no_attention_to override cancel",
        "override": r"""
            overrid~ replac(?:e|es|ing)\b supersed~ (?:takes?|taking|have|has)_(?:precedence|priority)_over outrank~ trump~ overrul~ cancel(?:s|led)?\b void(?:s|ed)?\b
            (?:is|are|counts?)_more_important_than (?:goes?|comes?|stands?)_(?:before|above)
        """,
        "told": rf"""
            (?:all_)?(?:of_)?(?:the_|your_|my_|any_|these_|those_)?{_OLD_EN}_(?:\w+_)?{_TOLD_EN}\b
            all_(?:the_)?(?:rules|guidelines|instructions)_(?:above|before|you)
        """,
        "everything": r"""
            everything_(?:you|above|before|that_came|that_was|said|written|else_(?:you|above|in_your)|stated) anything_(?:you_were|above|you_have_been) (?:all|what)_(?:of_)?(?:that_)?(?:the_above|you_(?:were|have_been|know|learned|had))
            (?:the|your|any|this)_(?:original_|initial_|current_|hidden_|earlier_|previous_)?(?:system_)?(?:prompt|system_message|system_instructions|programming|training|context|directives?)\b
            your_(?:previous_|prior_|original_|initial_|other_|earlier_|system_|own_|given_|safety_)?(?:instructions?|prompts?|guidelines|rules|restrictions|safeguards|orders|constraints|directives?)\b
            (?:the|any|all)_(?:\w+_)?(?:instructions?|rules|context|prompt|orders|documents|passages)_(?:that_)?you_(?:were|have_been|got|received|had|follow|got) (?:all_|the_)?other_(?:passages|documents_in_your|sources_in_your|excerpts)
            system_(?:prompt|message|instructions?)s?\b
        """,
        "above": r"(?:all_|everything_)?(?:of_)?the_(?:above|preceding|foregoing)_?(?:text|content|lines|and|,)? everything_above what_is_written_above",
        "trust": r"only_this_(?:document|page|passage|text|source)_(?:is|may|can|counts?|has)\b (?:the|as_the|your)_only_(?:valid_|true_|trustworthy_|reliable_)?source\b (?:trust|use|cite|believe|rely_on)_only_this",
        "obey": r"obey(?:ed|s)? (?:i|we)_(?:hereby_)?(?:order|command|instruct|ask|authori[sz]e)_you\b you_(?:must|shall|have_to)",
        "unbound": r"as_(?:if|though)_(?:you_had_no|there_were_no|no|you_were_free_of)_(?:\w+_)?(?:restrictions|rules|limits|filters?|guidelines|policies)",
        "part": r"(?:play|take|assume|adopt)(?:s|ing)?_(?:on_)?the_(?:part|role|persona)_of",
        "visit": r"(?:visit|open|fetch|load|request|browse|go_to|navigate_to)_(?:http|www|the_(?:url|link|address)|this_(?:url|link|address))",
        "before": r"(?:before|prior_to|instead_of|when|after|while)_(?:you_)?(?:answer|reply|respond)(?:ing)?\b",
        "pretend": r"""
            pretend_(?:that_)?(?:the|all|this|these|you) imagine_(?:that_)?(?:the|all|these) make_believe act_as_(?:if|though) behave_as_(?:if|though) make_it_look_as_if answer_as_(?:if|though) suppose_that_the
        """,
        "sources": r"(?:documents?|handbook|passages?|polic(?:y|ies)|pages?|sources?|manual|excerpts?|guidelines|context|text)\b",
        "role": r"""
            you_are_(?:now_|no_longer_|from_now_on_)(?:an?_|in_|the_|bound_|called_|my_)?(?:[\w-]+_){0,3}?(?:ai|assistant|chatbot|mode|model|dan|rules|bound|unrestricted|jailbroken|restrictions|limits|filters?|guidelines|gpt)\b
            (?:assistant|ai|model|chatbot|bot)_(?:that|who|which|with|without)_(?:has_|have_|knows_|follows_|obeys_)?(?:no|any|no_more)_(?:\w+_)?(?:rules|restrictions|limits|filters?|guidelines|limitations|constraints|safety|policies)
            (?:model|assistant|ai)_without_(?:\w+_)?(?:rules|restrictions|limits|filters?|limitations) unrestricted_ai developer_mode_(?:is|enabled|on) jailbreak_mode do_anything_now enter_(?:developer|debug|god|dan)_mode
        """,
        "reveal": r"reveal print repeat show disclose leak output recite quote copy dump expose give_away",
        "prompt": r"""
            (?:the_|your_)?system_(?:prompt|message|instructions)\b your_(?:hidden_|initial_|original_|secret_|own_|full_)?(?:prompt|instructions)\b
            (?:the|your)_(?:whole|entire|full|complete|hidden|initial|original)_(?:prompt|instructions|context)\b (?:all_|the_)?(?:the_)?other_(?:passages|excerpts) text_of_your initial_prompt
        """,
        "passages": r"""
            (?:this|other|every|all|each|any|confidential|secret|hidden|no|these|remaining)_(?:other_)?(?:passages?|excerpts?|search_results?)\b (?:your|the)_context(?:_window)?\b (?:contents?|text|words)_of_(?:the_|all_)?(?:other_)?(?:documents|passages)\b citations? source_numbers citation_marks
        """,
        "narrow": r"(?:leave|leaving)_out omit ignore rank prefer drop without cite show only above_all hide not_cite disregard",
        "reading": r"""
            (?:once|after|when|as_soon_as)_you_(?:have_)?(?:read|processed|parsed|seen|received|reach|finish)\w*_(?:this|these)
            (?:rely|depend|base_\w+_\w+)_(?:only_)?(?:up)?on_this_(?:page|document|text|passage)_(?:alone|only) obey_(?:this|the_(?:text|following|instructions)|these)
        """,
        "quit": r"""
            (?:stop|quit|cease)_(?:answering|responding|following_the_prompt|helping) instead_of_(?:answering|replying|responding|following)\b (?:your|the)_(?:task|job|goal|objective)_(?:has_|is_)(?:now_)?(?:changed|been_changed|over|different|new)
            (?:the_)?previous_(?:conversation|task|prompt|session)_(?:is|has)
        """,
        "task": r"(?:translate|write|answer|obey|question|page|poem|instead|text|follow|conversation|prompt)\b",
        "asked": r"(?:you_are|you're|you_get|you_were)_asked (?:some(?:body|one)|any(?:body|one)|the_user|a_user|they|people|users)_asks?_(?:you|about)?",
        "lie": r"claim insist pretend lie invent make_up deny falsely swear",
        "system": r"(?:system|developer|admin(?:istrator)?)(?:_(?:message|prompt|override|note|instructions?|notice|update))?:",
        "colon_order": r"(?:system|developer)_(?:prompt|override|instructions?):",
        "authority": r"(?:as|i_am)_(?:the|your|an?)_(?:system_)?(?:administrator|developer|operator|owner|creator),?_(?:i|we)_(?:hereby_)?(?:confirm|authori[sz]e|order|instruct|command|allow|permit|tell) (?:developers?|makers?|creators?|owners?|operators?|administrators?)_of_(?:the|this|your)_(?:ai|assistant|model|chatbot|bot)\b",
        "omit": r"(?:omit|leave_out|drop|without|skip|no)_(?:all_|any_|the_|your_)+(?:citations?|source_numbers|citation_marks)\b",
        "office": r"""
            customers? clients? callers? visitors? guests? applicants? candidates? colleagues? employees? staff managers? hr
            tickets? emails? e-mails? letters? calls? api apis endpoints? servers? surveys? questionnaires? exams? invoices?
            forms? request~ complaints? press journalists? students? teachers? vendors? suppliers? mail mails
        """,
    },
    "de": {
        "decree": r"antwort_auf_(?:jede|alle)_fragen?_(?:ist|lautet)\b",
        "addressed": rf"""
            (?:an|für)_(?:die|das|den|alle|jede|jedes|jeden)_{_AI_DE}(?:_die|_das|_der|,|:) (?:hinweis|anweisung|nachricht|notiz|anweisungen|regel|vorgabe)_(?:an|für)_(?:die_|das_|den_|alle_|jede_)?{_AI_DE}\b
            als_(?:ki|sprachmodell|chatbot)(?:[_-]\w+)?_(?:musst|sollst|sollten|solltest|müssen|sollen|darfst|antworte)\b (?:liebe|lieber|liebes|achtung,?)_{_AI_DE}\b
            wer_(?:auch_immer_)?diesen_text_(?:verarbeitet|zusammenfasst) (?:ki|chatbot|sprachmodell|ki-assistent|assistent)_?[:,!]+\s*(?:du|antworte|sage|ignoriere|gib|schreibe|zeige)\b
        """,
        "scope": r"ab_(?:sofort|jetzt|hier|nun|diesem_(?:punkt|moment))\b von_(?:nun|jetzt|hier)_an künftig\b",
        "whatever": r"""
            (?:egal|gleich|gleichgültig),?_(?:was|welche|wonach)_(?:\w+_){0,3}?(?:fragt|fragen|gefragt|frage|wissen|nutzer|benutzer)\b was_(?:auch_)?immer_(?:\w+_){0,3}?(?:fragt|fragen|gefragt|nutzer|benutzer)\b
            unabhängig_(?:von|davon),?_(?:\w+_){0,3}?(?:frage|fragt|nutzers?)\b
        """,
        "speak": "sag sage sagen antworte antworten erwähne erwähnen behaupte behaupten teile teilen nenne nennen schreibe schreiben erkläre",
        "output": rf"{_YOUR_DE}_(?:nächste_|gesamte_)?{_REPLY_DE} jeder?_(?:einzelnen_|weiteren_)?{_REPLY_DE} alle[nr]?_{_REPLY_DE} an_jede_{_REPLY_DE}",
        "own": rf"(?:jede_deiner|jeder_deiner|deiner?n?|deines|alle_deine)_(?:nächste_|gesamte_)?{_REPLY_DE}",
        "edge": r"(?:beginn|start|beende|end|schließ)\w*_(?:\w+_){0,5}?mit\b",
        "attach": "häng~ füg~ ergänz~ setz~ schreib~ gib formatier~ zeig~ binde end~ beginn~ muss müssen enthält enthalten",
        "payload": r"diese[nrsm]?_(?:link|adresse|url|satz|bild|zeile|text)\b (?:den|die|das)_folgende[ns]?_(?:link|adresse|url|satz|bild|zeile)\b einen_link_mit ein_bild_(?:mit|von) json yaml xml base64 http https",
        "retell": r"(?:wenn|sobald|falls|während)_(?:du|sie|ihr)_(?:\w+_){0,2}?diese[nrs]?_(?:seite|dokument|text|abschnitt|passage|datei)_(?:\w+_)?(?:zusammenfasst|zusammenfassen|verarbeitest|verarbeiten|liest|lesen|zitierst|beschreibst|übersetzt|auswertest)\b (?:beim|bei_der)_zusammenfass\w+_diese[rs]",
        "hush": r"(?:verrate|sage|sag|erwähne|zeige|erzähle|nenne|verraten_sie|sagen_sie|erwähnen_sie|zeigen_sie)_(?:\w+_){0,5}?(?:nicht|nichts|niemals|nie)\b verschweig~ verheimlich~ (?:halte|halten_sie)_(?:\w+_){1,4}?geheim",
        "note": r"diese[nrsm]?_(?:hinweis|hinweise|nachricht|notiz|anweisung|anweisungen|absatz|text|zeile|satz|abschnitt|passage|seite)\b dass_du_(?:\w+_){0,3}?gelesen",
        "user": r"(?:der|den|dem|des|einem|deinem)_(?:nutzer|benutzer|anwender|fragenden|fragesteller)s?\b nutzers? (?:der|die|dem)_fragt",
        "ignore": "ignorier~ vergiss vergessen_sie missacht~ überschreib~ verwirf verwerfen_sie lass_(?:alle|die|deine) ersetz~ befolge_nicht",
        "override": r"(?:hat|haben|hätten)_vorrang_(?:vor|gegenüber) ersetz(?:t|en)\b überschreib(?:t|en)\b setz(?:t|en)_(?:\w+_){1,4}?außer_kraft geh(?:t|en)_(?:\w+_){1,4}?vor\b",
        "told": r"(?:bisherig\w*|vorherig\w*|früher\w*|obig\w*|vorig\w*|vorangehend\w*|deine|ihre|vorangegangen\w*)_(?:\w+_)?(?:anweisung\w*|instruktion\w*|befehl\w*|prompts?|vorgaben|regeln)\b",
        "everything": r"(?:deine[nr]?)_(?:bisherigen_|vorherigen_|ursprünglichen_)?(?:vorgaben|anweisungen|regeln|prompts?|instruktionen)\b alles,?_(?:bisherige|vorherige|obige|was_(?:du|oben|zuvor))\b (?:den|dem|der)_system-?_?prompts?\b",
        "above": r"(?:der|den|das|dem|alles?)_obigen?(?:_text|_inhalt)?\b (?:alles,?_)?was_(?:oben|darüber|zuvor)\b", "pretend": r"tu_so,?_als\b tun_sie_so,?_als\b stell_dir_vor,?_(?:\w+_){0,2}?(?:dokument|handbuch|regel)\w* gib_vor,?_dass",
        "sources": r"(?:handbuch|dokumente?n?|richtlinien?|regeln?|seiten?|quellen?|text|passagen?)\b",
        "role": r"du_bist_(?:jetzt_|nun_|ab_jetzt_|ab_sofort_|nicht_mehr_)(?:ein\w*_)?(?:\w+_){0,3}?(?:ki|assistent\w*|chatbot|modell|uneingeschränkt\w*)\b",
        "reveal": "zeige verrate gib_aus wiederhole nenne drucke", "prompt": r"(?:deine[nr]?|den|die)_(?:system-?_?prompt|systemanweisung\w*|prompt|ursprünglichen_anweisungen)\b",
        "office": "kunden? anrufer\\w* besucher\\w* rechnung\\w* bestell\\w* tickets? gespräch\\w* bewerber\\w* kolleg\\w* mail mails e-mails?",
    },
    "fr": {
        "decree": r"réponse_à_(?:toute|toutes|chaque)(?:_les)?_questions?_est\b",
        "addressed": r"(?:à|pour)_(?:l'|toute?_|le_|la_)?(?:ia|intelligence_artificielle|modèle_de_langage|chatbot)(?:_qui|[:,]) (?:en_tant_qu|comme_)(?:'ia|'intelligence|e_modèle|modèle_de_langage)\b (?:assistant|ia|modèle|chatbot)_?[:,!]+\s*(?:tu|vous|réponds|répondez|dis|dites|ignore|affiche|écris)\b (?:note|instructions?|message)_(?:à|pour)_(?:l'|le_|la_)?(?:ia|assistant_ia|modèle|chatbot)\b quiconque_traite_ce_texte",
        "scope": r"(?:à_partir_de|dès)_(?:maintenant|ce_message|ici|à_présent)\b désormais dorénavant",
        "whatever": r"(?:quoi_que|quelle_que_soit|peu_importe)_(?:\w+_|l'|la_|ce_que_){0,3}?(?:utilisateur|question|demande\w*|usager)\b",
        "speak": "dis dites répond~ mentionn~ affirm~ indiqu~ écris écrivez prétend~",
        "output": r"(?:chacune_de_)?(?:tes|ta|vos|votre|toutes_tes|toutes_vos)_(?:propres_|prochaines?_)?(?:réponses?|résumés?|sorties?)\b (?:chaque|toute)_réponse\b",
        "own": r"(?:chacune_de_)?(?:tes|ta|toutes_tes)_réponses?\b", "edge": r"(?:termin|commenc|fini|conclu|début)\w*_(?:\w+_){0,5}?(?:par|avec)\b",
        "attach": "ajout~ inclu~ insér~ insèr~ mets mettez affich~ termin~ commenc~ doit doivent contien~ format~",
        "payload": r"ce_lien\b cette_(?:adresse|image|phrase|url|ligne)\b (?:le|la|l')_?(?:lien|adresse|phrase|image)_suivante?\b json yaml xml base64 http https",
        "retell": r"(?:lorsque|quand|si|lorsqu'on)_(?:tu|vous|on)_(?:résum|cit|trait|li|décri|tradui|utilis)\w*_(?:ce|cette|cet)_(?:document|page|texte|passage|fichier|note)\b en_résumant_(?:ce|cette)",
        "hush": r"(?:ne|n')_?(?:dis|dites|révèle|révélez|mentionne|mentionnez|montre|montrez|parle|parlez)_(?:\w+_)?(?:pas|jamais|rien)\b (?:garde|gardez)_(?:\w+_){1,4}?secr\w+",
        "note": r"cette_(?:note|instruction|consigne|page|phrase|remarque)\b ce_(?:message|texte|paragraphe|passage)\b que_(?:tu_as|vous_avez)_lu",
        "user": r"utilisat(?:eur|rice)s?\b l'usager",
        "above": r"(?:tout_)?ce_qui_précède\b le_texte_(?:ci-dessus|précédent)", "ignore": r"ignore ignorez oublie oubliez ne_(?:tiens|tenez)_(?:pas|plus)_compte", "override": r"(?:remplace|annule|prime)(?:nt)?\b (?:a|ont)_priorité_sur prévau~ prévalent",
        "told": r"(?:instructions|consignes|ordres|règles)_(?:\w+_)?(?:précédent\w*|antérieur\w*|ci-dessus|du_système)\b",
        "everything": r"(?:tes|vos)_(?:instructions|consignes|règles)\b tout_ce_qui_précède tout_ce_que_tu prompt_système",
        "pretend": r"fais_comme_si faites_comme_si imagine(?:z)?_que fais_semblant", "sources": r"(?:documents?|manuel|règlement|passages?|textes?|pages?|sources?)\b",
        "role": r"tu_es_(?:maintenant|désormais)_(?:une?_)?(?:\w+_){0,3}?(?:ia|assistant|chatbot|modèle)\b",
        "reveal": "révèle révélez affiche affichez répète répétez montre", "prompt": r"(?:ton|votre|le)_prompt\b prompt_système tes_instructions\b",
        "office": "clients? appels? visiteurs? factures? tickets? courriels? candidats?",
    },
    "es": {
        "decree": r"respuesta_a_(?:toda|todas|cada)(?:_las)?_preguntas?_es\b",
        "addressed": r"(?:a|para)_(?:la_|el_|toda_|cualquier_)?(?:ia|inteligencia_artificial|modelo_de_lenguaje|chatbot)(?:_que|[:,]) como_(?:modelo_de_lenguaje|ia|inteligencia_artificial)\b (?:asistente|ia|modelo|chatbot)_?[:,!]+\s*(?:debes|responde|di|ignora|muestra|escribe)\b (?:nota|instrucciones|mensaje)_para_(?:la_|el_)?(?:ia|asistente_de_ia|modelo|chatbot)\b quien_procese_este",
        "scope": r"a_partir_de_(?:ahora|este|aquí)\b desde_(?:ahora|este_momento)\b en_adelante de_ahora_en_adelante",
        "whatever": r"(?:sea_(?:cual|lo_que)_|no_importa_(?:lo_que|qué|la_)|pregunte_lo_que_|diga_lo_que_)(?:\w+_){0,4}?(?:usuario|pregunta|pregunte|quiera)\w*\b",
        "speak": "di diga responde responda menciona mencione afirma afirme contesta conteste indica escribe",
        "output": r"(?:todas_)?(?:tus|tu|sus|cada_una_de_tus)_(?:próximas?_)?(?:respuestas?|salidas?|resúmenes)\b (?:cada|toda)_respuesta\b todas_las_respuestas\b",
        "own": r"(?:todas_)?(?:tus|tu)_respuestas?\b", "edge": r"(?:termin|empiez|comienz|comenz|acab|finali)\w*_(?:\w+_){0,5}?con\b",
        "attach": "añad~ incluy~ inclui~ agreg~ inserta~ termin~ debe deben deben pon ponga muestr~ empiez~ contener formatea",
        "payload": r"est[ea]_(?:enlace|dirección|imagen|frase|url|línea)\b (?:el|la)_siguiente_(?:enlace|dirección|imagen|frase)\b json yaml xml base64 http https",
        "retell": r"(?:cuando|al|si)_(?:resum|cit|proces|le|describ|traduc|us)\w*_(?:est[ea])_(?:página|documento|texto|pasaje|nota|archivo)\b",
        "hush": r"no_(?:le_)?(?:reveles|revele|digas|diga|menciones|mencione|muestres|muestre|cuentes|cuente)\b (?:mantén|mantenga)_(?:\w+_){1,4}?secret\w+",
        "note": r"est[ae]_(?:nota|instrucción|mensaje|texto|párrafo|pasaje|página|frase)\b que_has_leído", "user": r"usuari[oa]s?\b",
        "above": r"(?:todo_)?lo_anterior\b todo_lo_de_arriba", "ignore": "ignora ignore ignorad olvida olvide descarta descarte", "override": r"(?:reemplaza|sustituye|anula|prevalece)n?\b (?:tiene|tienen)_prioridad_sobre",
        "told": r"(?:instrucciones|órdenes|reglas|indicaciones)_(?:\w+_)?(?:anterior\w*|previas?|del_sistema|de_arriba)\b",
        "everything": r"tus_(?:instrucciones|reglas|órdenes)\b todo_lo_(?:anterior|que_te) prompt_del_sistema",
        "pretend": r"finge_que haz_como_si imagina_que_(?:los|el|las|la) finja_que", "sources": r"(?:documentos?|manual|reglamento|pasajes?|textos?|páginas?|fuentes?)\b",
        "role": r"(?:ahora_eres|eres_ahora)_(?:una?_)?(?:\w+_){0,3}?(?:ia|asistente|chatbot|modelo)\b",
        "reveal": "revela muestra imprime repite", "prompt": r"(?:tu|el)_prompt\b prompt_del_sistema tus_instrucciones\b",
        "office": "clientes? llamadas? visitantes? facturas? tickets? correos? candidatos?",
    },
    "it": {
        "decree": r"risposta_a_(?:ogni|tutte)(?:_le)?_domand\w+_è\b",
        "addressed": r"(?:a|all'|per_l'|per_il_|per_)_?(?:ia|intelligenza_artificiale|modello_linguistico|chatbot)(?:_che|[:,]) (?:in_quanto|come)_(?:modello_linguistico|ia|intelligenza_artificiale)\b (?:assistente|ia|modello|chatbot)_?[:,!]+\s*(?:devi|rispondi|di'|ignora|mostra|scrivi)\b (?:nota|istruzioni|messaggio)_per_(?:l'|il_|la_)?(?:ia|assistente_ia|modello|chatbot)\b",
        "scope": r"d'ora_in_(?:poi|avanti) da_(?:ora|adesso|questo_momento)_in_(?:poi|avanti) a_partire_da_(?:ora|adesso|questo)",
        "whatever": r"(?:qualunque|qualsiasi)_(?:cosa_|sia_)?(?:\w+_|l'){0,4}?(?:chied\w+|utente|domanda)\b non_importa_(?:cosa|quale)_(?:\w+_|l'){0,3}?(?:chied\w+|utente|domanda)\b",
        "speak": "di' dici dica rispondi rispondere risponda menziona afferma dichiara scrivi",
        "output": r"(?:ogni|ciascuna)_(?:tua_|sua_)?risposta\b (?:la_tua|le_tue|tutte_le_tue|nelle_tue|alle_tue|nella_tua|alla_tua)_(?:prossim\w_)?rispost\w\b", "own": r"(?:ogni_tua|la_tua|le_tue|nelle_tue|alle_tue)_rispost\w\b",
        "edge": r"(?:termin|inizi|comincia|concludi|finisc)\w*_(?:\w+_){0,5}?con\b",
        "attach": "aggiung~ includ~ inserisc~ deve devono contenere termina inizia mostra metti allega",
        "payload": r"quest[oa']_?(?:link|indirizzo|immagine|frase|url|riga)\b (?:il|la|l')_?seguente_(?:link|indirizzo|immagine|frase)\b json yaml xml base64 http https",
        "retell": r"(?:quando|se)_(?:riassum|cit|elabor|legg|descriv|traduc|us)\w*_(?:quest[oa'])_?(?:pagina|documento|testo|passaggio|nota|file)\b nel_riassumere_quest",
        "hush": r"non_(?:rivelare|dire|menzionare|mostrare|rivelate|dite|riveli|dica|raccontare)\b tieni_(?:\w+_){1,4}?segret\w",
        "note": r"quest[ao]_(?:nota|istruzione|messaggio|testo|paragrafo|pagina|frase|passaggio)\b che_hai_letto", "user": r"utent[ei]\b",
        "above": r"(?:tutto_)?(?:quanto|quello|ciò)_(?:che_)?(?:\w+_)?(?:scritto|detto|sopra|precede|stato)\b", "ignore": "ignora ignorate ignori dimentica dimenticate", "override": r"(?:sostitui\w+|annulla|prevale|prevalgono)\b (?:ha|hanno)_(?:la_)?precedenza_su~",
        "told": r"(?:istruzioni|ordini|regole)_(?:\w+_)?(?:precedent\w*|sopra|del_sistema)\b", "everything": r"(?:le_)?tue_(?:istruzioni|regole)\b tutto_(?:quanto_)?(?:ciò_che_precede|sopra|quello_che_ti) prompt_di_sistema",
        "pretend": r"fai_finta_che fingi_che immagina_che_(?:i|il|la|le)\b", "sources": r"(?:documenti|documento|manuale|regolamento|testo|pagina|fonti)\b",
        "role": r"(?:ora_sei|adesso_sei|sei_ora)_(?:un\w*_)?(?:\w+_){0,3}?(?:ia|assistente|chatbot|modello)\b",
        "reveal": "rivela mostra stampa ripeti", "prompt": r"(?:il_tuo|tuo)_prompt\b prompt_di_sistema tue_istruzioni\b", "office": "clienti cliente chiamate chiamata fatture ticket visitatori",
    },
    "pt": {
        "decree": r"resposta_a_(?:toda|todas|cada)(?:_as)?_perguntas?_é\b",
        "addressed": r"(?:à|ao|para_a|para_o|para_qualquer)_(?:ia|inteligência_artificial|modelo_de_linguagem|chatbot)(?:_que|[:,]) como_(?:um_)?(?:modelo_de_linguagem|uma_ia|ia)\b (?:assistente|ia|modelo|chatbot)_?[:,!]+\s*(?:você|deve|responda|diga|ignore|mostre|escreva)\b (?:nota|instruções|mensagem)_para_(?:a_|o_)?(?:ia|assistente_de_ia|modelo|chatbot)\b",
        "scope": r"a_partir_de_(?:agora|já)\b de_agora_em_diante doravante daqui_em_diante",
        "whatever": r"(?:não_importa_(?:o_que|qual)|seja_qual_for|independentemente_d\w+|o_que_quer_que)_(?:\w+_){0,4}?(?:usuário|utilizador|pergunt\w+)\b",
        "speak": "diga digam responda responde mencione afirme informe escreva",
        "output": r"(?:todas_)?(?:as_)?(?:suas|sua|tuas|tua)_(?:próximas?_)?respostas?\b cada_(?:uma_das_suas_)?respostas?\b todas_as_respostas\b", "own": r"(?:suas|sua|tuas|tua)_respostas?\b",
        "edge": r"(?:termin|comec|inici|finaliz)\w*_(?:\w+_){0,5}?com\b", "attach": "inclua incluir adicion~ acrescent~ insira deve devem termin~ coloque mostre anexe",
        "payload": r"est[ea]_(?:link|endereço|imagem|frase|url|linha)\b (?:o|a)_seguinte_(?:link|endereço|imagem|frase)\b json yaml xml base64 http https",
        "retell": r"(?:quando|ao|se)_(?:resum|cit|process|l[eê]|descrev|traduz|us)\w*_(?:est[ea])_(?:página|documento|texto|trecho|nota|arquivo)\b",
        "hush": r"não_(?:revele|diga|mencione|mostre|conte|informe)\b mantenha_(?:\w+_){1,4}?(?:segredo|secreto)", "note": r"est[ae]_(?:nota|instrução|mensagem|texto|parágrafo|trecho|página|frase)\b que_(?:leu|você_leu)", "user": r"(?:usuári[oa]s?|utilizador\w*)\b",
        "above": r"(?:tudo_)?o_que_(?:foi|está)_(?:dito|escrito|acima)\b o_texto_acima", "ignore": "ignore ignora esqueça desconsidere descarte", "override": r"(?:substitui|substituem|anula|prevalece)\b (?:tem|têm)_(?:prioridade|precedência)_sobre",
        "told": r"(?:instruções|ordens|regras)_(?:\w+_)?(?:anterior\w*|prévias?|acima|do_sistema)\b", "everything": r"(?:suas|tuas)_(?:instruções|regras)\b tudo_o_que_(?:foi|lhe|te|está_acima) prompt_do_sistema",
        "pretend": r"finja_que faça_de_conta_que imagine_que_(?:os|o|as|a)\b", "sources": r"(?:documentos?|manual|regulamento|textos?|páginas?|fontes?)\b",
        "role": r"(?:agora_você_é|você_agora_é|você_é_agora)_(?:uma?_)?(?:\w+_){0,3}?(?:ia|assistente|chatbot|modelo)\b", "reveal": "revele mostre imprima repita", "prompt": r"(?:seu|o)_prompt\b prompt_do_sistema suas_instruções\b", "office": "clientes? chamadas? faturas? visitantes? tickets?",
    },
    "nl": {
        "decree": r"antwoord_op_(?:elke|alle)_vra\w+_is\b",
        "addressed": r"(?:aan|voor)_(?:de_|het_|elke_|iedere_)?(?:ai|taalmodel|chatbot|ai-assistent)(?:_die|_dat|[:,]) als_(?:taalmodel|ai|ai-model)_(?:moet|dien)\b (?:assistent|chatbot|ai)_?[:,!]+\s*(?:je|antwoord|zeg|negeer|toon|schrijf)\b",
        "scope": r"vanaf_(?:nu|hier|dit_moment)\b voortaan", "whatever": r"(?:wat|welke_vraag)_(?:de_)?(?:gebruiker|iemand|men)_ook_(?:vraagt|wil|stelt)\b ongeacht_(?:wat|welke|de)_(?:\w+_){0,3}?(?:vraag|vraagt|gebruiker)\b",
        "speak": "zeg zegt antwoord vermeld noem beweer vertel schrijf", "output": r"(?:(?:al|elk_van)_)?(?:je|jouw|uw)_(?:volgende_)?(?:antwoord|antwoorden|reacties?|samenvatting)\b (?:elk|ieder)_antwoord\b", "own": r"(?:je|jouw)_(?:antwoord|antwoorden)\b",
        "edge": r"(?:begin|eindig|sluit)\w*_(?:\w+_){0,5}?met\b", "attach": "voeg toevoeg~ zet plaats neem eindig~ begin moet moeten bevatten toon",
        "payload": r"(?:deze|dit|de_volgende|het_volgende)_(?:link|adres|url|afbeelding|zin|regel)\b json yaml xml base64 http https", "retell": r"(?:als|wanneer|bij)_(?:je|u|het)_(?:\w+_){0,2}?(?:deze|dit)_(?:pagina|document|tekst|passage|notitie)_(?:\w+_)?(?:samenvat|verwerkt|leest|citeert|beschrijft|samenvatten)\b (?:bij|het)_(?:het_)?samenvatten_van_(?:deze|dit)",
        "hush": r"(?:vertel|zeg|onthul|vermeld|toon|noem)_(?:\w+_){0,5}?(?:niet|niets|nooit)\b (?:houd|hou)_(?:\w+_){1,4}?geheim verzwijg", "note": r"(?:deze|dit)_(?:notitie|opmerking|bericht|instructie|tekst|alinea|zin|passage|pagina)\b dat_je_(?:\w+_){0,3}?gelezen", "user": r"gebruikers?\b",
        "above": r"(?:de_)?(?:bovenstaande|voorgaande)_tekst", "ignore": "negeer vergeet", "override": r"(?:vervang(?:t|en)|gaa(?:t|n)_voor|heeft_voorrang_op|hebben_voorrang_op|overschrijf\w+)\b", "told": r"(?:vorige|eerdere|voorgaande|bovenstaande|jouw)_(?:\w+_)?(?:instructies|opdrachten|regels)\b", "everything": r"(?:je|jouw)_(?:instructies|regels|opdrachten)\b alles_(?:hierboven|wat_je) systeemprompt",
        "pretend": r"doe_alsof stel_je_voor_dat_(?:de|het)", "sources": r"(?:documenten|document|handboek|regels|pagina|tekst|bronnen)\b", "role": r"je_bent_(?:nu|vanaf_nu)_(?:een_)?(?:\w+_){0,3}?(?:ai|assistent|chatbot|model)\b",
        "reveal": "onthul toon herhaal", "prompt": r"(?:je|jouw|de)_(?:systeem)?prompt\b", "office": "klanten klant bellers? bezoekers? facturen tickets? mails?",
    },
    "pl": {
        "decree": r"odpowiedź_na_każde_pytanie_(?:to|brzmi)",
        "addressed": r"(?:do|dla)_(?:każdej_|modelu_|dowolnej_)?(?:ai|sztucznej_inteligencji|modelu_językowego|językowego|chatbota)(?:_|,|:)(?:\w+_){0,1}(?:który|która|czyta|przetwarza) jako_(?:model_językowy|sztuczna_inteligencja|ai)\b (?:asystencie|ai|modelu)_?[:,!]+\s*(?:odpowiedz|odpowiadaj|powiedz|ignoruj|napisz|pokaż)\b",
        "scope": r"od_(?:teraz|tej_pory|tego_momentu|dziś)\b odtąd", "whatever": r"(?:cokolwiek|bez_względu_na_to,?|niezależnie_od(?:_tego,?)?|o_cokolwiek)_(?:\w+_){0,4}?(?:zapyta|pyta|użytkownik\w*|pytani\w+)\b",
        "speak": "powiedz odpowiedz odpowiadaj mów wspomnij stwierdź napisz", "output": r"(?:każda|każdej|każdą)_(?:twoja_|twojej_|twoją_|swojej_)?odpowied\w+\b (?:twoja|twojej|twoją|twoje|twoich|swoich|swojej|wszystkich)_(?:\w+_)?odpowied\w+\b do_każdej_odpowied\w+", "own": r"(?:twoja|twojej|twoją|twoje|twoich|swoich|swojej|każda_twoja)_(?:\w+_)?odpowied\w+\b",
        "edge": r"(?:zacz|zakończ|kończ|rozpoczn)\w+_(?:\w+_){0,5}?(?:się|od)\b", "attach": "dodaj dodawaj dołącz~ umieść wstaw zawrzyj ma musi muszą kończy~", "payload": r"(?:ten|tym|tego|te)_(?:link\w*|adres\w*|obraz\w*|zdani\w+)\b następujący_(?:link|adres) json yaml xml base64 http https",
        "retell": r"(?:gdy|kiedy|podczas|streszczając|jeśli)_(?:\w+_){0,2}?(?:tę|tej|ten|tego)_(?:stron\w+|dokument\w*|tekst\w*)\b", "hush": r"nie_(?:mów|ujawniaj|wspominaj|pokazuj|zdradzaj|informuj)\b zachowaj_(?:\w+_){1,4}?tajemnicy", "note": r"(?:tej|tę|tą|ten|tego|tym)_(?:notatc\w+|notatk\w+|wiadomości|instrukcj\w+|tekści\w*|tekst\w*|akapi\w+|stron\w+)\b", "user": "użytkownik~",
        "ignore": "zignoruj ignoruj zapomnij pomiń", "override": r"(?:zastępuj\w+|unieważnia\w*|nadpisuj\w+|ma_pierwszeństwo_przed)\b", "told": r"(?:poprzedni\w*|wcześniejsz\w*|powyższ\w*)_(?:\w+_)?(?:instrukcj\w*|poleceni\w*|zasad\w*)\b", "everything": r"(?:twoje|twoich)_(?:instrukcj\w+|zasad\w*|poleceni\w+)\b wszyst\w+,?_co_(?:jest_)?(?:powyżej|ci|było|wcześniej)\b prompt\w*_systemow\w+",
        "pretend": r"udawaj,?_że wyobraź_sobie,?_że", "sources": r"(?:dokument\w*|podręcznik\w*|regulamin\w*|stron\w+|źródł\w+)\b", "role": r"(?:jesteś_teraz|teraz_jesteś)_(?:\w+_){0,3}?(?:ai|asystentem|chatbotem|modelem)\b", "reveal": "ujawnij pokaż powtórz wypisz", "prompt": r"(?:twój|swój)_prompt\b prompt_systemowy", "office": "klient~ faktur~ zgłoszeni~",
    },
    "ru": {
        "decree": r"ответ_на_(?:любой|каждый)_вопрос",
        "addressed": r"(?:для|всем|любой|любому|каждой)_(?:ии|искусственн\w+_интеллект\w*|языков\w+_модел\w+|чат-бот\w*|ассистент\w+_ии)(?:[:,]|_котор\w+|_чита\w+) как_(?:языковая_модель|искусственный_интеллект|ии)\b (?:ассистент|помощник|модель|ии|нейросеть)_?[:,!]+\s*(?:ты|вы|ответь\w*|отвечай\w*|скажи\w*|игнорируй\w*|покажи\w*|напиши\w*)\b",
        "scope": r"(?:с_этого_(?:момента|сообщения)|отныне|впредь|начиная_с_этого|с_данного_момента)\b", "whatever": r"(?:что_бы_ни|о_чём_бы_ни|о_чем_бы_ни|независимо_от|какой_бы_вопрос)_(?:\w+_){0,4}?(?:спро\w+|пользовател\w*|вопрос\w*|задал\w*)\b (?:что|о_чём|о_чем|какой)_бы_(?:\w+_){0,3}?ни_(?:\w+_)?(?:спро\w+|задал\w*)",
        "speak": "скажи~ отвечай~ ответь~ говори~ упомяни~ утверждай~ сообщи~ сообщай~ напиши~", "output": r"(?:каждый|каждом|каждого|все|всех|любой)_(?:свой_|своём_|своем_|твой_|твои_|свои_|ваш_|своих_)?ответ\w*\b (?:твой|твои|твоих|твоём|свой|своих|свои|ваши?)_(?:\w+_)?ответ\w*\b", "own": r"(?:каждый_свой|твой|твои|твоих|свой|своих|свои)_(?:\w+_)?ответ\w*\b",
        "edge": r"(?:начин|заканч|заверш)\w+_(?:\w+_){0,5}?(?:с|со|словами|фразой)\b", "attach": "добавляй~ добавь~ включай~ включи~ вставляй~ вставь~ должен должны заканчивай~ помести~", "payload": r"(?:эту|этой|эта|следующую|этот|этим)_(?:ссылк\w+|адрес\w*|картинк\w+|изображени\w+|фраз\w+|строк\w+)\b json yaml xml base64 http https",
        "retell": r"(?:когда|если|при)_(?:\w+_){0,3}?(?:эту|этой|этот|этого|данного|данный|этом)_(?:страниц\w+|документ\w*|текст\w*|файл\w*)\b", "hush": r"не_(?:говори\w*|раскрывай\w*|упоминай\w*|показывай\w*|сообщай\w*|рассказывай\w*)\b (?:скрой|держи|сохрани)\w*_(?:\w+_){1,4}?(?:тайн\w+|секрет\w+)", "note": r"(?:эту|этой|это|этом|этого|этот|данную)_(?:заметк\w+|инструкци\w+|сообщени\w+|текст\w*|абзац\w*|страниц\w+|указани\w+|примечани\w+)\b", "user": "пользовател~",
        "ignore": "игнорируй~ проигнорируй~ забудь~ отбрось~ отмени", "override": r"(?:отменя\w+|заменя\w+|име\w+_приоритет_над|перекрыва\w+)\b", "told": r"(?:предыдущ\w*|прежн\w*|прошл\w*|вышеуказанн\w*|системн\w*)_(?:\w+_)?(?:инструкци\w*|указани\w*|правил\w*|команд\w*)\b", "everything": r"(?:твои|твоих|свои|своих)_(?:инструкци\w+|правил\w*|указани\w+)\b вс[её],?_что_(?:\w+_)?(?:выше|тебе|было) системн\w+_промпт\w*",
        "pretend": r"притворись,?_что представь\w*,?_что сделай_вид,?_что", "sources": r"(?:документ\w*|справочник\w*|руководств\w*|правил\w*|страниц\w*|источник\w*)\b", "role": r"(?:теперь_ты|ты_теперь)_(?:\w+_){0,3}?(?:ии|ассистент|бот|модель)\b", "reveal": "покажи раскрой повтори выведи", "prompt": r"(?:твой|свой|системный)_промпт\b", "office": "клиент~ счет~ счёт~ заявк~ звонк~",
    },
    "tr": {
        "addressed": r"bu_(?:metni|belgeyi|sayfayı)_(?:okuyan|işleyen|özetleyen) (?:yapay_zek\w+|dil_model\w+|asistan|sohbet_robotu)_?[:,!]+ bir_(?:dil_modeli|yapay_zek\w)_olarak\b",
        "decree": "(?:her|bütün)_sorunun_cevabı",
        "scope": r"(?:bundan_(?:sonra|böyle)|şu_andan_itibaren|bu_mesajdan_itibaren|artık)\b", "whatever": r"(?:kullanıcı\w*|kim)_(?:\w+_){0,2}?(?:ne_)?sorarsa_sorsun ne_sorulursa_sorulsun", "speak": "söyle söyleyin yanıtla cevapla cevap belirt de yaz",
        "output": r"(?:her|tüm|bütün)_(?:yanıt|cevab|cevap)\w*\b (?:yanıt|cevab|cevap)(?:ın|lar)\w*_(?:sonun|baş)\w*", "own": r"(?:her_)?(?:yanıt|cevab)ının\b yanıtlarının\b cevaplarının\b", "edge": r"(?:ile|ifadesiyle)_(?:başla|bitir)\w*", "attach": "ekle ekleyin ekle~ koy yerleştir~ dahil bitir başlat", "payload": r"(?:bu|şu|aşağıdaki)_(?:bağlantı\w*|link\w*|adres\w*|görsel\w*|resm\w*|cümle\w*)\b json yaml xml base64 http https",
        "retell": r"bu_(?:sayfayı|belgeyi|metni)_(?:özetle|okur|işle|çevir|alıntıla)\w*", "hush": r"(?:söyleme|söylemeyin|açıklama|açıklamayın|bahsetme|bahsetmeyin|gösterme|göstermeyin)\b gizli_tut", "note": r"bu_(?:not\w*|mesaj\w*|talimat\w*|metn\w*|paragraf\w*|sayfa\w*)\b", "user": "kullanıcı~",
        "ignore": r"(?:yok_say|görmezden_gel|unut|dikkate_alma)\w*", "override": r"(?:geçersiz_kılar|yerine_geçer|üstündür)\b", "told": r"(?:önceki|yukarıdaki|daha_önceki)_(?:\w+_)?(?:talimat\w*|komut\w*|yönerge\w*|kural\w*)", "everything": r"(?:yukarıdaki|önceki)_her_şey\w* sistem_istem\w*", "pretend": r"(?:varmış|diyormuş|yazıyormuş|izin_veriyormuş)_gibi", "sources": r"(?:belge\w*|el_kitab\w*|sayfa\w*|kaynak\w*)\b", "role": r"(?:artık_sen|sen_artık)_(?:\w+_){0,3}?(?:yapay|asistan\w*|model\w*)\b", "office": "müşteri~ fatura~ talep~",
    },
}  # fmt: skip
"""What is looked for at the beginning of a word."""

UNSPACED: Signals = {
    "zh": {
        "addressed": r"(?:助手|ai|人工智能|大模型|语言模型|模型)[：:，,]\s*(?:你|请|必须|回答|忽略|输出)|(?:致|给)(?:所有|任何)?[^。]{0,6}(?:ai|人工智能|语言模型|大模型)|(?:作为|身为)(?:一个|一名)?(?:ai|人工智能|语言模型|大模型)|阅读(?:本|此)(?:文|页)[^。]{0,4}的(?:ai|模型)",
        "scope": r"从现在(?:开始|起)|从此|今后|从这条消息", "whatever": r"(?:无论|不管|不論)[^。，,]{0,6}(?:用户|提问者|别人|谁)?[^。，,]{0,4}问[^。，,]{0,4}", "decree": r"(?:所有|任何)问题的答案(?:都)?是",
        "speak": r"回答|告诉|说|回复|都是|声称|提到", "output": r"(?:你的?|您的?)(?:每个|每一个|每次|所有|下一个)?(?:的)?(?:回答|回复|答复|输出|总结)|(?:每个|每一个|每次|所有)(?:回答|回复|答复|输出)", "own": r"(?:你|您)的(?:每个|每一个|每次|所有)?(?:回答|回复|答复|输出)",
        "edge": r"(?:以[^。]{0,20}(?:开头|结尾|开始|结束))", "attach": r"添加|加上|附上|插入|包含|必须|加入|结尾", "payload": r"(?:这个|此|该|以下|下面的?|这张)(?:链接|网址|地址|图片|句子|句话)|json|yaml|xml|base64|http",
        "retell": r"(?:总结|概括|引用|处理|阅读|翻译)(?:本|这|此|该)(?:一)?(?:页|文档|文件|文本|段|篇)?[^。]{0,4}时", "hush": r"(?:不要|别|不得|切勿|不能|请勿)(?:告诉|透露|提及|提到|显示|说出|泄露|向)", "note": r"(?:这|本|此|该)(?:条|个|段|一)?(?:说明|消息|指令|备注|注释|段落|提示|文字|便条)", "user": r"用户|提问者|使用者",
        "ignore": r"忽略|无视|無視|忘记|忘掉|不要理会|丢弃", "told": r"(?:之前|以前|先前|上面|上述|此前|前面|系统)[^。；\n]{0,8}(?:指令|指示|提示|规则|命令|说明)", "override": r"(?:优先于|取代|覆盖|凌驾于|替代)", "everything": r"(?:你的|系统|以上|上面|之前)(?:的)?(?:所有|全部)?(?:提示词?|指令|规则|内容|一切)",
        "pretend": r"假装|假设|假定|设想", "sources": r"文档|手册|资料|文件|规定", "role": r"你现在是(?:一个|一名)?[^。]{0,12}(?:ai|助手|模型|机器人)", "reveal": r"输出|显示|透露|泄露|打印|重复", "prompt": r"系统提示词?|你的(?:提示词|指令)", "office": r"客户|来电|工单|发票|顾客",
    },
    "ja": {
        "addressed": r"(?:アシスタント|ai|言語モデル)(?:へ|よ)?[：:、]\s*[^。\n]{0,40}(?:答え|回答し|無視|出力)|(?:この(?:文章|文書|ページ)を(?:読|処理|要約)[^。]{0,8}(?:ai|モデル|アシスタント))|(?:言語モデル|ai)として[、,]?(?:あなた)",
        "scope": r"今後|これから(?:は|の)|以後|今から|このメッセージ以降", "whatever": r"(?:ユーザー|利用者|誰)[^。]{0,8}(?:何を|どんな)[^。]{0,8}(?:聞|尋|質問)[^。]{0,6}(?:も|が)|どんな質問(?:に|で)", "speak": r"答え|回答し|言って|述べ|伝え|返答", "output": r"(?:あなたの|すべての|全ての|毎回の|各)(?:回答|返答|返信|応答|出力)", "own": r"あなたの(?:回答|返答|応答|出力)",
        "edge": r"(?:で始め|で終え|で終わ|で締め)", "attach": r"付け|追加し|含め|挿入し|入れて|添え", "payload": r"(?:この|次の|以下の)(?:リンク|url|アドレス|画像|文)|json|yaml|xml|base64|http", "retell": r"この(?:ページ|文書|文章|資料|テキスト)を(?:要約|引用|処理|翻訳|説明)する(?:とき|時|際|場合)", "hush": r"(?:言わない|伝えない|明かさない|触れない|教えない|見せない|話さない)", "note": r"この(?:メモ|指示|メッセージ|注記|段落|文章|ノート)", "user": r"ユーザー|利用者|質問者",
        "ignore": r"無視|忘れ", "told": r"(?:これまで|以前|前|上記|先)の[^。\n]{0,10}(?:指示|命令|ルール|プロンプト|内容|文章)", "override": r"(?:優先(?:し|する|され)|上書きし|置き換え)", "everything": r"(?:システムプロンプト|あなたの(?:指示|ルール)|上記のすべて|これまでのすべて)", "pretend": r"(?:ふりをし|と仮定し|かのように)", "sources": r"文書|ハンドブック|資料|マニュアル|規定", "role": r"あなたは(?:今|これ)から[^。]{0,12}(?:ai|アシスタント|モデル)", "reveal": r"表示し|出力し|明かし|教えて", "prompt": r"システムプロンプト|あなたの(?:指示|プロンプト)", "office": r"お客様|顧客|電話|チケット|請求書",
    },
    "ko": {
        "addressed": r"(?:어시스턴트|ai|비서|언어 모델)[:,]\s*[^.\n]{0,40}(?:답하|대답|무시|출력)|이 (?:글|문서|페이지)를? (?:읽|처리|요약)[^.]{0,6}(?:ai|모델|어시스턴트)|(?:언어 모델|ai)로서",
        "scope": r"지금부터|앞으로|이제부터|이 메시지부터", "whatever": r"(?:사용자|누가|누구)[가이는]?\s?(?:무엇을|뭘|어떤)[^.]{0,10}(?:묻|물어|질문)[^.]{0,4}|어떤 질문(?:에|이)", "speak": r"답하|대답하|말하|알려|응답하|언급하", "output": r"(?:모든|매|너의|당신의|각)\s?(?:답변|대답|응답|출력)", "own": r"(?:너의|당신의|네)\s?(?:모든 )?(?:답변|대답|응답)", "edge": r"(?:로 시작하|로 끝내|로 끝나|로 마무리)", "attach": r"추가하|포함하|넣|붙이|삽입하", "payload": r"(?:이|다음|아래)\s?(?:링크|주소|url|이미지|문장)|json|yaml|xml|base64|http", "retell": r"이 (?:페이지|문서|글|텍스트)를? (?:요약|인용|처리|번역|설명)할", "hush": r"(?:말하지|알리지|밝히지|언급하지|공개하지|보여주지) ?(?:마|말)", "note": r"이 (?:메모|지시|메시지|노트|문단|글|안내)", "user": r"사용자|질문자",
        "ignore": r"무시|잊", "told": r"(?:이전|앞|위|지금까지)의?[^.\n]{0,12}(?:지시|명령|규칙|프롬프트)", "override": r"(?:우선하|우선한|대체하|대체한|덮어)", "everything": r"(?:시스템 프롬프트|당신의 (?:지시|규칙)|위의 모든)", "pretend": r"(?:척하|가정하|것처럼)", "sources": r"문서|핸드북|규정|자료", "role": r"(?:너는|당신은) 이제[^.]{0,12}(?:ai|어시스턴트|모델)", "reveal": r"공개하|출력하|보여|밝히", "prompt": r"시스템 프롬프트|당신의 (?:지시|프롬프트)", "office": r"고객|전화|티켓|청구서",
    },
    "ar": {
        "addressed": r"(?:المساعد|مساعد|نموذج اللغة)\s?[:،,]\s*(?:أجب|قل|تجاهل|اكتب)|(?:إلى|لأي) (?:أي )?(?:ذكاء اصطناعي|نموذج لغ\w+|مساعد ذكي)|بصفتك (?:نموذج|ذكاء)",
        "scope": r"من الآن فصاعد|ابتداء من الآن|من هذه اللحظة|بعد الآن", "whatever": r"(?:مهما|بغض النظر عما|أيا كان ما|أيًا كان ما)\s?(?:كان )?(?:سؤال|سأل|يسأل|طلب|يطلب)", "speak": r"أجب|قل|أخبر|اذكر|اكتب|رد ", "output": r"(?:كل|جميع|في)\s?(?:ردودك|ردك|إجاباتك|إجابة|رد|أجوبتك)|(?:ردودك|ردك|إجاباتك|إجابتك)", "own": r"ردودك|إجاباتك|إجابتك|ردك", "edge": r"(?:ابدأ|اختم|أنه)\s[^.]{0,25}ب", "attach": r"أضف|أدرج|ضع|ألحق|ضمّن|ضمن", "payload": r"(?:هذا|هذه|التالي)\s?(?:الرابط|العنوان|الصورة|الجملة)|(?:الرابط|العنوان|الصورة)\s?(?:التالي|التالية)|json|yaml|xml|base64|http", "retell": r"(?:عند|عندما)\s?(?:تلخيص|تلخص|قراءة|تقرأ|اقتباس|ترجمة)\s?(?:هذا|هذه)", "hush": r"(?:لا تخبر|لا تكشف|لا تذكر|لا تظهر|لا تقل)", "note": r"(?:هذه|هذا)\s?(?:الملاحظة|الرسالة|التعليمات|النص|الفقرة)", "user": r"المستخدم|السائل",
        "ignore": r"تجاهل|انس|تجاهلي", "told": r"(?:التعليمات|الأوامر|القواعد)[^.\n]{0,15}(?:السابقة|أعلاه|السابق)", "override": r"(?:يلغي|تلغي|تحل محل|يحل محل|لها الأولوية)", "everything": r"(?:كل ما سبق|تعليماتك|موجه النظام)", "pretend": r"(?:تظاهر|تخيل|افترض)", "sources": r"الوثائق|الدليل|المستندات|السياسة", "role": r"أنت الآن[^.]{0,15}(?:ذكاء|مساعد|نموذج)", "reveal": r"اكشف|اعرض|اطبع|كرر", "prompt": r"موجه النظام|تعليماتك", "office": r"العميل|العملاء|المكالمة|الفاتورة",
    },
}  # fmt: skip
"""What is looked for anywhere: no white space parts the words, or prefixes are written to them."""

RULES: tuple[tuple[frozenset[str], bool], ...] = tuple(
    (frozenset(kinds.split()), office)
    for kinds, office in (
        ("addressed", False), ("assistant output", False), ("assistant user", False), ("assistant prompt", False),
        ("assistant told", False), ("assistant everything", False), ("assistant authority", False),
        ("authority speak", False), ("scope own", True), ("scope output payload", True),
        ("whatever speak", False), ("output payload attach", True), ("own edge", True), ("output edge payload", True),
        ("decree", False), ("retell speak", False), ("hush note user", False), ("ignore told", False), ("ignore everything", False),
        ("override everything", False), ("pretend sources", True), ("role", False), ("reveal prompt", False),
        ("passages output narrow", True), ("passages user reveal", False),
        ("active user attach", True), ("odd user", True), ("odd speak", True), ("quit task", True), ("asked lie", True), ("system prompt", False),
        ("system quit", False), ("colon_order", False), ("omit", False), ("reading everything", False),
        ("ignore above speak", False), ("trust ignore", False), ("trust passages", False), ("ignore passages", True),
        ("authority obey", False), ("unbound speak", False), ("scope part", True), ("visit before", True),
        ("retell attach", True), ("passages output attach", True), ("obey note prompt", False),
        ("reading ignore", False), ("reading task quit", False),
    )
)  # fmt: skip
"""Signals that make an order when they meet in one sentence; True where a word of the office shows another addressee.

`addressed`, `role`, `decree`, `omit` and `colon_order` are two signals in one: whom they name and that they speak to them.
"""

MARKS: tuple[str, ...] = (
    r"<\|[\w ]{2,20}\|>", r"</?(?:start|end)_of_turn>", r"\[/?INST\]", r"<</?SYS(?:TEM)?>>",
    r"(?:<|&lt;)\s*/?\s*passage\b", r"^#{1,6}\s*(?:system|assistant|instructions?)\s*:", r"^###\s*(?:instruction|human)\s*$",
    r"^#{1,6}\s*instructions? (?:to|for) the (?:model|ai|assistant|llm)\b", r"(?-i:^[^\w\n[]{0,8}\[SYSTEM(?: [A-Z]+)?\])(?![(\[])",
    r"</?system>", r"\b(?:user|human):[^\n]{1,200}\?\s+(?:assistant|ai|bot):",
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
