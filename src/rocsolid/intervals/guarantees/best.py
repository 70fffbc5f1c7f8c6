from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import ArrayLike

from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.guarantees.berry_esseen import (
    FEWEST_OF_DIFFERENCES,
    berry_esseen,
    berry_esseen_of,
)
from rocsolid.intervals.guarantees.betting import betting, e_value
from rocsolid.intervals.guarantees.checks import Deviation, check_value
from rocsolid.intervals.guarantees.cuts import MOST, cuts, cuts_of
from rocsolid.intervals.guarantees.difference_matchings import MOST as MOST_OF_DIFFERENCES
from rocsolid.intervals.guarantees.error_rate import error_rate, error_rate_deviation
from rocsolid.intervals.guarantees.hinge import hinge, hinge_deviation
from rocsolid.intervals.guarantees.hoeffding import (
    hoeffding,
    hoeffding_deviation,
    kl,
    kl_deviation,
    mcdiarmid,
    mcdiarmid_deviation,
)
from rocsolid.intervals.guarantees.matchings import check_scores, matchings, matchings_of
from rocsolid.intervals.guarantees.placements import check_placement_mean
from rocsolid.intervals.guarantees.variance import (
    chebyshev,
    chebyshev_deviation,
    normal,
    normal_deviation,
)
from rocsolid.results import Alternative
from rocsolid.results.interval import Interval
from rocsolid.summaries.binary_summary import Board
from rocsolid.summaries.placements import Placements, SortedClasses

NOTE = "cuts are usually shorter, but need the scores"
FEWEST = 20
"""Rows of the smaller class from which cuts are used: below, cuts are 1 to 7 % shorter than
matchings, but slow for many small groups."""


