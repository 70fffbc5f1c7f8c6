"""Posterior probabilities of the labels by maximum entropy: approximate, at any size."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.system import System

_RIDGE = 1e-8
_STEPS = 200


@dataclass(frozen=True)
class Posterior:
    """Independent labels whose mean sums are the released ones."""

    probability: NDArray[np.float64]
    log_count: float
    """The natural logarithm of the number of labelings, to a normal approximation."""


def joint_posterior(question: System) -> Posterior:
    """P(y_i = 1) = σ(θ·w_i), a logistic model in the rows' weights, with matching means.

    θ minimises Σ ln(1 + e^{θ·w_i}) − θ·t + ½Σ v_r·θ_r², with t the middle of each row's interval
    and v = width²/12 the variance of a uniform number in it (0 for exact rows); damped Newton
    steps. Approximate: labels are taken as independent, so that it shows no label as certain. The
    count is e^H·Π(integers in the interval)/√det(2π·covariance).

    >>> joint_posterior(System(np.ones((1, 4), np.int64), (1,), (1,))).probability.round(6)
    array([0.25, 0.25, 0.25, 0.25])
    """
    free, rows = question.free, len(question.low)
    if rows == 0 or free == 0:
        return Posterior(np.full(free, 0.5), free * math.log(2))
    weights = question.weights.astype(np.float64)
    low, high = np.array(question.low, float), np.array(question.high, float)
    scale = np.sqrt((weights**2).sum(axis=1)) + (weights == 0).all(axis=1)
    w, target = weights / scale[:, None], (low + high) / 2 / scale
    ridge = ((high - low) / scale) ** 2 / 12 + _RIDGE

    def loss(theta: NDArray[np.float64]) -> float:
        fit = float(np.logaddexp(0, theta @ w).sum() - theta @ target)
        return fit + float((ridge * theta**2).sum() / 2)

    theta = np.zeros(rows)
    value = loss(theta)
    for _ in range(_STEPS):
        p = _sigmoid(theta @ w)
        gradient = w @ p - target + ridge * theta
        hessian = (w * (p * (1 - p))) @ w.T + np.diag(ridge)
        step = np.linalg.solve(hessian, gradient)
        drop, size = float(gradient @ step), 1.0
        if drop < 1e-14:
            break
        while size > 1e-10 and loss(theta - size * step) > value - size * drop / 4:
            size /= 2
        theta = theta - size * step
        value = loss(theta)
    p = _sigmoid(theta @ w)
    entropy = float(-(_xlogx(p) + _xlogx(1 - p)).sum())
    covariance = (weights * (p * (1 - p))) @ weights.T
    # a row cannot be spread more narrowly than over one integer
    covariance += np.diag((high - low + 1) ** 2 / 12)
    logdet = float(np.linalg.slogdet(2 * math.pi * covariance)[1])
    width = float(np.log(high - low + 1).sum())
    return Posterior(p, entropy + width - logdet / 2)


def _sigmoid(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.exp(-np.logaddexp(0, -x))


def _xlogx(p: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(p > 0, p * np.log(np.maximum(p, 1e-300)), 0.0)
