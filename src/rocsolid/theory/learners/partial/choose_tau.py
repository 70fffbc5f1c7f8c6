"""The width of the sigmoid, chosen on rows that were held out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.curve_area import curve_area
from rocsolid.summaries.sorted_classes import SortedClasses
from rocsolid.summaries.stream import stream
from rocsolid.theory.learners.partial.sigmoid_fit import SigmoidObjective, fit_sigmoid
from rocsolid.theory.learners.partial.top_negatives import TopNegatives
from rocsolid.weights import step


def logistic_weights(features: Any, positive: NDArray[np.bool_]) -> Floats:
    """The weights w (without the constant) of least Σ ln(1 + e^(−y(w·x+b))) + ½‖w‖².

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

    found = minimize(loss, np.zeros(size + 1), jac=True, method="L-BFGS-B")
    return np.asarray(found.x[:size])


Floats = NDArray[np.float64]

TAUS = (1.0, 0.2, 0.05)
FOLDS = 3
_NEAR = 1e-6  # a gain in a step below which a search for the sake of a choice ends


def mean_area(pos: Floats, neg: Floats, fpr: tuple[float, float]) -> float:
    """The mean height of the curve over the false-positive rates; ties count one half.

    >>> mean_area(np.array([2.0, 0.5]), np.array([1.0, 0.0]), (0.0, 0.5))
    0.5
    """
    classes = SortedClasses(np.sort(pos), np.sort(neg))
    return curve_area(classes, step(*fpr)) / (fpr[1] - fpr[0])


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Mean areas on rows that were held out: for each width, and for logistic regression."""

    by_tau: dict[float, float]
    logistic: float

    @property
    def best(self) -> float:
        """The width with the largest area; the widest of equals."""
        return max(self.by_tau, key=lambda tau: (self.by_tau[tau], tau))


def held_out_areas(
    pos: Any, neg: Any, fpr: tuple[float, float], seed: int, max_iter: int
) -> HeldOut:
    """The mean area of three scorers for each of ``TAUS``, each on the third that it did not see.

    The thirds are drawn within each class; each class needs at least as many rows as folds. The
    searches end sooner than that of a fit.
    """
    random = stream(seed, 0)
    folds = [
        [np.sort(part) for part in np.array_split(random.permutation(rows.shape[0]), FOLDS)]
        for rows in (pos, neg)
    ]
    areas = np.zeros((FOLDS, len(TAUS) + 1))
    for k in range(FOLDS):
        kept_pos, kept_neg = (
            rows[np.sort(np.concatenate([part for i, part in enumerate(parts) if i != k]))]
            for rows, parts in zip((pos, neg), folds, strict=True)
        )
        start = start_weights(kept_pos, kept_neg)
        top = TopNegatives.of(kept_neg.shape[0], fpr)
        found = [
            fit_sigmoid(SigmoidObjective(kept_pos, kept_neg, top, tau), start, max_iter, _NEAR).w
            for tau in TAUS
        ]
        areas[k] = [
            mean_area(pos[folds[0][k]] @ w, neg[folds[1][k]] @ w, fpr) for w in (*found, start)
        ]
    *by_tau, logistic = areas.mean(axis=0).tolist()
    return HeldOut(dict(zip(TAUS, by_tau, strict=True)), logistic)


def start_weights(pos: Any, neg: Any) -> Floats:
    """Those of logistic regression."""
    m, n = pos.shape[0], neg.shape[0]
    if isinstance(pos, np.ndarray):
        both = np.concatenate([pos, neg])
    else:
        from scipy.sparse import vstack

        both = vstack([pos, neg], format="csr")
    return logistic_weights(both, np.arange(m + n) < m)
