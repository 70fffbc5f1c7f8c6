"""Evidence about the top negatives, from every order of tied rows and every cell of their share."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import bdtrc
from scipy.stats import beta

from rocsolid.intervals.guarantees import latent_share
from rocsolid.intervals.guarantees.cuts import last_above, size_weights
from rocsolid.intervals.guarantees.latent_share import (
    CAP,
    LOWER,
    OF_SLOPES,
    UPPER,
    LimitSide,
    errors_of_shares,
    top_size,
)
from rocsolid.intervals.guarantees.top_negatives import _parts, refusal
from rocsolid.summaries.placements import SortedClasses

Line = list[bool]
"""The rows in ascending order, each a positive or not."""
SIDES = pytest.mark.parametrize("side", [LOWER, UPPER])
SETTINGS = [(0.5, 0.3), (0.3, 0.1), (0.8, 0.05)]


def negatives(line: Line) -> list[int]:
    return [place for place, kind in enumerate(line) if not kind]


def law_of(line: Line, r: int) -> list[Fraction]:
    """The chances of w wins against the top r negatives, over every matching."""
    ranks, places = [place for place, kind in enumerate(line) if kind], negatives(line)[-r:]
    more, fewer = (ranks, places) if len(ranks) > r else (places, ranks)
    wins = [0] * (len(fewer) + 1)
    for chosen in itertools.permutations(more, len(fewer)):
        wins[sum((a > b) == (more is ranks) for a, b in zip(chosen, fewer, strict=True))] += 1
    return [Fraction(each, sum(wins)) for each in wins]


def evidence(law: list[Fraction], columns: int, error: float, a: float) -> float:
    """The mean of the tests of cuts at A = a, times the error."""
    k, at, total = len(law) - 1, Fraction(a), Fraction(0)
    chances = [math.comb(k, w) * at**w * (1 - at) ** (k - w) for w in range(k + 1)]
    for size, weight in size_weights(k, columns, error):
        c = k + 1
        while sum(chances[c - 1 :]) <= Fraction(size):
            c -= 1
        part = (Fraction(size) - sum(chances[c:])) / chances[c - 1]
        total += Fraction(weight / size) * (sum(law[c:]) + part * law[c - 1])
    return float(total) * error


@cache
def height(hits: int, rows: int, level: float) -> float:
    """Clopper and Pearson's lower limit, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(50 if hits else 0):
        p = (low + high) / 2
        low, high = (p, high) if bdtrc(hits - 1, rows, p) <= level else (low, p)
    return low


def slopes(
    line: Line, cell: tuple[float, float, float], end: float, side: LimitSide
) -> tuple[float, float]:
    """The slopes for shares below and above the end, from the positives above single negatives."""
    n, m, places = line.count(False), line.count(True), negatives(line)
    r = top_size(n, end, side)
    low, high, error = cell
    level = OF_SLOPES * error / CAP

    def beyond(rank: int) -> int:
        return sum(line[places[n - rank] :])

    if not side.upper:
        return height(beyond(r + 1), m, level), 1 - height(m - beyond(r + 1), m, level)
    level /= 2
    tried = np.arange(r)
    higher = tried[beta.sf(end / high, tried + 1, r - tried) <= level].tolist()
    tried = np.arange(r + 1, n)
    lower = tried[beta.cdf((end - low) / (1 - low), tried - r, n - tried) <= level].tolist()
    below = height(m - beyond(min(lower) + 1), m, level) if lower and low < end else 0.0
    above = height(beyond(max(higher) + 1), m, level) if higher and high > end else 0.0
    return below, 1 - above


def largest_mean(
    cell: tuple[float, float, float],
    slope: tuple[float, float],
    end: float,
    area: float,
    side: LimitSide,
) -> float:
    """The largest A that the area allows, at points of the cell."""
    low, high, _ = cell
    means = []
    for b in [*np.linspace(low, high, 9).tolist(), *([end] if low < end < high else [])]:
        rest = area - slope[b >= end] * (end - b)
        mean = rest / b if b else math.copysign(math.inf, rest)
        means.append(min(mean, area / end) if b == end or (b > end) == side.upper else mean)
    return max(means)


def total_evidence(
    lines: list[Line], end: float, share: float, area: float, side: LimitSide
) -> float:
    """The mean over the orders of the least evidence, with all that each order says."""
    n, m = lines[0].count(False), lines[0].count(True)
    r = top_size(n, end, side)
    alike = defaultdict(list)  # orders with the same place of the next negative share their law
    for line in lines:
        alike[negatives(line)[n - r - 1]].append(line)
    total = 0.0
    for same in alike.values():
        laws = [law_of(line, r) for line in same]
        law = [sum(each, Fraction(0)) / len(same) for each in zip(*laws, strict=True)]
        for line in same:
            least = CAP
            for low, high, _, error in zip(*errors_of_shares(r, n, share, side), strict=True):
                if error < CAP:
                    cell = (float(low), float(high), float(error))
                    mean = largest_mean(cell, slopes(line, cell, end, side), end, area, side)
                    kept = (1 - OF_SLOPES) * cell[2]
                    if mean >= 1:
                        least = 0.0
                    elif mean >= 0:
                        way = law[::-1] if side.upper else law
                        least = min(least, evidence(way, max(m, r), kept, mean))
            total += least
    return total / len(lines)


