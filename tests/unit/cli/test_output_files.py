"""A file that a command writes appears complete or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rocsolid.cli.output import write_text
from rocsolid.errors import InputError


def test_who_reads_the_old_file_goes_on_reading_it(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    target.write_text("old")
    with target.open() as reading:
        write_text(str(target), "new")
        assert reading.read() == "old"  # written in place, it would be cut or mixed
    assert target.read_text() == "new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.html"]


def test_a_failure_on_the_way_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "report.html"
    target.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "chmod", full)
    with pytest.raises(InputError, match="No space left"):
        write_text(str(target), "new")
    assert target.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.html"]
