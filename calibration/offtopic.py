"""Questions of everyday life that no company's documents answer, in ten languages: the far end of "not found".

Asked beside the near ones, which calibration/questions.py makes by leaving a document out. Knows no index.
Try: python -c "from calibration.offtopic import QUESTIONS; print(sum(map(len, QUESTIONS.values())))"
"""

QUESTIONS: dict[str, tuple[str, ...]] = {
    "en": (
        "How long do I boil an egg so that the yolk stays soft?",
        "Which planet has the most moons?",
        "How do I get red wine out of a white shirt?",
        "Why do cats purr?",
        "Who composed the Moonlight Sonata?",
        "When is the best time to plant tulips?",
        "How tall is Mount Kilimanjaro?",
        "What can I give my dog for a bee sting?",
    ),
    "de": (
        "Wie lange muss ein Hefeteig gehen?",
        "Welcher Fluss fließt durch Budapest?",
        "Wie entferne ich Moos aus dem Rasen?",
        "Warum ist der Himmel blau?",
        "Wer hat die Zauberflöte komponiert?",
        "Wie oft soll ich eine Orchidee gießen?",
        "Wann kommen die Störche aus Afrika zurück?",
    ),
    "es": (
        "¿Cuánto tiempo se cuecen las lentejas?",
        "¿Quién pintó Las Meninas?",
        "¿Cómo quito una mancha de aceite del mantel?",
        "¿Por qué cambian de color las hojas en otoño?",
        "¿Cuál es el río más largo de Sudamérica?",
        "¿Cada cuánto hay que bañar a un perro?",
    ),
    "fr": (
        "Comment réussir une mayonnaise ?",
        "Qui a écrit Les Misérables ?",
        "Quelle est la capitale de l'Islande ?",
        "Pourquoi la mer est-elle salée ?",
        "Quand faut-il tailler les rosiers ?",
        "Comment nettoyer une théière en argent ?",
    ),
    "pt": (
        "Como se faz arroz doce?",
        "Quem escreveu Os Lusíadas?",
        "Qual é o animal terrestre mais rápido?",
        "Como tiro o cheiro a peixe do frigorífico?",
        "Quando florescem as cerejeiras?",
        "Porque é que as abelhas fazem mel?",
    ),
    "it": (
        "Quanto devono cuocere gli gnocchi?",
        "Chi ha dipinto la Primavera?",
        "Come si pulisce una caffettiera?",
        "Perché i gatti hanno i baffi?",
        "Qual è il vulcano più alto d'Europa?",
        "Quando si seminano i pomodori?",
    ),
    "nl": (
        "Hoe lang moet ik aardappelen koken?",
        "Wie schilderde De Nachtwacht?",
        "Waarom slapen vleermuizen ondersteboven?",
        "Hoe krijg ik kauwgom uit een tapijt?",
        "Wat is de langste rivier van Afrika?",
        "Wanneer bloeien de sneeuwklokjes?",
    ),
    "zh": (
        "红烧肉要炖多长时间？",
        "太阳系最大的行星是哪一颗？",
        "怎么去掉衣服上的墨水？",
        "大熊猫为什么吃竹子？",
        "谁写了《红楼梦》？",
        "什么时候种郁金香最好？",
    ),
    "ja": (
        "味噌汁の出汁はどうやって取りますか？",
        "世界で一番深い湖はどこですか？",
        "猫はなぜ喉を鳴らすのですか？",
        "朝顔の種はいつまきますか？",
        "源氏物語を書いたのは誰ですか？",
        "窓の水垢はどうすれば落ちますか？",
    ),
    "ko": (
        "김치찌개는 얼마나 끓여야 하나요?",
        "세계에서 가장 높은 폭포는 어디인가요?",
        "고양이는 왜 상자를 좋아하나요?",
        "흰 운동화의 얼룩은 어떻게 지우나요?",
        "훈민정음은 누가 만들었나요?",
        "벚꽃은 언제 피나요?",
    ),
}
"""Language (ISO 639-1) -> questions."""
