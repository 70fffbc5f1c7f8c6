"""The AUC as a measure, and as a function of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options, estimate
from rocsolid.binary.grouped_auc import auc_columns
from rocsolid.binary.grouped_rows import GroupColumns, GroupedRows
from rocsolid.binary.inference import (
    NAMES,
    OF_PLACEMENTS,
    Design,
    asked_interval,
    plain_certificate,
    plain_is_shorter_in_memory,
    refuse_undeclared,
)
from rocsolid.binary.proxied_auc import proxied_auc, unlabelled_rows
from rocsolid.binary.resampling.interval import NAMES as BOOTSTRAPS
from rocsolid.binary.resampling.interval import Resampling, Scheme
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import keep_placed, placed
from rocsolid.errors import InputError
from rocsolid.inputs.binary import BinaryRows, binary_rows
from rocsolid.measures.binary_measure import BinaryMeasure, Scored, ScoredRows
from rocsolid.results import Alternative
from rocsolid.results.deferred import KEPT
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.placements import each_side_by_side
from rocsolid.summaries.weighted_placements import WeightedPlacements


def scored_arrays(y_true: Any, y_score: Any, options: Options, **columns: Any) -> ScoredRows:
    """The rows of arrays; ``columns`` are weights, frequencies and clusters."""
    reading = {name: getattr(options, name) for name in ("pos_label", "lower_is_better", "nan")}
    return ScoredRows(binary_rows(y_true, y_score, **reading, **columns))


def of_arrays(
    measure: BinaryMeasure, y_true: Any, y_score: Any, options: Options, **columns: Any
) -> Estimate:
    """The estimate of arrays, after the measure has checked the options."""
    measure.check(options)
    return measure.estimate(scored_arrays(y_true, y_score, options, **columns), options)


@dataclass(frozen=True, slots=True)
class WholeArea(BinaryMeasure):
    """The probability that a positive scores above a negative, ties one half.

    >>> WholeArea().name, WholeArea().span
    ('auc', (-1.0, 1.0))
    """

    intervals: ClassVar[tuple[str, ...]] = NAMES
    intervals_of_rows: ClassVar[tuple[str, ...]] = (*BOOTSTRAPS, *OF_PLACEMENTS)
    bounds: ClassVar[tuple[str, ...]] = (
        "cuts", "matchings", "berry-esseen", "hinge", "kl", "hoeffding", "mcdiarmid", "e-value",
        "betting",
    )  # fmt: skip

    @property
    def streams(self) -> bool:
        return True

    def shorter_in_memory(self, summary: BinarySummary) -> bool:
        return plain_is_shorter_in_memory(summary)

    @property
    def text(self) -> str:
        return "auc"

    @property
    def words(self) -> str:
        return "the probability that a positive is scored above a negative, a tie counting half"

    @property
    def pairwise(self) -> bool:
        return True

    def misplaced(self, value: float, n_pos: float, n_neg: float) -> float:
        return min(n_pos, n_neg) * min(value, 1.0 - value)

    def estimate(self, scored: Scored, options: Options) -> Estimate:
        return estimate(scored.summary, options, scored.omitted, scored.rows)

    def columns(self, ranked: GroupedRows, options: Options) -> GroupColumns | None:
        return auc_columns(ranked, options)

    def influence(self, rows: BinaryRows) -> NDArray[np.float64]:
        """The share of the other class on the correct side of each row: DeLong's V10 and V01."""
        if rows.weight is None:
            return placed(rows)
        weighted = WeightedPlacements.from_arrays(
            rows.positive, rows.score, rows.weight, rows.there
        )
        return weighted.placement

    def prepare(self, samples: Sequence[ScoredRows]) -> Sequence[float] | None:
        """Sort each score once; an estimate of more rows than `KEPT` cannot wait."""

        def value(scored: ScoredRows) -> float:
            rows = scored.rows
            if rows.weight is None and rows.cluster is None and rows.there is None:
                wins, pairs = keep_placed(rows)
                return wins / pairs
            return scored.summary.auc

        sizes = [len(scored.rows.positive) for scored in samples]
        values = each_side_by_side(value, samples, sum(sizes))
        return values if max(sizes) <= KEPT else None

    def certified(self, scored: Scored, options: Options) -> tuple[Estimate, Interval]:
        summary, level, side = scored.summary, options.level, options.alternative
        if options.interval != "auto" or summary.squared_shares is not None:
            name = "mcdiarmid" if options.interval == "auto" else options.interval
            interval = asked_interval(summary, name, level, side, design=options.design)
        else:
            refuse_undeclared(summary, options.design, "auto")
            interval = plain_certificate(summary, level, side)
        chosen = Options(level=level, alternative=side, design=options.design)
        return self.estimate(scored, chosen), interval


