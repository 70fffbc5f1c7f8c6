"""Curves at a few cuts with rounded counts of positives, and the sequence of coarser pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.inputs.binary import BinaryRows
from rocsolid.leaks.simulate import public_curve
from rocsolid.summaries.score_counts import ScoreCounts

_INTS = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CoarseCounts:
    """Bounds on the number of positives among the ``above`` highest rows.

    ``above`` depends on the scores alone. The possible counts at a cut are split into bins of
    similar width with at least ``step`` counts, and the page shows the ``low`` and ``high`` count
    of the bin. A grid of multiples would have narrow bins for the counts of good scores.
    """

    above: _INTS
    low: _INTS
    high: _INTS
    step: int
    n_pos: int
    n_neg: int

    @property
    def rates(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """False- and true-positive rates from (0, 0) to (1, 1), from the middles of the bins.

        A rate that would decrease stays the same.
        """
        positives = (self.low + self.high) / 2
        fpr = np.maximum.accumulate((self.above - positives) / self.n_neg)
        tpr = np.maximum.accumulate(positives / self.n_pos)
        return np.concatenate(([0.0], fpr, [1.0])), np.concatenate(([0.0], tpr, [1.0]))

    @property
    def bins(self) -> dict[int, tuple[int, int]]:
        """The fewest and the most positives above each cut, by the rows above it."""
        ends = zip(self.low.tolist(), self.high.tolist(), strict=True)
        return dict(zip(self.above.tolist(), ends, strict=True))

    @property
    def values(self) -> int:
        """An upper bound on the number of possible lists of bins.

        A bin may follow the previous bin if counts in the two are compatible: counts never fall,
        and grow by at most the rows between the cuts.
        """
        ways: list[tuple[int, int, int]] = [(0, 0, 1)]
        last = 0
        for above in self.above.tolist():
            ways = [
                (
                    low,
                    high,
                    sum(
                        count
                        for first, end, count in ways
                        if first <= high and low <= end + above - last
                    ),
                )
                for low, high in self._bins(above)
            ]
            last = above
        return sum(count for _, _, count in ways)

    def _bins(self, above: int) -> list[tuple[int, int]]:
        least, most = max(0, above - self.n_neg), min(above, self.n_pos)
        span = most - least + 1
        bins = max(1, span // self.step)
        return [
            (least - (-i * span // bins), least - (-(i + 1) * span // bins) - 1)
            for i in range(bins)
        ]

    def best_cut(self) -> tuple[int, int, str]:
        """Return the best cut: its rows above, the guaranteed right guesses, the label above.

        >>> counts_in_bins(np.array([10, 20]), np.array([10, 19]), 2, 21, 19).best_cut()
        (20, 37, 'positive')
        """
        guesses = []
        for above, (low, high) in self.bins.items():
            below = self.n_pos + self.n_neg - above
            guesses.append((above, low + below - (self.n_pos - low), "positive"))
            guesses.append((above, above - high + self.n_pos - high, "negative"))
        return max(guesses, key=lambda guess: guess[1])

    def parts(self) -> list[tuple[int, int, int]]:
        """Return each part's rows, with the fewest and the most possible positives.

        The two limits occur, so a part is certain only if they are equal, and 0 or all its rows.
        """
        n = self.n_pos + self.n_neg
        rows = np.diff(np.concatenate(([0], self.above, [n])))
        least = np.concatenate(([0], self.low, [self.n_pos])).astype(np.int64)
        most = np.concatenate(([0], self.high, [self.n_pos])).astype(np.int64)
        for i, size in enumerate(rows, start=1):
            least[i] = max(least[i], least[i - 1])
            most[i] = min(most[i], most[i - 1] + size)
        for i in range(len(rows), 0, -1):
            least[i - 1] = max(least[i - 1], least[i] - rows[i - 1])
            most[i - 1] = min(most[i - 1], most[i])
        return [
            (
                int(size),
                max(0, int(least[i + 1] - most[i])),
                min(int(size), int(most[i + 1] - least[i])),
            )
            for i, size in enumerate(rows)
        ]


def coarse_counts(rows: BinaryRows, coarser: int = 1) -> CoarseCounts | None:
    """Return the curve of these rows at a few cuts; None if the rule allows no curve.

    ``coarser`` divides the number of cuts and multiplies the size of the steps.
    """
    n_pos = int(np.count_nonzero(rows.positive))
    rule = public_curve(n_pos, len(rows) - n_pos)
    if rule is None or rows.weight is not None:
        return None
    parts, step = rule.parts // coarser, rule.step * coarser
    counts = ScoreCounts.from_arrays(rows.positive, rows.score)
    positives = np.cumsum(counts.pos[::-1])
    above = np.cumsum((counts.pos + counts.neg)[::-1])[:-1]
    if not len(above):
        return None
    wanted = len(rows) * np.arange(1, parts) / parts
    right = np.clip(np.searchsorted(above, wanted), 1, max(1, len(above) - 1))
    left = right - 1
    right = np.minimum(right, len(above) - 1)
    nearest = np.where(wanted - above[left] <= above[right] - wanted, left, right)
    cuts = _apart(np.unique(nearest), above, len(rows), len(rows) / parts / 2)
    if not len(cuts):
        return None
    return counts_in_bins(above[cuts], positives[cuts], step, n_pos, len(rows) - n_pos)


def counts_in_bins(
    above: _INTS, positives: _INTS, step: int, n_pos: int, n_neg: int
) -> CoarseCounts:
    """Return the bins of the numbers of ``positives`` among the ``above`` highest rows.

    >>> counts = counts_in_bins(np.array([10, 20]), np.array([10, 19]), 2, 21, 19)
    >>> counts.low.tolist(), counts.high.tolist()
    ([9, 19], [10, 20])
    """
    least, most = np.maximum(0, above - n_neg), np.minimum(above, n_pos)
    span = most - least + 1
    bins = np.maximum(1, span // step)
    index = (positives - least) * bins // span
    low, high = least - (-index * span // bins), least - (-(index + 1) * span // bins) - 1
    return CoarseCounts(above, low, high, step, n_pos, n_neg)


def _apart(cuts: NDArray[np.intp], above: _INTS, n: int, least: float) -> NDArray[np.intp]:
    """Remove cuts near a block of tied scores that leave a part with too few rows."""
    kept: list[int] = []
    last = 0
    for cut in cuts.tolist():
        if above[cut] - last >= least and n - above[cut] >= least:
            kept.append(cut)
            last = int(above[cut])
    return np.array(kept, dtype=np.intp)


@dataclass(frozen=True, slots=True)
class Coarseness:
    """The items that a page omits, compared with the finest page, to keep labels uncertain.

    The first ``scores`` are published; ``decimals`` is the number of decimals removed, down to
    one. ``curve`` divides the number of cuts and multiplies the size of the steps; 0 removes the
    curves. Without ``limits`` the intervals depend on the rounded value and the class sizes alone.
    """

    scores: int
    segments: bool = False
    decimals: int = 0
    curve: int = 1
    comparisons: bool = True
    limits: bool = True

    def places(self, most: int) -> int:
        """Return the remaining decimals out of ``most``; at least one."""
        return max(1, most - self.decimals)

    def sentences(
        self, scores: tuple[str, ...], *, segmented: bool, curved: bool
    ) -> tuple[str, ...]:
        withheld = []
        if self.scores < len(scores):
            withheld.append(f"the scores {', '.join(scores[self.scores :])}")
        if segmented and not self.segments:
            withheld.append("the segments")
        if self.decimals:
            places = "decimal" if self.decimals == 1 else f"{self.decimals} decimals"
            withheld.append(f"the last {places} of each number")
        if self.curve == 0 and curved:
            withheld.append("the coarse curve")
        elif self.curve > 1:
            withheld.append("every other cut of the coarse curve")
        if self.scores > 1 and not self.comparisons:
            withheld.append("which scores are significantly different")
        if not self.limits:
            withheld.append(
                "the requested interval, which depends on more than the value and the class sizes"
            )
        if not withheld:
            return ()
        return (f"Withheld to keep labels uncertain: {'; '.join(withheld)}.",)


@dataclass(frozen=True, slots=True)
class Stage:
    """Pages with the same values: the barest page, and pages with more items."""

    bare: Coarseness
    richer: tuple[Coarseness, ...]

    def __len__(self) -> int:
        return 1 + len(self.richer)

    @property
    def pages(self) -> tuple[Coarseness, ...]:
        return (*self.richer, self.bare)


def stages(scores: int, *, decimals: int, segments: bool, curve: bool) -> Iterator[Stage]:
    """Yield stages in order of increasing loss: decimals are removed first, then segments, then
    scores.

    >>> [(s.bare.scores, s.bare.decimals)
    ...  for s in stages(3, decimals=2, segments=False, curve=True)]
    [(3, 0), (3, 1), (2, 0), (2, 1), (1, 0), (1, 1)]
    """
    for with_segments in (True, False) if segments else (False,):
        for fewer in range(decimals):
            yield _stage(Coarseness(scores, with_segments, fewer), curve)
    while scores > 1:
        scores = scores * 3 // 4 if scores > 4 else scores - 1
        for fewer in range(decimals):
            yield _stage(Coarseness(scores, segments=False, decimals=fewer), curve)


def _stage(finest: Coarseness, curve: bool) -> Stage:
    without = replace(finest, curve=0, comparisons=False)
    richer = [finest]
    if curve:
        richer += [replace(finest, curve=2), replace(finest, curve=0)]
    if curve or finest.scores > 1:
        richer.append(replace(finest, limits=False))
    if finest.scores > 1:
        richer.append(without)
    return Stage(replace(without, limits=False), tuple(richer))
