"""How wide are certified intervals for an AUC, and how far is that from the limit?

Run: python benchmarks/certified_widths.py (a few minutes). Mean widths at 95 % over seeded data
sets, the lower bound of `rocsolid.study.least_width` for any valid interval, and the ratio of
cuts to it: the mean reach of its limits beyond the true AUC, which the bound is about.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import rocsolid as rs
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.theory.study.least_width import least_reach

SIZES = [(50, 50), (41, 72), (200, 200), (1000, 1000), (20, 2000), (100, 1000)]
SHAPES = [("normal", 0.75), ("normal", 0.9), ("normal", 0.99), ("two-valued", 0.8)]
COLUMNS = ("cuts", "matchings", "hinge", "kl", "e-value", "betting")
MANY = [(32_769, 32_769), (100_000, 100_000), (100_000, 1_000_000), (1_000_000, 1_000_000)]
MANY_AUCS = (0.6, 0.76, 0.9, 0.95, 0.99)
LEVELS = 600  # of a normal score, for the lower bound
Array = NDArray[np.float64]


def drawn(shape: str, auc: float, m: int, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    if shape == "two-valued":  # positives above or below all negatives
        return np.where(rng.random(m) < auc, 1.0, -1.0), np.zeros(n)
    return rng.normal(math.sqrt(2) * ndtri(auc), 1, m), rng.normal(size=n)


def levels(shape: str, auc: float) -> tuple[Array, Array]:
    if shape == "two-valued":
        return np.array([1 - auc, 0, auc]), np.array([0.0, 1.0, 0.0])
    edges = np.linspace(-4.5, 8, LEVELS + 1)
    p, q = np.diff(ndtr(edges - math.sqrt(2) * ndtri(auc))), np.diff(ndtr(edges))
    return p / p.sum(), q / q.sum()


def line(shape: str, auc: float, m: int, n: int, repeats: int) -> str:
    rng = np.random.default_rng([m, n, int(100 * auc)])
    widths: dict[str, list[float]] = {name: [] for name in (*COLUMNS, "pearson", "auto", "reach")}
    y = np.repeat([1, 0], [m, n])
    for _ in range(repeats):
        pos, neg = drawn(shape, auc, m, n, rng)
        scores = np.concatenate([pos, neg])
        for name in COLUMNS:
            found = rs.auc(y, scores, interval=name)
            widths[name].append(found.interval.width)
            if name == "cuts":
                low, high = found.low, found.high
                widths["reach"].append(max(auc - low, 0.0) + max(high - auc, 0.0))
        widths["auto"].append(rs.auc(y, scores).interval.width)
        wins = int((pos[: min(m, n)] > neg[: min(m, n)]).sum())  # one matching
        low, high = (float(end[0]) for end in clopper_pearson([wins], min(m, n), 0.025))
        widths["pearson"].append(high - low)
    least = least_reach(*levels(shape, auc), m, n, 0.025)
    means = [float(np.mean(widths[name])) for name in (*COLUMNS, "pearson")]
    cells = [f"{mean:.4f}" for mean in (*means, least, float(np.mean(widths["auto"])))]
    ratio = float(np.mean(widths["reach"])) / least
    return f"| {m} + {n} | {shape} {auc:g} | {' | '.join(cells)} | {ratio:.2f} |"


def many(m: int, n: int) -> str:
    """One data set for each AUC: widths over those of DeLong's interval."""
    cells = []
    for auc in MANY_AUCS:
        rng = np.random.default_rng(0)
        pos, neg = drawn("normal", auc, m, n, rng)
        y, scores = np.repeat([1, 0], [m, n]), np.concatenate([pos, neg])
        delong = rs.auc(y, scores, interval="delong").interval.width
        for method in ("berry-esseen", "matchings"):
            limits = rs.auc(y, scores, interval=method).interval
            cells.append(f"{limits.width / delong:.2f}")
    return f"| {m:,} + {n:,} | {' | '.join(cells)} |"


def main() -> None:
    print(f"| rows | {' | | '.join(f'AUC {auc:g}' for auc in MANY_AUCS)} | |")
    print("|---|" + "--:|" * 2 * len(MANY_AUCS))
    for m, n in MANY:
        print(many(m, n), flush=True)
    heads = ("rows", "scores", *COLUMNS, "one matching", "lower bound", "auto", "ratio")
    print(f"| {' | '.join(heads)} |")
    print("|---|---|" + "--:|" * 10)
    for m, n in SIZES:
        for shape, auc in SHAPES:
            print(line(shape, auc, m, n, 40 if m * n <= 10**5 else 10), flush=True)


if __name__ == "__main__":
    main()
