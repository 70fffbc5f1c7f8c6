from __future__ import annotations

import json
import math

import pytest

from rocsolid import weights
from rocsolid.errors import InputError, UnsoundError
from rocsolid.theory import guarantees as g
from rocsolid.theory.guarantees.gaussian_complexity import GaussianComplexity
from rocsolid.theory.guarantees.psi import order_of_weights
from rocsolid.theory.guarantees.weighted_uniform import log_dichotomies
from rocsolid.weights import losses

ONE = weights.step(0, 1)
LOSS = losses.ramp(0.25)


def given(value: float, rows: int) -> GaussianComplexity:
    return g.gaussian_given(value, rows)


@pytest.mark.parametrize("delta", [0.05, 0.2])
def test_theorem_3_is_the_formula(delta: float) -> None:
    w, m, n, complexity = weights.ramp(0, 0.5, 3, side="above"), 2 * 10**8, 10**9, 900.0
    rows, p_1, p_0 = m + n, m / (m + n), n / (m + n)
    expected = 8 * math.sqrt(2 * math.pi) * 4 * (1 + 3) / (p_0**2 * p_1) * complexity / rows
    expected += (3 + 10) / p_1**2 * math.sqrt(4 * math.log(16 * rows / delta) / rows)
    found = g.weighted_theorem_3(0.5, m, n, w, LOSS, given(complexity, rows), delta)
    assert float(found) == pytest.approx(expected, rel=1e-12)
    assert found.interval.low == pytest.approx(0.5 - expected)
    assert found.certified
    assert any("ties" in text for text in found.interval.assumptions)


def test_the_classes_change_places_for_rates_of_the_other_axis() -> None:
    by_fpr = weights.ramp(0, 0.5, 3, side="above")
    by_tpr = weights.ramp(0, 0.5, 3, side="above", axis="tpr")
    c = given(10.0, 30_000)
    one = g.weighted_theorem_3(0.5, 10_000, 20_000, by_fpr, LOSS, c)
    other = g.weighted_theorem_3(0.5, 20_000, 10_000, by_tpr, LOSS, c)
    assert float(one) == float(other)
    curve = [
        g.weighted_uniform_curve(0.02, *sizes, w, g.Finite(3))
        for sizes, w in (
            ((900, 8000), weights.step(0, 0.05)),
            ((8000, 900), weights.step(0, 0.05, axis="tpr")),
        )
    ]
    assert float(curve[0]) == pytest.approx(float(curve[1]), rel=1e-14)


def test_ties_do_not_matter_where_the_weight_is_constant() -> None:
    found = g.weighted_theorem_3(0.5, 100, 100, ONE, LOSS, given(0.0, 200))
    assert not any("ties" in text for text in found.interval.assumptions)


def test_the_event_is_checked() -> None:
    found = g.weighted_theorem_3(0.5, 20, 2000, ONE, LOSS, given(0.0, 2020))
    assert math.isinf(float(found))
    assert found.vacuous
    assert any("failed" in text for text in found.interval.assumptions)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["deviation"] is None


def test_vacuous_at_a_thousand_rows_a_class() -> None:
    c = g.gaussian_finite(10, (0, 1), 2000)
    assert g.weighted_theorem_3(0.9, 1000, 1000, ONE, LOSS, c).vacuous


def test_a_complexity_that_may_fail_takes_its_share() -> None:
    rows = 4 * 10**8
    sure = given(50.0, rows)
    unsure = GaussianComplexity(50.0, 40.0, rows, "simulated", delta=0.02)
    half = rows // 2
    wide = g.weighted_theorem_3(0.5, half, half, ONE, LOSS, unsure, 0.05)
    assert float(wide) == float(g.weighted_theorem_3(0.5, half, half, ONE, LOSS, sure, 0.05 - 0.02))
    assert wide.interval.level == 0.95
    with pytest.raises(InputError, match="complexity alone"):
        g.weighted_theorem_3(0.5, half, half, ONE, LOSS, unsure, 0.02)
    guess = GaussianComplexity(50.0, 40.0, rows, "rows", certified=False, assumptions=("guess",))
    labelled = g.weighted_theorem_3(0.5, half, half, ONE, LOSS, guess, 0.05)
    assert not labelled.certified
    assert "guess" in labelled.interval.assumptions
    assert "not certified" in str(labelled)


