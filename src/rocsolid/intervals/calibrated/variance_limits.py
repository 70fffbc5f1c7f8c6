"""How small and how large DeLong's standard error can be for an AUC and the class sizes."""

from __future__ import annotations

import math
from typing import NamedTuple


class StdErrorLimits(NamedTuple):
    """The smallest for any scores, the smallest without ties across classes, and the largest."""

    tied: float
    untied: float
    most: float


def std_error_limits(auc: float, n_pos: int, n_neg: int) -> StdErrorLimits:
    """The range of DeLong's standard error, with and without ties across the classes.

    The square of the error is σ₁²/(m−1) + σ₀²/(n−1), with σ₁² and σ₀² the variances of the
    placements of both classes. Let a and b be the larger and the smaller of the two weights 1/(m−1)
    and 1/(n−1), and q = min(A, 1−A), because the error of reversed scores is the same.

    *Largest.* The two variances are two parts of the variance of the win of a random pair, at most
    A(1−A), so the square is at most aA(1−A).

    *Smallest without ties.* The losses fill a region of area q of the unit square, and the square
    is ∫∫ 2(ax + by) over it less q²(a + b). A region below a straight line makes that least.

    *Smallest with ties.* A block of ties is a straight piece of the ROC curve of sides dx and dy.
    It takes dx·dy·(a·dx + b·dy)/12 from the integral, at most a quarter, for each of the two terms,
    of what the integral has over the triangle below that piece; the triangles do not meet. So three
    quarters of the least integral are a limit. Beyond 2aq = b, where that is not attained, keep
    three quarters of b's term and of the share θ = b/(2aq) of a's, and (1−θ)aq² ≤ (1−θ)·(a's term)
    for the rest (Jensen). One block of ties attains both limits if the sizes allow it.

    >>> [round(limit, 4) for limit in std_error_limits(0.8, 50, 50)]
    [0.0308, 0.0425, 0.0571]
    """
    q = min(auc, 1.0 - auc)
    b, a = sorted((1.0 / (n_pos - 1), 1.0 / (n_neg - 1)))
    if 2.0 * a * q <= b:  # the line cuts off a corner
        line, shift = q * math.sqrt(2.0 * a * b * q), q**2 * (a + b)
        tied, untied = line - shift, 4.0 / 3.0 * line - shift
    else:
        tied, untied = b * q * (0.5 - q), b * q * (1.0 - q) - b**2 / (12.0 * a)
    most = a * q * (1.0 - q)
    return StdErrorLimits(*(math.sqrt(max(square, 0.0)) for square in (tied, untied, most)))
