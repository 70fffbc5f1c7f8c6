"""How many times the rows a decision by a one-sided limit takes."""

from __future__ import annotations

import math


def times_to_decide(
    gap: float, reach: float, std_error: float | None, fixed: float = 0.0
) -> float | None:
    """t with √t·(gap − fixed) = reach + z·σ: the limit then clears the bar with power .8.

    The estimate lies ``gap`` beyond the bar, its limit ``reach`` back from it; both that distance
    and the standard error shrink with the root of the number of rows, except the part ``fixed``.
    Assumes that rows to come are drawn like those that came and that the estimate is the truth: a
    prediction. ``None`` where no number of rows is enough.

    >>> times_to_decide(0.02, 0.04, 0.02)
    8.0...
    >>> times_to_decide(0.0, 0.04, 0.02) is None
    True
    """
    from scipy.special import ndtri

    left = gap - fixed
    if not left > 0.0 or not math.isfinite(reach):
        return None
    spread = reach / 1.645 if std_error is None or math.isnan(std_error) else std_error
    return ((reach + float(ndtri(0.8)) * spread) / left) ** 2
