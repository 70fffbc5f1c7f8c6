"""What the sections on comparison, segments and sample size show, as plain data like the page's.

Each class says which numbers it holds: whoever publishes a page must know what it gives away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rocsolid.remarks.remark import Remark
from rocsolid.report.cells import Cells

FloatArray = NDArray[np.float64]
Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two scores: a − b, the limits of both its intervals, and the adjusted p-value.

    ``certified`` is None where nothing is proven, ``p_adjusted`` NaN where the test does not hold,
    and a limit where it is at the floor of its draws.
    """

    a: str
    b: str
    difference: float
    limits: Ends
    certified: Ends | None
    p_adjusted: float
    p_adjusted_at_floor: bool = False

    @property
    def proven(self) -> Ends | None:
        """As of a `Difference`."""
        return self.certified


@dataclass(frozen=True, slots=True)
class ScoreComparison:
    """All scores against each other by one measure.

    Numbers, over all rows that have every score: the value of each score (``values``, the highest
    first), and for each pair a difference, two intervals and a p-value (``pairs``, a before b in
    ``values``). ``groups`` are sets of scores without a significant difference. Differences of AUCs
    and their variances are further equations about the labels. ``places`` are those that each may
    hold: all at once, alone, and from certified differences. The sentences quote the same
    numbers, the numbers of rows, and how many rows lack a score.

    Without pairs it is only what ``sentences`` say: why no comparison is made. ``below`` says how
    the numbers were made and are read, ``warnings`` as they are. Two scores are different
    where their adjusted p-value is below 1 − ``level``.
    """

    measure: str
    sentences: tuple[str, ...]
    values: Mapping[str, float]
    pairs: tuple[Pair, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    below: tuple[str, ...] = ()
    warnings: tuple[Remark, ...] = ()
    level: float = 0.95
    decimals: int = 4
    places: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SegmentRow:
    """A segment, or all rows: the value, the limits of both intervals, and the class sizes."""

    segment: str
    value: float
    limits: Ends
    certified: Ends | None
    n_pos: int
    n_neg: int


@dataclass(frozen=True, slots=True)
class SegmentForest:
    """One score by one measure in each segment that is drawn, and in ``small`` ones that are not.

    Numbers: for all rows together (``overall``) and for each segment its values as the columns name
    it, the value of the measure, the limits of both intervals, and how many positives and
    negatives it has: counts by class of each segment, and equations about each segment's labels.
    """

    score: str
    measure: str
    overall: SegmentRow
    rows: tuple[SegmentRow, ...]
    decimals: int = 4
    small: tuple[SegmentRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Segmented:
    """Every score by segment, on one scale for each measure.

    Numbers: those of the ``forests``, and for each segment without an estimate (``skipped``: score,
    segment, reason, positives, negatives) its class sizes. ``columns`` are the names of the columns
    that make the segments. ``notes`` say what the intervals mean and by which rule segments are
    left out, with how many; ``evidence`` has the segments that differ most from the rest.
    """

    columns: tuple[str, ...]
    forests: tuple[SegmentForest, ...]
    skipped: tuple[tuple[str, str, str, int, int], ...] = ()
    notes: tuple[str, ...] = ()
    evidence: Cells | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Narrowing:
    """How the interval of one score would narrow with more positives.

    Numbers: the class sizes now, half the width of the interval now, the positives in all that
    would halve it and that would bring it to the page's target (None: more than can be planned
    for; the present number: reached already), and for a certified interval of that target whatever
    the distribution. ``half_widths`` are those at the positives of ``SampleSizes``. They follow
    from the AUC and the two parts of its variance, which are further equations about the labels.
    """

    score: str
    n_pos: int
    n_neg: int
    half_width: float
    halved: int | None
    to_target: int | None
    certified_target: int | None
    half_widths: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class SampleSizes:
    """How wide the interval of the AUC would be with more rows: a prediction.

    Numbers: those of ``lines``, one for each score, the highest AUC first, over the same ``n_pos``
    (numbers of positives, ascending); ``target`` is a half-width, ``level`` the intervals'.
    ``sentences`` quote them; ``below`` says what the prediction rests on.
    """

    level: float
    target: float
    n_pos: FloatArray
    lines: tuple[Narrowing, ...]
    sentences: tuple[str, ...]
    below: tuple[str, ...]
