"""`rocsolid.queries`: comparisons of per-query values, odd input, degenerate systems."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.comparison.adjust import ADJUSTMENTS
from rocsolid.results import QueryEstimate

RNG = np.random.default_rng(0)
HARD = RNG.beta(2, 3, size=60)
SYSTEMS = {
    name: np.clip(HARD + shift + 0.08 * RNG.normal(size=60), 0, 1)
    for name, shift in (("a", 0.10), ("b", 0.09), ("c", 0.0))
}


def test_pairs_estimates_and_groups() -> None:
    result = rs.queries.compare(SYSTEMS, measure="nDCG")
    assert [(p.a, p.b) for p in result.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert result.groups == (("a", "b"), ("c",))
    assert result.warnings == ()
    for pair in result.pairs:
        own = [result.estimates[name] for name in (pair.a, pair.b)]
        assert all(isinstance(each, QueryEstimate) for each in own)
        assert pair.difference == pytest.approx(own[0].value - own[1].value)
        assert pair.certified is not None
        assert pair.simultaneous is not None
        assert pair.certified.certified
        assert pair.low < pair.difference < pair.high
        assert pair.simultaneous.low < pair.low
        assert pair.high < pair.simultaneous.high
    error = np.sqrt([1, 1, -2] @ result.covariance[[0, 1, 0], [0, 1, 1]])
    assert result.pairs[0].std_error == pytest.approx(error, rel=1e-3)


def test_order_of_names_turns_the_sign_and_nothing_else() -> None:
    for options in ({}, {"test": "sign-flip", "resamples": 999}, {"adjust": "max-t"}):
        (one,), (other,) = (
            rs.queries.compare({n: SYSTEMS[n] for n in names}, **options).pairs  # type: ignore[arg-type]
            for names in ("ac", "ca")
        )
        assert (one.difference, one.low, one.high) == pytest.approx(
            (-other.difference, -other.high, -other.low), abs=1e-12
        )
        assert (one.p_value, one.p_adjusted) == pytest.approx((other.p_value, other.p_adjusted))
        assert one.least_detectable == pytest.approx(other.least_detectable)


def test_to_dict_is_json_and_its_keys_are_stable() -> None:
    result = rs.queries.compare(SYSTEMS)
    plain = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert list(plain) == [
        "measure", "compared", "level", "estimates", "covariance", "pairs", "groups",
        "non_inferiority", "equivalence", "omnibus", "ranks", "possible_bests", "winner",
        "next_ranks", "warnings", "settings", "least_detectable",
    ]  # fmt: skip
    assert list(plain["pairs"][0]) == [
        "a", "b", "difference", "std_error", "low", "high", "level", "interval_method", "statistic",
        "df", "p_value", "p_at_floor", "p_adjusted", "p_adjusted_at_floor", "method",
        "certified", "simultaneous", "least_detectable", "in_tail",
    ]  # fmt: skip
    assert list(plain["omnibus"]) == ["statistic", "df", "p_value", "method", "df2"]
    assert plain["settings"] == {
        "test": "t", "adjust": "max-t", "paired": True, "null": 0.0, "alternative": "two-sided",
        "margin": None, "power": 0.8, "queries": [60, 60, 60], "resamples": 10000, "exact": None,
        "seed": 0,
    }  # fmt: skip


def test_it_prints_what_a_reader_needs() -> None:
    result = rs.queries.compare(SYSTEMS, measure="nDCG")
    text = str(result)
    assert "nDCG, 3 systems on the same 60 queries" in text
    assert "All equal: F " in text
    assert "Not significantly different: a, b." in text
    low, high = result.least_detectable
    assert f"Least detectable difference at 80 % power: {low:.4f} to {high:.4f}, by pair." in text
    assert "has the highest nDCG" in result.explain()
    assert "Least detectable" in result.explain()
    apart = rs.queries.compare(
        {"a": SYSTEMS["a"], "b": SYSTEMS["b"][:40]}, measure="nDCG", paired=False
    )
    assert "60, 40 different queries" in str(apart)


def test_systems_that_never_differ() -> None:
    twin = {"a": SYSTEMS["a"], "again": SYSTEMS["a"] + 1e-16, "half": SYSTEMS["a"] / 2}
    twin["above"] = twin["half"] + 0.25
    for options in ({}, {"test": "sign-flip"}, {"adjust": "max-t"}, {"adjust": "tukey"}):
        result = rs.queries.compare(twin, **options)  # type: ignore[arg-type]
        same, shifted = result.pairs[0], result.pairs[-1]
        assert (same.difference, same.std_error, same.p_value, same.p_adjusted) == (0, 0, 1, 1)
        assert same.interval is same.certified
        assert same.simultaneous is None or same.simultaneous.width > 0.0
        assert shifted.difference == pytest.approx(-0.25)
        assert shifted.interval is shifted.certified
        assert shifted.interval.width > 0.1
        assert math.isnan(shifted.least_detectable)
        assert "shows no variance" in result.warnings[0]
        json.dumps(result.to_dict(), allow_nan=False)
        assert result.omnibus.p_value < 0.001
    assert math.isnan(rs.queries.compare(twin).pairs[-1].p_value)
    assert rs.queries.compare(twin, test="sign-flip").pairs[-1].p_value < 0.001
    assert rs.queries.compare({n: twin[n] for n in ("a", "again")}).omnibus.p_value == 1.0


def test_a_measure_without_bounds() -> None:
    result = rs.queries.compare({n: 20 * v for n, v in SYSTEMS.items()}, range=None, margin=2.0)
    assert all(pair.certified is None for pair in result.pairs)
    assert all(pair.interval.to_dict()["high"] is None for pair in result.pairs)
    json.dumps(result.to_dict(), allow_nan=False)
    still = rs.queries.compare({"a": [1.0, 2.0, 3.0], "b": [2.0, 3.0, 4.0]}, range=None)
    assert still.pairs[0].interval.vacuous
    assert "the interval is unknown" in still.warnings[0]


def test_margin_null_and_sides() -> None:
    two = {n: SYSTEMS[n] for n in ("b", "a")}
    margin = rs.queries.compare(two, margin=0.06).pairs[0]
    null = rs.queries.compare(two, null=-0.06, alternative="greater").pairs[0]
    assert margin.p_value == null.p_value < 0.05
    assert margin.high == 1.0
    plain = rs.queries.compare(two).pairs[0]
    assert plain.low < margin.low
    less = rs.queries.compare(two, alternative="less").pairs[0]
    more = rs.queries.compare(two, alternative="greater").pairs[0]
    assert less.p_value + more.p_value == pytest.approx(1.0)
    assert min(less.p_value, more.p_value) == pytest.approx(plain.p_value / 2)
    assert "is not inferior to" in rs.queries.compare(two, margin=0.06).explain()
    assert rs.queries.compare(two, margin=0.06).groups == ()


@pytest.mark.parametrize("adjust", ADJUSTMENTS)
@pytest.mark.parametrize("test", ["t", "sign-flip"])
def test_intervals_and_tests_agree(test: str, adjust: str) -> None:
    """The pair's own interval leaves out 0 where p is below .05, and so do simultaneous ones."""
    rng = np.random.default_rng(1)
    for size in (9, 40):
        values = {f"s{i}": np.round(rng.beta(1, 3, size), 1) for i in range(5)}
        values["s4"] = np.minimum(values["s4"] + 0.2, 1.0)
        result = rs.queries.compare(values, test=test, adjust=adjust, resamples=1999)
        for pair in result.pairs:
            assert (pair.p_value < 0.05) == (not pair.low <= 0.0 <= pair.high)
            if adjust in ("max-t", "tukey"):
                assert pair.simultaneous is not None
                outside = not pair.simultaneous.low <= 0.0 <= pair.simultaneous.high
                assert (pair.p_adjusted < 0.05) == outside
            if adjust == "none":
                assert pair.simultaneous is None
                assert pair.p_adjusted == pair.p_value
            else:
                assert pair.p_adjusted >= pair.p_value - 0.02


