"""Rows are known again by their hashes, and repeats are judged by an exact test."""

from __future__ import annotations

import pickle
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binom

import rocsolid as rs
from rocsolid.certificates.repeats import (
    LEVEL,
    RowHashes,
    remember_rows,
    remembered,
    repeated_rows,
    repeats,
    row_hashes,
)

SMALL = arrays(np.float64, st.tuples(st.integers(1, 12), st.integers(1, 3)),
               elements=st.sampled_from([0.0, -0.0, 1.0, 2.0, -1.0, np.nan, np.inf]))  # fmt: skip


def plain(row: np.ndarray) -> tuple[str, ...]:
    return tuple(str(float(v) + 0.0) for v in row)


@given(SMALL)
def test_rows_are_equal_exactly_if_their_hashes_are(X: np.ndarray) -> None:
    keys = [plain(row) for row in X]
    hashes = row_hashes(X).tolist()
    assert len(set(keys)) == len(set(hashes)) == len(set(zip(keys, hashes, strict=True)))


def test_a_table_is_the_same_whatever_holds_it() -> None:
    X = np.array([[1.0, 0.0, 3.0], [0.0, 0.0, 0.0], [-1.0, 2.0, 0.0], [1.0, 0.0, 3.0]])
    expected = row_hashes(X)
    names = ["a", "b", "c"]
    by_name = {name: X[:, i] for i, name in enumerate(names)}
    same = [
        X.astype(np.float32), X.astype(np.int8), X.tolist(), np.asfortranarray(X),
        scipy.sparse.csr_array(X), scipy.sparse.coo_matrix(X), scipy.sparse.csc_array(X),
        pd.DataFrame(X, columns=names), pl.DataFrame(by_name), pa.table(by_name),
        X.astype(object), X.reshape(4, 1, 3),
    ]  # fmt: skip
    for other in same:
        assert np.array_equal(row_hashes(other), expected)
    stored_zero = scipy.sparse.csr_array(X)
    stored_zero.data[0] = 0.0
    assert row_hashes(stored_zero)[0] == row_hashes(stored_zero.toarray())[0]
    assert row_hashes(X[:, [1, 0, 2]])[0] != expected[0]
    labelled = row_hashes(X, np.array([0.0, 1.0, 0.0, 1.0]))
    assert labelled[0] == expected[0]  # a zero adds nothing
    assert labelled[3] != labelled[0]


def test_text_and_missing_values_have_hashes_too() -> None:
    frame = pd.DataFrame({"city": ["Rome", "Bonn", "Rome", None], "n": [1, 2, 1, None]})
    found = row_hashes(frame).tolist()
    assert found[0] == found[2]
    assert len(set(found)) == 3
    assert row_hashes(["Rome", "Bonn"])[0] == row_hashes(np.array(["Rome"]))[0]
    with pytest.raises(rs.InputError, match="has no rows"):
        row_hashes(np.empty((0, 3)))
    with pytest.raises(rs.InputError, match="X has 4 rows and y has 2"):
        row_hashes(frame, np.zeros(2))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20),
       st.lists(st.integers(0, 5), min_size=1, max_size=20))  # fmt: skip
def test_matches_are_the_intersection_of_multisets(fitted: list[int], new: list[int]) -> None:
    found = repeats(np.array(fitted, dtype=np.uint64), np.array(new, dtype=np.uint64))
    assert found.matched == (Counter(fitted) & Counter(new)).total()
    assert found.positions.tolist() == [i for i, v in enumerate(new) if v in set(fitted)]
    if not found.matched:
        assert found.by_chance


@pytest.mark.slow
def test_honest_splits_of_discrete_rows_are_refused_once_in_300() -> None:
    """A method that is wrong with probability 1/300 exceeds this count once in 10⁶."""
    trials, refused = 600, 0
    for i in range(trials):
        rng = np.random.default_rng([7, i])
        rows = row_hashes(rng.integers(0, 4, size=(120, 3)))
        refused += not repeats(rows[:60], rows[60:]).by_chance
    assert refused <= binom.isf(1e-6, trials, LEVEL)
    assert 3 * LEVEL <= 0.01  # three roundings


@pytest.mark.parametrize("share", [0.3, 1.0])
def test_copies_of_discrete_rows_are_found(share: float) -> None:
    rng = np.random.default_rng(3)
    rows = row_hashes(rng.integers(0, 5, size=(900, 4)))
    copied = rows[: int(share * 500)]
    new = np.concatenate([copied, rows[500 : 1000 - len(copied)]])
    assert not repeats(rows[:500], new).by_chance
    # so few values that every row is there many times: the counts still give it away
    few = row_hashes(rng.integers(0, 2, size=(500, 2)))
    assert not repeats(few, few).by_chance


def test_many_repeated_rows_are_judged_by_a_part_of_them() -> None:
    rows = np.repeat(np.arange(120_000, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15), 2)
    assert not repeats(rows[::2], rows[1::2]).by_chance
    random = np.random.default_rng(0).permutation(rows)
    assert repeats(random[:120_000], random[120_000:]).by_chance


