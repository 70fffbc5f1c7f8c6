"""Scores of the same rows, compared by how they order an outcome of any number of values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from rocsolid.binary.concordance import OrderedRows
from rocsolid.comparison.asked import ComparisonQuestion
from rocsolid.comparison.bootstrap_t import METHOD as BOOTSTRAP_T
from rocsolid.comparison.build import DEFAULT
from rocsolid.comparison.by_measure import compare_by_measure, compare_rows_of, compared_by
from rocsolid.comparison.keywords import ComparisonKeywords
from rocsolid.comparison.missing import missing_scores
from rocsolid.errors import UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.models import AlignedScores, several
from rocsolid.inputs.outcomes import outcome_rows
from rocsolid.measures.concordance import Concordance, OutcomeScore
from rocsolid.results.comparison import Comparison

OF_OUTCOMES = (None, DEFAULT, "delong-t", BOOTSTRAP_T)
"""The tests that need no more than each row's influence."""


def compare_concordance(
    outcome: Any,
    scores: Mapping[str, Any],
    *,
    sample_weight: Any,
    cluster: Any,
    two_classes: Mapping[str, Any],
    **how: Unpack[ComparisonKeywords],
) -> Comparison:
    """`rocsolid.compare` by concordance; ``two_classes`` are keywords for labels, and must be None.

    >>> y = [0, 1, 1, 2, 3, 3, 4, 5, 6, 8]
    >>> a, b = [1, 2, 3, 3, 5, 6, 7, 8, 9, 10], [3, 1, 5, 2, 4, 9, 7, 6, 8, 10]
    >>> from rocsolid import compare
    >>> print(compare(y, {"a": a, "b": b}, measure="concordance").pairs[0])
    a − b: +0.1744, [0.0246, 0.3242] at 95 % (delong-t), certified [-0.6611, 0.8241] at 95 %
    (difference of ordered-pairs), p = 0.0273, adjusted 0.0273
    """
    for name, value in two_classes.items():
        if value is not None:
            raise UnsoundError(
                f"{name} is for labels of two classes",
                where=name,
                value=value,
                fix='leave it out, or give labels and measure="auc"',
            )
    asked = ComparisonQuestion.of(**how)
    rows = outcome_rows(
        outcome, several(scores), sample_weight=sample_weight, cluster=cluster,
        lower_is_better=asked.lower_is_better, nan=asked.nan, name="y_true",
    )  # fmt: skip
    return compare_outcomes(rows, asked)


def compare_outcomes(rows: AlignedScores, asked: ComparisonQuestion) -> Comparison:
    """The same for rows that are validated already.

    The test is that of AUCs: Student's t with each unit's influence. Two outcomes are two classes,
    and get what `rocsolid.compare` says of their AUCs. Otherwise a certified interval is that of
    the two certified intervals, each at half the error.
    """
    outcomes = OrderedRows.of(rows)
    samples = {name: OutcomeScore(outcomes, name) for name in rows.scores}
    warnings = missing_scores(rows.omitted, rows.missing)
    if outcomes.two_outcomes:
        two_classes = {
            name: BinaryRows(
                outcomes.outcome == 1, score, rows.weight, rows.cluster, evened=rows.evened
            )
            for name, score in rows.scores.items()
        }
        areas = compare_rows_of("scores", asked, two_classes, True, rows.omitted, warnings)
        measure = Concordance()
        estimates = {name: measure.estimate(one, asked.options) for name, one in samples.items()}
        return replace(areas, measure=measure.name, estimates=estimates)
    compared = compared_by(Concordance(), samples, asked.options)
    return compare_by_measure(compared, asked, omitted=rows.omitted, warnings=warnings)
