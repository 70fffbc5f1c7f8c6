"""The permutation test of AUCs, and the ranks that it exchanges."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.compared import Outcome, Question, Tested, within, without_variance
from rocsolid.comparison.omnibus import largest_t
from rocsolid.comparison.redraws import (
    Sharing,
    Swaps,
    check_exchangeable,
    extremeness,
    farthest,
    gone_through,
    share_as_extreme,
)
from rocsolid.comparison.rows import ComparedRows
from rocsolid.errors import UnsoundError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.remarks.comparisons import FewExchanged
from rocsolid.remarks.remark import Remark
from rocsolid.results.comparison import Omnibus
from rocsolid.summaries.score_counts import distinct_scores
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.strata import NO_VARIANCE

_FLOATS = NDArray[np.float64]
_CODES = NDArray[np.intp]
_DIGITS = 12  # rounding, so that equal standings of two scores are tied


def standing(rows: BinaryRows) -> _FLOATS:
    """Return ½F̂₊(x) + ½F̂₋(x), the mean share of the two classes below each score, ties half.

    Two scores with the same ROC curve have the same distribution of standings in each class,
    whatever their scales and the share of positives. Rows of different samples are therefore
    exchangeable by standings, but not by ranks. Within the same rows `rank` is better, because
    standings depend on the few positives.

    >>> y = np.array([True, False, False])
    >>> standing(BinaryRows(y, np.array([7.0, 1.0, 7.0])))
    array([0.625, 0.125, 0.625])
    """
    distinct, group = distinct_scores(rows.score)
    total = np.zeros(len(distinct))
    for of_class in (rows.positive, ~rows.positive):
        weight = None if rows.weight is None else rows.weight[of_class]
        at = np.bincount(group[of_class], weight, minlength=len(distinct)).astype(np.float64)
        total += (np.cumsum(at) - 0.5 * at) / at.sum()
    return np.asarray(np.round(0.5 * total, _DIGITS)[group])


def rank(rows: BinaryRows) -> _FLOATS:
    """Return the share of all rows below each row's score, ties half, for exchanges within rows.

    The rank does not depend on labels, so a few positives do not influence it. With 5 + 50 rows of
    exchangeable scores, exchanging `standing` gave 9 % false alarms at 5 %, and 18 % for whole
    curves.

    >>> rank(BinaryRows(np.array([True, False, False]), np.array([7.0, 1.0, 7.0])))
    array([0.66666667, 0.16666667, 0.66666667])
    """
    distinct, group = distinct_scores(rows.score)
    at = np.bincount(group, rows.weight, minlength=len(distinct)).astype(np.float64)
    return np.asarray(np.round((np.cumsum(at) - 0.5 * at) / at.sum(), _DIGITS)[group])


def coded(*standings: _FLOATS) -> tuple[list[_CODES], int]:
    """Return the index of each standing among all distinct standings, and their number.

    >>> coded(np.array([0.5, 0.1]), np.array([0.5]))
    ([array([1, 0]), array([1])], 2)
    """
    distinct, code = np.unique(np.concatenate(standings), return_inverse=True)
    ends = np.cumsum([len(each) for each in standings])[:-1]
    return np.split(code, ends), len(distinct)


def placements(
    pos: _CODES, neg: _CODES, u: _FLOATS, v: _FLOATS, size: int
) -> tuple[_FLOATS, _FLOATS]:
    """Return V10 and V01 of many data sets, one in each row, from codes below ``size``.

    ``u`` and ``v`` are the rows' shares of their class, in one row for all data sets or one for
    each.

    >>> codes = np.array([[2, 1]]), np.array([[0, 1]])
    >>> half = np.full((1, 2), 0.5)
    >>> placements(*codes, half, half, 3)
    (array([[1.  , 0.75]]), array([[1.  , 0.75]]))
    """
    offset = size * np.arange(len(pos))[:, None]
    # contiguous rows, so that sums along a row do not depend on the number of rows
    pos, neg = np.ascontiguousarray(pos + offset), np.ascontiguousarray(neg + offset)
    return _below(neg, v, size, len(pos))[pos], 1.0 - _below(pos, u, size, len(pos))[neg]


def _below(codes: _CODES, share: _FLOATS, size: int, count: int) -> NDArray[Any]:
    """Return the share of a class below each code, ties half, for all data sets in one long row."""
    flat = np.broadcast_to(share, codes.shape).ravel()
    at = np.bincount(codes.ravel(), flat, minlength=size * count).reshape(count, size)
    return np.asarray(np.cumsum(at, axis=1) - 0.5 * at).ravel()


_Class = tuple[_CODES, _FLOATS]


class Pooled:
    """Codes of the standings and weights, of all positives and then of all negatives.

    ``sizes`` contains, for each class, the rows in each sample.
    """

    def __init__(self, *samples: BinaryRows) -> None:
        codes, self.size = coded(*map(standing, samples))
        weights = [np.ones(len(r)) if r.weight is None else r.weight for r in samples]
        self._classes: list[_Class] = []
        self.sizes: list[tuple[int, ...]] = []
        for positive in (True, False):
            places = [np.flatnonzero(sample.positive == positive) for sample in samples]
            self._classes.append(
                (
                    np.concatenate([code[k] for code, k in zip(codes, places, strict=True)]),
                    np.concatenate([weight[k] for weight, k in zip(weights, places, strict=True)]),
                )
            )
            self.sizes.append(tuple(map(len, places)))

    @property
    def unchanged(self) -> list[_CODES]:
        """The orders of the data."""
        return [np.arange(sum(of_class))[None, :] for of_class in self.sizes]

    def samples(self, orders: list[_CODES]) -> list[tuple[_Class, _Class]]:
        """Return the codes and weights of each class in each sample after an exchange.

        ``orders`` are as in `Sharing`.
        """
        parts = [
            np.split(order, np.cumsum(of_class)[:-1], axis=1)
            for order, of_class in zip(orders, self.sizes, strict=True)
        ]
        (pos, u), (neg, v) = self._classes
        return [
            ((pos[of_pos], u[of_pos]), (neg[of_neg], v[of_neg]))
            for of_pos, of_neg in zip(*parts, strict=True)
        ]


class PairedErrors:
    """DeLong's studentised difference for many data sets that share labels and weights."""

    def __init__(self, rows: BinaryRows) -> None:
        self.pos, self.neg = np.flatnonzero(rows.positive), np.flatnonzero(~rows.positive)
        share = np.ones(len(rows)) if rows.weight is None else rows.weight
        self.u, self.v = (share[at] / share[at].sum() for at in (self.pos, self.neg))
        self.factors = Spread.of(rows, [np.zeros(len(rows))]).factors
        self.cluster = rows.cluster

    def studentised(self, a: _CODES, b: _CODES, size: int) -> _FLOATS:
        of_a, of_b = (
            placements(x[:, self.pos], x[:, self.neg], self.u, self.v, size) for x in (a, b)
        )
        apart = of_a[0] - of_b[0], of_a[1] - of_b[1]
        differences = np.einsum("ij,j->i", apart[0], self.u)
        influences = [
            share * (placement - differences[:, None])
            for share, placement in zip((self.u, self.v), apart, strict=True)
        ]
        if self.cluster is not None:
            influences = [
                _by_cluster(influence, self.cluster[at])
                for influence, at in zip(influences, (self.pos, self.neg), strict=True)
            ]
            width = max(influence.shape[1] for influence in influences)
            influences = [
                np.pad(influence, ((0, 0), (0, width - influence.shape[1])))
                for influence in influences
            ]
        variance = sum(
            factor * np.einsum("ij,ij->i", influence, influence)
            for factor, influence in zip(self.factors, influences, strict=False)
        )
        if self.cluster is not None:
            variance = variance + 2.0 * self.factors[2] * np.einsum("ij,ij->i", *influences)
        return over_error(differences, np.asarray(variance))


