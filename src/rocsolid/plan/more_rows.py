"""How the interval of an AUC that is known would narrow with more rows like those it came from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.calibrated.auto import hull_share
from rocsolid.intervals.calibrated.table import METHODS
from rocsolid.plan.sizes import LARGEST
from rocsolid.plan.solve import first_size
from rocsolid.plan.unknown import chosen
from rocsolid.summaries.moments import Moments

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MoreRows:
    """A prediction under the observed distribution: more of the same rows, in the same ratio.

    With t times the rows of each class (or t times the clusters) each part of the variance, as it
    was seen, is divided by t, and the AUC stays what it is: ``moments`` are those of the rows that
    there are, and ``interval`` is one of the calibrated ones of `rocsolid.auc`, two-sided. Assumes
    that rows to come are drawn like those that came. The width of a real interval varies around
    the predicted one, and the prediction is as uncertain as the variance that it starts from.

    >>> found = MoreRows(Moments(0.8, 0.0008, 0.0002, 100.0, 400.0))
    >>> print(f"{found.half_widths(np.array([1.0, 4.0]))[0]:.4f} {found.times(0.01):.2f}")
    0.0625 38.43
    """

    moments: Moments
    interval: str = "auto"
    level: float = 0.95

    def half_widths(self, times: _FLOATS) -> _FLOATS:
        """Half the distance between the limits with so many times the rows; NaN without limits."""
        chosen("interval", self.interval, METHODS)
        low, high = METHODS[self.interval].limits(self._grown(times), self.level, "two-sided")
        return np.asarray((high - low) / 2.0, dtype=np.float64)

    def changes(self, times: _FLOATS) -> bool:
        """Whether the default interval fades into another formula among these numbers of rows."""
        return self.interval == "auto" and float(np.ptp(hull_share(self._grown(times)))) > 0.0

    def _grown(self, times: _FLOATS) -> Moments:
        now = self.moments
        return Moments(
            np.full(times.shape, now.auc),
            now.var_pos / times,
            now.var_neg / times,
            now.n_pos * times,
            now.n_neg * times,
            units=None if now.units is None else now.units.grown(times),
        )

    def times(self, half_width: float) -> float | None:
        """The fewest times the rows at which the interval is so narrow; 1 where it is already.

        ``None`` where even 10⁸ units of a class are too few, and where there are no limits.
        """
        most = LARGEST / max(float(np.max(self.moments.n_pos)), float(np.max(self.moments.n_neg)))

        def spare(times: float) -> float:
            found = float(self.half_widths(np.array([times]))[0])
            return -1.0 if np.isnan(found) else half_width - found

        found = first_size(spare, 1.0)
        return None if found is None or found > max(most, 1.0) else found
