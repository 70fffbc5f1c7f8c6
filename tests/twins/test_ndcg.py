"""nDCG and DCG against plain loops over every order of tied documents, in fractions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.discounts.cutoff import as_cutoff
from rocsolid.graded.items import per_query
from rocsolid.graded.ndcg import ndcg_measure
from rocsolid.inputs.graded_rows import graded_rows
from tie_orders import columns, documents, gain, over_orders, queries

Documents = list[tuple[float | None, float]]

# name -> (what rocsolid takes, the plain function of the rank, which Fraction can hold)
DISCOUNTS: dict[str, tuple[Any, Callable[[int], Fraction]]] = {
    "zipf": ("zipf", lambda r: Fraction(1, r)),
    "square": (rs.discounts.power(2), lambda r: Fraction(1, r * r)),
    "halves": (rs.discounts.exponential(2), lambda r: Fraction(1, 2**r)),
    "table": ([3, 3, 1], lambda r: Fraction([3, 3, 1][r - 1] if r <= 3 else 0)),
    "callable": (lambda r: 1 / (r + 10), lambda r: Fraction(1, r + 10)),
    "log2": ("log2", lambda r: Fraction(1 / math.log2(1 + r))),
}


def always(k: int | None) -> Callable[[int], int | None]:
    return lambda _: k


# name -> (what rocsolid takes, the plain cut-off of a list of n documents, None: no cut-off)
CUTOFFS: dict[str, tuple[Any, Callable[[int], int | None]]] = {
    "all": (None, always(None)),
    "1": (1, always(1)),
    "3": (3, always(3)),
    "9": (9, always(9)),
    "half": (rs.discounts.frac(0.5), lambda n: math.ceil(Fraction(1, 2) * n)),
    "root": (math.sqrt, lambda n: math.ceil(math.sqrt(n))),
}


def plain(
    found: Documents,
    discount: Callable[[int], Fraction],
    cutoff: Callable[[int], int | None],
    exponential: bool,
    ideal: str | None,
) -> tuple[Fraction, Fraction, Fraction] | None:
    """The mean over all orders, the worst and the best; ``None`` without a relevant document."""
    gains = [gain(y, exponential) for y, _ in found]
    scores = [s for _, s in found]
    listed = [g for g, s in zip(gains, scores, strict=True) if s != -math.inf]
    last = cutoff(len(listed)) if listed else 1
    last = len(found) if last is None else last

    def dcg(ranked: list[Fraction]) -> Fraction:
        return sum((g * discount(r) for r, g in enumerate(ranked[:last], 1)), Fraction(0))

    most = dcg(sorted(listed if ideal == "retrieved" else gains, reverse=True))
    if ideal is not None and most == 0:
        return None
    if ideal is None:
        most = Fraction(1)
    return over_orders(scores, lambda order: dcg([gains[i] for i in order]) / most)


@settings(max_examples=200)
@given(
    lists=queries,
    discount=st.sampled_from(sorted(DISCOUNTS)),
    cutoff=st.sampled_from(sorted(CUTOFFS)),
    exponential=st.booleans(),
    ideal=st.sampled_from(["judged", "retrieved"]),
)
# a block cut through, a missing query; ideal lists that are longer than the list, cut and whole
@example(lists=[[(1, 0.0), (2, 0.0)], [(1, -math.inf)]], discount="halves", cutoff="1",
         exponential=False, ideal="judged")  # fmt: skip
@example(lists=[[(1, 0.0), (2, -math.inf), (3, -math.inf)]], discount="zipf", cutoff="all",
         exponential=False, ideal="judged")  # fmt: skip
@example(lists=[[(1, 0.0), (2, -math.inf), (3, -math.inf)]], discount="zipf", cutoff="9",
         exponential=True, ideal="judged")  # fmt: skip
@example(lists=[[(1, 0.0), (2, 1.0), (3, -math.inf)]], discount="log2", cutoff="half",
         exponential=False, ideal="retrieved")  # fmt: skip
@example(lists=[[(None, 1.0), (0, 1.0), (2, 1.0)]] * 2, discount="table", cutoff="root",
         exponential=False, ideal="judged")  # fmt: skip
def test_ndcg_is_the_mean_over_all_orders_of_ties(
    lists: list[Documents], discount: str, cutoff: str, exponential: bool, ideal: Any
) -> None:
    by, plain_by = DISCOUNTS[discount]
    k, plain_k = CUTOFFS[cutoff]
    expected = [plain(found, plain_by, plain_k, exponential, ideal) for found in lists]
    table = columns(lists)
    rows = graded_rows(table["relevance"], table["scores"], qid=table["qid"])
    measure = ndcg_measure("exp2" if exponential else "linear", by, as_cutoff(k), ideal)
    (found,), counts = per_query(rows, [measure])
    for q, values in enumerate(expected):
        three = found.value[q], found.worst[q], found.best[q]
        if values is None:
            assert np.isnan(three).all()
        else:
            assert three == pytest.approx([float(v) for v in values], abs=1e-14, rel=1e-13)
    assert counts.length.tolist() == [sum(s != -math.inf for _, s in one) for one in lists]
    assert counts.tied.tolist() == [
        sum(1 for i, (_, s) in enumerate(one) if s != -math.inf
            and any(s == t for j, (_, t) in enumerate(one) if j != i))
        for one in lists
    ]  # fmt: skip


@settings(max_examples=60)
@given(lists=queries, discount=st.sampled_from(sorted(DISCOUNTS)), k=st.sampled_from([1, 3, None]))
def test_dcg_is_the_mean_over_all_orders_of_ties(
    lists: list[Documents], discount: str, k: int | None
) -> None:
    by, plain_by = DISCOUNTS[discount]
    expected = [plain(found, plain_by, always(k), False, None) for found in lists]
    result = rs.dcg(**columns(lists), discount=by, k=k)
    assert all(values is not None for values in expected)
    means = [float(values[0]) for values in expected if values is not None]
    assert result.per_query == pytest.approx(means, abs=1e-14, rel=1e-13)
    assert result.value == pytest.approx(np.mean(means), abs=1e-14, rel=1e-13)
    worst = [float(values[1]) for values in expected if values is not None]
    best = [float(values[2]) for values in expected if values is not None]
    assert (result.worst, result.best) == pytest.approx(
        (np.mean(worst), np.mean(best)), abs=1e-14, rel=1e-13
    )


def key_trec(i: int, docs: list[str], ranks: list[int]) -> Any:
    return tuple(-ord(letter) for letter in docs[i])


def key_rank(i: int, docs: list[str], ranks: list[int]) -> Any:
    return ranks[i]


def key_input(i: int, docs: list[str], ranks: list[int]) -> Any:
    return i


@settings(max_examples=60)
@given(
    found=documents,
    ties=st.sampled_from([("trec", key_trec), ("rank", key_rank), ("input", key_input)]),
    shuffled=st.permutations(range(5)),
)
def test_ties_are_broken_as_asked(found: Documents, ties: Any, shuffled: list[int]) -> None:
    name, key = ties
    docs = [chr(97 + place) * 2 for place in shuffled][: len(found)]
    ranks = [place * 3 for place in shuffled][: len(found)]
    order = sorted(
        (i for i, (_, s) in enumerate(found) if s != -math.inf),
        key=lambda i: (-found[i][1], key(i, docs, ranks)),
    )
    gains = [gain(y) for y, _ in found]
    expected = sum((gains[i] * Fraction(1, r) for r, i in enumerate(order, 1)), Fraction(0))
    table = columns([found])
    result = rs.dcg(**table, discount="zipf", ties=name, doc=docs, rank=ranks)
    assert result.value == pytest.approx(float(expected), abs=1e-14)
    assert result.worst - 1e-14 <= result.value <= result.best + 1e-14
    averaged = rs.dcg(**table, discount="zipf")
    assert (result.worst, result.best, result.tied) == (
        averaged.worst,
        averaged.best,
        averaged.tied,
    )


@settings(max_examples=40)
@given(lists=queries, shuffle=st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_other_queries_matter(
    lists: list[Documents], shuffle: Any
) -> None:
    """To the last bit: comparisons count queries where two systems are equal."""
    table = columns(lists)
    rows = list(zip(*table.values(), strict=True))
    shuffle.shuffle(rows)
    mixed = dict(zip(table, zip(*rows, strict=True), strict=True))
    together = rs.dcg(**table)
    again = rs.dcg(**{name: list(values) for name, values in mixed.items()})
    by_qid = dict(zip(again.qids.tolist(), again.per_query.tolist(), strict=True))
    for q, found in enumerate(lists):
        alone = rs.dcg(**columns([found])).per_query[0]
        assert together.per_query[q] == by_qid[q] == alone


@pytest.mark.parametrize("size", [3, 130, 1000])
def test_long_lists_have_the_same_last_bit_alone_and_together(size: int) -> None:
    rng = np.random.default_rng(size)
    lists = [rng.random(n) for n in (size, size, size - 1, size + size // 4)]
    qid = np.repeat(np.arange(4), [len(one) for one in lists])
    grade = np.concatenate(lists)
    score = np.concatenate([rng.permutation(len(one)) // 2 for one in lists])
    for k in (None, rs.discounts.frac(0.7)):
        together = rs.ndcg(grade, score, qid=qid, k=k).per_query
        for q in range(4):
            mine = qid == q
            assert rs.ndcg(grade[mine], score[mine], k=k).value == together[q]


def test_lists_of_very_different_length_side_by_side() -> None:
    """Short lists share matrices with padding, lists beyond 4,096 documents stand alone."""
    rng = np.random.default_rng(5)
    sizes = [1, 2, 3, 4, 5, 7, 50, 51, 60, 70, 4095, 4096, 4097, 6000]
    qid = np.repeat(np.arange(len(sizes)), sizes)
    grade = rng.integers(0, 4, len(qid))
    score = rng.integers(0, 300, len(qid)).astype(float)
    score[rng.random(len(qid)) < 0.1] = -np.inf
    rows = graded_rows(grade, score, qid=qid)
    measure = ndcg_measure("linear", "log2", as_cutoff(20))
    (found,), counts = per_query(rows, [measure])
    for q in range(len(sizes)):
        y, s = grade[qid == q], score[qid == q]
        listed = s > -np.inf
        ranked, start = 0.0, 0
        discount = np.where(
            np.arange(1, len(s) + 1) <= 20, 1 / np.log2(np.arange(2, len(s) + 2)), 0
        )
        for value in np.unique(s[listed])[::-1]:
            block = y[s == value]
            ranked += block.mean() * discount[start : start + len(block)].sum()
            start += len(block)
        most = (np.sort(y)[::-1] * discount).sum()
        expected = ranked / most if most else np.nan
        assert found.value[q] == pytest.approx(expected, rel=1e-12, nan_ok=True)
        assert counts.length[q] == np.count_nonzero(listed)
