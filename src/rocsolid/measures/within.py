"""A measure among rows of the same group, and what pairs of different groups add to it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of
from rocsolid.binary.estimate import Options
from rocsolid.binary.inference import auto_name
from rocsolid.engines.in_memory import CHECKED
from rocsolid.errors import InputError, OneClassError, UnsoundError
from rocsolid.inputs import BinaryRows, check_lengths, scores
from rocsolid.inputs.groups import codes
from rocsolid.inputs.measure_parameters import MeasureParameter
from rocsolid.intervals.calibrated.auto import auto
from rocsolid.intervals.calibrated.auto import within as cut_to
from rocsolid.intervals.calibrated.standard_error import tail
from rocsolid.intervals.guarantees.checks import FIXED_SCORER
from rocsolid.intervals.guarantees.mean_of_groups import SIZES, mean_of_groups
from rocsolid.measures.binary_measure import BinaryMeasure, ScoredRows
from rocsolid.measures.folded import value_of
from rocsolid.parameters import Counts
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.rows import (
    FEW,
    FewClusters,
    FewRows,
    GroupsExplain,
    GroupsOfOneClass,
    UndeclaredDesign,
)
from rocsolid.remarks.values import NoCertificateForWeights
from rocsolid.results import Interval
from rocsolid.results.estimate import Estimate, extended
from rocsolid.results.interval import ROWS
from rocsolid.results.json_schema import Count, ZeroToOne
from rocsolid.results.plain import one_line
from rocsolid.summaries.groups import Groups
from rocsolid.summaries.moments import Moments, Units, as_rare, carriers
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import distinct_scores
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.strata import NO_VARIANCE, ROUNDING

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.int64]
SOURCE = (
    "influence of each row on a ratio of sums over pairs (DeLong et al. 1988), with limits as "
    "those of auto"
)
OF_ROWS = ("rows independent, their groups and labels drawn with them", "some tens of rows")
OF_UNITS = (
    "groups or clusters independent; rows within one depend in any way",
    "some tens of them",
)


@dataclass(frozen=True, slots=True)
class PairsEstimate(Estimate):
    """A value over some of the pairs of a positive and a negative: ``share`` of all."""

    pairs: Annotated[
        float | None,
        "Pairs; of weighted rows the sum of their weights, the heaviest row of a class having 1; "
        "null where no pairs are counted.",
    ] = None
    share: Annotated[
        ZeroToOne | None, "Their share of all pairs; null where no pairs are counted."
    ] = None
    _json = f"{Estimate._json} pairs share"
    _columns = "share"
    _narrow = ""

    __repr__ = one_line

    @property
    def tied(self) -> float:
        """The share of these pairs that have the same score."""
        return self.ties / self.pairs if self.pairs and not self.settings["weighted"] else math.nan


@dataclass(frozen=True, slots=True)
class WithinEstimate(Estimate):
    """A value over all rows, and over pairs within and between groups.

    ``within`` counts groups as requested. Where they count by their pairs, the value is
    ``within.share * within + between.share * between``, exactly. ``difference`` is within less
    between. ``between`` is ``None`` where no two groups make a pair, or the measure is not about
    pairs.
    """

    within: Annotated[
        PairsEstimate | None, "Among rows of the same group; null where there are none."
    ] = None
    between: Annotated[
        PairsEstimate | None, "Among rows of different groups; null where there are none."
    ] = None
    difference: Annotated[
        Estimate | None, "Within less between; null where one of them is missing."
    ] = None
    groups: Annotated[Count, "Groups with rows of both classes."] = 0
    _json = f"{Estimate._json} within between difference groups"

    __repr__ = one_line

    def __str__(self) -> str:
        lines = [Estimate.__str__(self)]
        for name, value in (("within", self.within), ("between", self.between)):
            if value is not None:
                share = "" if value.share is None else f", {value.share:.1%} of the pairs"
                sure = "" if value.certified is None else f", certified {value.certified}"
                lines.append(f"{name} {value._number(value.value)}, {value.interval}{sure}{share}")
        if self.difference is not None:
            lines.append(
                f"within − between {self.difference.value:+.4f}, {self.difference.interval}"
            )
        return "\n".join(lines)

    @property
    def parts(self) -> tuple[Estimate, ...]:
        """The value over all rows and those of some of the pairs, each with a name of its own."""
        parts = [part.pairs or 0 for part in (self.within, self.between) if part is not None]
        pairs = sum(parts) or None
        whole = extended(PairsEstimate, self, pairs=pairs, share=None if pairs is None else 1.0)
        return (whole, *(part for part in (self.within, self.between) if part is not None))

    def sentences(self) -> tuple[str, ...]:
        own = Estimate.sentences(self)
        return (
            *own[: len(own) - len(self.warnings)],
            *(text for part in self.parts[1:] for text in part.sentences()),
            *(() if self.difference is None else self.difference.sentences()),
            *self.warnings,
        )


@dataclass(frozen=True, slots=True, eq=False)
class GroupPairs:
    """For each row the pairs that it makes with the other class of its group.

    ``others`` is the weight of those rows, and ``doubled`` twice the weight of those among them
    that the row is on the right side of, a tie counting half. Whole numbers where rows count alike.
    """

    others: NDArray[Any]
    doubled: NDArray[Any]
    tied: int

    @classmethod
    def of(cls, rows: BinaryRows, rank: NDArray[np.intp], code: _INT) -> GroupPairs:
        """One sort by group and ``rank``, the number of a row's score among the distinct ones.

        >>> y, s = np.array([True, False, True, False]), np.array([2, 1, 0, 0])
        >>> pairs = GroupPairs.of(BinaryRows(y, s), s, np.array([0, 0, 0, 1]))
        >>> pairs.others, pairs.doubled
        (array([1, 2, 1, 0]), array([2, 2, 0, 0]))
        """
        order = np.argsort(code * (int(rank.max()) + 1) + rank)
        group, positive = code[order], rows.positive[order]
        weight = np.ones(len(order), np.int64) if rows.weight is None else rows.weight[order]
        new_group = np.ones(len(order), dtype=bool)
        np.not_equal(group[1:], group[:-1], out=new_group[1:])
        new_run = new_group.copy()
        new_run[1:] |= rank[order][1:] != rank[order][:-1]
        run, start, stop = _blocks(new_run)
        block, first, last = _blocks(new_group)
        doubled, others = {}, {}
        for of_class in (True, False):
            own = np.where(positive == of_class, weight, 0)
            through = np.cumsum(own)
            before = through - own
            base, end = before[first][block], through[last][block]
            doubled[of_class] = before[start][run] + through[stop][run] - 2 * base
            others[of_class] = end - base
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        return cls(
            np.where(positive, others[False], others[True])[back],
            np.where(positive, doubled[False], 2 * others[True] - doubled[True])[back],
            int((np.bincount(run, positive) * np.bincount(run, ~positive)).sum()),
        )

    def weight(self, rows: BinaryRows) -> float:
        """Of all pairs together."""
        positive = rows.positive
        own = self.others[positive]
        return float(own.sum() if rows.weight is None else dot(rows.weight[positive], own))

    def __sub__(self, other: GroupPairs) -> GroupPairs:
        return GroupPairs(
            self.others - other.others, self.doubled - other.doubled, self.tied - other.tied
        )


def _blocks(new: NDArray[np.bool_]) -> tuple[_INT, _INT, _INT]:
    """The block of each row, and the first and the last row of each block."""
    first = np.flatnonzero(new)
    return np.cumsum(new) - 1, first, np.append(first[1:], len(new)) - 1


@dataclass(frozen=True, slots=True, eq=False)
class PairValue:
    """A value over pairs, and how each row moves it.

    ``slope`` is the derivative of the value in the weight of each row, ``share`` the share that a
    row has of the weight of its class in the value, and ``placed`` its own value. Rows with a
    cluster move together; unless they are ``centred``, the sizes of groups are random too.
    """

    rows: BinaryRows
    value: float
    slope: _FLOATS
    share: _FLOATS
    placed: _FLOATS
    pairs: float | None = None
    of_all: float | None = None
    tied: int = 0
    ratio: tuple[int, int] | None = None
    centred: bool = True
    known: tuple[Remark, ...] = ()

    @property
    def influence(self) -> _FLOATS:
        """As `Spread.of` has it: the slope times the weight of the row's class."""
        return self.slope * _class_weight(self.rows)

    def subset(self, kept: NDArray[np.bool_]) -> PairValue:
        """About some of the rows, which have all of the slopes."""
        return replace(
            self, rows=self.rows.subset(kept), slope=self.slope[kept], share=self.share[kept],
            placed=self.placed[kept],
        )  # fmt: skip

    def moments(self, bottom: float, top: float) -> Moments:
        """The value and its variance by class, on the scale from 0 to 1."""
        rows, reach = self.rows, top - bottom
        spread = Spread.of(rows, [self.influence], centred=self.centred)
        variance = [float(part[0, 0]) / reach**2 for part in spread.own(0).covariances]
        value, placed = (self.value - bottom) / reach, (self.placed - bottom) / reach
        unit = np.arange(len(rows)) if rows.cluster is None else rows.cluster
        shares, sizes, rare = [], [], []
        for of_class in (rows.positive, ~rows.positive):
            share = np.where(of_class, self.share, 0.0)
            by_unit = np.bincount(unit, share).astype(np.float64)
            shares.append(by_unit)
            sizes.append(1.0 / dot(by_unit, by_unit))
            lost, kept = (np.bincount(unit, share * side) for side in (1.0 - placed, placed))
            carrying = carriers(lost.astype(np.float64), kept.astype(np.float64))
            rare.append(as_rare(carrying, float(np.count_nonzero(by_unit))))
        misplaced = None
        if rows.cluster is not None:
            alone = min(float(1.0 / np.sum(self.share[of] ** 2))
                        for of in (rows.positive, ~rows.positive))  # fmt: skip
            misplaced = min(*rare, alone * min(value, 1.0 - value))
        units = Units.of_shares(shares[0], shares[1], misplaced)
        return Moments(value, *variance, *sizes, units=units)


