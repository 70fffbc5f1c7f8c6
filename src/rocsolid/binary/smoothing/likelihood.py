"""The binormal curve of maximum likelihood, from ordered categories."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.smoothing.binormal import BinormalCurve
from rocsolid.errors import InputError
from rocsolid.summaries.ranges.range_placements import RangePlacements
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]
_LEAST = 1e-100  # a probability below it is one that runs away to 0
_MOST_STEPS, _MOST_HALVINGS = 500, 40
_CLOSE = 1e-12  # the gain in log-likelihood that a further step promises
_RUN_AWAY = 50.0**2  # variances beyond it have no maximum behind them


@dataclass(frozen=True, slots=True)
class LikelihoodFit:
    """The curve with the covariance of a and b, and the log-likelihood at its maximum."""

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

    Neighbouring scores that one class alone holds become one category, which changes nothing: the
    likelihood depends on the order of the two classes only (Metz, Herman and Shen 1998). Fisher
    scoring over a, b and the thresholds; its information matrix, tridiagonal except for a and b,
    gives the standard errors.

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
        "the binormal likelihood has no maximum for this data: a or b runs away",
        fix='use smooth("binormal"), or the curve as it is',
    )


class _State(NamedTuple):
    a: float
    b: float
    cuts: _FLOATS
    of_pos: _FLOATS
    of_neg: _FLOATS
    log_likelihood: float


def _maximised(pos: NDArray[Any], neg: NDArray[Any], auc: float) -> tuple[_State, _FLOATS]:
    """Fisher scoring, halving steps that overshoot; the state and the covariance of a and b."""
    state = _start(pos, neg, auc)
    for _ in range(_MOST_STEPS):
        step, promise, information = _scoring_step(state, pos, neg)
        if promise <= _CLOSE:
            break
        tried = (_moved(state, step, 0.5**halving, pos, neg) for halving in range(_MOST_HALVINGS))
        better = next((to for to in tried if to.log_likelihood > state.log_likelihood), None)
        if better is None:  # within rounding there is nothing better
            break
        state = better
    return state, np.asarray(np.linalg.inv(information), dtype=np.float64)


def _categories(counts: ScoreCounts) -> tuple[NDArray[Any], NDArray[Any]]:
    """Counts by class where neighbouring scores of one class alone are put together."""
    some = (counts.pos > 0) | (counts.neg > 0)
    pos, neg = counts.pos[some], counts.neg[some]
    kind = (pos > 0) + 2 * (neg > 0)
    begins = np.ones(len(kind), dtype=bool)
    begins[1:] = (kind[1:] != kind[:-1]) | (kind[1:] == 3)
    starts = np.flatnonzero(begins)
    return np.add.reduceat(pos, starts), np.add.reduceat(neg, starts)


def _start(pos: NDArray[Any], neg: NDArray[Any], auc: float) -> _State:
    """Equal spreads with the area of the data, and thresholds that give the numbers of rows seen.

    By bisection: the expected number of rows below a threshold grows with it.
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
        found = float(np.sum(xlogy(pos, of_pos)) + np.sum(xlogy(neg, of_neg)))
    if min(of_pos.min(), of_neg.min()) < _LEAST:
        found = -math.inf
    return _State(a, b, cuts, of_pos, of_neg, found)


def _moved(
    state: _State, step: _FLOATS, share: float, pos: NDArray[Any], neg: NDArray[Any]
) -> _State:
    a, b = state.a + share * step[0], state.b + share * step[1]
    return _state(float(a), float(b), state.cuts + share * step[2:], pos, neg)


def _between(cuts: _FLOATS) -> _FLOATS:
    """The normal probabilities between ascending places, computed in the nearer tail."""
    from scipy.special import ndtr

    low, high = np.append(-np.inf, cuts), np.append(cuts, np.inf)
    right = low > 0.0
    return np.asarray(np.where(right, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low)))


def _scoring_step(
    state: _State, pos: NDArray[Any], neg: NDArray[Any]
) -> tuple[_FLOATS, float, _FLOATS]:
    """Information⁻¹·score, the gain that it promises, and the information about a and b alone."""
    from scipy.linalg import solveh_banded

    m, n, b, cuts = pos.sum(), neg.sum(), state.b, state.cuts
    by_pos, by_neg = _density(b * cuts - state.a), _density(cuts)
    scaled = b * by_pos
    wish_pos, wish_neg = pos / state.of_pos, neg / state.of_neg
    score = by_neg * (wish_neg[:-1] - wish_neg[1:]) + scaled * (wish_pos[:-1] - wish_pos[1:])
    # how the probability of each category of positives changes with a and with b
    by_a, by_b = -_edges(by_pos), _edges(cuts * by_pos)
    score_ab = np.array([by_a @ wish_pos, by_b @ wish_pos])
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
    information = change.T @ weighted - cross.T @ solved[:, 1:]
    step_ab = np.linalg.solve(information, score_ab - cross.T @ solved[:, 0])
    step = np.append(step_ab, solved[:, 0] - solved[:, 1:] @ step_ab)
    return step, float(step @ np.append(score_ab, score)), information


def _density(x: _FLOATS) -> _FLOATS:
    return np.asarray(np.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi))


def _edges(at_cuts: _FLOATS) -> _FLOATS:
    """The value at each category's upper threshold less that at its lower one; 0 at infinity."""
    return np.diff(np.concatenate([[0.0], at_cuts, [0.0]]))
