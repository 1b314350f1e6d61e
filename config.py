"""Every setting: its name, its default and one sentence. Environment over `brain.toml` over default.

In the environment a setting is `BRAIN_<NAME>` (or its familiar name); in the file it is the name in lower case.
A path in the file is relative to the file, a default to the project's folder, a flag to the working directory.
Knows the standard library and settings/ alone. Try: python config.py
"""

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

from errors import UsageError
from settings.sources import Declared, Span, nearest, sources_of, with_events

PROJECT = Path(__file__).resolve().parent


class Setting(NamedTuple):
    """One row of the table of settings."""

    name: str
    type: type
    default: Any
    sentence: str
    alias: str = ""  # a familiar environment name without the BRAIN_ prefix
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    secret: bool = False  # never shown


SETTINGS = (
    Setting("docs_dir", Path, PROJECT / "docs", "The folder whose documents are answered from."),
    Setting("events_dir", Path, None, "The folder below it into which `POST /events` writes messages and notes, one of its own; unset, that is off."),
    Setting("sources", dict, (), "Parts of that folder with owner, sensitivity, change rate and who may read by default; in `brain.toml` alone, see access.md."),
    Setting("acl_max_hours", float, 0.0, "Hours after which access lists that were not compared with their source hold no more: only what is open to everyone is found; 0 for never.", low=0, high=8760),
    Setting("db", Path, None, "The index file; by default one per docs folder under `.brain/` in the project."),
    Setting("database", str, "", "Address of a PostgreSQL that holds the index instead of a file: postgresql://USER@HOST/NAME, as a role that owns nothing; `--db` goes before it (postgres.md).", secret=True),
    Setting("database_owner", str, "", "The same as the tables' owner; only `python -m postgres.prepare` asks for it.", secret=True),
    Setting("backend", str, "auto", "Which models think.", choices=("auto", "ollama", "openai", "embedded")),
    Setting("ollama_host", str, "http://127.0.0.1:11434", "Where the Ollama server listens.", alias="OLLAMA_HOST"),
    Setting("openai_url", str, "", "Base address of an OpenAI-compatible server, as `http://gpu-host:8000/v1`, for `backend` openai."),
    Setting("openai_embed_url", str, "", "The same of the server that embeds, where it is another."),
    Setting("restricted_hosts", list, (), "Hosts of model servers, besides this machine, that may be sent what stands in restricted sources, separated by commas."),
    Setting("openai_key", str, "", "Key that is sent to these two addresses, if they want one.", secret=True),
    Setting("openai_key_file", Path, None, "A file that holds it instead."),
    Setting("embed_model", str, "", "Embedding model; empty is `qwen3-embedding:0.6b` on Ollama, the only model at `openai_embed_url`, `use+minilm` embedded (`use` alone for small machines)."),
    Setting("chat_model", str, "qwen3.5:9b", "Chat model on Ollama or at `openai_url`; where nobody sets it, the only one there.", alias="QWEN_CHAT_MODEL"),
    Setting("min_score", float, None, "Limit on a passage's cosine; unset, the stored calibration decides.", alias="RAG_MIN_SCORE", low=-1, high=1),
    Setting("min_coverage", float, None, "Limit on the share of a question's content words (weighted by rarity) that a keyword hit must hold; unset, the stored calibration decides.", low=0, high=1),
    Setting("gate_cost", float, 3.0, "What a wrongly answered question costs, in wrongly refused ones, when the limit is measured.", low=0.01, high=100),
    Setting("k", int, 5, "Passages given to the answer.", low=1, high=50),
    Setting("rerank", bool, False, "A second look: the chat model judges what was found before it is answered from."),
    Setting("rerank_min", float, 0.5, "Limit on that judgement, from 0 (another subject) to 1 (states the answer); it refuses beside `min_score`.", low=0, high=1),
    Setting("verify", str, "rules", "Who checks a written answer: the rules alone, or the chat model in addition, which may only refuse.", choices=("rules", "rules+model")),
    Setting("retries", int, 2, "How often the chat model is told what failed the check and writes again.", low=0, high=2),
    Setting("unmasked_paths", list, (), "Documents in which secrets are left as they are: patterns as in `.gitignore`, separated by commas."),
    Setting("unmasked_patterns", list, (), "Secrets that are left as they are: regular expressions that fit all of one, separated by commas."),
    Setting("mask_personal", bool, False, "Masks numbers of bank accounts, cards and persons with a right check digit, too."),
    Setting("chunk_chars", int, 900, "Characters a chunk holds at most, unless one line is longer.", low=200, high=8000),
    Setting("passage_chars", int, 1800, "Characters up to which a found chunk is given together with its neighbours in the same section.", low=0, high=20000),
    Setting("max_file_mb", float, 10.0, "A larger file is skipped and named in the summary.", low=0.001, high=1000),
    Setting("max_document_mb", float, 100.0, "The same for a file that is converted (PDF, office, web, mail): most of it is pictures and fonts; its text counts as a file's of `max_file_mb`.", low=0.001, high=1000),
    Setting("max_pages", int, 2000, "A converted file of more pages, slides or sheets is skipped and named in the summary.", low=1, high=100000),
    Setting("file_seconds", float, 60.0, "Seconds that the conversion of one file may take.", low=0.1, high=3600),
    Setting("file_memory_mb", float, 1024.0, "Memory that the conversion of one file may take, the process that does it included; not limited on Windows and macOS.", low=128, high=64000),
    Setting("num_ctx", int, 8192, "Tokens of the chat model's window; one value, so that the model is not reloaded.", low=1024, high=262144),
    Setting("num_predict", int, 800, "Tokens an answer may take.", low=32, high=8192),
    Setting("keep_alive", str, "30m", "How long Ollama keeps a model in memory after a call."),
    Setting("connect_seconds", float, 3.0, "How long to wait for a connection to a model server.", low=0.05, high=60),
    Setting("read_seconds", float, 300.0, "How long to wait for the next token; loading a model counts.", low=0.1, high=3600),
    Setting("total_seconds", float, 600.0, "How long one model call may take in all.", low=0.1, high=7200),
    Setting("queue", int, 8, "Questions that may wait for the model; one more gets 503 with Retry-After.", low=0, high=10000),
    Setting("follow", bool, True, "The server takes in changed documents as the system tells of them."),
    Setting("sync_every", float, 0.0, "Seconds after which server and `store.py --watch` look at all documents, for folders whose changes nobody tells; 0 for never.", low=0, high=604800),
    Setting("sync_token", str, "", "What `POST /sync` asks for as bearer token; empty, it is off.", secret=True),
    Setting("sync_token_file", Path, None, "A file that holds it instead."),
    Setting("judge_names", bool, False, "The chat model is asked about names that may be one thing's, at most 20 pairs a sync."),
    Setting("read_facts", int, 0, "Calls of the chat model that a sync may make to read facts from prose; 0 for none.", low=0, high=100000),
    Setting("suggest", bool, False, "Answers name up to three questions to ask next that the documents answer; up to eight searches more each."),
    Setting("cache", int, 0, "Answers that the server keeps in memory and gives again while nothing has changed; 0 for none.", low=0, high=100000),
    Setting("host", str, "127.0.0.1", "Address the server binds to; another than loopback needs `auth` or `open`."),
    Setting("port", int, 8000, "Port the server binds to.", low=0, high=65535),
    Setting("open", bool, False, "Allows binding beyond loopback: everyone who reaches the port reads everything."),
    Setting("allowed_hosts", list, (), "Further Host names the server answers to, separated by commas."),
    Setting("allowed_origins", list, (), "Further origins whose pages may post questions, separated by commas."),
    Setting("directory", Path, None, "The file of people and groups that `python -m access.directory sync` reads (directory.md)."),
    Setting("directory_every", Span, Span(""), "How often the server, and `python -m access.sources --due`, do that: `30m`, `6h`; empty, never."),
    Setting("auth", list, ("none",), "What says who asks, separated by commas, tried in this order: `tokens`, `oidc`, `proxy`, `none`."),
    Setting("oidc_issuer", str, "", "The sign-on service whose tokens `oidc` takes: its issuer, as https://login.example.org/realm."),
    Setting("oidc_audience", str, "", "What those tokens must be for: this server's name there."),
    Setting("oidc_keys_url", str, "", "Where the service's public keys (JWKS) are; empty, its discovery document says."),
    Setting("oidc_algorithms", list, ("RS256", "ES256"), "Signatures that are taken, separated by commas; key pairs alone."),
    Setting("oidc_id_claim", str, "sub", "The claim whose text becomes `user:TEXT`."),
    Setting("oidc_groups_claim", str, "", "The claim whose texts become `group:TEXT`; empty, none does."),
    Setting("oidc_skew", float, 60.0, "Seconds by which the service's clock may differ from ours.", low=0, high=600),
    Setting("oidc_keys_hours", float, 24.0, "Hours for which its keys serve when they cannot be fetched anew.", low=0.01, high=720),
    Setting("proxy_addresses", list, (), "Addresses and networks, separated by commas, whose connections may name people in headers."),
    Setting("proxy_user_header", str, "X-Forwarded-User", "The header in which the proxy names the person."),
    Setting("proxy_groups_header", str, "X-Forwarded-Groups", "The header in which it names their groups, separated by commas."),
    Setting("caller", str, "user:local", "Who asks at this machine where `auth` is none: commands, assistants over stdio, the server on loopback."),
    Setting("operators", list, (), "Principals that may sync and see counts and the whole index's state without a token."),
    Setting("writers", list, (), "Principals that may send events without a token."),
    Setting("auditors", list, (), "Principals that may read the audit without a token."),
    Setting("token", str, "", "The token that commands and assistants over stdio send where `auth` asks for one.", secret=True),
    Setting("token_file", Path, None, "A file that holds it instead."),
    Setting("metrics", bool, False, "Counts for Prometheus at `GET /metrics`."),
    Setting("log_format", str, "human", "How the server's log on stderr is written.", choices=("human", "json")),
    Setting("log_questions", bool, False, "Writes questions and answers into the server's log."),
    Setting("audit", bool, True, "Who asked what and was shown which lines is written into the index's audit log."),
    Setting("audit_questions", str, "text", "How a question stands there: as it was asked, or as a hash with the key of `audit_hash_key`.", choices=("text", "hash")),
    Setting("audit_peers", bool, True, "A sign-in stands there with the network address it came from."),
    Setting("audit_hash_key", Path, None, "File of the key, 32 bytes or more, with which questions are hashed."),
    Setting("audit_days", int, 0, "Days after which a sync cuts rows off the audit log; 0 for never.", low=0, high=36500),
    Setting("audit_head_file", Path, None, "File, best on another machine, to which the audit log's head is added as a line."),
    Setting("audit_head_every", int, 100, "Rows after which that is done again.", low=1, high=100000),
    Setting("audit_sign_key", Path, None, "File of the key, 32 bytes or more, with which heads are signed."),
)  # fmt: skip
"""The table of settings, in the order the manual shows them."""


