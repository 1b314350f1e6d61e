"""Small servers that speak the protocols of directory systems on loopback, written from their public documentation.

They hold a world of users and groups, give it page by page, and fail where a test says.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.doubles import Connection, Double, Refusal

SECRET = "s3cret-of-the-test"


@dataclass
class World:
    """Users and groups by id; members of a group are ids of both."""

    users: dict[str, dict[str, Any]] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)  # id -> name
    members: dict[str, list[str]] = field(default_factory=dict)

    def over(self, id_: str) -> list[str]:
        """All groups that hold it, directly or through others, in circles too."""
        found: list[str] = []
        todo = [id_]
        while todo:
            inner = todo.pop()
            for group in self.groups:
                if inner in self.members.get(group, ()) and group not in found:
                    found.append(group)
                    todo.append(group)
        return sorted(found)


def crowd(count: int) -> World:
    """`count` users, all in `g-all`; the first in `g-hr`, which is in `g-board`, which is in `g-hr`."""
    users = {f"u{n}": {"name": f"User {n}", "mail": f"User{n}@example.com", "number": f"{n}"} for n in range(count)}
    return World(
        users,
        {"g-all": "All", "g-hr": "HR", "g-board": "Board", "g-none": "None"},
        {"g-all": list(users), "g-hr": ["u0", "g-board"], "g-board": ["g-hr"]},
    )


@dataclass
class SystemDouble(Double):
    """`fault(number of the request, its path)` may return a Refusal that is given instead."""

    world: World = field(default_factory=World)
    page: int = 100
    fault: Callable[[int, str], Refusal | None] = lambda number, path: None
    asked: list[str] = field(default_factory=list)  # paths with their query
    seen: list[dict[str, str]] = field(default_factory=list)  # their headers, lower case

    def count(self, part: str) -> int:
        """How many requests had the text in their path."""
        return sum(part in path for path in self.asked)


class SystemConnection(Connection):
    """One request: what all of them share."""

    wbufsize = 1 << 16  # a reply in one piece: in two, each waits 40 ms for the other side's acknowledgement

    def refuse(self, refusal: Refusal) -> None:
        data = refusal.text.encode()
        self.send_response(refusal.status)
        for name, told in {"Content-Length": str(len(data)), **refusal.headers}.items():
            self.send_header(name, told)
        self.end_headers()
        self.wfile.write(data)

    def begin(self) -> tuple[str, dict[str, str]]:
        """The path and query of the request. Raises the fault that the test wants here."""
        self.double.asked.append(self.path)
        self.double.seen.append({name.lower(): told for name, told in self.headers.items()})
        parts = urlsplit(self.path)
        if refusal := self.double.fault(len(self.double.asked), self.path):
            raise refusal
        return unquote(parts.path), {name: told[0] for name, told in parse_qs(parts.query).items()}

    def bearer(self, token: str) -> None:
        if self.headers.get("Authorization") != f"Bearer {token}":
            raise Refusal(401, json.dumps({"error": {"code": "InvalidAuthenticationToken", "message": "Bad token"}}))


@dataclass
class GraphDouble(SystemDouble):
    """Microsoft Graph and its sign-in. `hidden`: a type whose objects one may not read: only their ids are given."""

    hidden: str = ""
    token: str = "token-1"
    lost: int = 0  # groups that are counted but not given

    def speaks(self) -> type[Connection]:
        return _Graph


class _Graph(SystemConnection):
    double: GraphDouble

    def answer(self, method: str, raw: bytes) -> None:
        path, query = self.begin()
        if method == "POST" and path == "/tenant-1/oauth2/v2.0/token":
            return self.sign_in({name: told[0] for name, told in parse_qs(raw.decode()).items()})
        self.bearer(self.double.token)
        if method != "GET":
            raise Refusal(405, "")
        world = self.double.world
        if path == "/v1.0/users":
            return self.collection("users", [self.user(id_) for id_ in world.users], query)
        if path == "/v1.0/groups":
            return self.collection("groups", [self.group(id_) for id_ in world.groups], query)
        _, _, _, user, relation, cast = path.split("/")
        if user not in world.users:
            raise Refusal(404, json.dumps({"error": {"code": "Request_ResourceNotFound", "message": "No user"}}))
        if (relation, cast) != ("transitiveMemberOf", "microsoft.graph.group"):
            raise Refusal(400, "")
        if self.headers.get("ConsistencyLevel") != "eventual" or query.get("$count") != "true":
            raise Refusal(400, json.dumps({"error": {"code": "Request_UnsupportedQuery", "message": "Not supported"}}))
        found = [self.group(id_) for id_ in world.over(user)]
        return self.collection("directoryObjects", found[: len(found) - self.double.lost], query, len(found))

    def sign_in(self, form: dict[str, str]) -> None:
        scope = f"{self.double.host}/.default"
        wanted = {"grant_type": "client_credentials", "client_id": "app-1", "client_secret": SECRET, "scope": scope}
        if form != wanted:
            raise Refusal(401, json.dumps({"error": "invalid_client", "error_description": "AADSTS7000215"}))
        self.json(200, {"token_type": "Bearer", "expires_in": 3599, "access_token": self.double.token})

    def user(self, id_: str) -> dict[str, Any]:
        told = self.double.world.users[id_]
        made = {
            "displayName": told["name"], "mail": told["mail"], "userPrincipalName": told["mail"],
            "employeeId": told["number"], "accountEnabled": not told.get("off", False),
        }  # fmt: skip
        return {"id": id_, **(dict.fromkeys(made) if self.double.hidden == "user" else made)}

    def group(self, id_: str) -> dict[str, Any]:
        hidden = self.double.hidden == "group"
        name = None if hidden else self.double.world.groups[id_]
        return {"@odata.type": "#microsoft.graph.group", "id": id_, "displayName": name, "mail": None}

    def collection(self, kind: str, rows: list[dict[str, Any]], query: dict[str, str], count: int = -1) -> None:
        start, size = int(query.get("$skiptoken", "0")), min(int(query.get("$top", "100")), self.double.page)
        page: dict[str, Any] = {"@odata.context": f"$metadata#{kind}", "value": rows[start : start + size]}
        if count >= 0 and not start:
            page["@odata.count"] = count
        if start + size < len(rows):
            rest = "&".join(f"{name}={told}" for name, told in query.items() if name != "$skiptoken")
            page["@odata.nextLink"] = f"{self.double.host}{urlsplit(self.path).path}?{rest}&$skiptoken={start + size}"
        self.json(200, page)


@dataclass
class ScimDouble(SystemDouble):
    """A SCIM service provider; gives at most `page` resources whatever is asked for. `adjust` changes a page."""

    adjust: Callable[[str, dict[str, Any]], None] = lambda path, page: None

    def speaks(self) -> type[Connection]:
        return _Scim


class _Scim(SystemConnection):
    double: ScimDouble

    def answer(self, method: str, raw: bytes) -> None:
        path, query = self.begin()
        self.bearer(SECRET)
        world = self.double.world
        if method != "GET" or path not in ("/scim/v2/Users", "/scim/v2/Groups"):
            raise Refusal(404, json.dumps({"detail": f"No {path}", "status": "404"}))
        users = path.endswith("Users")
        rows = [self.user(id_) for id_ in world.users] if users else [self.group(id_) for id_ in world.groups]
        start, count = max(int(query.get("startIndex", "1")), 1), int(query.get("count", "100"))
        part = rows[start - 1 : start - 1 + min(count, self.double.page)]
        page = {
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
            "totalResults": len(rows), "startIndex": start, "itemsPerPage": len(part), "Resources": part,
        }  # fmt: skip
        self.double.adjust(path, page)
        self.json(200, page)

    def user(self, id_: str) -> dict[str, Any]:
        told = self.double.world.users[id_]
        return {
            "id": id_, "userName": told["mail"], "displayName": told["name"], "active": not told.get("off", False),
            "emails": [{"value": "private@home.example"}, {"value": told["mail"], "primary": True}],
            "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {"employeeNumber": told["number"]},
        }  # fmt: skip

    def group(self, id_: str) -> dict[str, Any]:
        members = [{"value": one, "$ref": f"../x/{one}"} for one in self.double.world.members.get(id_, [])]
        return {"id": id_, "displayName": self.double.world.groups[id_], **({"members": members} if members else {})}


@dataclass
class GoogleDouble(SystemDouble):
    """Google's sign-in, Directory API and Drive permissions. `public_key` checks the service account's signature."""

    public_key: Any = None
    grants: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # file -> permissions
    token: int = 1
    scopes: list[str] = field(default_factory=list)  # of each sign-in
    adjust: Callable[[str, dict[str, Any]], None] = lambda path, page: None

    def speaks(self) -> type[Connection]:
        return _Google


class _Google(SystemConnection):
    double: GoogleDouble

    def answer(self, method: str, raw: bytes) -> None:
        path, query = self.begin()
        if (method, path) == ("POST", "/token"):
            return self.sign_in({name: told[0] for name, told in parse_qs(raw.decode()).items()})
        drive = path.startswith("/drive/v3/")
        self.bearer(f"{'drive' if drive else 'admin'}-{self.double.token}")
        world, parts = self.double.world, path.split("/")
        if drive:
            if query.get("supportsAllDrives") != "true" or parts[4] not in self.double.grants:
                raise Refusal(404, json.dumps({"error": {"code": 404, "message": "File not found"}}))
            return self.collection(path, "permissions", self.double.grants[parts[4]], query, "pageSize")
        if path.endswith("/members"):
            if parts[5] not in world.groups:
                raise Refusal(404, json.dumps({"error": {"code": 404, "message": "Resource Not Found: groupKey"}}))
            rows = [self.member(id_) for id_ in world.members.get(parts[5], [])]
            return self.collection(path, "members", rows, query, "maxResults")
        if query.get("customer") != "my_customer":
            raise Refusal(400, json.dumps({"error": {"code": 400, "message": "Bad Request"}}))
        if path == "/admin/directory/v1/users":
            return self.collection(path, "users", [self.user(id_) for id_ in world.users], query, "maxResults")
        rows = [{"id": id_, "name": name, "email": f"{id_}@Example.com"} for id_, name in world.groups.items()]
        return self.collection(path, "groups", rows, query, "maxResults")

    def sign_in(self, form: dict[str, str]) -> None:
        import jwt

        try:
            told = jwt.decode(
                form["assertion"], self.double.public_key, algorithms=["RS256"], audience=f"{self.double.host}/token"
            )
            if (told["iss"], told["sub"]) != ("brain@project.iam", "admin@example.com"):
                raise KeyError
        except (jwt.PyJWTError, KeyError) as error:
            raise Refusal(400, json.dumps({"error": "invalid_grant", "error_description": "Bad JWT"})) from error
        self.double.scopes.append(told["scope"])
        kind = "drive" if "drive" in told["scope"] else "admin"
        self.json(200, {"access_token": f"{kind}-{self.double.token}", "expires_in": 3599, "token_type": "Bearer"})

    def user(self, id_: str) -> dict[str, Any]:
        told = self.double.world.users[id_]
        return {
            "id": id_, "primaryEmail": told["mail"], "name": {"fullName": told["name"]}, "archived": False,
            "suspended": told.get("off", False),
            "externalIds": [{"type": "custom", "value": "x"}, {"type": "organization", "value": told["number"]}],
        }  # fmt: skip

    def member(self, id_: str) -> dict[str, Any]:
        if id_ == "C01":
            return {"id": id_, "type": "CUSTOMER"}
        if "@" in id_:
            return {"email": id_, "type": "USER"}
        return {"id": id_, "type": "GROUP" if id_ in self.double.world.groups else "USER", "role": "MEMBER"}

    def collection(self, path: str, name: str, rows: list[Any], query: dict[str, str], size_name: str) -> None:
        start, size = int(query.get("pageToken", "p0")[1:]), min(int(query[size_name]), self.double.page)
        part = rows[start : start + size]
        page: dict[str, Any] = {"kind": f"x#{name}"} | ({name: part} if part or name == "permissions" else {})
        if start + size < len(rows):
            page["nextPageToken"] = f"p{start + size}"
        self.double.adjust(path, page)
        self.json(200, page)
