"""What is asked of every pair of systems, checked before any work."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real

from rocsolid.checks import whole
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_alternative, check_margin_alone
from rocsolid.results import Alternative


@dataclass(frozen=True, slots=True)
class QueryQuestion:
    """Whether a − b is ``null``, and intervals for it; ``span`` is what a − b can be.

    ``resamples`` and ``seed`` are for the methods that draw.
    """

    null: float
    alternative: Alternative
    level: float
    resamples: int
    seed: int
    span: tuple[float, float]


def asked(
    *,
    null: float = 0.0,
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    span: float = math.inf,
) -> QueryQuestion:
    """The question of a comparison; a margin of non-inferiority sets null and side.

    ``span`` is the largest difference that there can be.

    >>> question = asked(margin=0.02)
    >>> question.null, question.alternative
    (-0.02, 'greater')
    """
    if not (isinstance(level, Real) and 0.5 <= level < 1.0):
        raise InputError(
            "level must lie in [0.5, 1)",
            where="level",
            value=level,
            fix="give a share: 0.95 means 95 %",
        )
    check_alternative(alternative)
    if not (isinstance(null, Real) and math.isfinite(null)):
        raise InputError("the null must be a finite number", where="null", value=null)
    whole(resamples, "resamples", 99)
    if margin is None:
        return QueryQuestion(float(null), alternative, level, resamples, seed, (-span, span))
    if not (isinstance(margin, Real) and 0.0 < margin < span):
        limits = "be positive" if span == math.inf else f"lie strictly between 0 and {span:g}"
        raise InputError(
            f"the margin of non-inferiority must {limits}",
            where="margin",
            value=margin,
            fix="give the loss that would not matter, such as margin=0.01",
        )
    check_margin_alone(null, alternative)
    return QueryQuestion(-float(margin), "greater", level, resamples, seed, (-span, span))
