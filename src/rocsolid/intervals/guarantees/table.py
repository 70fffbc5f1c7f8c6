"""Methods by name: one function each for an interval, and one for a deviation."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import Any

from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.guarantees.best import best
from rocsolid.intervals.guarantees.betting import betting
from rocsolid.intervals.guarantees.chebyshev import chebyshev, chebyshev_deviation
from rocsolid.intervals.guarantees.cuts import cuts
from rocsolid.intervals.guarantees.deviation import Deviation
from rocsolid.intervals.guarantees.e_value import e_value
from rocsolid.intervals.guarantees.error_rate import error_rate, error_rate_deviation
from rocsolid.intervals.guarantees.hinge import hinge, hinge_deviation
from rocsolid.intervals.guarantees.hoeffding import hoeffding, hoeffding_deviation
from rocsolid.intervals.guarantees.kl import kl, kl_deviation
from rocsolid.intervals.guarantees.matchings import check_scores, matchings
from rocsolid.intervals.guarantees.mcdiarmid import mcdiarmid, mcdiarmid_deviation
from rocsolid.intervals.guarantees.normal import normal, normal_deviation
from rocsolid.intervals.guarantees.placements import check_placement_mean
from rocsolid.results import Alternative, Interval

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
_EXTRAS = {
    "chebyshev": {"variance", "p1", "p2", "p_tie"},
    "normal": {"variance", "p1", "p2", "p_tie"},
    "best": {"scores"},
    "cuts": {"scores"},
    "matchings": {"scores"},
    "e-value": {"placements"},
    "betting": {"placements"},
}
_PLACED = ("placements", "the share of the larger class that each row of the smaller beats")
_SCORED = ("scores", "those of the positives and those of the negatives")
_NEEDED = {**dict.fromkeys(_FROM_SCORES, _SCORED), **dict.fromkeys(_FROM_PLACEMENTS, _PLACED)}
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
METHODS = (*_FROM_AUC, *_FROM_SCORES, *_FROM_PLACEMENTS)
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
    """The interval of a method for an AUC (for "error-rate": for an error rate).

    Further facts go by keyword: ``variance``, ``p1``, ``p2``, ``p_tie`` for "chebyshev" and
    "normal"; ``placements`` for "e-value" and "betting", which need them; ``scores``, of the
    positives and of the negatives, for "cuts" and "matchings", which need them, and for "best".

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
            f"{method} cannot be had from the AUC and the class sizes alone",
            where="interval",
            value=auc,
            fix=f"give {fact}=, {words}, or ask for 'hinge'",
        )
    if method in _FROM_SCORES:
        classes = check_scores(given, n_pos, n_neg, auc)
        return _FROM_SCORES[method](classes.pos, classes.neg, delta, alternative)
    check_placement_mean(given, n_pos, n_neg, auc)
    return _FROM_PLACEMENTS[method](given, n_pos, n_neg, delta, alternative)


def deviation(
    method: str, n_pos: int, n_neg: int, delta: float = 0.05, auc: float | None = None
) -> Deviation:
    """ε with P(|Â−A| > ε) ≤ δ before any score is seen, or for a given AUC.

    Where ε depends on the AUC and none is given, it is the largest over all AUCs.

    >>> print(deviation("hinge", 100, 100), deviation("hinge", 100, 100, auc=0.95))
    ±0.1171 at 95 % (hinge) ±0.0684 at 95 % (hinge)
    """
    method = canonical(method)
    if method not in _DEVIATIONS:
        raise UnsoundError(
            f"{method} has no deviation: its width depends on the scores",
            where="deviation",
            value=method,
            fix="ask for interval(...) with placements or scores, or for the deviation of 'hinge'",
        )
    return _DEVIATIONS[method](n_pos, n_neg, delta, auc)


def canonical(method: str) -> str:
    """The full name of a method, refused if there is none; "hoeffding" is short for its blocks.

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
