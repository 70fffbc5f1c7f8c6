"""What an answer is, in words: the number of its own file, or of an earlier one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rocsolid.leaks.release import (
    Binned,
    BootstrappedLadder,
    Defence,
    Exact,
    Ladder,
    ParameterFreeLadder,
    Rounded,
    ShakyLadder,
    Told,
)

_START = Fraction(1, 2)  # what every Ladder answers until something improves on it


def before(told: Sequence[Told], number: int) -> Fraction | None:
    """The answer that the same team heard before this one."""
    team = told[number - 1].account
    return next((one.value for one in reversed(told[: number - 1]) if one.account == team), None)


def improved(defence: Defence, last: Fraction | None, value: Fraction) -> bool | None:
    """Whether the file improved on the team's answer before; `None` where each has its own number.

    >>> rule, best = Ladder("0.05"), Fraction("0.75")
    >>> improved(rule, None, best), improved(rule, best, best), improved(Exact(), best, best)
    (True, False, None)
    """
    if _over(defence) is None:
        return None
    return value != (_START if last is None else last)


def meaning(defence: Defence, last: Fraction | None, value: Fraction) -> str:
    """What the answer is: the file's own number, or that of an earlier file.

    >>> meaning(Ladder("0.05"), Fraction("0.75"), Fraction("0.75"))
    'no improvement of 0.05 over your best, 0.75'
    >>> meaning(Rounded(2), None, Fraction("0.75"))
    'the AUC of this file, rounded to 2 decimals'
    """
    over = _over(defence)
    if over is None:
        return f"the AUC of this file{_own(defence)}"
    if improved(defence, last, value):
        return f"an improvement{_own(defence)}"
    if last is None:
        return f"no improvement{over} over 0.5, where every team starts"
    return f"no improvement{over} over your best, {float(last):.6g}"


def rule(defence: Defence) -> str:
    """How the board answers, for those who submit.

    >>> rule(Ladder("0.05"))
    'You hear of an improvement of 0.05 over your best so far, or over 0.5 at first. Any other file,
    a worse one too, gets the number of your best again, and the answer says so.'
    """
    over = _over(defence)
    if over is None:
        return f"The answer is the AUC of the file{_own(defence)}."
    return (
        f"You hear of an improvement{over} over your best so far, or over 0.5 at first. Any other "
        "file, a worse one too, gets the number of your best again, and the answer says so."
    )


def _over(defence: Defence) -> str | None:
    """By how much a file must improve to be heard of; `None` where each is answered by itself."""
    if isinstance(defence, Ladder):
        return f" of {float(defence.step):.6g}"
    if isinstance(defence, ShakyLadder):
        return f" of about {float(defence.step):.6g}"
    if isinstance(defence, ParameterFreeLadder):
        return " beyond its standard error"
    if isinstance(defence, BootstrappedLadder):
        return " at odds of 3 to 1"
    return None


def _own(defence: Defence) -> str:
    """How the number of a file is made coarse."""
    if isinstance(defence, Exact):
        return ""
    if isinstance(defence, Rounded):
        return f", rounded to {defence.decimals} decimal{'s' * (defence.decimals != 1)}"
    if isinstance(defence, Binned):
        return ", as the middle of its bin"
    if isinstance(defence, Ladder):
        return f", in whole steps of {float(defence.step):.6g}"
    if isinstance(defence, ParameterFreeLadder):
        return ", to a multiple of 1 over the number of rows"
    if isinstance(defence, BootstrappedLadder):
        return ", as the AUC of resampled rows"
    return ", with noise"
