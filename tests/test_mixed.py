"""eval/mixed.py: a small folder of every kind of file loses nothing, and a loss is found where there is one."""

from dataclasses import replace
from pathlib import Path

import pytest

from eval import mixed
from eval.mixed_bad import BAD
from eval.mixed_made import WRITERS
from sources.folder import SUFFIXES
from sources.formats import MODULES


def test_every_kind_that_is_read_is_made() -> None:
    assert {*WRITERS} == {*MODULES, *SUFFIXES}
    assert {*mixed.PLACES} == {*MODULES.values()}


def test_nothing_of_a_mixed_folder_is_lost(tmp_path: Path) -> None:
    files = mixed.make(tmp_path / "files", 40, 12, None, 2, office=False)
    report = mixed.check(tmp_path / "files", files, tmp_path / "index.db")
    assert report.faults == []
    assert sum(row.planted for row in report.rows.values()) == 4 * 28
    assert sum(row.files for row in report.rows.values()) == 40
    assert report.summary.added + len(report.summary.skipped) == 40


def test_each_loss_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    files = mixed.make(folder, 24, 2, None, 1, office=False)
    by = {file.kind: file for file in files}
    lost, moved, elsewhere = by[".md"], by[".ipynb"], by[".docx"]
    (folder / lost.path).write_text("# Rules\n\nNothing of it is here.\n")
    (folder / "chart.png").write_bytes(b"\x89PNG")
    (folder / by[".html"].path).write_bytes(b"")
    moved.places = dict.fromkeys(moved.places, "cell 999")
    elsewhere.page.heading = "Elsewhere"
    bad = [file for file in files if file.bad]
    for file in bad:
        assert file.bad
        file.bad = replace(file.bad, told="what nobody says", indexed=False)
    faults = mixed.check(folder, files, tmp_path / "index.db").faults
    assert sum(lost.path in fault and "is not in the index" in fault for fault in faults) == 4
    assert sum(moved.path in fault and "not at cell 999" in fault for fault in faults) == 4
    assert sum(elsewhere.path in fault and "not under Elsewhere" in fault for fault in faults) == 4
    assert "chart.png: neither in the receipts nor left out" in faults
    assert f"{by['.html'].path}: is good and was left out (is empty)" in faults
    assert all(any(file.path in fault for fault in faults) for file in bad)


@pytest.mark.slow
def test_nothing_of_five_hundred_mixed_files_is_lost() -> None:
    assert mixed.main(["--files", "500", "--bad", str(2 * len(BAD))]) == 0
