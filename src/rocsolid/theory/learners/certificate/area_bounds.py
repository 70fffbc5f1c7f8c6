"""Training-set bounds for an area over part of the curve."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import Region
from rocsolid.binary.curve_area import curve_area
from rocsolid.summaries.placements import SortedClasses
from rocsolid.theory.guarantees.gaussian_complexity import GaussianComplexity, gaussian_linear
from rocsolid.theory.guarantees.shatter import Linear
from rocsolid.theory.guarantees.weighted_uniform import weighted_corollary_4, weighted_uniform_curve
from rocsolid.theory.learners.certificate.training_rows import (
    NO_RADIUS,
    Bound,
    Made,
    Named,
    TrainingRows,
    in_part,
)
from rocsolid.weights import losses, ramp, step

_COMPLEXITY_SHARE = 0.1  # of a bound's δ, for the complexity of the class
_SIDE = 0.5  # of the region is given up to the sloping sides of the weight
_WIDTH = 0.5  # of the radius: the scores' distance from which on a pair counts in full


def dichotomies(
    classes: SortedClasses, sizes: tuple[int, int], region: Region, scorers: Linear
) -> Made:
    whole = step(*region.fpr)

    def made(delta: float) -> Bound:
        value = curve_area(classes, whole)
        certified = weighted_uniform_curve(value, *sizes, whole, scorers, delta, "greater")
        return Bound(certified.interval.method, value, certified.interval, region.diagonal)

    return made


def area_bounds(
    rows: TrainingRows, w: NDArray[np.float64], region: Region, radius: float | None
) -> Named:
    """Yield each bound by name, or why it is missing, for a region of false-positive rates.

    Corollary 4 is about weights of norm 1, to which every linear scorer can be scaled: then G(H) ≤
    √(E Σ‖xᵢ‖²), bounded by the radius. The region's step lies above a weight with sloping sides,
    which measures the training rows.
    """
    classes = rows.linear(w / np.linalg.norm(w))
    by_sets = dichotomies(classes, rows.sizes, region, Linear(rows.features))
    yield "weighted-uniform, dichotomies", by_sets
    if radius is None:
        yield "weighted-corollary-4", NO_RADIUS
        return

    yield (
        "weighted-corollary-4",
        corollary_4(classes, rows.sizes, region, radius, lambda delta: gaussian_linear(
            1.0, np.concatenate([rows.pos, rows.neg]), radius, delta
        )),
    )  # fmt: skip


def corollary_4(
    classes: SortedClasses,
    sizes: tuple[int, int],
    region: Region,
    radius: float,
    complexity: Callable[[float], GaussianComplexity],
) -> Made:
    (a, b), width, whole = region.fpr, _WIDTH * radius, step(*region.fpr)
    sides = (a > 0.0) + (b < 1.0)
    between = ramp(a, b, max(sides, 1) / (_SIDE * (b - a)), side="below") if sides else whole

    def made(delta: float) -> Bound:
        value = in_part(classes, between, width)
        certified = weighted_corollary_4(
            value, *sizes, between, between, whole, losses.ramp(width),
            complexity(_COMPLEXITY_SHARE * delta), delta,
        )  # fmt: skip
        return Bound(certified.interval.method, value, certified.interval, region.diagonal)

    return made
