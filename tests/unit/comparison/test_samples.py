"""`rocsolid.compare` of independent samples: names, weights and clusters a sample, certificates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs

RNG = np.random.default_rng(1)


def sample(size: int, shift: float) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    y = np.arange(size) % 4 == 0
    return y, RNG.normal(size=size) + shift * y


ONE, TWO, THREE = sample(80, 2.5), sample(200, 1.0), sample(120, 0.9)


def test_names_and_order() -> None:
    named = rs.compare({"x": ONE, "y": TWO, "z": THREE})
    plain = rs.compare([ONE, TWO, THREE])
    assert list(named.estimates) == ["x", "y", "z"]
    assert list(plain.estimates) == ["1", "2", "3"]
    assert [p.p_value for p in named.pairs] == [p.p_value for p in plain.pairs]
    assert named.compared == "samples"
    assert named.groups == (("x",), ("y", "z"))
    assert named.omnibus.df == 2
    assert "AUC, 3 samples" in str(named)


def test_values_errors_and_certificates_are_those_of_each_sample() -> None:
    result = rs.compare([ONE, TWO], test="delong")
    pair = result.pairs[0]
    first, second = rs.auc(*ONE), rs.auc(*TWO)
    assert first.std_error is not None
    assert second.std_error is not None
    assert pair.std_error == pytest.approx(np.hypot(first.std_error, second.std_error))
    half = [rs.auc(*one, level=0.975).certified for one in (ONE, TWO)]
    assert pair.certified is not None
    assert half[0] is not None
    assert half[1] is not None
    assert pair.certified.low == half[0].low - half[1].high
    assert pair.certified.high == half[0].high - half[1].low
    greater = rs.compare([ONE, TWO], alternative="greater").pairs[0].certified
    assert greater is not None
    assert (greater.low > pair.certified.low, greater.high) == (True, 1.0)


def test_certified_intervals_are_left_out_on_request() -> None:
    plain, full = rs.compare([ONE, TWO], certified=False), rs.compare([ONE, TWO])
    assert plain.pairs[0].certified is None
    assert plain.pairs[0].interval == full.pairs[0].interval
    with pytest.raises(TypeError, match="no keyword 'certificate'"):
        rs.compare([ONE, TWO], certificate=False)


def test_weights_and_clusters_a_sample() -> None:
    weights = [RNG.random(len(y)) + 0.5 for y, _ in (ONE, TWO)]
    clusters = {"a": np.arange(80) // 2, "b": np.arange(200) // 4}
    weighted = rs.compare([ONE, TWO], sample_weight=weights)
    both = rs.compare(
        {"a": ONE, "b": TWO}, sample_weight=dict(zip("ab", weights, strict=True)), cluster=clusters
    )
    assert weighted.settings["weighted"] is True
    assert both.settings["clusters"] == [40, 50]
    expected = rs.auc(*ONE, sample_weight=weights[0], cluster=clusters["a"])
    assert both.estimates["a"].value == expected.value
    assert expected.std_error is not None
    assert both.covariance[0, 0] == pytest.approx(expected.std_error**2)


def test_missing_scores_are_counted_for_each_sample() -> None:
    y, s = ONE[0], ONE[1].copy()
    s[0] = np.nan
    result = rs.compare({"a": (y, s), "b": TWO}, nan="omit")
    assert result.warnings[0] == "a: 1 row left out because the score is missing."
    assert result.settings["omitted"] == 1


@pytest.mark.parametrize(
    ("samples", "options", "says"),
    [
        ((ONE,), {}, "at least two samples"),
        ((ONE, TWO[0]), {}, "pair of labels and scores"),
        ((ONE, TWO), {"sample_weight": [np.ones(80)]}, "one column for each sample"),
        ((ONE, TWO), {"cluster": {"a": [], "b": []}}, "one column for each sample"),
        ((ONE, (np.zeros(5), np.ones(5))), {}, "no positive row"),
    ],
)
def test_what_it_refuses(samples: tuple[Any, ...], options: dict[str, Any], says: str) -> None:
    with pytest.raises(rs.RocsolidError, match=says):
        rs.compare(samples, **options)
