"""Which guarantee to use, decided by the class sizes alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from numpy.typing import ArrayLike

from rocsolid.intervals.guarantees.checks import check_sizes, check_value
from rocsolid.intervals.guarantees.e_value import e_value
from rocsolid.intervals.guarantees.hinge import hinge
from rocsolid.intervals.guarantees.matchings import check_scores, matchings_of
from rocsolid.results import Alternative, Interval
from rocsolid.summaries.board import MOST, Board
from rocsolid.summaries.sorted_classes import SortedClasses

RATIO = 5
"""Of the class sizes, from which on the e-value was shorter for all scores but two-valued ones."""


def best_method(n_pos: int, n_neg: int) -> str:
    """The method that is usually shortest at these sizes.

    It looks at the sizes only: to pick the shortest interval after seeing the scores would void the
    guarantee. Matchings are for up to 2,048 rows of the smaller class, as their work grows with the
    square of that. Beyond, the hinge is taken, or where one class is at least five times the other
    the e-value: with 3,000 rows of the smaller class and that ratio it was .66 to .96 of the hinge
    for normal, exponential and graded scores (1.40 for two-valued ones), and betting 1.1 to 2.1.

    >>> best_method(500, 500), best_method(2500, 30_000), best_method(5000, 8000)
    ('matchings', 'e-value', 'hinge')
    """
    m, n = check_sizes(n_pos, n_neg)
    smaller, larger = min(m, n), max(m, n)
    if smaller <= MOST:
        return "matchings"
    return "e-value" if larger >= RATIO * smaller else "hinge"


def best(
    auc: float,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    scores: Sequence[ArrayLike] | None = None,
) -> Interval:
    """The interval by ``best_method``, under that method's own name.

    ``scores`` are those of the positives and those of the negatives; without them, where they would
    be needed, it is the hinge interval, which holds as well, and says so among its assumptions.

    >>> print(best(1.0, 3, 2, scores=([3, 4, 5], [1, 2])))
    [0.1581, 1.0000] at 95 % (matchings)
    >>> print(best(0.8, 5000, 5000))
    [0.7865, 0.8130] at 95 % (hinge)
    >>> best(0.8, 200, 50_000).assumptions[-1]
    'matchings is usually shorter at these sizes, but needs the scores'
    """
    method = best_method(n_pos, n_neg)
    if scores is not None:
        classes = check_scores(scores, n_pos, n_neg, auc)
        return best_of(classes, auc, delta, alternative)
    plain = hinge(check_value(auc), n_pos, n_neg, delta, alternative)
    if method == "hinge":
        return plain
    note = f"{method} is usually shorter at these sizes, but needs the scores"
    return replace(plain, assumptions=(*plain.assumptions, note))


def best_of(
    classes: SortedClasses, auc: float, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Interval:
    """The same from sorted scores and their AUC."""
    m, n = len(classes.pos), len(classes.neg)
    method = best_method(m, n)
    if method == "matchings":
        return matchings_of(Board.of(classes), m, n, delta, alternative)
    if method == "e-value":
        return e_value(classes.smaller_placements(), m, n, delta, alternative)
    return hinge(auc, m, n, delta, alternative)
