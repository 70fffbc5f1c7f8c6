"""The mean over queries: which interval, what is refused, what is said."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from scipy.special import stdtrit

from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.means import mean_interval
from rocsolid.intervals.means.betting import DIFFERENCES, betting_limits
from rocsolid.intervals.means.hall import hall_limits
from rocsolid.intervals.means.mean import METHODS
from rocsolid.intervals.means.t import t_limits
from rocsolid.intervals.means.tail import in_tail

EVEN = np.linspace(0.1, 0.9, 41)


def test_bounds_from_the_mean_name_their_theorem() -> None:
    sources = {name: METHODS[name].source for name in ("hinge", "kl", "hoeffding")}
    assert sources["kl"].endswith("Theorem 1")
    assert sources["hoeffding"].endswith("Theorem 2")
    assert "in place of an exponential" in sources["hinge"]


def test_the_default_has_a_certificate_and_no_warning() -> None:
    found = mean_interval(EVEN)
    assert (found.interval.method, found.interval.certified) == ("auto (skewed t)", False)
    assert found.certified is not None
    assert (found.certified.method, found.certified.certified) == ("betting", True)
    assert found.certified.low < found.interval.low < found.value < found.interval.high
    assert found.warnings == ()
    plain = mean_interval(EVEN, interval="t").interval
    assert plain.width <= found.interval.width < 1.02 * plain.width
    assert list(json.loads(json.dumps(found.to_dict(), allow_nan=False))) == [
        "value", "std_error", "interval", "certified", "queries", "in_tail", "warnings",
    ]  # fmt: skip


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_every_method_scales_with_the_range(name: str, alternative: Any) -> None:
    plain = mean_interval(EVEN, interval=name, alternative=alternative)
    scaled = mean_interval(
        5.0 * EVEN - 2.0, range=(-2.0, 3.0), interval=name, alternative=alternative
    )
    assert scaled.interval.low == pytest.approx(5.0 * plain.interval.low - 2.0, abs=1e-9)
    assert scaled.interval.high == pytest.approx(5.0 * plain.interval.high - 2.0, abs=1e-9)
    assert plain.interval.certified == METHODS[name].certified
    assert (plain.interval.low == 0.0) == (alternative == "less")
    assert (plain.interval.high == 1.0) == (alternative == "greater")
    assert plain.interval.source


def test_limits_are_cut_to_the_range_and_one_sided_ones_are_tighter() -> None:
    low = mean_interval([0.0, 0.0, 0.1, 0.9], interval="t", alternative="two-sided")
    assert low.interval.low == 0.0
    two, one = mean_interval(EVEN), mean_interval(EVEN, alternative="greater")
    assert one.interval.low > two.interval.low
    assert one.certified is not None
    assert two.certified is not None
    assert one.certified.low > two.certified.low


def test_one_query_has_no_interval_over_queries() -> None:
    found = mean_interval([0.7])
    assert (found.interval.method, found.interval.low, found.interval.high) == ("none", 0.0, 1.0)
    assert found.interval.vacuous
    assert found.certified is None
    assert found.std_error is None
    assert "no interval over queries" in found.warnings[0]
    asked = mean_interval([0.7], interval="betting")  # it holds, and is requested by name
    assert asked.interval.low <= 0.7 * 0.025
    assert "almost nothing" in asked.warnings[0]
    unbounded = mean_interval([7.0], range=None)
    assert unbounded.interval.vacuous
    assert unbounded.certified is None
    assert unbounded.interval.to_dict()["low"] is None
    assert "no interval over queries" in unbounded.warnings[0]
    with pytest.raises(UnsoundError, match="one query shows no variation"):
        mean_interval([0.7], interval="t")


@pytest.mark.parametrize("value", [0.0, 0.1, 0.3, 1.0])
def test_equal_values_never_get_an_interval_of_no_width(value: float) -> None:
    values = np.full(30, value)
    values[3] *= 1.0 + 1e-15  # rounding is no variation
    found = mean_interval(np.minimum(values, 1.0))
    assert found.std_error == 0.0
    assert found.interval.width > 0.05
    assert "zero width" in found.warnings[0]
    for name in ("t", "logit-t"):
        with pytest.raises(UnsoundError, match="same value"):
            mean_interval(np.full(30, value), interval=name)
    assert mean_interval(np.full(30, 4.0), range=None).interval.vacuous


def test_a_measure_without_bounds_has_no_logit_and_no_certificate() -> None:
    found = mean_interval(10.0 * EVEN, range=None)
    plain = mean_interval(10.0 * EVEN, range=None, interval="t").interval
    assert plain.low == pytest.approx(10.0 * mean_interval(EVEN, interval="t").interval.low)
    assert plain.width <= found.interval.width < 1.03 * plain.width
    assert found.certified is None
    for name in METHODS.keys() - {"auto", "t"}:
        with pytest.raises(UnsoundError, match="no bounds"):
            mean_interval(EVEN, range=None, interval=name)


def test_few_queries_in_the_tail_are_said() -> None:
    skewed = np.r_[np.full(96, 0.02), 0.9, 0.95, 1.0, 0.05]
    found = mean_interval(skewed)
    assert found.in_tail == pytest.approx(3.0, abs=0.2)
    assert "about 3 of 100 queries lie in the longer tail" in found.warnings[0]
    assert "rely on the certified interval" in found.warnings[0]
    assert mean_interval(skewed, interval="hinge").warnings == ()
    assert "no certified interval can replace it" in mean_interval(skewed, range=None).warnings[0]
    assert "Only 12 queries" in mean_interval(EVEN[:12]).warnings[0]
    assert mean_interval(np.r_[np.zeros(30), np.ones(10)]).warnings == ()
    assert "about 9 of" in mean_interval(np.r_[np.zeros(31), np.ones(9)]).warnings[0]


@pytest.mark.parametrize("ones", [1, 3, 20, 50, 97])
def test_the_tail_of_a_yes_no_measure_is_its_rarer_answer(ones: int) -> None:
    values = np.arange(100) < ones
    assert in_tail(values) == pytest.approx(min(ones, 100 - ones), abs=1e-9)
    assert in_tail(7.0 - 2.0 * values) == pytest.approx(min(ones, 100 - ones), abs=1e-9)


def test_the_default_is_cut_to_the_certified_interval() -> None:
    for values in ([0.0, 0.0, 0.0, 1.0], np.r_[np.zeros(60), 0.7], [0.2, 0.9]):
        found = mean_interval(values)
        assert found.certified is not None
        assert found.certified.low <= found.interval.low <= found.value
        assert found.value <= found.interval.high <= found.certified.high
        assert found.interval.method == "auto (skewed t, betting)"


def test_hall_solves_its_cubic_and_is_t_without_skewness() -> None:
    """u + γu²/3 + γ²u³/27 + γ/(6n) is the bound t/√n at each limit, by its own formula."""
    for skewness in (-4.0, -0.3, 0.2, 1.5, 6.0):
        low, high = hall_limits(0.4, 0.25, skewness, 30, 0.9, "two-sided")
        for limit, sign in ((low, 1), (high, -1)):
            u = (0.4 - limit) / 0.25
            left = u + skewness * u**2 / 3 + skewness**2 * u**3 / 27 + skewness / 180
            assert left == pytest.approx(sign * stdtrit(29, 0.95) / math.sqrt(30), abs=1e-9)
    plain = t_limits(0.4, 0.25 / math.sqrt(30), 29, 0.9, "greater")
    assert np.array(hall_limits(0.4, 0.25, 0.0, 30, 0.9, "greater")) == pytest.approx(
        np.array(plain)
    )


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_default_turns_with_its_values(alternative: Any) -> None:
    values = np.random.default_rng(4).beta(0.3, 2.0, 40)
    other = {"greater": "less", "less": "greater"}.get(alternative, alternative)
    here = mean_interval(values, alternative=alternative).interval
    there = mean_interval(1.0 - values, alternative=other).interval
    assert (1.0 - there.high, 1.0 - there.low) == pytest.approx((here.low, here.high))


def test_certified_limits_know_neither_order_nor_side() -> None:
    values = np.random.default_rng(0).beta(0.3, 2.0, size=(1, 60))
    low, high = betting_limits(values)
    again = betting_limits(values[:, ::-1])
    turned = betting_limits(1.0 - values)
    assert again[0] == pytest.approx(low, abs=1e-11)
    assert turned[1] == pytest.approx(1.0 - low, abs=1e-11)
    assert turned[0] == pytest.approx(1.0 - high, abs=1e-11)
    many = np.concatenate([values, 1.0 - values, np.zeros((1, 60)), np.ones((1, 60))])
    assert betting_limits(many)[0][0] == pytest.approx(low[0], abs=1e-11)
    assert betting_limits(many)[0][2] == 0.0
    assert betting_limits(many)[1][3] == pytest.approx(1.0, abs=1e-11)


def test_bets_are_shorter_than_the_hinge_where_values_vary_little() -> None:
    steady = 0.5 + 0.05 * np.sin(np.arange(200))
    bet, hinge = (mean_interval(steady, interval=name).interval for name in ("betting", "hinge"))
    assert bet.width < 0.4 * hinge.width
    closer = betting_limits(steady[None], shapes=DIFFERENCES)
    assert closer[1][0] - closer[0][0] < 0.8 * bet.width


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([], {}, "one value per query"),
        ([[0.1, 0.2]], {}, "one dimension"),
        ([0.1, math.nan], {}, "query 2 of 2"),
        ([0.1, 1.2, 3.0], {}, r"1\.2 .*query 2 of 3, and 1 more"),
        (["a"], {}, "must be a number"),
        ([0.1], {"range": (1, 0)}, "the smaller first"),
        ([0.1, 0.2], {"interval": "logit"}, "use 'logit-t', or another"),
        ([0.1, 0.2], {"level": 1.0}, "level must lie strictly"),
        ([0.1, 0.2], {"alternative": "both"}, "unknown alternative"),
    ],
)
def test_what_is_refused(values: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        mean_interval(values, **options)


def test_logit_needs_a_mean_between_the_ends() -> None:
    with pytest.raises(UnsoundError, match="same value"):
        mean_interval(np.zeros(20), interval="logit-t")
    close = mean_interval(np.r_[np.zeros(40), 1e-3], interval="logit-t").interval
    assert 0.0 < close.low < close.high < 0.001