def _class_weight(rows: BinaryRows) -> _FLOATS:
    """For each row the weight of its class."""
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    sums = (float(weight[own].sum()) for own in (rows.positive, ~rows.positive))
    return np.where(rows.positive, *sums)


def _scaled(rows: BinaryRows) -> BinaryRows:
    """The same with a heaviest row of 1 in either class, so that no product of weights overflows.

    No mean over pairs depends on the unit of the weights of a class.
    """
    if rows.weight is None:
        return rows
    weight = rows.weight.astype(np.float64)
    for of_class in (rows.positive, ~rows.positive):
        weight[of_class] /= weight[of_class].max(initial=0.0) or 1.0
    return replace(rows, weight=weight)


@dataclass(frozen=True, slots=True, eq=False)
class _Inside:
    """The pairs within groups, and those among them that lie in one cluster."""

    rank: NDArray[np.intp]
    pairs: GroupPairs
    clustered: GroupPairs | None
    every: float

    @classmethod
    def of(cls, rows: BinaryRows, code: _INT) -> _Inside:
        rank, clustered = distinct_scores(rows.score)[1], None
        pairs = GroupPairs.of(rows, rank, code)
        if rows.cluster is not None:
            both = codes(code * (int(rows.cluster.max()) + 1) + rows.cluster)[0]
            clustered = GroupPairs.of(rows, rank, both)
        weight = _class_weight(rows)
        every = float(weight[rows.positive][0] * weight[~rows.positive][0])
        return cls(rank, pairs, clustered, every)

    def value(self, rows: BinaryRows) -> PairValue:
        """The mean over them."""
        return _pair_value(rows, self.pairs, self.clustered, self.every)

    def rest(self, rows: BinaryRows) -> PairValue | None:
        """The mean over all other pairs, where there are any."""
        pairs = GroupPairs.of(rows, self.rank, np.zeros(len(rows), np.int64)) - self.pairs
        if not pairs.weight(rows) > ROUNDING * self.every:
            return None
        clustered = None
        if self.clustered is not None and rows.cluster is not None:
            clustered = GroupPairs.of(rows, self.rank, rows.cluster) - self.clustered
        return _pair_value(rows, pairs, clustered, self.every)


