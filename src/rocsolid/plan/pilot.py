"""What rows that are there already tell about the variance of a comparison to come."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.models import model_rows
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.folded import value_of
from rocsolid.measures.named import measure_of
from rocsolid.measures.whole_area import WholeArea
from rocsolid.plan.pulls import pulls
from rocsolid.results.plain import counted, one_line
from rocsolid.summaries.spread import Spread
from rocsolid.weights import Weight

_FLOATS = NDArray[np.float64]
_AUC = WholeArea()


@dataclass(frozen=True, slots=True, eq=False)
class Pilot:
    """Two scores' values of a measure on the same rows, and how they would vary with more rows.

    ``pos`` and ``neg`` are what one positive and one negative add to the covariance (of the AUC:
    the covariances of their placements, DeLong et al. 1988), kept apart so that any class ratio can
    be planned for.
    """

    names: tuple[str, str]
    measure: BinaryMeasure
    rows: tuple[BinaryRows, BinaryRows]
    values: tuple[float, float]
    pos: _FLOATS
    neg: _FLOATS
    n_pos: int
    n_neg: int

    __repr__ = one_line

    def __str__(self) -> str:
        spread = np.sqrt(np.diag(self.covariance(self.n_pos, self.n_neg)))
        each = ", ".join(
            f"{name} {value:.4f} (standard error {error:.4f})"
            for name, value, error in zip(self.names, self.values, spread, strict=True)
        )
        of = "" if self.measure.pairwise else f", {self.measure.name}"
        rows = f"{counted(self.n_pos, 'positive')} and {counted(self.n_neg, 'negative')}"
        return f"pilot of {rows}{of}: {each}"

    @classmethod
    def of(
        cls, names: tuple[str, str], measure: BinaryMeasure, rows: tuple[BinaryRows, BinaryRows]
    ) -> Pilot:
        """From the influence of each row, whose weight is that of its class."""
        a, b = (pulls(measure, each) for each in rows)
        sizes = [int(np.count_nonzero(of)) for of in (rows[0].positive, ~rows[0].positive)]
        parts = Spread.of(rows[0], [a, b], centred=not measure.of_rows).by_class()
        pos, neg = (size * part for size, part in zip(sizes, parts.covariances, strict=True))
        values = value_of(measure, rows[0], a), value_of(measure, rows[1], b)
        return cls(names, measure, rows, values, pos, neg, sizes[0], sizes[1])

    @property
    def aucs(self) -> tuple[float, float]:
        if self.measure.pairwise:
            return self.values
        a, b = self.rows
        return value_of(_AUC, a), value_of(_AUC, b)

    def at(self, prevalence: float) -> Pilot:
        """The same rows, with classes that weigh as much as among rows with these positives.

        Most values do not depend on the ratio of the classes, and stay as they are.
        """
        now = self.n_pos / (self.n_pos + self.n_neg)
        if not self.measure.of_ratio or math.isclose(prevalence, now, rel_tol=1e-9):
            return self
        positive = self.rows[0].positive
        weight = np.where(positive, prevalence / now, (1.0 - prevalence) / (1.0 - now))
        a, b = (replace(rows, weight=weight) for rows in self.rows)
        return Pilot.of(self.names, self.measure, (a, b))

    def covariance(self, n_pos: float, n_neg: float) -> _FLOATS:
        """The covariance matrix of the two values with so many rows of each class."""
        return np.asarray(self.pos / n_pos + self.neg / n_neg)


def pilot(
    y_true: Any,
    scores: Mapping[str, Any],
    *,
    measure: str | Weight | BinaryMeasure = "auc",
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
) -> Pilot:
    """Variances and covariance of two scores' values of a measure, to plan a larger comparison.

    They come from the influence of each row, and for the AUC are DeLong's; ``measure`` is as in
    `rocsolid.compare`. A measure without such a formula is refused. So is a cut at a number of rows
    such as "precision@100": among more rows the best 100 are a smaller share, with another
    precision, and are no more than before. Plan for a share, such as "precision@5%". A pilot of few
    rows gives an uncertain variance, and so an uncertain plan.

    >>> y = [0, 0, 0, 0, 1, 1, 1]
    >>> found = pilot(y, {"a": [1, 2, 4, 5, 3, 6, 7], "b": [1, 5, 3, 4, 2, 6, 7]})
    >>> print(found.aucs, found.covariance(30, 40).round(5).tolist())
    (0.8333333333333334, 0.75) [[0.0037, 0.00463], [0.00463, 0.00694]]
    """
    chosen = measure_of(measure)
    scored = model_rows(
        y_true, scores, pos_label=pos_label, lower_is_better=lower_is_better, nan=nan
    )
    if len(scored.rows) != 2:
        raise InputError(
            "a pilot has two scores", where="scores", value=list(scored.rows), fix="name two"
        )
    (name_a, a), (name_b, b) = scored.rows.items()
    n_pos = int(np.count_nonzero(a.positive))
    n_neg = len(a) - n_pos
    if chosen.of_so_many:
        raise InputError(
            "the best rows, if always so many, are a smaller share of more rows: another measure",
            where="measure",
            value=chosen.name,
            fix=f"cut off a share of the rows, such as {chosen.name.partition('@')[0]}@5%",
        )
    if min(n_pos, n_neg) < 2:
        raise UnsoundError(
            "a pilot needs at least two rows of each class",
            where=f"{n_pos} positives, {n_neg} negatives",
            fix="add rows, or give the AUCs and a correlation instead",
        )
    return Pilot.of((name_a, name_b), chosen, (a, b))
