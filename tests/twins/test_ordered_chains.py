"""The chains of ordered outcomes against a list of all of them, and against the AUC."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.summaries import ordered_chains
from rocsolid.summaries.ordered_chains import OrderedChains


def listed(
    outcome: np.ndarray, score: np.ndarray, weight: np.ndarray | None = None
) -> tuple[Fraction, list[Fraction]]:
    """The share of right chains, over all rows and through each; t tied rows count 1/t!."""
    each = [1] * len(outcome) if weight is None else weight.tolist()
    kinds = [np.flatnonzero(outcome == kind).tolist() for kind in range(outcome.max() + 1)]
    total, through = Fraction(0), [Fraction(0)] * len(outcome)
    for chain in itertools.product(*kinds):
        values = [int(score[row]) for row in chain]
        if values == sorted(values):
            ties = math.prod(math.factorial(values.count(value)) for value in set(values))
            part = Fraction(math.prod(each[row] for row in chain), ties)
            total += part
            for row in chain:
                through[row] += part / each[row]
    sizes = [sum(each[row] for row in rows) for rows in kinds]
    count = math.prod(sizes)
    return total / count, [
        part * sizes[kind] / count for part, kind in zip(through, outcome.tolist(), strict=True)
    ]


@st.composite
def rows(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    kinds = draw(st.integers(2, 5))
    more = draw(st.lists(st.integers(0, kinds - 1), max_size=6))
    outcome = np.array([*range(kinds), *more])
    score = draw(st.lists(st.integers(0, 5), min_size=len(outcome), max_size=len(outcome)))
    return outcome, np.unique(score, return_inverse=True)[1]


@settings(max_examples=150, deadline=None)
@given(rows())
def test_equal_to_the_list_of_all_chains(drawn: tuple[np.ndarray, np.ndarray]) -> None:
    chains = OrderedChains.of(*drawn)
    value, through = listed(*drawn)
    assert chains.ratio is not None
    assert Fraction(*chains.ratio) == value
    assert chains.through == pytest.approx(np.array(through, dtype=float), abs=1e-13)
    assert chains.value == pytest.approx(float(value), abs=1e-15)


@settings(max_examples=60, deadline=None)
@given(rows(), st.data())
def test_weighted_rows_equal_the_list_of_all_chains(
    drawn: tuple[np.ndarray, np.ndarray], data: st.DataObject
) -> None:
    size = len(drawn[0])
    weight = np.array(data.draw(st.lists(st.integers(1, 5), min_size=size, max_size=size)))
    chains = OrderedChains.of(*drawn, weight.astype(float))
    value, through = listed(*drawn, weight)
    assert chains.ratio is None
    assert chains.value == pytest.approx(float(value), abs=1e-14)
    assert chains.through == pytest.approx(np.array(through, dtype=float), abs=1e-13)


def test_too_many_chains_for_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    outcome = np.arange(60) % 4
    score = np.unique(rng.integers(0, 30, 60), return_inverse=True)[1]
    exact = OrderedChains.of(outcome, score)
    monkeypatch.setattr(ordered_chains, "INT64", 0)
    rounded = OrderedChains.of(outcome, score)
    assert rounded.ratio is None
    assert rounded.value == pytest.approx(exact.value, rel=1e-14)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_two_outcomes_are_the_auc(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = np.arange(40) % 2
    s = rng.integers(0, 9, 40)
    chains = OrderedChains.of(y, np.unique(s, return_inverse=True)[1])
    assert Fraction(*chains.ratio) == rs.auc(y, s).exact  # type: ignore[misc]
