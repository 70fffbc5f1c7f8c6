"""Where the share of positives comes from, which values such as precision depend on."""

from __future__ import annotations

from typing import Literal

from rocsolid.arguments import is_number
from rocsolid.errors import InputError
from rocsolid.intervals.clopper_pearson import clopper_pearson

Prevalence = float | Literal["rows", "classes"]
"""``"rows"``: rows were sampled as they come, so that the share of positives of the population is
unknown and takes a part of the error. ``"classes"``: so many rows of each class were taken, and the
value is that at their shares. A number: so many rows of each class were taken, or as they came, and
the value is that at this share of positives, which is known."""

COHORT = "positives and negatives sampled together, as they come"
_HOW = 'give "rows", "classes" or a share of positives between 0 and 1'


def prevalence_limits(
    prevalence: Prevalence, n_pos: int, n_neg: int, share: float
) -> tuple[float, float]:
    """Limits for the share of positives, each wrong with a chance of at most ``share``.

    >>> prevalence_limits("classes", 10, 30, 0.025), prevalence_limits(0.1, 10, 30, 0.025)
    ((0.25, 0.25), (0.1, 0.1))
    >>> low, high = prevalence_limits("rows", 10, 30, 0.025)
    >>> round(low, 4), round(high, 4)
    (0.1269, 0.412)
    """
    if prevalence == "rows":
        low, high = clopper_pearson(n_pos, n_pos + n_neg, share)
        return float(low), float(high)
    known = n_pos / (n_pos + n_neg) if prevalence == "classes" else prevalence
    if not (is_number(known) and 0.0 < known < 1.0):
        raise InputError("not a prevalence", where="prevalence", value=prevalence, fix=_HOW)
    return float(known), float(known)


def share_of_each(tail: float, prevalence: Prevalence, others: int) -> float:
    """The error of each limit that one side of an interval rests on: ``others``, and prevalence's.

    >>> share_of_each(0.03, "classes", 2), share_of_each(0.03, "rows", 2)
    (0.015, 0.01)
    """
    return tail / (others + (prevalence == "rows"))


def stated(prevalence: Prevalence) -> str:
    """The assumption, in words.

    >>> stated("classes"), stated(0.02)
    ('prevalence as in these rows', 'prevalence 0.02 known')
    """
    if prevalence == "rows":
        return COHORT
    return (
        "prevalence as in these rows"
        if prevalence == "classes"
        else (f"prevalence {prevalence:g} known")
    )