@dataclass(frozen=True, eq=False)
class Partition:
    """The pairs of one score, within groups and between them.

    *By pairs* the value is A = N/D, N = Σw_iw_jφ_ij and D = Σw_iw_j over the pairs of a positive i
    and a negative j of one group. Both are random, and the weight of row i moves A by

        (Σ_jw_jφ_ij − A·Σ_jw_j)/D    over the rows j of the other class of its group,

    whose weighted sum over either class is 0. The same holds between groups, with j from the other
    groups. A cluster moves A by all pairs that it takes part in, those inside it counted once: each
    of their rows has half of them. So a cluster that is a group moves it by (N_g − A·D_g)/D.

    *By rows, or groups alike*, A = Σc_gA_g/Σc_g is a mean over groups, which are the units: one
    moves it by c_g(A_g − A)/Σc_g. Rows of a group may then depend on each other in any way.

    ``within`` and ``between`` are about all rows, those without a pair included. Of each group with
    rows of both classes ``share`` is what it counts, and ``block`` its rows of the smaller class.
    """

    code: _INT
    within: PairValue
    inside: _Inside | None
    share: _FLOATS
    block: _INT
    one_class: int

    @classmethod
    def of(cls, measure: BinaryMeasure, rows: BinaryRows, code: _INT, counts: Counts) -> Partition:
        if counts != "pairs":
            unit = code if rows.cluster is None else rows.cluster
            if not whole_groups(unit, code):
                raise UnsoundError(
                    "a mean over groups needs groups that are independent, and a cluster has a "
                    "part of one",
                    where="cluster",
                    value=f'counts="{counts}"',
                    fix='use counts="pairs", or clusters that hold whole groups',
                )
            rows = replace(rows, cluster=unit)
        sizes, weights = _class_sizes(rows, code)
        both = np.all(weights > 0.0, axis=0)
        if not both.any():
            raise OneClassError(
                "no group has rows of both classes, so no pair lies within a group",
                where="within",
                value=f"{len(both):,} groups",
                fix="name larger groups",
            )
        scaled = _scaled(rows)
        share = both.astype(np.float64)
        if counts != "groups":
            counted = _class_sizes(scaled, code)[1]
            share *= counted[0] * counted[1] if counts == "pairs" else weights.sum(axis=0)
        share /= share.sum()
        inside = _Inside.of(scaled, code) if measure.pairwise else None
        pairs = None if inside is None else inside.value(scaled)
        if counts == "pairs" and pairs is not None:
            within = pairs
        else:
            values = _by_group(measure, rows, code, both, pairs)
            within = _mean_of_groups(rows, code, weights, share, values)
            if pairs is not None:
                within = replace(within, pairs=pairs.pairs, of_all=pairs.of_all, tied=pairs.tied)
        return cls(
            code, within, inside, share[both], sizes.min(axis=0)[both],
            int(np.count_nonzero(~both & (sizes.sum(axis=0) > 0))),
        )  # fmt: skip

    @property
    def rows(self) -> BinaryRows:
        """All rows, with the units as their clusters."""
        return self.within.rows

    @cached_property
    def between(self) -> PairValue | None:
        """The value between groups; ``None`` where there is no such pair."""
        return None if self.inside is None else self.inside.rest(_scaled(self.rows))

    @cached_property
    def inner(self) -> PairValue:
        """The value within, about the rows of groups with both classes alone."""
        return self.within.subset(self.within.share > 0.0)

    @property
    def unit_shares(self) -> _FLOATS:
        """What each unit counts within, where units hold whole groups."""
        cluster = self.inner.rows.cluster
        assert cluster is not None
        positive = self.inner.rows.positive
        return np.bincount(cluster[positive], self.inner.share[positive]).astype(np.float64)

    def difference(self) -> tuple[float, float, float]:
        """The value within less that between, its variance and its degrees of freedom."""
        assert self.between is not None
        influences = [one.influence for one in (self.within, self.between)]
        spread = Spread.of(self.rows, influences, centred=self.within.centred)
        difference = spread.apart([(0, 1)])
        value = self.within.value - self.between.value
        return value, float(difference.total[0, 0]), difference.df()


