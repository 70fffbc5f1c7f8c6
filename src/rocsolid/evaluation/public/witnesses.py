"""Other labelings with the same page: rows in which they differ have no certain label."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.errors import RocsolidError
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.lines import Lines, lines
from rocsolid.evaluation.public.many_pages import RankedRows, limits_stay
from rocsolid.evaluation.public.relabelled import label_units, labels_of
from rocsolid.evaluation.public.segments import RoundedResult, from_sizes
from rocsolid.intervals.calibrated.auto import METHODS
from rocsolid.leaks.gaussian import LabelUnits, units_of
from rocsolid.results.interval import VALUE

_BOOLS = NDArray[np.bool_]

CELLS = 30_000
"""The largest product of rows and scores for which the search for other labelings runs."""

_WORK = 30_000_000  # the most rows times scores in published pages
_PAGES = (20, 120)  # the fewest and the most published pages
_PATIENCE = 8  # consecutive walks without a new result
_SLOW = 15  # labelings that must cover a tenth of the open rows
_PAIRS = 1024  # the most exchanges compared at a time
_CELLS = 1 << 16  # entries in the matrix of their effects
_STEPS = 250  # steps in a walk
_STATES = 2_000_000  # labels in all states of a walk
_NODES = 200  # nodes in a branch-and-bound search
_ASTRAY = 25  # consecutive steps of a walk without a page


def uncovered(page: Candidate, allowed: int) -> int:
    """Return the number of units whose label no known labeling changes; 0 is a proof.

    Each counted labeling was published anew, with the same page to the last digit. The search
    starts from the true labels and repeatedly exchanges the labels of a positive and a negative,
    so that AUCs, curves and class sizes stay as published.
    """
    inside = page.inside
    units = label_units(inside)
    units = units_of(inside.n_rows) if units is None else units
    truth, present = (_by_unit(units, of) for of in labels_of(inside))
    limits = calibrated_limits(page) if page.coarseness.limits else []

    def keeps_limits(labels: _BOOLS) -> _BOOLS:
        return keeps(limits, labels[:, units.of], inside.options)

    def same(labels: _BOOLS) -> bool:
        try:
            return page.relabelled(labels[units.of]).text == page.text
        except RocsolidError:  # these labels have no page
            return False

    cells = inside.n_rows * len(inside.parts)
    search = Search(lines(page).of_units(units), units.rows, truth, present, keeps_limits, same)
    return int(search.run(allowed, cells).sum())


def _by_unit(units: LabelUnits, of: _BOOLS) -> _BOOLS:
    return np.asarray(np.bincount(units.of, of, len(units)) > 0)


class Search:
    """A search for labelings of units that satisfy linear constraints and a further check.

    ``kind`` is equal for units that can exchange their labels without a change of the class sizes.
    ``keeps`` checks many labelings roughly, and ``same`` proves that one labeling fits.
    """

    def __init__(
        self,
        constraints: Lines,
        kind: NDArray[np.int64],
        truth: _BOOLS,
        present: _BOOLS,
        keeps: Callable[[_BOOLS], _BOOLS],
        same: Callable[[_BOOLS], bool],
    ) -> None:
        self.lines, self.kind, self.truth, self.present = constraints, kind, truth, present
        self.keeps, self.same = keeps, same
        self.alike = bool((kind == kind[0]).all())
        self.random = np.random.default_rng(0)
        self.open = self.present.copy()
        self.tried = np.zeros(len(self.truth))
        self.steps = int(np.clip(_STATES // len(kind), 20, _STEPS))
        self.pairs = int(np.clip(_CELLS // len(constraints.low), 64, _PAIRS))

    def run(self, allowed: int, cells: int) -> _BOOLS:
        """Return the units without another label, after checks of tables with so many cells."""
        self.pages = pages = int(np.clip(_WORK // max(1, cells), *_PAGES))
        last, barren = self.truth, 0
        left = [int(self.open.sum())]
        while left[-1] > allowed and barren < _PATIENCE and self.pages > 0:
            start = self.truth if self.random.random() < 0.5 else last
            labels = self._first_that_holds(self._walk(start))
            if labels is None and not self.alike:
                labels = self._first_that_holds(self._solved())
            if labels is None:
                barren += 1
                continue
            self.open &= labels == self.truth
            last, barren = labels, 0
            left.append(int(self.open.sum()))
            if len(left) > _SLOW and left[-1] > 0.9 * left[-1 - _SLOW]:
                break
            pace = (left[0] - left[-1]) / (pages - self.pages)
            if len(left) > _SLOW and left[-1] - allowed > 2 * pace * self.pages:
                break  # the last rows are the hardest, so the search would not finish
        return self.open

    def _first_that_holds(self, states: list[_BOOLS]) -> _BOOLS | None:
        if not states:
            return None
        labels = np.array(states)
        gains = ((labels != self.truth) & self.open).sum(axis=1) * self.keeps(labels)
        some = np.flatnonzero(gains)
        if not len(some):
            return None
        tried = dict.fromkeys(
            [int(np.argmax(gains)), int(some[len(some) // 2]), int(some[len(some) // 4]),
             int(some[0])]
        )  # fmt: skip
        for at in tried:
            self.pages -= 1
            if self.same(labels[at]):
                return np.asarray(labels[at])
        return None

    def _solved(self) -> list[_BOOLS]:
        """Find a labeling that changes one open unit and keeps the page's linear numbers, by
        HiGHS.

        Exchanges do not reach units with a unique number of rows. The solver changes as many open
        units as possible, or as few units as possible, which also keeps intervals.
        """
        from scipy.optimize import Bounds, LinearConstraint, milp

        if not self.open.any():
            return []
        unit = int(np.argmin(np.where(self.open, self.tried, np.inf)))
        self.tried[unit] += 1
        worth = self.random.uniform(0.5, 1.0, len(self.truth))
        worth *= np.where(self.open, 1.0, 0.0) if self.tried[unit] % 2 else -1.0
        low = np.zeros(len(self.truth))
        high = self.present.astype(np.float64)
        low[unit] = high[unit] = not self.truth[unit]
        scale = np.abs(self.lines.weights).max(axis=1) + 1e-300
        solution = milp(
            np.where(self.truth, worth, -worth),
            integrality=np.ones(len(self.truth)),
            bounds=Bounds(low, high),
            constraints=LinearConstraint(
                self.lines.weights / scale[:, None], self.lines.low / scale, self.lines.high / scale
            ),
            options={"mip_rel_gap": 0.1, "node_limit": _NODES},
        )
        if solution.x is None:
            return []
        labels = np.rint(solution.x).astype(bool)
        beyond = self.lines.beyond((self.lines.weights @ labels)[:, None])
        return [labels] if beyond[0] == 0.0 else []

    def _walk(self, start: _BOOLS) -> list[_BOOLS]:
        labels, free = start.copy(), self.present.copy()
        sums = self.lines.weights @ labels
        many = max(1, len(labels) // 100)
        states: list[_BOOLS] = []
        astray = 0
        for _ in range(self.steps):
            drawn = self._exchanges(labels, free)
            if drawn is None or astray > _ASTRAY:
                break
            down, up = drawn
            change = self.lines.weights[:, up] - self.lines.weights[:, down]
            beyond = self.lines.beyond(sums[:, None] + change)
            gain = self.open[down].astype(np.float64) + self.open[up]
            inside = np.flatnonzero(beyond == 0.0)
            near = inside if len(inside) else np.arange(len(down))
            cost = self.lines.off_centre(sums[:, None] + change[:, near])
            if len(inside):
                best = inside[np.lexsort((cost, -gain[inside]))]
                if gain[best[0]] == 0.0:
                    best = best[:1]  # move towards the middle, with room for the next
                best = best[_first_of_each(down[best]) & _first_of_each(up[best])][:many]
                after = sums[:, None] + np.cumsum(change[:, best], axis=1)
                best = best[np.cumprod(self.lines.beyond(after) == 0.0).astype(bool)]
            else:
                best = np.array([np.argmin(beyond + 1e-3 * cost - 1e-2 * gain)])
            labels[down[best]], labels[up[best]] = False, True
            free[down[best]] = free[up[best]] = False
            sums = sums + change[:, best].sum(axis=1)
            if len(inside):
                states.append(labels.copy())
                astray = 0
            else:
                astray += 1
        return states

    def _exchanges(
        self, labels: _BOOLS, free: _BOOLS
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]] | None:
        """Return positives and negatives of the same kind to exchange."""
        exchanges = self._any_exchanges(labels, free)
        if exchanges is None or self.alike:
            return exchanges
        down, up = exchanges
        even = self.kind[down] == self.kind[up]
        return (down[even], up[even]) if even.any() else None

    def _any_exchanges(
        self, labels: _BOOLS, free: _BOOLS
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]] | None:
        pos, neg = np.flatnonzero(labels & free), np.flatnonzero(~labels & free)
        if not len(pos) or not len(neg):
            return None
        most = self.pairs
        if len(pos) * len(neg) <= 2 * most:
            return np.repeat(pos, len(neg)), np.tile(neg, len(pos))
        down, up = [self.random.choice(pos, most // 2)], [self.random.choice(neg, most // 2)]
        for rows, others, exchanged, exchanged_with in ((pos, neg, down, up), (neg, pos, up, down)):
            wanted = rows[self.open[rows]]
            if len(wanted):
                some = self.random.choice(others, min(len(others), most // 4), replace=False)
                few = self.random.choice(wanted, most // 4 // len(some))
                exchanged.append(np.repeat(few, len(some)))
                exchanged_with.append(np.tile(some, len(few)))
        return np.concatenate(down), np.concatenate(up)


def _first_of_each(rows: NDArray[np.intp]) -> _BOOLS:
    first = np.zeros(len(rows), dtype=bool)
    first[np.unique(rows, return_index=True)[1]] = True
    return first


_BLOCK = 1 << 20  # cells at once


def calibrated_limits(page: Candidate) -> list[tuple[RankedRows, RoundedResult]]:
    """Return the rows and the results over all rows whose intervals depend on the moments only.

    Limits that are recomputed from the rounded AUC are the same for every labeling.
    """
    options = page.inside.options
    if options.interval not in METHODS:
        return []
    return [
        (RankedRows.of(scored), page.result(scored))
        for scored in page.inside.parts
        if scored.measure.pairwise
        and from_sizes(scored.overall, "auc")
        and not scored.overall.interval.reads <= VALUE
    ]


def keeps(
    limits: list[tuple[RankedRows, RoundedResult]], labels: _BOOLS, options: Options
) -> _BOOLS:
    good = np.ones(len(labels), dtype=bool)
    size = max(1, _BLOCK // max(1, labels.shape[1]))
    for start in range(0, len(labels), size):
        block = slice(start, start + size)
        for ranked, result in limits:
            left = np.flatnonzero(good[block])
            if len(left):
                moments = ranked.sums(labels[block][left]).moments
                good[start + left] = limits_stay(moments, result, options)
    return good
