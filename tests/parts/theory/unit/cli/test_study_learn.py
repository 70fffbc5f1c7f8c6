from __future__ import annotations

import json
from pathlib import Path

import pytest

from rocsolid.cli.app import run
from rocsolid.errors import how_to_install
from rocsolid.theory.study import learn
from rocsolid.theory.study.learn import LearnStudy


@pytest.fixture(scope="module")
def expected() -> LearnStudy:
    return learn(quick=True)


@pytest.mark.slow
def test_the_folder_has_the_page_and_every_table(
    expected: LearnStudy,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    folder = tmp_path / "learn"
    assert run(["study", "learn", "--quick", "--out", str(folder)]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    # no name is cut, however narrow the terminal
    for words in ("PartialAUCScorer, tight hinge", "corollary 4 low", "--letor FILE", str(folder)):
        assert words in captured.out
    assert {file.name for file in folder.iterdir()} == {
        "learn.html",
        "learn.json",
        *(f"{table.name}.csv" for table in expected.tables),
    }
    assert json.loads((folder / "learn.json").read_text("utf-8")) == expected.to_dict()


def test_files_that_are_not_there_end_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["study", "learn", "--quick", "--letor", str(tmp_path / "none.letor")]) == 2
    assert "none.letor" in capsys.readouterr().err
    assert run(["study", "learn", "--quick", "--clef", str(tmp_path)]) == 2
    assert "rank_features.csv.gz" in capsys.readouterr().err


def test_without_scikit_learn_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rocsolid.errors.importlib.util.find_spec", lambda _: None)
    assert run(["study", "learn", "--quick"]) == 2
    assert how_to_install("learn") in capsys.readouterr().err
