"""A measure over the folds of a cross-validation: mean, pooled value and variance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field, replace
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of
from rocsolid.binary.estimate import Options, few_units
from rocsolid.binary.inference import units_of
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import score_counts
from rocsolid.errors import UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.binary import unclustered
from rocsolid.inputs.folds import WHOLE, Folds, SplitClusters, check_folds, split_clusters
from rocsolid.inputs.measure_parameters import MeasureParameter
from rocsolid.intervals.calibrated.auto import auto
from rocsolid.intervals.guarantees.clustered import counted
from rocsolid.intervals.guarantees.mean_of_folds import mean_of_folds
from rocsolid.measures.binary_measure import BinaryMeasure, ScoredRows
from rocsolid.parameters import Order
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.values import FewInFolds, SplitByFolds, UnevenFolds
from rocsolid.results import Interval
from rocsolid.results.concordance_estimate import Fold, FoldedEstimate
from rocsolid.results.estimate import extended
from rocsolid.results.interval import FOLDS, ROWS, Reads
from rocsolid.summaries.moments import Moments, Units
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.spread import Spread

_FLOATS = NDArray[np.float64]

SHARED, MOST, FEW = 1.12, 1.38, 7.8
"""The factor by which shared training rows increase the variance of a mean over models: the
smallest, the largest, and the rate of growth with the rows of the smaller class."""

NOISE, SIGNAL = 2.0, 3.6
"""The factor at chance, and the scale in standard errors on which it falls away from chance."""

LEARNER = 1.5
"""The factor of the variance about the learner over that about its own models."""

APART = 1.15
"""The same factor for the difference of two learners on the same folds."""

FADE = 4.0
"""Multiplier of misplaced rows in the choice of the hull in ``auto``: folds need less of it."""

FEWEST = 20  # rows of the smaller class in the simulations

SOURCE = (
    "influence curves within folds (LeDell, Petersen and van der Laan, Electronic Journal of "
    "Statistics 9 (2015), 1583-1607), with the spread between folds, Welch's degrees of freedom "
    "and limits as those of auto; variance factors by simulation"
)
MODELS = (
    "rows independent, or clusters where they are given",
    "no model has seen, and nothing chose it by, the rows that it scores",
)
STABLE = (
    *MODELS,
    "models that change little with a small change of the rows; for models that select features, "
    "95 % intervals covered about .92, and the learner's kept their level",
)
SEEN = (
    "clusters independent",
    "conditional on the trained models, which may have seen other rows of the clusters they score",
)
FRESH = (*MODELS, "folds of about equal size, and models that hang together as simulated ones do")


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """One score over its folds: the value of each, and its variance.

    ``rows`` are all rows, weighted so that each fold counts alike; ``influence`` is how each moves
    the mean, with the value of its fold as its mean in either class. Where no formula gives that,
    there are the standard ``errors`` of the folds in its place. ``range`` has the lowest and the
    highest mean. ``doubled`` is what `moments` would count twice. ``split`` are the clusters that
    folds do not keep whole: their influences add up over folds all the same.
    """

    measure: BinaryMeasure
    rows: BinaryRows
    folds: Folds
    values: _FLOATS
    influence: _FLOATS | None
    errors: _FLOATS
    range: tuple[float, float]
    doubled: float = 0.0
    split: SplitClusters | None = None

    @classmethod
    def of(cls, measure: BinaryMeasure, rows: BinaryRows, folds: Folds, options: Options) -> Folded:
        """Compute each fold's value and influences."""
        check_folds(rows, folds)
        split = split_clusters(rows.cluster, folds)
        values, errors = np.empty(len(folds)), np.full(len(folds), np.nan)
        weight = np.ones(len(rows)) if rows.weight is None else rows.weight.astype(np.float64)
        influence, smooth = np.empty(len(rows)), True
        squares, pairs = np.empty((2, len(folds)))
        ranges = np.empty((len(folds), 2))
        for number in range(len(folds)):
            inside = np.flatnonzero(folds.code == number)
            held_out = rows.subset(inside)
            own, ranges[number] = measure.influence(held_out), measure.range_in(held_out)
            if own is None:
                smooth, estimate = False, measure.estimate(ScoredRows(held_out), options)
                values[number], errors[number] = estimate.value, estimate.std_error or np.nan
            for of_class in (held_out.positive, ~held_out.positive):
                share = weight[inside[of_class]] / weight[inside[of_class]].sum()
                weight[inside[of_class]] = share
                if own is not None:
                    influence[inside[of_class]] = own[of_class] - dot(share, own[of_class])
            if own is not None:
                values[number] = value_of(measure, held_out, own)
                influence[inside] += values[number]
            if measure.pairwise:
                counts = ScoreCounts.from_arrays(held_out.positive, held_out.score, weight[inside])
                squares[number] = values[number] - dot(counts.pos, counts.neg) / 4.0
                shares = weight[inside] ** 2
                pairs[number] = shares[held_out.positive].sum() * shares[~held_out.positive].sum()
        doubled = 0.0
        if measure.pairwise:
            of_a_pair = squares.mean() - values.mean() ** 2
            doubled = float(of_a_pair * pairs.sum()) / len(folds) ** 2
        rows = replace(rows, weight=weight)
        bottom, top = map(float, ranges.mean(axis=0))
        return cls(
            measure, rows, folds, values, influence if smooth else None, errors, (bottom, top),
            doubled, split,
        )  # fmt: skip

    @property
    def value(self) -> float:
        return float(self.values.mean())

    @property
    def smooth(self) -> _FLOATS:
        """The influences; an error if no formula gives them."""
        if self.influence is None:
            raise UnsoundError(
                f"no formula gives the influence of a row on {self.measure.name}",
                where="measure",
                value=self.measure.name,
                fix="use the AUC, a partial AUC or a weighted area, with one score and no repeats",
            )
        return self.influence

    def moments(self) -> Moments:
        """The mean and its variance by class, on the scale from 0 to 1.

        In a fold with m positives and n negatives, the placements of a class vary by their own
        spread and by that of the other class. So the sum of the two variances over K folds is too
        large by ζ/(K·m·n), with ζ the variance over pairs of a positive and a negative: an eighth
        of the sum for six positives a fold. For means over pairs this part is subtracted. The
        additional part from clusters and repeats is not.
        """
        if self.influence is not None or self.folds.repeats > 1:
            moments = moments_of(self.range, self.rows, self.smooth, self.value)
            variance = float(moments.variance)
            left = max(1.0 - self.doubled / variance, 0.5) if variance > 0.0 else 1.0
            return replace(moments, var_pos=left * moments.var_pos, var_neg=left * moments.var_neg)
        if self.split is not None:
            raise UnsoundError(
                f"{self.split.example}, and no formula says how rows of a cluster move "
                f"{self.measure.name} together",
                where="cluster",
                fix=f"{WHOLE}, or use the AUC or another measure with a variance formula",
            )
        # from the errors of the folds, as if the smaller class had all of them
        bottom, top = self.range
        variance = float(np.mean(self.errors**2)) / len(self.errors) / (top - bottom) ** 2
        n_pos = int(np.count_nonzero(self.rows.positive))
        n_neg = len(self.rows) - n_pos
        of_class = (variance, 0.0) if n_pos <= n_neg else (0.0, variance)
        return Moments((self.value - bottom) / (top - bottom), *of_class, n_pos, n_neg)

    def doubts(self) -> tuple[Remark, ...]:
        """The note on clusters that folds do not keep whole."""
        split = self.split
        return () if split is None else (SplitByFolds(split.example, split.count, split.clusters),)

    def factor(self, chance: float) -> float:
        """See `signal_factor`."""
        bottom, top = self.range
        return signal_factor(self.moments(), (chance - bottom) / (top - bottom))

    def estimate(self, original: BinaryRows, options: Options, order: Order) -> FoldedEstimate:
        """The mean with its intervals, and the pooled value of the ``original`` rows."""
        measure, moments = self.measure, self.moments()
        bottom, top = measure.range_in(original)
        whole = measure.estimate(ScoredRows(unclustered(original)), options)
        factor = self.factor(whole.chance)
        influence = measure.influence(original)
        if influence is None:
            pooled = replace(moments, auc=(whole.value - bottom) / (top - bottom))
        else:
            pooled = moments_of((bottom, top), original, influence, whole.value)
        plain = original.weight is None and original.cluster is None and measure.pairwise
        declared = not original.evened or options.design == "fixed"
        settings = {
            **whole.settings,
            "folds": len(self.folds),
            "repeats": self.folds.repeats,
            "order": order,
            "clusters": None if original.cluster is None else int(original.cluster.max()) + 1,
        }

        def of_mean(times: float, method: str, assumed: tuple[str, ...]) -> Interval:
            reads = FOLDS if plain else ROWS
            return limits(self.range, moments, times, options, method, assumed, reads)

        n_pos = np.bincount(self.folds.code[original.positive], minlength=len(self.folds))
        n_neg = np.bincount(self.folds.code) - n_pos
        certified = mean_of_folds(
            self.value, len(self.folds), int(min(n_pos.min(), n_neg.min())), 1.0 - options.level,
            options.alternative, progressive=order == "progressive",
        ) if plain and declared else None  # fmt: skip
        return extended(
            FoldedEstimate,
            whole,
            value=self.value,
            interval=of_mean(factor, "folds", STABLE if self.split is None else SEEN),
            certified=certified,
            std_error=math.sqrt(factor * float(moments.variance)) * (self.range[1] - self.range[0]),
            measure=measure.name,
            ratio=None,
            warnings=(
                *self.doubts(),
                *few_units(units_of(self.rows), certified=False),
                *_warnings(moments, n_pos + n_neg),
            ),
            settings=settings,
            learner=of_mean(factor * LEARNER, "folds (learner)", FRESH)
            if self.split is None
            else None,
            pooled=replace(
                whole,
                interval=limits(
                    (bottom, top),
                    pooled,
                    factor,
                    options,
                    "folds (pooled)",
                    MODELS if self.split is None else SEEN,
                    ROWS,
                ),
                certified=None,
                std_error=math.sqrt(factor * float(pooled.variance)) * (top - bottom),
                warnings=(),
                settings=settings,
            ),
            folds=tuple(
                Fold(name, float(value), int(pos), int(neg))
                for name, value, pos, neg in zip(
                    self.folds.names, self.values, n_pos, n_neg, strict=True
                )
            ),
        )


