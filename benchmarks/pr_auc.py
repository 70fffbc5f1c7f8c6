"""Average precision with both intervals against scikit-learn's number alone: processor time.

python benchmarks/pr_auc.py            10³ to 10⁷ rows, about two minutes
python benchmarks/pr_auc.py --quick    to 10⁶ rows
"""

from __future__ import annotations

import sys

from processor import against, in_turn, ratios, span  # before NumPy

# isort: split
import numpy as np
from sklearn.metrics import average_precision_score

import rocsolid as rs


def one(rows: int, share: float, repeats: int, calls: int = 1) -> None:
    draw = np.random.default_rng(0)
    y = draw.random(rows) < share
    s = draw.normal(size=rows) + y
    t = in_turn(
        {
            "rocsolid": lambda: rs.pr_auc(y, s),
            "scikit-learn": lambda: average_precision_score(y, s),
            "drop-in": lambda: rs.sklearn.average_precision_score(y, s),
        },
        repeats,
        calls,
    )
    what = f"{rows:,} rows, {share:.0%} positive"
    against(what, {name: t[name] for name in ("rocsolid", "scikit-learn")})
    print(f"    our drop-in: {ratios(t['scikit-learn'], t['drop-in'])} times")


def two(rows: int) -> None:
    draw = np.random.default_rng(0)
    y = draw.random(rows) < 0.5
    scores = {name: draw.normal(size=rows) + y for name in "ab"}
    t = in_turn({"compare": lambda: rs.compare(y, scores, measure="pr_auc")}, 3)
    print(f"two scores compared, {rows:,} rows: {span(t['compare'])} s")


def main() -> None:
    one(1_000, 0.5, 9, 20)
    one(100_000, 0.5, 9)
    for share in (0.01, 0.1, 0.5):
        one(10**6, share, 5)
    if "--quick" not in sys.argv:
        for share in (0.01, 0.5):
            one(10**7, share, 3)
        two(10**7)


if __name__ == "__main__":
    main()
