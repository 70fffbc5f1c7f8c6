"""Probed weights against the exact ones, and what is asked of a callable."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rocsolid import weights
from rocsolid.errors import InputError
from rocsolid.weights import Weight, from_callable
from rocsolid.weights.exponential import as_weight

EXACT: dict[str, Weight] = {
    "step": weights.step(0, 0.05),
    "step, off the dyadics": weights.step(0.123, 1 / 3),
    "ramp": weights.ramp(0.1, 0.3, 20, side="below"),
    "costs": weights.cost_curve([0, 0.1, 0.1, 0.5, 1], [10, 8, 3, 1, 0]),
    "point": weights.point(0.1, 0.05),
    "power 0.5": weights.power(0.5),
    "power 3": weights.power(3),
    "exponential": weights.exponential(50),
}


@pytest.mark.parametrize("name", EXACT)
def test_probing_finds_what_is_known(name: str) -> None:
    exact = EXACT[name]
    probed = as_weight(exact.__call__)
    assert probed.probed
    assert not exact.probed
    assert probed.l1_norm == pytest.approx(exact.l1_norm, rel=1e-9)
    assert probed.sup_norm == pytest.approx(exact.sup_norm, rel=1e-9)
    assert probed.lipschitz == pytest.approx(exact.lipschitz, rel=1e-5)
    u = np.random.default_rng(0).uniform(size=1000)
    np.testing.assert_allclose(probed(u), exact(u))
    np.testing.assert_allclose(probed.integral(u), exact.integral(u), atol=1e-9 * exact.l1_norm)
    low, high = np.sort(u.reshape(2, -1), axis=0)
    np.testing.assert_allclose(
        probed.mean_integral(low, high), exact.mean_integral(low, high), atol=1e-9 * exact.l1_norm
    )


def test_a_weight_stays_itself() -> None:
    assert as_weight(EXACT["step"]) is EXACT["step"]


def test_any_function_of_a_number_will_do() -> None:
    of_numbers = from_callable(lambda u: 2.0 if u > 0.5 else 1.0)
    assert of_numbers([0.2, 0.7]).tolist() == [1.0, 2.0]
    assert of_numbers.l1_norm == pytest.approx(1.5, abs=1e-9)
    constant = from_callable(lambda _: 1)
    assert constant.l1_norm == pytest.approx(1.0, abs=1e-14)
    assert constant.lipschitz == pytest.approx(0.0, abs=1e-6)
    assert from_callable(math.sqrt).lipschitz == math.inf


def test_what_is_given_is_taken() -> None:
    w = from_callable(lambda u: u, lambda u: 7 + u**2 / 2, sup_norm=1.5)
    assert not w.probed
    assert (w.sup_norm, w.l1_norm, w.lipschitz) == (1.5, 0.5, math.inf)
    half = from_callable(lambda u: u, lambda u: u**2 / 2)
    assert half.probed
    assert half.sup_norm == pytest.approx(1.0)
    assert from_callable(lambda _: 1.0, lambda u: u, sup_norm=1, lipschitz=0).lipschitz == 0


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: from_callable(lambda u: u - 0.5), "finite and not negative"),
        (lambda: from_callable(lambda u: u * np.nan), "finite and not negative"),
        (lambda: from_callable(lambda u: 0 * u), "not be zero everywhere"),
        (lambda: from_callable(lambda u: u, sup_norm=0.5), "exceeds its sup norm"),
        (lambda: from_callable(lambda u: u, sup_norm=-1), "sup_norm must be"),
        (lambda: from_callable(lambda u: u**2, lipschitz=1), "steeper than its Lipschitz"),
        (lambda: from_callable(lambda u: u > 0.5, lipschitz=9), "steeper than its Lipschitz"),
        # the integral over false-positive rates instead of true-negative ones
        (lambda: from_callable(lambda u: u, lambda u: u - u**2 / 2), "not that of the weight"),
        (
            lambda: from_callable(lambda u: np.random.default_rng(0).uniform(size=np.shape(u))),
            "too rough",
        ),
    ],
)
def test_what_does_not_fit_is_refused(make: object, says: str) -> None:
    with pytest.raises(InputError, match=says):
        make()  # type: ignore[operator]
