"""Evidence about the top negatives, from every order of tied rows and every cell of their share."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator
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
from rocsolid.intervals.guarantees.cuts import size_weights
from rocsolid.intervals.guarantees.latent_share import (
    CAP,
    OF_SLOPES,
    Heights,
    RanksBetween,
    ShareCells,
    Shares,
    cells_of_shares,
    heights_at_start,
    heights_at_stop,
)
from rocsolid.intervals.guarantees.top_negatives import _parts, refusal, reversed_scores
from rocsolid.summaries.placements import SortedClasses

Line = list[bool]
"""The rows in ascending order, each a positive or not."""
Ends = tuple[float, float]
REGIONS: list[Ends] = [(0.0, 0.5), (0.5, 1.0), (0.1, 0.9)]
FEWER_REGIONS: list[Ends] = [(0.0, 0.3), (0.8, 1.0), (0.2, 0.7)]
SHARES = [0.3, 0.1]
SLOW = pytest.mark.slow


def negatives(line: Line) -> list[int]:
    return [place for place, kind in enumerate(line) if not kind]


def law_of(line: Line, region: RanksBetween) -> list[Fraction]:
    """The chances of w wins against the negatives of the region, over every matching."""
    ranks, lows = [place for place, kind in enumerate(line) if kind], negatives(line)
    places = lows[len(lows) - region.r : len(lows) - region.s]
    more, fewer = (ranks, places) if len(ranks) > len(places) else (places, ranks)
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
    for _ in range(50 if hits and level else 0):
        p = (low + high) / 2
        low, high = (p, high) if bdtrc(hits - 1, rows, p) <= level else (low, p)
    return low


def spent_on(cells: ShareCells, first: bool, place: int) -> float:
    """The error of the heights of one share, from the errors of all pairs with this share."""
    unknown = (len(cells.first.low) > 1) + (len(cells.rest.low) > 1)
    chances, errors = (
        (cells.rest.chances, cells.errors[place])
        if first
        else (cells.first.chances, cells.errors[:, place])
    )
    pairs = zip(chances.tolist(), errors.tolist(), strict=True)
    return OF_SLOPES / max(unknown, 1) * sum(p * error for p, error in pairs if error < CAP) / CAP


def at_start(
    line: Line, region: RanksBetween, cells: ShareCells, place: int
) -> tuple[float, float]:
    """Limits of the heights for one first share, from the positives above single negatives."""
    n, m, places = line.count(False), line.count(True), negatives(line)
    low, high = float(cells.first.low[place]), float(cells.first.high[place])
    level, start = spent_on(cells, True, place) / 2, region.start

    def beyond(rank: int) -> int:
        return sum(line[places[n - rank] :])

    tried = np.arange(1, region.s)
    sure = beta.sf(start / high, tried, region.s - tried) <= level if high else tried < 0
    higher = tried[sure].tolist()
    tried = np.arange(region.s + 1, n + 1)
    sure = beta.cdf((start - low) / (1 - low), tried - region.s, n + 1 - tried) <= level
    lower = tried[sure].tolist()
    least = height(beyond(max(higher)), m, level) if higher and high > start else 0.0
    greatest = 1 - height(m - beyond(min(lower)), m, level) if lower and low < start else 1.0
    return least, greatest


def at_stop(line: Line, region: RanksBetween, cells: ShareCells, place: int) -> tuple[float, float]:
    n, m, level = line.count(False), line.count(True), spent_on(cells, False, place)
    hits = sum(line[negatives(line)[n - region.r - 1] :]) if region.r < n else 0
    return height(hits, m, level), 1 - height(m - hits, m, level)


def largest_mean(
    corners: list[tuple[float, float]],
    region: tuple[float, float],
    area: float,
    first: tuple[float, float],
    last: tuple[float, float],
) -> float:
    """The largest A that the area allows, at points of the cell."""
    start, stop = region
    (low, high), (least, most) = corners
    means = []
    for c in np.linspace(low, high, 7).tolist():
        for part in np.linspace(least, most, 7).tolist():
            b = c + (1 - c) * part
            rest = area + first[c < start] * (start - c) - last[b > stop] * (stop - b)
            means.append(rest / (b - c) if b > c else -math.inf if rest < 0 else math.inf)
    chord = high <= start and high + (1 - high) * most <= stop
    return min(max(means), area / (stop - start)) if chord else max(means)


def total_evidence(lines: list[Line], ends: Ends, share: float, area: float) -> float:
    """The mean over the orders of the least evidence, with all that each order says."""
    n = lines[0].count(False)
    region = RanksBetween.of(*ends, n)
    cells = cells_of_shares(n, region.s, region.r, share)
    alike = defaultdict(list)  # orders with the same places of both negatives share their law
    for line in lines:
        places = [math.inf, *negatives(line)[::-1], -math.inf]
        alike[places[region.s], places[region.r + 1]].append(line)
    total = 0.0
    for same in alike.values():
        laws = [law_of(line, region) for line in same]
        law = [sum(each, Fraction(0)) / len(same) for each in zip(*laws, strict=True)]
        columns = max(same[0].count(True), region.r - region.s)
        for line in same:
            least = CAP
            for i, j in np.argwhere(cells.errors < CAP).tolist():
                corners = [
                    (float(shares.low[at]), float(shares.high[at]))
                    for shares, at in ((cells.first, i), (cells.rest, j))
                ]
                heights = at_start(line, region, cells, i), at_stop(line, region, cells, j)
                mean = largest_mean(corners, ends, area, *heights)
                kept = (1 - OF_SLOPES) * float(cells.errors[i, j])
                if mean >= 1:
                    least = 0.0
                elif mean >= 0:
                    least = min(least, evidence(law, columns, kept, mean))
            total += least
    return total / len(lines)


@pytest.fixture
def few_cells(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(latent_share, "CELLS", 6)
    cells_of_shares.cache_clear()
    yield
    cells_of_shares.cache_clear()


FEW = pytest.mark.usefixtures("few_cells")


def excess_of(classes: SortedClasses, ends: Ends, share: float) -> Callable[[float], float]:
    """Nothing is refused without a negative in the region."""
    refused = refusal(classes, *ends, share)
    return refused if refused is not None else lambda _: -1.0


@FEW
@pytest.mark.parametrize("ends", [*REGIONS, *(pytest.param(e, marks=SLOW) for e in FEWER_REGIONS)])
@pytest.mark.parametrize(
    "text",
    [
        "NNNNNNPNPP",
        *(pytest.param(t, marks=SLOW) for t in ("NPNNPNPNPPNP", "NNNNNPPP", "PPNNPNNNN")),
    ],
)
def test_one_order(ends: Ends, text: str) -> None:
    line = [kind == "P" for kind in text]
    kinds, scores = np.array(line), np.arange(len(line))
    classes, width = SortedClasses(scores[kinds], scores[~kinds]), ends[1] - ends[0]
    for share in SHARES:
        refused, region = (
            excess_of(classes, ends, share),
            RanksBetween.of(*ends, line.count(False)),
        )
        for part in (0.0, 0.1, 0.4, 0.9):
            none = region.s >= region.r
            exact = 0.0 if none else total_evidence([line], ends, share, part * width)
            assert refused(part * width) == pytest.approx(exact - 1, abs=1e-6)


@FEW
@pytest.mark.parametrize(
    ("ends", "share"),
    [
        *((ends, 0.3) for ends in REGIONS[:2]),
        pytest.param(REGIONS[2], 0.3, marks=SLOW),
        *(pytest.param(ends, 0.1, marks=SLOW) for ends in FEWER_REGIONS),
    ],
)
def test_tied_rows_have_no_more_evidence_than_their_orders(ends: Ends, share: float) -> None:
    rng, most, width = np.random.default_rng(5), 0.0, ends[1] - ends[0]
    rows = [
        (
            np.sort(np.minimum(rng.integers(0, 4, m), 2)),
            np.sort(np.maximum(rng.integers(-1, 3, n), 0)),
        )
        for m, n in ((3, 4), (2, 6), (4, 4))
    ]
    if ends[0] > 0.0 and ends[1] < 1.0:  # enough rows between the two negatives
        rows = [
            (np.array([1, 2, 2]), np.array([0, 0, 0, 0, 1, 2])),
            (np.array([0, 2, 2]), np.array([0, 0, 0, 0, 0, 2, 2])),
        ]
    for pos, neg in rows:
        refused, lines = excess_of(SortedClasses(pos, neg), ends, share), orders_of(pos, neg)
        for part in (0.0, 0.1, 0.4):
            exact = total_evidence(lines, ends, share, part * width)
            assert refused(part * width) + 1 <= exact + 1e-6
            most = max(most, refused(part * width) + 1)
    assert most > 0.2 or ends in FEWER_REGIONS


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
    assert RanksBetween.of(0.0, 0.5, 4).r == 1
    refused = refusal(SortedClasses(pos, neg), 0.0, 0.5, 0.3)
    for area in (0.0, 0.02, 0.05):
        exact = total_evidence(orders_of(pos, neg), (0.0, 0.5), 0.3, area)
        assert refused(area) == pytest.approx(exact - 1, abs=1e-6)


def pair(x: float, y: float) -> NDArray[np.float64]:
    return np.array([x, y])


@given(
    st.tuples(*[st.lists(st.integers(0, 100), min_size=2, max_size=2, unique=True)] * 2),
    st.tuples(*[st.lists(st.floats(0, 1), min_size=2, max_size=2)] * 2),
    st.lists(st.integers(0, 20), min_size=2, max_size=2, unique=True),
    st.floats(0, 0.9),
)
def test_the_largest_mean_is_at_a_corner_of_the_cell(
    cell: tuple[list[int], list[int]],
    heights: tuple[list[float], list[float]],
    ends: list[int],
    part: float,
) -> None:
    corners = [(min(each) / 100, max(each) / 100) for each in cell]
    shares = [
        Shares(np.array([low]), np.array([high]), np.ones(1), np.zeros(1)) for low, high in corners
    ]
    start, stop = min(ends) / 20, max(ends) / 20
    area = part * (stop - start)
    limits = [Heights(np.array([min(each)]), np.array([max(each)])) for each in heights]
    cells = ShareCells(*shares, np.array([[0.1]]))
    ours = float(cells.largest_mean(area, RanksBetween(start, stop, 1, 2), *limits)[0])
    first, last = ((min(each), max(each)) for each in heights)
    exact = largest_mean(corners, (start, stop), area, first, last)
    assert ours >= exact - 1e-9
    if (
        min(corners[1])
        and max(corners[0]) < 1
        and not (corners[0][0] < start < corners[0][1] or min(heights[1]) != max(heights[1]))
    ):
        assert ours == pytest.approx(exact, abs=1e-9)


def some_rows(graded: float) -> SortedClasses:
    rng = np.random.default_rng(8)
    pos, neg = rng.normal(-1, 1, 60), rng.normal(0, 1, 200)
    if graded:
        pos, neg = np.floor(graded * pos), np.floor(graded * neg)
    return SortedClasses(np.sort(pos), np.sort(neg))


@pytest.mark.parametrize("ends", [(0.8, 1.0), (0.3, 0.6)])
def test_the_heights_of_both_ends(ends: Ends) -> None:
    rng = np.random.default_rng(7)  # many positives, so that each rank has a height of its own
    rows = SortedClasses(np.sort(rng.normal(-1, 1, 3000)), np.sort(rng.normal(0, 1, 200)))
    line = (np.argsort(np.concatenate([rows.neg, rows.pos])) >= 200).tolist()
    region = RanksBetween.of(*ends, 200)
    cells = cells_of_shares(200, region.s, region.r, 0.025)
    first = heights_at_start(rows, region, cells)
    last = (
        heights_at_stop(cells, (sum(line[negatives(line)[-region.r - 1 :][0] :]),) * 2, 3000)
        if (region.r < 200)
        else None
    )
    assert first.unsure == 0.0
    assert 0 < first.least.max() < 1
    assert 0 < first.greatest.min() < 1
    for place in range(len(cells.first.low)):
        exact = at_start(line, region, cells, place)
        assert (first.least[place], first.greatest[place]) == pytest.approx(exact, abs=1e-9)
    for place in range(len(cells.rest.low) if last else 0):
        exact = at_stop(line, region, cells, place)
        assert (last.least[place], last.greatest[place]) == pytest.approx(exact, abs=1e-6)


def test_the_heights_hold_in_nearly_all_orders_of_ties() -> None:
    rows, rng, wrong = some_rows(1), np.random.default_rng(9), 0
    region = RanksBetween.of(0.8, 1.0, 200)
    cells = cells_of_shares(200, region.s, region.r, 0.025)
    heights = heights_at_start(rows, region, cells)
    assert 0.01 < heights.unsure <= 0.04
    scores, loss = np.concatenate([rows.neg, rows.pos]), []
    for _ in range(300):
        line = (np.lexsort((rng.random(260), scores)) >= 200).tolist()
        places = [place for place, kind in enumerate(line) if not kind]
        ranks = [place for place, kind in enumerate(line) if kind]
        exact = heights_at_start(SortedClasses(np.array(ranks), np.array(places)), region, cells)
        assert exact.unsure == 0.0
        least, greatest = heights.least - exact.least, exact.greatest - heights.greatest
        wrong += max(least.max(), greatest.max()) > 1e-9
        loss.append(-float(greatest.min()))
    assert wrong <= 300 * heights.unsure
    assert 0 < np.median(loss) < 0.2


def test_unsure_orders_and_their_cap() -> None:
    pos, neg = np.repeat([0.0, 2.0, 3.0], [200, 10, 5]), np.repeat([1.0, 2.0], [60, 40])
    rows, region = reversed_scores(SortedClasses(pos, neg)), RanksBetween.of(0.7, 1.0, 100)
    cells = cells_of_shares(100, region.s, region.r, 0.025)
    unsure = heights_at_start(rows, region, cells).unsure
    assert unsure > 0
    refused = refusal(rows, 0.7, 1.0, 0.025)
    assert refused(0.0) == pytest.approx(CAP * (1 - unsure) - 1)


def test_a_next_negative_that_ties() -> None:
    ((chance, law, columns, above),) = _parts(
        SortedClasses(np.array([0.0, 1.0]), np.array([0.0, 1.0])), 0, 1
    )
    assert (chance, columns, above) == (1.0, 2, (1, 2))
    assert law == pytest.approx([0.75, 0.25])


@pytest.mark.parametrize("share", [1e-9, 0.025, 0.4, 0.8])
@pytest.mark.parametrize(("n", "end"), [(2, 0.9), (9, 0.2), (1000, 0.1), (50_000, 0.4)])
def test_the_errors_have_the_mean_that_is_allowed(share: float, n: int, end: float) -> None:
    for start, stop in ((0.0, end), (end, 1.0), (end / 2, end)):
        region = RanksBetween.of(start, stop, n)
        if not region.s < region.r:
            continue
        cells = cells_of_shares(n, region.s, region.r, share)
        for shares, numbers in (
            (cells.first, (region.s, n + 1 - region.s)),
            (cells.rest, (region.r - region.s + 1, n - region.r)),
        ):
            if min(numbers) == 0:
                assert shares.low == shares.high == float(numbers[0] > 0)
                continue
            assert {min(shares.low), max(shares.high)} == {0.0, 1.0}
            exact = beta.cdf(shares.high, *numbers) - beta.cdf(shares.low, *numbers)
            assert shares.chances == pytest.approx(exact, abs=1e-12)
            assert shares.chances.sum() == pytest.approx(1.0)
        mean = float(cells.first.chances @ cells.errors @ cells.rest.chances)
        assert 0.6 * share < mean <= share * (1 + 1e-12)
        assert (np.diff(cells.errors, axis=0) <= 0).all()
        assert (np.diff(cells.errors, axis=1) <= 0).all()


@pytest.mark.parametrize(("s", "r", "n"), [(3, 7, 12), (1, 4, 4), (0, 2, 5)])
def test_the_two_shares_are_those_of_uniform_negatives(s: int, r: int, n: int) -> None:
    """The second moments of C and B − C, against order statistics of uniform draws."""
    cells = cells_of_shares(n, s, r, 0.1)
    draws = np.sort(1 - np.random.default_rng(6).random((40_000, n)), axis=1)
    first = draws[:, s - 1] if s else np.zeros(40_000)
    second = draws[:, r] if r < n else np.ones(40_000)
    for shares, drawn in ((cells.first, first), (cells.rest, (second - first) / (1 - first))):
        for low, high, chance in zip(shares.low, shares.high, shares.chances, strict=True):
            share = float(np.mean((low <= drawn) & (drawn <= high)))
            assert share == pytest.approx(chance, abs=0.015)
    if s > 0 and r < n:
        assert abs(np.corrcoef(first, (second - first) / (1 - first))[0, 1]) < 0.03


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
