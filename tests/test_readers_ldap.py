"""LDAP over loopback: every page and every range or nothing, TLS that is checked, circles, what may not be read.

Try: pytest tests/test_readers_ldap.py
"""

import datetime
import gc
import ipaddress
import ssl
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from access.directory_sync import replace
from access.entries import DirectoryError, Listing, SystemAway
from access.readers import read_system, wire
from database import Connection
from tests.directories import groups_of
from tests.directory_double import SECRET, crowd
from tests.doubles import closed_port
from tests.ldap_double import BASE, USER, LdapDouble, id_of

pytest.importorskip("cryptography")
pytest.importorskip("ldap3")
ALL, HR, BOARD = (f"ldap/{id_of(name)}" for name in ("g-all", "g-hr", "g-board"))


def person(number: int) -> str:
    return f"user:ldap/{id_of(f'u{number}')}"


@pytest.fixture
def double() -> Iterator[LdapDouble]:
    with LdapDouble(crowd(25), page=10) as made:
        yield made


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "FIRST_WAIT", 0.001)
    monkeypatch.setenv("LDAP_PASSWORD", SECRET)


def read(double: LdapDouble, folder: Path = Path(), **more: Any) -> Listing:
    table = {
        "reader": "ldap", "url": double.url, "user": USER, "password_env": "LDAP_PASSWORD", "base": BASE,
        "verified_domains": ["example.com"], "kind": "ad" if double.ad else "openldap",
    }  # fmt: skip
    return read_system("ldap", {**table, **more}, folder)


@pytest.mark.parametrize("ad", [False, True], ids=["openldap", "ad"])
def test_250_members_over_several_pages(db: Connection, ad: bool) -> None:
    """Active Directory also gives the members in ranges."""
    with LdapDouble(crowd(250), page=60, ad=ad, most_values=100 if ad else 0) as double:
        change = replace(db, read(double))
        assert (change.people, change.groups) == (250, 4)
        assert db.execute("SELECT count(*) FROM memberships WHERE group_id = ?", (ALL,)).fetchone() == (250,)
        assert groups_of(db, person(0)) == {ALL, HR, BOARD}, "a circle of groups"
        assert groups_of(db, "user:user249@EXAMPLE.com") == {ALL}
        row = db.execute("SELECT name, employee_id FROM accounts WHERE id = ?", (person(7)[5:],)).fetchone()
        assert row == ("User 7", "7")
        assert sum("mail" in asked and "member" not in asked for _, asked in double.searches) == 5
        ranges = [asked for _, asked in double.searches if "range" in str(asked)]
        assert ranges == ([["member;range=100-*"], ["member;range=200-*"]] if ad else [])


@pytest.mark.parametrize("nth", [1, 2, 3, 4])
@pytest.mark.parametrize("fault", [4, 11, 50, 51, "close", "bytes"])
def test_a_page_that_fails_changes_nothing(double: LdapDouble, db: Connection, nth: int, fault: int | str) -> None:
    replace(db, read(double))
    double.world.members["g-all"].remove("u0")
    double.searches.clear()
    double.fault = lambda number: fault if number >= nth else 0
    with pytest.raises(SystemAway):
        replace(db, read(double))
    assert groups_of(db, person(0)) == {ALL, HR, BOARD}
    double.fault = lambda number: 0
    replace(db, read(double))
    assert groups_of(db, person(0)) == {HR, BOARD}


def test_a_member_is_named_without_regard_to_case_and_blanks(double: LdapDouble) -> None:
    whole = read(double)
    double.loud = True
    assert read(double) == whole
    assert sum(len(group.members) for group in whole.groups) == 28


def test_a_range_that_fails_is_not_all(db: Connection) -> None:
    with LdapDouble(crowd(25), page=100, ad=True, most_values=10) as double:
        assert len(next(group for group in read(double).groups if group.id == ALL).members) == 25
        double.searches.clear()
        double.fault = lambda number: 50 if "range=20" in str(double.searches[-1]) else 0
        with pytest.raises(SystemAway):
            read(double)


def test_a_busy_server_is_asked_again(double: LdapDouble) -> None:
    whole = read(double)
    double.searches.clear()
    double.fault = lambda number: (51, 52, 0)[number % 3]
    assert read(double) == whole


