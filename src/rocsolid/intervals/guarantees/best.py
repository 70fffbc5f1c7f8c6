"""Which guarantee to use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from numpy.typing import ArrayLike

from rocsolid.intervals.guarantees.checks import check_value
from rocsolid.intervals.guarantees.cuts import MOST, cuts_of
from rocsolid.intervals.guarantees.hinge import hinge
from rocsolid.intervals.guarantees.matchings import check_scores, matchings_of
from rocsolid.results import Alternative, Interval
from rocsolid.summaries.board import Board
from rocsolid.summaries.sorted_classes import SortedClasses

NOTE = "cuts are usually shorter, but need the scores"
FEWEST = 20
"""Rows of the smaller class from which cuts are used: below, they are 1 to 7 % shorter than
matchings, but many small groups take long."""


def best(
    auc: float,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    scores: Sequence[ArrayLike] | None = None,
) -> Interval:
    """The interval by cuts or matchings where the scores are at hand, else that by the hinge.

    ``scores`` are those of the positives and those of the negatives. The class sizes alone choose
    between cuts and matchings (`of_sizes`): to pick the shorter interval after seeing the scores
    would void the guarantee.

    >>> print(best(1.0, 3, 2, scores=([3, 4, 5], [1, 2])))
    [0.1581, 1.0000] at 95 % (matchings)
    >>> print(best(0.8, 5000, 5000))
    [0.7865, 0.8130] at 95 % (hinge)
    >>> best(0.8, 200, 50_000).assumptions[-1]
    'cuts are usually shorter, but need the scores'
    """
    if scores is not None:
        classes = check_scores(scores, n_pos, n_neg, auc)
        return best_of(classes, auc, delta, alternative)
    plain = hinge(check_value(auc), n_pos, n_neg, delta, alternative)
    return replace(plain, assumptions=(*plain.assumptions, NOTE))


def best_of(
    classes: SortedClasses, auc: float, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Interval:
    """The same from sorted scores and their AUC."""
    if of_sizes(len(classes.pos), len(classes.neg)) == "cuts":
        return cuts_of(None, classes, delta, alternative)
    return matchings_of(Board.of(classes), classes, auc, delta, alternative)


def of_sizes(n_pos: int, n_neg: int) -> str:
    """The shortest interval that is quick enough for these class sizes.

    >>> of_sizes(19, 1000), of_sizes(20, 1000), of_sizes(50_000, 50_000)
    ('matchings', 'cuts', 'matchings')
    """
    return "cuts" if FEWEST <= min(n_pos, n_neg) <= MOST else "matchings"
