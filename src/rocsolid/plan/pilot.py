"""What rows that are there already tell about the variance of a comparison to come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import box_area, curve
from rocsolid.binary.influence import row_influence
from rocsolid.binary.partial_area import Rates, Region
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.models import model_rows
from rocsolid.plan.curve import WHOLE
from rocsolid.results.plain import one_line
from rocsolid.summaries.weighted_placements import WeightedPlacements
from rocsolid.weights import step

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Pilot:
    """Two areas on the same rows, and how they would vary with other numbers of rows.

    ``areas`` are those in the region, the AUCs themselves where there is none.
    ``pos`` and ``neg`` are the covariances of the positives' and of the negatives' placements
    (DeLong et al. 1988), kept apart so that any class ratio can be planned for.
    """

    names: tuple[str, str]
    aucs: tuple[float, float]
    areas: tuple[float, float]
    pos: _FLOATS
    neg: _FLOATS
    n_pos: int
    n_neg: int
    region: Region

    __repr__ = one_line

    def __str__(self) -> str:
        spread = np.sqrt(np.diag(self.covariance(self.n_pos, self.n_neg)))
        each = ", ".join(
            f"{name} {area:.4f} (standard error {error:.4f})"
            for name, area, error in zip(self.names, self.areas, spread, strict=True)
        )
        return f"pilot of {self.n_pos:,} positives and {self.n_neg:,} negatives: {each}"

    def covariance(self, n_pos: float, n_neg: float) -> _FLOATS:
        """The covariance matrix of the two areas with so many rows of each class."""
        return np.asarray(self.pos / n_pos + self.neg / n_neg)


def pilot(
    y_true: Any,
    scores: Mapping[str, Any],
    *,
    fpr: Rates | None = None,
    tpr: Rates | None = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
) -> Pilot:
    """DeLong's variances and covariance of two scores, to plan a larger comparison with.

    With ``fpr`` or ``tpr`` the areas are partial ones, on the raw scale as in
    `rocsolid.partial_auc`, and their variances come from the influence of each row. A pilot of
    few rows gives an uncertain variance, and so an uncertain plan.

    >>> y = [0, 0, 0, 0, 1, 1, 1]
    >>> found = pilot(y, {"a": [1, 2, 4, 5, 3, 6, 7], "b": [1, 5, 3, 4, 2, 6, 7]})
    >>> print(found.aucs, found.covariance(30, 40).round(5).tolist())
    (0.8333333333333334, 0.75) [[0.0037, 0.00463], [0.00463, 0.00694]]
    """
    found = model_rows(
        y_true, scores, pos_label=pos_label, lower_is_better=lower_is_better, nan=nan
    )
    if len(found.rows) != 2:
        raise InputError(
            "a pilot has two scores", where="scores", value=list(found.rows), fix="name two"
        )
    region = WHOLE if fpr is None and tpr is None else Region.of(fpr, tpr)
    (name_a, a), (name_b, b) = found.rows.items()
    positive = a.positive
    n_pos, n_neg = int(positive.sum()), int((~positive).sum())
    if min(n_pos, n_neg) < 2:
        raise UnsoundError(
            "a pilot needs at least two rows of each class",
            where=f"{n_pos} positives, {n_neg} negatives",
            fix="add rows, or give the AUCs and a correlation instead",
        )
    (area_a, of_a), (area_b, of_b) = (_placed(rows, region) for rows in (a, b))
    pos, neg = (np.cov(np.stack([of_a[rows], of_b[rows]])) for rows in (positive, ~positive))
    return Pilot(
        (name_a, name_b),
        (_placed(a, WHOLE)[0], _placed(b, WHOLE)[0]),
        (area_a, area_b),
        pos,
        neg,
        n_pos,
        n_neg,
        region,
    )


def _placed(rows: BinaryRows, region: Region) -> tuple[float, _FLOATS]:
    """The area, and what each row adds to it."""
    if region == WHOLE:
        placed = WeightedPlacements.from_arrays(rows.positive, rows.score)
        return placed.auc, placed.placement
    if region.tpr == WHOLE.tpr:
        found = curve(rows, step(*region.fpr))
    elif region.fpr == WHOLE.fpr:
        found = curve(rows, step(*region.tpr, axis="tpr"))
    else:
        found = box_area(rows, region)
    if found.box is not None and found.variance == (0.0, 0.0):
        return found.value, np.zeros(len(rows))  # the curve does not run through the box
    return found.value, row_influence(rows.positive, rows.score, None, found.weight)
