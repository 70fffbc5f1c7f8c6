"""The limit of NDCG for one ranker, by the theorems of Wang et al. 2013."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import nearest
from rocsolid.dataclass import dataclass
from rocsolid.discounts.cutoff import Cutoff, as_cutoff
from rocsolid.discounts.discount import Discount, Logarithm, PowerDiscount, Tail, as_discount
from rocsolid.errors import InputError
from rocsolid.results.plain import Plain, one_line, written
from rocsolid.theory.asymptotics.classify import classify, is_constant
from rocsolid.theory.asymptotics.curves.curve import Curve, as_curve
from rocsolid.theory.asymptotics.integrals import edges_towards_zero, integrate

SUBLINEAR = "o(n)"

_SIZES = tuple(10**power for power in (6, 12, 25, 37, 75, 150))
_FASTER = 1.08


@dataclass(frozen=True, slots=True)
class Depth:
    """The limit of a cut-off k(n): the whole list, a share c of it, k/n → 0, or a fixed k.

    ``proven`` is False if the limit was estimated from values of a function. ``beyond_log`` states
    that k/ln n → ∞ too, which "o(n)" alone does not imply.
    """

    kind: Literal["whole", "share", "sublinear", "fixed"]
    share: float = 1.0
    name: str = ""
    proven: bool = True
    beyond_log: bool = False


def as_depth(k: Any) -> Depth:
    """Convert None, rs.discounts.frac(c), "o(n)", a fixed number, or a function of the length.

    >>> as_depth("o(n)").kind, as_depth(lambda n: n**0.5).kind, as_depth(10).kind
    ('sublinear', 'sublinear', 'fixed')
    >>> as_depth(lambda n: n**0.5).beyond_log, as_depth(lambda n: 3 * math.log(n)).beyond_log
    (True, False)
    """
    if isinstance(k, str):
        if k.replace(" ", "") != SUBLINEAR:
            close = nearest(k, [SUBLINEAR])
            raise InputError(
                "unknown cut-off",
                where="k",
                value=k,
                fix=f"use {close or SUBLINEAR!r} for k → ∞ with k/n → 0, "
                "rs.discounts.frac(0.2), or k=10",
            )
        return Depth("sublinear", 0.0, SUBLINEAR)
    cutoff = as_cutoff(k)
    rule = cutoff.rule
    if rule is None:
        return Depth("whole")
    if isinstance(rule, Fraction):
        share = float(rule)
        return Depth("whole") if share == 1.0 else Depth("share", share, cutoff.name)
    if isinstance(rule, int):
        return Depth("fixed", 0.0, cutoff.name)
    return _estimated_depth([_value(cutoff, n) for n in _SIZES])


def _value(cutoff: Cutoff, n: int) -> int:
    """Return k(n) for n as an integer or, for NumPy's functions, as a float."""
    for size in (n, float(n)):
        try:
            return cutoff.of(size)  # type: ignore[arg-type]
        except InputError:
            raise
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            failure = error
    raise _unsettled(f"it fails at n = {n:.0e}: {failure}") from failure


def _estimated_depth(values: list[int]) -> Depth:
    shares = [k / n for k, n in zip(values, _SIZES, strict=True)]
    if len(set(values)) == 1:
        return Depth("fixed", 0.0, str(values[0]), proven=False)
    if len(set(values[-3:])) == 1:
        raise _unsettled(
            f"it is {values[-1]:,} from n = {_SIZES[-3]:.0e} to {_SIZES[-1]:.0e}, and was "
            f"{values[0]:,} at {_SIZES[0]:.0e}"
        )
    before, after = shares[-2:]
    if abs(after - before) <= 1e-6 * before:
        whole = after >= 1.0 - 1e-6
        return Depth("whole" if whole else "share", after, f"{after:g}·n", proven=False)
    if after < 0.95 * before:
        return Depth("sublinear", 0.0, SUBLINEAR, proven=False, beyond_log=_beyond_log(values))
    raise _unsettled(
        f"it keeps {before:g} of the list at n = {_SIZES[-2]:.0e} and {after:g} at {_SIZES[-1]:.0e}"
    )


