"""Bootstrap intervals as a user asks for them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.binary.resampling.replicates import replicates
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import BinaryRows

RNG = np.random.default_rng(7)
Y = np.arange(300) % 3 == 0
S = RNG.normal(size=300) + 1.1 * Y
W = RNG.random(300) + 0.3
CLUSTER = np.arange(300) // 3
NAMES = ("bootstrap", "bootstrap-percentile", "bootstrap-bca", "bootstrap-logit")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", [None, "plain", "poisson"])
@pytest.mark.parametrize("weight", [None, W])
def test_all_agree_on_ordinary_data(name: str, scheme: Any, weight: Any) -> None:
    """A quarter of the width covers the difference of methods and 2,000 resamples' noise."""
    plain = rs.auc(Y, S, sample_weight=weight, design="fixed")
    found = rs.auc(Y, S, sample_weight=weight, design="fixed", interval=name, scheme=scheme)
    assert found.value == plain.value
    assert found.certified == plain.certified
    assert found.low == pytest.approx(plain.low, abs=0.25 * plain.interval.width)
    assert found.high == pytest.approx(plain.high, abs=0.25 * plain.interval.width)
    assert found.warnings == ()
    assert found.method == (name if name != "bootstrap" else "bootstrap (logit)")
    wanted = {"resamples": 2000, "seed": 0, "scheme": scheme or "stratified"}
    assert {key: found.settings[key] for key in wanted} == wanted
    assert f"2,000 resamples, seed 0, {wanted['scheme']}" in found.interval.assumptions
    assert found.interval.source


def test_percentiles_are_quantiles_of_the_replicates() -> None:
    values = replicates([BinaryRows(Y, S)], resamples=500, seed=9)[:, 0]
    ask: dict[str, Any] = {"interval": "bootstrap-percentile", "resamples": 500, "seed": 9}
    found = rs.auc(Y, S, **ask)
    assert (found.low, found.high) == tuple(np.quantile(values, [0.025, 0.975]))
    lower = rs.auc(Y, S, **ask, alternative="greater")
    assert (lower.low, lower.high) == (np.quantile(values, 0.05), 1.0)
    assert rs.auc(Y, S, **ask) == found
    assert rs.auc(Y, S, **{**ask, "seed": 10}).low != found.low


def test_nothing_is_recorded_where_nothing_was_drawn() -> None:
    assert not {"resamples", "seed", "scheme"} & set(rs.auc(Y, S).settings)
    assert not {"resamples", "seed", "scheme"} & set(rs.partial_auc(Y, S, fpr=0.2).settings)


def test_clusters() -> None:
    plain = rs.auc(Y, S, cluster=CLUSTER)
    for name in ("bootstrap", "bootstrap-percentile", "bootstrap-bca"):
        for scheme in (None, "poisson"):
            found = rs.auc(Y, S, cluster=CLUSTER, interval=name, scheme=scheme)
            assert found.settings["scheme"] == (scheme or "cluster")
            assert found.low == pytest.approx(plain.low, abs=0.25 * plain.interval.width)
            assert "clusters are independent" in found.interval.assumptions[0]
    with pytest.raises(UnsoundError, match='interval="bootstrap-bca"'):
        rs.auc(Y, S, cluster=CLUSTER, interval="bootstrap-logit")
    with pytest.raises(UnsoundError, match='scheme="cluster"'):
        rs.auc(Y, S, cluster=CLUSTER, interval="bootstrap", scheme="stratified")


def test_the_bayesian_bootstrap_has_quantiles_only() -> None:
    found = rs.auc(Y, S, interval="bootstrap", scheme="bayesian")
    assert found.method == "bootstrap (percentile)"
    assert found.low == pytest.approx(rs.auc(Y, S).low, abs=0.03)
    for name in ("bootstrap-bca", "bootstrap-logit"):
        with pytest.raises(UnsoundError, match="bootstrap-percentile"):
            rs.auc(Y, S, interval=name, scheme="bayesian")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("y", "s"),
    [
        ([0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6]),
        ([0, 0, 0, 1, 1, 1], [6, 5, 4, 3, 2, 1]),
        ([0, 0, 0, 1, 1, 1], [1, 1, 1, 1, 1, 1]),
        ([0, 0, 0, 0, 0, 1], [1, 2, 3, 4, 5, 3]),
    ],
)
def test_no_interval_without_spread(name: str, y: list[int], s: list[int]) -> None:
    """Perfect, reversed and constant scores, and a class of one row."""
    with pytest.raises(UnsoundError, match='interval="auto"'):
        rs.auc(y, s, interval=name)
    with pytest.raises(UnsoundError, match='interval="auto"'):
        rs.partial_auc(y, s, tpr=(0.0, 1.0), interval=name)


