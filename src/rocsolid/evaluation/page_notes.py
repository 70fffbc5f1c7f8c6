"""Notes on every page: the meaning of its numbers, their methods and assumptions."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rocsolid._version import __version__
from rocsolid.answer.tables import Tabled
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.report.data import Note
from rocsolid.report.text import measure_title, number
from rocsolid.results import Interval
from rocsolid.results.interval import how_often
from rocsolid.results.references import References, references_in_words

if TYPE_CHECKING:  # what reads runs is not needed for rows
    from rocsolid.evaluation.query_numbers import MeasuredRuns

CERTIFIED = (
    "Certified: holds at its level at every sample size, for every distribution that meets the "
    "assumptions."
)


def calibrated(level: float) -> str:
    return f"Calibrated: {how_often(level)}, by theory and simulation."


def method_notes(results: Iterable[Tabled], rounding: str = "") -> tuple[Note, ...]:
    """A note for each method, and one per set of assumptions if these differ between measures."""
    used: dict[tuple[str, tuple[str, ...], str], tuple[Interval, dict[str, None]]] = {}
    for result in results:
        of = "the AUC" if result.measure == "auc" else measure_title(result.measure)
        for limits in (result.interval, result.certified):
            if limits is not None:
                key = (limits.method, limits.assumptions, limits.source)
                used.setdefault(key, (limits, {}))[1][of] = None
    methods = [method for method, _, _ in used]
    return tuple(
        _note(
            f"{limits.method}: {' and '.join(of)}"
            if methods.count(limits.method) > 1
            else limits.method,
            limits, CERTIFIED, rounding,
        )
        for limits, of in used.values()
    )  # fmt: skip


def without_methods(text: str, intervals: Iterable[Interval | None]) -> str:
    """Remove method names from a sentence: a page lists all methods in a separate section.

    >>> from rocsolid import auc
    >>> found = auc([0, 1, 0, 1], [1, 2, 3, 4], interval="newcombe5")
    >>> without_methods("between 0.1 and 0.9 (newcombe5); 95 %", [found.interval])
    'between 0.1 and 0.9; 95 %'
    """
    names = {limits.method for limits in intervals if limits is not None}
    for name in sorted(names, key=lambda name: (-len(name), name)):  # one may contain another
        for named, plain in (
            (f" ({name})", ""),
            (f" ({name}, ", " ("),
            (f" {name})", ")"),
            (f" by {name} says", " says"),
        ):
            text = text.replace(named, plain)
    return text


def made_with(drawn: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The software and the random draws, as the last facts of a page."""
    return (
        ("rocsolid", __version__),
        ("NumPy", np.__version__),
        ("Python", platform.python_version()),
        ("Randomness", randomness(drawn)),
    )


def interval_notes(
    intervals: Iterable[Interval | None], *, certified: str = CERTIFIED
) -> list[Note]:
    used: dict[str, Interval] = {}
    for limits in intervals:
        if limits is not None and limits.method != "none":
            used.setdefault(limits.method, limits)
    return [_note(name, limits, certified) for name, limits in used.items()]


def _note(title: str, limits: Interval, certified: str, rounding: str = "") -> Note:
    kind = certified if limits.certified else calibrated(limits.level)
    return Note(title, kind + rounding, limits.assumptions, limits.source)


def in_words(
    measure: BinaryMeasure, chance: float | None, references: References = (), *,
    lower_is_better: bool,
) -> str:  # fmt: skip
    """The meaning of a measure, and the value of a random ranking unless that must stay private.

    >>> from rocsolid.measures.named import measure_of
    >>> print(in_words(measure_of("auc"), 0.5, lower_is_better=True))
    Low scores mean positive here: the AUC is the probability that a positive example is scored
    below a negative one; a random ranking gives one half.
    >>> print(in_words(measure_of("pr_auc"), 0.004, lower_is_better=False))
    pr_auc is the area under the precision-recall curve; by steps, the average precision. Chance
    alone gives 0.0040.
    """
    low = "Low scores mean positive here: "
    if measure.pairwise:
        begin, side = (f"{low}the", "below") if lower_is_better else ("The", "above")
        return (
            f"{begin} AUC is the probability that a positive example is scored {side} a negative "
            "one; a random ranking gives one half."
        )
    alone = "" if chance is None else f" Chance alone gives {number(chance)}."
    if references:
        alone = f" {references_in_words(references)}"
    return f"{low if lower_is_better else ''}{measure.name} is {measure.words}.{alone}"


class WithIntervals(Protocol):
    @property
    def interval(self) -> Interval: ...
    @property
    def certified(self) -> Interval | None: ...


def of_results(results: Iterable[WithIntervals]) -> list[str]:
    both = (limits for one in results for limits in (one.interval, one.certified))
    return [limits.drawn for limits in both if limits is not None]


def of_measures(measures: Sequence[MeasuredRuns]) -> list[str]:
    drawn = []
    for measured in measures:
        drawn += of_results(measured.estimates.values())
        if measured.comparison is not None:
            drawn.append(measured.comparison.drawn)
    return drawn


def randomness(drawn: Iterable[str]) -> str:
    """All random draws, each once.

    >>> randomness(["", "2,000 resamples, seed 0", "2,000 resamples, seed 0"])
    '2,000 resamples, seed 0'
    >>> randomness([""])
    'none was used'
    """
    return "; ".join(dict.fromkeys(filter(None, drawn))) or "none was used"
