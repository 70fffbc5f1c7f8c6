"""``rs.compare`` on many models and rows: seconds, and ratios to one AUC a model.

python benchmarks/compare.py            ten models at 10⁶ rows, and smaller ones
python benchmarks/compare.py --quick    without the 10⁶ rows
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import rocsolid as rs


def clock(task: Callable[[], Any]) -> float:
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def best(task: Callable[[], Any], runs: int = 3) -> float:
    return min(clock(task) for _ in range(runs))


def models(size: int, count: int, share: float) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(size)
    y = (rng.random(size) < share).astype(np.int64)
    common = rng.normal(size=size) + y
    return y, {f"m{i}": common + 0.5 * rng.normal(size=size) for i in range(count)}


def one(size: int, count: int, share: float = 0.3, **options: Any) -> None:
    y, scores = models(size, count, share)
    alone = best(lambda: [rs.auc(y, s) for s in scores.values()])
    together = best(lambda: rs.compare(y, scores, **options))
    said = "".join(
        f", {name}={value if isinstance(value, str) else '...'}" for name, value in options.items()
    )
    print(
        f"{count:>2} models, {size:>9,} rows{said}: {together:.3f} s, "
        f"{together / alone:.1f} times rs.auc of each"
    )


if __name__ == "__main__":
    one(1_000, 2)
    one(8_000, 10)
    one(100_000, 2)
    one(100_000, 10)
    one(100_000, 10, adjust="max-t")
    one(100_000, 10, cluster=np.arange(100_000) // 3)
    one(100_000, 10, sample_weight=np.linspace(1.0, 2.0, 100_000))
    one(10_000, 3, test="bootstrap")
    one(10_000, 3, test="permutation")
    one(10_000, 3, test="venkatraman-curves")
    if "--quick" not in sys.argv:
        one(1_000_000, 10)
        one(1_000_000, 10, share=0.01)
