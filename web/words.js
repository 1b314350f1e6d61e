// The page's own words, a row a word, a column a language. A language is used only when it is whole (a test looks).
//
// `{n}` and its like are filled in. The order of the columns is that of LANGUAGES.

export const LANGUAGES = ["en", "de", "fr", "es", "zh", "ar"];

export const WORDS = {
  title: ["Company Brain", "Company Brain", "Company Brain", "Company Brain", "Company Brain", "Company Brain"],
  skip: ["Skip to the content", "Zum Inhalt springen", "Aller au contenu", "Ir al contenido", "跳到正文", "تخطَّ إلى المحتوى"],
  tabs: ["Pages", "Seiten", "Pages", "Páginas", "页面", "الصفحات"],
  tab_ask: ["Ask", "Fragen", "Demander", "Preguntar", "提问", "اسأل"],
  tab_search: ["Search", "Suchen", "Rechercher", "Buscar", "搜索", "ابحث"],
  tab_graph: ["Graph", "Graph", "Graphe", "Grafo", "图谱", "المخطط"],
  hero: ["What would you like to know?", "Was möchten Sie wissen?", "Que souhaitez-vous savoir ?", "¿Qué quiere saber?", "您想了解什么？", "ماذا تريد أن تعرف؟"],
  hero_more: ["Answers come from your own documents, and every sentence shows its source.", "Die Antworten kommen aus Ihren eigenen Dokumenten, und jeder Satz zeigt seine Quelle.", "Les réponses viennent de vos propres documents, et chaque phrase montre sa source.", "Las respuestas salen de sus propios documentos y cada frase muestra su fuente.", "答案来自您自己的文件，每一句都标明出处。", "تأتي الإجابات من مستنداتك، وتُظهر كل جملة مصدرها."],
  question: ["Your question", "Ihre Frage", "Votre question", "Su pregunta", "您的问题", "سؤالك"],
  placeholder: ["Ask in your own words", "Fragen Sie in Ihren eigenen Worten", "Demandez avec vos propres mots", "Pregunte con sus propias palabras", "用您自己的话提问", "اسأل بكلماتك"],
  send: ["Ask", "Fragen", "Demander", "Preguntar", "提问", "اسأل"],
  stop: ["Stop", "Anhalten", "Arrêter", "Detener", "停止", "إيقاف"],
  left: ["{n} characters left", "Noch {n} Zeichen", "{n} caractères restants", "Quedan {n} caracteres", "还可输入 {n} 个字符", "بقي {n} من الأحرف"],
  examples: ["For example", "Zum Beispiel", "Par exemple", "Por ejemplo", "例如", "على سبيل المثال"],
  topics: ["Topics in the documents", "Themen in den Dokumenten", "Sujets dans les documents", "Temas de los documentos", "文件中的主题", "موضوعات في المستندات"],
  history: ["Asked in this session", "In dieser Sitzung gefragt", "Demandé pendant cette session", "Preguntado en esta sesión", "本次会话的提问", "ما سُئل في هذه الجلسة"],
  history_clear: ["Clear", "Leeren", "Effacer", "Borrar", "清除", "مسح"],
  history_cleared: ["The list is empty.", "Die Liste ist leer.", "La liste est vide.", "La lista está vacía.", "列表已清空。", "القائمة فارغة."],
  searching: ["Looking through the documents …", "Die Dokumente werden durchsucht …", "Recherche dans les documents …", "Buscando en los documentos …", "正在查找文件……", "يجري البحث في المستندات…"],
  reading: ["Reading what was found …", "Die Fundstellen werden gelesen …", "Lecture des passages trouvés …", "Leyendo lo encontrado …", "正在阅读找到的内容……", "تجري قراءة ما عُثر عليه…"],
  loading: ["The model is being loaded, this can take a minute …", "Das Modell wird geladen, das kann eine Minute dauern …", "Le modèle se charge, cela peut prendre une minute …", "El modelo se está cargando, puede tardar un minuto …", "正在加载模型，可能需要一分钟……", "يجري تحميل النموذج، قد يستغرق ذلك دقيقة…"],
  writing: ["Writing and checking each sentence …", "Jeder Satz wird geschrieben und geprüft …", "Rédaction et vérification de chaque phrase …", "Escribiendo y comprobando cada frase …", "正在撰写并逐句核对……", "تجري كتابة كل جملة والتحقق منها…"],
  rewriting: ["A sentence did not pass the check. Writing again …", "Ein Satz hat die Prüfung nicht bestanden. Es wird neu geschrieben …", "Une phrase n’a pas passé la vérification. Nouvelle rédaction …", "Una frase no superó la comprobación. Se escribe de nuevo …", "有一句未通过核对，正在重写……", "لم تجتز جملةٌ التحقق. تُعاد الكتابة…"],
  understood: ["Understood as:", "Verstanden als:", "Compris comme :", "Entendido como:", "理解为：", "فُهم على أنه:"],
  goes_on: ["This goes on from what was asked before.", "Das schließt an das zuvor Gefragte an.", "Ceci fait suite aux questions précédentes.", "Esto continúa lo preguntado antes.", "此问题接续之前的提问。", "هذا تابع لما سُئل سابقًا."],
  by_facts: ["Found in the company’s facts by", "Gefunden in den Fakten des Unternehmens mit", "Trouvé dans les faits de l’entreprise par", "Encontrado en los datos de la empresa con", "由公司事实得出，方式：", "وُجد في حقائق الشركة بواسطة"],
  fact_observed: ["observed", "steht so da", "constaté", "observado", "已记载", "مذكور"],
  fact_verified: ["verified", "bestätigt", "vérifié", "verificado", "已核实", "مؤكد"],
  fact_inferred: ["read by a model", "von einem Modell gelesen", "lu par un modèle", "leído por un modelo", "由模型读出", "قرأه نموذج"],
  fact_stale: ["not confirmed for long", "lange nicht bestätigt", "non confirmé depuis longtemps", "sin confirmar desde hace mucho", "已久未确认", "لم يؤكَّد منذ مدة"],
  fact_disputed: ["disputed", "umstritten", "contesté", "en disputa", "有争议", "متنازع عليه"],
  anew: ["Start anew", "Neu beginnen", "Recommencer", "Empezar de nuevo", "重新开始", "ابدأ من جديد"],
  stopped: ["Stopped. What stands here was not checked.", "Angehalten. Was hier steht, wurde nicht geprüft.", "Arrêté. Ce texte n’a pas été vérifié.", "Detenido. Este texto no se ha comprobado.", "已停止。此处内容未经核对。", "أُوقف. ما يظهر هنا لم يُتحقق منه."],
  found_in: ["Found in", "Gefunden in", "Trouvé dans", "Encontrado en", "找到于", "وُجد في"],
  quoted_rows: ["Quoted", "Zitiert", "Cité", "Citado", "引用", "مقتبس"],
  quoted: ["Quoted word for word", "Wörtlich zitiert", "Cité mot pour mot", "Citado palabra por palabra", "逐字引用", "مقتبس حرفيًّا"],
  answered: ["Every sentence is proved", "Jeder Satz ist belegt", "Chaque phrase est prouvée", "Cada frase está probada", "每一句均有依据", "كل جملة مُثبتة"],
  answered_mostly: ["Answered", "Beantwortet", "Répondu", "Respondido", "已回答", "تمت الإجابة"],
  beside: ["This may not answer the question", "Das beantwortet die Frage womöglich nicht", "Cela ne répond peut-être pas à la question", "Es posible que esto no responda a la pregunta", "这可能没有回答所问的问题", "قد لا يجيب هذا عن السؤال"],
  answer_ready: ["The answer is here.", "Die Antwort ist da.", "La réponse est prête.", "La respuesta está lista.", "答案已就绪。", "الإجابة جاهزة."],
  needs_review: ["Needs review", "Bitte prüfen", "À vérifier", "Necesita revisión", "需要核实", "تحتاج إلى مراجعة"],
  review_why: ["Not everything here could be proved from the documents: read the sources before you rely on it.", "Nicht alles hier ließ sich aus den Dokumenten belegen: Lesen Sie die Quellen, bevor Sie sich darauf verlassen.", "Tout n’a pas pu être prouvé par les documents : lisez les sources avant de vous y fier.", "No todo pudo probarse con los documentos: lea las fuentes antes de confiar en ello.", "并非所有内容都能从文件中得到证实：采用前请先阅读来源。", "لم يمكن إثبات كل ما هنا من المستندات: اقرأ المصادر قبل الاعتماد عليه."],
  not_found: ["Not found: nothing in the documents matched well enough", "Nicht gefunden: Nichts in den Dokumenten passte gut genug", "Non trouvé : rien dans les documents ne correspondait assez bien", "No encontrado: nada en los documentos coincidía lo suficiente", "未找到：文件中没有足够匹配的内容", "لم يُعثر عليه: لا شيء في المستندات يطابق بما يكفي"],
  nearest: ["What came nearest", "Was am nächsten kam", "Ce qui s’en approche le plus", "Lo más cercano", "最接近的内容", "أقرب ما وُجد"],
  nearest_why: ["Not near enough to the question to answer from it, but what you look for may stand here.", "Nicht nah genug an der Frage, um daraus zu antworten, aber das Gesuchte kann hier stehen.", "Pas assez proche de la question pour y répondre, mais ce que vous cherchez s’y trouve peut-être.", "No lo bastante cerca de la pregunta para responder, pero lo que busca puede estar aquí.", "与问题不够接近，无法据此作答，但您要找的内容可能就在这里。", "ليس قريبًا من السؤال بما يكفي للإجابة منه، لكن ما تبحث عنه قد يكون هنا."],
  should_be_found: ["This should be in the documents", "Das sollte in den Dokumenten stehen", "Cela devrait figurer dans les documents", "Esto debería estar en los documentos", "文件中应当有此内容", "ينبغي أن يكون هذا في المستندات"],
  is_in_documents: ["This is in the documents", "Das steht in den Dokumenten", "Cela figure dans les documents", "Esto está en los documentos", "文件中有此内容", "هذا موجود في المستندات"],
  mark_proved: ["Proved", "Belegt", "Prouvé", "Probado", "已证实", "مُثبت"],
  mark_unproved: ["Not proved", "Nicht belegt", "Non prouvé", "No probado", "未证实", "غير مُثبت"],
  mark_uncited: ["No source given", "Ohne Quellenangabe", "Sans source", "Sin fuente", "未注明来源", "بلا مصدر"],
  mark_about: ["About the sources", "Über die Quellen", "À propos des sources", "Sobre las fuentes", "关于来源", "عن المصادر"],
  why_proved: ["The cited passage says this.", "Die zitierte Stelle sagt das.", "Le passage cité le dit.", "El pasaje citado lo dice.", "引用的段落这样说。", "المقطع المذكور يقول هذا."],
  why_unproved: ["The cited passage does not prove this.", "Die zitierte Stelle belegt das nicht.", "Le passage cité ne le prouve pas.", "El pasaje citado no lo prueba.", "引用的段落不能证实此句。", "المقطع المذكور لا يثبت هذا."],
  why_uncited: ["This sentence names no source.", "Dieser Satz nennt keine Quelle.", "Cette phrase ne cite aucune source.", "Esta frase no cita ninguna fuente.", "此句没有注明来源。", "هذه الجملة لا تذكر مصدرًا."],
  why_about: ["This speaks about the sources themselves; no passage proves it.", "Das spricht über die Quellen selbst; keine Stelle belegt es.", "Cela parle des sources elles-mêmes ; aucun passage ne le prouve.", "Esto habla de las fuentes mismas; ningún pasaje lo prueba.", "此句谈的是来源本身，没有段落可以证实。", "هذا يتحدث عن المصادر نفسها، ولا مقطع يثبته."],
  judge_could_not: ["The second check could not be made.", "Die zweite Prüfung war nicht möglich.", "La seconde vérification n’a pas pu être faite.", "No se pudo hacer la segunda comprobación.", "无法进行第二次核对。", "تعذّر إجراء التحقق الثاني."],
  elsewhere: ["Also checked", "Ebenfalls geprüft", "Également vérifié", "También comprobado", "同样核对过", "تم التحقق أيضًا"],
  cite: ["Source {n}: {title}", "Quelle {n}: {title}", "Source {n} : {title}", "Fuente {n}: {title}", "来源 {n}：{title}", "المصدر {n}: {title}"],
  sources: ["Sources", "Quellen", "Sources", "Fuentes", "来源", "المصادر"],
  line: ["line {n}", "Zeile {n}", "ligne {n}", "línea {n}", "第 {n} 行", "السطر {n}"],
  lines: ["lines {lines}", "Zeilen {lines}", "lignes {lines}", "líneas {lines}", "第 {lines} 行", "الأسطر {lines}"],
  page: ["page {n}", "Seite {n}", "page {n}", "página {n}", "第 {n} 页", "الصفحة {n}"],
  slide: ["slide {n}", "Folie {n}", "diapositive {n}", "diapositiva {n}", "第 {n} 张幻灯片", "الشريحة {n}"],
  cell: ["cell {n}", "Zelle {n}", "cellule {n}", "celda {n}", "第 {n} 单元", "الخلية {n}"],
  dated: ["Dated {date}", "Stand {date}", "Daté du {date}", "Con fecha {date}", "日期 {date}", "بتاريخ {date}"],
  changed_on: ["File changed on {date}", "Datei geändert am {date}", "Fichier modifié le {date}", "Archivo modificado el {date}", "文件修改于 {date}", "عُدّل الملف في {date}"],
  also_in: ["The same words stand in {places}", "Dieselben Worte stehen in {places}", "Les mêmes mots figurent dans {places}", "Las mismas palabras están en {places}", "相同文字亦见于 {places}", "وردت الكلمات نفسها في {places}"],
  stale_changed: ["Changed since it was read", "Seit dem Einlesen geändert", "Modifié depuis sa lecture", "Modificado desde su lectura", "读取后已更改", "تغيّر منذ قراءته"],
  stale_gone: ["Gone since it was read", "Seit dem Einlesen verschwunden", "Disparu depuis sa lecture", "Desaparecido desde su lectura", "读取后已不存在", "اختفى منذ قراءته"],
  source_close: ["Close the source", "Quelle schließen", "Fermer la source", "Cerrar la fuente", "关闭来源", "أغلق المصدر"],
  source_loading: ["The document is being opened …", "Das Dokument wird geöffnet …", "Ouverture du document …", "Abriendo el documento …", "正在打开文件……", "يجري فتح المستند…"],
  source_failed: ["The document could not be opened. This is the passage as it was cited.", "Das Dokument ließ sich nicht öffnen. Dies ist die Stelle, wie sie zitiert wurde.", "Le document n’a pas pu être ouvert. Voici le passage tel qu’il a été cité.", "No se pudo abrir el documento. Este es el pasaje tal como se citó.", "无法打开文件。这是所引用的段落。", "تعذّر فتح المستند. هذا هو المقطع كما ذُكر."],
  source_text: ["Text of the document", "Text des Dokuments", "Texte du document", "Texto del documento", "文件正文", "نص المستند"],
  original: ["Open the original", "Original öffnen", "Ouvrir l’original", "Abrir el original", "打开原件", "افتح الأصل"],
  earlier: ["Earlier lines", "Frühere Zeilen", "Lignes précédentes", "Líneas anteriores", "前面的行", "الأسطر السابقة"],
  later: ["Later lines", "Spätere Zeilen", "Lignes suivantes", "Líneas siguientes", "后面的行", "الأسطر التالية"],
  conflict: ["The documents disagree", "Die Dokumente widersprechen sich", "Les documents se contredisent", "Los documentos no coinciden", "文件说法不一", "المستندات متعارضة"],
  conflict_why: ["These statements stand in your documents; the newest is first.", "Diese Angaben stehen in Ihren Dokumenten; die neueste steht zuerst.", "Ces affirmations figurent dans vos documents ; la plus récente est en premier.", "Estas afirmaciones están en sus documentos; la más reciente va primero.", "这些说法都出自您的文件，最新的在前。", "هذه الأقوال واردة في مستنداتك؛ الأحدث أولًا."],
  conflict_undated: ["These statements stand in your documents. Not every document states its date, so which one is newer is not known.", "Diese Angaben stehen in Ihren Dokumenten. Nicht jedes Dokument nennt sein Datum; welche neuer ist, ist nicht bekannt.", "Ces affirmations figurent dans vos documents. Tous n’indiquent pas leur date : on ne sait pas laquelle est la plus récente.", "Estas afirmaciones están en sus documentos. No todos indican su fecha, así que no se sabe cuál es más reciente.", "这些说法都出自您的文件。并非每份文件都写明日期，因此不知道哪一个更新。", "هذه الأقوال واردة في مستنداتك. لا يذكر كل مستند تاريخه، فلا يُعرف أيها أحدث."],
  newest: ["Newest", "Neueste", "Le plus récent", "Más reciente", "最新", "الأحدث"],
  undated: ["No date", "Ohne Datum", "Sans date", "Sin fecha", "无日期", "بلا تاريخ"],
  copy: ["Copy with sources", "Mit Quellen kopieren", "Copier avec les sources", "Copiar con fuentes", "连同来源复制", "انسخ مع المصادر"],
  copied: ["Copied", "Kopiert", "Copié", "Copiado", "已复制", "نُسخ"],
  copy_failed: ["The browser does not let this page copy.", "Der Browser erlaubt dieser Seite das Kopieren nicht.", "Le navigateur n’autorise pas la copie.", "El navegador no permite copiar.", "浏览器不允许此页面复制。", "لا يسمح المتصفح لهذه الصفحة بالنسخ."],
  right: ["Right", "Richtig", "Juste", "Correcta", "正确", "صحيحة"],
  wrong: ["Wrong", "Falsch", "Faux", "Incorrecta", "错误", "خاطئة"],
  judge: ["Is this answer right?", "Ist diese Antwort richtig?", "Cette réponse est-elle juste ?", "¿Es correcta esta respuesta?", "这个答案对吗？", "هل هذه الإجابة صحيحة؟"],
  note: ["A note, if you like", "Eine Anmerkung, wenn Sie möchten", "Une remarque, si vous le souhaitez", "Una nota, si lo desea", "备注（可选）", "ملاحظة، إن أردت"],
  note_send: ["Send", "Senden", "Envoyer", "Enviar", "发送", "أرسل"],
  cancel: ["Cancel", "Abbrechen", "Annuler", "Cancelar", "取消", "إلغاء"],
  thanks: ["Thank you, this was noted.", "Danke, das wurde vermerkt.", "Merci, c’est noté.", "Gracias, queda anotado.", "谢谢，已记录。", "شكرًا، سُجّل ذلك."],
  feedback_failed: ["This could not be stored: {why}", "Das ließ sich nicht speichern: {why}", "Cela n’a pas pu être enregistré : {why}", "No se pudo guardar: {why}", "无法保存：{why}", "تعذّر الحفظ: {why}"],
  next: ["You could ask next", "Das könnten Sie als Nächstes fragen", "Vous pourriez demander ensuite", "Podría preguntar a continuación", "接下来可以问", "يمكنك أن تسأل بعد ذلك"],
  how: ["How this answer was made", "Wie diese Antwort entstand", "Comment cette réponse a été faite", "Cómo se hizo esta respuesta", "此答案如何得出", "كيف أُعدّت هذه الإجابة"],
  how_cached: ["Given before, made on", "Schon gegeben, erstellt am", "Déjà donnée, faite le", "Ya dada, hecha el", "此前已给出，生成于", "أُعطيت من قبل، أُعدّت في"],
  how_model: ["Model", "Modell", "Modèle", "Modelo", "模型", "النموذج"],
  how_seconds: ["Seconds", "Sekunden", "Secondes", "Segundos", "秒", "الثواني"],
  how_attempts: ["Times written", "Mal geschrieben", "Rédactions", "Veces escrita", "撰写次数", "مرات الكتابة"],
  how_limit: ["Limit for the score", "Grenze für die Punktzahl", "Seuil du score", "Límite de la puntuación", "分数下限", "حد الدرجة"],
  how_confidence: ["Confidence", "Zuversicht", "Confiance", "Confianza", "置信度", "الثقة"],
  notes: ["Notes", "Hinweise", "Remarques", "Avisos", "提示", "ملاحظات"],
  problems: ["What is amiss", "Was nicht stimmt", "Ce qui ne va pas", "Qué falla", "存在的问题", "ما الخطأ"],
  again: ["Ask again", "Erneut fragen", "Redemander", "Preguntar de nuevo", "再问一次", "اسأل مجددًا"],
  error: ["That did not work", "Das hat nicht geklappt", "Cela n’a pas fonctionné", "No ha funcionado", "出错了", "لم ينجح ذلك"],
  error_signed_out: ["Your sign-in may have ended. Reload the page.", "Ihre Anmeldung ist vielleicht abgelaufen. Laden Sie die Seite neu.", "Votre session a peut-être expiré. Rechargez la page.", "Es posible que su sesión haya terminado. Recargue la página.", "您的登录可能已过期。请重新加载页面。", "ربما انتهت جلسة دخولك. أعد تحميل الصفحة."],
  reload: ["Reload", "Neu laden", "Recharger", "Recargar", "重新加载", "أعد التحميل"],
  error_unreachable: ["The server cannot be reached. Is it running?", "Der Server ist nicht zu erreichen. Läuft er?", "Le serveur est injoignable. Est-il en marche ?", "No se puede contactar con el servidor. ¿Está en marcha?", "无法连接服务器。它在运行吗？", "تعذّر الوصول إلى الخادم. هل يعمل؟"],
  error_broken_off: ["The connection broke before the answer was whole.", "Die Verbindung brach ab, bevor die Antwort vollständig war.", "La connexion s’est interrompue avant la fin de la réponse.", "La conexión se cortó antes de completar la respuesta.", "答案尚未完成，连接已中断。", "انقطع الاتصال قبل اكتمال الإجابة."],
  error_busy: ["Many questions are being answered just now. Ask again in a few seconds.", "Gerade werden viele Fragen beantwortet. Fragen Sie in ein paar Sekunden erneut.", "Beaucoup de questions sont en cours. Redemandez dans quelques secondes.", "Hay muchas preguntas ahora mismo. Pregunte de nuevo en unos segundos.", "目前提问较多，请几秒后再试。", "تُجاب أسئلة كثيرة الآن. اسأل مجددًا بعد ثوانٍ."],
  error_not_ready: ["The documents are still being read. Ask again in a moment.", "Die Dokumente werden noch eingelesen. Fragen Sie gleich noch einmal.", "Les documents sont encore en cours de lecture. Redemandez dans un instant.", "Todavía se están leyendo los documentos. Pregunte de nuevo en un momento.", "文件仍在读取中，请稍后再问。", "ما زالت المستندات تُقرأ. اسأل مجددًا بعد لحظات."],
  error_model: ["The model does not answer.", "Das Modell antwortet nicht.", "Le modèle ne répond pas.", "El modelo no responde.", "模型没有响应。", "النموذج لا يستجيب."],
  theme_dark: ["Switch to dark", "Dunkel anzeigen", "Passer au mode sombre", "Cambiar a oscuro", "切换到深色", "حوّل إلى الداكن"],
  theme_light: ["Switch to light", "Hell anzeigen", "Passer au mode clair", "Cambiar a claro", "切换到浅色", "حوّل إلى الفاتح"],
  state: ["State of the index", "Stand des Index", "État de l’index", "Estado del índice", "索引状态", "حالة الفهرس"],
  state_ready: ["Documents: {n}", "Dokumente: {n}", "Documents : {n}", "Documentos: {n}", "文件：{n}", "المستندات: {n}"],
  state_syncing: ["Reading {done} of {total}", "Liest {done} von {total}", "Lecture de {done} sur {total}", "Leyendo {done} de {total}", "正在读取 {done}/{total}", "يُقرأ {done} من {total}"],
  state_waiting: ["Getting ready", "Wird vorbereitet", "Préparation", "Preparando", "准备中", "يجري التحضير"],
  state_away: ["Server away", "Server nicht erreichbar", "Serveur injoignable", "Servidor no disponible", "服务器不可用", "الخادم غير متاح"],
  state_trouble: ["Not ready", "Nicht bereit", "Pas prêt", "No está listo", "未就绪", "غير جاهز"],
  state_documents: ["Documents", "Dokumente", "Documents", "Documentos", "文件", "المستندات"],
  state_chunks: ["Passages", "Abschnitte", "Passages", "Pasajes", "段落", "المقاطع"],
  state_synced: ["Last change read", "Letzte Änderung eingelesen", "Dernière modification lue", "Último cambio leído", "最近一次读取", "آخر تغيير قُرئ"],
  state_left_out: ["Files left out", "Ausgelassene Dateien", "Fichiers écartés", "Archivos omitidos", "略过的文件", "ملفات مستبعدة"],
  state_limit: ["Limit", "Grenze", "Seuil", "Límite", "下限", "الحد"],
  state_fits: ["{limit}, fits these documents", "{limit}, passt zu diesen Dokumenten", "{limit}, adapté à ces documents", "{limit}, adecuado a estos documentos", "{limit}，适合这些文件", "{limit}، يناسب هذه المستندات"],
  state_fits_not: ["{limit}, does not fit: {why}", "{limit}, passt nicht: {why}", "{limit}, inadapté : {why}", "{limit}, no adecuado: {why}", "{limit}，不适合：{why}", "{limit}، لا يناسب: {why}"],
  state_model: ["Model", "Modell", "Modèle", "Modelo", "模型", "النموذج"],
  state_answers: ["Ready", "Bereit", "Prêt", "Listo", "就绪", "جاهز"],
  state_sign_in: ["Not signed in", "Nicht angemeldet", "Non connecté", "Sesión no iniciada", "未登录", "لم تسجّل الدخول"],
  sign_in: ["Sign in", "Anmelden", "Se connecter", "Iniciar sesión", "登录", "تسجيل الدخول"],
  sign_in_more: ["Paste the access token that you were given. It is kept until this tab is closed.", "Fügen Sie das Zugangstoken ein, das Sie erhalten haben. Es bleibt, bis dieser Tab geschlossen wird.", "Collez le jeton d’accès qui vous a été remis. Il est gardé jusqu’à la fermeture de cet onglet.", "Pegue el token de acceso que recibió. Se conserva hasta que se cierre esta pestaña.", "请粘贴您收到的访问令牌。它会保留到关闭此标签页为止。", "ألصق رمز الوصول الذي استلمته. يُحفظ حتى إغلاق علامة التبويب هذه."],
  sign_in_token: ["Access token", "Zugangstoken", "Jeton d’accès", "Token de acceso", "访问令牌", "رمز الوصول"],
  sign_in_wrong: ["This token does not hold here.", "Dieses Token gilt hier nicht.", "Ce jeton n’est pas valable ici.", "Este token no es válido aquí.", "此令牌在这里无效。", "هذا الرمز غير صالح هنا."],
  sign_out: ["Sign out", "Abmelden", "Se déconnecter", "Cerrar sesión", "退出登录", "تسجيل الخروج"],
  search_hero: ["Search the passages", "Abschnitte durchsuchen", "Chercher dans les passages", "Buscar en los pasajes", "搜索段落", "ابحث في المقاطع"],
  search_more: ["What the search finds, in order, before anything is answered from it.", "Was die Suche findet, der Reihe nach, bevor daraus geantwortet wird.", "Ce que la recherche trouve, dans l’ordre, avant toute réponse.", "Lo que encuentra la búsqueda, en orden, antes de responder.", "按顺序列出检索结果，尚未用于作答。", "ما يجده البحث، بالترتيب، قبل الإجابة منه."],
  search_text: ["Words or a question", "Wörter oder eine Frage", "Des mots ou une question", "Palabras o una pregunta", "词语或问题", "كلمات أو سؤال"],
  search_go: ["Search", "Suchen", "Chercher", "Buscar", "搜索", "ابحث"],
  filter_since: ["Dated from", "Stand ab", "Daté à partir de", "Con fecha desde", "日期自", "مؤرخ منذ"],
  filter_until: ["Dated to", "Stand bis", "Daté jusqu’à", "Con fecha hasta", "日期至", "مؤرخ حتى"],
  filter_path: ["Document, folder or pattern", "Dokument, Ordner oder Muster", "Document, dossier ou motif", "Documento, carpeta o patrón", "文件、文件夹或模式", "مستند أو مجلد أو نمط"],
  bad_date: ["Write a date as 2026, 2026-03 or 2026-03-31, the earlier one first.", "Schreiben Sie ein Datum als 2026, 2026-03 oder 2026-03-31, das frühere zuerst.", "Écrivez une date ainsi : 2026, 2026-03 ou 2026-03-31, la plus ancienne d’abord.", "Escriba la fecha así: 2026, 2026-03 o 2026-03-31, la anterior primero.", "日期请写作 2026、2026-03 或 2026-03-31，较早的在前。", "اكتب التاريخ هكذا: 2026 أو 2026-03 أو 2026-03-31، والأقدم أولًا."],
  limit_line: ["Limit: score {score} or coverage {coverage}. Nothing below it is used in an answer.", "Grenze: Punktzahl {score} oder Abdeckung {coverage}. Was darunter liegt, wird nicht verwendet.", "Seuil : score {score} ou couverture {coverage}. Rien en dessous n’est utilisé.", "Límite: puntuación {score} o cobertura {coverage}. Nada por debajo se usa.", "下限：分数 {score} 或覆盖率 {coverage}。以下内容不用于作答。", "الحد: درجة {score} أو تغطية {coverage}. لا يُستخدم ما دونه."],
  hits: ["Found: {n}, above the limit: {above}", "Gefunden: {n}, über der Grenze: {above}", "Trouvés : {n}, au-dessus du seuil : {above}", "Encontrados: {n}, sobre el límite: {above}", "找到 {n} 个，高于下限 {above} 个", "وُجد: {n}، فوق الحد: {above}"],
  hits_none: ["Nothing was found.", "Nichts gefunden.", "Rien n’a été trouvé.", "No se encontró nada.", "没有找到。", "لم يُعثر على شيء."],
  score: ["Score {n}", "Punktzahl {n}", "Score {n}", "Puntuación {n}", "分数 {n}", "الدرجة {n}"],
  score_none: ["No score", "Keine Punktzahl", "Pas de score", "Sin puntuación", "无分数", "بلا درجة"],
  coverage: ["Words covered {n}", "Wörter abgedeckt {n}", "Mots couverts {n}", "Palabras cubiertas {n}", "词语覆盖 {n}", "تغطية الكلمات {n}"],
  passed_vector: ["Passed by meaning", "Durch Bedeutung", "Retenu par le sens", "Pasa por significado", "按语义通过", "قُبل بالمعنى"],
  passed_keywords: ["Passed by words", "Durch Wörter", "Retenu par les mots", "Pasa por palabras", "按词语通过", "قُبل بالكلمات"],
  passed_not: ["Below the limit", "Unter der Grenze", "Sous le seuil", "Bajo el límite", "低于下限", "دون الحد"],
  gave: ["Ranked by", "Gereiht nach", "Classé par", "Ordenado por", "排序依据", "رُتّب حسب"],
  gave_vectors: ["meaning", "Bedeutung", "sens", "significado", "语义", "المعنى"],
  gave_page: ["page", "Dokument", "page", "página", "文档", "الصفحة"],
  gave_phrase: ["phrase", "Wortfolge", "expression", "expresión", "词组", "العبارة"],
  gave_time: ["date", "Datum", "date", "fecha", "日期", "التاريخ"],
  gave_words: ["words", "Wörter", "mots", "palabras", "词语", "الكلمات"],
  open_here: ["Open the document here", "Dokument hier öffnen", "Ouvrir le document ici", "Abrir el documento aquí", "在此打开文件", "افتح المستند هنا"],
  full_page: ["Open the full page", "Ganze Seite öffnen", "Ouvrir la page entière", "Abrir la página completa", "打开完整页面", "افتح الصفحة الكاملة"],
  ingest_title: ["Tell the company", "Der Firma mitteilen", "Informer l’entreprise", "Informar a la empresa", "告知公司", "أخبر الشركة"],
  audit_title: ["Audit log", "Prüfprotokoll", "Journal d’audit", "Registro de auditoría", "审计日志", "سجل التدقيق"],
  interface: ["For programs", "Für Programme", "Pour les programmes", "Para programas", "供程序使用", "للبرامج"],
};

