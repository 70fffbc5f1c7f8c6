"""The smooth loss of a partial area: the mean of σ((t − s)/τ) over positives and top negatives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Loss = tuple[float, Floats, Floats]

_TILE = 1 << 16  # pairs at once: few enough for the cache
_NODES = 4  # a width τ
_WORTH = 4  # positives a node from which nodes are worth it


def sigmoid_loss(pos: Floats, neg: Floats, share: Floats, tau: float) -> Loss:
    """Σⱼ cⱼ·meanᵢ σ((tⱼ − sᵢ)/τ) and its derivatives by each sᵢ and each tⱼ.

    Where there are many positives for the width of the scores, both sides are interpolated between
    nodes a quarter of τ apart (see `at_nodes`), which is off by less than 10⁻⁸; elsewhere every
    pair is looked at.

    >>> value, by_pos, by_neg = sigmoid_loss(np.array([1.0]), np.array([1.0]), np.ones(1), 0.5)
    >>> value, by_pos, by_neg
    (0.5, array([-0.5]), array([0.5]))
    """
    reach = float(max(pos.max(), neg.max()) - min(pos.min(), neg.min()))
    if (reach / tau * _NODES + 2) * _WORTH < len(pos):
        return at_nodes(pos, neg, share, tau)
    return pair_by_pair(pos, neg, share, tau)


def pair_by_pair(pos: Floats, neg: Floats, share: Floats, tau: float) -> Loss:
    """Every pair, a tile at a time."""
    from scipy.special import expit

    m = len(pos)
    value, by_pos, by_neg = 0.0, np.empty(m), np.zeros(len(neg))
    rows = max(1, _TILE // len(neg))
    for start in range(0, m, rows):
        part = slice(start, start + rows)
        lost = expit((neg - pos[part, None]) / tau)
        value += float((lost @ share).sum())
        slope = lost * (1.0 - lost)
        by_pos[part] = slope @ share
        by_neg += slope.sum(axis=0)
    return value / m, by_pos / (-m * tau), share * by_neg / (m * tau)


def at_nodes(pos: Floats, neg: Floats, share: Floats, tau: float) -> Loss:
    """The same, interpolated on both sides by fifth-degree Hermite polynomials.

    σ((t − s)/τ) and its first two derivatives by s and by t are matched at nodes h = τ/4 apart. One
    side adds at most (h/τ)⁶·max|σ⁽⁶⁾|/46080 < 3·10⁻⁹ to the error, as |σ⁽⁶⁾| < 0.41. Between two
    nodes the kernel depends on the steps from one to the other alone, so that sums over nodes are
    convolutions. The derivatives are those of the interpolated value itself, so a solver sees one
    smooth function.
    """
    m, step = len(pos), tau / _NODES
    low = min(float(pos.min()), float(neg.min()))
    ours, theirs = (_Places.of((side - low) / step) for side in (pos, neg))
    size = max(int(side.at.max()) for side in (ours, theirs)) + 2
    load, their_load = ours.loads(np.ones(m), size), theirs.loads(share, size)
    kernel = _kernel(size)
    # σ depends on t − s: each derivative by s turns its sign
    at_pos = _summed(kernel[:, ::-1], their_load) * _BY_S
    at_neg = _summed(kernel, load * _BY_S)
    by_pos, by_neg = ours.slopes(at_pos) / (m * step), theirs.slopes(at_neg) / (m * step)
    return float((load * at_pos).sum()) / m, by_pos, share * by_neg


_BY_S = np.array([[1.0], [-1.0], [1.0]])


def _kernel(size: int) -> Floats:
    """σ(z/4) and its first four derivatives by z, for z from 1 − size to size − 1."""
    from scipy.special import expit

    p = expit(np.arange(1 - size, size) / _NODES)
    d1 = p * (1.0 - p)
    d2 = d1 * (1.0 - 2.0 * p)
    every = np.stack([p, d1, d2, d1 * (1.0 - 6.0 * d1), d2 * (1.0 - 12.0 * d1)])
    return np.asarray(every / float(_NODES) ** np.arange(5)[:, None])


def _summed(kernel: Floats, load: Floats) -> Floats:
    """Row a: Σ_b of the load's row b, convolved with the kernel's derivative a + b."""
    size = load.shape[1]
    fast = 1 << (2 * size - 2).bit_length()  # what runs round the end stays before the part we keep
    waves, loads = np.fft.rfft(kernel, fast), np.fft.rfft(load, fast)
    both = np.stack([(waves[a : a + 3] * loads).sum(axis=0) for a in range(3)])
    return np.asarray(np.fft.irfft(both, fast)[:, size - 1 : 2 * size - 1])


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """Where scores lie: ``u`` steps after the node ``at``, and ``v`` before the next."""

    at: NDArray[np.intp]
    u: Floats
    v: Floats

    @classmethod
    def of(cls, place: Floats) -> _Places:
        at = place.astype(np.intp)
        u = place - at
        return cls(at, u, 1.0 - u)

    def loads(self, weight: Floats, size: int) -> Floats:
        """What the value and the two derivatives at each node count for in a weighted sum."""
        return np.stack([
            np.bincount(self.at, weight * shape(self.u), size)
            + sign * np.bincount(self.at + 1, weight * shape(self.v), size)
            for shape, sign in ((_value, 1.0), (_first, -1.0), (_second, 1.0))
        ])  # fmt: skip

    def slopes(self, found: Floats) -> Floats:
        """How fast the interpolated function of the values at nodes climbs, a step."""
        (f, g, h), (u, v) = found, (self.u, self.v)
        at, after = self.at, self.at + 1
        slope = (f[at] - f[after]) * _value_slope(u)  # even around the middle
        slope += g[at] * _first_slope(u) + h[at] * _second_slope(u)
        return np.asarray(slope + g[after] * _first_slope(v) - h[after] * _second_slope(v))


# Hermite's polynomials of degree five on [0, 1]: 1 at 0 for the value, the first or the second
# derivative alone, and 0 for all others at both ends; beside each its derivative.


def _value(u: Floats) -> Floats:
    return 1.0 - u * u * u * (10.0 - u * (15.0 - 6.0 * u))


def _value_slope(u: Floats) -> Floats:
    return -30.0 * (u * (1.0 - u)) ** 2


def _first(u: Floats) -> Floats:
    return u - u * u * u * (6.0 - u * (8.0 - 3.0 * u))


def _first_slope(u: Floats) -> Floats:
    return 1.0 - u * u * (18.0 - u * (32.0 - 15.0 * u))


def _second(u: Floats) -> Floats:
    return u * u * (0.5 - u * (1.5 - u * (1.5 - 0.5 * u)))


def _second_slope(u: Floats) -> Floats:
    return u * (1.0 - u * (4.5 - u * (6.0 - 2.5 * u)))
