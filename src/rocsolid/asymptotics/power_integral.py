"""The integral in Theorems 3, 8, 9, 10, 12 and 13."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.asymptotics.curves.curve import Curve
from rocsolid.asymptotics.integrals import edges_towards_zero, integrate
from rocsolid.errors import InputError

_F = NDArray[np.float64]

_NEAREST = 2.0**-60  # 1 − t is 1 in double precision for every t below


def power_integral(curve: Curve, beta: float, share: float = 1.0) -> float:
    """(1−β)·∫ ȳ(s)(1−s)^−β ds over s from 1−c to 1, for 0 ≤ β < 1.

    In t = 1 − s the pieces shrink by half towards t = 0, where the singularity is; the last one, on
    which ȳ is ȳ(1) to the last bit, has a closed form. To 12 digits where ȳ has a finite slope at
    s = 1. A steeper curve may still move within the last bit of s before 1, which for β near 1
    carries weight: what that leaves open is refused beyond 1e-7.

    >>> from rocsolid.asymptotics.curves import linear
    >>> round(power_integral(linear(0.1, 0.6), 0.5), 12)
    0.433333333333
    """
    last_bit = 2.0**-53
    unseen = abs(float(curve.mean(1.0 - last_bit)) - curve.top) * last_bit ** (1.0 - beta)
    if unseen > 1e-7 * curve.levels.mean:
        raise InputError(
            f"the curve is so steep at s = 1 that its integral is known to {unseen:.1g} only",
            where="curve",
            fix="use a curve with a finite slope at the top, or a smaller β",
        )
    edges = edges_towards_zero(curve.from_top, share, _NEAREST)

    def weighted(t: _F) -> _F:
        return np.asarray(curve.mean(1.0 - t) * t**-beta)

    inner = integrate(weighted, edges)
    return float((1.0 - beta) * inner + curve.top * _NEAREST ** (1.0 - beta))
