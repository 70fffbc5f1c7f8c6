from __future__ import annotations

from math import comb, e, exp, inf, isfinite, log, sqrt

import pytest

from rocsolid.errors import InputError, UnsoundError
from rocsolid.theory.guarantees.shatter import Finite, Linear, UserClass, polynomial
from rocsolid.theory.guarantees.uniform import (
    rank_shatter_tail,
    uniform_blocks,
    uniform_freund,
    uniform_rank_shatter,
)

THREE = Linear(1, count="exact-ties")  # linear functions on R: r = 3


@pytest.mark.parametrize(("d", "blocks", "corollary"), [(5, 0.24, 1.14), (20, 0.44, 2.13)])
def test_blocks_beside_corollary_18(d: int, blocks: float, corollary: float) -> None:
    m = n = 1000
    pattern_sum = 2 * sum(comb(m - 1, i) for i in range(d))
    tight = float(uniform_blocks(0.9, m, n, Linear(d)))
    assert tight == pytest.approx(sqrt(2 * log(pattern_sum / 0.05) / 1000), rel=1e-12)
    assert round(tight, 2) == blocks
    loose = float(uniform_rank_shatter(0.9, m, n, Linear(d, count="closed-form")))
    theorem_24 = d * log(2 * e * (2 * m) * (2 * n) / d)
    assert loose == pytest.approx(sqrt(8 * 2000 * (theorem_24 + log(80)) / 10**6), rel=1e-12)
    assert round(loose, 2) == corollary


@pytest.mark.parametrize(("m", "n"), [(100, 900), (500, 500), (2500, 7500)])
def test_figure_3_of_agarwal_et_al(m: int, n: int) -> None:
    ours = float(uniform_rank_shatter(0.9, m, n, THREE, delta=0.01))
    assert ours == pytest.approx(sqrt(8 * (m + n) * (log(3) + log(400)) / (m * n)), rel=1e-12)
    freund = float(uniform_freund(0.9, m, n, Linear(1), delta=0.01))
    expected = sum(2 * sqrt((log(8 * size + 1) + log(1200)) / size) for size in (m, n))
    assert freund == pytest.approx(expected, rel=1e-12)
    assert ours < freund


def test_theorem_17_and_corollary_18_are_inverse() -> None:
    for delta in (0.5, 0.05, 1e-9):
        epsilon = float(uniform_rank_shatter(0.8, 300, 700, Linear(3), delta=delta))
        assert rank_shatter_tail(epsilon, 300, 700, Linear(3)) == pytest.approx(delta, rel=1e-9)
    assert rank_shatter_tail(1e-9, 300, 700, Linear(3)) == 1.0


def test_a_class_closed_under_negation_needs_no_factor_two() -> None:
    def blocks(symmetric: bool, alternative: str = "two-sided") -> float:
        scorers = Finite(10, symmetric=symmetric)
        return float(uniform_blocks(0.8, 200, 300, scorers, 0.05, alternative))  # type: ignore[arg-type]

    assert blocks(symmetric=False) == pytest.approx(sqrt(2 * log(2 * 10 / 0.05) / 200))
    assert blocks(symmetric=True) == pytest.approx(sqrt(2 * log(10 / 0.05) / 200))
    assert blocks(symmetric=False, alternative="greater") == blocks(symmetric=True)


def test_intervals_and_their_free_ends() -> None:
    bound = uniform_blocks(0.8, 2000, 3000, Linear(2))
    eps = bound.deviation
    assert (bound.interval.low, bound.interval.high) == (0.8 - eps, 0.8 + eps)
    assert bound.interval.certified
    assert bound.interval.level == pytest.approx(0.95)
    greater = uniform_blocks(0.8, 2000, 3000, Linear(2), alternative="greater").interval
    less = uniform_blocks(0.8, 2000, 3000, Linear(2), alternative="less").interval
    assert (greater.low, greater.high) == (0.8 - eps, 1.0)
    assert (less.low, less.high) == (0.0, 0.8 + eps)


