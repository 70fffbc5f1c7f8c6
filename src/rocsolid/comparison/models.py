"""Several scores of the same rows: is one better than another?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from rocsolid.arguments import flag, spelling
from rocsolid.binary.design import Design
from rocsolid.comparison.asked import ComparisonQuestion
from rocsolid.comparison.by_measure import compare_rows_of
from rocsolid.comparison.by_query import compare_by_query, of_queries
from rocsolid.comparison.concordance import OF_OUTCOMES, compare_concordance
from rocsolid.comparison.keywords import PairKeywords
from rocsolid.comparison.missing import missing_scores
from rocsolid.graded.measure import GradedMeasure as ListMeasure
from rocsolid.inputs.models import ModelRows, model_rows
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.remarks.comparisons import TreatedAsIndependent
from rocsolid.remarks.remark import Remark
from rocsolid.results import Alternative
from rocsolid.results.comparison import Comparison
from rocsolid.weights import Weight


def compare(
    y_true: Any,
    scores: Mapping[str, Any],
    *,
    measure: str | Weight | BinaryMeasure | ListMeasure = "auc",
    qid: Any = None,
    paired: bool = True,
    cluster: Any = None,
    sample_weight: Any = None,
    frequency: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    test: str | None = None,
    adjust: str | None = None,
    null: float = 0.0,
    margin: float | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    resamples: int | None = None,
    seed: int = 0,
    design: Design = None,
    **lists: Any,
) -> Comparison:
    """Every pair of scores tested for a difference, with calibrated and certified intervals.

    A difference is the earlier name's value less the later one's; ``null`` is what it is tested
    against, and ``alternative="greater"`` looks for a larger one. ``margin`` tests
    non-inferiority instead: that the earlier score is worse than the later one by less than the
    margin. ``measure`` is "auc", a partial area such as "partial_auc(fpr<=0.1)", a weight of
    ``rs.weights``, or "sensitivity(specificity=0.9)" and the like; "concordance" takes outcomes of
    any number of values in place of labels (`rocsolid.concordance`). ``test`` is "auto"
    ("delong-t", or "bootstrap-t" where few rows decide a difference), "delong-t" (Student's t),
    "bootstrap-t" (the studentised bootstrap), "delong" (as pROC has it), "bootstrap" (percentile
    interval), "bootstrap-bca", "permutation", which with fewer than 20 rows of a class is about
    whole curves, as "venkatraman-curves" always is; ``resamples`` (2,000 unless given) and ``seed``
    say how often these draw, and from where. ``adjust`` is for all pairs together: "auto" ("holm";
    with "bootstrap-t" "max-t"), "holm", "max-t" (their joint distribution) or "none". Rows that
    share a ``cluster`` may depend on each other in any way; ``design`` is as in `rocsolid.auc`.
    ``paired=False`` treats the same rows as if each score had its own. ``nan="omit"`` leaves out
    the rows that lack any score.

    As ``rs.compare`` it also takes a path or a table first: ``label`` and ``scores`` then name its
    columns, as the other keywords do, and with ``by`` each score is compared between segments.
    Without ``scores`` it compares independent samples: ``y_true`` maps a name to the labels and the
    scores of each, ``sample_weight`` and ``cluster`` a name to a column, and "delong-t" is Welch's
    t on DeLong's variances. Scores with a column for each class, as `rocsolid.multiclass_auc` takes
    them, are compared by their mean AUC, whose ``scheme``, ``average`` and ``labels`` it takes.

    Measures of ranked lists, such as "ndcg@10", "map" or "rr@10", are compared query by query:
    ``y_true`` holds grades or labels and ``qid`` the query of each row, or all are matrices with a
    row for each query. Then ``test`` is "auto", "t", "bootstrap-t" or "sign-flip",
    ``adjust`` "max-t" (the default), "holm", "tukey" or "none". ``lists`` are then ``doc``,
    ``ties``, ``empty``, ``unjudged``, ``negative`` and ``interval`` of `rocsolid.ndcg`; ``rank``, a
    column for each score by name; ``relevant``, the lowest relevant grade; and ``power``, that of
    the least detectable difference.

    >>> y = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    >>> a = [1, 2, 3, 4, 5, 8, 6, 7, 9, 10, 11, 12]
    >>> b = [3, 1, 6, 9, 2, 11, 4, 5, 8, 12, 7, 10]
    >>> print(compare(y, {"a": a, "b": b}).pairs[0])
    a − b: +0.2500, [-0.0623, 0.5623] at 95 % (delong-t), certified [-0.3651, 0.6630] at 95 %
    (difference-matchings), p = 0.1006, adjusted 0.1006
    """
    pairs: PairKeywords = {
        "null": null, "margin": margin, "level": level, "alternative": alternative, "seed": seed,
    }  # fmt: skip
    if adjust is not None:
        pairs["adjust"] = adjust
    if resamples is not None:
        pairs["resamples"] = resamples
    if test is not None:
        pairs["test"] = test
    of_rows = {"frequency": frequency, "pos_label": pos_label, "design": design}
    if isinstance(measure, ListMeasure) or of_queries(measure, qid, lists, y_true):
        pairs["paired"] = paired
        return compare_by_query(
            y_true,
            scores,
            measure=measure,
            qid=qid,
            of_rows={"cluster": cluster, "sample_weight": sample_weight, **of_rows},
            options=EstimateOptions(level=level, lower_is_better=lower_is_better, nan=nan),
            lists=lists,
            **pairs,
        )
    if isinstance(measure, str) and spelling(measure) == "concordance":
        curves = None if test in OF_OUTCOMES else pairs.pop("test")
        return compare_concordance(
            y_true,
            scores,
            sample_weight=sample_weight,
            cluster=cluster,
            two_classes={"test": curves, "paired": None if paired is True else paired, **of_rows},
            lower_is_better=lower_is_better,
            nan=nan,
            **pairs,
        )
    asked = ComparisonQuestion.of(
        measure=measure, design=design, pos_label=pos_label, lower_is_better=lower_is_better,
        nan=nan, **pairs,
    )  # fmt: skip
    rows = model_rows(
        y_true, scores, sample_weight=sample_weight, frequency=frequency, cluster=cluster,
        pos_label=pos_label, lower_is_better=lower_is_better, nan=nan,
    )  # fmt: skip
    return compare_rows(rows, asked, paired=paired)


def compare_rows(rows: ModelRows, asked: ComparisonQuestion, *, paired: bool) -> Comparison:
    """`compare` for rows that are validated already."""
    flag(paired, "paired")
    warnings = missing_scores(rows.omitted, rows.missing) + _unpaired(paired)
    return compare_rows_of("scores", asked, rows.rows, paired, rows.omitted, warnings)


def _unpaired(paired: bool) -> list[Remark]:
    return [] if paired else [TreatedAsIndependent()]
