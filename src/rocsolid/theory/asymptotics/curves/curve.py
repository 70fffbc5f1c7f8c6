"""Relevance curves: the mean relevance of the items at each relative rank."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import is_number
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.results.card import Carded
from rocsolid.results.plain import one_line, written
from rocsolid.theory.asymptotics.curves.levels import Levels, as_levels
from rocsolid.theory.asymptotics.integrals import integrate

_F = NDArray[np.float64]
Function = Callable[[_F], Any]


@dataclass(frozen=True, slots=True, eq=False)
class Curve(Carded):
    """ȳ(s) = E[Y | f~(X) = s] with the grades' shares, of one ranker on one population.

    f~(x) = Pr(f(X) ≤ f(x)) is the relative rank of a score: s = 1 is the top of the list (Wang et
    al. 2013, Definition 2). ``breaks`` are the s at which ȳ is not smooth.
    """

    name: str
    levels: Levels
    function: Function = field(repr=False)
    breaks: tuple[float, ...] = field(default=(), repr=False)
    by_grade: tuple[Function, ...] = field(default=(), repr=False)

    def mean(self, s: ArrayLike) -> _F:
        """Return ȳ(s), for s in [0, 1]."""
        at = np.asarray(s, dtype=np.float64)
        if not bool(np.all((at >= 0.0) & (at <= 1.0))):
            raise InputError("a relative rank s lies in [0, 1]", where="s", value=s)
        values = np.asarray(self.function(at), dtype=np.float64)
        return np.broadcast_to(values, at.shape) if values.shape != at.shape else values

    @property
    def top(self) -> float:
        """The value ȳ(1), the mean relevance at the very top."""
        return float(self.mean(1.0))

    @property
    def estimated(self) -> bool:
        return False

    @property
    def top_noise(self) -> float | None:
        """Var(Y | f~ = 1), or None if ȳ does not determine it."""
        if self.levels.binary:
            return self.top * (1.0 - self.top)
        if not self.by_grade:
            return None
        top = np.ones(1)
        shares = [float(np.ravel(share(top))[0]) for share in self.by_grade]
        squares = math.fsum(g * g * q for g, q in zip(self.levels.grades, shares, strict=True))
        return max(0.0, squares - self.top**2)

    @property
    def from_top(self) -> list[float]:
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
    """Return the curve that ``function`` computes from an array of relative ranks s.

    Without ``levels`` the labels are 0 and 1 and the share of 1 is ∫ȳ. With ``levels``, ∫ȳ must be
    the mean of the grades. ``breaks`` are the s at which the function is not smooth.

    >>> curve = from_function(lambda s: 0.1 + 0.5 * s)
    >>> print(curve)
    custom, mean 0.35 (grades 1: 0.35, 0: 0.65)
    >>> from_function(lambda s: 2 * s)
    Traceback (most recent call last):
    rocsolid.errors.InputError: the curve leaves the range of the grades, 0 to 1: 2.0 (curve). Fix:
    give levels= if the labels are grades above 1.
    """
    cuts = _breaks(breaks)
    scale = None if levels is None else as_levels(levels)
    low, high = (0.0, 1.0) if scale is None else (scale.grades[-1], scale.top)
    check_range(function, cuts, low, high, "give levels= if the labels are grades above 1")
    mean = integral(function, cuts)
    if scale is None:
        return Curve(name, _binary(mean), function, cuts)
    if abs(mean - scale.mean) > 1e-6 * scale.mean:
        raise InputError(
            f"the curve's mean is {mean:.8g} and that of the grades {scale.mean:.8g}; they are the "
            "same quantity, E[Y]",
            where="levels",
            fix="give one curve for each grade with curves.graded, which keeps them consistent",
        )
    return Curve(name, scale, function, cuts)


def as_curve(curve: Any, levels: Mapping[float, float] | None = None) -> Curve:
    """Convert a curve, a function of s, or a constant.

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
    if is_number(curve):
        return from_function(_constantly(curve), levels, name=f"constant({float(curve):g})")
    raise InputError(
        "a relevance curve is one of rs.asymptotics.curves, or a function of s",
        where="curve",
        value=curve,
        fix="write curves.linear(0.1, 0.6), or lambda s: 0.1 + 0.5 * s",
    )


