"""The files in deploy/: what they set is known, what they publish stays on this machine, what stands in front works.

nginx and Caddy are run where they are installed, before doubles of the sign-on and of the product over real sockets.
No container engine is asked: the Dockerfile and the compose file are read, not built.
"""

import configparser
import contextlib
import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from config import PROJECT, Settings, load

DEPLOY = PROJECT / "deploy"
NAME = "brain.example.org"


def text_of(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def instructions() -> list[tuple[str, str]]:
    joined = re.sub(r"\\\n\s*", "", text_of("Dockerfile"))
    rows = (line.split(None, 1) for line in joined.splitlines() if line.strip() and not line.startswith("#"))
    return [(word, rest) for word, rest in rows]


def settings_in(pairs: list[str]) -> Settings:
    """What the product makes of `NAME=value` pairs; an unknown name of ours is an error there."""
    values = dict(pair.split("=", 1) for pair in pairs)
    return load({}, values)


def test_the_container_sets_what_is_known() -> None:
    pairs = [pair for word, rest in instructions() if word == "ENV" for pair in rest.split() if "BRAIN_" in pair]
    settings = settings_in(pairs)
    assert (settings.docs_dir.as_posix(), settings.db.as_posix()) == ("/documents", "/data/brain.db")
    assert settings.open
    assert [rest for word, rest in instructions() if word == "EXPOSE"] == [str(settings.port)]


def test_the_container_runs_as_nobody_of_the_host() -> None:
    words = [word for word, _ in instructions()]
    assert words.index("USER") < words.index("CMD")
    assert dict(instructions())["USER"] not in ("root", "0")
    assert dict(instructions())["FROM"].split(":")[1] not in ("latest", "")


def test_the_container_holds_what_it_runs() -> None:
    copied = [rest.split()[:-1] for word, rest in instructions() if word == "COPY"]
    assert all((PROJECT / name).exists() for names in copied for name in names)
    left_out = (PROJECT / ".dockerignore").read_text(encoding="utf-8").split()
    needed = {path.parent.name for path in PROJECT.glob("*/__init__.py")} | {"web", "docs", "data"} - {"tests"}
    assert (needed - {"tests"}).isdisjoint(left_out)
    program = re.findall(r'"([^"]+)"', dict(instructions())["CMD"])
    assert program[0] == "python"
    assert (PROJECT / program[1]).exists()


def test_compose_publishes_on_this_machine_alone() -> None:
    services: dict[str, Any] = yaml.safe_load(text_of("compose.yaml"))["services"]
    published = [port for service in services.values() for port in service.get("ports", ())]
    assert published
    assert all(str(port).startswith("127.0.0.1:") for port in published)
    assert not any(service.get("privileged") or service.get("network_mode") for service in services.values())
    assert all(re.search(r":[0-9]+\.[0-9]", service["image"]) for service in services.values() if "image" in service)
    brain = services["brain"]
    assert brain["read_only"]
    assert any(volume.endswith(":/documents:ro") for volume in brain["volumes"])
    settings_in([f"{name}={value}" for name, value in brain["environment"].items() if "$" not in value])
    assert brain["environment"]["OLLAMA_HOST"].startswith("http://ollama:")
    assert {name for name, value in brain["environment"].items() if "$" in value} == {"BRAIN_ALLOWED_HOSTS"}


def test_compose_fetches_the_models_that_are_the_defaults() -> None:
    services = yaml.safe_load(text_of("compose.yaml"))["services"]
    fetched = re.findall(r"ollama pull (\S+)", services["models"]["entrypoint"][-1])
    assert load({}, {}).chat_model in fetched
    assert len(fetched) == 2


def test_the_unit_and_the_commands_have_the_same_settings(tmp_path: Path) -> None:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(text_of("company-brain.service"))
    assert not re.search("^Environment(File)?=", text_of("company-brain.service"), re.MULTILINE), "commands see none"
    page = (PROJECT / "manual" / "deploy.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"tee brain\.toml <<'END'\n(.*?)END\n", page, re.DOTALL)
    (tmp_path / "brain.toml").write_text(table, encoding="utf-8")
    settings = load({}, {"BRAIN_CONFIG": str(tmp_path / "brain.toml")})
    assert (settings.docs_dir.as_posix(), settings.open) == ("/srv/documents", False)
    assert settings.db.parent.as_posix() == f"/var/lib/{unit['Service']['StateDirectory']}"
    assert (PROJECT / unit["Service"]["ExecStart"].split()[-1]).exists()
    assert f"cd {unit['Service']['WorkingDirectory']}\n" in page
    assert page.count("pip install") == page.count("pip install '.[formats]'") == 2


def test_what_runs_by_the_clock_acts_on_the_same() -> None:
    page = (PROJECT / "manual" / "operate.md").read_text(encoding="utf-8")
    _, _, clock = page.partition("## Sync by the clock")
    lines = [
        line for line in clock.partition("\n## ")[0].splitlines() if "python" in line and "store.py --sync" in line
    ]
    assert len(lines) == 4
    assert not any(" --docs" in line or " --db" in line or "BRAIN_" in line for line in lines)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_systemd_reads_the_unit(tmp_path: Path) -> None:
    text = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text_of("company-brain.service"), flags=re.MULTILINE)
    (tmp_path / "company-brain.service").write_text(text)
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / "company-brain.service")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "company-brain" not in done.stderr


