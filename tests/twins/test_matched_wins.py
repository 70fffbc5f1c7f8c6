"""Rook numbers against placements counted one by one, and the limit against its definition."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.matched_wins import Boards, matched_wins
from rocsolid.intervals.guarantees.matchings import matchings, matchings_limits
from rocsolid.summaries.binary_summary import Board
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.ranges.range_placements import RangePlacements
from rocsolid.summaries.score_counts import ScoreCounts

FEW = st.lists(st.integers(0, 4), min_size=1, max_size=5)
MORE = st.lists(st.integers(0, 30) | st.integers(0, 3), min_size=1, max_size=60)


def squares(pos: list[int], neg: list[int]) -> list[list[Fraction]]:
    """φ of each row of the smaller class (the positives at equal sizes) with each of the larger."""
    phi = [[Fraction(2 * (p > q) + (p == q), 2) for q in neg] for p in pos]
    return phi if len(pos) <= len(neg) else [list(column) for column in zip(*phi, strict=True)]


def counted(pos: list[int], neg: list[int]) -> list[Fraction]:
    """M_r by all choices of r rows and of r columns in every order."""
    phi = squares(pos, neg)
    k, n = len(phi), len(phi[0])
    means = []
    for r in range(k + 1):
        products = [
            math.prod((phi[i][j] for i, j in zip(rows, columns, strict=True)), start=Fraction(1))
            for rows in itertools.combinations(range(k), r)
            for columns in itertools.permutations(range(n), r)
        ]
        means.append(sum(products, Fraction(0)) / len(products))
    return means


def falling(x: int, h: int) -> Fraction:
    return Fraction(math.prod(range(x - h + 1, x + 1)))


def by_blocks(pos: list[int], neg: list[int]) -> list[Fraction]:
    """M_r by one step a block of tied rows, as a sum over its rooks on tied and on won squares."""
    phi = squares(pos, neg)
    k, n = len(phi), len(phi[0])
    kinds: dict[tuple[int, int], int] = {}
    for row in phi:
        kind = (sum(one == 1 for one in row), sum(one == Fraction(1, 2) for one in row))
        kinds[kind] = kinds.get(kind, 0) + 1
    rooks = [Fraction(1)] + [Fraction(0)] * k
    # a tie has as many won squares as the rows of the larger class right below it have lost ones
    for (c, d), g in sorted(kinds.items(), key=lambda kind: 2 * kind[0][0] + kind[0][1]):
        after = [Fraction(0)] * (k + 1)
        for r, old in enumerate(rooks):
            for j in range(min(g, k - r) + 1):
                ways = sum(
                    math.comb(j, h) * falling(d, h) * falling(c - r, j - h) / Fraction(2**h)
                    for h in range(j + 1)
                )
                after[r + j] += old * math.comb(g, j) * ways
        rooks = after
    return [rooks[r] / falling(n, r) / math.comb(k, r) for r in range(k + 1)]


def board(pos: list[int], neg: list[int]) -> Board:
    found = Board.of(SortedClasses(np.sort(pos), np.sort(neg)))
    assert found is not None
    return found


def means(boards: Boards) -> np.ndarray:
    lines = len(boards.rows)
    return matched_wins(boards, np.ones(lines), int(boards.rows.max()))


@settings(max_examples=150)
@given(FEW, FEW)
def test_rook_numbers_are_those_counted(pos: list[int], neg: list[int]) -> None:
    exact = counted(pos, neg)
    assert by_blocks(pos, neg) == exact
    found = means(Boards.of([board(pos, neg)]))[0]
    assert found == pytest.approx([float(m) for m in exact], rel=1e-14, abs=0)


@settings(max_examples=60)
@given(MORE, MORE)
def test_larger_boards_and_their_mirror_image(pos: list[int], neg: list[int]) -> None:
    found = means(Boards.of([board(pos, neg)]).with_mirrored)
    lost = by_blocks([-score for score in pos], [-score for score in neg])
    for line, exact in zip(found, (by_blocks(pos, neg), lost), strict=True):
        # underflow aside
        assert line == pytest.approx([float(m) for m in exact], rel=1e-12, abs=1e-300)


@settings(max_examples=40)
@given(st.lists(st.tuples(MORE, MORE), min_size=2, max_size=4))
def test_boards_side_by_side_are_as_if_alone(pairs: list[tuple[list[int], list[int]]]) -> None:
    boards = [board(*pair) for pair in pairs]
    low, high = matchings_limits(Boards.of(boards))
    for line, one in enumerate(boards):
        alone = matchings_limits(Boards.of([one]))
        assert (low[line], high[line]) == pytest.approx((alone[0][0], alone[1][0]), abs=1e-10)


@settings(max_examples=60)
@given(MORE, MORE, st.integers(0, 30))
def test_ranges_glue_to_the_board_of_the_rows(pos: list[int], neg: list[int], cut: int) -> None:
    def part(keep: list[bool]) -> RangePlacements:
        scores = np.array([s for s, kept in zip([*pos, *neg], keep, strict=True) if kept])
        labels = np.array([i < len(pos) for i, kept in enumerate(keep) if kept], dtype=bool)
        return RangePlacements.of(ScoreCounts.from_arrays(labels, scores.astype(np.int64)))

    below = [score < cut for score in [*pos, *neg]]
    glued = part(below).then(part([not one for one in below])).board
    wanted = board(pos, neg)
    assert glued is not None
    assert glued.columns == wanted.columns
    np.testing.assert_array_equal(glued.below, wanted.below)
    np.testing.assert_array_equal(glued.tied, wanted.tied)


def log_evidence(pos: list[int], neg: list[int], a: float, share: float) -> float:
    """ln E(a), word by word as the method's description has it."""
    exact = counted(pos, neg) if len(pos) + len(neg) < 8 else by_blocks(pos, neg)
    k = len(exact) - 1
    total = 0.0
    for shape, weight in ((0.5, 0.6), (0.2, 0.4)):
        stake = min(math.sqrt(2 * math.log(1 / share) / (k * shape) / (a * (1 - a))), 1 / a)
        lost = max(1 - stake * a, 0.0)
        total += (
            0.5
            * weight
            * math.fsum(
                math.comb(k, r) * float(m) * stake**r * lost ** (k - r) for r, m in enumerate(exact)
            )
        )
    chances = [math.comb(k, i) * a**i * (1 - a) ** (k - i) for i in range(k + 1)]
    j = next(j for j in range(k + 1) if math.fsum(chances[j + 1 :]) <= share / 2)
    j = min(j, k - 1)
    excess = math.fsum(p * (i - j) for i, p in enumerate(chances) if i > j)
    auc = float(sum(map(sum, squares(pos, neg)), Fraction(0))) / (len(pos) * len(neg))
    return math.log(total + 0.5 * max(k * auc - j, 0.0) / excess)


