"""How much faster are the drop-in functions than scikit-learn's own?

Both run in this process, in turn, on the same data; printed is the ratio of the median times.

    python benchmarks/sklearn_dropins.py [rows ...]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
import sklearn.metrics

import rocsolid.sklearn

NAMES = ("roc_auc_score", "roc_curve", "average_precision_score", "precision_recall_curve")


def cases(rows: int) -> dict[str, tuple[Any, Any, dict[str, Any]]]:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, rows)
    rare = (rng.random(rows) < 0.01).astype(int)
    score = rng.normal(size=rows)
    return {
        "half positive": (labels, score + labels, {}),
        "1 % positive": (rare, score + rare, {}),
        "1,000 distinct": (labels, np.floor(200 * score) / 200 % 5, {}),
        "weights": (labels, score + labels, {"sample_weight": rng.random(rows)}),
    }


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def ratio(name: str, y: Any, s: Any, options: dict[str, Any], repeats: int) -> tuple[float, float]:
    ours, theirs = getattr(rocsolid.sklearn, name), getattr(sklearn.metrics, name)
    pairs = [
        (seconds(lambda: ours(y, s, **options)), seconds(lambda: theirs(y, s, **options)))
        for _ in range(repeats)
    ]
    mine, peer = (median(times) for times in zip(*pairs, strict=True))
    return peer / mine, mine


def main() -> None:
    sizes = [int(float(size)) for size in sys.argv[1:]] or [10**5, 10**6]
    print(f"scikit-learn {sklearn.__version__}, NumPy {np.__version__}")
    print(f"{'rows':>9}  {'data':<15} {'function':<24} {'times as fast':>13} {'ours':>9}")
    for rows in sizes:
        for label, (y, s, options) in cases(rows).items():
            for name in NAMES:
                times, mine = ratio(name, y, s, options, repeats=7)
                print(f"{rows:>9}  {label:<15} {name:<24} {times:>13.2f} {1e3 * mine:>6.1f} ms")


if __name__ == "__main__":
    main()
