"""The law of the pairs won in a random matching, against matchings one by one and rook numbers."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from rocsolid.intervals.guarantees.won_pairs import laws_of, won_pairs
from rocsolid.summaries.binary_summary import Board
from rocsolid.summaries.placements import SortedClasses


def board_of(pos: NDArray, neg: NDArray) -> Board:
    board = Board.of(SortedClasses(np.sort(pos), np.sort(neg)), most=10**6)
    assert board is not None
    return board


def counted(board: Board) -> list[Fraction]:
    """Over every matching, with a coin for each tied pair."""
    k = len(board.below)
    law = [Fraction(0)] * (k + 1)
    for columns in itertools.permutations(range(board.columns), k):
        each = [Fraction(1)]
        for row, column in enumerate(columns):
            won = Fraction(int(column < board.below[row]))
            if board.below[row] <= column < board.below[row] + board.tied[row]:
                won = Fraction(1, 2)
            each = [
                (each[w] * (1 - won) if w < len(each) else 0) + (each[w - 1] * won if w else 0)
                for w in range(len(each) + 1)
            ]
        law = [a + b for a, b in zip(law, each, strict=True)]
    return [chance / math.perm(board.columns, k) for chance in law]


def by_rooks(board: Board) -> list[Fraction]:
    """E C(W, r) from rook numbers, and the law from these by inclusion and exclusion."""
    k, n = len(board.below), board.columns
    rooks = [Fraction(1)] + [Fraction(0)] * k
    for (c, d), rows in itertools.groupby(zip(board.below.tolist(), board.tied.tolist())):  # noqa: B905
        g, new = len(list(rows)), [Fraction(0)] * (k + 1)
        for r, j in itertools.product(range(k + 1), range(g + 1)):
            if r + j <= k and rooks[r]:
                placed = sum(
                    math.comb(j, h) * Fraction(math.perm(d, h), 2**h) * math.perm(c - r, j - h)
                    for h in range(j + 1)
                    if c - r >= j - h or h == j
                )
                new[r + j] += rooks[r] * math.comb(g, j) * placed
        rooks = new
    moments = [rooks[r] / math.perm(n, r) for r in range(k + 1)]
    return [
        sum((-1) ** (r - w) * math.comb(r, w) * moments[r] for r in range(w, k + 1))
        for w in range(k + 1)
    ]


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 3), (2, 2), (3, 2), (2, 4), (3, 3), (4, 3)])
def test_the_law_is_counted(m: int, n: int) -> None:
    for scores in itertools.product(range(3), repeat=m + n):
        pos, neg = np.array(scores[:m]), np.array(scores[m:])
        if (np.diff(pos) >= 0).all() and (np.diff(neg) >= 0).all():
            board = board_of(pos, neg)
            law = won_pairs(board)
            assert (law >= 0).all()
            assert law == pytest.approx([float(x) for x in counted(board)], rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("levels", [2, 5, 12, 10**6])
@pytest.mark.parametrize(("m", "n"), [(5, 5), (12, 12), (9, 30), (25, 13), (24, 24)])
def test_the_law_is_that_of_rook_numbers(m: int, n: int, levels: int) -> None:
    """Tails to 12 digits, however small: nothing is subtracted."""
    rng = np.random.default_rng([m, n, levels])
    for shift in (-0.3, 0.0, 0.4, 0.9):
        pos = np.floor(levels * (rng.random(m) + shift))
        board = board_of(pos, np.floor(levels * rng.random(n)))
        exact = by_rooks(board)
        assert sum(exact) == 1
        found = won_pairs(board)
        seen = np.array([float(x) for x in exact])
        above = seen > 1e-20
        assert found[above] == pytest.approx(seen[above], rel=1e-11)
        assert (found[~above] <= seen[~above] * (1 + 1e-11)).all()


@pytest.mark.parametrize(
    ("m", "n", "step"), [(700, 700, 0), (300, 4000, 0), (900, 500, 0.4), (2000, 5000, 0.02)]
)
def test_mean_and_sum_of_large_laws(m: int, n: int, step: float) -> None:
    rng = np.random.default_rng(3)
    pos, neg = rng.normal(1, 1, m), rng.normal(0, 1, n)
    if step:
        pos, neg = np.round(pos / step), np.round(neg / step)
    board = board_of(pos, neg)
    law = won_pairs(board)
    k = len(board.below)
    assert law.sum() == pytest.approx(1, abs=1e-12)
    mean = board.doubled_wins / 2 / board.columns
    assert law @ np.arange(k + 1) == pytest.approx(mean, rel=1e-12)
    lost = board.columns - board.below - board.tied
    other = won_pairs(Board(lost[::-1], board.tied[::-1], board.columns))
    assert other[::-1] == pytest.approx(law, rel=1e-8, abs=1e-24)


def test_shared_factors_change_no_bit() -> None:
    """Boards that differ in the ties of their last rows, of their first ones, or not at all."""
    rng = np.random.default_rng(5)
    below = np.sort(rng.integers(0, 60, 70))
    others = [np.where(below == chosen, 0, below) for chosen in (below[-1], below[0], -1)]
    boards = [Board(np.sort(each), np.where(each % 3, 0, 9), 80) for each in (below, *others)]
    for some in (boards, boards[:2], boards[::2], [boards[0], boards[3]]):
        for law, board in zip(laws_of(some), some, strict=True):
            assert (law == won_pairs(board)).all()


def test_dropped_ends_make_tails_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    board = board_of(np.round(3 * rng.normal(1, 1, 200)), np.round(3 * rng.normal(0, 1, 260)))
    tails = [np.cumsum(won_pairs(board)[::-1])]
    monkeypatch.setattr("rocsolid.intervals.guarantees.won_pairs._LEAST", 1e-6)
    tails.append(np.cumsum(won_pairs(board)[::-1]))
    assert (tails[1] <= tails[0] * (1 + 1e-12)).all()
    assert tails[1][-1] > 1 - 1e-3
