"""Microsoft Graph: users, groups, and of each enabled user all groups, direct or through others.

Asks with `ConsistencyLevel: eventual` and `$count`, follows every page, and takes fewer groups than counted, or an
object without properties, for what it is: not all, or not permitted. Needs the application permissions User.Read.All
and GroupMember.Read.All. Try: python -m access.directory sync
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from access.entries import Account, Group, Listing, SystemAway, verified_in
from access.readers.options import Options
from access.readers.wire import Api, NotThere, text

_USERS, _GROUPS = "User.Read.All", "GroupMember.Read.All"


class _Graph:
    def __init__(self, options: Options, api: Api, login: Api) -> None:
        self.api, self.login = api, login
        self.tenant, self.client = options.text("tenant"), options.text("client")
        self.secret = options.secret("secret")
        self.domains = options.texts("verified_domains")
        self.employee_ids = options.flag("employee_ids", True)
        self.sign_in_by = options.choice("sign_in", ("id", "userPrincipalName"))
        api.again = self.sign_in

    def sign_in(self) -> None:
        reply = self.login.post_form(
            f"{quote(self.tenant, safe='')}/oauth2/v2.0/token",
            {
                "grant_type": "client_credentials", "client_id": self.client, "client_secret": self.secret,
                "scope": f"{self.api.base}/.default",
            },
        )  # fmt: skip
        self.api.headers = self.api.bearer(reply)

    def all(
        self, path: str, params: Mapping[str, str], needs: str, headers: Mapping[str, str] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Every object of a collection; as many as were counted, if they were."""
        counted, got = 0, 0
        for page in self.api.pages(path, params, self._next, needs=needs, headers=headers or {}):
            counted = max(counted, _count(page))
            values = page.get("value")
            if not isinstance(values, list) or not all(isinstance(v, dict) and v.get("id") for v in values):
                raise self.api.away(f"a page of {path} is no list of objects")
            got += len(values)
            yield from values
        if got < counted:
            raise self.api.away(f"{path} has {counted} objects, but only {got} came. Sync again in some minutes")

    def _next(self, page: dict[str, Any]) -> tuple[str, Mapping[str, str]] | None:
        link = page.get("@odata.nextLink")
        if link is None:
            return None
        if not isinstance(link, str) or "://" not in link:
            raise self.api.away("its link to the next page is none")
        return link, {}

    def account(self, user: dict[str, Any]) -> Account:
        if not isinstance(user.get("accountEnabled"), bool):  # an object one may not read has its id alone
            raise self.not_permitted("user", user, _USERS)
        mail = text(user, "mail") or text(user, "userPrincipalName")
        return Account(
            self.api.id_of("user", user["id"]),
            text(user, "displayName"),
            mail,
            email_verified=verified_in(self.domains, mail),
            employee_id=text(user, "employeeId") if self.employee_ids else "",
            disabled=not user["accountEnabled"],
            login=text(user, self.sign_in_by),
        )

    def group(self, group: dict[str, Any]) -> Group:
        if not isinstance(group.get("displayName"), str):
            raise self.not_permitted("group", group, _GROUPS)
        return Group(self.api.id_of("group", group["id"]), group["displayName"], address=text(group, "mail"))

    def not_permitted(self, kind: str, found: dict[str, Any], needs: str) -> SystemAway:
        told = f"the properties of the {kind} {str(found['id'])[:60]!r} are null, which means not permitted to read"
        return self.api.away(f"{told}. Grant the application the permission {needs}")

    def groups_of(self, user: str) -> Iterator[dict[str, Any]]:
        return self.all(
            f"v1.0/users/{quote(user, safe='')}/transitiveMemberOf/microsoft.graph.group",
            {"$count": "true", "$select": "id,displayName,mail", "$top": "999"},
            f"{_USERS} and {_GROUPS}",
            {"ConsistencyLevel": "eventual"},
        )


def read(options: Options) -> Listing:
    """All users and groups of the tenant. Raises DirectoryError, SystemAway."""
    base = options.address("url", "https://graph.microsoft.com")
    login = options.address("login_url", "https://login.microsoftonline.com")
    pause = options.seconds("pause_seconds", 0.02)
    with Api(options.name, base, pause) as api, Api(options.name, login) as door:
        graph = _Graph(options, api, door)
        options.done()
        return _listing(graph)


def _listing(graph: _Graph) -> Listing:
    graph.sign_in()
    chosen = {"$select": "id,displayName,mail,userPrincipalName,employeeId,accountEnabled", "$top": "999"}
    users = {str(user["id"]): graph.account(user) for user in graph.all("v1.0/users", chosen, _USERS)}
    chosen = {"$select": "id,displayName,mail", "$top": "999"}
    groups = {made.id: made for made in map(graph.group, graph.all("v1.0/groups", chosen, _GROUPS))}
    members: dict[str, set[str]] = defaultdict(set)
    gone = []
    for id_, account in users.items():
        if account.disabled:
            continue  # holds nothing: not asked for
        try:
            for told in graph.groups_of(id_):
                made = graph.group(told)
                groups.setdefault(made.id, made)  # it came into being while we read
                members[made.id].add(f"user:{account.id}")
        except NotThere:
            gone.append(id_)
    accounts = tuple(account for id_, account in users.items() if id_ not in gone)
    whole = (Group(g.id, g.name, frozenset(members[g.id]), g.address) for g in groups.values())
    notes = (f"{len(gone)} users were deleted while they were read",) if gone else ()
    return Listing(graph.api.name, accounts, tuple(whole), notes)


def _count(page: dict[str, Any]) -> int:
    count = page.get("@odata.count", 0)
    return count if isinstance(count, int) else 0
