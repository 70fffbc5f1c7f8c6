"""Areas of clustered rows: one body for arrays, tables and comparisons."""

from __future__ import annotations

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.errors import UnsoundError
from rocsolid.results import Estimate

RNG = np.random.default_rng(8)
N = 400
C = np.arange(N) // 4
Y = RNG.random(N) < 0.4
A = RNG.normal(size=N // 4)[C] + RNG.normal(size=N) + 1.5 * Y
B = RNG.normal(size=N) + Y
TABLE = {"y": Y.astype(int), "a": A, "b": B, "c": C}


def facts(found: Estimate) -> tuple[object, ...]:
    return found.value, found.low, found.high, found.std_error, found.method, found.warnings


@pytest.mark.parametrize("measure", ["partial_auc(fpr<=0.3)", "weighted_auc(power(2))"])
def test_arrays_tables_and_comparisons_say_the_same(measure: str) -> None:
    here = (
        rs.partial_auc(Y, A, fpr=0.3, cluster=C)
        if "partial" in measure
        else rs.weighted_auc(Y, A, weight=rs.weights.power(2), cluster=C)
    )
    table = rs.evaluate(TABLE, label="y", scores="a", measures=[measure], cluster="c")
    pair = rs.compare(Y, {"a": A, "b": B}, measure=measure, cluster=C)
    assert facts(here) == facts(table.results[0]) == facts(pair.estimates["a"])
    assert here.certified is None
    assert here.method == "auto (clusters)"
    assert here.settings["clusters"] == N // 4
    assert here.low < here.value < here.high


def test_the_area_of_the_whole_curve_has_the_error_of_the_auc() -> None:
    whole, area = rs.auc(Y, A, cluster=C), rs.partial_auc(Y, A, fpr=1.0, cluster=C)
    assert area.value == pytest.approx(whole.value)
    assert area.std_error == pytest.approx(whole.std_error)
    assert (area.low, area.high) == pytest.approx((whole.low, whole.high))


def test_clusters_of_one_row_are_rows_and_scales_carry_over() -> None:
    plain = rs.partial_auc(Y, A, fpr=0.3)
    alone = rs.partial_auc(Y, A, fpr=0.3, cluster=np.arange(N))
    assert alone.value == plain.value
    assert alone.std_error == pytest.approx(plain.std_error, rel=0.01)
    mean = rs.partial_auc(Y, A, fpr=0.3, cluster=C, scale="mean")
    raw = rs.partial_auc(Y, A, fpr=0.3, cluster=C)
    assert (mean.low, mean.std_error) == pytest.approx((raw.low / 0.3, raw.std_error / 0.3))


def test_nothing_says_to_rely_on_a_certificate_that_is_not_there() -> None:
    few = rs.partial_auc(Y[:48], A[:48], fpr=0.3, cluster=C[:48])
    assert few.certified is None
    assert any("Only 12 clusters" in text for text in few.warnings)
    assert not any("certified" in text for text in few.warnings)


def test_a_box_that_the_curve_misses_and_a_region_without_rows() -> None:
    box = rs.partial_auc(Y, A, fpr=0.02, tpr=0.98, cluster=C)
    assert (box.value, box.std_error) == (0.0, 0.0)
    assert rs.partial_auc(Y, A, fpr=0.001, cluster=C).method == "auto (no row in the region)"


def test_what_has_no_interval_for_clusters_is_refused() -> None:
    with pytest.raises(UnsoundError, match="independent rows only"):
        rs.partial_auc(Y, A, fpr=0.3, cluster=C, interval="bootstrap")
    with pytest.raises(UnsoundError, match="plug-in estimator"):
        rs.weighted_auc(Y, A, weight=rs.weights.power(2), estimator="plug-in", cluster=C)
