"""How much faster are the drop-in functions than scikit-learn's own?

Both run in this process, in turn, on the same data; printed is the range of the ratios of processor
times.

    python benchmarks/sklearn_dropins.py [rows ...]
"""

from __future__ import annotations

import sys
from typing import Any

from processor import against, in_turn, span  # before NumPy

# isort: split
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


def main() -> None:
    sizes = [int(float(size)) for size in sys.argv[1:]] or [10**5, 10**6]
    print(f"scikit-learn {sklearn.__version__}, NumPy {np.__version__}")
    for name in NAMES:
        all_of_name: list[float] = []
        for rows in sizes:
            for label, (y, s, options) in cases(rows).items():
                ours, theirs = getattr(rocsolid.sklearn, name), getattr(sklearn.metrics, name)
                t = in_turn(
                    {
                        "rocsolid": lambda y=y, s=s, o=options, f=ours: f(y, s, **o),
                        "scikit-learn": lambda y=y, s=s, o=options, f=theirs: f(y, s, **o),
                    },
                    3,
                )
                against(f"{name}, {rows:,} rows, {label}", t)
                pairs = zip(t["scikit-learn"], t["rocsolid"], strict=True)
                all_of_name += [theirs / mine for theirs, mine in pairs]
        print(f"{name}, all of these: {span(all_of_name)} times", flush=True)


if __name__ == "__main__":
    main()
