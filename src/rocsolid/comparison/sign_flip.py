"""The sign-flip (Fisher-Pitman) test of each pair, exact for few queries, and its interval."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from rocsolid.comparison.compared import Outcome, Tested
from rocsolid.comparison.flips import Flips
from rocsolid.comparison.question import Question
from rocsolid.comparison.student import errors, within, without_variance
from rocsolid.comparison.systems import Systems
from rocsolid.intervals.calibrated.tails import tail

NAME = "sign-flip"
ASSUMPTIONS = (
    "queries independent",
    "under the null, exchanging the two systems on a query changes nothing in distribution",
)
SOURCE = (
    "Fisher, The Design of Experiments, 1935, section 21; interval: Hartigan, Journal of the "
    "American Statistical Association 64 (1969), 1303-1317"
)


def sign_flip(systems: Systems, question: Question) -> Outcome:
    """How often random signs for the d_q − null give a sum as extreme as the one observed.

    If the differences are symmetric about ``null`` all 2^Q sign vectors are equally likely, and p
    is at most α with a probability of at most α at every number of queries. Up to 20 queries all
    are gone through; for more, B of them are drawn with a seed and p = (b+1)/(B+1), which is valid
    too. The interval holds the values that the test does not reject; a pair whose difference never
    varies has none. The statistic shown is Student's.
    """
    flips = Flips.of(systems, question)
    std_errors, _ = errors(systems)
    # on one side a vector of signs and its mirror image count half each
    sides = 1 if question.alternative == "two-sided" else 2
    draws = 0 if flips.exact else sides * (question.resamples + 1) - 1
    tested = []
    for (i, j), difference, error in zip(
        systems.pairs(), systems.differences.tolist(), std_errors.tolist(), strict=True
    ):
        p = flips.p_value(i, j, question.null, question.alternative)
        if error == 0.0:
            still = without_variance(difference, None, question)
            tested.append(replace(still, p_value=p, draws=draws))
            continue
        low, high = _limits(flips, i, j, question)
        interval = within(low, high, question, NAME, ASSUMPTIONS, SOURCE)
        statistic = (difference - question.null) / error
        tested.append(Tested(error, statistic, None, p, interval, draws))
    return Outcome(
        tested,
        systems,
        NAME,
        partial(systems.all_equal, question),
        least_p=flips.least_p,
        exact=flips.exact,
    )


def _limits(flips: Flips, i: int, j: int, question: Question) -> tuple[float, float]:
    """The ends of the values that are not rejected: order statistics of means over subsets.

    ε gives a sum of d_q − θ no smaller than the first one exactly where the mean of d over the
    queries that it turns, (Σd − Σεd)/(Q − Σε), is at most θ, or where it turns none. So θ is
    rejected from below while at most a share α of all vectors do so.
    """
    sums, share = flips.of_pair(i, j, 0.0), 1.0 - tail(question.level, question.alternative)
    turned = np.concatenate([sums[0] - sums, sums[0] + sums])
    count = np.concatenate([flips.signs[0] - flips.signs, flips.signs[0] + flips.signs])
    some = count > 0.5
    means = turned[some] / count[some]
    rank = math.floor(share * count.size + 1e-9) + 1 - (count.size - means.size)
    if rank < 1:
        return -math.inf, math.inf
    ends = np.partition(means, [rank - 1, means.size - rank])
    return (
        -math.inf if question.alternative == "less" else float(ends[rank - 1]),
        math.inf if question.alternative == "greater" else float(ends[means.size - rank]),
    )
