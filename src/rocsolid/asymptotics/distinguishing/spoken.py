"""A measure's name as people say it."""

from __future__ import annotations

from fractions import Fraction

from rocsolid.discounts import Cutoff, Discount
from rocsolid.discounts.exponential import ExponentialDiscount
from rocsolid.discounts.logarithm import Logarithm
from rocsolid.discounts.power import PowerDiscount


def spoken(discount: Discount, cutoff: Cutoff) -> str:
    """The discount as a formula, and where it is cut.

    >>> from rocsolid.discounts import exponential, frac, log2, power
    >>> spoken(log2(), Cutoff()), spoken(power(0.5), frac(0.2)), spoken(exponential(2), Cutoff(10))
    ('1/log(1+r)', 'r^−0.5 at n/5', '2^−r @10')
    """
    return f"{_formula(discount)}{_cut(cutoff)}"


def _formula(discount: Discount) -> str:
    if isinstance(discount, Logarithm):
        return "1/log(1+r)"
    if isinstance(discount, PowerDiscount):
        return "1/r" if discount.beta == 1.0 else f"r^−{discount.beta:g}"
    if isinstance(discount, ExponentialDiscount):
        return f"{discount.base:g}^−r"
    return discount.name


def _cut(cutoff: Cutoff) -> str:
    rule = cutoff.rule
    if rule is None:
        return ""
    if isinstance(rule, Fraction):
        return f" at n/{rule.denominator}" if rule.numerator == 1 else f" at {float(rule):g}·n"
    return f" @{cutoff.name}"
