"""Guarantees for weighted areas: the numbers that the theory gives, and what they refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtri

from rocsolid import guarantees as g
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.weighted_area import (
    EVENT,
    NO_EVENT,
    mcdiarmid_area_epsilon,
    theorem_2_epsilon,
)
from rocsolid.intervals.guarantees.weighted_best import box_dkw, dkw_epsilon
from rocsolid.weights import from_callable, point, power, ramp, step

ALL = step(0, 1)


def test_a_constant_weight_at_a_thousand_rows_each() -> None:
    """Theorem 2 is vacuous (2.4) and says so; McDiarmid's bound is .061, DKW's .094."""
    assert theorem_2_epsilon(ALL, 1000, 1000, 0.05) == pytest.approx(2.38, abs=0.01)
    assert g.weighted_theorem_2(0.8, ALL, 1000, 1000).vacuous
    assert mcdiarmid_area_epsilon(ALL, 1000, 1000, 0.025) == pytest.approx(0.0607, abs=1e-4)
    assert dkw_epsilon(1, 1, 1000, 1000, 0.025) == pytest.approx(0.0936, abs=1e-4)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("value", [0.0, 0.4, 0.93, 1.0])
def test_mcdiarmid_with_a_constant_weight_is_theorem_5(value: float, alternative: str) -> None:
    for constant in (ALL, power(0)):
        ours = g.weighted_mcdiarmid(value, constant, 120, 70, 0.1, alternative)
        plain = g.mcdiarmid(value, 120, 70, 0.1, alternative)
        assert (ours.low, ours.high) == pytest.approx((plain.low, plain.high), abs=1e-14)


def test_the_band_is_three_times_as_short_as_dkw_on_a_partial_area() -> None:
    """FPR ≤ .1, AUC .9, m = n = 1000: full widths of the raw area, out of .1."""
    rng = np.random.default_rng(0)
    neg, pos = rng.normal(size=1000), rng.normal(size=1000) + ndtri(0.9) * 2**0.5
    weight = step(0, 0.1)
    assert g.weighted_band(pos, neg, weight).width == pytest.approx(0.027, abs=0.003)
    assert 2 * dkw_epsilon(0.1, 1.0, 1000, 1000, 0.025) == pytest.approx(0.097, abs=0.002)


def test_theorem_2_and_its_event() -> None:
    n_pos, n_neg, delta, weight = 30_000, 70_000, 0.05, power(2)
    total = n_pos + n_neg
    known = (2 + 9) / 0.3**2 * math.sqrt(2 * math.log(4 / delta) / total)
    assert theorem_2_epsilon(weight, n_pos, n_neg, delta) == pytest.approx(known, rel=1e-12)
    assert g.weighted_theorem_2(0.2, weight, n_pos, n_neg).assumptions[-1] == EVENT
    edge = math.sqrt(2 * math.log(4 / delta) / 1000)
    below, above = math.floor(1000 * edge), math.floor(1000 * edge) + 1
    assert theorem_2_epsilon(ALL, below, 1000 - below, delta) == math.inf
    assert theorem_2_epsilon(ALL, above, 1000 - above, delta) < math.inf
    failed = g.weighted_theorem_2(0.2, ALL, 10, 10_000)
    assert failed.vacuous
    assert failed.assumptions[-1] == NO_EVENT
    assert g.weighted_theorem_2(0.2, ALL, 10, 10_000, 0.05, "greater").low == 0.0


@pytest.mark.parametrize("share", [0.025, 0.05, 0.45, 0.9])
@pytest.mark.parametrize(("l1", "m", "n"), [(1.0, 1000, 1000), (0.1, 1000, 50), (0.5, 3, 10**6)])
def test_dkw_splits_the_tail_best(l1: float, m: int, n: int, share: float) -> None:
    least = max(0.0, 1 - 0.5 / share)
    s = np.linspace(least, 1 - least, 20_003)[1:-1]
    of_pos, of_neg = (-np.log(part * share) for part in (s, 1 - s))
    halves = l1 * np.sqrt(of_pos / (2 * m)) + np.sqrt(of_neg / (2 * n))
    best = dkw_epsilon(l1, 1.0, m, n, share)
    assert best == pytest.approx(float(halves.min()), rel=2e-5)
    assert best <= float(halves.min()) + 1e-12


def test_a_box_with_free_hits_is_the_weight() -> None:
    area = box_dkw(0.05, (0.0, 0.2), (0.0, 1.0), 400, 900)
    weight = g.weighted_dkw(0.05, step(0, 0.2), 400, 900)
    assert (area.low, area.high) == pytest.approx((weight.low, weight.high), abs=1e-12)


def test_over_true_positive_rates_the_classes_change_places() -> None:
    hits, alarms = step(0.8, 1, axis="tpr"), step(0, 0.2)
    one = g.weighted_dkw(0.1, hits, 300, 5000)
    other = g.weighted_dkw(0.1, alarms, 5000, 300)
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12)
    rng = np.random.default_rng(2)
    pos, neg = rng.normal(size=60) + 1, rng.normal(size=90)
    one, other = g.weighted_band(pos, neg, hits), g.weighted_band(-neg, -pos, alarms)
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12)


def test_limits_stay_in_the_range_and_free_ends_are_free() -> None:
    rng = np.random.default_rng(3)
    pos, neg, weight = rng.normal(size=40) + 1, rng.normal(size=40), step(0, 0.5)
    for found in (
        g.weighted_band(pos, neg, weight, 0.05, "greater"),
        g.weighted_dkw(0.3, weight, 400, 400, 0.05, "greater"),
    ):
        assert found.high == found.range[1] == 0.5
        assert found.low > 0
        assert not found.vacuous
    two_sided = g.weighted_band(pos, neg, weight, 0.1)
    for side, end in (("greater", "low"), ("less", "high")):
        one_sided = g.weighted_band(pos, neg, weight, 0.05, side)
        assert getattr(one_sided, end) == pytest.approx(getattr(two_sided, end), abs=1e-9)


def test_a_sandwich_is_two_limits() -> None:
    below, above = (ramp(0, 0.2, 50, side=side) for side in ("below", "above"))
    found = g.weighted_sandwich(0.15, below, 0.17, above, 20_000, 20_000, 0.05, largest=0.2)
    lower = g.weighted_mcdiarmid(0.15, below, 20_000, 20_000, 0.025, "greater")
    upper = g.weighted_mcdiarmid(0.17, above, 20_000, 20_000, 0.025, "less")
    assert (found.low, found.high) == (lower.low, min(upper.high, 0.2))
    with pytest.raises(InputError, match="smaller weight"):
        g.weighted_sandwich(0.3, below, 0.1, above, 10, 10, largest=0.2)
    # a point of the curve, remark 3
    left, right = (point(0.3, 0.2, side=side) for side in ("left", "right"))
    assert g.weighted_sandwich(0.6, left, 0.7, right, 10**5, 10**5, largest=1.0).width < 0.4


def test_best_looks_at_sizes_and_weight() -> None:
    rng = np.random.default_rng(1)
    pos, neg = rng.normal(size=80) + 1, rng.normal(size=90)
    plain, ours = g.cuts(pos, neg), g.weighted_best(pos, neg, ALL)
    assert (ours.low, ours.high, ours.method) == (plain.low, plain.high, "cuts")
    assert g.weighted_best(pos, neg, power(1)) == g.weighted_rooks(pos, neg, power(1))
    tenth = step(0, 0.1)
    assert g.weighted_best(pos, neg, tenth) == g.weighted_band(pos, neg, tenth)


def test_what_is_not_proven_is_refused() -> None:
    probed = from_callable(lambda u: u)
    for call in (
        lambda: g.weighted_band([1.0], [0.0], probed),
        lambda: g.weighted_dkw(0.3, probed, 10, 10),
        lambda: g.weighted_mcdiarmid(0.3, probed, 10, 10),
        lambda: g.weighted_theorem_2(0.3, probed, 10, 10),
        lambda: g.weighted_best([1.0], [0.0], probed),
    ):
        with pytest.raises(InputError, match="probed"):
            call()
    known = from_callable(lambda u: u, lambda u: u**2 / 2, sup_norm=1, lipschitz=1)
    assert g.weighted_mcdiarmid(0.4, known, 1000, 1000).low == pytest.approx(
        g.weighted_mcdiarmid(0.4, power(1), 1000, 1000).low
    )
    for bound in (g.weighted_mcdiarmid, g.weighted_theorem_2):
        with pytest.raises(InputError, match="Lipschitz"):
            bound(0.05, step(0, 0.1), 100, 100)
    with pytest.raises(InputError, match="false-positive rates"):
        g.weighted_theorem_2(0.5, ramp(0.5, 1, 9, side="above", axis="tpr"), 100, 100)
    with pytest.raises(InputError, match="the plug-in estimate lies between 0 and"):
        g.weighted_theorem_2(1.5, ALL, 100, 100)
    with pytest.raises(InputError, match=r"between 0 and 0\.1"):
        g.weighted_dkw(0.5, step(0, 0.1), 100, 100)
    with pytest.raises(InputError, match="at least 1"):
        g.weighted_mcdiarmid(0.5, ALL, 0.5, 100)
    with pytest.raises(InputError, match="not a list of scores"):
        g.weighted_band([], [1.0], ALL)
    with pytest.raises(InputError, match="NaN"):
        g.weighted_band([1.0, math.nan], [1.0], ALL)


@pytest.mark.parametrize(("m", "n"), [(40, 900), (900, 40)])
def test_mcdiarmids_deviation_is_its_bias_and_its_spread(m: int, n: int) -> None:
    """For W(u) = u: ‖W‖₁ = 1/2, ‖W‖∞ = 1 and ‖W‖Lip = 1."""
    share = 0.01
    spread = math.sqrt(math.log(1 / share) / 2 * (0.25 / m + 1 / n))
    assert mcdiarmid_area_epsilon(power(1), m, n, share) == pytest.approx(1 / (8 * n) + spread)
