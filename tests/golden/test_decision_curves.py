"""Net benefits of dcurves 1.1.7 (Python): ``dca(data, "y", ["p"], thresholds, prevalence)``."""

from __future__ import annotations

import numpy as np
import pytest

import rocsolid as rs

AT = np.arange(200)
P = (AT * 37 % 199 + 0.5) / 200
Y = (AT * 61 % 197 < P * 150).astype(int)
THRESHOLDS = [0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9]
OF_ROWS = [
    0.3344736842105263, 0.3061111111111111, 0.2575, 0.14500000000000002, 0.07499999999999998,
    -0.08833333333333324, -0.255,
]  # fmt: skip
ALL_ROWS = [
    0.3368421052631579, 0.3, 0.2125, 0.03076923076923077, -0.26, -1.0999999999999996,
    -5.300000000000001,
]  # fmt: skip
AT_THREE_PERCENT = [
    -0.017406240827293456, -0.06107559940893274, -0.1359212784212784, -0.24349849849849847,
    -0.3002252252252252, -0.3985535535535535, -0.48013513513513517,
]  # fmt: skip
ALL_AT_THREE_PERCENT = [
    -0.02105263157894737, -0.07777777777777778, -0.2125, -0.4923076923076922, -0.94,
    -2.2333333333333334, -8.700000000000003,
]  # fmt: skip


@pytest.mark.parametrize(
    ("prevalence", "scored", "treat_all"),
    [("rows", OF_ROWS, ALL_ROWS), (0.03, AT_THREE_PERCENT, ALL_AT_THREE_PERCENT)],
)
def test_net_benefit_of_dcurves(
    prevalence: object, scored: list[float], treat_all: list[float]
) -> None:
    curve = rs.roc(Y, P).net_benefit(THRESHOLDS, prevalence=prevalence)  # type: ignore[arg-type]
    assert curve.value == pytest.approx(scored, abs=1e-14)
    assert curve.treat_all == pytest.approx(treat_all, abs=1e-14)
    names = [f"net_benefit@{t}" + ("" if prevalence == "rows" else "(prevalence=0.03)")
             for t in THRESHOLDS]  # fmt: skip
    estimates = rs.evaluate({"y": Y, "p": P}, label="y", scores="p", measures=names).results
    assert [one.value for one in estimates] == pytest.approx(scored, abs=1e-14)
