"""Functions under the names of copied ones, beside plain versions of the formulas."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid import instead

ROWS = st.integers(0, 2**32 - 1)


def drawn(seed: int, n: int = 60) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels of both classes and two scores with ties."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([[0, 0, 1, 1], rng.integers(0, 2, n)])
    first = np.round(rng.normal(size=len(y)) + y, 1)
    return y, first, np.round(first + rng.normal(size=len(y)), 1)


def won(y: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Of each positive (row) and negative (column) whether it is ranked above, ties half."""
    apart = s[y == 1][:, None] - s[y == 0][None, :]
    return 0.5 * (np.sign(apart) + 1.0)


def delong(y: np.ndarray, *scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """AUCs and their covariance by the formula of DeLong et al. 1988."""
    tables = [won(y, s) for s in scores]
    by_positive = np.atleast_2d(np.cov([one.mean(axis=1) for one in tables]))
    by_negative = np.atleast_2d(np.cov([one.mean(axis=0) for one in tables]))
    n_pos, n_neg = tables[0].shape
    return np.array([one.mean() for one in tables]), by_positive / n_pos + by_negative / n_neg


@given(ROWS)
def test_the_variance_is_delongs(seed: int) -> None:
    y, s, _ = drawn(seed)
    value, variance = instead.delong_roc_variance(y, s)
    values, covariance = delong(y, s)
    assert value == pytest.approx(values[0], abs=1e-12)
    assert variance == pytest.approx(covariance[0, 0], abs=1e-12)


@given(ROWS)
def test_the_test_is_more_careful_than_a_normal_one_and_no_other(seed: int) -> None:
    y, one, two = drawn(seed)
    logarithm = instead.delong_roc_test(y, one, two)
    values, covariance = delong(y, one, two)
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    z = abs(values[0] - values[1]) / math.sqrt(variance)
    normal = math.log10(math.erfc(z / math.sqrt(2.0)))
    assert logarithm.shape == (1, 1)
    assert normal - 1e-9 <= logarithm[0, 0] <= 0.6 * normal + 1e-9


def test_limits_are_those_of_the_library() -> None:
    y, s, _ = drawn(3)
    interval = rs.auc(y, s).interval
    assert instead.roc_auc_ci(y, s) == (interval.low, interval.high)
    named = np.where(y == 1, "ill", "well")
    assert instead.roc_auc_ci(named, s, positive="ill") == (interval.low, interval.high)
    assert instead.roc_auc_ci(list(named), s, positive="well")[0] == pytest.approx(
        1.0 - interval.high, abs=1e-9
    )


def test_a_bootstrap_keeps_the_value_and_its_arguments() -> None:
    y, s, _ = drawn(4)
    value, low, high = instead.bootstrap_auc(y, s, n_boot=300, seed=7, alpha=0.2)
    expected = rs.auc(y, s, interval="bootstrap", resamples=300, seed=7, level=0.8)
    assert (value, low, high) == (expected.value, expected.low, expected.high)
    assert instead.bootstrap_auc(y, s, 300, 8, 0.2) != (value, low, high)
    assert instead.bootstrap_auc(y, s, 300, 7, 0.05)[1] < low


@given(ROWS, st.integers(1, 12))
def test_group_auc_is_the_mean_weighted_by_rows(seed: int, users: int) -> None:
    y, s, _ = drawn(seed)
    user = np.random.default_rng(seed + 1).integers(0, users, len(y))
    total = weight = 0.0
    for one in np.unique(user):
        own = user == one
        if 0 < y[own].sum() < own.sum():
            total += own.sum() * won(y[own], s[own]).mean()
            weight += own.sum()
    if not weight:
        with pytest.raises(rs.OneClassError, match="no group has rows of both classes"):
            instead.cal_group_auc(y, s, user)
        return
    assert instead.cal_group_auc(y, s, user) == pytest.approx(total / weight, abs=5.1e-5)


@given(grades=st.lists(st.integers(0, 4), min_size=1, max_size=12), k=st.integers(1, 15))
@pytest.mark.parametrize("method", [0, 1])
def test_ndcg_is_that_of_the_formula(grades: list[int], k: int, method: int) -> None:
    def gained(order: list[int]) -> float:
        return sum(
            grade / math.log2(rank + 1 if method else max(rank, 2))
            for rank, grade in enumerate(order[:k], 1)
        )

    best = gained(sorted(grades, reverse=True))
    expected = gained(grades) / best if best else 0.0
    assert instead.ndcg_at_k(grades, k, method) == pytest.approx(expected, abs=1e-12)


def test_a_method_that_is_none_is_refused() -> None:
    with pytest.raises(rs.InputError, match="there are two methods"):
        instead.ndcg_at_k([1, 0], 2, method=2)


def test_the_copies_signatures() -> None:
    """A call of the copy is a call of ours."""
    assert {
        name: " ".join(inspect.signature(getattr(instead, name)).parameters)
        for name in instead.__all__
    } == {
        "bootstrap_auc": "y s n_boot seed alpha",
        "cal_group_auc": "labels preds user_id_list",
        "delong_roc_test": "ground_truth predictions_one predictions_two",
        "delong_roc_variance": "ground_truth predictions",
        "ndcg_at_k": "r k method",
        "roc_auc_ci": "y_true y_score positive",
    }


def test_results_unpack() -> None:
    y, s, _ = drawn(5)
    estimate = rs.auc(y, s)
    value, low, high = estimate
    assert (value, low, high) == (estimate.value, *estimate.interval)
    mean = rs.ndcg([3, 2, 0, 1, 1, 0], [9, 7, 8, 2, 5, 5], qid=[1, 1, 1, 2, 2, 2])
    assert tuple(mean) == (mean.value, mean.low, mean.high)
