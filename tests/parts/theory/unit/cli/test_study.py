from __future__ import annotations

import json
from pathlib import Path

import pytest

from rocsolid.cli.app import run
from rocsolid.theory.study import bounds, pauc


def test_the_folder_has_the_page_and_every_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "bounds"
    assert run(["study", "bounds", "--quick", "--out", str(folder)]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert str(folder) in captured.out
    expected = bounds(quick=True)
    assert {file.name for file in folder.iterdir()} == {
        "bounds.html",
        "bounds.json",
        *(f"{table.name}.csv" for table in expected.tables),
    }
    assert json.loads((folder / "bounds.json").read_text("utf-8")) == expected.to_dict()
    for table in expected.tables:
        assert (folder / f"{table.name}.csv").read_text("utf-8") == table.to_csv()
    assert (folder / "bounds.html").read_text("utf-8").startswith("<!doctype html>")


def test_json_is_the_study(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["study", "bounds", "--quick", "--json", "--seed", "3"]) == 0
    assert json.loads(capsys.readouterr().out) == bounds(quick=True, seed=3).to_dict()


def test_a_folder_that_cannot_be_made_ends_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    assert run(["study", "bounds", "--quick", "--out", str(file / "below")]) == 2
    assert "the folder cannot be created" in capsys.readouterr().err


def test_the_study_of_partial_areas(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    folder = tmp_path / "pauc"
    assert run(["study", "pauc", "--quick", "--out", str(folder)]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    for words in ("Proposition 1", "FPR <= 0.05", "band", "R^5", str(folder)):
        assert words in captured.out
    table = "".join(captured.out.split("W = 1")[1:]).split("FPR")[0]
    assert max(map(len, table.splitlines())) <= 80
    assert "R^5" in table
    expected = pauc(quick=True)
    assert {file.name for file in folder.iterdir()} == {
        "pauc.html",
        "pauc.json",
        *(f"{table.name}.csv" for table in expected.tables),
    }
    assert json.loads((folder / "pauc.json").read_text("utf-8")) == expected.to_dict()