const RIGHT_TO_LEFT = ["ar"];
let column = 0;

/** The language in use. */
export const language = () => LANGUAGES[column];

/** Takes the first of the wanted languages that is known, and tells the page of it. */
export function choose(wanted) {
  const known = wanted.map((tag) => tag.toLowerCase().split("-")[0]).find((tag) => LANGUAGES.includes(tag));
  column = LANGUAGES.indexOf(known ?? "en");
  document.documentElement.lang = language();
  document.documentElement.dir = RIGHT_TO_LEFT.includes(language()) ? "rtl" : "ltr";
}

/** The word in the language in use, with its blanks filled. */
export function say(key, blanks = {}) {
  return WORDS[key][column].replace(/\{(\w+)\}/g, (whole, name) => blanks[name] ?? whole);
}

/** Fills the words of the page's own frame: `data-say` as text, `data-say-label` as label, `data-say-hint` as hint. */
export function fill(root) {
  for (const node of root.querySelectorAll("[data-say]")) node.textContent = say(node.dataset.say);
  for (const node of root.querySelectorAll("[data-say-label]")) node.setAttribute("aria-label", say(node.dataset.sayLabel));
  for (const node of root.querySelectorAll("[data-say-hint]")) node.setAttribute("placeholder", say(node.dataset.sayHint));
}

