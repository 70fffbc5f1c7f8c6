"""Intervals of values within groups: how often they hold the truth, and exactly how often."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import comb
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ndtr

from rocsolid.binary.estimate import Options
from rocsolid.inputs.binary import BinaryRows
from rocsolid.intervals.calibrated.auto import auto
from rocsolid.intervals.guarantees.mean_of_groups import mean_of_groups
from rocsolid.measures.partition import Partition, ScoredGroups
from rocsolid.measures.whole_area import WholeArea
from rocsolid.measures.within import within
from rocsolid.parameters import Counts

SAMPLES = 600
LEAST = 0.93 - 3.1 * np.sqrt(0.93 * 0.07 / SAMPLES)
"""Where the true coverage is .93 or more, each design falls below it with probability .001."""
Sample = tuple[BinaryRows, NDArray[np.int64]]


class Sites(NamedTuple):
    """Groups that stay the same, with shares, rates, effects and places of their own."""

    rows: int
    groups: int
    effect: float

    @property
    def fixed(self) -> tuple[NDArray[np.float64], ...]:
        rng = np.random.default_rng(9)
        rate = 0.1 + 0.8 * rng.random(self.groups)
        effect = self.effect * (0.5 + rng.random(self.groups))
        share = np.arange(1.0, self.groups + 1.0)
        return share / share.sum(), rate, effect, 2.0 * rng.normal(size=self.groups)

    @property
    def truth(self) -> float:
        share, rate, effect, _ = self.fixed
        pairs = share**2 * rate * (1.0 - rate)
        return float(pairs @ ndtr(effect / np.sqrt(2.0)) / pairs.sum())

    def draw(self, rng: np.random.Generator) -> Sample:
        share, rate, effect, place = self.fixed
        code = rng.choice(self.groups, self.rows, p=share)
        positive = rng.random(self.rows) < rate[code]
        score = place[code] + rng.normal(size=self.rows) + effect[code] * positive
        return BinaryRows(positive, score), code


SITES = [
    Sites(200, 3, 1.0), Sites(200, 10, 1.0), Sites(200, 40, 1.0), Sites(600, 10, 2.0),
    Sites(200, 10, 2.5), Sites(1000, 200, 1.0), Sites(1500, 23, 0.0),
]  # fmt: skip


def covered(
    draw: Callable[[np.random.Generator], Sample], truth: float, counts: Counts, seed: int
) -> float:
    """How often the default interval holds the truth."""
    rng, held = np.random.default_rng(seed), 0
    for _ in range(SAMPLES):
        part = Partition.of(WholeArea(), *draw(rng), counts)
        low, high = auto(part.inner.moments(0.0, 1.0), 0.95, "two-sided")
        held += low <= truth <= high
    return held / SAMPLES


@pytest.mark.slow
@pytest.mark.parametrize("sites", SITES, ids=str)
def test_pairs_of_independent_rows(sites: Sites) -> None:
    assert covered(sites.draw, sites.truth, "pairs", 3) >= LEAST


def users(rng: np.random.Generator, groups: int, size: int, effect: float) -> Sample:
    """Groups that are drawn, of random sizes, with effects that grow with them."""
    rows = 1 + rng.poisson(size, groups)
    code = np.repeat(np.arange(groups), rows)
    positive = rng.random(len(code)) < rng.beta(2, 2, groups)[code]
    own = effect + 0.5 * rng.normal(size=groups) + 0.3 * (rows - size) / size
    score = 3.0 * rng.normal(size=groups)[code] + rng.normal(size=len(code)) + own[code] * positive
    return BinaryRows(positive, score, cluster=code), code


@pytest.mark.slow
@pytest.mark.parametrize("counts", ["pairs", "rows", "groups"])
@pytest.mark.parametrize("design", [(20, 20, 1.0), (50, 8, 1.0), (200, 4, 1.0), (30, 50, 2.0)])
def test_groups_that_are_the_units(counts: Counts, design: tuple[int, int, float]) -> None:
    _, size, effect = design
    many = users(np.random.default_rng(1), 400_000 // size, size, effect)
    truth = Partition.of(WholeArea(), *many, counts).within.value
    assert covered(lambda rng: users(rng, *design), truth, counts, 4) >= LEAST


@pytest.mark.slow
def test_the_certified_interval_holds_for_the_groups_of_the_data() -> None:
    """The truth is the mean of the groups' AUCs, as they are counted in each sample."""
    sites, rng, missed = Sites(120, 6, 1.0), np.random.default_rng(8), 0
    truth = ndtr(sites.fixed[2] / np.sqrt(2.0))
    for _ in range(SAMPLES):
        rows, code = sites.draw(rng)
        sample = ScoredGroups(rows, code)
        certified = within(WholeArea()).estimate(sample, Options()).certified
        assert certified is not None
        pairs = np.bincount(code, rows.positive, 6) * np.bincount(code, ~rows.positive, 6)
        missed += not certified.low <= float(pairs @ truth / pairs.sum()) <= certified.high
    assert missed <= 0.05 * SAMPLES


def chances(rows: int, rate: float) -> list[float]:
    return [comb(rows, k) * rate**k * (1 - rate) ** (rows - k) for k in range(rows + 1)]


@pytest.mark.parametrize("sizes", [((3, 4), (6, 5)), ((2, 9), (8, 3)), ((1, 1), (7, 7))])
@pytest.mark.parametrize("rates", [(0.9, 0.1, 0.8, 0.3), (1.0, 0.4, 0.99, 0.0), (0.6,) * 4])
def test_it_misses_as_seldom_as_it_says_by_enumeration(
    sizes: tuple[tuple[int, int], ...], rates: tuple[float, ...]
) -> None:
    """Scores of 0 and 1: the AUC of a group is ½(1 + p − q), p and q the shares of ones."""
    counted = [size for group in sizes for size in group]
    pairs = np.array([m * n for m, n in sizes], dtype=float)
    share, blocks = pairs / pairs.sum(), [min(group) for group in sizes]
    truth = float(share @ [(1 + p - q) / 2 for p, q in (rates[:2], rates[2:])])
    of_each = [chances(size, rate) for size, rate in zip(counted, rates, strict=True)]
    for delta in (0.05, 0.3):
        low = high = 0.0
        for ones in product(*(range(size + 1) for size in counted)):
            p = [one / size for one, size in zip(ones, counted, strict=True)]
            value = float(share @ [(1 + p[0] - p[1]) / 2, (1 + p[2] - p[3]) / 2])
            chance = float(np.prod([of[k] for of, k in zip(of_each, ones, strict=True)]))
            limits = mean_of_groups(min(max(value, 0.0), 1.0), share, blocks, delta)
            low += chance * (truth < limits.low)
            high += chance * (truth > limits.high)
        assert low <= delta / 2
        assert high <= delta / 2