def test_memory_survives_a_pickle_and_looks_through_wrappers() -> None:
    X = np.arange(6.0).reshape(3, 2)
    scorer = SimpleNamespace()
    assert remembered(scorer, X) is None
    remember_rows(scorer, X)
    fitted, new = remembered(pickle.loads(pickle.dumps(scorer)), X[1:])  # type: ignore[misc]
    assert set(new.exact.tolist()) < set(fitted.exact.tolist())
    assert remembered(SimpleNamespace(best_estimator_=scorer), X) is not None
    assert remembered(SimpleNamespace(steps=[("a", None), ("b", SimpleNamespace())]), X) is None


@pytest.mark.parametrize("copy", ["float32", "six digits", "sparse float32"])
def test_copies_with_fewer_digits_are_the_same_rows(copy: str) -> None:
    X = np.random.default_rng(1).normal(size=(400, 6))
    less: object = X.astype(np.float32)
    if copy == "six digits":
        less = np.array([[float(f"{cell:.6g}") for cell in row] for row in X])
    elif copy == "sparse float32":
        less = scipy.sparse.csr_array(X.astype(np.float32))
    found = repeated_rows(RowHashes.of(X), RowHashes.of(less))
    assert found.rounded
    # a row is lost where a cell lies near an edge of the rounding: few with float32
    assert found.matched >= (300 if copy == "six digits" else 380)
    assert not found.by_chance
    assert not repeated_rows(RowHashes.of(X), RowHashes.of(X)).rounded


TO_FEW_DIGITS = {
    "float16": lambda X: X.astype(np.float16),
    "three digits": lambda X: np.array([[float(f"{cell:.3g}") for cell in row] for row in X]),
    "three decimals": lambda X: X.round(3),
    "two decimals": lambda X: X.round(2),
    "bfloat16": lambda X: (X.astype(np.float32).view(np.uint32) & 0xFFFF0000).view(np.float32),
    "sparse": lambda X: scipy.sparse.csr_array(X.astype(np.float16).astype(float)),
}


@pytest.mark.parametrize("copy", TO_FEW_DIGITS)
@pytest.mark.parametrize("columns", [2, 8, 200])
def test_copies_in_half_precision_and_with_a_few_digits_are_the_same_rows(
    copy: str, columns: int
) -> None:
    rows = np.random.default_rng(1).normal(size=(800, columns))
    fitted = RowHashes.of(rows[:400], coarse=True)
    found = repeated_rows(fitted, RowHashes.of(TO_FEW_DIGITS[copy](rows[:400]), coarse=True))
    assert not found.by_chance
    new = repeated_rows(fitted, RowHashes.of(TO_FEW_DIGITS[copy](rows[400:]), coarse=True))
    assert new.by_chance
    assert new.coarsest == "two digits"


def test_two_digits_are_the_same_for_a_copy_across_a_power_of_ten() -> None:
    """.0996 and its copy .100 have another exponent."""
    X = np.array([[0.0996], [0.9999], [99.7], [1e-300], [0.0], [-0.0996], [np.nan], [np.inf]])
    copy = np.array([[0.1], [1.0], [100.0], [1e-300], [-0.0], [-0.1], [np.nan], [np.inf]])
    assert np.array_equal(
        RowHashes.of(X, coarse=True).coarse, RowHashes.of(copy, coarse=True).coarse
    )


def test_two_digits_across_every_power_of_ten() -> None:
    powers = 10.0 ** np.arange(-60, 60)
    one, other = (RowHashes.of(x * powers, coarse=True).coarse for x in (9.96, 10.0))
    assert np.mean(one == other) > 0.95  # 10·10^k itself may be a step from a power of ten


def test_what_a_learner_remembers_has_no_coarse_numbers() -> None:
    """Two digits of two features can be guessed; those of 16 bits cannot."""
    scorer = SimpleNamespace()
    X = np.random.default_rng(0).normal(size=(20, 2))
    remember_rows(scorer, X)
    fitted, rows = remembered(scorer, X)  # type: ignore[misc]
    assert fitted.coarse is None
    assert repeated_rows(fitted, rows).coarsest in {"", "16 bits"}


@pytest.mark.slow
def test_rows_that_are_new_are_refused_once_in_100_though_rounding_makes_some_alike() -> None:
    """A single continuous feature: of 300 rows against 300 one or two agree in 16 bits, and nearly
    all in two digits."""
    trials, refused, alike = 250, 0, 0
    for i in range(trials):
        rows = np.random.default_rng([8, i]).normal(size=600)
        parts = (RowHashes.of(part, coarse=True) for part in (rows[:300], rows[300:]))
        found = repeated_rows(*parts)
        refused += not found.by_chance
        alike += found.matched > 0
    assert alike > 100
    assert refused <= binom.isf(1e-6, trials, 3 * LEVEL)
