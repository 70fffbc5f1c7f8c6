"""Permutation tests of equal AUCs: the two scores' ranks swapped, or rows shared out anew."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.compared import Outcome, Tested
from rocsolid.comparison.compared_rows import ComparedRows
from rocsolid.comparison.exchanges import (
    Sharing,
    Swaps,
    check_exchangeable,
    extremeness,
    farthest,
    gone_through,
    share_as_extreme,
)
from rocsolid.comparison.pooled import Pooled
from rocsolid.comparison.question import Question
from rocsolid.comparison.standing import coded, placements, rank
from rocsolid.comparison.student import within, without_variance
from rocsolid.errors import UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.remarks.comparisons import FewExchanged
from rocsolid.remarks.remark import Remark
from rocsolid.summaries.parts import NO_VARIANCE
from rocsolid.summaries.spread import Spread


class PairedErrors:
    """DeLong's difference over its error, for many data sets that share labels and weights."""

    def __init__(self, rows: BinaryRows) -> None:
        self.pos, self.neg = np.flatnonzero(rows.positive), np.flatnonzero(~rows.positive)
        share = np.ones(len(rows)) if rows.weight is None else rows.weight
        self.u, self.v = (share[at] / share[at].sum() for at in (self.pos, self.neg))
        self.factors = Spread.of(rows, [np.zeros(len(rows))]).factors
        self.cluster = rows.cluster

    def studentised(self, a: NDArray[np.intp], b: NDArray[np.intp], size: int) -> _FLOATS:
        """Of the score ``a`` less the score ``b``, codes below ``size``, a data set a row."""
        of_a, of_b = (
            placements(x[:, self.pos], x[:, self.neg], self.u, self.v, size) for x in (a, b)
        )
        apart = of_a[0] - of_b[0], of_a[1] - of_b[1]
        differences = np.einsum("ij,j->i", apart[0], self.u)
        pulls = [
            share * (one - differences[:, None])
            for share, one in zip((self.u, self.v), apart, strict=True)
        ]
        if self.cluster is not None:
            pulls = [
                _by_cluster(pull, self.cluster[at])
                for pull, at in zip(pulls, (self.pos, self.neg), strict=True)
            ]
            width = max(pull.shape[1] for pull in pulls)
            pulls = [np.pad(pull, ((0, 0), (0, width - pull.shape[1]))) for pull in pulls]
        variance = sum(
            factor * np.einsum("ij,ij->i", pull, pull)
            for factor, pull in zip(self.factors, pulls, strict=False)
        )
        if self.cluster is not None:
            variance = variance + 2.0 * self.factors[2] * np.einsum("ij,ij->i", *pulls)
        return over_error(differences, np.asarray(variance))


def welch(pooled: Pooled, orders: list[NDArray[np.intp]]) -> _FLOATS:
    """The first sample's AUC less the second's, over Welch's error."""
    values, variances = [], []
    for (pos, u), (neg, v) in pooled.samples(orders):
        u, v = (share / share.sum(axis=1, keepdims=True) for share in (u, v))
        placed = placements(pos, neg, u, v, pooled.size)
        value = np.einsum("ij,ij->i", u, placed[0])
        variance = np.zeros(len(value))
        for share, one in zip((u, v), placed, strict=True):
            pull = share * (one - value[:, None])
            effective = 1.0 / np.einsum("ij,ij->i", share, share)
            with np.errstate(divide="ignore", invalid="ignore"):
                variance += effective / (effective - 1.0) * np.einsum("ij,ij->i", pull, pull)
        values.append(value)
        variances.append(variance)
    return over_error(values[0] - values[1], variances[0] + variances[1])


def over_error(found: _FLOATS, variance: _FLOATS) -> _FLOATS:
    """found/√variance; without variance 0 for no difference, and infinite for any other."""
    still = ~(variance > NO_VARIANCE)
    out = found / np.sqrt(np.where(still, 1.0, variance))
    out[still] = np.where(np.abs(found[still]) <= 1e-12, 0.0, np.copysign(np.inf, found[still]))
    return np.asarray(out)


def _by_cluster(pull: _FLOATS, cluster: NDArray[np.int64]) -> _FLOATS:
    count = int(cluster.max()) + 1
    flat = (cluster + count * np.arange(len(pull))[:, None]).ravel()
    sums = np.bincount(flat, pull.ravel(), minlength=count * len(pull))
    return np.asarray(sums.reshape(len(pull), count), dtype=np.float64)


_FLOATS = NDArray[np.float64]
SOURCE = (
    "Bandos, Rockette and Gur, Statistics in Medicine 24 (2005), 2873-2893 (exchange within rows); "
    "Chung and Romano, Annals of Statistics 41 (2013), 484-507 (studentised)"
)
_EXACT = "whole curves equal, or samples large"
FEW = 20  # rows of a class, below which curves of unlike shape give false alarms


