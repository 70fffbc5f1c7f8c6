"""A table of counts gives, in every number, what its rows give when they are written out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.errors import InputError
from rocsolid.evaluation.compare_table import compare_table

RNG = np.random.default_rng(5)
N = 24
Y = np.arange(N) % 3 == 0
S = np.round(RNG.normal(size=N) + 1.2 * Y, 1)
T = np.round(RNG.normal(size=N) + 0.5 * Y, 1)
F = RNG.integers(0, 9, N)
C = np.arange(N) // 2
W = RNG.random(N) + 0.2
G = np.where(np.arange(N) < 12, "a", "b")


def long(values: Any) -> Any:
    return np.repeat(values, F)


def options(names: str) -> tuple[dict[str, Any], dict[str, Any]]:
    given = {"cluster": C, "sample_weight": W}
    short = {name: given[name] for name in names.split()}
    return short, {name: long(values) for name, values in short.items()}


@pytest.mark.parametrize("names", ["", "cluster", "sample_weight", "cluster sample_weight"])
@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.uint8])
def test_an_auc_of_counts_is_that_of_the_rows_written_out(names: str, dtype: Any) -> None:
    short, out = options(names)
    asked = {"design": "fixed"}
    found = rs.auc(Y, S, frequency=F.astype(dtype), **short, **asked)
    assert found.to_dict() == rs.auc(long(Y), long(S), **out, **asked).to_dict()
    assert found.n_pos + found.n_neg == F.sum()


@pytest.mark.parametrize("interval", ["bootstrap-bca", "delong", "hinge"])
def test_other_intervals_too(interval: str) -> None:
    found = rs.auc(Y, S, frequency=F, interval=interval, resamples=50)
    written = rs.auc(long(Y), long(S), interval=interval, resamples=50)
    assert found.to_dict() == written.to_dict()


def test_areas_curves_and_comparisons_too() -> None:
    pairs = [
        (rs.partial_auc(Y, S, fpr=0.3, frequency=F), rs.partial_auc(long(Y), long(S), fpr=0.3)),
        (
            rs.weighted_auc(Y, S, weight=rs.weights.power(2), frequency=F),
            rs.weighted_auc(long(Y), long(S), weight=rs.weights.power(2)),
        ),
        (
            rs.compare(Y, {"a": S, "b": T}, frequency=F, cluster=C),
            rs.compare(long(Y), {"a": long(S), "b": long(T)}, cluster=long(C)),
        ),
    ]
    for found, written in pairs:
        assert found.to_dict() == written.to_dict()
    found, written = rs.roc(Y, S, frequency=F), rs.roc(long(Y), long(S))
    assert (found.tpr == written.tpr).all()
    assert (found.fpr == written.fpr).all()
    assert found.auc == written.auc


def test_missing_scores_are_counted_as_rows() -> None:
    holes = np.where(np.arange(N) == 4, np.nan, S)
    found = rs.auc(Y, holes, frequency=F, nan="omit")
    assert found.to_dict() == rs.auc(long(Y), long(holes), nan="omit").to_dict()
    assert found.settings["omitted"] == F[4]


def table(written: bool) -> dict[str, Any]:
    columns = {"y": Y.astype(int), "s": S, "t": T, "g": G, "c": C, "w": W, "f": F}
    return {name: long(values) for name, values in columns.items()} if written else columns


@pytest.mark.parametrize(
    "more", [{}, {"by": "g"}, {"by": "g", "cluster": "c"}, {"sample_weight": "w"}]
)
def test_a_table_of_counts(more: dict[str, Any]) -> None:
    asked = {"label": "y", "scores": ["s", "t"], "measures": ["auc", "partial_auc(fpr<=0.5)"]}
    found = rs.evaluate(table(False), frequency="f", **asked, **more)
    assert found.to_dict() == rs.evaluate(table(True), **asked, **more).to_dict()
    asked.pop("measures")
    pairs = compare_table(table(False), frequency="f", **asked, **more)
    assert pairs.to_dict() == compare_table(table(True), **asked, **more).to_dict()


def test_the_command_line_reads_the_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = []
    for written in (False, True):
        columns = table(written)
        rows = zip(columns["y"], columns["s"], columns["f"], strict=True)
        file = tmp_path / "t.csv"
        file.write_text("y,s,f\n" + "\n".join(f"{y},{s},{f}" for y, s, f in rows) + "\n")
        words = [] if written else ["--frequency", "f"]
        assert run(["evaluate", str(file), "--label", "y", "--score", "s", *words]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (np.where(np.arange(N) == 3, -1, 2), r"whole number of 0 or more: -1 \(frequency, row 3"),
        (
            np.where(np.arange(N) == 3, 1.5, 2),
            r"whole number of 0 or more: 1\.5 \(frequency, row 3",
        ),
        (np.where(np.arange(N) == 3, np.nan, 2), "whole number of 0 or more: nan"),
        (np.zeros(N), "no row has a frequency above 0"),
        (np.full(N, 10**9), "too many rows after expansion"),
        (np.ones(N - 1), "frequency"),
    ],
)
def test_what_is_no_count_is_refused(counts: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        rs.auc(Y, S, frequency=counts)


def test_an_error_in_a_table_of_counts_names_its_own_row() -> None:
    columns = {**table(False), "s": np.where(np.arange(N) == 7, np.nan, S), "f": np.full(N, 5)}
    with pytest.raises(InputError, match="rows 7"):
        rs.evaluate(columns, label="y", scores="s", frequency="f")


def test_where_it_has_no_meaning_it_is_refused() -> None:
    with pytest.raises(InputError, match="machine labels"):
        rs.auc(Y, S, frequency=F, proxy=Y, unlabelled=(S, Y))
    with pytest.raises(InputError, match="frequency"):
        rs.evaluate(table(False), label="y", scores="s", qid="c", frequency="f")
