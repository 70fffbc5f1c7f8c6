"""Each check of plans: a result in which it appears, and a like one in which it does not."""

from __future__ import annotations

from typing import Any

import pytest

import rocsolid as rs
from check_cases import S, T, Y, codes


def difference(rows: int) -> Any:
    y, s, t = ([*each] * rows for each in (Y, S, T))
    few = slice(0, 20 if rows == 1 else None)
    pilot = rs.plan.pilot(y[few], {"a": s[few], "b": t[few]})
    return rs.plan.auc_difference_power(pilot=pilot, n_pos=100, n_neg=100)


CASES = {
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
