"""SCIM 2.0 (RFC 7643, 7644): /Users and /Groups of a service provider, by index, until all that it counts has come.

A member that is neither a user nor a group of the same reading is left out: it can hold nothing. Needs a token that may
read users and groups. Try: python -m access.directory sync
"""

from collections.abc import Iterator
from typing import Any

from access.entries import Account, Group, Listing, verified_in
from access.readers.options import Options
from access.readers.wire import Api, text

_PAGE = 100
_EMPLOYEE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"


def read(options: Options) -> Listing:
    """All users and groups of the provider. Raises DirectoryError, SystemAway."""
    base, pause = options.address("url"), options.seconds("pause_seconds", 0.02)
    token, domains = options.secret("token"), options.texts("verified_domains")
    numbers = options.flag("employee_ids", True)
    sign_in = options.choice("sign_in", ("id", "userName", "externalId"))
    options.done()
    with Api(options.name, base, pause) as api:
        api.headers = {"Authorization": f"Bearer {token}", "Accept": "application/scim+json, application/json"}
        users = {str(user["id"]): user for user in _all(api, "Users")}
        groups = {str(group["id"]): group for group in _all(api, "Groups")}
        accounts = tuple(_account(api, user, domains, numbers, sign_in) for user in users.values())
        made, left = [], 0
        for group in groups.values():
            members = _members(api, group)
            known = {f"user:{api.name}/{one}" for one in members & set(users)}
            known |= {f"group:{api.name}/{one}" for one in members & set(groups)}
            left += len(members - set(users) - set(groups))
            made.append(Group(api.id_of("group", group["id"]), text(group, "displayName"), frozenset(known)))
    notes = (f"{left} members are neither users nor groups of the system",) if left else ()
    return Listing(options.name, accounts, tuple(made), notes)


def _all(api: Api, kind: str) -> Iterator[dict[str, Any]]:
    """Every resource once. Raises SystemAway when fewer or others come than are counted."""
    got: dict[str, dict[str, Any]] = {}
    start, total = 1, -1
    while total < 0 or start <= total:
        page = api.get(kind, {"startIndex": str(start), "count": str(_PAGE)}, needs=f"to read {kind}")
        counted, values = page.get("totalResults"), page.get("Resources", [])
        fits = isinstance(counted, int) and isinstance(values, list) and page.get("startIndex", start) == start
        if not fits or not all(isinstance(v, dict) and isinstance(v.get("id"), str) and v["id"] for v in values):
            raise api.away(f"a page of {kind} is no list of resources from {start} on")
        if total not in (-1, counted):  # the places moved: somebody may stand on no page
            raise api.away(f"{kind} changed while they were read. Sync again")
        total = int(page["totalResults"])
        if not values and start <= total:
            raise api.away(f"it has {total} {kind}, but only {len(got)} came")
        got |= {value["id"]: value for value in values}
        start += len(values)
    if len(got) != total:
        raise api.away(f"{kind} changed while they were read. Sync again")
    yield from got.values()


def _account(api: Api, user: dict[str, Any], domains: tuple[str, ...], numbers: bool, sign_in: str) -> Account:
    active = user.get("active", True)
    if not isinstance(active, bool):
        raise api.away(f"active of the user {user['id']!r} is neither true nor false")
    mail, extension = _mail(user), user.get(_EMPLOYEE)
    employee = extension.get("employeeNumber") if isinstance(extension, dict) and numbers else None
    return Account(
        api.id_of("user", user["id"]),
        text(user, "displayName") or text(user, "userName"),
        mail,
        email_verified=verified_in(domains, mail),
        employee_id=str(employee).strip() if isinstance(employee, str | int) else "",
        disabled=not active,
        login=text(user, sign_in),
    )


def _mail(user: dict[str, Any]) -> str:
    """The primary address, else the first, else the user name if it is one."""
    mails = user.get("emails")
    told = [mail for mail in mails if isinstance(mail, dict)] if isinstance(mails, list) else []
    told.sort(key=lambda mail: mail.get("primary") is not True)
    name = text(user, "userName")
    return next((text(mail, "value") for mail in told if text(mail, "value")), name if "@" in name else "")


def _members(api: Api, group: dict[str, Any]) -> set[str]:
    """Ids of the members; RFC 7643 leaves the attribute out where there are none."""
    members = group.get("members") or []
    if not isinstance(members, list) or not all(
        isinstance(one, dict) and isinstance(one.get("value"), str) for one in members
    ):
        raise api.away(f"members of the group {group['id']!r} are no list of references")
    return {one["value"] for one in members}
