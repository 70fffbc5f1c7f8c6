"""Sums of trees: shapes and sign patterns by enumeration, spreads by brute force."""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.theory.guarantees import tree_spread, tree_sums
from rocsolid.theory.guarantees.shatter import log_regions
from rocsolid.theory.guarantees.trees import dictionary_size, log_shapes

Split = tuple[int, float]


@functools.cache
def catalan(splits: int) -> int:
    if splits == 0:
        return 1
    return sum(catalan(left) * catalan(splits - 1 - left) for left in range(splits))


def test_shapes_are_counted_by_dividing_the_splits() -> None:
    for trees, splits in itertools.product((1, 2, 3), range(5)):
        expected = sum(
            math.prod(map(catalan, parts))
            for parts in itertools.product(range(splits + 1), repeat=trees)
            if sum(parts) == splits
        )
        assert math.exp(log_shapes(splits, trees)) == pytest.approx(expected)


def partitions(rows: np.ndarray, splits: int) -> set[tuple[int, ...]]:
    """Each way in which a tree of so many splits puts rows into leaves: a leaf's number a row."""
    thresholds = [
        (feature, theta)
        for feature in range(rows.shape[1])
        for theta in (-math.inf, *np.unique(rows[:, feature]))
    ]
    found = set()

    def grow(leaf: np.ndarray, left: int, leaves: int) -> None:
        if left == 0:
            found.add(tuple(leaf.tolist()))
            return
        for number in range(leaves):
            for feature, theta in thresholds:
                moved = (leaf == number) & (rows[:, feature] > theta)
                grow(np.where(moved, leaves, leaf), left - 1, leaves + 1)

    grow(np.zeros(len(rows), dtype=int), splits, 1)
    return found


@pytest.mark.parametrize(("features", "splits", "pairs"), [(1, 1, 4), (1, 2, 3), (2, 2, 2)])
def test_no_more_sign_patterns_than_counted(features: int, splits: int, pairs: int) -> None:
    rng = np.random.default_rng(0)
    pos, neg = rng.normal(size=(2, pairs, features))
    patterns = set()
    values = np.array(list(itertools.permutations(range(splits + 1))), dtype=float)
    values = np.concatenate([values, rng.normal(size=(40, splits + 1))])
    for leaf in partitions(np.concatenate([pos, neg]), splits):
        score = values[:, list(leaf)]
        signs = np.sign(score[:, :pairs] - score[:, pairs:])
        patterns |= set(map(tuple, signs.tolist()))
    counted = tree_sums(features, splits).log_sign_patterns(pairs)
    assert 1 < len(patterns) <= math.exp(counted) * (1 + 1e-9)


def test_the_count_is_shapes_times_choices_times_regions() -> None:
    found = tree_sums(5, 7, 3).log_sign_patterns(1000)
    expected = log_shapes(7, 3) + 7 * math.log(2 * 5 * 2001) + log_regions(1000, 7)
    assert found == pytest.approx(expected)
    assert dictionary_size(5, 2000) == 2 * 5 * 2001
    assert tree_sums(5, 7).symmetric
    rank = tree_sums(1, 2, 1).log_rank_shatter(3, 4)
    assert rank == pytest.approx(
        math.log(2) + 2 * math.log(2 * 8) + math.log(2 * (1 + 11))
    )  # 12 pairs in 2 dimensions


def test_the_spread_bounds_the_complexity_of_every_small_tree() -> None:
    """E max Σ ε·(h(x) − h(x')) over all trees with leaves in {0, 1}, by enumeration."""
    rng = np.random.default_rng(1)
    pairs, splits = 3, 2
    rows = rng.normal(size=(2 * pairs, 1))
    leaves = np.array(list(itertools.product((0.0, 1.0), repeat=splits + 1)))
    scores = np.concatenate([leaves[:, list(leaf)] for leaf in partitions(rows, splits)])
    differences = np.unique(scores[:, :pairs] - scores[:, pairs:], axis=0)
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=pairs)))
    complexity = float((signs @ differences.T).max(axis=1).mean()) / pairs
    assert 0.3 < complexity <= tree_spread(1, splits, 2 * pairs) / math.sqrt(pairs)


def test_the_spread_grows_with_the_splits_and_not_with_the_trees() -> None:
    log_trees = log_shapes(7, 1) + 7 * math.log(dictionary_size(5, 2000)) + 8 * math.log(2)
    assert tree_spread(5, 7, 2000) == pytest.approx(math.sqrt(2 * (math.log(2) + log_trees)))
    with pytest.raises(rs.InputError, match="splits"):
        tree_sums(5, 0)