def permutation(compared: ComparedRows, question: Question) -> Outcome:
    """P(a statistic as extreme) when what would be alike without a difference is exchanged.

    Paired, each row's ranks under the two scores (see `rank`) change places with the chance one
    half, all rows of a cluster together; this is the exchange of Bandos, Rockette and Gur (2005).
    Unpaired, the rows of each class are pooled by their `standing` and shared out to the two
    samples anew. It would be exact if what is exchanged had one distribution and were known; ranks
    and standings are of the sample, so it is close to exact where whole curves are equal: at 5 + 50
    rows of exchangeable scores 6 % false alarms at 5 %. With few rows it answers whether the curves
    are the same: at 5 + 50 and 10 + 100 rows of scores of one AUC and unlike spread 14 % and 11 %
    (`benchmarks/referee_study.py`), where the default test has at most 4 %. The statistic is
    DeLong's difference divided by its own error **in every exchange**: its distribution is then
    right for large samples whenever the AUCs are equal, also where the curves cross (Chung and
    Romano 2013).
    All exchanges are gone through where they are no more than ``resamples``. The interval is the
    difference and the exchanged statistics' quantile times its error.
    """
    check_exchangeable(question, "a permutation test")
    if not compared.measure.pairwise:
        raise UnsoundError(
            f"the permutation test is of AUCs, not of {compared.measure.name}",
            where="test",
            fix='use test="bootstrap"',
        )
    return _swapped(compared, question) if compared.paired else _shared(compared, question)


def _swapped(compared: ComparedRows, question: Question) -> Outcome:
    rows, pairs = compared.rows[0], compared.pairs()
    codes, size = coded(*(rank(part) for part in compared.rows))
    swaps = swaps_of(rows, codes, question)
    unit = np.arange(len(rows)) if rows.cluster is None else rows.cluster
    errors = PairedErrors(rows)

    def statistics(start: int, stop: int) -> _FLOATS:
        swapped = swaps(start, stop)[:, unit]
        out = np.empty((stop - start, len(pairs)))
        for column, (i, j) in enumerate(pairs):
            a = np.where(swapped, codes[j], codes[i])
            b = np.where(swapped, codes[i], codes[j])
            out[:, column] = errors.studentised(a, b, size)
        return out

    drawn = gone_through(swaps.count, len(rows), len(pairs), statistics)
    tested = [
        _tested(compared, question, column, drawn[:, column], swaps.exact)
        for column in range(len(pairs))
    ]
    method = "permutation (all exchanges)" if swaps.exact else "permutation"
    observed = np.array([one.statistic for one in tested])
    side = question.alternative
    return Outcome(
        tested, compared, method, partial(compared.all_equal, question), "permutation",
        extremeness(drawn, side), extremeness(observed, side), warnings=_few(compared),
    )  # fmt: skip


def _shared(compared: ComparedRows, question: Question) -> Outcome:
    if any(part.cluster is not None for part in compared.rows):
        raise UnsoundError(
            "clusters cannot be shared out between samples: they hold rows of both classes in "
            "numbers of their own",
            where="cluster",
            fix='use test="delong" or test="bootstrap"',
        )
    tested, exact = [], True
    for number, (i, j) in enumerate(compared.pairs()):
        first, second = compared.rows[i], compared.rows[j]
        pooled = Pooled(first, second)
        sharing = Sharing(pooled.sizes, question.resamples, question.seed, number)
        exact &= sharing.exact

        def statistics(
            start: int, stop: int, pooled: Pooled = pooled, sharing: Sharing = sharing
        ) -> _FLOATS:
            return welch(pooled, sharing(start, stop))[:, None]

        drawn = gone_through(sharing.count, len(first) + len(second), 1, statistics)
        tested.append(_tested(compared, question, number, drawn[:, 0], sharing.exact))
    return Outcome(
        tested, compared, "permutation (all exchanges)" if exact else "permutation",
        partial(compared.all_equal, question), "permutation", warnings=_few(compared),
    )  # fmt: skip


def _few(compared: ComparedRows) -> tuple[Remark, ...]:
    """What the test is about where a class has few rows, or few clusters."""
    fewest = min(compared.smaller)
    if fewest >= FEW:
        return ()
    units = "clusters" if any(count is not None for count in compared.clusters) else "rows"
    return (FewExchanged(fewest, units, FEW),)


def _tested(
    compared: ComparedRows, question: Question, number: int, drawn: _FLOATS, every: bool
) -> Tested:
    pair = compared.pairs()[number]
    difference, variance = compared.difference(*pair), float(compared.variance_and_df[0][number])
    if math.isnan(variance):
        raise UnsoundError(
            "the statistic needs at least two independent rows or clusters of each class",
            where=" against ".join(compared.names[place] for place in pair),
            fix="collect more rows, or read rocsolid.auc of each score, with its certificate",
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
        0 if every else len(drawn),
    )  # fmt: skip


def swaps_of(rows: BinaryRows, codes: list[NDArray[np.intp]], question: Question) -> Swaps:
    """Exchanges of whole units: rows, or clusters; a unit that stands alike everywhere is still."""
    moving = np.zeros(len(rows), dtype=bool)
    for code in codes[1:]:
        moving |= code != codes[0]
    if rows.cluster is not None:
        moving = np.bincount(rows.cluster, moving) > 0.0
    return Swaps(len(moving), moving, question.resamples, question.seed)
