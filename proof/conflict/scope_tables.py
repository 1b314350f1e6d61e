"""Words that tell where, for whom, when and how firmly a rule holds. Data only, in the languages checked so far.

One more language is one more word in a row; proof.conflict.scope and proof.conflict.values read them.
Try: python -c "from proof.conflict.scope_tables import ROLES; print(ROLES['intern'])"
"""

ROLES: dict[str, str] = {
    "intern": r"interns?|internships?|praktikant\w*|praktik(?:um|a)|stagiaires?|stages?|becari[oa]s?|prácticas|tirocin\w+|"
    r"estagiári\w+|stagiai?rs?|стажер\w*|стажёр\w*|实习生?|インターン\w*|인턴",
    "trainee": r"trainees?|apprentices?|apprenticeships?|azubis?|auszubildende\w*|volontär\w*|apprenti\w*|aprendic\w+",
    "student": r"students?|werkstudent\w*|working students?|étudiant\w*|estudiantes?|学生",
    "manager": r"managers?|team ?leads?|executives?|directors?|führungskr\w+|leitende\w*|abteilungsleit\w*|geschäftsführ\w*|"
    r"cadres?|directiv[oa]s?|gerentes?|dirigent[ei]|経理|管理职|管理層|管理层|管理職|经理",
    "part-time": r"part[- ]tim\w+|teilzeit\w*|temps partiel|media jornada|tiempo parcial|tempo parcial|part-time|deeltijd\w*|兼职|パート",
    "contractor": r"contractors?|freelancers?|freiberufl\w*|prestataires?|autónom[oa]s?|consultants?|temporary|leiharbeit\w*|"
    r"vendors?|外包|業務委託",
    "senior": r"seniors?|principals?",
    "junior": r"juniors?|graduates?|berufseinsteig\w*",
    "new": r"new (?:hires?|joiners?|starters?|employees?)|neue\w* (?:mitarbeit\w*|kolleg\w*)|neuzugäng\w*|nouveaux|新员工|新入社員",
    "parent": r"parents?|fathers?|mothers?|eltern|väter|mütter|padres|madres",
    "shift": r"shift workers?|schicht\w*|night shifts?|on-call|rufbereitschaft\w*|bereitschaft\w*",
    "disabled": r"disab\w+|schwerbehindert\w*|handicap\w*",
    "visitor": r"visitors?|guests?|besucher\w*|gäste?n?|visiteurs?|visitantes?|访客|来客",
    "customer": r"customers?|clients?|kund(?:e|en|in|innen)|clientes?|客户|顧客",
    "sales": r"sales|vertrieb\w*|außendienst\w*|销售",
    "engineer": r"engineers|developers|entwickler\w*|ingénieurs?|工程师",
    "driver": r"drivers?|fahrer\w*",
    "under-age": r"minors?|under[- ]age|jugendlich\w*|minderjährig\w*",
    "child": r"child(?:ren)?|kids?|kinder?n?|enfants?|niñ[oa]s?|儿童|子供",
    "adult": r"adults?|grown-ups?|erwachsene[nr]?|adultes?|adult[oa]s?|成人|大人",
    "medical": r"nurses?|pflegekr\w+|pfleger\w*|infirmi\w+|enfermer[oa]s?|护士",
    "doctor": r"doctors?|physicians?|ärzt\w+|arzt|médecins?|médic[oa]s?|医生",
    "teacher": r"teachers?|lehrer\w*|lehrkr\w+|enseignants?|profesor\w*|教师|老师",
    "technician": r"technicians?|techniker\w*|mechanics?|technicien\w*|técnic[oa]s?|技术员",
    "office worker": r"office (?:staff|workers?)|büroangestellte\w*|white[- ]collar",
    "researcher": r"researchers?|scientists?|forsch(?:er|ende)\w*|wissenschaftl\w+",
    "volunteer": r"volunteers?|ehrenamtliche\w*|bénévoles?|voluntari[oa]s?",
    "federal": r"federal|military|veterans?",
}  # fmt: skip
"""For whom; canonical name -> the words of all languages."""

