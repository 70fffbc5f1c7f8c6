"""Whether each pair differs by less than a margin: two one-sided tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.adjust import holm_steps
from rocsolid.comparison.asked import ComparisonQuestion
from rocsolid.comparison.certificate import certificates
from rocsolid.comparison.compared import Compared
from rocsolid.results.comparison import Difference
from rocsolid.results.non_inferiority import Equivalence


def equivalences(
    asked: ComparisonQuestion, compared: Compared, pairs: Sequence[Difference]
) -> tuple[Equivalence, ...]:
    """The decisions beside those of non-inferiority, by the same test; none without a margin."""
    if asked.margin is None:
        return ()
    upper = replace(asked.question, null=asked.margin, alternative="less")
    tested = asked.run(compared, upper).tested
    p = np.array([one.p_value for one in tested])
    proven = certificates(compared, upper) if any(one.interval is None for one in tested) else ()
    limits = [one.interval or proven[at] for at, one in enumerate(tested)]
    high = [upper.span[1] if one is None else one.high for one in limits]
    return decided(pairs, p, high, asked.margin, 1.0 - upper.level, adjust=asked.adjust)


def decided(
    pairs: Sequence[Difference],
    p_upper: NDArray[np.float64],
    high: Sequence[float],
    margin: float,
    alpha: float,
    *,
    adjust: str,
) -> tuple[Equivalence, ...]:
    """From both tests of each pair: that a − b > −margin, in ``pairs``, and that a − b < margin.

    A pair that is not equivalent lies beyond one of its two limits, so the larger p-value is at
    most α with a probability of at most α (Schuirmann 1987; Berger 1982). Several pairs are
    adjusted by Holm's steps, which need no more, unless ``adjust`` is "none". A pair that has no
    test is decided by its certified limits, ``low`` of the pair and ``high``, if it stands alone.
    """
    alone = len(pairs) == 1 or adjust == "none"
    p = np.fmax(np.array([pair.p_value for pair in pairs]), p_upper)
    p = np.where(np.isnan(p_upper), np.nan, p)
    if adjust != "none":
        p = holm_steps(p)
    return tuple(
        Equivalence(
            pair.a, pair.b, margin, alpha, pair.low, top, float(each), pair.interval.decimals, alone
        )
        for pair, top, each in zip(pairs, high, p, strict=True)
    )
