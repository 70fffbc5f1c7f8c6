from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import kendalltau, somersd

import rocsolid as rs
from rocsolid.intervals.guarantees.ordered_pairs import ordered_pairs

RNG = np.random.default_rng(3)
GRADE = RNG.integers(0, 4, 90)
SCORE = np.round(GRADE + RNG.normal(0, 1.5, 90), 1)
WEIGHT = RNG.choice([0.5, 1.0, 2.0], 90)
CLUSTER = RNG.integers(0, 30, 90)


def plain(y: np.ndarray, s: np.ndarray, w: np.ndarray) -> float:
    """The definition, pair by pair."""
    y, s = np.asarray(y), np.asarray(s)
    apart = (y[:, None] < y) * np.outer(w, w)
    right = (s[:, None] < s) + 0.5 * (s[:, None] == s)
    return float((apart * right).sum() / apart.sum())


@pytest.mark.parametrize("cluster", [None, CLUSTER])
@pytest.mark.parametrize("weight", [None, WEIGHT, np.full(90, 2.0)])
@pytest.mark.parametrize("label", [GRADE > 1, (GRADE > 2) * 7.5 - 3.0])
def test_two_outcomes_are_the_auc(label: np.ndarray, weight: object, cluster: object) -> None:
    found = rs.concordance(label, SCORE, sample_weight=weight, cluster=cluster)
    auc = rs.auc(label > 0, SCORE, sample_weight=weight, cluster=cluster)
    for name in ("value", "low", "high", "std_error", "ties", "method"):
        assert getattr(found, name) == getattr(auc, name)
    assert auc.exact in (None, found.exact)
    assert found.certified == (
        None if auc.certified is None else rs.concordance(label, SCORE).certified
    )
    assert found.interval.assumptions[-1] == "the outcome has these two values only"


def test_the_general_variance_is_delongs_for_two_outcomes() -> None:
    """A third outcome of next to no weight opens the general way, which must then agree."""
    label, score = np.append(GRADE > 1, 2), np.append(SCORE, 0.0)
    weight = np.append(np.ones(90), 1e-12)
    found = rs.concordance(label, score, sample_weight=weight)
    auc = rs.auc(GRADE > 1, SCORE)
    assert found.outcomes == 3
    assert found.value == pytest.approx(auc.value, abs=1e-10)
    assert found.std_error == pytest.approx(auc.std_error, abs=1e-10)


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_value_and_variance_are_those_of_the_definition(weight: np.ndarray | None) -> None:
    each = np.ones(90) if weight is None else weight
    found = rs.concordance(GRADE, SCORE, sample_weight=weight)
    assert found.value == pytest.approx(plain(GRADE, SCORE, each), abs=1e-14)
    variance = 0.0
    comparable = np.array([each[i] * each[GRADE[i] != GRADE].sum() for i in range(90)])
    for i in range(90):
        rest = np.arange(90) != i
        without = plain(GRADE[rest], SCORE[rest], each[rest])
        part = 2 * comparable[i] / comparable.sum()
        variance += (1 - part) * (without - found.value) ** 2
    assert found.std_error == pytest.approx(variance**0.5, abs=1e-13)


def test_clusters_pull_as_one() -> None:
    """Each row twice in a cluster of its own: the variance of the rows alone, or close to it."""
    twice = np.repeat(np.arange(90), 2)
    found = rs.concordance(GRADE[twice], SCORE[twice], cluster=twice)
    alone = rs.concordance(GRADE, SCORE)
    assert found.value == pytest.approx(alone.value, abs=1e-14)
    assert found.std_error == pytest.approx(alone.std_error, rel=1e-12)
    assert found.certified is None
    assert found.settings["clusters"] == 90


def test_equal_to_scipy() -> None:
    d = rs.concordance(GRADE, SCORE, scale="somers_d")
    assert d.value == pytest.approx(somersd(GRADE, SCORE).statistic, abs=1e-12)
    outcome = GRADE + 0.001 * np.arange(90)
    tau = rs.concordance(outcome, np.argsort(np.argsort(SCORE + 1e-6 * np.arange(90))))
    expected = kendalltau(outcome, np.argsort(np.argsort(SCORE + 1e-6 * np.arange(90)))).statistic
    assert 2 * tau.value - 1 == pytest.approx(expected, abs=1e-12)


