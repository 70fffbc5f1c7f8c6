"""Finite measures on the line, three distances between them, and Lipschitz functionals.

Reference: Maurer and Pontil 2020, section 3.2 and Theorem 7. A weighted sample is a finite measure.
The parts μ₀ of the negatives and μ₁ of the positives need not have mass one.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.matrices import in_main_memory
from rocsolid.intervals.guarantees.checks import INDEPENDENT, check_alternative
from rocsolid.intervals.guarantees.dkw import dkw_mean, dkw_radius
from rocsolid.results import Alternative
from rocsolid.results.interval import Interval
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.stream import stream
from rocsolid.theory.guarantees.gaussian_complexity import GaussianComplexity
from rocsolid.theory.guarantees.uniform import CLASS_FIXED

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A measure with masses at finitely many distinct, ascending points.

    >>> mu = Measure.of([2.0, 1.0, 2.0])
    >>> mu.points, mu.masses.round(3)
    (array([1., 2.]), array([0.333, 0.667]))
    """

    points: _FLOATS
    masses: _FLOATS

    @classmethod
    def of(cls, points: ArrayLike, masses: ArrayLike | None = None) -> Measure:
        """Build a measure from points in any order; by default each of N points has mass 1/N."""
        positions = np.asarray(points, dtype=np.float64)
        if positions.ndim != 1 or not positions.size:
            raise InputError("a measure needs a list of points", value=positions.shape)
        mass = (
            np.full(positions.shape, 1 / positions.size)
            if masses is None
            else np.asarray(masses, np.float64)
        )
        if mass.shape != positions.shape:
            raise InputError("one mass a point is needed", value=mass.shape, where="masses")
        if not np.isfinite(positions).all():
            raise InputError("a point must be finite", where="points")
        if not (np.isfinite(mass) & (mass >= 0)).all():
            raise InputError("a mass must be finite and not negative", where="masses")
        unique, index = np.unique(positions, return_inverse=True)
        return cls(unique, np.bincount(index, mass).astype(np.float64))

    @property
    def total(self) -> float:
        return math.fsum(self.masses)

    def mixed(self, other: Measure, share: float) -> Measure:
        """Return λμ + (1−λ)ν, where μ is this measure, ν is ``other`` and λ is ``share``."""
        return Measure.of(
            np.concatenate([self.points, other.points]),
            np.concatenate([share * self.masses, (1 - share) * other.masses]),
        )


def distance_total_variation(mu: Measure, nu: Measure) -> float:
    """Return d_TV = |μ−ν|(R), without the usual factor ½.

    >>> distance_total_variation(Measure.of([0.0, 1.0]), Measure.of([1.0, 2.0]))
    1.0
    """
    return math.fsum(np.abs(_difference(mu, nu)[1]))


def distance_wasserstein(mu: Measure, nu: Measure, upper: float | None = None) -> float:
    """Return d₁ = ∫|F_μ−F_ν| over the line, or up to ``upper``, where F(t) is the mass up to t.

    For equal masses, d₁ is the 1-Wasserstein metric. For unequal masses the integral is infinite,
    so Maurer and Pontil (2020) stop at the end ``upper`` of the interval of scores.

    >>> distance_wasserstein(Measure.of([0.0, 1.0]), Measure.of([1.0, 2.0]))
    1.0
    >>> half = Measure.of([1.0], [0.5])
    >>> distance_wasserstein(half, Measure.of([2.0])), distance_wasserstein(half, half, 5.0)
    (inf, 0.0)
    """
    points, difference = _difference(mu, nu)
    gap = np.abs(np.cumsum(difference))
    if upper is not None:
        if upper < points[-1]:
            raise InputError("a point lies above the upper end", where="upper", value=upper)
        return math.fsum(gap * np.diff(points, append=upper))
    # masses that sum to the same carry rounding of some last digits
    if abs(mu.total - nu.total) > 1e-12 * max(mu.total, nu.total):
        return math.inf
    return math.fsum(gap[:-1] * np.diff(points))


def distance_kolmogorov(mu: Measure, nu: Measure) -> float:
    """Return the Kolmogorov distance d_∞ = sup_t |F_μ(t) − F_ν(t)|.

    >>> distance_kolmogorov(Measure.of([0.0, 1.0]), Measure.of([1.0, 2.0]))
    0.5
    """
    return float(np.abs(np.cumsum(_difference(mu, nu)[1])).max(initial=0.0))


