"""The pooled values of metafor."""

from __future__ import annotations

import numpy as np
import pytest

import rocsolid as rs
from metafor_output import METAFOR, SITES


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
