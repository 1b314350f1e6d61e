"""Encodings: what is decoded is right to the character, and what is not certain is refused."""

import codecs
import contextlib
import random

import pytest

from config import PROJECT
from sources import legacy
from sources.decode import Undecodable, decode

TEXTS = {
    "de": "Dienstreisen müssen vor der Buchung genehmigt werden. Die Übernachtung wird bis zu einer Höhe von "
    "120 Euro erstattet. Für größere Beträge fragen Sie bitte die Buchhaltung. Urlaubsanträge sind "
    "spätestens zwei Wochen vorher über das Portal zu stellen; während der Probezeit gilt eine Frist von "
    "vier Wochen. Schlüssel und Ausweise müssen am letzten Tag zurückgegeben werden.",
    "fr": "Les congés doivent être demandés au moins deux semaines à l'avance. Après une année complète, "
    "chaque employé a droit à vingt-huit jours. Les frais de déplacement sont remboursés dès réception "
    "des reçus originaux ; à défaut, le supérieur hiérarchique décide. Les élèves stagiaires reçoivent "
    "une indemnité où cela est prévu.",
    "es": "Los empleados tienen derecho a veintiocho días de vacaciones después de un año. Los gastos de viaje "
    "se reembolsan en un plazo de treinta días; la solicitud debe incluir los recibos originales. ¿Quién "
    "aprueba el teletrabajo? El jefe de cada área, según la política de la compañía.",
    "pt": "Os funcionários têm direito a vinte e oito dias de férias após um ano de serviço. As despesas de "
    "viagem são reembolsadas no prazo de trinta dias, desde que os recibos originais sejam entregues. A "
    "aprovação é da responsabilidade do gestor de cada área; não há exceções.",
    "en": "The café on the ground floor is open until 18:00. Don’t bring guests without a badge – the "
    "reception issues one. The “quiet room” costs €5 per hour. Travel is booked by the office; résumés "
    "go to the hiring manager. Everyone keeps the receipts of a trip for ten years.",
    "tr": "Çalışanlar bir yıl sonra yirmi sekiz gün izin hakkına sahiptir. Seyahat giderleri otuz gün içinde "
    "ödenir; özgün faturalar muhasebeye teslim edilmelidir. Yönetici onayı olmadan uçak bileti alınamaz. "
    "İş güvenliği eğitimi her yıl yapılır, katılım zorunludur. Şirket arabası yalnızca görev için "
    "kullanılır.",
    "ru": "Сотрудники имеют право на двадцать восемь дней отпуска после одного года работы. Командировочные "
    "расходы возмещаются в течение тридцати дней; необходимо приложить оригиналы чеков. Билеты "
    "покупаются только с согласия руководителя. Ключи и пропуска сдаются в последний рабочий день.",
    "zh": "出差报销需要在三十天内提交。员工工作满一年后享有二十八"
    "天年假。机票必须由部门经理批准后购买，原始发票交给财务部。钥匙和工"
    "牌应在最后一个工作日归还。公司车辆只能用于工作，违反规定者将受到处分。",
    "zh-hant": "出差報銷需要在三十天內提交。員工工作滿一年後享有"
    "二十八天年假。機票必須由部門經理批准後購買，原始發票交給財務部。鑰匙和工"
    "牌應在最後一個工作日歸還。公司車輛只能用於工作，違反規定者將受到處分。",
    "ja": "出張費の精算は三十日以内に提出してください。一年間勤務"
    "した社員は二十八日の年次休暇を取得できます。航空券は部長の承認を得"
    "てから購入し、領収書の原本は経理部に提出します。鍵と社員証は最終出勤日に返却してください。",
    "ko": "출장비는 삼십 일 이내에 정산해야 합니다. 일 년 이상 근무한 직원은 이십팔 일의 연차 휴가를 사용할 수 "
    "있습니다. 항공권은 부서장의 승인을 받은 뒤에 구매하고, 영수증 원본은 회계팀에 제출합니다. 열쇠와 "
    "사원증은 마지막 근무일에 반납합니다.",
    "pl": "Pracownicy mają prawo do dwudziestu ośmiu dni urlopu po roku pracy. Koszty podróży są zwracane w "
    "ciągu trzydziestu dni; należy dołączyć oryginalne rachunki. Zgoda przełożonego jest wymagana przed "
    "zakupem biletów. Klucze i identyfikatory należy zwrócić ostatniego dnia.",
    "cs": "Zaměstnanci mají po roce nárok na dvacet osm dní dovolené. Cestovní výdaje se proplácejí do třiceti "
    "dnů; je třeba přiložit původní účtenky. Před nákupem jízdenek je nutný souhlas nadřízeného. Klíče a "
    "průkazy se vracejí poslední den, žádné výjimky neexistují.",
    "hu": "A munkavállalók egy év után huszonnyolc nap szabadságra jogosultak. Az utazási költségeket harminc "
    "napon belül megtérítik; az eredeti számlákat mellékelni kell. A jegyvásárlás előtt a vezető "
    "jóváhagyása szükséges. Új belépőknek külön szabályok érvényesek, őszi időszakban.",
    "sv": "Anställda har rätt till tjugoåtta dagars semester efter ett år. Resekostnader ersätts inom trettio "
    "dagar; originalkvitton måste bifogas. Chefens godkännande krävs före köp av biljetter. Nycklar och "
    "passerkort lämnas tillbaka på sista dagen.",
    "el": "Οι εργαζόμενοι δικαιούνται είκοσι οκτώ ημέρες άδειας μετά από ένα έτος. Τα έξοδα ταξιδιού "
    "επιστρέφονται εντός τριάντα ημερών· απαιτούνται οι πρωτότυπες αποδείξεις. Η έγκριση του "
    "προϊσταμένου είναι απαραίτητη πριν από την αγορά εισιτηρίων.",
    "uk": "Працівники мають право на двадцять вісім днів відпустки після одного року роботи. Витрати на "
    "відрядження відшкодовуються протягом тридцяти днів; необхідно додати оригінали чеків. Квитки "
    "купуються лише за згодою керівника.",
    "he": "העובדים זכאים לעשרים ושמונה ימי חופשה לאחר שנה אחת. הוצאות הנסיעה מוחזרות בתוך שלושים יום, ויש לצרף "
    "את הקבלות המקוריות. אישור המנהל נדרש לפני רכישת כרטיסי טיסה.",
    "ar": "يحق للموظفين ثمانية وعشرون يوما من الإجازة بعد سنة واحدة. تسدد نفقات السفر خلال ثلاثين يوما ويجب "
    "إرفاق الإيصالات الأصلية. موافقة المدير مطلوبة قبل شراء تذاكر السفر.",
    "th": "พนักงานมีสิทธิลาพักร้อนยี่สิบแปดวันหลังจากทำงานครบหนึ่งปี ค่าใช้จ่ายในการเดินทางจะคืนภายในสามสิบวัน ต้องแนบใบเสร็จต้นฉบับทุกครั้ง",
}
TEXTS["it"] = (
    "I dipendenti hanno diritto a ventotto giorni di ferie dopo un anno. Le spese di viaggio sono rimborsate entro "
    "trenta giorni, purché le ricevute originali siano consegnate. L'approvazione è di competenza del responsabile; "
    "non c'è nessuna eccezione, perché la regola vale per tutti e così è stata decisa."
)
TEXTS["nl"] = (
    "Medewerkers hebben na één jaar recht op achtentwintig vakantiedagen. De reiskosten worden binnen dertig dagen "
    "vergoed, mits de originele bonnen zijn ingeleverd. De afdelingsleider moet de reis vóór het boeken goedkeuren; "
    "collega’s uit België gebruiken hetzelfde formulier."
)

