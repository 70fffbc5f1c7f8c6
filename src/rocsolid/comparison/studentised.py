"""DeLong's difference over its own error, for many exchanged data sets at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.compared import NO_VARIANCE
from rocsolid.comparison.pooled import Pooled
from rocsolid.comparison.standing import placements
from rocsolid.inputs import BinaryRows
from rocsolid.summaries.spread import Spread

_FLOATS = NDArray[np.float64]


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
        found = np.einsum("ij,j->i", apart[0], self.u)
        pulls = [
            share * (one - found[:, None])
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
        return over_error(found, np.asarray(variance))


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