@settings(max_examples=60, deadline=None)
@given(MORE, MORE, st.sampled_from([0.3, 0.05, 0.01]))
def test_the_limit_is_where_the_evidence_falls_below(
    pos: list[int], neg: list[int], delta: float
) -> None:
    found = matchings(pos, neg, delta, "greater")
    assert found.high == 1
    below, above = found.low - 1e-7, found.low + 1e-7
    if below > 0:
        assert log_evidence(pos, neg, below, delta) >= math.log(1 / delta) - 1e-6
    if above < 1:
        assert log_evidence(pos, neg, above, delta) <= math.log(1 / delta) + 1e-6
    k = min(len(pos), len(neg))
    assert found.low >= hinge_limits(board(pos, neg).doubled_wins / (2 * len(pos) * len(neg)), k,
                                     delta / 2, "greater")[0]  # fmt: skip


@pytest.mark.parametrize("delta", [0.05, 1e-6])
def test_the_limit_is_never_inside_the_exact_one(delta: float) -> None:
    """At the limit itself the evidence is enough, in exact rook numbers."""
    rng = np.random.default_rng(4)
    for m, n in ((2, 3), (3, 3), (12, 30), (40, 40)):
        pos, neg = (rng.integers(lo, 12, size).tolist() for lo, size in ((4, m), (0, n)))
        low = matchings(pos, neg, delta, "greater").low
        assert low == 0 or log_evidence(pos, neg, low, delta) >= math.log(1 / delta)


def test_extremes() -> None:
    ones, zeros = [1] * 30, [0] * 40
    apart = matchings(ones, zeros)
    assert (apart.low, apart.high) == (pytest.approx(0.025 ** (1 / 30), abs=1e-9), 1.0)
    assert apart.low <= 0.025 ** (1 / 30)
    wrong = matchings(zeros, ones)
    assert (wrong.low, wrong.high) == (0.0, pytest.approx(1 - 0.025 ** (1 / 30), abs=1e-9))
    assert matchings(zeros, zeros).low < 0.5 < matchings(zeros, zeros).high
    # separated classes of the largest size: every chance is 1, however far apart its factors
    rows = np.arange(4096)
    large = matchings(rows[2048:], rows[:2048])
    assert large.low == pytest.approx(0.025 ** (1 / 2048), abs=1e-9)
