"""Guarantees: how far the true AUC can be from the estimate, whatever the distribution."""

from rocsolid.intervals.guarantees.average_precision import average_precision
from rocsolid.intervals.guarantees.best import best
from rocsolid.intervals.guarantees.betting import betting
from rocsolid.intervals.guarantees.box_band import box_band
from rocsolid.intervals.guarantees.chebyshev import chebyshev
from rocsolid.intervals.guarantees.clustered import clustered
from rocsolid.intervals.guarantees.completed_curve import bedroc, precision_area
from rocsolid.intervals.guarantees.compression import compression
from rocsolid.intervals.guarantees.coverage import (
    COVERAGE_METHODS,
    Coverage,
    MethodCoverage,
    coverage,
)
from rocsolid.intervals.guarantees.curve_point import precision_at_recall
from rocsolid.intervals.guarantees.deviation import Deviation
from rocsolid.intervals.guarantees.difference import difference
from rocsolid.intervals.guarantees.difference_matchings import difference_matchings
from rocsolid.intervals.guarantees.difference_mcdiarmid import difference_mcdiarmid
from rocsolid.intervals.guarantees.difference_sequence import (
    DifferenceSequence,
    difference_sequence,
)
from rocsolid.intervals.guarantees.distances import (
    Measure,
    distance_kolmogorov,
    distance_total_variation,
    distance_wasserstein,
    tau,
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
from rocsolid.intervals.guarantees.gaussian_complexity import (
    GaussianComplexity,
    gaussian_finite,
    gaussian_given,
    gaussian_kernel,
    gaussian_linear,
    gaussian_monte_carlo,
    gaussian_radius,
)
from rocsolid.intervals.guarantees.hinge import hinge
from rocsolid.intervals.guarantees.hoeffding import hoeffding
from rocsolid.intervals.guarantees.kl import kl
from rocsolid.intervals.guarantees.linear_counts import (
    linear_orderings,
    linear_rank_matrices,
    linear_rank_matrices_with_ties,
)
from rocsolid.intervals.guarantees.lipschitz_functional import (
    LipschitzConstants,
    UniformFunctionalBound,
    lipschitz_functional,
    lipschitz_functional_uniform,
    probe_lipschitz,
)
from rocsolid.intervals.guarantees.margin import pair_spread, uniform_margin, vote_spread
from rocsolid.intervals.guarantees.matchings import matchings
from rocsolid.intervals.guarantees.mcdiarmid import mcdiarmid
from rocsolid.intervals.guarantees.normal import normal
from rocsolid.intervals.guarantees.pac_bayes import PacBayes, pac_bayes
from rocsolid.intervals.guarantees.psi import psi, psi_bounds, psi_strict
from rocsolid.intervals.guarantees.rank_matrix import (
    forbidden_submatrices,
    is_realisable,
    rank_matrix,
    scoring,
)
from rocsolid.intervals.guarantees.reuse import after_reuse
from rocsolid.intervals.guarantees.selection import finite_class, finite_class_tail, occam_kl
from rocsolid.intervals.guarantees.sequence import Sequence, sequence
from rocsolid.intervals.guarantees.shatter import (
    Finite,
    Linear,
    ScorerClass,
    UserClass,
    monomials,
    polynomial,
)
from rocsolid.intervals.guarantees.table import METHODS, deviation, interval
from rocsolid.intervals.guarantees.uniform import (
    UniformBound,
    rank_shatter_tail,
    uniform_blocks,
    uniform_freund,
    uniform_rank_shatter,
)
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
from rocsolid.intervals.guarantees.weighted_uniform import (
    WeightedUniformBound,
    weighted_corollary_4,
    weighted_theorem_3,
    weighted_uniform_curve,
)

__all__ = [
    "COVERAGE_METHODS", "METHODS", "Coverage", "Deviation", "DifferenceSequence", "Distribution",
    "Finite", "GaussianComplexity", "Linear", "LipschitzConstants", "Measure", "MethodCoverage",
    "PacBayes", "ScorerClass", "Sequence", "UniformBound", "UniformFunctionalBound", "UserClass",
    "WeightedUniformBound", "after_reuse", "average_precision", "bedroc", "best", "betting",
    "binormal", "box_band", "box_dkw", "chebyshev", "clustered", "compression", "coverage",
    "deviation", "difference", "difference_matchings", "difference_mcdiarmid",
    "difference_sequence", "distance_kolmogorov", "distance_total_variation",
    "distance_wasserstein", "dkw_mean", "dkw_radius", "dkw_tail", "e_value", "error_rate",
    "error_rate_variance", "exact_variance", "finite_class", "finite_class_tail",
    "forbidden_submatrices", "from_data", "gain_area", "gaussian_finite", "gaussian_given",
    "gaussian_kernel", "gaussian_linear", "gaussian_monte_carlo", "gaussian_radius", "hinge",
    "hoeffding", "interval", "is_realisable", "kl", "largest_variance", "lift_at_share",
    "linear_orderings", "linear_rank_matrices", "linear_rank_matrices_with_ties",
    "lipschitz_functional", "lipschitz_functional_uniform", "matchings", "mcdiarmid", "monomials",
    "normal", "occam_kl", "ordinal", "pac_bayes", "pair_chances", "pair_spread", "polynomial",
    "precision_area", "precision_at_recall", "precision_at_share", "probe_lipschitz", "psi",
    "psi_bounds", "psi_strict", "rank_matrix", "rank_shatter_tail", "recall_at_share",
    "sandwich_slope", "scoring", "sequence", "smallest_variance", "tau", "two_point",
    "uniform_blocks", "uniform_freund", "uniform_margin", "uniform_rank_shatter", "vote_spread",
    "weighted", "weighted_band", "weighted_best", "weighted_corollary_4", "weighted_dkw",
    "weighted_mcdiarmid", "weighted_plug_in", "weighted_sandwich", "weighted_theorem_2",
    "weighted_theorem_3", "weighted_uniform_curve",
]  # fmt: skip
