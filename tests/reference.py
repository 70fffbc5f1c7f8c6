"""The plain twins: pure Python, exact, slow, written from the definitions."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from fractions import Fraction
from typing import Any


def phi(x: Any, y: Any) -> Fraction:
    """1 for a pair in the right order, one half for a tie."""
    return Fraction(1) if x > y else Fraction(1, 2) if x == y else Fraction(0)


def split(labels: Sequence[Any], scores: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    pos = [s for y, s in zip(labels, scores, strict=True) if y == 1]
    neg = [s for y, s in zip(labels, scores, strict=True) if y != 1]
    return pos, neg


def auc(pos: Sequence[Any], neg: Sequence[Any]) -> Fraction:
    """The double sum of equation (4) of Agarwal et al. 2005."""
    return sum((phi(x, y) for x in pos for y in neg), Fraction(0)) / (len(pos) * len(neg))


def weighted_auc(
    pos: Sequence[Any], neg: Sequence[Any], u: Sequence[float], v: Sequence[float]
) -> Fraction:
    top = sum(
        (
            Fraction(a) * Fraction(b) * phi(x, y)
            for x, a in zip(pos, u, strict=True)
            for y, b in zip(neg, v, strict=True)
        ),
        Fraction(0),
    )
    return top / (sum(map(Fraction, u)) * sum(map(Fraction, v)))


def delong(pos: Sequence[Any], neg: Sequence[Any]) -> tuple[Fraction | None, Fraction | None]:
    """s²(V10)/m and s²(V01)/n; None for a class of one."""
    v10 = [sum((phi(x, y) for y in neg), Fraction(0)) / len(neg) for x in pos]
    v01 = [sum((phi(x, y) for x in pos), Fraction(0)) / len(pos) for y in neg]
    return _mean_variance(v10), _mean_variance(v01)


def _mean_variance(values: Sequence[Fraction]) -> Fraction | None:
    k = len(values)
    if k < 2:
        return None
    mean = sum(values, Fraction(0)) / k
    return sum(((v - mean) ** 2 for v in values), Fraction(0)) / (k - 1) / k


def score_counts(labels: Sequence[Any], scores: Sequence[Any]) -> list[tuple[Any, int, int]]:
    """Distinct scores, ascending, with how many positives and negatives hold each."""
    return [
        (
            s,
            sum(1 for y, t in zip(labels, scores, strict=True) if t == s and y == 1),
            sum(1 for y, t in zip(labels, scores, strict=True) if t == s and y != 1),
        )
        for s in sorted(set(scores))
    ]


def clustered_variance(
    labels: Sequence[Any],
    scores: Sequence[Any],
    clusters: Sequence[Any],
    weights: Sequence[float] | None = None,
) -> float:
    """Obuchowski's variance of one AUC, from loops over rows and clusters."""
    w = [1.0] * len(labels) if weights is None else list(weights)
    rows = list(zip(labels, scores, clusters, w, strict=True))
    total_pos = sum(u for y, _, _, u in rows if y == 1)
    total_neg = sum(u for y, _, _, u in rows if y != 1)

    def placement(y: Any, s: Any) -> float:
        if y == 1:
            return sum(u * float(phi(s, t)) for z, t, _, u in rows if z != 1) / total_neg
        return sum(u * float(phi(t, s)) for z, t, _, u in rows if z == 1) / total_pos

    value = sum(u * placement(y, s) for y, s, _, u in rows if y == 1) / total_pos
    a: dict[Any, float] = {}
    b: dict[Any, float] = {}
    for y, s, c, u in rows:
        if y == 1:
            a[c] = a.get(c, 0.0) + u * (placement(y, s) - value) / total_pos
        else:
            b[c] = b.get(c, 0.0) + u * (placement(y, s) - value) / total_neg
    i10, i01, i = len(a), len(b), len(set(clusters))
    return (
        i10 / (i10 - 1) * sum(x * x for x in a.values())
        + i01 / (i01 - 1) * sum(x * x for x in b.values())
        + 2 * i / (i - 1) * sum(a[c] * b[c] for c in a if c in b)
    )


PRIME = 2**61 - 1


def fingerprint(scores: Sequence[Any], weights: Sequence[float] | None = None) -> int:
    """The product of the module's docstring in Python integers; the constants are its own."""
    from rocsolid.summaries.binary_summary import (
        _POINT,
        _REST,
        _SCORE_HIGH,
        _WEIGHT_HIGH,
        _WEIGHT_LOW,
    )

    value = 1
    for i, score in enumerate(scores):
        rest = 0
        if isinstance(score, int) and abs(score) > 2**53:
            rest = score & 2047
            score -= rest
        bits = _bits(float(score) + 0.0)
        row = _POINT + (bits & PRIME) + _SCORE_HIGH * (bits >> 61) + _REST * rest
        if weights is not None:
            bits = _bits(float(weights[i]) + 0.0)
            row += _WEIGHT_LOW * (bits & PRIME) + _WEIGHT_HIGH * (bits >> 61)
        value = value * row % PRIME
    return value


def _bits(x: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", x))[0])


def close(a: float, b: Fraction | float | None, tolerance: float = 1e-12) -> bool:
    if b is None:
        return math.isnan(a)
    return math.isclose(a, float(b), rel_tol=tolerance, abs_tol=tolerance)
