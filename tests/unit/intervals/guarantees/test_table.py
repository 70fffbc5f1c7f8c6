from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals import guarantees
from rocsolid.intervals.guarantees import METHODS, best, best_method, deviation, hinge, interval

PLAIN = [m for m in METHODS if m not in ("e-value", "betting")]
PLACED = ["e-value", "betting"]


@pytest.mark.parametrize("method", PLAIN)
def test_every_method_gives_an_interval_and_a_deviation(method: str) -> None:
    found = interval(method, 0.8, 60, 90)
    assert found.method == ("hinge" if method == "best" else method)
    assert found.level == 0.95
    assert found.low < 0.8 < found.high
    assert found.source
    assert found.assumptions
    spread = deviation(method, 60, 90)
    assert spread.method == found.method
    assert float(spread) > 0
    assert spread.source
    assert spread.assumptions
    at = deviation(method, 60, 90, auc=0.8)
    assert float(at) == pytest.approx(max(0.8 - found.low, found.high - 0.8))
    assert float(at) <= float(spread) + 1e-15


@pytest.mark.parametrize("method", PLACED)
def test_methods_on_placements_need_them(method: str) -> None:
    values = np.array([0.5, 0.75, 1.0])
    found = interval(method, 0.75, 3, 40, placements=values)
    assert found.method == method
    with pytest.raises(UnsoundError, match="cannot be had from the AUC"):
        interval(method, 0.75, 3, 40)
    with pytest.raises(UnsoundError, match="has no deviation"):
        deviation(method, 3, 40)
    with pytest.raises(InputError, match="mean of the placements is not the AUC"):
        interval(method, 0.7, 3, 40, placements=values)


@pytest.mark.parametrize(
    ("sizes", "method"),
    [
        ((100, 4999), "hinge"),
        ((100, 5000), "betting"),
        ((99, 10**6), "hinge"),
        ((10_000, 1000), "e-value"),
        ((9999, 1000), "hinge"),
        ((1000, 50_000), "betting"),
        ((10**6, 10**6), "hinge"),
    ],
)
def test_best_goes_by_the_sizes(sizes: tuple[int, int], method: str) -> None:
    assert best_method(*sizes) == method
    values = np.full(min(sizes), 0.8)
    assert best(0.8, *sizes, placements=values).method == method


def test_best_without_placements_is_an_honest_hinge() -> None:
    found = best(0.8, 200, 50_000)
    plain = hinge(0.8, 200, 50_000)
    assert (found.low, found.high, found.method) == (plain.low, plain.high, "hinge")
    assert found.assumptions[-1].startswith("betting is usually shorter")
    assert best(0.8, 200, 300) == hinge(0.8, 200, 300)


def test_alternatives_and_facts_reach_the_method() -> None:
    assert interval("kl", 0.8, 60, 90, 0.1, "less").low == 0.0
    assert interval("chebyshev", 0.8, 60, 90, variance=0.0).width == 0.0
    with pytest.raises(InputError, match="hinge does not use variance"):
        interval("hinge", 0.8, 60, 90, variance=0.01)


@pytest.mark.parametrize("method", PLAIN)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"auc": 1.2}, r"must lie in \[0, 1\]: 1.2"),
        ({"auc": float("nan")}, r"must lie in \[0, 1\]: nan"),
        ({"delta": 0}, r"delta must lie in \(0, 1\)"),
        ({"delta": 1}, r"delta must lie in \(0, 1\)"),
        ({"n_pos": 0}, "whole number of at least 1: 0 .n_pos"),
        ({"n_neg": -3}, "whole number of at least 1: -3 .n_neg"),
        ({"n_neg": 2.5}, "whole number of at least 1: 2.5"),
        ({"n_neg": "9"}, "whole number of at least 1: '9'"),
    ],
)
def test_invalid_requests_are_refused(method: str, change: dict, message: str) -> None:
    request = {"auc": 0.8, "n_pos": 60, "n_neg": 90, "delta": 0.05, **change}
    with pytest.raises(InputError, match=message):
        interval(method, **request)
    with pytest.raises(InputError, match=message):
        deviation(method, **request)


def test_bad_names_are_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'hoeffding-blocks'"):
        interval("hoefding-block", 0.8, 60, 90)
    with pytest.raises(InputError, match="did you mean 'hinge'"):
        deviation("Hinge", 60, 90)
    with pytest.raises(InputError, match="unknown alternative: 'both'"):
        interval("kl", 0.8, 60, 90, 0.05, "both")


def test_the_package_is_light_and_complete() -> None:
    assert all(hasattr(guarantees, name) for name in guarantees.__all__)
    code = "import sys, rocsolid.intervals.guarantees; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
