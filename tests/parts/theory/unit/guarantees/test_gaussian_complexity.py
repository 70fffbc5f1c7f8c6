from __future__ import annotations

import json
import math

import numpy as np
import pytest

from rocsolid.errors import InputError
from rocsolid.theory import guarantees as g


def test_monte_carlo_against_exact_expectations() -> None:
    """Two scorers: ‖a−b‖/√(2π); three: half the sum of the three distances over √(2π).

    The estimate may miss by five of its own standard errors: once in 1.7 million.
    """
    rng = np.random.default_rng(3)
    for size in (2, 3):
        for rows in (1, 5, 200):
            scores = rng.normal(size=(size, rows)) + 7 * rng.normal(size=rows)
            gaps = [np.linalg.norm(a - b) for i, a in enumerate(scores) for b in scores[:i]]
            exact = sum(gaps) / (size - 1) / math.sqrt(2 * math.pi)
            found = g.gaussian_monte_carlo(scores, draws=4000, seed=rows)
            assert found.std_error is not None
            assert abs(found.estimate - exact) <= 5 * found.std_error
            assert found.upper >= exact
            assert not found.certified
            assert found.assumptions


def test_one_scorer_has_no_complexity() -> None:
    found = g.gaussian_monte_carlo([[0.1, 0.9, 0.4]], (0, 1))
    assert (found.estimate, found.std_error, found.upper) == (0.0, 0.0, 0.0)
    assert g.gaussian_finite(1, (0, 1), 10).upper == 0.0


def test_blocks_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    from rocsolid.theory.guarantees import gaussian_complexity as module

    scores = np.random.default_rng(1).random((4, 30))
    whole = g.gaussian_monte_carlo(scores, (0, 1), draws=50)
    monkeypatch.setattr(module, "_BLOCK", 90)
    assert g.gaussian_monte_carlo(scores, (0, 1), draws=50).estimate == pytest.approx(
        whole.estimate, rel=1e-13
    )
    assert g.gaussian_monte_carlo(scores, (0, 1), draws=50, seed=1).estimate != whole.estimate


def test_a_range_certifies_and_the_finite_class_caps() -> None:
    scores = np.random.default_rng(2).random((3, 500))
    found = g.gaussian_monte_carlo(scores, (0, 1), delta=1e-9, draws=20)
    cap = g.gaussian_finite(3, (0, 1), 500)
    assert found.certified
    assert found.delta == 1e-9
    assert found.upper == cap.upper == pytest.approx(math.sqrt(2 * 500 * math.log(3)) / 2)
    assert found.estimate < cap.upper


def test_linear_and_kernel_classes() -> None:
    """B·E‖Σγx‖ ≤ B√Σ‖x‖²; the exact value for orthonormal rows is B·√2·Γ((N+1)/2)/Γ(N/2)."""
    rows, norm = 6, 1.7
    exact = norm * math.sqrt(2) * math.gamma((rows + 1) / 2) / math.gamma(rows / 2)
    on_rows = g.gaussian_linear(norm, np.eye(rows))
    assert exact <= on_rows.upper == pytest.approx(norm * math.sqrt(rows))
    assert not on_rows.certified
    kernel = g.gaussian_kernel(norm, np.ones(rows))
    assert kernel.upper == on_rows.upper
    known = g.gaussian_radius(norm, 1.0, rows)
    assert known.certified
    assert known.upper == pytest.approx(on_rows.upper)
    half = g.gaussian_kernel(norm, np.full(40_000, 0.25), radius=1.0, delta=0.01)
    assert half.certified
    assert half.upper == pytest.approx(
        norm * math.sqrt(40_000 * (0.25 + math.sqrt(math.log(100) / 80_000)))
    )
    # never above norm times radius
    assert g.gaussian_kernel(norm, np.ones(9), radius=1.0).upper == pytest.approx(norm * 3)


def test_the_mean_of_squares_is_covered() -> None:
    """The certified bound exceeds B√(N·E‖x‖²) in all but δ of the samples (here: never)."""
    rng = np.random.default_rng(5)
    truth = math.sqrt(50 * 1 / 3)
    missed = sum(
        g.gaussian_kernel(1.0, rng.random(50), radius=1.0, delta=0.05).upper < truth
        for _ in range(400)
    )
    assert missed <= 20 + 26  # 400 × .05, and six standard deviations


def test_results_are_plain_data() -> None:
    for found in (
        g.gaussian_given(3.0, 10),
        g.gaussian_monte_carlo(np.random.default_rng(0).random((2, 10)), (0, 1)),
    ):
        data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        assert data["upper"] == float(found)
    assert "not certified" in str(g.gaussian_kernel(1.0, [0.5, 0.5]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: g.gaussian_given(-1.0, 10), "not negative"),
        (lambda: g.gaussian_given(1.0, 0), "rows"),
        (lambda: g.gaussian_radius(0.0, 1.0, 10), "above zero"),
        (lambda: g.gaussian_radius(1.0, math.inf, 10), "finite"),
        (lambda: g.gaussian_linear(1.0, [1.0, 2.0]), "table"),
        (lambda: g.gaussian_kernel(1.0, [[1.0]]), "one number a row"),
        (lambda: g.gaussian_kernel(1.0, [1.0, -1.0]), "row 1"),
        (lambda: g.gaussian_kernel(1.0, [1.0, 4.0], radius=1.5), "row 1"),
        (lambda: g.gaussian_finite(3, (1, 0), 10), "range"),
        (lambda: g.gaussian_monte_carlo([0.1, 0.2]), "one row per scorer"),
        (lambda: g.gaussian_monte_carlo([[0.1, math.nan]]), "finite"),
        (lambda: g.gaussian_monte_carlo([[0.1, 2.0]], (0, 1)), "outside"),
        (lambda: g.gaussian_monte_carlo([[0.1, 0.2]], draws=1), "draws"),
    ],
)
def test_bad_arguments(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=message):
        call()
