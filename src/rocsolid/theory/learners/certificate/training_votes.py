"""Training-set bounds for the AUC of votes of threshold rankers, as RankBoost fits them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.placements import Placements
from rocsolid.summaries.sorted_classes import SortedClasses
from rocsolid.theory.guarantees import (
    Linear,
    UserClass,
    uniform_blocks,
    uniform_margin,
    uniform_rank_shatter,
    vote_spread,
)
from rocsolid.theory.learners.certificate.training_linear import best_margin, of_uniform
from rocsolid.theory.learners.certificate.training_rows import (
    ROOTS,
    Bound,
    Made,
    TrainingRows,
    in_part,
)
from rocsolid.weights import step


def dictionary_size(features: int, rows: int) -> int:
    """Threshold rankers 1[x_f > θ] that differ on so many rows, at most.

    rows + 1 places for the threshold of each feature, and a missing value counts 0 or 1.

    >>> dictionary_size(2, 10)
    44
    """
    return 2 * features * (rows + 1)


def votes_of(features: int, n_rounds: int) -> UserClass:
    """All Σ α_t·h_t of T rankers out of the dictionary.

    A choice of T of |H| rankers, ln C(|H|, T) ≤ T·ln|H| of them, and for each the linear functions
    of T features.

    >>> round(votes_of(5, 2).log_sign_patterns(1000), 1)
    26.7
    """

    def choices(rows: int) -> float:
        size = dictionary_size(features, rows)
        rounds = min(n_rounds, size)
        return math.lgamma(size + 1) - math.lgamma(rounds + 1) - math.lgamma(size - rounds + 1)

    linear = Linear(n_rounds)
    return UserClass(
        rank_shatter=lambda m, n: choices(m + n) + linear.log_rank_shatter(m, n),
        sign_patterns=lambda pairs: choices(2 * pairs) + linear.log_sign_patterns(pairs),
        symmetric=True,
    )


def votes(scorer: Any, rows: TrainingRows) -> SortedClasses:
    """The sorted scores of a scorer with ``rankers_`` and ``alpha_``, which differ by 1 at most."""
    return SortedClasses(*(np.sort(_votes(scorer, part)) for part in (rows.pos, rows.neg)))


def vote_bounds(
    scorer: Any, rows: TrainingRows, classes: SortedClasses
) -> Iterator[tuple[str, Made | str]]:
    """Each bound by name, for ``n_rounds`` rounds at most."""
    scorers, sizes = votes_of(rows.features, int(scorer.n_rounds)), rows.sizes
    value = Placements.from_sorted(classes).auc
    yield (
        "rank-shatter",
        lambda d: of_uniform(uniform_rank_shatter(value, *sizes, scorers, d, "greater")),
    )
    yield "block-VC", lambda d: of_uniform(uniform_blocks(value, *sizes, scorers, d, "greater"))
    yield "Rademacher margin", lambda d: _margin(rows, classes, d)


def _votes(scorer: Any, features: NDArray[np.float64]) -> NDArray[np.float64]:
    """Σ α_t·h_t, divided by Σ|α_t|."""
    total = np.zeros(len(features))
    for ranker, alpha in zip(scorer.rankers_, scorer.alpha_, strict=True):
        total += alpha * ranker.values(features[:, ranker.feature])
    size = float(np.abs(scorer.alpha_).sum())
    return total / size if size else total


def _margin(rows: TrainingRows, classes: SortedClasses, delta: float) -> Bound:
    k = min(rows.sizes)
    spread = vote_spread(dictionary_size(rows.features, 2 * k))
    return best_margin(
        [
            uniform_margin(
                in_part(classes, step(0, 1), root), root, *rows.sizes, spread, delta / len(ROOTS)
            )
            for root in ROOTS
        ]
    )
