"""Certified precision, recall and lift: every sample of small tables, and simulations.

The simulations have 50 data sets a check at level .8; more misses than happen with probability
1e-8 fail it. 8 populations and 7 values: a false alarm has a probability below 1e-6.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import bdtrc, ndtr

from rocsolid.intervals.guarantees.completed_curve import (
    Prevalence,
    average_precision_of,
    bedroc_of,
    precision_area_of,
    prevalence_limits,
)
from rocsolid.intervals.guarantees.curve_point import (
    lift_at_share_of,
    mean_of_largest,
    precision_at_recall_of,
    precision_at_share_of,
    recall_at_share_of,
)
from rocsolid.intervals.guarantees.hinge import hinge, hinge_limits
from rocsolid.intervals.guarantees.weighted_best import gain_area_of
from rocsolid.results import Alternative, Interval
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]
ALPHA, RECALL = 5.0, 0.6


@dataclass(frozen=True)
class Population:
    """Shares of each class on the grades from worst to best, and the share of positives."""

    pos: _FLOATS
    neg: _FLOATS
    pi: float
    share: float = 0.3

    @cached_property
    def _curve(self) -> tuple[_FLOATS, _FLOATS]:
        return tuple(np.append(0.0, np.cumsum(each[::-1])) for each in (self.neg, self.pos))  # type: ignore[return-value]

    def _precision(self, fpr: _FLOATS, tpr: _FLOATS) -> _FLOATS:
        hits = self.pi * tpr
        return hits / np.maximum(hits + (1 - self.pi) * fpr, 1e-300)

    def truth(self, name: str) -> float:
        """By the plain definition, areas by fine sums."""
        fpr, tpr = self._curve
        flagged = self.pi * tpr + (1 - self.pi) * fpr
        if name == "average precision":
            some = np.diff(tpr) > 0
            return float(np.diff(tpr)[some] @ self._precision(fpr[1:], tpr[1:])[some])
        if name == "recall at share":
            return float(np.interp(self.share, flagged, tpr))
        if name == "precision at share":
            return self.truth("recall at share") * self.pi / self.share
        if name == "gain area":
            return float(np.trapezoid(tpr, flagged))
        if name == "precision at recall":
            at = int(np.searchsorted(tpr, RECALL))
            part = (RECALL - tpr[at - 1]) / (tpr[at] - tpr[at - 1])
            f = fpr[at - 1] + part * (fpr[at] - fpr[at - 1])
            return float(self._precision(f, np.array(RECALL)))
        # along each straight piece by recall
        x = (np.arange(400) + 0.5) / 400
        t, f = (each[:-1, None] + np.diff(each)[:, None] * x for each in (tpr, fpr))
        rise = np.diff(tpr) / 400
        if name == "precision area":
            some = rise > 0
            return float(rise[some] @ self._precision(f, t)[some].sum(axis=1))
        early = float(rise @ np.exp(-ALPHA * (self.pi * t + (1 - self.pi) * f)).sum(axis=1))
        least, most = (
            (math.exp(-ALPHA * start) - math.exp(-ALPHA * (start + self.pi))) / (ALPHA * self.pi)
            for start in (1 - self.pi, 0.0)
        )
        return (early - least) / (most - least)


Certificate = Callable[[ScoreCounts, Population, dict[str, Any]], Interval]


def _gain(counts: ScoreCounts, _: Population, asked: dict[str, Any]) -> Interval:
    m, n = int(counts.n_pos), int(counts.n_neg)
    below = np.cumsum(counts.neg) - counts.neg / 2
    auc = min(float(counts.pos @ below) / (m * n), 1.0)
    side = asked["alternative"]
    return gain_area_of(lambda delta: hinge(auc, m, n, delta, side), m, n, **asked)


CERTIFICATES: dict[str, Certificate] = {
    "average precision": lambda counts, _, asked: average_precision_of(counts.classes, **asked),
    "precision area": lambda counts, _, asked: precision_area_of(counts.classes, **asked),
    "bedroc": lambda counts, _, asked: bedroc_of(counts.classes, ALPHA, **asked),
    "gain area": _gain,
    "precision at recall": lambda counts, _, asked: precision_at_recall_of(counts, RECALL, **asked),
    "recall at share": lambda counts, of, asked: recall_at_share_of(counts, of.share, **asked),
    "precision at share": lambda counts, of, asked: precision_at_share_of(
        counts, of.share, **asked
    ),
}


def outcomes(size: int, shares: _FLOATS) -> Iterator[tuple[_FLOATS, float]]:
    """The counts of each sample, with its chance."""
    for counts in itertools.product(range(size + 1), repeat=len(shares)):
        if sum(counts) == size:
            ways = math.factorial(size) / math.prod(math.factorial(c) for c in counts)
            yield np.array(counts), ways * float(np.prod(shares ** np.array(counts)))


def samples(
    of: Population, prevalence: Prevalence, m: int, n: int
) -> Iterator[tuple[ScoreCounts, float]]:
    """Every sample that has rows of both classes, with its chance."""
    grades = len(of.pos)
    if prevalence != "rows":
        for (x, p), (y, q) in itertools.product(outcomes(m, of.pos), outcomes(n, of.neg)):
            yield ScoreCounts(np.arange(grades), x, y), p * q
        return
    cells = np.concatenate([of.pi * of.pos, (1 - of.pi) * of.neg])
    for both, p in outcomes(m + n, cells):
        x, y = both[:grades], both[grades:]
        if x.any() and y.any():
            yield ScoreCounts(np.arange(grades), x, y), p


FEW = {
    "rising": ((0.2, 0.3, 0.5), (0.7, 0.2, 0.1)),
    "worst on top": ((0.5, 0.45, 0.05), (0.2, 0.3, 0.5)),
    "one of each": ((0.0, 1.0, 0.0), (0.5, 0.0, 0.5)),
    "two": ((0.1, 0.9, 0.0), (0.8, 0.2, 0.0)),
}


@pytest.mark.parametrize("prevalence", ["rows", "classes"])
@pytest.mark.parametrize("kind", FEW)
def test_every_sample_of_three_grades(kind: str, prevalence: Prevalence) -> None:
    """One-sided limits at δ = ½, so that they move; they miss with a chance of at most ½."""
    delta, m, n = 0.5, 3, 3 if prevalence == "classes" else 2
    of = Population(*(np.array(each) for each in FEW[kind]), m / (m + n))
    truth = {name: of.truth(name) for name in CERTIFICATES}
    missed: dict[tuple[str, Alternative], float] = {}
    for counts, chance in samples(of, prevalence, m, n):
        if not chance:
            continue
        for name, side in itertools.product(CERTIFICATES, ("greater", "less")):
            asked = {"delta": delta, "alternative": side, "prevalence": prevalence}
            found = CERTIFICATES[name](counts, of, asked)
            miss = not found.low - 1e-9 <= truth[name] <= found.high + 1e-9
            missed[name, side] = missed.get((name, side), 0.0) + chance * miss
    assert max(missed.values()) <= delta


def normal(shift: float, cuts: _FLOATS) -> _FLOATS:
    return np.diff(ndtr(np.concatenate([[-np.inf], cuts, [np.inf]]) - shift))


LATTICE = np.linspace(-5, 12, 3000)
GRADES = np.array([0.0, 0.7, 1.4])
LUMP = np.r_[np.full(8, 0.01), 0.92], np.r_[np.full(8, 0.1), 0.2]
DRAWN = {
    "normal": (Population(normal(1.5, LATTICE), normal(0, LATTICE), 0.2), 100, 400, "classes"),
    "known": (Population(normal(1.5, LATTICE), normal(0, LATTICE), 0.05), 100, 100, 0.05),
    "perfect": (Population(normal(6, LATTICE), normal(0, LATTICE), 0.3), 30, 70, "rows"),
    "useless": (Population(normal(0, LATTICE), normal(0, LATTICE), 0.1), 10, 90, "rows"),
    "rare": (Population(normal(2, LATTICE), normal(0, LATTICE), 0.001, 0.01), 10, 9990, "classes"),
    "four grades": (Population(normal(1.8, GRADES), normal(0, GRADES), 0.25), 25, 75, "rows"),
    "four, many": (Population(normal(1.8, GRADES), normal(0, GRADES), 0.25), 250, 750, "classes"),
    "lump": (Population(*LUMP, 0.1), 20, 180, "rows"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", DRAWN)
def test_they_cover(kind: str) -> None:
    of, m, n, prevalence = DRAWN[kind]
    rng, repeats, delta = np.random.default_rng([m, n]), 50, 0.2
    truth = {name: of.truth(name) for name in CERTIFICATES}
    missed = dict.fromkeys(CERTIFICATES, 0)
    for _ in range(repeats):
        positives = max(int(rng.binomial(m + n, of.pi)), 1) if prevalence == "rows" else m
        x = rng.multinomial(positives, of.pos / of.pos.sum())
        y = rng.multinomial(m + n - positives, of.neg / of.neg.sum())
        seen = x + y > 0
        counts = ScoreCounts(np.arange(int(seen.sum())), x[seen], y[seen])
        for name, certificate in CERTIFICATES.items():
            if prevalence != "rows" and name == "precision at share":
                continue  # a factor times the recall there
            asked = {"delta": delta, "alternative": "two-sided", "prevalence": prevalence}
            found = certificate(counts, of, asked)
            missed[name] += not found.low <= truth[name] <= found.high
    for name, count in missed.items():
        assert not (count and bdtrc(count - 1, repeats, delta) < 1e-8), (name, count)


@pytest.mark.parametrize(
    ("size", "chance", "share"), [(7, 0.3, 0.1), (20, 0.5, 0.02), (90, 0.01, 0.4)]
)
def test_the_mean_of_the_largest_counts(size: int, chance: float, share: float) -> None:
    """By taking the largest values one by one, the last of them in part."""
    left, mean = share, 0.0
    for k in range(size, -1, -1):
        p = min(math.comb(size, k) * chance**k * (1 - chance) ** (size - k), left)
        left, mean = left - p, mean + p * k / share
    assert mean_of_largest(size, chance, share) == pytest.approx(mean, rel=1e-9)


@pytest.mark.parametrize("tied", [1, 40])
@pytest.mark.parametrize("prevalence", ["classes", "rows", 0.3])
def test_recall_is_least_where_both_limits_meet(tied: int, prevalence: Prevalence) -> None:
    """The larger of both limits, at many places of each step of the curve."""
    rng = np.random.default_rng(tied)
    y = rng.random(300) < 0.3
    counts = ScoreCounts.from_arrays(y, (rng.normal(size=300) + y).argsort().argsort() // tied)
    share, tail = 0.15, 0.1 / (4 if prevalence == "rows" else 2)
    steps = np.arange(len(counts.pos) + 1)
    fine = np.linspace(0, steps[-1], 200 * (len(steps) - 1) + 1)
    hits, alarms = (
        np.interp(fine, steps, np.append(0, np.cumsum(each[::-1])))
        for each in (counts.pos, counts.neg)
    )
    found = []
    for pi in prevalence_limits(prevalence, int(counts.n_pos), int(counts.n_neg), tail):
        of_hits = hinge_limits(hits / hits[-1], hits[-1], tail, "greater")[0]
        above = hinge_limits(alarms / alarms[-1], alarms[-1], tail, "less")[1]
        found.append(np.maximum(of_hits, (share - (1 - pi) * above) / pi).min())
    limit = recall_at_share_of(counts, share, 0.1, "greater", prevalence=prevalence).low
    assert min(found) - 2e-3 < limit < min(found) + 1e-9


@pytest.mark.parametrize("prevalence", ["rows", "classes", 0.05])
def test_lift_and_precision_are_recall_on_other_scales(prevalence: Prevalence) -> None:
    counts = ScoreCounts(np.arange(4), np.array([1, 4, 9, 16]), np.array([40, 30, 20, 10]))
    q, pi = 0.2, 30 / 130 if prevalence == "classes" else prevalence
    recall, lift, precision = (
        of(counts, q, prevalence=prevalence)
        for of in (recall_at_share_of, lift_at_share_of, precision_at_share_of)
    )
    assert (lift.low, lift.high) == pytest.approx((recall.low / q, recall.high / q))
    if isinstance(pi, float):
        assert precision.low == pytest.approx(lift.low * pi)
        assert precision.high == pytest.approx(min(lift.high * pi, 1.0))
