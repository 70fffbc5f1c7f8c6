"""P(label = 1) of every unit by a dynamic programme over the AUC, the class sizes and a curve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.leaks.completions import block_length, layers_from_the_end
from rocsolid.leaks.gaussian import log2_comb

_INTS = NDArray[np.int64]
_FLOATS = NDArray[np.float64]

CELLS = 100_000_000
"""The limit on numbers in all layers of the programme, a few seconds of work."""

_MEBIBYTES = 512  # memory for the layers stored at a time
_ALL_MEBIBYTES = 64  # tables up to this size are stored whole
_REMEMBERED = 4096  # the most units of a question whose answer is remembered
_DOUBLE_BITS = 1000  # a double holds numbers below 2^1024
_NEVER = np.iinfo(np.int64).max // 4

_Key = tuple[bytes, bytes, tuple[tuple[int, range], ...], tuple[tuple[int, tuple[int, int]], ...],
             tuple[tuple[int, float], ...] | None, bytes | None]  # fmt: skip

# maps the positive rows so far to the smallest sum and the counts for each sum from there on
_Layer = dict[int, tuple[int, _FLOATS]]


@dataclass(frozen=True, slots=True, eq=False)
class RankedUnits:
    """Units in the order of the programme, and the sums that the published numbers allow.

    A labeling fits if its positive units contain k ``rows`` in all, the sum of their ``weights`` is
    in ``targets[k]``, and the first i units contain between ``low`` and ``high`` positive rows for
    each i: (low, high) in ``cuts``. The labeling counts ``worth[k]`` times, once by default, and
    also as often as the product of the ``odds`` of its positive units.
    """

    rows: _INTS
    weights: _INTS
    targets: Mapping[int, range]
    cuts: Mapping[int, tuple[int, int]]
    worth: Mapping[int, float] | None = None
    odds: _FLOATS | None = None

    @property
    def key(self) -> _Key:
        return (
            self.rows.tobytes(),
            self.weights.tobytes(),
            tuple(self.targets.items()),
            tuple(self.cuts.items()),
            None if self.worth is None else tuple(self.worth.items()),
            None if self.odds is None else self.odds.tobytes(),
        )

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RankedUnits) and self.key == other.key

    @property
    def reduced(self) -> RankedUnits:
        """The same units with smaller weights, 0 among them.

        >>> RankedUnits(np.ones(3, int), np.array([6, 4, 2]), {1: range(3, 6)}, {}).reduced.targets
        {1: range(1, 2)}
        """
        least = int((self.weights // self.rows).min())
        weights = self.weights - least * self.rows
        step = int(np.gcd.reduce(weights)) or 1
        targets = {
            k: range(-((k * least - sums[0]) // step), (sums[-1] - k * least) // step + 1)
            for k, sums in self.targets.items()
            if len(sums)
        }
        fewest, most = self.cuts.get(len(self.rows), (0, int(self.rows.sum())))
        most = min(most, int(self.rows.sum()))
        targets = {k: sums for k, sums in targets.items() if len(sums) and fewest <= k <= most}
        return replace(self, weights=weights // step, targets=targets)

    @property
    def bits(self) -> float:
        """An upper bound on log₂ of the number of labelings, and of the odds of a labeling or
        their reciprocal.
        """
        count = len(self.rows)
        odds = 0.0 if self.odds is None else float(np.abs(np.log2(self.odds)).sum())
        if (self.rows != 1).any():
            return count + odds
        return odds + max(log2_comb(count, k) for k in self.targets if k <= count)


@dataclass(frozen=True, slots=True, eq=False)
class CurveExposure:
    """The numbers of labelings that fit, with each unit positive and with each unit negative.

    A count is 0 only if no labeling fits; each share is accurate to about 10⁻¹².
    """

    positive: _FLOATS
    negative: _FLOATS

    @property
    def probability(self) -> _FLOATS:
        """P(label = 1), with all labelings that fit equally likely."""
        return self.positive / (self.positive + self.negative)

    @property
    def covered(self) -> NDArray[np.bool_]:
        """The units that have either label in some labeling that fits."""
        return (self.positive > 0.0) & (self.negative > 0.0)


def curve_exposure(units: RankedUnits) -> CurveExposure | None:
    """Count the labelings in which each unit is positive; None if the tables are too large.

    B_i(a, s) counts the labelings of units i, i+1, … if earlier units contain ``a`` positive rows
    with sum s: B_i(a, s) = B_{i+1}(a, s) + B_{i+1}(a + rows_i, s + weight_i). F_i counts the
    labelings of earlier units. Unit i is positive in Σ F_i(a, s)·B_{i+1}(a + rows_i, s + weight_i)
    labelings. Derived here.

    >>> ranks = np.array([8, 6, 4, 2])  # the AUC is 1/2, and one of the two highest is positive
    >>> one = RankedUnits(np.ones(4, int), ranks, {2: range(10, 11)}, {2: (1, 1)})
    >>> curve_exposure(one).probability
    array([0.5, 0.5, 0.5, 0.5])
    """
    return (_remembered if len(units.rows) <= _REMEMBERED else _counted)(units)


def _counted(units: RankedUnits) -> CurveExposure | None:
    units = units.reduced
    if not units.targets:
        return None
    if units.bits > _DOUBLE_BITS or len(units.rows) * max(units.targets) > CELLS // 10:
        return None
    windows = _Windows(units)
    if not windows.fit:
        return None
    positive, negative = np.zeros(len(units.rows)), np.zeros(len(units.rows))
    before: _Layer = {0: (0, np.ones(1))}
    for i, after in enumerate(windows.layers()):
        rows, weight = int(units.rows[i]), int(units.weights[i])
        for a, (start, ways) in before.items():
            negative[i] += _product(start, ways, after.get(a))
            positive[i] += _product(start + weight, ways, after.get(a + rows))
        before = windows.layer(i + 1, before, i, forward=True)
    if units.odds is not None:
        positive *= units.odds
    if not (positive[0] + negative[0]) > 0.0:
        return None
    return CurveExposure(positive, negative)


# the pages tried for a table ask many questions again
_remembered = lru_cache(maxsize=128)(_counted)


class _Windows:
    """The relevant numbers of positive rows, and their sums, after each unit.

    A sum is relevant if earlier units can reach it and later units can complete it to a target.
    """

    def __init__(self, units: RankedUnits) -> None:
        self._units = units
        count, most = len(units.rows), max(units.targets)
        self._low = np.full((count + 1, most + 1), _NEVER)
        self._high = np.full((count + 1, most + 1), -_NEVER)
        for k, sums in units.targets.items():
            self._low[count, k], self._high[count, k] = sums[0], sums[-1]
        reached_low, reached_high = np.full(most + 1, _NEVER), np.full(most + 1, -_NEVER)
        reached_low[0] = reached_high[0] = 0
        for i in range(count - 1, -1, -1):
            rows, weight = int(units.rows[i]), int(units.weights[i])
            self._low[i], self._high[i] = self._low[i + 1], self._high[i + 1]
            if rows <= most:
                keep = most + 1 - rows
                np.minimum(self._low[i, :keep], self._low[i + 1, rows:] - weight,
                           out=self._low[i, :keep])  # fmt: skip
                np.maximum(self._high[i, :keep], self._high[i + 1, rows:] - weight,
                           out=self._high[i, :keep])  # fmt: skip
            self._cut(i, self._low[i], self._high[i])
        for i in range(count + 1):
            self._cut(i, reached_low, reached_high)
            np.maximum(self._low[i], reached_low, out=self._low[i])
            np.minimum(self._high[i], reached_high, out=self._high[i])
            if i == count:
                break
            rows, weight = int(units.rows[i]), int(units.weights[i])
            if rows <= most:
                low, high = reached_low[:-rows] + weight, reached_high[:-rows] + weight
                reached_low[rows:] = np.minimum(reached_low[rows:], low)
                reached_high[rows:] = np.maximum(reached_high[rows:], high)

    def _cut(self, i: int, low: _INTS, high: _INTS) -> None:
        if i in self._units.cuts:
            fewest, most = self._units.cuts[i]
            for end, never in ((low, _NEVER), (high, -_NEVER)):
                end[: max(0, fewest)] = never
                end[most + 1 :] = never

    @property
    def fit(self) -> bool:
        """Whether the layers are small enough: memory contains every √n-th layer and one block."""
        cells = self._cells
        block = block_length(len(cells) - 1)
        kept = float(cells[::block].sum() + block * cells.max())
        return float(cells.sum()) <= CELLS and kept * 8 <= _MEBIBYTES * 2**20

    @property
    def _cells(self) -> _FLOATS:
        return np.asarray(np.maximum(self._high - self._low + 1, 0).sum(axis=1), dtype=np.float64)

    def layer(self, i: int, near: _Layer, unit: int, *, forward: bool) -> _Layer:
        """Return layer ``i`` from its neighbour on the other side of a unit."""
        rows, weight = int(self._units.rows[unit]), int(self._units.weights[unit])
        rows, weight = (-rows, weight) if forward else (rows, -weight)
        odds = 1.0 if self._units.odds is None else float(self._units.odds[unit])
        layer: _Layer = {}
        numbers = np.flatnonzero(self._low[i] <= self._high[i])
        ends = self._low[i, numbers].tolist(), self._high[i, numbers].tolist()
        for a, low, high in zip(numbers.tolist(), *ends, strict=True):
            ways = np.zeros(high - low + 1)
            _add(ways, low, near.get(a), 0, 1.0)
            _add(ways, low, near.get(a + rows), weight, odds)
            layer[a] = (low, ways)
        return layer

    def layers(self) -> Iterator[_Layer]:
        units = self._units
        worth = units.worth or {}
        last: _Layer = {
            k: (sums[0], np.full(len(sums), worth.get(k, 1.0))) for k, sums in units.targets.items()
        }
        small = float(self._cells.sum()) * 8 <= _ALL_MEBIBYTES * 2**20
        return layers_from_the_end(len(units.rows), last, self._before, keep_all=small)[1]

    def _before(self, i: int, after: _Layer) -> _Layer:
        return self.layer(i, after, i, forward=False)


def _add(
    ways: _FLOATS, low: int, near: tuple[int, _FLOATS] | None, shift: int, times: float
) -> None:
    if near is None:
        return
    start = near[0] + shift - low
    first, last = max(0, start), min(len(ways), start + len(near[1]))
    if first < last:
        more = near[1][first - start : last - start]
        ways[first:last] += more if times == 1.0 else times * more


def _product(start: int, ways: _FLOATS, after: tuple[int, _FLOATS] | None) -> float:
    if after is None:
        return 0.0
    first, last = max(start, after[0]), min(start + len(ways), after[0] + len(after[1]))
    if first >= last:
        return 0.0
    return float(ways[first - start : last - start] @ after[1][first - after[0] : last - after[0]])
