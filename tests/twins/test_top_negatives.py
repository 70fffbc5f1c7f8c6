"""The pairs won against the top negatives, over every order of tied rows, as fractions."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rocsolid.intervals.guarantees import top_negatives as module
from rocsolid.intervals.guarantees.placements import classes_of

SCORES = st.lists(st.integers(0, 2), min_size=1, max_size=4)


def orders(pos: int, neg: int) -> list[list[bool]]:
    """Every order of so many of each, as whether each is a positive."""
    rows = range(pos + neg)
    return [[row in chosen for row in rows] for chosen in itertools.combinations(rows, pos)]


def counted(pos: list[int], neg: list[int], s: int, r: int) -> list[Fraction]:
    """Over every order of all rows, the negatives of ranks s + 1 to r, and every matching."""
    k = min(len(pos), r - s)
    total, count = [Fraction(0)] * (k + 1), 0
    blocks = [orders(pos.count(score), neg.count(score)) for score in range(3)]
    for order in itertools.product(*blocks):
        line = [kind for block in order for kind in block]
        places = [place for place, kind in enumerate(line) if not kind]
        places = places[len(neg) - r : len(neg) - s]
        ranks = [place for place, kind in enumerate(line) if kind]
        more, fewer = (ranks, places) if len(ranks) > r - s else (places, ranks)
        for chosen in itertools.permutations(more, k):
            won = sum((a > b) == (more is ranks) for a, b in zip(chosen, fewer, strict=True))
            total[won] += 1
            count += 1
    return [each / count for each in total]


@st.composite
def ranked(draw: st.DrawFn) -> tuple[list[int], list[int], int, int]:
    pos, neg = draw(SCORES), draw(SCORES)
    r = draw(st.integers(1, len(neg)))
    return pos, neg, draw(st.integers(0, r - 1)), r


@given(ranked())
@example(([0, 0], [0, 0, 0, 0], 1, 3))  # both ends within one tie
def test_the_law_is_counted(rows: tuple[list[int], list[int], int, int]) -> None:
    pos, neg, s, r = rows
    exact = [float(chance) for chance in counted(pos, neg, s, r)]
    parts = module._parts(classes_of(pos, neg), s, r)
    assert {part.columns for part in parts} == {max(len(pos), r - s)}
    assert sum(part.chance * part.law for part in parts) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize(("s", "r"), [(0, 7), (5, 50), (6, 19), (2, 7)])
def test_parts_move_the_law_downward(s: int, r: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    classes = classes_of(rng.integers(0, 4, 60) + (rng.random(60) < 0.4), rng.integers(0, 4, 50))
    tails = {}
    for count in (1000, 8, 2):
        monkeypatch.setattr(module, "PARTS", count)
        parts = module._parts(classes, s, r)
        law = sum(part.chance * part.law for part in parts)
        assert law.sum() == pytest.approx(1)
        tails[count] = np.cumsum(law[::-1])
        assert all(part.above[0] <= part.above[1] for part in parts)
    for count, finer in ((2, 8), (8, 1000)):
        assert (tails[count] <= tails[finer] + 1e-12).all()
    assert (tails[2] < tails[1000] - 1e-3).any()


def test_one_part_leaves_out_both_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = {least: chance for least, _, chance in module._above(40, 30, 12, 1000)}
    monkeypatch.setattr(module, "MOST_SPLIT", 11)
    ((least, most, chance),) = module._above(40, 30, 12, 1000)
    assert chance == pytest.approx(sum(exact[h] for h in range(least, most + 1)))
    assert 0.99 <= chance < 1
    assert 0 < least < most < 40


@given(st.integers(0, 6), st.integers(1, 6), st.data())
def test_chances_of_the_tied(pos: int, neg: int, data: st.DataObject) -> None:
    inside = data.draw(st.integers(1, neg))
    every = orders(pos, neg)
    seen = [Fraction(0)] * (pos + 1)
    for order in every:  # from the top
        negatives, above = 0, 0
        for kind in order:
            negatives += not kind
            if negatives > inside:
                break
            above += kind
        seen[above] += Fraction(1, len(every))
    found = {least: chance for least, _, chance in module._above(pos, neg, inside, module.PARTS)}
    for h, chance in enumerate(seen):
        assert found.get(h, 0.0) == pytest.approx(float(chance), abs=1e-12)
