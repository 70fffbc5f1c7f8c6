"""Which bootstrap interval a statistic gets, given what is known of its resamples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.binary.resampling.schemes import Scheme, check_scheme
from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.bootstrap.bca import SOURCE as BCA_SOURCE
from rocsolid.intervals.bootstrap.bca import acceleration, bca
from rocsolid.intervals.bootstrap.percentile import SOURCE as PERCENTILE_SOURCE
from rocsolid.intervals.bootstrap.percentile import percentile
from rocsolid.intervals.bootstrap.studentised import SOURCE as LOGIT_SOURCE
from rocsolid.intervals.bootstrap.studentised import studentised_logit
from rocsolid.intervals.calibrated.tails import tail
from rocsolid.results import Alternative

_FLOATS = NDArray[np.float64]

NAMES = ("bootstrap", "bootstrap-percentile", "bootstrap-bca", "bootstrap-logit")
"""The recommended one, and those it is chosen from."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """How often, from which seed and by which scheme rows are resampled."""

    resamples: int = 2000
    seed: int = 0
    scheme: Scheme | None = None

    def check(self, interval: str) -> None:
        """Refuse an unknown scheme, and one for an interval that resamples nothing."""
        check_scheme(self.scheme)
        if self.scheme is not None and interval not in NAMES:
            raise InputError(
                f"the interval {interval!r} resamples nothing",
                where="scheme",
                value=self.scheme,
                fix='set interval="bootstrap", or leave the scheme out',
            )

    def settings(self, interval: str, clustered: bool = False) -> dict[str, int | str]:
        """What a result records of the resampling: nothing unless its interval was resampled."""
        if interval not in NAMES:
            return {}
        scheme = self.scheme or ("cluster" if clustered else "stratified")
        # NumPy's integers are no JSON
        return {"resamples": int(self.resamples), "seed": int(self.seed), "scheme": scheme}

    def words(self, scheme: Scheme) -> str:
        return f"{self.resamples:,} resamples, seed {self.seed}, {scheme}"


@dataclass(frozen=True, slots=True, eq=False)
class Resampled:
    """A statistic between 0 and 1 with what bootstrap intervals ask of its resamples.

    ``values`` are those of the resamples; ``moments`` the values with the variance in each, where
    that is known, and ``influence`` that of each independent unit; ``recommended`` names the
    interval that is best away from the ends of the range. ``near_boundary`` says that few
    rows carry the tail; ``unresampled`` are the limits that hold there. ``range`` is what values
    there can be.
    """

    value: float
    variance: float
    recommended: str
    values: Callable[[], _FLOATS]
    moments: Callable[[], tuple[_FLOATS, _FLOATS]] | None
    influence: Callable[[], _FLOATS] | None
    near_boundary: bool
    unresampled: Callable[[], tuple[float, float]]
    range: tuple[float, float] = (0.0, 1.0)


def bootstrap_limits(
    sample: Resampled, name: str, level: float, alternative: Alternative, resamples: int
) -> tuple[float, float, str, str]:
    """The limits, the name of the method that was used, and its source.

    "bootstrap" is the one that is recommended for the statistic. Near the ends of its range, where
    no bootstrap covers as it should, it is the hull of BCa (of percentiles, where there is no BCa)
    and the interval "auto"; the page on intervals has the figures.
    """
    whole(resamples, "resamples")
    if (1.0 - tail(level, alternative)) * resamples < 1.0:
        raise InputError(
            f"{resamples} resamples do not reach into the tails of a {level:g} interval",
            where="resamples",
            value=resamples,
            fix="take 2,000 or more",
        )
    if name != "bootstrap":
        return (*_METHODS[name](sample, level, alternative), name, _SOURCES[name])
    if sample.near_boundary:
        best = "bootstrap-percentile" if sample.influence is None else "bootstrap-bca"
        low, high = _METHODS[best](sample, level, alternative)
        other_low, other_high = sample.unresampled()
        source = f"{_SOURCES[best]}; hull with the limits of interval auto"
        return min(low, other_low), max(high, other_high), "bootstrap (hull)", source
    best = sample.recommended
    low, high = _METHODS[best](sample, level, alternative)
    return low, high, f"bootstrap ({best.removeprefix('bootstrap-')})", _SOURCES[best]


def check_spread(values: _FLOATS) -> None:
    """Resamples that are all alike say nothing about the spread of the estimate."""
    if float(np.ptp(values)) <= 1e-12:
        raise UnsoundError(
            "every resample has the same value, so the bootstrap knows no spread",
            where=f"{len(values):,} resamples of value {values[0]:.6g}",
            fix='use interval="auto", which holds there, or read the certified interval',
        )


def _percentile(sample: Resampled, level: float, alternative: Alternative) -> tuple[float, float]:
    values = sample.values()
    check_spread(values)
    return percentile(values, level, alternative, sample.range)


def _bca(sample: Resampled, level: float, alternative: Alternative) -> tuple[float, float]:
    if sample.influence is None:
        raise UnsoundError(
            "BCa needs each row's influence, which is not known here",
            where="interval",
            fix='use interval="bootstrap-percentile"',
        )
    values = sample.values()
    check_spread(values)
    skew = acceleration(sample.influence())
    return bca(sample.value, values, skew, level, alternative, sample.range)


def _logit(sample: Resampled, level: float, alternative: Alternative) -> tuple[float, float]:
    if sample.moments is None:
        raise UnsoundError(
            "the studentised bootstrap needs the variance in each resample, which is not known for "
            "clusters, for the Bayesian bootstrap and for losses without bounds",
            where="interval",
            fix=f'use interval="{NAMES[2] if sample.influence is not None else NAMES[1]}"',
        )
    values, variances = sample.moments()
    check_spread(values)
    return studentised_logit(sample.value, sample.variance, values, variances, level, alternative)


_METHODS: dict[str, Callable[[Resampled, float, Alternative], tuple[float, float]]] = {
    "bootstrap-percentile": _percentile,
    "bootstrap-bca": _bca,
    "bootstrap-logit": _logit,
}
_SOURCES = {
    "bootstrap-percentile": PERCENTILE_SOURCE,
    "bootstrap-bca": BCA_SOURCE,
    "bootstrap-logit": LOGIT_SOURCE,
}
