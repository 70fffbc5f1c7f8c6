"""Several systems on the same queries: every mean is over the queries that all of them have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError, UnsoundError
from rocsolid.graded.estimate import MeasuredQueries, averaged
from rocsolid.graded.profile import OURS, Profile
from rocsolid.inputs.wanted import listed
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.remarks.lists import QueriesLeftOut
from rocsolid.remarks.remark import Remark
from rocsolid.results import QueryEstimate


def averaged_alike(
    systems: Mapping[str, MeasuredQueries], options: EstimateOptions, profile: Profile = OURS
) -> tuple[dict[str, QueryEstimate], tuple[Remark, ...]]:
    """Each system's mean by one measure, and a sentence where a query is left out for all.

    A query without a relevant document has no value for any system. A measure that looks at
    retrieved documents alone (grouped AUC, nDCG with ideal=retrieved) may be undefined for one
    system only, and with ``missing="exclude"`` one system may lack a query. Such a query is left
    out for every system, so that means stay comparable.
    """
    if options.interval == "items":
        raise UnsoundError(
            "resampling the documents of one query says nothing about several systems",
            where="interval",
            value="items",
            fix='use interval="auto", which is over queries',
        )
    every = list(systems.values())
    undefined = np.stack([one.undefined for one in every])
    lacking = np.stack([one.counts.length == 0 for one in every])
    if profile.empty != "exclude":
        undefined = np.zeros_like(undefined)
    if profile.missing != "exclude":
        lacking = np.zeros_like(lacking)
    gone: NDArray[np.bool_] = (undefined | lacking).any(axis=0)
    if gone.all() and not undefined.all(axis=1).any():
        raise InputError(
            "no query has a value for every system, so there is nothing to average",
            where="scores",
            fix="say what such a query counts: empty=0 or 1, missing='zero'",
        )
    found = {name: averaged(one, options, profile, gone) for name, one in systems.items()}
    uneven = undefined.any(axis=0) & ~undefined.all(axis=0)
    said = [
        _left_out(every[0].qids[which], why, several=len(every) > 1)
        for which, why in (
            (lacking.any(axis=0), "without a retrieved document"),
            (uneven, "without a value"),
        )
        if which.any()
    ]
    return found, tuple(said)


def _left_out(qids: NDArray[Any], why: str, *, several: bool) -> Remark:
    return QueriesLeftOut(len(qids), why, several, listed(qids.tolist(), 3))
