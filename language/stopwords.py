"""Function words of the languages that can be told apart here, and the asking phrases of unspaced scripts.

Kept short on purpose: a word that could be a document's subject (may, home, work) is not listed unless its everyday
use is grammar. Used to tell languages apart (`language.detect`) and to weigh a question's words (`language.words`).
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS: dict[str, frozenset[str]] = {
    "en": _words(
        "a about after again all also am an and any anybody anyone anything are aren as at be because been before "
        "being both but by can cannot can't could did didn do does doesn doing don don't done during each either else "
        "ever every few for from further get gets getting go going got had has have haven having he her here hers "
        "him his how however i i'd i'll i'm i've if in into is isn isn't it it's its itself just let like many me "
        "might mine more most much must my myself need needs neither no nor not now of off on once one only onto or "
        "other our ours out over own per please same shall she should so some somebody someone something still such "
        "than that the their theirs them then there these they this those through to too under until up upon us use "
        "very want was wasn we were what what's when where which while who who's whom whose why will with within "
        "without would you your yours yourself tell know there's that's does give given us thing things"
    ),
    "de": _words(
        "aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da dabei damit danach dann "
        "das dass dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch "
        "ein eine einem einen einer eines er es etwas euch euer für fur gegen gibt hab habe haben hat hatte hier ich "
        "ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes kann kein keine keinem "
        "keinen konnen können konnte man mal mein meine meinem meinen meiner mich mir mit muss müssen mussen nach nicht "
        "noch nun nur ob oder ohne schon sein seine sich sie sind so soll sollen sollte über uber um und uns unser "
        "unsere unter viel viele vom von vor wann war warum was weil welche welchem welchen welcher welches wenn wer "
        "werde werden wem wen wie wieviel will wir wird wo woher wohin wurde würde zu zum zur zwischen bekomme darf dürfen lange"
    ),
    "es": _words(
        "a al algo algun alguna algún ante antes aqui como cómo con contra cual cuál cuales cuáles cuando cuándo cuanta "
        "cuánta cuantas cuántas cuanto cuánto cuantos cuántos de del desde donde dónde durante e el él ella ellos en "
        "entre era es esa ese eso esta está estan están estas este esto estos fue ha hace hacer han hasta hay he la "
        "las le les lo los mas más me mi mí mis muy nada ni no nos nosotros nuestra nuestro o para pero por porque "
        "puede pueden puedo que qué quien quién quienes se sea ser si sí sin sobre son su sus tambien también te tengo "
        "tiene tienen todo todos tu tus un una uno unos y ya yo debo debe hago"
    ),
    "fr": _words(
        "à a ai as au aussi aux avant avec avoir c ce ces cet cette ceux chez comme comment d dans de des depuis doit "
        "dois donc du elle elles en est et être etre eu il ils j je jusqu l la le les leur leurs lors lui m ma mais me "
        "mes moi mon n ne ni nos notre nous on ou où par pas pendant peut peux plus pour pourquoi puis qu quand que quel "
        "quelle quelles quels qui quoi s sa sans se ses si son sont sous sur t ta te tes toi ton tous tout toute très "
        "tu un une vos votre vous y ça faut combien est-ce dois faire fait"
    ),
    "pt": _words(
        "a à ao aos apos após as até ate com como da das de dela dele depois do dos e é ela ele eles em entre era essa "
        "esse esta está este eu foi ha há isso isto ja já la lhe mais mas me mesmo meu meus minha minhas muito na não "
        "nao nas nem no nos nós nossa nosso num numa o onde os ou para pela pelas pelo pelos pode podem por porque "
        "posso qual quais quando quanto quanta quantas quantos que quem são sao se sem ser seu seus só sobre sua suas "
        "também tambem te tem têm tenho ter um uma umas uns você voce devo deve fazer faço"
    ),
    "it": _words(
        "a ad ai al alla alle allo anche c che chi ci come con cosa cui da dagli dai dal dalla dalle dei del della "
        "delle dello devo deve di do dopo dove e è ed era fa fare fino gli ha hai hanno ho i il in io la le lei li lo "
        "loro lui ma mi mia mie miei mio ne negli nei nel nella nelle no noi non nostra nostro o ogni per perché perche "
        "piu più posso può puo prima qual quale quali quando quanta quante quanti quanto quella quello questa queste "
        "questi questo se sei senza si sì sia sono sta su sua sue sugli sui sul sulla suo suoi ti tra tu tua tuo un "
        "una uno vi voi fra mi"
    ),
    "nl": _words(
        "aan al alle als bij dan dat de der deze die dit doe door een en er ga geen had heb hebben heeft het hier hij "
        "hoe hoeveel ik in is je jij jouw kan kunnen maar me met mij mijn moet moeten mag na naar niet nog nu of om "
        "onder ons onze ook op over te tegen toch toen tot u uit uw van veel voor waar waarom wanneer want waren was "
        "wat we wel welk welke wie wij wil word worden wordt zal ze zelf zich zij zijn zo zonder zou krijg"
    ),
    "ru": _words(
        "а без бы был была были было быть в вам вас весь во вот все всё вы где да для до его ее её если есть ещё еще "
        "же за и из или им их к как какая какие какой каком какую когда ко кто куда ли лучше мне можно мой моя моё мои "
        "мы на надо нам нас не него нее нет ни но ну нужно о об от по под после почему при с сам свой себя сколько со "
        "так также там то того тоже только тот ты у уже чего чем что чтобы эта эти это этого этот я могу должен могут"
    ),
}

ASKING: dict[str, tuple[str, ...]] = {
    "en": ("how long", "how often", "how far", "how soon", "how old", "how big", "how large", "how high", "how early", "how late", "how quickly"),
    "es": ("cuánto tiempo", "cada cuánto"), "fr": ("combien de temps",), "pt": ("quanto tempo",), "it": ("quanto tempo", "ogni quanto"),
    "nl": ("hoe lang", "hoe vaak", "hoe ver"), "ru": ("как долго", "как часто"), "de": ("wie lange", "wie oft", "wie weit", "wie hoch"),
    "zh": (
        "是什么时候", "什么时候", "多长时间", "是多少", "有多少", "多少", "什么", "怎么样", "怎么办", "怎么", "如何", "哪里", "哪儿",
        "哪个", "哪些", "哪种", "多久", "是否", "能不能", "可不可以", "可以", "为什么", "吗", "呢", "请问", "我们",
        "应该", "需要", "我的", "有没有",
    ),
    "ja": (
        "いつまでに", "いつから", "いつまで", "いつ", "どこで", "どこに", "どこ", "どうすれば", "どうやって", "どのように", "どの",
        "どれくらい", "どのくらい", "何ですか", "だれ", "誰が", "誰に", "誰", "いくら", "いくつ", "なぜ", "ですか", "ますか",
        "でしょうか", "ください", "すればいい", "できますか", "ありますか", "しますか", "私は", "私の",
    ),
    "ko": (
        "언제까지", "언제", "어디에서", "어디서", "어디에", "어디", "어떻게", "무엇인가요", "무엇", "누구에게", "누가", "누구", "얼마나",
        "얼마", "몇", "왜", "인가요", "나요", "까요", "합니까", "입니까", "되나요", "하나요", "할 수 있나요", "제가", "저는", "해야",
    ),
}  # fmt: skip
"""Phrases that only ask; removed from a question before its words or pairs are counted as its subject."""