SETTINGS: dict[str, str] = {
    "probation": r"probation\w*|probezeit|trial period|période d'essai|periodo de prueba|periodo di prova|试用期|試用期間",
    "production": r"production|prod|produktiv\w*|生产环境",
    "staging": r"staging|pre-?prod\w*",
    "testing": r"test (?:environment|system)s?|testumgebung\w*|sandbox\w*|测试环境",
    "development": r"dev|development environment",
    "abroad": r"abroad|international\w*|foreign|overseas|ausland\w*|à l'étranger|extranjero|estero|exterior|buitenland\w*|国外|境外|海外",
    "domestic": r"domestic\w*|inland\w*|within the country|nacional\w*|国内|境内",
    "weekend": r"weekends?|wochenende\w*|week-end\w*|fines? de semana|周末|週末",
    "holiday": r"public holidays?|bank holidays?|feiertag\w*|jours? fériés?|festivos?|节假日|祝日",
    "summer": r"(?<!since )(?<!since the )(?<!last )(?<!this )summer\w*|sommer\w*|été|verano|estate|夏季|夏",
    "winter": r"winter\w*|hiver|invierno|inverno|冬季|冬",
    "night": r"nights?|nacht\w*|nuit\w*|夜间",
    "emergency": r"emergenc\w+|notf(?:all|älle)\w*|urgenc\w+|p1|sev-?1|critical|kritisch\w*|紧急",
    "breakfast": r"breakfast\w*|frühstück\w*|petit[- ]déjeuner|desayuno",
    "lunch": r"lunch\w*|mittagessen|déjeuner|almuerzo|午餐",
    "dinner": r"dinner\w*|abendessen|dîner|cena|晚餐",
    "first-class": r"first[- ]class|business[- ]class|premium|economy",
    "train": r"trains?|bahn\w*|zug|züge\w*|rail\w*",
    "flight": r"flights?|flying|flug\w*|flüge\w*",
    "beginning": r"begin(?:s|ning)?|start(?:s|ing)? (?:on|of|date)?|beginn\w*|anfang\w*",
    "end": r"ends?|ending|endet|ende",
    "increase": r"additional\w*|extra|zusätzlich\w*|further|weitere\w*|supplémentaire\w*|adicional\w*|more days|bonus|另外|额外",
    "carry": r"carr(?:y|ied|ies)[- ]?over|unused|left ?over|übertrag\w*|rest(?:urlaub|tage)\w*|unverbraucht\w*|结转|剩余",
    "half-day": r"half[- ]days?|half a day|halb(?:en|er|e)? tage?s?|halbtags?\w*|halbtägig\w*|demi-journée|medio día|mezza giornata|半天|半日",
    "full-day": r"(?:full|whole|entire)[- ]day|(?:ganz|voll)(?:en|er|e)? tag(?:es)?|ganztags?\w*|ganztägig\w*|journée entière|día completo|全天|整天",
    "morning": r"mornings?|vormittag\w*|morgens|matins?|mañanas?|上午",
    "evening": r"evenings?|abends?|soirs?|晚上",
    "gross": r"gross|brutto\w*|brut|brut[oa]s?|lordo|税前",
    "net": r"net|netto\w*|neto|税后",
    "before tax": r"(?:before|excluding|plus|excl\.?|ex) (?:tax|vat)|zzgl\.? (?:mwst|ust)\w*|hors taxes?|HT",
    "with tax": r"(?:after|including|incl\.?|inc\.?) (?:tax|vat)|inkl\.? (?:mwst|ust)\w*|TTC",
    "single": r"single (?:rooms?|occupancy)|einzelzimmer\w*|chambre simple|habitación individual",
    "double": r"(?:double|twin|shared) (?:rooms?|occupancy)|doppelzimmer\w*|chambre double|habitación doble",
    "check-in": r"check(?:s|ing)?[- ]in|arrivals?|anreise\w*|ankunft\w*|arrivée|llegada|入住",
    "check-out": r"check(?:s|ing)?[- ]out|departures?|abreise\w*|abfahrt\w*|départ|salida|退房",
    "one-way": r"one[- ]way|einfache fahrt|aller simple",
    "return": r"(?:round|return)[- ](?:trips?|tickets?|journeys?)|hin- und rückfahrt|aller[- ]retour",
    "unpaid": r"unpaid|unbezahlt\w*|sans solde|无薪|無給",
    "in advance": r"in advance|ahead|beforehand|im voraus|vorher|à l'avance|por adelantado|提前|事前",
}  # fmt: skip
"""In which setting."""

ORDINALS: dict[str, str] = {
    "1": r"first|1st|erste[nmrs]?|première?|primer[oa]?|prim[oa]|第一|初年度",
    "2": r"second|2nd|zweite[nmrs]?|deuxième|second[oa]|segund[oa]|第二",
    "3": r"third|3rd|dritte[nmrs]?|troisième|tercer[oa]?|terz[oa]|第三",
    "4": r"fourth|4th|vierte[nmrs]?|fifth|5th|fünfte[nmrs]?",
    "last": r"last|letzte[nmrs]?|dernière?|últim[oa]|最后|最終",
    "each": r"(?:for )?each additional|jede[rs]? weitere\w*",
}

