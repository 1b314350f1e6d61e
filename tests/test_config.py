"""Settings: which source wins, what paths are relative to, what is refused, and that the manual tells the same."""

import re
from pathlib import Path
from typing import Any

import pytest

import config
from config import PROJECT, SETTINGS, Setting, load
from errors import UsageError


@pytest.fixture
def toml(tmp_path: Path) -> Path:
    path = tmp_path / "conf" / "brain.toml"
    path.parent.mkdir()
    path.touch()
    return path


def read(toml: Path, text: str = "", environment: dict[str, str] | None = None, **flags: Any) -> config.Settings:
    toml.write_text(text, encoding="utf-8")
    return load(flags, {"BRAIN_CONFIG": str(toml), **(environment or {})})


def test_defaults(toml: Path) -> None:
    settings = read(toml)
    for setting in SETTINGS:
        if setting.name != "db":
            assert getattr(settings, setting.name) == setting.default
    assert settings.docs_dir == PROJECT / "docs"
    assert re.fullmatch(r"docs-[0-9a-f]{8}\.db", settings.db.name)
    assert settings.db.parent == PROJECT / ".brain"


def test_a_flag_over_the_environment_over_the_file_over_the_default(toml: Path) -> None:
    assert read(toml).k == 5
    assert read(toml, "k = 6").k == 6
    assert read(toml, "k = 6", {"BRAIN_K": "7"}).k == 7
    assert read(toml, "k = 6", {"BRAIN_K": "7"}, k=8).k == 8
    assert read(toml, "k = 6", {"BRAIN_K": "7"}, k=None).k == 7
    assert read(toml, "k = 6", {"BRAIN_K": " "}).k == 6, "set to nothing is unset"


@pytest.mark.parametrize(
    ("variable", "value", "name", "expected"),
    [
        ("QWEN_CHAT_MODEL", "qwen3:4b", "chat_model", "qwen3:4b"),
        ("RAG_MIN_SCORE", "0.4", "min_score", 0.4),
        ("OLLAMA_HOST", "http://10.0.0.2:11434", "ollama_host", "http://10.0.0.2:11434"),
        ("BRAIN_MIN_SCORE", "-1", "min_score", -1.0),
        ("BRAIN_OPEN", "Yes", "open", True),
        ("BRAIN_OPEN", "0", "open", False),
        ("BRAIN_ALLOWED_HOSTS", " a.example, b.example ,", "allowed_hosts", ("a.example", "b.example")),
        ("BRAIN_MAX_FILE_MB", "2.5", "max_file_mb", 2.5),
        ("BRAIN_BACKEND", "embedded", "backend", "embedded"),
    ],
)
def test_environment(toml: Path, variable: str, value: str, name: str, expected: object) -> None:
    assert getattr(read(toml, "", {variable: value}), name) == expected


def test_our_own_name_wins_over_the_familiar_one(toml: Path) -> None:
    assert read(toml, "", {"RAG_MIN_SCORE": "0.4", "BRAIN_MIN_SCORE": "0.5"}).min_score == 0.5
    assert read(toml, "", {"BRAIN_MIN_SCORE": "0.5", "RAG_MIN_SCORE": "0.4"}).min_score == 0.5


def test_file_values(toml: Path) -> None:
    settings = read(toml, '\ufeffmin_score = 1\nopen = true\nallowed_origins = ["https://a.example"]\nk = 3\n')
    assert (settings.min_score, settings.open, settings.allowed_origins, settings.k) == (
        1.0, True, ("https://a.example",), 3,
    )  # fmt: skip


