"""`rocsolid.compare` for scores, samples, outcomes, classes and ranked lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.concordance import OrderedRows
from rocsolid.binary.inference import Design
from rocsolid.binary.multiclass_auc import Average, Scheme, class_rows
from rocsolid.binary.streamed_outcomes import StreamedRows
from rocsolid.comparison.adjust import METHOD as BOOTSTRAP_T
from rocsolid.comparison.build import DEFAULT, ComparisonKeywords, PairKeywords
from rocsolid.comparison.of_summaries import ReducedComparison, reduced_comparison
from rocsolid.comparison.options import (
    ComparisonQuestion,
    compare_by_measure,
    compare_rows,
    compare_rows_of,
    compared_by,
    missing_from,
    missing_scores,
)
from rocsolid.comparison.queries.of_lists import compare_by_query, of_queries
from rocsolid.errors import InputError, UnsoundError
from rocsolid.graded.discounted import GradedMeasure as ListMeasure
from rocsolid.inputs.arrays import check_lengths
from rocsolid.inputs.binary import BinaryRows, binary_rows
from rocsolid.inputs.groups import codes
from rocsolid.inputs.models import model_rows, outcome_rows, several
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.measures.binary_measure import BinaryMeasure, ScoredRows
from rocsolid.measures.concordance import (
    Concordance,
    OutcomeScore,
    of_outcomes,
    refuse_for_outcomes,
)
from rocsolid.measures.multiclass import multiclass
from rocsolid.measures.partition import ScoredGroups
from rocsolid.measures.whole_area import WholeArea
from rocsolid.measures.within import Within
from rocsolid.measures.within import within as within_of
from rocsolid.parameters import Counts, Scale, refuse_pairs
from rocsolid.results import Alternative
from rocsolid.results.comparison import Comparison
from rocsolid.weights.weight import Weight

OF_OUTCOMES = (None, DEFAULT, "delong-t", BOOTSTRAP_T)


def compare_concordance(
    outcome: Any,
    scores: Mapping[str, Any],
    *,
    sample_weight: Any,
    cluster: Any,
    two_classes: Mapping[str, Any],
    scale: Scale = "concordance",
    **how: Unpack[ComparisonKeywords],
) -> Comparison:
    """Compare scores by a measure of outcomes; the keywords in ``two_classes`` must be ``None``.

    >>> y = [0, 1, 1, 2, 3, 3, 4, 5, 6, 8]
    >>> a, b = [1, 2, 3, 3, 5, 6, 7, 8, 9, 10], [3, 1, 5, 2, 4, 9, 7, 6, 8, 10]
    >>> from rocsolid import compare
    >>> print(compare(y, {"a": a, "b": b}, measure="concordance").pairs[0])
    a − b: +0.1744, [0.0246, 0.3242] at 95 % (delong-t), certified [-0.6611, 0.8241] at 95 %
    (difference of ordered-pairs), p = 0.0273, adjusted 0.0273
    """
    refuse_for_outcomes(**two_classes)
    question = ComparisonQuestion.of(**how)
    rows = outcome_rows(
        outcome, several(scores), sample_weight=sample_weight, cluster=cluster,
        lower_is_better=question.options.lower_is_better, nan=question.options.nan, name="y_true",
    )  # fmt: skip
    ordered = OrderedRows.of(rows)
    return of_outcomes_compared(reduced_outcomes(ordered, question, scale), ordered, scale)


def reduced_outcomes(
    rows: OrderedRows | StreamedRows, question: ComparisonQuestion, scale: Scale
) -> ReducedComparison:
    """Compare two distinct outcomes by their AUCs, and others by each unit's influence."""
    if not rows.two_outcomes:
        samples = {name: OutcomeScore(rows, name) for name in rows.names}
        compared = compared_by(Concordance(scale), samples, question.options)
    elif isinstance(rows, OrderedRows):
        classes = {name: ScoredRows(part) for name, part in rows.two_classes.items()}
        compared = compared_by(question.measure, classes, question.options)
    else:
        return reduced_comparison(rows.engine, question)
    warnings = missing_scores(rows.omitted, rows.missing)
    return ReducedComparison(compared, question, rows.omitted, warnings)


