"""Certificates hold as often as they say: fitting, choosing and training-set bounds, simulated.

Populations are normal, so that the AUC of every linear scorer is known: Φ(w·Δ/(√2‖w‖)). Each test
allows the misses that a method which fails with probability exactly δ exceeds once in 10⁶; with six
such tests a change of seeds raises a false alarm at most once in 160,000. δ is large, so that a
certificate which forgot to charge for a choice would be found out, and one test shows that.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri
from scipy.stats import binom

import rocsolid as rs
from rocsolid.theory.guarantees import uniform_margin
from rocsolid.theory.learners import AUCLeastSquares, certify, certify_grid, fit_certify

Numbers = NDArray[np.float64]
REPEATS = 300
DELTA = 0.2
MOST = binom.isf(1e-6, REPEATS, DELTA)
SHIFT = np.array([0.8, 0.4, 0.0, 0.0])


def draw(seed: int, repeat: int, n: int) -> tuple[Numbers, NDArray[np.int64]]:
    rng = np.random.default_rng([seed, repeat])
    y = np.arange(n) % 2
    return rng.normal(size=(n, len(SHIFT))) + y[:, None] * SHIFT, y


def true_auc(w: Numbers) -> float:
    return float(ndtr(w @ SHIFT / (np.sqrt(2) * np.linalg.norm(w))))


def test_fitting_and_certifying() -> None:
    misses = 0
    for i in range(REPEATS):
        found = fit_certify(AUCLeastSquares(), *draw(1, i, 80), seed=i, level=1 - DELTA)
        misses += found.certificate.low > true_auc(found.scorer.coef_)
    assert misses <= MOST


@pytest.mark.slow
def test_choosing_parameters_by_the_certificate() -> None:
    misses = 0
    for i in range(REPEATS):
        found = fit_certify(
            AUCLeastSquares(), *draw(2, i, 60), seed=i, level=1 - DELTA,
            select={"alpha": [1e-3, 100.0]},
        )  # fmt: skip
        misses += found.certificate.low > true_auc(found.scorer.coef_)
    assert misses <= MOST


def test_choosing_among_20_models() -> None:
    """Models that know nothing: the best of 20 looks good on 30 rows, and its charge sees to it.

    The best limit is among those of the three best areas, as the first repeats see, so that in the
    others the rest of the 20 need no certificate.
    """
    repeats = 120
    most = binom.isf(1e-6, repeats, DELTA)
    charged = free = 0
    y = np.repeat([0, 1], 15)
    for i in range(repeats):
        scores = np.random.default_rng([3, i]).normal(size=(20, 30))
        areas = (scores[:, 15:, None] > scores[:, None, :15]).mean(axis=(1, 2))
        best = {str(row): scores[row] for row in np.argsort(areas)[-3:]}
        grid = certify_grid(best, y=y, level=1 - DELTA, candidates=20)
        if i < 10:
            whole = certify_grid(
                {str(row): score for row, score in enumerate(scores)}, y=y, level=1 - DELTA
            )
            assert (whole.best, whole.certificate.low) == (grid.best, grid.certificate.low)
        charged += grid.certificate.low > 0.5
        free += certify(scores[int(grid.best)], y=y, level=1 - DELTA).low > 0.5
    assert charged <= most
    assert free > most  # the test would notice a choice that nobody paid for


def test_partial_areas() -> None:
    """The truth is the integral of the ROC curve of N(1, 1) against N(0, 1)."""
    rates = (np.arange(200_000) + 0.5) / 200_000 * 0.2
    truth = float(ndtr(ndtri(rates) + 1.0).mean() * 0.2)
    misses = 0
    for i in range(REPEATS):
        rng = np.random.default_rng([4, i])
        y = np.arange(100) % 2
        low = certify(
            rng.normal(size=100) + y, y=y, measure="partial_auc(fpr<=0.2)", level=1 - DELTA
        ).low
        misses += low > truth
    assert misses <= MOST


def test_measures_of_lists() -> None:
    """Queries of two kinds with nDCG@1 of 1 and 0, so that its mean is the share of the first."""
    misses = 0
    for i in range(REPEATS):
        right = np.random.default_rng([5, i]).random(30) < 0.7
        grade = np.column_stack([right, ~right]).astype(int)
        scores = np.tile([1.0, 0.0], (30, 1))
        qid = np.repeat(np.arange(30), 2)
        low = certify(
            scores.ravel(), y=grade.ravel(), qid=qid, measure="ndcg@1", level=1 - DELTA
        ).low
        misses += low > 0.7
    assert misses <= MOST


def test_margins_on_the_training_rows_themselves() -> None:
    """Both classes alike, so that every AUC is ½, and the weights that fit best what is there."""
    n, d, margin = 200, 10, 1.0
    misses = unpaid = 0
    for i in range(REPEATS):
        X = np.random.default_rng([6, i]).normal(size=(2 * n, d))
        X /= np.linalg.norm(X, axis=1, keepdims=True)  # radius 1
        pos, neg = X[:n], X[n:]
        w = pos.mean(axis=0) - neg.mean(axis=0)
        w /= np.linalg.norm(w)
        z = (pos @ w)[:, None] - neg @ w
        value = float(np.clip(z / margin, 0.0, 1.0).mean())
        spread = rs.theory.guarantees.pair_spread(pos, neg, 1.0, 1.0, 0.1 * DELTA)
        misses += uniform_margin(value, margin, n, n, spread, 0.9 * DELTA).interval.low > 0.5
        auc = float((z > 0).mean())
        unpaid += rs.guarantees.hoeffding(auc, n, n, DELTA, "greater").low > 0.5
    assert misses <= MOST
    assert unpaid > MOST  # these rows chose the weights, and a bound for fixed ones is wrong
