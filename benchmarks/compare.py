"""``rs.compare`` against eight lines of DeLong, and against one ``rs.auc`` a model: processor time.

The eight lines give the difference with its z and p. ``rs.compare`` gives adjusted p-values and the
interval of each difference; certified ones, and the ranks of all models, when they are read.

    python benchmarks/compare.py            ten models at 10⁶ rows, and smaller ones
    python benchmarks/compare.py --quick    without the 10⁶ rows
"""

from __future__ import annotations

import sys
from itertools import combinations
from typing import Any

from processor import against, in_turn, ratios, seconds  # before NumPy

# isort: split
import numpy as np
from scipy.stats import norm, rankdata

import rocsolid as rs


def models(size: int, count: int, share: float) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(size)
    y = (rng.random(size) < share).astype(np.int64)
    common = rng.normal(size=size) + y
    return y, {f"m{i}": common + 0.5 * rng.normal(size=size) for i in range(count)}


def delong(y: np.ndarray, scores: np.ndarray) -> list[tuple[float, float, float]]:
    """Difference, z and p of each pair of rows of ``scores``, by midranks (Sun and Xu 2014)."""
    pos, neg = scores[:, y == 1], scores[:, y == 0]
    m, n = pos.shape[1], neg.shape[1]
    ranks = rankdata(np.concatenate([pos, neg], axis=1), axis=1)
    of_pos = (ranks[:, :m] - rankdata(pos, axis=1)) / n
    of_neg = 1.0 - (ranks[:, m:] - rankdata(neg, axis=1)) / m
    auc, cov = of_pos.mean(axis=1), np.cov(of_pos) / m + np.cov(of_neg) / n
    gaps = [(auc[a] - auc[b], cov[a, a] + cov[b, b] - 2.0 * cov[a, b])
            for a, b in combinations(range(len(auc)), 2)]  # fmt: skip
    return [(gap, gap / var**0.5, 2.0 * norm.sf(abs(gap) / var**0.5)) for gap, var in gaps]


def against_delong(size: int, count: int, repeats: int, calls: int = 1) -> None:
    y, scores = models(size, count, 0.3)
    stacked = np.stack(list(scores.values()))
    first = rs.compare(y, scores).pairs[0].difference
    assert abs(delong(y, stacked)[0][0] - first) < 1e-12
    t = in_turn(
        {
            "rocsolid": lambda: rs.compare(y, scores),
            "certified": lambda: [pair.certified for pair in rs.compare(y, scores).pairs],
            "DeLong": lambda: delong(y, stacked),
        },
        repeats,
        calls,
    )
    what = f"{count} models, {size:,} rows"
    against(what, {name: t[name] for name in ("rocsolid", "DeLong")})
    against(f"{what}, certified", {"rocsolid": t["certified"], "DeLong": t["DeLong"]})


def against_auc(size: int, count: int, share: float = 0.3, **options: Any) -> None:
    y, scores = models(size, count, share)
    t = in_turn(
        {
            "together": lambda: rs.compare(y, scores, **options),
            "alone": lambda: [rs.auc(y, s) for s in scores.values()],
        },
        2,
    )
    given = "".join(
        f", {name}={value if isinstance(value, str) else '...'}" for name, value in options.items()
    )
    print(
        f"{count} models, {size:,} rows, {share:.0%} positive{given}: {seconds(t['together'])}, "
        f"{ratios(t['together'], t['alone'])} times rs.auc of each",
        flush=True,
    )


if __name__ == "__main__":
    against_delong(1_000, 2, 7, 5)
    against_delong(10_000, 2, 7, 2)
    against_delong(100_000, 2, 5)
    against_delong(10_000, 10, 5)
    against_delong(10_000, 50, 3)
    against_auc(100_000, 10)
    against_auc(100_000, 10, adjust="max-t")
    against_auc(100_000, 10, cluster=np.arange(100_000) // 3)
    against_auc(100_000, 10, sample_weight=np.linspace(1.0, 2.0, 100_000))
    against_auc(10_000, 3, test="bootstrap")
    against_auc(10_000, 3, test="permutation")
    if "--quick" not in sys.argv:
        against_auc(1_000_000, 10)
        against_auc(1_000_000, 10, share=0.01)
