"""Which guarantee to use, decided by the class sizes alone."""

from __future__ import annotations

from dataclasses import replace

from numpy.typing import ArrayLike

from rocsolid.intervals.guarantees.betting import betting
from rocsolid.intervals.guarantees.checks import check_sizes, check_value
from rocsolid.intervals.guarantees.e_value import e_value
from rocsolid.intervals.guarantees.hinge import hinge
from rocsolid.intervals.guarantees.placements import check_placement_mean
from rocsolid.results import Alternative, Interval


def best_method(n_pos: int, n_neg: int) -> str:
    """The method that is usually shortest at these sizes.

    It looks at the sizes only: to pick the shortest interval after seeing the scores would void the
    guarantee.

    >>> best_method(500, 500), best_method(2000, 30_000), best_method(200, 50_000)
    ('hinge', 'e-value', 'betting')
    """
    m, n = check_sizes(n_pos, n_neg)
    smaller, larger = min(m, n), max(m, n)
    if larger >= 50 * smaller and smaller >= 100:
        return "betting"
    if larger >= 10 * smaller and smaller >= 1000:
        return "e-value"
    return "hinge"


def best(
    auc: float,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    placements: ArrayLike | None = None,
) -> Interval:
    """The interval by ``best_method``, under that method's own name.

    ``placements`` are those of the smaller class; without them, where they would be needed, it is
    the hinge interval, which holds as well, and says so among its assumptions.

    >>> print(best(0.8, 500, 500))
    [0.7559, 0.8394] at 95 % (hinge)
    >>> best(0.8, 200, 50_000).assumptions[-1]
    'betting is usually shorter at these sizes, but needs the placements'
    """
    method = best_method(n_pos, n_neg)
    if placements is not None:
        check_placement_mean(placements, n_pos, n_neg, auc)
    if method == "hinge":
        return hinge(auc, n_pos, n_neg, delta, alternative)
    if placements is None:
        plain = hinge(check_value(auc), n_pos, n_neg, delta, alternative)
        note = f"{method} is usually shorter at these sizes, but needs the placements"
        return replace(plain, assumptions=(*plain.assumptions, note))
    chosen = betting if method == "betting" else e_value
    return chosen(placements, n_pos, n_neg, delta, alternative)