def whole_groups(unit: _INT, code: _INT) -> bool:
    """Whether every group lies in one unit.

    >>> whole_groups(np.array([0, 0, 1]), np.array([1, 1, 0]))
    True
    >>> whole_groups(np.arange(2), np.zeros(2, dtype=int))
    False
    """
    both = codes(code * (int(unit.max()) + 1) + unit)[1]
    return len(both) == len(np.unique(code))


def _pair_value(
    rows: BinaryRows, pairs: GroupPairs, same: GroupPairs | None, every: float
) -> PairValue:
    """Of some of ``every`` pair; those of the ``same`` cluster count half at either end."""
    positive, weight = rows.positive, rows.weight
    own = np.ones(len(rows), np.int64) if weight is None else weight
    doubled, total = (own * pairs.doubled)[positive].sum(), pairs.weight(rows)
    value = min(max(float(doubled / (2 * total)), 0.0), 1.0)  # against the rounding of weights
    others, won = pairs.others, 0.5 * pairs.doubled
    if same is not None:
        others, won = others - 0.5 * same.others, won - 0.25 * same.doubled
    return PairValue(
        rows, value, (won - value * others) / total,
        own * pairs.others / total,
        np.clip(0.5 * pairs.doubled / np.where(pairs.others > 0, pairs.others, 1), 0.0, 1.0),
        int(total) if weight is None else total,
        total / every,
        pairs.tied,
        (int(doubled), 2 * int(total)) if weight is None else None,
    )  # fmt: skip