def _beyond_log(values: list[int]) -> bool:
    """Return whether the exponent θ of k ≈ (ln n)^θ clearly exceeds 1, despite rounding.

    ln n doubles from each of the last three sizes to the next. If k is a power of ln n plus a
    constant, the second exponent has half the error of the first, which is subtracted.
    """
    first, second, third = values[-3:]
    late = math.log2((third - 1) / (second + 1))
    early = math.log2((second + 1) / max(first - 1, 1))
    return min(late, 2.0 * late - early) >= _FASTER


def _unsettled(what: str) -> InputError:
    return InputError(
        f"the growth of this cut-off cannot be estimated from its values: {what}",
        where="k",
        fix='use rs.discounts.frac(c), "o(n)" or a whole number',
    )


_F = NDArray[np.float64]

_NEAREST = 2.0**-60  # 1 − t is 1 in double precision for every t below


def power_integral(curve: Curve, beta: float, share: float = 1.0) -> float:
    """Return (1−β)·∫ ȳ(s)(1−s)^−β ds over s from 1−c to 1, for 0 ≤ β < 1.

    The pieces halve towards the singularity at s = 1; the last piece has a closed form. The result
    has 12 digits if ȳ has a finite slope at s = 1. For a steeper curve, an uncertainty beyond 1e-7
    is rejected.

    >>> from rocsolid.theory.asymptotics.curves import linear
    >>> round(power_integral(linear(0.1, 0.6), 0.5), 12)
    0.433333333333
    """
    last_bit = 2.0**-53
    unseen = abs(float(curve.mean(1.0 - last_bit)) - curve.top) * last_bit ** (1.0 - beta)
    if unseen > 1e-7 * curve.levels.mean:
        raise InputError(
            f"the curve is so steep at s = 1 that its integral is known to {unseen:.1g} only",
            where="curve",
            fix="use a curve with a finite slope at the top, or a smaller β",
        )
    edges = edges_towards_zero(curve.from_top, share, _NEAREST)

    def weighted(t: _F) -> _F:
        return np.asarray(curve.mean(1.0 - t) * t**-beta)

    inner = integrate(weighted, edges)
    return float((1.0 - beta) * inner + curve.top * _NEAREST ** (1.0 - beta))


CONTINUOUS = "the relevance curve (for grades, each grade's) is continuous"
AT_THE_TOP = (
    "the relevance curve (for grades, each grade's) is continuous at s = 1; only this part "
    "matters, and data show it least"
)
NOISY = (
    "labels are noisy: at every x each label has at least δ times the probability of the likeliest "
    "one, for some δ > 0"
)
KARAMATA = (
    "the theorem is stated for r^−β and 1/log(1+r) themselves; it carries over to discounts that "
    "differ from r^−β by a slowly varying factor, whose sums behave alike (Karamata's theorem)"
)
CONSTANT = "constant discount"
_POPULATION = ("items independent and identically distributed", "scores without ties")
_ESTIMATED = "the relevance curve was estimated, so the limit is no more reliable than the curve"


@dataclass(frozen=True, slots=True)
class TheoremLimit:
    value: float | None
    expected: float
    theorem: str
    assumptions: tuple[str, ...]
    words: str


EVERY_ORDER = TheoremLimit(
    1.0, 1.0, CONSTANT, (),
    "is 1, whatever the ranker and however long the list: all ranks count the same, so every order "
    "of the same items has the same sum.",
)  # fmt: skip


def find(tail: Tail, curve: Curve, depth: Depth, named: bool) -> TheoremLimit:
    if tail.kind == "summable" or depth.kind == "fixed":
        return _few_ranks(curve)
    if depth.kind == "sublinear":
        return _top_alone(curve, "Theorem 7" if curve.levels.binary else "Theorem 11", ())
    if tail.index == 1.0:
        return _zipf(curve, depth, named)
    return _all_ranks(tail, curve, depth, named)


