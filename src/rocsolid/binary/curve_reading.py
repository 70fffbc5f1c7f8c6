"""The ROC curve at one rate, and operating points of thresholds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import rate_at
from rocsolid.binary.limits_at_rate import LimitsAtRate
from rocsolid.binary.rate_term import RateTerm
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import row_sums, summarise, table_sums
from rocsolid.inputs.binary import BinaryRows
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.intervals.guarantees.checks import IID, check_level
from rocsolid.intervals.guarantees.roc_band import POINTWISE, SOURCE, curve_limits
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.results import percent
from rocsolid.results.interval import CURVE, Interval, WithLimits
from rocsolid.results.plain import Plain, one_line, plain_key
from rocsolid.summaries.score_counts import ScoreCounts, mirrored
from rocsolid.summaries.stream import stream
from rocsolid.weights.weight import complement

_FLOATS = NDArray[np.float64]
Axis = Literal["fpr", "tpr"]
Size = int | NDArray[np.int64]
Sizes = tuple[Size, Size]


@dataclass(frozen=True, slots=True)
class CurveReading(Plain, WithLimits, Checked):
    """The true-positive rate at a false-positive rate, or the reverse, with two intervals.

    The intervals are for the population's curve at exactly that rate, and include the uncertainty
    of the estimated threshold. ``interval`` is calibrated (see `LimitsAtRate`), ``certified`` holds
    at every sample size for every distribution; clustered rows have none.
    """

    axis: Axis
    rate: float
    value: float
    interval: Interval
    certified: Interval | None
    n_pos: int
    n_neg: int
    warnings: tuple[Remark, ...] = ()

    def __float__(self) -> float:
        return self.value

    __repr__ = one_line

    def __str__(self) -> str:
        words = {"fpr": "false-positive rate", "tpr": "true-positive rate"}
        other = words["tpr" if self.axis == "fpr" else "fpr"]
        certified = "" if self.certified is None else f", certified {self.certified}"
        return (
            f"{other} {self.value:.4f} at {words[self.axis]} {self.rate:g}, {self.interval}"
            f"{certified}"
        )


def curve_reading(
    counts: ScoreCounts, axis: Axis, rate: float, level: float, rows: BinaryRows | None = None
) -> CurveReading:
    """The rate with the limits of `LimitsAtRate` and the exact ones of `curve_limits`.

    ``rows`` are those of the table if they are clustered.

    >>> table = ScoreCounts.from_arrays(np.arange(90) >= 40, np.arange(90.0) % 47)
    >>> print(curve_reading(table, "fpr", 0.2, 0.95))
    true-positive rate 0.3600 at false-positive rate 0.2, [0.2054, 0.5304] at 95 %
    (auto (wilson)), certified [0.1187, 0.6631] at 95 % (order statistics and
    Clopper-Pearson)
    >>> from rocsolid.engines.memory import score_counts
    >>> rows = BinaryRows(np.arange(80) % 2 == 0, np.arange(80) % 9, cluster=np.arange(80) // 4)
    >>> reading = curve_reading(score_counts(rows), "fpr", 0.2, 0.95, rows)
    >>> round(reading.value, 4), reading.certified
    (0.18, None)
    """
    check_level(level)
    # on a vertical or a horizontal stretch of the curve the better end counts
    value = (
        rate_at(counts, rate)
        if axis == "tpr"
        else 1.0 - rate_at(mirrored(counts), complement(rate))
    )
    term = RateTerm("neg" if axis == "fpr" else "pos", rate)
    if rows is None:
        sums, summary = table_sums(counts, term), None
        table, fpr = (counts, rate) if axis == "fpr" else (mirrored(counts), complement(rate))
        low, high = (float(limit[0]) for limit in curve_limits(table, np.array([fpr]), level))
        certified = Interval(low, high, level, POINTWISE, True, IID, SOURCE, reads=CURVE)
    else:
        sums, summary, certified = row_sums(rows, term), summarise(rows), None
    limits = LimitsAtRate.of(term, sums, summary, lambda height, _: height)
    interval = limits.interval(EstimateOptions(level=level), (0.0, 1.0))
    if axis == "tpr":  # the height is one minus the false-positive rate
        interval = _complement(interval)
        certified = certified and _complement(certified)
    return CurveReading(
        axis, rate, value, interval, certified, int(counts.n_pos), int(counts.n_neg),
        tuple(limits.few(certified is not None)),
    )  # fmt: skip


def _complement(interval: Interval) -> Interval:
    return replace(interval, low=1.0 - interval.high, high=1.0 - interval.low)


def resampled_readings(
    table: ScoreCounts, fpr: float, resamples: int, seed: int, sizes: Sizes | None = None
) -> _FLOATS:
    """The readings of resampled tables, with classes resampled separately.

    ``sizes`` are the numbers of positives and negatives in the resamples, by default those in the
    table.

    The reading depends only on the score of the k-th largest negative. In a resample its position
    in the sorted table is a uniform order statistic, Beta(k, n+1−k). Given the score, the tied
    negatives and the positives above and at the score are binomial.
    """
    if fpr >= 1.0:
        return np.ones(resamples)
    positives = int(table.n_pos)
    m, n = sizes or (positives, int(table.n_neg))
    pos, neg = table.pos[::-1], table.neg[::-1]
    held = np.flatnonzero(neg)
    if isinstance(n, int) and len(held) == n and resamples <= _KEPT:
        drawn = _untied_thresholds(n, fpr, resamples, seed)
    else:
        drawn = ReadingDraws.drawn(neg[held], n, fpr, resamples, seed)
    row, draw = held[drawn.negative], np.random.Generator(np.random.Philox(key=0))
    draw.bit_generator.state = drawn.state
    above = (np.cumsum(pos) - pos)[row] / positives
    hits = draw.binomial(m, above)
    tied = pos[row]
    if not tied.any():  # no tied positive could be drawn
        return np.asarray(hits / m)
    left = np.where(above < 1.0, 1.0 - above, 1.0)
    tied_hits = draw.binomial(m - hits, np.clip(tied / positives / left, 0.0, 1.0))
    return np.asarray((hits + drawn.along * tied_hits) / m)


_KEPT = 2_000  # the largest number of resamples that is cached


@dataclass(frozen=True, slots=True, eq=False)
class ReadingDraws:
    """The score at which each resample is read, and the position within the tie there.

    ``negative`` indexes the negatives' distinct scores from the highest; ``state`` is the state of
    the generator afterwards.
    """

    negative: NDArray[np.intp]
    along: _FLOATS
    state: Mapping[str, Any]

    @classmethod
    def drawn(
        cls, neg: NDArray[Any], n: Size, fpr: float, resamples: int, seed: int
    ) -> ReadingDraws:
        draw, rank, negatives = stream(seed, 0), _first_rank_beyond(n, fpr), int(neg.sum())
        through = np.cumsum(neg) / negatives
        place = np.minimum(draw.beta(rank, n + 1 - rank, resamples), 1.0 - 1e-16)
        negative = np.minimum(np.searchsorted(through, place), len(neg) - 1)
        end = through[negative]
        start = end - neg[negative] / negatives
        # other negatives with the same score are tied with this one
        before = draw.binomial(rank - 1, np.clip((place - start) / place, 0.0, 1.0))
        after = draw.binomial(n - rank, np.clip((end - place) / (1.0 - place), 0.0, 1.0))
        along = np.clip((fpr * n - (rank - 1 - before)) / (before + 1 + after), 0.0, 1.0)
        return cls(negative, along, draw.bit_generator.state)


@lru_cache(maxsize=256)
def _untied_thresholds(n: int, fpr: float, resamples: int, seed: int) -> ReadingDraws:
    return ReadingDraws.drawn(np.ones(n, dtype=np.int64), n, fpr, resamples, seed)


def _first_rank_beyond(n: Size, rate: float) -> NDArray[np.int64]:
    """The smallest k with k/n > rate; the rate 0.29 means 29 of 100."""
    rank = np.floor(rate * np.asarray(n)).astype(np.int64)
    for _ in range(2):  # the product is rounded
        rank = rank + (rank / n <= rate)
    return rank


def drawn_sizes(positives: int, rows: int, resamples: int, seed: int) -> NDArray[np.int64]:
    """The numbers of positives in resamples of all rows; a resample of one class is drawn again."""
    draw = stream(seed, 1)
    sizes = draw.binomial(rows, positives / rows, resamples)
    while (alone := (sizes == 0) | (sizes == rows)).any():
        sizes[alone] = draw.binomial(rows, positives / rows, int(alone.sum()))
    return sizes


Chosen = Literal["threshold", "fpr", "tpr", "youden", "closest-topleft", "cost", "epsilon"]
"""The rule that selected the threshold; "threshold" means that the caller gave it."""

RATES = ("tpr", "fpr", "precision", "npv", "accuracy", "youden")
"""The values of an operating point that have intervals."""

_IN_WORDS = {
    "tpr": "sensitivity",
    "fpr": "false-positive rate",
    "precision": "positive predictive value",
    "npv": "negative predictive value",
    "accuracy": "accuracy",
    "youden": "Youden's index",
}


@dataclass(frozen=True, slots=True)
class OperatingPoint(Plain, Checked):
    """The counts and rates if rows with a score ``rule`` (≥ or ≤) the threshold are flagged.

    ``precision``, ``npv`` and ``accuracy`` refer to the rows, or to a population with the given
    ``prevalence``. ``intervals`` contains intervals for these values, the two rates and Youden's
    index. Under weights the counts are sums of weights, and there are no intervals.

    >>> p = OperatingPoint(0.5, "≥", 8, 3, 10, 100)
    >>> p.tpr, p.fpr, round(p.precision, 4), round(p.npv, 4), round(p.youden, 2)
    (0.8, 0.03, 0.7273, 0.9798, 0.77)
    """

    threshold: float
    rule: str
    true_positives: float
    false_positives: float
    positives: float
    negatives: float
    chosen: Chosen = "threshold"
    prevalence: float | None = None
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    warnings: tuple[Remark, ...] = ()
    _json = (
        "threshold rule chosen prevalence tpr fpr precision npv accuracy youden true_positives "
        "false_positives false_negatives true_negatives positives negatives intervals warnings"
    )

    @property
    def false_negatives(self) -> float:
        """The number of positives that are not flagged."""
        return self.positives - self.true_positives

    @property
    def true_negatives(self) -> float:
        """The number of negatives that are not flagged."""
        return self.negatives - self.false_positives

    @property
    def cut(self) -> str:
        """The condition for flagging, such as "score ≥ 0.2", or a threshold beyond all scores."""
        if math.isinf(self.threshold):
            return f"a threshold {'above' if self.threshold > 0.0 else 'below'} all scores"
        return f"score {self.rule} {self.threshold:g}"

    @property
    def tpr(self) -> float:
        """The true-positive rate, also called sensitivity or recall."""
        return self.true_positives / self.positives

    @property
    def fpr(self) -> float:
        """The false-positive rate, one minus the specificity."""
        return self.false_positives / self.negatives

    @property
    def precision(self) -> float | None:
        """The share of positives among flagged rows (PPV); ``None`` if no row is flagged."""
        return _share(*self._population(self.true_positives, self.false_positives))

    @property
    def npv(self) -> float | None:
        """The share of negatives among rows that are not flagged; ``None`` if all are flagged."""
        passed = self._population(self.false_negatives, self.true_negatives)
        return _share(*reversed(passed))

    @property
    def accuracy(self) -> float:
        """The share of rows that are classified correctly."""
        whole = sum(self._population(self.positives, self.negatives))
        right = self._population(self.true_positives, self.negatives - self.false_positives)
        return sum(right) / whole

    @property
    def youden(self) -> float:
        """Youden's index: sensitivity + specificity − 1, from −1 to 1."""
        return self.tpr - self.fpr

    def _population(self, positives: float, negatives: float) -> tuple[float, float]:
        if self.prevalence is None:
            return positives, negatives
        share = self.prevalence
        return share * positives / self.positives, (1.0 - share) * negatives / self.negatives

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"threshold {self.threshold:g}: true-positive rate {self.tpr:.4f} "
            f"({self.true_positives:g} of {self.positives:g}), false-positive rate {self.fpr:.4f} "
            f"({self.false_positives:g} of {self.negatives:g})"
        )

    def explain(self) -> str:
        """Every rate with its interval, and the warnings."""
        return " ".join(self.sentences())

    def sentences(self) -> tuple[str, ...]:
        """The flagged rows, the rates and the warnings."""
        flagged = f"Rows with a {self.cut} are flagged."
        sentences = [f"This is {self.cut}." if math.isinf(self.threshold) else flagged]
        for name in RATES:
            value, interval = getattr(self, name), self.intervals.get(name)
            shown = "not defined" if value is None else f"{value:.4f}"
            limits = "" if interval is None else f" ({interval.low:.4f} to {interval.high:.4f})"
            sentences.append(f"{_IN_WORDS[name].capitalize()} {shown}{limits}.")
        if self.intervals:
            sentences.append(
                f"Intervals at {percent(self.intervals['tpr'].level)}: "
                f"{self.intervals['tpr'].method}."
            )
        if self.prevalence is not None:
            sentences.append(
                f"Predictive values and accuracy at a prevalence of {self.prevalence:g}."
            )
        return (*sentences, *self.warnings)

    def to_dict(self) -> dict[str, Any]:
        """The result as data for JSON with stable keys; an infinite threshold is text."""
        return Plain.to_dict(self) | {"threshold": plain_key(self.threshold)}


def _share(part: float, rest: float) -> float | None:
    return part / (part + rest) if part + rest else None
