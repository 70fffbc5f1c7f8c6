"""Seeded, counter-based random streams, and disagreement of scores over pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.dataclass import dataclass


def stream(seed: int, *key: int) -> np.random.Generator:
    """A generator whose numbers depend only on the seed and the path of integers.

    >>> stream(0, 1).integers(100) == stream(0, 1).integers(100)
    np.True_
    >>> stream(0, 1).integers(1 << 60) == stream(0, 2).integers(1 << 60)
    np.False_
    """
    whole(seed, "seed", 0)
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(int(seed), spawn_key=key)))


ALL_PAIRS = 20_000_000  # up to this many pairs of a positive and a negative, all are used
SOME_PAIRS = 4_000_000  # the approximate number of pairs drawn otherwise
_CHUNK = 1 << 16  # pairs in a block, which fit in the cache

_Sides = tuple[list[NDArray[Any]], list[NDArray[Any]]]


@dataclass(frozen=True, slots=True, eq=False)
class Disagreement:
    """The mean of |φ_a − φ_b| over pairs of a positive and a negative, for each two scores.

    The mean is over all pairs, or over random matchings that are independent of the scores;
    ``drawn`` then states their number and the seed.
    """

    mean: NDArray[np.float64]
    drawn: str = ""


def disagreement(
    positive: NDArray[np.bool_], scores: Sequence[NDArray[Any]], seed: int = 0
) -> Disagreement:
    """The disagreement of all scores in one pass over the pairs.

    Since min(φ_a, φ_b) = ½([φ_a ≥ ½][φ_b ≥ ½] + [φ_a = 1][φ_b = 1]), its sum counts the common bits
    of two rows of bits, and |φ_a − φ_b| = φ_a + φ_b − 2 min(φ_a, φ_b).

    >>> y = np.array([True, True, False, False])
    >>> disagreement(y, [np.array([3, 1, 2, 0]), np.array([3, 2, 2, 0])]).mean
    array([[0.   , 0.125],
           [0.125, 0.   ]])
    """
    pos, neg = ([np.compress(side, s) for s in scores] for side in (positive, ~positive))
    m, n = len(pos[0]), len(neg[0])
    all_pairs = m * n <= ALL_PAIRS
    doubled = np.zeros((len(scores), len(scores)), dtype=np.int64)  # the sums of 2 min(φ_a, φ_b)
    pairs = 0
    for above, below in _tiles(pos, neg) if all_pairs else _matchings(pos, neg, seed):
        sides = list(zip(above, below, strict=True))
        at_least = np.stack([np.greater_equal(x, y).ravel() for x, y in sides])
        beaten = np.stack([np.greater(x, y).ravel() for x, y in sides])
        pairs += at_least.shape[1]
        doubled += _shared(at_least) + _shared(beaten)
    own = np.diag(doubled)
    mean = (own[:, None] + own - 2 * doubled) / (2 * pairs)
    return Disagreement(
        mean, "" if all_pairs else f"a sample of {pairs:,} pairs of rows, seed {seed}"
    )


def _shared(bits: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The number of columns that are true in two rows at once, for every two rows."""
    width = -(-bits.shape[1] // 64) * 8
    packed = np.zeros((len(bits), width), dtype=np.uint8)
    row = np.packbits(bits, axis=1)
    packed[:, : row.shape[1]] = row
    words = packed.view(np.uint64)
    return np.array([np.bitwise_count(words & row).sum(axis=1, dtype=np.int64) for row in words])


def _tiles(pos: list[NDArray[Any]], neg: list[NDArray[Any]]) -> Iterator[_Sides]:
    """Yield every positive against every negative, a rectangle at a time."""
    m, n = len(pos[0]), len(neg[0])
    width = min(n, _CHUNK)
    height = max(_CHUNK // width, 1)
    for top in range(0, m, height):
        rows = [x[top : top + height, None] for x in pos]
        for left in range(0, n, width):
            yield rows, [y[None, left : left + width] for y in neg]


def _matchings(pos: list[NDArray[Any]], neg: list[NDArray[Any]], seed: int) -> Iterator[_Sides]:
    """Yield a random order of the larger class, shifted against the smaller class."""
    m, n = len(pos[0]), len(neg[0])
    small, large = min(m, n), max(m, n)
    order = stream(seed).permutation(large)
    for shift in range(max(SOME_PAIRS // small, 1)):
        for start in range(0, small, _CHUNK):
            of_small = np.arange(start, min(start + _CHUNK, small))
            of_large = order[(of_small + shift * (small + 1)) % large]
            i, j = (of_small, of_large) if m <= n else (of_large, of_small)
            yield [x[i] for x in pos], [y[j] for y in neg]
