"""The volume under the ROC surface of ordered outcomes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.dataclass import dataclass
from rocsolid.errors import UnsoundError
from rocsolid.inputs.models import AlignedScores
from rocsolid.intervals.calibrated.auto import FEW as FEW_MISPLACED
from rocsolid.intervals.calibrated.auto import faded, logit_share, within
from rocsolid.intervals.calibrated.standard_error import tail
from rocsolid.intervals.clopper_pearson import SOURCE as BINOMIAL
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.intervals.guarantees.clustered import fixed_squares
from rocsolid.intervals.guarantees.hinge import hinge
from rocsolid.remarks.values import FewRowsOfClass
from rocsolid.results import Interval
from rocsolid.summaries.ordered_chains import OrderedChains
from rocsolid.summaries.outcome_spread import PairShares
from rocsolid.summaries.score_counts import distinct_scores
from rocsolid.summaries.strata import StrataSpread, Stratum

MOST_OUTCOMES = 20
"""A random score orders one of 20! chains, which no sample can show."""
FEW = 10
SOURCE = (
    "Nakas and Yiannoutsos, Statistics in Medicine 23 (2004), 3437-3449 (value); Dreiseitl, "
    "Ohno-Machado and Binder 2000 (variance); Welch 1947 (degrees of freedom); with fewer than two "
    f"misplaced rows the hull with binomial limits ({BINOMIAL})"
)


@dataclass(frozen=True, eq=False)
class OrderedVolume:
    """The share of chains of rows, one of each outcome, that a score ranks in the right order.

    Given the sizes n_k of K outcomes, the value is a U-statistic of K samples. Row i of outcome k
    has the influence (V_i − V̂)/n_k, where V_i is the share of its chains in the right order
    (Dreiseitl, Ohno-Machado and Binder 2000), which for two outcomes is DeLong's. The limits are on
    the logit scale with Welch's degrees of freedom. The value varies at most as much as the share
    of min n_k coin tosses. As min n_k·min(V̂, 1−V̂) falls from 2 to 1, the limits change to the hull
    with those of Clopper and Pearson.

    With weights, w_i/Σw replaces 1/n_k in the influence of a row, and the effective size (Σw)²/Σw²
    replaces n_k in the limits.

    The certified interval is `rocsolid.intervals.guarantees.hinge` for min n_k pairs. Its proof
    needs only that the value averages means of min n_k independent terms in [0, 1], over all ways
    to divide the rows into chains without a common row (Hoeffding 1963, section 5). Weighted or
    clustered rows of a fixed design have McDiarmid's limits: a row moves the value by at most its
    share of the outcome's weight.
    """

    rows: AlignedScores
    outcome: NDArray[np.intp]

    def __post_init__(self) -> None:
        weight, values = self.rows.weight, np.unique(self.rows.truth)
        check_volume(values, np.bincount(self.outcome, weight))

    def chains(self, name: str) -> OrderedChains:
        codes = distinct_scores(self.rows.scores[name])[1]
        return OrderedChains.of(self.outcome, codes, self.rows.weight)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The share of each row among the rows, or the weight, of its outcome."""
        weight = np.ones(len(self.outcome)) if self.rows.weight is None else self.rows.weight
        return weight / np.bincount(self.outcome, weight)[self.outcome]

    @property
    def of_units(self) -> PairShares:
        """The shares of the units in the value."""
        cluster, units = self.rows.cluster, self.shares
        if cluster is not None:
            units = np.bincount(cluster, units).astype(np.float64)
        return PairShares.of(units)

    def spread(self, *names: str) -> StrataSpread:
        return self._spread([self.chains(name) for name in names])

    def _spread(self, chains: list[OrderedChains]) -> StrataSpread:
        through = np.stack([of_score.through for of_score in chains])
        value = np.array([[of_score.value] for of_score in chains])
        influence = self.shares * (through - value)
        if self.rows.cluster is None:
            kinds = range(int(self.outcome.max()) + 1)
            return StrataSpread(
                tuple(Stratum.of_all(influence[:, self.outcome == kind]) for kind in kinds)
            )
        clusters = [np.bincount(self.rows.cluster, line) for line in influence]
        return StrataSpread((Stratum.of_all(np.stack(clusters)),))

    def _trials(self) -> float:
        """Return the effective number of rows, or of clusters, of the outcome with the fewest.

        The effective number is (Σw)²/Σw², with w the sum of the shares in a unit.
        """
        cluster, kinds = self.rows.cluster, int(self.outcome.max()) + 1
        unit = np.arange(len(self.outcome)) if cluster is None else cluster
        cell, share = unit * kinds + self.outcome, self.shares
        if cluster is not None and self.rows.weight is None:
            share = np.ones(len(cell)) / np.bincount(cell)[cell]  # clusters count alike
        of_unit = np.bincount(cell, share)
        kind = np.arange(len(of_unit)) % kinds
        each = np.bincount(kind, of_unit) ** 2 / np.bincount(kind, of_unit**2)
        return float(np.round(each.min(), 9))

    def volume(self, name: str) -> Volume:
        chains, of_pairs = self.chains(name), self.of_units
        parts = self._spread([chains]).each(np.array([[0], [1]]))
        names, sizes = np.unique(self.rows.truth, return_counts=True)
        return Volume(
            chains.value, chains.ratio, float(parts.total[0]), float(parts.df()[0]),
            self._trials(), dict(zip(map(str, names), sizes.tolist(), strict=True)), of_pairs,
        )  # fmt: skip


