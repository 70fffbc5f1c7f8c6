"""Where what a plan gives reaches what is asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from rocsolid.errors import InputError
from rocsolid.plan.sizes import LARGEST

TOO_MANY = float(LARGEST)
SMALLEST_ALPHA = 1e-15
DEVIATES = 5.0
"""AUCs are looked for between Φ(−5) and Φ(5)."""
Reached = Callable[[float], float]


def size_for(power: Reached, target: float, alpha: float, least: float, name: str) -> float:
    """The smallest size of a class, or of both in proportion, at which the power is reached.

    >>> print(f"{size_for(lambda n: 1 - 1 / n, 0.9, 0.05, 1.0, 'n_pos'):.6f}")
    10.000000
    """
    if target <= alpha:
        raise InputError(
            f"a power of no more than 1 − level = {alpha:g} takes no data at all",
            where="power",
            value=target,
            fix="ask for more, such as power=0.8",
        )
    size = first_size(lambda n: power(n) - target, least)
    if size is None:
        raise InputError(
            f"no number is enough: {TOO_MANY:.0e} give a power of {power(TOO_MANY):.4f}",
            where=name,
            value=target,
            fix="ask for less power, or let the other class grow too (prevalence=)",
        )
    return size


def alpha_for(power: Reached, target: float, most: float) -> float:
    """The alpha at which the power is just reached; one below 1e-15 is not looked for.

    >>> print(f"{alpha_for(lambda a: a**0.5, 0.2, 1.0):.6f}")
    0.040000
    """
    path = np.append(np.geomspace(SMALLEST_ALPHA, 0.99 * most, 80), most * (1.0 - 1e-12))
    found = first_along(lambda a: power(a) - target, path.tolist())
    if found is not None:
        return found
    if power(SMALLEST_ALPHA) >= target:
        raise InputError(
            f"the power is more even at a level of 1 − {SMALLEST_ALPHA:g}: "
            f"{power(SMALLEST_ALPHA):.6f}",
            where="power",
            value=target,
            fix="give level and leave power out",
        )
    raise InputError(
        f"no level is low enough: the lowest gives a power of {power(path[-1]):.4f}",
        where="power",
        value=target,
        fix="give more rows, or leave them out to find how many it takes",
    )


def size_for_width(spare: Reached, name: str) -> float:
    """The smallest size of a class, or of both in proportion, at which the interval is so narrow.

    >>> print(f"{size_for_width(lambda n: 0.1 - 1 / n, 'n_pos'):.6f}")
    10.000000
    """
    size = first_size(spare, 1.0)
    if size is None:
        raise InputError(
            f"no number is enough: {TOO_MANY:.0e} give an interval still too wide",
            where=name,
            fix="ask for a wider interval, or let the other class grow too (prevalence=)",
        )
    return size


def level_for(excess: Reached) -> float:
    """The level at which the interval becomes as wide as asked.

    >>> print(f"{level_for(lambda level: level - 0.9):.6f}")
    0.900000
    """
    path = 1.0 - np.geomspace(1.0 - 1e-6, 1e-12, 100)
    level = first_along(excess, path.tolist())
    if level is None:
        raise InputError(
            "no level gives this width: it is reached by none, or by all",
            where="half_width",
            fix="give level and leave half_width out",
        )
    return level


def auc_for(power: Reached, target: float, path: Iterable[float]) -> float:
    """The first AUC along a path at which the power is reached.

    >>> print(f"{auc_for(lambda a: 2 * a - 1, 0.6, (0.5, 0.7, 0.9)):.6f}")
    0.800000
    """
    places = list(path)
    auc = first_along(lambda a: power(a) - target, places)
    if auc is None:
        best = max((power(a) for a in places), default=0.0)
        if places and power(places[0]) >= target:
            best = power(places[0])
            raise InputError(
                f"the power is at least {best:.4f} at any AUC",
                where="power",
                value=target,
                fix="ask for more than 1 − level",
            )
        raise InputError(
            f"no AUC is far enough away: the most power is {best:.4f}",
            where="power",
            value=target,
            fix="give more rows, or leave them out to find how many it takes",
        )
    return auc


def aucs_between(start: float, end: float, count: int = 200) -> list[float]:
    """AUCs from one to another in even steps of normal deviates.

    >>> [round(auc, 3) for auc in aucs_between(0.5, 0.9, 3)]
    [0.5, 0.739, 0.9]
    """
    from scipy.special import ndtr, ndtri

    low, high = float(ndtr(-DEVIATES)), float(ndtr(DEVIATES))
    first, last = (float(ndtri(min(max(auc, low), high))) for auc in (start, end))
    return [float(auc) for auc in ndtr(np.linspace(first, last, count))]


def first_size(surplus: Reached, least: float) -> float | None:
    """The smallest size from ``least`` on with a surplus of 0 or more; None if there is no such.

    Doubled until it is enough, then narrowed down, so the surplus should not fall with the size.

    >>> print(f"{first_size(lambda n: n**0.5 - 7, 1.0):.9f}", first_size(lambda n: -1 / n, 1.0))
    49.000000000 None
    """
    low = high = least
    while surplus(high) < 0.0:
        if high >= TOO_MANY:
            return None
        low, high = high, min(2.0 * high, TOO_MANY)
    return least if high == least else _between(surplus, low, high)


def first_along(surplus: Reached, path: Iterable[float]) -> float | None:
    """The first place along a path at which the surplus turns from below 0 to 0 or more.

    >>> print(f"{first_along(lambda x: x * x - 0.25, (0.0, 0.4, 0.8, 1.0)):.9f}")
    0.500000000
    """
    before: float | None = None
    for place in path:
        if surplus(place) >= 0.0:
            return None if before is None else _between(surplus, before, place)
        before = place
    return None


def _between(surplus: Reached, low: float, high: float) -> float:
    from scipy.optimize import brentq

    if surplus(high) == 0.0:
        return high
    root = float(brentq(surplus, low, high, xtol=1e-300, rtol=1e-14, maxiter=500))
    # at a jump the root is just before it
    return root if surplus(root) >= 0.0 else root + (high - root) * 1e-12
