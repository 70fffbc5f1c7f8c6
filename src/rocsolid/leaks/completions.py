"""The numbers of completions of partial labelings, for sampling and numbering labelings."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError, RocsolidError
from rocsolid.inputs.binary import positives
from rocsolid.leaks.constraint import Constraint, constraint, no_labeling
from rocsolid.summaries.stream import stream

T = TypeVar("T")

CELLS_LIMIT = 100_000_000
MEBIBYTES_LIMIT = 1_024

# maps the number of positives so far to (smallest sum, polynomial over the sums from there on)
Layer = dict[int, tuple[int, Any]]


class Completions:
    """Exact numbers of completions of every partial labeling that can be completed.

    W_i(a, s) counts the labelings of rows i, i+1, … if earlier rows contain ``a`` positives with
    sum ``s``: W_i(a, s) = W_{i+1}(a, s) + W_{i+1}(a+1, s + w_i), with W_m the indicator of the
    targets (derived here). Rows are in order of falling score. Each W_i(a, ·) is one polynomial.
    Memory contains every √m-th layer; the other layers are recomputed. ``worth`` weights labelings
    by their number of free positives.
    """

    def __init__(self, c: Constraint, worth: Mapping[int, int] | None = None) -> None:
        self._weights: list[int] = c.weights.tolist()
        self.windows = SumWindows(c)
        m = len(c.weights)
        _refuse_if_too_big(self.windows, m, block_length(m))
        first, self._layers = layers_from_the_end(m, _last(c, worth), self._before)
        self.total = lookup(first, 0, 0)

    def layers(self) -> Iterator[Layer]:
        """Yield the layers W_1, …, W_m in one pass."""
        return self._layers

    def _before(self, i: int, after: Layer) -> Layer:
        from flint import fmpz_poly

        weight = self._weights[i]
        nothing = (0, fmpz_poly())
        layer: Layer = {}
        for a, low, high in self.windows.at(i):
            negative = cut(*after.get(a, nothing), low, high)
            start, poly = after.get(a + 1, nothing)
            poly = negative + cut(start - weight, poly, low, high)
            if poly:
                layer[a] = (low, poly)
        return layer


def block_length(count: int) -> int:
    return max(1, math.isqrt(count))


def layers_from_the_end(
    count: int, last: T, before: Callable[[int, T], T], *, keep_all: bool = False
) -> tuple[T, Iterator[T]]:
    """Return layer 0, and the layers 1, …, ``count``, where ``before`` computes layer i from i + 1.

    Memory contains every √count-th layer and one block of layers, so other layers are computed
    twice, unless ``keep_all`` stores every layer.
    """
    block = 1 if keep_all else block_length(count)
    layer, kept = last, {count: last}
    for i in range(count - 1, -1, -1):
        layer = before(i, layer)
        if i % block == 0:
            kept[i] = layer

    def layers() -> Iterator[T]:
        for start in range(0, count, block):
            end = min(start + block, count)
            run = [kept[end]]
            for i in range(end - 1, start, -1):
                run.append(before(i, run[-1]))
            yield from reversed(run)

    return layer, layers()


def lookup(layer: Layer, a: int, s: int) -> int:
    completions = layer.get(a)
    return (
        int(completions[1][s - completions[0]])
        if completions is not None and s >= completions[0]
        else 0
    )


def _last(c: Constraint, worth: Mapping[int, int] | None) -> Layer:
    from flint import fmpz_poly

    return {
        k: (sums[0], fmpz_poly([1 if worth is None else worth[k]] * len(sums)))
        for k, sums in c.targets.items()
    }


def cut(start: int, poly: Any, low: int, high: int) -> Any:
    poly = poly.left_shift(start - low) if start >= low else poly.right_shift(low - start)
    return poly.truncate(high - low + 1)


class SumWindows:
    """The range of sums that rows before ``i`` can have and later rows can complete."""

    def __init__(self, c: Constraint) -> None:
        self._cum = np.concatenate([[0], np.cumsum(c.weights)])
        self._m = len(c.weights)
        self._k = np.array(sorted(c.targets), dtype=np.int64)
        self._low = np.array([c.targets[k][0] for k in sorted(c.targets)], dtype=np.int64)
        self._high = np.array([c.targets[k][-1] for k in sorted(c.targets)], dtype=np.int64)

    def at(self, i: int) -> list[tuple[int, int, int]]:
        """Return the possible (positives so far, smallest sum, largest sum)."""
        a, low, high = self._arrays(i)
        return list(zip(a.tolist(), low.tolist(), high.tolist(), strict=True))

    def cells(self) -> NDArray[np.float64]:
        layers = np.unique(np.linspace(0, self._m, min(self._m, 32) + 1).astype(int))
        sizes = []
        for i in layers:
            _, low, high = self._arrays(int(i))
            sizes.append(int((high - low + 1).sum()))
        return np.interp(np.arange(self._m + 1), layers, sizes)

    def _arrays(self, i: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        cum, m = self._cum, self._m
        most = min(i, int(self._k[-1])) if len(self._k) else -1
        a = np.arange(most + 1)
        rest = self._k - a[:, None]  # positives still to place, for each target
        possible = (rest >= 0) & (rest <= m - i)
        rest = np.where(possible, rest, 0)
        largest_after = cum[i + rest] - cum[i]
        smallest_after = cum[m] - cum[m - rest]
        least, most_sum = np.iinfo(np.int64).min, np.iinfo(np.int64).max
        low = np.where(possible, self._low - largest_after, most_sum).min(axis=1, initial=most_sum)
        high = np.where(possible, self._high - smallest_after, least).max(axis=1, initial=least)
        low = np.maximum(low, cum[i] - cum[i - a])
        high = np.minimum(high, cum[a])
        some = low <= high
        return a[some], low[some], high[some]


def _refuse_if_too_big(windows: SumWindows, m: int, block: int) -> None:
    cells = windows.cells()
    total = float(cells.sum())
    kept = float(cells[::block].sum() + block * cells.max())
    mebibytes = kept * (8 + (0 if m <= 62 else 16 + m // 8)) / 2**20
    if total > CELLS_LIMIT or mebibytes > MEBIBYTES_LIMIT:
        raise RocsolidError(
            "the exact table of completions would be too big",
            where=f"{m:,} rows of unknown label, {total:.1e} cells, {mebibytes:,.0f} MiB",
            fix=f"at most {CELLS_LIMIT:.0e} cells and {MEBIBYTES_LIMIT:,} MiB: give n_pos, the "
            "exact AUC or more known labels; count and exposure have routes for large samples",
        )


def rank(
    labels: Any,
    auc: Fraction | str | float | Decimal,
    scores: Any,
    *,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
) -> int:
    """Return the index of a labeling among all that fit, from 0, in the order of `labelings`.

    The arguments are those of `count`. A table of completions that is too large raises an error.

    >>> rank([0, 1, 1, 0], "1/2", [0.2, 0.5, 0.9, 0.1])
    Traceback (most recent call last):
    rocsolid.errors.InputError: this labeling does not fit what was released...
    >>> rank([0, 1, 1, 0], 1, [0.2, 0.5, 0.9, 0.1], n_pos=2)
    0
    """
    c = constraint(auc, scores, n_pos, decimals, known)
    given = positives(labels, name="labels")
    if len(given) != c.n:
        raise InputError(
            f"there are {c.n} scores and {len(given)} labels", where="labels", value=len(given)
        )
    chosen = given[c.free]
    total, k = int(c.weights[chosen].sum()), int(chosen.sum())
    if total not in c.targets.get(k, range(0)) or not (c.labeling(chosen) == given).all():
        raise InputError(
            "this labeling does not fit what was released", where="labels", value=given.astype(int)
        )
    before = a = s = 0
    weights: list[int] = c.weights.tolist()
    for is_positive, weight, layer in zip(chosen, weights, Completions(c).layers(), strict=True):
        if is_positive:
            a, s = a + 1, s + weight
        else:
            before += lookup(layer, a + 1, s + weight)
    return before


def unrank(
    index: int,
    auc: Fraction | str | float | Decimal,
    scores: Any,
    *,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
) -> NDArray[np.bool_]:
    """Return the labeling at an index, from 0, in the order of `labelings`: the inverse of `rank`.

    >>> unrank(0, "3/4", [0.2, 0.5, 0.9, 0.1]).astype(int)
    array([1, 0, 1, 0])
    """
    c = constraint(auc, scores, n_pos, decimals, known)
    table = Completions(c)
    if table.total == 0:
        raise no_labeling(auc)
    if not 0 <= index < table.total:
        raise InputError(
            f"labelings are numbered from 0 to {table.total - 1}", where="index", value=index
        )
    (labels,) = labelings_at(c, table, [index])
    return np.asarray(labels)


def labelings_at(c: Constraint, table: Completions, indices: Sequence[int]) -> NDArray[np.bool_]:
    """Return the labelings at several indices, one per row, in one pass through the table."""
    chosen = np.zeros((len(indices), len(c.free)), dtype=bool)
    states = [(int(index), 0, 0) for index in indices]
    weights: list[int] = c.weights.tolist()
    for i, (weight, layer) in enumerate(zip(weights, table.layers(), strict=True)):
        for j, (left, a, s) in enumerate(states):
            first = lookup(layer, a + 1, s + weight)
            if left < first:
                chosen[j, i] = True
                states[j] = (left, a + 1, s + weight)
            else:
                states[j] = (left - first, a, s)
    labels = np.tile(c.labels, (len(indices), 1))
    labels[:, c.free] = chosen
    return labels


def sample(
    auc: Fraction | str | float | Decimal,
    scores: Any,
    *,
    size: int,
    seed: int = 0,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
) -> NDArray[np.bool_]:
    """Sample ``size`` labelings, one per row, independently and uniformly from the labelings that
    fit.

    The comparisons use exact integers, so the generator is the only approximation. A table of
    completions that is too large raises an error.

    >>> sample("3/4", [0.2, 0.5, 0.9, 0.1], size=2).astype(int)
    array([[1, 0, 1, 0],
           [1, 0, 1, 0]])
    """
    if size != int(size) or size < 0:
        raise InputError("size is a whole number of at least 0", where="size", value=size)
    c = constraint(auc, scores, n_pos, decimals, known)
    table = Completions(c)
    if table.total == 0:
        raise no_labeling(auc)
    rng = stream(seed)
    return labelings_at(c, table, [_below(table.total, rng) for _ in range(int(size))])


def _below(limit: int, rng: np.random.Generator) -> int:
    bits = (limit - 1).bit_length()
    while True:
        drawn = int.from_bytes(rng.bytes((bits + 7) // 8), "little") >> (-bits % 8)
        if drawn < limit:
            return drawn