def welch(pooled: Pooled, orders: list[_CODES]) -> _FLOATS:
    """Return the studentised difference of every pair of samples, a data set a row."""
    values, variances = [], []
    for (pos, u), (neg, v) in pooled.samples(orders):
        u, v = (share / share.sum(axis=1, keepdims=True) for share in (u, v))
        placed = placements(pos, neg, u, v, pooled.size)
        value = np.einsum("ij,ij->i", u, placed[0])
        variance = np.zeros(len(value))
        for share, placement in zip((u, v), placed, strict=True):
            influence = share * (placement - value[:, None])
            effective = 1.0 / np.einsum("ij,ij->i", share, share)
            with np.errstate(divide="ignore", invalid="ignore"):
                variance += (
                    effective / (effective - 1.0) * np.einsum("ij,ij->i", influence, influence)
                )
        values.append(value)
        variances.append(variance)
    return np.column_stack(
        [
            over_error(values[i] - values[j], variances[i] + variances[j])
            for i, j in combinations(range(len(values)), 2)
        ]
    )


def over_error(difference: _FLOATS, variance: _FLOATS) -> _FLOATS:
    """Return difference/√variance; without variance, 0 for no difference and infinity otherwise."""
    still = ~(variance > NO_VARIANCE)
    out = difference / np.sqrt(np.where(still, 1.0, variance))
    left = difference[still]
    out[still] = np.where(np.abs(left) <= 1e-12, 0.0, np.copysign(np.inf, left))
    return np.asarray(out)


