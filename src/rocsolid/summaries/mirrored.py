"""The same curve seen from the other class: what holds for false positives holds for hits."""

from __future__ import annotations

from typing import overload

from rocsolid.inputs import reverse
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.sorted_classes import SortedClasses


@overload
def mirrored(data: SortedClasses) -> SortedClasses: ...
@overload
def mirrored(data: ScoreCounts) -> ScoreCounts: ...
def mirrored(data: SortedClasses | ScoreCounts) -> SortedClasses | ScoreCounts:
    """Positives and negatives change places and the order of the scores is reversed.

    The curve is reflected at the falling diagonal: a rate of false positives v becomes a rate of
    hits 1−v, and the area under the curve stays.

    >>> import numpy as np
    >>> m = mirrored(SortedClasses(np.array([1.0, 3.0]), np.array([0.0, 2.0])))
    >>> m.pos, m.neg
    (array([-2., -0.]), array([-3., -1.]))
    """
    if isinstance(data, SortedClasses):
        return SortedClasses(reverse(data.neg)[::-1], reverse(data.pos)[::-1])
    return ScoreCounts(reverse(data.score)[::-1], data.neg[::-1], data.pos[::-1])
