"""What the values of a page are, what their intervals promise, and what each method assumes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from rocsolid.report import Note

_CERTIFIED = (
    "Certified: holds at its level at every sample size, for every distribution that meets the "
    "assumptions."
)
_CALIBRATED = "Calibrated: right on average for large samples, by theory and simulation."


class NotedInterval(Protocol):
    """An interval, as it is or rounded."""

    @property
    def method(self) -> str: ...
    @property
    def certified(self) -> bool: ...
    @property
    def assumptions(self) -> tuple[str, ...]: ...
    @property
    def source(self) -> str: ...


class NotedResult(Protocol):
    """A result with both of its intervals."""

    @property
    def measure(self) -> str: ...
    @property
    def interval(self) -> NotedInterval: ...
    @property
    def certified(self) -> NotedInterval | None: ...


def method_notes(results: Iterable[NotedResult], rounding: str = "") -> tuple[Note, ...]:
    """A note for each method; where it assumes other things for partial areas, one for each."""
    used: dict[tuple[str, tuple[str, ...], str], tuple[NotedInterval, dict[str, None]]] = {}
    for result in results:
        of = "the AUC" if result.measure == "auc" else "partial areas"
        for limits in (result.interval, result.certified):
            if limits is not None:
                key = (limits.method, limits.assumptions, limits.source)
                used.setdefault(key, (limits, {}))[1][of] = None
    methods = [method for method, _, _ in used]
    return tuple(
        Note(
            f"{limits.method}: {' and '.join(of)}"
            if methods.count(limits.method) > 1
            else limits.method,
            (_CERTIFIED if limits.certified else _CALIBRATED) + rounding,
            limits.assumptions,
            limits.source,
        )
        for limits, of in used.values()
    )


def auc_in_words(*, lower_is_better: bool) -> str:
    """The direction is said, as a reader of the page may not know that low scores mean positive.

    >>> print(auc_in_words(lower_is_better=True))
    Low scores mean positive here: the AUC is the probability that a positive example is scored
    below a negative one; chance alone gives one half.
    """
    begin = "Low scores mean positive here: the" if lower_is_better else "The"
    side = "below" if lower_is_better else "above"
    return (
        f"{begin} AUC is the probability that a positive example is scored {side} a negative one; "
        "chance alone gives one half."
    )
