"""Pooled values of metafor 3.8 (R 4.2): ``rma(y, v, method, test="knha")``, with ``confint``.

The prediction limits are its mean ∓ ``qt(.975, k − 2)`` times the root of its ``tau2 + vb``.
"""

from __future__ import annotations

import numpy as np
import pytest

import rocsolid as rs

SITES = {
    "name": list("abcdef"),
    "auc": [".81", ".74", ".88", ".69", ".79", ".83"],
    "n_pos": [120, 60, 45, 200, 33, 80],
    "n_neg": [400, 210, 90, 800, 120, 300],
}
METAFOR = {
    ("logit", "reml"): (
        1.32418704060909, 0.893225536438366, 1.75514854477982, 0.129622573626952, 0.815014129549206,
        31.2606220187367, 8.32020951774868e-06, 0.221516886522088, 2.4268571946961,
    ),
    ("logit", "dl"): (
        1.32932579609055, 0.897621030511187, 1.76103056166991, 0.154521552859691, 0.840054366256591,
        31.2606220187367, 8.32020951774868e-06, 0.14249517736315, 2.51615641481795,
    ),
    ("linear", "reml"): (
        0.789120289039737, 0.717119515077386, 0.861121063002087, 0.00399969244955811,
        0.835930371133936, 35.3101252389564, 1.30473596845485e-06, 0.597078859687657,
        0.981161718391822,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("scale", "between"), METAFOR)
def test_random_effects_of_metafor(scale: str, between: str) -> None:
    pooled = rs.pool(SITES, scale=scale, between=between)  # type: ignore[arg-type]
    effects = pooled.effects
    computed = (
        effects.mean, *effects.limits, effects.tau2, effects.i2, effects.q, effects.p_value,
        *effects.predicted,
    )  # fmt: skip
    assert computed == pytest.approx(METAFOR[scale, between], rel=1e-8)
    ends = np.array([computed[0], *computed[1:3]])
    ends = 1 / (1 + np.exp(-ends)) if scale == "logit" else ends
    assert list(pooled.pooled) == pytest.approx(ends.tolist(), rel=1e-8)


def test_weights_and_the_profile_of_metafor() -> None:
    weights = [0.182435463995087, 0.154926740594279, 0.163692829952719, 0.185558261345802,
               0.137351998402427, 0.176034705709685]  # fmt: skip
    pooled = rs.pool(SITES, scale="linear")
    assert [entry.result.weight for entry in pooled.results] == pytest.approx(weights, rel=1e-8)
    # confint of metafor stops at a tolerance of 1e-4
    assert rs.pool(SITES).effects.tau2_limits == pytest.approx((0.0302065, 0.9990629), abs=1e-4)