EDGES: frozenset[str] = frozenset(
    [
        "open",
        "opens",
        "opening",
        "close",
        "closes",
        "closing",
        "start",
        "starts",
        "begin",
        "begins",
        "end",
        "ends",
        "öffnet",
        "öffnen",
        "offen",
        "geöffnet",
        "schließt",
        "schließen",
        "beginnt",
        "beginnen",
        "endet",
        "enden",
        "ouvre",
        "ouvert",
        "ferme",
        "abre",
        "abierto",
        "cierra",
        "empieza",
        "termina",
    ]
)
"""Verbs that a time with its edge ("from 8:00 to 18:00") tells as well."""

TIERS: dict[str, str] = {
    name: rf"{name}\w{{0,2}}" if name not in ("pro", "plus", "team", "free") else name
    for name in ("free", "basic", "starter", "standard", "essential", "pro", "professional", "plus", "team", "business",
                 "premium", "enterprise", "ultimate", "gold", "silver", "bronze", "platinum", "family")
}  # fmt: skip
"""Plans that are sold side by side; read in headings, where they stand alone or beside TIERED."""
LONE_TIERS = (
    "basic",
    "starter",
    "pro",
    "professional",
    "plus",
    "premium",
    "enterprise",
    "gold",
    "silver",
    "bronze",
    "platinum",
)
"""Those of them that are a plan's name where they are all of a heading; "Family" and "Team" may be anything."""
TIERED = r"plans?|tiers?|packages?|subscriptions?|editions?|pricing|prices?|tarife?n?|pakete?|abos?|licen[cs]es?"
BOUNDS: tuple[str, str] = (
    r"min(?:imum|imal\w*|\.)|mindest\w*|smallest|lowest|least|fewest|shortest|kleinste\w*|minim[oa]s?|最低|最小|最少",
    r"max(?:imum|imal\w*|\.)|höchst\w*|largest|highest|most|longest|größte\w*|máxim[oa]s?|massim[oa]s?|最高|最大|最多",
)
"""The least and the most: two measures of one thing."""

RECORDS = (
    r"reports?|revenues?|turnover|sales|results?|figures?|statistics?|stats|numbers|surveys?|budgets?|accounts|balance|"
    r"financials?|review|retro\w*|minutes|meetings?|events?|part(?:y|ies)|retreats?|summits?|conferences?|newsletters?|"
    r"changelog|goals?|targets?|okrs?|kpis?|roadmaps?|in numbers|recap|audit|election|census|calendar|"
    r"\w*berichte?s?|umsatz\w*|umsätze|ergebnis\w*|zahlen|statistik\w*|umfrage\w*|haushalt|jahresabschluss|bilanz\w*|"
    r"protokoll\w*|rückblick|ziele|veranstaltung\w*|feiern?|kalender|rapport|chiffre\w*|bilan|résultats?|informe|"
    r"resultados?|cifras?|relazione|relatório|verslag|jaarverslag|отч[её]т\w*"
)
"""Words of headings whose year is the time that is told of: 2024's revenue does not deny 2023's."""
HAN_RECORDS = r"报告|报表|业绩|营收|统计|总结|報告|売上|決算|実績"
RULE_BOOKS = (
    r"polic(?:y|ies)|rules?|guides?|guidelines?|handbooks?|manuals?|regulations?|terms|standards?|procedures?|"
    r"\w*richtlinien?|\w*ordnung|\w*regeln?|\w*regelung\w*|handbuch|leitfaden|politique|règlement|guide|política|"
    r"reglamento|manual|regolamento|beleid|制度|规定|办法|手册|規程|規則"
)
"""Words of headings whose year tells when a rule was written: a newer one takes an older one's place."""

