"""Areas under the precision-recall curve, and the upward segments of the ROC curve.

From right to left, the ROC curve visits the scores in ascending order. A score that s of the m
positives and t of the n negatives share is a straight segment: it falls by s/m while the
true-negative rate rises from ``low`` to ``high`` = low + t/n (a vertical step if t = 0).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.rate_box import band_places
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.products import stretch_sums
from rocsolid.summaries.ranked_groups import RankedGroups
from rocsolid.summaries.score_counts import ScoreCounts, run_begins
from rocsolid.summaries.terms import NO_PLACES, Ended, Places
from rocsolid.weights.weight import complement

_FLOATS = NDArray[np.float64]

Kind = Literal["step", "davis-goadrich", "trapezoid"]
"""The interpolation between two thresholds: see `gains`."""


def check_kind(kind: str) -> None:
    if kind not in get_args(Kind):
        raise InputError(
            "unknown kind of area under the precision-recall curve",
            where="kind",
            value=kind,
            fix=f"use {', '.join(get_args(Kind))}",
        )


# steps in a block: large against NumPy's call overhead, small enough for the cache
_BLOCK = 4096
_NONE = np.zeros(0)
_Above = tuple[_FLOATS, _FLOATS]
"""The positives and the negatives above a step; the last axis has length one."""


class Gains(NamedTuple):
    """The contribution of each step to m times the area, and its slopes.

    The slopes are in the positives at the step, the positives above, the negatives above and the
    negatives tied with the step.
    """

    gain: _FLOATS
    pos: _FLOATS
    pos_above: _FLOATS
    neg_above: _FLOATS
    tied: _FLOATS


class StepInfluences(NamedTuple):
    """The influences of a positive at each step, a negative tied with it, and one just above.

    An influence is a class's total times the slope in a row's weight. A negative below all
    positives has influence 0. The weighted influences sum to 0 over each class. ``totals`` are the
    positives and the negatives.
    """

    area: Any
    totals: tuple[Any, Any]
    pos: _FLOATS
    tied: _FLOATS
    gap: _FLOATS


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionSteps:
    """Each score of a positive, from the highest down, with counts or sums of weights.

    ``pos`` and ``tied`` count positives and negatives with the score, ``gap`` negatives between the
    score and the step above, and ``below`` negatives below all positives. Groups have a line each,
    with empty steps at the end.

    >>> y, s = np.array([True, False, True, False]), np.array([4.0, 3.0, 2.0, 2.0])
    >>> steps = PrecisionSteps.of_classes(SortedClasses.from_arrays(y, s))
    >>> steps.pos, steps.tied, steps.gap
    (array([1., 1.]), array([0., 1.]), array([0., 1.]))
    >>> steps.area("step"), round(steps.area("davis-goadrich"), 4)
    (0.75, 0.75)
    """

    pos: _FLOATS
    tied: _FLOATS
    gap: _FLOATS
    below: Any

    @classmethod
    def of_groups(cls, ranked: RankedGroups) -> PrecisionSteps:
        """The steps of many groups, without scores.

        >>> from rocsolid.summaries.groups import Groups
        >>> y, s = np.array([True, False, True, False]), np.array([4.0, 3.0, 2.0, 2.0])
        >>> (ranked,) = RankedGroups.of(y, s, Groups.of(np.array([0, 0, 1, 1]), 2))
        >>> steps = PrecisionSteps.of_groups(ranked)
        >>> steps.tied.tolist(), steps.below, steps.area("step")
        ([[0.0], [1.0]], array([1., 0.]), array([1. , 0.5]))
        """
        if ranked.new.all():
            return cls._of_untied_groups(ranked)
        runs = ranked.runs()
        between = runs.below[:, 1:] - runs.through[:, :-1]
        down = runs.count[:, None] - 1 - np.arange(between.shape[1])
        real, at = down >= 0, np.maximum(down, 0)
        pos, tied, gap = (
            np.where(real, np.take_along_axis(column, at, axis=1), 0).astype(np.float64)
            for column in (runs.pos, runs.through - runs.below, between)
        )
        return cls(pos, tied, gap, runs.below[:, 0].astype(np.float64))

    @classmethod
    def _of_untied_groups(cls, ranked: RankedGroups) -> PrecisionSteps:
        positive = np.ascontiguousarray(ranked.positive[:, ::-1])
        lines, width = positive.shape
        cells = np.flatnonzero(positive)
        count = np.count_nonzero(positive, axis=1)
        rows = count + np.count_nonzero(ranked.negative, axis=1)
        first = np.cumsum(count) - count
        real = np.arange(count.max()) < count[:, None]
        between = np.diff(cells, prepend=0) - 1
        begin = width * np.arange(1, lines + 1) - rows
        between[first] = cells[first] - begin
        gap = np.zeros(real.shape)
        gap[real] = between
        below = begin + rows - 1 - cells[first + count - 1]
        zeros = np.broadcast_to(0.0, real.shape)
        return cls(real.astype(np.float64), zeros, gap, below.astype(np.float64))

    @classmethod
    def of_classes(cls, classes: SortedClasses) -> PrecisionSteps:
        """The steps of rows of equal weight, with a search of negatives only at positives."""
        neg, new = classes.neg, run_begins(classes.pos)
        starts = np.flatnonzero(new)
        score = classes.pos if len(starts) == len(new) else classes.pos[starts]
        under = neg.searchsorted(score)
        level = np.zeros(len(score), dtype=bool)
        if len(neg):
            level = neg.take(under, mode="clip") == score
        if len(starts) == len(new) and not level.any():
            return cls._untied(under, len(neg), 0)
        pos, tied = np.diff(starts, append=len(new)), np.zeros(len(score))
        tied[level] = neg.searchsorted(score[level], side="right") - under[level]
        gap = np.diff(under, append=len(neg)) - tied
        first, second, third = (column[::-1].astype(np.float64) for column in (pos, tied, gap))
        return cls(first, second, third, float(under[0]))

    @classmethod
    def of_distinct(cls, positive: NDArray[np.bool_]) -> PrecisionSteps:
        """The steps of rows of equal weight in the order of their scores, which all differ.

        >>> PrecisionSteps.of_distinct(np.array([False, True, False, True])).gap
        array([0., 1.])
        """
        return cls._untied(np.flatnonzero(positive), len(positive), 1)

    @classmethod
    def _untied(cls, under: NDArray[np.intp], rows: int, own: int) -> PrecisionSteps:
        """The steps of positives that tie with no row, from the rows under each, in their memory.

        These rows are negatives alone, or include the positives if ``own`` is 1.
        """
        below, last = float(under[0]), float(rows - own - under[-1])
        gap = under.view(np.float64)
        for start in range(0, len(under) - 1, _BLOCK):
            between = np.diff(under[start : start + _BLOCK + 1])
            between -= own
            gap[start : start + len(between)] = between
        gap[-1] = last
        ones, zeros = (np.broadcast_to(value, gap.shape) for value in (1.0, 0.0))
        return cls(ones, zeros, gap[::-1], below)

    @classmethod
    def of_table(cls, table: ScoreCounts) -> PrecisionSteps:
        steps = np.flatnonzero(table.pos > 0)
        neg = table.neg.astype(np.float64)
        tied = neg[steps]
        runs = np.add.reduceat(neg, steps)  # from each step up to the next
        pos, gap = table.pos[steps].astype(np.float64), runs - tied
        below = float(neg[: steps[0]].sum())
        return cls(pos[::-1], tied[::-1], gap[::-1], below)

    @property
    def totals(self) -> tuple[Any, Any]:
        def total(column: _FLOATS) -> Any:
            return stretch_sums(lambda some: column[..., some], self.count, _BLOCK)

        return total(self.pos), total(self.tied) + total(self.gap) + self.below

    @property
    def _top(self) -> _Above:
        nothing = np.zeros((*self.pos.shape[:-1], 1))
        return nothing, nothing

    @property
    def count(self) -> int:
        return int(self.pos.shape[-1])

    def area(self, kind: Kind) -> Any:
        return self._walked(kind, self.totals[0])[0]

    def _walked(self, kind: Kind, pos: Any) -> tuple[Any, list[tuple[slice, _Above]]]:
        """The area, and stretches of steps from the top with the rows above each."""
        stretches: list[tuple[slice, _Above]] = []
        above = self._top

        def gained(some: slice) -> _FLOATS:
            nonlocal above
            stretches.append((some, above))
            columns, above = self._columns(kind, some, above)
            return gain_of(kind, *columns)

        total = stretch_sums(gained, self.count, _BLOCK)
        mean = np.clip(total / pos, 0.0, 1.0)
        return float(mean) if mean.ndim == 0 else mean, stretches

    def gains(
        self, kind: Kind, some: slice = slice(None), above: _Above | None = None
    ) -> tuple[Gains, _Above]:
        """The contributions of some steps to the area, and the rows above the following steps.

        With H of D rows positive from a step up, H⁻ of B above it and p positives at it, the step
        adds p·H/D ("step", scikit-learn's average precision) or p·(H⁻/B + H/D)/2 ("trapezoid",
        where B = 0 counts as a precision of 1). Davis and Goadrich (2006) let positives and
        negatives grow together between thresholds: with s the positives' share of the step, the
        step adds s·p + s·(H⁻ − s·B)·ln(D/B), the integral of Keilwagen et al. (2014).
        """
        columns, above = self._columns(kind, some, above or self._top)
        return gains_of(kind, *columns), above

    def _columns(self, kind: Kind, some: slice, above: _Above) -> tuple[list[_FLOATS], _Above]:
        """The arguments of `gains_of` for some steps, and the rows above the following steps."""
        p, e, gap = (column[..., some] for column in (self.pos, self.tied, self.gap))
        hits, alarms = _through(p.copy(), above[0]), _through(gap + e, above[1])
        rows = hits + alarms
        columns = [p, e, hits, rows]
        if kind != "step":
            # from sums, because rounding errors of differences are not rows
            columns.append(np.concatenate([above[0], hits[..., :-1]], axis=-1))
            columns.append(np.concatenate([above[0] + above[1], rows[..., :-1]], axis=-1) + gap)
        return columns, (hits[..., -1:].copy(), alarms[..., -1:].copy())  # a view keeps its array

    def influences(self, kind: Kind) -> StepInfluences:
        """The influences of rows on an area."""
        m, n = totals = self.totals
        area, stretches = self._walked(kind, m)
        ratio, middle = (n / m)[..., None], np.asarray(area)[..., None]
        pos, tied = np.empty(self.pos.shape), np.empty(self.pos.shape)
        gap = tied if kind == "step" else np.empty(self.pos.shape)
        lower = list(self._top)
        for some, above in reversed(stretches):
            gains, _ = self.gains(kind, some, above)
            through = [
                _through(slope[..., ::-1].copy(), passed)[..., ::-1]
                for slope, passed in zip((gains.pos_above, gains.neg_above), lower, strict=True)
            ]
            lower = [sums[..., :1] for sums in through]
            later_pos, later_neg = through[0] - gains.pos_above, through[1] - gains.neg_above
            pos[..., some] = later_pos + gains.pos - middle
            tied[..., some] = ratio * (gains.tied + later_neg)
            if kind != "step":
                gap[..., some] = ratio * (gains.neg_above + later_neg)
        return StepInfluences(area, totals, pos, tied, gap)


def _through(values: _FLOATS, before: _FLOATS) -> _FLOATS:
    """Replace a stretch that continues from ``before`` by its cumulative sums."""
    values[..., :1] += before
    return np.add.accumulate(values, axis=-1, out=values)


def gain_of(
    kind: Kind, p: _FLOATS, e: _FLOATS, hits: _FLOATS, rows: _FLOATS, *above: _FLOATS
) -> _FLOATS:
    """`Gains.gain` alone."""
    if kind == "step":
        return p * (hits / rows)
    return gains_of(kind, p, e, hits, rows, *above).gain


def gains_of(
    kind: Kind,
    p: _FLOATS,
    e: _FLOATS,
    hits: _FLOATS,
    rows: _FLOATS,
    before: _FLOATS = _NONE,
    above: _FLOATS = _NONE,
) -> Gains:
    """The gains of steps with ``p`` positives and ``e`` negatives each.

    ``hits`` positives of ``rows`` rows have at least the score of the step, and ``before``
    positives of ``above`` rows a higher one, which "step" does not need.
    """
    precision = hits / rows
    share = p / rows
    at_end = -share * precision
    at_pos = share + at_end
    if kind == "step":
        return Gains(p * precision, precision + at_pos, at_pos, at_end, at_end)
    some = above > 0.0
    safe = np.where(some, above, 1.0)
    if kind == "trapezoid":
        start = np.where(some, before / safe, 1.0)
        mean = 0.5 * (start + precision)
        lift = np.where(some, 0.5 * p / safe * (1.0 - start), 0.0)
        drop = np.where(some, -0.5 * p / safe * start, 0.0)
        half_pos, half_end = 0.5 * at_pos, 0.5 * at_end
        return Gains(p * mean, mean + half_pos, lift + half_pos, drop + half_end, half_end)
    held = np.where(p > 0.0, p, 1.0)
    share = p / (held + e)
    growth = np.where(some, np.log1p((p + e) / safe), 0.0)
    lead = share * (before - share * above)
    gain = share * p + lead * growth
    turn = np.where(some, lead * (1.0 / rows - 1.0 / safe), 0.0)
    tilt = p + (before - 2.0 * share * above) * growth  # the slope in the share
    end = lead / rows
    return Gains(
        gain,
        share + share * (1.0 - share) / held * tilt + end,
        share * (1.0 - share) * growth + turn,
        -(share**2) * growth + turn,
        -(share**2) / held * tilt + end,
    )


@dataclass(frozen=True, slots=True)
class PrecisionTerm:
    """The area under the precision-recall curve as a sum over groups of equal scores.

    ``prevalence`` is the share of positives in the population, if not that of the rows.
    """

    kind: Kind
    prevalence: float | None
    centred: bool

    def begin(
        self, pos: float, neg: float, below: tuple[float, float] = (0.0, 0.0)
    ) -> PrecisionWalk:
        ratio = 1.0
        if self.prevalence is not None:
            ratio = (1.0 - self.prevalence) / self.prevalence * pos / neg
        return PrecisionWalk(self.kind, pos, neg, ratio, below)

    def places(self, pos: int, neg: int) -> Places:
        return NO_PLACES if self.kind == "trapezoid" else Places(band_places(pos), band_places(neg))

    def weighed(self, rows: tuple[int, int], unit: float) -> PrecisionTerm:  # noqa: ARG002
        return self


_ROUNDED = 1e-13  # share of all rows that rounding may leave of a sum


@dataclass(slots=True, eq=False)
class PrecisionWalk:
    """Cumulative sums over groups from the lowest score; the total less a sum is for rows above.

    A positive has its own slope and those of lower steps, a negative the slopes of steps at and
    below its score; see `PrecisionSteps.influences`.
    """

    kind: Kind
    pos: float
    neg: float
    ratio: float
    below: tuple[float, float] = (0.0, 0.0)
    gained: float = 0.0
    lower: tuple[float, float] = (0.0, 0.0)

    def step(self, groups: ScoreCounts) -> tuple[_FLOATS, _FLOATS]:
        pos, neg = groups.pos, groups.neg
        of_pos, of_neg = np.zeros((2, len(pos)))
        some = pos > 0.0
        p, e = pos[some], self.ratio * neg[some]
        before = self._above(self.pos, self.below[0], pos)[some]
        others = self.ratio * self._above(self.neg, self.below[1], neg)[some]
        hits, above = before + p, before + others
        gains = gains_of(self.kind, p, e, hits, hits + others + e, before, above)
        lifts, drops = np.zeros((2, len(pos)))
        lifts[some], drops[some] = gains.pos_above, gains.neg_above
        lift, drop = self.lower[0] + np.cumsum(lifts), self.lower[1] + np.cumsum(drops)
        of_pos[some] = gains.pos + (lift - lifts)[some]
        of_neg[:] = drop
        of_neg[some] = gains.tied + (drop - drops)[some]
        self.gained += float(gains.gain.sum())
        self.lower = float(lift[-1]), float(drop[-1])
        self.below = self.below[0] + float(pos.sum()), self.below[1] + float(neg.sum())
        return of_pos, of_neg

    def then(self, following: PrecisionWalk) -> tuple[float, float]:
        lower = self.lower
        self.gained += following.gained
        self.lower = lower[0] + following.lower[0], lower[1] + following.lower[1]
        self.below = following.below
        return lower

    def end(self) -> Ended:
        area = min(max(self.gained / self.pos, 0.0), 1.0)
        return Ended(area, (1.0, -area), (self.ratio * self.neg / self.pos, 0.0))

    @staticmethod
    def _above(total: float, below: float, own: _FLOATS) -> _FLOATS:
        left = total - (below + np.cumsum(own))
        return np.where(left > _ROUNDED * total, left, 0.0)


class StepsUp(NamedTuple):
    low: _FLOATS
    high: _FLOATS
    share: _FLOATS


def steps_up(
    data: SortedClasses | ScoreCounts,
    *,
    tpr: tuple[float, float] = (0.0, 1.0),
    within: tuple[float, float] = (0.0, 1.0),
) -> Iterator[StepsUp]:
    """Yield blocks of segments, cut to a range of true-positive rates.

    The segments ascend, except that the two which the range cuts come first. Segments whose
    true-negative rates lie outside ``within`` may be merged into one segment at rate 0 or 1, which
    a weight with that support cannot distinguish.
    """
    if isinstance(data, ScoreCounts):
        yield _cut(data.pos, data.neg, tpr)
        return
    pos, neg = data.pos, data.neg
    m, n = len(pos), len(neg)
    first, last = 0, m
    if tpr != (0.0, 1.0):
        # only the two scores at the ends of the range can be cut
        places = [int(complement(rate) * m) for rate in reversed(tpr)]
        ends = np.unique(pos[np.minimum(places, m - 1)])
        yield _cut_scores(data, ends, tpr)
        first = int(np.searchsorted(pos, ends[0], side="right"))
        last = max(first, int(np.searchsorted(pos, ends[-1], side="left")))
    # a margin of one negative, so that rounding cannot merge segments inside the support
    bottom, top = neg[max(int(within[0] * n) - 1, 0)], neg[min(int(within[1] * n) + 1, n - 1)]
    from_ = min(max(int(np.searchsorted(pos, bottom, side="left")), first), last)
    to = max(min(int(np.searchsorted(pos, top, side="right")), last), from_)
    yield _lump(0.0, (from_ - first) / m)
    start, end = int(np.searchsorted(neg, bottom)), int(np.searchsorted(neg, top, side="right"))
    if end - start < to - from_:
        yield from _blocks_of_neg(pos[from_:to], neg, m, start, end)
    else:
        yield from _blocks(pos[from_:to], neg, m)
    yield _lump(1.0, (last - to) / m)


def _lump(rate: float, share: float) -> StepsUp:
    return StepsUp(np.array([rate]), np.array([rate]), np.array([share]))


def _blocks(pos: NDArray[Any], neg: NDArray[Any], m: int) -> Iterator[StepsUp]:
    n = len(neg)
    lefts = np.append(np.searchsorted(neg, pos[::_BLOCK]), n)
    for block, start in enumerate(range(0, len(pos), _BLOCK)):
        keys = pos[start : start + _BLOCK]
        share = np.full(len(keys), 1.0 / m)
        new = np.empty(len(keys), dtype=bool)
        new[:1] = True
        np.not_equal(keys[1:], keys[:-1], out=new[1:])
        if not new.all():
            share = np.diff(np.flatnonzero(new), append=len(keys)) / m
            keys = keys[new]
        # every key of the block lies in this stretch of the negatives, or just past it
        offset = int(lefts[block])
        stretch = neg[offset : int(lefts[block + 1]) + 1]
        low = stretch.searchsorted(keys)
        high = low
        inside = low < len(stretch)
        equal = np.zeros(len(keys), dtype=bool)
        equal[inside] = stretch[low[inside]] == keys[inside]
        if equal.any():
            high = low.copy()
            high[equal] = np.searchsorted(neg, keys[equal], side="right") - offset
        yield StepsUp((low + offset) / n, (high + offset) / n, share)


def _blocks_of_neg(
    pos: NDArray[Any], neg: NDArray[Any], m: int, start: int, end: int
) -> Iterator[StepsUp]:
    """The segments, with one for all positives between two neighbouring negatives.

    The negatives from ``start`` to ``end`` are searched among the positives, which is faster if
    there are fewer negatives.
    """
    n = len(neg)
    starts = start + np.flatnonzero(run_begins(neg[start:end]))
    lefts = np.append(np.searchsorted(pos, neg[starts[::_BLOCK]]), len(pos))
    passed = 0  # positives up to the last negative of the previous block
    for block, begin in enumerate(range(0, len(starts), _BLOCK)):
        low = starts[begin : begin + _BLOCK]
        high = np.append(low[1:], starts[begin + _BLOCK] if begin + _BLOCK < len(starts) else end)
        keys, offset = neg[low], int(lefts[block])
        stretch = pos[offset : int(lefts[block + 1]) + 1]
        left = stretch.searchsorted(keys)
        right = left
        inside = left < len(stretch)
        equal = np.zeros(len(keys), dtype=bool)
        equal[inside] = stretch[left[inside]] == keys[inside]
        if equal.any():
            right = left.copy()
            right[equal] = np.searchsorted(pos, keys[equal], side="right") - offset
        between = left + offset - np.append(passed, right[:-1] + offset)
        passed = int(right[-1]) + offset
        if right is left:
            yield StepsUp(low / n, low / n, between / m)
        else:
            rates = np.repeat(low / n, 2), np.column_stack([low, high]).ravel() / n
            yield StepsUp(*rates, np.column_stack([between, right - left]).ravel() / m)
    yield _lump(end / n, (len(pos) - passed) / m)


def _cut_scores(data: SortedClasses, scores: NDArray[Any], tpr: tuple[float, float]) -> StepsUp:
    pos = _between(data.pos, scores)
    neg = _between(data.neg, scores)
    return _cut(pos, neg, tpr, np.arange(len(pos)) % 2 == 1)


def _between(ascending: NDArray[Any], scores: NDArray[Any]) -> NDArray[np.int64]:
    left = np.searchsorted(ascending, scores, side="left")
    right = np.searchsorted(ascending, scores, side="right")
    at = np.column_stack([left, right]).ravel()
    return np.diff(at, prepend=0, append=len(ascending))


def _cut(
    pos: NDArray[Any],
    neg: NDArray[Any],
    tpr: tuple[float, float],
    rows: NDArray[np.bool_] | bool = True,
) -> StepsUp:
    low, high = _ends(neg)
    start, end = _ends(pos)
    used = (end > start) & rows
    low, high, start, end = low[used], high[used], start[used], end[used]
    if tpr == (0.0, 1.0):
        return StepsUp(low, high, end - start)
    # shares of positives count from the lowest score: the true-positive rate t is the share 1−t
    bottom, top = complement(tpr[1]), complement(tpr[0])
    from_, to = np.clip(start, bottom, top), np.clip(end, bottom, top)
    rise = (high - low) / (end - start)
    return StepsUp(low + rise * (from_ - start), high - rise * (end - to), to - from_)


def _ends(counts: NDArray[Any]) -> tuple[_FLOATS, _FLOATS]:
    up_to = np.cumsum(counts)
    shares = np.concatenate([[0.0], up_to / up_to[-1]])
    return shares[:-1], shares[1:]
