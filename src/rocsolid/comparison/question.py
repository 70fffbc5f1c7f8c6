"""What is asked of every pair of a comparison, checked before any work."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real

from rocsolid.binary.design import Design
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_margin_alone
from rocsolid.results import Alternative


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of each pair: whether a − b is ``null``, and an interval for it.

    ``span`` is what a − b can be whatever the data; ``resamples`` and ``seed`` are for the methods
    that draw.
    """

    null: float
    alternative: Alternative
    level: float
    seed: int
    span: tuple[float, float] = (-1.0, 1.0)
    resamples: int = 2000
    design: Design = None

    @property
    def equality(self) -> bool:
        """Whether it asks if a and b are equal, so that what differs falls into groups."""
        return self.null == 0.0 and self.alternative == "two-sided"


def null_and_side(
    null: float, margin: float | None, alternative: Alternative, reach: float
) -> tuple[float, Alternative]:
    """What a − b is tested against and on which side; a margin of non-inferiority sets both.

    ``reach`` is the largest difference that there can be.

    >>> null_and_side(0.0, 0.02, "two-sided", 1.0)
    (-0.02, 'greater')
    """
    between = f"strictly between {{:g}} and {reach:g}" if reach < math.inf else ""
    if margin is not None:
        if not (isinstance(margin, Real) and 0.0 < margin < reach):
            limits = f"lie {between.format(0.0)}" if between else "be positive"
            raise InputError(
                f"the margin of non-inferiority must {limits}",
                where="margin",
                value=margin,
                fix="give the loss that would not matter, such as margin=0.03",
            )
        check_margin_alone(null, alternative)
        return -float(margin), "greater"
    if not (isinstance(null, Real) and -reach < null < reach):
        limits = f"lie {between.format(-reach)}" if between else "be a finite number"
        raise InputError(f"the null must {limits}", where="null", value=null)
    return float(null), alternative
