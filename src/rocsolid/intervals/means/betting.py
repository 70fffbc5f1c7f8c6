from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.guarantees.betting import (
    log_mean_exp,
    log_product,
    smallest_plausible,
    stakes,
)
from rocsolid.intervals.guarantees.checks import tail_share
from rocsolid.intervals.means.t import Limits
from rocsolid.results.interval import Alternative

ASSUMPTIONS = ("queries independent and drawn alike", "the range of the measure")
SOURCE = (
    "Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86 (2024), 1-27 (betting)"
)

Shapes = tuple[tuple[float, float], ...]

# The variance of a value as a part of the largest that its mean allows, and the share of the stake
# that is put on it. One query's nDCG or average precision has an eighth to a half, a reciprocal
# rank nearly all; the difference of two systems a hundredth to a quarter. Only the width depends on
# them.
MEANS: Shapes = ((1.0, 0.35), (1 / 4, 0.45), (1 / 16, 0.2))
DIFFERENCES: Shapes = ((1.0, 0.25), (1 / 4, 0.25), (1 / 16, 0.25), (1 / 64, 0.25))

LONG = 1 << 14
"""Values from which on their first four moments replace them if all bets are small."""
_SMALL = 0.3
_CELLS = 1 << 20  # values worked on together, so that many pairs of systems need little memory


def betting_limits(
    rows: NDArray[np.float64],
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    shapes: Shapes = MEANS,
) -> Limits:
    """Return limits for the mean behind each row of values in [0, 1].

    If the mean is at most a, the capital Π(1+λ(vᵢ−a)) with 0 ≤ λ ≤ 1/a has expectation at most 1,
    also for independent values of different means, with a their average. The lower limit is the a
    at which a weighted mean over several fixed λ equals 2/δ; the upper limit is its mirror image.

    >>> low, high = betting_limits(np.array([[0.4, 0.5, 0.6] * 20]))
    >>> print(f"{low[0]:.4f} {high[0]:.4f}")
    0.4550 0.5450
    """
    share = tail_share(delta, alternative)
    lows, highs = [np.zeros(0)], [np.zeros(0)]
    many = max(1, _CELLS // rows.shape[1])
    for start in range(0, len(rows), many):
        block = rows[start : start + many]
        ends = np.zeros(len(block)), np.ones(len(block))
        low, high = alternative != "less", alternative != "greater"
        lows.append(_lower(block, share, shapes) if low else ends[0])
        highs.append(1.0 - _lower(1.0 - block, share, shapes) if high else ends[1])
    return np.concatenate(lows), np.concatenate(highs)


def _lower(rows: NDArray[np.float64], share: float, shapes: Shapes) -> NDArray[np.float64]:
    parts, weights = np.array(shapes).T
    spread = np.sqrt(-2.0 * np.log(share) / (rows.shape[1] * parts))[:, None]
    sums = _power_sums(rows) if rows.shape[1] >= LONG else None

    def log_wealth(mean: NDArray[np.float64]) -> NDArray[np.float64]:
        bets = stakes(mean, spread, np.inf)
        if sums is not None and np.all(bets * np.maximum(mean, 1.0 - mean) < _SMALL):
            logs = [_series(sums, mean, bet) for bet in bets]
        else:
            logs = [log_product(rows, mean[:, None], bet[:, None]) for bet in bets]
        return log_mean_exp(logs, weights.tolist())

    # a row of zeros has the limit 0, and its stake there is 0/0
    with np.errstate(divide="ignore", invalid="ignore"):
        return smallest_plausible(log_wealth, rows.mean(axis=1), share)


def _power_sums(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return n, the mean c of each row, and Σ(v−c)² to Σ(v−c)⁴."""
    centre = rows.mean(axis=1)
    centred = rows - centre[:, None]
    squared = centred * centred
    return np.stack(
        [
            np.full(len(rows), float(rows.shape[1])),
            centre,
            squared.sum(axis=1),
            (squared * centred).sum(axis=1),
            (squared * squared).sum(axis=1),
        ]
    )


def _series(
    sums: NDArray[np.float64], mean: NDArray[np.float64], bet: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Bound Σ ln(1+x), x = λ(v−a), from below, by ln(1+x) ≥ x − x²/2 + x³/3 − x⁴(1/4 + m/(5(1−m))).

    m < 1 is the largest possible |x|.
    """
    n, centre, second, third, fourth = sums
    off = centre - mean
    most = bet * np.maximum(mean, 1.0 - mean)
    squares = second + n * off**2
    cubes = third + 3.0 * off * second + n * off**3
    fourths = fourth + 4.0 * off * third + 6.0 * off**2 * second + n * off**4
    return np.asarray(
        bet * n * off
        - bet**2 * squares / 2.0
        + bet**3 * cubes / 3.0
        - bet**4 * fourths * (0.25 + most / (5.0 * (1.0 - most)))
    )