def of_outcomes_compared(
    reduced: ReducedComparison, rows: OrderedRows | StreamedRows, scale: Scale
) -> Comparison:
    comparison, measure = reduced.comparison(), Concordance(scale)
    if not rows.two_outcomes:
        return comparison
    estimates = {
        name: rows.estimate(name, scale, reduced.asked.options) for name in comparison.estimates
    }
    return replace(comparison, measure=measure.name, estimates=estimates)


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
    certified: bool = True,
    within: Any = None,
    counts: Counts | None = None,
    **lists: Any,
) -> Comparison:
    """Test every pair of scores for a difference, with calibrated and certified intervals.

    A difference is the earlier name's value minus the later name's value. The test compares the
    difference with ``null``; ``alternative="greater"`` tests whether the difference is larger.
    ``margin`` requests a test of non-inferiority: the earlier score is worse than the later one by
    less than the margin.

    ``measure`` is "auc", a partial area such as "partial_auc(fpr<=0.1)", a weight from
    ``rs.weights``, or an operating point such as "sensitivity(specificity=0.9)". The measures
    "concordance" and "vus" accept ordered outcomes in place of labels (`rocsolid.concordance`).

    ``test`` is "auto" ("delong-t", or "bootstrap-t" where few rows decide a difference), "delong-t"
    (Student's t), "bootstrap-t" (the studentised bootstrap), "delong" (as in pROC), "bootstrap"
    (percentile interval), "bootstrap-bca", "permutation" or "venkatraman-curves". The last test
    compares whole curves, and so does "permutation" with fewer than 20 rows of a class.
    ``resamples`` is the number of random draws (2,000 by default), and ``seed`` determines them.
    ``adjust`` adjusts the p-values for the number of pairs: "auto" ("holm", or "max-t" with
    "bootstrap-t"), "holm", "max-t" (the joint distribution) or "none". ``certified=False`` leaves
    out the certified intervals.

    Rows that share a ``cluster`` may depend on each other in any way. ``design`` is as in
    `rocsolid.auc`. ``within`` is the group of each row. The values then use only pairs of rows in
    the same group, with ``counts`` as in `rocsolid.auc`. ``paired=False`` treats the scores as if
    each had its own rows. ``nan="omit"`` leaves out rows that lack any score.

    ``rs.compare`` also accepts a path or a table as its first argument. Then ``label``, ``scores``
    and the other keywords name columns, and ``by`` compares each score between segments. Paths
    without ``label`` are logs of language-model evaluations, as in `rocsolid.evaluate`. Without
    ``scores``, independent samples are compared. ``y_true`` then maps each name to labels and
    scores, ``sample_weight`` and ``cluster`` map each name to a column, and "delong-t" is Welch's t
    with DeLong's variances. Scores with a column for each class are compared by the mean AUC of
    `rocsolid.multiclass_auc`, with its keywords ``scheme``, ``average`` and ``labels``.

    Measures of ranked lists, such as "ndcg@10", "map" or "rr@10", are compared query by query.
    ``y_true`` then contains grades or labels, and ``qid`` the query of each row. Alternatively, all
    inputs are matrices with a row for each query. ``test`` is then "auto", "t", "bootstrap-t" or
    "sign-flip", and ``adjust`` is "max-t" (the default), "holm", "tukey" or "none". ``lists``
    accepts ``doc``, ``ties``, ``empty``, ``unjudged``, ``negative`` and ``interval`` as in
    `rocsolid.ndcg`. ``lists`` also accepts ``rank`` (a column for each name), ``relevant`` (the
    lowest relevant grade), and ``power`` (the power at the least detectable difference).

    >>> y = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    >>> a = [1, 2, 3, 4, 5, 8, 6, 7, 9, 10, 11, 12]
    >>> b = [3, 1, 6, 9, 2, 11, 4, 5, 8, 12, 7, 10]
    >>> print(compare(y, {"a": a, "b": b}).pairs[0])
    a − b: +0.2500, [-0.0623, 0.5623] at 95 % (delong-t), certified [-0.3651, 0.6630] at 95 %
    (difference-matchings), p = 0.1006, adjusted 0.1006
    """
    chosen = {"test": test, "adjust": adjust, "resamples": resamples}
    pairs = cast(PairKeywords, {name: value for name, value in chosen.items() if value is not None})
    pairs |= {
        "null": null, "margin": margin, "level": level, "alternative": alternative, "seed": seed,
    }  # fmt: skip
    of_rows = {
        "frequency": frequency, "pos_label": pos_label, "design": design,
        "certified": None if certified is True else certified,
    }  # fmt: skip
    if isinstance(measure, ListMeasure) or of_queries(measure, qid, lists, y_true):
        pairs["paired"] = paired
        return compare_by_query(
            y_true, scores, measure=measure, qid=qid, lists=lists,
            of_rows={"cluster": cluster, "sample_weight": sample_weight, **of_rows},
            options=EstimateOptions(level=level, lower_is_better=lower_is_better, nan=nan), **pairs,
        )  # fmt: skip
    if (scale := of_outcomes(measure)) is not None:
        curves = None if test in OF_OUTCOMES else pairs.pop("test")
        of_rows.pop("certified")
        return compare_concordance(
            y_true, scores, sample_weight=sample_weight, cluster=cluster,
            design=of_rows.pop("design"),
            two_classes={"test": curves, "paired": None if paired is True else paired, **of_rows},
            lower_is_better=lower_is_better, nan=nan, scale=scale, certified=certified, **pairs,
        )  # fmt: skip
    question = ComparisonQuestion.of(
        measure=measure, design=design, pos_label=pos_label, lower_is_better=lower_is_better,
        nan=nan, certified=certified, **pairs,
    )  # fmt: skip
    rows = model_rows(
        y_true, scores, sample_weight=sample_weight, frequency=frequency, cluster=cluster,
        pos_label=pos_label, lower_is_better=lower_is_better, nan=nan,
    )  # fmt: skip
    if within is None:
        refuse_pairs(counts=counts)
        return compare_rows(rows, question, paired=paired)
    if frequency is not None:
        raise InputError(
            "groups are given row by row", where="frequency",
            fix="repeat the rows and the groups with np.repeat, or name the columns of a table",
        )  # fmt: skip
    if not paired or rows.omitted:
        raise InputError(
            "a comparison within groups needs paired scores, without gaps",
            where="within",
            fix="leave paired and nan out",
        )
    code = codes(within, "within")[0]
    check_lengths({"y_true": len(next(iter(rows.rows.values()))), "within": len(code)})
    return compare_within(
        rows.rows, code, within_of(question.measure, counts=counts or "pairs"), question
    )


