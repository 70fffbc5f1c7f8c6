"""Models that score more than two classes, compared on the same rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.multiclass_auc import class_rows, multiclass_estimate
from rocsolid.binary.pairings import Average, ClassRows, Scheme, influences, problems
from rocsolid.comparison.asked import ComparisonQuestion
from rocsolid.comparison.assemble import concluded
from rocsolid.comparison.certificate import difference_of, level_of_each
from rocsolid.comparison.compared import Compared
from rocsolid.comparison.delong_t import delong_t
from rocsolid.comparison.ranks import with_ranks
from rocsolid.errors import InputError, UnsoundError
from rocsolid.results import Alternative
from rocsolid.results.comparison import Comparison
from rocsolid.summaries.parts import Parts

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ClassSpread:
    """How each row pulls each model's mean AUC, a matrix of models × rows for each class."""

    pulls: tuple[_FLOATS, ...]

    def covariance(self) -> _FLOATS:
        return np.asarray(sum(_of_mean(pull) for pull in self.pulls))

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        """The covariance of differences, each the i-th value less the j-th, class by class."""
        i, j = (list(side) for side in zip(*pairs, strict=True))
        return Parts(
            tuple(_of_mean(pull[i] - pull[j]) for pull in self.pulls),
            tuple(pull.shape[1] - 1.0 for pull in self.pulls),
        )


def compare_multiclass(
    y_true: Any,
    scores: Mapping[str, Any],
    *,
    scheme: Scheme = "ovr",
    average: Average = "macro",
    labels: Any = None,
    adjust: str = "holm",
    null: float = 0.0,
    margin: float | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    seed: int = 0,
) -> Comparison:
    """Every pair of models tested for a difference of their AUC over several classes.

    ``scores`` maps each model's name to its columns of scores, as `rocsolid.multiclass_auc` takes
    them; ``scheme``, ``average`` and ``labels`` are explained there, the rest at
    `rocsolid.compare`. The test is DeLong's, carried over: each row's pull on the mean of the
    two-class AUCs is added up within its class of rows, with Welch's degrees of freedom. The
    certified interval of a difference is that of the two certified intervals, each at half the
    error.

    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(300) % 3
    >>> good, poor = (pull * np.eye(3)[y] + rng.normal(size=(300, 3)) for pull in (2.0, 1.0))
    >>> pair = compare_multiclass(y, {"good": good, "poor": poor}).pairs[0]
    >>> round(pair.difference, 4), pair.p_value < 0.001
    (0.1924, True)
    """
    asked = ComparisonQuestion.of(
        adjust=adjust, null=null, margin=margin, level=level, alternative=alternative,
        resamples=1, seed=seed,
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
    estimates = {
        name: multiclass_estimate(model, scheme, average, asked.options)
        for name, model in models.items()
    }
    spread = ClassSpread(_pulls(list(models.values()), scheme, average))
    outcome = delong_t(Compared(asked.measure, estimates, (), True, spread, ()), asked.question)
    each = replace(asked.options, level=level_of_each(asked.question))
    certified = [
        multiclass_estimate(model, scheme, average, each).certified for model in models.values()
    ]
    pairs, groups, joint, said = concluded(
        outcome,
        [
            difference_of(certified[i], certified[j], asked.question)
            for i, j in outcome.compared.pairs()
        ],
        asked.adjust,
        asked.question,
    )
    one = next(iter(estimates.values()))
    settings = asked.settings(paired=True, omitted=0) | {"scheme": scheme, "average": average}
    return with_ranks(
        Comparison(
            one.measure, "scores", estimates, spread.covariance(), pairs, groups, joint,
            level, (*one.warnings, *said), settings,
        )
    )  # fmt: skip


def _pulls(models: list[ClassRows], scheme: str, average: str) -> tuple[_FLOATS, ...]:
    by_model = []
    for model in models:
        parts = problems(model, scheme, average)
        weights = np.array([part.weight for part in parts])
        by_model.append([pull @ weights for pull in influences(model, parts)])
    return tuple(np.stack(of_class) for of_class in zip(*by_model, strict=True))


def _of_mean(pull: _FLOATS) -> _FLOATS:
    """The covariance of row means from a matrix of values × rows; NaN for one row."""
    size = pull.shape[1]
    if size < 2:
        return np.full((len(pull), len(pull)), np.nan)
    centred = pull - pull.mean(axis=1, keepdims=True)
    return np.asarray(centred @ centred.T / (size * (size - 1.0)))
