"""What is no number in the place of one is refused by bounds over classes too."""

from __future__ import annotations

from typing import Any

import pytest

import rocsolid as rs
from no_numbers import refuses_what_is_no_number

SIZES = {"n_pos": 50, "n_neg": 60}
AUC: dict[str, Any] = {"auc": 0.8, **SIZES, "delta": 0.05}
CLASS = {"scorers": rs.theory.guarantees.polynomial(2, 1)}

CALLS: dict[str, dict[str, Any]] = {
    **{name: {**AUC, **CLASS} for name in (
        "uniform_blocks", "uniform_freund", "uniform_rank_shatter")},
    **{name: {"n_pos": 3, "n_neg": 3} for name in ("psi", "psi_bounds")},
    "uniform_margin": {"value": 0.8, "margin": 0.1, **SIZES, "spread": 0.01,
                                  "delta": 0.05},
    "compression": {**AUC, "used_pos": 3, "used_neg": 3},
    "finite_class": {**AUC, "size": 10},
    "finite_class_tail": {"epsilon": 0.1, **SIZES, "size": 10},
    "gaussian_radius": {"norm": 1.0, "radius": 1.0, "rows": 50},
    "linear_orderings": {"n_points": 5, "dimension": 2},
    "dkw_mean": {"rows": 50},
    "dkw_radius": {"rows": 50, "delta": 0.05},
    "dkw_tail": {"t": 0.1, "rows": 50},
    "exact_variance": {"auc": 0.8, **SIZES, "p1": 0.7, "p2": 0.7, "p_tie": 0.0},
    "monomials": {"dimension": 2, "degree": 2},
    "occam_kl": {**AUC, "weight": 0.1},
    "vote_spread": {"n_rankers": 5},
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_only_numbers_are_numbers(name: str) -> None:
    refuses_what_is_no_number(getattr(rs.theory.guarantees, name), CALLS[name])
