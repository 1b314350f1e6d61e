"""Google Workspace: users, groups and their members from the Admin SDK's Directory API, page by page.

A service account signs in for an administrator, with read-only scopes. A group of "everybody in the organisation" and
the users of each domain are groups of their own, NAME/customer and NAME/domain:DOMAIN.
Try: python -m access.directory sync
"""

import json
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from access import EVERYONE, principal
from access.entries import Account, Group, Listing, address
from access.readers.options import Options
from access.readers.wire import Api, Failing, NotThere, text

_SCOPE = "https://www.googleapis.com/auth/"
_DIRECTORY = ("admin.directory.user.readonly", "admin.directory.group.readonly")
DRIVE_LISTS, DRIVE_FILES = "drive.metadata.readonly", "drive.readonly"
"""Scopes: of names and permissions, and of what files hold besides."""
_ROLES = ("owner", "organizer", "fileOrganizer", "writer", "commenter", "reader")


class Door:
    """Signs a service account in, with the scopes given: for somebody, or as itself where that is ""."""

    def __init__(self, options: Options, whom: str) -> None:
        self.options, self.whom = options, whom
        self.url = options.address("login_url", "https://oauth2.googleapis.com")
        try:
            key = json.loads(options.file("key_file"))
            self.account, self.key, self.key_id = (
                str(key[n]) for n in ("client_email", "private_key", "private_key_id")
            )
        except (ValueError, TypeError, KeyError) as error:
            raise options.wrong("key_file is no JSON key of a service account") from error

    def sign_in(self, api: Api, scopes: tuple[str, ...], held: dict[str, str] | None = None) -> None:
        """Gives `api` a token now, and again when it ends. Raises DirectoryError, SystemAway.

        `held`: where several share one token, empty at first.
        """
        shared = {} if held is None else held

        def renew() -> None:
            assertion = self._assertion(scopes)
            grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
            with Api(self.options.name, self.url) as door:
                reply = door.post_form(
                    "token", {"grant_type": grant, "assertion": assertion}, needs=f"of the scopes {', '.join(scopes)}"
                )
            shared.update(api.bearer(reply))
            api.headers = dict(shared)

        if shared:
            api.take(shared)
        else:
            renew()
        api.again = renew

    def _assertion(self, scopes: tuple[str, ...]) -> str:
        import jwt

        now = int(time.time())
        claims = {
            "iss": self.account, "aud": f"{self.url}/token", "iat": now, "exp": now + 3600,
            "scope": " ".join(_SCOPE + scope for scope in scopes),
        }  # fmt: skip
        claims |= {"sub": self.whom} if self.whom else {}
        try:
            return jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": self.key_id})
        except (ValueError, TypeError, jwt.PyJWTError):  # its text may quote the key
            raise self.options.wrong("key_file holds no private RSA key") from None


def read(options: Options) -> Listing:
    """All users and groups of the customer. Raises DirectoryError, SystemAway."""
    url, pause = options.address("url", "https://admin.googleapis.com"), options.seconds("pause_seconds", 0.02)
    for_drive(options)
    customer, numbers = options.text("customer", "my_customer"), options.flag("employee_ids", True)
    sign_in = options.choice("sign_in", ("id", "primaryEmail"))
    door = Door(options, options.text("admin"))
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
    for page in api.pages(path, params, lambda page: following(api, page, path, params), needs=needs):
        values = page.get(name, [])  # an empty page leaves it out
        whole = isinstance(values, list) and all(isinstance(value, dict) for value in values)
        if not whole or (name != "members" and not all(text(value, "id") for value in values)):
            raise api.away(f"a page of {path} is no list of objects")
        yield from values


def following(
    api: Api, page: dict[str, Any], path: str, params: Mapping[str, str]
) -> tuple[str, Mapping[str, str]] | None:
    """The next page of Google's, None after the last."""
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


