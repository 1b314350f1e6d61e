"""Whether a question leans on what was said before it ("and for contractors?", "is it paid?"), told by its words.

Plain signs only, a language a row: an opening that goes on, a word that points back, hardly a word at all. What none of
them marks is taken to stand alone. Knows no documents.
Try: python -c "from language.leaning import leans; print(leans('And after two years?', 'en'))"
"""

import re

# Language -> (openings that go on with what was said, words that point back to it).
_SIGNS = {
    "en": (
        r"and\b|but\b|or\b|also\b|then\b|so\b|what about|how about|what if not|same for|else\b",
        r"\b(?:it|its|they|them|their|theirs|he|she|him|his|her|hers|that one|those|these|this one|the same|the latter|the former)\b",
    ),
    "de": (
        r"und\b|aber\b|oder\b|auch\b|dann\b|was ist mit|wie ist es (?:mit|bei)|sonst\b",
        r"\b(?:er|sie|ihm|ihn|ihnen|deren|dessen|dafür|davon|damit|dabei|dazu|darüber|darauf|dort|das|dies|diese[rsmn]?|dasselbe|derselbe)\b(?! \w*[A-ZÄÖÜ])",
    ),
    "fr": (r"et\b|mais\b|ou\b|alors\b|aussi\b|qu'en est-il", r"\b(?:ils?|elles?|cela|ça|celui-ci|celle-ci|ceux-ci|eux)\b"),
    "es": (r"y\b|e\b|pero\b|o\b|entonces\b|también\b|qué hay de|qué pasa con", r"\b(?:ellos?|ellas?|eso|esto|ello|lo mismo|ese|esa|esos|esas)\b"),
    "pt": (r"e\b|mas\b|ou\b|então\b|também\b|e quanto", r"\b(?:eles?|elas?|isso|isto|aquilo|esse|essa|o mesmo)\b"),
    "it": (r"e\b|ma\b|o\b|allora\b|anche\b|che ne è", r"\b(?:esso|essa|essi|loro|ciò|questo|quello|lo stesso)\b"),
    "nl": (r"en\b|maar\b|of\b|dan\b|ook\b|hoe zit het met", r"\b(?:hij|zij|ze|hem|hen|hun|dit|dat|daarvoor|daarvan|daarmee|daar|hetzelfde)\b(?! [a-z])"),
    "pl": (r"a\b|i\b|ale\b|lub\b|też\b|co z\b", r"\b(?:on|ona|ono|oni|one|jego|jej|ich|nim|nią|tym|to samo)\b"),
    "ru": (r"а\b|и\b|но\b|или\b|тогда\b|что насчёт|что насчет", r"\b(?:он|она|оно|они|его|её|ее|их|ним|ней|ними|этого|этом|тот же)\b"),
    "zh": (r"那|那么|还有|而|那如果", r"[它他她]|这个|那个|这样|那样"),
    "ja": (r"では|じゃあ|それ|その場合|あと|また", r"それ|これ|その|そこ|彼"),
    "ko": (r"그럼|그러면|그리고|그런데|그건", r"그것|그건|이것|그게"),
    "ar": (r"و(?=ماذا|كيف|متى|هل|إذا|بعد|في )|لكن|أو\b|ماذا عن", r"\b(?:هو|هي|هم|ذلك|تلك|هذا|هذه)\b(?! ال)"),
}  # fmt: skip
# "How long does it take to ...", "is it possible that ...": the word points forward.
_FORWARD = re.compile(
    r"\bit (?:possible|allowed|ok|okay|true|necessary|required|mandatory)\b|\bit takes? (?:to|for|until|before)\b|"
    r"\bil (?:y a|faut|est possible|existe)\b|-il (?:possible|nécessaire|permis|obligatoire)\b",
    re.IGNORECASE,
)
_FEW_WORDS = 2
_FEW_SIGNS = 4  # of a script that has no spaces


def leans(question: str, lang: str) -> bool:
    """Whether the question plainly cannot be understood alone; of a language that is not here, only by its length."""
    bare = re.sub(r"^[\s¿¡\"'“„«(]+", "", question)
    plain = _FORWARD.sub(" ", bare[:1].lower() + bare[1:])  # "IT", "Sie" and a German noun keep their capitals
    opening, pointing = _SIGNS.get(lang, (r"(?!)", r"(?!)"))
    if re.match(opening, plain) or re.search(pointing, plain):
        return True
    words = re.findall(r"\w+", bare)
    if lang in ("zh", "ja"):
        return len("".join(words)) <= _FEW_SIGNS
    return len(words) <= _FEW_WORDS
