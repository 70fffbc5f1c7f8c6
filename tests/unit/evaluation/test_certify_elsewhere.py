"""Certificates of rows that stay where they are are those of the same rows in memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.engines import in_memory
from rocsolid.evaluation.certify_table import certify_table

RNG = np.random.default_rng(8)
N = 700
Y = RNG.random(N) < 0.3
TABLE = {
    "y": np.where(Y, "ill", "well"),
    "a": RNG.normal(size=N) + Y,
    "b": (RNG.normal(size=N) + 1.5 * Y).round(1),
    "w": 1.0 + np.arange(N) % 3,
    "c": np.arange(N) // 3,
    "q": RNG.permutation(N) % 90,
    "grade": np.where(Y, RNG.integers(1, 4, N), 0),
}
ASKED: list[dict[str, Any]] = [
    {},
    {"at_least": 0.6, "level": 0.9, "candidates": 5},
    {"alternative": "two-sided", "bound": "hinge", "independent": True},
    {"sample_weight": "w", "design": "fixed"},
    {"sample_weight": "w", "design": "fixed", "measure": "partial_auc(fpr<=0.2)"},
    {"sample_weight": "w", "design": "fixed", "measure": "weighted_auc(power(2))"},
    {"cluster": "c", "design": "fixed"},
    {"measure": "precision@10%"},
    {"measure": "recall@50"},
    {"measure": "pr_auc"},
    {"lower_is_better": True, "bound": "mcdiarmid"},
    {"lower_is_better": True, "measure": "pr_auc"},
]
OF_LISTS: list[dict[str, Any]] = [
    {"measure": "ndcg@10"},
    {"measure": "map", "bound": "hinge", "alternative": "two-sided"},
    {"measure": "err@5", "lower_is_better": True, "at_least": 0.2},
]


def _sources(table: dict[str, Any]) -> list[Any]:
    return [pl.LazyFrame(table), duckdb.from_df(pd.DataFrame(table))]


@pytest.fixture
def never_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> float:
        raise AssertionError("rows were collected")

    monkeypatch.setattr(in_memory, "bytes_of_rows", refused)
    monkeypatch.setattr("rocsolid.evaluation.certify_table.read_table", refused)


@pytest.mark.parametrize("asked", [*ASKED, *OF_LISTS])
def test_all_that_is_said(asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    of: dict[str, Any] = {"label": "y", "scores": ["a", "b"], "pos_label": "ill", **asked}
    if asked in OF_LISTS:
        of = {"label": "grade", "scores": ["a", "b"], "qid": "q", **asked}
    wanted = certify_table(TABLE, **of)
    monkeypatch.setattr("rocsolid.evaluation.certify_table.read_table", None)
    for source in _sources(TABLE):
        found = certify_table(source, **of)
        assert found.rows == N
        assert (found.grid.best, found.decision) == (wanted.grid.best, wanted.decision)
        for name, one in found.grid.certificates.items():
            plain, here = wanted.grid[name].to_dict(), one.to_dict()
            for key in ("value", "low", "high"):
                assert here.pop(key) == pytest.approx(plain.pop(key), rel=1e-12, abs=1e-12)
            assert str(here.pop("interval", "")) == str(plain.pop("interval", ""))
            assert here == plain
        assert found.to_html()


def test_bounds_that_read_rows_collect() -> None:
    of: dict[str, Any] = {"label": "y", "scores": "a", "pos_label": "ill", "bound": "betting"}
    wanted = certify_table(TABLE, **of).grid
    for source in _sources(TABLE):
        found = certify_table(source, **of).grid
        assert found.certificate.scores == wanted.certificate.scores
        assert found.certificate.low == pytest.approx(wanted.certificate.low, rel=1e-12)


def test_every_row_needs_a_score(never_collected: None) -> None:
    holed = {**TABLE, "b": np.where(np.arange(N) == 5, np.nan, TABLE["b"])}
    for source in _sources(holed):
        assert certify_table(source, label="y", scores="a", pos_label="ill").rows == N
        with pytest.raises(rs.InputError, match=r"a row has no score.*column 'b'"):
            certify_table(source, label="y", scores=["a", "b"], pos_label="ill")
        with pytest.raises(rs.InputError, match=r"a row has no score.*column 'b'"):
            certify_table(source, label="grade", scores=["a", "b"], qid="q", measure="map")


def test_every_row_of_a_list_needs_a_grade(never_collected: None) -> None:
    holed = {**TABLE, "grade": np.where(np.arange(N) == 5, np.nan, TABLE["grade"])}
    for source in _sources(holed):
        with pytest.raises(rs.InputError, match="column 'grade'"):
            certify_table(source, label="grade", scores="a", qid="q", measure="map")


def test_refusals_are_those_of_memory() -> None:
    for asked in (
        {"measure": "pr_auc", "cluster": "c"},
        {"sample_weight": "w"},
        {"scores": ["a", "b"], "alternative": "less"},
        {"scores": ["a", "b"], "candidates": 1},
        {"scores": "a", "bound": "nothing"},
        {"measure": "map"},
        {"measure": "map", "qid": "q"},
        {"measure": "map", "qid": "q", "label": "grade", "pos_label": None, "cluster": "c"},
        {"measure": "dcg", "qid": "q", "label": "grade", "pos_label": None},
    ):
        of: dict[str, Any] = {"label": "y", "scores": "a", "pos_label": "ill", **asked}
        with pytest.raises(rs.RocsolidError) as here:
            certify_table(TABLE, **of)
        for source in _sources(TABLE):
            with pytest.raises(type(here.value)) as there:
                certify_table(source, **of)
            assert str(there.value) == str(here.value)


@pytest.mark.usefixtures("never_collected")
def test_files_are_certified_within_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.csv"
    pd.DataFrame(TABLE).to_csv(file, index=False)
    monkeypatch.setattr(in_memory, "fits", lambda *_: False)
    asked = {"label": "y", "scores": ["a", "b"], "pos_label": "ill"}
    found = rs.certify(file, memory="400MB", threads=1, **asked)
    wanted = certify_table(pl.LazyFrame(TABLE), **asked)
    assert found.grid.certificates["a"].low == pytest.approx(
        wanted.grid.certificates["a"].low, abs=1e-12
    )
    command = f"certify {file} --label y --score a --score b --pos-label ill --memory 400MB --json"
    assert run(command.split()) == 0
    assert (
        json.loads(capsys.readouterr().out)["certificates"]["a"]["low"]
        == found.grid.certificates["a"].low
    )
