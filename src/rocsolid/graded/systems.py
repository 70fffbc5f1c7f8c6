"""Several systems on the same queries: each one's mean is over the queries that all of them have."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rocsolid.errors import InputError, UnsoundError
from rocsolid.graded.estimate import Measured, averaged
from rocsolid.graded.options import Options
from rocsolid.inputs.wanted import listed
from rocsolid.results import QueryEstimate


def averaged_alike(
    systems: Mapping[str, Measured], options: Options
) -> tuple[dict[str, QueryEstimate], tuple[str, ...]]:
    """Each system's mean by one measure, and a sentence where a query is left out for all.

    A query without a relevant document has no value for any system. A measure that looks at
    retrieved documents alone (grouped AUC, nDCG with ideal=retrieved) may be undefined for one
    system only; the query is then left out for every system, so that means stay comparable.
    """
    if options.interval == "items":
        raise UnsoundError(
            "resampling the documents of one query says nothing of several systems",
            where="interval",
            value="items",
            fix='use interval="auto", which is over queries',
        )
    if options.empty != "exclude":
        return {name: averaged(one, options) for name, one in systems.items()}, ()
    undefined = np.stack([one.undefined for one in systems.values()])
    for_some = undefined.any(axis=0)
    qids = next(iter(systems.values())).qids
    if for_some.all() and not undefined.all(axis=1).any():
        raise InputError(
            "no query has a value for every system, so there is nothing to compare",
            where="scores",
            fix="say what a query without one counts: empty=0 or empty=1",
        )
    found = {name: averaged(one, options, for_some) for name, one in systems.items()}
    uneven = for_some & ~undefined.all(axis=0)
    if not uneven.any():
        return found, ()
    count = int(np.count_nonzero(uneven))
    noun, verb = ("query has", "is") if count == 1 else ("queries have", "are")
    names = listed(qids[uneven].tolist(), 3)
    return found, (
        f"{count:,} {noun} no value for some system and {verb} left out for every one ({names}).",
    )
