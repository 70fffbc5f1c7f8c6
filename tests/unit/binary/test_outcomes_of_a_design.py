"""Concordances and volumes of weighted and clustered rows, calibrated and certified."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import rocsolid as rs

SCALES = ("concordance", "vus")
RNG = np.random.default_rng(11)
GRADE = RNG.integers(0, 3, 90)
SCORE = np.round(GRADE + RNG.normal(size=90), 1)
OTHER = np.round(GRADE + 2 * RNG.normal(size=90), 1)
WEIGHT = RNG.integers(1, 5, 90).astype(float)
CLUSTER = np.arange(90) // 2
TABLE = {"grade": GRADE, "a": SCORE, "b": OTHER, "w": WEIGHT, "c": CLUSTER}


@pytest.mark.parametrize("scale", SCALES)
def test_a_weight_of_two_is_a_copy_of_the_same_cluster(scale: Any) -> None:
    """The concordance takes the weight of a row's own pairs out of its variance, copies do not."""
    weighted = rs.concordance(GRADE, SCORE, scale=scale, sample_weight=WEIGHT)
    copies = np.repeat(np.arange(90), WEIGHT.astype(int))
    copied = rs.concordance(GRADE[copies], SCORE[copies], scale=scale, cluster=copies)
    assert weighted.value == pytest.approx(copied.value, abs=1e-12)
    assert weighted.std_error == pytest.approx(copied.std_error, rel=0.03)


def test_weights_of_a_volume_have_the_influence_of_a_small_change() -> None:
    """w_i·(V_i − V)/Σw is w_i times the derivative of the volume by the weight."""
    base = rs.concordance(GRADE, SCORE, scale="vus", sample_weight=WEIGHT)
    variance = 0.0
    for kind in range(3):
        rows = np.flatnonzero(kind == GRADE)
        square = 0.0
        for row in rows:
            more = WEIGHT.copy()
            more[row] += 1e-5
            moved = rs.concordance(GRADE, SCORE, scale="vus", sample_weight=more).value
            square += (WEIGHT[row] * (moved - base.value) / 1e-5) ** 2
        variance += square * len(rows) / (len(rows) - 1)
    assert base.std_error == pytest.approx(math.sqrt(variance), rel=1e-3)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("design", [{"sample_weight": WEIGHT}, {"cluster": CLUSTER},
                                    {"sample_weight": WEIGHT, "cluster": CLUSTER}])  # fmt: skip
def test_a_unit_moves_the_value_by_at_most_its_share(scale: Any, design: dict[str, Any]) -> None:
    """The limits are McDiarmid's for moves that bound those by any scores of a unit."""
    unit = design.get("cluster", np.arange(90))
    weight = design.get("sample_weight", np.ones(90))
    totals = np.bincount(GRADE, weight)
    share = weight / totals[GRADE]
    if scale == "concordance":
        pairs = (totals.sum() ** 2 - (totals**2).sum()) / 2
        share = weight * (totals.sum() - totals[GRADE]) / pairs
    most = np.bincount(unit, share)
    rng = np.random.default_rng(1)
    for one in range(0, int(unit.max()) + 1, 7):
        moved = []
        for score in (99.0, -99.0, *rng.normal(1, 2, 4)):
            scores = SCORE.copy()
            scores[unit == one] = score
            moved.append(rs.concordance(GRADE, scores, scale=scale, **design).value)
        assert max(moved) - min(moved) <= most[one] + 1e-12
    result = rs.concordance(GRADE, SCORE, scale=scale, design="fixed", **design)
    reach = math.sqrt(math.log(2 / 0.05) / 2 * (most**2).sum())
    assert result.certified.low == pytest.approx(max(result.value - reach, 0.0))
    assert result.certified.high == pytest.approx(min(result.value + reach, 1.0))
    assert result.certified.method == ("clustered" if "cluster" in design else "weighted")
    assert rs.concordance(GRADE, SCORE, scale=scale, **design).certified is None


