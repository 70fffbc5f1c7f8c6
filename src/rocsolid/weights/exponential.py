"""Power, exponential and user-defined weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.weights.probing import ORDER, Probed, probe, values_of
from rocsolid.weights.weight import (
    Weight,
    check_positive,
    double_integral,
    gauss_mean,
    mean_over_pieces,
)


@dataclass(frozen=True)
class Power(Weight):
    """W(u) = u^p, K(u) = u^(p+1)/(p+1)."""

    p: float

    def __call__(self, u: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(np.asarray(u, dtype=np.float64) ** self.p)

    def integral(self, u: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(np.asarray(u, dtype=np.float64) ** (self.p + 1) / (self.p + 1))

    def mean_integral(self, low: ArrayLike, high: ArrayLike) -> NDArray[np.float64]:
        """u^(q−1)/(q(q−1)) · (1−(1−x)^q)/x with u = high, q = p+2 and x = (high−low)/high."""
        a, b = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
        q = self.p + 2
        with np.errstate(divide="ignore", invalid="ignore"):
            x = (b - a) / b
            ratio = np.where(b > a, -np.expm1(q * np.log1p(-x)) / x, q)
        return np.asarray(b ** (q - 1) / (q * (q - 1)) * ratio)

    @property
    def sup_norm(self) -> float:
        return 1.0

    @property
    def lipschitz(self) -> float:
        return self.p if self.p >= 1.0 or self.p == 0.0 else float("inf")

    @property
    def constant(self) -> float | None:
        return 1.0 if self.p == 0.0 else None

    @property
    def powers(self) -> Mapping[int, float]:
        return {int(self.p): 1.0} if self.p.is_integer() else {}


def power(p: float) -> Power:
    """Return the weight (1−FPR)^p, p ≥ 0; a larger p emphasises low false-positive rates.

    For whole p and continuous scores, (p+1)·A_W is the probability that a positive outranks p+1
    negatives at once. The weight is Lipschitz for p ≥ 1. Maurer and Pontil (2020) write W(u) = u^p.

    >>> w = power(2)
    >>> w([0.5, 1.0]), w.l1_norm == 1 / 3, w.lipschitz
    (array([0.25, 1.  ]), True, 2.0)
    """
    if not 0.0 <= p < float("inf"):
        raise InputError("a power must be a number of at least 0", value=p)
    return Power(float(p))


@dataclass(frozen=True)
class Exponential(Weight):
    """W(u) = e^(−α(1−u)), K(u) = e^(−α(1−u))·(1−e^(−αu))/α."""

    alpha: float

    def __call__(self, u: ArrayLike) -> NDArray[np.float64]:
        return np.exp(-self.alpha * (1 - np.asarray(u, dtype=np.float64)))

    def integral(self, u: ArrayLike) -> NDArray[np.float64]:
        at = np.asarray(u, dtype=np.float64)
        return np.asarray(-np.exp(-self.alpha * (1 - at)) * np.expm1(-self.alpha * at) / self.alpha)

    def mean_integral(self, low: ArrayLike, high: ArrayLike) -> NDArray[np.float64]:
        a, b = np.broadcast_arrays(
            np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
        )
        if self.alpha <= 1.0:
            # the closed form cancels here, while eight points are exact to the last digit
            return gauss_mean(self.integral, a, b, 8)
        z = self.alpha * (b - a)
        with np.errstate(invalid="ignore"):
            share = np.where(z > 0, -np.expm1(-z) / z, 1.0)
        rest = np.exp(-self.alpha)
        return np.asarray((np.exp(-self.alpha * (1 - b)) * share - rest) / self.alpha)

    @property
    def sup_norm(self) -> float:
        return 1.0

    @property
    def lipschitz(self) -> float:
        return self.alpha


def exponential(alpha: float) -> Exponential:
    """Return the weight e^(−α·FPR), which rewards positives at the top of the list.

    A_W/‖W‖₁ is the area under the concentrated ROC curve of Swamidass et al. (2010) and tends to
    BEDROC (Truchon & Bayly 2007) as positives become rare. About 1−e^(−1) of the weight lies below
    FPR = 1/α. Maurer and Pontil (2020) write W(u) = e^(−α(1−u)).

    >>> w = exponential(20)
    >>> round(w.l1_norm, 4), w.sup_norm, w.lipschitz
    (0.05, 1.0, 20.0)
    """
    return Exponential(check_positive(alpha, "alpha"))


_FLOATS = NDArray[np.float64]
_AGREES = 1e-2  # detects a wrong formula; probing cannot see small differences


@dataclass(frozen=True)
class CallableWeight(Weight):
    """W, with K, ‖W‖∞ and ‖W‖Lip as far as its author declares them."""

    function: Callable[[Any], Any]
    antiderivative: Callable[[Any], Any] | None = None
    given_sup: float | None = None
    given_lipschitz: float | None = None

    @cached_property
    def _probe(self) -> Probed:
        return probe(values_of(self.function))

    @cached_property
    def _doubles(self) -> _FLOATS:
        return double_integral(self.integral, self._probe.knots, ORDER)

    def __call__(self, u: ArrayLike) -> _FLOATS:
        return values_of(self.function)(np.asarray(u, dtype=np.float64))

    def integral(self, u: ArrayLike) -> _FLOATS:
        at = np.asarray(u, dtype=np.float64)
        if self.antiderivative is None:
            return self._probe.integral(at)
        value = values_of(self.antiderivative)
        return value(at) - value(np.array(0.0))

    def mean_integral(self, low: ArrayLike, high: ArrayLike) -> _FLOATS:
        return mean_over_pieces(self.integral, self._probe.knots, self._doubles, ORDER, low, high)

    @property
    def sup_norm(self) -> float:
        return self._probe.largest if self.given_sup is None else self.given_sup

    @property
    def lipschitz(self) -> float:
        if self.given_lipschitz is not None:
            return self.given_lipschitz
        # a weight with declared K and ‖W‖∞ has no Lipschitz constant unless declared
        return self._probe.steepest if self.probed else float("inf")

    @property
    def probed(self) -> bool:
        return self.antiderivative is None or self.given_sup is None


def from_callable(
    weight: Callable[[Any], Any],
    integral: Callable[[Any], Any] | None = None,
    *,
    sup_norm: float | None = None,
    lipschitz: float | None = None,
) -> CallableWeight:
    """Return the weight W(u), a function of the true-negative rate u = 1−FPR.

    The other constructors take false-positive rates. The weight is known if ``integral``, K(u) =
    ∫₀ᵘ W, and ``sup_norm`` are given; its Lipschitz constant is then infinite unless given.
    Otherwise the missing quantities are estimated from values of W at a few thousand points, which
    is no proof, and ``probed`` is True. Given quantities must agree with the values of W.

    >>> w = from_callable(lambda u: u**2)
    >>> w.probed, round(w.l1_norm, 12), round(w.sup_norm, 12), round(w.lipschitz, 9)
    (True, 0.333333333333, 1.0, 2.0)
    >>> from_callable(lambda u: u**2, lambda u: u**3 / 3, sup_norm=1, lipschitz=2).probed
    False
    """
    for name, norm in (("sup_norm", sup_norm), ("lipschitz", lipschitz)):
        if norm is not None and not 0.0 <= norm <= float("inf"):
            raise InputError(f"{name} must be a number of at least 0", value=norm)
    made = CallableWeight(weight, integral, sup_norm, lipschitz)
    seen = made._probe
    if seen.largest <= 0.0:
        raise InputError("a weight must not be zero everywhere", where="weight")
    if sup_norm is not None and sup_norm < seen.largest * (1 - 1e-9):
        raise InputError(
            "the weight exceeds its sup norm", where=f"weight reaches {seen.largest:g}",
            value=sup_norm,
        )  # fmt: skip
    slack = 1e-5 * seen.largest  # slopes of polynomials carry rounding
    if lipschitz is not None and lipschitz * (1 + 1e-5) + slack < seen.steepest:
        raise InputError(
            "the weight is steeper than its Lipschitz constant",
            where=f"a slope of {seen.steepest:g} was seen",
            value=lipschitz,
        )
    if integral is not None:
        gap = float(np.abs(made.integral(seen.knots) - seen.integral(seen.knots)).max())
        if gap > _AGREES * float(seen.integral(1.0)):
            raise InputError(
                "the integral given is not that of the weight",
                where="integral",
                value=gap,
                fix="give K(u), the integral of W from 0 to u, u the true-negative rate",
            )
    return made


def as_weight(weight: Weight | Callable[[Any], Any]) -> Weight:
    """Return the weight itself, or the weight of a bare function by `from_callable`."""
    if isinstance(weight, Weight):
        return weight
    if callable(weight):
        return from_callable(weight)
    raise InputError(
        "a weight is one of rs.weights, or a function of the true-negative rate",
        value=weight,
        fix="use rs.weights.step(0, 0.05), for instance",
    )
