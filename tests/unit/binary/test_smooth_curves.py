from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

RNG = np.random.Generator(np.random.Philox(9))
Y = np.arange(150) < 60
S = RNG.normal(size=150) + Y
CURVE = rs.roc(Y, S)
METHODS: list[Any] = ["binormal", "binormal-ml", "density"]


@pytest.mark.parametrize("method", METHODS)
def test_a_smooth_curve_runs_from_corner_to_corner(method: Any) -> None:
    smooth = CURVE.smooth(method)
    assert smooth.tpr_at([0.0, 1.0]).tolist() == [0.0, 1.0]
    assert smooth.fpr_at([0.0, 1.0]).tolist() == [0.0, 1.0]
    assert (smooth.fpr[0], smooth.fpr[-1], smooth.tpr[0], smooth.tpr[-1]) == (0, 1, 0, 1)
    assert np.all(np.diff(smooth.fpr) >= 0)
    assert np.all(np.diff(smooth.tpr) >= 0)
    assert smooth.fpr_at(smooth.tpr_at(0.3)) == pytest.approx(0.3, abs=1e-3)
    assert smooth.auc == pytest.approx(CURVE.auc, abs=0.03)
    area = float(np.sum(np.diff(smooth.fpr) * (smooth.tpr[1:] + smooth.tpr[:-1])) / 2)
    assert area == pytest.approx(smooth.auc, abs=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_intervals_by_resampling(method: Any) -> None:
    smooth = CURVE.smooth(method)
    found = smooth.intervals(resamples=60, points=5)
    again = smooth.intervals(resamples=60, points=5)
    assert found.auc == again.auc
    assert smooth.intervals(resamples=60, points=5, seed=1).auc != found.auc
    assert found.auc.low < smooth.auc < found.auc.high
    assert not found.auc.certified
    assert found.auc.assumptions[-1].startswith("model: ")
    inner = slice(1, -1)
    assert np.all(found.low[inner] < smooth.tpr_at(found.fpr)[inner])
    assert np.all(found.high[inner] > smooth.tpr_at(found.fpr)[inner])
    assert (found.low[0], found.high[-1]) == (0.0, 1.0)
    plain = found.to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["failed"] == 0


def test_information_and_bootstrap_agree() -> None:
    smooth = CURVE.smooth("binormal-ml")
    found, drawn = smooth.intervals("information"), smooth.intervals(resamples=300)
    assert found.auc.low == pytest.approx(drawn.auc.low, abs=0.03)
    assert found.auc.high == pytest.approx(drawn.auc.high, abs=0.03)
    assert np.max(np.abs(found.low - drawn.low)) < 0.1
    assert (found.low[0], found.high[0], found.low[-1], found.high[-1]) == (0, 0, 1, 1)
    with pytest.raises(rs.UnsoundError, match="maximum-likelihood"):
        CURVE.smooth().intervals("information")


def test_a_binormal_curve_knows_only_the_order() -> None:
    turned = rs.roc(Y, S, lower_is_better=True)
    for method in ("binormal", "binormal-ml"):
        one = CURVE.smooth(method).parameters  # type: ignore[arg-type]
        assert rs.roc(Y, np.exp(S)).smooth(method).parameters == one  # type: ignore[arg-type]
    assert turned.smooth().parameters["a"] == pytest.approx(-CURVE.smooth().parameters["a"])


def test_text_and_json() -> None:
    smooth = CURVE.smooth("density")
    assert str(smooth).startswith("smooth ROC curve (density), area 0.")
    plain = smooth.to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert "std_error" not in str(CURVE.smooth("binormal-ml"))
    assert CURVE.smooth("binormal-ml").parameters["b_std_error"] > 0


def test_what_is_refused() -> None:
    apart = rs.roc([0] * 9 + [1] * 9, range(18))
    with pytest.raises(rs.InputError, match="too few corners"):
        apart.smooth()
    with pytest.raises(rs.InputError, match="at least three ordered categories"):
        apart.smooth("binormal-ml")
    with pytest.raises(rs.InputError, match="use 'density'"):
        apart.smooth("densty")  # type: ignore[arg-type]
    with pytest.raises(rs.InputError, match="use one of binormal, binormal-ml, density"):
        apart.smooth("x")  # type: ignore[arg-type]
    with pytest.raises(rs.InputError, match="finite scores"):
        rs.roc([0, 1, 0, 1], [1, 2, 3, np.inf]).smooth("density")
    with pytest.raises(rs.InputError, match="all scores are equal"):
        rs.roc([0, 1, 0, 1], [1, 1, 1, 1]).smooth("density")
    with pytest.raises(rs.InputError, match="transform them"):
        rs.roc(Y, np.exp(9 * S)).smooth("density")
    with pytest.raises(rs.UnsoundError, match="counts rows"):
        rs.roc(Y, S, sample_weight=S + 9).smooth()
    smooth = CURVE.smooth()
    with pytest.raises(rs.InputError, match=r"lie in \[0, 1\]"):
        smooth.tpr_at(1.5)
    with pytest.raises(rs.InputError, match=r"at least 2: 1 .resamples."):
        smooth.intervals(resamples=1)
    with pytest.raises(rs.InputError, match="unknown interval"):
        smooth.intervals("boot")  # type: ignore[arg-type]


def test_resamples_without_a_curve_are_counted_or_refused() -> None:
    few = rs.roc([0, 0, 0, 1, 0, 1, 0, 1, 1, 1], range(10))
    with pytest.raises(rs.UnsoundError, match="resamples have no curve"):
        few.smooth().intervals(resamples=50)
    more = rs.roc([0] * 9 + [1, 1, 0, 0, 1, 0, 1, 0] + [1] * 9, range(26))
    assert 0 < more.smooth("binormal-ml").intervals(resamples=300).failed <= 30
