"""Spot checks of coverage: seeded samples from populations with a known value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy.special import bdtrik, ndtr, ndtri

from rocsolid.binary.roc import roc
from rocsolid.dataclass import dataclass
from rocsolid.evaluation.questions import compare
from rocsolid.graded.ndcg import ndcg
from rocsolid.intervals.guarantees.berry_esseen import berry_esseen
from rocsolid.measures.precision_recall_area import pr_auc
from rocsolid.measures.whole_area import auc
from rocsolid.qualifying.requirement import SIMULATION, Observation, QualificationRun, judged

SAMPLES = 1_000
FALSE_ALARM = 0.01
"""The probability at most that a correct installation fails any simulation."""
CALIBRATED, CERTIFIED, MISSED = 0.93, 0.95, 0.02
"""The coverage of calibrated and certified 95 % intervals, and the misses of calibrated ones."""
_LABELS = np.repeat([1, 0], 30)


@dataclass(frozen=True, slots=True)
class Simulated:
    """The number of ``samples`` in which ``holds`` is true, with a binomial limit.

    If ``holds`` is true with a probability of at least ``least``, a number below the limit has the
    false-alarm probability of the run at most.
    """

    test: str
    holds: Callable[[np.random.Generator], bool]
    least: float
    samples: int = SAMPLES

    def __call__(self, run: QualificationRun, /) -> Iterator[Observation]:
        random = run.generator(self.test)
        held = sum(bool(self.holds(random)) for _ in range(self.samples))
        limit = self.limit(run.false_alarm)
        expected = f"at least {limit:,} of {self.samples:,}"
        yield Observation(self.test, SIMULATION, expected, f"{held:,}", judged(held >= limit))

    def limit(self, false_alarm: float) -> int:
        """The smallest k with P(X ≤ k) ≥ ``false_alarm``, so that P(X < k) is below it.

        >>> Simulated("", lambda random: True, 0.95).limit(0.001)
        927
        """
        return math.ceil(float(bdtrik(false_alarm, self.samples, self.least)))


def _scores(random: np.random.Generator, value: float, columns: int = 1) -> Any:
    """Normal scores of 30 + 30 rows; all ``columns`` correlate by one half."""
    shift = math.sqrt(2) * float(ndtri(value))
    shared = random.normal(size=(60, 1)) if columns > 1 else 0.0
    own = random.normal(size=(60, columns))
    mixed = own if columns == 1 else (own + shared) / math.sqrt(2)
    return (mixed + shift * _LABELS[:, None]).T


def _contains(interval: Any, value: float) -> bool:
    return bool(interval.low <= value <= interval.high)


def one_auc(value: float, kind: str = "interval") -> Callable[[np.random.Generator], bool]:
    def holds(random: np.random.Generator) -> bool:
        estimate = auc(_LABELS, _scores(random, value)[0])
        return _contains(getattr(estimate, kind), value)

    return holds


def above_chance(kind: str) -> Callable[[np.random.Generator], bool]:
    """The interval of an AUC of .95 excludes .5: the interval is not merely wide."""

    def holds(random: np.random.Generator) -> bool:
        estimate = auc(_LABELS, _scores(random, 0.95)[0])
        return bool(getattr(estimate, kind).low > 0.5)

    return holds


_MANY = 40_000


def _many_rows(random: np.random.Generator, value: float) -> Any:
    """The certified interval of 40,000 + 40,000 rows with two scores and an AUC of ``value``."""
    shares = 0.5 + (value - 0.5) * np.array([1.0, -1.0])
    high, alarms = random.binomial(_MANY, shares) / _MANY
    variances = high * (1 - high) / 4, alarms * (1 - alarms) / 4
    return berry_esseen(0.5 + (high - alarms) / 2, _MANY, _MANY, variances=variances)


def many_rows(random: np.random.Generator) -> bool:
    """The certified interval of an AUC of .7, for many rows."""
    return _contains(_many_rows(random, 0.7), 0.7)


def many_rows_above_chance(random: np.random.Generator) -> bool:
    """The certified interval of an AUC of .52 excludes .5, for many rows."""
    return bool(_many_rows(random, 0.52).low > 0.5)


def net_benefit(random: np.random.Generator) -> bool:
    """The certified net benefits, at all thresholds together, of 30 + 30 rows."""
    chances = random.random(60) ** np.where(_LABELS, 0.5, 1.0)
    curve = roc(_LABELS, chances).net_benefit(prevalence=0.3)
    assert curve.low is not None
    assert curve.high is not None
    at = curve.threshold
    value = 0.3 * (1 - at**2) - 0.7 * (1 - at) * at / (1 - at)
    return bool(np.all((curve.low <= value) & (value <= curve.high)))


def _laplace(random: np.random.Generator, epsilon: float) -> float:
    """The limit of ε of the Laplace mechanism, from 100 + 100 runs."""
    noise = random.laplace(scale=1 / epsilon, size=200)
    labels = np.repeat([1, 0], 100)
    return roc(labels, labels + noise).epsilon().low


def privacy_loss(random: np.random.Generator) -> bool:
    """The limit of ε is at most the ε of the mechanism."""
    return _laplace(random, 1.0) <= 1.0


def privacy_loss_above_0(random: np.random.Generator) -> bool:
    """The limit of ε of a mechanism with ε = 3 is positive."""
    return _laplace(random, 3.0) > 0.0


def clustered_auc(random: np.random.Generator) -> bool:
    rows = _scores(random, 0.8)[0][:, None] + random.normal(size=(60, 3))
    labels, clusters = np.repeat(_LABELS, 3), np.repeat(np.arange(60), 3)
    value = float(ndtr(float(ndtri(0.8)) / math.sqrt(2)))  # the variance of a score has doubled
    return _contains(auc(labels, rows.ravel(), cluster=clusters).interval, value)


def clustered_auc_misses(random: np.random.Generator) -> bool:
    """The interval of `clustered_auc` misses: it is no wider than its level says."""
    return not clustered_auc(random)


def difference(kind: str) -> Callable[[np.random.Generator], bool]:
    def holds(random: np.random.Generator) -> bool:
        a, b = _scores(random, 0.75, columns=2)
        a = a + math.sqrt(2) * float(ndtri(0.9) - ndtri(0.75)) * _LABELS
        (pair,) = compare(_LABELS, {"a": a, "b": b}).pairs
        return _contains(getattr(pair, kind), 0.9 - 0.75)

    return holds


def equal_scores(random: np.random.Generator) -> bool:
    """The p-value of two equally good scores is above .05."""
    a, b = _scores(random, 0.8, columns=2)
    return bool(compare(_LABELS, {"a": a, "b": b}).pairs[0].p_value > 0.05)


@cache
def _precision_recall_area() -> float:
    """The integral of precision over recall, for normal scores with an AUC of .8."""
    recall = (np.arange(20_000) + 0.5) / 20_000
    fpr = ndtr(ndtri(recall) - math.sqrt(2) * float(ndtri(0.8)))
    return float(np.mean(recall / (recall + fpr)))


def precision_recall(kind: str) -> Callable[[np.random.Generator], bool]:
    """The interval of the area under the precision–recall curve of 30 + 30 rows."""

    def holds(random: np.random.Generator) -> bool:
        estimate = pr_auc(_LABELS, _scores(random, 0.8)[0])
        return _contains(getattr(estimate, kind), _precision_recall_area())

    return holds


_QUERIES, _GRADES = 25, ((3, 0, 1, 0), (0, 1, 0, 2), (1, 0, 0, 0), (2, 1, 1, 0), (0, 0, 0, 1))


@cache
def _ndcg(grades: tuple[int, ...]) -> float:
    dcg, ideal = (
        sum(grade / math.log2(2 + rank) for rank, grade in enumerate(order))
        for order in (grades, sorted(grades, reverse=True))
    )
    return dcg / ideal


def mean_ndcg(kind: str) -> Callable[[np.random.Generator], bool]:
    """The interval of the mean NDCG of 25 queries, drawn from five kinds of lists."""
    value = sum(map(_ndcg, _GRADES)) / len(_GRADES)

    def holds(random: np.random.Generator) -> bool:
        lists = [_GRADES[i] for i in random.integers(0, len(_GRADES), _QUERIES)]
        grades = np.ravel(lists)
        scores = np.tile([4, 3, 2, 1], _QUERIES)
        estimate = ndcg(grades, scores, qid=np.repeat(np.arange(_QUERIES), 4))
        return _contains(getattr(estimate, kind), value)

    return holds