COUNTRIES = (
    r"German\w*|Deutschland|Deutsche\w*|Allemagne|Alemania|Austria\w*|Österreich\w*|Switzerland|Swiss|Schweiz\w*|Poland|Polish|"
    r"Polen|Polnisch\w*|France|French|Frankreich|Spain|Spanish|Spanien|España|Ital(?:y|ian|ien|ia)|Portug\w+|Netherlands|Dutch|"
    r"Niederland\w*|Belg\w+|Luxemb\w+|Denmark|Danish|Dänemark|Swed\w+|Schwed\w+|Norw\w+|Finland|Finnish|Ireland|Irish|UK|"
    r"U\.K\.|United Kingdom|Brit\w+|Engl(?:and)|Scotland|Wales|USA?|U\.S\.A?\.?|United States|America\w*|Canad\w+|Mexic\w+|"
    r"Brazil\w*|Argentin\w+|Chile\w*|India\w*|Indien|China|Chinese|Japan\w*|Korea\w*|Singapore|Austral\w+|New Zealand|Israel\w*|"
    r"Turk\w+|Czech\w*|Tschech\w*|Slovak\w*|Hungar\w+|Ungarn|Roman(?:ia|ian)|Bulgar\w+|Gree(?:ce|k)|Ukrain\w+|Russia\w*|"
    r"Eston\w+|Latvia\w*|Lithuan\w+|South Africa\w*|Nigeria\w*|Kenya\w*|EU|Europe\w*|Asia\w*|EMEA|APAC|Berlin|Hamburg|Munich|"
    r"München|Köln|Cologne|Frankfurt|Leipzig|Dresden|Stuttgart|Wien|Vienna|Zürich|Zurich|Geneva|Genf|Bern|Paris|Lyon|London|"
    r"Manchester|Edinburgh|Dublin|Madrid|Barcelona|Lisbon|Lissabon|Lisboa|Porto|Rome?|Roma|Milan\w*|Amsterdam|Rotterdam|"
    r"Utrecht|Brussels|Brüssel|Copenhagen|Stockholm|Oslo|Helsinki|Warsaw|Warschau|Warszawa|Gda[nń]sk|Krak[oó]w|Prague|Prag|"
    r"Budapest|Athens|New York|NYC|Boston|Chicago|Austin|Seattle|San Francisco|Los Angeles|Denver|Washington|D\.C\.|Toronto|"
    r"Tokyo|Osaka|Seoul|Shanghai|Beijing|Bangalore|Bengaluru|Mumbai|Delhi|Sydney|Melbourne|Tel Aviv"
)
HAN_PLACES = r"中国|德国|美国|日本|英国|法国|北京|上海|深圳|广州|杭州|成都|香港|台湾|东京|東京|大阪|柏林|伦敦|ドイツ|アメリカ|한국|일본|서울|부산"

CONDITIONS = (
    r"(?<!\w)(?:if|unless|except\w*|provided(?: that)?|in case(?: of)?|as long as|only (?:if|when|for|after)|when(?:ever)?|"
    r"instead of|depending|otherwise|wenn|falls|sofern|außer|es sei denn|nur (?:bei|wenn|für)|bei|ansonsten|je nach|si|sauf|"
    r"en cas de|lorsque|quand|cuando|salvo|excepto|en caso de|se|quando|tranne|eccetto|caso|exceto|indien|als|tenzij|если|кроме|"
    r"for (?:trips|travel|orders|amounts|stays|purchases|contracts|those|people|employees|staff|anyone|teams|everyone) "
    r"(?:who|that|which|with|over|under|of|in|on|from|above|below|longer|to))(?!\w)|如果|若|除非|除外|但|当|の場合|場合は|경우|とき"
)
"""Words that open a condition or an exception."""
EXCEPTIONS = (
    r"(?<!\w)(?:exception\w*|except|however|deviat\w+|ausnahm\w*|abweichend\w*|jedoch|exceptionnel\w*|excepcional\w*|"
    r"eccezion\w*)(?!\w)|例外|特例"
)
EXAMPLES = (
    r"(?<!\w)(?:for example|examples?(?=\s*(?:$|[:\d(]))|sample|e\.g\.?|for instance|an example|example:|such as|z\. ?b\.|beispiel\w*|par exemple|p\. ?ex\.|"
    r"por ejemplo|por exemplo|ad esempio|bijvoorbeeld|например|suppose|imagine|say,|angenommen)|例如|比如|例えば|たとえば|예를 들"
)
HISTORY = (
    r"(?<!\w)(?:was|were|had been|used to|formerly|previously|former|originally|earlier|before that,|until (?:the end of )?(?:\w+ )?"
    r"(?:19|20)\d\d|until (?:then|now|recently)|no longer|in the past|old(?:er)? (?:rule|policy|value)|früher\w*|bisher\w*|"
    r"ehemal\w*|vormals|war|waren|betrug|galt|galten|bis (?:ende )?(?:19|20)\d\d|zuvor|auparavant|anciennement|jusqu'en|était|"
    r"étaient|antes|anteriormente|era|eran|hasta (?:19|20)\d\d|prima|in precedenza|antigamente|voorheen|раньше|ранее)(?!\w)|"
    r"以前|之前为|原来|原為|过去|かつて|従来|이전"
)
"""Words of what held before."""
PLANS = (
    r"(?<!\w)(?:proposed|proposing|we propose|proposals? (?:to|for)|proposal:|plan(?:s|ned|ning)? to|planned|consider(?:ed|ing)?|might|draft|could be|would|"
    r"geplant\w*|vorschlag\w*|würde\w*|soll künftig|envisag\w+|propuesta)(?!\w)|计划|拟|予定|案として"
)

