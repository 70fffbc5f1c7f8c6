"""One scored answer of a model, as every reader of a log returns it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from typing import Any, NamedTuple

_GRADES = {
    "c": 1.0, "i": 0.0, "p": 0.5, "n": 0.0,  # correct, incorrect, partial, no answer
    "true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0, "pass": 1.0, "fail": 0.0,
}  # fmt: skip


class LoggedAnswer(NamedTuple):
    """An answer with its scores by scorer.

    ``model`` is empty if the log does not name the model. ``number`` distinguishes several answers
    to the same item. ``question`` identifies the content of the item, and ``headline`` names the
    scorer that the framework reports first; each is empty if unknown. ``again`` is the fix if the
    log has a second answer with the same number.
    """

    task: str
    item: str
    model: str
    scores: Mapping[str, Any]
    cluster: Any = None
    number: int = 0
    question: str = ""
    headline: str = ""
    again: str = ""


def grade(value: Any) -> float | None:
    """A score as a number: NaN if there is none, ``None`` if it is not a number.

    Letters are those of inspect_ai: C is 1, P is 0.5, I and N (no answer) are 0.

    >>> grade("C"), grade("P"), grade(True), grade("0.25"), grade(None), grade("good")
    (1.0, 0.5, 1.0, 0.25, nan, None)
    """
    if value is None:
        return math.nan
    if isinstance(value, str):
        known = _GRADES.get(value.strip().casefold())
        if known is not None:
            return known
        try:
            value = float(value)
        except ValueError:
            return None
    if not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return None if math.isinf(number) else number
