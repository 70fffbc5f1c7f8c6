"""The ANOVA-type test that k means are equal, which inverts no covariance."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocsolid.results.comparison import OmnibusF
from rocsolid.summaries.parts import Parts

_FLOATS = NDArray[np.float64]


def anova_type(differences: _FLOATS, parts: Parts, unseen: _FLOATS) -> OmnibusF:
    """F = Σ(x_i − x̄)²/tr S on f = tr²S/tr S² and f·ν degrees of freedom, S the covariance.

    Box, Annals of Mathematical Statistics 25 (1954), 290-302, with the estimates of Brunner, Dette
    and Munk, Journal of the American Statistical Association 92 (1997), 1494-1502. ``differences``
    are those of x_2, ..., x_k from x_1 and ``parts`` their covariance; S is that of the k values
    less their mean, so it does not matter which is first; ``unseen`` is added to S, and nothing to
    what ν is about. ν = tr²(ΣS_c)/Σ_c(tr²S_c/ν_c); with one part
    this is the F test of a repeated-measures ANOVA with the factor of Greenhouse and Geisser
    (Psychometrika 24 (1959), 95-112). It holds at every number of values. It sees differences that
    are large beside all others' spread, where Hotelling's sees small ones between values alike.

    >>> one = anova_type(np.array([0.1]), Parts((np.array([[0.0025]]),), (9.0,)), np.zeros((1, 1)))
    >>> round(one.statistic, 6), one.df, round(one.df2, 6)
    (4.0, 1.0, 9.0)
    """
    from scipy.special import fdtrc

    k = len(differences) + 1
    centre = np.eye(k)[:, 1:] - 1.0 / k
    spread = [centre @ part @ centre.T for part in parts.covariances]
    whole = np.asarray(sum(spread) + centre @ unseen @ centre.T)
    between, trace = float(np.sum((centre @ differences) ** 2)), float(np.trace(whole))
    if not trace > 0.0:
        p = 1.0 if between == 0.0 else math.nan
        return OmnibusF(0.0 if between == 0.0 else math.nan, 0.0, p, _NAME, math.nan)
    df = trace**2 / float(np.sum(whole**2))
    traces = [float(np.trace(one)) for one in spread]
    each = sum(one**2 / nu for one, nu in zip(traces, parts.known, strict=True))
    df2 = df * min(sum(traces) ** 2 / each, parts.most)
    statistic = between / trace
    return OmnibusF(statistic, df, float(fdtrc(df, df2, statistic)), _NAME, df2)


_NAME = "anova-type"