def best(
    auc: float,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    scores: Sequence[ArrayLike] | None = None,
) -> Interval:
    """Return the shortest general interval: from the scores, or without scores the hinge.

    The class sizes alone choose among cuts, matchings and the bounded normal approximation of
    `berry_esseen`, because a choice after seeing the scores would void the guarantee.

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


def best_of(classes: SortedClasses, auc: float, delta: float, alternative: Alternative) -> Interval:
    method = of_sizes(len(classes.pos), len(classes.neg))
    if method == "cuts":
        return cuts_of(None, classes, delta, alternative)
    matched = matchings_of(Board.of(classes), classes, auc, delta, alternative)
    if method == "matchings":
        return matched
    return berry_esseen_of(Placements.from_sorted(classes).moments, matched, delta, alternative)


def of_sizes(n_pos: int, n_neg: int) -> str:
    """Return the method that is shortest and fast enough for these class sizes.

    >>> of_sizes(19, 1000), of_sizes(20, 1000), of_sizes(50_000, 50_000)
    ('matchings', 'cuts', 'berry-esseen')
    """
    k = min(n_pos, n_neg)
    return "matchings" if k < FEWEST else "cuts" if k <= MOST else "berry-esseen"


def of_differences(n_pos: int, n_neg: int) -> str:
    """Return the method for the difference of two AUCs of the same rows of equal weight.

    >>> of_differences(99_999, 10**6), of_differences(99_999, 10**7), of_differences(10**5, 10**5)
    ('difference-matchings', 'trinomial', 'berry-esseen')
    """
    if min(n_pos, n_neg) >= FEWEST_OF_DIFFERENCES:
        return "berry-esseen"
    return "difference-matchings" if n_pos + n_neg <= MOST_OF_DIFFERENCES else "trinomial"


_FROM_AUC: Mapping[str, Callable[..., Interval]] = {
    "mcdiarmid": mcdiarmid,
    "chebyshev": chebyshev,
    "normal": normal,
    "hoeffding-blocks": hoeffding,
    "kl": kl,
    "hinge": hinge,
    "error-rate": error_rate,
    "best": best,
}
_FROM_SCORES: Mapping[str, Callable[..., Interval]] = {"cuts": cuts, "matchings": matchings}
_FROM_PLACEMENTS: Mapping[str, Callable[..., Interval]] = {"e-value": e_value, "betting": betting}
_FROM_VARIANCES: Mapping[str, Callable[..., Interval]] = {"berry-esseen": berry_esseen}
_EXTRAS = {
    "chebyshev": {"variance", "p1", "p2", "p_tie"},
    "normal": {"variance", "p1", "p2", "p_tie"},
    **{method: {"scores"} for method in ("best", *_FROM_SCORES)},
    **{method: {"placements"} for method in _FROM_PLACEMENTS},
    **{method: {"variances"} for method in _FROM_VARIANCES},
}
_PLACED = ("placements", "the share of the larger class that each row of the smaller beats")
_SCORED = ("scores", "a list for the positives and a list for the negatives")
_VARIED = ("variances", "the sample variance of the placements of each class")
_NEEDED = {
    **dict.fromkeys(_FROM_SCORES, _SCORED),
    **dict.fromkeys(_FROM_PLACEMENTS, _PLACED),
    **dict.fromkeys(_FROM_VARIANCES, _VARIED),
}
_DEVIATIONS: Mapping[str, Callable[..., Deviation]] = {
    "mcdiarmid": mcdiarmid_deviation,
    "chebyshev": chebyshev_deviation,
    "normal": normal_deviation,
    "hoeffding-blocks": hoeffding_deviation,
    "kl": kl_deviation,
    "hinge": hinge_deviation,
    "error-rate": error_rate_deviation,
    "best": hinge_deviation,  # the choice among methods that need no placements
}
METHODS = (*_FROM_AUC, *_FROM_SCORES, *_FROM_PLACEMENTS, *_FROM_VARIANCES)
_SHORT = {"hoeffding": "hoeffding-blocks"}


def interval(
    method: str,
    auc: float,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    **facts: Any,
) -> Interval:
    """Return the interval of a named method for an AUC (for an error rate with "error-rate").

    Further facts are keywords: ``variance``, ``p1``, ``p2`` and ``p_tie`` for "chebyshev" and
    "normal"; ``placements``, which "e-value" and "betting" require; ``variances``, which
    "berry-esseen" requires; ``scores``, of the positives and of the negatives, which "cuts" and
    "matchings" require and "best" accepts.

    >>> print(interval("mcdiarmid", 0.8, 100, 400))
    [0.6482, 0.9518] at 95 % (mcdiarmid)
    >>> print(interval("chebyshev", 0.8, 100, 400, variance=0.0005))
    [0.7000, 0.9000] at 95 % (chebyshev)
    """
    method = canonical(method)
    unused = sorted(set(facts) - _EXTRAS.get(method, set()))
    if unused:
        raise InputError(
            f"{method} does not use {unused[0]}",
            where="interval",
            value=facts[unused[0]],
            fix=f"leave {unused[0]} out",
        )
    if method in _FROM_AUC:
        return _FROM_AUC[method](auc, n_pos, n_neg, delta, alternative, **facts)
    fact, words = _NEEDED[method]
    given = facts.get(fact)
    if given is None:
        raise UnsoundError(
            f"{method} needs more than the AUC and the class sizes",
            where="interval",
            value=auc,
            fix=f"give {fact}=, {words}, or use 'hinge'",
        )
    if method in _FROM_SCORES:
        classes = check_scores(given, n_pos, n_neg, auc)
        return _FROM_SCORES[method](classes.pos, classes.neg, delta, alternative)
    if method in _FROM_VARIANCES:
        return _FROM_VARIANCES[method](auc, n_pos, n_neg, delta, alternative, variances=given)
    check_placement_mean(given, n_pos, n_neg, auc)
    return _FROM_PLACEMENTS[method](given, n_pos, n_neg, delta, alternative)


def deviation(
    method: str, n_pos: int, n_neg: int, delta: float = 0.05, auc: float | None = None
) -> Deviation:
    """Return ε with P(|Â−A| > ε) ≤ δ, for a given AUC, or by default the largest over all AUCs.

    >>> print(deviation("hinge", 100, 100), deviation("hinge", 100, 100, auc=0.95))
    ±0.1171 at 95 % (hinge) ±0.0684 at 95 % (hinge)
    """
    method = canonical(method)
    if method not in _DEVIATIONS:
        raise UnsoundError(
            f"{method} has no deviation: its width depends on the scores",
            where="deviation",
            value=method,
            fix="use interval(...) with placements or scores, or use method='hinge'",
        )
    return _DEVIATIONS[method](n_pos, n_neg, delta, auc)


def canonical(method: str) -> str:
    """Return the full name of a method; "hoeffding" is an accepted short form.

    >>> canonical("hoeffding")
    'hoeffding-blocks'
    """
    method = _SHORT.get(method, method)
    if method not in METHODS:
        near = difflib.get_close_matches(str(method), METHODS, n=1, cutoff=0.3)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise InputError(
            "unknown method", value=method, fix=f"{hint}choose one of {', '.join(METHODS)}"
        )
    return method