def _few_ranks(curve: Curve) -> TheoremLimit:
    """Apply Theorem 6, or return a limit if the labels at the top are not noisy."""
    level, noise = curve.top / curve.levels.top, curve.top_noise
    mean = (
        f"the mean over many lists tends to {level:.6g}, the mean relevance at the very top over "
        "the highest grade, but a single list"
    )
    if noise is not None and noise <= 1e-12:
        return TheoremLimit(
            level,
            level,
            "Theorem 6 does not apply: the labels at the top are not noisy",
            (AT_THE_TOP,),
            f"only a few ranks count, and the items there all have relevance {curve.top:g}: NDCG "
            f"tends to {level:.6g}. Such a measure separates this ranker from a ranker whose top "
            "is worse. With any noise at the top, the limit would not exist.",
        )
    unsure = (
        " Noisy labels at the top are an assumption here, because the curve does not show noise; "
        "without noise there would be a limit."
    )
    return TheoremLimit(
        None,
        level,
        "Theorem 6",
        (NOISY, CONTINUOUS),
        "no limit. The discounts of all ranks have a finite sum, so a few ranks decide, and their "
        f"labels stay random however long the list is: {mean} keeps varying, and does not separate "
        f"two rankers.{'' if noise is not None else unsure}",
    )


def _top_alone(curve: Curve, theorem: str, more: tuple[str, ...]) -> TheoremLimit:
    value = curve.top / curve.levels.top
    return TheoremLimit(
        value,
        value,
        theorem,
        (AT_THE_TOP, *more),
        f"tends to {value:.6g}, the mean relevance at the very top of the list over the highest "
        "grade. Nothing below the top matters, and the convergence is slow.",
    )


def _zipf(curve: Curve, depth: Depth, named: bool) -> TheoremLimit:
    more = () if named else (KARAMATA,)
    if not curve.levels.binary:
        more = (*more, "stated for labels 0 and 1; for grades as in Theorem 11")
    if depth.kind == "share":
        more = (*more, "stated without a cut-off; ranks beyond a share c add a vanishing part")
    return _top_alone(curve, "Theorem 5", more)


def _all_ranks(tail: Tail, curve: Curve, depth: Depth, named: bool) -> TheoremLimit:
    """Apply Theorem 1, 3, 8, 9, 10, 12 or 13: one formula, with β = 0 for the logarithm."""
    beta, binary = tail.index, curve.levels.binary
    more = (CONTINUOUS,) if named else (CONTINUOUS, KARAMATA)
    if beta == 0.0 and depth.kind == "whole":
        return TheoremLimit(
            1.0,
            1.0,
            "Theorem 1",
            more[1:],
            "tends to 1, whatever the ranker, but only as fast as 1/log n: values from lists of "
            "any real length are below 1 and differ between rankers, in an order that settles."
            if named
            else "tends to 1, whatever the ranker. The rate depends on the discount.",
        )
    best = curve.levels.ideal(lambda reach: min(reach, depth.share) ** (1.0 - beta))
    value = power_integral(curve, beta, depth.share) / best
    if depth.kind == "whole":
        theorem = "Theorem 3" if binary else "Theorem 10"
        words = "The limit weights the whole curve, and the top has the largest weight."
    elif beta == 0.0:
        theorem = "Theorem 8" if binary else "Theorem 12"
        words = (
            f"The limit is the relevance in the first {depth.share:g} of the list over the most "
            "that is possible there; the order within that part matters less and less, slowly."
        )
    else:
        theorem = "Theorem 9" if binary else "Theorem 13"
        words = (
            f"The limit weights the curve over the first {depth.share:g} of the list, and the top "
            "has the largest weight."
        )
    return TheoremLimit(value, value, theorem, more, f"tends to {value:.6g}. {words}")


