"""Guarantees: how far the true AUC can be from the estimate, whatever the distribution.

Those that hold over classes of scorers are in `rocsolid.theory.guarantees`.
"""

from rocsolid.intervals.guarantees.average_precision import average_precision
from rocsolid.intervals.guarantees.best import best
from rocsolid.intervals.guarantees.betting import betting
from rocsolid.intervals.guarantees.box_band import box_band
from rocsolid.intervals.guarantees.chebyshev import chebyshev
from rocsolid.intervals.guarantees.clustered import clustered
from rocsolid.intervals.guarantees.completed_curve import bedroc, precision_area
from rocsolid.intervals.guarantees.coverage import coverage
from rocsolid.intervals.guarantees.curve_point import precision_at_recall
from rocsolid.intervals.guarantees.cuts import cuts
from rocsolid.intervals.guarantees.difference import difference
from rocsolid.intervals.guarantees.difference_matchings import difference_matchings
from rocsolid.intervals.guarantees.difference_mcdiarmid import difference_mcdiarmid
from rocsolid.intervals.guarantees.difference_sequence import difference_sequence
from rocsolid.intervals.guarantees.distributions import binormal, from_data, ordinal, two_point
from rocsolid.intervals.guarantees.e_value import e_value
from rocsolid.intervals.guarantees.error_rate import error_rate
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
from rocsolid.intervals.guarantees.sequence import sequence
from rocsolid.intervals.guarantees.table import deviation, interval
from rocsolid.intervals.guarantees.weighted import weighted
from rocsolid.intervals.guarantees.weighted_band import weighted_band
from rocsolid.intervals.guarantees.weighted_best import weighted_best
from rocsolid.intervals.guarantees.weighted_dkw import weighted_dkw
from rocsolid.intervals.guarantees.weighted_mcdiarmid import weighted_mcdiarmid
from rocsolid.intervals.guarantees.weighted_plug_in import weighted_plug_in
from rocsolid.intervals.guarantees.weighted_sandwich import weighted_sandwich
from rocsolid.intervals.guarantees.weighted_theorem_2 import weighted_theorem_2
from rocsolid.public_names import install_lookup

__all__ = [
    "after_reuse", "average_precision", "bedroc", "best", "betting", "binormal", "box_band",
    "chebyshev", "clustered", "coverage", "cuts", "deviation", "difference", "difference_matchings",
    "difference_mcdiarmid", "difference_sequence", "e_value", "error_rate", "from_data",
    "gain_area", "hinge", "hoeffding", "interval", "kl", "lift_at_share", "matchings", "mcdiarmid",
    "normal", "ordinal", "precision_area", "precision_at_recall", "precision_at_share",
    "recall_at_share", "sequence", "two_point", "weighted", "weighted_band", "weighted_best",
    "weighted_dkw", "weighted_mcdiarmid", "weighted_plug_in", "weighted_sandwich",
    "weighted_theorem_2",
]  # fmt: skip
install_lookup(__name__)
