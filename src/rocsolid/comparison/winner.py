"""The value of the winner, corrected for having won."""

from __future__ import annotations

import numpy as np

from rocsolid.intervals.picked import picked
from rocsolid.results.comparison import Comparison
from rocsolid.results.ranks import Winner


def winner(found: Comparison) -> Winner:
    """`picked` of a comparison; errors are widened by the fewest degrees of freedom of its tests.

    Values between 0 and 1 of rows are taken on the logit scale.
    """
    names = list(found.estimates)
    values = np.array([one.value for one in found.estimates.values()])
    known = [pair.df for pair in found.pairs if pair.df is not None]
    interval = found.estimates[names[int(np.argmax(values))]].interval
    return picked(
        names, values, found.covariance, min(known, default=np.inf), found.level,
        logits=found.compared != "systems", range=interval.range, decimals=interval.decimals,
    )  # fmt: skip
