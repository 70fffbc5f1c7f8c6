"""Relevance curves: how relevant the items at each relative rank are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError
from rocsolid.results.plain import one_line, written
from rocsolid.theory.asymptotics.curves.levels import Levels, as_levels
from rocsolid.theory.asymptotics.integrals import integrate

_F = NDArray[np.float64]
Function = Callable[[_F], Any]


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """ȳ(s) = E[Y | f~(X) = s] with the grades' shares, of one ranker on one population.

    f~(x) = Pr(f(X) ≤ f(x)) is the score turned into a relative rank: s = 1 is the top of the list,
    s = 0 its end, and s is uniform (Wang et al. 2013, Definition 2). All that the limits of NDCG
    depend on is in ȳ and the grades. ``breaks`` are the s at which ȳ is not smooth.
    """

    name: str
    levels: Levels
    function: Function = field(repr=False)
    breaks: tuple[float, ...] = field(default=(), repr=False)
    by_grade: tuple[Function, ...] = field(default=(), repr=False)

    def mean(self, s: ArrayLike) -> _F:
        """ȳ(s), for s in [0, 1]."""
        at = np.asarray(s, dtype=np.float64)
        if not bool(np.all((at >= 0.0) & (at <= 1.0))):
            raise InputError("a relative rank s lies in [0, 1]", where="s", value=s)
        values = np.asarray(self.function(at), dtype=np.float64)
        return np.broadcast_to(values, at.shape) if values.shape != at.shape else values

    @property
    def top(self) -> float:
        """ȳ(1): the mean relevance at the very top."""
        return float(self.mean(1.0))

    @property
    def estimated(self) -> bool:
        """Whether ȳ was read off data."""
        return False

    @property
    def top_noise(self) -> float | None:
        """Var(Y | f~ = 1), or None where ȳ does not say it."""
        if self.levels.binary:
            return self.top * (1.0 - self.top)
        if not self.by_grade:
            return None
        one = np.ones(1)
        shares = [float(np.ravel(share(one))[0]) for share in self.by_grade]
        squares = math.fsum(g * g * q for g, q in zip(self.levels.grades, shares, strict=True))
        return max(0.0, squares - self.top**2)

    @property
    def from_top(self) -> list[float]:
        """The breaks as distances 1 − s from the top."""
        return [1.0 - s for s in self.breaks]

    __repr__ = one_line

    def __str__(self) -> str:
        shares = ", ".join(
            f"{g:g}: {share:.4g}"
            for g, share in zip(self.levels.grades, self.levels.shares, strict=True)
        )
        return f"{self.name}, mean {self.levels.mean:.4g} (grades {shares})"

    def to_dict(self) -> dict[str, Any]:
        at = np.linspace(0.0, 1.0, 101)
        names = "name grades=levels.grades shares=levels.shares mean=levels.mean top estimated"
        return {**written(self, names), "s": at.tolist(), "relevance": self.mean(at).tolist()}


def from_function(
    function: Function,
    levels: Mapping[float, float] | None = None,
    *,
    breaks: Iterable[float] = (),
    name: str = "custom",
) -> Curve:
    """The curve that ``function`` computes from an array of relative ranks s.

    Without ``levels`` the labels are 0 and 1 and the share of 1 is ∫ȳ. With them, ∫ȳ must be the
    mean of the grades, as it is for every ranker of that population.

    >>> curve = from_function(lambda s: 0.1 + 0.5 * s)
    >>> print(curve)
    custom, mean 0.35 (grades 1: 0.35, 0: 0.65)
    >>> from_function(lambda s: 2 * s)
    Traceback (most recent call last):
    rocsolid.errors.InputError: the curve leaves the range of the grades, 0 to 1: 2.0 (curve). Fix:
    give levels= if the labels are grades above 1.
    """
    cuts = _breaks(breaks)
    found = None if levels is None else as_levels(levels)
    low, high = (0.0, 1.0) if found is None else (found.grades[-1], found.top)
    check_range(function, cuts, low, high, "give levels= if the labels are grades above 1")
    mean = integral(function, cuts)
    if found is None:
        return Curve(name, _binary(mean), function, cuts)
    if abs(mean - found.mean) > 1e-6 * found.mean:
        raise InputError(
            f"the curve's mean is {mean:.8g} and that of the grades {found.mean:.8g}; they are the "
            "same quantity, E[Y]",
            where="levels",
            fix="give one curve for each grade with curves.graded, which keeps them consistent",
        )
    return Curve(name, found, function, cuts)


def as_curve(curve: Any, levels: Mapping[float, float] | None = None) -> Curve:
    """A curve itself, or the one that a function of s or a constant describes.

    >>> as_curve(0.3).mean([0, 1])
    array([0.3, 0.3])
    """
    if isinstance(curve, Curve):
        if levels is None:
            return curve
        raise InputError(
            "this curve knows its grades already",
            where="levels",
            value=levels,
            fix="give levels= where the curve is made, or pass a function of s",
        )
    if callable(curve):
        return from_function(curve, levels)
    if isinstance(curve, Real) and not isinstance(curve, bool):
        value = float(curve)
        return from_function(lambda s: np.full_like(s, value), levels, name=f"constant({value:g})")
    raise InputError(
        "a relevance curve is one of rs.asymptotics.curves, or a function of s",
        where="curve",
        value=curve,
        fix="write curves.linear(0.1, 0.6), or lambda s: 0.1 + 0.5 * s",
    )


def check_range(
    function: Function, breaks: tuple[float, ...], low: float, high: float, fix: str | None = None
) -> None:
    """The values on a grid lie between the lowest and the highest that are possible."""
    near = np.asarray(breaks)
    at = np.concatenate([np.linspace(0.0, 1.0, 1025), near, np.nextafter(near, 1.0)])
    try:
        with np.errstate(all="ignore"):  # what is not finite is refused below
            values = np.asarray(function(at), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise _not_for_arrays(str(error)) from error
    if values.shape not in {at.shape, ()}:
        raise _not_for_arrays(f"{values.shape} for {at.shape}")
    slack = 1e-9 * max(1.0, high)
    bad = ~((values >= low - slack) & (values <= high + slack))
    if bad.any():
        worst = np.atleast_1d(values)[np.atleast_1d(bad)]
        raise InputError(
            f"the curve leaves the range of the grades, {low:g} to {high:g}",
            where="curve",
            value=float(worst[np.argmax(np.abs(worst - (low + high) / 2))]),
            fix=fix,
        )


def _not_for_arrays(found: str) -> InputError:
    return InputError(
        "a curve must give one number for each s",
        where="curve",
        value=found,
        fix="write it for arrays: lambda s: 0.1 + 0.5 * s, with numpy.sin instead of math.sin",
    )


def integral(function: Function, breaks: tuple[float, ...]) -> float:
    """∫ function over [0, 1]."""
    edges = np.unique(np.concatenate([[0.0], breaks, [1.0]]))
    return integrate(lambda s: np.broadcast_to(function(s), s.shape), edges)


def _binary(p: float) -> Levels:
    if not p > 1e-12:
        raise InputError("no item is relevant, so NDCG divides by zero", where="curve", value=p)
    if p >= 1.0 - 1e-12:
        return Levels((1.0,), (1.0,))
    return Levels((1.0, 0.0), (p, 1.0 - p))


def _breaks(breaks: Iterable[float]) -> tuple[float, ...]:
    found = tuple(sorted({float(b) for b in breaks} - {0.0, 1.0}))
    for b in found:
        if not 0.0 < b < 1.0:
            raise InputError("a break lies between 0 and 1", where="breaks", value=b)
    return found
