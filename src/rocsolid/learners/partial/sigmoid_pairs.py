"""The smooth loss of a partial area: the mean of σ((t − s)/τ) over positives and top negatives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Loss = tuple[float, Floats, Floats]

_TILE = 1 << 16  # pairs at once: few enough for the cache
_NODES = 6  # a width τ
_STEP = 1.0 / _NODES
_WORTH = 50  # pairs that take as long as a node


def sigmoid_loss(pos: Floats, neg: Floats, share: Floats, tau: float) -> Loss:
    """Σⱼ cⱼ·meanᵢ σ((tⱼ − sᵢ)/τ) and its derivatives by each sᵢ and each tⱼ.

    Where there are many rows for the width of their scores, both classes are put on a grid of
    step τ/6 (see `on_grid`), which is off by less than 10⁻⁹; elsewhere every pair is looked at.

    >>> value, by_pos, by_neg = sigmoid_loss(np.array([1.0]), np.array([1.0]), np.ones(1), 0.5)
    >>> value, by_pos, by_neg
    (0.5, array([-0.5]), array([0.5]))
    """
    low, high = min(pos.min(), neg.min()), max(pos.max(), neg.max())
    nodes = float(high - low) / tau * _NODES + 2
    if nodes < min(len(pos) + len(neg), len(pos) * len(neg) / _WORTH):
        return on_grid(pos, neg, share, tau)
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


def on_grid(pos: Floats, neg: Floats, share: Floats, tau: float) -> Loss:
    """The same, by Hermite polynomials of degree five in s and in t, on one grid of step h = τ/6.

    Each row is replaced by the loads (value, first, second derivative) that it puts on the two
    nodes around it. What is left is a function of the distance of two nodes, so its sums are
    convolutions. The error is at most (h/τ)⁶·max|σ⁽⁶⁾|/46080 < 2·10⁻¹⁰ for s, as |σ⁽⁶⁾| < 0.41,
    and hardly more for t. The derivatives are those of the interpolated value itself, so a solver
    sees one smooth function.
    """
    m, width = len(pos), _STEP * tau
    low = min(float(pos.min()), float(neg.min()))
    rows = _OnNodes.of((pos - low) / width), _OnNodes.of((neg - low) / width)
    size = max(each.size for each in rows)
    length = 1 << (2 * size - 1).bit_length()
    kernels = _kernels(size, length)
    loads = rows[0].loads(np.full(m, 1 / m), size), rows[1].loads(share, size)
    of_pos, of_neg = (np.fft.rfft(each, length) for each in loads)
    # the mean over pairs of σ⁽ᵈ⁺ᵉ⁾, d for s with its sign, e for t: correlations with the kernels
    sign = (1.0, -1.0, 1.0)
    at_pos = [sign[d] * sum(of_neg[e] * kernels[d + e].conj() for e in range(3)) for d in range(3)]
    at_neg = [sum(sign[d] * of_pos[d] * kernels[d + e] for d in range(3)) for e in range(3)]
    f, g = (np.fft.irfft(np.stack(each), length)[:, :size] for each in (at_pos, at_neg))
    value = float((loads[0] * f).sum())
    return value, rows[0].slopes(f) / (m * width), share * rows[1].slopes(g) / width


@dataclass(frozen=True, slots=True, eq=False)
class _OnNodes:
    """Rows on a line of nodes: the node at or below each, and how far beyond it."""

    at: NDArray[np.intp]
    u: Floats

    @classmethod
    def of(cls, place: Floats) -> _OnNodes:
        at = place.astype(np.intp)
        return cls(at, place - at)

    @property
    def size(self) -> int:
        return int(self.at.max()) + 2

    def loads(self, weight: Floats, size: int) -> Floats:
        """What each node's value, hF′ and h²F″ count for in the weighted sum of F over the rows."""
        v = 1.0 - self.u
        return np.stack(
            [
                np.bincount(self.at, weight * left(self.u), size)
                + sign * np.bincount(self.at + 1, weight * left(v), size)
                for left, sign in ((_value, 1.0), (_first, -1.0), (_second, 1.0))
            ]
        )

    def slopes(self, found: Floats) -> Floats:
        """h times the derivative of the interpolated F at each row."""
        u, v, after = self.u, 1.0 - self.u, self.at + 1
        f, g, h = found
        slope = f[self.at] * _value_slope(u) + g[self.at] * _first_slope(u)
        slope += h[self.at] * _second_slope(u) + g[after] * _first_slope(v)
        return np.asarray(slope - f[after] * _value_slope(v) - h[after] * _second_slope(v))


def _kernels(size: int, length: int) -> NDArray[np.complex128]:
    """The transforms of σ(x/τ) and four derivatives in steps of h, at distances −size to size."""
    from scipy.special import expit

    p = expit(_STEP * np.arange(-size + 1.0, size))
    d1 = p * (1.0 - p)
    odd = 1.0 - 2.0 * p
    every = np.stack([p, d1, d1 * odd, d1 * (1.0 - 6.0 * d1), d1 * odd * (1.0 - 12.0 * d1)])
    every *= _STEP ** np.arange(5.0)[:, None]
    around = np.zeros((5, length))
    around[:, :size], around[:, length - size + 1 :] = every[:, size - 1 :], every[:, : size - 1]
    return np.asarray(np.fft.rfft(around, length))


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
