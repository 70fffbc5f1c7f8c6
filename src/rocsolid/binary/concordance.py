"""The concordance of a score with an ordered or continuous outcome."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options, estimate, few_units, missing_rows
from rocsolid.binary.inference import auto_name
from rocsolid.binary.ordered_volume import OrderedVolume
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import summarise
from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.models import AlignedScores, outcome_rows
from rocsolid.intervals.calibrated.auto import SOURCE as HULL
from rocsolid.intervals.calibrated.auto import auto, within
from rocsolid.intervals.guarantees.clustered import fixed_shares
from rocsolid.intervals.guarantees.ordered_pairs import ordered_pairs
from rocsolid.parameters import Design, Scale
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.values import FewPairs
from rocsolid.results import Alternative, Interval
from rocsolid.results.concordance_estimate import NAMES, ConcordanceEstimate
from rocsolid.summaries.binary_summary import Fingerprint
from rocsolid.summaries.pair_counts import ConcordantCounts, OutcomeSpread
from rocsolid.summaries.placements import side_by_side
from rocsolid.summaries.score_counts import distinct_scores
from rocsolid.summaries.strata import Covariation

FEW = 10.0
SOURCE = (
    "Harrell, Califf, Pryor, Lee and Rosati, JAMA 247 (1982), 2543-2546 (value); influence of each "
    f"row, each raised for its share of the pairs, as in DeLong et al. 1988; {HULL}"
)
INDEPENDENT = "rows independent and drawn alike"
CLUSTERS = "clusters are independent; rows within a cluster may depend on each other in any way"
TWO_OUTCOMES = "the outcome has these two values only"


def concordance(
    outcome: Any,
    score: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    scale: Scale = "concordance",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    design: Design = None,
) -> ConcordanceEstimate:
    """Return the share of pairs of rows with different outcomes that the score ranks correctly.

    ``rs.concordance`` also accepts a path or a table as its first argument, with column names as
    ``label`` and ``scores``, and then compares several scores.

    Outcomes are numbers: ordered grades, amounts, or uncensored times. A pair with equal scores
    counts one half; a pair with equal outcomes does not count. With two outcomes the result equals
    `rocsolid.auc` in every number. Concordance is Harrell's C without censoring;
    ``scale="somers_d"`` and ``scale="gini"`` return 2C − 1, Somers' D of the score given the
    outcome. ``scale="vus"`` returns another measure, the volume under the ROC surface: the share of
    chains of rows, one of each outcome, that the score ranks in the right order
    (`rocsolid.binary.ordered_volume.OrderedVolume`). With ``sample_weight`` a pair or a chain has
    the product of its rows' weights. Rows of one ``cluster`` may depend on each other in any way,
    and pairs within a cluster count.

    The interval is on the logit scale, with the variance of `OutcomeSpread`. Near 0 and 1 it is the
    hull for the AUC of two classes of equal size with as evenly shared pairs. The certified
    interval is `rocsolid.intervals.guarantees.ordered_pairs`. Weighted or clustered rows have one
    if ``design="fixed"`` declares that the weights, outcomes and clusters were fixed without regard
    to the scores (McDiarmid 1989).

    >>> result = concordance([0, 0, 1, 2, 2, 3, 5, 8], [1, 2, 2, 3, 5, 4, 7, 6])
    >>> print(result)
    Concordance 0.9038, [0.4786, 0.9944] at 95 % (auto (hull)), certified [0.2148, 1.0000] at 95 %
    (ordered-pairs), 8 rows with 6 different outcomes
    >>> result.exact
    Fraction(47, 52)
    >>> print(concordance([0, 0, 1, 1, 2, 2], [1, 2, 2, 4, 3, 5], scale="vus"))
    Volume under the surface 0.6250, [0.0791, 0.9906] at 95 % (auto (hull, hinge)), certified
    [0.0791, 0.9906] at 95 % (hinge), 6 rows with 3 different outcomes
    """
    options = Options(
        level=level, alternative=alternative, lower_is_better=lower_is_better, nan=nan,
        design=design,
    )  # fmt: skip
    check_scale(scale)
    rows = outcome_rows(
        outcome, {"score": score}, sample_weight=sample_weight, cluster=cluster,
        lower_is_better=lower_is_better, nan=nan, word="argument",
    )  # fmt: skip
    return OrderedRows.of(rows).estimate("score", scale, options)


def check_scale(scale: str) -> None:
    if scale not in NAMES:
        raise InputError("unknown scale", where="scale", value=scale, fix=f"use {', '.join(NAMES)}")


@dataclass(frozen=True, slots=True, eq=False)
class OrderedRows:
    rows: AlignedScores
    outcome: NDArray[np.intp]
    counts: dict[str, ConcordantCounts]

    @classmethod
    def of(cls, rows: AlignedScores) -> OrderedRows:
        """Sort each score once, and the outcomes once."""
        columns = list(rows.scores.values())
        (_, outcome), (_, first) = side_by_side(
            lambda: distinct_scores(rows.truth),
            lambda: distinct_scores(columns[0]),
            len(rows.truth),
        )
        coded = [first, *(distinct_scores(column)[1] for column in columns[1:])]
        counts = [ConcordantCounts.of(outcome, code, rows.weight) for code in coded]
        return cls(rows, outcome, dict(zip(rows.scores, counts, strict=True)))

    def spread(self, *names: str, scale: Scale = "concordance") -> Covariation:
        return (
            OrderedVolume(self.rows, self.outcome).spread(*names)
            if scale == "vus"
            else self._spread(*names)
        )

    def _spread(self, *names: str) -> OutcomeSpread:
        return OutcomeSpread.of(
            [self.counts[name] for name in names], self.rows.weight, self.rows.cluster
        )

    def estimate(self, name: str, scale: Scale, options: Options) -> ConcordanceEstimate:
        if scale == "vus":
            if self.two_outcomes:
                return replace(self._of_two(name, options), measure=scale)
            return self._volume(name, options)
        of_outcomes = self._of_two if self.two_outcomes else self._of_many
        estimate = of_outcomes(name, options)
        return estimate if scale == "concordance" else _signed(estimate, scale)

    def _volume(self, name: str, options: Options) -> ConcordanceEstimate:
        volume = OrderedVolume(self.rows, self.outcome)
        independent = INDEPENDENT if self.rows.cluster is None else CLUSTERS
        chains, interval, certified, variance = volume.limits(name, options, independent)
        certified = certified if options.certified else None
        error = None if math.isnan(variance) else math.sqrt(variance)
        doubts = *volume.doubts(), *few_units(self.units("vus"), certified is not None)
        estimate = self._estimate(name, options, chains.value, interval, certified, error, doubts)
        return replace(estimate, measure="vus", ratio=chains.ratio)

    def units(self, scale: Scale) -> NDArray[np.float64] | None:
        """The share of each cluster in the value, or ``None`` for independent rows."""
        if self.rows.cluster is None:
            return None
        vus = scale == "vus"
        shares = OrderedVolume(self.rows, self.outcome).shares if vus else self._shares
        return np.bincount(self.rows.cluster, shares).astype(np.float64)

    def _of_two(self, name: str, options: Options) -> ConcordanceEstimate:
        rows = self.rows
        part = BinaryRows(
            self.outcome == 1, rows.scores[name], rows.weight, rows.cluster, evened=rows.evened
        )
        auc = estimate(summarise(part), options, 0, part)
        certified = None if auc.certified is None else _of_two_only(auc.certified)
        return self._estimate(
            name, options, auc.value, _of_two_only(auc.interval), certified, auc.std_error,
            auc.warnings,
        )  # fmt: skip

    def _of_many(self, name: str, options: Options) -> ConcordanceEstimate:
        rows, spread = self.rows, self._spread(name)
        value, moments = float(spread.values[0]), spread.moments()
        low, high = auto(moments, options.level, options.alternative)
        interval = Interval(
            float(low),
            float(high),
            options.level,
            str(auto_name(moments)),
            assumptions=(
                INDEPENDENT if rows.cluster is None else CLUSTERS,
                "outcomes and scores not much more clustered than the simulated ones of the "
                "concordance page",
            ),
            source=SOURCE,
        )
        certified = None
        if rows.alike(options.design):
            n = len(rows.truth)
            certified = ordered_pairs(
                value, 2.0 * self.pairs / (n * (n - 1.0)), n, 1.0 - options.level,
                options.alternative,
            )  # fmt: skip
            interval = within(interval, certified, value)
        elif options.design == "fixed":
            certified = fixed_shares(
                value, self._shares, rows.cluster, 1.0 - options.level, options.alternative
            )
        certified = certified if options.certified else None
        variance = float(spread.covariance()[0, 0])
        few: tuple[Remark, ...] = ()
        units = "rows" if rows.cluster is None else "clusters"
        if spread.size < FEW:
            few = (FewPairs(units, float(spread.size)),)
        few += tuple(few_units(self.units(scale="concordance"), certified is not None))
        error = None if math.isnan(variance) else math.sqrt(max(variance, 0.0))
        return self._estimate(name, options, value, interval, certified, error, few)

    def _estimate(
        self,
        name: str,
        options: Options,
        value: float,
        interval: Interval,
        certified: Interval | None,
        std_error: float | None,
        warnings: tuple[Remark, ...],
    ) -> ConcordanceEstimate:
        rows, counts = self.rows, self.counts[name]
        ratio = None
        if rows.weight is None:
            ratio = (int((2 * counts.right + counts.tied).sum()), 2 * int(counts.comparable.sum()))
        return ConcordanceEstimate(
            value,
            interval,
            certified,
            std_error,
            rows=len(rows.truth),
            outcomes=int(self.outcome.max()) + 1,
            pairs=self.pairs,
            ties=counts.ties,
            ratio=ratio,
            warnings=(*missing_rows(rows.omitted), *warnings),
            settings={
                "alternative": options.alternative,
                "lower_is_better": options.lower_is_better,
                "nan": options.nan,
                "omitted": rows.omitted,
                "weighted": rows.weight is not None,
                "clusters": None if rows.cluster is None else int(rows.cluster.max()) + 1,
                **({} if options.design is None else {"design": options.design}),
                **({} if options.certified else {"certified": False}),
            },
            fingerprint=str(Fingerprint.of(rows.scores[name])),
        )

    @property
    def _shares(self) -> NDArray[np.float64]:
        """The share of the pairs with different outcomes that each row belongs to.

        A pair within a cluster counts twice in the sum of the cluster's shares, which is valid.
        """
        weight = np.ones(len(self.outcome)) if self.rows.weight is None else self.rows.weight
        of_pairs = weight * (weight.sum() - np.bincount(self.outcome, weight)[self.outcome])
        return np.asarray(of_pairs / (0.5 * of_pairs.sum()))

    @property
    def two_outcomes(self) -> bool:
        return int(self.outcome.max()) == 1

    @property
    def pairs(self) -> int:
        sizes = np.bincount(self.outcome)
        return (len(self.outcome) ** 2 - int((sizes * sizes).sum())) // 2


def _of_two_only(interval: Interval) -> Interval:
    return replace(interval, assumptions=(*interval.assumptions, TWO_OUTCOMES))


def _signed(estimate: ConcordanceEstimate, scale: Scale) -> ConcordanceEstimate:
    return replace(
        estimate,
        value=2.0 * estimate.value - 1.0,
        interval=_signed_interval(estimate.interval),
        certified=None if estimate.certified is None else _signed_interval(estimate.certified),
        std_error=None if estimate.std_error is None else 2.0 * estimate.std_error,
        measure=scale,
        ratio=None
        if estimate.ratio is None
        else (2 * estimate.ratio[0] - estimate.ratio[1], estimate.ratio[1]),
    )


def _signed_interval(interval: Interval) -> Interval:
    low, high = (2.0 * limit - 1.0 for limit in (interval.low, interval.high))
    return replace(interval, low=low, high=high, range=(-1.0, 1.0))