def tau(
    scores: ArrayLike, positive: ArrayLike, upper: float, *, gap: float = 0.0
) -> NDArray[np.float64]:
    """Map labelled scores to one line: τ(x, y) = (2y−1)(a−x), with a = ``upper`` above every score.

    For the parts μ₀ and μ₁ of a distribution μ, the sums of the distances d_TV, d_∞ and d₁ (up to
    a) are at most 1, 2 and 2 times the distances of the images τ#μ (Lemma 11). Changing a label
    next to 0 hardly moves τ but moves the area by a whole row, so functionals such as f_{W,ℓ} are
    *not* Lipschitz in d₁, as Theorem 7 (b) requires. A ``gap`` added to the images of the positives
    repairs this and changes no Gaussian complexity.

    Reference: Maurer and Pontil 2020, section 3.3.

    >>> tau([0.2, 0.9, 0.9], [0, 0, 1], 1.0).round(12)
    array([-0.8, -0.1,  0.1])
    """
    x = np.asarray(in_main_memory(scores, "scores"), dtype=np.float64)
    y = np.asarray(in_main_memory(positive, "positive")).astype(bool)
    if x.shape != y.shape:
        raise InputError("one label a score is needed", where="positive", value=y.shape)
    if not (np.isfinite(x) & (x < upper)).all():
        raise InputError("every score must be finite and below the upper end", value=upper)
    return np.where(y, gap + (upper - x), x - upper)


def _difference(mu: Measure, nu: Measure) -> tuple[_FLOATS, _FLOATS]:
    points = np.union1d(mu.points, nu.points)
    difference = np.zeros(len(points))
    difference[np.searchsorted(points, mu.points)] = mu.masses
    difference[np.searchsorted(points, nu.points)] -= nu.masses
    return points, difference


_SAME = "rows of one distribution"
_PROBED = "Lipschitz constants from probing, which finds only lower bounds for them"
_GIVEN = "Lipschitz constants as given"


@dataclass(frozen=True, slots=True)
class LipschitzConstants:
    """The constants L_∞, L_1 and L_2 of Theorem 7 (Maurer and Pontil 2020), infinite if unknown.

    - ``kolmogorov``, (a): f(μ) − f(ν) ≤ L_∞·d_∞(μ, ν);
    - ``wasserstein``, (b): f(μ) − f(ν) ≤ L_1·d_1(μ, ν);
    - ``second``, (c): f(λ(μ,ν)) − f(λ(μ,ν′)) − f(λ(μ′,ν)) + f(λ(μ′,ν′)) ≤ (1−λ)λ·L_2·d_1(ν,
      ν′)·d_TV(μ, μ′), with λ(μ,ν) = λμ + (1−λ)ν.

    ``probed`` is true for unproven constants from a random search.
    """

    kolmogorov: float
    wasserstein: float = math.inf
    second: float = math.inf
    probed: bool = False


@dataclass(frozen=True, slots=True)
class UniformFunctionalBound(Plain):
    """A lower limit for f(h#μ) of a chosen scorer h.

    With the stated probability, no h has f(h#μ̂) more than ``deviation`` above E f(h#μ̂), which
    exceeds f(h#μ) by at most ``bias``.
    """

    value: float
    deviation: float
    bias: float
    interval: Interval
    complexity: GaussianComplexity

    @property
    def vacuous(self) -> bool:
        return self.interval.vacuous

    __repr__ = one_line

    def __str__(self) -> str:
        return f"{self.interval}, deviation {self.deviation:.4f}, bias at most {self.bias:.4f}"


def lipschitz_functional(
    value: float,
    rows: int,
    constants: LipschitzConstants,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    range: tuple[float, float] = (0.0, 1.0),
) -> Interval:
    """Return limits for f(μ) from ``value`` = f(μ̂), for a functional that is Lipschitz in d_∞.

    With probability 1 − δ, |f(μ) − f(μ̂)| ≤ L_∞√(ln(2/δ)/(2N)). ``range`` contains every value of
    f. A mean of values in [0, 1] has L_∞ = 1.

    Reference: Maurer and Pontil 2020, Theorem 7 (i).

    >>> print(lipschitz_functional(0.3, 400, LipschitzConstants(1.0)))
    [0.2321, 0.3679] at 95 % (Theorem 7 (i))
    """
    _check_value(value, range)
    width = _finite(constants.kolmogorov, "kolmogorov") * dkw_radius(rows, delta)
    check_alternative(alternative)
    low, high = max(range[0], value - width), min(range[1], value + width)
    return Interval(
        range[0] if alternative == "less" else low,
        range[1] if alternative == "greater" else high,
        1 - delta,
        "Theorem 7 (i)",
        certified=not constants.probed,
        assumptions=(INDEPENDENT, _SAME, _PROBED if constants.probed else _GIVEN),
        source="Maurer and Pontil 2020, Theorem 7 (i); Massart 1990",
        range=range,
    )


