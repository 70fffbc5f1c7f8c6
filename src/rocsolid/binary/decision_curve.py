"""The net benefit of a score at many thresholds, with limits that hold for all of them at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import IID, check_level
from rocsolid.intervals.guarantees.completed_curve import Prevalence, prevalence_limits, stated
from rocsolid.intervals.guarantees.net_benefit import JOINT, SOURCE_OF_ALL, Flagged
from rocsolid.results import percent
from rocsolid.results.card import Carded
from rocsolid.results.plain import one_line, written
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class DecisionCurve(Carded):
    """The net benefit of acting on scores of at least each threshold, and of treating all rows.

    Treating none has a net benefit of 0. ``low`` and ``high`` are certified for all thresholds at
    once, and so is ``over_all``, a lower limit of the gain over treating all. Weighted or clustered
    rows have none of them.
    """

    threshold: _FLOATS
    value: _FLOATS
    treat_all: _FLOATS
    low: _FLOATS | None
    high: _FLOATS | None
    over_all: _FLOATS | None
    level: float
    prevalence: Prevalence
    method: str = JOINT
    assumptions: tuple[str, ...] = IID
    source: str = SOURCE_OF_ALL

    __repr__ = one_line
    _cites = ("The net benefit", "vickers2006")

    @property
    def useful(self) -> NDArray[np.bool_]:
        """Whether the score is certified to be better than treating all and than treating none.

        The statements about all thresholds are jointly true with at least the level's probability:
        each of the two lower limits takes half of the error.
        """
        if self.low is None or self.over_all is None:
            return np.zeros(len(self.threshold), dtype=np.bool_)
        return np.asarray((self.low > 0.0) & (self.over_all > 0.0))

    def __str__(self) -> str:
        every = self.threshold
        text = f"net benefit at {len(every):,} thresholds from {every.min():g} to {every.max():g}"
        if self.low is None:
            return text
        held = every[self.useful]
        which = f"from {held.min():g} to {held.max():g}" if len(held) else "nowhere"
        if len(held) and not self.useful[(every >= held.min()) & (every <= held.max())].all():
            which = f"at {len(held)} of them {which}"
        return (
            f"{text}; certified at {percent(self.level)} to be better than treating all and than "
            f"treating none {which}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; the keys are stable."""
        keys = (
            "threshold value treat_all low high over_all useful level prevalence method "
            "assumptions source"
        )
        return written(self, keys)


def decision_curve(
    counts: ScoreCounts,
    thresholds: ArrayLike | None,
    prevalence: Prevalence,
    level: float,
    *,
    certified: bool,
) -> DecisionCurve:
    """The curve at ``thresholds``, by default 1 % to 99 %.

    Bands with equal local levels (Berk and Jones 1979) bound the flagged shares of both classes at
    all thresholds; see `rocsolid.intervals.guarantees.net_benefit.Flagged.limits`.
    """
    share = check_level(level) / 2.0
    prevalence_limits(prevalence, 1, 1, 0.5)
    grid = np.arange(1, 100) / 100 if thresholds is None else np.asarray(thresholds, dtype=float)
    grid = np.atleast_1d(grid)
    if grid.ndim != 1 or not grid.size or not np.all((grid > 0.0) & (grid < 1.0)):
        raise InputError(
            "a threshold of probabilities must lie strictly between 0 and 1",
            where="thresholds", value=thresholds, fix="pass a list such as [0.05, 0.1, 0.2]",
        )  # fmt: skip
    flagged = Flagged.of(counts, grid)
    low = high = over_all = None
    if certified:
        low, high = flagged.limits(share, prevalence, joint=True)
        over_all = flagged.over_all(share, prevalence)
    return DecisionCurve(
        grid, flagged.value(prevalence), flagged.of_all(prevalence), low, high, over_all, level,
        prevalence, assumptions=(*IID, stated(prevalence)),
    )  # fmt: skip
