"""``rs.partial_auc`` with both intervals against ``rs.auc`` and scikit-learn's ``max_fpr``.

Runs alternate, medians are compared, and ratios are printed. scikit-learn computes the number
alone. The first call of a size and region also works out the level of its band, which is kept for
the next ones, so it is printed by itself.

    python benchmarks/partial_auc.py            everything, about two minutes
    python benchmarks/partial_auc.py --quick    without the 10⁷ rows
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import processor  # noqa: F401  one thread of BLAS, before NumPy

# isort: split
import numpy as np
from sklearn.metrics import roc_auc_score

import rocsolid as rs
from rocsolid.intervals.guarantees.band import cached_band

REGIONS: dict[str, dict[str, Any]] = {
    "fpr<=0.01": {"fpr": 0.01},
    "fpr<=0.1": {"fpr": 0.1},
    "0.2<=fpr<=0.4": {"fpr": (0.2, 0.4)},
    "tpr>=0.9": {"tpr": 0.9},
    "fpr<=0.3, tpr>=0.7": {"fpr": 0.3, "tpr": 0.7},
}


def clock(task: Callable[[], Any]) -> float:
    start = time.process_time()
    task()
    return time.process_time() - start


def compare(size: int, share: float, runs: int) -> None:
    rng = np.random.default_rng(size)
    y = (rng.random(size) < share).astype(np.int64)
    s = rng.normal(size=size) + 1.8 * y
    tasks: dict[str, Callable[[], Any]] = {
        "rs.auc": lambda: rs.auc(y, s),
        "scikit-learn, max_fpr=0.1": lambda: roc_auc_score(y, s, max_fpr=0.1),
    }
    tasks |= {
        name: lambda region=region: rs.partial_auc(y, s, **region)
        for name, region in REGIONS.items()
    }
    clock(tasks["rs.auc"])
    first = {}
    for name, task in tasks.items():
        cached_band.cache_clear()
        first[name] = clock(task)
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(runs):
        for name, task in tasks.items():
            times[name].append(clock(task))
    median = {name: statistics.median(values) for name, values in times.items()}
    base = median["rs.auc"]
    print(f"{size:,} rows, {share:.0%} positive: rs.auc {base:.4f} s")
    for name in tasks:
        if name != "rs.auc":
            print(
                f"    {name:<26} {median[name] / base:6.2f} times rs.auc, "
                f"the first call {first[name] / base:6.2f}"
            )


if __name__ == "__main__":
    for share in (0.5, 0.01):
        compare(10**6, share, 11)
        if "--quick" not in sys.argv:
            compare(10**7, share, 5)
