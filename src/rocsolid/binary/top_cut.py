"""Precision, recall and lift of the top rows as sums over groups of equal scores."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.summaries.near_table import NearTable
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.terms import NO_PLACES, Ended, Places

_FLOATS = NDArray[np.float64]

Of = Literal["precision", "recall", "lift", "enrichment"]


def of_hits(of: Of, hits: float, share: float, positives: float, total: float) -> float:
    """The measure if the top ``share`` of ``total`` rows contain ``hits`` positives."""
    if of == "precision":
        return hits / (share * total)
    return hits / positives if of == "recall" else hits / (positives * share)


@dataclass(frozen=True, slots=True, eq=False)
class AtTheCut:
    """The counts at a cut below the top ``count`` of ``total`` rows, in units of rows' weights.

    ``fewest`` and ``most`` are the hits that orders of ties allow; ``drawn`` of the ``tied`` rows
    at the cut are above it. ``table`` counts rows of equal weight: by score near the cut, with all
    scores far below merged, and all scores far above.
    """

    count: float
    total: float
    positives: float
    hits: float
    fewest: float
    most: float
    tied: float
    drawn: float
    table: ScoreCounts | None


@dataclass(frozen=True, slots=True)
class CutTerm:
    """A measure of the top ``cut`` rows, or of the top ``cut`` per cent of rows.

    >>> CutTerm("recall", 5.0, True, False).weighed((2, 1), 1.0).rows
    3
    """

    of: Of
    cut: float
    share: bool
    centred: bool
    rows: int | None = field(default=None, compare=False)
    unit: float = field(default=1.0, compare=False)

    def begin(self, pos: float, neg: float, below: tuple[float, float] = (0.0, 0.0)) -> CutWalk:
        total = pos + neg
        count = total * self.cut / 100.0 if self.share else self.cut * self.unit
        count = min(count, total)  # a cut below all rows is rejected when the value is read
        rows = total if self.rows is None else float(self.rows)
        width = 0.5 * count * max(count * (rows / total), 1.0) ** -0.2
        kept = NearTable.about(count, total) if rows == total else None
        return CutWalk(self, pos, neg, count, width, kept, below)

    def places(self, pos: int, neg: int) -> Places:  # noqa: ARG002 -- its own table has them
        return NO_PLACES

    def weighed(self, rows: tuple[int, int], unit: float) -> CutTerm:
        return replace(self, rows=sum(rows), unit=unit)


@dataclass(slots=True, eq=False)
class CutWalk:
    """One more row above the cut moves the cut up by one row, which is positive with the local rate
    r. So the slope of the hits in a row's weight is taken·(y − r) + r·share, with ``taken`` the
    share of the row's group above the cut. Because a single row has no rate, r is that of the
    groups within ``width`` rows of the cut: ½k^0.8 for k rows above it, or the same share of the
    rows with positive weight.
    """

    term: CutTerm
    pos: float
    neg: float
    count: float
    width: float
    kept: NearTable | None
    below: tuple[float, float]
    hits: float = 0.0
    near: tuple[float, float] = (0.0, 0.0)
    """Positives and rows in the groups near the cut."""

    at: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """Positives and rows of the group at the cut, positives and rows above it."""

    def step(self, groups: ScoreCounts) -> tuple[_FLOATS, _FLOATS]:
        pos, neg = groups.pos, groups.neg
        size, total = pos + neg, self.pos + self.neg
        self.below = self.below[0] + float(pos.sum()), self.below[1] + float(neg.sum())
        # from above, where most cuts are and sums from below would be rounded
        left = max(total - sum(self.below), 0.0)
        above = left + size[::-1].cumsum()[::-1] - size
        upto = above + size
        taken = np.zeros(len(size))
        np.divide(self.count - above, size, out=taken, where=size > 0.0)
        taken = taken.clip(0.0, 1.0)
        self.hits += dot(pos, taken)
        near = (upto > self.count - self.width) & (above < self.count + self.width)
        self.near = self.near[0] + float(pos[near].sum()), self.near[1] + float(size[near].sum())
        down = np.flatnonzero((upto >= self.count * (1.0 - 1e-12)) & (size > 0.0))
        if len(down):
            at = down[-1]
            hits = max(self.pos - self.below[0], 0.0) + float(pos[at + 1 :].sum())
            self.at = float(pos[at]), float(size[at]), hits, float(above[at])
        if self.kept is not None:
            self.kept.add(pos, neg, above, upto)
        return taken, taken

    def then(self, following: CutWalk) -> tuple[float, float]:
        self.hits += following.hits
        self.near = self.near[0] + following.near[0], self.near[1] + following.near[1]
        self.at = following.at if following.at[1] else self.at
        if self.kept is not None and following.kept is not None:
            self.kept.then(following.kept)
        self.below = following.below
        return 0.0, 0.0

    def end(self) -> Ended:
        total, of = self.pos + self.neg, self.term.of
        share, rate = self.count / total, self.near[0] / self.near[1]
        value = of_hits(of, self.hits, share, self.pos, total)
        of_neg = self.neg / self.pos
        if of == "precision":
            constant = (rate - value) / total
            pos = self.pos / self.count * (1.0 - rate), self.pos * constant
            neg = -self.neg / self.count * rate, self.neg * constant
        else:
            recall = value if of == "recall" else value * share
            by = 1.0 if of == "recall" else 1.0 / share
            pos = by * (1.0 - rate), by * (rate * share - recall)
            neg = -by * of_neg * rate, by * of_neg * rate * share
        return Ended(value, pos, neg, self._details())

    def _details(self) -> AtTheCut:
        unit = self.term.unit
        pos, tied, hits, above = self.at
        drawn = self.count - above
        fewest, most = hits + max(drawn - (tied - pos), 0.0), hits + min(pos, drawn)
        return AtTheCut(
            self.count / unit, (self.pos + self.neg) / unit, self.pos / unit, self.hits / unit,
            fewest / unit, most / unit, tied / unit, drawn / unit,
            None if self.kept is None else self.kept.table(),
        )  # fmt: skip
