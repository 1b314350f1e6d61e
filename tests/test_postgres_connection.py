"""Statements as both engines take them: what becomes of `?`, of values, of an address with a password."""

import pytest

from errors import UsageError
from postgres.connection import adapted, label


@pytest.mark.parametrize(
    ("written", "sent", "named"),
    [
        ("SELECT 1", "SELECT 1", False),
        ("SELECT ? + ?", "SELECT %s + %s", False),
        ("SELECT '?' || ?", "SELECT '?' || %s", False),
        ("SELECT 'it''s ?', ?", "SELECT 'it''s ?', %s", False),
        ("SELECT ?2, ?1, ?2", "SELECT %(p2)s, %(p1)s, %(p2)s", True),
        ("SELECT :key WHERE a = :key", "SELECT %(key)s WHERE a = %(key)s", True),
        ("SELECT ?::text[]", "SELECT %s::text[]", False),
        ("SELECT a::text, 10 % 3 LIKE '50%'", "SELECT a::text, 10 %% 3 LIKE '50%%'", False),
        ("SELECT 1 -- is it? 100%\n, ?", "SELECT 1 -- is it? 100%%\n, %s", False),
    ],
)
def test_marks_become_the_server_s(written: str, sent: str, named: bool) -> None:
    assert adapted(written) == (sent, named)


def test_a_password_is_never_told() -> None:
    for address in ("postgresql://ada:s3cr%40et@db.example:6432/brain?sslmode=require", "postgres://x:s3cret@db/b"):
        assert "s3cr" not in label(address)
    assert label("postgresql://ada:secret@db.example:6432/brain") == "postgresql://db.example:6432/brain"


@pytest.mark.parametrize("wrong", ["brain", "mysql://db/brain", "/var/lib/brain", "postgresql://db:port/brain"])
def test_what_is_no_address_is_told_without_repeating_it(wrong: str) -> None:
    with pytest.raises(UsageError) as told:
        label(wrong)
    assert wrong not in str(told.value)
