"""A measure of one list: what it is called, what it takes, and the formula."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts.cutoff import Cutoff
from rocsolid.gains import Gain, exp2, linear
from rocsolid.graded.ranked_gains import RankedGains


def cutoff_in_name(cutoff: Cutoff) -> str:
    """What follows a measure's name.

    >>> cutoff_in_name(Cutoff(10)), cutoff_in_name(Cutoff())
    ('@10', '')
    """
    return f"@{cutoff.name}" if cutoff.name else ""


def rival_of(gain: Gain) -> Gain | None:
    """The gain that goes by the same name of a measure elsewhere, and differs from grade 2 on.

    >>> rival_of(linear()).name, rival_of(exp2()).name
    ('exp2', 'linear')
    """
    return exp2() if gain == linear() else linear() if gain == exp2() else None


def found_by(lists: RankedGains, rank: NDArray[np.int64]) -> NDArray[np.float64]:
    """The expected number of relevant documents among the first ``rank`` of each list.

    >>> lists = RankedGains(np.array([[1.0, 0.0, 1.0]]), np.array([3]), np.array([[1.0, 0.0, 1.0]]))
    >>> [float(found_by(lists, np.array([rank]))[0]) for rank in (0, 1, 3, 10)]
    [0.0, 1.0, 2.0, 2.0]
    """
    through = np.cumsum(lists.mean_gain, axis=1)
    at = np.minimum(rank, lists.width)
    found: NDArray[np.float64] = through[np.arange(len(lists)), np.maximum(at, 1) - 1]
    return np.where(at > 0, found, 0.0)


Formula = Callable[[RankedGains], NDArray[np.float64]]
"""A value for each list, NaN for a query without a relevant document."""


@dataclass(frozen=True, slots=True)
class GradedMeasure:
    """What a measure of one list is called, what it takes, and its formula.

    ``formula`` gives a value for each list, averaged exactly over the orders of tied documents, and
    NaN where it is not defined. ``name`` holds every convention that the value
    depends on, such as ``nDCG[linear,log2]@10``. ``gain`` turns grades into what the formula sees;
    ``cutoff`` is the number of ranks that it reads, which is also where the share of judged
    documents is taken. ``meaning`` says what the mean over queries is, with a place for
    ``{value}``. ``range`` are the lowest and the highest possible value, which may be infinite.
    ``rival`` is the same measure by the other gain of that name, whose value is shown where it
    differs; ``residual`` what documents that nobody judged or listed could add to it. A measure
    has one of the two at most. ``without`` names what a query lacks for which the formula gives
    NaN.
    """

    name: str
    gain: Gain
    formula: Formula
    meaning: str
    cutoff: Cutoff
    range: tuple[float, float] = (0.0, 1.0)
    rival: GradedMeasure | None = None
    without: str = "relevant document"
    residual: GradedMeasure | None = None
