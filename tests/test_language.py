"""Words, languages and our own sentences: the same cutting at the index and at the question, in every script."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language.detect import LATIN, language_of
from language.phrases import LANGUAGES, say
from language.words import _stem, content_words, fold, forms, is_function_word, stem, terms, words

WORDS = [
    ("VPN-2 is up.", ["VPN-2", "is", "up"]),
    ("foo_bar, S3; a/b c.d!", ["foo_bar", "S3", "a/b", "c.d"]),
    ("it's the company’s", ["it's", "the", "company’s"]),
    ("5.5 GB, 03:15", ["5.5", "GB", "03", "15"]),
    ("用VPN登录", ["用", "VPN", "登录"]),
    ("ＶＰＮ１２", ["VPN12"]),
    ("Straße Ärger", ["Straße", "Ärger"]),
    ("", []),
    ("!!! \0 🙂 -- …", []),
    ("a🙂b", ["a", "b"]),
]


@pytest.mark.parametrize(("text", "expected"), WORDS)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


TERMS = [
    ("en", "VPN-2", ["vpn_2", "vpn", "2"]),
    ("en", "foo_bar", ["foo_bar", "foo", "bar"]),
    ("en", "S3", ["s3"]),
    ("en", "company's", ["compani"]),
    ("fr", "l'année", ["anne"]),
    ("zh", "报销", ["报销", "销"]),
    ("zh", "年", ["年"]),
    ("zh", "三十天", ["三十", "十天", "天"]),
    ("ja", "出張", ["出張", "張"]),
    ("ko", "휴가를", ["휴가", "가를", "를"]),
    ("th", "ลา", ["ลา", "า"]),
    ("en", "𠮷野家", ["𠮷野", "野家", "家"]),
]


@pytest.mark.parametrize(("lang", "text", "expected"), TERMS)
def test_terms(lang: str, text: str, expected: list[str]) -> None:
    assert terms(text, lang) == expected


SAME = [
    ("en", "employee employees employee's"),
    ("en", "reimburse reimbursed reimburses"),
    ("en", "Café CAFE cafe\u0301"),
    ("de", "Urlaubsantrag Urlaubsanträge"),
    ("de", "Größe GRÖSSE größe"),
    ("de", "Überstunde Überstunden überstunden"),
    ("es", "factura facturas"),
    ("fr", "congé congés"),
    ("it", "ricevuta ricevute"),
    ("pt", "férias FÉRIAS"),
    ("ru", "отпуск отпуска отпуску"),
    ("ru", "ёлка елка"),
    ("el", "άδεια ΑΔΕΙΑ"),
    ("en", "ＶＰＮ vpn"),
]


@pytest.mark.parametrize(("lang", "alike"), SAME)
def test_forms_of_a_word_are_one_term(lang: str, alike: str) -> None:
    assert len({tuple(forms(word, lang)) for word in alike.split()}) == 1


@pytest.mark.parametrize(
    ("lang", "one", "other"),
    [("en", "universe", "university"), ("de", "Rechnung", "Rechner"), ("en", "VPN-2", "VPN-3"), ("zh", "报销", "报告")],
)
def test_other_words_are_other_terms(lang: str, one: str, other: str) -> None:
    assert forms(one, lang) != forms(other, lang)


@given(st.text(max_size=60), st.sampled_from(["en", "de", "ru", "zh", "th", "xx"]))
def test_terms_are_what_the_index_takes(text: str, lang: str) -> None:
    """Of ASCII lower-case letters, digits and `_` only: nothing that the index would cut or read as its own."""
    for term in terms(text, lang):
        assert re.fullmatch(r"[0-9a-z_\x80-\U0010ffff]+", term), term
    assert terms(text, lang) == terms(text, lang)


@given(st.text(max_size=40))
def test_folding_is_done_once(word: str) -> None:
    assert fold(fold(word)) == fold(word)


CONTENT = [
    ("en", "How many vacation days do I get after one year?", ["vacation", "days", "year"]),
    ("en", "Who is who?", ["Who", "is", "who"]),
    ("de", "Wie viele Urlaubstage habe ich?", ["Urlaubstage"]),
    ("zh", "报销要多久内提交？", ["报销要", "内提交"]),
    ("ja", "出張費はいつまでに精算しますか", ["出張費は", "精算"]),
    ("ko", "연차 휴가는 언제까지 신청하나요?", ["연차", "휴가는", "신청"]),
    ("en", "VPN VPN vpn", ["VPN", "vpn"]),
    ("en", "", []),
    ("xx", "the leave", ["the", "leave"]),
]


@pytest.mark.parametrize(("lang", "text", "expected"), CONTENT)
def test_content_words(lang: str, text: str, expected: list[str]) -> None:
    assert content_words(text, lang) == expected


def test_function_words_are_told_by_language_and_without_accents() -> None:
    assert is_function_word("The", "en")
    assert is_function_word("fur", "de")
    assert is_function_word("für", "de")
    assert not is_function_word("für", "en")
    assert not is_function_word("vacation", "en")


DETECT = [
    ("How many vacation days do I get after one year?", "en"),
    ("Wie viele Urlaubstage habe ich?", "de"),
    ("¿Cuántos días de vacaciones tengo?", "es"),
    ("Combien de jours de congé ai-je ?", "fr"),
    ("Quantos dias de férias eu tenho?", "pt"),
    ("Quanti giorni di ferie ho dopo un anno?", "it"),
    ("Hoeveel vakantiedagen heb ik?", "nl"),
    ("Сколько у меня дней отпуска?", "ru"),
    ("报销要多久内提交？", "zh"),
    ("VPN 怎么设置？", "zh"),
    ("出張費はいつまでに精算しますか", "ja"),
    ("有給休暇の申請期限", "ja"),
    ("연차 휴가는 며칠인가요?", "ko"),
    ("Kubernetes クラスタの再起動", "ja"),
    ("كم عدد أيام الإجازة؟", "ar"),
    ("ฉันลาได้กี่วัน", "th"),
    ("VPN-2", "en"),
    ("", "en"),
    ("!!! 123", "en"),
    ("parental leave", "en"),
    ("\ud800 leave of absence for the staff", "en"),
]


@pytest.mark.parametrize(("text", "lang"), DETECT)
def test_language_of(text: str, lang: str) -> None:
    assert language_of(text) == lang


def test_language_of_nothing_is_the_default_given() -> None:
    assert language_of("VPN-2", "de") == "de"
    assert language_of("", "zh") == "zh"


@settings(deadline=None)  # the first text may load a model
@given(st.text(max_size=200))
def test_language_of_never_fails(text: str) -> None:
    assert re.fullmatch("[a-z]{2}", language_of(text))


def test_what_we_say_ourselves_is_there_in_every_language() -> None:
    assert set(LATIN) <= set(LANGUAGES)
    for phrase in ("not_found", "quote", "rows", "beside"):
        said = [say(phrase, lang) for lang in LANGUAGES]
        assert len(set(said)) == len(said)
        assert say(phrase, "xx") == say(phrase, "en")
    with pytest.raises(KeyError):
        say("no_such_phrase", "en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_our_sentence_is_told_to_be_in_its_language(lang: str) -> None:
    assert language_of(say("not_found", lang)) == lang


def test_stems_are_the_same_in_many_threads() -> None:
    """Questions come in threads, and a stemmer works on the word it holds."""
    made = [
        f"{a}{b}{chr(97 + i)}ally" for a in ("nation", "hope", "organis") for b in ("al", "fulness") for i in range(26)
    ]
    expected = [stem(word, "en") for word in made]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(5):
            _stem.cache_clear()
            with ThreadPoolExecutor(4) as pool:
                assert list(pool.map(partial(stem, lang="en"), made)) == expected
    finally:
        sys.setswitchinterval(before)


def test_a_raised_figure_is_none_of_the_number_before_it() -> None:
    assert words("28¹ days, 10⁶ of them, 40 m² and H₂O") == [
        "28",
        "1",
        "days",
        "10",
        "6",
        "of",
        "them",
        "40",
        "m2",
        "and",
        "H2O",
    ]
    assert terms("Everyone gets 28¹ days.", "en")[2:4] == ["28", "1"]
