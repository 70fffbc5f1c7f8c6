"""Tests by resampling and exchange, curve tests, and measures other than the AUC."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.comparison import redraws
from rocsolid.measures.named import measure_of
from rocsolid.summaries import placements
from without_formula import Youden

RNG = np.random.default_rng(10)
Y = np.arange(90) % 3 == 0
A, B, C = (RNG.normal(size=90) + shift * Y for shift in (2.0, 1.6, 0.4))
SCORES = {"a": A, "b": B, "c": C}
METHODS = ["bootstrap", "bootstrap-percentile", "bootstrap-bca", "permutation",
           "venkatraman-curves"]  # fmt: skip
MEASURES = ["partial_auc(fpr<=0.2)", "partial_auc(tpr>=0.8, scale=mcclish)",
            "partial_auc(fpr<=0.3, tpr>=0.5)", "weighted_auc(power(2))"]  # fmt: skip


@pytest.mark.parametrize("test", METHODS)
def test_every_method_gives_a_whole_result(test: str) -> None:
    result = rs.compare(Y, SCORES, test=test, resamples=499, adjust="max-t")
    for pair in result.pairs:
        assert 0.0 < pair.p_value <= 1.0
        assert pair.p_value - 1e-12 <= pair.p_adjusted <= 1.0
        assert pair.difference == result.estimates[pair.a].value - result.estimates[pair.b].value
        assert pair.certified is not None
        assert pair.low <= pair.difference <= pair.high
    assert result.pairs[1].p_value < 0.05
    assert result.pairs[1].p_value < result.pairs[0].p_value
    assert result.settings["test"] == test
    assert result.settings["resamples"] == 499
    json.dumps(result.to_dict(), allow_nan=False)
    assert "venkatraman" not in test or "whole ROC curves" in result.warnings[0]
    samples = {name: (Y, s) for name, s in SCORES.items()}
    apart = rs.compare(samples, test=test, resamples=499)
    assert apart.pairs[1].p_value < 0.05
    same = rs.compare(Y, SCORES, test=test, resamples=499, paired=False)
    assert [p.p_value for p in same.pairs] == [p.p_value for p in apart.pairs]
    assert same.covariance[0, 1] == 0.0


@pytest.mark.parametrize("test", METHODS)
def test_neither_threads_nor_blocks_matter(test: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def numbers() -> list[Any]:
        both = [
            rs.compare(Y, SCORES, test=test, resamples=60, adjust="max-t"),
            rs.compare([(Y, A), (Y, C)], test=test, resamples=60),
        ]
        return [(p.statistic, p.p_value, p.p_adjusted, p.low) for r in both for p in r.pairs]

    plain = numbers()
    monkeypatch.setattr(redraws, "_CELLS", 200)
    monkeypatch.setattr(placements, "_WORTH_A_THREAD", 0)
    assert numbers() == plain
    other = rs.compare(Y, SCORES, test=test, resamples=60, seed=1)
    assert [p.p_value for p in other.pairs] != [one[1] for one in plain[:3]]


def test_the_same_resamples_serve_everything() -> None:
    result = rs.compare(Y, SCORES, test="bootstrap", resamples=800)
    for pair in result.pairs:
        i, j = (list(SCORES).index(name) for name in (pair.a, pair.b))
        c = result.covariance
        assert pair.std_error**2 == pytest.approx(c[i, i] + c[j, j] - 2 * c[i, j])
        assert pair.statistic == pytest.approx(pair.difference / pair.std_error)
    one = rs.compare(Y, {"a": A, "c": C}, test="bootstrap", resamples=800)
    assert one.omnibus.statistic == pytest.approx(one.pairs[0].statistic ** 2, rel=0.05)
    assert one.pairs[0].low == result.pairs[1].low
    assert one.pairs[0].interval.method == "bootstrap-percentile"
    assert "800 resamples, seed 0" in one.pairs[0].interval.assumptions
    named = rs.compare(Y, {"a": A, "c": C}, test="bootstrap-percentile", resamples=800)
    assert named.pairs[0].to_dict() == one.pairs[0].to_dict()
    bca = rs.compare(Y, {"a": A, "c": C}, test="bootstrap-bca", resamples=800).pairs[0]
    assert (bca.p_value, bca.interval.method) == (one.pairs[0].p_value, "bootstrap-bca")
    assert bca.low != one.pairs[0].low


def test_the_interval_of_a_permutation_test_leaves_out_0_when_it_rejects() -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        scores = {"a": Y + rng.normal(size=90), "b": rng.normal(size=90) + 0.4 * Y}
        for alternative in ("two-sided", "greater", "less"):
            for paired in (True, False):
                pair = rs.compare(
                    Y, scores, test="permutation", paired=paired, resamples=199,
                    alternative=alternative,
                ).pairs[0]  # fmt: skip
                assert (pair.p_value <= 0.05 + 1e-12) == (not pair.low <= 0.0 <= pair.high)
    few = rs.compare(Y, scores, test="permutation", resamples=10).pairs[0]
    assert few.interval.vacuous, "no p-value below 1/11 exists"


def test_max_t_of_shared_exchanges() -> None:
    alone = rs.compare(Y, {"a": A, "b": B}, test="permutation", adjust="max-t").pairs[0]
    assert alone.p_adjusted == alone.p_value
    raw = rs.compare(Y, SCORES, test="permutation", adjust="max-t", resamples=1999)
    normal = rs.compare(Y, SCORES, adjust="max-t")
    for p, q in zip(raw.pairs, normal.pairs, strict=True):
        assert p.p_adjusted == pytest.approx(q.p_adjusted, abs=0.05)
    samples = [(Y, s) for s in SCORES.values()]
    apart = rs.compare(samples, test="permutation", adjust="max-t")
    assert all(p.p_adjusted >= p.p_value for p in apart.pairs)
    with pytest.raises(rs.UnsoundError, match="no joint distribution"):
        rs.compare(samples, test="venkatraman-curves", adjust="max-t")


def test_scores_on_other_scales_are_the_same_scores() -> None:
    for test in ("permutation", "venkatraman-curves"):
        plain = rs.compare(Y, {"a": A, "b": B}, test=test).pairs[0]
        scaled = rs.compare(Y, {"a": np.exp(A), "b": 100 * B - 7}, test=test).pairs[0]
        assert plain.to_dict() == scaled.to_dict()
        first, second = (Y, A), (np.tile(Y, 2)[20:], np.tile(B, 2)[20:])
        one = rs.compare([first, second], test=test).pairs[0]
        two = rs.compare([first, (second[0], np.exp(second[1]))], test=test).pairs[0]
        assert one.p_value == two.p_value


def test_whole_clusters_are_exchanged() -> None:
    cluster = np.arange(90) // 15
    for test in ("permutation", "venkatraman-curves"):
        pair = rs.compare(Y, {"a": A, "c": C}, cluster=cluster, test=test).pairs[0]
        assert pair.method.endswith("(all exchanges)"), "2⁶ ways to swap six clusters"
        assert pair.p_value * 64 == pytest.approx(round(pair.p_value * 64))
        assert pair.p_value >= 2 / 64
    plain = rs.compare(Y, {"a": A, "c": C}, cluster=np.arange(90), test="permutation").pairs[0]
    alone = rs.compare(Y, {"a": A, "c": C}, test="permutation").pairs[0]
    assert plain.p_value == pytest.approx(alone.p_value, abs=0.02)


def test_identical_scores() -> None:
    for test in METHODS:
        result = rs.compare(Y, {"a": A, "again": np.exp(A)}, test=test, resamples=99)
        assert result.pairs[0].p_value == 1.0
        assert result.pairs[0].low < 0 < result.pairs[0].high
        json.dumps(result.to_dict(), allow_nan=False)


def test_a_curve_test_has_no_interval() -> None:
    result = rs.compare(Y, {"a": A, "c": C}, test="venkatraman-curves")
    pair = result.pairs[0]
    assert pair.interval.method == "none: a test of whole curves"
    assert pair.interval.vacuous
    assert np.isnan(pair.std_error)
    assert pair.to_dict()["std_error"] is None
    assert "no 95 % interval" in result.explain()


def test_a_curve_test_does_not_know_the_order_of_rows() -> None:
    grades = np.round(A)
    order = RNG.permutation(90)
    one = rs.compare(Y, {"a": grades, "c": C}, test="venkatraman-curves").pairs[0]
    other = rs.compare(Y[order], {"a": grades[order], "c": C[order]}, test="venkatraman-curves")
    assert one.statistic == pytest.approx(other.pairs[0].statistic, rel=1e-12)


@pytest.mark.parametrize("name", MEASURES)
def test_areas(name: str) -> None:
    result = rs.compare(Y, SCORES, measure=name)
    (first, *_) = result.estimates.values()
    if name.startswith("partial"):
        assert result.measure == name
    for pair in result.pairs:
        assert pair.low <= pair.difference <= pair.high
        assert pair.certified is not None, "the two certified intervals, each at half the error"
        assert pair.certified.method.startswith("difference of ")
        assert pair.certified.range == pair.interval.range
    bottom, top = result.pairs[0].interval.range
    assert bottom == -top
    evaluated = (
        rs.evaluate({"y": Y, "a": A}, label="y", scores="a", measures=name).results[0]
        if name.startswith("partial")
        else rs.weighted_auc(Y, A, weight=rs.weights.power(2))
    )
    assert (first.value, first.low) == (evaluated.value, evaluated.low)
    apart = rs.compare([(Y, A), (Y, C)], measure=name)
    assert apart.pairs[0].df is not None
    assert apart.pairs[0].difference == pytest.approx(result.pairs[1].difference)
    boot = rs.compare(Y, SCORES, measure=name, test="bootstrap")
    assert boot.pairs[1].std_error == pytest.approx(result.pairs[1].std_error, rel=0.25)


def test_an_area_over_everything_is_the_auc() -> None:
    weight = RNG.random(90) + 0.5
    cluster = np.arange(90) // 2
    for options in ({}, {"sample_weight": weight}, {"cluster": cluster},
                    {"sample_weight": weight, "cluster": cluster}):  # fmt: skip
        options = {**options, "design": "fixed"}
        whole = rs.compare(Y, SCORES, test="delong", **options)
        for measure in ("partial_auc(tpr<=1)", "weighted_auc(power(0))"):
            area = rs.compare(Y, SCORES, measure=measure, test="delong", **options)
            assert area.covariance == pytest.approx(whole.covariance, rel=1e-9)
            for p, q in zip(area.pairs, whole.pairs, strict=True):
                assert (p.statistic, p.p_value) == pytest.approx((q.statistic, q.p_value))
            for name in SCORES:
                one, other = area.estimates[name], whole.estimates[name]
                assert one.std_error == pytest.approx(other.std_error)
                assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-9)
            assert (area.pairs[0].certified is None) == ("cluster" in options)


def test_weights_as_measures_and_by_name() -> None:
    by_weight = rs.compare(Y, SCORES, measure=rs.weights.step(0, 0.2, axis="fpr"))
    by_region = rs.compare(Y, SCORES, measure="partial_auc(fpr<=0.2)")
    by_name = rs.compare(Y, SCORES, measure="weighted_auc(step(0, 0.2, axis=fpr))")
    for p, q, r in zip(by_weight.pairs, by_region.pairs, by_name.pairs, strict=True):
        assert p.p_value == q.p_value == r.p_value
    again = rs.compare(Y, SCORES, measure=by_weight.measure)
    assert again.pairs[0].p_value == by_weight.pairs[0].p_value
    curve = rs.weights.cost_curve([0, 0.5, 1], [2, 1, 0])
    assert measure_of(measure_of(curve).name).range == measure_of(curve).range


def test_scales_stretch_the_difference_and_not_the_test() -> None:
    raw, mean, mcclish = (
        rs.compare(Y, SCORES, measure=f"partial_auc(fpr<=0.2{scale})").pairs[0]
        for scale in ("", ", scale=mean", ", scale=mcclish")
    )
    assert raw.p_value == pytest.approx(mean.p_value) == pytest.approx(mcclish.p_value)
    assert mean.difference == pytest.approx(raw.difference / 0.2)
    assert mcclish.difference == pytest.approx(raw.difference / (0.2 - 0.02) / 2)
    assert raw.interval.range == (-0.2, 0.2)
    assert mcclish.interval.range[1] == pytest.approx(0.1 / 0.18)
    with pytest.raises(rs.InputError, match=r"between 0 and 0\.2"):
        rs.compare(Y, SCORES, measure="partial_auc(fpr<=0.2)", margin=0.3)
    with pytest.raises(rs.InputError, match=r"between -0\.2 and 0\.2"):
        rs.compare(Y, SCORES, measure="partial_auc(fpr<=0.2)", null=0.2)


def test_a_region_that_no_curve_runs_through() -> None:
    y = np.arange(80) < 40
    perfect = {"one": 1.0 * y, "two": y + np.linspace(0, 0.1, 80)}
    result = rs.compare(y, perfect, measure="partial_auc(fpr<=0.5, tpr<=0.5)")
    assert result.pairs[0].p_value == 1.0
    poor = rs.compare(Y, {"c": C, "noise": RNG.normal(size=90)}, measure="partial_auc(fpr<=0.01)")
    assert any("c; noise: The region holds about" in w for w in poor.warnings)


def test_sensitivity_at_a_specificity() -> None:
    result = rs.compare(Y, SCORES, measure="sensitivity(specificity=0.9)", test="bootstrap")
    for one in result.estimates.values():
        assert one.method == "auto (wilson)"
        assert one.low <= one.value <= one.high
        assert one.std_error is not None
    pair = result.pairs[0]
    assert pair.certified is not None
    assert pair.difference in pair.certified
    default = rs.compare(Y, SCORES, measure=result.measure)
    assert default.pairs[0].interval.method == "delong-t"
    assert default.pairs[0].std_error == pytest.approx(pair.std_error, rel=0.35)
    reading = rs.roc(Y, A).reading(fpr=0.1)
    alone = rs.evaluate({"y": Y, "a": A}, label="y", scores="a", measures=result.measure)
    assert (alone.results[0].low, alone.results[0].high) == (reading.low, reading.high)
    assert alone.results[0].certified == reading.certified
    point = rs.roc(Y, A).at(fpr=0.1)
    assert result.estimates["a"].value == pytest.approx(point.tpr)
    assert "At a specificity of 0.9 the sensitivity is" in result.estimates["a"].explain()
    other = rs.compare(Y, SCORES, measure="specificity(sensitivity=0.9)", test="bootstrap")
    assert other.estimates["a"].value == pytest.approx(1 - rs.roc(Y, A).at(tpr=0.9).fpr)
    grouped = rs.compare(
        Y, SCORES, measure="specificity(sensitivity=0.9)", test="bootstrap",
        cluster=np.arange(90) // 2,
    )  # fmt: skip
    assert grouped.pairs[0].df == 44.0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"measure": Youden()}, 'test="bootstrap"'),
        ({"measure": Youden(), "test": "bootstrap-bca"}, "influence"),
        ({"measure": "sensitivity(specificity=90)"}, "strictly between 0 and 1"),
        ({"measure": "sensitivity(recall=0.9)"}, r"sensitivity\(specificity=0\.9\)"),
        ({"measure": "specificity"}, r"specificity\(sensitivity=0\.9\)"),
        ({"measure": "weighted_auc(pwer(2))"}, "'power'"),
        ({"measure": "weighted_auc(power())"}, "cannot be made"),
        ({"measure": "weighted_auc(power(x.y))"}, "not a weight"),
        ({"measure": "weighted_auc(power(-2))"}, "power"),
        ({"measure": "weighted_auc"}, "not a weight"),
        ({"measure": "partial_auc(fpr<0.1)"}, "not a region"),
        ({"measure": "partial_acu(fpr<=0.1)"}, "'partial_auc\\(fpr<=0.1\\)'"),
        ({"measure": 3}, "unknown measure"),
        ({"test": "bootstrp"}, "'bootstrap'"),
        ({"adjust": "max_t"}, "'max-t'"),
        ({"test": "permutation", "margin": 0.1}, "another null"),
        ({"test": "permutation", "measure": "partial_auc(fpr<=0.1)"}, 'test="bootstrap"'),
        ({"test": "permutation", "resamples": 0}, "whole number of at least 1"),
        ({"test": "permutation", "paired": False, "cluster": np.arange(90) // 3}, "divided"),
        ({"test": "venkatraman-curves", "paired": False, "cluster": np.arange(90) // 3},
         "divided"),
        ({"test": "venkatraman-curves", "measure": "partial_auc(fpr<=0.1)"}, "whole ROC curves"),
        ({"test": "venkatraman-curves", "alternative": "less"}, "no direction"),
        ({"test": "venkatraman-curves", "sample_weight": np.ones(90)}, "counts rows"),
        ({"test": "venkatraman-curves", "null": 0.1}, "another null"),
        ({"test": "bootstrap", "resamples": 1}, "two resamples"),
        ({"test": "bootstrap", "resamples": 2.5}, "whole number"),
        ({"seed": -1}, r"not a whole number of at least 0.*seed"),
        ({"y_true": np.arange(90) == 3, "test": "permutation"}, "two independent rows"),
    ],
)  # fmt: skip
def test_what_the_methods_refuse(options: dict[str, Any], says: str) -> None:
    with pytest.raises(rs.RocsolidError, match=says):
        rs.compare(options.pop("y_true", Y), SCORES, **options)


@pytest.mark.parametrize("paired", [True, False])
def test_a_permutation_test_of_few_rows_says_what_it_answers(paired: bool) -> None:
    """At 5 + 50 rows of equal AUCs and unlike spread it rejects in 14 %, the default in none."""
    rng = np.random.default_rng(8)
    for few, said in ((12, True), (20, False)):
        y = np.arange(120) < few
        scores = {name: rng.normal(size=120) + y for name in "ab"}
        found = rs.compare(y, scores, test="permutation", resamples=20, paired=paired)
        texts = [text for text in found.warnings if "test compares whole curves" in text]
        assert bool(texts) == said
        assert all("certified differences or the default" in text for text in texts)
        assert not any("same" in text for text in rs.compare(y, scores, paired=paired).warnings)
    y, patient = np.arange(120) % 2 == 0, np.arange(120) // 8
    scores = {name: rng.normal(size=120) + y for name in "ab"}
    found = rs.compare(y, scores, test="permutation", resamples=20, cluster=patient)
    assert any("A class has 15 clusters" in text for text in found.warnings)
