"""A measure within groups, between groups, and their difference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of
from rocsolid.binary.estimate import Options, few_units
from rocsolid.binary.inference import auto_name
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, OneClassError, UnsoundError
from rocsolid.inputs import BinaryRows, check_lengths, scores
from rocsolid.inputs.groups import codes
from rocsolid.inputs.measure_parameters import MeasureParameter
from rocsolid.intervals.calibrated.auto import auto
from rocsolid.intervals.calibrated.auto import within as cut_to
from rocsolid.intervals.calibrated.standard_error import tail
from rocsolid.intervals.guarantees.checks import FIXED_SCORER
from rocsolid.intervals.guarantees.clustered import counted
from rocsolid.intervals.guarantees.mean_of_groups import SIZES, mean_of_groups
from rocsolid.measures.binary_measure import BinaryMeasure, ScoredRows
from rocsolid.measures.partition import Partition, ScoredGroups, whole_groups
from rocsolid.parameters import Counts
from rocsolid.remarks.columns import GroupsExplain, GroupsOfOneClass
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.rows import FEW, FewRows, UndeclaredDesign
from rocsolid.remarks.values import NoCertificateForWeights
from rocsolid.results import Interval
from rocsolid.results.estimate import Estimate, extended
from rocsolid.results.interval import ROWS
from rocsolid.results.within_estimate import PairsEstimate, WithinEstimate
from rocsolid.summaries.group_pairs import PairValue
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.strata import NO_VARIANCE

SOURCE = (
    "influence of each row on a ratio of sums over pairs (DeLong et al. 1988), with limits as "
    "those of auto"
)
OF_ROWS = ("rows independent, their groups and labels drawn with them", "some tens of rows")
OF_UNITS = (
    "groups or clusters are independent; rows of a group or cluster may depend on each other "
    "in any way",
    "some tens of them",
)


@dataclass(frozen=True, slots=True)
class Within:
    """A measure over rows of the same group; ``column`` is the name of the groups.

    A mean over ``pairs`` requires a measure that is a mean over pairs, such as the AUC. By ``rows``
    it is the GAUC or wuAUC of recommender systems, and by ``groups`` uAUC.
    """

    measure: BinaryMeasure
    column: str = "group"
    counts: Counts = "pairs"

    @property
    def name(self) -> str:
        return f"{self.measure.name} within {self.column}"

    @property
    def words(self) -> str:
        return f"the mean over {self.counts} within {self.column} of {self.measure.words}"

    @property
    def range(self) -> tuple[float, float]:
        return self.measure.range

    @property
    def parameters(self) -> tuple[MeasureParameter, ...]:
        return self.measure.parameters

    def estimate(self, sample: ScoredGroups, options: Options) -> PairsEstimate:
        whole = self.measure.estimate(ScoredRows(sample.rows), options)
        return self._within(sample, options, whole)

    def decomposed(self, sample: ScoredGroups, options: Options) -> WithinEstimate:
        """The value over all rows, and the values within and between groups."""
        whole = self.measure.estimate(ScoredRows(sample.rows), options)
        partition = sample.by(self.measure, self.counts)
        within = self._within(sample, options, whole)
        between = difference = None
        if partition.between is not None:
            between = self._between(partition.between, options, whole)
            difference = self._difference(partition, options, whole)
        explained = self.explains(sample, whole)
        return extended(
            WithinEstimate, whole, within=within, between=between, difference=difference,
            groups=len(partition.share), warnings=(*whole.warnings, *explained),
            settings={**whole.settings, "within": self.column, "counts": self.counts},
        )  # fmt: skip

    def clusters(self, sample: ScoredGroups) -> tuple[int | None, float]:
        return counted(_sizes(sample.by(self.measure, self.counts).inner.rows))

    def spread(self, samples: Sequence[ScoredGroups]) -> Spread:
        inner = [sample.by(self.measure, self.counts).inner for sample in samples]
        influences = [values.influence for values in inner]
        return Spread.of(inner[0].rows, influences, centred=inner[0].centred)

    def explains(self, sample: ScoredGroups, whole: Estimate) -> tuple[Remark, ...]:
        """A remark if an AUC mostly reflects the groups of rows.

        The condition is that its interval is above chance, and that even the upper limit within
        groups is less than half as far above chance as the AUC.
        """
        if not self.measure.pairwise or not whole.interval.low > 0.5:
            return ()
        inner = sample.by(self.measure, "pairs").inner
        high = float(auto(inner.moments(0.0, 1.0), 0.95, "two-sided")[1])
        if not high < 0.5 + 0.5 * (whole.value - 0.5):
            return ()
        share = inner.of_all or 0.0
        return (GroupsExplain(self.column, inner.value, high, whole.value, share),)

    def _within(self, sample: ScoredGroups, options: Options, whole: Estimate) -> PairsEstimate:
        partition = sample.by(self.measure, self.counts)
        certified, why = self._certified(sample, partition, options)
        gone = partition.one_class
        of_one_class = (GroupsOfOneClass(gone, self.column),) if gone else ()
        if not self.measure.pairwise:
            meaning = f"Within a {self.column} the value is {{value}}, averaged over {self.counts}."
        elif self.counts == "pairs":
            meaning = (
                f"A positive is ranked above a negative of the same {self.column} in {{percent}} "
                "of the pairs{ties}."
            )
        else:
            meaning = (
                f"A positive is ranked above {{percent}} of the negatives of the same "
                f"{self.column}, averaged over {self.counts}{{ties}}."
            )
        chance = self._chance(sample) if not self.measure.pairwise else whole.chance
        own = replace(partition.inner, known=(*of_one_class, *why))
        return self._estimate(own, certified, options, replace(
            whole, certified=None, measure=self.name, meaning=meaning, chance=chance,
        ))  # fmt: skip

    def _between(self, own: PairValue, options: Options, whole: Estimate) -> PairsEstimate:
        meaning = (
            f"A positive is ranked above a negative of another {self.column} in {{percent}} of the "
            "pairs{ties}."
        )
        name = f"{self.measure.name} between {self.column}"
        named = replace(whole, certified=None, measure=name, meaning=meaning)
        return self._estimate(own, None, options, named)

    def _estimate(
        self, own: PairValue, certified: Interval | None, options: Options, whole: Estimate
    ) -> PairsEstimate:
        """A value with its interval; ``whole`` has the name and meaning."""
        bottom, top = self.range
        rows, reach, moments = own.rows, top - bottom, own.moments(bottom, top)
        low, high = auto(moments, options.level, options.alternative)
        interval = cut_to(
            Interval(
                bottom + reach * float(low), bottom + reach * float(high), options.level,
                str(auto_name(moments)), assumptions=OF_ROWS if rows.cluster is None else OF_UNITS,
                source=SOURCE, range=(bottom, top), reads=ROWS,
            ),
            certified, own.value,
        )  # fmt: skip
        variance = float(moments.variance)
        n_pos = int(np.count_nonzero(rows.positive))
        units = None if rows.cluster is None else int(rows.cluster.max()) + 1
        sizes = {"positive": n_pos, "negative": len(rows) - n_pos}
        few: list[Remark] = [
            FewRows(size, name, certified is not None) for name, size in sizes.items() if size < FEW
        ]
        few += few_units(_sizes(rows), certified is not None)
        return extended(
            PairsEstimate, whole, value=own.value, interval=interval, certified=certified,
            std_error=reach * math.sqrt(variance) if variance >= 0.0 else None,
            n_pos=n_pos, n_neg=len(rows) - n_pos, ties=own.tied, ratio=own.ratio,
            warnings=(*few, *own.known),
            settings={**whole.settings, "within": self.column, "counts": self.counts,
                      "clusters": units},
            pairs=own.pairs, share=own.of_all,
        )  # fmt: skip

    def _difference(self, partition: Partition, options: Options, whole: Estimate) -> Estimate:
        value, variance, df = partition.difference()
        limits, method = (-1.0, 1.0), "none"
        if variance > NO_VARIANCE:
            from scipy.special import stdtrit

            half = float(stdtrit(df, tail(options.level, options.alternative)))
            half *= math.sqrt(variance)
            limits, method = (max(value - half, -1.0), min(value + half, 1.0)), "delong-t"
        free = options.alternative
        return replace(
            whole, value=value, certified=None, ratio=None, warnings=(), chance=0.0,
            measure=f"{self.name} less between", ties=0,
            std_error=math.sqrt(variance) if variance >= 0.0 else None,
            meaning="Within less between is {value}.",
            interval=Interval(
                -1.0 if free == "less" else limits[0], 1.0 if free == "greater" else limits[1],
                options.level, method,
                assumptions=OF_ROWS if self.counts == "pairs" and partition.rows.cluster is None
                else OF_UNITS,
                source=SOURCE, range=(-1.0, 1.0), reads=ROWS,
            ),
        )  # fmt: skip

    def _certified(
        self, sample: ScoredGroups, partition: Partition, options: Options
    ) -> tuple[Interval | None, tuple[Remark, ...]]:
        """A certified interval for independent rows, or for independent whole groups.

        For rows with weights or clusters of an undeclared design, sizes may depend on scores.
        Equally weighted groups need no declaration.
        """
        rows, own = sample.rows, partition.inner
        plain = rows.weight is None and not rows.evened
        (bottom, top), by_rows = self.range, self.counts == "pairs" and rows.cluster is None
        if by_rows and not plain:
            return None, (NoCertificateForWeights(),)
        if not by_rows:
            cluster = partition.rows.cluster
            if cluster is not None and not whole_groups(cluster, sample.code):
                return None, (NoCertificateForWeights(),)
            alike = self.counts == "groups" and len(partition.unit_shares) == len(partition.share)
            if not alike and options.design != "fixed":
                why = "sizes of groups or clusters that go with the scores", "the sizes were"
                return None, (UndeclaredDesign(*why),)
        shares = partition.share if by_rows else partition.unit_shares
        blocks = partition.block if by_rows else np.ones(len(shares))
        value = min(max((own.value - bottom) / (top - bottom), 0.0), 1.0)
        interval = mean_of_groups(value, shares, blocks, 1.0 - options.level, options.alternative)
        assumed = interval.assumptions if by_rows else (*OF_UNITS[:1], FIXED_SCORER, SIZES)
        reach = top - bottom
        return replace(
            interval, low=bottom + reach * interval.low, high=bottom + reach * interval.high,
            range=(bottom, top), assumptions=assumed,
        ), ()  # fmt: skip

    def _chance(self, sample: ScoredGroups) -> float:
        level = replace(sample.rows, score=np.zeros(len(sample.rows)))
        return Partition.of(self.measure, level, sample.code, self.counts).within.value


def within(measure: BinaryMeasure, column: str = "group", counts: Counts = "pairs") -> Within:
    """The measure over rows of the same group.

    >>> from rocsolid.measures.whole_area import WholeArea
    >>> within(WholeArea(), "task").name
    'auc within task'
    """
    one_of(counts, get_args(Counts), "counts")
    if counts == "pairs" and not measure.pairwise:
        raise UnsoundError(
            "this measure is not a mean over pairs, so groups cannot count by their pairs",
            where="counts",
            value=measure.name,
            fix='use counts="rows" or counts="groups"',
        )
    return Within(measure, column, counts)


def explained(
    measure: BinaryMeasure,
    rows: BinaryRows,
    whole: Estimate,
    columns: Mapping[str, NDArray[np.int64]],
) -> tuple[Remark, ...]:
    """The remarks of `Within.explains` for columns by name, with the group code of each row."""
    remarks: list[Remark] = []
    for column, code in columns.items():
        with suppress(OneClassError):  # no pair lies within a group, so nothing is known there
            remarks += Within(measure, column).explains(ScoredGroups(rows, code), whole)
    return tuple(remarks)


def within_arrays(
    measure: BinaryMeasure, rows: BinaryRows, groups: Any, counts: Counts, options: Options,
    y_score: Any,
) -> WithinEstimate:  # fmt: skip
    """The values of arrays within and between ``groups``."""
    chosen = within(measure, counts=counts)
    if groups is None or options.interval != "auto":
        raise InputError(
            "counts is about groups"
            if groups is None
            else "values within groups have one interval",
            where="counts" if groups is None else "interval",
            value=counts if groups is None else options.interval,
            fix="give within=" if groups is None else 'use interval="auto"',
        )
    code, _ = codes(groups, "within")
    check_lengths({"y_true": len(rows) + rows.omitted, "within": len(code)})
    if rows.omitted:
        code = codes(code[~np.isnan(scores(y_score, nan="allow"))])[0]
    return chosen.decomposed(ScoredGroups(rows, code), options)


def _sizes(rows: BinaryRows) -> NDArray[np.float64] | None:
    return None if rows.cluster is None else np.bincount(rows.cluster).astype(np.float64)
