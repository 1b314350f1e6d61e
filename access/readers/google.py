"""Google Workspace: users, groups and their members from the Admin SDK's Directory API, page by page.

A service account signs in for an administrator, with read-only scopes. A group of "everybody in the organisation" and
the users of each domain are groups of their own, NAME/customer and NAME/domain:DOMAIN.
Try: python -m access.directory sync
"""

import json
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from access.entries import Account, Group, Listing, address
from access.readers.options import Options
from access.readers.wire import Api, NotThere, text

_SCOPE = "https://www.googleapis.com/auth/"
_DIRECTORY = ("admin.directory.user.readonly", "admin.directory.group.readonly")
_DRIVE = ("drive.metadata.readonly",)
_ROLES = ("owner", "organizer", "fileOrganizer", "writer", "commenter", "reader")


class Door:
    """Signs a service account in, for an administrator, with the scopes given."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.url = options.address("login_url", "https://oauth2.googleapis.com")
        self.admin = options.text("admin")
        try:
            key = json.loads(options.file("key_file"))
            self.account, self.key, self.key_id = (
                str(key[n]) for n in ("client_email", "private_key", "private_key_id")
            )
        except (ValueError, TypeError, KeyError) as error:
            raise options.wrong("key_file is no JSON key of a service account") from error

    def sign_in(self, api: Api, scopes: tuple[str, ...]) -> None:
        """Gives `api` a token now, and again when it ends. Raises DirectoryError, SystemAway."""

        def renew() -> None:
            assertion = self._assertion(scopes)
            grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
            with Api(self.options.name, self.url) as door:
                reply = door.post_form(
                    "token", {"grant_type": grant, "assertion": assertion}, needs=f"of the scopes {', '.join(scopes)}"
                )
            api.headers = api.bearer(reply)

        renew()
        api.again = renew

    def _assertion(self, scopes: tuple[str, ...]) -> str:
        import jwt

        now = int(time.time())
        claims = {
            "iss": self.account, "sub": self.admin, "aud": f"{self.url}/token", "iat": now, "exp": now + 3600,
            "scope": " ".join(_SCOPE + scope for scope in scopes),
        }  # fmt: skip
        try:
            return jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": self.key_id})
        except (ValueError, TypeError, jwt.PyJWTError):  # its text may quote the key
            raise self.options.wrong("key_file holds no private RSA key") from None


def read(options: Options) -> Listing:
    """All users and groups of the customer. Raises DirectoryError, SystemAway."""
    url, pause = options.address("url", "https://admin.googleapis.com"), options.seconds("pause_seconds", 0.02)
    options.address("drive_url", "https://www.googleapis.com")
    customer, numbers = options.text("customer", "my_customer"), options.flag("employee_ids", True)
    sign_in = options.choice("sign_in", ("id", "primaryEmail"))
    door = Door(options)
    options.done()
    with Api(options.name, f"{url}/admin/directory/v1", pause) as api:
        door.sign_in(api, _DIRECTORY)
        chosen = {"customer": customer, "maxResults": "500"}
        accounts = {user["id"]: _account(api, user, numbers, sign_in) for user in _all(api, "users", "users", chosen)}
        chosen = {"customer": customer, "maxResults": "200"}
        told = {group["id"]: group for group in _all(api, "groups", "groups", chosen)}
        groups, left = [], 0
        for key, group in told.items():
            id_ = api.id_of("group", key)
            try:
                members, others = _members(api, key, accounts, told)
            except NotThere:
                continue  # it was deleted while we read
            groups.append(Group(id_, text(group, "name"), members, address(text(group, "email"))))
            left += others
    notes = (f"{left} members are from outside the organisation",) if left else ()
    return Listing(options.name, tuple(accounts.values()), (*groups, *_broad(api, accounts)), notes)


def _all(api: Api, path: str, name: str, params: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    needs = f"of the scopes {', '.join(_DIRECTORY)}"
    for page in api.pages(path, params, lambda page: _next(api, page, path, params), needs=needs):
        values = page.get(name, [])  # an empty page leaves it out
        whole = isinstance(values, list) and all(isinstance(value, dict) for value in values)
        if not whole or (name != "members" and not all(text(value, "id") for value in values)):
            raise api.away(f"a page of {path} is no list of objects")
        yield from values


def _next(api: Api, page: dict[str, Any], path: str, params: Mapping[str, str]) -> tuple[str, Mapping[str, str]] | None:
    token = page.get("nextPageToken")
    if not token:
        return None
    if not isinstance(token, str):
        raise api.away("its token of the next page is none")
    return path, {**params, "pageToken": token}


def _account(api: Api, user: dict[str, Any], numbers: bool, sign_in: str) -> Account:
    if not isinstance(user.get("suspended"), bool):
        raise api.away(f"the user {user['id'][:60]!r} does not say whether it is suspended, so is not told as a whole")
    name, told = user.get("name"), user.get("externalIds")
    employee = [
        text(one, "value")
        for one in (told if isinstance(told, list) else [])
        if isinstance(one, dict) and one.get("type") == "organization"
    ]
    return Account(
        api.id_of("user", user["id"]),
        text(name, "fullName") if isinstance(name, dict) else "",
        text(user, "primaryEmail"),
        email_verified=True,  # in a domain whose owner the customer has proved to be
        employee_id=employee[0] if numbers and len(employee) == 1 else "",
        disabled=user["suspended"] or user.get("archived") is True,
        login=text(user, sign_in),
    )


def _members(
    api: Api, key: str, accounts: Mapping[str, Account], groups: Mapping[str, Any]
) -> tuple[frozenset[str], int]:
    """The group's members as principals, and how many are none of ours."""
    found, others = set(), 0
    for member in _all(api, f"groups/{quote(key, safe='')}/members", "members", {"maxResults": "200"}):
        kind, id_ = member.get("type"), text(member, "id")
        if kind == "USER" and id_ in accounts:
            found.add(f"user:{api.name}/{id_}")
        elif kind == "GROUP" and id_ in groups:
            found.add(f"group:{api.name}/{id_}")
        elif kind == "CUSTOMER":
            found.add(f"group:{api.name}/customer")
        else:
            others += 1
    return frozenset(found), others