class Behind(ThreadingHTTPServer):
    """The sign-on service and the product in one: says who is signed in, and repeats what reaches the product."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Behind)
        self.more = threading.Event()  # the second half of a stream may come


class _Behind(BaseHTTPRequestHandler):
    server: Behind
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.path.startswith("/oauth2/auth"):
            known = "session=ada" in self.headers.get("Cookie", "")
            headers = {"X-Auth-Request-Email": "ada@example.org", "X-Auth-Request-Groups": "people"} if known else {}
            return self._reply(202 if known else 401, b"", headers)
        if self.path.startswith("/oauth2/"):
            back = self.headers.get("X-Auth-Request-Redirect") or self.path.partition("rd=")[2]
            return self._reply(200, f"sign in here, then {back}".encode(), {})
        if self.path == "/stream":
            return self._stream()
        told = "\n".join(f"{name}: {value}" for name, value in self.headers.items()).encode()
        return self._reply(200, told, {})

    def _reply(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(b"5\r\nfirst\r\n")
        self.wfile.flush()
        self.server.more.wait(20)
        self.wfile.write(b"6\r\nsecond\r\n0\r\n\r\n")


@pytest.fixture(scope="module")
def behind() -> Iterator[Behind]:
    with Behind() as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        server.more.set()
        server.shutdown()


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


def nginx(folder: Path, port: int, behind: int) -> list[str]:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}", "-keyout",
         str(folder / "key"), "-out", str(folder / "cert")], check=True, capture_output=True,
    )  # fmt: skip
    text = re.sub(r":(8000|4180);", f":{behind};", text_of("nginx.conf"))
    text = text.replace("listen 443", f"listen 127.0.0.1:{port}")
    text = text.replace("listen 80", f"listen 127.0.0.1:{free_port()}")
    text = text.replace("/etc/ssl/certs/brain.pem", str(folder / "cert"))
    text = text.replace("/etc/ssl/private/brain.key", str(folder / "key"))
    places = " ".join(f"{kind}_temp_path {folder};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}} "
        f"http {{ access_log off; {places}\n{text}\n}}"
    )
    return ["nginx", "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, behind: int) -> list[str]:
    text = re.sub(r"127\.0\.0\.1:(8000|4180)", f"127.0.0.1:{behind}", text_of("Caddyfile"))
    text = text.replace(f"{NAME} {{", f"{NAME}:{port} {{\n\tbind 127.0.0.1")
    head = (
        f"{{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tstorage file_system {folder}\n}}\n"
    )
    (folder / "Caddyfile").write_text(head + text)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


@pytest.fixture(scope="module", params=[nginx, caddy], ids=["nginx", "caddy"])
def front(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, behind: Behind) -> Iterator[int]:
    """The port of the program that stands in front, with our file."""
    if not shutil.which(request.param.__name__):
        pytest.skip(f"{request.param.__name__} is not installed here")
    folder, port = tmp_path_factory.mktemp("front"), free_port()
    command = request.param(folder, port, behind.server_address[1])
    found = {"HOME": str(folder), "PATH": "/usr/sbin:/usr/bin:/usr/local/bin"}
    with (folder / "out").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log, env=found) as child:
        try:
            _wait_for(port, child, folder / "out")
            yield port
        finally:
            child.terminate()


def _wait_for(port: int, child: "subprocess.Popen[bytes]", said: Path) -> None:
    for _ in range(200):
        time.sleep(0.05)
        assert child.poll() is None, said.read_text()
        with contextlib.suppress(OSError):
            asked(port, "/healthz")
            return
    raise AssertionError(said.read_text())


class _Named(http.client.HTTPSConnection):
    """A connection to this machine under the name of the example."""

    def connect(self) -> None:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        plain = socket.create_connection(("127.0.0.1", self.port), 10)
        self.sock = context.wrap_socket(plain, server_hostname=NAME)


@contextlib.contextmanager
def asking(port: int, path: str, headers: dict[str, str] | None = None) -> Iterator[http.client.HTTPResponse]:
    with contextlib.closing(_Named(NAME, port, timeout=10)) as connection:
        connection.request("GET", path, headers=headers or {})
        with connection.getresponse() as reply:
            yield reply


def asked(port: int, path: str, headers: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Status, where it sends one to, and body."""
    with asking(port, path, headers) as reply:
        return reply.status, reply.headers.get("Location", ""), reply.read().decode()