LIMIT_WORDS: dict[str, tuple[str, str]] = {
    "max": (
        r"at most|no more than|not more than|up to|a maximum of|maximum(?: of)?|max\.?|no later than|not exceed(?:ing)?|cannot exceed|"
        r"höchstens|maximal|bis zu|au plus|jusqu'à|maximum de|como máximo|hasta|un máximo de|al massimo|fino a|no máximo|até|"
        r"hoogstens|maximaal|tot|не более|до|within|innerhalb von|innert|binnen|limited to|capped at",
        r"最多|至多|不超过|不超過|最大|最長|最长|最大で|최대",
    ),
    "min": (
        r"at least|no less than|not less than|a minimum of|minimum(?: of)?|min\.?|no fewer than|mindestens|wenigstens|au moins|"
        r"minimum de|al menos|como mínimo|un mínimo de|almeno|pelo menos|no mínimo|minstens|ten minste|не менее|from",
        r"至少|最少|不少于|最低|少なくとも|최소",
    ),
    "max behind": (r"at most|or less|or fewer|maximum|max|höchstens|oder weniger|máximo|以内|以下", ""),
    "min behind": (r"at least|or more|minimum|min|mindestens|oder mehr|mínimo|以上", ""),
    "max edge": (
        r"until|till|by|before|no later than|closes?(?: at)?|ends?(?: at)?|up to|bis(?: spätestens)?|vor|spätestens|schließt um|"
        r"jusqu'à|avant|hasta|antes de|até|entro|fino al?|tot|voor|до|to",
        r"截止|至|到|まで",
    ),
    "min edge": (
        r"from|after|since|opens?(?: at)?|starts?(?: at)?|begins?(?: at)?|as of|ab|nach|seit|öffnet um|beginnt um|depuis|après|"
        r"à partir de|dès|desde|después de|a partir de|dal|dopo|vanaf|na|с|после",
        r"自|从|から",
    ),
}
"""What stands before (or behind) a figure that only bounds it; words, and marks of unspaced scripts."""

SPANS: dict[str, dict[str, str]] = {
    "it": {"minute": "minut[oi]", "hour": "or[ae]", "day": "giorn[oi]", "week": "settiman[ae]", "month": "mes[ei]", "year": "ann[oi]"},
    "pt": {"minute": "minutos?", "hour": "horas?", "day": "dias?", "week": "semanas?", "month": "m[êe]s(?:es)?", "year": "anos?"},
    "nl": {"minute": "min(?:uut|uten)", "hour": "u(?:ur|ren)", "day": "dag(?:en)?", "week": "we(?:ek|ken)", "month": "maand(?:en)?", "year": "jaar"},
    "ru": {"minute": r"минут\w*", "hour": r"час\w*", "day": r"д(?:ень|ня|ней)", "week": r"недел\w+", "month": r"месяц\w*", "year": r"(?:год\w*|лет)"},
    "ja": {"minute": "分間?", "hour": "時間", "day": "日間?", "week": "週間?", "month": "[かヶカ]?月間?", "year": "年間?"},
    "ko": {"minute": "분", "hour": "시간", "day": "일", "week": "주", "month": "개?월", "year": "년"},
    "zh": {"minute": "分钟", "hour": "个?小时", "day": "个?(?:工作日|[天日])", "week": "(?:个?星期|周)", "month": "个?月", "year": "年"},
}  # fmt: skip
"""Units of time that proof.tables does not hold."""
WORKING: dict[str, str] = {
    "en": r"(?:working|business|calendar|full|whole|paid|unpaid|consecutive|more|additional|vacation|annual|leave|holiday|"
    r"(?:paid|annual) (?:vacation|leave|holiday))",
    "de": r"(?:volle|ganze|weitere|zusätzliche|bezahlte|freie|aufeinanderfolgende)n?",
    "zh": r"个?",
}
"""Words between a number and its unit."""

