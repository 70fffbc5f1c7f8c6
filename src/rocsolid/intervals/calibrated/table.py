"""The names of the calibrated methods, one function each, with what they assume."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.calibrated import auto, delong, hanley_mcneil, logit_t, newcombe5
from rocsolid.intervals.calibrated.tails import Limits
from rocsolid.results.interval import Alternative
from rocsolid.results.reads import VALUE, VARIANCE, Reads
from rocsolid.summaries.moments import Moments


@dataclass(frozen=True, slots=True)
class Method:
    """A calibrated method: its limits, its assumptions, its source, and where it does not hold.

    ``unsound`` marks the groups that get NaN limits and ``reason`` says why; the same condition on
    a single data set raises `UnsoundError`. ``reads`` is what of the labels the limits follow from.
    """

    limits: Callable[[Moments, float, Alternative], Limits]
    assumptions: tuple[str, ...]
    source: str
    unsound: Callable[[Moments], NDArray[np.bool_]]
    reason: str
    reads: Reads = VARIANCE


def _no_group(moments: Moments) -> NDArray[np.bool_]:
    """For the methods that hold for every estimate and every size.

    >>> _no_group(Moments(np.array([1.0, 0.8]), 0.0, 0.0, 9, 9))
    array([False, False])
    """
    return np.zeros(np.shape(moments.auc), dtype=np.bool_)


METHODS: dict[str, Method] = {
    "auto": Method(auto.auto, auto.ASSUMPTIONS, auto.SOURCE, _no_group, ""),
    "delong": Method(
        delong.delong, delong.ASSUMPTIONS, delong.SOURCE, delong.unsound, delong.REASON
    ),
    "logit-t": Method(
        logit_t.logit_t, logit_t.ASSUMPTIONS, logit_t.SOURCE, logit_t.unsound, logit_t.REASON
    ),
    "newcombe5": Method(
        newcombe5.newcombe5, newcombe5.ASSUMPTIONS, newcombe5.SOURCE, _no_group, "", VALUE
    ),
    "hanley-mcneil": Method(
        hanley_mcneil.hanley_mcneil,
        hanley_mcneil.ASSUMPTIONS,
        hanley_mcneil.SOURCE,
        hanley_mcneil.unsound,
        hanley_mcneil.REASON,
        VALUE,
    ),
}
"""Public name of each method of ``rs.auc(..., interval=name)``."""