def compare_within(
    rows: Mapping[str, BinaryRows], code: NDArray[np.int64], measure: Within,
    question: ComparisonQuestion,
) -> Comparison:  # fmt: skip
    if question.test not in OF_OUTCOMES:
        raise UnsoundError(
            "this test has no form within groups",
            where="test",
            value=question.test,
            fix='use "delong-t" or "bootstrap-t"',
        )
    samples = {name: ScoredGroups(own, code) for name, own in rows.items()}
    return compare_by_measure(compared_by(measure, samples, question.options), question)


def compare_multiclass(
    y_true: Any,
    scores: Mapping[str, Any],
    *,
    scheme: Scheme = "ovr",
    average: Average = "macro",
    labels: Any = None,
    adjust: str = DEFAULT,
    null: float = 0.0,
    margin: float | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    seed: int = 0,
    certified: bool = True,
) -> Comparison:
    """Test every pair of models for a difference of their AUC over several classes.

    ``scores`` maps each model's name to its score columns. The columns, ``scheme``, ``average`` and
    ``labels`` are as in `rocsolid.multiclass_auc`, and the other keywords as in `rocsolid.compare`.
    The test extends DeLong's: the influences of each row on the two-class AUCs are averaged and
    summed within its class, with Welch's degrees of freedom. A certified interval combines two
    certified intervals, each with half the error.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(300) % 3
    >>> good, poor = (pull * np.eye(3)[y] + rng.normal(size=(300, 3)) for pull in (2.0, 1.0))
    >>> pair = compare_multiclass(y, {"good": good, "poor": poor}).pairs[0]
    >>> round(pair.difference, 4), pair.p_value < 0.001
    (0.1924, True)
    """
    question = ComparisonQuestion.of(
        adjust=adjust, null=null, margin=margin, level=level, alternative=alternative, seed=seed,
        certified=certified,
    )  # fmt: skip
    if not isinstance(scores, Mapping) or len(scores) < 2:
        raise InputError(
            "a comparison needs at least two models by name",
            where="scores",
            fix='pass {"a": columns of a, "b": columns of b}',
        )
    models = {str(name): class_rows(y_true, columns, labels) for name, columns in scores.items()}
    first = next(iter(models.values()))
    for name, model in models.items():
        if model.names != first.names:
            raise InputError(
                "the models score different classes, or in a different order",
                where=f"scores of {name!r}",
                value=model.names,
                fix=f"give columns for {', '.join(first.names)}",
            )
    lone = [name for name, size in zip(first.names, first.sizes, strict=True) if size < 2]
    if lone:
        raise UnsoundError(
            "DeLong's test needs at least two rows of each class",
            where=f"class {lone[0]!r}",
            fix="collect more rows, or use rocsolid.multiclass_auc for each model, with its "
            "certificate",
        )
    compared = compared_by(multiclass(WholeArea(), average, scheme), models, question.options)
    warnings = next(iter(compared.estimates.values())).warnings
    return compare_by_measure(compared, question, warnings=warnings)


