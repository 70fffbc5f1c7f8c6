"""Variances of areas from three models: Mann-Whitney, Obuchowski, and Hanley and McNeil."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.binary.area import Region
from rocsolid.dataclass import dataclass
from rocsolid.errors import UnsoundError

_FLOATS = NDArray[np.float64]
NODES = 64


def joint_excess(h: ArrayLike, k: ArrayLike, rho: float) -> _FLOATS:
    """Return Φ₂(h, k; ρ) − Φ(h)Φ(k): P(X ≤ h, Y ≤ k) at correlation ρ minus that at independence.

    The derivative of Φ₂ by ρ is the bivariate density (Plackett 1954). The integral runs over θ =
    asin ρ with the Gauss-Legendre rule, accurate to about 1e-12 for |ρ| ≤ .99. Infinite limits
    return 0.

    >>> round(float(joint_excess(0.0, 0.0, 0.5)), 12)  # asin(1/2)/2π = 1/12
    0.083333333333
    """
    if rho == 0.0:
        return np.zeros(np.broadcast_shapes(np.shape(h), np.shape(k)))
    nodes, weights = legendre(NODES)
    top = math.asin(rho)
    angle = top * (nodes + 1.0) / 2.0
    first, second = np.asarray(h, dtype=np.float64), np.asarray(k, dtype=np.float64)
    finite = np.isfinite(first) & np.isfinite(second)
    first, second = (np.where(finite, part, 0.0)[..., None] for part in (first, second))
    squares = first**2 - 2.0 * first * second * np.sin(angle) + second**2
    density = np.exp(-squares / (2.0 * np.cos(angle) ** 2))
    return np.where(finite, density @ weights * top / (4.0 * math.pi), 0.0)


@cache
def legendre(count: int) -> tuple[_FLOATS, _FLOATS]:
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return nodes, weights


WHOLE = Region((0.0, 1.0), (0.0, 1.0))
"""The region of the whole area."""


@dataclass(frozen=True, slots=True)
class NormalCurve:
    """The curve ROC(v) = Φ(A + BΦ⁻¹(v)) of negatives N(0, 1) and positives N(shift, spread²).

    B is 1/spread and A is shift/spread.

    >>> print(f"{NormalCurve(0.8).tpr(0.1):.6f} {NormalCurve(0.8, spread=2.0).tpr(0.1):.6f}")
    0.463619 0.617982
    """

    auc: float
    spread: float = 1.0

    @property
    def shift(self) -> float:
        from scipy.special import ndtri

        return math.hypot(1.0, self.spread) * float(ndtri(self.auc))

    @property
    def intercept(self) -> float:
        """A, the separation in standard deviations of the positives."""
        return self.shift / self.spread

    @property
    def slope(self) -> float:
        """B, the negatives' standard deviation divided by the positives'."""
        return 1.0 / self.spread

    def tpr(self, fpr: float) -> float:
        from scipy.special import ndtr, ndtri

        return float(ndtr(self.intercept + self.slope * ndtri(fpr)))

    def fpr(self, tpr: float) -> float:
        from scipy.special import ndtr, ndtri

        return float(ndtr((ndtri(tpr) - self.intercept) / self.slope))

    def rates(self, region: Region) -> tuple[float, float]:
        """Return the false-positive rates between which the curve runs inside the region's box.

        The first rate is not below the second if the curve passes below or above the box.
        """
        (a, b), (c, d) = region.fpr, region.tpr
        return max(a, self.fpr(c)), min(b, self.fpr(d))

    def area(self, region: Region) -> float:
        """Return the area under the curve in the region's box, ∫Φ(A + BΦ⁻¹(v)) dv in closed form.

        >>> round(NormalCurve(0.5).area(Region.of(fpr=0.2)), 12), NormalCurve(0.8).area(WHOLE)
        (0.02, 0.8)
        """
        if region == WHOLE:
            return self.auc
        b, (c, d) = region.fpr[1], region.tpr
        low, high = self.rates(region)
        if low >= high:
            return 0.0 if self.fpr(c) >= b else region.maximum
        inside = self._below(high) - self._below(low) - c * (high - low)
        return inside + (d - c) * (b - high)

    def _below(self, fpr: float) -> float:
        """Return ∫ ROC over [0, fpr] = Φ₂(A/√(1+B²), Φ⁻¹(fpr); −B/√(1+B²))."""
        from scipy.special import ndtri

        rho = -self.slope / math.hypot(1.0, self.slope)
        return self.auc * fpr + float(joint_excess(ndtri(self.auc), ndtri(fpr), rho))


@dataclass(frozen=True, slots=True)
class VarianceParts:
    """The contributions of positives, negatives and their pairs to a variance or covariance.

    With n₊ positives and n₋ negatives, the variance is pos/n₊ + neg/n₋ + pairs/(n₊n₋). ``pos`` and
    ``neg`` are DeLong's s²(V10) and s²(V01).

    >>> VarianceParts(1 / 12, 1 / 12, 1 / 12).at(10, 20)  # (10 + 20 + 1)/(12·10·20)
    0.012916666666666667
    """

    pos: float
    neg: float
    pairs: float = 0.0

    def at(self, n_pos: float, n_neg: float) -> float:
        return self.pos / n_pos + self.neg / n_neg + self.pairs / (n_pos * n_neg)


_Derivative = Callable[[NormalCurve, Region], tuple[_FLOATS, _FLOATS]]
FAR = 9.0
"""Standard deviations beyond which a normal density adds nothing to these integrals."""
LINE, PLANE = 256, 96
"""Nodes of an integral over a line, and along each side of an integral over a plane."""


@lru_cache(maxsize=4096)
def mann_whitney(curve: NormalCurve, region: Region = WHOLE) -> VarianceParts:
    """Return the variance of the area under the empirical curve for normal scores in both classes.

    For the whole area, the variance is exact at every size (Birnbaum 1956): P(X > Y, X > Y′) and
    P(X > Y, X′ > Y) are bivariate normal probabilities. For a partial area it is for large samples,
    by influence functions.

    >>> parts = mann_whitney(NormalCurve(0.5))
    >>> print(f"{12 * parts.pos:.9f} {12 * parts.neg:.9f} {12 * parts.pairs:.9f}")
    1.000000000 1.000000000 1.000000000
    """
    from scipy.special import ndtr, ndtri

    share = curve.spread**2 / (1.0 + curve.spread**2)
    if region == WHOLE:
        at = float(ndtri(curve.auc))
        pos, neg = (float(joint_excess(at, at, rho)) for rho in (share, 1.0 - share))
        return VarianceParts(pos, neg, curve.auc * (1.0 - curve.auc) - pos - neg)
    low, high = curve.rates(region)
    if low >= high:
        return VarianceParts(0.0, 0.0)
    a, b = curve.intercept, curve.slope
    ends = [float(ndtri(rate)) for rate in (low, high)]
    # a negative: the height of the curve at its rate, constant beyond the ends of the region
    bottom, top = curve.tpr(low), curve.tpr(high)
    w, weight = _between(ends[0], ends[1], LINE)
    neg = _spread(
        np.append(ndtr(a + b * w), (bottom, top)), np.append(weight * _density(w), (low, 1 - high))
    )
    # a positive: the width of the region above its rate, by its standardised score
    q, weight = _between(a + b * ends[0], a + b * ends[1], LINE)
    pos = _spread(
        np.append(high - ndtr((q - a) / b), (high - low, 0.0)),
        np.append(weight * _density(q), (bottom, 1 - top)),
    )
    return VarianceParts(pos, neg)


@lru_cache(maxsize=4096)
def mann_whitney_together(
    a: NormalCurve, b: NormalCurve, rho_pos: float, rho_neg: float, region: Region = WHOLE
) -> VarianceParts:
    """Return the covariance of two areas on the same rows, from the scores' correlation by class.

    For whole areas the result is exact at every size. For partial areas it is for large samples, by
    Hoeffding's formula Cov(f(U), g(V)) = ∬ f′(u) g′(v) (Φ₂(u, v; ρ) − Φ(u)Φ(v)) du dv.

    >>> one = NormalCurve(0.8)
    >>> apart, alike = mann_whitney_together(one, one, 0.0, 0.0), mann_whitney(one)
    >>> near = mann_whitney_together(one, one, 0.999999, 0.999999)
    >>> apart.at(10, 10), bool(0.99 < near.at(10, 10) / alike.at(10, 10) < 1)
    (0.0, True)
    """
    from scipy.special import ndtri

    if region == WHOLE:
        h, k = float(ndtri(a.auc)), float(ndtri(b.auc))
        scale = math.hypot(1.0, a.spread) * math.hypot(1.0, b.spread)
        of_pos, of_neg = rho_pos * a.spread * b.spread / scale, rho_neg / scale
        pos, neg, both = (
            float(joint_excess(h, k, rho)) for rho in (of_pos, of_neg, of_pos + of_neg)
        )
        return VarianceParts(pos, neg, both - pos - neg)
    if any(np.greater_equal(*curve.rates(region)) for curve in (a, b)):
        return VarianceParts(0.0, 0.0)

    def integral(rho: float, derivative: _Derivative) -> float:
        (u, left), (v, right) = derivative(a, region), derivative(b, region)
        return float(left @ joint_excess(u[:, None], v[None, :], rho) @ right)

    return VarianceParts(integral(rho_pos, _by_positive), integral(rho_neg, _by_negative))


def _by_positive(curve: NormalCurve, region: Region) -> tuple[_FLOATS, _FLOATS]:
    """Return standardised scores of positives, and the derivative of their part of the area."""
    from scipy.special import ndtri

    low, high = (float(ndtri(rate)) for rate in curve.rates(region))
    w, weight = _between(low, high, PLANE)
    return (-w - curve.shift) / curve.spread, weight * _density(w)


def _by_negative(curve: NormalCurve, region: Region) -> tuple[_FLOATS, _FLOATS]:
    """Return negated scores of negatives, and the derivative of their part of the area."""
    from scipy.special import ndtri

    a, b = curve.intercept, curve.slope
    low, high = (a + b * float(ndtri(rate)) for rate in curve.rates(region))
    q, weight = _between(low, high, PLANE)
    return (q - a) / b, weight * _density(q)


def _between(low: float, high: float, count: int) -> tuple[_FLOATS, _FLOATS]:
    low, high = min(max(low, -FAR), FAR), min(max(high, -FAR), FAR)
    nodes, weights = legendre(count)
    half = (high - low) / 2.0
    return (low + high) / 2.0 + half * nodes, half * weights


def _density(x: _FLOATS) -> _FLOATS:
    return np.exp(-0.5 * x**2) / math.sqrt(2.0 * math.pi)


def _spread(value: _FLOATS, mass: _FLOATS) -> float:
    mean = float(value @ mass)
    return float((value - mean) ** 2 @ mass)


def hanley_mcneil(curve: NormalCurve, region: Region = WHOLE) -> VarianceParts:
    """Return the parts of Hanley and McNeil's variance (1982): Q₁ = A/(2−A), Q₂ = 2A²/(1+A).

    The variance is exact if the positives' scores are exponential with the larger mean. The spread
    of the curve is ignored.

    >>> print(f"{hanley_mcneil(NormalCurve(0.893)).at(51, 58) ** 0.5:.4f}")
    0.0325
    """
    if region != WHOLE:
        raise UnsoundError(
            "Hanley and McNeil's variance is for the whole area",
            where="variance",
            value="hanley-mcneil",
            fix='use variance="binormal"',
        )
    auc = curve.auc
    both = auc * (1.0 - auc)
    pos, neg = both * auc / (1.0 + auc), both * (1.0 - auc) / (2.0 - auc)
    return VarianceParts(pos, neg, both - pos - neg)


def hanley_mcneil_together(
    a: NormalCurve, b: NormalCurve, rho_pos: float, rho_neg: float, region: Region = WHOLE
) -> VarianceParts:
    """Return the covariance that gives each part of the variances the correlation of normal scores.

    Hanley and McNeil (1983) tabulate this correlation; `mann_whitney` computes it exactly.

    >>> one, at = NormalCurve(0.89), (58.0, 54.0)
    >>> together = hanley_mcneil_together(one, one, 0.6, 0.6).at(*at)
    >>> print(f"{together / hanley_mcneil(one).at(*at):.2f}")
    0.52
    """
    of_a, of_b = hanley_mcneil(a, region), hanley_mcneil(b, region)
    like_a, like_b = mann_whitney(a), mann_whitney(b)
    like_both = mann_whitney_together(a, b, rho_pos, rho_neg)

    def scaled(name: str) -> float:
        mine = getattr(of_a, name) * getattr(of_b, name)
        theirs = getattr(like_a, name) * getattr(like_b, name)
        return float(getattr(like_both, name)) * math.sqrt(max(mine / theirs, 0.0))

    return VarianceParts(scaled("pos"), scaled("neg"), scaled("pairs"))


def obuchowski_one(curve: NormalCurve, region: Region = WHOLE) -> VarianceParts:
    """Return .0099·exp(−A²/2)·(5A² + 8 + (A² + 8)/κ)/n₊ with A = 1.414·Φ⁻¹(AUC), κ = n₋/n₊.

    Obuchowski, Lieber and Wians 2004, with the constants as printed there and in pROC. Scores of
    unequal spread and partial areas use `obuchowski`.

    >>> print(f"{obuchowski_one(NormalCurve(0.73)).at(41, 72) ** 0.5:.6f}")
    0.052692
    """
    if region != WHOLE or curve.spread != 1.0:
        return obuchowski(curve, region)
    from scipy.special import ndtri

    square = (1.414 * float(ndtri(curve.auc))) ** 2
    scale = 0.0099 * math.exp(-square / 2.0)
    return VarianceParts(scale * (5.0 * square + 8.0), scale * (square + 8.0))


def obuchowski(curve: NormalCurve, region: Region = WHOLE) -> VarianceParts:
    """Return f²Var(Â) + g²Var(B̂), where f and g are the derivatives of the area by A and by B.

    Obuchowski and McClish 1997, for A and B fitted by maximum likelihood. As in pROC, the term
    2fg·Cov(Â, B̂) is missing, so the variance is too large if the AUC is far from ½.

    >>> print(f"{obuchowski(NormalCurve(0.73)).at(41, 72) ** 0.5:.6f}")
    0.052817
    """
    f, g = derivatives(curve, region)
    a, b = curve.intercept, curve.slope
    of_spread = g * g * b * b / 2.0
    return VarianceParts(f * f * (1.0 + a * a / 2.0) + of_spread, f * f * b * b + of_spread)


def obuchowski_together(
    a: NormalCurve, b: NormalCurve, rho_pos: float, rho_neg: float, region: Region = WHOLE
) -> VarianceParts:
    """Return the covariance of two fitted areas (Obuchowski and McClish 1997, equation 5).

    >>> obuchowski_together(NormalCurve(0.8), NormalCurve(0.7), 0.0, 0.0).at(10, 10)
    0.0
    """
    (f1, g1), (f2, g2) = derivatives(a, region), derivatives(b, region)
    a1, b1, a2, b2 = a.intercept, a.slope, b.intercept, b.slope
    crossed = f1 * g2 * a1 * b2 + f2 * g1 * a2 * b1
    both = g1 * g2 * b1 * b2
    return VarianceParts(
        f1 * f2 * (rho_pos + rho_pos**2 * a1 * a2 / 2.0) + (both + crossed) * rho_pos**2 / 2.0,
        f1 * f2 * rho_neg * b1 * b2 + both * rho_neg**2 / 2.0,
    )


def derivatives(curve: NormalCurve, region: Region = WHOLE) -> tuple[float, float]:
    """Return the derivatives of the area in a region by A and by B.

    The derivatives are ∫φ(A+Bc)φ(c) dc and ∫cφ(A+Bc)φ(c) dc over the normal deviates of the
    region's rates. The product of the densities is proportional to a normal one with mean
    −AB/(1+B²) and variance 1/(1+B²).

    >>> f, g = derivatives(NormalCurve(0.5))
    >>> print(f"{f:.6f} {abs(g):.6f}")  # 1/(2√π) and 0
    0.282095 0.000000
    """
    from scipy.special import ndtr, ndtri

    low, high = curve.rates(region)
    if low >= high:
        return 0.0, 0.0
    a, b = curve.intercept, curve.slope
    total = 1.0 + b * b
    ends = [(float(ndtri(rate)) + a * b / total) * math.sqrt(total) for rate in (low, high)]
    height = math.exp(-a * a / (2.0 * total))
    share = float(ndtr(ends[1]) - ndtr(ends[0]))
    f = height * share / math.sqrt(2.0 * math.pi * total)
    slant = math.exp(-(ends[0] ** 2) / 2.0) - math.exp(-(ends[1] ** 2) / 2.0)
    g = height * slant / (2.0 * math.pi * total) - a * b / total * f
    return f, g


@dataclass(frozen=True, slots=True)
class VarianceModel:
    """A variance model: the variance of one area, of each of two, and their covariance.

    ``together`` accepts the scores' correlation among the positives and among the negatives.
    """

    one: Callable[[NormalCurve, Region], VarianceParts]
    each: Callable[[NormalCurve, Region], VarianceParts]
    together: Callable[[NormalCurve, NormalCurve, float, float, Region], VarianceParts]
    source: str


MODELS: dict[str, VarianceModel] = {
    "binormal": VarianceModel(
        mann_whitney,
        mann_whitney,
        mann_whitney_together,
        "exact variance of the Mann-Whitney statistic for normal scores (Birnbaum, Proceedings of "
        "the Third Berkeley Symposium 1 (1956), 13-17); of a partial area by influence functions",
    ),
    "obuchowski": VarianceModel(
        obuchowski_one,
        obuchowski,
        obuchowski_together,
        "Obuchowski and McClish, Statistics in Medicine 16 (1997), 1529-1542; Obuchowski, Lieber "
        "and Wians, Clinical Chemistry 50 (2004), 1118-1125",
    ),
    "hanley-mcneil": VarianceModel(
        hanley_mcneil,
        hanley_mcneil,
        hanley_mcneil_together,
        "Hanley and McNeil, Radiology 143 (1982), 29-36, and 148 (1983), 839-843",
    ),
}
"""The variance models, by public name."""
