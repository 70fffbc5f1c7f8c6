"""The permutation test of AUCs, whose statistic is studentised in every exchange."""

from __future__ import annotations

import math
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.compared import Outcome, Question, Tested, within, without_variance
from rocsolid.comparison.exchanges import (
    Pooled,
    check_exchangeable,
    check_unclustered,
    redistributed,
    swapped,
)
from rocsolid.comparison.omnibus import largest_t
from rocsolid.comparison.redraws import extremeness, farthest, share_as_extreme
from rocsolid.comparison.rows import ComparedRows
from rocsolid.errors import UnsoundError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.remarks.comparisons import FewExchanged
from rocsolid.remarks.remark import Remark
from rocsolid.results.comparison import Omnibus
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.strata import NO_VARIANCE

_FLOATS = NDArray[np.float64]
_CODES = NDArray[np.intp]


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
    """Return the studentised difference of every pair of samples, one row per data set."""
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
    With 5 + 50 rows of exchangeable scores, the test gave 6 % false alarms at 5 %.

    With few rows the test compares whole curves. For scores with equal AUCs and unequal spread,
    false alarms were 14 % with 5 + 50 rows and 11 % with 10 + 100 rows
    (`benchmarks/referee_study.py`). The statistic is DeLong's difference divided by its own error
    **in every exchange**, so for large samples the test is right whenever the AUCs are equal (Chung
    and Romano 2013). All exchanges are enumerated if there are at most ``resamples``. The interval
    is the difference ± the quantile of the exchanged statistics times the error.
    """
    check_exchangeable(question, "a permutation test")
    if not compared.measure.pairwise:
        raise UnsoundError(
            f"the permutation test compares AUCs, not {compared.measure.name}",
            where="test",
            fix='use test="bootstrap"',
        )
    return _paired(compared, question) if compared.paired else _unpaired(compared, question)


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
            fix="collect more rows, or use the certified interval of each score",
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
