"""Scorers that left rows out: the formula, what is refused, and how often the interval misses."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.intervals.guarantees.hoeffding import kl_lower
from rocsolid.theory.guarantees import out_of_bag


def test_it_is_the_relative_entropy_at_the_smallest_class() -> None:
    found = out_of_bag([0.8, 0.9], [40, 70], [50, 30], delta=0.1)
    bound = np.asarray(math.log(2 * math.sqrt(50 - 10) / 0.1) / 30)
    assert found.low == pytest.approx(float(kl_lower(np.asarray(0.85), bound)))
    assert found.high == pytest.approx(1 - float(kl_lower(np.asarray(0.15), bound)))
    assert "drawn at random for each comparison" in str(found.assumptions)


@pytest.mark.parametrize(
    ("aucs", "pos", "neg", "said"),
    [
        ([0.5], [0], [4], "left out no row"),
        ([1.5], [3], [4], "needs its AUC"),
        ([], [], [], "needs its AUC"),
        ([0.5, 0.6], [3], [4], "needs its AUC"),
    ],
)
def test_what_is_wrong_is_said(
    aucs: list[float], pos: list[int], neg: list[int], said: str
) -> None:
    with pytest.raises(rs.InputError, match=said):
        out_of_bag(aucs, pos, neg)


def test_it_misses_no_more_often_than_it_may() -> None:
    """Ten scorers on overlapping bags of 30 + 30 rows: each takes the better of two features.

    The features are worth .5 and .6 by construction, so the mean AUC is known exactly. At δ = .2
    more than 95 misses in 300 would be seen once in a million runs of a method that fails at δ.
    """
    rng, misses, repeats = np.random.default_rng(4), 0, 300
    aucs = np.array([0.5, 0.6])
    for _ in range(repeats):
        pos, neg = rng.random((30, 2)) < [0.5, 0.6], rng.random((30, 2)) < [0.5, 0.4]
        values, sizes, true = [], [], []
        for _tree in range(10):
            bag_pos, bag_neg = (np.unique(rng.integers(0, 30, 30)) for _ in range(2))
            chosen = int(np.argmax(pos[bag_pos].mean(axis=0) - neg[bag_neg].mean(axis=0)))
            out_pos, out_neg = (
                np.delete(x[:, chosen], b) for x, b in ((pos, bag_pos), (neg, bag_neg))
            )
            values.append(0.5 + (out_pos.mean() - out_neg.mean()) / 2)
            sizes.append((len(out_pos), len(out_neg)))
            true.append(aucs[chosen])
        found = out_of_bag(values, *zip(*sizes, strict=True), delta=0.2)
        misses += not found.low <= np.mean(true) <= found.high
    assert misses <= 95
