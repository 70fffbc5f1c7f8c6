"""The AUC over all rankings that a classification with a given number of errors allows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.checks import whole
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_sizes
from rocsolid.results.plain import Plain, one_line


@dataclass(frozen=True, slots=True)
class RankingSpread(Plain):
    """Mean and standard deviation of the AUC at a number of errors, with what they are about."""

    mean: float
    std: float
    errors: int
    n_pos: int
    n_neg: int
    _json = "mean std errors error_rate n_pos n_neg"

    @property
    def error_rate(self) -> float:
        return self.errors / (self.n_pos + self.n_neg)

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"AUC {self.mean:.4f} on average, standard deviation {self.std:.4f}, over all rankings "
            f"with {self.errors:,} errors of {self.n_pos + self.n_neg:,}"
        )


def auc_at_error_rate(errors: int, n_pos: int, n_neg: int) -> RankingSpread:
    """The mean and the standard deviation of the AUC when only the number of errors is known.

    After Cortes and Mohri, AUC optimization vs. error rate minimization, NIPS 2003, which Agarwal
    et al. 2005 cites in its first section. What is averaged over: all pairs of a ranking (an order
    of the m positives and n negatives without ties, rows of one class alike) and a threshold in it
    at which exactly ``errors`` rows are on the wrong side, all pairs equally likely. A ranking with
    several such thresholds counts once for each.

    With x false positives above the threshold and y = errors−x false negatives below it, there are
    C(m−y+x, x)·C(n−x+y, y) pairs. Within the two parts every order is equally likely, so the AUC
    has mean 1 − (x/n + y/m)/2 and the variance of two rank sums; summing over x is exact. Where
    m = n the mean is 1 − ℓ, ℓ = errors/(m+n). Their closed form for the mean holds for up to
    min(m, n) errors; this sum for any number.

    >>> print(auc_at_error_rate(20, 50, 50))
    AUC 0.8000 on average, standard deviation 0.0242, over all rankings with 20 errors of 100
    >>> print(auc_at_error_rate(20, 10, 90))
    AUC 0.5087 on average, standard deviation 0.0972, over all rankings with 20 errors of 100
    """
    m, n = check_sizes(n_pos, n_neg)
    wrong = whole(errors, "errors", 0)
    if wrong > m + n:
        raise InputError("there cannot be more errors than rows", where="errors", value=errors)
    x = np.arange(max(0, wrong - m), min(wrong, n) + 1, dtype=np.float64)
    y = wrong - x
    weight = _weights(x, y, m, n)
    mean_at = 1 - (x / n + y / m) / 2
    # of s positives and t negatives in random order the wins have variance st(s+t+1)/12
    above, below = (m - y) * x * (m - y + x + 1), y * (n - x) * (y + n - x + 1)
    variance_at = (above + below) / (12.0 * m * m * n * n)
    mean = float(weight @ mean_at)
    variance = float(weight @ (variance_at + (mean_at - mean) ** 2))
    return RankingSpread(mean, math.sqrt(variance), wrong, m, n)


def _weights(x: NDArray[np.float64], y: NDArray[np.float64], m: int, n: int) -> NDArray[np.float64]:
    """C(m−y+x, x)·C(n−x+y, y) as shares, from the logarithms of the ratios of neighbours."""
    x, y = x[:-1], y[:-1]  # each ratio leads from one x to the next
    top, bottom = m - y + x, n - x + y  # rows above and below the threshold
    rising = np.log(top + 1) + np.log(top + 2) - np.log(x + 1) - np.log(top + 1 - x)
    falling = np.log(y) + np.log(bottom - y) - np.log(bottom) - np.log(bottom - 1)
    logs = np.concatenate([[0.0], np.cumsum(rising + falling)])
    weight = np.exp(logs - logs.max())
    return np.asarray(weight / weight.sum())
