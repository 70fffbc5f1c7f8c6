"""What has one label: a row, or rows that share theirs, such as those of one patient."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError, RocsolidError
from rocsolid.inputs import codes
from rocsolid.inputs.weights import frequencies
from rocsolid.leaks.chosen_queries import subset_sums
from rocsolid.leaks.gaussian import log2_comb

_LISTED = 40  # units, whose subsets are listed in two halves
_EXACT_ROWS = 20_000  # whose numbers of subsets are multiplied out exactly
_MOST_ROWS = 5_000_000  # whose number of subsets is inverted numerically


@dataclass(frozen=True, slots=True, eq=False)
class LabelUnits:
    """``of`` is the unit of each row of a table, and ``rows`` how many rows each unit stands for.

    ``times`` says how many rows each row of the table stands for; None if each is one.
    """

    of: NDArray[np.intp]
    rows: NDArray[np.int64]
    times: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def single(self) -> bool:
        """Whether every unit is one row, so that nothing is shared."""
        return bool((self.rows == 1).all())

    def totals(self, weights: NDArray[Any]) -> NDArray[Any]:
        """The sum of what the rows of each unit weigh; along the last axis, for several lines."""
        each = weights if self.times is None else weights * self.times
        found = np.zeros((len(self), *each.shape[:-1]), dtype=each.dtype)
        np.add.at(found, self.of, each.T)
        return found.T

    def by_unit(
        self, labels: NDArray[np.bool_], is_known: NDArray[np.bool_]
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """The known labels of the units (false elsewhere), and which are known."""
        positive, negative = np.zeros(len(self), dtype=bool), np.zeros(len(self), dtype=bool)
        positive[self.of[is_known & labels]] = True
        negative[self.of[is_known & ~labels]] = True
        if (positive & negative).any():
            row = int(np.flatnonzero(is_known & (positive & negative)[self.of])[0])
            raise InputError(
                "rows that share a label are known to have different ones",
                where=f"known, row {row}",
                fix="check shares_label and known",
            )
        return positive, positive | negative


def units_of(n: int, shares_label: Any = None, frequency: Any = None) -> LabelUnits:
    """The units of ``n`` rows of a table.

    ``shares_label`` names for each row what has the label, such as its patient; ``frequency`` says
    how many rows each stands for, which share its label by definition.

    >>> units = units_of(4, ["ann", "bob", "ann", "cid"], [1, 2, 3, 1])
    >>> units.of, units.rows
    (array([0, 1, 0, 2]), array([4, 2, 1]))
    """
    times = None
    if frequency is not None:
        times = frequencies(frequency, n)
        if (times == 0).any():
            raise InputError(
                "a row that stands for no row has no label to give away",
                where=f"frequency, row {int(np.argmin(times))}",
                value=0,
                fix="leave it out",
            )
    of = np.arange(n) if shares_label is None else codes(shares_label, name="shares_label")[0]
    if len(of) != n:
        raise InputError(f"{len(of)} units for {n} rows", where="shares_label", value=len(of))
    of = of.astype(np.intp)
    rows = np.bincount(of, minlength=0).astype(np.int64)
    if times is not None:
        rows = np.zeros(len(rows), dtype=np.int64)
        np.add.at(rows, of, times)
    return LabelUnits(of, rows, times)


def shared_units(n: int, shares_label: Any, frequency: Any) -> LabelUnits | None:
    """`units_of`; None where nothing is shared, so that each row is a unit."""
    if shares_label is None and frequency is None:
        return None
    units = units_of(n, shares_label, frequency)
    return None if units.single else units


def subset_bits(rows: NDArray[np.int64], totals: Collection[int]) -> float:
    """log₂ of the number of ways to choose units that have one of these total numbers of rows.

    Exact, up to the rounding of a double, for at most 40 units or 20,000 rows. Beyond that the
    number of subsets is e^(ln Z − θt)·P(t), with P the probability of the total t when each unit is
    drawn by itself with the odds e^(θ·rows) that make t the mean, from its characteristic function;
    right to about 1e-10.

    >>> round(2 ** subset_bits(np.array([1, 2, 3, 4]), [5]))
    2
    """
    wanted = sorted({int(t) for t in totals if 0 <= t <= rows.sum()})
    if not wanted:
        return -math.inf
    if not len(rows) or (rows == rows[0]).all():
        size = int(rows[0]) if len(rows) else 1
        bits = [log2_comb(len(rows), t // size) for t in wanted if t % size == 0]
        return float(np.logaddexp2.reduce(bits)) if bits else -math.inf
    ends = {0, int(rows.sum())}
    if len({*wanted} - ends) == rows.sum() - 1:
        return math.log2(2 ** len(rows) - len(ends - {*wanted}))
    if len(rows) <= _LISTED:
        return _log2(_listed(rows, wanted))
    if rows.sum() <= _EXACT_ROWS:
        return _log2(_multiplied(rows, wanted))
    if rows.sum() * len(wanted) > _MOST_ROWS:
        raise RocsolidError(
            "the labelings of so many units of unlike numbers of rows take too long to count",
            where=f"{len(rows):,} units",
            value=int(rows.sum()),
            fix=f"give n_pos as one number; at most {_MOST_ROWS:,} rows",
        )
    return float(np.logaddexp2.reduce([_inverted(rows, t) for t in wanted]))


def unit_bits(units: LabelUnits, n_pos: int) -> float:
    """log₂ of the number of labelings with so many positive rows."""
    bits = subset_bits(units.rows, [n_pos])
    if bits == -math.inf:
        raise InputError(
            "no choice of units has so many positive rows",
            where="n_pos",
            value=n_pos,
            fix="count the positive rows, each as often as its frequency, not the positive units",
        )
    return bits


def _log2(ways: int) -> float:
    return math.log2(ways) if ways else -math.inf


def _listed(rows: NDArray[np.int64], totals: list[int]) -> int:
    half = len(rows) // 2
    left, right = subset_sums(rows[:half]), np.sort(subset_sums(rows[half:]))
    ways = 0
    for total in totals:
        begin, end = (np.searchsorted(right, total - left, side) for side in ("left", "right"))
        ways += int((end - begin).sum())
    return ways


def _multiplied(rows: NDArray[np.int64], totals: list[int]) -> int:
    from flint import fmpz_poly

    most = totals[-1] + 1
    product = fmpz_poly([1])
    for size, units in zip(*np.unique(rows, return_counts=True), strict=True):
        terms = min(int(units), most // int(size))
        factor = [0] * (terms * int(size) + 1)
        for chosen in range(terms + 1):
            factor[chosen * int(size)] = math.comb(int(units), chosen)
        product = (product * fmpz_poly(factor)).truncate(most)
    return sum(int(product[total]) for total in totals)


def _inverted(rows: NDArray[np.int64], total: int) -> float:
    from scipy.optimize import brentq
    from scipy.special import expit

    sizes, units = np.unique(rows, return_counts=True)
    if total in (0, int(rows.sum())):
        return 0.0
    span = 60.0 / sizes.min()
    tilt = brentq(lambda t: units @ (sizes * expit(t * sizes)) - total, -span, span, xtol=1e-16)
    p = expit(tilt * sizes)
    length = int(rows.sum()) + 1
    inner_sum = 0.0
    for start in range(0, length // 2 + 1, 1 << 16):
        frequencies = np.arange(start, min(start + (1 << 16), length // 2 + 1))
        log = -2j * np.pi * (frequencies * total % length) / length
        for size, of, share in zip(sizes.tolist(), units.tolist(), p.tolist(), strict=True):
            turn = np.exp(2j * np.pi * (frequencies * size % length) / length)
            with np.errstate(divide="ignore"):
                log = log + of * np.log(1.0 - share + share * turn)
        twice = np.where((frequencies == 0) | (2 * frequencies == length), 1.0, 2.0)
        inner_sum += float((twice * np.exp(log)).real.sum())
    share = inner_sum / length
    if share < 1e-12:
        return -math.inf
    logs = float(units @ np.logaddexp(0.0, tilt * sizes)) - tilt * total + math.log(share)
    return float(logs / math.log(2))
