"""Rooks at small sizes, every data set with its exact chance; coverage in simulations; widths."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import bdtrc, ndtr, ndtri
from scipy.stats import multinomial

import rocsolid as rs
from rocsolid.errors import UnsoundError
from rocsolid.intervals.guarantees import rooks as module
from rocsolid.intervals.guarantees import weighted_band, weighted_best, weighted_rooks, won_sets
from rocsolid.intervals.guarantees.placements import classes_of
from rocsolid.intervals.guarantees.rooks import MOST, SetEvidence, fits
from rocsolid.intervals.guarantees.won_sets import counts_of
from rocsolid.results.interval import Alternative
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.weights import polynomial, power, step

LEVELS = 3
SIZES = [
    (1, 2, 2), (2, 4, 2), (1, 4, 3),
    *(pytest.param(*sizes, marks=pytest.mark.slow) for sizes in ((3, 4, 2), (4, 3, 2), (2, 6, 3))),
]  # fmt: skip
ALARM = 1e-6 / 100
"""Chance of a false alarm over the fewer than 100 checks of coverage here, all with fixed seeds."""


def chance_to_win(p: NDArray, q_law: NDArray, q: int) -> float:
    """That a positive is above q negatives, tied rows in random order."""
    through = np.cumsum(q_law)
    below = through - q_law
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (through ** (q + 1) - below ** (q + 1)) / ((q + 1) * q_law)
    return float(p @ np.where(q_law > 0, mean, below**q))


def samples(m: int, n: int) -> tuple[NDArray, NDArray, list[ScoreCounts]]:
    counts = [
        (pos, neg)
        for pos in itertools.product(range(m + 1), repeat=LEVELS)
        for neg in itertools.product(range(n + 1), repeat=LEVELS)
        if sum(pos) == m and sum(neg) == n
    ]
    pos, neg = (np.array(each) for each in zip(*counts, strict=True))
    return pos, neg, [ScoreCounts(np.arange(LEVELS), *each) for each in zip(pos, neg, strict=True)]


def laws() -> list[tuple[NDArray, NDArray]]:
    rng = np.random.default_rng(1)
    two = [(np.array([1 - p, 0, p]), np.array([q, 0, 1 - q])) for p in (0.5, 0.8) for q in (0.4, 1)]
    apart = [(np.array([0, 0, 1.0]), np.array([0.05, 0.95, 0]))]
    return two + apart + [tuple(rng.dirichlet(np.full(LEVELS, 0.5), 2)) for _ in range(25)]


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("m", "n", "q"), SIZES)
@pytest.mark.parametrize("share", [0.3, 0.05])
def test_the_evidence_has_a_mean_of_one_and_misses_are_rarer(
    m: int, n: int, q: int, share: float, exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exactly one at the true chance where all orders of ties are averaged, else at most one."""
    if not exact:
        monkeypatch.setattr(won_sets, "MOST_WORK", 0)
    pos, neg, levels = samples(m, n)
    both = [
        [SetEvidence.of(each, q, share, of_negatives=turned) for each in levels]
        for turned in (False, True)
    ]
    limits = np.array([[each.limit() for each in some] for some in both])
    largest = 0.0
    for p, q_law in laws():
        truth = chance_to_win(p, q_law, q)
        chance = multinomial.pmf(pos, m, p) * multinomial.pmf(neg, n, q_law)
        for some, limit, a in zip(both, limits, (truth, 1.0 - truth), strict=True):
            if 0 < a < 1:
                mean = chance @ np.exp([each(a) for each in some]) / share
                assert mean <= 1 + 1e-9
                assert not exact or mean == pytest.approx(1, abs=1e-7)
            missed = chance[limit > a + 1e-12].sum()
            assert missed <= share
            largest = max(largest, missed)
    assert largest > 0 or min(m, n // q) < 2


def test_the_evidence_falls_and_ends_at_the_limit() -> None:
    rng = np.random.default_rng(5)
    for m, n, q in ((3, 9, 2), (40, 60, 2), (300, 90, 4)):
        neg, pos = np.round(rng.normal(0, 2, n)), np.round(rng.normal(2, 2, m))
        levels = counts_of(classes_of(pos, neg))
        for turned in (False, True):
            evidence = SetEvidence.of(levels, q, 0.025, of_negatives=turned)
            found = [evidence(float(a)) for a in np.linspace(0.001, 0.999, 300)]
            assert (np.diff(found) <= 1e-9).all()
            low = evidence.limit()
            assert low == 0.0 or evidence(low) >= 0.0 > evidence(low + 3e-9)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_limits_of_a_sum_of_powers_are_those_of_its_parts(alternative: Alternative) -> None:
    rng = np.random.default_rng(6)
    pos, neg = np.round(3 * rng.normal(1, 1, 90)), np.round(3 * rng.normal(0, 1, 70))
    weight = polynomial((0.5, 0, 1.5, 2.0))
    found = weighted_rooks(pos, neg, weight, 0.06, alternative)
    auc = rs.guarantees.cuts(pos, neg, 0.02, alternative)
    parts = [weighted_rooks(pos, neg, power(p), 0.02, alternative) for p in (2, 3)]
    for side in ("low", "high"):
        terms = [0.5 * getattr(auc, side), 1.5 * getattr(parts[0], side)]
        assert getattr(found, side) == pytest.approx(sum(terms) + 2 * getattr(parts[1], side))
    assert weighted_rooks(pos, neg, polynomial((0, 0, 3.0))).low == pytest.approx(
        3 * weighted_rooks(pos, neg, power(2)).low
    )


def test_only_order_matters_and_the_ends_are_known() -> None:
    rng = np.random.default_rng(7)
    pos, neg = np.round(2 * rng.normal(1, 1, 80)), np.round(2 * rng.normal(0, 1, 50))
    found = weighted_rooks(pos, neg, power(1))
    assert weighted_rooks(rng.permutation(np.exp(pos)), np.exp(neg), power(1)) == found
    apart = weighted_rooks([1.0] * 20, [0.0] * 30, power(1), 0.05, "greater")
    assert apart.low == pytest.approx(0.05 ** (1 / 15) / 2, abs=1e-4)
    wrong = weighted_rooks([0.0] * 20, [1.0] * 30, power(2))
    assert wrong.low == 0.0
    assert wrong.high == pytest.approx((1 - 0.025 ** (1 / 10)) / 3, abs=1e-4)
    one_sided = [weighted_rooks(pos, neg, power(1), 0.025, side) for side in ("greater", "less")]
    assert (one_sided[0].low, one_sided[1].high) == (found.low, found.high)
    assert (one_sided[0].high, one_sided[1].low) == (0.5, 0.0)


def test_who_uses_rooks() -> None:
    rng = np.random.default_rng(8)
    pos, neg = rng.normal(1, 1, 40), rng.normal(0, 1, 30)
    for weight in (power(1), power(6), polynomial((1, 1))):
        assert weighted_best(pos, neg, weight) == weighted_rooks(pos, neg, weight)
    for weight in (power(8), power(1.5), step(0, 0.2)):
        assert weighted_best(pos, neg, weight) == weighted_band(pos, neg, weight)
    assert fits(power(1), MOST, MOST)
    assert not fits(power(1), MOST + 1, 10)
    for weight, negatives in ((power(1.5), 30), (step(0, 0.2), 30), (power(30), 30)):
        with pytest.raises(UnsoundError, match="weighted-band"):
            weighted_rooks(pos, neg[:negatives], weight)
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patch:
        patch.setattr(module, "MOST", 39)
        with pytest.raises(UnsoundError, match="at most 39 rows"):
            weighted_rooks(pos, neg, power(1))


def binormal(shift: float, q: int) -> float:
    """P(a positive outranks q negatives)/q."""
    x = np.linspace(-9, 9 + shift, 20_001)
    heights = np.exp(-((x - shift) ** 2) / 2) / math.sqrt(2 * math.pi) * ndtr(x) ** q
    return float(heights.sum() * (x[1] - x[0])) / q


def rounded(shift: float, q: int) -> float:
    edges = np.arange(-12, 14.0)
    return chance_to_win(np.diff(ndtr(edges - shift)), np.diff(ndtr(edges)), q) / q


@pytest.mark.parametrize(
    ("m", "n", "draws"),
    [
        (12, 40, 80),
        *(
            pytest.param(*sizes, 420, marks=pytest.mark.slow)
            for sizes in ((12, 40), (60, 15), (100, 100))
        ),
    ],
)
@pytest.mark.parametrize("grades", [False, True])
@pytest.mark.parametrize("p", [1, 2])
def test_coverage(p: int, m: int, n: int, draws: int, grades: bool) -> None:
    """5,400 tables in all: no more misses than one in 40 has with a chance of 1e-8."""
    rng = np.random.default_rng([p, m, n, grades])
    shift = math.sqrt(2) * float(ndtri(0.76))
    truth = (rounded if grades else binormal)(shift, p + 1)
    missed = np.zeros(2, dtype=int)
    for _ in range(draws):
        pos, neg = rng.normal(shift, 1, m), rng.normal(0, 1, n)
        if grades:
            pos, neg = np.floor(pos), np.floor(neg)
        found = weighted_rooks(pos, neg, power(p))
        missed += [found.low > truth, found.high < truth]
    assert (bdtrc(missed - 1, draws, 0.025) > ALARM).all()


@pytest.mark.parametrize(("m", "n"), [(100, 100), (1000, 1000), (100, 1000), (3000, 3000)])
@pytest.mark.parametrize("p", [1, 2])
def test_rooks_are_near_the_calibrated_interval(p: int, m: int, n: int) -> None:
    rng = np.random.default_rng([p, m, n])
    pos, neg = rng.normal(math.sqrt(2) * ndtri(0.76), 1, m), rng.normal(0, 1, n)
    y, s = np.repeat([1, 0], [m, n]), np.concatenate([pos, neg])
    found = rs.weighted_auc(y, s, weight=power(p))
    assert found.certified.method == "weighted-rooks"
    assert found.certified.width < 1.5 * (found.high - found.low)
    assert found.certified.width < 0.6 * weighted_band(pos, neg, power(p)).width
