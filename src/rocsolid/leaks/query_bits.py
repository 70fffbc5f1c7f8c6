"""How many bits one released AUC of a random ranking gives about the labels."""

from __future__ import annotations

import functools
import math

import numpy as np
from numpy.typing import NDArray

# Above this many sine evaluations the normal limit is used; it is then good to about 1e-6 bits
# unless one class is tiny.
_EXACT_WORK = 20_000_000


def query_bits(n: int, n_pos: int, decimals: int | None) -> tuple[float, bool]:
    """The expected information of one untied random ranking, and whether it is exact.

    The ranking is drawn without looking at the labels, the class sizes are known and every
    labeling is equally likely before; then the information is the entropy of the released value.
    ``decimals=None`` is a release of the exact AUC. Exact here means: up to the rounding of
    float64, below 1e-9 bits. For large sizes the counts come from the normal limit instead.

    The counts are the coefficients of a Gaussian binomial (Whitehill 2019's v).

    >>> round(query_bits(100, 50, None)[0], 2), round(query_bits(100, 50, 3)[0], 2)
    (9.23, 7.88)
    """
    n_neg = n - n_pos
    pairs = n_pos * n_neg
    if pairs * min(n_pos, n_neg) > _EXACT_WORK:
        return _normal_bits(n, n_pos, decimals), False
    share = rank_sum_shares(n, n_pos)
    if loses_by_rounding(pairs, decimals):
        assert decimals is not None
        # integers: 10^decimals < pairs here, so that nothing overflows
        order = np.arange(pairs + 1)
        cell = (2 * order * 10**decimals + pairs) // (2 * pairs)
        share = np.bincount(cell, weights=share).astype(np.float64)
    return _entropy(share), True


def loses_by_rounding(pairs: int, decimals: int | None) -> bool:
    """Whether rounding merges values of an untied ranking: not if n₀·n₁ ≤ 10^decimals.

    >>> loses_by_rounding(100, 2), loses_by_rounding(101, 2)
    (False, True)
    """
    return decimals is not None and pairs > 10**decimals


@functools.lru_cache(maxsize=4)
def rank_sum_shares(n: int, n_pos: int) -> NDArray[np.float64]:
    """The share of all labelings at each number of misranked pairs, 0 to n₀·n₁.

    The characteristic function of the Mann-Whitney count is ∏ i·sin((n₀+i)x) / ((n₀+i)·sin(ix)).
    On a grid whose size is a prime above n no denominator is zero, and every partial product is a
    characteristic function itself, so that nothing overflows. Right to about 1e-16 absolutely: for
    an entropy, not for the count in a far tail.

    >>> rank_sum_shares(4, 2) * 6
    array([1., 1., 2., 1., 1.])
    """
    small, large = sorted((n_pos, n - n_pos))
    pairs = small * large
    size = _prime_above(max(n, pairs))
    k = np.arange(size // 2 + 1)
    wave = np.ones(len(k))
    for i in range(1, small + 1):
        j = large + i
        with np.errstate(invalid="ignore"):  # 0/0 at k = 0, where every factor is 1
            factor = i * _sine(j * k, size) / (j * _sine(i * k, size))
        factor[0] = 1.0
        wave *= factor
    turn = np.exp(-1j * np.pi * (k * pairs % (2 * size)) / size)
    found: NDArray[np.float64] = np.fft.irfft(wave * turn, size)[: pairs + 1]
    # what is not above the rounding noise is a count too rare to carry information
    share = np.where(found > 1e-17, found, 0.0)
    share.flags.writeable = False  # shared with later callers
    return share


def _sine(multiple: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """sin(π·multiple/size), reduced in integers first."""
    sine: NDArray[np.float64] = np.sin(np.pi * (multiple % (2 * size)) / size)
    return sine


def _prime_above(n: int) -> int:
    candidate = n + 1
    while any(candidate % d == 0 for d in range(2, math.isqrt(candidate) + 1)):
        candidate += 1
    return candidate


def _normal_bits(n: int, n_pos: int, decimals: int | None) -> float:
    """The entropy of a normal on the lattice of counts, less what falls together in a cell.

    A cell of the rounding holds w = n₀·n₁/10^decimals counts on average, that is ⌊w⌋ or ⌊w⌋+1 of
    them, which are about equally likely while a cell is narrow against the spread.
    """
    pairs = n_pos * (n - n_pos)
    variance = pairs * (n + 1) / 12
    bits = 0.5 * math.log2(2 * math.pi * math.e * variance)
    if not loses_by_rounding(pairs, decimals):
        return bits
    assert decimals is not None
    width = pairs / 10**decimals
    if width > math.sqrt(variance):  # few cells: add them up
        return _cell_bits(0.5, math.sqrt(variance) / pairs, decimals)
    whole = int(width)
    more = width - whole
    inside = (1 - more) * whole * math.log2(whole)
    inside += more * (whole + 1) * math.log2(whole + 1)
    return float(bits - inside / width)


def _cell_bits(mean: float, sd: float, decimals: int) -> float:
    step = 10.0**-decimals
    edges = (np.arange(10**decimals + 2) - 0.5) * step
    below = np.array([0.5 * (1 + math.erf((e - mean) / (sd * math.sqrt(2)))) for e in edges])
    return _entropy(np.diff(below))


def _entropy(share: NDArray[np.float64]) -> float:
    seen = share[share > 0]
    return max(0.0, float(-(seen * np.log2(seen)).sum()))
