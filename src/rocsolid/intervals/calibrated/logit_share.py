"""Logit-t for a share with known row influences; near an end it fades into binomial limits."""

from __future__ import annotations

import math

from rocsolid.intervals.calibrated.tails import tail
from rocsolid.intervals.clopper_pearson import SOURCE as BINOMIAL
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.results.interval import Alternative

ENOUGH, FEW = 20.0, 5.0
"""Trials on the rarer side from which on logit-t stands alone, and up to which the hull stands."""
_ROUNDING = 1e-12  # closer to 0 or 1 a share under weights is at that end, and has no logit

SOURCE = (
    "influence functions on the logit scale (Boyd, Eng and Page 2013, section 3.2); with fewer "
    f"than {ENOUGH:g} trials on the rarer side the hull with binomial limits ({BINOMIAL})"
)


def hull_share(share: float, trials: float) -> float:
    """How much of a limit comes from the hull: all of it for few trials on the rarer side.

    >>> hull_share(0.5, 10.0), hull_share(0.5, 20.0), hull_share(0.5, 40.0)
    (1.0, 0.5, 0.0)
    """
    rarer = trials * min(share, 1.0 - share)
    if not rarer > FEW:
        return 1.0
    return min(max(math.log(ENOUGH / rarer) / math.log(ENOUGH / FEW), 0.0), 1.0)


def logit_share(
    share: float,
    variance: float,
    df: float,
    trials: float,
    level: float,
    alternative: Alternative,
    *,
    reach: float = 1.0,
    alone: bool = False,
) -> tuple[float, float]:
    """expit(logit Â ± t_ν √Var/(Â(1−Â))), and near an end the hull with Clopper and Pearson's.

    An average precision of m positives, or a share of k rows, varies at most about as much as the
    share of ``trials`` tosses of a coin (Boyd et al. 2013). Where few tosses fall on one side, the
    variance alone says too little, and at 0 or 1 it is 0. ``reach`` is the share when all trials
    come up. ``alone`` asks for logit-t without the hull; where there is no logit or no variance its
    limits are NaN.

    >>> low, high = logit_share(0.8, 0.0016, 60.0, 200.0, 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.7081 0.8683
    >>> low, high = logit_share(1.0, 0.0, float("nan"), 10.0, 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.6915 1.0000
    """
    from scipy.special import expit, logit, stdtrit

    known = _ROUNDING < share < 1.0 - _ROUNDING and variance > 0.0 and df > 0.0
    low = high = math.nan
    if known:
        half = float(stdtrit(df, tail(level, alternative))) * math.sqrt(variance)
        half /= share * (1.0 - share)
        centre = float(logit(share))
        low, high = float(expit(centre - half)), float(expit(centre + half))
    came_up = min(share / reach, 1.0)
    of_hull = 0.0 if alone else hull_share(came_up, trials) if known else 1.0
    if of_hull > 0.0:
        ends = clopper_pearson(came_up * trials, trials, 1.0 - tail(level, alternative))
        wide = (min(reach * float(ends[0]), share), max(reach * float(ends[1]), share))
        if known:
            low -= of_hull * max(low - wide[0], 0.0)
            high += of_hull * max(wide[1] - high, 0.0)
        else:
            low, high = wide
    return (0.0 if alternative == "less" else low, 1.0 if alternative == "greater" else high)