SIGNED_IN = {"Cookie": "session=ada"}


def test_who_is_not_signed_in_reaches_nothing(front: int) -> None:
    status, location, told = asked(front, "/ask")
    assert "X-Forwarded" not in told
    assert "sign in here" in told or (status == 302 and "/oauth2/sign_in" in location)


def test_who_has_signed_in_comes_to_what_was_asked_for(front: int) -> None:
    _, location, told = asked(front, "/?q=leave&lang=de")
    assert "/?q=leave&lang=de" in (location or told)


def test_a_name_that_the_client_sends_is_not_believed(front: int) -> None:
    _, _, told = asked(front, "/", {**SIGNED_IN, "X-Forwarded-User": "boss@example.org", "X-Forwarded-Groups": "board"})
    assert "X-Forwarded-User: ada@example.org" in told
    assert "X-Forwarded-Groups: people" in told
    assert "boss" not in told
    assert "board" not in told
    assert re.search(rf"^Host: {NAME}", told, re.MULTILINE)


def test_a_forged_name_without_a_session_reaches_nothing(front: int) -> None:
    assert "boss" not in asked(front, "/", {"X-Forwarded-User": "boss@example.org"})[2]


def test_a_stream_comes_as_it_is_written(front: int, behind: Behind) -> None:
    behind.more.clear()
    with asking(front, "/stream", SIGNED_IN) as reply:
        assert reply.read(5) == b"first"  # the second part is not sent before this was read
        behind.more.set()
        assert reply.read() == b"second"


def test_monitoring_of_this_machine_needs_no_session_and_names_nobody(front: int) -> None:
    for path in ("/healthz", "/readyz", "/metrics"):
        forged = {"X-Forwarded-User": "boss", "X-Forwarded-Groups": "board", "Authorization": "Bearer x"}
        status, _, told = asked(front, path, forged)
        assert (status, "boss" in told, "board" in told, "Bearer x" in told) == (200, False, False, True)


def test_the_names_that_the_front_sets_are_those_that_are_read() -> None:
    settings = load({}, {"BRAIN_CONFIG": os.devnull})
    for name in ("nginx.conf", "Caddyfile"):
        for header in (settings.proxy_user_header, settings.proxy_groups_header):
            assert header in text_of(name)
        for pair in re.findall(r"(BRAIN_[A-Z_]+=[\w.,]+\w)", text_of(name)):
            settings_in([pair])
