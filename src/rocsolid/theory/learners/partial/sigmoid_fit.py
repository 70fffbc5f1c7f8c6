"""The sigmoid surrogate of a partial area, and its fit."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import Region
from rocsolid.binary.curve_area import curve_area
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.measures.partial_area import partial_auc
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.stream import stream
from rocsolid.weights.losses import step_of_ramp as step

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TopNegatives:
    """The rows of a class ranked ``first`` + 1 to ``last`` of n, and their shares, of sum 1.

    The j-th largest negative covers the false-positive rates from (j−1)/n to j/n, and a positive
    the true-positive rates. If the range cuts such a cell, the row counts for the part inside, as
    in ``rocsolid.partial_auc``.

    >>> TopNegatives.of(20, (0.0, 0.125))
    TopNegatives(first=0, last=3, share=array([0.4, 0.4, 0.2]))
    """

    first: int
    last: int
    share: Floats

    @classmethod
    def of(cls, n: int, fpr: tuple[float, float]) -> TopNegatives:
        """Build for n negatives; rates are the decimal numbers as written."""
        low, high = (Fraction(repr(rate)) * n for rate in fpr)
        first, last = math.floor(low), math.ceil(high)
        share = np.full(last - first, float(1 / (high - low)))
        for j in (first, last - 1):  # the range cuts no cell but its first and its last
            share[j - first] = (min(high, Fraction(j + 1)) - max(low, Fraction(j))) / (high - low)
        return cls(first, last, share)

    def ranked(self, neg: Floats) -> NDArray[np.intp]:
        """Return the positions of these rows among the scores, from the largest down."""
        if self.last < len(neg):
            top = np.argpartition(-neg, self.last - 1)[: self.last]
        else:
            top = np.arange(len(neg))
        return top[np.argsort(-neg[top], kind="stable")][self.first :]


def whole_negatives(n: int, fpr: tuple[float, float]) -> tuple[int, int]:
    """Return ⌈n·α⌉ and ⌊n·β⌋, between which negatives are entirely in the range.

    >>> whole_negatives(100, (0.0, 0.29))
    (0, 29)
    """
    low, high = (Fraction(repr(rate)) * n for rate in fpr)
    first, last = math.ceil(low), math.floor(high)
    if last <= first:
        raise InputError(
            f"none of {n} negatives lies entirely in the false-positive rates {fpr[0]:g} to "
            f"{fpr[1]:g}, which the tight hinge needs",
            where="fpr",
            fix='widen the range, add negatives, or use surrogate="sigmoid"',
        )
    return first, last


Loss = tuple[float, Floats, Floats]

_TILE = 1 << 16  # pairs at once: few enough for the cache
_NODES = 4  # a width τ
_WORTH = 4  # positives a node from which nodes are worth it


def sigmoid_loss(
    pos: Floats, neg: Floats, share: Floats, tau: float, pos_share: Floats | None = None
) -> Loss:
    """Return Σⱼ cⱼ·Σᵢ dᵢ·σ((tⱼ − sᵢ)/τ) and its derivatives by each sᵢ and each tⱼ.

    The shares d of the positives are equal by default.

    With many positives for the width of the scores, both sides are interpolated between nodes a
    quarter of τ apart, with an error below 10⁻⁸.

    >>> value, by_pos, by_neg = sigmoid_loss(np.array([1.0]), np.array([1.0]), np.ones(1), 0.5)
    >>> value, by_pos, by_neg
    (0.5, array([-0.5]), array([0.5]))
    """
    reach = float(max(pos.max(), neg.max()) - min(pos.min(), neg.min()))
    if (reach / tau * _NODES + 2) * _WORTH < len(pos):
        return at_nodes(pos, neg, share, tau, pos_share)
    return pair_by_pair(pos, neg, share, tau, pos_share)


def pair_by_pair(
    pos: Floats, neg: Floats, share: Floats, tau: float, pos_share: Floats | None = None
) -> Loss:
    from scipy.special import expit

    m = len(pos)
    weight = np.ones(m) if pos_share is None else m * pos_share
    value, by_pos, by_neg = 0.0, np.empty(m), np.zeros(len(neg))
    rows = max(1, _TILE // len(neg))
    for start in range(0, m, rows):
        part = slice(start, start + rows)
        lost = expit((neg - pos[part, None]) / tau)
        value += float((weight[part] * (lost @ share)).sum())
        slope = weight[part, None] * (lost * (1.0 - lost))
        by_pos[part] = slope @ share
        by_neg += slope.sum(axis=0)
    return value / m, by_pos / (-m * tau), share * by_neg / (m * tau)


def at_nodes(
    pos: Floats, neg: Floats, share: Floats, tau: float, pos_share: Floats | None = None
) -> Loss:
    """Evaluate the loss by fifth-degree Hermite interpolation on both sides.

    σ((t − s)/τ) and its first two derivatives by s and by t are matched at nodes h = τ/4 apart.
    Each side adds at most (h/τ)⁶·max|σ⁽⁶⁾|/46080 < 3·10⁻⁹ to the error, as |σ⁽⁶⁾| < 0.41. The
    derivatives are those of the interpolated value itself, so the solver minimises one smooth
    function.
    """
    m, step = len(pos), tau / _NODES
    low = min(float(pos.min()), float(neg.min()))
    ours, theirs = (_Places.of((side - low) / step) for side in (pos, neg))
    size = max(int(side.at.max()) for side in (ours, theirs)) + 2
    weight = np.ones(m) if pos_share is None else m * pos_share
    load, their_load = ours.loads(weight, size), theirs.loads(share, size)
    kernel = _kernel(size)
    # σ depends on t − s: each derivative by s turns its sign
    at_pos = _summed(kernel[:, ::-1], their_load) * _BY_S
    at_neg = _summed(kernel, load * _BY_S)
    by_pos = weight * ours.slopes(at_pos) / (m * step)
    by_neg = theirs.slopes(at_neg) / (m * step)
    return float((load * at_pos).sum()) / m, by_pos, share * by_neg


_BY_S = np.array([[1.0], [-1.0], [1.0]])


def _kernel(size: int) -> Floats:
    """Return σ(z/4) and its first four derivatives by z, for z from 1 − size to size − 1."""
    from scipy.special import expit

    p = expit(np.arange(1 - size, size) / _NODES)
    d1 = p * (1.0 - p)
    d2 = d1 * (1.0 - 2.0 * p)
    every = np.stack([p, d1, d2, d1 * (1.0 - 6.0 * d1), d2 * (1.0 - 12.0 * d1)])
    return np.asarray(every / float(_NODES) ** np.arange(5)[:, None])


def _summed(kernel: Floats, load: Floats) -> Floats:
    """Return in row a Σ_b of the load's row b convolved with the kernel's derivative a + b."""
    size = load.shape[1]
    fast = 1 << (2 * size - 2).bit_length()  # terms that wrap around stay before the part kept
    waves, loads = np.fft.rfft(kernel, fast), np.fft.rfft(load, fast)
    both = np.stack([(waves[a : a + 3] * loads).sum(axis=0) for a in range(3)])
    return np.asarray(np.fft.irfft(both, fast)[:, size - 1 : 2 * size - 1])


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """The positions of scores: ``u`` steps after the node ``at``, and ``v`` before the next."""

    at: NDArray[np.intp]
    u: Floats
    v: Floats

    @classmethod
    def of(cls, place: Floats) -> _Places:
        at = place.astype(np.intp)
        u = place - at
        return cls(at, u, 1.0 - u)

    def loads(self, weight: Floats, size: int) -> Floats:
        """Return the weights of the value and two derivatives at each node in a weighted sum."""
        return np.stack([
            np.bincount(self.at, weight * shape(self.u), size)
            + sign * np.bincount(self.at + 1, weight * shape(self.v), size)
            for shape, sign in ((_value, 1.0), (_first, -1.0), (_second, 1.0))
        ])  # fmt: skip

    def slopes(self, nodes: Floats) -> Floats:
        (f, g, h), (u, v) = nodes, (self.u, self.v)
        at, after = self.at, self.at + 1
        slope = (f[at] - f[after]) * _value_slope(u)  # even around the middle
        slope += g[at] * _first_slope(u) + h[at] * _second_slope(u)
        return np.asarray(slope + g[after] * _first_slope(v) - h[after] * _second_slope(v))


# Hermite's polynomials of degree five on [0, 1]: 1 at 0 for the value, the first or the second
# derivative alone, and 0 for all others at both ends; beside each its derivative.


def _value(u: Floats) -> Floats:
    return 1.0 - u * u * u * (10.0 - u * (15.0 - 6.0 * u))


def _value_slope(u: Floats) -> Floats:
    return -30.0 * (u * (1.0 - u)) ** 2


def _first(u: Floats) -> Floats:
    return u - u * u * u * (6.0 - u * (8.0 - 3.0 * u))


def _first_slope(u: Floats) -> Floats:
    return 1.0 - u * u * (18.0 - u * (32.0 - 15.0 * u))


def _second(u: Floats) -> Floats:
    return u * u * (0.5 - u * (1.5 - u * (1.5 - 0.5 * u)))


def _second_slope(u: Floats) -> Floats:
    return u * (1.0 - u * (4.5 - u * (6.0 - 2.5 * u)))


PULL = 1.0
"""λ of λ(‖w‖² − 1)². The loss has a slope of at most ¼·(1/τ) a unit of score, so it stays near."""


@dataclass(frozen=True, slots=True, eq=False)
class SigmoidObjective:
    """mean σ(−(sᵢ−tⱼ)/τ) over rows of both ranges, plus λ(‖w‖²−1)², and its gradient.

    The rows of the ranges change with w; the value stays continuous, and the gradient is that of
    the present order.
    """

    pos: Any
    neg: Any
    top: TopNegatives
    tau: float
    low_positives: TopNegatives | None = None

    def __call__(self, w: Floats) -> tuple[float, Floats]:
        s, t = self.pos @ w, self.neg @ w
        ranked, pos, share = self.top.ranked(t), self.pos, None
        if self.low_positives is not None:
            chosen, share = self.low_positives.ranked(s), self.low_positives.share
            s, pos = s[chosen], pos[chosen]
        value, by_pos, by_top = sigmoid_loss(s, t[ranked], self.top.share, self.tau, share)
        excess = float(w @ w) - 1.0
        slope = pos.T @ by_pos + self.neg[ranked].T @ by_top + 4.0 * PULL * excess * w
        return value + PULL * excess**2, np.asarray(slope)


@dataclass(frozen=True, slots=True, eq=False)
class SigmoidFit:
    w: Floats
    steps: int
    converged: bool


def fit_sigmoid(
    objective: SigmoidObjective, start: Floats, max_iter: int, ftol: float = 2.2e-9
) -> SigmoidFit:
    """Run L-BFGS from ``start`` to a local minimum; the objective is not convex.

    The search ends when a step gains less than ``ftol`` of the objective; the default is SciPy's.
    """
    from scipy.optimize import minimize

    size = float(np.linalg.norm(start))
    minimum = minimize(
        objective,
        start / size if size > 0 else start,
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": max_iter, "ftol": ftol},
    )
    w = np.asarray(minimum.x)
    size = float(np.linalg.norm(w))
    # status 1: out of steps; a line search that fails at a kink of the order is an end as well
    return SigmoidFit(w / size if size > 0 else w, max(int(minimum.nit), 1), minimum.status != 1)


def logistic_weights(features: Any, positive: NDArray[np.bool_]) -> Floats:
    """Return the w (without the constant) that minimises Σ ln(1 + e^(−y(w·x+b))) + ½‖w‖².

    >>> logistic_weights(np.array([[0.0], [1.0], [2.0], [3.0]]), np.arange(4) >= 2).round(2)
    array([0.96])
    """
    from scipy.optimize import minimize
    from scipy.special import expit

    signs = np.where(positive, 1.0, -1.0)
    n, size = features.shape

    def loss(both: Floats) -> tuple[float, Floats]:
        w, b = both[:size], both[size]
        margin = signs * (features @ w + b)
        value = np.logaddexp(0.0, -margin).sum() + 0.5 * w @ w
        pull = -signs * expit(-margin)
        return float(value) / n, np.append(features.T @ pull + w, pull.sum()) / n

    minimum = minimize(loss, np.zeros(size + 1), jac=True, method="L-BFGS-B")
    return np.asarray(minimum.x[:size])


TAUS = (1.0, 0.2, 0.05)
FOLDS = 3
_NEAR = 1e-6  # the gain in a step below which a search on held-out rows ends


def mean_area(pos: Floats, neg: Floats, region: Region) -> float:
    """Return the area as a part of the region's; ties count one half.

    >>> mean_area(np.array([2.0, 0.5]), np.array([1.0, 0.0]), Region.of(fpr=(0.0, 0.5)))
    0.5
    """
    if region.tpr != (0.0, 1.0):
        labels, scores = np.repeat([1, 0], [len(pos), len(neg)]), np.concatenate([pos, neg])
        own = partial_auc(labels, scores, fpr=region.fpr, tpr=region.tpr, scale="mean")
        return float(own.value)
    classes = SortedClasses(np.sort(pos), np.sort(neg))
    return curve_area(classes, step(*region.fpr)) / (region.fpr[1] - region.fpr[0])


def low_positives(m: int, region: Region) -> TopNegatives | None:
    """Return the positives of the region's true-positive rates; ``None`` if all count alike."""
    return None if region.tpr == (0.0, 1.0) else TopNegatives.of(m, region.tpr)


