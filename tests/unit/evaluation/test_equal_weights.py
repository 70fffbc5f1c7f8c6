"""Equal weights are weights: of a weighted design that lacks its heavy rows by chance."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocsolid as rs
from rocsolid import UnsoundError
from rocsolid.cli.app import run
from rocsolid.evaluation.compare_table import compare_table

_RNG = np.random.default_rng(5)
N = 120
Y = np.arange(N) % 3 == 0
TABLE = pd.DataFrame(
    {
        "y": Y.astype(int), "w": np.full(N, 1.0), "site": np.where(np.arange(N) % 2, "a", "b"),
        "a": _RNG.normal(size=N) + Y, "b": _RNG.normal(size=N) + 0.5 * Y,
        # heavy in one segment alone
        "v": np.where(np.arange(N) == 1, 5.0, 1.0),
    }
)  # fmt: skip


SOURCES: dict[str, Callable[[], Any]] = {
    "memory": lambda: TABLE,
    "narwhals": lambda: pl.from_pandas(TABLE).lazy(),
    "duckdb": lambda: duckdb.from_df(TABLE),
}


@pytest.mark.parametrize("source", SOURCES)
def test_no_engine_certifies_them_undeclared(source: str) -> None:
    data = SOURCES[source]()
    asked: dict[str, Any] = {"label": "y", "scores": ["a", "b"], "sample_weight": "w"}
    parts = rs.evaluate(data, by="site", **asked)
    plain = rs.evaluate(TABLE, label="y", scores=["a", "b"], by="site")
    for at in (0, 1):
        one, other = parts.parts[at].overall, plain.parts[at].overall
        assert one.certified is None
        assert other.certified is not None
        assert one.value == other.value
        assert one.std_error == pytest.approx(other.std_error, rel=1e-12)
        assert (one.interval.low, one.interval.high) == pytest.approx(
            (other.interval.low, other.interval.high), rel=1e-12
        )
        assert any("No certified interval" in said for said in one.warnings)
        assert all(row["certified"] is None for row in parts.to_dict()["results"])
    fixed = rs.evaluate(data, design="fixed", **asked)
    assert fixed.parts[0].overall.certified is not None
    for by in (None, "site"):
        for design in (None, "fixed"):
            found = compare_table(data, by=by, design=design, **asked)
            pairs = [pair for one in found.comparisons.values() for pair in one.pairs]
            assert {pair.certified is None for pair in pairs} == {design is None}


def test_neither_do_arrays_have_a_certificate() -> None:
    y, a, b, weight = (TABLE[name].to_numpy() for name in ("y", "a", "b", "w"))
    asked: dict[str, Any] = {"sample_weight": weight}
    scores = {"a": a, "b": b}
    assert rs.compare(y, scores, **asked).pairs[0].certified is None
    assert rs.compare(y, scores, design="fixed", **asked).pairs[0].certified is not None
    assert rs.concordance(y + (a > 1), b).certified is not None
    assert rs.concordance(y + (a > 1), b, **asked).certified is None


def test_a_segment_of_equal_weights_is_of_the_same_design() -> None:
    found = rs.evaluate(TABLE, label="y", scores="a", sample_weight="v", by="site")
    rows = found.to_dict()["results"]
    assert len(rows) == 3
    assert [row["certified"] for row in rows] == [None] * 3


@pytest.mark.parametrize(
    "measure",
    ["auc", "partial_auc(fpr<=0.2)", "pr_auc", "precision@20", "sensitivity(specificity=0.9)",
     "weighted_auc(power(1))"],
)  # fmt: skip
def test_no_measure_has_a_certificate_of_them(measure: str) -> None:
    asked = {"label": "y", "scores": "a", "measures": measure}
    plain = rs.evaluate(TABLE, **asked).parts[0].overall
    even = rs.evaluate(TABLE, sample_weight="w", **asked).parts[0].overall
    fixed = rs.evaluate(TABLE, sample_weight="w", design="fixed", **asked).parts[0].overall
    assert plain.certified is not None
    assert even.certified is None
    assert fixed.certified is not None
    assert any("design" in said for said in even.warnings)


def test_a_guarantee_by_name_needs_the_design() -> None:
    weight = TABLE["w"].to_numpy()
    for method in ("matchings", "hinge", "mcdiarmid"):
        with pytest.raises(UnsoundError, match="would be wrong for weights"):
            rs.auc(TABLE["y"], TABLE["a"], sample_weight=weight, interval=method)
    named = rs.auc(TABLE["y"], TABLE["a"], sample_weight=weight, interval="hinge", design="fixed")
    assert named.interval.certified


def test_certify_and_gate_need_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    TABLE.to_csv("t.csv", index=False)
    certify = ["certify", "t.csv", "--label", "y", "--score", "a", "--sample-weight", "w"]
    assert run(certify) == 2
    assert "No certified interval, because it would be wrong for weights" in capsys.readouterr().err
    assert run([*certify, "--design", "fixed"]) == 0
    policy = 'label = "y"\nsample_weight = "w"\nevidence = "certified"\n{}[[rule]]\n'
    rule = 'score = "a"\nmeasure = "auc"\nat_least = 0.55\n'
    for name, more in (("open", ""), ("declared", 'design = "fixed"\n')):
        Path(f"{name}.toml").write_text(policy.format(more) + rule)
    assert run(["gate", "declared.toml", "t.csv"]) == 0
    assert run(["gate", "open.toml", "t.csv"]) != 0