_NAMES = {
    int: "a whole number", float: "a number", bool: "1 or 0", Path: "a path", list: "a list", dict: "tables",
    str: "text", Span: "a time such as 30m or 6h",
}  # fmt: skip
_BY_NAME = {s.name: s for s in SETTINGS}
_BY_VARIABLE = {name: s for s in SETTINGS for name in (f"BRAIN_{s.name.upper()}", s.alias) if name}
_FROM_FILES = ("openai_key", "sync_token")  # `token_file` is read by who sends the token
_FLAGS = {"docs_dir": "--docs", "db": "--db", "k": "-k"}
CONFIG_VARIABLE = "BRAIN_CONFIG"
"""Environment variable that names another file than `brain.toml` in the project's folder."""
BENCH_VARIABLE = "BRAIN_BENCH_POSTGRES"  # with a superuser's address, for eval/bench.py; no setting


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force; see SETTINGS for what each means and its unit."""

    docs_dir: Path
    events_dir: Path | None
    sources: tuple[Declared, ...]
    acl_max_hours: float
    db: Path
    database: str = field(repr=False)
    database_owner: str = field(repr=False)
    backend: str
    ollama_host: str
    openai_url: str
    openai_embed_url: str
    restricted_hosts: tuple[str, ...]
    openai_key: str = field(repr=False)
    openai_key_file: Path | None
    embed_model: str
    chat_model: str
    min_score: float | None
    min_coverage: float | None
    gate_cost: float
    k: int
    rerank: bool
    rerank_min: float
    verify: str
    retries: int
    unmasked_paths: tuple[str, ...]
    unmasked_patterns: tuple[str, ...]
    mask_personal: bool
    chunk_chars: int
    passage_chars: int
    max_file_mb: float
    max_document_mb: float
    max_pages: int
    file_seconds: float
    file_memory_mb: float
    num_ctx: int
    num_predict: int
    keep_alive: str
    connect_seconds: float
    read_seconds: float
    total_seconds: float
    queue: int
    follow: bool
    sync_every: float
    sync_token: str = field(repr=False)
    sync_token_file: Path | None
    judge_names: bool
    read_facts: int
    suggest: bool
    cache: int
    host: str
    port: int
    open: bool
    allowed_hosts: tuple[str, ...]
    allowed_origins: tuple[str, ...]
    directory: Path | None
    directory_every: Span
    auth: tuple[str, ...]
    oidc_issuer: str
    oidc_audience: str
    oidc_keys_url: str
    oidc_algorithms: tuple[str, ...]
    oidc_id_claim: str
    oidc_groups_claim: str
    oidc_skew: float
    oidc_keys_hours: float
    proxy_addresses: tuple[str, ...]
    proxy_user_header: str
    proxy_groups_header: str
    caller: str
    operators: tuple[str, ...]
    writers: tuple[str, ...]
    auditors: tuple[str, ...]
    token: str = field(repr=False)
    token_file: Path | None
    metrics: bool
    log_format: str
    log_questions: bool
    audit: bool
    audit_questions: str
    audit_peers: bool
    audit_hash_key: Path | None
    audit_days: int
    audit_head_file: Path | None
    audit_head_every: int
    audit_sign_key: Path | None


def load(flags: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """Settings from `flags` (name -> value, None ignored) over the environment over the file over the defaults.

    Raises UsageError for an unknown name, a value of the wrong type or out of range, or a file that cannot be read.
    """
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {s.name: s.default for s in SETTINGS}
    values |= _from_file(environment)
    values |= _from_environment(environment)
    flags = {name: value for name, value in (flags or {}).items() if value is not None}
    if "db" in flags:  # whoever names a file means it
        values["database"] = ""
    for name, value in flags.items():
        values[name] = _convert(_BY_NAME[name], value, _FLAGS.get(name, name), Path.cwd())
    for name in _FROM_FILES:
        if not values[name] and (path := values[f"{name}_file"]):
            values[name] = _held_in(path, name)
    values["docs_dir"] = Path(os.path.abspath(values["docs_dir"]))
    if values["events_dir"]:
        guarded = any(kind != "none" for kind in values["auth"])
        values["sources"] = with_events(tuple(values["sources"]), values["events_dir"], values["docs_dir"], guarded)
    values["db"] = values["db"] or _default_db(values["docs_dir"])
    for setting in SETTINGS:
        if setting.type is list:
            values[setting.name] = tuple(values[setting.name])
    return Settings(**values)


def _default_db(docs_dir: Path) -> Path:
    import hashlib

    digest = hashlib.sha256(os.path.normcase(str(docs_dir)).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return PROJECT / ".brain" / f"{docs_dir.name[:40] or 'root'}-{digest}.db"


def _from_file(environment: Mapping[str, str]) -> dict[str, Any]:
    named = environment.get(CONFIG_VARIABLE)
    path = Path(named) if named else PROJECT / "brain.toml"
    if not named and not path.exists():
        return {}
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}. Correct the file, or unset {CONFIG_VARIABLE}.") from error
    values = {}
    for name, value in table.items():
        if name not in _BY_NAME:
            raise UsageError(f"{path}: unknown setting `{name}`.{nearest(name, _BY_NAME)} Run: python config.py")
        values[name] = _convert(_BY_NAME[name], value, f"{path}: {name}", path.resolve().parent)
        if _BY_NAME[name].secret and _is_secret(values[name]):
            raise UsageError(f"{path}: `{name}` is a secret, which no file of settings may hold. {_elsewhere(name)}")
    return values


def _held_in(path: Path, name: str) -> str:
    try:
        held = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        told = getattr(error, "strerror", None) or "no UTF-8 text"
        raise UsageError(f"{name}_file: {path} cannot be read: {told}. Run: ls -l {path}") from error
    if not held:
        raise UsageError(f"{name}_file: {path} is empty. Write the secret into it.")
    return held


def _is_secret(value: str) -> bool:
    """Of a secret setting: any text; an address of a database only where a password stands in it."""
    if not value.startswith(("postgresql://", "postgres://")):
        return bool(value)
    from urllib.parse import parse_qs, urlsplit

    try:
        parts = urlsplit(value)
        return parts.password is not None or bool({"password", "sslpassword"} & set(parse_qs(parts.query)))
    except ValueError:
        return True


def _elsewhere(name: str) -> str:
    variable = f"BRAIN_{name.upper()}"
    if name.startswith("database"):
        return (
            f"Leave the password out there and put it into a file that only you can read, ~/.pgpass or the one that "
            f"PGPASSFILE names; or take the line out and set {variable} in the environment."
        )
    also = f", or name a file that holds it: `{name}_file`" if f"{name}_file" in _BY_NAME else ""
    return f"Take the line out, set {variable} in the environment{also}. Change the secret if others could read it."


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for variable in sorted(environment, key=lambda v: v.startswith("BRAIN_")):  # BRAIN_ wins over a familiar name
        setting = _BY_VARIABLE.get(variable)
        if setting is None:
            if variable.startswith("BRAIN_") and variable not in (CONFIG_VARIABLE, BENCH_VARIABLE):
                hint = nearest(variable, [*_BY_VARIABLE, CONFIG_VARIABLE])
                raise UsageError(f"Unknown environment variable {variable}.{hint} Run: python config.py")
        elif environment[variable].strip():
            values[setting.name] = _convert(setting, environment[variable].strip(), variable, Path.cwd())
    return values


def _convert(setting: Setting, value: Any, where: str, base: Path) -> Any:
    try:
        converted = _typed(setting.type, value, base)
    except (TypeError, ValueError, RuntimeError) as error:  # RuntimeError: the ~ of nobody known
        told = "its value" if setting.secret else repr(value)
        raise UsageError(f"{where}: {told} is not {_wanted(setting)}.") from error
    if setting.choices and converted not in setting.choices:
        raise UsageError(f"{where}: {value!r} is not {_wanted(setting)}.{nearest(str(value), setting.choices)}")
    too_low = setting.low is not None and not converted >= setting.low  # `not >=` also refuses NaN
    too_high = setting.high is not None and not converted <= setting.high
    if too_low or too_high:
        raise UsageError(f"{where}: {value!r} is not {_wanted(setting)}.")
    return converted


def _typed(wanted: type, value: Any, base: Path) -> Any:
    if wanted is bool:
        word = str(value).lower()
        if word not in ("1", "true", "yes", "on", "0", "false", "no", "off"):
            raise ValueError(word)
        return word in ("1", "true", "yes", "on")
    if wanted is list:
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
            raise TypeError
        return [part.strip() for part in parts if part.strip()]
    if isinstance(value, bool):
        raise TypeError
    if wanted is dict:
        return sources_of(value)
    if wanted is Path:
        if not isinstance(value, str | os.PathLike) or not str(value).strip() or "\0" in str(value):
            raise TypeError
        return Path(os.path.abspath(base / Path(value).expanduser()))
    if wanted is str and not isinstance(value, str):
        raise TypeError
    if wanted is int and isinstance(value, float):
        raise TypeError
    return wanted(value)


def _wanted(setting: Setting) -> str:
    if setting.choices:
        return "one of " + ", ".join(setting.choices)
    limits = f" from {setting.low:g} to {setting.high:g}" if setting.low is not None else ""
    return _NAMES[setting.type] + limits


def main(argv: Sequence[str] | None = None) -> int:
    """Prints every setting with the value in force. Exit 0. Raises UsageError when one is wrong."""
    import argparse

    about = "Show every setting, its value in force and what it means."
    argparse.ArgumentParser(description=about, epilog="example: BRAIN_PORT=8080 python config.py").parse_args(argv)
    settings = load()
    for setting in SETTINGS:
        variable = setting.alias or f"BRAIN_{setting.name.upper()}"
        value = getattr(settings, setting.name)
        print(f"{variable} = {'set' if setting.secret and value else value}\n    {setting.sentence}")
    return 0


assert [f.name for f in fields(Settings)] == [s.name for s in SETTINGS]

if __name__ == "__main__":
    import commandline

    commandline.run(main)
