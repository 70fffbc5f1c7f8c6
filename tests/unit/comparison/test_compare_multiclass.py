"""Models over several classes, compared on the same rows."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocsolid as rs


def _models(seed: int, sizes=(60, 50, 40), pulls=(2.0, 1.0), shared: float = 0.7):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(sizes)), sizes)
    both = rng.normal(size=(len(y), len(sizes)))
    own = [rng.normal(size=both.shape) for _ in pulls]
    return y, {
        name: pull * np.eye(len(sizes))[y] + shared * both + (1 - shared) * noise
        for name, pull, noise in zip("abcdef", pulls, own, strict=False)
    }


def test_two_classes_are_delongs_test() -> None:
    rng = np.random.default_rng(1)
    y = np.arange(90) % 2
    a, b = (pull * y + rng.normal(size=90) for pull in (1.5, 1.0))
    binary = rs.compare(y, {"a": a, "b": b}, test="delong").pairs[0]
    found = rs.compare(y, {"a": {0: -a, 1: a}, "b": {0: -b, 1: b}}, scheme="ovo").pairs[0]
    assert found.difference == pytest.approx(binary.difference)
    assert found.std_error == pytest.approx(binary.std_error)
    assert found.statistic == pytest.approx(binary.statistic)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["ovr", "ovo"])
def test_the_error_is_that_of_repeated_draws(scheme: str) -> None:
    """120 draws give a standard deviation to 6.5 %; four of these are allowed."""
    found, errors = [], []
    for seed in range(120):
        pair = rs.compare(*_models(seed, (25, 20, 15), (1.5, 1.2)), scheme=scheme).pairs[0]
        found.append(pair.difference)
        errors.append(pair.std_error)
    assert np.mean(errors) == pytest.approx(np.std(found), rel=0.26)


@pytest.mark.slow
def test_false_alarms_stay_near_the_level() -> None:
    """150 equal pairs at 5 %: 25 alarms or more have a chance below 1e-6, none one of .0005."""
    alarms = sum(
        rs.compare(*_models(seed, (25, 25, 25), (1.0, 1.0), 0.3)).pairs[0].p_value < 0.05
        for seed in range(150)
    )
    assert 1 <= alarms <= 24


def test_a_family_of_models() -> None:
    y, models = _models(3, pulls=(2.5, 2.4, 1.0))
    found = rs.compare(y, models, adjust="max-t")
    assert [(pair.a, pair.b) for pair in found.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert ("a", "b") in found.groups
    assert found.omnibus.df == 2
    assert found.omnibus.p_value < 0.001
    assert "on the same 150 rows of 3 classes" in str(found)
    assert np.sqrt(found.covariance[0, 0]) == pytest.approx(found.estimates["a"].std_error)
    for pair in found.pairs:
        assert pair.certified is not None
        assert pair.certified.low < pair.low < pair.high < pair.certified.high
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["pairs"][0]["a"] == "a"


def test_one_sided_and_margin() -> None:
    y, models = _models(4)
    two = rs.compare(y, models).pairs[0]
    one = rs.compare(y, models, alternative="greater").pairs[0]
    assert one.p_value == pytest.approx(two.p_value / 2)
    assert one.high == 1.0
    margin = rs.compare(y, models, margin=0.05).pairs[0]
    assert margin.statistic > two.statistic


def test_equal_models_have_no_variance() -> None:
    y, models = _models(5)
    pair = rs.compare(y, {"a": models["a"], "b": models["a"]}).pairs[0]
    assert (pair.difference, pair.p_value) == (0.0, 1.0)
    assert pair.interval == pair.certified


def test_refusals() -> None:
    y, models = _models(6)
    with pytest.raises(rs.InputError, match="at least two models"):
        rs.compare(y, {"a": models["a"]})
    other = {0: models["b"][:, 0], 2: models["b"][:, 1], 1: models["b"][:, 2]}
    with pytest.raises(rs.InputError, match="different classes, or in a different order"):
        rs.compare(y, {"a": models["a"], "b": other})


def test_a_class_with_one_row_has_no_variance() -> None:
    columns = np.eye(3)[[0, 0, 1, 1, 2]]
    with pytest.raises(rs.UnsoundError, match=r"at least two rows of each class .class 'c'"):
        rs.compare(list("aabbc"), {"a": columns, "b": columns[::-1]})
