"""The test that independent samples, such as the segments of a table, have one value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.compared import Compared
from rocsolid.comparison.heterogeneity import heterogeneity
from rocsolid.comparison.omnibus import hotelling_f
from rocsolid.comparison.question import Question
from rocsolid.remarks.remark import Remark
from rocsolid.results.comparison import Omnibus, OmnibusDrawn


def equal_samples(
    compared: Compared, sizes: NDArray[np.float64], question: Question
) -> tuple[Omnibus, list[Remark]]:
    """`heterogeneity`, which `rocsolid.evaluate` has for segments too, and what to know of it.

    Two samples have the test of their one difference, whose square is `hotelling_f`. So have
    samples that do not vary. ``sizes`` are the positives and the negatives of each sample, or what
    its clusters are worth.
    """
    if len(compared.names) == 2:
        return hotelling_f(compared)
    estimates = list(compared.estimates.values())
    test = heterogeneity(
        compared.values,
        np.array([np.nan if one.std_error is None else one.std_error for one in estimates]),
        1.0 / (1.0 / sizes).sum(axis=1),
        sizes.min(axis=1) - 1.0,
        estimates[0].interval.range,
        question.seed,
        resamples=question.resamples,
    )
    if test is None:
        return hotelling_f(compared)
    df = len(compared.names) - 1
    return OmnibusDrawn(test.statistic, df, test.p_value, "heterogeneity", test.draws), []