def test_what_a_path_is_relative_to(toml: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert read(toml, 'docs_dir = "notes"').docs_dir == toml.parent / "notes"
    assert read(toml, 'docs_dir = "../notes"\ndb = "x.db"').db == toml.parent / "x.db"
    assert read(toml, "", {"BRAIN_DOCS_DIR": "notes"}).docs_dir == tmp_path / "here" / "notes"
    assert read(toml, docs_dir="notes").docs_dir == tmp_path / "here" / "notes"
    assert read(toml, "").docs_dir == PROJECT / "docs"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read(toml, docs_dir="~/notes").docs_dir == tmp_path / "notes"
    monkeypatch.chdir(toml.parent)
    assert load({}, {"BRAIN_CONFIG": "brain.toml"}).docs_dir == PROJECT / "docs"


def test_each_docs_folder_has_an_index_of_its_own(toml: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a" / "docs", tmp_path / "b" / "docs"
    dbs = [read(toml, docs_dir=folder).db for folder in (first, second, first)]
    assert dbs[0] == dbs[2] != dbs[1]
    assert read(toml, docs_dir=first, db="x.db").db == Path.cwd() / "x.db"
    assert len(read(toml, docs_dir=tmp_path / ("ü" * 120)).db.name.encode()) < 200, "a file name has 255 bytes"


WRONG = [
    ({"BRAIN_K": "five"}, "", "BRAIN_K: 'five' is not a whole number from 1 to 50"),
    ({"BRAIN_K": "5.0"}, "", "BRAIN_K: '5.0' is not a whole number"),
    ({"BRAIN_K": "0"}, "", "BRAIN_K: '0' is not a whole number from 1 to 50"),
    ({"BRAIN_K": "51"}, "", "from 1 to 50"),
    ({"RAG_MIN_SCORE": "nan"}, "", "RAG_MIN_SCORE: 'nan' is not a number from -1 to 1"),
    ({"RAG_MIN_SCORE": "1.01"}, "", "from -1 to 1"),
    ({"BRAIN_TOTAL_SECONDS": "inf"}, "", "BRAIN_TOTAL_SECONDS"),
    ({"BRAIN_OPEN": "maybe"}, "", "BRAIN_OPEN: 'maybe' is not 1 or 0"),
    ({"BRAIN_BACKEND": "olama"}, "", "one of auto, ollama, openai, embedded. Did you mean ollama?"),
    ({"BRAIN_DOCS_DIR": "~no-such-person/x"}, "", "is not a path"),
    ({}, "k = 5.0", "k: 5.0 is not a whole number"),
    ({}, "k = true", "k: True is not a whole number"),
    ({}, 'k = "many"', "k: 'many' is not a whole number"),
    ({}, "chat_model = 3", "chat_model: 3 is not text"),
    ({}, "docs_dir = 3", "docs_dir: 3 is not a path"),
    ({}, 'db = ""', "db: '' is not a path"),
    ({}, 'db = "a\\u0000b"', "is not a path"),
    ({}, "open = 2", "open: 2 is not 1 or 0"),
    ({}, "min_score = nan", "min_score"),
    ({}, "allowed_hosts = 3", "allowed_hosts: 3 is not a list"),
    ({}, "allowed_hosts = [3]", "allowed_hosts"),
    ({}, "[allowed_hosts]\na = 1", "allowed_hosts"),
    ({}, "k = ", "cannot be read"),
]


@pytest.mark.parametrize(("environment", "text", "said"), WRONG)
def test_a_wrong_value_names_itself(toml: Path, environment: dict[str, str], text: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        read(toml, text, environment)
    assert said in str(raised.value)
    if text:
        assert str(toml) in str(raised.value)


@pytest.mark.parametrize(("flag", "value", "said"), [("k", 0, "-k: 0"), ("docs_dir", "", "--docs"), ("db", "", "--db")])
def test_a_wrong_flag_is_named_as_it_is_typed(toml: Path, flag: str, value: object, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        load({flag: value}, {"BRAIN_CONFIG": str(toml)})


@pytest.mark.parametrize(
    ("environment", "text", "said"),
    [
        ({"BRAIN_CHUNK_CHAR": "900"}, "", "BRAIN_CHUNK_CHAR. Did you mean BRAIN_CHUNK_CHARS?"),
        ({"BRAIN_QWEN_CHAT_MODEL": "x"}, "", "Did you mean BRAIN_CHAT_MODEL?"),
        ({"BRAIN_CONFIGURATION": "x"}, "", "Did you mean BRAIN_CONFIG?"),
        ({}, "chunk_char = 900", "unknown setting `chunk_char`. Did you mean chunk_chars?"),
        ({}, "zzzzzz = 1", "unknown setting `zzzzzz`. Run:"),
        ({}, "[server]\nport = 1", "unknown setting `server`"),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest(
    toml: Path, environment: dict[str, str], text: str, said: str
) -> None:
    with pytest.raises(UsageError) as raised:
        read(toml, text, environment)
    assert said in str(raised.value)


def test_other_variables_are_nobodys_business(toml: Path) -> None:
    assert read(toml, "", {"BRAINSTORM": "1", "PATH": "x", "K": "99"}).k == 5


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00", b"k = [", "folder"])
def test_a_named_file_that_cannot_be_read(tmp_path: Path, content: bytes | str | None) -> None:
    path = tmp_path / "named.toml"
    if content == "folder":
        path.mkdir()
    elif isinstance(content, bytes):
        path.write_bytes(content)
    with pytest.raises(UsageError, match=re.escape(str(path))):
        load({}, {"BRAIN_CONFIG": str(path)})


def test_the_projects_own_file_is_read(toml: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toml.write_text("k = 9", encoding="utf-8")
    monkeypatch.setattr(config, "PROJECT", toml.parent)
    assert load({}, {}).k == 9
    toml.unlink()
    assert load({}, {}).k == 5


def test_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, toml: Path) -> None:
    monkeypatch.setattr("sys.argv", ["config.py"])
    monkeypatch.setenv("BRAIN_CONFIG", str(toml))
    monkeypatch.setenv("BRAIN_PORT", "8123")
    assert config.main() == 0
    out = capsys.readouterr().out
    assert "BRAIN_PORT = 8123\n    Port the server binds to." in out
    monkeypatch.setenv("BRAIN_PORT", "x")
    with pytest.raises(UsageError, match="BRAIN_PORT"):
        config.main()


def _told_default(setting: Setting) -> str:
    if setting.name == "db":
        return "`.brain/<folder>-<hash>.db`"
    if setting.default is None:
        return "unset"
    if isinstance(setting.default, Path):
        return f"`{setting.default.relative_to(PROJECT).as_posix()}`"
    if setting.type is bool:
        return f"`{int(setting.default)}`"
    if setting.type is list and setting.default:
        return f"`{','.join(setting.default)}`"
    return f"`{setting.default}`" if setting.default not in ("", ()) else "empty"


def _told_sentence(setting: Setting) -> str:
    choices = f" One of {', '.join(f'`{choice}`' for choice in setting.choices)}." if setting.choices else ""
    limits = f" From {setting.low:g} to {setting.high:g}." if setting.low is not None else ""
    return setting.sentence + choices + limits


def test_the_manual_tells_every_setting_as_it_is() -> None:
    manual = (PROJECT / "manual" / "settings.md").read_text(encoding="utf-8")
    rows = [tuple(cell.strip() for cell in line.strip("| ").split(" | ")) for line in manual.splitlines()]
    found = [row for row in rows if row[0].startswith("`BRAIN_") and len(row) == 4]
    variables = [f"`BRAIN_{s.name.upper()}`" + (f" or `{s.alias}`" if s.alias else "") for s in SETTINGS]
    assert found == [
        (variable, f"`{s.name}`", _told_default(s), _told_sentence(s))
        for variable, s in zip(variables, SETTINGS, strict=True)
    ]


def test_every_setting_has_a_whole_sentence() -> None:
    for setting in SETTINGS:
        assert setting.sentence[0].isupper(), setting.name
        assert setting.sentence.endswith("."), setting.name
        assert (setting.low is None) == (setting.high is None), setting.name


SECRETS = [
    ('openai_key = "k3y"', "`openai_key` is a secret", "BRAIN_OPENAI_KEY in the environment, or name a file"),
    ('sync_token = "k3y"', "`sync_token` is a secret", "`sync_token_file`"),
    ('token = "k3y"', "`token` is a secret", "`token_file`"),
    ('database = "postgresql://app:k3y@db/brain"', "`database` is a secret", "~/.pgpass"),
    ('database = "postgresql://db/brain?user=app&password=k3y"', "`database` is a secret", "BRAIN_DATABASE"),
    ('database_owner = "host=db password=k3y"', "`database_owner` is a secret", "BRAIN_DATABASE_OWNER"),
]


@pytest.mark.parametrize(("text", "said", "helps"), SECRETS)
def test_no_secret_stands_in_the_file(toml: Path, text: str, said: str, helps: str) -> None:
    with pytest.raises(UsageError) as raised:
        read(toml, text)
    told = str(raised.value)
    assert (said in told, helps in told, str(toml) in told, "k3y" in told) == (True, True, True, False)
    name, _, value = text.partition(" = ")
    assert getattr(read(toml, "", {f"BRAIN_{name.upper()}": value.strip('"')}), name) == value.strip('"')


def test_every_secret_is_refused() -> None:
    assert {text.split()[0] for text, *_ in SECRETS} == {setting.name for setting in SETTINGS if setting.secret}


def test_an_address_without_a_password_is_no_secret(toml: Path) -> None:
    assert read(toml, 'database = "postgresql://app@db/brain"').database == "postgresql://app@db/brain"
    assert read(toml, 'openai_key = ""').openai_key == ""


def test_a_secret_in_a_file_of_its_own(toml: Path) -> None:
    key = toml.parent / "key"
    key.write_text("k3y\n")
    for name in ("openai_key", "sync_token"):
        assert getattr(read(toml, f'{name}_file = "key"'), name) == "k3y"
        assert getattr(read(toml, f'{name}_file = "key"', {f"BRAIN_{name.upper()}": "own"}), name) == "own"
    for content, said in ((b" ", "is empty"), (b"\xff", "cannot be read: no UTF-8")):
        key.write_bytes(content)
        with pytest.raises(UsageError, match=said):
            read(toml, 'openai_key_file = "key"')
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read(toml, 'openai_key_file = "none"')


def test_a_named_file_goes_before_the_database(toml: Path) -> None:
    environment = {"BRAIN_DATABASE": "postgresql://app@db/brain"}
    assert read(toml, "", environment).database
    assert read(toml, "", environment, db="x.db").database == ""
    assert read(toml, "", {**environment, "BRAIN_DB": "x.db"}).database, "the environment may hold both"
