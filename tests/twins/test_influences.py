"""Influences by stratum against plain sums, and units drawn anew against all ways to draw them."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import rocsolid as rs
from rocsolid.comparison.redraws import drawn_statistics, skewed, tail_error
from rocsolid.inputs import BinaryRows
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.strata import Apart, PairParts, Parts, StrataSpread, Stratum, skewness

_FLOATS = NDArray[np.float64]
PAIRS = np.array(list(itertools.combinations(range(3), 2))).T
SIZES = st.tuples(st.integers(2, 6), st.integers(2, 6))


def strata_of(seed: int, sizes: tuple[int, ...]) -> tuple[Stratum, ...]:
    rng = np.random.default_rng(seed)
    return tuple(Stratum.of_means(rng.exponential(size=(3, size))) for size in sizes)


def plain_moments(strata: tuple[Stratum, ...], i: int, j: int) -> tuple[float, float]:
    """The variance and the skewness of a difference, unit by unit."""
    variance = square = cube = 0.0
    for stratum in strata:
        own = [a - b for a, b in zip(stratum.influence[i], stratum.influence[j], strict=True)]
        squares = math.fsum(x * x for x in own)
        variance += len(own) / (len(own) - 1.0) * squares
        square += squares
        cube += math.fsum(x**3 for x in own)
    return variance, cube / square**1.5


@given(st.integers(0, 10_000), SIZES)
def test_variance_and_skewness_unit_by_unit(seed: int, sizes: tuple[int, int]) -> None:
    strata = strata_of(seed, sizes)
    spread = StrataSpread(strata)
    each, skew = spread.each(PAIRS), skewness(strata, PAIRS)
    for at, (i, j) in enumerate(PAIRS.T.tolist()):
        variance, expected = plain_moments(strata, i, j)
        assert each.total[at] == pytest.approx(variance)
        assert skew[at] == pytest.approx(expected, abs=1e-9)
        assert spread.apart([(i, j)]).total[0, 0] == pytest.approx(variance)
        assert each.df()[at] == pytest.approx(spread.apart([(i, j)]).df())
        covariance = spread.covariance()
        assert covariance[i, i] + covariance[j, j] - 2 * covariance[i, j] == pytest.approx(variance)


@given(st.integers(0, 10_000), st.booleans(), st.booleans(), st.booleans())
def test_all_pairs_of_rows_at_once_as_one_by_one(
    seed: int, weighted: bool, clustered: bool, centred: bool
) -> None:
    rng = np.random.default_rng(seed)
    rows = BinaryRows(
        np.arange(12) < 5,
        rng.normal(size=12),
        rng.integers(1, 4, 12).astype(float) if weighted else None,
        rng.permutation(np.arange(12) // 2) if clustered else None,
    )
    spread = Spread.of(rows, list(rng.normal(size=(3, 12))), centred=centred)
    each = spread.each(PAIRS)
    for at, pair in enumerate(PAIRS.T.tolist()):
        alone = spread.apart([tuple(pair)])
        assert each.total[at] == pytest.approx(alone.total[0, 0])
        assert each.df()[at] == pytest.approx(alone.df())
    # what tests draw anew is what the variance is made of
    together = sum(np.sum((s.influence[0] - s.influence[1]) ** 2) for s in spread.strata)
    if not weighted and not clustered:
        smaller, larger = 7 / 6 * (1 - 1e-9), 5 / 4 * (1 + 1e-9)
        assert smaller * together <= each.total[0] <= larger * together


def test_units_drawn_anew_in_all_ways() -> None:
    """Two strata of three units, three values: all 27² draws against 20,000 random ones."""
    strata = strata_of(3, (3, 3))
    blocks = drawn_statistics(strata, PAIRS, np.ones(3, dtype=bool), 20_000, 0)
    drawn = np.vstack(list(blocks))
    exact: list[list[float]] = [[], [], []]
    for chosen in itertools.product(itertools.product(range(3), repeat=3), repeat=2):
        for column, (i, j) in enumerate(PAIRS.T.tolist()):
            move = again = own = 0.0
            for stratum, at in zip(strata, chosen, strict=True):
                d = stratum.influence[i] - stratum.influence[j]
                some = d[list(at)]
                move += math.fsum(some)
                again += 3 / 2 * math.fsum((x - some.mean()) ** 2 for x in some)
                own += 3 / 2 * math.fsum(x * x for x in d)
            exact[column].append(move / math.sqrt(max(again, 0.04 * own)))
    for column, values in enumerate(exact):
        for x in np.quantile(values, [0.05, 0.2, 0.5, 0.8, 0.95]) + 1e-6:
            # four standard errors, and the seed is fixed
            expected = np.mean(np.array(values) <= x)
            assert (drawn[:, column] <= x).mean() == pytest.approx(expected, abs=0.015)


def test_draws_follow_from_the_units_in_whatever_order() -> None:
    strata = strata_of(5, (30, 50))
    order = np.random.default_rng(0)
    shuffled = tuple(
        Stratum(one.influence[:, order.permutation(one.units)], one.at) for one in strata
    )
    varies = np.ones(3, dtype=bool)
    first, second = (
        np.vstack(list(drawn_statistics(some, PAIRS, varies, 200, 1)))
        for some in (strata, shuffled)
    )
    np.testing.assert_allclose(first, second, atol=1e-12)


def test_pooled_units_keep_variance_and_skewness() -> None:
    """Sixty thousand skewed units in a thousand sums, averaged over a hundred ways to pool them."""
    (whole,) = strata_of(7, (20_000,))
    rng = np.random.default_rng(1)
    pooled = [whole.pooled(1_000, rng) for _ in range(40)]
    assert all(one.units == 1_000 for one in pooled)
    np.testing.assert_allclose(pooled[0].influence.sum(axis=1), 0.0, atol=1e-12)
    of_pools = np.mean([skewness([one], PAIRS) for one in pooled], axis=0)
    np.testing.assert_allclose(of_pools, skewness([whole], PAIRS), atol=0.006)


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("most", [math.inf, 8.0])
def test_pairs_have_the_degrees_of_freedom_of_each(parts: int, most: float) -> None:
    variances, known = np.array([[1.0, 0.0], [3.0, 0.0]])[:parts], np.array([[9.0], [19.0]])[:parts]
    of_each = [
        Parts(tuple(one.reshape(-1, 1, 1)), tuple(known.ravel()), most).df() for one in variances.T
    ]
    np.testing.assert_array_equal(PairParts(variances, known, most).df(), of_each)


def test_student_is_kept_where_no_tail_is_far_off() -> None:
    """The first term of Edgeworth's expansion, by hand; and its use for one pair and for many."""
    z = 1.959963984540054
    by_hand = 0.3 * (2 * z * z + 1) * math.exp(-z * z / 2) / math.sqrt(2 * math.pi) / 6 / 0.025
    assert float(tail_error(-0.3, 0.95, 2, 1)) == pytest.approx(by_hand)
    (rare,) = (Stratum.of_means(np.vstack([np.zeros(100), np.arange(100) < 3])),)
    spread = StrataSpread((rare,))
    pair = np.array([[0], [1]])
    variance = spread.each(pair).total
    assert skewed(spread, pair, variance, 0.95, "two-sided") is False
    assert skewed(spread, pair, variance, 0.999, "two-sided") is True
    even = np.arange(100) % 2
    both = StrataSpread((Stratum.of_means(np.vstack([np.zeros(100), np.arange(100) < 3, even])),))
    pairs = np.array([[0, 0], [1, 2]])
    assert skewed(both, pairs, both.each(pairs).total, 0.999, "two-sided") is True
    most = tuple(spread.largest.tolist())
    without_units = Apart((0.0, float(variance[0])), (99.0, 99.0), most=most)
    assert skewed(without_units, pair, variance, 0.999, "two-sided") is None
    assert skewed(without_units, pair, 0 * variance, 0.999, "two-sided") is False
    little = replace(without_units, most=tuple(1e-6 * reach for reach in most))
    assert skewed(little, pair, variance, 0.999, "two-sided") is False
    assert skewed(replace(little, most=()), pair, variance, 0.95, "two-sided") is None


