"""Certified weighted areas of tied scores: every sample of small classes, and simulations.

The simulations have 150 data sets a check at level .8; more misses than happen with probability
1e-7 fail it. 12 checks with four targets each, so a false alarm has a probability below 1e-5.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import bdtrc, ndtr

from rocsolid.binary.area import Region
from rocsolid.binary.curve_area import curve_area, slice_area
from rocsolid.intervals.guarantees.band import band_interval, box_interval
from rocsolid.results import Alternative, Interval
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.weights import Weight, power, step

_FLOATS = NDArray[np.float64]
TARGETS: dict[str, Weight | Region] = {
    "fpr<=.1": step(0, 0.1),
    "power": power(1),
    "tpr>=.7": step(0.7, 1, axis="tpr"),
    "box": Region.of(fpr=(0.05, 0.3), tpr=(0.4, 0.95)),
}


def interval(
    target: Weight | Region, data: SortedClasses, delta: float, side: Alternative = "two-sided"
) -> Interval:
    if isinstance(target, Region):
        return box_interval(data, target.fpr, target.tpr, delta, side)
    return band_interval(data, target, delta, side)


def truth(target: Weight | Region, pos: _FLOATS, neg: _FLOATS) -> float:
    """The area under the completed curve of the population itself."""
    table = ScoreCounts(np.arange(len(pos)), pos, neg)
    if isinstance(target, Region):
        return slice_area(table, step(*target.fpr), target.tpr)
    return curve_area(table, target)


def outcomes(size: int, shares: tuple[float, ...]) -> list[tuple[_FLOATS, float]]:
    """Each sample of a few grades, sorted, with its chance."""
    found = []
    for counts in itertools.product(range(size + 1), repeat=len(shares)):
        if sum(counts) == size:
            ways = math.factorial(size) / math.prod(math.factorial(c) for c in counts)
            chance = ways * math.prod(p**c for p, c in zip(shares, counts, strict=True))
            found.append((np.repeat(np.arange(len(shares)), counts), chance))
    return found


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize(
    ("pos", "neg"),
    [
        ((0.2, 0.3, 0.5), (0.8, 0.15, 0.05)),
        ((0.0, 1.0, 0.0), (0.5, 0.0, 0.5)),
        ((0.1, 0.9, 0.0), (0.0, 0.9, 0.1)),
        ((0.05, 0.05, 0.9), (0.6, 0.4, 0.0)),
        ((1.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
    ],
)
def test_every_sample_of_three_grades(
    name: str, pos: tuple[float, ...], neg: tuple[float, ...]
) -> None:
    """One-sided limits at δ = ½, so that they move; they miss with a chance of at most ½."""
    target, delta = TARGETS[name], 0.5
    area = truth(target, np.array(pos), np.array(neg))
    missed = {"greater": 0.0, "less": 0.0}
    for (x, p), (y, q) in itertools.product(outcomes(5, pos), outcomes(6, neg)):
        if p * q == 0.0:
            continue
        data = SortedClasses(x, y)
        for side in ("greater", "less"):
            found = interval(target, data, delta, side)
            missed[side] += p * q * (not found.low - 1e-9 <= area <= found.high + 1e-9)
    assert max(missed.values()) <= delta


def normal(shift: float, cuts: _FLOATS) -> _FLOATS:
    return np.diff(ndtr(np.concatenate([[-np.inf], cuts, [np.inf]]) - shift))


def mixed(shift: float) -> _FLOATS:
    """A fine lattice, all of whose lower half is one score, and .2 of each class at another."""
    shares = normal(shift, np.linspace(-1, 4, 999))
    shares[:200] = np.append(np.zeros(199), shares[:200].sum())
    shares *= 0.8
    shares[400] += 0.2
    return shares


POPULATIONS = {
    "two values": (np.array([0.3, 0.7]), np.array([0.85, 0.15])),
    "four grades": tuple(normal(shift, np.array([0.0, 0.7, 1.4])) for shift in (1.8, 0.0)),
    "mixed": (mixed(1.8), mixed(0.0)),
}


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), [(25, 25), (300, 300), (400, 40), (40, 1000)])
@pytest.mark.parametrize("kind", POPULATIONS)
def test_they_cover(kind: str, m: int, n: int) -> None:
    pos, neg = POPULATIONS[kind]
    rng, repeats, delta = np.random.default_rng([m, n]), 150, 0.2
    missed = dict.fromkeys(TARGETS, 0)
    for _ in range(repeats):
        x, y = rng.choice(len(pos), m, p=pos), rng.choice(len(neg), n, p=neg)
        data = SortedClasses(np.sort(x), np.sort(y))
        for name, target in TARGETS.items():
            found = interval(target, data, delta)
            missed[name] += not found.low <= truth_of(kind, name) <= found.high
    for name, count in missed.items():
        assert not (count and bdtrc(count - 1, repeats, delta) < 1e-7), (name, count)


_KNOWN: dict[tuple[str, str], float] = {}


def truth_of(kind: str, name: str) -> float:
    if (kind, name) not in _KNOWN:
        _KNOWN[kind, name] = truth(TARGETS[name], *POPULATIONS[kind])
    return _KNOWN[kind, name]


@pytest.mark.parametrize("name", TARGETS)
def test_they_shrink_with_more_rows(name: str) -> None:
    """With four grades; counting ties as lost or won, they stopped at two thirds of the first."""
    pos, neg = POPULATIONS["four grades"]
    widths = []
    for rows in (1000, 10_000, 100_000):
        grades = [np.repeat(np.arange(4), np.rint(rows * p).astype(int)) for p in (pos, neg)]
        found = interval(TARGETS[name], SortedClasses(*grades), 0.05)
        assert found.low < truth_of("four grades", name) < found.high
        widths.append(found.width)
    assert widths[1] < 0.45 * widths[0]
    assert widths[2] < 0.45 * widths[1]


def test_scores_without_ties_have_the_staircase() -> None:
    """Moving each positive up by less than a step changes nothing, level with none it stays."""
    rng = np.random.default_rng(1)
    pos, neg = np.sort(rng.normal(1, 1, 80)), np.sort(rng.normal(0, 1, 90).round(1))
    moved = np.nextafter(pos, np.inf)
    for target in TARGETS.values():
        assert interval(target, SortedClasses(pos, neg), 0.1) == interval(
            target, SortedClasses(moved, neg), 0.1
        )


@pytest.mark.parametrize("name", TARGETS)
def test_a_tie_lies_between_lost_and_won(name: str) -> None:
    """All limits of tied scores are between those with every tie lost and with every tie won."""
    rng = np.random.default_rng(2)
    pos, neg = (np.sort(rng.choice(4, 200, p=p)).astype(float) for p in POPULATIONS["four grades"])
    lost, tied, won = (
        interval(TARGETS[name], SortedClasses(pos + by, neg), 0.1) for by in (-0.5, 0.0, 0.5)
    )
    assert lost.low <= tied.low <= won.low
    assert lost.high <= tied.high <= won.high
    assert tied.width < 0.9 * (won.high - lost.low)
