"""Ranked lists the plain way: every order that tied scores leave open, one by one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby, permutations, product
from typing import Any

from hypothesis import strategies as st

MISSING = float("-inf")  # a score that says: judged, but not in the list


def orders(scores: Sequence[float]) -> Iterator[list[int]]:
    """The positions of the listed documents in every order, best score first."""
    found = [i for i, s in enumerate(scores) if s != MISSING]
    found.sort(key=lambda i: -scores[i])
    blocks = [list(block) for _, block in groupby(found, key=lambda i: scores[i])]
    for ways in product(*(permutations(block) for block in blocks)):
        yield [i for way in ways for i in way]


def over_orders(
    scores: Sequence[float], value: Callable[[list[int]], Fraction]
) -> tuple[Fraction, Fraction, Fraction]:
    """The mean, the smallest and the largest value over all orders."""
    values = [value(order) for order in orders(scores)]
    return sum(values, Fraction(0)) / len(values), min(values), max(values)


def gain(grade: float | None, exponential: bool = False) -> Fraction:
    """2^y − 1 or y; nothing for a document that was not judged."""
    if grade is None or math.isnan(grade):
        return Fraction(0)
    return Fraction(2 ** int(grade) - 1 if exponential else int(grade))


# one query: a grade (None: not judged) and a score for each document
documents = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(0, 3)),
        st.sampled_from([0.0, -0.0, 1.0, 2.5, math.inf, MISSING]),
    ),
    min_size=1,
    max_size=5,
)
queries = st.lists(documents, min_size=1, max_size=6)


def columns(lists: Sequence[Sequence[tuple[float | None, float]]]) -> dict[str, list[Any]]:
    """The documents of several queries as columns."""
    rows = [(q, y, s) for q, found in enumerate(lists) for y, s in found]
    return {
        "qid": [q for q, _, _ in rows],
        "relevance": [math.nan if y is None else float(y) for _, y, _ in rows],
        "scores": [s for _, _, s in rows],
    }
