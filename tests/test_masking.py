"""Secrets are replaced before anything is stored, shown or logged; special data needs a reason. All are made here.

Try: pytest tests/test_masking.py
"""

import json
import random
import string
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from answering.recorded import Log
from config import Settings, load
from errors import UsageError
from eval import secrets as measured
from eval.secret_held import HELD
from eval.secret_made import ALNUM, Form, leaked, pem, planted, some
from eval.secret_open import OPEN, PLAIN
from masking import mask, mask_line
from search import Index
from service.documents import document_lines
from storage import feedback as judgements
from storage.feedback import Judgement
from tests.conftest import HashEmbedder, caller, write

MakeIndex = Callable[..., Index]
WORD = "Larch"
SECRETS = [
    f"{WORD}!{place}{n}"
    for n, place in enumerate(("Front", "Head", "Cell", "Below", "Mail", "Sheet", "Text", "Fence"), 70)
]
FRONT, HEAD, CELL, BELOW, MAIL, SHEET, TEXT, FENCE = SECRETS
KEY = pem("RSA", 6)(random.Random(5))
ROUTER = (
    f"---\ntitle: Router\nadmin_password: {FRONT}\nowner: IT\n---\n# Router, password {HEAD}\n\n"
    "It stands in the hall.\n\n"
    f"| System | Password |\n|---|---|\n| CRM | {CELL} |\n| ERP | see the vault |\n\n```\npassword: {FENCE}\n```\n\n"
    f"Key:\n\n{KEY}\n\nPassword:\n{BELOW}\n\nThe end.\n"
)


def mail() -> bytes:
    made = EmailMessage()
    made["Subject"] = f"The VPN, password {MAIL}"
    made["From"], made["To"] = "ada@example.org", "ben@example.org"
    made.set_content("See the subject.\n")
    return bytes(made)


def stored(index: Index) -> str:
    """Every text of every table of the index file."""
    connection = index.store.connection()
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    rows = (row for table in tables for row in connection.execute(f'SELECT * FROM "{table}"'))
    return "\n".join(str(value) for row in rows for value in row)


@pytest.mark.parametrize(("forms", "seed"), [(OPEN, 1), (HELD, 2)], ids=["open", "held"])
def test_planted_secrets_are_found(forms: tuple[Form, ...], seed: int) -> None:
    cases = [*planted(forms, seed, 2)]
    missed = sum(leaked(case.secret, mask(case.text).text) for case in cases)
    assert missed <= 0.05 * len(cases)


@pytest.mark.parametrize("line", PLAIN)
def test_what_only_looks_like_a_secret_stays(line: str) -> None:
    assert mask(line).text == line


def test_the_demo_pages_stay_as_they_are() -> None:
    touched = [path for half in ("open", "held") for path, text in measured.ordinary(half, None) if mask(text).found]
    assert touched == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"Password: {TEXT}", "Password: (secret removed, password, line 1)"),
        (f"a\r\nuse {TEXT} as password\rb\r", "a\r\nuse (secret removed, password, line 2) as password\rb\r"),
        (f"postgres://app:{TEXT}@db/crm", "postgres://app:(secret removed, connection string, line 1)@db/crm"),
        (f"x `{TEXT}` is the password.", "x `(secret removed, password, line 1)` is the password."),
        ("Passphrase: \"amber river stone quiet\"", "Passphrase: \"(secret removed, password, line 1)\""),
        ("IBAN DE89 3704 0044 0532 0130 00", "IBAN (secret removed, account number, line 1)"),
        ("4111 1111 1111 1111, 4000123456789011", "(secret removed, card number, line 1), 4000123456789011"),
    ],
)  # fmt: skip
def test_the_mark_names_kind_and_line_and_nothing_else_changes(text: str, told: str) -> None:
    assert mask(text, with_personal=True).text == told


def test_a_private_key_keeps_its_lines_and_is_counted_once() -> None:
    text = f"before\n> {KEY}\nafter".replace("\n", "\n> ")
    masked = mask(text)
    assert masked.found == (("private key", "line 2"),)
    assert masked.text.split("\n")[1:4] == ["> > (secret removed, private key, line 2)", "> (removed)", "> (removed)"]
    assert masked.text.count("\n") == text.count("\n")
    assert masked.text.endswith("> after")


