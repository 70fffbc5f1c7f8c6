"""Minimisation of a smooth convex loss over linear scores, and the squared hinge."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.sparsefuncs import mean_variance_axis

from rocsolid.dataclass import dataclass
from rocsolid.inputs.groups import stable_order

_FLOATS = NDArray[np.float64]
_STILL = 1e-10  # a mean change of a scaled weight that ends the search
Times = Callable[[_FLOATS], _FLOATS]


class SmoothLoss(Protocol):
    def at(self, scores: _FLOATS) -> tuple[float, _FLOATS, Times]: ...


def fit_linear(
    loss: SmoothLoss, features: Any, *, share: float, ridge: float, tol: float, max_iter: int
) -> tuple[_FLOATS, int]:
    """Return the w that minimises share·loss(Xw) + ½·ridge·‖w‖², and the number of Newton steps.

    The loss must not change if all scores rise by the same amount. The search (``Newton-CG`` of
    SciPy) scales each feature and stops when the gradient's norm is at most ``tol``.
    """
    from scipy.optimize import minimize

    if isinstance(features, np.ndarray):
        features = features - features.mean(axis=0)  # the same loss, from smaller numbers
    scale = 1.0 / np.sqrt(ridge + _variances(features))
    seen: dict[str, Any] = {}

    def value_and_gradient(v: _FLOATS) -> tuple[float, _FLOATS]:
        w = scale * v
        value, slope, times = loss.at(features @ w)
        gradient = scale * (share * (features.T @ slope) + ridge * w)
        seen.update(v=v.copy(), times=times, gradient=gradient)
        return share * value + 0.5 * ridge * float(w @ w), gradient

    def hessian_times(v: _FLOATS, direction: _FLOATS) -> _FLOATS:
        if not np.array_equal(v, seen["v"]):
            value_and_gradient(v)
        u = scale * direction
        product: _FLOATS = scale * (share * (features.T @ seen["times"](features @ u)) + ridge * u)
        return product

    def stop(v: _FLOATS) -> None:
        if np.array_equal(v, seen["v"]) and np.linalg.norm(seen["gradient"]) <= tol:
            raise StopIteration

    minimum = minimize(
        value_and_gradient,
        np.zeros(features.shape[1]),
        jac=True,
        hessp=hessian_times,
        method="Newton-CG",
        callback=stop,
        options={"xtol": _STILL, "maxiter": max_iter},
    )
    norm = float(np.linalg.norm(value_and_gradient(minimum.x)[1]))
    if norm > tol and not minimum.success:
        warnings.warn(
            f"not converged after {minimum.nit} steps, where the gradient's norm is {norm:.2g}; "
            "raise max_iter or tol, or regularise more",
            ConvergenceWarning,
            stacklevel=3,
        )
    return scale * minimum.x, max(int(minimum.nit), 1)


def _variances(features: Any) -> _FLOATS:
    if isinstance(features, np.ndarray):
        return np.asarray(features.var(axis=0))
    return np.asarray(mean_variance_axis(features, axis=0)[1])


_INTS = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """Rows of documents of one grade (``high``) and of lower grades (``low``), with queries.

    ``start_high[q]`` counts the high documents of the queries before q. Documents whose query has
    none of the other kind are omitted.
    """

    high: _INTS
    low: _INTS
    query: _INTS  # of the high documents, then of the low ones
    start_high: _INTS
    start_low: _INTS

    @classmethod
    def of(cls, grade: _INTS, query: _INTS, high_grade: int) -> Level:
        size = int(query.max()) + 1
        high, low = np.flatnonzero(grade == high_grade), np.flatnonzero(grade < high_grade)
        highs, lows = (np.bincount(query[rows], minlength=size) for rows in (high, low))
        paired = (highs > 0) & (lows > 0)
        high, low = high[paired[query[high]]], low[paired[query[low]]]
        both = np.concatenate([query[high], query[low]])
        starts = (np.concatenate([[0], np.cumsum(n * paired)]) for n in (highs, lows))
        return cls(high, low, both, *starts)

    @property
    def pairs(self) -> int:
        return int(np.diff(self.start_high) @ np.diff(self.start_low))

    def reach(self, z: _FLOATS) -> Reach:
        """Return the pairs with z_high < z_low + 1, from one sort of both kinds."""
        n_high = len(self.high)
        order = np.argsort(np.concatenate([z[self.high] - 1.0, z[self.low]]))
        order = order[stable_order(self.query[order])]
        is_high = order < n_high
        high, low = order[is_high], order[~is_high]
        passed = np.cumsum(is_high, dtype=np.int64)  # high ones up to here on the line
        here = np.arange(1, len(order) + 1)
        return Reach(
            high=self.high[high],
            low=self.low[low - n_high],
            first_low=(here - passed)[is_high],
            stop_low=self.start_low[self.query[high] + 1],
            first_high=self.start_high[self.query[low]],
            stop_high=passed[~is_high],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """Rows of high and of low documents in order of score, and the ranges within reach of each.

    The k-th high document reaches the low documents from ``first_low[k]`` to ``stop_low[k]`` (not
    included) in their order; the fields for low documents are analogous.
    """

    high: _INTS
    low: _INTS
    first_low: _INTS
    stop_low: _INTS
    first_high: _INTS
    stop_high: _INTS

    @property
    def count_low(self) -> _INTS:
        return self.stop_low - self.first_low

    @property
    def count_high(self) -> _INTS:
        return self.stop_high - self.first_high

    def sum_low(self, values: _FLOATS) -> _FLOATS:
        """Return for each high document the sum of the values of the low documents within reach."""
        # summed from above, so that documents out of reach of all leave no rounding errors
        total = np.zeros(len(values) + 1)
        np.cumsum(values[::-1], out=total[-2::-1])
        return np.asarray(total[self.first_low] - total[self.stop_low])

    def sum_high(self, values: _FLOATS) -> _FLOATS:
        """Return for each low document the sum of the values of the high documents within reach."""
        total = np.zeros(len(values) + 1)
        np.cumsum(values, out=total[1:])
        return np.asarray(total[self.stop_high] - total[self.first_high])


@dataclass(frozen=True, slots=True, eq=False)
class SquaredHinge:
    """Σ (1 − z_i + z_j)₊² over the pairs of a query in which document i has the higher grade.

    ``levels`` has an entry for each grade above the lowest: the documents of this grade against
    those of all lower grades. Each level is sorted once, and every sum over pairs is a difference
    of two prefix sums (Joachims 2006; Lee and Lin 2014). ``n_grades`` counts the grades in each
    query.

    >>> hinge = SquaredHinge.of(np.array([3.0, 1.0, 1.0]), np.zeros(3, np.int64))
    >>> loss, gradient, _ = hinge.at(np.array([0.5, 0.25, -1.0]))
    >>> loss, gradient.round(6).tolist(), hinge.pairs
    (0.5625, [-1.5, 1.5, 0.0], 2)
    """

    levels: tuple[Level, ...]
    query: _INTS
    size: _INTS
    n_grades: _INTS

    @classmethod
    def of(cls, grade: _FLOATS, query: _INTS) -> SquaredHinge:
        """Build from each document's grade and the number of its query (0 and up, without gaps)."""
        size = np.bincount(query)
        distinct, number = np.unique(grade, return_inverse=True)
        pairs, index = np.unique(query * len(distinct) + number, return_inverse=True)
        n_grades = np.bincount(pairs // len(distinct))
        rank = index - (np.cumsum(n_grades) - n_grades)[query]  # of the grade in its query
        levels = tuple(Level.of(rank, query, high) for high in range(1, int(n_grades.max())))
        return cls(levels, query, size, n_grades)

    @property
    def pairs(self) -> int:
        return sum(level.pairs for level in self.levels)

    def at(self, scores: _FLOATS) -> tuple[float, _FLOATS, Times]:
        """Return the loss, its gradient by score, and the product of its Hessian and a vector.

        With N, S the count and the sum of the scores of the lower documents within reach of z_i
        (z_j > z_i − 1), and P, T those of the higher ones within reach of z_j (z_i < z_j + 1): ∂/∂z
        = 2[(N + P)z − (N − P) − (S + T)].
        """
        # only differences within a query count, and small numbers keep more digits of them
        mean = np.bincount(self.query, scores) / self.size
        z = scores - mean[self.query]
        loss, gradient = 0.0, np.zeros(len(z))
        reaches = tuple(level.reach(z) for level in self.levels)
        for reach in reaches:
            high, low = z[reach.high], z[reach.low]
            short = 1.0 - high  # a pair loses (short + z_j)²
            total = reach.sum_low(low)
            parts = short * (reach.count_low * short + 2.0 * total) + reach.sum_low(low**2)
            loss += float(parts.sum())
            gradient[reach.high] -= 2.0 * (reach.count_low * short + total)
            gradient[reach.low] += 2.0 * (reach.count_high * (1.0 + low) - reach.sum_high(high))
        return loss, gradient, partial(_curvature, reaches)


def _curvature(reaches: tuple[Reach, ...], u: _FLOATS) -> _FLOATS:
    """Return the Hessian by score times u: 2[(N + P)u − U].

    U sums u over the other documents of the pairs that currently lose.
    """
    product = np.zeros(len(u))
    for reach in reaches:
        high, low = u[reach.high], u[reach.low]
        product[reach.high] += 2.0 * (reach.count_low * high - reach.sum_low(low))
        product[reach.low] += 2.0 * (reach.count_high * low - reach.sum_high(high))
    return product