def _by_cluster(influence: _FLOATS, cluster: NDArray[np.int64]) -> _FLOATS:
    count = int(cluster.max()) + 1
    flat = (cluster + count * np.arange(len(influence))[:, None]).ravel()
    sums = np.bincount(flat, influence.ravel(), minlength=count * len(influence))
    return np.asarray(sums.reshape(len(influence), count), dtype=np.float64)


SOURCE = (
    "Bandos, Rockette and Gur, Statistics in Medicine 24 (2005), 2873-2893 (exchange within rows); "
    "Chung and Romano, Annals of Statistics 41 (2013), 484-507 (studentised)"
)
_EXACT = "whole curves equal, or samples large"
_METHODS = ("permutation", "permutation (all exchanges)")
FEW = 20  # with fewer rows in a class, curves of unequal shape cause false alarms


def permutation(compared: ComparedRows, question: Question) -> Outcome:
    """Return the probability of a statistic as extreme under exchanges of ranks or rows.

    For paired rows, each row's ranks under the two scores (see `rank`) are swapped with probability
    one half, for all rows of a cluster together (Bandos, Rockette and Gur 2005). For unpaired rows,
    the rows of each class are pooled by their `standing` and redistributed between the samples.
    Ranks and standings are estimates, so the test is nearly exact where whole curves are equal:
    with 5 + 50 rows of exchangeable scores, it gave 6 % false alarms at 5 %.

    With few rows the test compares whole curves. For scores with equal AUCs and unequal spread,
    false alarms were 14 % with 5 + 50 rows and 11 % with 10 + 100 rows
    (`benchmarks/referee_study.py`). The default test had at most 4 %. The statistic is DeLong's
    difference divided by its own error **in every exchange**, so for large samples the test is
    right whenever the AUCs are equal (Chung and Romano 2013). All exchanges are enumerated if there
    are at most ``resamples``. The interval is the difference ± the quantile of the exchanged
    statistics times the error.
    """
    check_exchangeable(question, "a permutation test")
    if not compared.measure.pairwise:
        raise UnsoundError(
            f"the permutation test compares AUCs, not {compared.measure.name}",
            where="test",
            fix='use test="bootstrap"',
        )
    return _paired(compared, question) if compared.paired else _unpaired(compared, question)


@dataclass(frozen=True, slots=True, eq=False)
class Exchanged:
    """A statistic of every pair in the data, and in every exchange of rows, an exchange a row."""

    observed: _FLOATS
    drawn: _FLOATS
    exact: bool

    @property
    def draws(self) -> int:
        return 0 if self.exact else len(self.drawn)


def swapped(
    compared: ComparedRows, question: Question, statistic: Callable[[_CODES, _CODES, int], _FLOATS]
) -> Exchanged:
    """Swap the ranks of rows, or of whole clusters, between the two scores of each pair.

    ``statistic`` is computed from the codes of the two scores, a data set a row, and the number of
    codes. All pairs share each swap.
    """
    rows, pairs = compared.rows[0], compared.pairs()
    codes, size = coded(*map(rank, compared.rows))
    swaps = _swaps_of(rows, codes, question)
    unit = np.arange(len(rows)) if rows.cluster is None else rows.cluster

    def statistics(moved: NDArray[np.bool_]) -> _FLOATS:
        out = np.empty((len(moved), len(pairs)))
        for column, (i, j) in enumerate(pairs):
            a = np.where(moved, codes[j], codes[i])
            out[:, column] = statistic(a, np.where(moved, codes[i], codes[j]), size)
        return out

    drawn = gone_through(
        swaps.count, len(rows), len(pairs), lambda a, b: statistics(swaps(a, b)[:, unit])
    )
    return Exchanged(statistics(np.zeros((1, len(rows)), dtype=bool))[0], drawn, swaps.exact)


