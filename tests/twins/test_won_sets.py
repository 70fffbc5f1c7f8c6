"""The chance that random disjoint sets are all won, against every choice of sets, as fractions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rocsolid.intervals.guarantees import won_sets as module
from rocsolid.intervals.guarantees.won_sets import counts_of, share_won, won_sets
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.score_counts import ScoreCounts

SCALE = 2.5


def table_of(pos: list[int], neg: list[int]) -> ScoreCounts:
    return counts_of(SortedClasses(np.sort(pos), np.sort(neg)))


def all_won(pos: list[int], neg: list[int], q: int, j: int, *, of_negatives: bool) -> Fraction:
    """The mean over every choice of j sets one after another, each tie a random order."""
    total, count = Fraction(0), 0
    for rows in itertools.permutations(pos, j):
        for columns in itertools.permutations(neg, q * j):
            chance = Fraction(1)
            for place, x in enumerate(rows):
                ys = columns[q * place : q * place + q]
                highest = Fraction(max(ys) <= x, 1 + sum(y == x for y in ys))
                chance *= 1 - highest if of_negatives else highest
            total, count = total + chance, count + 1
    return total / count


def by_orders(table: ScoreCounts, q: int, most: int, *, of_negatives: bool) -> list[Fraction]:
    """j!·P_j by the recursion in whole numbers, a mean over all orders of tied rows."""
    m, n, states = (
        int(table.pos.sum()),
        int(table.neg.sum()),
        {(0, 0): [Fraction(1)] + [Fraction(0)] * most},
    )
    for pos, neg in zip(table.pos.tolist(), table.neg.tolist(), strict=True):
        entered = {key: list(ways) for key, ways in states.items()}
        ((p0, c0),) = entered
        for step in range(pos + neg):
            moved: dict[tuple[int, int], list[Fraction]] = {}
            for (p, c), ways in entered.items():
                for is_pos in (True, False):
                    left = pos - (p - p0) if is_pos else neg - (c - c0)
                    if not left:
                        continue
                    new = list(ways)
                    if is_pos != of_negatives:
                        for j in range(most, 0, -1):
                            free = c - q * (j - 1)
                            sets = math.comb(free, q - of_negatives) if free >= 0 else 0
                            sets *= p - (j - 1) if of_negatives else 1
                            new[j] += max(sets, 0) * ways[j - 1]
                    key, chance = (p + is_pos, c + (not is_pos)), Fraction(left, pos + neg - step)
                    old = moved.setdefault(key, [Fraction(0)] * (most + 1))
                    moved[key] = [a + chance * b for a, b in zip(old, new, strict=True)]
            entered = moved
        states = entered
    (found,) = states.values()
    ways = [math.prod((m - t) * math.comb(n - q * t, q) for t in range(j)) for j in range(most + 1)]
    return [math.factorial(j) * found[j] / ways[j] for j in range(most + 1)]


def chances(table: ScoreCounts, q: int, most: int, *, of_negatives: bool) -> NDArray[np.float64]:
    found, log_factor = won_sets(table, q, of_negatives=of_negatives, most=most, scale=SCALE)
    j = np.arange(most + 1.0)
    factorials = np.array([math.factorial(i) for i in range(most + 1)], dtype=float)
    return np.asarray(found * np.exp(log_factor - j * math.log(SCALE)) * factorials)


@st.composite
def rows(draw: st.DrawFn) -> tuple[list[int], list[int], int]:
    q = draw(st.integers(2, 3))
    score = st.integers(0, draw(st.sampled_from([1, 2, 9])))
    pos = draw(st.lists(score, min_size=1, max_size=3))
    return pos, draw(st.lists(score, min_size=q, max_size=6)), q


@given(rows(), st.booleans())
def test_the_chances_are_counted(
    given_rows: tuple[list[int], list[int], int], of_negatives: bool
) -> None:
    pos, neg, q = given_rows
    table, most = table_of(pos, neg), min(len(pos), len(neg) // q, 2)
    counted = [all_won(pos, neg, q, j, of_negatives=of_negatives) for j in range(most + 1)]
    assert by_orders(table, q, most, of_negatives=of_negatives) == counted
    found = chances(table, q, most, of_negatives=of_negatives)
    assert found == pytest.approx([float(chance) for chance in counted], rel=1e-12, abs=1e-300)
    assert share_won(table, q) == pytest.approx(
        float(1 - counted[1] if of_negatives else counted[1]), abs=1e-13
    )


@pytest.mark.parametrize("of_negatives", [False, True])
@pytest.mark.parametrize(
    ("m", "n", "q", "grades"), [(12, 30, 2, 4), (20, 22, 2, 50), (9, 40, 4, 3), (3, 70, 2, 10**6)]
)
def test_many_sets_are_those_of_fractions(
    m: int, n: int, q: int, grades: int, of_negatives: bool
) -> None:
    rng = np.random.default_rng([m, n, q])
    table = table_of(
        np.floor(grades * rng.beta(2, 1, m)).tolist(), np.floor(grades * rng.random(n)).tolist()
    )
    most = min(m, n // q)
    seen = [float(x) for x in by_orders(table, q, most, of_negatives=of_negatives)]
    found = chances(table, q, most, of_negatives=of_negatives)
    assert found == pytest.approx(seen, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("of_negatives", [False, True])
@pytest.mark.parametrize("q", [2, 3, 5])
def test_average_orders_make_no_chance_larger(
    q: int, of_negatives: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor any without ties; and the mean of one set is kept but for what is rounded down."""
    rng = np.random.default_rng(q)
    for grades in (2, 4, 12, 10**6):
        table = table_of(
            np.floor(grades * rng.beta(2, 1, 14)).tolist(),
            np.floor(grades * rng.random(33)).tolist(),
        )
        exact = chances(table, q, min(14, 33 // q), of_negatives=of_negatives)
        with monkeypatch.context() as patch:
            patch.setattr(module, "MOST_WORK", 0)
            found = chances(table, q, min(14, 33 // q), of_negatives=of_negatives)
        assert (found <= exact * (1 + 1e-12)).all()
        assert found[1] > 0.85 * exact[1]
        if grades == 10**6:
            assert found == pytest.approx(exact, rel=1e-12)
        else:
            assert (found[1:] < exact[1:]).any()


def test_rarer_orders_and_small_values_only_lower(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    table = table_of(
        np.round(rng.normal(1, 1, 60)).tolist(), np.round(rng.normal(0, 1, 80)).tolist()
    )
    for of_negatives in (False, True):
        exact = chances(table, 2, 12, of_negatives=of_negatives)
        with monkeypatch.context() as patch:
            patch.setattr(module, "_LEAST", 1e-3)
            found = chances(table, 2, 12, of_negatives=of_negatives)
        assert (found <= exact * (1 + 1e-12)).all()
        assert found[-1] > 0.9 * exact[-1]
