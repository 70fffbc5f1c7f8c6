"""A curve at a few cuts, with the positives above each rounded: what a public page draws."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs import BinaryRows
from rocsolid.leaks.public_rule import public_curve
from rocsolid.summaries.score_counts import ScoreCounts

_INTS = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CoarseCounts:
    """How many positives, to a multiple of ``step``, stand among the ``above`` highest rows.

    ``above`` follows from the scores alone: cuts between distinct scores, next to equal parts.
    """

    above: _INTS
    positives: _INTS
    step: int
    n_pos: int
    n_neg: int

    @property
    def rates(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """False- and true-positive rates from (0, 0) to (1, 1), from the rounded counts alone.

        A rounded count that no labeling can have is moved to the nearest that one can, and a
        false-positive rate that would step back stays where it is.
        """
        least, most = np.maximum(0, self.above - self.n_neg), np.minimum(self.above, self.n_pos)
        positives = np.clip(self.positives, least, most)
        fpr = np.maximum.accumulate((self.above - positives) / self.n_neg)
        tpr = positives / self.n_pos
        return np.concatenate(([0.0], fpr, [1.0])), np.concatenate(([0.0], tpr, [1.0]))

    @property
    def values(self) -> int:
        """How many different lists of rounded counts there can be, at most: they never fall."""
        multiples = round(self.n_pos / self.step) + 1
        return math.comb(multiples + len(self.above) - 1, len(self.above))

    def parts(self) -> list[tuple[int, int, int]]:
        """Each part's rows, and the fewest and the most positives that it can have.

        All counts that round to what is published, that never fall and never grow by more than
        the rows of a part. Both limits occur, so a part is certain only if they are equal and 0 or
        all its rows.
        """
        n = self.n_pos + self.n_neg
        edges = np.concatenate(([0], self.above, [n]))
        rows = np.diff(edges)
        even = (self.positives // self.step) % 2 == 0  # a half is rounded to the even multiple
        half = self.step / 2
        low = np.where(even, np.ceil(self.positives - half), np.floor(self.positives - half) + 1)
        high = np.where(even, np.floor(self.positives + half), np.ceil(self.positives + half) - 1)
        least = np.concatenate(([0], low, [self.n_pos])).astype(np.int64)
        most = np.concatenate(([0], high, [self.n_pos])).astype(np.int64)
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


def coarse_counts(rows: BinaryRows) -> CoarseCounts | None:
    """The curve of these rows at a few cuts; None where the rule draws none, or under weights."""
    n_pos = int(np.count_nonzero(rows.positive))
    rule = public_curve(n_pos, len(rows) - n_pos)
    if rule is None or rows.weight is not None:
        return None
    counts = ScoreCounts.from_arrays(rows.positive, rows.score)
    positives = np.cumsum(counts.pos[::-1])
    above = np.cumsum((counts.pos + counts.neg)[::-1])[:-1]
    if not len(above):
        return None
    wanted = len(rows) * np.arange(1, rule.parts) / rule.parts
    right = np.clip(np.searchsorted(above, wanted), 1, max(1, len(above) - 1))
    left = right - 1
    right = np.minimum(right, len(above) - 1)
    nearest = np.where(wanted - above[left] <= above[right] - wanted, left, right)
    cuts = _apart(np.unique(nearest), above, len(rows), len(rows) / rule.parts / 2)
    if not len(cuts):
        return None
    rounded = rule.step * np.rint(positives[cuts] / rule.step).astype(np.int64)
    return CoarseCounts(above[cuts], rounded, rule.step, n_pos, len(rows) - n_pos)


def _apart(cuts: NDArray[np.intp], above: _INTS, n: int, least: float) -> NDArray[np.intp]:
    """Without the cuts beside which a block of tied scores leaves a part of fewer rows."""
    kept: list[int] = []
    last = 0
    for cut in cuts.tolist():
        if above[cut] - last >= least and n - above[cut] >= least:
            kept.append(cut)
            last = int(above[cut])
    return np.array(kept, dtype=np.intp)
