"""P(label = 1) of every row, as an exact fraction, by forward and backward counting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import mul

from rocsolid.leaks.completions import Completions, Layer, SumWindows, cut
from rocsolid.leaks.constraint import Constraint


@dataclass(frozen=True, slots=True)
class ExactExposure:
    """Of ``total`` labelings, ``favourable[i]`` have free row i positive (by `Constraint.free`)."""

    total: int
    favourable: list[int]
    by_free_positives: dict[int, int]


def forward_backward(c: Constraint, worth: Mapping[int, int] | None = None) -> ExactExposure:
    """Count the labelings in which each free row is positive.

    With F_i(a, s) the number of ways to decide the rows before i with ``a`` positives of sum s, and
    W_i that of completing them (`Completions`), row i is positive in Σ_{a,s} F_i(a, s)·W_{i+1}(a+1,
    s+w_i) labelings. Derived here. Rows that are tied share
    their number. ``worth`` weighs labelings by their number of free positives.

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
    # a number of positives whose sums no tied rows can reach has no layer: no labeling fits
    nothing = (0, fmpz_poly())
    ways = {
        k: sum(map(int, before.get(k, nothing)[1].coeffs())) * (1 if worth is None else worth[k])
        for k in c.targets
    }
    return ExactExposure(table.total, favourable, ways)


def _passing(before: Layer, weight: int, after: Layer) -> int:
    """Labelings that pass from one layer to the next by a positive row of this weight."""
    count = 0
    for a, (low, poly) in before.items():
        if a + 1 in after:
            ways = poly.coeffs()
            ends = cut(*after[a + 1], low + weight, low + weight + len(ways) - 1).coeffs()
            count += int(sum(map(mul, ways, ends)))
    return count


def _extended(before: Layer, weight: int, i: int, windows: SumWindows) -> Layer:
    """The ways to decide one row more, cut to the sums that can be completed."""
    from flint import fmpz_poly

    nothing = (0, fmpz_poly())
    layer: Layer = {}
    for a, low, high in windows.at(i):
        start, poly = before.get(a - 1, nothing)
        poly = cut(start + weight, poly, low, high) + cut(*before.get(a, nothing), low, high)
        if poly:
            layer[a] = (low, poly)
    return layer
