"""Models that score more than two classes, compared on the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocsolid.binary.multiclass_auc import class_rows
from rocsolid.binary.pairings import Average, Scheme
from rocsolid.comparison.asked import ComparisonQuestion
from rocsolid.comparison.build import DEFAULT
from rocsolid.comparison.by_measure import compare_by_measure, compared_by
from rocsolid.errors import InputError, UnsoundError
from rocsolid.measures.multiclass import multiclass
from rocsolid.measures.whole_area import WholeArea
from rocsolid.results import Alternative
from rocsolid.results.comparison import Comparison


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
) -> Comparison:
    """Every pair of models tested for a difference of their AUC over several classes.

    ``scores`` maps each model's name to its columns of scores, as `rocsolid.multiclass_auc` takes
    them; ``scheme``, ``average`` and ``labels`` are explained there, the rest at
    `rocsolid.compare`. The test is DeLong's, carried over: each row's influence on the mean of the
    two-class AUCs is added up within its class of rows, with Welch's degrees of freedom. The
    certified interval of a difference is that of the two certified intervals, each at half the
    error.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(300) % 3
    >>> good, poor = (pull * np.eye(3)[y] + rng.normal(size=(300, 3)) for pull in (2.0, 1.0))
    >>> pair = compare_multiclass(y, {"good": good, "poor": poor}).pairs[0]
    >>> round(pair.difference, 4), pair.p_value < 0.001
    (0.1924, True)
    """
    asked = ComparisonQuestion.of(
        adjust=adjust, null=null, margin=margin, level=level, alternative=alternative,
        seed=seed,
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
                "the models score different classes, or in different order",
                where=f"scores of {name!r}",
                value=model.names,
                fix=f"give columns for {', '.join(first.names)}",
            )
    lone = [name for name, size in zip(first.names, first.sizes, strict=True) if size < 2]
    if lone:
        raise UnsoundError(
            "DeLong's test needs at least two rows of each class",
            where=f"class {lone[0]!r}",
            fix="collect more rows, or read rocsolid.multiclass_auc of each model, with its "
            "certificate",
        )
    compared = compared_by(multiclass(WholeArea(), average, scheme), models, asked.options)
    warnings = next(iter(compared.estimates.values())).warnings
    return compare_by_measure(compared, asked, warnings=warnings)
