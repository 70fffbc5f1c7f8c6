"""Plans of certified AUCs and differences have the limits of the certificates of so many rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtri

import rocsolid as rs
from rocsolid.intervals.guarantees.berry_esseen import berry_esseen, berry_esseen_deviation
from rocsolid.intervals.guarantees.best import of_differences, of_sizes
from rocsolid.intervals.guarantees.cuts import MOST
from rocsolid.intervals.guarantees.difference import difference
from rocsolid.intervals.guarantees.hinge import hinge
from rocsolid.plan.certified import MOST_SCORES, PlannedAuc, PlannedDifference

DELTA = 1 - 0.95


def drawn(
    rng: np.random.Generator, n_pos: int, n_neg: int, aucs: tuple[float, ...], rho: float
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Jointly normal scores with these AUCs."""
    y = np.repeat([1, 0], [n_pos, n_neg])
    common = rng.normal(size=len(y))
    scores = {}
    for name, auc in zip("ab", aucs, strict=False):
        own = rng.normal(size=len(y))
        noise = math.sqrt(rho) * common + math.sqrt(1 - rho) * own
        scores[name] = noise + y * math.sqrt(2) * ndtri(auc)
    return y, scores


@pytest.mark.parametrize(
    ("asked", "tables"),
    [
        ({"epsilon": 0.1, "auc": 0.8}, 60),
        ({"epsilon": 0.03, "auc": 0.9, "prevalence": 0.2, "level": 0.9}, 20),
        ({"epsilon": 0.004, "auc": 0.76}, 1),
    ],
)
def test_rows_of_a_plan_have_limits_at_the_planned_distance(
    asked: dict[str, Any], tables: int
) -> None:
    """The mean distance varies by less than 3 % between sets of so many tables."""
    plan = rs.plan.samples(**asked)
    rng = np.random.default_rng(4)
    distances = []
    for _ in range(tables):
        y, scores = drawn(rng, plan.n_pos, plan.n_neg, (asked["auc"],), 0.0)
        certified = rs.auc(y, scores["a"], level=asked.get("level", 0.95)).certified
        assert certified.method == plan.method == of_sizes(plan.n_pos, plan.n_neg)
        value = rs.auc(y, scores["a"]).value
        distances.append(max(value - certified.low, certified.high - value))
    assert np.mean(distances) == pytest.approx(asked["epsilon"], rel=0.03)
    assert plan.reaches <= asked["epsilon"]


@pytest.mark.parametrize(("prevalence", "target"), [(0.5, 0.0), (0.2, 0.01)])
def test_rows_of_a_plan_certify_the_planned_difference(prevalence: float, target: float) -> None:
    plan = rs.plan.labels_to_certify(
        target, 0.85, auc_b=0.78, correlation=0.5, prevalence=prevalence
    )
    rng = np.random.default_rng(2)
    distances = []
    for _ in range(60):
        y, scores = drawn(rng, plan.n_pos, plan.n_neg, (0.85, 0.78), 0.5)
        (pair,) = rs.compare(y, scores, alternative="greater").pairs
        assert pair.certified.method == plan.method
        distances.append(pair.difference - pair.certified.low)
    assert np.mean(distances) == pytest.approx(0.07 - target, rel=0.03)
    assert target <= plan.reaches < target + 0.002


def test_a_plan_of_a_difference_of_many_rows() -> None:
    plan = rs.plan.samples(0.002, auc=0.85, auc_b=0.84, correlation=0.8)
    assert plan.method == "berry-esseen"
    y, scores = drawn(np.random.default_rng(1), plan.n_pos, plan.n_neg, (0.85, 0.84), 0.8)
    (pair,) = rs.compare(y, scores).pairs
    assert pair.certified.method == "berry-esseen"
    assert pair.certified.width / 2 == pytest.approx(plan.reaches, rel=0.02)


