"""That all systems have the same mean: ANOVA-type on the same queries, Welch's on others."""

from __future__ import annotations

import math

import numpy as np

from rocsolid.comparison.omnibus import anova_type
from rocsolid.comparison.queries.systems import Systems
from rocsolid.comparison.unseen import added
from rocsolid.intervals.means.tail import SAME
from rocsolid.results.comparison import OmnibusF
from rocsolid.summaries.parts import Parts


def all_equal(systems: Systems) -> tuple[OmnibusF, list[str]]:
    """`anova_type` of the systems' means, and what to know of it.

    On the same queries it is the F test of a repeated-measures ANOVA with the factor of Greenhouse
    and Geisser; for two systems it is the square of the paired t. It needs no more queries than two
    and keeps its level where systems differ in spread and skewness. On queries of their own the
    systems have variances of their own, and the test is Welch's for several means (Biometrika 38
    (1951), 330-336).
    """
    if not systems.paired:
        return _welch(systems)
    matrix, size = systems.matrix, systems.queries[0]
    rows = matrix[1:] - matrix[0]
    scale = SAME * np.abs(matrix).max()
    rows = np.where(np.abs(rows) <= scale, 0.0, rows)
    covariance = np.atleast_2d(np.cov(rows)) / size
    varies = np.diag(covariance) > scale**2
    covariance = np.where(np.outer(varies, varies), covariance, 0.0)
    more = added(systems.unseen(), varies)
    found = anova_type(rows.mean(axis=1), Parts((covariance,), (size - 1.0,)), more)
    if not math.isnan(found.p_value):
        return found, []
    return found, [
        "The test that all are equal does not hold: the differences are not zero but never vary "
        "over queries; rely on the certified intervals."
    ]


def _welch(systems: Systems) -> tuple[OmnibusF, list[str]]:
    from scipy.special import fdtrc

    own = np.diag(systems.covariance())
    sizes, k = np.array(systems.queries, dtype=np.float64), len(systems.names)
    if not np.all(own > 0.0):
        return OmnibusF(math.nan, k - 1, math.nan, "welch", math.nan), [
            "The test that all are equal does not hold: a system has the same value on all its "
            "queries; rely on the certified intervals."
        ]
    weight = 1.0 / own
    share = weight / weight.sum()
    between = weight @ (systems.means - share @ systems.means) ** 2 / (k - 1.0)
    lack = float(np.sum((1.0 - share) ** 2 / (sizes - 1.0)))
    statistic = float(between / (1.0 + 2.0 * (k - 2.0) / (k**2 - 1.0) * lack))
    df2 = (k**2 - 1.0) / (3.0 * lack)
    return OmnibusF(statistic, k - 1, float(fdtrc(k - 1, df2, statistic)), "welch", df2), []