def for_drive(options: Options) -> tuple[str, str]:
    """The address of Drive, and for whom the service account signs in there: "" as itself."""
    url = options.address("drive_url", "https://www.googleapis.com")
    return f"{url}/drive/v3", options.text("drive_user", options.text("admin", ""))


def drive(options: Options, scope: str, held: dict[str, str] | None = None) -> Api:
    """Drive, signed in with a scope, or by the token that is held; to be closed. Raises DirectoryError, SystemAway."""
    url, whom = for_drive(options)
    api = Api(options.name, url, options.seconds("pause_seconds", 0.02))
    try:
        Door(options, whom).sign_in(api, (scope,), held)
    except BaseException:
        api.__exit__()
        raise
    return api


def drive_list(options: Options, file: str, groups: Mapping[str, str], now: str) -> frozenset[str]:
    """The principals that may find a file of Google Drive, in a shared drive or not. Raises DirectoryError, SystemAway.

    `groups`: address -> principal of the groups of this system; a grant to any other group is nobody's. `now`: UTC, as
    in 2026-11-30T15:00:00. Who must have a link to see it does not find it.
    """
    holders = Holders(options.name, groups, frozenset({EVERYONE}))
    with drive(options, DRIVE_LISTS) as api:
        return holders.of(grants(api, file), now)


def grants(api: Api, file: str) -> list[dict[str, Any]]:
    """Every permission of a file of Drive, inherited ones too. Raises SystemAway, NotThere, Refused."""
    path = f"files/{quote(file, safe='')}/permissions"
    fields = "id,type,role,emailAddress,domain,allowFileDiscovery,deleted,expirationTime,view"
    params = {
        "supportsAllDrives": "true", "pageSize": "100", "fields": f"nextPageToken,permissions({fields})",
    }  # fmt: skip
    found: list[dict[str, Any]] = []
    for page in api.pages(path, params, lambda page: following(api, page, path, params), needs=f"of {DRIVE_LISTS}"):
        told = page.get("permissions")
        if not isinstance(told, list) or not all(isinstance(one, dict) for one in told):
            raise Failing(str(api.away(f"a page of {path} is no list of permissions")))
        found += told
    return found


@dataclass(frozen=True, slots=True)
class Holders:
    """Whom the grants of Drive mean here. `groups`: address -> principal; a grant to any other group is nobody's."""

    system: str
    groups: Mapping[str, str]
    anyone: frozenset[str] = frozenset()  # who holds what is granted to anyone
    with_link: frozenset[str] = frozenset()  # "domain", "anyone": such grants count though they need the link

    def of(self, granted: Iterable[Mapping[str, Any]], now: str) -> frozenset[str]:
        """The principals that find a file with these grants. `now`: UTC, as in 2026-11-30T15:00:00."""
        return frozenset().union(*(self._of(grant) for grant in granted if _holds(grant, now)))

    def _of(self, grant: Mapping[str, Any]) -> frozenset[str]:
        kind, mail = grant.get("type"), address(text(grant, "emailAddress"))
        if kind == "anyone" or kind == "domain":
            if grant.get("allowFileDiscovery") is not True and kind not in self.with_link:
                return frozenset()
            domain = text(grant, "domain").lower()
            return self.anyone if kind == "anyone" else _one(f"group:{self.system}/domain:{domain}" * bool(domain))
        if kind == "group":
            return _one(self.groups.get(mail, ""))
        return _one(f"user:{mail}") if kind == "user" and mail else frozenset()


def _holds(grant: Mapping[str, Any], now: str) -> bool:
    ended = text(grant, "expirationTime")[:19]
    is_whole = grant.get("role") in _ROLES and not grant.get("view") and grant.get("deleted") is not True
    return is_whole and not (ended and ended <= now)


def _one(name: str) -> frozenset[str]:
    """The principal, or nobody for what is none, as an address with a comma."""
    try:
        return frozenset({principal(name)} if name else ())
    except ValueError:
        return frozenset()
