"""The volume under the ROC surface of ordered outcomes."""

from __future__ import annotations

import math
from functools import cached_property

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
from rocsolid.intervals.guarantees.clustered import fixed_shares
from rocsolid.intervals.guarantees.hinge import hinge
from rocsolid.remarks.values import FewRowsOfClass
from rocsolid.results import Interval
from rocsolid.summaries.ordered_chains import OrderedChains
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
        if self.rows.weight is not None:
            empty = np.bincount(self.outcome, self.rows.weight) == 0.0
            if empty.any():
                raise UnsoundError(
                    "all rows of an outcome have the weight 0, so no chain counts",
                    where="sample_weight",
                    value=self.rows.truth[empty[self.outcome]][0].item(),
                    fix="leave the rows of this outcome out",
                )
        if (kinds := int(self.outcome.max()) + 1) > MOST_OUTCOMES:
            raise UnsoundError(
                f"a volume is for at most {MOST_OUTCOMES} outcomes",
                where="outcome",
                value=kinds,
                fix="group the outcomes into grades, or use the concordance",
            )

    def chains(self, name: str) -> OrderedChains:
        codes = distinct_scores(self.rows.scores[name])[1]
        return OrderedChains.of(self.outcome, codes, self.rows.weight)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The share of each row among the rows, or the weight, of its outcome."""
        weight = np.ones(len(self.outcome)) if self.rows.weight is None else self.rows.weight
        return weight / np.bincount(self.outcome, weight)[self.outcome]

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

    def limits(
        self, name: str, options: Options, independent: str
    ) -> tuple[OrderedChains, Interval, Interval | None, float]:
        """Return the chains, the calibrated and the certified interval, and the variance."""
        level, alternative = options.level, options.alternative
        chains = self.chains(name)
        parts = self._spread([chains]).each(np.array([[0], [1]]))
        variance, df, trials = float(parts.total[0]), float(parts.df()[0]), self._trials()
        rarer = trials * min(chains.value, 1.0 - chains.value)
        alone = logit_share(chains.value, variance, df, trials, level, alternative, alone=True)
        hull = 1.0 if rarer == 0.0 or not variance > 0.0 else math.log2(FEW_MISPLACED / rarer)
        share = np.clip(hull, 0.0, 1.0)
        tossed = clopper_pearson(trials * chains.value, trials, 1.0 - tail(level, alternative))
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
        if self.rows.alike(options.design):
            fewest = int(np.bincount(self.outcome).min())
            certified = hinge(chains.value, fewest, fewest, delta, alternative)
            interval = within(interval, certified, chains.value)
        elif options.design == "fixed":
            certified = fixed_shares(
                chains.value, self.shares, self.rows.cluster, delta, alternative
            )
        return chains, interval, certified, variance

    def doubts(self) -> tuple[FewRowsOfClass, ...]:
        names, sizes = np.unique(self.rows.truth, return_counts=True)
        return tuple(
            FewRowsOfClass(int(size), str(name))
            for name, size in zip(names, sizes, strict=True)
            if size < FEW
        )
