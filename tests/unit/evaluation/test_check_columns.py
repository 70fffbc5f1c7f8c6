"""Columns that nobody named: which of them explain an AUC."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocsolid as rs
from rocsolid.cli.app import app, run
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs.groups import codes_of_few

ROWS = 600


def table() -> dict[str, Any]:
    """A score that knows the hospital, which knows the label, and columns beside it."""
    rng = np.random.default_rng(1)
    hospital = rng.integers(0, 6, ROWS)
    return {
        "ill": (rng.random(ROWS) < hospital / 6 + 0.08).astype(int),
        "risk": hospital + rng.random(ROWS),
        "honest": rng.random(ROWS),
        "hospital": np.array([f"h{i}" for i in hospital], dtype=object),
        "coin": rng.integers(0, 2, ROWS),
        "row": np.arange(ROWS),
    }


def explained_by(data: Any, **options: Any) -> dict[str, set[str]]:
    """The columns that a warning names, by score."""
    options = {"label": "ill", "scores": ["risk", "honest"], "check_columns": True} | options
    return {
        entry.score: {
            word
            for each in entry.result.checks
            if each.code == "ROC017"
            for word in ("hospital", "coin", "row", "half")
            if f"about the {word}," in each
        }
        for entry in rs.evaluate(data, **options).results
    }


def test_the_column_behind_an_auc_is_named_and_no_other_one() -> None:
    assert explained_by(table()) == {"risk": {"hospital"}, "honest": set()}
    assert explained_by(table(), check_columns=False) == {"risk": set(), "honest": set()}


def test_every_kind_of_file_has_the_same_columns(tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(table())
    frame.write_csv(tmp_path / "t.csv")
    frame.write_parquet(tmp_path / "t.parquet")
    for data in (frame, tmp_path / "t.csv", tmp_path / "t.parquet", frame.lazy()):
        assert explained_by(data)["risk"] == {"hospital"}


def test_missing_values_are_a_value_and_rows_without_a_score_are_left_out() -> None:
    columns = table()
    columns["hospital"] = [None if name == "h3" else name for name in columns["hospital"]]
    columns["risk"] = np.where(np.arange(ROWS) % 7 == 0, np.nan, columns["risk"])
    assert explained_by(columns, nan="omit")["risk"] == {"hospital"}


def test_counts_repeat_the_other_columns() -> None:
    columns = table() | {"times": np.arange(ROWS) % 3 + 1}
    assert explained_by(columns, frequency="times")["risk"] == {"hospital"}


def test_beyond_the_rows_of_the_silent_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rocsolid.evaluation.evaluate_table.CHECKED", 100)
    assert explained_by(table())["risk"] == {"hospital"}
    assert explained_by(table(), check_columns=False, by="hospital")["risk"] == set()


def test_only_columns_of_few_values_are_examined() -> None:
    assert codes_of_few([1.0, 2.0] * 5) is not None
    assert codes_of_few([1.0, 2.0, 3.0] * 4) is None  # four rows of each
    assert codes_of_few([1.0] * 10) is None
    assert codes_of_few([1, "a"] * 10) is None


def test_other_samples_and_measures_refuse_it() -> None:
    with pytest.raises(InputError, match="check_columns"):
        rs.evaluate(table(), label="ill", scores="risk", fold="hospital", check_columns=True)
    for measures in ("partial_auc(fpr<=0.1)", "concordance"):
        with pytest.raises(UnsoundError, match="check_columns"):
            rs.evaluate(table(), label="ill", scores="risk", measures=measures, check_columns=True)
    with pytest.raises(InputError, match="within"):
        rs.evaluate(table(), label="ill", scores="risk", within="hospital", check_columns=True)


def test_the_command_line_warns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pl = pytest.importorskip("polars")
    pl.DataFrame(table()).write_csv(tmp_path / "t.csv")
    given = ["evaluate", str(tmp_path / "t.csv"), "--label", "ill", "--score", "risk"]
    with pytest.raises(SystemExit):
        app([*given, "--check-columns"])
    out = " ".join(capsys.readouterr().out.split())
    assert "Among rows of the same hospital the AUC is 0." in out


@pytest.mark.parametrize("scores", [["s"], ["s", "u"], ["few", "s", "copy"]])
def test_findings_are_printed_first_and_whole(
    scores: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ward = [i // 50 for i in range(400)]
    y = [int(i % 50 < 5 + 40 * (i // 200)) for i in range(400)]
    columns = {
        "ward": ward, "y": y, "copy": [2 * label for label in y],
        "s": [group + 0.01 * (7 * i % 50) for i, group in enumerate(ward)],
        "u": [group + 0.012 * (11 * i % 50) for i, group in enumerate(ward)],
        "few": [int(i == 0) for i in range(400)],  # which has warnings of its own
    }  # fmt: skip
    path = tmp_path / "wards.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    words = [word for score in scores for word in ("--score", score)]
    assert run(["evaluate", str(path), "--label", "y", *words, "--check-columns"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    first = printed.partition("note: ")[2]
    assert first.removeprefix("s: ").startswith("Among rows of the same ward the AUC is 0.3333")
    assert "it is mostly about the ward, and 95.5 % of the pairs span two." in first
    assert ("copy: The score has one value in each class" in first) == ("copy" in scores)
    assert first.count("Among rows") == 1 + ("u" in scores)
    assert "With --more: " in first
