"""Mean relevance over windows of relative ranks, with limits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.intervals.clopper_pearson import SOURCE as CLOPPER_PEARSON
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.intervals.guarantees.kl import kl_limits
from rocsolid.theory.asymptotics.curves.lists import RankedLists

_F = NDArray[np.float64]

WITHIN = (
    "items independent and identically distributed",
    "scorer fixed before this data was seen",
    "about the mean relevance over the scores that the window covers; that these are the relative "
    "ranks shown is an estimate",
)
ACROSS = (
    "queries independent and identically distributed",
    "scorer fixed before this data was seen",
    "about the mean over queries of a query's relevance at these relative ranks",
)
BOUNDED = "no gain is higher than the highest one seen"


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """The windows that were used, the mean relevance in each, and limits for it."""

    start: _F
    end: _F
    mean: _F
    low: _F
    high: _F
    assumptions: tuple[str, ...]
    source: str


def windows(lists: RankedLists, start: _F, end: _F, level: float) -> Windows:
    """Means and limits over the windows [start, end] of relative ranks.

    One list: a window moves to the nearest ends of blocks of equal scores, so that it holds whole
    items. Given the scores just outside of it, they are a sample of the population between these
    scores. Two gains: the limits of Clopper and Pearson, exact at every size; more: Hoeffding's
    relative-entropy limits. Several queries: these limits for the mean over queries, which are
    independent, while the items of a query are not.

    The limits hold for each window by itself, not for all at once.
    """
    if not 0.0 < level < 1.0:
        raise InputError("a level lies between 0 and 1", where="level", value=level, fix="use 0.95")
    if lists.queries == 1:
        return _within(lists, start, end, level)
    return _across(lists, start, end, level)


def _within(lists: RankedLists, start: _F, end: _F, level: float) -> Windows:
    n, borders = lists.items, lists.borders
    first, last = nearest(borders, start * n), nearest(borders, end * n)
    # a window inside one block of equal scores becomes that block
    empty = first == last
    after = np.clip(np.searchsorted(borders, (start + end) / 2 * n), 1, len(borders) - 1)
    first, last = np.where(empty, borders[after - 1], first), np.where(empty, borders[after], last)
    total = np.concatenate([[0.0], np.cumsum(lists.given)])
    count = last - first
    hits = total[last] - total[first]
    top = float(lists.given.max())
    if set(np.unique(lists.given)) <= {0.0, top}:
        low, high = clopper_pearson(np.rint(hits / top), count, (1.0 - level) / 2)
        assumptions: tuple[str, ...] = WITHIN
        source = CLOPPER_PEARSON
    else:
        low, high = kl_limits(np.minimum(hits / (top * count), 1.0), count, 1.0 - level)
        assumptions, source = (*WITHIN, BOUNDED), "Hoeffding 1963, Theorem 1"
    return Windows(first / n, last / n, hits / count, low * top, high * top, assumptions, source)


def _across(lists: RankedLists, start: _F, end: _F, level: float) -> Windows:
    mean = np.zeros(len(start))
    for begin, stop in zip(lists.offsets[:-1], lists.offsets[1:], strict=True):
        area = np.concatenate([[0.0], np.cumsum(lists.gain[begin:stop])]) / (stop - begin)
        at = np.linspace(0.0, 1.0, stop - begin + 1)
        mean += np.interp(end, at, area) - np.interp(start, at, area)
    mean /= lists.queries * (end - start)
    top = float(lists.given.max())
    share = np.clip(mean / top, 0.0, 1.0)
    low, high = kl_limits(share, lists.queries, 1.0 - level)
    return Windows(
        start, end, mean, low * top, high * top, (*ACROSS, BOUNDED), "Hoeffding 1963, Theorem 1"
    )


def nearest(borders: NDArray[np.intp], at: _F) -> NDArray[np.intp]:
    """The border nearest to each place."""
    after = np.clip(np.searchsorted(borders, at), 1, len(borders) - 1)
    below, above = borders[after - 1], borders[after]
    return np.where(at - below <= above - at, below, above)
