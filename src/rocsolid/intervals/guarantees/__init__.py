"""Guarantees: how far the true AUC can be from the estimate, whatever the distribution.

Bounds that belong to `rocsolid.theory` are loaded when they are first used.
"""

import importlib
from typing import Any

from rocsolid import parts
from rocsolid.intervals.guarantees.average_precision import average_precision
from rocsolid.intervals.guarantees.best import best
from rocsolid.intervals.guarantees.betting import betting
from rocsolid.intervals.guarantees.box_band import box_band
from rocsolid.intervals.guarantees.chebyshev import chebyshev
from rocsolid.intervals.guarantees.clustered import clustered
from rocsolid.intervals.guarantees.completed_curve import bedroc, precision_area
from rocsolid.intervals.guarantees.coverage import (
    COVERAGE_METHODS,
    Coverage,
    MethodCoverage,
    coverage,
)
from rocsolid.intervals.guarantees.curve_point import precision_at_recall
from rocsolid.intervals.guarantees.cuts import cuts
from rocsolid.intervals.guarantees.deviation import Deviation
from rocsolid.intervals.guarantees.difference import difference
from rocsolid.intervals.guarantees.difference_matchings import difference_matchings
from rocsolid.intervals.guarantees.difference_mcdiarmid import difference_mcdiarmid
from rocsolid.intervals.guarantees.difference_sequence import (
    DifferenceSequence,
    difference_sequence,
)
from rocsolid.intervals.guarantees.distributions import (
    Distribution,
    binormal,
    from_data,
    ordinal,
    two_point,
)
from rocsolid.intervals.guarantees.dkw import dkw_mean, dkw_radius, dkw_tail
from rocsolid.intervals.guarantees.e_value import e_value
from rocsolid.intervals.guarantees.error_rate import error_rate, error_rate_variance
from rocsolid.intervals.guarantees.flagged_share import (
    lift_at_share,
    precision_at_share,
    recall_at_share,
)
from rocsolid.intervals.guarantees.gain_area import gain_area
from rocsolid.intervals.guarantees.hinge import hinge
from rocsolid.intervals.guarantees.hoeffding import hoeffding
from rocsolid.intervals.guarantees.kl import kl
from rocsolid.intervals.guarantees.matchings import matchings
from rocsolid.intervals.guarantees.mcdiarmid import mcdiarmid
from rocsolid.intervals.guarantees.normal import normal
from rocsolid.intervals.guarantees.reuse import after_reuse
from rocsolid.intervals.guarantees.sequence import Sequence, sequence
from rocsolid.intervals.guarantees.table import METHODS, deviation, interval
from rocsolid.intervals.guarantees.variance import (
    exact_variance,
    largest_variance,
    pair_chances,
    smallest_variance,
)
from rocsolid.intervals.guarantees.weighted import weighted
from rocsolid.intervals.guarantees.weighted_band import weighted_band
from rocsolid.intervals.guarantees.weighted_best import weighted_best
from rocsolid.intervals.guarantees.weighted_dkw import box_dkw, weighted_dkw
from rocsolid.intervals.guarantees.weighted_mcdiarmid import weighted_mcdiarmid
from rocsolid.intervals.guarantees.weighted_plug_in import weighted_plug_in
from rocsolid.intervals.guarantees.weighted_sandwich import sandwich_slope, weighted_sandwich
from rocsolid.intervals.guarantees.weighted_theorem_2 import weighted_theorem_2

__all__ = [
    "COVERAGE_METHODS", "METHODS", "Coverage", "Deviation", "DifferenceSequence", "Distribution",
    "MethodCoverage", "Sequence", "after_reuse", "average_precision", "bedroc", "best", "betting",
    "binormal", "box_band", "box_dkw", "chebyshev", "clustered", "coverage", "cuts", "deviation",
    "difference", "difference_matchings", "difference_mcdiarmid", "difference_sequence", "dkw_mean",
    "dkw_radius", "dkw_tail", "e_value", "error_rate", "error_rate_variance", "exact_variance",
    "from_data", "gain_area", "hinge", "hoeffding", "interval", "kl", "largest_variance",
    "lift_at_share", "matchings", "mcdiarmid", "normal", "ordinal", "pair_chances",
    "precision_area", "precision_at_recall", "precision_at_share", "recall_at_share",
    "sandwich_slope", "sequence", "smallest_variance", "two_point", "weighted", "weighted_band",
    "weighted_best", "weighted_dkw", "weighted_mcdiarmid", "weighted_plug_in", "weighted_sandwich",
    "weighted_theorem_2",
]  # fmt: skip
__all__.extend(parts.guarantees())


def __getattr__(name: str) -> Any:
    homes = parts.guarantees()
    if name not in homes:
        raise AttributeError(f"module 'rocsolid.guarantees' has no attribute {name!r}")
    value = getattr(importlib.import_module(homes[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