def lipschitz_functional_uniform(
    value: float,
    constants: LipschitzConstants,
    complexity: GaussianComplexity,
    delta: float = 0.05,
    *,
    range: tuple[float, float] = (0.0, 1.0),
) -> UniformFunctionalBound:
    """Return a lower limit for f(h#μ) from ``value`` = f(h#μ̂), where these rows may have chosen h.

    With probability 1 − δ,

        sup_h f(h#μ̂) − E f(h#μ̂) ≤ √(8π)(L_1+L_2)·G(H)/N + L_∞√(ln(1/δ)/N).

    The estimate's expectation exceeds f(h#μ) by at most L_∞·E d_∞ (Theorem 8, integrated). For an
    upper limit, pass −f. If ``complexity`` may itself fail, its probability is subtracted from
    ``delta``.

    Reference: Maurer and Pontil 2020, Theorem 7 (ii).

    >>> from rocsolid.theory.guarantees.gaussian_complexity import gaussian_finite
    >>> c = LipschitzConstants(1.0, 1.0, 0.0)
    >>> print(lipschitz_functional_uniform(0.3, c, gaussian_finite(10, (0, 1), 40_000)))
    [0.2600, 1.0000] at 95 % (Theorem 7 (ii)), deviation 0.0355, bias at most 0.0044
    """
    _check_value(value, range)
    rows, own = complexity.rows, complexity.share_left(delta)
    sup = _finite(constants.kolmogorov, "kolmogorov")
    steep = _finite(constants.wasserstein, "wasserstein") + _finite(constants.second, "second")
    deviation = math.sqrt(8 * math.pi) * steep * complexity.upper / rows
    deviation += sup * math.sqrt(-math.log(own) / rows)
    bias = sup * dkw_mean(rows)
    interval = Interval(
        max(range[0], value - deviation - bias),
        range[1],
        1 - delta,
        "Theorem 7 (ii)",
        certified=complexity.certified and not constants.probed,
        assumptions=(
            INDEPENDENT,
            _SAME,
            CLASS_FIXED,
            _PROBED if constants.probed else _GIVEN,
            *complexity.assumptions,
        ),
        source="Maurer and Pontil 2020, Theorem 7 (ii); Massart 1990",
        range=range,
    )
    return UniformFunctionalBound(float(value), deviation, bias, interval, complexity)


def probe_lipschitz(
    functional: Callable[[Measure], float],
    low: float,
    high: float,
    *,
    tries: int = 2000,
    points: int = 12,
    seed: int = 0,
) -> LipschitzConstants:
    """Search random measures over [low, high] for the largest ratios of conditions (a), (b), (c).

    Each of ``tries`` rounds draws two pairs of measures with at most ``points`` points. The ratios
    can refute a claimed constant but cannot prove it, so results built on them are not certified.

    >>> mean = lambda mu: float(mu.points @ mu.masses)
    >>> constants = probe_lipschitz(mean, 0.0, 1.0, tries=200)
    >>> round(constants.kolmogorov, 6), round(constants.wasserstein, 6), round(constants.second, 6)
    (1.0, 1.0, 0.0)
    """
    if not -math.inf < low < high < math.inf:
        raise InputError("the functional needs a bounded range of points", value=(low, high))
    random = stream(seed)
    worst = np.zeros(3)
    for _ in range(whole(tries, "tries")):
        mu, other_mu = _pair(random, low, high, whole(points, "points", 2))
        nu, other_nu = _pair(random, low, high, points)
        share = float(random.uniform(0.05, 0.95))
        first = abs(functional(nu) - functional(other_nu))
        second = abs(
            functional(mu.mixed(nu, share))
            - functional(mu.mixed(other_nu, share))
            - functional(other_mu.mixed(nu, share))
            + functional(other_mu.mixed(other_nu, share))
        )
        moved = distance_wasserstein(nu, other_nu)
        scale = share * (1 - share) * moved * distance_total_variation(mu, other_mu)
        ratios = (
            first / distance_kolmogorov(nu, other_nu) if moved else 0.0,
            first / moved if moved else 0.0,
            second / scale if scale > _SMALLEST else 0.0,
        )
        worst = np.maximum(worst, ratios)
    return LipschitzConstants(float(worst[0]), float(worst[1]), float(worst[2]), probed=True)


_SMALLEST = 1e-9  # below it a second difference is rounding


def _pair(
    random: np.random.Generator, low: float, high: float, points: int
) -> tuple[Measure, Measure]:
    positions, masses = _drawn(random, low, high, points)
    if random.random() < 0.5:
        return Measure.of(positions, masses), Measure.of(*_drawn(random, low, high, points))
    moved, index = positions.copy(), random.integers(len(positions))
    reach = (high - low) * 10.0 ** random.uniform(-4, 0.5)
    moved[index] = np.clip(moved[index] + random.uniform(-reach, reach), low, high)
    return Measure.of(positions, masses), Measure.of(moved, masses)


def _drawn(
    random: np.random.Generator, low: float, high: float, points: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Draw masses and points, a quarter of them at the ends, where ratios are often largest."""
    size = int(random.integers(1, points + 1))
    at = random.uniform(low, high, size)
    at = np.where(random.random(size) < 0.25, random.choice([low, high], size), at)
    return at, random.dirichlet(np.ones(size))


def _check_value(value: float, range: tuple[float, float]) -> None:
    if not range[0] <= value <= range[1]:
        raise InputError("the value lies outside its range", where=f"range {range}", value=value)


def _finite(constant: float, name: str) -> float:
    if not 0.0 <= constant < math.inf:
        raise InputError(
            "the bound needs a finite constant", where=name, value=constant,
            fix="give it, or search for it with probe_lipschitz",
        )  # fmt: skip
    return constant