def test_seeds_and_resamples() -> None:
    def run(**options: Any) -> list[float]:
        return [p.p_adjusted for p in rs.queries.compare(SYSTEMS, **options).pairs]

    for options in ({"test": "sign-flip"}, {"adjust": "max-t"}, {"adjust": "tukey"}):
        assert run(**options) == run(**options)
        assert run(**options) == pytest.approx(run(**options, seed=5), abs=0.03)
        assert run(**options, resamples=499) != run(**options, resamples=500)
        assert min(run(**options)) > 0.0
    few = {name: values[:12] for name, values in SYSTEMS.items()}
    exact = [rs.queries.compare(few, test="sign-flip", seed=seed) for seed in (0, 1)]
    assert exact[0].settings["exact"] is True
    assert [p.p_value for p in exact[0].pairs] == [p.p_value for p in exact[1].pairs]


def test_what_is_said() -> None:
    few = {name: values[:12] for name, values in SYSTEMS.items()}
    assert "Only 12 queries" in rs.queries.compare(few).warnings[0]
    rare = {n: np.r_[np.full(57, 0.2), 0.2 + i * np.array([0.3, 0.2, 0.3])] for i, n in
            enumerate("xy")}  # fmt: skip
    assert "fewer than 10 queries lie in the longer tail" in rs.queries.compare(rare).warnings[0]
    many = {f"s{i}": RNG.uniform(size=40) for i in range(30)}
    coarse = rs.queries.compare(many, test="sign-flip", adjust="holm", resamples=999)
    assert any("none of the 435 pairs can be significant" in w for w in coarse.warnings)
    wide = rs.queries.compare({name: values[:20] for name, values in many.items()})
    assert 0.01 < wide.omnibus.p_value < 1.0, "more systems than queries are no obstacle"
    shifted = rs.queries.compare({"a": many["s0"] / 2, "b": many["s0"] / 2 + 0.5})
    assert math.isnan(shifted.omnibus.p_value)
    assert any("the same for every query" in w for w in shifted.warnings)


