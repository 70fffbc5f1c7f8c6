"""The chances in the variance of the AUC, counted on data: p₁, p₂ and how often a pair ties."""

from __future__ import annotations

from numpy.typing import ArrayLike

from rocsolid.intervals.guarantees.weighted_band import classes_of
from rocsolid.summaries.placements import Placements


def pair_chances(pos_scores: ArrayLike, neg_scores: ArrayLike) -> dict[str, float]:
    """(8) and (9) of Agarwal et al. 2005, counted: what `exact_variance` needs besides the AUC.

    ``p1`` is the mean of φφ′ over two positives and one negative, ``p2`` over one positive and two
    negatives, a tie counting one half in φ, and ``p_tie`` the share of tied pairs. All pairs of
    positives count, a positive with itself as well: so p₁ and p₂ are never below Â², and the
    variance is never negative. They are estimates: an interval built on them is no guarantee.

    >>> pos, neg = [0.4, 0.6, 0.7, 0.7], [0.1, 0.3, 0.4, 0.5]
    >>> chances = pair_chances(pos, neg)
    >>> chances["p1"], chances["p2"], chances["p_tie"]
    (0.83203125, 0.84765625, 0.0625)
    >>> from rocsolid.intervals.guarantees.normal import normal
    >>> print(normal(0.90625, 4, 4, **chances))
    [0.6980, 1.0000] at 95 % (normal)
    """
    counted = Placements.from_sorted(classes_of(pos_scores, neg_scores))
    m, n = counted.n_pos, counted.n_neg
    return {
        "p1": counted.neg_squares / (4 * m * m * n),
        "p2": counted.pos_squares / (4 * n * n * m),
        "p_tie": counted.tied_pairs / (m * n),
    }
