"""Conventions that measures share: how a cut-off is written, and which gains are mixed up."""

from __future__ import annotations

from rocsolid.discounts import Cutoff
from rocsolid.gains import Gain, exp2, linear


def cutoff_in_name(cutoff: Cutoff) -> str:
    """What follows a measure's name.

    >>> cutoff_in_name(Cutoff(10)), cutoff_in_name(Cutoff())
    ('@10', '')
    """
    return f"@{cutoff.name}" if cutoff.name else ""


def rival_of(gain: Gain) -> Gain | None:
    """The gain that goes by the same name of a measure elsewhere, and differs from grade 2 on.

    >>> rival_of(linear()).name, rival_of(exp2()).name
    ('exp2', 'linear')
    """
    return exp2() if gain == linear() else linear() if gain == exp2() else None
