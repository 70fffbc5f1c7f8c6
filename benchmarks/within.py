"""``rs.auc(within=)`` against a plain loop over groups with scikit-learn: processor time, in turn.

Both give the AUC among rows of the same group, each group with as much weight as it has pairs.
rocsolid also gives the AUCs between groups and of all rows, and an interval of each.

    python benchmarks/within.py            half a minute
"""

from __future__ import annotations

from processor import against, in_turn  # before NumPy

# isort: split
import numpy as np
from sklearn.metrics import roc_auc_score

import rocsolid as rs


def rows(groups: int, each: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Groups differ in how many positives they have, and the score knows of it."""
    rng = np.random.default_rng(groups)
    group = np.repeat(np.arange(groups), each)
    y = (rng.random(group.size) < rng.beta(2, 3, groups)[group]).astype(np.int64)
    order = rng.permutation(group.size)
    return y[order], (rng.normal(size=group.size) + y)[order], group[order]


def loop(y: np.ndarray, s: np.ndarray, group: np.ndarray) -> float:
    """One sort by group, then scikit-learn a group, but for groups of one class."""
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order])) + 1
    parts = zip(np.split(y[order], starts), np.split(s[order], starts), strict=True)
    wins = pairs = 0.0
    for labels, scores in parts:
        positives = int(labels.sum())
        count = positives * (labels.size - positives)
        if count:
            wins += count * roc_auc_score(labels, scores)
            pairs += count
    return wins / pairs


def within(groups: int, each: int, repeats: int = 3) -> None:
    y, s, group = rows(groups, each)
    ours = rs.auc(y, s, within=group).parts[1].value
    assert abs(ours - loop(y, s, group)) < 1e-12
    times = in_turn(
        {
            "rocsolid": lambda: rs.auc(y, s, within=group),
            "a loop of scikit-learn": lambda: loop(y, s, group),
        },
        repeats,
    )
    against(f"within {groups:,} groups of {each:,}", times)


if __name__ == "__main__":
    within(10, 100)
    within(10, 10_000)
    within(1_000, 100)
    within(5_000, 20)