@pytest.mark.parametrize(
    ("values", "options", "kind", "message"),
    [
        ([1, 2], {}, rs.InputError, "must be named"),
        ({"a": [0.1]}, {}, rs.InputError, "at least two systems"),
        ({"a": [0.1], "b": [0.2]}, {}, rs.UnsoundError, "one query shows no variation"),
        ({"a": [0.1, 0.2], "b": [0.2]}, {}, rs.InputError, "different numbers of queries"),
        ({"a": [0.1, 0.2], "b": [0.2, 7]}, {}, rs.InputError, "system 'b', query 2 of 2"),
        (SYSTEMS, {"test": "wilcoxon"}, rs.InputError, "unknown test over queries"),
        (SYSTEMS, {"adjust": "tuckey"}, rs.InputError, "use 'tukey', or another"),
        (SYSTEMS, {"adjust": "tukey", "margin": 0.1}, rs.UnsoundError, "adjust='max-t'"),
        (SYSTEMS, {"adjust": "tukey", "paired": False}, rs.UnsoundError, "same queries"),
        (SYSTEMS, {"test": "sign-flip", "paired": False}, rs.UnsoundError, "same queries"),
        (SYSTEMS, {"power": 0.2}, rs.InputError, "power must lie"),
        (SYSTEMS, {"resamples": 10}, rs.InputError, "at least 99"),
        (SYSTEMS, {"level": 0.2}, rs.InputError, "level must lie"),
        (SYSTEMS, {"margin": -1}, rs.InputError, "strictly between 0 and 1"),
        (SYSTEMS, {"margin": 0.1, "null": 0.1}, rs.InputError, "sets null and alternative"),
        (SYSTEMS, {"null": math.inf}, rs.InputError, "strictly between"),
        (SYSTEMS, {"queries": [1, 2]}, rs.InputError, "2 names for 60 values"),
    ],
)
def test_what_is_refused(
    values: Any, options: dict[str, Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        rs.queries.compare(values, **options)


def test_average_names_its_queries() -> None:
    found = rs.queries.average(SYSTEMS["a"], queries=[f"q{i}" for i in range(60)], measure="AP")
    assert found.qids[3] == "q3"
    assert found.per_query == pytest.approx(SYSTEMS["a"])
    json.dumps(found.to_dict(), allow_nan=False)
    assert str(found).startswith("AP 0.")


@pytest.mark.parametrize("name", ["null", "margin", "level", "power"])
def test_text_is_no_number(name: str) -> None:
    with pytest.raises(rs.InputError, match=name):
        rs.queries.compare(SYSTEMS, **{name: "0.1"})  # type: ignore[arg-type]
    with pytest.raises(rs.InputError, match="range is two finite numbers"):
        rs.queries.compare(SYSTEMS, range="all")  # type: ignore[arg-type]
    for wrong in ({"size": "half"}, {"bin_width": "a"}, {"seed": -1}):
        with pytest.raises(rs.InputError, match=next(iter(wrong))):
            rs.queries.swap_rate(SYSTEMS, **{"size": 5, **wrong})  # type: ignore[arg-type]


def test_systems_without_variance_need_an_unknown_difference() -> None:
    found = rs.queries.discriminative_power({"a": [0.5] * 5, "b": [0.5] * 5})
    assert "no pair of systems shows any variance" in str(found)
    assert "nan" not in str(found)
