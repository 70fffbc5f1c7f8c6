"""The command line, run in this process; a few runs as a user would start it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from bad_files import BAD_FILES, BadFile
from rocsolid.cli.app import app, run
from rocsolid.evaluation.examples import screening

DATA = screening(1_500)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    pd.DataFrame(DATA).to_csv(path, index=False)
    return path


def test_json_is_the_evaluation(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import rocsolid as rs

    code = run(["evaluate", str(table), "--label", "ill", "--score", "risk", "--score", "lab",
                "--by", "hospital", "--json"])  # fmt: skip
    printed = json.loads(capsys.readouterr().out)
    assert code == 0
    expected = rs.evaluate(table, label="ill", scores=["risk", "lab"], by="hospital").to_dict()
    assert printed == json.loads(json.dumps(expected))


def test_the_table_fits_80_columns_and_says_what_matters(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["evaluate", str(table), "--label", "ill", "--score", "points", "--score", "risk",
                "--by", "hospital"]) == 0  # fmt: skip
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert "North" in out
    assert "are tied" in out
    assert "certified" in out


def test_options_reach_the_evaluation(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = pd.DataFrame(DATA)
    frame["ill"] = frame["ill"].map({0: "no", 1: "yes"})
    frame["risk"] = -frame["risk"]
    frame["w"], frame["pair"] = range(1, 1_501), [i // 2 for i in range(1_500)]
    frame.loc[3, "risk"] = None
    frame.to_csv(table, index=False)
    page = tmp_path / "out.html"
    assert run(["evaluate", str(table), "--label", "ill", "--score", "risk", "--pos-label", "yes",
                "--lower-is-better", "--nan", "omit", "--sample-weight", "w", "--cluster", "pair",
                "--interval", "logit-t", "--level", "0.9", "--alternative", "greater", "--json",
                "--html", str(page)]) == 0  # fmt: skip
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["value"] > 0.5
    assert (result["high"], result["level"], result["method"]) == (1.0, 0.9, "logit-t")
    assert result["settings"]["omitted"] == 1
    assert result["settings"]["clusters"] == 750
    assert result["settings"]["weighted"] is True
    assert "<!doctype html>" in page.read_text(encoding="utf-8")


def test_standard_input(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(table.read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert run(["evaluate", "-", "--label", "ill", "--score", "risk", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 1_500


@pytest.mark.parametrize("case", BAD_FILES, ids=lambda case: case.name)
def test_bad_files_end_with_2_and_write_nothing(
    case: BadFile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, page = case.write(tmp_path), tmp_path / "page.html"
    assert run(["evaluate", str(path), *case.arguments(), "--json", "--html", str(page)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("rocsolid: ")
    for words in case.says:
        assert words in captured.err
    assert "Traceback" not in captured.err
    assert not page.exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["evaluate"], "requires an argument"),
        (["evaluate", "x.csv", "--lable", "y", "--score", "s"], "--label"),
        (["evalute", "x.csv"], "evaluate"),
        (["evaluate", "x.csv", "--label", "y", "--score", "s", "--level", "high"], "high"),
        (["evaluate", "x.csv", "--label", "y", "--score", "s", "--nan", "drop"], "omit"),
        (["evaluate", "nowhere.csv", "--label", "y", "--score", "s"], "nowhere.csv"),
    ],
)
def test_bad_words_end_with_2(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert says in captured.err


def test_a_page_that_cannot_be_written(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = table.parent / "missing" / "page.html"
    assert run(["evaluate", str(table), "--label", "ill", "--score", "risk", "--html",
                str(page)]) == 2  # fmt: skip
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "cannot be written" in captured.err


def test_every_verb_has_help_with_a_runnable_example(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("evaluate", "demo"):
        assert run([verb, "--help"]) == 0
        assert f"rocsolid {verb}" in capsys.readouterr().out
    assert run(["--version"]) == 0
    assert app.version is not None


def test_the_demonstration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "report.html"
    assert run(["demo", "--html", str(page)]) == 0
    out = capsys.readouterr().out
    assert "up, right, up, up, right, right, right" in out
    assert "5/6" in out
    assert out.rstrip().endswith(str(page))
    assert page.stat().st_size > 10_000
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_as_a_user_starts_it(table: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rocsolid", "evaluate", str(table), "--label", "ill", "--score",
         "risky"],
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    assert "use 'risk', the nearest name" in done.stderr
