"""Certified net benefits and privacy losses: every sample of a few rows, by its probability."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from math import factorial, prod

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.binary.privacy_loss import privacy_loss
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.intervals.guarantees.net_benefit import Flagged, exchange
from rocsolid.summaries.score_counts import ScoreCounts

ATOMS = np.array([0.1, 0.35, 0.6, 0.9])
# thresholds at and between the atoms: the flagged counts change only at an atom
AT = np.array([0.02, 0.1, 0.2, 0.35, 0.4, 0.6, 0.75, 0.9, 0.95])
RNG = np.random.default_rng(4)
LEVEL = 0.8


def compositions(total: int, cells: int) -> Iterator[tuple[int, ...]]:
    if cells == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, cells - 1):
            yield (first, *rest)


def probability(counts: tuple[int, ...], p: np.ndarray) -> float:
    ways = factorial(sum(counts)) / prod(map(factorial, counts))
    return float(ways * np.prod(p ** np.array(counts)))


def above(p: np.ndarray) -> np.ndarray:
    return np.array([p[t <= ATOMS].sum() for t in AT])


def flagged(pos: tuple[int, ...], neg: tuple[int, ...]) -> Flagged:
    return Flagged.of(ScoreCounts(ATOMS, np.array(pos), np.array(neg)), AT)


def misses(found: Flagged, value: np.ndarray, gain: np.ndarray, prevalence: object) -> np.ndarray:
    """Whether the band, the claim of usefulness, and the limits at each threshold are wrong."""
    share = (1.0 - LEVEL) / 2.0
    low, high = found.limits(share, prevalence, joint=True)  # type: ignore[arg-type]
    over = found.over_all(share, prevalence)  # type: ignore[arg-type]
    own = found.limits(share, prevalence, joint=False)  # type: ignore[arg-type]
    slack = 1e-12
    band = ((low > value + slack) | (high < value - slack)).any()
    claim = ((low > value + slack) | (over > gain + slack)).any()
    return np.array([band, claim, *((own[0] > value + slack) | (own[1] < value - slack))])


@pytest.mark.parametrize("case", range(3))
def test_rows_sampled_as_they_come(case: int) -> None:
    p = RNG.dirichlet(
        [(1, 1, 1, 1, 1, 1, 1, 1), (4, 2, 1, 1, 1, 1, 2, 4), (9, 1, 1, 1, 1, 1, 1, 1)][case]
    )
    pos, neg = p[:4], p[4:]
    value = above(pos) - exchange(AT) * above(neg)
    gain = value - (pos.sum() - exchange(AT) * neg.sum())
    wrong = np.zeros(2 + len(AT))
    for counts in compositions(6, 8):
        found = flagged(counts[:4], counts[4:])
        wrong += probability(counts, p) * misses(found, value, gain, "rows")
    assert (wrong <= 1.0 - LEVEL).all()
    assert wrong[0] > 0.0  # the enumeration can fail


@pytest.mark.parametrize("prevalence", ["classes", 0.15])
def test_classes_sampled_apart(prevalence: object) -> None:
    m, n = 4, 5
    pos, neg = RNG.dirichlet([1, 1, 1, 1]), RNG.dirichlet([1, 1, 1, 1])
    pi = m / (m + n) if prevalence == "classes" else float(prevalence)  # type: ignore[arg-type]
    value = pi * above(pos) - (1 - pi) * exchange(AT) * above(neg)
    gain = value - (pi - (1 - pi) * exchange(AT))
    wrong = np.zeros(2 + len(AT))
    for first in compositions(m, 4):
        for second in compositions(n, 4):
            weight = probability(first, pos) * probability(second, neg)
            wrong += weight * misses(flagged(first, second), value, gain, prevalence)
    assert (wrong <= 1.0 - LEVEL).all()
    assert wrong[0] > 0.0


def test_thresholds_between_atoms_are_all_there_is() -> None:
    inside = [(low, high) for low, high in pairwise([0.0, *ATOMS, 1.0])]
    assert all(any(low < t < high for t in AT) for low, high in inside)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.0), (0.7, 0.0), (0.7, 0.1), (1.5, 0.05)])
def test_randomised_response(epsilon: float, delta: float) -> None:
    """Answers with the ratios e^ε and e^−ε; with probability δ a row reveals whether it is one."""
    told = math.exp(epsilon) / (1.0 + math.exp(epsilon))
    other = np.array([delta, (1 - delta) * told, (1 - delta) * (1 - told), 0.0])
    if delta == 0.0:
        other = other[1:3]
    member, cells = other[::-1], len(other)
    size = 40 if cells == 2 else 7
    samples = list(compositions(size, cells))
    first, second = ([probability(each, p) for each in samples] for p in (member, other))
    wrong = 0.0
    for hits, of_hits in zip(samples, first, strict=True):
        for alarms, of_alarms in zip(samples, second, strict=True):
            if of_hits * of_alarms > 0.0:
                counts = ScoreCounts(np.arange(float(cells)), np.array(hits), np.array(alarms))
                loss = privacy_loss(counts, delta, 0.5)
                wrong += of_hits * of_alarms * (loss.low > epsilon + 1e-12)
    assert sum(first) == pytest.approx(1.0)
    assert wrong <= 0.5
    assert wrong > 0.0 or delta > 0.0  # the enumeration can fail


@pytest.mark.slow
def test_limits_at_the_best_threshold_of_the_same_rows_fail_more_often() -> None:
    """The Laplace mechanism attains e^ε at every threshold in its tails.

    The usual limits, both of Clopper and Pearson with an error of .025 at the best threshold, fail
    in 12 of 100 samples (binomial: a share of at most .05 of 200 has probability .0003 at .12).
    """
    epsilon, rows, repeats = 1.0, 3_000, 200
    rng = np.random.default_rng(0)
    member = np.repeat([1, 0], rows)
    ours = chosen = 0
    for _ in range(repeats):
        score = rng.laplace(member, 1.0 / epsilon)
        curve = rs.roc(member, score)
        ours += curve.epsilon().low > epsilon
        hits, alarms = curve.counts.corners
        low, high = clopper_pearson(hits, rows, 0.025)[0], clopper_pearson(alarms, rows, 0.025)[1]
        ratio = max((low / high).max(), ((1 - high) / (1 - low)).max())
        chosen += math.log(ratio) > epsilon
    assert ours / repeats <= 0.05
    assert chosen / repeats > 0.05
    assert ours < chosen