@dataclass(frozen=True, slots=True, eq=False)
class ScoredFolds:
    """One score of held-out rows in folds; each measure is computed once."""

    rows: BinaryRows
    folds: Folds
    _by: dict[BinaryMeasure, Folded] = field(default_factory=dict, init=False, repr=False)
    _chance: dict[BinaryMeasure, float] = field(default_factory=dict, init=False, repr=False)

    def by(self, measure: BinaryMeasure, options: Options | None = None) -> Folded:
        if measure not in self._by:
            self._by[measure] = Folded.of(measure, self.rows, self.folds, options or Options())
        return self._by[measure]

    def estimate(self, measure: BinaryMeasure, options: Options, order: Order) -> FoldedEstimate:
        estimate = self.by(measure, options).estimate(self.rows, options, order)
        self._chance[measure] = estimate.chance
        return estimate

    def factor(self, measure: BinaryMeasure) -> float:
        """A learner's variance divided by the variance of its models; see `signal_factor`."""
        if measure not in self._chance:
            whole = measure.estimate(ScoredRows(unclustered(self.rows)), Options())
            self._chance[measure] = whole.chance
        return self.by(measure).factor(self._chance[measure])


@dataclass(frozen=True, slots=True)
class FoldMean:
    """The mean over folds of a measure for one learner.

    Effects common to folds or rows cancel in a difference of two.
    """

    measure: BinaryMeasure
    order: Order = "any"

    @property
    def name(self) -> str:
        return self.measure.name

    @property
    def words(self) -> str:
        return f"the mean over folds of {self.measure.words}"

    @property
    def range(self) -> tuple[float, float]:
        return self.measure.range

    @property
    def parameters(self) -> tuple[MeasureParameter, ...]:
        return self.measure.parameters

    def estimate(self, sample: ScoredFolds, options: Options) -> FoldedEstimate:
        return sample.estimate(self.measure, options, self.order)

    def clusters(self, sample: ScoredFolds) -> tuple[int | None, float]:
        return counted(units_of(sample.rows))

    def spread(self, samples: Sequence[ScoredFolds]) -> Spread:
        """The influences of learners, scaled by the largest factor of all."""
        of_folds = [sample.by(self.measure) for sample in samples]
        longer = math.sqrt(APART * max(sample.factor(self.measure) for sample in samples))
        return Spread.of(of_folds[0].rows, [longer * learner.smooth for learner in of_folds])


