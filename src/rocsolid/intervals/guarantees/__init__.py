"""Guarantees: how far the true AUC can be from the estimate, whatever the distribution."""

from rocsolid.intervals.guarantees.best import best, best_method
from rocsolid.intervals.guarantees.betting import betting
from rocsolid.intervals.guarantees.chebyshev import chebyshev
from rocsolid.intervals.guarantees.clustered import clustered
from rocsolid.intervals.guarantees.compression import compression
from rocsolid.intervals.guarantees.coverage import (
    COVERAGE_METHODS,
    Coverage,
    MethodCoverage,
    coverage,
)
from rocsolid.intervals.guarantees.deviation import Deviation
from rocsolid.intervals.guarantees.distributions import (
    Distribution,
    binormal,
    from_data,
    ordinal,
    two_point,
)
from rocsolid.intervals.guarantees.e_value import e_value
from rocsolid.intervals.guarantees.error_rate import error_rate, error_rate_variance
from rocsolid.intervals.guarantees.hinge import hinge
from rocsolid.intervals.guarantees.hoeffding import hoeffding
from rocsolid.intervals.guarantees.kl import kl
from rocsolid.intervals.guarantees.linear_counts import (
    linear_orderings,
    linear_rank_matrices,
    linear_rank_matrices_with_ties,
)
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
from rocsolid.intervals.guarantees.selection import finite_class, finite_class_tail, occam_kl
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
    smallest_variance,
)
from rocsolid.intervals.guarantees.weighted import weighted

__all__ = [
    "COVERAGE_METHODS",
    "METHODS",
    "Coverage",
    "Deviation",
    "Distribution",
    "Finite",
    "Linear",
    "MethodCoverage",
    "PacBayes",
    "ScorerClass",
    "UniformBound",
    "UserClass",
    "best",
    "best_method",
    "betting",
    "binormal",
    "chebyshev",
    "clustered",
    "compression",
    "coverage",
    "deviation",
    "e_value",
    "error_rate",
    "error_rate_variance",
    "exact_variance",
    "finite_class",
    "finite_class_tail",
    "forbidden_submatrices",
    "from_data",
    "hinge",
    "hoeffding",
    "interval",
    "is_realisable",
    "kl",
    "largest_variance",
    "linear_orderings",
    "linear_rank_matrices",
    "linear_rank_matrices_with_ties",
    "mcdiarmid",
    "monomials",
    "normal",
    "occam_kl",
    "ordinal",
    "pac_bayes",
    "polynomial",
    "psi",
    "psi_bounds",
    "psi_strict",
    "rank_matrix",
    "rank_shatter_tail",
    "scoring",
    "smallest_variance",
    "two_point",
    "uniform_blocks",
    "uniform_freund",
    "uniform_rank_shatter",
    "weighted",
]