def compare_samples(
    samples: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    **how: Unpack[ComparisonKeywords],
) -> Comparison:
    """Test every pair of independent samples for a difference.

    ``samples`` is a list of (labels, scores) pairs, or a mapping of names to such pairs. Without
    names the samples are called "1", "2", ... ``sample_weight`` and ``cluster`` have one column for
    each sample, in a list or a mapping by name; clusters of different samples are distinct. All
    further keywords are as in `rocsolid.compare`.

    >>> first = ([0, 0, 0, 0, 1, 1, 1], [1, 2, 4, 5, 3, 6, 7])
    >>> second = ([0, 0, 0, 1, 1, 1, 1], [1, 5, 6, 2, 3, 4, 7])
    >>> pair = compare_samples({"north": first, "south": second}).pairs[0]
    >>> print(pair.a, pair.b, f"{pair.difference:.4f} {pair.df:.2f} {pair.p_value:.4f}")
    north south 0.3333 6.18 0.4341
    """
    question = ComparisonQuestion.of(**how)
    by_name = _by_name(samples)
    weights = _columns(sample_weight, "sample_weight", by_name)
    clusters = _columns(cluster, "cluster", by_name)
    rows = {
        name: binary_rows(
            y, score, sample_weight=weights[name], cluster=clusters[name],
            pos_label=question.options.pos_label,
            lower_is_better=question.options.lower_is_better, nan=question.options.nan,
        )
        for name, (y, score) in by_name.items()
    }  # fmt: skip
    return compare_sample_rows(rows, question)


def compare_sample_rows(rows: dict[str, BinaryRows], question: ComparisonQuestion) -> Comparison:
    missing = {name: part.omitted for name, part in rows.items() if part.omitted}
    warnings = missing_from(missing)
    omitted = sum(missing.values())
    return compare_rows_of("samples", question, rows, False, omitted, warnings)


def _by_name(samples: Any) -> dict[str, tuple[Any, Any]]:
    given: dict[str, Any] = {}
    if isinstance(samples, Mapping):
        given = {str(name): sample for name, sample in samples.items()}
    elif isinstance(samples, list | tuple):
        given = {str(i): sample for i, sample in enumerate(samples, start=1)}
    if len(given) < 2:
        raise InputError(
            "a comparison needs at least two samples",
            where="samples",
            value=list(given),
            fix="pass (y, score) for each, or a mapping of names to such pairs",
        )
    for name, sample in given.items():
        if not isinstance(sample, tuple | list) or len(sample) != 2:
            raise InputError(
                "a sample is a pair of labels and scores",
                where=f"sample {name!r}",
                fix="pass (y, score)",
            )
    return {name: (sample[0], sample[1]) for name, sample in given.items()}


def _columns(given: Any, argument: str, samples: dict[str, tuple[Any, Any]]) -> dict[str, Any]:
    if given is None:
        return dict.fromkeys(samples)
    if isinstance(given, Mapping):
        columns = {str(name): column for name, column in given.items()}
    else:
        columns = dict(zip(samples, given, strict=True)) if len(given) == len(samples) else {}
    if columns.keys() != samples.keys():
        raise InputError(
            f"{argument} must have one column for each sample",
            where=argument,
            fix=f"pass a mapping with the names {', '.join(samples)}, or a list in their order",
        )
    return columns
