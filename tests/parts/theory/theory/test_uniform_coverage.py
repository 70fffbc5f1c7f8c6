"""Bounds for trained and picked scorers, simulated on populations whose every AUC is known exactly.

Each test allows what a method that fails with probability exactly δ exceeds once in 10⁶; there are
about forty tests, so the whole file raises a false alarm at most once in 25,000 changes of seed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import erf, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from rocsolid.theory.guarantees.pac_bayes import pac_bayes
from rocsolid.theory.guarantees.shatter import Finite, Linear, ScorerClass
from rocsolid.theory.guarantees.uniform import (
    UniformBound,
    finite_class_epsilon,
    occam_kl,
    uniform_blocks,
    uniform_freund,
    uniform_rank_shatter,
)
from rocsolid.theory.guarantees.weighted_uniform import compression

Numbers = NDArray[np.float64]
REPEATS = 2000
SIZES = [(5, 5), (20, 30), (5, 100), (1000, 30)]


@dataclass(frozen=True)
class Population:
    """Finitely many points with probabilities, and φ of every scorer for each pair of points."""

    pos: Numbers
    neg: Numbers
    phi: Numbers  # scorer × positive point × negative point
    scorers: ScorerClass

    @property
    def aucs(self) -> Numbers:
        return np.einsum("i,fij,j->f", self.pos, self.phi, self.neg)

    def draw(self, m: int, n: int, seed: int, repeats: int = REPEATS) -> Numbers:
        """The AUC of each scorer on each of many samples."""
        rng = np.random.default_rng(seed)
        pos, neg = rng.multinomial(m, self.pos, repeats), rng.multinomial(n, self.neg, repeats)
        # counts first: the sums are exact in doubles, so no AUC exceeds 1
        return np.einsum("ri,fij,rj->rf", pos, self.phi, neg, optimize=True) / (m * n)


def comparisons(pos: Numbers, neg: Numbers) -> Numbers:
    """φ from the scores of the points, scorers along the first axis."""
    return (1 + np.sign(pos[:, :, None] - neg[:, None, :])) / 2


def on_the_line() -> Population:
    """Linear functions on R: x, −x and a constant, on few points, so with many ties."""
    x, z = np.array([0.0, 1, 2, 3]), np.array([0.0, 1, 2])
    slopes = np.array([[1.0], [-1.0], [0.0]])
    phi = comparisons(slopes * x, slopes * z)
    return Population(np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.5, 0.3, 0.2]), phi, Linear(1))


def in_the_plane() -> Population:
    """Linear functions on R²: one direction in each of the sectors that the differences cut out."""
    rng = np.random.default_rng(8)
    x, z = rng.integers(-4, 7, (5, 2)), rng.integers(-6, 5, (6, 2))
    differences = (x[:, None] - z[None]).reshape(-1, 2)
    edge = np.arctan2(differences[:, 1], differences[:, 0])[differences.any(axis=1)]
    edges = np.unique(np.round(np.mod(edge + np.pi / 2, np.pi), 12))
    middles = (edges + np.append(edges[1:], edges[0] + np.pi)) / 2
    angles = np.concatenate([edges, middles])
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    directions = np.round(np.concatenate([directions, -directions]), 9)
    phi = comparisons(np.round(directions @ x.T, 6), np.round(directions @ z.T, 6))
    return Population(rng.dirichlet(np.ones(5)), rng.dirichlet(np.ones(6)), phi, Linear(2))


def forty(good: int) -> Population:
    """Forty scorers with integer scores on 8 and 8 points, the first few nearly perfect."""
    rng = np.random.default_rng(9)
    pos, neg = rng.integers(0, 5, (40, 8)), rng.integers(0, 5, (40, 8))
    pos[:good] += 5
    neg[:good, 0] += 5
    share = rng.dirichlet(np.ones(8))
    return Population(share, rng.dirichlet(np.ones(8)), comparisons(pos, neg), Finite(40))


POPULATIONS = {
    "on the line": on_the_line(),
    "in the plane": in_the_plane(),
    "forty, four good": forty(good=4),
    "forty, none good": forty(good=0),
}
BOUNDS = [uniform_rank_shatter, uniform_freund, uniform_blocks]


def allowed(delta: float, repeats: int = REPEATS) -> int:
    return int(binom.isf(1e-6, repeats, delta))


@pytest.mark.parametrize(("m", "n"), SIZES)
@pytest.mark.parametrize("population", POPULATIONS)
def test_no_scorer_of_the_class_is_further_off(population: str, m: int, n: int) -> None:
    known = POPULATIONS[population]
    furthest = np.abs(known.draw(m, n, seed=m + n) - known.aucs).max(axis=1)
    for delta in (0.5, 0.1):
        for bound in BOUNDS:
            epsilon = float(bound(0.5, m, n, known.scorers, delta))
            assert np.count_nonzero(furthest >= epsilon) <= allowed(delta)


@pytest.mark.parametrize("side", ["greater", "less"])
@pytest.mark.parametrize(("m", "n"), SIZES)
def test_one_side_of_the_block_bound(side: str, m: int, n: int) -> None:
    for known in POPULATIONS.values():
        excess = (known.draw(m, n, seed=m) - known.aucs) * (1 if side == "greater" else -1)
        epsilon = float(uniform_blocks(0.5, m, n, known.scorers, 0.5, side))  # type: ignore[arg-type]
        assert np.count_nonzero(excess.max(axis=1) >= epsilon) <= allowed(0.5)


@pytest.mark.parametrize(("m", "n"), SIZES)
@pytest.mark.parametrize("population", ["forty, four good", "forty, none good"])
def test_the_best_of_forty_scorers(population: str, m: int, n: int) -> None:
    known, repeats = POPULATIONS[population], 400
    drawn = known.draw(m, n, seed=m, repeats=repeats)
    picked = drawn.argmax(axis=1)
    found, truth = drawn.max(axis=1), known.aucs[picked]
    epsilon = finite_class_epsilon(m, n, 40, 0.5)
    assert np.count_nonzero(np.abs(found - truth) >= epsilon) <= allowed(0.5, repeats)
    # weights need not be equal: half for the first, the other half shared
    weights = np.array([0.5] + [0.5 / 39] * 39)
    missed = 0
    for auc, which, value in zip(found, picked, truth, strict=True):
        missed += value not in occam_kl(auc, m, n, weights[which], 0.5)
    assert missed <= allowed(0.5, repeats)


@pytest.mark.parametrize(("m", "n"), [(6, 6), (25, 40)])
def test_a_scorer_made_of_one_training_row(m: int, n: int) -> None:
    """−|x − c| for the positive c that ranks the rest best; the population has six values."""
    rng, repeats, delta = np.random.default_rng(2), 400, 0.5
    pos, neg = np.array([0.05, 0.1, 0.5, 0.2, 0.1, 0.05]), np.full(6, 1 / 6)
    scores = -np.abs(np.arange(6.0) - np.arange(6.0)[:, None])
    phi = comparisons(scores, scores)
    truth = np.einsum("i,fij,j->f", pos, phi, neg)
    missed = 0
    for _ in range(repeats):
        counts, others = rng.multinomial(m, pos), rng.multinomial(n, neg)
        without = counts - np.eye(6)  # row c: the positives that are left when one c is taken out
        aucs = np.einsum("fi,fij,j->f", without, phi, others) / ((m - 1) * n)
        centre = int(np.where(counts > 0, aucs, -1).argmax())
        missed += truth[centre] not in compression(aucs[centre], m, n, 1, 0, delta)
    assert missed <= allowed(delta, repeats)


@pytest.mark.parametrize("max_pairs", [1, 10**6])
@pytest.mark.parametrize(("m", "n", "shift"), [(8, 8, 0.3), (30, 40, 1.0), (60, 20, 3.0)])
def test_a_randomised_scorer_trained_on_the_same_rows(
    m: int, n: int, shift: float, max_pairs: int
) -> None:
    """On R a weight drawn from N(μŵ, 1) ranks as x or as −x, so its AUC is known exactly."""
    rng, repeats, delta = np.random.default_rng(m), 300, 0.5
    upward = normal_cdf(shift / sqrt(2))
    missed = 0
    for _ in range(repeats):
        pos, neg = rng.normal(shift, 1, (m, 1)), rng.normal(0, 1, (n, 1))
        trained = pos.mean() - neg.mean()
        found = pac_bayes([trained], pos, neg, delta, max_pairs=max_pairs)
        kept = normal_cdf(found.scale)  # the drawn weight has the sign of the trained one
        same = upward if trained > 0 else 1 - upward
        missed += kept * same + (1 - kept) * (1 - same) not in found.interval
    assert missed <= allowed(delta, repeats)


def normal_cdf(x: float) -> float:
    return (1 + erf(x / sqrt(2))) / 2


def test_the_populations_are_what_they_say() -> None:
    for known in POPULATIONS.values():
        assert known.pos.sum() == pytest.approx(1)
        assert known.neg.sum() == pytest.approx(1)
    plane = POPULATIONS["in the plane"]
    assert {0.0, 0.5, 1.0} == set(np.unique(plane.phi))
    # closed under negation: the AUCs come in pairs A, 1 − A
    assert np.sort(plane.aucs) == pytest.approx(np.sort(1 - plane.aucs))
    bounds: list[Callable[..., UniformBound]] = BOUNDS
    assert all(float(bound(0.5, 1000, 30, Linear(2))) > 0 for bound in bounds)