GENERIC: dict[str, str] = {
    "en": "employee employees staff everyone everybody person people colleague colleagues member members team worker workers "
    "company firm office get gets receive receives entitled entitlement have grant granted provide provides provided offer "
    "offers pay pays paid full full-time time amount amounts total per each kilometre kilometer km year years annual annually yearly month months monthly week weeks "
    "weekly day days daily hour hours hourly minute minutes work working business calendar long large high number currently current now "
    "today new standard regular normal usual usually general rule policy rules policies guide handbook manual page section "
    "information overview summary set sets amounts amount equal equals apply applies applied value take takes last lasts "
    "take taken cost costs since from note please see always only every whole contract according size "
    "euro euros eur usd dollars percent percentage which address email phone version use used using run runs find located "
    "reach reached reachable call free charge contact extension phone located person occur occurs place places happen happens "
    "decision decisions status adr still way ways must should shall long often much many about",
    "de": "bitte je pro kilometer mitarbeiter mitarbeitende mitarbeiterin mitarbeitenden beschäftigte beschäftigten angestellte alle person personen team "
    "kollegen firma unternehmen erhalten erhält bekommen bekommt gewähren zahlen zahlt zahlung betragen beträgt haben stehen steht zu gilt gelten "
    "jahr jahre jährlich monat monate monatlich woche wochen tag tage tage täglich stunde stunden minute minuten vollzeit bezahlt bezahlte "
    "bezahlten derzeit aktuell jetzt heute neu regel regeln richtlinie ordnung handbuch seite abschnitt übersicht anspruch "
    "erreiche erreichen erreichst erreicht erreichbar kosten kostet kostenlos findet statt "
    "höhe wert gesamt ganze volle euro eur prozent adresse hoch lang groß viel wieviel wie version nummer beschluss status",
    "fr": "employé employés salarié salariés personnel équipe entreprise société recevoir reçoit obtient bénéficie payer paie an "
    "année annuel mois semaine jour jours heure heures minutes montant durée politique règle guide page actuellement euros",
    "es": "empleado empleados personal equipo empresa recibe reciben tiene tienen pagar paga año anual mes semana día días hora horas "
    "minutos importe política regla guía página actualmente euros cada todos",
    "it": "dipendente dipendenti personale azienda riceve ricevono anno mese settimana giorno giorni ora ore euro politica regola",
    "pt": "empregado empregados funcionário funcionários empresa recebe recebem ano mês semana dia dias hora horas euros política regra",
    "nl": "medewerker medewerkers personeel bedrijf krijgt krijgen jaar maand week dag dagen uur euro beleid regel",
}  # fmt: skip
"""Words that tell nothing of what a rule is about."""
IRREGULAR: dict[str, str] = {
    "sent": "send", "paid": "pay", "got": "get", "held": "hold", "kept": "keep", "bought": "buy", "brought": "bring",
    "given": "give", "taken": "take", "written": "write", "chosen": "choose", "left": "leave", "met": "meet",
    "holidays": "holiday",
}  # fmt: skip
UNSPACED_GENERIC = r"员工|每[年月天周]|公司|可以|享有|享受|多少|应当|必须|需要|什么|[的是为在有了和个]|社員|会社|毎[年月日週]|です|ます|[はがをにのと]"
"""The same of scripts without spaces, and their particles."""
OVER = (
    r"\b(?:over|above|below|under|beyond|exceed(?:s|ing)?|(?<!no )(?<!not )(?:more|longer|less|fewer|shorter|older|younger) than|"
    r"über|unter|(?:mehr|länger|weniger|kürzer) als|plus de|moins de|más de|menos de|oltre|meno di|più di|mais de|meer dan|"
    r"minder dan|свыше|более)|超过|不足|満たない"
)
"""What stands before a figure that tells when a rule holds: "trips over 8 hours"."""
SINCE = r"(?<!\w)(?:since|from|as of|starting|effective|ab|seit|depuis|dès|desde|dal|vanaf|с)(?:\W+[\w.]+){0,3}?\W+$|(?:自|从)\W*$"
"""What stands before the year from which a rule holds."""
PLACED = frozenset(
    (
        "version",
        "v",
        "ver",
        "release",
        "room",
        "floor",
        "raum",
        "etage",
        "stock",
        "zimmer",
        "stufe",
        "level",
        "tier",
        "版本",
    )
)
"""Words that a number names one of: "room 12"."""