def test_corollary_4_takes_the_bound_between() -> None:
    big, c = 10**11, given(1000.0, 2 * 10**11)
    learner, between, about = (
        weights.step(0, 0.1),
        weights.ramp(0, 0.2, 10, side="below"),
        weights.step(0, 0.2),
    )
    found = g.weighted_corollary_4(0.09, big, big, learner, between, about, LOSS, c)
    bound = g.weighted_theorem_3(0.09, big, big, between, LOSS, c)
    assert float(found) == float(bound)
    assert found.interval.low == pytest.approx(0.09 - float(bound))
    assert (found.interval.high, found.certified) == (1.0, True)
    with pytest.raises(UnsoundError, match="exceeds"):
        g.weighted_corollary_4(0.09, big, big, about, between, learner, LOSS, c)
    with pytest.raises(UnsoundError, match="0 at 0"):
        g.weighted_corollary_4(0.09, big, big, learner, between, about, losses.sigmoid(1.0), c)


def test_the_order_of_other_weights_is_only_looked_at() -> None:
    assert order_of_weights(weights.power(2), weights.power(1))
    with pytest.raises(UnsoundError, match="exceeds"):
        order_of_weights(weights.power(1), weights.power(2))
    with pytest.raises(UnsoundError, match="compare"):
        order_of_weights(weights.step(0, 0.1), weights.step(0, 0.2, axis="tpr"))
    # touching ramps and steps, to the last digit
    for a, b in ((0.0, 0.3), (0.1, 0.7), (0.3, 1.0)):
        for slope in (2.0, 7.3, 100.0):
            below, above = (weights.ramp(a, b, slope, side=side) for side in ("below", "above"))
            assert order_of_weights(below, weights.step(a, b), above) == ()
            with pytest.raises(UnsoundError):
                order_of_weights(above, weights.step(a, b))


def test_the_curve_bound_is_the_sheet() -> None:
    m, n, delta, w = 5000, 20_000, 0.05, weights.step(0, 0.2)
    for dimension in (1, 3):
        ways = [2 * sum(math.comb(k - 1, i) for i in range(dimension + 1)) for k in (m, n)]
        expected = 0.2 * math.sqrt(2 * math.log(2 * ways[0] / delta) / m)
        expected += math.sqrt(2 * math.log(2 * ways[1] / delta) / n)
        found = g.weighted_uniform_curve(0.1, m, n, w, g.Linear(dimension), delta)
        assert float(found) == pytest.approx(expected, rel=1e-12)
    one = g.weighted_uniform_curve(0.1, m, n, w, g.Finite(1), delta, "greater")
    expected = 0.2 * g.dkw_radius(m, delta / 2) + g.dkw_radius(n, delta / 2)
    assert float(one) == pytest.approx(expected)
    assert one.interval.high == pytest.approx(0.2)
    assert one.interval.low == pytest.approx(0.1 - expected)


def test_dichotomies_by_counting() -> None:
    """Thresholds on the line: 2N sets; in the plane points in convex position give N(N−1)+2."""
    for size in (1, 2, 5, 9):
        assert math.exp(log_dichotomies(g.Linear(1), size)) == pytest.approx(2 * size)
        assert math.exp(log_dichotomies(g.Linear(2), size)) == pytest.approx(size * (size - 1) + 2)
    known = g.UserClass(threshold_patterns=lambda n: math.log(2 * n + 1))
    assert math.exp(log_dichotomies(known, 5)) == pytest.approx(2 * (11 + 1))
    huge = g.UserClass(threshold_patterns=lambda _: 2000.0)
    assert log_dichotomies(huge, 5) == pytest.approx(2000 + math.log(2))


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"value": 1.2}, InputError, "area"),
        ({"weight": weights.step(0, 0.1)}, InputError, "jumps"),
        ({"weight": weights.from_callable(lambda u: u)}, InputError, "probed"),
        ({"loss": losses.step()}, UnsoundError, "Lipschitz loss"),
        ({"loss": losses.hinge(1.0)}, UnsoundError, "Lipschitz loss"),
        ({"complexity": g.gaussian_given(1.0, 199)}, InputError, "number of rows"),
        ({"delta": 2.0}, InputError, "delta"),
        ({"alternative": "both"}, InputError, "alternative"),
    ],
)
def test_what_does_not_hold_is_refused(change, error, message: str) -> None:  # type: ignore[no-untyped-def]
    arguments = {
        "value": 0.5, "n_pos": 100, "n_neg": 100, "weight": ONE, "loss": LOSS,
        "complexity": given(1.0, 200),
    }  # fmt: skip
    with pytest.raises(error, match=message):
        g.weighted_theorem_3(**{**arguments, **change})