def test_renamed_moved_deleted_and_disabled(double: LdapDouble, db: Connection) -> None:
    replace(db, read(double))
    double.world.groups["g-hr"] = "People"
    double.moved = {"g-hr": "people", "u0": "Zero"}
    del double.world.groups["g-board"]
    double.world.users["u5"]["off"] = True
    del double.world.users["u6"]
    change = replace(db, read(double))
    assert set(change.removed) == {f"group:{BOARD}", person(6)}
    assert change.notes == (f"2 members are neither people nor groups below {BASE}",)
    assert groups_of(db, person(0)) == {ALL, HR}
    assert db.execute("SELECT name FROM directory_groups WHERE id = ?", (HR,)).fetchone() == ("People",)
    assert groups_of(db, person(5)) == groups_of(db, person(6)) == {"unknown"}


@pytest.mark.parametrize(
    ("ad", "hidden", "told"),
    [(False, "entryUUID", "shows no entryUUID"), (True, "objectGUID", "shows no objectGUID"),
     (True, "userAccountControl", "userAccountControl of .* is not there")],
)  # fmt: skip
def test_what_may_not_be_read_is_told(ad: bool, hidden: str, told: str) -> None:
    with LdapDouble(crowd(3), ad=ad, hidden=(hidden,)) as double, pytest.raises(SystemAway, match=told):
        read(double)


def test_a_disabled_account_of_active_directory() -> None:
    with LdapDouble(crowd(3), ad=True) as double:
        double.world.users["u1"]["off"] = True
        assert [account.disabled for account in read(double).accounts] == [False, True, False]


def test_the_name_of_the_sign_on_service(double: LdapDouble) -> None:
    assert [read(double, sign_in=how).accounts[1].login for how in ("", "cn")] == ["", "User 1"]


def test_a_referral_is_an_error(double: LdapDouble) -> None:
    double.referral = True
    with pytest.raises(SystemAway, match="refers to another server"):
        read(double)


def test_wrong_credentials_and_nobody_there(double: LdapDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemAway, match="cannot be read"):
        read(double, url=f"ldap://127.0.0.1:{closed_port()}")
    monkeypatch.setenv("LDAP_PASSWORD", "wrong-word")
    with pytest.raises(SystemAway, match=r"it refuses cn=reader.*invalidCredentials") as raised:
        read(double)
    assert "wrong-word" not in str(raised.value)
    assert double.searches == []


@pytest.mark.parametrize(
    ("more", "told"),
    [({"url": "ldap://ldap.example"}, "is no ldaps:// address"), ({"url": "ldaps://"}, "is no ldaps:// address"),
     ({"url": "ldap://[x"}, "is no address"), ({"kind": "x500"}, "kind is none of ad, openldap"),
     ({"ca_file": "none.pem"}, "ca_file: .*none.pem is no file"), ({"base": ""}, "base is empty"),
     ({"x": 1}, "unknown name 'x'")],
)  # fmt: skip
def test_a_wrong_table_asks_nobody(double: LdapDouble, more: dict[str, Any], told: str) -> None:
    with pytest.raises(DirectoryError, match=told) as raised:
        read(double, **more)
    assert not isinstance(raised.value, SystemAway)


def test_a_filter_that_is_none(double: LdapDouble) -> None:
    with pytest.raises(SystemAway, match="cannot be read"):
        read(double, people="(objectClass=")


def certificate(folder: Path, host: str) -> ssl.SSLContext:
    """A context of a server with a new certificate of its own, also written to `folder`/server.pem."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "x")])
    now, day = datetime.datetime.now(datetime.UTC), datetime.timedelta(days=1)
    names = x509.SubjectAlternativeName([x509.DNSName(host), x509.IPAddress(ipaddress.ip_address("127.0.0.9"))])
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now - day, now + day)
    made = made.add_extension(names, False).add_extension(x509.BasicConstraints(True, None), True)
    pem = made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    forms = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "server.pem").write_bytes(pem)
    (folder / "key.pem").write_bytes(key.private_bytes(*forms))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem", folder / "key.pem")
    return context


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # ldap3 forgets a refused socket
def test_tls_is_checked(tmp_path: Path) -> None:
    with LdapDouble(crowd(3), tls=certificate(tmp_path, "localhost")) as double:
        here = double.url.replace("127.0.0.1", "localhost")
        assert len(read(double, tmp_path, url=here, ca_file="server.pem").accounts) == 3
        double.searches.clear()
        with pytest.raises(SystemAway, match="cannot be read"):
            read(double, tmp_path, url=here)  # a certificate that nobody vouches for
        with pytest.raises(SystemAway, match="cannot be read"):
            read(double, tmp_path, url=double.url, ca_file="server.pem")  # another host's
        assert double.searches == []
    gc.collect()


def test_without_the_package_it_says_what_to_install(double: LdapDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ldap3", None)
    with pytest.raises(DirectoryError, match=r"pip install '.\[ldap\]'"):
        read(double)