@pytest.mark.parametrize(
    ("auc", "deviation", "verdict"),
    [
        (0.9, 1.5, "vacuous"),
        (0.9, 1.0, "vacuous"),
        (0.9, 0.9, "vacuous"),
        (0.9, 0.89, "not better than chance"),
        (0.75, 0.25, "not better than chance"),
        (0.9, 0.3, "better than chance"),
    ],
)
def test_verdicts(auc: float, deviation: float, verdict: str) -> None:
    # ε² = 2(ln Π + ln 20)/k with k = 2; one symmetric class for each deviation
    scorers = UserClass(sign_patterns=lambda k: deviation**2 * k / 2 - log(20), symmetric=True)
    bound = uniform_blocks(auc, 2, 9, scorers)
    assert bound.deviation == pytest.approx(deviation)
    assert bound.verdict == verdict
    assert bound.vacuous == (verdict == "vacuous")
    assert verdict in str(bound)
    assert bound.to_dict()["verdict"] == verdict


def test_nothing_overflows_at_a_million_rows_and_a_thousand_features() -> None:
    m = n = 10**6
    for scorers in (Linear(1000), Linear(1000, "faces"), Linear(1000, "closed-form")):
        for bound in (uniform_rank_shatter, uniform_freund, uniform_blocks):
            assert 0 < float(bound(0.9, m, n, scorers)) < 2
        assert isfinite(rank_shatter_tail(0.01, m, n, scorers))
    assert float(uniform_blocks(0.9, m, n, polynomial(1000, 2))) < inf


def test_more_features_than_rows_are_vacuous_not_wrong() -> None:
    # the class can order the pairs at will: Π(k) = 2^k, so ε > √(2 ln 2) > 1
    assert uniform_blocks(0.99, 100, 200, Linear(500)).vacuous
    assert float(uniform_blocks(0.99, 100, 200, Linear(500))) > sqrt(2 * log(2))
    with pytest.raises(UnsoundError):
        uniform_rank_shatter(0.99, 10, 10, Linear(500, "closed-form"))


def test_a_user_can_bring_a_logarithm() -> None:
    stumps = UserClass(rank_shatter=lambda m, n: log(2 * (m + n)))
    expected = sqrt(8 * (1 / 100 + 1 / 100) * (log(2 * 400) + log(80)))
    assert float(uniform_rank_shatter(0.9, 100, 100, stumps)) == pytest.approx(expected)
    with pytest.raises(UnsoundError, match="sign_patterns"):
        uniform_blocks(0.9, 100, 100, stumps)


@pytest.mark.parametrize("bound", [uniform_rank_shatter, uniform_freund, uniform_blocks])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.1, 10, 10, Linear(1)), "auc"),
        ((0.9, 0, 10, Linear(1)), "n_pos"),
        ((0.9, 10, 0, Linear(1)), "n_neg"),
        ((0.9, 10, 10, Linear(1), 0.0), "delta"),
        ((0.9, 10, 10, Linear(1), 1.0), "delta"),
        ((0.9, 10, 10, Linear(1), 0.05, "both"), "alternative"),
    ],
)
def test_wrong_arguments_are_refused(bound, arguments, message: str) -> None:
    with pytest.raises(InputError, match=message):
        bound(*arguments)


def test_a_deviation_of_nothing_is_refused() -> None:
    for epsilon in (0.0, -0.1, float("nan")):
        with pytest.raises(InputError, match="epsilon"):
            rank_shatter_tail(epsilon, 10, 10, Linear(1))


def test_the_tail_is_theorem_17() -> None:
    expected = 4 * 3 * exp(-5000 * 5000 * 0.2**2 / (8 * 10000))
    assert rank_shatter_tail(0.2, 5000, 5000, THREE) == pytest.approx(expected, rel=1e-12)
