"""What NDCG tends to as the list grows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rocsolid.discounts import Discount
from rocsolid.discounts.discount import Tail
from rocsolid.discounts.formulas import Logarithm, PowerDiscount
from rocsolid.discounts.named import as_discount
from rocsolid.results.plain import Plain, one_line, written
from rocsolid.theory.asymptotics.classify import classify, is_constant
from rocsolid.theory.asymptotics.curves.curve import Curve, as_curve
from rocsolid.theory.asymptotics.depth import as_depth
from rocsolid.theory.asymptotics.theorems import EVERY_ORDER, find

SOURCE = (
    "Wang, Wang, Li, He, Liu and Chen, A theoretical analysis of NDCG type ranking measures (2013)"
)
READ_OFF = (
    "How the discount or the cut-off goes on for ever was read off finitely many of its values, "
    "which proves nothing."
)


@dataclass(frozen=True, slots=True)
class Limit(Plain):
    """The limit of NDCG for one ranker, and the theorem of Wang et al. 2013 that says so.

    ``value`` is None where NDCG of a single list does not settle. ``expected`` is what the mean
    over many independent lists tends to, which exists there too. ``tail`` says how the discount
    falls, and whether that is proven or was read off its values.
    """

    value: float | None
    expected: float
    theorem: str
    assumptions: tuple[str, ...]
    words: str
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
        """The measure's name."""
        return f"NDCG{'@' + self.cutoff if self.cutoff else ''} with {self.discount}"

    __repr__ = one_line

    @property
    def mark(self) -> str:
        """What was read off values, to stand behind the theorem; empty where nothing was."""
        if self.proven:
            return ""
        return f"; {'cut-off' if self.tail.proven else 'tail'} read off values, not proven"

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.measure}: no limit ({self.theorem}{self.mark})"
        return f"{self.measure} → {self.value:.6f} ({self.theorem}{self.mark})"

    def explain(self) -> str:
        """The limit in words, with everything that it rests on."""
        text = f"{self.measure} of {self.curve}: {self.words}"
        if not self.proven:
            text += f" {READ_OFF}"
        return f"{text} Assumed: {'; '.join(self.assumptions)}. Source: {SOURCE}, {self.theorem}."

    def to_dict(self) -> dict[str, Any]:
        return Plain.to_dict(self) | {"tail": written(self.tail, "kind index")}


def limit(
    discount: Any, curve: Any, k: Any = None, levels: Mapping[float, float] | None = None
) -> Limit:
    """The limit of NDCG with this discount and cut-off for a ranker with this relevance curve.

    Wang et al. 2013, Theorems 1, 3 and 5 to 13. ``discount`` is anything that `rs.ndcg` takes;
    ``curve`` one of ``curves``, a function of s, or a constant; ``k`` None,
    ``rs.discounts.frac(c)``, "o(n)" for a cut-off that grows more slowly than the list, a fixed
    number, or a function of n. ``levels`` gives the shares of grades other than 0 and 1 for a curve
    that is only a function.

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
    found, relevance, depth = as_discount(discount), as_curve(curve, levels), as_depth(k)
    tail = classify(found)
    if depth.kind == "whole" and is_constant(found):
        finding = EVERY_ORDER
    else:
        finding = find(tail, relevance, depth, is_named(found))
    return Limit(
        finding.value,
        finding.expected,
        finding.theorem,
        (*_population(relevance), *finding.assumptions),
        finding.words,
        found.name,
        depth.name,
        relevance.name,
        tail,
        tail.proven and depth.proven,
    )


def is_named(discount: Discount) -> bool:
    """Whether D is exactly r^−β or 1/log(1+r), which the theorems are stated for."""
    return isinstance(discount, Logarithm | PowerDiscount)


def _population(curve: Curve) -> tuple[str, ...]:
    words = ("items independent and identically distributed", "scores without ties")
    if curve.estimated:
        return (*words, "the relevance curve was estimated: the limit is no surer than the curve")
    return words
