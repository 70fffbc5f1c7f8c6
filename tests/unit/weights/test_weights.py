"""Every weight against its own definition: K' = W, averages of K, norms, and the convention."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad

from rocsolid import weights
from rocsolid.errors import InputError
from rocsolid.weights import Weight
from rocsolid.weights.exponential import as_weight
from rocsolid.weights.weight import complement

WEIGHTS: dict[str, Weight] = {
    "step": weights.step(0, 0.05),
    "step inside": weights.step(0.2, 0.4),
    "step everywhere": weights.step(0, 1),
    "step over tpr": weights.step(0.9, 1, axis="tpr"),
    "ramp below": weights.ramp(0.1, 0.3, 20, side="below"),
    "ramp below, a tent": weights.ramp(0.1, 0.3, 5, side="below"),
    "ramp below, at an end": weights.ramp(0, 0.3, 20, side="below"),
    "ramp below, never one": weights.ramp(0, 0.3, 2, side="below"),
    "ramp below, at the other end": weights.ramp(0.9, 1, 20, side="below", axis="tpr"),
    "ramp above": weights.ramp(0.2, 0.3, 20, side="above"),
    "ramp above, cut": weights.ramp(0.02, 0.95, 10, side="above"),
    "cost curve": weights.cost_curve([0, 0.1, 0.1, 0.5, 1], [10, 8, 3, 1, 0]),
    "smooth costs": weights.cost_curve([0, 0.25, 1], [4, 1, 2]),
    "point": weights.point(0.1, 0.05),
    "point, cut": weights.point(0.02, 0.1),
    "point, cut twice": weights.point(0.4, 0.8),
    "point on the left": weights.point(0.1, 0.1, side="left"),
    "point on the right": weights.point(0.0, 0.2, side="right"),
    "power 0": weights.power(0),
    "power 0.5": weights.power(0.5),
    "power 1": weights.power(1),
    "power 7.3": weights.power(7.3),
    "polynomial": weights.polynomial((0.5, 0, 1, 0, 0, 2)),
    "exponential 1e-9": weights.exponential(1e-9),
    "exponential 1": weights.exponential(1),
    "exponential 1.1": weights.exponential(1.1),
    "exponential 160": weights.exponential(160),
    "exponential 5000": weights.exponential(5000),
    "callable": weights.from_callable(lambda u: np.exp(u) * (1 + np.sin(9 * u))),
    "callable with its integral": weights.from_callable(
        lambda u: 3 * u**2, lambda u: u**3, sup_norm=3, lipschitz=6
    ),
}


@pytest.fixture(params=WEIGHTS)
def weight(request: pytest.FixtureRequest) -> Weight:
    return WEIGHTS[request.param]


def breaks(weight: Weight) -> list[float]:
    """Where a quadrature must not step over a corner."""
    pieces = getattr(weight, "_pieces", None)
    return [] if pieces is None else pieces.knots[1:-1].tolist()


def test_k_is_the_integral_of_w(weight: Weight) -> None:
    assert weight.integral(0.0) == pytest.approx(0.0, abs=1e-16)
    for u in (0.03, 0.5, 0.77, 0.95, 1.0):
        inside = [x for x in (*breaks(weight), u - 1e-3) if 0 < x < u]
        area, _ = quad(lambda x: float(weight(x)), 0, u, points=inside, epsabs=1e-13, limit=400)
        assert float(weight.integral(u)) == pytest.approx(area, abs=1e-11 * weight.l1_norm + 1e-13)


def test_w_is_the_derivative_of_k(weight: Weight) -> None:
    rng = np.random.default_rng(1)
    u = rng.uniform(1e-4, 1 - 1e-4, 2000)
    step = 1e-6
    corners = np.array([*breaks(weight), 0.0, 1.0])
    clear = np.abs(u[:, None] - corners).min(axis=1) > 2 * step
    u = u[clear]
    slope = (weight.integral(u + step) - weight.integral(u - step)) / (2 * step)
    # second differences of K: half of the curvature of W, times step
    curved = 1e-4 if weight.sup_norm * step < weight.l1_norm / 10 else math.inf
    np.testing.assert_allclose(slope, weight(u), atol=curved * weight.sup_norm)


def test_mean_integral_is_the_average_of_k(weight: Weight) -> None:
    for low, high in ((0.0, 1.0), (0.2, 0.9), (0.94, 0.96), (0.5, 0.5000001), (0.0, 0.1)):
        inside = [x for x in (*breaks(weight), high - 1e-3) if low < x < high]
        area, _ = quad(
            lambda x: float(weight.integral(x)), low, high, points=inside, epsabs=1e-15, limit=400
        )
        got = float(weight.mean_integral(low, high))
        assert got == pytest.approx(area / (high - low), abs=1e-9 * weight.l1_norm)
    u = np.linspace(0, 1, 101)
    np.testing.assert_allclose(
        weight.mean_integral(u, u), weight.integral(u), rtol=1e-12, atol=1e-15
    )


def test_mean_integral_cancels_no_digits(weight: Weight) -> None:
    """Over a stretch of one negative in ten millions, K is a straight line to all digits."""
    low = np.array([0.123, 0.6789, 0.9711])
    high = low + 1e-7
    ends = (weight.integral(low) + weight.integral(high)) / 2
    np.testing.assert_allclose(
        weight.mean_integral(low, high), ends, atol=1e-14 * weight.l1_norm + 1e-18, rtol=1e-9
    )


def test_norms(weight: Weight) -> None:
    # decimals and their neighbours: every corner of the weights above is one
    grid = np.unique(np.concatenate([np.linspace(0, 1, 100_001), breaks(weight)]))
    seen = weight(grid)
    assert seen.min() >= 0.0
    assert seen.max() == pytest.approx(weight.sup_norm, rel=1e-5 if weight.probed else 1e-12)
    assert weight.l1_norm == float(weight.integral(1.0))
    steepest = np.abs(np.diff(seen) / np.diff(grid))[np.diff(grid) > 1e-9].max()
    if math.isinf(weight.lipschitz):
        assert steepest > 100
    else:
        assert steepest <= weight.lipschitz * (1 + 1e-5) + 1e-9
        assert steepest >= weight.lipschitz * 0.95 - 1e-9
    low, high = weight.support
    outside = (grid < low) | (grid > high)
    assert not seen[outside].any()


def test_constant() -> None:
    constant = {name: w.constant for name, w in WEIGHTS.items() if w.constant is not None}
    assert constant == {"step everywhere": 1.0, "power 0": 1.0}
    assert weights.cost_curve([0, 0.5, 1], [2, 2, 2]).constant == 2.0


def test_constructors_speak_of_false_positive_rates() -> None:
    """W(u) is the height at the false-positive rate 1 − u."""
    fpr = np.array([0.0, 0.05, 0.2, 0.3, 1.0])
    u = 1 - fpr
    assert weights.step(0.2, 0.3)(u).tolist() == [0, 0, 1, 1, 0]
    costs = weights.cost_curve([0, 0.05, 0.2, 1], [5, 4, 1, 0])
    np.testing.assert_allclose(costs(u), [5, 4, 1, 0.875, 0], atol=1e-12)
    np.testing.assert_allclose(weights.power(2)(u), (1 - fpr) ** 2)
    np.testing.assert_allclose(weights.exponential(3)(u), np.exp(-3 * fpr))
    assert weights.point(0.05, 0.05)(u).argmax() == 1
    # true-positive rates are the argument themselves
    assert weights.step(0.9, 1, axis="tpr")([0.89, 0.9, 1.0]).tolist() == [0, 1, 1]


@pytest.mark.parametrize("n", [10, 20, 72, 1000])
def test_the_ends_of_a_step_belong_to_it(n: int) -> None:
    """A decimal rate reaches the negatives that it should, though 1 − 0.9 is not 0.1 in doubles."""
    for tenth in range(1, 10):
        rates = np.arange(n + 1) / n
        reached = weights.step(tenth / 10, 1)(rates)
        assert reached.sum() == (n * (10 - tenth)) // 10 + 1
    assert complement(0.9) == 0.1


def test_a_jump_takes_its_larger_value() -> None:
    w = weights.cost_curve([0, 0.5, 0.5, 1], [3, 2, 7, 1])
    assert float(w(0.5)) == 7.0
    assert float(w(np.nextafter(0.5, 1))) == pytest.approx(2.0)
    assert math.isinf(w.lipschitz)


@pytest.mark.parametrize("axis", ["fpr", "tpr"])
@pytest.mark.parametrize("region", [(0, 0.05), (0.2, 0.4), (0.9, 1), (0.3, 0.31), (0, 1)])
@pytest.mark.parametrize("slope", [0.5, 3.0, 50.0, 1e4])
def test_ramps_enclose_their_step(axis: weights.Weight, region: tuple[float, float], slope: float):
    u = np.linspace(0, 1, 10_001)
    inner = weights.step(*region, axis=axis)
    below = weights.ramp(*region, slope, side="below", axis=axis)
    above = weights.ramp(*region, slope, side="above", axis=axis)
    assert (below(u) <= inner(u) + 1e-9).all()
    assert (above(u) >= inner(u) - 1e-9).all()
    for ramp in (below, above):
        assert ramp.lipschitz <= slope * (1 + 1e-9)
    # the best there are: inf and sup convolutions of the step on a grid
    some = u[::100]
    distance = slope * np.abs(some[:, None] - u)
    np.testing.assert_allclose(
        below(some), np.maximum((inner(u) + distance).min(axis=1), 0), atol=slope * 1.1e-4 + 1e-9
    )
    np.testing.assert_allclose(
        above(some), np.maximum((inner(u) - distance).max(axis=1), 0), atol=slope * 1.1e-4 + 1e-9
    )


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: weights.step(0.5, 0.5), "0 <= low < high <= 1"),
        (lambda: weights.step(-0.1, 0.5), r"\(-0.1, 0.5\)"),
        (lambda: weights.step("a", 0.5), "0 <= low < high <= 1"),
        (lambda: weights.step(float("nan"), 0.5), "0 <= low < high <= 1"),
        (lambda: weights.step(0, 0.5, axis="x"), "unknown axis"),
        (lambda: weights.ramp(0, 0.5, 0, side="below"), "slope must be a positive number"),
        (lambda: weights.ramp(0, 0.5, 1, side="left"), "unknown side"),
        (lambda: weights.power(-1), "at least 0"),
        (lambda: weights.exponential(0), "alpha must be a positive number"),
        (lambda: weights.cost_curve([0, 0.5], [1, 1]), "ascend from 0 to 1"),
        (lambda: weights.cost_curve([0, 1], [1]), "as many costs as rates"),
        (lambda: weights.cost_curve([0, 1], [1, -1]), "not negative"),
        (lambda: weights.cost_curve([0, 1], [0, 0]), "not all zero"),
        (lambda: weights.cost_curve([0, 0.5, 0.5, 0.5, 1], [1] * 5), "not three times"),
        (lambda: weights.point(1.5, 0.1), r"fpr must lie in \[0, 1\]"),
        (lambda: weights.point(0.05, 0.1, side="left"), "at most 0.05"),
        (lambda: weights.point(0.0, 0.1, side="left"), "use the other side"),
        (lambda: weights.point(0.5, 0.1, side="up"), "unknown side"),
        (lambda: as_weight(3), "a weight is one of rs.weights"),
    ],
)
def test_nonsense_is_refused(make: object, says: str) -> None:
    with pytest.raises(InputError, match=says):
        make()  # type: ignore[operator]
