"""What is no number in the place of one is refused in words, and True is not taken for 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from no_numbers import refuses_what_is_no_number
from rocsolid.intervals.guarantees.weighted_area import sandwich_slope
from rocsolid.intervals.guarantees.weighted_best import box_dkw

SIZES = {"n_pos": 50, "n_neg": 60}
AUC: dict[str, Any] = {"auc": 0.8, **SIZES, "delta": 0.05}
PLACEMENTS = {"placements": np.linspace(0.3, 1.0, 50), **SIZES, "delta": 0.05}
AREA = {"value": 0.2, "weight": rs.weights.power(2), **SIZES, "delta": 0.05}
POS, NEG = np.linspace(0.0, 1.0, 20), np.linspace(-1.0, 0.5, 25)
PART = {"epsilon": 0.1, "level": 0.95, "prevalence": 0.5, "candidates": 1}

CALLS: dict[str, dict[str, Any]] = {
    **{f"guarantees.{name}": AUC for name in (
        "hinge", "hoeffding", "kl", "mcdiarmid", "best", "chebyshev", "normal")},
    **{f"guarantees.{name}": PLACEMENTS for name in ("betting", "e_value")},
    **{f"guarantees.{name}": AREA for name in (
        "weighted_dkw", "weighted_mcdiarmid", "weighted_plug_in", "weighted_theorem_2")},
    **{f"guarantees.{name}": {"pos_scores": POS, "neg_scores": NEG,
                              "weight": rs.weights.power(2), "delta": 0.05}
       for name in ("weighted_band", "weighted_best")},
    "guarantees.interval": {"method": "hinge", **AUC},
    "guarantees.binormal": {"auc": 0.8, "spread": 1.5},
    "guarantees.two_point": {"auc": 0.8},
    "guarantees.box_band": {"pos_scores": POS, "neg_scores": NEG, "fpr": (0, 0.3), "tpr": (0, 1),
                            "delta": 0.05},
    "guarantees.clustered": {"auc": 0.8, "pos_counts": [3, 4], "neg_counts": [4, 5], "delta": 0.1},
    "guarantees.weighted": {"auc": 0.8, "pos_weights": POS, "neg_weights": POS, "delta": 0.1},
    "guarantees.deviation": {"method": "hoeffding", **SIZES, "delta": 0.05},
    "guarantees.difference": {"difference": 0.02, "disagreement": 0.1, **SIZES, "delta": 0.05},
    "guarantees.difference_mcdiarmid": {"difference": 0.1, "squared_shares": 0.1, "delta": 0.05},
    "guarantees.error_rate": {"error": 0.2, **SIZES, "delta": 0.05},
    "guarantees.sequence": {"level": 0.95},
    "plan.auc_at_error_rate": {"errors": 10, **SIZES},
    "plan.auc_difference_power": {"auc_a": 0.8, "auc_b": 0.9, "n_neg": 200, "power": 0.8,
                                  "level": 0.95, "correlation": 0.5, "null": 0.0, "spread": 1.0},
    "plan.auc_power": {"auc": 0.8, "n_neg": 60, "power": 0.8, "level": 0.95, "null": 0.5,
                       "spread": 1.0},
    "plan.auc_precision": {"auc": 0.8, **SIZES, "level": 0.95, "spread": 1.0},
    "plan.error_rate_samples": {k: v for k, v in PART.items() if k != "candidates"},
    "plan.samples": PART,
    "plan.labels_to_certify": {"target": 0.8, "auc": 0.9, "level": 0.95,
                               "prevalence": 0.5, "candidates": 1},
    "plan.query_anova": {"systems": 3, "sd": 0.2, "difference": 0.05, "queries": 50,
                         "level": 0.95},
    "plan.query_power": {"difference": 0.05, "sd": 0.2, "queries": 50, "level": 0.95},
    "plan.query_precision": {"sd": 0.2, "queries": 50, "level": 0.95},
}  # fmt: skip
Y, S = [0, 1, 0, 1], [1, 2, 3, 4]


@pytest.mark.parametrize("name", CALLS)
def test_only_numbers_are_numbers(name: str) -> None:
    module, _, function = name.partition(".")
    refuses_what_is_no_number(getattr(getattr(rs, module), function), CALLS[name])


@pytest.mark.parametrize(
    ("function", "call"),
    [
        (box_dkw, {"value": 0.05, "fpr": (0, 0.3), "tpr": (0, 1), **SIZES, "delta": 0.05}),
        (sandwich_slope, {"n": 50, "sides": 1}),
    ],
)
def test_what_the_bounds_are_made_of_takes_only_numbers(
    function: Callable[..., Any], call: dict[str, Any]
) -> None:
    refuses_what_is_no_number(function, call)


def test_true_is_no_rate_and_no_count() -> None:
    for call in (
        lambda: rs.partial_auc(Y, S, fpr=True),
        lambda: rs.partial_auc(Y, S, tpr=(0.5, True)),
        lambda: rs.roc(Y, S).at(fpr=True),
        lambda: rs.leaks.count(0.75, 4, n_pos=True),
        lambda: rs.leaks.count(0.75, 4, n_pos=[2, True]),
    ):
        with pytest.raises(rs.InputError, match="True"):
            call()
