"""Which convention makes how much of a difference between two tools."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.graded.by_profile import Judged, by_profile, mean_of
from rocsolid.graded.profile import ORDER, Profile
from rocsolid.results.explanation import MovedQuery, Switch

_FLOATS = NDArray[np.float64]
_SHOWN = 5


def switches(
    judged: Judged, name: str, a: Profile, b: Profile
) -> tuple[tuple[Switch, ...], tuple[MovedQuery, ...]]:
    """The way from ``a`` to ``b``, one convention at a time, and the queries that moved most.

    The order is that of `ORDER`. After the last switch all conventions are those of ``b``, so the
    value is that of ``b`` to the last bit.
    """
    start, end = (by_profile(judged, name, one).value for one in (a, b))
    before, now = start, a
    found: list[Switch] = []
    steps: list[_FLOATS] = []
    for convention, label in ORDER.items():
        side: Any = getattr(b, convention)
        if getattr(a, convention) == side:
            continue
        now = replace(now, **{convention: side})
        after = by_profile(judged, name, now).value
        alone = by_profile(judged, name, replace(a, **{convention: side})).value
        without = by_profile(judged, name, replace(b, **{convention: getattr(a, convention)})).value
        found.append(
            Switch(
                convention=convention,
                label=label,
                before=a.says(convention),
                after=b.says(convention),
                value=mean_of(after),
                change=mean_of(after) - mean_of(before),
                alone=mean_of(alone) - mean_of(start),
                last=mean_of(end) - mean_of(without),
                queries=int(np.count_nonzero(_moved(before, after))),
                counted=int(np.count_nonzero(~np.isnan(after))),
            )
        )
        steps.append(_effects(before, after))
        before = after
    return tuple(found), _queries(judged, start, end, found, steps)


def _moved(before: _FLOATS, after: _FLOATS) -> NDArray[np.bool_]:
    return np.asarray(~((before == after) | (np.isnan(before) & np.isnan(after))))


def _effects(before: _FLOATS, after: _FLOATS) -> _FLOATS:
    """What the mean changes by if one query alone goes from its value before to that after."""
    here, there = ~np.isnan(before), ~np.isnan(after)
    n, mean = int(np.count_nonzero(here)), mean_of(before)
    stays = np.where(here & there, (after - before) / n, 0.0)
    leaves = (mean - before) / max(n - 1, 1)
    comes = (after - mean) / (n + 1)
    return np.where(here & ~there, leaves, np.where(there & ~here, comes, stays))


def _queries(
    judged: Judged, start: _FLOATS, end: _FLOATS, found: list[Switch], steps: list[_FLOATS]
) -> tuple[MovedQuery, ...]:
    effect = _effects(start, end)
    moved = _moved(start, end)
    order = np.argsort(-np.abs(effect), kind="stable")
    picked = [int(i) for i in order if moved[i]][:_SHOWN]
    return tuple(
        MovedQuery(
            qid=str(judged.zero.qids[i]),
            value=_or_none(start[i]),
            other=_or_none(end[i]),
            effect=float(effect[i]),
            label=max(zip(steps, found, strict=True), key=lambda pair: abs(pair[0][i]))[1].label,
        )
        for i in picked
    )


def _or_none(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)
