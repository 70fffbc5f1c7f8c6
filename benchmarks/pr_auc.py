"""Average precision with both intervals against scikit-learn's number alone, in one process.

python benchmarks/pr_auc.py [rows]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
from sklearn.metrics import average_precision_score

import rocsolid as rs


def seconds(call: Callable[[], object], times: int = 3) -> float:
    """The fastest of a few runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return min(found)


def main() -> None:
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
    draw = np.random.default_rng(0)
    print(f"{rows:,} rows; seconds, the fastest of three")
    for share in (0.01, 0.1, 0.5):
        y = draw.random(rows) < share
        s = draw.normal(size=rows) + y
        ours = seconds(lambda y=y, s=s: rs.pr_auc(y, s))
        theirs = seconds(lambda y=y, s=s: average_precision_score(y, s))
        alone = seconds(lambda y=y, s=s: rs.sklearn.average_precision_score(y, s))
        print(
            f"{share:4.0%} positive: rs.pr_auc with both intervals {ours:.2f}, scikit-learn "
            f"{theirs:.2f}, {theirs / ours:.1f} times; our drop-in {alone:.2f}, "
            f"{theirs / alone:.1f} times"
        )


if __name__ == "__main__":
    main()
