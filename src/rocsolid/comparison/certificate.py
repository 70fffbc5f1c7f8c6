"""The certified interval of each difference; the theorem depends on the kind of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.binary.inference import certifiable, shares_of_units
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.comparison.compared import Question
from rocsolid.inputs.binary import BinaryRows
from rocsolid.intervals.guarantees.berry_esseen import difference_berry_esseen
from rocsolid.intervals.guarantees.best import of_differences
from rocsolid.intervals.guarantees.difference import CLAIM, difference_limits, difference_mcdiarmid
from rocsolid.intervals.guarantees.difference_matchings import WinSums, matched_difference
from rocsolid.intervals.means.betting import ASSUMPTIONS, DIFFERENCES, SOURCE, betting_limits
from rocsolid.measures.binary_measure import BinaryMeasure, Scored, ScoredRows
from rocsolid.results import Alternative
from rocsolid.results.deferred import Deferred, each_of
from rocsolid.results.interval import Interval
from rocsolid.summaries.strata import Covariation
from rocsolid.summaries.stream import Disagreement


class RowsToCertify(Protocol):
    @property
    def measure(self) -> BinaryMeasure: ...
    @property
    def paired(self) -> bool: ...
    @property
    def rows(self) -> tuple[BinaryRows, ...]: ...
    @property
    def elsewhere(self) -> tuple[Scored, ...]: ...
    def pairs(self) -> list[tuple[int, int]]: ...
    def difference(self, i: int, j: int) -> float: ...
    @property
    def known(self) -> Covariation: ...
    @property
    def win_sums(self) -> list[WinSums]: ...
    def disagreement(self, seed: int) -> Disagreement: ...


Certificates = list[Deferred[Interval | None]]
"""The certified interval of each pair in the order of pairs, computed on first use."""


def certificates(compared: RowsToCertify, question: Question) -> Certificates:
    """Return the certificate of each pair; ``None`` where the measure has none.

    Paired rows of equal weight use the method of `of_differences`; without rows in memory,
    McDiarmid's inequality replaces matchings.
    Weighted or clustered rows use McDiarmid's inequality and require a declared design. Other rows
    use the difference of two certified intervals, each with half the error, which is valid for
    every dependence.
    """
    pairs, delta = compared.pairs(), 1.0 - question.level
    if not compared.paired or not compared.measure.pairwise:
        return each_of(Deferred(lambda: _from_two(compared, question)), len(pairs))
    if compared.elsewhere:
        summary = compared.elsewhere[0].summary
        plain, sizes = summary.squared_shares is None, (summary.n_pos, summary.n_neg)
        declared = certifiable(summary, question.design)
        shares = summary.squared_shares or 1.0 / summary.n_pos + 1.0 / summary.n_neg
    else:
        rows = compared.rows[0]
        positives = int(np.count_nonzero(rows.positive))
        sizes = positives, len(rows) - positives
        plain = rows.weight is None and not rows.evened and rows.cluster is None
        declared = plain or question.design == "fixed"
        shares = 0.0 if plain or not declared else shares_of_units(rows)
    if not declared:
        return [Deferred(lambda: None) for _ in pairs]
    method = of_differences(*sizes)
    if plain and method == "berry-esseen":
        return each_of(Deferred(lambda: _normal(compared, sizes, question)), len(pairs))
    if not plain or compared.elsewhere:  # the other certificates need rows

        def certified(i: int, j: int) -> Interval:
            value = compared.difference(i, j)
            return difference_mcdiarmid(value, shares, delta, question.alternative)

        return [Deferred(partial(certified, i, j)) for i, j in pairs]
    if method == "difference-matchings":

        def matched(i: int, j: int) -> Interval:
            sums = compared.win_sums
            return matched_difference(sums[i], sums[j], delta, question.alternative)

        return [Deferred(partial(matched, i, j)) for i, j in pairs]
    return each_of(Deferred(lambda: _trinomial(compared, question)), len(pairs))


def _normal(
    compared: RowsToCertify, sizes: tuple[int, int], question: Question
) -> list[Interval | None]:
    variances = compared.known.each(np.array(compared.pairs(), dtype=np.intp).T).variances
    of_placements = variances * np.array(sizes)[:, None]
    return [
        difference_berry_esseen(
            compared.difference(i, j), *sizes, 1.0 - question.level, question.alternative,
            variances=(float(of_pos), float(of_neg)),
        )
        for (i, j), of_pos, of_neg in zip(compared.pairs(), *of_placements, strict=True)
    ]  # fmt: skip


def _trinomial(compared: RowsToCertify, question: Question) -> list[Interval | None]:
    delta, rows = 1.0 - question.level, compared.rows[0]
    disagreed = compared.disagreement(question.seed)
    m = int(np.count_nonzero(rows.positive))
    low, high = difference_limits(
        np.array([compared.difference(i, j) for i, j in compared.pairs()]),
        np.array([disagreed.mean[pair] for pair in compared.pairs()]),
        np.float64(min(m, len(rows) - m)),
        delta,
        question.alternative,
    )
    limits = zip(low.tolist(), high.tolist(), strict=True)
    return [CLAIM.interval((a, b), delta, drawn=disagreed.drawn) for a, b in limits]


def _from_two(compared: RowsToCertify, question: Question) -> list[Interval | None]:
    few = Resampling(2)  # the certificate does not use the resamples
    options = Options(level=level_of_each(question), design=question.design, resampling=few)
    samples = compared.elsewhere or [ScoredRows(part) for part in compared.rows]
    own = [compared.measure.estimate(scored, options).certified for scored in samples]
    return differences_of(own, compared.pairs(), question)


def level_of_each(question: Question) -> float:
    """Return the level of two intervals whose difference has the requested level."""
    return 0.5 + question.level / 2.0 if question.alternative == "two-sided" else question.level


def differences_of(
    own: Sequence[Interval | None], pairs: Iterable[tuple[int, int]], question: Question
) -> list[Interval | None]:
    """Return [low_a − high_b, high_a − low_b] of every pair whose intervals are known."""
    return [
        None if a is None or b is None else _difference_of(a, b, question)
        for a, b in ((own[i], own[j]) for i, j in pairs)
    ]


def _difference_of(a: Interval, b: Interval, question: Question) -> Interval:
    bottom, top = question.span
    return replace(
        a,
        low=bottom if question.alternative == "less" else a.low - b.high,
        high=top if question.alternative == "greater" else a.high - b.low,
        level=question.level,
        method="difference of " + " and ".join(dict.fromkeys((a.method, b.method))),
        range=question.span,
        reads=a.reads | b.reads,
    )


_FLOATS = NDArray[np.float64]


class ValuesToCertify(Protocol):
    @property
    def by_query(self) -> tuple[_FLOATS, ...]: ...
    @property
    def paired(self) -> bool: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def bounded(self) -> bool: ...
    def pairs(self) -> list[tuple[int, int]]: ...
    def difference_rows(self) -> Iterator[_FLOATS]: ...


def certificates_of_systems(systems: ValuesToCertify, question: Question) -> Certificates:
    """Return the certificate of each pair; ``None`` for a measure without bounds.

    For the same queries, `betting_limits` apply to (d_q/(high − low) + 1)/2, which is in [0, 1].
    """
    count = len(systems.pairs())
    if not systems.bounded:
        return [Deferred(lambda: None)] * count
    return each_of(Deferred(lambda: _betting(systems, question)), count)


def _betting(systems: ValuesToCertify, question: Question) -> list[Interval | None]:
    span = systems.high - systems.low
    if systems.paired:
        both = [
            betting_limits(
                (rows / span + 1.0) / 2.0, 1.0 - question.level, question.alternative, DIFFERENCES
            )
            for rows in systems.difference_rows()
        ]
        low = span * (2.0 * np.concatenate([limits[0] for limits in both]) - 1.0)
        high = span * (2.0 * np.concatenate([limits[1] for limits in both]) - 1.0)
    else:
        low, high = _from_two_of_systems(systems, question)
    return [
        Interval(
            low_end,
            high_end,
            question.level,
            "betting" if systems.paired else "difference of betting",
            certified=True,
            assumptions=ASSUMPTIONS,
            source=SOURCE,
            range=question.span,
        )
        for low_end, high_end in zip(low.tolist(), high.tolist(), strict=True)
    ]


def _from_two_of_systems(systems: ValuesToCertify, question: Question) -> tuple[_FLOATS, _FLOATS]:
    span = systems.high - systems.low
    ends = np.array(
        [
            np.concatenate(
                betting_limits(
                    ((values - systems.low) / span)[None],
                    _of_one(1.0 - question.level, question.alternative),
                )
            )
            for values in systems.by_query
        ]
    )
    i, j = np.array(systems.pairs()).T
    low, high = span * (ends[i, 0] - ends[j, 1]), span * (ends[i, 1] - ends[j, 0])
    if question.alternative == "less":
        low = np.full_like(low, -span)
    if question.alternative == "greater":
        high = np.full_like(high, span)
    return low, high


def _of_one(delta: float, alternative: Alternative) -> float:
    """Return the error of each two-sided interval; one-sided limits have delta/2 each."""
    return delta / 2.0 if alternative == "two-sided" else delta