def unlike(seed: int, m: int, n: int, k: int) -> tuple[_FLOATS, dict[str, _FLOATS]]:
    rng = np.random.default_rng(seed)
    y, common = np.arange(m + n) < m, rng.normal(size=m + n)
    shapes = (1.0, 2.2, 0.45)
    scores = {}
    for i in range(k):
        noise = 0.8 * common + 0.6 * rng.normal(size=m + n)
        scale = shapes[i % 3]
        scores[f"s{i}"] = np.where(y, scale * noise + 1.04 * math.sqrt(1 + scale**2), noise)
    return y.astype(float), scores


def test_every_source_chooses_and_draws_alike() -> None:
    """Rows in memory, shuffled, and reduced by an engine: the same test, the same p-values."""
    polars = pytest.importorskip("polars")
    from rocsolid.evaluation.compare_table import compare_table

    y, scores = unlike(11, 14, 200, 6)
    frame = polars.DataFrame({"y": y, **scores})
    order = np.random.default_rng(2).permutation(len(y))
    sources = (frame, frame[order], frame.lazy())
    first, *others = (
        compare_table(one, label="y", scores=list(scores)).comparisons[None] for one in sources
    )
    assert first.settings["test"] == "bootstrap-t"
    assert first.settings["adjust"] == "max-t"
    assert first.omnibus.method == "max-t"
    assert "few units decide" in first.warnings[0]
    for other in others:
        assert other.settings["test"] == "bootstrap-t"
        for a, b in zip(first.pairs, other.pairs, strict=True):
            assert (a.p_value, a.p_adjusted) == pytest.approx((b.p_value, b.p_adjusted), abs=1e-12)
            assert (a.low, a.high) == pytest.approx((b.low, b.high))
        assert {n: str(r) for n, r in first.ranks.items()} == {
            n: str(r) for n, r in other.ranks.items()
        }
    asked = rs.compare(y, scores, test="delong-t")
    assert (asked.settings["test"], asked.settings["adjust"]) == ("delong-t", "holm")


def test_a_margin_is_asked_by_the_same_test_on_both_sides() -> None:
    y, scores = unlike(12, 14, 200, 4)
    result = rs.compare(y, scores, margin=0.4)
    assert result.settings["test"] == "bootstrap-t"
    assert len(result.equivalence) == len(result.pairs)
    both = [
        rs.compare(y, scores, test="bootstrap-t", adjust="max-t", null=null, alternative=side)
        for null, side in ((-0.4, "greater"), (0.4, "less"))
    ]
    for pair, lower in zip(result.pairs, both[0].pairs, strict=True):
        assert (pair.p_value, pair.p_adjusted) == (lower.p_value, lower.p_adjusted)
    alone = rs.compare(y, {n: scores[n] for n in ("s0", "s1")}, margin=0.4, test="bootstrap-t")
    (decision,) = alone.equivalence
    upper = rs.compare(
        y, {n: scores[n] for n in ("s0", "s1")}, null=0.4, alternative="less", test="bootstrap-t"
    ).pairs[0]
    assert decision.p_adjusted == max(alone.pairs[0].p_value, upper.p_value)