@pytest.fixture
def few_cells(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(latent_share, "CELLS", 9)
    errors_of_shares.cache_clear()
    yield
    errors_of_shares.cache_clear()


FEW = pytest.mark.usefixtures("few_cells")


@FEW
@SIDES
@pytest.mark.parametrize("text", ["NNNNPNNPPP", "NPNNPNPNPPNP", "NNNNNPPP", "PPNNPNNNN"])
def test_one_order(side: LimitSide, text: str) -> None:
    line = [kind == "P" for kind in text]
    kinds, scores = np.array(line), np.arange(len(line))
    classes = SortedClasses(scores[kinds], scores[~kinds])
    for end, share in SETTINGS:
        refused = refusal(classes, end, share, side)
        for part in (0.0, 0.1, 0.3, 0.6, 0.9):
            exact = total_evidence([line], end, share, part * end, side)
            assert refused(part * end) == pytest.approx(exact - 1, abs=1e-6)


@FEW
@SIDES
@pytest.mark.parametrize(
    ("end", "share"),
    [SETTINGS[0], *(pytest.param(*each, marks=pytest.mark.slow) for each in SETTINGS[1:])],
)
def test_tied_rows_have_no_more_evidence_than_their_orders(
    side: LimitSide, end: float, share: float
) -> None:
    rng, limits = np.random.default_rng(5), []
    for m, n in ((3, 4), (2, 6), (4, 4)):
        pos = np.sort(np.minimum(rng.integers(0, 4, m), 2))
        neg = np.sort(np.maximum(rng.integers(-1, 3, n), 0))
        refused, lines = refusal(SortedClasses(pos, neg), end, share, side), orders_of(pos, neg)
        for part in (0.0, 0.1, 0.4):
            exact = total_evidence(lines, end, share, part * end, side)
            assert refused(part * end) + 1 <= exact + 1e-6
        limits.append(last_above(refused, 0.0, end))
    assert max(limits) > 0 or share < 0.3


def orders_of(pos: NDArray[np.intp], neg: NDArray[np.intp]) -> list[Line]:
    blocks = []
    for score in range(3):
        hits, rest = int(np.sum(pos == score)), int(np.sum(neg == score))
        chosen = itertools.combinations(range(hits + rest), hits)
        blocks.append([[row in each for row in range(hits + rest)] for each in chosen])
    return [list(itertools.chain(*order)) for order in itertools.product(*blocks)]


@FEW
def test_the_evidence_of_a_split_tie_is_a_mean() -> None:
    pos, neg = np.array([0, 2, 2]), np.array([0, 0, 2, 2])
    assert top_size(4, 0.5, LOWER) == 1
    refused = refusal(SortedClasses(pos, neg), 0.5, 0.3, LOWER)
    for area in (0.0, 0.02, 0.05):
        exact = total_evidence(orders_of(pos, neg), 0.5, 0.3, area, LOWER)
        assert refused(area) == pytest.approx(exact - 1, abs=1e-6)


@given(
    st.lists(st.integers(0, 100), min_size=2, max_size=2, unique=True),
    st.tuples(*[st.floats(0, 1)] * 2),
    st.floats(0.05, 0.95),
    st.floats(0, 0.9),
    st.sampled_from([LOWER, UPPER]),
)
def test_the_largest_mean_is_at_an_end_of_the_cell(
    ends: list[int], slope: tuple[float, float], end: float, part: float, side: LimitSide
) -> None:
    low, high = min(ends) / 100, max(ends) / 100
    cell = latent_share.ShareCells(*(np.array([x]) for x in (low, high, 0.1, *slope)))
    ours = float(cell.largest_mean(part * end, end, upper=side.upper)[0])
    exact = largest_mean((low, high, 0.1), slope, end, part * end, side)
    assert ours >= exact - 1e-9
    if low and end not in (low, high):
        assert ours == pytest.approx(exact, abs=1e-9)


def some_rows(graded: float) -> SortedClasses:
    rng = np.random.default_rng(8)
    pos, neg = rng.normal(1, 1, 60), rng.normal(0, 1, 200)
    if graded:
        pos, neg = np.floor(graded * pos), np.floor(graded * neg)
    return SortedClasses(np.sort(pos), np.sort(neg))


def test_the_slopes_of_an_upper_limit() -> None:
    rows, end = some_rows(0), 0.2
    r = top_size(200, end, UPPER)
    line = (np.argsort(np.concatenate([rows.neg, rows.pos])) >= 200).tolist()
    cells = latent_share.upper_cells(rows, r, 0.025, end)
    assert cells.unsure == 0.0
    assert 0 < cells.below.max() < 1
    assert 0 < cells.above.min() < 1
    for low, high, error, below, above in zip(*cells[:5], strict=True):
        whole = (low, high, error / (1 - OF_SLOPES))
        exact = slopes(line, whole, end, UPPER)
        if low < end:
            assert below == pytest.approx(exact[0], abs=1e-9)
        if high > end:
            assert above == pytest.approx(exact[1], abs=1e-9)


def test_the_slopes_hold_in_nearly_all_orders_of_ties() -> None:
    rows, end, rng, wrong = some_rows(1), 0.2, np.random.default_rng(9), 0
    cells = latent_share.upper_cells(rows, top_size(200, end, UPPER), 0.025, end)
    assert 0.01 < cells.unsure <= 0.04
    scores, loss = np.concatenate([rows.neg, rows.pos]), []
    for _ in range(300):
        line = (np.lexsort((rng.random(260), scores)) >= 200).tolist()
        places = [place for place, kind in enumerate(line) if not kind]
        ranks = [place for place, kind in enumerate(line) if kind]
        order = SortedClasses(np.array(ranks), np.array(places))
        exact = latent_share.upper_cells(order, top_size(200, end, UPPER), 0.025, end)
        assert exact.unsure == 0.0
        below, above = cells.below - exact.below, exact.above - cells.above
        wrong += max(below.max(), above.max()) > 1e-9
        loss.append(-float(below.min()))
    assert wrong <= 300 * cells.unsure
    assert 0 < np.median(loss) < 0.2


def test_unsure_orders_and_their_cap() -> None:
    pos, neg = np.repeat([0.0, 2.0, 3.0], [200, 10, 5]), np.repeat([1.0, 2.0], [60, 40])
    rows = SortedClasses(pos, neg)
    cells = latent_share.upper_cells(rows, top_size(100, 0.3, UPPER), 0.025, 0.3)
    assert cells.unsure > 0
    refused = refusal(rows, 0.3, 0.025, UPPER)
    assert refused(0.0) == pytest.approx(CAP * (1 - cells.unsure) - 1)


def test_a_next_negative_that_ties() -> None:
    ((chance, law, columns, above),) = _parts(
        SortedClasses(np.array([0.0, 1.0]), np.array([0.0, 1.0])), 1, best=False
    )
    assert (chance, columns, above) == (1.0, 2, (1, 2))
    assert law == pytest.approx([0.75, 0.25])


@SIDES
@pytest.mark.parametrize("share", [1e-9, 0.025, 0.4, 0.8])
@pytest.mark.parametrize(("n", "end"), [(2, 0.9), (9, 0.2), (1000, 0.1), (50_000, 0.4)])
def test_the_errors_have_the_mean_that_is_allowed(
    side: LimitSide, share: float, n: int, end: float
) -> None:
    r = top_size(n, end, side)
    low, high, chances, errors = errors_of_shares(r, n, share, side)
    assert {min(low), max(high)} == {0.0, 1.0}
    exact = beta.cdf(high, r + 1, n - r) - beta.cdf(low, r + 1, n - r)
    assert chances == pytest.approx(exact, abs=1e-12)
    assert chances.sum() == pytest.approx(1.0)
    assert 0.8 * share < float(chances @ errors) <= share * (1 + 1e-12)
    ordered = errors[np.argsort(low)]
    assert (np.diff(ordered) <= 0).all() if side.upper else (np.diff(ordered) >= 0).all()


@pytest.mark.parametrize("unsure", [0.001, 0.02, 0.3])
def test_positives_above_a_tied_negative(unsure: float) -> None:
    rng = np.random.default_rng(2)
    pos, neg = np.repeat([0.0, 1.0, 2.0], [3, 40, 2]), np.repeat([0.0, 1.0, 2.0], [5, 12, 1])
    for place in (5, 9, 16):
        count, tied = latent_share._positives_beyond(pos, neg, place, unsure)
        assert tied
        above = []
        for _ in range(4000):
            order = rng.permutation(52) < 40  # 40 positives and 12 negatives of one score
            above.append(2 + int(order[np.flatnonzero(~order)[place - 5] :].sum()))
        wrong = np.mean(np.array(above) < count)
        assert wrong <= unsure + 4 * math.sqrt(unsure / 4000)
        assert np.mean(np.array(above) < count + 8) > unsure / 4
    assert latent_share._positives_beyond(pos, np.array([0.5, 1.5]), 0, unsure) == (42, False)
