"""Each measure against its textbook loop, averaged over every order of tied documents."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from tie_orders import MISSING, orders

NAN = float("nan")
# a list as the loops below read it: grades in order (None: not judged), and the whole query's
List = list[int | None]


def relevant(grades: List) -> list[int]:
    return [int(grade is not None and grade >= 1) for grade in grades]


def precision(found: List, _query: List, k: int) -> Fraction:
    return Fraction(sum(relevant(found)[:k]), k)


def recall(found: List, query: List, k: int) -> Fraction:
    return Fraction(sum(relevant(found)[:k]), sum(relevant(query)))


def r_precision(found: List, query: List, _k: int) -> Fraction:
    many = sum(relevant(query))
    return Fraction(sum(relevant(found)[:many]), many)


def success(found: List, _query: List, k: int) -> Fraction:
    return Fraction(int(any(relevant(found)[:k])))


def reciprocal_rank(found: List, _query: List, k: int) -> Fraction:
    for rank, one in enumerate(relevant(found)[:k], start=1):
        if one:
            return Fraction(1, rank)
    return Fraction(0)


def average_precision(found: List, query: List, k: int) -> Fraction:
    total, hits = Fraction(0), 0
    for rank, one in enumerate(relevant(found)[:k], start=1):
        hits += one
        total += Fraction(one * hits, rank)
    return total / sum(relevant(query))


def err(found: List, _query: List, k: int) -> Fraction:
    total, still = Fraction(0), Fraction(1)
    for rank, grade in enumerate(found[:k], start=1):
        stop = Fraction(2 ** (grade or 0) - 1, 8)
        total += still * stop / rank
        still *= 1 - stop
    return total


def rbp(found: List, _query: List, _k: int) -> Fraction:
    p = Fraction(3, 4)
    return sum(((1 - p) * p**i * one for i, one in enumerate(relevant(found))), Fraction(0))


def residual(found: List, _query: List, _k: int) -> Fraction:
    p = Fraction(3, 4)
    unknown = [int(grade is None) for grade in found]
    return p ** len(found) + sum(
        ((1 - p) * p**i * one for i, one in enumerate(unknown)), Fraction(0)
    )


def bpref(found: List, query: List, _k: int) -> Fraction:
    many = sum(relevant(query))
    bound = min(many, sum(grade == 0 for grade in query))
    total, above = Fraction(0), 0
    for grade in found:
        if grade is not None and grade >= 1:
            total += 1 - (Fraction(min(above, many), bound) if bound else 0)
        above += grade == 0
    return total / many


def grouped_auc(found: List, _query: List, _k: int) -> Fraction:
    hits = relevant(found)
    pairs = sum(hits) * (len(hits) - sum(hits))
    won = sum(a > b for i, a in enumerate(hits) for b in hits[i + 1 :])
    return Fraction(won, pairs) if pairs else Fraction(-1)


MEASURES: dict[str, tuple[Callable[[List, List, int], Fraction], Callable[..., object]]] = {
    "precision": (precision, lambda y, s, k: rs.precision(y, s, k=k)),
    "recall": (recall, lambda y, s, k: rs.recall(y, s, k=k)),
    "r_precision": (r_precision, lambda y, s, _k: rs.r_precision(y, s)),
    "success": (success, lambda y, s, k: rs.success(y, s, k=k)),
    "reciprocal_rank": (reciprocal_rank, lambda y, s, k: rs.reciprocal_rank(y, s, k=k)),
    "average_precision": (average_precision, lambda y, s, k: rs.average_precision(y, s, k=k)),
    "err": (err, lambda y, s, k: rs.err(y, s, k=k, max_grade=3)),
    "rbp": (rbp, lambda y, s, _k: rs.rbp(y, s, p=0.75)),
    "bpref": (bpref, lambda y, s, _k: rs.bpref(y, s)),
    "grouped_auc": (grouped_auc, lambda y, s, _k: rs.grouped_auc(y, s)),
}

documents = st.tuples(
    st.sampled_from([NAN, 0.0, 0.0, 1.0, 2.0, 3.0]), st.sampled_from([MISSING, 0.0, 1.0, 1.0, 2.0])
)
queries = st.lists(documents, min_size=1, max_size=7).filter(
    lambda rows: any(y >= 1 for y, _ in rows)
)


def lists_of(rows: list[tuple[float, float]]) -> list[List]:
    """The grades in every order of the list that its scores allow."""
    grades: List = [None if math.isnan(y) else int(y) for y, _ in rows]
    return [[grades[at] for at in order] for order in orders([s for _, s in rows])]


@pytest.mark.parametrize("name", MEASURES)
@given(rows=queries, k=st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_every_order_of_ties(name: str, rows: list[tuple[float, float]], k: int) -> None:
    loop, fast = MEASURES[name]
    y, s = (list(column) for column in zip(*rows, strict=True))
    query: List = [None if math.isnan(grade) else int(grade) for grade in y]
    values = [loop(order, query, k) for order in lists_of(rows)]
    mean = sum(values, Fraction(0)) / len(values)
    if mean == -1:  # no pair to order
        with pytest.raises(rs.InputError, match="no query has"):
            fast(y, s, k)
        return
    result = fast(y, s, k)
    assert result.value == pytest.approx(float(mean), abs=1e-12)
    assert result.worst == pytest.approx(float(min(values)), abs=1e-12)
    assert result.best == pytest.approx(float(max(values)), abs=1e-12)
    if name == "rbp":
        rest = [residual(order, query, k) for order in lists_of(rows)]
        expected = float(sum(rest, Fraction(0)) / len(rest))
        assert result.others["RBP(p=0.75) residual"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", MEASURES)
def test_many_queries_at_once_are_each_alone(name: str) -> None:
    rng = np.random.default_rng(5)
    _, fast = MEASURES[name]
    sizes = rng.integers(1, 40, 60)
    parts = [
        (rng.choice([0.0, 0.0, 1.0, 3.0, NAN], n), rng.integers(0, 12, n).astype(float))
        for n in sizes
    ]
    parts = [(y, s) for y, s in parts if (y >= 1).any() and (y == 0).any()]
    together = {
        "precision": lambda y, s, q: rs.precision(y, s, k=5, qid=q),
        "recall": lambda y, s, q: rs.recall(y, s, k=5, qid=q),
        "r_precision": lambda y, s, q: rs.r_precision(y, s, qid=q),
        "success": lambda y, s, q: rs.success(y, s, k=5, qid=q),
        "reciprocal_rank": lambda y, s, q: rs.reciprocal_rank(y, s, k=5, qid=q),
        "average_precision": lambda y, s, q: rs.average_precision(y, s, k=5, qid=q),
        "err": lambda y, s, q: rs.err(y, s, k=5, max_grade=3, qid=q),
        "rbp": lambda y, s, q: rs.rbp(y, s, p=0.75, qid=q),
        "bpref": lambda y, s, q: rs.bpref(y, s, qid=q),
        "grouped_auc": lambda y, s, q: rs.grouped_auc(y, s, qid=q),
    }[name]
    y, s = (np.concatenate(column) for column in zip(*parts, strict=True))
    qid = np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts])
    alone = [float(fast(one, score, 5).value) for one, score in parts]
    assert together(y, s, qid).per_query.tolist() == pytest.approx(alone, abs=1e-12)