def _class_sizes(rows: BinaryRows, code: _INT) -> tuple[_INT, _FLOATS]:
    """How many rows of each class a group has, and their weight: positives first."""
    classes, groups = (rows.positive, ~rows.positive), int(code.max()) + 1
    sizes = np.stack([np.bincount(code[own], minlength=groups) for own in classes])
    if rows.weight is None:
        return sizes, sizes.astype(np.float64)
    weights = [np.bincount(code[own], rows.weight[own], groups) for own in classes]
    return sizes, np.stack(weights).astype(np.float64)


def _by_group(
    measure: BinaryMeasure, rows: BinaryRows, code: _INT, both: NDArray[np.bool_],
    pairs: PairValue | None,
) -> _FLOATS:  # fmt: skip
    """The value of each group that has ``both`` classes: from its ``pairs``, or one by one."""
    if pairs is None:
        groups = Groups.of(code, len(both))
        return np.array([value_of(measure, rows.subset(groups.rows(group))) if has else 0.0
                         for group, has in enumerate(both.tolist())])  # fmt: skip
    positive = rows.positive
    share, placed = pairs.share[positive], pairs.placed[positive]
    won, total = (np.bincount(code[positive], of, len(both)) for of in (share * placed, share))
    return np.asarray(won / np.where(both, total, 1.0))


