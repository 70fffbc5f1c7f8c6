"""The largest t of all pairs of systems when queries are drawn anew: the studentised bootstrap."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.queries.asked import QueryQuestion
from rocsolid.comparison.queries.systems import Systems
from rocsolid.intervals.means.tail import SAME
from rocsolid.summaries.stream import stream

_FLOATS = NDArray[np.float64]
_CELLS = 1 << 19
_LEAST = 0.2
"""The least error of a resample, in errors of the data.

A resample that misses the few queries on which two systems differ has no spread at all, and one
such pair of near copies would make every other difference invisible.
"""


def largest_t(systems: Systems, question: QueryQuestion) -> _FLOATS:
    """The largest (d* − d)/SE* of all pairs, for each of B resamples of the queries, ascending.

    On the same queries one resample serves all systems, which keeps how pairs depend on each other;
    systems with queries of their own are resampled apart. A t that is large because its error is
    small by chance, as where a system rarely wins, is as large in the resamples. The side is that
    of ``question``. Hall, The Bootstrap and Edgeworth Expansion, 1992, section 3.10; for families
    Romano and Wolf, Econometrica 73 (2005), 1237-1282.
    """
    pairs = np.array(systems.pairs()).T
    found, error = _pairwise(systems.means, systems.covariance(), pairs)
    floor = _LEAST * error
    rounding = SAME * max(float(np.abs(each).max()) for each in systems.values)
    varies = error > rounding
    out = []
    for means, variances in _drawn(systems, question, pairs.shape[1]):
        again, errors = _pairwise(means, variances, pairs)
        away = (again - found)[:, varies] / np.maximum(errors, floor)[:, varies]
        if question.alternative == "two-sided":
            away = np.abs(away)
        elif question.alternative == "less":
            away = -away
        out.append(away.max(axis=1, initial=0.0))
    return np.sort(np.concatenate(out))


def _drawn(
    systems: Systems, question: QueryQuestion, pairs: int
) -> Iterator[tuple[_FLOATS, _FLOATS]]:
    """Means of the systems, and the covariances of these, a resample a row."""
    many = max(1, _CELLS // max(pairs, max(systems.queries)))
    for start in range(0, question.resamples, many):
        size = min(many, question.resamples - start)
        draw = stream(question.seed, 4, start)
        if systems.paired:
            yield _resampled(systems.matrix, _weights(draw, size, systems.queries[0]))
            continue
        parts = [_resampled(own[None], _weights(draw, size, own.size)) for own in systems.values]
        variances = np.zeros((size, len(parts), len(parts)))
        for i, (_, variance) in enumerate(parts):
            variances[:, i, i] = variance[:, 0, 0]
        yield np.hstack([means for means, _ in parts]), variances


def _weights(draw: np.random.Generator, size: int, queries: int) -> _FLOATS:
    """How often each query is drawn, as a share."""
    return draw.multinomial(queries, np.full(queries, 1.0 / queries), size=size) / queries


def _resampled(values: _FLOATS, weights: _FLOATS) -> tuple[_FLOATS, _FLOATS]:
    k, queries = values.shape
    centred = values - values.mean(axis=1, keepdims=True)  # so that squares do not cancel
    means = weights @ centred.T
    products = (centred[:, None, :] * centred[None, :, :]).reshape(k * k, queries)
    squares = (weights @ products.T).reshape(-1, k, k)
    variances = (squares - means[:, :, None] * means[:, None, :]) / (queries - 1.0)
    return means + values.mean(axis=1), variances


def _pairwise(
    means: _FLOATS, covariance: _FLOATS, pairs: NDArray[np.intp]
) -> tuple[_FLOATS, _FLOATS]:
    i, j = pairs
    own = np.diagonal(covariance, axis1=-2, axis2=-1)
    variance = own[..., i] + own[..., j] - 2.0 * covariance[..., i, j]
    return means[..., i] - means[..., j], np.sqrt(np.maximum(variance, 0.0))
