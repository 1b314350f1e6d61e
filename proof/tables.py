"""Words that mean a number, a month, a scale or a currency, in the languages checked so far. Data only.

One more language is one more line in each table; proof.facts reads them and knows no language itself.
Try: python -c "from proof.tables import MONTHS; print(MONTHS['mai'])"
"""

_MONTH_NAMES = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
)
MONTHS: dict[str, int] = {
    name: number for names in _MONTH_NAMES for number, name in enumerate(names.split(), start=1)
} | {"sept": 9}

SCALES: dict[str, int] = {
    word: value
    for value, words in {
        1_000: "thousand tausend mille mil mila duizend тысяч k 千",
        10_000: "万 萬",
        1_000_000: "million millions mio millionen millones millón milhão milhões milione milioni miljoen mln млн 百万",
        100_000_000: "億 亿",
        1_000_000_000: "billion billions bn mrd milliarde milliarden milliard milliards miliardi miljard млрд",
        1_000_000_000_000: "trillion trillions",
    }.items()
    for word in words.split()
}

CURRENCIES: dict[str, str] = {
    word: code
    for code, words in {
        "EUR": "€ eur euro euros",
        "USD": "$ usd dollar dollars us$ dólares",
        "GBP": "£ gbp",
        "CHF": "chf franken",
        "JPY": "jpy yen 円",
        "CNY": "cny rmb yuan 元",
        "¥": "¥",
        "INR": "₹ inr",
        "RUB": "₽ rub руб рублей",
    }.items()
    for word in words.split()
}

_COUNTING = (*range(1, 20), *range(20, 100, 10))  # one to nineteen, then the tens
_COUNTED = {
    "en": "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
    "siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
}
WORD_NUMBERS: dict[str, dict[str, int]] = {
    lang: dict(zip(names.split(), _COUNTING, strict=True)) for lang, names in _COUNTED.items()
}

HAN: dict[str, int] = dict(zip("零〇一二两兩三四五六七八九", (0, 0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True)) | {
    "十": 10, "百": 100, "千": 1_000, "万": 10_000, "萬": 10_000, "亿": 10**8, "億": 10**8,
}  # fmt: skip