def test_a_key_that_a_line_end_cuts_in_two_goes_as_a_whole() -> None:
    key = some(ALNUM, 60)(random.Random(3))
    masked = mask(f"> token: {key[:35]}\n> {key[35:]}\n> and so on")
    assert masked.text == "> token: (secret removed, token, line 1)\n> (secret removed, token, line 2)\n> and so on"


def test_two_secrets_of_a_row_and_one_below_are_all_found() -> None:
    key = some(ALNUM, 40)(random.Random(4))
    text = f"| System | Password | Note |\n|---|---|---|\n| CRM | {CELL} | {key} |\nPassword:\n{BELOW}\n"
    assert not any(one in mask(text).text for one in (CELL, key, BELOW))


def test_lines_stay_whatever_a_text_holds_and_marks_are_no_secrets() -> None:
    rng = random.Random(7)
    pieces = [
        "password: ",
        "token=",
        TEXT,
        "|",
        "---",
        "\n",
        "\r\n",
        "\r",
        "-----BEGIN PRIVATE KEY-----",
        KEY,
        "://a:",
        "@b",
    ]
    for _ in range(300):
        text = "".join(rng.choice([*pieces, rng.choice(string.printable), "x" * 30]) for _ in range(rng.randint(1, 40)))
        once = mask(text).text
        assert [c for c in once if c in "\r\n"] == [c for c in text if c in "\r\n"]
        assert mask(once).text.count("(secret removed") >= once.count("(secret removed")


def test_nothing_stored_or_shown_holds_a_secret(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {
        "router.md": ROUTER, "mail.eml": mail(), "sheet.csv": f"System,Passwort\nCRM,{SHEET}\n",
        "note.txt": f"The password is {TEXT}.\n", f"VPN password {WORD}!Name99.md": "# VPN\n\nHow to use it.\n",
    })  # fmt: skip
    embedder = HashEmbedder()
    index = make_index(docs, embedder)
    summary = index.sync()
    everything = [stored(index), str(summary), *embedder.texts]
    everything += [document_lines(index, caller(), path, 1, 99).text for path in ("router.md", "mail.eml", "sheet.csv")]
    assert WORD not in "\n".join(everything)
    assert KEY.split("\n")[2] not in "\n".join(everything)
    assert f"{WORD}".encode() not in index.store.path.read_bytes()
    router = document_lines(index, caller(), "router.md", 1, 99).text.split("\n")
    assert len(router) == ROUTER.count("\n")
    assert router[2] == "admin_password: (secret removed, password, line 3)"
    notes = dict(summary.notes)
    assert notes["router.md"].startswith("6 secrets were removed: password 5, private key 1 (line 3, line 6, line 12")
    assert dict(summary.skipped) == {
        "VPN password (secret removed, password)": "its name holds a secret. Rename it, and change the secret"
    }
    assert "owner" in stored(index)  # the mark leaves front matter readable


def test_what_is_spared_by_path_or_pattern_changes_with_the_setting(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {"samples/one.md": f"# One\n\nPassword: {TEXT}\n", "two.md": f"# Two\n\nPassword: {TEXT}\n"})

    def held(**values: object) -> list[str]:
        index = make_index(docs, None, **values)
        index.sync()
        rows = index.store.connection().execute(
            "SELECT path FROM documents d JOIN chunks c ON c.document_id = d.id WHERE text LIKE ? ORDER BY path",
            (f"%{TEXT}%",),
        )
        return [path for (path,) in rows]

    assert held() == []
    assert held(unmasked_paths=["Samples/"]) == ["samples/one.md"]
    assert held(unmasked_patterns=[rf"{WORD}!.*"]) == ["samples/one.md", "two.md"]
    assert held() == []
    assert held(unmasked_paths=["*.md"]) == ["samples/one.md", "two.md"]
    assert held() == []
    assert held(unmasked_patterns=[WORD]) == []  # fits a part alone
    again = make_index(docs, None, unmasked_patterns=[WORD])
    assert again.sync().unchanged == 6
    assert held() == []
    index = make_index(docs, None)
    assert index.sync().unchanged == 6  # and no document is read again without need