/** An ISO date, or a date with time, as people of this language write it. */
export function dateAsText(iso) {
  const time = iso.length > 10;
  const date = new Date(time ? iso : `${iso}T12:00:00`);
  if (Number.isNaN(date.valueOf())) return iso;
  return new Intl.DateTimeFormat(language(), time ? { dateStyle: "medium", timeStyle: "short" } : { dateStyle: "medium" }).format(date);
}

export const number = (value, digits = 2) =>
  new Intl.NumberFormat(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(Number(value.toFixed(digits)) || 0); // no "-0.00"

/** What is known of the date of anything with `dated` and `modified`: its own, else when its file was changed. */
export const datedText = ({ dated, modified }) => {
  if (dated) return say("dated", { date: dateAsText(dated) });
  return modified ? say("changed_on", { date: dateAsText(modified.slice(0, 10)) }) : "";
};

/** "page 12–13" of "p12-13"; what a workbook calls its cells stays as it is. */
export const placeText = (place) => {
  const [, kind, n] = /^(p|slide |cell |L)(\d+(?:-\d+)?)$/.exec(place) ?? [];
  const key = { p: "page", "slide ": "slide", "cell ": "cell", L: n?.includes("-") ? "lines" : "line" }[kind];
  return key ? say(key, { n: n.replace("-", "–"), lines: n.replace("-", "–") }) : place;
};

/** "leave.md, lines 9-14" of anything with `source`, `place` and `lines`; the name has its own direction within. */
export const placeOf = (passage) => {
  const name = document.documentElement.dir === "rtl" ? `\u2068${passage.source}\u2069` : passage.source;
  return `${name}, ${placeText(passage.place || passage.lines)}`;
};