def test_the_share_of_pairs_that_two_scores_order_differently() -> None:
    """Of 300,000 pairs of rows, the share varies by less than .003."""
    planned = PlannedDifference(0.85, 0.7, 0.6)
    y, scores = drawn(np.random.default_rng(7), 300_000, 300_000, (0.85, 0.7), 0.6)
    pos, neg = ({name: s[y == side] for name, s in scores.items()} for side in (1, 0))
    won = [pos[name] > neg[name] for name in "ab"]
    share = float(np.mean(won[0] != won[1]))
    assert planned._disagreement == pytest.approx(share, abs=0.003)
    limits = planned.lower(50_000, 1_950_001, DELTA)
    assert limits.method == of_differences(50_000, 1_950_001) == "trinomial"
    plain = difference(0.15, share, 50_000, 1_950_001, DELTA, "greater")
    assert limits.low == pytest.approx(plain.low, abs=2e-4)


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("m", "n", "level"),
    [
        (MOST + 1, MOST + 1, 0.95),
        (10**6, 40_000, 0.99),
        pytest.param(MOST + 1, 10**6, 0.95, marks=SLOW),
        pytest.param(10**6, 10**6, 0.5, marks=SLOW),
        pytest.param(10**6, 10**6, 0.99, marks=SLOW),
    ],
)
def test_the_largest_distance_of_the_normal_approximation(m: int, n: int, level: float) -> None:
    """No AUC and variances exceed it, and some reach it (those of a pair bound both variances)."""
    delta = 1 - level
    largest = float(berry_esseen_deviation(m, n, delta))
    reached = 0.0
    for auc in (0.5, 0.55, 0.8, 0.9, 0.95, 0.99):
        for share in (0.0, 0.1, 0.3, 0.5, 0.8, 1.0):
            parts = share * auc * (1 - auc), (1 - share) * auc * (1 - auc)
            limits = berry_esseen(auc, m, n, delta, variances=parts)
            reached = max(reached, auc - limits.low, limits.high - auc)
    assert reached <= largest * (1 + 1e-6)
    assert level == 0.5 or largest <= reached * 1.002


def test_every_auc_by_the_rule_of_the_certificate() -> None:
    many = rs.plan.samples(0.004)
    assert many.method == "berry-esseen"
    assert many.n < rs.plan.samples(0.004, bound="hinge").n
    assert float(berry_esseen_deviation(many.n_pos, many.n_neg, DELTA)) <= 0.004
    fewer = many.n_pos - 1, many.n_neg
    assert float(berry_esseen_deviation(*fewer, DELTA)) > 0.004


def test_a_method_with_wider_limits_does_not_hide_a_smaller_plan() -> None:
    """At 99 % the limits widen where the smaller class has 32,769 rows."""
    planned = PlannedAuc(None)
    below, above = (planned.deviation(k, k, 0.01)[0] for k in (MOST, MOST + 1))
    assert below < above
    last = rs.plan.samples(below, level=0.99)
    assert (last.method, last.n) == ("hinge", 2 * MOST)
    assert rs.plan.samples(below * 0.999, level=0.99).n > 2 * MOST * 1.4


def test_limits_of_fewer_expected_scores_are_a_little_wider() -> None:
    """The classes beyond a million scores, and the formula of the variances beyond them."""
    planned = PlannedAuc(0.8)
    few, many = (planned.lower(1000, n, DELTA) for n in (MOST_SCORES, 10 * MOST_SCORES))
    assert few == many
    by_scores, by_formula = (planned.lower(n, n, DELTA) for n in (MOST_SCORES, MOST_SCORES + 1))
    assert by_scores.low == pytest.approx(by_formula.low, abs=2e-7)


def test_extreme_aucs_have_a_plan() -> None:
    assert rs.plan.samples(0.1, auc=0.0).n < rs.plan.samples(0.1, auc=0.5).n
    worst = rs.plan.labels_to_certify(0.9, 1.0)
    assert worst.reaches >= 0.9
    assert hinge(1.0, worst.n_pos - 1, worst.n_neg - 1, DELTA, "greater").low < 0.9


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"auc_b": 0.8}, "two AUCs and the correlation"),
        ({"correlation": 0.8}, "two AUCs and the correlation"),
        ({"auc_b": 0.8, "correlation": 1.0}, "correlation"),
        ({"auc_b": 1.0, "correlation": 0.5}, "auc_b"),
        ({"auc_b": 0.8, "correlation": 0.5, "bound": "hinge"}, "a difference has one bound"),
        ({"auc_b": 0.8, "correlation": 0.5, "measure": "pr_auc"}, "for the AUC alone"),
        ({"auc_b": 0.9, "correlation": 0.5}, "not below the expected difference"),
    ],
)
def test_half_a_difference_is_refused(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(rs.InputError, match=words):
        rs.plan.labels_to_certify(0.0, 0.9, **asked)