def check_range(
    function: Function, breaks: tuple[float, ...], low: float, high: float, fix: str | None = None
) -> None:
    near = np.asarray(breaks)
    points = np.concatenate([np.linspace(0.0, 1.0, 1025), near, np.nextafter(near, 1.0)])
    try:
        with np.errstate(all="ignore"):  # values that are not finite are rejected below
            values = np.asarray(function(points), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise _not_for_arrays(str(error)) from error
    if values.shape not in {points.shape, ()}:
        raise _not_for_arrays(f"{values.shape} for {points.shape}")
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


def _not_for_arrays(reason: str) -> InputError:
    return InputError(
        "a curve must return one number for each s",
        where="curve",
        value=reason,
        fix="write it for arrays: lambda s: 0.1 + 0.5 * s, with numpy.sin instead of math.sin",
    )


def integral(function: Function, breaks: tuple[float, ...]) -> float:
    edges = np.unique(np.concatenate([[0.0], breaks, [1.0]]))
    return integrate(lambda s: np.broadcast_to(function(s), s.shape), edges)


def _binary(p: float) -> Levels:
    if not p > 1e-12:
        raise InputError("no item is relevant, so NDCG divides by zero", where="curve", value=p)
    if p >= 1.0 - 1e-12:
        return Levels((1.0,), (1.0,))
    return Levels((1.0, 0.0), (p, 1.0 - p))


def _breaks(breaks: Iterable[float]) -> tuple[float, ...]:
    inner = tuple(sorted({float(b) for b in breaks} - {0.0, 1.0}))
    for b in inner:
        if not 0.0 < b < 1.0:
            raise InputError("a break lies between 0 and 1", where="breaks", value=b)
    return inner


def graded(shares: Mapping[float, Any], *, name: str = "graded") -> Curve:
    """Return the curve of a ranker from Pr(Y = grade | f~ = s) for each grade.

    ``shares`` maps each grade (a gain) to a curve, a function or a number; grade 0 has the rest.
    The shares of the grades follow by integration (Wang et al. 2013, Theorems 10 to 13).

    >>> curve = graded({2: lambda s: 0.3 * s, 1: lambda s: 0.1 + 0.2 * s})
    >>> print(curve)
    graded, mean 0.5 (grades 2: 0.15, 1: 0.2, 0: 0.65)
    >>> round(curve.top, 12)  # 2·0.3 + 1·0.3
    0.9
    """
    parts = {float(grade): _part(grade, share) for grade, share in shares.items()}
    breaks = tuple(sorted({b for _, cuts in parts.values() for b in cuts}))
    functions = {grade: function for grade, (function, _) in parts.items()}
    for grade, function in functions.items():
        check_range(function, breaks, 0.0, 1.0, f"look at the share of grade {grade:g}")
    given = tuple(functions.values())
    if 0.0 not in functions:
        functions[0.0] = lambda s: 1.0 - _sum(given, s)
        check_range(functions[0.0], breaks, 0.0, 1.0, "the shares add up to more than 1 somewhere")
    else:
        _check_sum(given, breaks)
    means = {grade: integral(functions[grade], breaks) for grade in sorted(functions)[::-1]}
    kept = {grade: share for grade, share in means.items() if share > 1e-12}
    whole = math.fsum(kept.values())
    weights = tuple((grade, functions[grade]) for grade in kept)
    return Curve(
        name,
        as_levels({grade: share / whole for grade, share in kept.items()}),
        lambda s: np.asarray(sum(grade * share(s) for grade, share in weights)),
        breaks,
        tuple(share for _, share in weights),
    )


def _part(grade: float, share: Any) -> tuple[Function, tuple[float, ...]]:
    if isinstance(share, Curve):
        return share.function, share.breaks
    if callable(share):
        return share, ()
    if is_number(share):
        return _constantly(share), ()
    raise InputError(
        "the share of a grade is a curve, a function of s or a number",
        where=f"grade {grade:g}",
        value=share,
        fix="write curves.graded({2: lambda s: 0.3 * s, 1: 0.2})",
    )


def _sum(functions: tuple[Function, ...], s: _F) -> _F:
    return np.asarray(sum(function(s) for function in functions), dtype=np.float64)


def _check_sum(functions: tuple[Function, ...], breaks: tuple[float, ...]) -> None:
    at = np.concatenate([np.linspace(0.0, 1.0, 1025), breaks])
    total = np.broadcast_to(_sum(functions, at), at.shape)
    far = int(np.argmax(np.abs(total - 1.0)))
    if abs(total[far] - 1.0) > 1e-9:
        raise InputError(
            f"the shares of the grades must add up to 1; at s = {at[far]:g} they do not",
            where="graded",
            value=float(total[far]),
            fix="leave out grade 0; its share is then the remainder",
        )


def constant(p: float) -> Curve:
    """Return ȳ(s) = p, the curve of a random ranking.

    >>> print(constant(0.3))
    constant(0.3), mean 0.3 (grades 1: 0.3, 0: 0.7)
    """
    return from_function(_constantly(p), name=f"constant({float(p):g})")


def _constantly(value: float) -> Function:
    return lambda s: np.full_like(s, float(value))


def linear(bottom: float, top: float) -> Curve:
    """Return a straight line from ȳ(0) = bottom to ȳ(1) = top.

    >>> linear(0.1, 0.6).mean([0, 0.5, 1])
    array([0.1 , 0.35, 0.6 ])
    """
    low, high = float(bottom), float(top)
    return from_function(lambda s: low + (high - low) * s, name=f"linear({low:g}, {high:g})")


def power(bottom: float, top: float, exponent: float) -> Curve:
    """Return ȳ(s) = bottom + (top − bottom)·s^exponent.

    >>> round(power(0, 1, 3).levels.mean, 12)
    0.25
    """
    low, high, steep = float(bottom), float(top), float(exponent)
    if not 0.0 < steep < float("inf"):
        raise InputError("the exponent must be positive", where="exponent", value=exponent)
    return from_function(
        lambda s: low + (high - low) * s**steep, name=f"power({low:g}, {high:g}, {steep:g})"
    )


def logistic(intercept: float, slope: float) -> Curve:
    """Return ȳ(s) = 1/(1 + exp(−intercept − slope·s)).

    >>> logistic(-3, 4).mean([0, 1]).round(3)
    array([0.047, 0.731])
    """
    a, b = float(intercept), float(slope)
    if not (np.isfinite(a) and np.isfinite(b)):
        raise InputError("the coefficients must be finite", where="logistic", value=(a, b))

    def values(s: _F) -> _F:
        from scipy.special import expit

        return np.asarray(expit(a + b * s))

    return from_function(values, name=f"logistic({a:g}, {b:g})")


def piecewise(s: Sequence[float], relevance: Sequence[float]) -> Curve:
    """Return straight lines between the points (s, relevance), from s = 0 to s = 1.

    >>> piecewise([0, 0.8, 1], [0.1, 0.1, 0.9]).mean([0.5, 0.9])
    array([0.1, 0.5])
    """
    points, values = np.asarray(s, dtype=np.float64), np.asarray(relevance, dtype=np.float64)
    if points.ndim != 1 or points.shape != values.shape or len(points) < 2:
        raise InputError(
            "piecewise takes as many relevances as points s, at least two", where="piecewise"
        )
    if points[0] != 0.0 or points[-1] != 1.0 or not np.all(np.diff(points) > 0.0):
        raise InputError("the points s must rise from 0 to 1", where="s", value=points.tolist())
    return from_function(
        lambda x: np.interp(x, points, values),
        breaks=points[1:-1],
        name=f"piecewise({len(points)} points)",
    )