def auc(
    y_true: Any,
    y_score: Any,
    *,
    sample_weight: Any = None,
    frequency: Any = None,
    cluster: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    interval: str = "auto",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    resamples: int = 2000,
    seed: int = 0,
    scheme: Scheme | None = None,
    design: Design = None,
    proxy: Any = None,
    unlabelled: Any = None,
    within: Any = None,
    counts: Literal["pairs", "rows", "groups"] = "pairs",
) -> Estimate:
    """Return the AUC: the probability that a positive scores above a negative, ties one half.

    The estimator is the Mann–Whitney form of Agarwal et al. (2005), equation (4), and the average
    positive rank of *ROC AUC is the average positive rank* (2011).

    ``sample_weight`` is importance, not replication: integer weights give the value of repeated
    rows, but not their (smaller) variance. ``frequency`` is replication: each row represents that
    many equal rows, and every result is as for the rows written out. Rows of one ``cluster`` may
    depend on each other in any way.

    ``interval`` is the method of ``low`` and ``high``. Every result has a certified interval too;
    under weights or clusters it requires ``design="fixed"``, which declares that the weights and
    the numbers of rows in clusters are unrelated to the scores within a class.
    ``alternative="greater"`` gives a lower limit only, "less" an upper limit only.

    ``interval="bootstrap"`` is the recommended bootstrap; "bootstrap-percentile", "bootstrap-bca"
    and "bootstrap-logit" are the methods that it chooses from. ``resamples`` are drawn from
    ``seed``. ``scheme`` is "stratified" (within each class; the default), "plain" (from all rows),
    "cluster" (whole clusters; the default with ``cluster``), or random weights, "poisson" or
    "bayesian".

    The scores must come from one scorer that was fixed before these rows were seen. Scores of
    scikit-learn's ``cross_val_predict`` come from several models: use `rocsolid.cross_validated`
    for them.

    ``proxy`` contains machine labels of the same rows, and ``unlabelled`` is the pair (scores,
    machine labels) of unlabelled rows. With machine labels the result is a prediction-powered
    estimate, which reports the gain from the machine labels. See `rocsolid.binary.proxied_auc`.

    ``within`` contains the group of each row. The result then has ``.within`` and ``.between``, the
    values over pairs of the same group and of two groups, their ``share`` of the pairs, and their
    ``.difference``, all with intervals. ``counts`` is the weight of a group: its "pairs", its
    "rows" (GAUC, wuAUC), or equal for all "groups" (uAUC).

    >>> result = auc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> print(result)
    AUC 0.8333, [0.2321, 0.9972] at 95 % (auto (hull, matchings)), certified [0.2321, 0.9972] at
    95 % (matchings), 3 positives, 4 negatives
    >>> result.exact
    Fraction(5, 6)
    """
    options = Options(
        interval, level, alternative, lower_is_better, nan, pos_label,
        Resampling(resamples, seed, scheme), design,
    )  # fmt: skip
    WholeArea().check(options)
    scored = scored_arrays(
        y_true, y_score, options, sample_weight=sample_weight, frequency=frequency, cluster=cluster
    )
    of_machines = proxy is not None or unlabelled is not None
    if frequency is not None and (of_machines or within is not None):
        raise InputError(
            f"{'machine labels' if of_machines else 'groups'} are given row by row",
            where="frequency",
            fix="repeat the rows, and the values that belong to them, with np.repeat",
        )
    if within is not None or counts != "pairs":
        from rocsolid.measures.within import within_arrays

        if of_machines:
            raise InputError(
                "groups are not for machine labels", where="within", fix="leave it out"
            )
        return within_arrays(WholeArea(), scored.rows, within, counts, options, y_score)
    labels_only = WholeArea().estimate(scored, options)
    if not of_machines:
        return labels_only
    machine = unlabelled_rows(unlabelled, proxy, scored.rows, pos_label, lower_is_better)
    return proxied_auc(scored.rows, *machine, labels_only, level, alternative)


def parse(text: str, inside: str | None) -> WholeArea:
    """Parse ``auc``, which accepts no settings."""
    if inside is not None:
        raise InputError(
            "the AUC takes nothing in brackets",
            where="measure",
            value=text,
            fix="write auc, or partial_auc(fpr<=0.1) for a part of it",
        )
    return WholeArea()