def _mean_of_groups(
    rows: BinaryRows, code: _INT, weights: _FLOATS, share: _FLOATS, values: _FLOATS
) -> PairValue:
    """A mean over groups, which are the units: how a group moves it is spread over its rows."""
    value = dot(share, values)
    whole = weights.sum(axis=0)
    own = np.ones(len(rows)) if rows.weight is None else rows.weight
    of_class = np.where(rows.positive, weights[0][code], weights[1][code])
    held = np.divide(share[code] * own, of_class, out=np.zeros(len(rows)), where=of_class > 0.0)
    moved = (share * (values - value) / np.where(share > 0.0, whole, 1.0))[code]
    return PairValue(rows, value, moved, held, values[code], centred=False)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredGroups:
    """One score of rows in groups, by their numbers; a measure reads it once."""

    rows: BinaryRows
    code: _INT
    _by: dict[tuple[BinaryMeasure, Counts], Partition] = field(
        default_factory=dict, init=False, repr=False
    )

    def by(self, measure: BinaryMeasure, counts: Counts) -> Partition:
        if (measure, counts) not in self._by:
            self._by[measure, counts] = Partition.of(measure, self.rows, self.code, counts)
        return self._by[measure, counts]


@dataclass(frozen=True, slots=True)
class Within:
    """A measure among rows of the same group; ``column`` names the groups.

    A mean over ``pairs`` needs a measure that is one, such as the AUC. By ``rows`` it is what
    recommender systems call GAUC or wuAUC, with ``groups`` alike uAUC.
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
        """The value over all rows, and those within and between groups."""
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

    def spread(self, samples: Sequence[ScoredGroups]) -> Spread:
        inner = [sample.by(self.measure, self.counts).inner for sample in samples]
        return Spread.of(inner[0].rows, [one.influence for one in inner], centred=inner[0].centred)

    def explains(self, sample: ScoredGroups, whole: Estimate) -> tuple[Remark, ...]:
        """Whether most of an AUC is about which group a row is in.

        It is better than chance by its interval, and within groups even the upper limit leaves
        less than half of what it has above chance.
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
        """A value with its interval; ``whole`` has its name and what it means."""
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
        if units is not None and units < 3 * FEW:
            few.append(FewClusters(units, certified is not None))
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
        """Student's t, as for the difference of two scores."""
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
        """For independent rows from their labels and groups; else from independent whole groups.

        Rows that were not declared to have weights or clusters of a fixed design have sizes that
        may go with the scores. Groups that count alike need no declaration.
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
        """The value of a score that ties all rows."""
        level = replace(sample.rows, score=np.zeros(len(sample.rows)))
        return Partition.of(self.measure, level, sample.code, self.counts).within.value


def within(measure: BinaryMeasure, column: str = "group", counts: Counts = "pairs") -> Within:
    """The measure among rows of the same group.

    >>> from rocsolid.measures.whole_area import WholeArea
    >>> within(WholeArea(), "task").name
    'auc within task'
    """
    one_of(counts, get_args(Counts), "counts")
    if counts == "pairs" and not measure.pairwise:
        raise UnsoundError(
            "this measure is no mean over pairs, so groups cannot count by their pairs",
            where="counts",
            value=measure.name,
            fix='use counts="rows" or counts="groups"',
        )
    return Within(measure, column, counts)


def explained(
    measure: BinaryMeasure, rows: BinaryRows, whole: Estimate, columns: Mapping[str, _INT]
) -> tuple[Remark, ...]:
    """See `Within.explains`: of columns by name, each with the number of every row's group.

    Beyond `CHECKED` rows it would take a good part of the time and memory of the estimate.
    """
    remarks: list[Remark] = []
    if len(rows) > CHECKED:
        return ()
    for column, code in columns.items():
        with suppress(OneClassError):  # no pair lies within a group, so nothing is known there
            remarks += Within(measure, column).explains(ScoredGroups(rows, code), whole)
    return tuple(remarks)


def within_arrays(
    measure: BinaryMeasure, rows: BinaryRows, groups: Any, counts: Counts, options: Options,
    y_score: Any,
) -> WithinEstimate:  # fmt: skip
    """The value of arrays within and between ``groups``, the group of each row that was given."""
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
