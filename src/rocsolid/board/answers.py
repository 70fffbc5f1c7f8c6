"""Sentences that explain the answers of a board to participants and readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rocsolid.leaks.release.answered import START, improved
from rocsolid.leaks.release.defence import Described
from rocsolid.leaks.release.gate import ReleasedAnswer
from rocsolid.leaks.release.ladder import Ladder

_LISTED = 5


def before(answers: Sequence[ReleasedAnswer], number: int) -> Fraction | None:
    *earlier, answer = answers[:number]
    return next((e.value for e in reversed(earlier) if e.account == answer.account), None)


def meaning(defence: Described, last: Fraction | None, value: Fraction) -> str:
    """Describe an answer: whether it is this file's AUC or an earlier answer, and its rounding.

    >>> meaning(Ladder("0.05"), Fraction("0.75"), Fraction("0.75"))
    'no improvement of 0.05 over your best, 0.75'
    >>> meaning(Ladder("0.05"), None, Fraction("0.75"))
    'an improvement, rounded down: the AUC of this file is at least 0.75 and below 0.8'
    >>> from rocsolid.leaks.release import Rounded
    >>> meaning(Rounded(2), None, Fraction("0.75"))
    'the AUC of this file, rounded to 2 decimals'
    """
    if defence.improvement is None:
        return f"the AUC of this file{defence.form}"
    if improved(defence, last, value):
        limits = ""
        if isinstance(defence, Ladder):
            limits = f": the AUC of this file is {_limits(defence, value)}"
        return f"an improvement{defence.form}{limits}"
    start = "0.5, where every team starts" if last is None else f"your best, {float(last):.6g}"
    return f"no improvement{defence.improvement} over {start}"


def rule(defence: Described) -> str:
    """Describe how the board answers, for participants.

    >>> rule(Ladder("0.05"))
    'The board reports an improvement of 0.05 over your best so far, or over 0.5 at first. For any
    other file, even a worse one, the answer repeats the number of your best and says so. Numbers
    are rounded down to whole steps: 0.55 means that the AUC is at least 0.55 and below 0.6.'
    """
    if defence.improvement is None:
        return f"The answer is the AUC of the file{defence.form}."
    steps = ""
    if isinstance(defence, Ladder):
        first = START + defence.step
        steps = (
            f" Numbers are rounded down to whole steps: {float(first):.6g} means that the AUC is "
            f"{_limits(defence, first)}."
        )
    return (
        f"The board reports an improvement{defence.improvement} over your best so far, or over 0.5 "
        "at first. For any other file, even a worse one, the answer repeats the number of your "
        f"best and says so.{steps}"
    )


def bits_text(shown: Mapping[str, Any]) -> str:
    """Compare the bits that all answers revealed with the bits that determine every label.

    >>> bits_text({"most_bits": 2.58, "label_bits": 56.7, "most_bits_budget": 20})
    'at most 2.6 of 56.7 bits; the host allows 20'
    """
    limit = shown["most_bits_budget"]
    allowed = "" if limit is None else f"; the host allows {limit:g}"
    return f"at most {shown['most_bits']:.1f} of {shown['label_bits']:.1f} bits{allowed}"


def winner(final: Sequence[Mapping[str, Any]]) -> str:
    """Name the winner of the final standings, and the teams that may be as good on new rows.

    >>> ann, bob = ({"place": 1, "value": 0.8, "best_place": 1, "team": t} for t in ("ann", "bob"))
    >>> winner([ann, bob | {"place": 2}])
    'ann wins with 0.8; bob may be as good on new rows'
    >>> winner([ann, bob])
    'ann and bob share the first place with 0.8'
    """
    first = [row["team"] for row in final if row["place"] == 1]
    others = [row["team"] for row in final if row["best_place"] == 1 and row["place"] > 1]
    if not first:
        return "no team has an answer"
    verb = "wins" if len(first) == 1 else "share the first place"
    also = f"; {listed_and(others)} may be as good on new rows" if others else ""
    return f"{listed_and(first)} {verb} with {final[0]['value']:g}{also}"


def listed_and(names: Sequence[str]) -> str:
    *most, last = names
    if len(most) > _LISTED:
        return f"{', '.join(most[:_LISTED])} and {len(names) - _LISTED:,} more"
    return f"{', '.join(most)} and {last}" if most else last


def _limits(defence: Ladder, value: Fraction) -> str:
    high = value + defence.step
    below = f" and below {float(high):.6g}" if high <= 1 else ""
    return f"at least {float(value):.6g}{below}"
