"""The area under the precision-recall curve, with calibrated and certified intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, Protocol, Unpack, cast, get_args, overload

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options, Wording
from rocsolid.binary.grouped_rows import GroupColumns, GroupedRows
from rocsolid.binary.precision_steps import (
    Kind,
    PrecisionSteps,
    PrecisionTerm,
    StepInfluences,
    check_kind,
)
from rocsolid.binary.resampling.interval import Resampling, Scheme
from rocsolid.binary.top_estimate import TopValue, top_columns, top_estimate
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import in_rank, score_counts
from rocsolid.errors import InputError
from rocsolid.graded.average_precision import average_precision as of_lists
from rocsolid.graded.estimate import GradedKeywords
from rocsolid.inputs.binary import BinaryRows, unclustered
from rocsolid.inputs.graded_rows import grades
from rocsolid.inputs.matrices import is_matrix
from rocsolid.inputs.measure_parameters import settings_of
from rocsolid.intervals.guarantees.completed_curve import (
    Prevalence,
    average_precision_of,
    beyond_average_precision,
    cuts_average_precision,
    precision_area_of,
    prevalence_limits,
)
from rocsolid.measures.binary_measure import Scored, ScoredRows
from rocsolid.measures.picture import Picture
from rocsolid.measures.top_measure import PREVALENCE, TopMeasure
from rocsolid.measures.whole_area import of_arrays
from rocsolid.results import Alternative
from rocsolid.results.deferred import KEPT, Deferred
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval
from rocsolid.results.query_estimate import QueryEstimate
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.placements import SortedClasses, each_side_by_side
from rocsolid.summaries.products import dot, stretch_sums
from rocsolid.summaries.ranked_classes import RankedClasses
from rocsolid.summaries.ranked_groups import RankedGroups
from rocsolid.summaries.score_counts import ScoreCounts, all_differ, run_begins
from rocsolid.summaries.strata import PairParts, Parts
from rocsolid.summaries.weighted_placements import RowsInOrder

_FLOATS = NDArray[np.float64]
_MEANING = {
    "step": "Of the rows scored at least as high as a positive, {percent} are positive, averaged "
    "over the positives (average precision).",
    "davis-goadrich": "The area under the precision-recall curve is {value}, interpolated as the "
    "ROC curve is.",
    "trapezoid": "The area under the precision-recall curve is {value}, joined by straight lines.",
}


@dataclass(frozen=True, slots=True)
class PrecisionRecallArea(TopMeasure):
    """The area under the precision-recall curve; by steps, the average precision.

    >>> PrecisionRecallArea("trapezoid", prevalence=0.02).name
    'pr_auc(trapezoid, prevalence=0.02)'
    """

    kind: Kind = "step"

    def __post_init__(self) -> None:
        check_kind(self.kind)

    @property
    def stem(self) -> str:
        return "pr_auc"

    @property
    def options(self) -> tuple[str, ...]:
        return () if self.kind == "step" else (self.kind,)

    @property
    def words(self) -> str:
        return "the area under the precision-recall curve; by steps, the average precision"

    @property
    def picture(self) -> Picture:
        return "pr"

    @property
    def merged(self) -> bool:
        return self.kind == "davis-goadrich"

    def found(self, rows: BinaryRows, summary: BinarySummary | None = None) -> TopValue:
        return pr_area(rows, self.kind, self.prevalence, self.table_value(None), summary)

    def table_value(self, details: Any) -> Callable[[ScoreCounts], float]:  # noqa: ARG002
        kind, prevalence = self.kind, self.prevalence
        return lambda table: float(
            PrecisionSteps.of_table(at_prevalence(table, prevalence)).area(kind)
        )

    def prepare(self, samples: Sequence[ScoredRows]) -> None:
        """Sort each score once; rows keep the value until their influences are read."""

        def prepared(scored: ScoredRows) -> None:
            rows = scored.rows
            if rows.there is not None:
                return
            summary = order = None
            if rows.weight is None and rows.cluster is None:
                order = in_rank(rows)
                summary = scored.summary
            area = pr_area(rows, self.kind, self.prevalence, self.table_value(None), summary, order)
            ranked, influences = None, area.influences()
            if order is not None and len(rows) > KEPT:
                pos = int(np.count_nonzero(rows.positive))
                places = self.term.places(pos, len(rows) - pos)
                classes = SortedClasses.of_ascending(order.ascending, order.above)
                ranked = RankedClasses.of_sorted(classes, *places)
            rows.kept[self.text] = replace(area, influences=lambda: influences, ranked=ranked)

        each_side_by_side(prepared, samples, sum(len(scored.rows) for scored in samples))

    def influence(self, rows: BinaryRows) -> _FLOATS:
        kept: TopValue | None = rows.kept.pop(self.text, None)
        return (kept or self.found(unclustered(rows))).influences()

    @property
    def term(self) -> PrecisionTerm:
        known = None if isinstance(self.prevalence, str) else self.prevalence
        return PrecisionTerm(self.kind, known, self.prevalence != "rows")

    def columns(self, ranked: GroupedRows, options: Options) -> GroupColumns | None:
        kind, prevalence = self.kind, self.prevalence
        if options.interval != "auto" or not isinstance(prevalence, str):
            return None

        def areas(block: RankedGroups) -> list[_FLOATS]:
            return [PrecisionSteps.of_groups(block).area(kind)]

        def spreads(block: RankedGroups) -> list[_FLOATS]:
            steps = PrecisionSteps.of_groups(block)
            parts = _variances(steps, steps.influences(kind), centred=prevalence != "rows")
            return [*parts[0], *parts[1]]

        def outside(low: _FLOATS, high: _FLOATS) -> NDArray[np.bool_]:
            if kind != "step" or options.alternative != "two-sided":
                return np.zeros(len(low), dtype=np.bool_)
            delta = 1.0 - options.level
            least, most = ranked.columns(
                2, lambda block: beyond_average_precision(block, delta, prevalence)
            )
            return np.asarray((least < low) & (high < most))

        (values,) = ranked.columns(1, areas)
        return top_columns(
            ranked, values, Deferred(lambda: _pair_parts(ranked.columns(4, spreads))),
            lambda summary: self._certified(lambda: summary.classes, options), outside, options,
            lambda summary: self._wording(summary.n_pos / (summary.n_pos + summary.n_neg)),
            prevalence,
        )  # fmt: skip

    def worded(self, scored: Scored, options: Options) -> Estimate:
        summary, rows = scored.summary, scored.rows
        if rows is None:
            sums = scored.sums(self.term)
            area = TopValue.of_sums(sums, self.prevalence, sums.trials[0])
            share = sums.weighs[0] / sum(sums.weighs)
        else:
            area = rows.kept.get(self.text) or self.found(rows, summary)
            share = float(np.average(rows.positive, weights=rows.weight))
        certified = cut = None
        classes = area.ranked or (None if rows is None else summary.classes)
        if classes is not None:
            if isinstance(classes, SortedClasses) and len(classes.pos) + len(classes.neg) > KEPT:
                places = self.term.places(len(classes.pos), len(classes.neg))
                classes = RankedClasses.of_sorted(classes, *places)
            certified = self._certified(lambda: classes, options)
            cut = partial(self._uncut, classes, options)
        return top_estimate(
            rows, summary, scored.omitted, area, certified, options, self._wording(share), cut=cut
        )

    def _uncut(
        self, classes: SortedClasses | RankedClasses, options: Options, interval: Interval
    ) -> Interval | None:
        """The interval, if certified limits are surely wider."""
        delta = 1.0 - options.level
        if self.kind != "step" or cuts_average_precision(
            classes, interval, delta, options.alternative, self.prevalence
        ):
            return None
        return interval

    def _wording(self, share: float) -> Wording:
        chance = share if isinstance(self.prevalence, str) else float(self.prevalence)
        return Wording(self.name, _MEANING[self.kind], chance, {"kind": self.kind})

    def _certified(
        self, classes: Callable[[], SortedClasses | RankedClasses | None], options: Options
    ) -> Deferred[Interval] | None:
        """The certified interval of rows whose sorted classes are known."""
        if self.kind == "trapezoid":
            return None
        bound = average_precision_of if self.kind == "step" else precision_area_of
        delta, side = 1.0 - options.level, options.alternative

        def certified() -> Interval:
            known = classes()
            assert known is not None
            return bound(known, delta, side, prevalence=self.prevalence)

        return Deferred(certified)


def _pair_parts(columns: list[_FLOATS]) -> PairParts:
    return PairParts(np.stack(columns[:2]), np.stack(columns[2:]))


def pr_auc(
    y_true: Any,
    y_score: Any,
    *,
    kind: Kind = "step",
    prevalence: Prevalence = "rows",
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
) -> Estimate:
    """Return the area under the precision-recall curve; by steps, the average precision.

    ``kind="step"`` is scikit-learn's average precision, with ties and weights. "davis-goadrich"
    interpolates as the ROC curve does, so that the curve bends between thresholds (Davis and
    Goadrich 2006; the integral of Keilwagen et al. 2014, to which the bins of R's precrec tend).
    "trapezoid" interpolates linearly, which is too optimistic.

    ``prevalence`` defines the estimand. "rows": rows were sampled as they come, so the share of
    positives is estimated too and adds to the error. "classes": fixed numbers of positives and
    negatives were sampled, and the value is for their shares. A number: the value is for this share
    of positives, whatever the share in the sample, as for a case-control study. Other arguments are
    as in `rocsolid.auc`; the certified interval requires independent rows of equal weight.

    >>> result = pr_auc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 2, 1, -3, -5])
    >>> round(result.value, 4), round(result.chance, 4)
    (0.8056, 0.4286)
    """
    prevalence_limits(prevalence, 1, 1, 0.5)  # raises an error if it is not valid
    measure = PrecisionRecallArea(kind, prevalence=prevalence, written="pr_auc")
    options = Options(
        interval, level, alternative, lower_is_better, nan, pos_label,
        Resampling(resamples, seed, scheme),
    )  # fmt: skip
    return of_arrays(
        measure,
        y_true,
        y_score,
        options,
        sample_weight=sample_weight,
        frequency=frequency,
        cluster=cluster,
    )


def pr_area(
    rows: BinaryRows,
    kind: Kind,
    prevalence: Prevalence,
    of_table: Callable[[ScoreCounts], float],
    summary: BinarySummary | None = None,
    order: RowsInOrder | None = None,
) -> TopValue:
    """The area with the inputs of its intervals.

    A summary of plain rows and their order save sorting.
    """
    plain = rows.weight is None and isinstance(prevalence, str)
    if plain and order is not None and all_differ(order.ascending):
        steps = PrecisionSteps.of_distinct(order.above)
    elif plain and summary is not None and summary.classes is not None:
        steps = PrecisionSteps.of_classes(summary.classes)
    else:
        table = score_counts(rows)
        steps = PrecisionSteps.of_table(at_prevalence(table, prevalence))
    trials = float(np.count_nonzero(rows.positive))
    if rows.weight is not None:
        weight = rows.weight[rows.positive]
        trials = float(weight.sum() ** 2 / dot(weight, weight))
    influences, own = steps.influences(kind), None
    if rows.weight is None and rows.cluster is None and plain:
        variances, known = _variances(steps, influences, centred=prevalence != "rows")
        pos, neg = variances.reshape(2, 1, 1)
        own = Parts((pos, neg), (float(known[0]), float(known[1])))
    return TopValue(
        influences.area, trials, lambda: row_influences(rows, influences, order), of_table,
        prevalence, merged=kind == "davis-goadrich", own=own,
    )  # fmt: skip


_BLOCK = 1 << 15  # rows in a block, which fit in the cache


def row_influences(
    rows: BinaryRows, influences: StepInfluences, order: RowsInOrder | None = None
) -> _FLOATS:
    """The influence of each row on the area, in input order; see `StepInfluences`."""
    numbers, ascending, above = order or RowsInOrder.of(rows.positive, rows.score)
    tied = above if rows.weight is None else above & (rows.weight[numbers] > 0.0)
    begins = tied
    if not all_differ(ascending):
        new = run_begins(ascending)
        starts = np.flatnonzero(new)
        run_is_step = np.logical_or.reduceat(tied, starts)
        tied = np.repeat(run_is_step, np.diff(starts, append=len(new)))
        begins = tied & new
    of_rows = np.empty(len(numbers))
    last, passed = len(influences.pos), 0
    for start in range(0, len(numbers), _BLOCK):
        some = slice(start, start + _BLOCK)
        # steps at or below each row
        at_most = passed + np.cumsum(begins[some], dtype=np.intp)
        passed = int(at_most[-1])
        step = last - np.maximum(at_most, 1)
        of_neg = influences.gap[step]
        if influences.tied is not influences.gap:
            of_neg = np.where(tied[some], influences.tied[step], of_neg)
        of_neg[at_most == 0] = 0.0
        of_rows[numbers[some]] = np.where(above[some], influences.pos[step], of_neg)
    return of_rows


def _variances(
    steps: PrecisionSteps, influences: StepInfluences, *, centred: bool
) -> tuple[_FLOATS, _FLOATS]:
    """`Spread` of the influences of rows of equal weight, computed by steps.

    Returns the variance from each class and the degrees of freedom, of one area or in columns.
    """
    m, n = (np.asarray(size) for size in influences.totals)
    below = np.asarray(steps.below)[..., None]
    variances = []
    for size, groups in (
        (m, [(steps.pos, influences.pos)]),
        (
            n,
            [
                (steps.tied, influences.tied),
                (steps.gap, influences.gap),
                (below, np.zeros_like(below)),
            ],
        ),
    ):
        middle = np.zeros(size.shape)
        if centred:
            middle = sum(_dots(held, influence) for held, influence in groups) / size
        square = sum(_dots(held, influence, middle[..., None]) for held, influence in groups)
        several = size > 1.0
        spread = square / size / np.where(several, size - 1.0, 1.0)
        variances.append(np.where(several, spread, np.nan))
    return np.stack(variances), np.stack([m - 1.0, n - 1.0])


def _dots(held: _FLOATS, influence: _FLOATS, middle: _FLOATS | None = None) -> Any:
    """The sums of influences, or of squared distances from the ``middle``."""

    def terms(some: slice) -> _FLOATS:
        of_rows = influence[..., some]
        return held[..., some] * (of_rows if middle is None else (of_rows - middle) ** 2)

    return stretch_sums(terms, held.shape[-1], _BLOCK)


def at_prevalence(table: ScoreCounts, prevalence: Prevalence) -> ScoreCounts:
    """The table with negatives weighted to the given share of positives."""
    if isinstance(prevalence, str):
        return table
    ratio = (1.0 - prevalence) / prevalence * float(table.n_pos) / float(table.n_neg)
    return replace(table, pos=table.pos.astype(np.float64), neg=table.neg * ratio)


def parse(text: str, inside: str | None) -> PrecisionRecallArea:
    """Parse ``pr_auc(davis-goadrich, prevalence=0.02)``.

    >>> parse("", "prevalence=classes").name
    'pr_auc(prevalence=classes)'
    """
    words, settings = settings_of(inside, text, PREVALENCE)
    kinds: tuple[Kind, ...] = get_args(Kind)
    chosen = [kind for kind in kinds if kind in words]
    if len(words) > 1 or len(chosen) < len(words):
        raise InputError(
            "not a kind of area under the precision-recall curve",
            where="measure",
            value=text,
            fix=f"write pr_auc, or pr_auc({kinds[1]}) or pr_auc({kinds[2]})",
        )
    return PrecisionRecallArea(chosen[0] if chosen else "step", **settings)


_ROWS_TOO = ("lower_is_better", "nan", "interval", "level", "alternative", "resamples", "seed")
"""Keywords that do not imply lists."""


class RowsOrLists(Protocol):
    """The types of results for the types of arguments."""

    __name__: str

    @overload
    def __call__(
        self,
        relevance: Any,
        scores: Any,
        *,
        k: list[Any] | tuple[Any, ...],
        relevant: float = 1,
        **options: Unpack[GradedKeywords],
    ) -> dict[Any, QueryEstimate]: ...

    @overload
    def __call__(
        self,
        relevance: Any,
        scores: Any,
        *,
        k: Any = None,
        relevant: float = 1,
        **options: Unpack[GradedKeywords],
    ) -> Any: ...


def _typed(function: Callable[..., Any]) -> RowsOrLists:
    return cast(RowsOrLists, function)


@_typed
def average_precision(
    relevance: Any,
    scores: Any,
    *,
    k: Any = None,
    relevant: float = 1,
    **options: Unpack[GradedKeywords],
) -> Estimate | QueryEstimate | dict[Any, QueryEstimate]:
    """Return average precision: of a table of rows, or the mean over ranked lists (MAP).

    *Rows.* Two flat arrays without keywords for lists are a table. The function then returns
    `rocsolid.pr_auc`, whose value is scikit-learn's ``average_precision_score``. Rows with equal
    scores share a threshold and a precision. If ``relevance`` contains grades, those of at least
    ``relevant`` are positive.

    *Ranked lists.* With ``qid``, matrices with a row for each query, ``k`` or another keyword for
    lists (``doc``, ``rank``, ``ties``, ``empty``, ``unjudged``, ``negative``,
    ``interval="items"``), the result is the mean over queries, as trec_eval's map and map_cut. A
    query's average precision is the sum of the precisions at the ranks of its relevant documents,
    divided by the number of its relevant documents, retrieved or not. With ``k`` only ranks down to
    k are summed, with the same divisor. Documents with equal scores are averaged exactly over all
    their orders.

    Without ties both values are equal. Other keywords are as in `rocsolid.ndcg`; `rocsolid.pr_auc`
    also accepts weights and clusters.

    >>> y, s = [1, 0, 1, 0], [2, 2, 1, 1]
    >>> average_precision(y, s).value  # as scikit-learn: precision 1/2 at both thresholds
    0.5
    >>> average_precision([y], [s]).per_query.round(4)  # the mean over the four orders
    array([0.6667])
    """
    given = {name: value for name, value in options.items() if value is not None}
    of_rows = {name: value for name, value in given.items() if name in _ROWS_TOO}
    flat = not (is_matrix(relevance) or is_matrix(scores))
    if flat and k is None and of_rows == given and options.get("interval") != "items":
        positive = grades(relevance, unjudged="raise", negative="zero") >= relevant
        return pr_auc(positive, scores, **cast(dict[str, Any], of_rows))
    estimates: QueryEstimate | dict[Any, QueryEstimate]
    estimates = of_lists(relevance, scores, k=k, relevant=relevant, **options)
    return estimates
