from __future__ import annotations

from math import comb, erf, log, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.theory.guarantees.pac_bayes import pac_bayes

Rows = NDArray[np.float64]


def normal_cdf(x: float) -> float:
    return (1 + erf(x / sqrt(2))) / 2


def divergence(x: float, a: float) -> float:
    return sum(p * log(p / q) for p, q in ((x, a), (1 - x, 1 - a)) if p > 0)


def expected_auc(w: Rows, scale: float, pos: Rows, neg: Rows) -> float:
    total = 0.0
    for x in pos:
        for z in neg:
            difference = x - z
            length = sqrt(float(difference @ difference))
            cosine = float(w @ difference) / length / sqrt(float(w @ w)) if length else 0.0
            total += normal_cdf(scale * cosine)
    return total / (len(pos) * len(neg))


@pytest.fixture
def rows() -> tuple[Rows, Rows]:
    rng = np.random.default_rng(5)
    return rng.normal(0.8, 1, (40, 3)), rng.normal(0, 1, (60, 3))


def test_one_scale_against_plain_loops(rows: tuple[Rows, Rows]) -> None:
    pos, neg = rows
    w = np.array([2.0, 1.0, 3.0])
    found = pac_bayes(w, pos, neg, delta=0.1, scales=[2.5])
    assert found.auc == pytest.approx(expected_auc(w, 2.5, pos, neg), rel=1e-12)
    assert found.pairs == 2400
    assert found.divergence == pytest.approx(2.5**2 / 2)
    bound = (2.5**2 / 2 + log(2 * sqrt(40) / 0.1)) / 40
    assert divergence(found.auc, found.interval.low) == pytest.approx(bound, rel=1e-9)
    assert divergence(found.auc, found.interval.high) == pytest.approx(bound, rel=1e-9)


def test_the_best_scale_pays_for_the_grid(rows: tuple[Rows, Rows]) -> None:
    pos, neg = rows
    w = np.array([1.0, 1.0, 1.0])
    grid = [0.5, 1.0, 2.0, 4.0, 8.0]
    found = pac_bayes(w, pos, neg, scales=grid)
    lows = [pac_bayes(w, pos, neg, delta=0.05 / 5, scales=[scale]).interval.low for scale in grid]
    assert found.interval.low == pytest.approx(max(lows))
    assert found.scale == grid[int(np.argmax(lows))]
    assert found.interval.level == pytest.approx(0.95)


def test_the_default_scales_are_powers_of_root_two(rows: tuple[Rows, Rows]) -> None:
    pos, neg = rows
    grid = [sqrt(2) ** j for j in range(7)]  # √2⁶ = 8 ≤ √80 < √2⁷
    assert pac_bayes([1, 1, 1], pos, neg) == pac_bayes([1, 1, 1], pos, neg, scales=grid)


def test_the_divergence_from_a_prior(rows: tuple[Rows, Rows]) -> None:
    pos, neg = rows
    w, prior = np.array([1.0, 2.0, 2.0]), np.array([3.0, 4.0, 5.0])
    found = pac_bayes(w, pos, neg, scales=[6.0], prior=prior)
    assert found.divergence == pytest.approx(float(np.sum((6 * w / 3 - prior) ** 2)) / 2)
    good = pac_bayes(prior, pos, neg, prior=prior)
    assert good.scale == pytest.approx(sqrt(50))
    assert good.divergence == pytest.approx(0.0, abs=1e-12)
    assert good.interval.low > pac_bayes(prior, pos, neg).interval.low


def test_the_length_of_the_weights_does_not_matter(rows: tuple[Rows, Rows]) -> None:
    pos, neg = rows
    one = pac_bayes([1, 2, 3], pos, neg)
    for factor in (1e-200, 1e200):
        assert pac_bayes(factor * np.array([1.0, 2, 3]), pos, neg).interval.low == pytest.approx(
            one.interval.low
        )
        assert pac_bayes([1, 2, 3], factor * pos, factor * neg).auc == pytest.approx(one.auc)


def test_equal_rows_tie() -> None:
    same = np.ones((4, 2))
    assert pac_bayes([1, 0], same, same).auc == 0.5


def test_turning_the_classes_around_turns_the_auc_around(rows: tuple[Rows, Rows]) -> None:
    pos, neg = rows
    one, other = (
        pac_bayes([1, 0, 0], pos, neg, scales=[3]),
        pac_bayes([1, 0, 0], neg, pos, scales=[3]),
    )
    assert other.auc == pytest.approx(1 - one.auc)
    assert other.interval.low == pytest.approx(1 - one.interval.high)


def test_few_pairs_are_whole_matchings(rows: tuple[Rows, Rows]) -> None:
    pos, neg = rows
    everything = pac_bayes([1, 1, 0], pos, neg, scales=[2])
    for max_pairs, pairs in ((1, 40), (79, 40), (80, 80), (500, 480), (2399, 2360), (2400, 2400)):
        some = pac_bayes([1, 1, 0], pos, neg, scales=[2], max_pairs=max_pairs)
        assert some.pairs == pairs
        assert some.auc == pytest.approx(everything.auc, abs=0.25)
    assert some.auc == pytest.approx(everything.auc)
    # each matching uses every positive once: with equal negatives the mean over positives is exact
    alike = np.zeros((60, 3))
    assert pac_bayes([1, 1, 0], pos, alike, scales=[2], max_pairs=40).auc == pytest.approx(
        expected_auc(np.array([1.0, 1, 0]), 2, pos, alike[:1])
    )


def test_the_constant_two_root_k_holds_for_every_k() -> None:
    # Maurer 2004 proves Σ_i C(k,i)(i/k)^i(1−i/k)^(k−i) ≤ 2√k for k ≥ 8; the rest by calculation
    for k in range(1, 200):
        total = sum(comb(k, i) * (i / k) ** i * (1 - i / k) ** (k - i) for i in range(k + 1))
        assert total <= 2 * sqrt(k)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 0], [[1, 2]], [[1, 2]]), "all zero"),
        (([1], [[1, 2]], [[1, 2]]), "2 finite numbers"),
        (([1, np.inf], [[1, 2]], [[1, 2]]), "2 finite numbers"),
        (([1, 1], [[1, 2]], [[1, 2, 3]]), "number of features"),
        (([1, 1], [1, 2], [[1, 2]]), "pos"),
        (([1, 1], [[1, 2]], [[1, 2], [np.nan, 0]]), "neg, row 1"),
    ],
)
def test_wrong_tables_are_refused(arguments, message: str) -> None:
    with pytest.raises(InputError, match=message):
        pac_bayes(*arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scales": []}, "scales"),
        ({"scales": [0.0]}, "scales"),
        ({"scales": [np.inf]}, "scales"),
        ({"max_pairs": 0}, "max_pairs"),
        ({"seed": -1}, "seed"),
        ({"delta": 0}, "delta"),
        ({"prior": [1]}, "prior"),
    ],
)
def test_wrong_options_are_refused(options, message: str) -> None:
    with pytest.raises(InputError, match=message):
        pac_bayes([1, 1], [[1, 2]], [[1, 2]], **options)


def test_it_prints_and_becomes_plain_data(rows: tuple[Rows, Rows]) -> None:
    found = pac_bayes([1, 1, 1], *rows)
    assert "randomised scorer" in str(found)
    assert set(found.to_dict()) == {"auc", "interval", "scale", "divergence", "pairs"}
