"""What an interval for an AUC needs to know about the data."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.units import Units

Numbers = float | NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Moments:
    """The AUC, the two parts of its variance, and the class sizes: scalars or equal-shaped arrays.

    With V10 the share of negatives that a positive is placed above and V01 the share of positives
    that a negative is placed below, ``var_pos`` is s²(V10)/m and ``var_neg`` is s²(V01)/n (NaN for
    a class of one row). Under weights the sizes are effective ones, (Σw)²/Σw², and for clusters how
    many there are of them. ``units`` says how evenly weights or clusters share out what there is.
    """

    auc: Numbers
    var_pos: Numbers
    var_neg: Numbers
    n_pos: Numbers
    n_neg: Numbers
    units: Units | None = field(default=None, kw_only=True)

    @property
    def variance(self) -> Numbers:
        return self.var_pos + self.var_neg