def test_near_one_the_doubts_are_said() -> None:
    y = np.arange(60) % 2 == 0
    s = np.random.default_rng(3).normal(size=60) + 2.5 * y
    auto = rs.auc(y, s)
    for name, words in (
        ("bootstrap-percentile", "percentiles cover the true value too rarely"),
        ("bootstrap-bca", "BCa covers the true value too rarely"),
        ("bootstrap-logit", "too many resamples are perfect"),
        ("bootstrap", "the hull of a bootstrap"),
    ):
        found = rs.auc(y, s, interval=name)
        assert any(words in warning for warning in found.warnings), name
    assert found.method == "bootstrap (hull)"
    assert found.low <= auto.low
    assert found.high >= auto.high


def test_too_few_resamples_for_the_level() -> None:
    with pytest.raises(InputError, match="do not reach into the tails"):
        rs.auc(Y, S, interval="bootstrap-percentile", resamples=39)
    assert rs.auc(Y, S, interval="bootstrap-percentile", resamples=40).low > 0.5


def test_a_scheme_needs_a_bootstrap() -> None:
    with pytest.raises(InputError, match="resamples nothing"):
        rs.auc(Y, S, scheme="plain")
    with pytest.raises(InputError, match="resamples nothing"):
        rs.partial_auc(Y, S, fpr=0.1, scheme="plain")
    with pytest.raises(InputError, match="'plain'"):
        rs.auc(Y, S, interval="bootstrap", scheme="plane")  # type: ignore[arg-type]


AREAS: dict[str, tuple[Any, dict[str, Any]]] = {
    "fpr": (rs.partial_auc, {"fpr": 0.5}),
    "tpr": (rs.partial_auc, {"tpr": (0.4, 0.9)}),
    "box": (rs.partial_auc, {"fpr": 0.7, "tpr": 0.3}),
    "power": (rs.weighted_auc, {"weight": rs.weights.power(2)}),
    "plug-in": (rs.weighted_auc, {"weight": rs.weights.power(2), "estimator": "plug-in"}),
}


@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize("name", NAMES)
def test_areas(area: str, name: str) -> None:
    measure, what = AREAS[area]
    auto = measure(Y, S, **what)
    ask: dict[str, Any] = {**what, "interval": name, "resamples": 400}
    if area == "plug-in" and name == "bootstrap-bca":
        with pytest.raises(UnsoundError, match="influence"):
            measure(Y, S, **ask)
        return
    found = measure(Y, S, **ask)
    best = "logit" if area == "plug-in" else "bca"
    assert found.method == (name if name != "bootstrap" else f"bootstrap ({best})")
    assert found.low == pytest.approx(auto.low, abs=0.35 * auto.interval.width)
    assert found.high == pytest.approx(auto.high, abs=0.35 * auto.interval.width)
    assert found.settings["resamples"] == 400
    if area == "plug-in":
        return
    weighted = measure(Y, S, **ask, sample_weight=W)
    like = measure(Y, S, **what, sample_weight=W)
    assert weighted.low == pytest.approx(like.low, abs=0.35 * like.interval.width)
    doubled = measure(Y, S, **ask, sample_weight=2 * W)
    assert doubled.low == pytest.approx(weighted.low, abs=1e-9)
    scheme = measure(Y, S, **ask, scheme="plain")
    assert scheme.settings["scheme"] == "plain"
    assert scheme.low != found.low


def test_a_region_with_too_few_rows_is_left_to_auto() -> None:
    auto = rs.partial_auc(Y, S, fpr=0.03)
    found = rs.partial_auc(Y, S, fpr=0.03, interval="bootstrap", resamples=200)
    assert found.method == "bootstrap (hull)"
    assert found.low <= auto.low < auto.high <= found.high


def test_a_loss_without_bounds_leaves_percentiles() -> None:
    from rocsolid.weights import losses

    ask: dict[str, Any] = {
        "weight": rs.weights.power(1), "estimator": "plug-in", "loss": losses.hinge(1.0),
        "resamples": 300,
    }  # fmt: skip
    found = rs.weighted_auc(Y, S, interval="bootstrap", **ask)
    assert found.method == "bootstrap (percentile)"
    assert found.low < found.value < found.high
    assert rs.weighted_auc(Y, S, interval="bootstrap", **ask, alternative="less").low == -np.inf
    with pytest.raises(UnsoundError):
        rs.weighted_auc(Y, S, interval="bootstrap-logit", **ask)
    with pytest.raises(UnsoundError, match="whole rows"):
        rs.weighted_auc(Y, S, interval="bootstrap", scheme="bayesian", **ask)


def test_the_number_of_resamples_is_whole_and_goes_into_json() -> None:
    y, s = np.arange(60) % 2, np.sin(np.arange(60)) + np.arange(60) % 2
    for resamples in ("many", None, 100.5):
        with pytest.raises(rs.InputError, match=r"not a whole number.*resamples"):
            rs.auc(y, s, interval="bootstrap", resamples=resamples)  # type: ignore[arg-type]
    found = rs.auc(y, s, interval="bootstrap", resamples=np.int64(200))  # type: ignore[arg-type]
    assert '"resamples": 200' in json.dumps(found.to_dict(), allow_nan=False)