def test_weights_are_repeated_rows_in_value() -> None:
    times = RNG.integers(0, 4, 90)
    weighted = rs.concordance(GRADE, SCORE, sample_weight=times)
    repeated = rs.concordance(np.repeat(GRADE, times), np.repeat(SCORE, times))
    assert weighted.value == pytest.approx(repeated.value, abs=1e-14)
    assert weighted.certified is None
    assert weighted.exact is None
    assert isinstance(repeated.exact, Fraction)


@pytest.mark.parametrize("outcome", [GRADE, GRADE > 1])
@pytest.mark.parametrize("scale", ["somers_d", "gini"])
def test_scales_are_linear_images(scale: str, outcome: np.ndarray) -> None:
    c, d = rs.concordance(outcome, SCORE), rs.concordance(outcome, SCORE, scale=scale)
    assert c.certified is not None
    assert d.certified is not None
    for one, other in (
        (c.value, d.value),
        (c.low, d.low),
        (c.high, d.high),
        (c.certified.low, d.certified.low),
        (c.certified.high, d.certified.high),
        (c.exact, d.exact),
    ):
        assert other == 2 * one - 1
    assert d.std_error == 2 * c.std_error
    assert d.concordance == pytest.approx(c.value, abs=1e-15)
    assert d.interval.range == (-1.0, 1.0)
    assert d.measure == scale


def test_reversed_scores_mirror_everything() -> None:
    up, down = rs.concordance(GRADE, SCORE), rs.concordance(GRADE, -SCORE)
    assert rs.concordance(GRADE, SCORE, lower_is_better=True).value == down.value
    assert down.value == pytest.approx(1 - up.value, abs=1e-15)
    assert (down.low, down.high) == pytest.approx((1 - up.high, 1 - up.low), abs=1e-12)
    assert up.certified is not None
    assert down.certified is not None
    assert down.certified.low == pytest.approx(1 - up.certified.high, abs=1e-12)
    assert rs.concordance(-GRADE, -SCORE).value == up.value


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided(alternative: str) -> None:
    one = rs.concordance(GRADE, SCORE, alternative=alternative)
    two = rs.concordance(GRADE, SCORE, level=0.9)
    end, free = ("low", "high") if alternative == "greater" else ("high", "low")
    assert one.certified is not None
    assert two.certified is not None
    for a, b in ((one.interval, two.interval), (one.certified, two.certified)):
        assert getattr(a, end) == pytest.approx(getattr(b, end), abs=1e-12)
        assert getattr(a, free) == (1.0 if free == "high" else 0.0)


def test_perfect_constant_and_few() -> None:
    perfect = rs.concordance(range(30), range(30))
    assert perfect.value == perfect.high == 1.0
    assert perfect.std_error == 0.0
    assert 0.5 < perfect.low < 1.0
    constant = rs.concordance(range(30), [1] * 30)
    assert constant.value == 0.5
    assert constant.low < 0.4 < 0.6 < constant.high
    assert constant.ties == constant.pairs == 435
    few = rs.concordance([1, 2, 3], [1, 3, 2])
    assert few.low < few.value < few.high
    two = rs.concordance([1, 2], [1, 2])
    assert two.certified is not None
    assert two.std_error is None
    # one row that all pairs have in common
    lone = rs.concordance([0, 0, 0, 1, 1], [0, 1, 2, 3, 4], sample_weight=[1, 1, 1, 1, 0])
    assert lone.std_error is None


