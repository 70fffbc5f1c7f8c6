"""Theorem 5 and its relatives: closed forms, so each is checked against its formula."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsolid.errors import InputError, OneClassError
from rocsolid.intervals.guarantees.clustered import (
    clustered,
    effective_size,
    squared_shares,
    weighted,
)
from rocsolid.intervals.guarantees.error_rate import error_rate, error_rate_variance
from rocsolid.intervals.guarantees.hoeffding import (
    hoeffding,
    hoeffding_deviation,
    kl,
    kl_deviation,
    kl_limits,
    mcdiarmid,
    mcdiarmid_deviation,
    mcdiarmid_limits,
)

sizes = st.integers(1, 10**6)
deltas = st.floats(1e-12, 0.999)


@given(sizes, sizes, deltas)
def test_mcdiarmid_is_corollary_6(m: int, n: int, delta: float) -> None:
    rho, rows = m / (m + n), m + n
    epsilon = math.sqrt(math.log(2 / delta) / (2 * rho * (1 - rho) * rows))
    assert float(mcdiarmid_deviation(m, n, delta)) == pytest.approx(epsilon)
    # which solves Theorem 5
    assert 2 * math.exp(-2 * m * n * epsilon**2 / (m + n)) == pytest.approx(delta)


@given(st.floats(0, 1), sizes, sizes, deltas)
def test_mcdiarmid_is_never_tighter_than_blocks(x: float, m: int, n: int, delta: float) -> None:
    assert float(mcdiarmid_deviation(m, n, delta)) >= float(hoeffding_deviation(m, n, delta))
    loose, tight = mcdiarmid(x, m, n, delta), hoeffding(x, m, n, delta)
    assert loose.low <= tight.low
    assert tight.high <= loose.high


def test_blocks_are_shorter_by_root_two_at_equal_sizes() -> None:
    ratio = float(mcdiarmid_deviation(70, 70)) / float(hoeffding_deviation(70, 70))
    assert ratio == pytest.approx(math.sqrt(2))


@given(st.floats(0, 1), st.integers(1, 10**6), deltas)
def test_kl_is_never_wider_than_hoeffding(x: float, k: int, delta: float) -> None:
    inner, outer = kl(x, k, k, delta), hoeffding(x, k, k, delta)
    assert outer.low <= inner.low + 1e-8 / math.sqrt(k)
    assert inner.high <= outer.high + 1e-8 / math.sqrt(k)


def test_kl_closed_forms_at_the_ends() -> None:
    assert kl(1.0, 20, 30).low == pytest.approx(0.025 ** (1 / 20), rel=1e-15)
    assert kl(0.0, 20, 30).high == pytest.approx(1 - 0.025 ** (1 / 20), rel=1e-15)
    assert (kl(0.0, 20, 30).low, kl(1.0, 20, 30).high) == (0.0, 1.0)


def test_kl_takes_any_bound_that_a_double_can_hold() -> None:
    low, high = kl_limits([0.5, 1 - 1e-16, 1e-300, np.nan], [1e30, 1e30, 3, 3], 1e-100)
    assert low[:2] == pytest.approx([0.5, 1.0], abs=1e-7)
    assert (low[2], high[2]) == (0.0, pytest.approx(1.0))
    assert np.isnan([low[3], high[3]]).all()


@pytest.mark.parametrize("k", [1, 30])
def test_kl_deviation_without_an_auc_is_the_largest(k: int) -> None:
    x = np.linspace(0, 1, 30_001)
    low, _ = kl_limits(x, k)
    largest = np.max(x - low)
    assert largest <= float(kl_deviation(k, k)) <= largest + 1e-6
    assert float(kl_deviation(k, k)) <= float(hoeffding_deviation(k, k))


@pytest.mark.parametrize("method", [mcdiarmid, hoeffding, kl, error_rate])
def test_one_limit_spends_all_of_delta(method) -> None:
    both = method(0.6, 40, 60, 0.1)
    assert method(0.6, 40, 60, 0.05, "greater").low == both.low
    assert method(0.6, 40, 60, 0.05, "greater").high == 1.0
    assert method(0.6, 40, 60, 0.05, "less").high == both.high
    assert method(0.6, 40, 60, 0.05, "less").low == 0.0


def test_vacuous_when_nothing_was_learnt() -> None:
    assert mcdiarmid(0.5, 2, 2).vacuous
    assert mcdiarmid_deviation(1, 1).vacuous
    assert "vacuous" in str(mcdiarmid_deviation(1, 1))
    assert not mcdiarmid_deviation(100, 100).vacuous


@given(st.floats(0, 1), st.integers(1, 50), st.integers(1, 50), st.floats(1e-200, 1e200))
def test_equal_weights_give_back_mcdiarmid(x: float, m: int, n: int, scale: float) -> None:
    same = weighted(x, [scale] * m, [1.0] * n)
    plain = mcdiarmid(x, m, n)
    assert (same.low, same.high) == pytest.approx((plain.low, plain.high))


def test_weighted_is_the_formula() -> None:
    u, v = np.array([1.0, 2.0, 3.0, 0.0] * 30), np.array([0.5, 1.5] * 200)
    squares = (u**2).sum() / u.sum() ** 2 + (v**2).sum() / v.sum() ** 2
    epsilon = math.sqrt(math.log(2 / 0.05) / 2 * squares)
    found = weighted(0.5, u, v)
    assert (found.low, found.high) == pytest.approx((0.5 - epsilon, 0.5 + epsilon))
    assert "weights fixed without regard to the scores" in found.assumptions
    low, _ = mcdiarmid_limits(0.5, effective_size(u), effective_size(v))
    assert float(low) == found.low


def test_clusters_of_one_row_give_back_mcdiarmid() -> None:
    found = clustered(0.7, [1] * 60 + [0] * 40, [0] * 60 + [1] * 40)
    plain = mcdiarmid(0.7, 60, 40)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high))


def test_clustered_is_the_formula() -> None:
    pos, neg = [3, 0, 2, 5], [1, 4, 0, 5]
    total = sum((p / 10 + q / 10) ** 2 for p, q in zip(pos, neg, strict=True))
    assert squared_shares(pos, neg) == pytest.approx(total)
    assert squared_shares([7], [9]) == 4.0
    assert squared_shares([2] * 8, [3] * 8) == pytest.approx(4 / 8)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: weighted(0.5, [1, -1], [1]), r"pos_weights, position 1"),
        (lambda: weighted(0.5, [1], [1, math.nan]), r"neg_weights, position 1"),
        (lambda: clustered(0.5, [1, -2], [1, 1]), r"pos_counts, position 1"),
        (lambda: clustered(0.5, [1, 2], [1]), "entry for each cluster"),
    ],
)
def test_bad_weights_and_counts_are_named(call, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


def test_a_class_without_weight_is_one_class() -> None:
    with pytest.raises(OneClassError, match="all weights in neg_weights are 0"):
        weighted(0.5, [1], [0, 0])
    with pytest.raises(OneClassError, match="pos_counts is empty"):
        clustered(0.5, [0, 0], [1, 1])


def test_error_rate_counts_all_rows() -> None:
    epsilon = math.sqrt(math.log(2 / 0.05) / (2 * 500))
    found = error_rate(0.3, 100, 400)
    assert (found.low, found.high) == pytest.approx((0.3 - epsilon, 0.3 + epsilon))
    assert error_rate_variance(0.3, 500) == pytest.approx(0.3 * 0.7 / 500)
    # section 3.2: the AUC needs 1/(ρ(1−ρ)) times the rows
    rho = 0.2
    ratio = (float(mcdiarmid_deviation(100, 400)) / epsilon) ** 2
    assert ratio == pytest.approx(1 / (rho * (1 - rho)))