def redistributed(
    samples: Sequence[BinaryRows],
    question: Question,
    number: int,
    statistics: Callable[[Pooled, list[_CODES]], _FLOATS],
) -> Exchanged:
    """Redistribute the pooled rows of each class between the samples.

    ``number`` is the number of the random stream. ``statistics`` has a column for every pair.
    """
    pooled = Pooled(*samples)
    sharing = Sharing(pooled.sizes, question.resamples, question.seed, number)
    drawn = gone_through(
        sharing.count, sum(map(len, samples)), math.comb(len(samples), 2),
        lambda a, b: statistics(pooled, sharing(a, b)),
    )  # fmt: skip
    return Exchanged(statistics(pooled, pooled.unchanged)[0], drawn, sharing.exact)


def _paired(compared: ComparedRows, question: Question) -> Outcome:
    exchanged = swapped(compared, question, PairedErrors(compared.rows[0]).studentised)
    drawn, side = exchanged.drawn, question.alternative
    tested = [
        _tested(compared, question, number, own, exchanged.draws)
        for number, own in enumerate(drawn.T)
    ]
    observed = np.array([test.statistic for test in tested])
    std_errors = np.array([test.std_error for test in tested])
    return Outcome(
        tested, compared, _METHODS[exchanged.exact],
        partial(largest_t, compared, std_errors, drawn, exact=exchanged.exact), "permutation",
        extremeness(drawn, side), extremeness(observed, side), warnings=_few(compared),
    )  # fmt: skip


def _unpaired(compared: ComparedRows, question: Question) -> Outcome:
    check_unclustered(compared)
    tested, exact = [], True
    for number, (i, j) in enumerate(compared.pairs()):
        samples = compared.rows[i], compared.rows[j]
        exchanged = redistributed(samples, question, number, welch)
        exact &= exchanged.exact
        drawn = exchanged.drawn[:, 0]
        tested.append(_tested(compared, question, number, drawn, exchanged.draws))

    def joint() -> tuple[Omnibus, list[Remark]]:
        std_errors = np.array([test.std_error for test in tested])
        every = redistributed(compared.rows, question, len(tested), welch)
        return largest_t(compared, std_errors, every.drawn)

    return Outcome(
        tested, compared, _METHODS[exact], joint, "permutation", warnings=_few(compared)
    )  # fmt: skip


def check_unclustered(compared: ComparedRows) -> None:
    if any(part.cluster is not None for part in compared.rows):
        raise UnsoundError(
            "clusters cannot be divided between samples, because they contain different numbers "
            "of rows of each class",
            where="cluster",
            fix='use test="delong" or test="bootstrap"',
        )


def _few(compared: ComparedRows) -> tuple[Remark, ...]:
    fewest = min(compared.smaller)
    if fewest >= FEW:
        return ()
    units = "clusters" if any(count is not None for count in compared.clusters) else "rows"
    return (FewExchanged(fewest, units, FEW),)


def _tested(
    compared: ComparedRows, question: Question, number: int, drawn: _FLOATS, draws: int
) -> Tested:
    pair = compared.pairs()[number]
    difference, variance = compared.difference(*pair), float(compared.variance_and_df[0][number])
    if math.isnan(variance):
        raise UnsoundError(
            "the statistic needs at least two independent rows or clusters of each class",
            where=" against ".join(compared.names[place] for place in pair),
            fix="collect more rows, or use rocsolid.auc for each score, with its certificate",
        )
    if variance == 0.0:
        return without_variance(difference, None, question)
    error = math.sqrt(variance)
    statistic = difference / error
    half = farthest(drawn, question.level, question.alternative) * error
    return Tested(
        error,
        statistic,
        None,
        share_as_extreme(statistic, drawn, question.alternative),
        within(
            difference - half, difference + half, question, "permutation",
            ("rows independent, or clusters where they are given", _EXACT), SOURCE,
        ),
        draws,
    )  # fmt: skip


def _swaps_of(rows: BinaryRows, codes: list[_CODES], question: Question) -> Swaps:
    """Return the exchanges of rows, or of clusters, without the units that have equal codes."""
    moving = np.zeros(len(rows), dtype=bool)
    for code in codes[1:]:
        moving |= code != codes[0]
    if rows.cluster is not None:
        moving = np.bincount(rows.cluster, moving) > 0.0
    return Swaps(len(moving), moving, question.resamples, question.seed)
