from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.intervals.guarantees.coverage import COVERAGE_METHODS, Coverage


def small(**changes: Any) -> Coverage:
    settings: dict[str, Any] = {"repetitions": 40, "methods": ("auto", "hinge"), **changes}
    return rs.guarantees.coverage(rs.guarantees.binormal(0.8), 12, 20, **settings)


def test_the_seed_decides_everything() -> None:
    assert small() == small()
    assert small(seed=1) != small()


def test_more_repetitions_continue_the_series() -> None:
    first, both = small(repetitions=40), small(repetitions=80)
    for one, other in zip(first.methods, both.methods, strict=True):
        assert round(40 * one.coverage) <= round(80 * other.coverage) <= 40 + 40 * one.coverage


def test_every_method_can_be_simulated() -> None:
    found = small(methods=COVERAGE_METHODS)
    assert [one.method for one in found.methods] == list(COVERAGE_METHODS)
    assert all(0.5 < one.coverage <= 1.0 for one in found.methods)
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()
    assert str(found).count("\n") == len(COVERAGE_METHODS)


@pytest.mark.parametrize("method", ["mcdiarmid", "hoeffding-blocks", "kl", "hinge"])
def test_a_guarantee_is_simulated_at_its_class_sizes(method: str) -> None:
    """A perfect score has an AUC of 1 in every repetition, so its width is known."""
    perfect = rs.guarantees.two_point(1.0)
    for sizes in ((5, 60), (60, 5)):
        simulated = rs.guarantees.coverage(perfect, *sizes, (method,), repetitions=3)
        expected = rs.guarantees.interval(method, 1.0, *sizes).width
        assert simulated[method].mean_width == pytest.approx(expected, rel=1e-12)


def test_one_sided_limits_miss_on_one_side_only() -> None:
    assert small(alternative="greater")["auto"].below == 0.0
    assert small(alternative="less")["auto"].above == 0.0


def test_an_interval_that_is_refused_is_a_miss() -> None:
    found = rs.guarantees.coverage(
        rs.guarantees.two_point(1.0), 3, 3, ("delong", "hinge"), repetitions=10
    )
    assert found["delong"].refused == 1.0
    assert found["delong"].coverage == 0.0
    assert math.isnan(found["delong"].mean_width)
    assert found.to_dict()["methods"][0]["mean_width"] is None
    assert found["hinge"].coverage == 1.0
    assert found["hinge"].std_error > 0


def test_progress_is_told_and_ends_at_the_end() -> None:
    said: list[tuple[int, int]] = []
    small(repetitions=120, progress=lambda done, total: said.append((done, total)))
    assert len(said) == 50
    assert said[-1] == (120, 120)
    assert sorted(said) == said


def test_data_of_ones_own_kind() -> None:
    class Uniform:
        name = "uniform"
        auc = 0.5

        def draw(
            self, random: np.random.Generator, n_pos: int, n_neg: int
        ) -> tuple[np.ndarray, np.ndarray]:
            return random.random(n_pos), random.random(n_neg)

    found = rs.guarantees.coverage(Uniform(), 10, 10, repetitions=20)
    assert found.distribution == "uniform"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: small(methods=("hing",)), "no method to simulate"),
        (lambda: small(level=1.0), "level must lie"),
        (lambda: small(repetitions=0), "repetitions"),
        (
            lambda: rs.guarantees.coverage(rs.guarantees.two_point(0.9), 3 * 10**9, 9),
            "at most 50,000,000",
        ),
        (lambda: rs.guarantees.binormal(1.0), "no two normal distributions"),
        (lambda: rs.guarantees.binormal(0.8, 0.0), "spread"),
        (lambda: rs.guarantees.ordinal([1, 2], [1]), "each grade"),
        (lambda: rs.guarantees.ordinal([1, -2], [1, 1]), "not a list of shares"),
        (lambda: rs.guarantees.ordinal([0, 0], [1, 1]), "not a list of shares"),
        (lambda: rs.guarantees.two_point(0.8, "both"), "unknown class"),
        (lambda: rs.guarantees.from_data([], [1.0]), "not a list of finite scores"),
        (lambda: rs.guarantees.from_data([1.0], [np.nan]), "not a list of finite scores"),
    ],
)
def test_requests_that_make_no_sense_are_refused(call: Any, message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        call()
