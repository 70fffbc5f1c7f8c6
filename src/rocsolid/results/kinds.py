"""Kinds of numbers and texts in results: what JSON holds of them, and the words of its schema.

An annotation is read by `json_schema`: a text describes the key, `holds` limits its values, and a
type that follows another is how JSON has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from rocsolid.remarks.remark import Remark


def holds(**keywords: Any) -> tuple[tuple[str, Any], ...]:
    """Keywords of a JSON Schema, as a mark that stands in annotations.

    >>> holds(minimum=0)
    (('minimum', 0),)
    """
    return tuple(keywords.items())


ITS_KEYS = object()
"""Marks a result in a typed dictionary whose keys stand among those of the dictionary."""

Count = Annotated[int, holds(minimum=0)]
Rank = Annotated[int, holds(minimum=1)]
ZeroToOne = Annotated[float, holds(minimum=0, maximum=1)]
FloatOrNaN = Annotated[float, holds(type=("number", "null"))]
"""In JSON a number that is not finite is null."""
PValue = Annotated[ZeroToOne, holds(type=("number", "null"))]
IntervalLevel = Annotated[
    float,
    holds(exclusiveMinimum=0, exclusiveMaximum=1),
    "The level of the intervals, such as 0.95.",
]

AtFloor = Annotated[
    bool, "Whether no draw was as extreme, so that p_value is no more than a limit."
]
Assumptions = Annotated[tuple[str, ...], "What the interval assumes."]
ScoresFingerprint = Annotated[
    str,
    "Of the scores of all rows, never of labels, weights or the rows of a segment; the same in any "
    "order of the rows.",
]
MeasureName = Annotated[str, "What was measured."]
RequestedMeasure = Annotated[str, "The measure as it was requested."]
FullName = Annotated[str, "Its name with every convention."]
ScoreName = Annotated[str, "The score column."]
SegmentKey = Mapping[str, str | float | bool]
SegmentOrAll = Annotated[
    Mapping[str, Any] | None,
    SegmentKey | None,
    "The segment, column to value; null for all rows. A value that JSON has no word for, a date or "
    "an infinity, is its text.",
]
Keywords = Annotated[Mapping[str, Any], "The settings, by the names of the Python keywords."]
StdError = Annotated[float | None, "The standard error; null where the method has none."]
Warnings = Annotated[tuple[Remark, ...], tuple[str, ...], "Warnings, in plain words."]
