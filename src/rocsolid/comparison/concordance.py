"""Scores of the same rows, compared by how they order an outcome of any number of values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from rocsolid.binary.concordance import OrderedRows
from rocsolid.comparison.asked import ComparisonKeywords, ComparisonQuestion
from rocsolid.comparison.assemble import FEW_CLUSTERS, assemble, concluded, missing_scores
from rocsolid.comparison.certificate import difference_of, level_of_each
from rocsolid.comparison.compared import Compared
from rocsolid.comparison.delong_t import delong_t
from rocsolid.comparison.equivalence import equivalences
from rocsolid.comparison.ranks import with_ranks
from rocsolid.errors import UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.models import AlignedScores, several
from rocsolid.inputs.outcomes import outcome_rows
from rocsolid.results.comparison import Comparison


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
    ordered = OrderedRows.of(rows)
    estimates = {name: ordered.estimate(name, "concordance", asked.options) for name in rows.scores}
    warnings = missing_scores(rows.omitted, rows.missing)
    if ordered.two_outcomes:
        parts = {
            name: BinaryRows(
                ordered.outcome == 1, score, rows.weight, rows.cluster, evened=rows.evened
            )
            for name, score in rows.scores.items()
        }
        found = assemble(
            "scores", asked, parts, paired=True, omitted=rows.omitted, warnings=warnings
        )
        return replace(found, measure="concordance", estimates=estimates)
    spread = ordered.spread(*rows.scores)
    sizes = tuple(spread.sizes())
    compared = Compared(asked.measure, estimates, (), True, spread, sizes, sizes)
    outcome = delong_t(compared, asked.question)
    each = replace(asked.options, level=level_of_each(asked.question))
    bounds = [ordered.estimate(name, "concordance", each).certified for name in rows.scores]
    certified = [
        None if a is None or b is None else difference_of(a, b, asked.question)
        for a, b in ((bounds[i], bounds[j]) for i, j in compared.pairs())
    ]
    pairs, groups, joint, said = concluded(outcome, certified, asked.adjust, asked.question)
    clusters = None if rows.cluster is None else int(rows.cluster.max()) + 1
    if clusters is not None and clusters < FEW_CLUSTERS:
        said.append(
            f"Only {clusters} clusters: the tests and intervals need more (about {FEW_CLUSTERS})."
        )
    settings = asked.settings(paired=True, omitted=rows.omitted) | {
        "weighted": rows.weight is not None,
        "clusters": clusters,
    }
    return with_ranks(
        Comparison(
            "concordance", "scores", estimates, spread.covariance(), pairs, groups, joint,
            asked.question.level, (*warnings, *said), settings,
            equivalences(asked, compared, pairs),
        )
    )  # fmt: skip
