"""Binormal curves by least squares and by maximum likelihood, and curves of kernels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.summaries.products import dot, products
from rocsolid.summaries.ranges.range_placements import RangePlacements
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BinormalCurve:
    """tpr = Φ(a + b·Φ⁻¹(fpr)): an increasing transform makes the scores of both classes normal.

    With standard normal negatives the positives have mean a/b and standard deviation 1/b. If b is
    not 1, the curve has a hook below the diagonal at one end.

    >>> curve = BinormalCurve(1.5, 1.0)
    >>> round(curve.auc, 4), curve.tpr_at([0, 0.5, 1]).round(4)
    (0.8556, array([0.    , 0.9332, 1.    ]))
    """

    a: float
    b: float

    @property
    def parameters(self) -> Mapping[str, float]:
        return {"a": self.a, "b": self.b}

    @property
    def auc(self) -> float:
        """The area Φ(a/√(1+b²)) under the curve."""
        from scipy.special import ndtr

        return float(ndtr(self.a / math.hypot(1.0, self.b)))

    def tpr_at(self, fpr: ArrayLike) -> _FLOATS:
        from scipy.special import ndtr, ndtri

        return np.asarray(ndtr(self.a + self.b * ndtri(np.asarray(fpr, float))))

    def fpr_at(self, tpr: ArrayLike) -> _FLOATS:
        from scipy.special import ndtr, ndtri

        return np.asarray(ndtr((ndtri(np.asarray(tpr, float)) - self.a) / self.b))

    def points(self) -> tuple[_FLOATS, _FLOATS]:
        """The curve at 512 evenly spread true-positive rates."""
        tpr = np.linspace(0.0, 1.0, 512)
        return self.fpr_at(tpr), tpr


def fit_line(counts: ScoreCounts) -> BinormalCurve:
    """Least squares of Φ⁻¹(specificity) on Φ⁻¹(sensitivity) over all corners with finite values.

    The method is pROC's "binormal". The fit is simple and independent of scale, but treats corners
    as independent and equally precise, which is wrong.

    >>> curve = fit_line(ScoreCounts(np.arange(4), np.array([1, 2, 3, 4]), np.array([4, 3, 2, 1])))
    >>> round(curve.a, 4), round(curve.b, 4)
    (1.0351, 1.0001)
    """
    from scipy.special import ndtri

    used = (counts.pos > 0) | (counts.neg > 0)
    below_pos, below_neg = np.cumsum(counts.pos[used])[:-1], np.cumsum(counts.neg[used])[:-1]
    # −Φ⁻¹ of the share below is Φ⁻¹ of the share above
    x = -ndtri(below_pos / float(counts.n_pos))
    y = ndtri(below_neg / float(counts.n_neg))
    finite = np.isfinite(x) & np.isfinite(y)
    x, y = x[finite], y[finite]
    if len(x) < 2 or not np.ptp(x) > 0.0 or not np.ptp(y) > 0.0:
        raise InputError(
            "too few corners off the sides of the square for a binormal line",
            value=len(x),
            fix="a curve needs two thresholds with both rates strictly between 0 and 1",
        )
    dx = x - x.mean()
    slope = dot(dx, y) / dot(dx, dx)
    intercept = float(y.mean() - slope * x.mean())
    # Φ⁻¹(fpr) = −y, solved for Φ⁻¹(tpr) = x
    return BinormalCurve(-intercept / slope, -1.0 / slope)


_LEAST = 1e-100  # a smaller probability tends to 0
_MOST_STEPS, _MOST_HALVINGS = 500, 40
_CLOSE = 1e-12  # the gain in log-likelihood that a further step promises
_RUN_AWAY = 50.0**2  # larger variances mean that there is no maximum


@dataclass(frozen=True, slots=True)
class LikelihoodFit:
    """The curve, the covariance of a and b, and the maximum of the log-likelihood."""

    curve: BinormalCurve
    covariance: tuple[tuple[float, float], tuple[float, float]]
    log_likelihood: float
    categories: int

    @property
    def parameters(self) -> Mapping[str, float]:
        return {
            **self.curve.parameters,
            "a_std_error": math.sqrt(self.covariance[0][0]),
            "b_std_error": math.sqrt(self.covariance[1][1]),
            "log_likelihood": self.log_likelihood,
        }


def fit_likelihood(counts: ScoreCounts) -> LikelihoodFit:
    """Maximum likelihood for ordered categories (Dorfman and Alf 1969).

    Neighbouring scores of one class alone are merged into one category, which changes nothing,
    because the likelihood depends only on the order of the two classes (Metz, Herman and Shen
    1998). Fisher scoring estimates a, b and the thresholds; the information matrix, tridiagonal
    except for a and b, gives the standard errors.

    >>> ct = ScoreCounts(np.arange(5), np.array([3, 2, 2, 11, 33]), np.array([33, 6, 6, 11, 2]))
    >>> fit = fit_likelihood(ct)  # Hanley and McNeil 1982
    >>> round(fit.curve.a, 4), round(fit.curve.b, 4), round(fit.curve.auc, 4)
    (1.6568, 0.713, 0.9113)
    """
    pos, neg = _categories(counts)
    if len(pos) < 3:
        raise InputError(
            "a binormal curve needs at least three ordered categories",
            value=len(pos),
            fix="the classes are apart, or nearly; use a score that orders more finely",
        )
    try:
        state, covariance = _maximised(pos, neg, RangePlacements.of(counts).placements.auc)
    except np.linalg.LinAlgError as error:
        raise _no_maximum() from error
    if not (np.linalg.det(covariance) > 0.0 and np.max(covariance) < _RUN_AWAY):
        raise _no_maximum()
    (aa, ab), (_, bb) = covariance.tolist()
    fitted = BinormalCurve(state.a, state.b)
    return LikelihoodFit(fitted, ((aa, ab), (ab, bb)), state.log_likelihood, len(pos))


def _no_maximum() -> InputError:
    return InputError(
        "the binormal likelihood has no maximum for this data: a or b diverges",
        fix='use smooth("binormal"), or the empirical curve',
    )


class _State(NamedTuple):
    a: float
    b: float
    cuts: _FLOATS
    of_pos: _FLOATS
    of_neg: _FLOATS
    log_likelihood: float


def _maximised(pos: NDArray[Any], neg: NDArray[Any], auc: float) -> tuple[_State, _FLOATS]:
    state = _start(pos, neg, auc)
    for _ in range(_MOST_STEPS):
        step, promise, information = _scoring_step(state, pos, neg)
        if promise <= _CLOSE:
            break
        tried = (_moved(state, step, 0.5**halving, pos, neg) for halving in range(_MOST_HALVINGS))
        better = next((to for to in tried if to.log_likelihood > state.log_likelihood), None)
        if better is None:  # at the maximum, up to rounding
            break
        state = better
    return state, np.asarray(np.linalg.inv(information), dtype=np.float64)


def _categories(counts: ScoreCounts) -> tuple[NDArray[Any], NDArray[Any]]:
    some = (counts.pos > 0) | (counts.neg > 0)
    pos, neg = counts.pos[some], counts.neg[some]
    kind = (pos > 0) + 2 * (neg > 0)
    begins = np.ones(len(kind), dtype=bool)
    begins[1:] = (kind[1:] != kind[:-1]) | (kind[1:] == 3)
    starts = np.flatnonzero(begins)
    return np.add.reduceat(pos, starts), np.add.reduceat(neg, starts)


def _start(pos: NDArray[Any], neg: NDArray[Any], auc: float) -> _State:
    """The thresholds come from bisection, because the expected number of rows below a threshold
    increases with the threshold.
    """
    from scipy.special import ndtr, ndtri

    a = math.sqrt(2.0) * float(ndtri(min(max(auc, 0.02), 0.98)))
    m, n = pos.sum(), neg.sum()
    below = np.cumsum(pos + neg)[:-1]
    low, high = np.full(len(below), -40.0), np.full(len(below), 40.0)
    for _ in range(60):
        middle = (low + high) / 2.0
        less = n * ndtr(middle) + m * ndtr(middle - a) < below
        low, high = np.where(less, middle, low), np.where(less, high, middle)
    return _state(a, 1.0, (low + high) / 2.0, pos, neg)


def _state(a: float, b: float, cuts: _FLOATS, pos: NDArray[Any], neg: NDArray[Any]) -> _State:
    from scipy.special import xlogy

    if not b > 0.0 or np.any(np.diff(cuts) <= 0.0):
        return _State(a, b, cuts, cuts, cuts, -math.inf)
    of_pos, of_neg = _between(b * cuts - a), _between(cuts)
    with np.errstate(divide="ignore"):
        likelihood = float(np.sum(xlogy(pos, of_pos)) + np.sum(xlogy(neg, of_neg)))
    if min(of_pos.min(), of_neg.min()) < _LEAST:
        likelihood = -math.inf
    return _State(a, b, cuts, of_pos, of_neg, likelihood)


def _moved(
    state: _State, step: _FLOATS, share: float, pos: NDArray[Any], neg: NDArray[Any]
) -> _State:
    a, b = state.a + share * step[0], state.b + share * step[1]
    return _state(float(a), float(b), state.cuts + share * step[2:], pos, neg)


def _between(cuts: _FLOATS) -> _FLOATS:
    from scipy.special import ndtr

    low, high = np.append(-np.inf, cuts), np.append(cuts, np.inf)
    right = low > 0.0
    return np.asarray(np.where(right, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low)))


def _scoring_step(
    state: _State, pos: NDArray[Any], neg: NDArray[Any]
) -> tuple[_FLOATS, float, _FLOATS]:
    from scipy.linalg import solveh_banded

    m, n, b, cuts = pos.sum(), neg.sum(), state.b, state.cuts
    by_pos, by_neg = _density(b * cuts - state.a), _density(cuts)
    scaled = b * by_pos
    wish_pos, wish_neg = pos / state.of_pos, neg / state.of_neg
    score = by_neg * (wish_neg[:-1] - wish_neg[1:]) + scaled * (wish_pos[:-1] - wish_pos[1:])
    # the derivatives of the probability of each category of positives in a and in b
    by_a, by_b = -_edges(by_pos), _edges(cuts * by_pos)
    score_ab = np.array([dot(by_a, wish_pos), dot(by_b, wish_pos)])
    inverse_pos, inverse_neg = m / state.of_pos, n / state.of_neg
    band = np.zeros((2, len(cuts)))
    band[1] = by_neg**2 * (inverse_neg[:-1] + inverse_neg[1:])
    band[1] += scaled**2 * (inverse_pos[:-1] + inverse_pos[1:])
    band[0, 1:] = -by_neg[:-1] * by_neg[1:] * inverse_neg[1:-1]
    band[0, 1:] -= scaled[:-1] * scaled[1:] * inverse_pos[1:-1]
    change = np.column_stack([by_a, by_b])
    weighted = change * inverse_pos[:, None]
    cross = scaled[:, None] * (weighted[:-1] - weighted[1:])
    solved = solveh_banded(band, np.column_stack([score, cross]))
    information = products(change.T, weighted.T) - products(cross.T, solved[:, 1:].T)
    step_ab = np.linalg.solve(information, score_ab - products(cross.T, solved[:, :1].T)[:, 0])
    step = np.append(step_ab, solved[:, 0] - products(step_ab[None], solved[:, 1:])[0])
    return step, dot(step, np.append(score_ab, score)), information


def _density(x: _FLOATS) -> _FLOATS:
    return np.asarray(np.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi))


def _edges(at_cuts: _FLOATS) -> _FLOATS:
    return np.diff(np.concatenate([[0.0], at_cuts, [0.0]]))


_FEWEST = 512  # thresholds, as in pROC
_WIDEST = 400  # the largest range of scores in bandwidths; no single bandwidth suits a larger one
_FINE = 64  # bins in a bandwidth, where there are more distinct scores
RULE = "0.9·min(sd, IQR/1.34)·N^(-1/5), over all rows (Silverman 1986, eq. 3.31)"


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """A curve whose scores are replaced by normal densities with one bandwidth.

    ``weight[i, j]`` is the share of score j at or above threshold i. The product of ``weight`` with
    a table of counts is a curve with the rates ``across`` and ``up``, interpolated linearly.
    """

    bandwidth: float
    weight: _FLOATS
    pos: NDArray[Any]
    neg: NDArray[Any]
    across: _FLOATS
    up: _FLOATS

    @classmethod
    def of(cls, bandwidth: float, weight: _FLOATS, pos: NDArray[Any], neg: NDArray[Any]) -> Kernel:
        return cls(bandwidth, weight, pos, neg, _rates(weight, neg), _rates(weight, pos))

    def with_counts(self, pos: NDArray[Any], neg: NDArray[Any]) -> Kernel:
        return Kernel.of(self.bandwidth, self.weight, pos, neg)

    @property
    def parameters(self) -> Mapping[str, float]:
        return {"bandwidth": self.bandwidth}

    def points(self) -> tuple[_FLOATS, _FLOATS]:
        return self.across, self.up

    def tpr_at(self, fpr: ArrayLike) -> _FLOATS:
        return np.asarray(np.interp(np.asarray(fpr, float), self.across, self.up))

    def fpr_at(self, tpr: ArrayLike) -> _FLOATS:
        return np.asarray(np.interp(np.asarray(tpr, float), self.up, self.across))

    @property
    def auc(self) -> float:
        """The area by the trapezoid rule, nearly exact for such smooth densities."""
        return float(np.sum(np.diff(self.across) * (self.up[1:] + self.up[:-1])) / 2.0)


def fit_density(counts: ScoreCounts) -> Kernel:
    """Normal kernels with pROC's bandwidth ("nrd0"), on 512 thresholds or more.

    The shares above each threshold are exact sums over the rows; pROC sums densities that are
    interpolated on a grid, and differs by some units in the fourth decimal.

    >>> columns = np.array([0, 1, 2, 2]), np.array([3, 1, 1, 0])
    >>> table = ScoreCounts(np.array([1.0, 2, 3, 4]), *columns)
    >>> fit = fit_density(table)
    >>> round(fit.bandwidth, 4), round(fit.auc, 4)
    (0.6665, 0.8598)
    """
    from scipy.special import ndtr

    score = counts.score.astype(np.float64)
    if not np.all(np.isfinite(score)):
        raise InputError(
            "kernels need finite scores",
            value=float(score[~np.isfinite(score)][0]),
            fix='use smooth("binormal"), which needs their order only',
        )
    width = bandwidth(score, counts.pos + counts.neg)
    span = float(score[-1] - score[0])
    if span > _WIDEST * width:
        raise InputError(
            f"the scores span {span / width:,.0f} bandwidths, so no single bandwidth suits them",
            value=width,
            fix='transform them (logarithm, ranks), or use smooth("binormal")',
        )
    pos, neg = counts.pos, counts.neg
    bins = int(span / width * _FINE) + 1
    if len(score) > bins:
        at = np.minimum(((score - score[0]) / span * bins).astype(np.int64), bins - 1)
        pos, neg = (np.rint(np.bincount(at, column, bins)).astype(int) for column in (pos, neg))
        score = score[0] + (np.arange(bins) + 0.5) * span / bins
    reach = 3.0 * width
    thresholds = np.linspace(
        score[-1] + reach, score[0] - reach, max(_FEWEST, int(2 * span / width) + 12)
    )
    weight = ndtr((score - thresholds[:, None]) / width)
    return Kernel.of(width, weight, pos, neg)


def bandwidth(score: _FLOATS, rows: NDArray[np.int64]) -> float:
    """0.9·min(sd, IQR/1.34)·N^(−1/5), or with the sd alone if the quartiles are equal.

    >>> bandwidth(np.array([1.0, 2, 3, 4]), np.array([1, 1, 1, 1])).__round__(6)
    0.763514
    """
    through, total = np.cumsum(rows), int(rows.sum())
    # quantiles interpolate between two rows, as in R and NumPy
    place = (total - 1) * np.array([0.25, 0.75])
    below, above = (
        score[np.searchsorted(through, end.astype(np.int64), side="right")]
        for end in (np.floor(place), np.ceil(place))
    )
    quartiles = below + (place - np.floor(place)) * (above - below)
    mean = dot(score, rows) / total
    spread = float(np.sqrt(dot((score - mean) ** 2, rows) / (total - 1)))
    middle = float(quartiles[1] - quartiles[0]) / 1.34
    if spread == 0.0:
        raise InputError("all scores are equal", value=float(score[0]), fix="there is no curve")
    return 0.9 * (min(spread, middle) if middle > 0.0 else spread) * float(total**-0.2)


def _rates(weight: _FLOATS, counts: NDArray[Any]) -> _FLOATS:
    return np.concatenate([[0.0], products(counts[None], weight)[0] / counts.sum(), [1.0]])
