"""The test that independent samples, such as the segments of a table, have one value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.compared import Compared, Question
from rocsolid.comparison.heterogeneity import heterogeneity
from rocsolid.comparison.omnibus import hotelling_f
from rocsolid.comparison.shared_clusters import worth
from rocsolid.results.comparison import Omnibus, OmnibusQ


def equal_samples(compared: Compared, question: Question) -> tuple[Omnibus, list[str]]:
    """`heterogeneity`, which `rocsolid.evaluate` has for segments too, and what to know of it.

    Two samples have the test of their one difference, whose square is `hotelling_f`. So have
    samples that do not vary.
    """
    if len(compared.names) == 2:
        return hotelling_f(compared)
    estimates, sizes = list(compared.estimates.values()), _sizes(compared)
    found = heterogeneity(
        compared.values,
        np.array([np.nan if one.std_error is None else one.std_error for one in estimates]),
        1.0 / (1.0 / sizes).sum(axis=1),
        sizes.min(axis=1) - 1.0,
        estimates[0].interval.range,
        question.seed,
        resamples=question.resamples,
    )
    if found is None:
        return hotelling_f(compared)
    df = len(compared.names) - 1
    return OmnibusQ(found.statistic, df, found.p_value, "heterogeneity", found.draws), []


def _sizes(compared: Compared) -> NDArray[np.float64]:
    """The positives and negatives of each; of clusters, as if each of them said one thing."""
    out = []
    for at, one in enumerate(compared.estimates.values()):
        size = None
        if not compared.summaries:
            part = compared.rows[at]
            size = None if part.cluster is None else worth(part)
        elif (units := compared.summaries[at].moments.units) is not None:
            size = units.worth
        out.append(size or (float(one.n_pos), float(one.n_neg)))
    return np.array(out)