@pytest.mark.parametrize("scale", SCALES)
def test_two_outcomes_have_the_limits_of_the_auc(scale: Any) -> None:
    """The shares of pairs and of chains are then both those of the classes."""
    label = np.where(GRADE == 2, 1, 0)
    three = np.append(label, 2), np.append(SCORE, 99.0)  # a third outcome of almost no weight
    weight = np.append(WEIGHT, 1e-12)
    cluster = np.append(CLUSTER, 45)
    auc = rs.auc(label, SCORE, sample_weight=WEIGHT, cluster=CLUSTER, design="fixed")
    result = rs.concordance(label, SCORE, scale=scale, sample_weight=WEIGHT, cluster=CLUSTER,
                            design="fixed")  # fmt: skip
    assert (result.certified.low, result.certified.high) == (auc.certified.low, auc.certified.high)
    if scale == "concordance":
        near = rs.concordance(*three, sample_weight=weight, cluster=cluster, design="fixed")
        assert near.certified.low == pytest.approx(auc.certified.low, abs=1e-6)


def test_equal_weights_of_a_design_have_the_certificate_of_rows() -> None:
    plain = rs.concordance(GRADE, SCORE, scale="vus").certified
    even = {"scale": "vus", "sample_weight": np.full(90, 2.0)}
    assert rs.concordance(GRADE, SCORE, **even).certified is None
    assert rs.concordance(GRADE, SCORE, design="fixed", **even).certified == plain


@pytest.mark.parametrize("scale", SCALES)
def test_every_verb_has_the_certified_limits(scale: Any) -> None:
    design = {"sample_weight": "w", "cluster": "c", "design": "fixed"}
    alone = {
        name: rs.concordance(GRADE, TABLE[name], scale=scale, sample_weight=WEIGHT,
                             cluster=CLUSTER, design="fixed")
        for name in "ab"
    }  # fmt: skip
    answer = rs.evaluate(TABLE, label="grade", scores=["a", "b"], measures=scale, **design)
    assert {entry.score: entry.result for entry in answer.results} == alone
    pair = rs.compare(TABLE, label="grade", scores=["a", "b"], measure=scale, **design)
    (difference,) = pair.comparisons[None].pairs
    of_arrays = rs.compare(
        GRADE, {"a": SCORE, "b": OTHER}, measure=scale, sample_weight=WEIGHT, cluster=CLUSTER,
        design="fixed",
    ).pairs[0]  # fmt: skip
    assert difference.certified == of_arrays.certified
    assert difference.certified.method == "difference of clustered"
    certificate = rs.certify(TABLE, label="grade", scores="a", measure=scale, **design)
    upper = rs.concordance(GRADE, SCORE, scale=scale, sample_weight=WEIGHT, cluster=CLUSTER,
                           design="fixed", alternative="greater")  # fmt: skip
    assert certificate.grid.certificate.low == upper.certified.low


def test_an_outcome_without_weight_has_no_volume() -> None:
    weight = np.where(GRADE == 1, 0.0, WEIGHT)
    with pytest.raises(rs.UnsoundError, match="have the weight 0"):
        rs.concordance(GRADE, SCORE, scale="vus", sample_weight=weight)
    assert rs.concordance(GRADE, SCORE, sample_weight=weight).value > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("clustered", [False, True])
def test_coverage_of_weighted_volumes(clustered: bool) -> None:
    """An interval of coverage .95 misses 21 of 200 tables or more with a chance of .1 %."""
    rng = np.random.default_rng(6)
    size, missed, outside = 40, 0, 0
    grade = np.repeat(np.arange(3), size)
    weight = rng.choice([1.0, 2.0, 3.0], len(grade))
    cluster = np.tile(np.arange(size), 3) if clustered else None

    def scores() -> np.ndarray:
        shared = rng.normal(size=size)[np.tile(np.arange(size), 3)] if clustered else 0.0
        return grade + shared + rng.normal(size=len(grade))

    pooled = [rs.concordance(grade, scores(), scale="vus", sample_weight=weight).value
              for _ in range(1500)]  # fmt: skip
    truth = float(np.mean(pooled))
    for _ in range(200):
        result = rs.concordance(
            grade, scores(), scale="vus", sample_weight=weight, cluster=cluster, design="fixed"
        )
        missed += not result.low <= truth <= result.high
        outside += not result.certified.low <= truth <= result.certified.high
    assert missed < binom.ppf(0.999, 200, 0.05)
    assert outside <= 1
