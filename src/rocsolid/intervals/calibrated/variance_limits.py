"""How small and how large DeLong's standard error can be for an AUC and the class sizes."""

from __future__ import annotations

import math


def std_error_limits(auc: float, n_pos: int, n_neg: int) -> tuple[float, float]:
    """The smallest for scores without ties across classes, and the largest for any scores.

    The square of the error is σ₁²/(m−1) + σ₀²/(n−1), with σ₁² and σ₀² the variances of the
    placements of both classes. They are two parts of the variance of the win of a random pair, at
    most A(1−A), so the largest error is √(A(1−A)/(min(m, n)−1)). Without ties the wins fill a
    region of the unit square of area A; with a and b the larger and the smaller of the two weights
    1/(m−1) and 1/(n−1) the sum is ∫∫ 2(ay + bx) over it, less A²(a + b), and a straight line
    across the square makes it least. Ties across classes can make the error 0.

    >>> [round(limit, 4) for limit in std_error_limits(0.8, 50, 50)]
    [0.0425, 0.0571]
    """
    share = min(auc, 1.0 - auc)  # the error of the reversed scores is the same
    b, a = sorted((1.0 / (n_pos - 1), 1.0 / (n_neg - 1)))
    if 2.0 * a * share <= b:  # the line cuts off a corner
        least = 4.0 / 3.0 * share * math.sqrt(2.0 * a * b * share) - share**2 * (a + b)
    else:
        least = b * share * (1.0 - share) - b**2 / (12.0 * a)
    return math.sqrt(max(least, 0.0)), math.sqrt(a * share * (1.0 - share))
