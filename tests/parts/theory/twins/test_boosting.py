"""RankBoost against its definition over pairs: every threshold tried, every pair weighed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rocsolid.theory.learners import boosting
from rocsolid.theory.learners.boosting import (
    LinearRankers,
    ThresholdRanker,
    ThresholdRankers,
    boost,
    rank_loss,
)

FLOATS = NDArray[np.float64]
KINDS = [ThresholdRankers, LinearRankers]


@st.composite
def two_classes(draw: st.DrawFn, gaps: bool = True) -> tuple[FLOATS, int, FLOATS]:
    """Features in quarters with ties (and gaps), the positives first, and weights above 0."""
    m, n, size = draw(st.integers(1, 7)), draw(st.integers(1, 7)), draw(st.integers(1, 3))
    values = st.integers(-4, 4).map(lambda k: k / 4)
    cell = st.one_of(values, st.just(math.nan)) if gaps else values
    cells = draw(st.lists(cell, min_size=(m + n) * size, max_size=(m + n) * size))
    weights = draw(st.lists(st.sampled_from([1.0, 0.5, 3.0]), min_size=m + n, max_size=m + n))
    return np.array(cells).reshape(m + n, size), m, np.array(weights)


def potential(m: int, weight: FLOATS) -> FLOATS:
    pos, neg = weight[:m], weight[m:]
    return np.concatenate([pos / pos.sum(), -neg / neg.sum()])


def every_r(kind: Any, features: FLOATS, u: FLOATS) -> list[float]:
    """r of every weak ranker there is."""
    found = []
    for column in features.T:
        absent = np.isnan(column)
        there = column[~absent]
        shapes = []
        if kind is ThresholdRankers:
            shapes = [np.where(column > at, 1.0, 0.0) for at in [-np.inf, *there]]
        elif len(there):
            width = there.max() - there.min()
            shapes = [(column - there.min()) / width if width else 0.0 * column]
        else:
            shapes = [column]
        for shape in shapes:
            for missing in (0.0, 1.0):
                h = np.where(absent, missing, shape)
                found.append(sum(a * b for a, b in zip(u, h, strict=True)))
    return found


@pytest.mark.parametrize("kind", KINDS)
@given(rows=two_classes())
def test_the_best_weak_ranker_is_the_best_of_all(
    kind: Any, rows: tuple[FLOATS, int, FLOATS]
) -> None:
    features, m, weight = rows
    u = potential(m, weight)
    rankers = kind(np.asfortranarray(features))
    ranker, r = rankers.best(u)
    assert abs(r) == pytest.approx(max(map(abs, every_r(kind, features, u))), abs=1e-12)
    h = rankers.values(ranker)
    assert ((h >= 0) & (h <= 1)).all()
    assert u @ h == pytest.approx(r, abs=1e-12)
    np.testing.assert_array_equal(h, ranker.values(features[:, ranker.feature]))


@pytest.mark.parametrize("kind", KINDS)
@given(rows=two_classes(), n_rounds=st.integers(1, 8))
def test_every_round_is_that_of_the_pairs(
    kind: Any, rows: tuple[FLOATS, int, FLOATS], n_rounds: int
) -> None:
    """Freund et al. 2003, figure 1: one weight a pair, renormalised by Z_t in every round."""
    features, m, weight = rows
    made = boost(kind(np.asfortranarray(features)), m, weight, n_rounds)
    start = np.outer(weight[:m] / weight[:m].sum(), weight[m:] / weight[m:].sum())
    pairs, score, product, r_product = start.copy(), np.zeros(len(weight)), 1.0, 1.0
    for t, ranker in enumerate(made.rankers):
        h = ranker.values(features[:, ranker.feature])
        r = float((pairs * (h[:m, None] - h[m:])).sum())
        # near 1 the weights of the pairs that are left are all rounding
        assert made.r[t] == pytest.approx(r, abs=1e-7)
        assert made.alpha[t] == pytest.approx(0.5 * math.log((1 + made.r[t]) / (1 - made.r[t])))
        pairs = pairs * np.exp(made.alpha[t] * (h[m:] - h[:m, None]))
        z = float(pairs.sum())
        pairs /= z
        product *= z
        r_product *= math.sqrt((1 - made.r[t]) * (1 + made.r[t]))
        score += made.alpha[t] * h
        assert made.bound[t] == pytest.approx(product, rel=1e-9)
        assert made.r_bound[t] == pytest.approx(r_product, rel=1e-6)
        wrong = float(start[score[:m, None] <= score[m:]].sum())
        assert made.rank_loss[t] == pytest.approx(wrong, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@given(rows=two_classes())
def test_the_invariant_holds_in_every_round(kind: Any, rows: tuple[FLOATS, int, FLOATS]) -> None:
    features, m, weight = rows
    made = boost(kind(np.asfortranarray(features)), m, weight, 30)
    assert (made.rank_loss <= made.bound * (1 + 1e-9)).all()
    assert (made.bound <= made.r_bound * (1 + 1e-9)).all()
    assert (np.diff(made.r_bound) <= 0).all()


@given(rows=two_classes(gaps=False))
def test_what_increases_a_feature_changes_no_threshold_round(
    rows: tuple[FLOATS, int, FLOATS],
) -> None:
    features, m, weight = rows
    plain = boost(ThresholdRankers(np.asfortranarray(features)), m, weight, 6)
    warped = boost(ThresholdRankers(np.asfortranarray(np.exp(features))), m, weight, 6)
    np.testing.assert_array_equal(plain.alpha, warped.alpha)
    np.testing.assert_array_equal(plain.rank_loss, warped.rank_loss)


@given(rows=two_classes(gaps=False))
def test_rank_loss_is_the_weight_of_the_wrong_pairs(rows: tuple[FLOATS, int, FLOATS]) -> None:
    features, m, weight = rows
    s = features[:, 0]
    share = np.abs(potential(m, weight))
    wrong = sum(share[i] * share[j] for i in range(m) for j in range(m, len(s)) if s[i] <= s[j])
    assert rank_loss(s[:m], s[m:], share[:m], share[m:]) == pytest.approx(wrong, abs=1e-12)


def test_an_integer_weight_is_a_repeated_row() -> None:
    rng = np.random.default_rng(0)
    features, m = rng.normal(size=(60, 3)), 20
    features[:m] += 0.5
    times = rng.integers(1, 4, 60)
    weighted = boost(ThresholdRankers(features), m, times.astype(float), 20)
    repeated = np.repeat(features, times, axis=0)
    plain = boost(ThresholdRankers(repeated), int(times[:m].sum()), np.ones(int(times.sum())), 20)
    assert weighted.rankers == plain.rankers
    np.testing.assert_allclose(weighted.rank_loss, plain.rank_loss, atol=1e-12)
    np.testing.assert_allclose(weighted.bound, plain.bound)


def test_a_rare_pair_is_not_lost_to_rounding() -> None:
    """A perfect first feature but for one pair that carries 10⁻³⁰ of the weight."""
    features = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.5, 0.0]])
    weight = np.array([1.0, 1e-15, 1.0, 1e-15])
    made = boost(ThresholdRankers(features), 2, weight, 10)
    assert made.rankers[0] == ThresholdRanker(0, 0.5, 0.0)
    assert made.rank_loss[0] > 0
    assert made.rank_loss[-1] == 0
    assert (made.rank_loss <= made.bound).all()


@pytest.mark.parametrize("few", [0, 10_000])
@pytest.mark.parametrize("gaps", [0.0, 0.1])
def test_blocks_of_rows_lose_no_threshold(
    gaps: float, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boosting, "_FEW", few)
    rng = np.random.default_rng(4)
    for size in (255, 256, 700, 2000):
        features = rng.normal(size=(size, 6))
        features[:, 5] = features[:, 0]  # equal features: the first is taken
        features[rng.random(features.shape) < gaps] = np.nan
        m = size // 3
        rankers = ThresholdRankers(features)
        for _ in range(10):
            u = potential(m, rng.lognormal(sigma=2.0, size=size))
            ranker, r = rankers.best(u)
            every = []
            for column in features.T:
                there = ~np.isnan(column)
                down = np.flatnonzero(there)[np.argsort(-column[there])]
                sums = np.cumsum(u[down])
                every += [np.abs(sums).max(), np.abs(sums + u[~there].sum()).max()]
            assert abs(r) == pytest.approx(max(every), rel=0, abs=1e-12)
            assert rankers.values(ranker) @ u == pytest.approx(r, abs=1e-12)