READ = [
    ("de", ["cp1252", "latin-1", "cp1250", "cp1254", "iso8859-15"]),
    ("fr", ["cp1252", "latin-1", "cp1254"]),
    ("es", ["cp1252", "latin-1"]),
    ("pt", ["cp1252", "latin-1"]),
    ("it", ["cp1252", "latin-1"]),
    ("nl", ["cp1252"]),
    ("en", ["cp1252"]),
    ("tr", ["cp1254", "iso8859-9"]),
    ("ru", ["cp1251", "koi8-r", "iso8859-5", "cp866"]),
    ("zh", ["gb2312", "gbk", "gb18030"]),
    ("zh-hant", ["big5", "cp950", "gbk"]),
    ("ja", ["shift_jis", "cp932", "euc_jp"]),
    ("ko", ["euc_kr", "cp949"]),
]
OLD = [
    "cp437", "cp850", "cp852", "cp855", "cp857", "cp866", "cp874", "cp932", "cp949", "cp950", "cp1250", "cp1251",
    "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "euc_jp", "euc_kr", "gb2312", "gb18030",
    "big5hkscs", "iso8859-2", "iso8859-3", "iso8859-4", "iso8859-5", "iso8859-7", "iso8859-9", "iso8859-10",
    "iso8859-13", "iso8859-15", "iso8859-16", "johab", "koi8-r", "koi8-u", "latin-1", "mac_cyrillic", "mac_latin2",
    "mac_roman", "mac_turkish", "shift_jis", "iso2022_jp", "iso2022_kr", "utf-16-le", "utf-16-be", "utf-32-le",
]  # fmt: skip


@pytest.mark.parametrize(("lang", "encoding"), [(lang, encoding) for lang, many in READ for encoding in many])
def test_a_page_in_an_encoding_of_its_language_is_read(lang: str, encoding: str) -> None:
    for text in (TEXTS[lang], f"# 1. Title\n\n- {TEXTS[lang]}\n\n| a | b |\n|---|---|\n| 5 | 7 |\n"):
        assert decode(text.encode(encoding)).text == text


