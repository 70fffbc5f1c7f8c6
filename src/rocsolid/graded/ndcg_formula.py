"""NDCG of ranked lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of
from rocsolid.discounts import Discount
from rocsolid.discounts.cutoff import Cutoff
from rocsolid.graded.discounted import discounted, ranks_read
from rocsolid.graded.ranked_gains import RankedGains

Ideal = Literal["judged", "retrieved"]


def check_ideal(ideal: Ideal) -> None:
    one_of(ideal, get_args(Ideal), "ideal")


def dcg_formula(discount: Discount, cutoff: Cutoff) -> Callable[[RankedGains], NDArray[np.float64]]:
    """Σ G(y) D(r) over the ranks down to the cut-off; NaN without a relevant document.

    It would be 0 there, but whether that counts is asked of the user, as for every measure.
    """

    def dcg(lists: RankedGains) -> NDArray[np.float64]:
        gained = discounted(lists.mean_gain, discount, ranks_read(cutoff, lists))
        return np.where(lists.positives == 0, np.nan, gained)

    return dcg


def ndcg_formula(
    discount: Discount, cutoff: Cutoff, ideal: Ideal
) -> Callable[[RankedGains], NDArray[np.float64]]:
    """DCG over the DCG of the ideal list, which has the same cut-off even if the list is shorter.

    NaN where the ideal list gains nothing.
    """

    def ndcg(lists: RankedGains) -> NDArray[np.float64]:
        read = ranks_read(cutoff, lists)
        gained = discounted(lists.mean_gain, discount, read)
        pool = lists if ideal == "judged" else lists.retrieved_only
        most = discounted(pool.ideal, discount, read)
        none = most == 0.0
        share = gained / np.where(none, 1.0, most)
        # a mean over ties can exceed the ideal by its last bit
        return np.where(none, np.nan, np.minimum(share, 1.0))

    return ndcg
