"""The AUC over all rankings that a classification with a given number of errors allows."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.intervals.guarantees.checks import check_level, check_sizes
from rocsolid.results import percent
from rocsolid.results.plain import Plain, one_line


@dataclass(frozen=True, slots=True)
class RankingSpread(Plain):
    """The mean and standard deviation of the AUC at a number of errors.

    ``low`` and ``high`` are Cortes and Mohri's interval at ``level``. ``least`` and ``most``
    enclose every AUC, with or without ties, that a score with this number of errors at a threshold
    can have.
    """

    mean: float
    std: float
    low: float
    high: float
    level: float
    least: float
    most: float
    errors: int
    n_pos: int
    n_neg: int
    _json = "mean std low high level least most errors error_rate n_pos n_neg"
    _cites = ("The AUC at an error rate", "cortes2003", "cortes2004")

    @property
    def error_rate(self) -> float:
        return self.errors / (self.n_pos + self.n_neg)

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"AUC {self.mean:.4f} on average, standard deviation {self.std:.4f}, over all rankings "
            f"with {self.errors:,} errors of {self.n_pos + self.n_neg:,}\n"
            f"possible: {self.least:.4f} to {self.most:.4f}; if all are equally likely, and the "
            f"error rate unknown: [{self.low:.4f}, {self.high:.4f}] at {percent(self.level)}"
        )


_MOST_SPLITS = 10_000_000  # splits into false positives and negatives; uses a gigabyte
_COUNTS = 17  # numbers of errors at which the interval is computed, ends included


def auc_at_error_rate(errors: int, n_pos: int, n_neg: int, *, level: float = 0.95) -> RankingSpread:
    """Compute the mean, standard deviation and interval of the AUC from the number of errors alone.

    The average runs over all pairs of a ranking without ties and a threshold with exactly
    ``errors`` rows on the wrong side, all pairs equally likely (Cortes and Mohri, NIPS 2003, cited
    by Agarwal et al. 2005). With x false positives above the threshold and y = errors−x false
    negatives below it, there are C(m−y+x, x)·C(n−x+y, y) pairs, and the AUC has mean 1 − (x/n +
    y/m)/2 and the variance of two rank sums. The sum over x is exact for any number of errors.

    The interval (Cortes and Mohri, Confidence intervals for the area under the ROC curve, NIPS
    2004) combines Clopper-Pearson limits for the number of errors at √level with Chebyshev's
    inequality at √level, for each number between the limits (17 of them if there are more). The
    interval guarantees nothing, because it assumes that all pairs are equally likely. The range is
    guaranteed: with x and y errors the AUC lies from (1 − y/m)(1 − x/n) to 1 − xy/(mn).

    >>> print(auc_at_error_rate(20, 50, 50))
    AUC 0.8000 on average, standard deviation 0.0242, over all rankings with 20 errors of 100
    possible: 0.6000 to 1.0000; if all are equally likely, and the error rate unknown: [...] at 95 %
    """
    m, n = check_sizes(n_pos, n_neg)
    wrong = whole(errors, "errors", 0)
    if wrong > m + n:
        raise InputError("there cannot be more errors than rows", where="errors", value=errors)
    if min(m + n - wrong, wrong, m, n) > _MOST_SPLITS:
        raise InputError(
            "the sum over the ways to split so many errors takes too long", where="errors",
            value=wrong, fix=f"give a tenth of each number, or at most {_MOST_SPLITS:,} errors",
        )  # fmt: skip
    root = math.sqrt(1.0 - check_level(level))
    fewest, most = clopper_pearson(wrong, m + n, (1.0 - root) / 2.0)
    counts = np.linspace(np.floor(fewest * (m + n)), np.ceil(most * (m + n)), _COUNTS)
    reach = 1.0 / math.sqrt(1.0 - root)  # Chebyshev: exceeded with probability ≤ 1 − root
    ends = []
    for count in {int(number) for number in counts}:
        mean, std = _moments(count, m, n)
        least, best = map(float, possible_auc(count, m, n))
        ends.append((max(mean - reach * std, least), min(mean + reach * std, best)))
    lows, highs = zip(*ends, strict=True)
    mean, std = _moments(wrong, m, n)
    least, best = map(float, possible_auc(wrong, m, n))
    return RankingSpread(mean, std, min(lows), max(highs), level, least, best, wrong, m, n)


def possible_auc(errors: int, m: int, n: int) -> tuple[Fraction, Fraction]:
    """Return the least and the largest AUC with this number of errors at a threshold, ties allowed.

    >>> print(*possible_auc(20, 50, 50), *possible_auc(8, 5, 4))
    3/5 1 0 1/4
    """
    splits = [(x, errors - x) for x in (max(0, errors - m), min(errors, n))]
    return (
        min(Fraction((m - y) * (n - x), m * n) for x, y in splits),
        max(1 - Fraction(x * y, m * n) for x, y in splits),
    )


def _moments(wrong: int, m: int, n: int) -> tuple[float, float]:
    x = np.arange(max(0, wrong - m), min(wrong, n) + 1, dtype=np.float64)
    y = wrong - x
    weight = _weights(x, y, m, n)
    mean_at = 1 - (x / n + y / m) / 2
    # s positives and t negatives in random order: the wins have variance st(s+t+1)/12
    above, below = (m - y) * x * (m - y + x + 1), y * (n - x) * (y + n - x + 1)
    variance_at = (above + below) / (12.0 * m * m * n * n)
    mean = float(weight @ mean_at)
    return mean, math.sqrt(float(weight @ (variance_at + (mean_at - mean) ** 2)))


def _weights(x: NDArray[np.float64], y: NDArray[np.float64], m: int, n: int) -> NDArray[np.float64]:
    """Return C(m−y+x, x)·C(n−x+y, y) as shares, from the logarithms of the ratios of neighbours."""
    x, y = x[:-1], y[:-1]  # each ratio relates x to x + 1
    top, bottom = m - y + x, n - x + y  # rows above and below the threshold
    rising = np.log(top + 1) + np.log(top + 2) - np.log(x + 1) - np.log(top + 1 - x)
    falling = np.log(y) + np.log(bottom - y) - np.log(bottom) - np.log(bottom - 1)
    logs = np.concatenate([[0.0], np.cumsum(rising + falling)])
    weight = np.exp(logs - logs.max())
    return np.asarray(weight / weight.sum())
