"""A sign-on service on this machine: publishes real keys over HTTP and signs tokens with them.

Try: pytest tests/test_oidc.py
"""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

AUDIENCE = "company-brain"
_MAKERS: dict[str, Any] = {
    "RS": (lambda: rsa.generate_private_key(65537, 2048), RSAAlgorithm),
    "ES": (lambda: ec.generate_private_key(ec.SECP256R1()), ECAlgorithm),
    "Ed": (ed25519.Ed25519PrivateKey.generate, OKPAlgorithm),
}


class OidcDouble(ThreadingHTTPServer):
    """Serves /.well-known/openid-configuration and /keys; `replies` puts (status, headers, body) in a path's place."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.issuer = f"http://127.0.0.1:{self.server_address[1]}"
        self.private: dict[str, tuple[Any, str]] = {}  # by kid: key, algorithm
        self.published: list[dict[str, Any]] = []
        self.replies: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[str] = []
        self.hold = threading.Event()
        self.hold.set()
        self.publish("first", "RS256")

    def __enter__(self) -> "OidcDouble":
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.hold.set()
        self.shutdown()
        self.server_close()

    def publish(self, kid: str, algorithm: str, **more: str) -> None:
        """Makes a key and adds it to the published ones."""
        make, kind = _MAKERS[algorithm[:2]]
        key = make()
        self.private[kid] = (key, algorithm)
        self.published.append({**kind.to_jwk(key.public_key(), as_dict=True), "kid": kid, "use": "sig", **more})

    def withdraw(self, kid: str) -> None:
        """Publishes the key no longer."""
        self.published = [row for row in self.published if row["kid"] != kid]

    def claims(self, **more: Any) -> dict[str, Any]:
        """What a token says; a claim that is None is left out."""
        now = int(time.time())
        told = {"iss": self.issuer, "aud": AUDIENCE, "sub": "ada", "iat": now, "nbf": now, "exp": now + 300, **more}
        return {name: value for name, value in told.items() if value is not None}

    def token(self, kid: str = "first", header: dict[str, Any] | None = None, **claims: Any) -> str:
        """A token signed by one of the keys."""
        key, algorithm = self.private[kid]
        return jwt.encode(self.claims(**claims), key, algorithm, {"kid": kid, **(header or {})})


class _Handler(BaseHTTPRequestHandler):
    server: OidcDouble

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        double = self.server
        double.asked.append(self.path)
        double.hold.wait(20)
        told = {"/.well-known/openid-configuration": {"issuer": double.issuer, "jwks_uri": f"{double.issuer}/keys"}}
        told["/keys"] = {"keys": double.published}  # type: ignore[dict-item]
        status, headers, body = double.replies.get(self.path, (200, {}, json.dumps(told.get(self.path)).encode()))
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
