"""Whether each pair differs by less than a margin: two one-sided tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from rocsolid.comparison.compared import Compared, Outcome
from rocsolid.comparison.holm import holm_steps
from rocsolid.comparison.question import Question
from rocsolid.results.comparison import Difference
from rocsolid.results.non_inferiority import Equivalence


def equivalences(
    compared: Compared,
    test: Callable[[Compared, Question], Outcome],
    question: Question,
    margin: float | None,
    adjust: str,
    pairs: Sequence[Difference],
) -> tuple[Equivalence, ...]:
    """The decisions beside those of non-inferiority, by the same test; none without a margin.

    From both tests of each pair: that a − b > −margin, in ``pairs``, and that a − b < margin. A
    pair that is not equivalent lies beyond one of its two limits, so the larger p-value is at most
    α with a probability of at most α (Schuirmann 1987; Berger 1982). Several pairs are adjusted by
    Holm's steps, which need no more, unless ``adjust`` is "none". A pair that has no test is
    decided by its certified limits, if it stands alone.
    """
    if margin is None:
        return ()
    upper = replace(question, null=float(margin), alternative="less")
    tested = test(compared, upper).tested
    p_upper = np.array([pair.p_value for pair in tested])
    lacking = any(pair.interval is None for pair in tested)
    proven = compared.certificates(upper) if lacking else ()
    limits = [pair.interval or proven[at] for at, pair in enumerate(tested)]
    alone = len(pairs) == 1 or adjust == "none"
    p = np.fmax(np.array([pair.p_value for pair in pairs]), p_upper)
    p = np.where(np.isnan(p_upper), np.nan, p)
    if adjust != "none":
        p = holm_steps(p)
    return tuple(
        Equivalence(
            pair.a, pair.b, margin, 1.0 - upper.level, pair.low,
            upper.span[1] if limit is None else limit.high, float(each), pair.interval.decimals,
            alone,
        )
        for pair, limit, each in zip(pairs, limits, p, strict=True)
    )  # fmt: skip
