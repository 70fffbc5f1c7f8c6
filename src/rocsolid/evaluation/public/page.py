"""The rules by which each field of a public page is published or withheld."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from rocsolid._version import __version__
from rocsolid.comparison.rows import SOURCE
from rocsolid.counts import counted
from rocsolid.evaluation.page_notes import in_words, method_notes
from rocsolid.evaluation.public.public_numbers import PublicNumbers, RoundedPairs
from rocsolid.evaluation.public.segments import RoundedResult
from rocsolid.pictures.lanes import values_picture
from rocsolid.report.data import CoarseCurve, Note, Page
from rocsolid.report.frame import Large
from rocsolid.report.text import Cells, measure_title, number

_OUTWARD = " Its limits are rounded outward."

_TABLE_ROWS = 240  # more rows would make the page too large for email
_SOME = (
    "The table has every score over all rows and in the first {} of {:,} segments; the public "
    "JSON output has all of them."
)


def public_page(published: PublicNumbers, *, title: str = "") -> Page:
    """Return the public page, made from the published numbers alone.

    A section of the private page is omitted unless it has a rule among ``PUBLIC_FORMS``;
    ``WITHHELD`` explains some omissions.
    """
    fields = {name: form(published) for name, form in PUBLIC_FORMS.items()}
    return Page(**fields | {"title": title or fields["title"]})


def _verdict(published: PublicNumbers) -> tuple[str, ...]:
    """Return the verdict; scores with equal rounded values share a rank."""
    measure = published.overall[0].measure
    mine = list(_of_first_measure(published).values())
    first = max(mine, key=lambda result: result.value)
    value = f"{measure_title(measure)}: {number(first.value, first.decimals)}"
    best = [result.score for result in mine if result.value == first.value]
    if len(mine) == 1:
        return (f"{first.score}: {value.replace(': ', ' ')}, rounded.",)
    share = "has" if len(best) == 1 else "share"
    pairs = next((pairs for pairs in published.pairs if pairs.measure == measure), None)
    differences = (
        ()
        if pairs is None
        else (f"{pairs.apart} of {len(pairs.pairs)} pairs of scores differ significantly.",)
    )
    return (f"{' and '.join(best)} {share} the highest {value}, rounded.", *differences)


def _lead(published: PublicNumbers) -> tuple[str, ...]:
    scores = len({result.score for result in published.overall})
    first = published.overall[0]
    return (
        f"{f'{scores} scores' if scores > 1 else 'One score'} against the label "
        f"{published.label!r} on {counted(published.n_rows, 'row')}: {first.basis}.",
        f"{_meaning(published)} Every number here is rounded, and the limits of intervals are "
        "rounded outward. A value of 0 or 1 may also be rounded.",
    )


def _meaning(published: PublicNumbers) -> str:
    return in_words(published.measure, None, lower_is_better=published.lower_is_better)


def _of_first_measure(published: PublicNumbers) -> dict[str, RoundedResult]:
    measure = published.overall[0].measure
    return {result.score: result for result in published.overall if result.measure == measure}


def _large(published: PublicNumbers) -> tuple[Large, ...]:
    values = _of_first_measure(published)
    measure = published.overall[0].measure
    chance = 0.5 if measure == "auc" else None
    return (Large(values_picture(values, measure_title(measure), chance)),)


def _rows(published: PublicNumbers) -> tuple[dict[str, Any], ...]:
    listed = _listed(published)[0]
    return tuple(
        {**result.to_dict(), "ties": None, "chance": 0.5 if result.measure == "auc" else None}
        for result in published.results
        if result.by is None or result.by in listed
    )


def _listed(published: PublicNumbers) -> tuple[list[Mapping[str, Any]], int]:
    """Return the first segments, as many as fit the table, and the number of all segments."""
    segments: list[Mapping[str, Any]] = []
    for result in published.results:
        if result.by is not None and result.by not in segments:
            segments.append(result.by)
    return segments[: max(0, _TABLE_ROWS // len(published.overall) - 1)], len(segments)


def _coarse(published: PublicNumbers) -> tuple[CoarseCurve, ...]:
    return tuple(
        CoarseCurve(
            score,
            *counts.rates,
            f"The positives above {len(counts.above)} cuts of the rows, each as the middle of a "
            f"bin of at least {counts.step} possible counts, joined by straight lines. The cuts "
            "are at about equal parts of the rows by rank. The steps between them are omitted, "
            "so the area of this drawing is not the AUC.",
        )
        for score, counts in published.curves
    )


def _told_apart(published: PublicNumbers) -> tuple[Cells, ...]:
    return tuple(_pairs(published, pairs) for pairs in published.pairs)


def _pairs(published: PublicNumbers, pairs: RoundedPairs) -> Cells:
    results = {r.score: r for r in published.overall if r.measure == pairs.measure}
    rows = tuple((f"{a} − {b}", _difference(results[a], results[b]), p) for a, b, p in pairs.pairs)
    many = len(pairs.pairs)
    caption = (
        f"{pairs.apart} of {many} {'pairs are' if many > 1 else 'pair is'} significantly "
        f"different at {pairs.alpha:.4g}, on the rows that have every score, with p adjusted for "
        "all pairs. The differences are between the rounded values, each off by up to one unit "
        "of its last decimal; intervals and exact p-values are withheld."
    )
    heads = ("AUC of" if pairs.measure == "auc" else pairs.measure, "Difference", "Adjusted p")
    return Cells(caption, heads, rows)


def _difference(a: RoundedResult, b: RoundedResult) -> str:
    return f"{a.value - b.value:+.{min(a.decimals, b.decimals)}f}".replace("-", "−")


_COMPARED = Note(
    "Differences: delong-t, holm",
    "DeLong's test of each difference, two-sided, with Holm's adjustment for all pairs.",
    source=SOURCE,
)


def _notes(published: PublicNumbers) -> tuple[Note, ...]:
    notes = method_notes(published.results, _OUTWARD)
    return (*notes, _COMPARED) if published.pairs else notes


def _facts(published: PublicNumbers) -> tuple[tuple[str, str], ...]:
    places = sorted({result.decimals for result in published.results})
    return (
        ("Rows", f"{published.n_rows:,}"),
        ("Decimals", ", ".join(map(str, places))),
        ("rocsolid", __version__),
        ("NumPy", np.__version__),
        ("Randomness", published.randomness or "none was used"),
    )


def _left_out(published: PublicNumbers) -> tuple[str, ...]:
    scores = {result.score for result in published.overall}
    listed, count = _listed(published)
    moot = {"comparisons": len(scores) < 2, "segments": not published.asked}
    return (
        *published.left_out,
        *([_SOME.format(len(listed), count)] if len(listed) < count else []),
        *(text for name, text in WITHHELD.items() if not moot.get(name, False)),
    )


def _prevalence(published: PublicNumbers) -> float:
    first = published.overall[0]
    if first.n_pos is None or first.n_neg is None:
        return 0.5
    return first.n_pos / (first.n_pos + first.n_neg)


Form = Callable[[PublicNumbers], Any]
PUBLIC_FORMS: MappingProxyType[str, Form] = MappingProxyType(
    {
        "title": lambda published: published.source,
        "verdict": _verdict,
        "worries": lambda *_: (),  # warnings quote exact counts and shares
        "lead": _lead,
        "card": lambda *_: None,  # the answer adds its card of rounded values
        "large": _large,
        "rows": _rows,
        "coarse": _coarse,
        "told_apart": _told_apart,
        "notes": _notes,
        "facts": _facts,
        "left_out": _left_out,
        "picture": lambda published: published.measure.picture,
        "prevalence": _prevalence,
        "leaks": lambda published: published.audit,
    }
)
"""The rules of a public page: how each field is computed from the published numbers."""

WITHHELD: MappingProxyType[str, str] = MappingProxyType(
    {
        "panels": "Left out of a public report: the exact curves with thresholds and operating "
        "points, their bands, and the ranks of the positives, because they reveal "
        "labels.",
        "comparisons": "Left out: the intervals of differences and exact p-values, because each "
        "is a further equation in the labels.",
        "segments": "Left out: the drawing of the segments with their class sizes; the table of "
        "results has their published numbers.",
        "sample_sizes": "Left out: how many rows would narrow the intervals, because it follows "
        "from their unrounded width.",
        "command": "Left out: the command, which names files, and the fingerprints, which allow "
        "someone to check guessed scores.",
    }
)
"""The omissions, with the sentence for the reader."""
