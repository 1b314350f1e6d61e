"""The gate of the four kinds shuts for a test that fails and for a kind without any, and every road has each kind."""

from pathlib import Path

import pytest

from tests import test_every_road
from tests.every_road import OF_TEXTS
from tests.gate import KINDS, main

GOOD = "import pytest\n\n" + "".join(f"@pytest.mark.{kind}\ndef test_{kind}(): pass\n" for kind in KINDS)
BAD = GOOD + "@pytest.mark.deletion\n@pytest.mark.refusal\ndef test_bad(): assert 0\n"


@pytest.mark.parametrize(
    ("name", "text", "kinds", "code", "told"),
    [
        ("good", GOOD, [], 0, ["open"] * 4),
        ("bad", BAD, [], 1, ["open", "1 FAILED", "open", "1 FAILED"]),
        ("part", BAD, ["permission", "freshness"], 0, ["open", "open"]),
        ("lacks", GOOD.replace("freshness", "refusal"), [], 1, ["open", "open", "NO TEST", "open"]),
    ],
)
def test_the_gate(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    text: str,
    kinds: list[str],
    code: int,
    told: list[str],
) -> None:
    (tmp_path / f"test_gate_{name}.py").write_text(text)
    assert main([*kinds, "--tests", str(tmp_path)]) == code
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("gate: ")]
    assert [line.partition("passed")[2].strip() for line in lines] == told
    assert [line.split()[1] for line in lines] == [*(kinds or KINDS)]


def test_another_kind_is_told() -> None:
    with pytest.raises(SystemExit):
        main(["delusion"])


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_looks_at_every_road(kind: str) -> None:
    roads = set()
    for value in vars(test_every_road).values():
        marks = {mark.name: mark for mark in getattr(value, "pytestmark", ())}
        if kind in marks and "parametrize" in marks:
            names, values = marks["parametrize"].args
            roads |= set(values) if names == "road" else set()
    assert roads >= set(OF_TEXTS)