def test_missing_scores_and_zero_weights() -> None:
    score = SCORE.copy()
    score[:5] = np.nan
    found = rs.concordance(GRADE, score, nan="omit")
    assert found.value == rs.concordance(GRADE[5:], SCORE[5:]).value
    assert found.warnings[0].startswith("5 rows")
    zero = np.append(np.ones(90), 0.0)
    with_zero = rs.concordance(np.append(GRADE, 3), np.append(SCORE, -9.0), sample_weight=zero)
    assert with_zero.value == pytest.approx(rs.concordance(GRADE, SCORE).value, abs=1e-14)
    assert with_zero.std_error == pytest.approx(rs.concordance(GRADE, SCORE).std_error, abs=1e-14)


@pytest.mark.parametrize(
    ("outcome", "score", "said"),
    [
        ([1, 1], [1, 2], "all outcomes are the same"),
        ([1, float("nan")], [1, 2], r"1 missing value .*outcome, row 1.*remove these rows"),
        (["a", "b"], [1, 2], "outcome, row 0"),
        ([1, 2, 3], [1, 2], "outcome has 3 rows"),
        ([1, 2], [1, float("nan")], "score"),
    ],
)
def test_refused(outcome: list, score: list, said: str) -> None:
    with pytest.raises(rs.InputError, match=said):
        rs.concordance(outcome, score)


def test_unknown_scale_and_no_weight() -> None:
    with pytest.raises(rs.InputError, match="use concordance, somers_d, gini"):
        rs.concordance([1, 2], [1, 2], scale="tau")
    with pytest.raises(rs.OneClassError, match="all outcomes are the same"):
        rs.concordance([1, 2], [1, 2], sample_weight=[1, 0])


def test_words_and_json() -> None:
    found = rs.concordance(GRADE, SCORE)
    data = json.loads(json.dumps(found.to_dict()))
    assert data["rows"] == 90
    assert data["outcomes"] == 4
    assert data["pairs"] == found.pairs
    assert data["exact"] == str(found.exact)
    assert f"Of {found.pairs:,} pairs of rows with different outcomes" in found.explain()
    assert "ordered-pairs" in found.explain()
    assert float(found) == found.value


def test_certificate_grows_with_what_is_comparable_and_with_rows() -> None:
    widths = [ordered_pairs(0.8, p, n).width for p, n in ((0.1, 400), (0.5, 400), (1.0, 400))]
    assert widths == sorted(widths, reverse=True)
    assert ordered_pairs(0.8, 1.0, 4000).width < widths[-1] / 2.5
    assert ordered_pairs(0.8, 0.5, 1).vacuous
    with pytest.raises(rs.InputError, match="comparable"):
        ordered_pairs(0.8, 1.5, 10)


@pytest.mark.parametrize("part", [0.02, 0.3, 0.8, 1.0])
@pytest.mark.parametrize("value", [0.2, 0.7, 0.95, 1.0])
def test_refused_values_are_an_initial_piece(value: float, part: float) -> None:
    """What bisection rests on: on a fine grid no value is refused above one that is not."""
    from rocsolid.intervals.guarantees import ordered_pairs as module

    for most in (part, (1.0 + part) / 2.0, 1.0):
        stake = module._stakes(most)
        c = np.linspace(0.0, value, 200)[:, None]
        grown = np.log1p(c * np.expm1(stake)) - stake * c
        left = np.log1p(most * np.expm1(grown)) - stake * part * (value - c)
        for limit in (-0.5, -0.05, -0.005):
            refused = left.min(axis=1) < limit
            assert np.all(refused[:-1] >= refused[1:])


@pytest.mark.parametrize("scale", ["concordance", "vus"])
@pytest.mark.parametrize("unit", [2.0**-1000, 2.0**-665, 2.0**1000])
def test_the_unit_of_weights_does_not_matter(scale: str, unit: float) -> None:
    rng = np.random.default_rng(4)
    outcome, weight = rng.integers(0, 3, 40), rng.choice([0.1, 0.7, 2.0], 40)
    score, cluster = outcome + rng.normal(size=40), np.arange(40) // 3
    for more in ({}, {"cluster": cluster, "design": "fixed"}):
        plain, scaled = (
            rs.concordance(outcome, score, sample_weight=each, scale=scale, **more)
            for each in (weight, weight * unit)
        )
        assert scaled == plain
