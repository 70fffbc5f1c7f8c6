"""How often intervals contain the true AUC, for a distribution of your own guess."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.errors import InputError
from rocsolid.intervals.calibrated.table import METHODS as CALIBRATED
from rocsolid.intervals.guarantees.checks import check_sizes
from rocsolid.intervals.guarantees.distributions import Distribution
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.hoeffding import hoeffding_limits
from rocsolid.intervals.guarantees.kl import kl_limits
from rocsolid.intervals.guarantees.mcdiarmid import mcdiarmid_limits
from rocsolid.intervals.guarantees.sides import Limits
from rocsolid.results import Alternative, percent
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.placements import Placements
from rocsolid.summaries.sorted_classes import SortedClasses
from rocsolid.summaries.stream import stream

Progress = Callable[[int, int], None]
"""Called now and then with the number of repetitions that are done and of all there are."""

_GUARANTEES: dict[str, Callable[[Moments, float, Alternative], Limits]] = {
    "mcdiarmid": lambda s, delta, side: mcdiarmid_limits(s.auc, s.n_pos, s.n_neg, delta, side),
    "hoeffding-blocks": lambda s, delta, side: hoeffding_limits(s.auc, _smaller(s), delta, side),
    "kl": lambda s, delta, side: kl_limits(s.auc, _smaller(s), delta, side),
    "hinge": lambda s, delta, side: hinge_limits(s.auc, _smaller(s), delta, side),
}
COVERAGE_METHODS = (*CALIBRATED, *_GUARANTEES)
_MOST_ROWS = 50_000_000  # about two gigabytes
_STEPS = 50  # reports of progress


@dataclass(frozen=True, slots=True)
class MethodCoverage(Plain):
    """One method: how often it was right, how wide it was, and on which side it missed.

    ``coverage`` counts a repetition in which the method gives no interval as a miss; ``refused`` is
    the share of those. ``std_error`` is the simulation's own, √(p(1−p)/R) with p taken as if one
    more hit and one more miss had been seen, so that it is never zero. ``above`` is the share of
    repetitions whose interval lies above the true AUC, ``below`` below it.
    """

    method: str
    coverage: float
    std_error: float
    mean_width: float
    above: float
    below: float
    refused: float


@dataclass(frozen=True, slots=True)
class Coverage(Plain):
    """The table of a simulation, one entry a method, and what was simulated."""

    methods: tuple[MethodCoverage, ...]
    distribution: str
    auc: float
    n_pos: int
    n_neg: int
    level: float
    alternative: Alternative
    repetitions: int
    seed: int
    _json = "distribution auc n_pos n_neg level alternative repetitions seed methods"

    def __getitem__(self, method: str) -> MethodCoverage:
        return next(found for found in self.methods if found.method == method)

    __repr__ = one_line

    def __str__(self) -> str:
        lines = [
            f"{self.distribution}; {self.n_pos:,} positives, {self.n_neg:,} negatives; "
            f"{percent(self.level)}, {self.repetitions:,} repetitions"
        ]
        for found in self.methods:
            lines.append(
                f"{found.method}: covers {found.coverage:.4f} (± {found.std_error:.4f}), "
                f"mean width {found.mean_width:.4f}, above {found.above:.4f}, "
                f"below {found.below:.4f}"
                + (f", refused {found.refused:.4f}" if found.refused else "")
            )
        return "\n".join(lines)


def coverage(
    distribution: Distribution,
    n_pos: int,
    n_neg: int,
    methods: Sequence[str] = ("auto", "hinge"),
    level: float = 0.95,
    *,
    alternative: Alternative = "two-sided",
    repetitions: int = 2000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Coverage:
    """Draw data again and again and count how often each interval contains the true AUC.

    ``distribution`` is your guess: ``binormal``, ``ordinal``, ``two_point``, ``from_data``, or your
    own object with ``name``, ``auc`` and ``draw``. ``methods`` are calibrated methods of
    ``rs.auc(..., interval=)`` and the guarantees that need no more than the AUC and the class
    sizes. All methods see the same data; repetition i depends on ``seed`` and i only, so more
    repetitions continue the same series.

    >>> from rocsolid.intervals.guarantees.distributions import two_point
    >>> print(coverage(two_point(0.9), 30, 300, ("delong", "hinge"), repetitions=200))
    two-point positives, AUC 0.9; 30 positives, 300 negatives; 95 %, 200 repetitions
    delong: covers 0.8300 (± 0.0268), mean width 0.2044, above 0.1400, below 0.0150, refused 0.0150
    hinge: covers 0.9850 (± 0.0099), mean width 0.2521, above 0.0000, below 0.0150
    """
    m, n = check_sizes(n_pos, n_neg)
    if m + n > _MOST_ROWS:
        raise InputError(
            "so many rows take too long to simulate", where="n_pos + n_neg", value=m + n,
            fix=f"simulate at most {_MOST_ROWS:,}",
        )  # fmt: skip
    if not 0.0 < level < 1.0:
        raise InputError("level must lie strictly between 0 and 1", value=level)
    for method in methods:
        if method not in COVERAGE_METHODS:
            raise InputError(
                "no method to simulate",
                value=method,
                fix=f"choose from {', '.join(COVERAGE_METHODS)}",
            )
    repeats = whole(repetitions, "repetitions")
    drawn = _simulated(distribution, m, n, repeats, whole(seed, "seed", 0), progress)
    found = tuple(
        _counted(method, drawn, distribution.auc, level, alternative) for method in methods
    )
    return Coverage(
        found, distribution.name, distribution.auc, m, n, level, alternative, repeats, seed
    )


def _simulated(
    distribution: Distribution, m: int, n: int, repeats: int, seed: int, progress: Progress | None
) -> Moments:
    """The moments of every repetition."""
    rows = np.empty((repeats, 3))
    for i in range(repeats):
        pos, neg = distribution.draw(stream(seed, i), m, n)
        found = Placements.from_sorted(SortedClasses(np.sort(pos), np.sort(neg))).moments
        rows[i] = found.auc, found.var_pos, found.var_neg
        if progress is not None and (i + 1) * _STEPS // repeats > i * _STEPS // repeats:
            progress(i + 1, repeats)
    sizes = (np.full(repeats, float(size)) for size in (m, n))
    return Moments(rows[:, 0], rows[:, 1], rows[:, 2], *sizes)


def _counted(
    method: str, drawn: Moments, auc: float, level: float, alternative: Alternative
) -> MethodCoverage:
    low, high = _limits(method, drawn, level, alternative)
    repeats = len(low)
    refused = np.isnan(low) | np.isnan(high)
    above, below = int(np.sum(low > auc)), int(np.sum(high < auc))
    missed = above + below + int(refused.sum())
    hits = repeats - missed
    smoothed = (hits + 1) / (repeats + 2)
    return MethodCoverage(
        method,
        hits / repeats,
        math.sqrt(smoothed * (1 - smoothed) / repeats),
        float(np.mean((high - low)[~refused])) if not refused.all() else math.nan,
        above / repeats,
        below / repeats,
        float(refused.mean()),
    )


def _limits(
    method: str, drawn: Moments, level: float, alternative: Alternative
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if method in CALIBRATED:
        return CALIBRATED[method].limits(drawn, level, alternative)
    return _GUARANTEES[method](drawn, 1.0 - level, alternative)


def _smaller(drawn: Moments) -> NDArray[np.float64]:
    return np.minimum(drawn.n_pos, drawn.n_neg)