def check_volume(values: Iterable[Any], weights: Iterable[Any]) -> None:
    """Reject too many outcomes, and an outcome without weight."""
    values = list(values)
    empty = [value for value, weight in zip(values, weights, strict=True) if not weight]
    if empty:
        raise UnsoundError(
            "all rows of an outcome have the weight 0, so no chain counts",
            where="sample_weight",
            value=empty[0],
            fix="leave the rows of this outcome out",
        )
    if len(values) > MOST_OUTCOMES:
        raise UnsoundError(
            f"a volume is for at most {MOST_OUTCOMES} outcomes",
            where="outcome",
            value=len(values),
            fix="group the outcomes into grades, or use the concordance",
        )


@dataclass(frozen=True, slots=True)
class Volume:
    """What the limits of a volume depend on; ``sizes`` counts the rows of each outcome.

    ``df`` are the degrees of freedom of the variance, ``trials`` the effective number of units of
    the outcome with the fewest, and ``of_units`` the shares of the units.
    """

    value: float
    ratio: tuple[int, int] | None
    variance: float
    df: float
    trials: float
    sizes: dict[str, int]
    of_units: PairShares

    def limits(
        self, options: Options, *, alike: bool, clustered: bool, independent: str
    ) -> tuple[Interval, Interval | None]:
        """Return the calibrated and the certified interval; ``alike`` rows count equally."""
        level, alternative = options.level, options.alternative
        value, trials = self.value, self.trials
        rarer = trials * min(value, 1.0 - value)
        alone = logit_share(value, self.variance, self.df, trials, level, alternative, alone=True)
        hull = 1.0 if rarer == 0.0 or not self.variance > 0.0 else math.log2(FEW_MISPLACED / rarer)
        share = np.clip(hull, 0.0, 1.0)
        tossed = clopper_pearson(trials * value, trials, 1.0 - tail(level, alternative))
        low = faded(share, np.fmin(alone[0], tossed[0]), alone[0])
        high = faded(share, np.fmax(alone[1], tossed[1]), alone[1])
        interval = Interval(
            0.0 if alternative == "less" else float(low),
            1.0 if alternative == "greater" else float(high),
            level,
            f"auto ({'hull' if share > 0.0 else 'logit-t'})",
            assumptions=(independent, "rows drawn from each outcome"),
            source=SOURCE,
        )  # fmt: skip
        certified, delta = None, 1.0 - level
        if alike:
            fewest = min(self.sizes.values())
            certified = hinge(value, fewest, fewest, delta, alternative)
            interval = within(interval, certified, value)
        elif options.design == "fixed":
            squares = self.of_units.squares
            certified = fixed_squares(value, squares, clustered, delta, alternative)
        return interval, certified

    def doubts(self) -> tuple[FewRowsOfClass, ...]:
        return tuple(FewRowsOfClass(size, name) for name, size in self.sizes.items() if size < FEW)
