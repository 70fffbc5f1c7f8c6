"""The data of two rankers as lists that can be sampled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.discounts import Discount
from rocsolid.discounts.cutoff import Cutoff
from rocsolid.discounts.formulas import ExponentialDiscount, Logarithm, PowerDiscount
from rocsolid.errors import InputError
from rocsolid.gains import Gain
from rocsolid.inputs.graded_rows import graded_rows
from rocsolid.theory.asymptotics.distinguishing.compared_list import ComparedList


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


@dataclass(frozen=True, slots=True, eq=False)
class TwoRankers:
    """The queries that have a relevant item, and how many have none.

    An item that nobody judged gains nothing, and stays in the lists.
    """

    names: tuple[str, str]
    lists: tuple[ComparedList, ...]
    left_out: int
    grades: tuple[float, ...]

    @classmethod
    def of(cls, relevance: Any, scores: Mapping[str, Any], qid: Any, gain: Gain) -> TwoRankers:
        if not isinstance(scores, Mapping) or len(scores) != 2:
            raise InputError(
                "exactly two rankers are compared, each under its name",
                where="scores",
                value=list(scores) if isinstance(scores, Mapping) else scores,
                fix='pass {"a": scores of a, "b": scores of b}; of more, take two at a time',
            )
        rows = [graded_rows(relevance, score, qid=qid) for score in scores.values()]
        grade = rows[0].relevance
        known = ~np.isnan(grade)
        gains = np.zeros(len(grade))
        gains[known] = gain(grade[known])
        lists = []
        for begin, end in zip(rows[0].offsets[:-1], rows[0].offsets[1:], strict=True):
            part = slice(int(begin), int(end))
            if np.any(gains[part] > 0.0):
                lists.append(ComparedList.of([one.score[part] for one in rows], gains[part]))
        if not lists:
            raise InputError("no item is relevant, so NDCG divides by zero", where="relevance")
        a, b = (str(name) for name in scores)
        grades = tuple(np.unique(grade[known]).tolist())
        return cls((a, b), tuple(lists), len(rows[0].qids) - len(lists), grades)

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.array([one.size for one in self.lists])


def asked_sizes(sizes: Iterable[int], longest: int) -> tuple[int, ...]:
    """The sizes in ascending order, none longer than the longest list.

    >>> asked_sizes([50, 20], 100)
    (20, 50)
    """
    found = tuple(sorted({whole(n, "sizes") for n in sizes}))
    if not found:
        raise InputError("give at least one size", where="sizes")
    if found[-1] > longest:
        raise InputError(
            f"no list has more than {longest:,} items", where="sizes", value=found[-1],
            fix="ask for smaller samples; what larger lists would show, predicted_gap estimates",
        )  # fmt: skip
    return found
