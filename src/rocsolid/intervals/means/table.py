"""The names of the methods for a mean over queries, one function each, with what they assume."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.hoeffding import hoeffding_limits
from rocsolid.intervals.guarantees.kl import kl_limits
from rocsolid.intervals.means import auto, betting, logit_t, t
from rocsolid.intervals.means.sample import Sample
from rocsolid.intervals.means.t import Limits
from rocsolid.results.interval import Alternative
from rocsolid.results.reads import ROWS, VALUE, VARIANCE, Reads


@dataclass(frozen=True, slots=True)
class MeanMethod:
    """A method for a mean: its limits, whether it is certified, and what it needs.

    ``bounded`` methods need the range of the measure; the others need two queries that differ.
    ``reads`` is what of the values the limits follow from; the class sizes are the queries here.
    """

    limits: Callable[[Sample, float, Alternative], Limits]
    assumptions: tuple[str, ...]
    source: str
    certified: bool
    bounded: bool
    reads: Reads


def _auto(sample: Sample, level: float, alternative: Alternative) -> Limits:
    if not sample.bounded:
        return auto.auto_limits(sample.values[None], level, alternative, bounded=False)
    return sample.unscaled(auto.auto_limits(sample.shares[None], level, alternative))


def _t(sample: Sample, level: float, alternative: Alternative) -> Limits:
    return t.t_limits(sample.mean, sample.std_error, sample.size - 1, level, alternative)


def _logit_t(sample: Sample, level: float, alternative: Alternative) -> Limits:
    error = sample.std_error / (sample.high - sample.low)
    found = logit_t.logit_t_limits(sample.share, error, sample.size - 1, level, alternative)
    return sample.unscaled(found)


def _betting(sample: Sample, level: float, alternative: Alternative) -> Limits:
    return sample.unscaled(betting.betting_limits(sample.shares[None], 1.0 - level, alternative))


def _from_mean(limits: Callable[..., Limits]) -> Callable[[Sample, float, Alternative], Limits]:
    """A bound that needs no more than the mean and the number of values, all in [0, 1]."""

    def of(sample: Sample, level: float, alternative: Alternative) -> Limits:
        share = np.clip(sample.share, 0.0, 1.0)
        return sample.unscaled(limits(share, sample.size, 1.0 - level, alternative))

    return of


_HOEFFDING = "Hoeffding, Journal of the American Statistical Association 58 (1963), 13-30"

METHODS: dict[str, MeanMethod] = {
    "auto": MeanMethod(
        _auto, auto.ASSUMPTIONS, auto.SOURCE, certified=False, bounded=False, reads=ROWS
    ),
    "t": MeanMethod(_t, t.ASSUMPTIONS, t.SOURCE, certified=False, bounded=False, reads=VARIANCE),
    "logit-t": MeanMethod(
        _logit_t,
        logit_t.ASSUMPTIONS,
        logit_t.SOURCE,
        certified=False,
        bounded=True,
        reads=VARIANCE,
    ),
    "betting": MeanMethod(
        _betting,
        betting.ASSUMPTIONS,
        betting.SOURCE,
        certified=True,
        bounded=True,
        reads=ROWS,
    ),
    "hinge": MeanMethod(
        _from_mean(hinge_limits),
        betting.ASSUMPTIONS,
        f"{_HOEFFDING}, with the hinge (B−j)₊ in place of an exponential",
        certified=True,
        bounded=True,
        reads=VALUE,
    ),
    "kl": MeanMethod(
        _from_mean(kl_limits),
        betting.ASSUMPTIONS,
        f"{_HOEFFDING}, Theorem 1",
        certified=True,
        bounded=True,
        reads=VALUE,
    ),
    "hoeffding": MeanMethod(
        _from_mean(hoeffding_limits),
        betting.ASSUMPTIONS,
        f"{_HOEFFDING}, Theorem 2",
        certified=True,
        bounded=True,
        reads=VALUE,
    ),
}
"""Public name of each method of ``interval=name`` for a mean over queries."""

CERTIFICATE = "betting"
"""What every bounded measure carries beside the interval requested, whatever its values are."""
