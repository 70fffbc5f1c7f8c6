"""The number of rankings that sums of decision trees can produce."""

from __future__ import annotations

import math

from rocsolid.arguments import whole
from rocsolid.theory.guarantees.shatter import Linear, UserClass


def dictionary_size(features: int, rows: int) -> int:
    """Return the largest number of tests x_f > θ that differ on these rows.

    Each feature has rows + 1 positions of the threshold, and a missing value goes to either side.

    >>> dictionary_size(2, 10)
    44
    """
    return 2 * whole(features, "features") * (whole(rows, "rows") + 1)


def log_shapes(splits: int, trees: int) -> float:
    """Return ln of T/(2S+T)·C(2S+T, S), the ways to divide S splits among T ordered trees.

    >>> [round(math.exp(log_shapes(s, 1))) for s in (1, 2, 3, 4)], round(math.exp(log_shapes(2, 2)))
    ([1, 2, 5, 14], 5)
    """
    s, t = whole(splits, "splits", least=0), whole(trees, "trees")
    nodes = 2 * s + t
    ways = math.lgamma(nodes + 1) - math.lgamma(s + 1) - math.lgamma(s + t + 1)
    return math.log(t) - math.log(nodes) + ways


def tree_sums(features: int, splits: int, trees: int = 1) -> UserClass:
    """Return the class of sums of T trees with S splits in all and arbitrary leaf values.

    On N rows there are `log_shapes` shapes and, for each split, 2d(N+1) tests (`dictionary_size`).
    With fixed leaves, the score is linear in the leaf values, and the differences of two rows lie
    in S dimensions. Therefore, by Cover (1965),

        Π(k) ≤ shapes · (2d(2k+1))^S · 2Σ_{l<S} C(k−1, l).

    >>> round(tree_sums(5, 7).log_sign_patterns(1000), 1)
    110.9
    """
    linear = Linear(whole(splits, "splits"))

    def partitions(rows: int) -> float:
        return log_shapes(splits, trees) + splits * math.log(dictionary_size(features, rows))

    return UserClass(
        rank_shatter=lambda m, n: partitions(m + n) + linear.log_rank_shatter(m, n),
        sign_patterns=lambda pairs: partitions(2 * pairs) + linear.log_sign_patterns(pairs),
        symmetric=True,
    )


def tree_spread(features: int, splits: int, rows: int) -> float:
    """Return √(2 ln(2K)), for Σ a_t·h_t with Σ|a_t| ≤ 1 of trees with at most S splits.

    Leaves have values in [0, 1]. A tree is a mean of trees with 0 and 1 at their leaves, of which K
    differ on the rows: Catalan's number of shapes, times 2d(N+1) per split and 2 per leaf. As in
    `vote_spread`, the number of trees does not matter. ``rows`` is 2k, the rows of k pairs.

    >>> round(tree_spread(5, 1, 2000), 2), round(tree_spread(5, 7, 2000), 2)
    (4.9, 12.78)
    """
    log_trees = log_shapes(splits, 1) + splits * math.log(dictionary_size(features, rows))
    return math.sqrt(2.0 * (log_trees + (splits + 2) * math.log(2.0)))
