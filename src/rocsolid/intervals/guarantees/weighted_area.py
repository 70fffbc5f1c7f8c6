"""What the guarantees for weighted areas share: sides, checks and the shape of the answer."""

from __future__ import annotations

import math

from rocsolid.arguments import is_number
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import IID, check_delta
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import Reads
from rocsolid.weights import Weight
from rocsolid.weights.weight import check_region

CURVE = "the value is that of the completed curve"
DKW_SOURCE = "Massart 1990 (Maurer and Pontil 2020, Theorem 8), for the completed curve"


def sizes_of_sides(weight: Weight, n_pos: float, n_neg: float) -> tuple[float, float]:
    """The sizes of the class that is averaged over and of the class whose rates are weighted.

    These are the positives and the negatives for a weight over false-positive rates, and the other
    way round for one over true-positive rates.
    """
    for name, size in (("n_pos", n_pos), ("n_neg", n_neg)):
        if not (is_number(size) and 1.0 <= size < math.inf):
            raise InputError("not a number of at least 1", where=name, value=size)
    pair = (float(n_pos), float(n_neg))
    return pair if weight.axis == "fpr" else pair[::-1]


def check_area(value: float, largest: float) -> float:
    """The value as a float, if it can be an area under a curve with this weight."""
    if not (is_number(value) and -1e-9 * largest <= value <= largest * (1 + 1e-9)):
        raise InputError(
            f"a weighted area must lie between 0 and {largest:g}, the integral of the weight",
            value=value,
            fix="give the raw value, as rs.weighted_auc does, not a rescaled one",
        )
    return float(value)


def box_area(fpr: tuple[float, float], tpr: tuple[float, float]) -> float:
    """The area of a box of rates, which bounds what of it can lie under the curve."""
    (a, b), (c, d) = (check_region(*fpr, "fpr"), check_region(*tpr, "tpr"))
    return (b - a) * (d - c)


def check_known(weight: Weight) -> None:
    """Refuse norms that were only probed: a guarantee cannot rest on them."""
    if weight.probed:
        raise InputError(
            "the norms of this weight were probed, which proves nothing",
            where="weight",
            fix="give its integral and sup_norm to rs.weights.from_callable (and lipschitz, where "
            "a bound needs it)",
        )


def check_lipschitz(weight: Weight, method: str) -> float:
    if not weight.lipschitz < math.inf:
        raise InputError(
            f"{method} needs a Lipschitz weight, and this one jumps",
            where="weight",
            fix="use weighted_band or weighted_dkw, or ramps below and above it (rs.weights.ramp) "
            "and weighted_sandwich",
        )
    return weight.lipschitz


def area_interval(
    low: float,
    high: float,
    delta: float,
    alternative: Alternative,
    method: str,
    largest: float,
    source: str,
    assumptions: tuple[str, ...] = (*IID, CURVE),
    *,
    reads: Reads,
) -> Interval:
    """Limits cut to [0, largest], where nothing is lost, with the free end set free."""
    return Interval(
        0.0 if alternative == "less" else min(max(low, 0.0), largest),
        largest if alternative == "greater" else min(max(high, 0.0), largest),
        1.0 - check_delta(delta),
        method,
        certified=True,
        assumptions=assumptions,
        source=source,
        range=(0.0, largest),
        reads=reads,
    )
