"""Google Drive on loopback: a tree of files with permissions, page by page, written from the public documentation.

`drive()` makes one; what a test changes in `files` and `grants` is what the next request is told.
"""

import hashlib
import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.directory_double import GoogleDouble, _Google
from tests.doubles import Connection, Refusal

DOC, SHEET, SLIDES, FOLDER, FORM, SHORTCUT = (
    f"application/vnd.google-apps.{kind}"
    for kind in ("document", "spreadsheet", "presentation", "folder", "form", "shortcut")
)
ROOT = "0ADRIVE"
_EXPORT_MOST = 10_000_000


@dataclass
class DriveDouble(GoogleDouble):
    """`meddle(path)` runs before a reply is made: somebody edits while we read."""

    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    clock: int = 0
    whom: str = "admin@example.com"
    meddle: Callable[[str], None] = lambda path: None
    gate: threading.RLock = field(default_factory=threading.RLock)  # held while a reply is made, and by who edits

    def speaks(self) -> type[Connection]:
        return _Drive

    def put(
        self, id_: str, name: str, text: str | bytes = "", *, parent: str = ROOT, kind: str = "text/markdown",
        who: list[dict[str, Any]] | None = None, **more: Any,
    ) -> None:  # fmt: skip
        """Makes a file, or changes its content. `who`: its permissions; without, those it has, or everybody's."""
        self.clock += 1
        data = text.encode() if isinstance(text, str) else text
        modified = f"2026-11-{1 + self.clock // 86400:02}T{self.clock // 3600 % 24:02}:{self.clock // 60 % 60:02}:"
        self.files[id_] = {
            "name": name, "mimeType": kind, "parents": [parent], "data": data, "trashed": False,
            "modifiedTime": f"{modified}{self.clock % 60:02}.000Z", **more,
        }  # fmt: skip
        self.grants[id_] = self.grants.get(id_, [person("anna")]) if who is None else who

    def folder(self, id_: str, name: str, parent: str = ROOT) -> None:
        """Makes a folder."""
        self.put(id_, name, parent=parent, kind=FOLDER)

    def told(self, id_: str) -> dict[str, Any]:
        """The file's resource."""
        held = self.files[id_]
        data, is_native = held["data"], held["mimeType"].startswith("application/vnd.google-apps.")
        made = {name: value for name, value in held.items() if name != "data"} | {"id": id_, "driveId": ROOT}
        if not is_native:
            made |= {"md5Checksum": hashlib.md5(data).hexdigest(), "size": str(len(data))}
        return {"capabilities": {"canDownload": True}, **made}


def person(name: str, **more: Any) -> dict[str, Any]:
    """The grant to one person."""
    return {"id": f"p-{name}", "type": "user", "role": "reader", "emailAddress": f"{name}@example.com", **more}


def group(name: str) -> dict[str, Any]:
    """The grant to a group of the directory."""
    return {"id": f"p-{name}", "type": "group", "role": "reader", "emailAddress": f"{name}@example.com"}


def _error(status: int, reason: str, message: str = "Refused") -> Refusal:
    told = {"code": status, "message": message, "errors": [{"domain": "global", "reason": reason, "message": message}]}
    return Refusal(status, json.dumps({"error": told}))


def throttled(number: int = 403) -> Refusal:
    """How Drive asks for patience: a 403 with a word, or a 429."""
    return _error(number, "userRateLimitExceeded", "User Rate Limit Exceeded")