SOURCE = (
    "Wang, Wang, Li, He, Liu and Chen, A theoretical analysis of NDCG type ranking measures (2013)"
)
READ_OFF = (
    "The behaviour of the discount or the cut-off at infinity was estimated from finitely many of "
    "its values, which proves nothing."
)


@dataclass(frozen=True, slots=True)
class Limit(TheoremLimit, Plain):
    """The limit of NDCG for one ranker, and the theorem of Wang et al. 2013 that proves it.

    ``value`` is None if NDCG of a single list does not converge. ``expected`` is the limit of the
    mean over many independent lists, which exists in any case. ``tail`` describes the decay of the
    discount.
    """

    discount: str
    cutoff: str
    curve: str
    tail: Tail
    proven: bool
    _json = "value exists expected theorem assumptions words discount cutoff curve tail proven"
    _cites = ("The limit of NDCG", "wang2013")

    @property
    def exists(self) -> bool:
        return self.value is not None

    @property
    def measure(self) -> str:
        return f"NDCG{'@' + self.cutoff if self.cutoff else ''} with {self.discount}"

    __repr__ = one_line

    @property
    def mark(self) -> str:
        if self.proven:
            return ""
        return f"; {'cut-off' if self.tail.proven else 'tail'} read off values, not proven"

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.measure}: no limit ({self.theorem}{self.mark})"
        return f"{self.measure} → {self.value:.6f} ({self.theorem}{self.mark})"

    def explain(self) -> str:
        """Return the limit in words, with all assumptions."""
        text = f"{self.measure} of {self.curve}: {self.words}"
        if not self.proven:
            text += f" {READ_OFF}"
        return f"{text} Assumed: {'; '.join(self.assumptions)}. Source: {SOURCE}, {self.theorem}."

    def to_dict(self) -> dict[str, Any]:
        return Plain.to_dict(self) | {"tail": written(self.tail, "kind index")}


def limit(
    discount: Any, curve: Any, k: Any = None, levels: Mapping[float, float] | None = None
) -> Limit:
    """Return the limit of NDCG with this discount and cut-off for a ranker's relevance curve.

    ``discount`` is anything that `rs.ndcg` accepts. ``curve`` is one of ``curves``, a function of
    s, or a constant. ``k`` is None, ``rs.discounts.frac(c)``, "o(n)" for a cut-off that grows more
    slowly than the list, a fixed number, or a function of n. ``levels`` contains the shares of
    grades other than 0 and 1 for a curve that is only a function.

    Reference: Wang et al. 2013, Theorems 1, 3 and 5 to 13.

    >>> import rocsolid as rs
    >>> from rocsolid.theory.asymptotics import curves, limit
    >>> curve = curves.linear(0.1, 0.6)
    >>> print(limit("log2", curve))
    NDCG with log2 → 1.000000 (Theorem 1)
    >>> print(limit(rs.discounts.power(0.5), curve))
    NDCG with power(0.5) → 0.732467 (Theorem 3)
    >>> print(limit("log2", curve, k=rs.discounts.frac(0.2)))
    NDCG@frac(0.2) with log2 → 0.550000 (Theorem 8)
    >>> print(limit(rs.discounts.exponential(2), curve))
    NDCG with exponential(2): no limit (Theorem 6)
    """
    weighting, relevance, depth = as_discount(discount), as_curve(curve, levels), as_depth(k)
    tail = classify(weighting)
    if depth.kind == "whole" and is_constant(weighting):
        finding = EVERY_ORDER
    else:
        finding = find(tail, relevance, depth, is_named(weighting))
    estimated = (_ESTIMATED,) if relevance.estimated else ()
    return Limit(
        finding.value,
        finding.expected,
        finding.theorem,
        (*_POPULATION, *estimated, *finding.assumptions),
        finding.words,
        weighting.name,
        depth.name,
        relevance.name,
        tail,
        tail.proven and depth.proven,
    )


def is_named(discount: Discount) -> bool:
    """Return whether D is exactly r^−β or 1/log(1+r), for which the theorems are stated."""
    return isinstance(discount, Logarithm | PowerDiscount)
