"""The losses' shapes, constants and refusals; their sums are compared in the twins."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rocsolid.errors import InputError
from rocsolid.weights import losses
from rocsolid.weights.losses import Loss

LOSSES = [losses.step(), losses.ramp(0.5), losses.hinge(2.0), losses.sigmoid(0.3)]


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_shape(loss: Loss) -> None:
    z = np.linspace(-5, 5, 20_001)
    seen = loss(z)
    assert (np.diff(seen) >= 0).all()
    assert loss.in_unit_range == bool(seen.min() >= 0)
    assert seen.max() <= 1.0
    steepest = (np.diff(seen) / np.diff(z)).max()
    if math.isinf(loss.lipschitz):
        assert steepest > 1000
    else:
        assert steepest == pytest.approx(loss.lipschitz, rel=1e-3)


def test_all_but_the_sigmoid_are_at_most_the_heaviside_function() -> None:
    z = np.linspace(-3, 3, 1001)
    heaviside = losses.step()(z)
    assert losses.step()(0.0) == 0.0
    for loss in LOSSES[:3]:
        assert (loss(z) <= heaviside).all()


def test_a_ramp_far_from_zero_keeps_its_digits() -> None:
    """Scores of 10⁹ with a ramp of 10⁻³: naive prefix sums would leave no digit."""
    rng = np.random.default_rng(5)
    pos = np.sort(1e9 + np.round(rng.uniform(size=3000), 6))
    neg = np.sort(1e9 + np.round(rng.uniform(size=200), 6))
    loss = losses.ramp(1e-3)
    plain = loss(pos - neg[:, None]).sum(axis=1)
    np.testing.assert_allclose(loss.sums(pos, neg), plain, atol=2e-2 * 2**-20, rtol=1e-9)


def test_limits() -> None:
    two = np.array([0.0, 1e300])
    with pytest.raises(InputError, match="too narrow"):
        losses.ramp(1.0).sums(two, two)
    with pytest.raises(InputError, match="finite scores"):
        losses.hinge(1.0).sums(np.array([0.0, np.inf]), two)
    with pytest.raises(InputError, match="limit: 10000000000"):
        losses.sigmoid(1.0).sums(np.zeros(100_000), np.zeros(100_000))
    for make in (losses.ramp, losses.hinge, losses.sigmoid):
        with pytest.raises(InputError, match="positive number"):
            make(0.0)
