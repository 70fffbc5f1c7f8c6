"""Power, size, level and AUC: each solved for gives back the others, and nothing else is taken."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.plan.unknown import Sizes

ALTERNATIVES = ("two-sided", "greater", "less")
sizes = st.floats(20, 500)
powers = st.floats(0.3, 0.97)


@pytest.mark.slow
@pytest.mark.parametrize("variance", ["binormal", "obuchowski", "hanley-mcneil"])
@given(
    auc=st.floats(0.55, 0.95),
    null=st.floats(0.3, 0.9),
    n_pos=sizes,
    n_neg=sizes,
    level=st.floats(0.8, 0.999),
    alternative=st.sampled_from(ALTERNATIVES),
)
@settings(suppress_health_check=[HealthCheck.filter_too_much])  # most plans have a power near 1
def test_every_unknown_gives_back_the_others(
    variance: str,
    auc: float,
    null: float,
    n_pos: float,
    n_neg: float,
    level: float,
    alternative: Any,
) -> None:
    side = -1 if alternative == "less" else 1
    auc = null + side * abs(auc - null)
    if alternative == "two-sided":
        side = 1
    assume(0.05 < auc < 0.97 and abs(auc - null) > 0.03)
    fixed = {"null": null, "alternative": alternative, "test": "score", "variance": variance}
    found = rs.plan.auc_power(auc=auc, n_pos=n_pos, n_neg=n_neg, level=level, **fixed)
    power = found.power
    assume(1.5 * (1 - level) < power < 0.999)
    known = {"auc": auc, "power": power, "n_pos": n_pos, "n_neg": n_neg, "level": level, **fixed}
    for unknown in ("level", "n_pos", "n_neg"):
        again = rs.plan.auc_power(**{**known, unknown: None})
        assert again.solved_for == unknown
        assert getattr(again, unknown) == pytest.approx(known[unknown], rel=1e-7)
        assert again.power == pytest.approx(power, rel=1e-9)
    both = {**known, "n_pos": None, "n_neg": None, "prevalence": n_pos / (n_pos + n_neg)}
    assert rs.plan.auc_power(**both).n_pos == pytest.approx(n_pos, rel=1e-7)
    if power > 0.5:  # below, the power may be reached by an AUC nearer to the null as well
        again = rs.plan.auc_power(**{**known, "auc": None})
        assert again.auc == pytest.approx(auc, rel=1e-6)


@pytest.mark.parametrize("test", ["auto", "delong", "logit-t", "newcombe5"])
@pytest.mark.parametrize(("auc", "null"), [(0.8, 0.65), (0.75, 0.85), (0.9, 0.5)])
def test_intervals_as_tests(test: str, auc: float, null: float) -> None:
    found = rs.plan.auc_power(auc=auc, null=null, power=0.8, prevalence=0.25, test=test)
    assert found.power == pytest.approx(0.8, abs=0.03)  # "auto" jumps where its hull ends
    fewer = rs.plan.auc_power(
        auc=auc, null=null, n_pos=found.n_pos * 0.99, n_neg=found.n_neg * 0.99, test=test
    )
    assert fewer.power < 0.8 <= found.power + 1e-12
    assert found.prevalence == pytest.approx(0.25)


@pytest.mark.slow
@given(
    auc=st.floats(0.55, 0.95), null=st.floats(0.2, 0.9), m=sizes, n=sizes, spread=st.floats(0.3, 3)
)
@settings(max_examples=40)
def test_classes_and_direction_are_exchanged_alike(
    auc: float, null: float, m: float, n: float, spread: float
) -> None:
    """Turning the scores over, or calling the negatives positive, is the same test."""
    assume(abs(auc - null) > 0.01)  # else neither side is the right one
    for test in ("score", "auto"):
        one = rs.plan.auc_power(
            auc=auc, null=null, n_pos=m, n_neg=n, spread=spread, test=test, variance="binormal"
        )
        exchanged = rs.plan.auc_power(
            auc=auc, null=null, n_pos=n, n_neg=m, spread=1 / spread, test=test, variance="binormal"
        )
        turned = rs.plan.auc_power(
            auc=1 - auc, null=1 - null, n_pos=m, n_neg=n, spread=spread, test=test,
            variance="binormal",
        )  # fmt: skip
        if test == "auto" and abs(one.power - exchanged.power) > 1e-6:
            # the grid of estimates meets the jumps of "auto" within a step of itself
            assert exchanged.power == pytest.approx(one.power, abs=0.02)
            continue
        assert exchanged.power == pytest.approx(one.power, rel=1e-6, abs=1e-9)
        assert turned.power == pytest.approx(one.power, rel=1e-6, abs=1e-3)


def test_two_sided_power_counts_the_right_side() -> None:
    at = rs.plan.auc_power(auc=0.5, n_pos=50, n_neg=50)
    assert at.power == pytest.approx(0.025, abs=1e-12)
    assert at.wrong_side == pytest.approx(0.025, abs=1e-12)
    near = rs.plan.auc_power(auc=0.52, n_pos=50, n_neg=50)
    assert near.power > 0.025 > near.wrong_side > 0
    assert any("wrong direction" in said for said in near.warnings)
    assert rs.plan.auc_power(auc=0.7, n_pos=50, n_neg=50, alternative="greater").wrong_side == 0


def test_defaults_are_those_of_the_documents() -> None:
    assert (rs.plan.auc_power(auc=0.8, power=0.9).test, "score") == ("score", "score")
    assert rs.plan.auc_power(auc=0.8, power=0.9).variance == "obuchowski"
    assert rs.plan.auc_power(auc=0.8, power=0.9, null=0.6).test == "auto"
    assert rs.plan.auc_power(auc=0.8, power=0.9, null=0.6).variance == "binormal"
    assert rs.plan.auc_power(auc=0.8, power=0.9, spread=2).variance == "binormal"
    assert rs.plan.auc_power(auc=0.8, power=0.9, fpr=0.2).test == "auto"


def test_a_region_of_everything_is_the_auc() -> None:
    whole = rs.plan.auc_power(auc=0.8, null=0.7, n_pos=80, n_neg=80, test="logit-t")
    part = rs.plan.auc_power(
        auc=0.8, null=0.7, n_pos=80, n_neg=80, test="logit-t", fpr=(0.0, 1 - 1e-12)
    )
    assert part.area == pytest.approx(whole.area)
    # the partial area's variance leaves out a term in 1/(n_pos·n_neg)
    assert part.power == pytest.approx(whole.power, abs=0.01)


def test_sizes_are_rounded_up_and_whole_ones_stay() -> None:
    found = rs.plan.auc_power(auc=0.73, power=0.95, prevalence=1 / 2.7)
    assert (found.rows_pos, found.rows_neg, found.rows) == (30, 51, 81)
    again = rs.plan.auc_power(auc=0.73, n_pos=30, n_neg=51)
    assert (again.rows_pos, again.rows_neg) == (30, 51)
    assert again.power >= 0.95


@given(
    a=st.floats(0.55, 0.95),
    b=st.floats(0.55, 0.95),
    m=sizes,
    n=sizes,
    rho=st.tuples(st.floats(-0.5, 0.95), st.floats(-0.5, 0.95)),
    spread=st.tuples(st.floats(0.4, 2.5), st.floats(0.4, 2.5)),
    variance=st.sampled_from(["binormal", "obuchowski", "hanley-mcneil"]),
)
@settings(max_examples=60)
def test_models_change_places(
    a: float, b: float, m: float, n: float, rho: Any, spread: Any, variance: str
) -> None:
    plan = {"n_pos": m, "n_neg": n, "correlation": rho, "variance": variance}
    one = rs.plan.auc_difference_power(auc_a=a, auc_b=b, spread=spread, **plan)
    other = rs.plan.auc_difference_power(auc_a=b, auc_b=a, spread=spread[::-1], **plan)
    assert other.power == pytest.approx(one.power, rel=1e-9, abs=1e-12)
    assert other.difference == -one.difference
    less = rs.plan.auc_difference_power(
        auc_a=b, auc_b=a, spread=spread[::-1], alternative="less", **plan
    )
    greater = rs.plan.auc_difference_power(
        auc_a=a, auc_b=b, spread=spread, alternative="greater", **plan
    )
    assert less.power == pytest.approx(greater.power, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(
    "how", [{"correlation": 0.5}, {"auc_correlation": 0.4}, {"paired": False, "b_per_a": 2.5}]
)
@pytest.mark.parametrize("region", [{}, {"fpr": 0.3}])
def test_every_unknown_of_a_difference(alternative: Any, how: Any, region: Any) -> None:
    a, b = (0.7, 0.8) if alternative == "less" else (0.82, 0.7)
    fixed = {"alternative": alternative, **how, **region}
    known = {"auc_a": a, "auc_b": b, "n_pos": 70.0, "n_neg": 160.0, "level": 0.97}
    power = rs.plan.auc_difference_power(**known, **fixed).power
    assert 0.2 < power < 0.99
    for unknown, value in known.items():
        if alternative == "two-sided" and unknown == "auc_b":
            continue  # the one left out lies above the other; here it lies below
        again = rs.plan.auc_difference_power(**{**known, unknown: None}, power=power, **fixed)
        assert again.solved_for == unknown
        assert getattr(again, unknown) == pytest.approx(value, rel=1e-6)
    both = {**known, "n_pos": None, "n_neg": None, "prevalence": 7 / 23}
    again = rs.plan.auc_difference_power(**both, power=power, **fixed)
    assert again.n_neg == pytest.approx(160.0, rel=1e-7)


def test_either_model_may_be_the_unknown_one() -> None:
    plan = {"power": 0.8, "n_pos": 100, "n_neg": 200, "correlation": 0.5}
    first = rs.plan.auc_difference_power(auc_b=0.7, **plan)
    second = rs.plan.auc_difference_power(auc_a=0.7, **plan)
    assert first.auc_a == pytest.approx(second.auc_b, rel=1e-9)
    assert first.auc_a > 0.7


def test_non_inferiority() -> None:
    found = rs.plan.auc_difference_power(
        auc_a=0.8, auc_b=0.8, power=0.8, margin=0.05, correlation=0.6
    )
    by_null = rs.plan.auc_difference_power(
        auc_a=0.8, auc_b=0.8, power=0.8, null=-0.05, alternative="greater", correlation=0.6
    )
    assert (found.null, found.alternative) == (-0.05, "greater")
    assert found.n_pos == by_null.n_pos
    # Φ(margin/σ − z) = .8 for σ at the sizes found
    assert 0.05 / found.std_error == pytest.approx(1.6448536 + 0.8416212, rel=1e-6)
    assert "with a margin of 0.05" in str(found)


def test_a_pilot_is_scaled_by_class() -> None:
    rng = np.random.default_rng(3)
    y = np.arange(90) < 30
    scores = {"a": rng.normal(size=90) + 1.2 * y, "b": rng.normal(size=90) + 0.6 * y}
    pilot = rs.plan.pilot(y, scores)
    here = rs.plan.auc_difference_power(pilot=pilot, n_pos=30, n_neg=60)
    compared = rs.compare(y, scores, test="delong").pairs[0]
    assert here.difference == pytest.approx(compared.difference, rel=1e-12)
    assert here.std_error == pytest.approx(compared.std_error, rel=1e-12)
    many = rs.plan.auc_difference_power(pilot=pilot, n_pos=30, n_neg=10**9)
    assert many.std_error == pytest.approx(
        math.sqrt((pilot.pos[0, 0] + pilot.pos[1, 1] - 2 * pilot.pos[0, 1]) / 30), rel=1e-6
    )
    apart = rs.plan.auc_difference_power(pilot=pilot, n_pos=30, n_neg=60, paired=False)
    assert apart.correlation == 0
    assert apart.std_error == pytest.approx(math.hypot(here.std_error_a, here.std_error_b))
    wished = rs.plan.auc_difference_power(pilot=pilot, auc_a=0.8, auc_b=0.7, power=0.8)
    assert wished.difference == pytest.approx(0.1)
    assert wished.prevalence == pytest.approx(1 / 3)
    least = rs.plan.auc_difference_power(pilot=pilot, auc_b=0.7, power=0.8, n_pos=99, n_neg=99)
    assert least.auc_a > 0.7


@pytest.mark.parametrize(
    "measure",
    [
        *("partial_auc(fpr<=0.3)", "partial_auc(tpr<=0.6)", "partial_auc(fpr<=0.6, tpr<=0.3)"),
        *("partial_auc(fpr<=0.3, scale=mcclish)", "weighted_auc(power(2))"),
    ],
)
def test_a_pilot_of_areas(measure: str) -> None:
    rng = np.random.default_rng(4)
    y = np.arange(140) < 60
    scores = {
        "a": np.round(rng.normal(size=140) + y, 1), "b": rng.normal(size=140) + 0.5 * y
    }  # fmt: skip
    pilot = rs.plan.pilot(y, scores, measure=measure)
    table = {"y": y, **scores}
    for i, score in enumerate(scores.values()):
        found = rs.evaluate(table, label="y", scores=list("ab"), measures=measure).results[i]
        assert pilot.values[i] == pytest.approx(found.value, rel=1e-12)
        at = pilot.covariance(60, 80)[i, i]
        assert math.sqrt(at) == pytest.approx(found.std_error, rel=1e-9)
        assert pilot.aucs[i] == pytest.approx(rs.auc(y, score).value, rel=1e-12)
    plan = rs.plan.auc_difference_power(pilot=pilot, power=0.8)
    assert (plan.value_a, plan.auc_a) == (pilot.values[0], pilot.aucs[0])


@pytest.mark.parametrize("interval", ["auto", "delong", "logit-t", "newcombe5", "hanley-mcneil"])
def test_precision_gives_back_what_was_given(interval: str) -> None:
    plan = {"auc": 0.85, "interval": interval}
    found = rs.plan.auc_precision(half_width=0.05, prevalence=0.25, **plan)
    assert found.half_width <= 0.05 * (1 + 1e-9)
    fewer = rs.plan.auc_precision(n_pos=found.n_pos * 0.99, n_neg=found.n_neg * 0.99, **plan)
    assert fewer.half_width > 0.05
    sizes = {"n_pos": found.n_pos, "n_neg": found.n_neg}
    again = rs.plan.auc_precision(half_width=found.half_width, level=None, **sizes, **plan)
    assert again.level == pytest.approx(0.95, abs=1e-6)
    one = rs.plan.auc_precision(half_width=found.half_width, n_pos=found.n_pos, **plan)
    assert one.n_neg == pytest.approx(found.n_neg, rel=1e-6)


def test_delongs_precision_is_the_textbook_one() -> None:
    found = rs.plan.auc_precision(auc=0.8, half_width=0.04, interval="delong")
    assert found.half_width == pytest.approx(1.9599639845 * found.std_error, rel=1e-9)


def test_sizes_refuse_what_does_not_agree() -> None:
    assert Sizes.of(20, 30, 0.4).known == (20.0, 30.0)
    for bad in ((20, 30, 0.5), (0, 3, None), (3, math.inf, None), (3, math.nan, None)):
        with pytest.raises(rs.InputError):
            Sizes.of(*bad)


ONE = {"auc": 0.8, "power": 0.9}
TWO = {"auc_a": 0.8, "auc_b": 0.7, "power": 0.9}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rs.plan.auc_power(**ONE, n_pos=9, n_neg=9), "nothing is left to solve for"),
        (lambda: rs.plan.auc_power(), "2 quantities are left out"),
        (lambda: rs.plan.auc_power(n_pos=20), "auc, n_neg"),
        (lambda: rs.plan.auc_power(level=None, n_pos=20, n_neg=20), "auc, level"),
        (lambda: rs.plan.auc_power(auc=1.0, power=0.9), "auc must lie strictly"),
        (lambda: rs.plan.auc_power(auc=0.8, power=1.0), "power must lie strictly"),
        (lambda: rs.plan.auc_power(auc=0.8, power=0.9, level=0.0), "level must lie strictly"),
        (lambda: rs.plan.auc_power(auc=0.8, power=0.9, null=1.0), "null must lie strictly"),
        (lambda: rs.plan.auc_power(auc=0.5, power=0.9), "does not lie away from"),
        (lambda: rs.plan.auc_power(auc=0.4, power=0.9, alternative="greater"), "above"),
        (lambda: rs.plan.auc_power(**ONE, alternative="up"), "unknown alternative"),
        (lambda: rs.plan.auc_power(**ONE, variance="binormel"), "use 'binormal'"),
        (lambda: rs.plan.auc_power(**ONE, test="logit"), "use 'logit-t'"),
        (lambda: rs.plan.auc_power(**ONE, test="newcombe5", fpr=0.1), "unknown test"),
        (lambda: rs.plan.auc_power(**ONE, spread=0), "spread must lie"),
        (lambda: rs.plan.auc_power(auc=0.8, power=0.04), "takes no data"),
        (lambda: rs.plan.auc_power(**ONE, n_pos=3), "no number is enough"),
        (lambda: rs.plan.auc_power(power=0.9, n_pos=2, n_neg=2), "no AUC is far enough"),
        (lambda: rs.plan.auc_power(power=0.01, n_pos=9, n_neg=9), "at any AUC"),
        (
            lambda: rs.plan.auc_power(auc=0.99, power=0.5, n_pos=999, n_neg=999, level=None),
            "even at a level",
        ),
        (
            lambda: rs.plan.auc_power(auc=0.51, power=0.99, n_pos=9, n_neg=9, level=None),
            "no level is low enough",
        ),
        (lambda: rs.plan.auc_difference_power(**TWO), "nothing says how"),
        (
            lambda: rs.plan.auc_difference_power(**TWO, correlation=0.5, auc_correlation=0.5),
            "both say how",
        ),
        (
            lambda: rs.plan.auc_difference_power(**TWO, paired=False, correlation=0.5),
            "have no correlation",
        ),
        (lambda: rs.plan.auc_difference_power(**TWO, correlation=1.0), "correlation must lie"),
        (lambda: rs.plan.auc_difference_power(**TWO, correlation=(1, 2, 3)), "two numbers"),
        (lambda: rs.plan.auc_difference_power(**TWO, correlation=0.5, b_per_a=2), "same rows"),
        (
            lambda: rs.plan.auc_difference_power(**TWO, paired=False, alternative="less"),
            "does not lie on the side",
        ),
        (
            lambda: rs.plan.auc_difference_power(**TWO, paired=False, margin=0.1, null=0.1),
            "a margin tests",
        ),
        (lambda: rs.plan.auc_difference_power(auc_a=0.8, paired=False), "auc_b, the sizes"),
        (
            lambda: rs.plan.auc_difference_power(
                **TWO, correlation=0.5, fpr=0.1, variance="hanley-mcneil"
            ),
            "for the whole area",
        ),
        (lambda: rs.plan.pilot([0, 1, 1], {"a": [1, 2, 3], "b": [1, 2, 3]}), "at least two rows"),
        (
            lambda: rs.plan.pilot([0, 1], {"a": [1, 2], "b": [1, 2], "c": [1, 2]}),
            "a pilot has two scores",
        ),
        (lambda: rs.plan.auc_precision(auc=0.9), "2 quantities are left out"),
        (lambda: rs.plan.auc_precision(auc=0.9, half_width=0.6), "half_width must lie"),
        (lambda: rs.plan.auc_precision(auc=0.9, half_width=0.1, interval="dlong"), "'delong'"),
        (
            lambda: rs.plan.auc_precision(auc=0.9, n_pos=1, n_neg=9, interval="logit-t"),
            "this interval does not exist",
        ),
        (lambda: rs.plan.auc_precision(auc=0.9, half_width=0.01, n_pos=9), "no number is enough"),
        (
            lambda: rs.plan.auc_precision(auc=0.9, half_width=1e-8, n_pos=9, n_neg=9, level=None),
            "no level",
        ),
    ],
)
def test_requests_that_make_no_sense_are_refused(call: Any, message: str) -> None:
    with pytest.raises(rs.RocsolidError, match=message):
        call()


def test_a_pilot_refuses_to_be_told_what_it_knows() -> None:
    pilot = rs.plan.pilot([0, 0, 0, 1, 1, 1], {"a": [1, 2, 4, 3, 5, 6], "b": [5, 1, 2, 6, 4, 3]})
    for extra in ({"fpr": 0.2}, {"spread": 2.0}, {"variance": "binormal"}, {"correlation": 0.5}):
        with pytest.raises(rs.InputError):
            rs.plan.auc_difference_power(pilot=pilot, power=0.8, **extra)
    assert any("pilot has 3" in w for w in rs.plan.auc_difference_power(
        pilot=pilot, power=0.8
    ).warnings)  # fmt: skip
    same = rs.plan.pilot([0, 0, 1, 1], {"a": [1, 3, 2, 4], "b": [1, 3, 2, 4]})
    with pytest.raises(rs.InputError, match="never differ"):
        rs.plan.auc_difference_power(pilot=same, auc_a=0.8, auc_b=0.7, power=0.8)
    part = rs.plan.pilot(
        [0, 0, 1, 1], {"a": [1, 3, 2, 4], "b": [1, 2, 3, 4]}, measure="partial_auc(fpr<=0.5)"
    )
    with pytest.raises(rs.InputError, match="come from the pilot"):
        rs.plan.auc_difference_power(pilot=part, auc_a=0.8, auc_b=0.7, power=0.8)


def test_doubts_come_with_figures() -> None:
    few = rs.plan.auc_power(auc=0.9, n_pos=8, n_neg=8)
    assert any("0.8 of 8 rows" in said and "0.6" in said for said in few.warnings)
    assert any('interval "newcombe5"' in said for said in few.warnings)
    assert not rs.plan.auc_power(auc=0.73, n_pos=41, n_neg=72).warnings
    two = rs.plan.auc_difference_power(auc_a=0.95, auc_b=0.8, power=0.8, correlation=0.5)
    assert any("0.15" in said or "0.18" in said or "0.06" in said for said in two.warnings)
    width = rs.plan.auc_precision(auc=0.97, half_width=0.1, interval="delong")
    assert any('interval "auto"' in said for said in width.warnings)


def test_results_become_json_and_sentences() -> None:
    results = (
        rs.plan.auc_power(auc=0.8, power=0.9, fpr=0.2, null=0.7),
        rs.plan.auc_difference_power(auc_a=0.8, auc_b=0.7, power=0.9, paired=False, b_per_a=2),
        rs.plan.auc_difference_power(auc_a=0.8, auc_b=0.6, null=0.1, power=0.9, correlation=0.2),
        rs.plan.auc_precision(auc=0.8, half_width=0.1),
    )
    for result in results:
        assert json.loads(json.dumps(result.to_dict(), allow_nan=False)) == result.to_dict()
        assert result.to_dict()["rows"] == result.rows_pos + result.rows_neg
    assert "tested by the area in fpr<=0.2" in str(results[0])
    assert "in sample a, 2 times as many in b" in str(results[1])
    assert "against 0.1" in str(results[2])
    assert "to within ±0.1000 at 95 %" in str(results[3])


@pytest.mark.parametrize("name", ["auc", "power", "n_pos", "prevalence", "null", "spread", "level"])
def test_text_is_no_number(name: str) -> None:
    with pytest.raises(rs.InputError, match=name):
        rs.plan.auc_power(**{"auc": 0.8, "power": 0.9, "prevalence": 0.5, name: "0.8"})  # type: ignore[arg-type]


def test_what_may_not_be_left_out_and_what_is_no_choice() -> None:
    with pytest.raises(rs.InputError, match="null must lie"):
        rs.plan.auc_power(auc=0.8, power=0.9, null=None)  # type: ignore[arg-type]
    with pytest.raises(rs.InputError, match="auc must lie"):
        rs.plan.auc_precision(auc=None, half_width=0.05)  # type: ignore[arg-type]
    asked: dict[str, Any] = {"auc_a": 0.85, "auc_b": 0.8, "power": 0.8}
    with pytest.raises(rs.InputError, match="paired must be True or False"):
        rs.plan.auc_difference_power(**asked, correlation=0.5, paired="no")  # type: ignore[arg-type]
    with pytest.raises(rs.InputError, match="not a number"):
        rs.plan.auc_difference_power(**asked, correlation="high")


def test_a_pilot_reads_as_a_sentence() -> None:
    y, a = [0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6]
    text = str(rs.plan.pilot(y, {"a": a, "b": a[::-1]}))
    assert text.startswith("pilot of 3 positives and 3 negatives: a 0.8889 (standard error ")


def test_equivalence_is_planned_for_both_sides_of_the_margin() -> None:
    """P(both one-sided tests succeed) of a normal estimate, integrated by simulation."""
    models = {"auc_a": 0.83, "auc_b": 0.82, "correlation": 0.6, "margin": 0.05}
    found = rs.plan.auc_difference_power(**models, equivalence=True, n_pos=200, n_neg=400)
    drawn = np.random.default_rng(2).normal(0.01, found.std_error, size=400_000)
    reach = 1.6448536269514722 * found.std_error
    both = np.mean((drawn - reach > -0.05) & (drawn + reach < 0.05))
    assert found.power == pytest.approx(both, abs=0.003)
    assert found.power < rs.plan.auc_difference_power(**models, n_pos=200, n_neg=400).power
    enough = rs.plan.auc_difference_power(**models, equivalence=True, power=0.9, prevalence=0.3)
    again = rs.plan.auc_difference_power(
        **models, equivalence=True, n_pos=enough.n_pos, n_neg=enough.n_neg
    )
    assert again.power == pytest.approx(0.9, abs=1e-6)
    assert "within ±0.05" in str(enough)
    assert "two one-sided tests" in str(enough)
    few = rs.plan.auc_difference_power(**models, equivalence=True, n_pos=10, n_neg=10)
    assert few.power == 0.0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"auc_a": 0.8, "auc_b": 0.8, "power": 0.8}, "needs a margin"),
        ({"auc_a": 0.9, "auc_b": 0.8, "power": 0.8, "margin": 0.05}, "outside the margin"),
        ({"auc_a": 0.7, "auc_b": 0.8, "power": 0.8, "margin": 0.05}, "side of the null"),
        ({"auc_a": 0.8, "power": 0.8, "n_pos": 50, "n_neg": 50, "margin": 0.05}, "many AUCs"),
    ],
)
def test_equivalence_that_cannot_be_planned(asked: dict[str, float], said: str) -> None:
    with pytest.raises(rs.InputError, match=said):
        rs.plan.auc_difference_power(**asked, correlation=0.5, equivalence=True)
