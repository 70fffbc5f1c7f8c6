"""The pairs of a score within groups and between groups."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.groups import codes
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.folded import value_of
from rocsolid.parameters import Counts
from rocsolid.summaries.group_pairs import PairsInside, PairValue, scaled_by_class
from rocsolid.summaries.groups import Groups
from rocsolid.summaries.products import dot
from rocsolid.summaries.spread import Spread

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Partition:
    """The values of one score over pairs within groups and between groups.

    *By pairs* the value is A = N/D, N = Σw_iw_jφ_ij and D = Σw_iw_j over the pairs of a positive i
    and a negative j of one group. N and D are random, and the influence of row i is

        (Σ_jw_jφ_ij − A·Σ_jw_j)/D    over the rows j of the other class of its group,

    whose weighted sum over either class is 0. Between groups, j is in the other groups. The
    influence of a cluster covers all its pairs, with those inside counted once: each of their rows
    has half. So a cluster that is a group has the influence (N_g − A·D_g)/D.

    *By rows or groups*, A = Σc_gA_g/Σc_g is a mean over groups, which are the units, with
    influences c_g(A_g − A)/Σc_g. Rows of a group may then depend on each other in any way.

    ``within`` and ``between`` cover all rows, including those without a pair. For each group with
    rows of both classes, ``share`` is its weight and ``block`` the size of its smaller class.
    """

    code: _INT
    within: PairValue
    inside: PairsInside | None
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
        scaled = scaled_by_class(rows)
        share = both.astype(np.float64)
        if counts != "groups":
            counted = _class_sizes(scaled, code)[1]
            share *= counted[0] * counted[1] if counts == "pairs" else weights.sum(axis=0)
        share /= share.sum()
        inside = PairsInside.of(scaled, code) if measure.pairwise else None
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
        """All rows, with units as clusters."""
        return self.within.rows

    @cached_property
    def between(self) -> PairValue | None:
        """The value between groups; ``None`` without such a pair."""
        return None if self.inside is None else self.inside.rest(scaled_by_class(self.rows))

    @cached_property
    def inner(self) -> PairValue:
        """The value within, restricted to groups with both classes."""
        return self.within.subset(self.within.share > 0.0)

    @property
    def unit_shares(self) -> _FLOATS:
        """The weight of each unit within, if units contain whole groups."""
        cluster = self.inner.rows.cluster
        assert cluster is not None
        positive = self.inner.rows.positive
        return np.bincount(cluster[positive], self.inner.share[positive]).astype(np.float64)

    def difference(self) -> tuple[float, float, float]:
        """The value within minus that between, its variance and its degrees of freedom."""
        assert self.between is not None
        influences = [part.influence for part in (self.within, self.between)]
        spread = Spread.of(self.rows, influences, centred=self.within.centred)
        difference = spread.apart([(0, 1)])
        value = self.within.value - self.between.value
        return value, float(difference.total[0, 0]), difference.df()


def whole_groups(unit: _INT, code: _INT) -> bool:
    """Whether every group lies in a single unit.

    >>> whole_groups(np.array([0, 0, 1]), np.array([1, 1, 0]))
    True
    >>> whole_groups(np.arange(2), np.zeros(2, dtype=int))
    False
    """
    both = codes(code * (int(unit.max()) + 1) + unit)[1]
    return len(both) == len(np.unique(code))


def _class_sizes(rows: BinaryRows, code: _INT) -> tuple[_INT, _FLOATS]:
    """The number and the weight of rows of each class by group; positives first."""
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
    """The value of each group with ``both`` classes, from its ``pairs`` or by group."""
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
    value = dot(share, values)
    whole = weights.sum(axis=0)
    own = np.ones(len(rows)) if rows.weight is None else rows.weight
    of_class = np.where(rows.positive, weights[0][code], weights[1][code])
    held = np.divide(share[code] * own, of_class, out=np.zeros(len(rows)), where=of_class > 0.0)
    moved = (share * (values - value) / np.where(share > 0.0, whole, 1.0))[code]
    return PairValue(rows, value, moved, held, values[code], centred=False)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredGroups:
    """One score of rows with group codes; each measure is computed once."""

    rows: BinaryRows
    code: _INT
    _by: dict[tuple[BinaryMeasure, Counts], Partition] = field(
        default_factory=dict, init=False, repr=False
    )

    def by(self, measure: BinaryMeasure, counts: Counts) -> Partition:
        if (measure, counts) not in self._by:
            self._by[measure, counts] = Partition.of(measure, self.rows, self.code, counts)
        return self._by[measure, counts]