def folded(measure: BinaryMeasure, order: Order = "any") -> FoldMean:
    """The measure over the folds of a cross-validation.

    >>> from rocsolid.measures.whole_area import WholeArea
    >>> folded(WholeArea()).words.split(" that ")[0]
    'the mean over folds of the probability'
    """
    return FoldMean(measure, order)


def value_of(measure: BinaryMeasure, rows: BinaryRows, own: _FLOATS | None = None) -> float:
    """The value without intervals; a mean over pairs is the mean of the influences ``own``."""
    of = measure.of_table(rows)
    if of is not None:
        return of(score_counts(rows))
    own = measure.influence(rows) if own is None else own
    if own is None:
        return measure.estimate(ScoredRows(rows), Options()).value
    weight = None if rows.weight is None else rows.weight[rows.positive]
    return float(np.average(own[rows.positive], weights=weight))


def moments_of(
    within: tuple[float, float], rows: BinaryRows, influence: _FLOATS, value: float
) -> Moments:
    """A value with the variance of its influences, on the scale from 0 to 1."""
    bottom, top = within
    spread = Spread.of(rows, [influence])
    own = spread.own(0)
    variance = [float(of_class[0, 0]) / (top - bottom) ** 2 for of_class in own.covariances]
    share = (value - bottom) / (top - bottom)
    size = [1.0 + known for known in own.known]
    misplaced = FADE * min(size) * min(share, 1.0 - share)
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    unit = np.arange(len(rows)) if rows.cluster is None else rows.cluster
    pos, neg = (np.bincount(unit, weight * of) for of in (rows.positive, ~rows.positive))
    units = Units.of_shares(pos / pos.sum(), neg / neg.sum(), misplaced)
    return Moments(share, *variance, *size, units=units)