def test_a_pattern_that_is_none_is_an_error(docs: Path, make_index: MakeIndex) -> None:
    with pytest.raises(UsageError, match=r"unmasked_patterns: '\(' is no regular expression"):
        make_index(docs, None, unmasked_patterns=["("]).sync()


def settings_in(folder: Path, text: str) -> Settings:
    (folder / "brain.toml").write_text(text)
    return load({"docs_dir": folder / "docs", "db": folder / "index.db"}, {"BRAIN_CONFIG": str(folder / "brain.toml")})


SPECIAL = {
    "hr/sick.md": "---\ntitle: Sick\nspecial: Health\n---\n# Sick\n\nAnna was ill.\n",
    "hr/both.txt": "---\nspecial: [health, union]\n---\nBen is a member.\n",
    "hr/sheet.csv": "Special: health\nname,days\nAnna,3\n",
    "hr/typo.md": "---\nspecial: helath\n---\n# Typo\n\nBen was ill.\n",
    "hr/broken.md": "---\nspecial: {health\ntitle: [\n---\n# Broken\n\nBen was ill.\n",
    "hr/plain.md": "# Plain\n\nA special: health is what counts.\n",
}


def test_special_data_is_left_out_without_a_reason(tmp_path: Path, docs: Path, make_index: MakeIndex) -> None:
    write(docs, SPECIAL)
    index = make_index(docs, None)
    told = dict(index.sync().skipped)
    assert sorted(told) == ["hr/both.txt", "hr/broken.md", "hr/sheet.csv", "hr/sick.md", "hr/typo.md"]
    assert told["hr/sick.md"] == (
        "holds special-category data (health), and no [sources.NAME] in brain.toml says by special_categories and "
        "reason why it is kept"
    )
    assert "'helath', which is none of: origin, politics" in told["hr/typo.md"]
    declared = '[sources.hr]\npath = "hr"\nowner = "user:local"\nspecial_categories = ["health"]\nreason = "sick pay"\n'
    index.settings = settings_in(tmp_path, declared)
    assert sorted(path for path, _ in index.sync().skipped) == ["hr/both.txt", "hr/broken.md", "hr/typo.md"]
    index.settings = settings_in(tmp_path, declared.replace("health", "union"))
    assert "hr/sick.md" in dict(index.sync().skipped)  # the file is as it was, the declaration is not
    assert index.store.connection().execute("SELECT count(*) FROM documents WHERE path = 'hr/sick.md'").fetchone() == (
        0,
    )


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('special_categories = ["health"]', "needs a `reason`"),
        ('special_categories = ["health"]\nreason = " "', "needs a `reason`"),
        ('special_categories = "health"\nreason = "x"', "is no list of origin"),
        ('special_categories = ["wealth"]\nreason = "x"', "is no list of origin"),
    ],
)
def test_a_declaration_of_special_data_is_whole(tmp_path: Path, more: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        settings_in(tmp_path, f'[sources.hr]\npath = "hr"\n{more}\n')


def test_a_question_and_a_judgement_are_kept_without_their_secrets(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    asked = f"Does the password {TEXT} still work?"
    entry = Log(index.settings, index.store, print).entry("search", "cli", caller(), asked)
    entry.failed("not_found")
    judged = Judgement(
        id="1", created_at=judgements.now(), caller="user:ada", question=asked, narrowed={}, lang="en", verdict="wrong",
        note=f"line one\npassword: {TEXT}", status="answered", answer=f"{TEXT} is the password.", sources=[], model="",
        limits={},
    )  # fmt: skip
    judgements.put(index.store, judged)
    assert WORD not in stored(index)
    (row,) = index.store.connection().execute("SELECT body FROM audit WHERE kind = 'search'").fetchone()
    assert json.loads(row)["question"] == "Does the password (secret removed, password) still work?"
    assert judgements.found(index.store, "1").note == "line one\npassword: (secret removed, password)"


def test_a_line_that_is_no_document_names_no_line() -> None:
    assert mask_line(f"password: {TEXT}") == "password: (secret removed, password)"
    assert mask_line("How many days of leave?") == "How many days of leave?"
