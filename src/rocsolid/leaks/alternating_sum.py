"""P(label = 1) of every row by an alternating sum of counts, for ranks without gaps and ties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import mul

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.leaks.completions import Completions, Layer, SumWindows, cut
from rocsolid.leaks.constraint import Constraint


def exact_exposure(c: Constraint, worth: Mapping[int, int] | None = None) -> ExactExposure:
    """Count the labelings in which each free row is positive, by the faster method.

    >>> from rocsolid.leaks.constraint import constraint
    >>> exact_exposure(constraint("3/4", [0.1, 0.2, 0.5, 0.9]))
    ExactExposure(total=1, favourable=[1, 0, 1, 0], by_free_positives={2: 1})
    """
    return alternating_sum(c, worth) if c.consecutive else forward_backward(c, worth)


def exact_steps(c: Constraint) -> int:
    """Estimate the additions of long integers in `exact_exposure`; a few million take a second."""
    if not c.targets:
        return 0
    if not c.consecutive:
        return 5 * int(SumWindows(c).cells().sum())
    m, most = len(c.weights), max(c.targets)
    largest = max(sums[-1] for sums in c.targets.values())
    # Σ_{a ≤ most} of largest − a(a−1)/2
    series = (most + 1) * largest - (most + 1) * most * (most - 1) // 6
    return 3 * series + m * sum(c.targets)


def alternating_sum(c: Constraint, worth: Mapping[int, int] | None = None) -> ExactExposure:
    """Count the labelings in which each free row is positive; weights must be m−1, …, 1, 0.

    Row i is positive in Σ_{t≥1} (−1)^{t−1}·G[k−t, S−t·w_i] of the labelings with k free positives
    and sum S, where G[a, ·] counts the a-subsets of all free rows by their sum. Derived here;
    integers make the cancellation exact. ``worth`` weights labelings by their number of free
    positives.

    >>> from rocsolid.leaks.constraint import constraint
    >>> alternating_sum(constraint("1/2", [1, 2, 3, 4], n_pos=2))
    ExactExposure(total=2, favourable=[1, 1, 1, 1], by_free_positives={2: 2})
    """
    m = len(c.weights)
    favourable = np.zeros(m, dtype=object)
    ways = {}
    largest = max((sums[-1] for sums in c.targets.values()), default=-1)
    for a, up_to in enumerate(_subset_counts(m, max(c.targets, default=-1), largest)):
        for k, sums in c.targets.items():
            times = 1 if worth is None else worth[k]
            if k == a:
                ways[k] = times * int(up_to[sums[-1] + 1] - up_to[sums[0]])
            elif k > a:
                below_high = np.maximum(sums[-1] + 1 - (k - a) * c.weights, 0)
                below_low = np.maximum(sums[0] - (k - a) * c.weights, 0)
                sign = times if (k - a) % 2 else -times
                favourable += sign * (up_to[below_high] - up_to[below_low])
    return ExactExposure(sum(ways.values()), [int(count) for count in favourable], ways)


def _subset_counts(m: int, most: int, largest: int) -> Iterator[NDArray[np.object_]]:
    """Yield, for a = 0, …, most, the numbers of a-subsets of {0, …, m−1} with sums below 0, 1, ….

    [m choose a] = [m choose a−1]·(1 − x^{m−a+1})/(1 − x^a), as power series.
    """
    series = np.zeros(largest + 1, dtype=object)
    series[:1] = 1
    for a in range(most + 1):
        if a:
            head = m - a + 1
            series[head:] = series[head:] - series[: max(0, len(series) - head)]
            rows = -(-len(series) // a)
            series = np.cumsum(np.resize(series, (rows, a)), axis=0).ravel()[: len(series)]
        smallest = a * (a - 1) // 2
        up_to = np.zeros(largest + 2, dtype=object)
        if smallest <= largest:
            series = series[: largest + 1 - smallest]
            up_to[smallest + 1 :] = np.cumsum(series)
        yield up_to


@dataclass(frozen=True, slots=True)
class ExactExposure:
    """The number of labelings, and the number in which each free row is positive."""

    total: int
    favourable: list[int]
    by_free_positives: dict[int, int]


def forward_backward(c: Constraint, worth: Mapping[int, int] | None = None) -> ExactExposure:
    """Count the labelings in which each free row is positive, for any ranks.

    F_i(a, s) counts the labelings of the rows before i with ``a`` positives and sum s, and W_i
    their completions (`Completions`). Row i is positive in Σ_{a,s} F_i(a, s)·W_{i+1}(a+1, s+w_i)
    labelings. Derived here.

    >>> from rocsolid.leaks.constraint import constraint
    >>> forward_backward(constraint("1/2", [1, 2, 3, 4], n_pos=2))
    ExactExposure(total=2, favourable=[1, 1, 1, 1], by_free_positives={2: 2})
    """
    from flint import fmpz_poly

    table = Completions(c, worth)
    before: Layer = {0: (0, fmpz_poly([1]))}
    favourable: list[int] = []
    weights: list[int] = c.weights.tolist()
    for i, after in enumerate(table.layers()):
        if i and weights[i] == weights[i - 1]:
            favourable.append(favourable[-1])
        else:
            favourable.append(_passing(before, weights[i], after))
        before = _extended(before, weights[i], i + 1, table.windows)
    # a number of positives without a layer has sums that tied rows cannot reach: no labeling fits
    nothing = (0, fmpz_poly())
    ways = {
        k: sum(map(int, before.get(k, nothing)[1].coeffs())) * (1 if worth is None else worth[k])
        for k in c.targets
    }
    return ExactExposure(table.total, favourable, ways)


def _passing(before: Layer, weight: int, after: Layer) -> int:
    count = 0
    for a, (low, poly) in before.items():
        if a + 1 in after:
            ways = poly.coeffs()
            ends = cut(*after[a + 1], low + weight, low + weight + len(ways) - 1).coeffs()
            count += int(sum(map(mul, ways, ends)))
    return count


def _extended(before: Layer, weight: int, i: int, windows: SumWindows) -> Layer:
    """Add one row to the counts, for sums that later rows can complete."""
    from flint import fmpz_poly

    nothing = (0, fmpz_poly())
    layer: Layer = {}
    for a, low, high in windows.at(i):
        start, poly = before.get(a - 1, nothing)
        poly = cut(start + weight, poly, low, high) + cut(*before.get(a, nothing), low, high)
        if poly:
            layer[a] = (low, poly)
    return layer
