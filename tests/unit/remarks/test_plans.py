"""Each check of plans: a result in which it appears, and a like one in which it does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from check_cases import S, T, Y, codes


def difference(rows: int) -> Any:
    y, s, t = ([*each] * rows for each in (Y, S, T))
    few = slice(0, 20 if rows == 1 else None)
    pilot = rs.plan.pilot(y[few], {"a": s[few], "b": t[few]})
    return rs.plan.auc_difference_power(pilot=pilot, n_pos=100, n_neg=100)


def in_clusters(*sizes: int) -> Any:
    """A plan from a pilot of 20 patients with four rows each, two of them positive."""
    rng = np.random.default_rng(0)
    scores = {"a": rng.normal(size=80), "b": rng.normal(size=80)}
    pilot = rs.plan.pilot([0, 1] * 40, scores, cluster=[i // 4 for i in range(80)])
    return rs.plan.auc_difference_power(pilot=pilot, n_pos=sizes[0], n_neg=sizes[1], difference=0.1)


CASES = {
    "ROC507": (
        lambda: difference(2),
        lambda: rs.plan.auc_difference_power(
            auc_a=0.8, auc_b=0.7, correlation=0.5, n_pos=100, n_neg=100
        ),
    ),
    "ROC508": (lambda: in_clusters(102, 100), lambda: in_clusters(100, 100)),
    "ROC503": (
        lambda: rs.plan.auc_power(auc=0.7, n_pos=30, n_neg=30, test="score"),
        lambda: rs.plan.auc_power(auc=0.9, n_pos=100, n_neg=20, test="score"),
    ),
    "ROC504": (lambda: difference(1), lambda: difference(2)),
    "ROC501": (
        lambda: rs.plan.auc_power(auc=0.9, n_pos=10, n_neg=10),
        lambda: rs.plan.auc_power(auc=0.8, n_pos=100, n_neg=100),
    ),
    "ROC502": (
        lambda: rs.plan.auc_power(auc=0.51, n_pos=30, n_neg=30),
        lambda: rs.plan.auc_power(auc=0.8, n_pos=100, n_neg=100),
    ),
    "ROC505": (
        lambda: rs.plan.auc_precision(auc=0.99, n_pos=30, n_neg=30, interval="delong"),
        lambda: rs.plan.auc_precision(auc=0.8, n_pos=100, n_neg=100),
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_it_appears_where_it_should_and_only_there(code: str) -> None:
    there, absent = CASES[code]
    assert code in codes(there())
    assert code not in codes(absent())
