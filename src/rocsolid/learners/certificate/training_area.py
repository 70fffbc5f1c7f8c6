"""Training-set bounds for a partial area of linear scorers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.curve_area import curve_area
from rocsolid.binary.partial_area import Region
from rocsolid.intervals.guarantees import (
    Linear,
    gaussian_linear,
    weighted_corollary_4,
    weighted_uniform_curve,
)
from rocsolid.learners.certificate.training_linear import NO_RADIUS
from rocsolid.learners.certificate.training_rows import Bound, Made, TrainingRows, in_part
from rocsolid.weights import losses, ramp, step

_COMPLEXITY_SHARE = 0.1  # of a bound's δ, for the complexity of the class
_SIDE = 0.5  # of the region is given up to the sloping sides of the weight
_WIDTH = 0.5  # of the radius: the scores' distance from which on a pair counts in full


def area_bounds(
    rows: TrainingRows, w: NDArray[np.float64], region: Region, radius: float | None
) -> Iterator[tuple[str, Made | str]]:
    """Each bound by name, or why it cannot be had, for rows with false-positive rates in a region.

    Corollary 4 is about weights of norm 1, which every linear scorer can be given without a change
    of its ranking: then G(H) ≤ √(E Σ‖xᵢ‖²), bounded through the radius. The region's step lies
    above a weight with sloping sides, and that is what the training rows are measured by.
    """
    direction = w / np.linalg.norm(w)
    classes, whole = rows.linear(direction), step(*region.fpr)

    def dichotomies(delta: float) -> Bound:
        value = curve_area(classes, whole)
        found = weighted_uniform_curve(
            value, *rows.sizes, whole, Linear(rows.features), delta, "greater"
        )
        return Bound(found.interval.method, value, found.interval, region.diagonal)

    yield "weighted-uniform, dichotomies", dichotomies
    if radius is None:
        yield "weighted-corollary-4", NO_RADIUS
        return

    def corollary_4(delta: float) -> Bound:
        (a, b), width = region.fpr, _WIDTH * radius
        sides = (a > 0.0) + (b < 1.0)
        between = ramp(a, b, max(sides, 1) / (_SIDE * (b - a)), side="below") if sides else whole
        value = in_part(classes, between, width)
        complexity = gaussian_linear(
            1.0, np.concatenate([rows.pos, rows.neg]), radius, _COMPLEXITY_SHARE * delta
        )
        found = weighted_corollary_4(
            value, *rows.sizes, between, between, whole, losses.ramp(width), complexity, delta
        )
        return Bound(found.interval.method, value, found.interval, region.diagonal)

    yield "weighted-corollary-4", corollary_4