def test_nothing_is_garbled_silently() -> None:
    """Pieces of every text in every encoding that can hold it: decoded right, or refused."""
    read = refused = 0
    for text in TEXTS.values():
        for encoding in OLD:
            for length in (30, 60, 120, len(text)):
                for start in range(0, len(text) - length + 1, 41):
                    piece = text[start : start + length]
                    data = _encoded(piece, encoding)
                    if data is None or _is_utf8(data):
                        continue
                    try:
                        decoded = decode(data)
                    except Undecodable:
                        refused += 1
                        continue
                    assert decoded.text == piece, (encoding, decoded.encoding)
                    read += 1
    assert read > 400 < refused


def _is_utf8(data: bytes) -> bool:
    try:
        return bool(data.decode()) and b"\0" not in data
    except UnicodeDecodeError:
        return False


def _encoded(text: str, encoding: str) -> bytes | None:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return None


def test_our_own_documents_with_names_from_elsewhere() -> None:
    """English with one Polish name in cp1250 differs from cp1252 in that name only."""
    for path in sorted((PROJECT / "docs").rglob("*.md")):
        text = path.read_text(encoding="utf-8").replace("\u2014", "-")
        for encoding in ("cp1250", "cp1252", "mac_roman", "cp850"):
            data = _encoded(text, encoding)
            if data is None or text.isascii():
                continue
            with contextlib.suppress(Undecodable):
                assert decode(data).text == text, (path, encoding)
    names = "The head of the team is {} and the plan is kept by the office for all of us. " * 3
    for name in ("Łukasz Wałęsa", "Dvořák", "Kovač", "Božena", "Żółć", "Ţepeş"):
        with pytest.raises(Undecodable):
            decode(names.replace("{}", name).encode("cp1250"))


@pytest.mark.parametrize(
    ("encoding", "mark", "named"),
    [
        ("utf-8", b"", "utf-8"),
        ("utf-8-sig", b"", "utf-8"),
        ("utf-16-le", codecs.BOM_UTF16_LE, "utf-16"),
        ("utf-16-be", codecs.BOM_UTF16_BE, "utf-16"),
        ("utf-32-le", codecs.BOM_UTF32_LE, "utf-32"),
        ("utf-32-be", codecs.BOM_UTF32_BE, "utf-32"),
    ],
)
def test_unicode(encoding: str, mark: bytes, named: str) -> None:
    for text in (*TEXTS.values(), "x", "🙂 naïve\r\nline\n", ""):
        decoded = decode(mark + text.encode(encoding))
        assert (decoded.text, decoded.encoding) == (text, named)


@pytest.mark.parametrize("lang", TEXTS)
def test_one_bad_byte_in_utf8_is_refused_with_its_line(lang: str) -> None:
    lines = [TEXTS[lang]] * 4
    data = "\n".join(lines).encode()
    place = data.index(b"\n", data.index(b"\n") + 1) + 1  # first byte of the third line
    for bad in (b"\xff", b"\xe4", b"\xc3"):
        with pytest.raises(Undecodable, match="UTF-8 with a broken byte in line 3"):
            decode(data[:place] + bad + data[place:])
    with pytest.raises(Undecodable):
        decode(TEXTS[lang].encode()[:-1] + "ü".encode()[:1])


def test_few_letters_and_one_bad_byte() -> None:
    text = "The café opens at nine and the staff of the house may bring a guest to it at noon. " * 5
    with pytest.raises(Undecodable, match="line 1"):
        decode(text.encode().replace(b"caf\xc3\xa9", b"caf\xc3\xe9", 1))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a picture", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00" + bytes(range(256)) * 4),
        ("NULs", b"\0" * 1000),
        ("ASCII and NULs", b"plain text\0more"),
        ("UTF-16 without its mark", TEXTS["de"].encode("utf-16-le")),
        ("a UTF-16 mark before noise", codecs.BOM_UTF16_LE + random.Random(1).randbytes(3001)),
        ("NULs behind a mark", codecs.BOM_UTF16_LE + b"a\0\0\0b\0"),
        ("noise", random.Random(2).randbytes(5000).replace(b"\0", b"\1")),
        ("noise of high bytes", bytes(random.Random(3).randrange(128, 256) for _ in range(5000))),
        ("ISO 2022", TEXTS["ja"].encode("iso2022_jp")),
        ("one word", "Fähre".encode("cp1252")),
        ("a list of names", "Müller\nJosé\nZoë\nChloé\n".encode("cp1252")),
        ("half GBK", TEXTS["zh"].encode("gbk")[:41]),
    ],
)
def test_what_is_no_certain_text_is_refused(name: str, data: bytes) -> None:
    with pytest.raises(Undecodable) as raised:
        decode(data)
    assert str(raised.value)


def test_two_readings_that_hold_are_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    data = TEXTS["ru"].encode("cp1251")
    assert legacy.proved(data)
    monkeypatch.setattr(legacy, "_READINGS", (*legacy._READINGS, ("koi8-r", bool)))
    assert legacy.proved(data) is None


def test_terminal_colours_are_text() -> None:
    assert decode(b"\x1b[31mred\x1b[0m").text == "\x1b[31mred\x1b[0m"


def test_a_large_file_in_an_old_encoding_takes_no_minute() -> None:
    text = TEXTS["de"] * 3000
    assert decode(text.encode("cp1252")).text == text
