"""Certified intervals: limits for the true value that hold for every distribution.

Each function returns an `Interval` that fails with probability at most ``delta`` (δ) under its
listed assumptions. Notation: m positives, n negatives, k = min(m, n); Â is the AUC of the rows, A
the true AUC, φ the comparison of a positive with a negative (1, ½ at a tie, 0). Unless a function
says otherwise, each of two limits uses δ/2, a limit that ``alternative`` selects uses δ, rows are
independent, rows of one class have one distribution, and the scorer was fixed before the data.

Bounds that hold for classes of scorers are in `rocsolid.theory.guarantees`.
"""

from rocsolid.intervals.guarantees.band import box_band, weighted_band
from rocsolid.intervals.guarantees.berry_esseen import berry_esseen, difference_berry_esseen
from rocsolid.intervals.guarantees.best import best, deviation, interval
from rocsolid.intervals.guarantees.betting import betting, e_value
from rocsolid.intervals.guarantees.clustered import clustered, weighted
from rocsolid.intervals.guarantees.completed_curve import average_precision, bedroc, precision_area
from rocsolid.intervals.guarantees.coverage import binormal, coverage, from_data, ordinal, two_point
from rocsolid.intervals.guarantees.curve_point import (
    lift_at_share,
    precision_at_recall,
    precision_at_share,
    recall_at_share,
)
from rocsolid.intervals.guarantees.cuts import cuts
from rocsolid.intervals.guarantees.difference import difference, difference_mcdiarmid
from rocsolid.intervals.guarantees.difference_matchings import difference_matchings
from rocsolid.intervals.guarantees.difference_sequence import difference_sequence
from rocsolid.intervals.guarantees.error_rate import error_rate
from rocsolid.intervals.guarantees.hinge import hinge
from rocsolid.intervals.guarantees.hoeffding import hoeffding, kl, mcdiarmid
from rocsolid.intervals.guarantees.matchings import matchings
from rocsolid.intervals.guarantees.reuse import after_reuse
from rocsolid.intervals.guarantees.rooks import weighted_rooks
from rocsolid.intervals.guarantees.sequence import sequence
from rocsolid.intervals.guarantees.top_negatives import weighted_top
from rocsolid.intervals.guarantees.variance import chebyshev, normal
from rocsolid.intervals.guarantees.weighted_area import (
    weighted_mcdiarmid,
    weighted_plug_in,
    weighted_sandwich,
    weighted_theorem_2,
)
from rocsolid.intervals.guarantees.weighted_best import gain_area, weighted_best, weighted_dkw
from rocsolid.public_names import install_lookup

__all__ = [
    "after_reuse", "average_precision", "bedroc", "berry_esseen", "best", "betting", "binormal",
    "box_band", "chebyshev", "clustered", "coverage", "cuts", "deviation", "difference",
    "difference_berry_esseen", "difference_matchings",
    "difference_mcdiarmid", "difference_sequence", "e_value", "error_rate", "from_data",
    "gain_area", "hinge", "hoeffding", "interval", "kl", "lift_at_share", "matchings", "mcdiarmid",
    "normal", "ordinal", "precision_area", "precision_at_recall", "precision_at_share",
    "recall_at_share", "sequence", "two_point", "weighted", "weighted_band", "weighted_best",
    "weighted_dkw", "weighted_mcdiarmid", "weighted_plug_in", "weighted_rooks", "weighted_sandwich",
    "weighted_theorem_2", "weighted_top",
]  # fmt: skip
install_lookup(__name__)
