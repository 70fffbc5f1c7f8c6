"""A measure of one list: what it is called, what it takes, and the formula."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts import Cutoff
from rocsolid.gains import Gain
from rocsolid.graded.ranked_gains import RankedGains

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
    ``rival`` is the same measure by the other gain that goes by its name, whose value is told where
    it differs; ``residual`` what documents that nobody judged or listed could add to it. A measure
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