def _broad(api: Api, accounts: Mapping[str, Account]) -> Iterator[Group]:
    domains: dict[str, set[str]] = defaultdict(set)
    for account in accounts.values():
        domains[account.email_key.rpartition("@")[2]].add(f"user:{account.id}")
    yield Group(f"{api.name}/customer", "everybody in the organisation", frozenset().union(*domains.values()))
    for domain, users in sorted(domains.items()):
        if domain:
            yield Group(api.id_of("group", f"domain:{domain}"), f"everybody at {domain}", frozenset(users))


def drive_list(options: Options, file: str, groups: Mapping[str, str], now: str) -> frozenset[str]:
    """The principals that may find a file of Google Drive, in a shared drive or not. Raises DirectoryError, SystemAway.

    `groups`: address -> principal of the groups of this system; a grant to any other group is nobody's. `now`: UTC, as
    in 2026-11-30T15:00:00. Who must have a link to see it does not find it.
    """
    url, pause = options.address("drive_url", "https://www.googleapis.com"), options.seconds("pause_seconds", 0.02)
    door = Door(options)
    with Api(options.name, f"{url}/drive/v3", pause) as api:
        door.sign_in(api, _DRIVE)
        path = f"files/{quote(file, safe='')}/permissions"
        fields = "id,type,role,emailAddress,domain,allowFileDiscovery,deleted,expirationTime,view"
        params = {
            "supportsAllDrives": "true", "pageSize": "100", "fields": f"nextPageToken,permissions({fields})",
        }  # fmt: skip
        found = set()
        needs = f"of the scope {_DRIVE[0]}"
        for page in api.pages(path, params, lambda page: _next(api, page, path, params), needs=needs):
            grants = page.get("permissions")
            if not isinstance(grants, list) or not all(isinstance(one, dict) for one in grants):
                raise api.away(f"a page of {path} is no list of permissions")
            found |= {name for one in grants if (name := _holder(api, one, groups, now))}
        return frozenset(found)


def _holder(api: Api, grant: dict[str, Any], groups: Mapping[str, str], now: str) -> str:
    """The principal of one grant; "" for nobody who finds it."""
    ended = text(grant, "expirationTime")[:19]
    if grant.get("deleted") is True or grant.get("role") not in _ROLES or grant.get("view") or (ended and ended <= now):
        return ""
    kind, mail = grant.get("type"), address(text(grant, "emailAddress"))
    if kind == "user" and mail:
        return f"user:{mail}"
    if kind == "group":
        return groups.get(mail, "")
    if grant.get("allowFileDiscovery") is not True:
        return ""  # with the link alone
    if kind == "domain":
        return f"group:{api.name}/domain:{text(grant, 'domain').lower()}"
    return "everyone" if kind == "anyone" else ""
