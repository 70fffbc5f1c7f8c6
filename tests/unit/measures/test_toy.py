"""One class and one row make a measure that every verb takes or refuses by a declared reason."""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.certify_table import certify_table
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.measures import named
from rocsolid.measures.binary_measure import ResampledMeasure
from rocsolid.summaries.score_counts import ScoreCounts


@dataclass(frozen=True, slots=True)
class Youden(ResampledMeasure):
    """The largest difference of the two rates."""

    @property
    def text(self) -> str:
        return "youden"

    @property
    def words(self) -> str:
        return "the largest difference of the two rates"

    def value(self, table: ScoreCounts) -> float:
        gap = np.cumsum(table.neg) / table.neg.sum() - np.cumsum(table.pos) / table.pos.sum()
        return float(max(gap.max(), 0.0))

    @property
    def meaning(self) -> str:
        return "Youden's index is {value}."

    def chance(self, table: ScoreCounts) -> float:  # noqa: ARG002
        return 0.0


RNG = np.random.default_rng(8)
Y = RNG.integers(0, 2, 160)
TABLE = {
    "y": Y,
    "a": (Y + RNG.normal(size=160)).round(1),
    "b": (Y + RNG.normal(size=160)).round(1),
    "w": RNG.random(160) + 0.5,
    "site": np.arange(160) % 2,
    "ward": np.arange(160) // 4,
}


@pytest.fixture(autouse=True)
def _one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"youden": named.Kind(lambda _text, _inside: Youden(), "youden")}
    monkeypatch.setattr(named, "KINDS", MappingProxyType({**named.KINDS, **row}))


def by_hand(y: np.ndarray, s: np.ndarray, w: np.ndarray) -> float:
    return max(
        w[(y == 1) & (s >= t)].sum() / w[y == 1].sum()
        - w[(y == 0) & (s >= t)].sum() / w[y == 0].sum()
        for t in s
    )


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("cluster", [None, "ward"])
def test_evaluate_takes_it(weight: str | None, cluster: str | None) -> None:
    found = rs.evaluate(
        TABLE, label="y", scores=["a", "b"], measures=["auc", "youden"], by="site",
        sample_weight=weight, cluster=cluster, resamples=200,
    )  # fmt: skip
    w = TABLE["w"] if weight else np.ones(160)
    seen = 0
    for result in (r for r in found.results if r.measure == "youden"):
        of = np.ones(160, bool) if result.by is None else TABLE["site"] == result.by["site"]
        assert result.value == pytest.approx(by_hand(Y[of], TABLE[result.score][of], w[of]))
        assert result.low <= result.high
        seen += 1
    assert seen == 6
    assert "youden is the largest difference of the two rates." in found.to_html()
    json.dumps(found.to_dict())
    assert "youden" in found.to_markdown()


@pytest.mark.parametrize("cluster", [None, "ward"])
def test_compare_takes_it(cluster: str | None) -> None:
    one = compare_table(
        TABLE, label="y", scores=["a", "b"], measure="youden", test="bootstrap", cluster=cluster,
        resamples=200,
    ).comparisons[None]  # fmt: skip
    ones = np.ones(160)
    assert one.pairs[0].difference == pytest.approx(
        by_hand(Y, TABLE["a"], ones) - by_hand(Y, TABLE["b"], ones)
    )


def test_what_it_cannot_do_is_refused_by_a_reason() -> None:
    with pytest.raises(rs.UnsoundError, match="no formula gives the variance of youden"):
        rs.compare(Y, {"a": TABLE["a"], "b": TABLE["b"]}, measure="youden")
    with pytest.raises(rs.UnsoundError, match=r"no guarantee is known.*youden"):
        certify_table(TABLE, label="y", scores="a", measure="youden", independent=True)
    with pytest.raises(rs.InputError, match=r"unknown interval.*bootstrap-percentile"):
        rs.evaluate(TABLE, label="y", scores="a", measures="youden", interval="delong")


def test_an_engine_collects_the_rows_that_it_resamples() -> None:
    lazy = pytest.importorskip("polars").DataFrame(TABLE).lazy()
    ours, theirs = (
        rs.evaluate(rows, label="y", scores="a", measures="youden").results[0]
        for rows in (lazy, TABLE)
    )
    assert (ours.value, ours.low, ours.high) == (theirs.value, theirs.low, theirs.high)
