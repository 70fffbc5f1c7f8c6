"""What a page costs beside its numbers, and five measures beside one: processor time.

python benchmarks/pages.py            5·10⁶ rows × 4 scores × 5 segments, a minute, 2 GB
python benchmarks/pages.py --quick    10⁶ rows
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import processor  # noqa: F401  one thread of BLAS, before NumPy

# isort: split
import numpy as np

import rocsolid as rs

FIVE = ["auc", "partial_auc(fpr<=0.05)", "partial_auc(recall>=0.9)", "sensitivity(specificity=0.9)",
        "pr_auc"]  # fmt: skip


def clock(task: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = task()
    return time.process_time() - start, found


def table(rows: int) -> dict[str, Any]:
    rng = np.random.default_rng(1)
    y = rng.random(rows) < 0.3
    scores = {name: y * (0.3 + 0.2 * i) + rng.normal(size=rows) for i, name in enumerate("abcd")}
    return {"y": y, **scores, "segment": rng.integers(0, 5, rows)}


def main(rows: int) -> None:
    data = table(rows)
    numbers, found = clock(lambda: rs.evaluate(data, label="y", scores=list("abcd"), by="segment"))
    page, text = clock(found.to_html)
    print(f"{rows:,} rows, 4 scores, 5 segments: the numbers {numbers:.1f} s, the page of them "
          f"{page:.1f} s more ({len(text):,} characters)")  # fmt: skip
    some = {name: column[: 10**6] for name, column in data.items()}
    each = [
        clock(lambda m=m: rs.evaluate(some, label="y", scores="a", measures=m))[0] for m in FIVE
    ]
    together, _ = clock(lambda: rs.evaluate(some, label="y", scores="a", measures=FIVE))
    print(f"{len(some['y']):,} rows, five measures of a score: together {together:.2f} s, one by "
          f"one {sum(each):.2f} s, the first alone {each[0]:.2f} s")  # fmt: skip


if __name__ == "__main__":
    main(10**6 if "--quick" in sys.argv else 5 * 10**6)
