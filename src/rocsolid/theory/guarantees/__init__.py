"""Bounds that hold for every scorer of a class at once, with the counts and norms they use.

The class F of scorers is fixed before the data; the bounds also hold for the scorer chosen or
trained on these rows. Notation: m positives, n negatives, k = min(m, n), AUC Â on the rows, true
AUC A, error probability δ. By default, rows are independent and rows of one class have the same
distribution.
"""

from rocsolid.intervals.guarantees.dkw import dkw_mean, dkw_radius, dkw_tail
from rocsolid.intervals.guarantees.error_rate import (
    empirical_error,
    error_rate_tail,
    error_rate_variance,
)
from rocsolid.intervals.guarantees.hoeffding import mcdiarmid_tail
from rocsolid.intervals.guarantees.variance import (
    bounded_variance,
    chebyshev_tail,
    exact_variance,
    largest_variance,
    normal_tail,
    pair_chances,
    smallest_variance,
)
from rocsolid.public_names import install_lookup
from rocsolid.theory.guarantees.distances import (
    LipschitzConstants,
    Measure,
    distance_kolmogorov,
    distance_total_variation,
    distance_wasserstein,
    lipschitz_functional,
    lipschitz_functional_uniform,
    probe_lipschitz,
    tau,
)
from rocsolid.theory.guarantees.gaussian_complexity import (
    gaussian_finite,
    gaussian_given,
    gaussian_kernel,
    gaussian_linear,
    gaussian_monte_carlo,
    gaussian_radius,
)
from rocsolid.theory.guarantees.networks import (
    gaussian_network,
    network_spread,
    networks,
    path_norm,
    semialgebraic,
)
from rocsolid.theory.guarantees.pac_bayes import out_of_bag, pac_bayes
from rocsolid.theory.guarantees.psi import (
    linear_orderings,
    linear_rank_matrices,
    linear_rank_matrices_with_ties,
    psi,
    psi_bounds,
    psi_strict,
)
from rocsolid.theory.guarantees.rank_matrix import (
    forbidden_submatrices,
    is_realisable,
    rank_matrix,
    scoring,
)
from rocsolid.theory.guarantees.shatter import (
    Finite,
    Linear,
    ScorerClass,
    UserClass,
    monomials,
    polynomial,
)
from rocsolid.theory.guarantees.trees import tree_spread, tree_sums
from rocsolid.theory.guarantees.uniform import (
    finite_class,
    finite_class_tail,
    occam_kl,
    pair_spread,
    rank_shatter_tail,
    uniform_blocks,
    uniform_freund,
    uniform_margin,
    uniform_rank_shatter,
    vote_spread,
)
from rocsolid.theory.guarantees.weighted_uniform import (
    compression,
    weighted_corollary_4,
    weighted_theorem_3,
    weighted_uniform_curve,
)

__all__ = [
    "Finite", "Linear", "LipschitzConstants", "Measure", "ScorerClass", "UserClass",
    "bounded_variance", "chebyshev_tail", "compression", "distance_kolmogorov",
    "distance_total_variation", "distance_wasserstein", "dkw_mean", "dkw_radius", "dkw_tail",
    "empirical_error", "error_rate_tail", "error_rate_variance", "exact_variance", "finite_class",
    "finite_class_tail", "forbidden_submatrices", "gaussian_finite", "gaussian_given",
    "gaussian_kernel", "gaussian_linear", "gaussian_monte_carlo", "gaussian_network",
    "gaussian_radius", "is_realisable", "largest_variance", "linear_orderings",
    "linear_rank_matrices", "linear_rank_matrices_with_ties", "lipschitz_functional",
    "lipschitz_functional_uniform", "mcdiarmid_tail", "monomials", "network_spread", "networks",
    "normal_tail", "occam_kl", "out_of_bag", "pac_bayes", "pair_chances", "pair_spread",
    "path_norm", "polynomial", "probe_lipschitz", "psi", "psi_bounds", "psi_strict", "rank_matrix",
    "rank_shatter_tail", "scoring", "semialgebraic", "smallest_variance", "tau", "tree_spread",
    "tree_sums", "uniform_blocks", "uniform_freund", "uniform_margin", "uniform_rank_shatter",
    "vote_spread", "weighted_corollary_4", "weighted_theorem_3", "weighted_uniform_curve",
]  # fmt: skip
install_lookup(__name__)
