"""How long are certified differences of two AUCs? Run: python benchmarks/certified_differences.py

Widths at 95 % for two binormal scores of the same rows, on average over some samples, beside the
calibrated interval (DeLong's variance, Student's t) and the trinomial certificate that was the
default before, with the processor time that one certified difference takes.
"""

from __future__ import annotations

import time

import processor  # noqa: F401  one thread of BLAS, before NumPy

# isort: split
import numpy as np
from scipy.special import ndtri

import rocsolid as rs
from rocsolid.intervals.guarantees import difference, difference_matchings
from rocsolid.summaries.stream import disagreement

SETTINGS = [
    (20, 20, 0.8, 0.8), (50, 50, 0.8, 0.8), (50, 500, 0.8, 0.8), (200, 200, 0.8, 0.5),
    (200, 200, 0.8, 0.8), (200, 200, 0.8, 0.99), (200, 2000, 0.95, 0.8), (1000, 1000, 0.8, 0.0),
    (1000, 1000, 0.8, 0.8), (1000, 1000, 0.8, 0.999), (1000, 1000, 0.97, 0.8),
    (1000, 30000, 0.8, 0.8), (10000, 10000, 0.8, 0.8), (100000, 300000, 0.8, 0.8),
]  # fmt: skip
SAMPLES = 5


def main() -> None:
    rng = np.random.default_rng(0)
    columns = ("rows", "AUC", "correlation", "calibrated", "trinomial", "matchings")
    print("|", " | ".join((*columns, "ratio before", "now", "ms")), "|")
    print("|---|---|---|---|---|---|---|---|---|")
    for m, n, auc, common in SETTINGS:
        widths = np.zeros(3)
        spent, repeats = 0.0, SAMPLES if m + n < 50_000 else 1
        y = np.arange(m + n) < m
        for _ in range(repeats):
            shared = rng.normal(size=m + n)
            a, b = (
                np.sqrt(common) * shared
                + np.sqrt(1 - common) * rng.normal(size=m + n)
                + np.sqrt(2) * ndtri(area) * y
                for area in (auc, auc - 0.02)
            )
            pair = rs.compare(y, {"a": a, "b": b}).pairs[0]
            before = difference(pair.difference, float(disagreement(y, [a, b]).mean[0, 1]), m, n)
            start = time.process_time()
            now = difference_matchings(a[y], a[~y], b[y], b[~y])
            spent += time.process_time() - start
            widths += [pair.high - pair.low, before.width, now.width]
        widths /= repeats
        print(
            f"| {m:,} + {n:,} | {auc} | {common} | "
            + " | ".join(f"{width:.4f}" for width in widths)
            + f" | {widths[1] / widths[0]:.1f} | {widths[2] / widths[0]:.1f} | "
            f"{1000 * spent / repeats:.0f} |"
        )


if __name__ == "__main__":
    main()