class _Drive(_Google):
    double: DriveDouble

    def answer(self, method: str, raw: bytes) -> None:
        if not self.path.startswith("/drive/v3/files"):
            super().answer(method, raw)
        else:
            self.of_drive()

    def of_drive(self) -> None:
        self.double.meddle(self.path)
        with self.double.gate:
            self.replied()

    def replied(self) -> None:
        path, query = self.begin()
        scope = next((one for one in ("drive.readonly", "drive.metadata.readonly") if self.holds(one)), "")
        if not scope:
            raise _error(401, "authError", "Invalid Credentials")
        parts = path.split("/")[4:]
        if not parts:
            self.listed(query)
            return
        id_ = parts[0]
        if id_ not in self.double.files or query.get("supportsAllDrives", "true") != "true":
            raise _error(404, "notFound", f"File not found: {id_}.")
        if parts[1:] == ["permissions"]:
            if id_ not in self.double.grants:
                raise _error(403, "insufficientFilePermissions", "The user does not have sufficient permissions")
            self.collection(path, "permissions", self.double.grants[id_], query, "pageSize")
        elif query.get("alt") == "media" or parts[1:] == ["export"]:
            if scope != "drive.readonly":
                raise _error(403, "insufficientPermissions", "Request had insufficient authentication scopes.")
            self.content(id_, query, is_export=parts[1:] == ["export"])
        else:
            self.json(200, self.fields(self.double.told(id_), query["fields"]))

    def holds(self, scope: str) -> bool:
        return self.headers.get("Authorization") == f"Bearer {scope}-{self.double.token}"

    def sign_in(self, form: dict[str, str]) -> None:
        import jwt

        told = jwt.decode(form["assertion"], options={"verify_signature": False})
        scopes = [one.rpartition("/")[2] for one in told["scope"].split()]
        if not scopes[0].startswith("drive"):
            super().sign_in(form)
            return
        if told.get("sub", "") != self.double.whom:
            raise Refusal(400, json.dumps({"error": "invalid_grant", "error_description": "Invalid email"}))
        jwt.decode(
            form["assertion"], self.double.public_key, algorithms=["RS256"], audience=f"{self.double.host}/token"
        )
        self.double.scopes.append(told["scope"])
        self.json(200, {"access_token": f"{scopes[0]}-{self.double.token}", "expires_in": 3599, "token_type": "Bearer"})

    def listed(self, query: dict[str, str]) -> None:
        wanted = re.fullmatch(r"'([\w-]+)' in parents and trashed = false", query["q"])
        if not wanted:
            raise _error(400, "invalid", f"Invalid Value: {query['q']}")
        if (query["corpora"], query.get("driveId")) != ("drive", ROOT) or query["includeItemsFromAllDrives"] != "true":
            self.collection("files", "files", [], query, "pageSize")  # items of a shared drive are not seen
            return
        fields = query["fields"].partition("files(")[2].rstrip(")")
        rows = [
            self.fields(self.double.told(id_), fields)
            for id_, held in list(self.double.files.items())
            if wanted[1] in held["parents"] and not held["trashed"]
        ]
        self.collection("files", "files", rows, query, "pageSize")

    def json(self, status: int, value: Any, *more: Any, **rest: Any) -> None:
        if str(value.get("kind", "")) == "x#files":
            value = {"incompleteSearch": False, **value}
        super().json(status, value, *more, **rest)

    def fields(self, told: dict[str, Any], fields: str) -> dict[str, Any]:
        names = {name.partition("/")[0] for name in fields.split(",")}
        return {name: value for name, value in told.items() if name in names}

    def content(self, id_: str, query: dict[str, str], is_export: bool) -> None:
        held = self.double.files[id_]
        is_native = held["mimeType"].startswith("application/vnd.google-apps.")
        if is_native != is_export:
            raise _error(403, "fileNotExportable" if is_export else "fileNotDownloadable", "Only some files can be")
        if is_export and len(held["data"]) > _EXPORT_MOST:
            raise _error(403, "exportSizeLimitExceeded", "This file is too large to be exported.")
        if is_export and held["mimeType"] == DOC and query["mimeType"] != "text/markdown":
            raise _error(400, "badRequest", "The requested conversion is not supported.")
        self.send_response(200)
        self.send_header("Content-Type", query.get("mimeType", held["mimeType"]))
        self.send_header("Content-Length", str(len(held["data"])))
        self.end_headers()
        self.wfile.write(held["data"])