@dataclass(frozen=True, slots=True)
class HeldOut:
    by_tau: dict[float, float]
    logistic: float

    @property
    def best(self) -> float:
        return max(self.by_tau, key=lambda tau: (self.by_tau[tau], tau))


def held_out_areas(pos: Any, neg: Any, region: Region, seed: int, max_iter: int) -> HeldOut:
    """Return the mean held-out area over three folds, for each of ``TAUS``.

    The thirds are drawn within each class. The searches end earlier than those of a fit.
    """
    random = stream(seed, 0)
    folds = [
        [np.sort(third) for third in np.array_split(random.permutation(rows.shape[0]), FOLDS)]
        for rows in (pos, neg)
    ]
    areas = np.zeros((FOLDS, len(TAUS) + 1))
    for k in range(FOLDS):
        kept_pos, kept_neg = (
            rows[np.sort(np.concatenate([third for i, third in enumerate(parts) if i != k]))]
            for rows, parts in zip((pos, neg), folds, strict=True)
        )
        start = start_weights(kept_pos, kept_neg)
        top = TopNegatives.of(kept_neg.shape[0], region.fpr)
        low = low_positives(kept_pos.shape[0], region)
        fitted = [
            fit_sigmoid(
                SigmoidObjective(kept_pos, kept_neg, top, tau, low), start, max_iter, _NEAR
            ).w
            for tau in TAUS
        ]
        areas[k] = [
            mean_area(pos[folds[0][k]] @ w, neg[folds[1][k]] @ w, region) for w in (*fitted, start)
        ]
    *by_tau, logistic = areas.mean(axis=0).tolist()
    return HeldOut(dict(zip(TAUS, by_tau, strict=True)), logistic)


def start_weights(pos: Any, neg: Any) -> Floats:
    m, n = pos.shape[0], neg.shape[0]
    if isinstance(pos, np.ndarray):
        both = np.concatenate([pos, neg])
    else:
        from scipy.sparse import vstack

        both = vstack([pos, neg], format="csr")
    return logistic_weights(both, np.arange(m + n) < m)
