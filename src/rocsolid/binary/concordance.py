"""The concordance of a score with an ordered or continuous outcome."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options, estimate, few_of_clusters, missing_rows
from rocsolid.binary.inference import auto_name
from rocsolid.binary.ordered_volume import OrderedVolume, Volume
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import summarise, unit_of
from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.models import AlignedScores, outcome_rows
from rocsolid.intervals.calibrated.auto import SOURCE as HULL
from rocsolid.intervals.calibrated.auto import auto, within
from rocsolid.intervals.guarantees.clustered import fixed_squares
from rocsolid.intervals.guarantees.ordered_pairs import ordered_pairs
from rocsolid.parameters import Design, Scale
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.values import FewPairs
from rocsolid.results import Alternative, Interval
from rocsolid.results.concordance_estimate import NAMES, ConcordanceEstimate
from rocsolid.results.estimate import Estimate
from rocsolid.summaries.binary_summary import Fingerprint
from rocsolid.summaries.outcome_spread import OutcomeSpread, OutcomeVariation, PairShares
from rocsolid.summaries.pair_counts import ConcordantCounts
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
        """Sort each score once, and the outcomes once.

        Weights are multiplied by a power of two, because products of very small or large weights
        would vanish or overflow.
        """
        if rows.weight is not None:
            rows = replace(rows, weight=rows.weight * unit_of(float(rows.weight.max())))
        columns = list(rows.scores.values())
        (_, outcome), (_, first) = side_by_side(
            lambda: distinct_scores(rows.truth),
            lambda: distinct_scores(columns[0]),
            len(rows.truth),
        )
        coded = [first, *(distinct_scores(column)[1] for column in columns[1:])]
        counts = [ConcordantCounts.of(outcome, code, rows.weight) for code in coded]
        return cls(rows, outcome, dict(zip(rows.scores, counts, strict=True)))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.counts)

    @property
    def omitted(self) -> int:
        return self.rows.omitted

    @property
    def missing(self) -> Mapping[str, int]:
        return self.rows.missing

    def spread(self, *names: str, scale: Scale = "concordance") -> Covariation:
        return self._volumes.spread(*names) if scale == "vus" else self._spread(*names)

    @property
    def _volumes(self) -> OrderedVolume:
        return OrderedVolume(self.rows, self.outcome)

    def _spread(self, *names: str) -> OutcomeSpread:
        return OutcomeSpread.of(
            [self.counts[name] for name in names], self.rows.weight, self.rows.cluster
        )

    def estimate(self, name: str, scale: Scale, options: Options) -> ConcordanceEstimate:
        facts = self.facts_of(name)
        if self.two_outcomes:
            part = self.two_classes[name]
            return of_two(estimate(summarise(part), options, 0, part), facts, scale, options)
        if scale == "vus":
            return of_volume(self._volumes.volume(name), facts, options)
        return of_many(self._spread(name), facts, scale, options)

    def clusters(self, scale: Scale) -> tuple[int | None, float]:
        """The number of clusters, and of equal ones that they count as; see `counted`."""
        if self.rows.cluster is None:
            return None, math.inf
        first = self.names[0]
        shares = self._volumes.of_units if scale == "vus" else self._spread(first).of_pairs
        return shares.units, shares.effective

    def facts_of(self, name: str) -> OutcomeFacts:
        rows, counts = self.rows, self.counts[name]
        ratio = None
        if rows.weight is None:
            ratio = (int((2 * counts.right + counts.tied).sum()), 2 * int(counts.comparable.sum()))
        sizes = np.bincount(self.outcome)
        return OutcomeFacts(
            len(rows.truth), len(sizes), (len(self.outcome) ** 2 - int((sizes * sizes).sum())) // 2,
            counts.ties, ratio, Fingerprint.of(rows.scores[name]), rows.omitted,
            rows.weight is not None, rows.evened,
            None if rows.cluster is None else int(rows.cluster.max()) + 1,
        )  # fmt: skip

    @property
    def two_outcomes(self) -> bool:
        return int(self.outcome.max()) == 1

    @property
    def two_classes(self) -> dict[str, BinaryRows]:
        """The rows of two outcomes as rows of two classes."""
        rows, positive = self.rows, self.outcome == 1
        return {
            name: BinaryRows(positive, score, rows.weight, rows.cluster, evened=rows.evened)
            for name, score in rows.scores.items()
        }


@dataclass(frozen=True, slots=True)
class OutcomeFacts:
    """What every estimate says of the rows of a score; see `ConcordanceEstimate`."""

    rows: int
    outcomes: int
    pairs: int
    ties: int
    ratio: tuple[int, int] | None
    fingerprint: Fingerprint
    omitted: int
    weighted: bool
    evened: bool
    clusters: int | None

    def alike(self, design: str | None) -> bool:
        """See `AlignedScores.alike`."""
        plain = not self.weighted and self.clusters is None
        return plain and (not self.evened or design == "fixed")

    def estimate(
        self,
        options: Options,
        value: float,
        interval: Interval,
        certified: Interval | None,
        std_error: float | None,
        warnings: tuple[Remark, ...],
    ) -> ConcordanceEstimate:
        return ConcordanceEstimate(
            value,
            interval,
            certified,
            std_error,
            rows=self.rows,
            outcomes=self.outcomes,
            pairs=self.pairs,
            ties=self.ties,
            ratio=self.ratio,
            warnings=(*missing_rows(self.omitted), *warnings),
            settings={
                "alternative": options.alternative,
                "lower_is_better": options.lower_is_better,
                "nan": options.nan,
                "omitted": self.omitted,
                "weighted": self.weighted,
                "clusters": self.clusters,
                **({} if options.design is None else {"design": options.design}),
                **({} if options.certified else {"certified": False}),
            },
            fingerprint=str(self.fingerprint),
        )


def of_two(
    auc: Estimate, facts: OutcomeFacts, scale: Scale, options: Options
) -> ConcordanceEstimate:
    """Return the AUC of two outcomes as their concordance or volume."""
    certified = None if auc.certified is None else _of_two_only(auc.certified)
    interval = _of_two_only(auc.interval)
    estimate = facts.estimate(
        options, auc.value, interval, certified, auc.std_error, auc.warnings
    )  # fmt: skip
    return replace(estimate, measure=scale) if scale == "vus" else _scaled(estimate, scale)


def of_many(
    spread: OutcomeVariation, facts: OutcomeFacts, scale: Scale, options: Options
) -> ConcordanceEstimate:
    """Return the concordance of one score with three outcomes or more."""
    value, moments, of_pairs = float(spread.values[0]), spread.moments(), spread.of_pairs
    low, high = auto(moments, options.level, options.alternative)
    clustered, delta = facts.clusters is not None, 1.0 - options.level
    interval = Interval(
        float(low),
        float(high),
        options.level,
        str(auto_name(moments)),
        assumptions=(
            CLUSTERS if clustered else INDEPENDENT,
            "outcomes and scores not much more clustered than the simulated ones of the "
            "concordance page",
        ),
        source=SOURCE,
    )
    certified = None
    if facts.alike(options.design):
        comparable = 2.0 * facts.pairs / (facts.rows * (facts.rows - 1.0))
        certified = ordered_pairs(value, comparable, facts.rows, delta, options.alternative)
        interval = within(interval, certified, value)
    elif options.design == "fixed":
        certified = fixed_squares(value, of_pairs.squares, clustered, delta, options.alternative)
    certified = certified if options.certified else None
    variance = float(spread.covariance()[0, 0])
    few: list[Remark] = []
    if spread.size < FEW:
        few.append(FewPairs("clusters" if clustered else "rows", float(spread.size)))
    if clustered:
        few += _few(of_pairs, certified)
    error = None if math.isnan(variance) else math.sqrt(max(variance, 0.0))
    estimate = facts.estimate(options, value, interval, certified, error, tuple(few))
    return _scaled(estimate, scale)


def of_volume(volume: Volume, facts: OutcomeFacts, options: Options) -> ConcordanceEstimate:
    """Return the volume of one score with three outcomes or more."""
    clustered = facts.clusters is not None
    interval, certified = volume.limits(
        options, alike=facts.alike(options.design), clustered=clustered,
        independent=CLUSTERS if clustered else INDEPENDENT,
    )  # fmt: skip
    certified = certified if options.certified else None
    error = None if math.isnan(volume.variance) else math.sqrt(volume.variance)
    few = _few(volume.of_units, certified) if clustered else []
    doubts = (*volume.doubts(), *few)
    estimate = facts.estimate(options, volume.value, interval, certified, error, doubts)
    return replace(estimate, measure="vus", ratio=volume.ratio)


def _few(units: PairShares, certified: Interval | None) -> list[Remark]:
    varied = 1.0 / units.fourths
    return few_of_clusters(units.units, units.effective, varied, certified is not None)


def _of_two_only(interval: Interval) -> Interval:
    return replace(interval, assumptions=(*interval.assumptions, TWO_OUTCOMES))


def _scaled(estimate: ConcordanceEstimate, scale: Scale) -> ConcordanceEstimate:
    if scale == "concordance":
        return estimate
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
