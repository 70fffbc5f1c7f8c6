"""``rs.concordance`` against SciPy's ``kendalltau`` and ``somersd``, and how its intervals hold.

Runs alternate, and medians of processor time are compared. ``kendalltau`` gives tau and a p-value,
``somersd`` D with one, from a table of counts with a cell for every pair of distinct values, so
that it ends at some thousands of rows; ``rs.concordance`` gives the value with both intervals.

    python benchmarks/concordance.py               times, about a minute
    python benchmarks/concordance.py --coverage    a table of coverage, some minutes
"""

from __future__ import annotations

import sys
from typing import Any

from processor import against, in_turn  # before NumPy

# isort: split
import numpy as np
from scipy.special import ndtri
from scipy.stats import kendalltau, somersd

import rocsolid as rs

Rows = tuple[np.ndarray, np.ndarray]

DRAWN = 500
SIZES = (20, 50, 200, 2000)


def speed() -> None:
    rng = np.random.default_rng(0)
    y = rng.normal(size=1_000_000)
    s = y + rng.normal(size=y.size)
    for words, outcome in (("continuous", y), ("five grades", grades(y))):
        tasks = {
            "rocsolid": lambda outcome=outcome: rs.concordance(outcome, s),
            "kendalltau": lambda outcome=outcome: kendalltau(outcome, s),
        }
        against(f"1,000,000 rows, {words}", in_turn(tasks, 3))
    few = {
        "rocsolid": lambda: rs.concordance(y[:200], s[:200]),
        "somersd": lambda: somersd(y[:200], s[:200]),
    }
    against("200 rows, continuous", in_turn(few, 5))


def grades(y: np.ndarray) -> np.ndarray:
    return np.searchsorted(ndtri([0.2, 0.4, 0.6, 0.8]), y)


def rare_grades(y: np.ndarray) -> np.ndarray:
    return np.searchsorted(ndtri([0.7, 0.85, 0.93, 0.98]), y)


def noisy(rng: np.random.Generator, n: int, r: float) -> Rows:
    """Normal, with correlation r."""
    y = rng.normal(size=n)
    return y, r * y + np.sqrt(1.0 - r * r) * rng.normal(size=n)


def lumpy(rng: np.random.Generator, n: int, r: float) -> Rows:
    """Perfect in the share r of the rows; the score of the others knows nothing."""
    y = rng.normal(size=n)
    return y, np.where(rng.random(n) < r, y, rng.normal(size=n))


KINDS: dict[str, tuple[Any, Any]] = {
    "continuous": (noisy, np.asarray),
    "five grades": (noisy, grades),
    "five grades, 70 % the lowest": (noisy, rare_grades),
    "continuous, some rows at random": (lumpy, np.asarray),
}


def value(rows: Rows, outcome: Any) -> float:
    return float(rs.concordance(outcome(rows[0]), rows[1]).value)


def coverage() -> None:
    for name, (draw, outcome) in KINDS.items():
        for target in (0.5, 0.7, 0.9, 0.98):
            low, high = 0.0, 1.0
            for _ in range(14 if target > 0.5 else 0):
                r = (low + high) / 2.0
                below = value(draw(np.random.default_rng(3), 40_000, r), outcome) < target
                low, high = (r, high) if below else (low, r)
            r = low
            rng = np.random.default_rng(9)
            truth = 0.5 if r == 0.0 else np.mean(
                [value(draw(rng, 500_000, r), outcome) for _ in range(4)]
            )  # fmt: skip
            cells = [f"| {name} | {truth:.3f}"]
            for n in SIZES:
                held, sure, width, certain = 0, 0, [], []
                for _ in range(DRAWN):
                    y, s = draw(rng, n, r)
                    if len(np.unique(outcome(y))) < 2:
                        continue
                    found = rs.concordance(outcome(y), s)
                    assert found.certified is not None
                    held += found.low <= truth <= found.high
                    sure += found.certified.low <= truth <= found.certified.high
                    width.append(found.interval.width)
                    certain.append(found.certified.width)
                count = len(width)
                cells.append(
                    f"{held / count:.3f}, {sure / count:.3f} "
                    f"({np.mean(width):.2f}, {np.mean(certain):.2f})"
                )
            print(" | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    coverage() if "--coverage" in sys.argv else speed()