def signal_factor(moments: Moments, chance: float) -> float:
    """The factor of the variance over that estimated from rows: s + (2 − s)·exp(−(z/3.6)⁴).

    For models without signal the errors of two folds agree, because each model has learned the
    noise in the other's rows: at chance the variance is twice as large for any number of rows. z is
    the distance of the mean from chance in standard errors; from five on, a fortieth of the excess
    remains. s = 1.38 − 7.8/m, at least 1.12, with m rows in the smaller class. The form was chosen
    by simulation (`benchmarks/folds_study.py`).

    >>> [round(signal_factor(Moments(a, 0.002, 0.0005, 30, 70), 0.5), 3) for a in (0.5, 0.6, 0.7)]
    [2.0, 1.92, 1.312]
    >>> round(signal_factor(Moments(0.9, 0.0002, 0.00005, 300, 700), 0.5), 3)
    1.354
    """
    variance = float(moments.variance)
    if not variance > 0.0:
        return 1.0
    away = (float(moments.auc) - chance) ** 2 / variance
    few = min(float(moments.n_pos), float(moments.n_neg))
    signal = max(SHARED, MOST - FEW / few)
    return signal + (NOISE - signal) * math.exp(-((away / SIGNAL**2) ** 2))


def limits(
    within: tuple[float, float], moments: Moments, factor: float, options: Options, method: str,
    assumptions: tuple[str, ...], reads: Reads,
) -> Interval:  # fmt: skip
    """The limits of ``auto`` with ``factor`` times the variance."""
    bottom, top = within
    grown = replace(moments, var_pos=factor * moments.var_pos, var_neg=factor * moments.var_neg)
    low, high = auto(grown, options.level, options.alternative)
    reach = top - bottom
    return Interval(
        bottom + reach * float(low), bottom + reach * float(high), options.level, method,
        assumptions=assumptions, source=SOURCE, range=(bottom, top), reads=reads,
    )  # fmt: skip


def _warnings(moments: Moments, sizes: NDArray[np.int64]) -> tuple[Remark, ...]:
    warnings: list[Remark] = []
    few = min(float(moments.n_pos), float(moments.n_neg))
    if few < FEWEST:
        warnings.append(FewInFolds(few, FEWEST))
    if sizes.max() > 2 * sizes.min():
        warnings.append(UnevenFolds(int(sizes.min()), int(sizes.max())))
    return tuple(warnings)


def check_order(order: Order, folds: Folds) -> None:
    """Reject an unknown order, and repeats, whose models cannot all precede the rows."""
    one_of(order, get_args(Order), "order")
    if order == "progressive" and folds.repeats > 1:
        raise UnsoundError(
            "a row that is scored again is not new to the models of the second repeat",
            where="order",
            value=order,
            fix="give one progressive run, without repeat",
        )
