"""The contribution of each convention to the difference between two tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.counts import counted
from rocsolid.errors import InputError
from rocsolid.gains.gain import exp2, linear
from rocsolid.graded.by_profile import Judged, by_profile, head_of, mean_of, measure_of
from rocsolid.graded.profile import ORDER, Profile
from rocsolid.graded.profiles import LETOR, PROFILES
from rocsolid.results.plain import MovedQuery, OtherValue, Switch

_FLOATS = NDArray[np.float64]
_SHOWN = 5


def switches(
    judged: Judged, name: str, a: Profile, b: Profile
) -> tuple[tuple[Switch, ...], tuple[MovedQuery, ...]]:
    """Return the steps from ``a`` to ``b``, one convention at a time, and the most changed queries.

    The steps follow `ORDER`. The last step's value equals that of ``b`` to the last bit.
    """
    start, end = (by_profile(judged, name, profile).value for profile in (a, b))
    before, now = start, a
    passed: list[Switch] = []
    steps: list[_FLOATS] = []
    for convention, label in ORDER.items():
        side: Any = getattr(b, convention)
        if getattr(a, convention) == side:
            continue
        now = replace(now, **{convention: side})
        after = by_profile(judged, name, now).value
        alone = by_profile(judged, name, replace(a, **{convention: side})).value
        without = by_profile(judged, name, replace(b, **{convention: getattr(a, convention)})).value
        passed.append(
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
    return tuple(passed), _queries(judged, start, end, passed, steps)


def _moved(before: _FLOATS, after: _FLOATS) -> NDArray[np.bool_]:
    return np.asarray(~((before == after) | (np.isnan(before) & np.isnan(after))))


def _effects(before: _FLOATS, after: _FLOATS) -> _FLOATS:
    """Return the change of the mean if only one query changes, for each query."""
    here, there = ~np.isnan(before), ~np.isnan(after)
    n, mean = int(np.count_nonzero(here)), mean_of(before)
    stays = np.where(here & there, (after - before) / n, 0.0)
    leaves = (mean - before) / max(n - 1, 1)
    comes = (after - mean) / (n + 1)
    return np.where(here & ~there, leaves, np.where(there & ~here, comes, stays))


def _queries(
    judged: Judged, start: _FLOATS, end: _FLOATS, switched: list[Switch], steps: list[_FLOATS]
) -> tuple[MovedQuery, ...]:
    effect, moved = _effects(start, end), _moved(start, end)
    order = np.argsort(-np.abs(effect), kind="stable")
    picked = order[moved[order]][:_SHOWN].tolist()
    return tuple(
        MovedQuery(
            qid=str(judged.zero.qids[i]),
            value=_or_none(start[i]),
            other=_or_none(end[i]),
            effect=float(effect[i]),
            label=max(zip(steps, switched, strict=True), key=lambda pair: abs(pair[0][i]))[1].label,
        )
        for i in picked
    )


def _or_none(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


_SIDES: dict[str, tuple[Any, ...]] = {
    "missing": ("zero", "exclude"),
    "empty": (0, "exclude", 1),
    "gain": (linear(), exp2()),
    "discount": (Profile(name="", tool="").discount, LETOR),
    "ties": ("trec", "average", "input", "rank"),
    "ideal": ("judged", "retrieved"),
    "unjudged": ("zero", "condense"),
    "precision": ("float64", "float32"),
    "negative": ("zero", "unjudged"),
    "short": ("pad", "zero"),
}
_EXTRA = 3  # the most additional queries in the denominator that are tried


class PrintedNumber:
    """A printed number, and the values that round to it.

    >>> PrintedNumber("0.544").fits(0.5443), PrintedNumber(".5440").fits(0.5443)
    (True, False)
    """

    def __init__(self, text: Any) -> None:
        self.text = str(text).strip()
        try:
            number = Decimal(self.text)
            self.digits = -int(number.as_tuple().exponent)
        except (InvalidOperation, ValueError):
            raise InputError(
                "a published value is a decimal number", where="published", value=text
            ) from None
        if self.digits < 1:
            raise InputError(
                "a published value needs a digit after the point",
                where="published",
                value=text,
                fix="write it as a share with the digits that were printed: 0.544",
            )
        self.value = float(number)

    def fits(self, value: float) -> bool:
        return bool(self.fitting(np.array([value]))[0])

    def fitting(self, values: _FLOATS) -> NDArray[np.bool_]:
        """Return a mask of the values that round to the number; midpoints may round either way."""
        return np.abs(values - self.value) <= 0.5 * 10.0**-self.digits * (1 + 1e-9)


def ways(
    judged: Judged, name: str, base: Profile, published: PrintedNumber, run_queries: int
) -> tuple[list[OtherValue], list[OtherValue]]:
    """Return the values that fit, simplest first, and all values that were tried.

    Tools with their own conventions, counts of queries and single changes of ``base`` are always
    tried; pairs of changes only if none of these fits. ``run_queries`` is the number of queries in
    the run, judged or not.
    """
    start = by_profile(judged, name, base).value
    tried = [
        *_profiles(judged, name, base),
        *_counts(start, run_queries),
        *_switched(judged, name, base, 1),
    ]
    fitting = [way for way in tried if published.fits(way.value)]
    single, single_tried = _single_queries(judged, start, published)
    if not fitting and not single:
        pairs = list(_switched(judged, name, base, 2))
        tried += pairs
        fitting = [way for way in pairs if published.fits(way.value)]
    return fitting + single, tried + single_tried


def _profiles(judged: Judged, name: str, base: Profile) -> Iterator[OtherValue]:
    for profile in (base, *(p for p in PROFILES.values() if p.name != base.name)):
        if head_of(measure_of(name, profile)) not in profile.measures:
            continue
        try:
            value = by_profile(judged, name, profile).mean
        except InputError:  # the tool rejects these files
            if profile is base:
                raise
            continue
        yield OtherValue("profile", f"as {profile.name}", value)


def _counts(values: _FLOATS, run_queries: int) -> Iterator[OtherValue]:
    kept = values[~np.isnan(values)]
    n, total = len(kept), float(kept.sum())
    for extra in range(1, _EXTRA + 1):
        count = f"{counted(extra, 'query')} more"
        yield OtherValue(
            "queries",
            f"{count} in the mean, counting 0 (times {n}/{n + extra})",
            total / (n + extra),
        )
    for lost in range(1, min(_EXTRA, n - 1) + 1):
        count = f"{counted(lost, 'query')} of average value"
        yield OtherValue(
            "queries", f"{count} counted 0 (times {n - lost}/{n})", total / n * ((n - lost) / n)
        )
    if run_queries > n + _EXTRA:
        yield OtherValue(
            "queries",
            f"over all {run_queries:,} queries of the run, those not judged counting 0",
            total / run_queries,
        )


def _single_queries(
    judged: Judged, values: _FLOATS, published: PrintedNumber
) -> tuple[list[OtherValue], list[OtherValue]]:
    """Return the fitting and all tried means without one query, or with the query counted 0."""
    counts = ~np.isnan(values)
    kept, qids = values[counts], judged.zero.qids[counts]
    n, total = len(kept), kept.sum()
    fitting: list[OtherValue] = []
    tried: list[OtherValue] = []
    if n < 2:
        return fitting, tried
    for how, means in (("left out", (total - kept) / (n - 1)), ("counted 0", (total - kept) / n)):
        tried += [
            OtherValue("queries", f"query {qid} {how}", float(mean))
            for qid, mean in zip(qids.tolist(), means, strict=True)
        ]
        fit = np.flatnonzero(published.fitting(means))
        if len(fit):
            more = len(fit) - 1
            which = f"query {qids[fit[0]]}" + (f" or {counted(more, 'other')}" if more else "")
            fitting.append(OtherValue("queries", f"{which} {how}", float(means[fit[0]])))
    return fitting, tried


def _switched(judged: Judged, name: str, base: Profile, changes: int) -> Iterator[OtherValue]:
    head = head_of(measure_of(name, base))
    for conventions in combinations(_SIDES, changes):
        if not all(_applies(convention, head, judged) for convention in conventions):
            continue
        yield from _combined(judged, name, base, conventions)


def _combined(
    judged: Judged, name: str, base: Profile, conventions: tuple[str, ...]
) -> Iterator[OtherValue]:
    todo: list[tuple[Profile, tuple[str, ...]]] = [(base, ())]
    for convention in conventions:
        todo = [
            (replace(profile, **{convention: side}), (*switched, convention))
            for profile, switched in todo
            for side in _SIDES[convention]
            if side != getattr(base, convention)
            and not (side == "rank" and judged.zero.rank is None)
        ]
    for profile, switched in todo:
        how = "; ".join(
            f"{ORDER[convention]}: {base.says(convention)} → {profile.says(convention)}"
            for convention in switched
        )
        try:
            value = by_profile(judged, name, profile).mean
        except InputError:  # no query counts
            continue
        yield OtherValue("conventions", how, value, len(switched))


def _applies(convention: str, head: str, judged: Judged) -> bool:
    if convention in ("gain", "discount"):
        return head in ("nDCG", "DCG")
    if convention == "negative":
        return judged.negative > 0
    return convention != "short" or head == "nDCG"
