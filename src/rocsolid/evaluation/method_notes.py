"""What the intervals of a page are, and what each of them assumes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from rocsolid.report import Note

_CERTIFIED = (
    "Certified: holds at its level at every sample size, for every distribution that meets the "
    "assumptions."
)
_CALIBRATED = "Calibrated: right on average for large samples, by theory and simulation."


class Limits(Protocol):
    """An interval, as it is or rounded."""

    @property
    def method(self) -> str: ...
    @property
    def certified(self) -> bool: ...
    @property
    def assumptions(self) -> tuple[str, ...]: ...
    @property
    def source(self) -> str: ...


class Measured(Protocol):
    """A result with both of its intervals."""

    @property
    def measure(self) -> str: ...
    @property
    def interval(self) -> Limits: ...
    @property
    def certified(self) -> Limits | None: ...


def method_notes(results: Iterable[Measured], rounding: str = "") -> tuple[Note, ...]:
    """A note for each method; where it assumes other things for partial areas, one for each."""
    used: dict[tuple[str, tuple[str, ...], str], tuple[Limits, dict[str, None]]] = {}
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
