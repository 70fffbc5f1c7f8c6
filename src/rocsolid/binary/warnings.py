"""What a reader should know before quoting an AUC."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np

from rocsolid.binary.design import Design, undeclared
from rocsolid.intervals.calibrated.auto import near_boundary
from rocsolid.intervals.calibrated.logit_t import degrees_of_freedom
from rocsolid.results import Interval
from rocsolid.results.doubt import Doubt
from rocsolid.summaries.binary_summary import BinarySummary

FEW = 10
_ROUNDING = 1e-9  # of a sum of shares of weights
MANY_TIES = 0.05


class CountWarning(str):
    """A warning whose only figures are numbers of rows or clusters: the class sizes tell them."""

    __slots__ = ()


class CountDoubt(CountWarning, Doubt):
    """Such a warning that leaves the decision to the certified interval."""

    __slots__ = ()


def of_auc(
    summary: BinarySummary, interval: Interval, deciding: Interval, design: Design
) -> tuple[str, ...]:
    """Sentences on uneven weights, many ties and a reversed score."""
    return (
        *uneven(summary),
        *undeclared(summary, design),
        *of_ties(summary.ties, summary.n_pos, summary.n_neg),
        *reversed_score(deciding),
        *bootstrap_doubts(interval, bool(near_boundary(summary.moments))),
    )


def bootstrap_doubts(asked: Interval, near: bool) -> list[str]:
    """What limits a bootstrap ``near`` an end of the range; see the page on intervals."""
    doubt = _BOOTSTRAP_DOUBTS.get(asked.method) if near else None
    few = f"The scores misplace fewer than {FEW} rows of the smaller class"
    return [] if doubt is None else [f"{few}: {doubt}"]


_USE = 'use interval="auto" or "bootstrap".'
_BOOTSTRAP_DOUBTS = {
    "bootstrap-percentile": f"percentiles cover the truth too seldom there; {_USE}",
    "bootstrap-bca": f"BCa covers the truth too seldom there; {_USE}",
    "bootstrap-logit": "a limit of 0 or 1 says that too many resamples are perfect to find it; "
    + _USE,
    "bootstrap (hull)": "no bootstrap alone covers well there, so this is the hull of one and of "
    'interval="auto".',
}


def missing_rows(omitted: int) -> list[CountWarning]:
    if not omitted:
        return []
    rows = "1 row was" if omitted == 1 else f"{omitted:,} rows were"
    return [CountWarning(f"{rows} left out because the score is missing.")]


def few_rows(summary: BinarySummary, certified: bool) -> list[str]:
    """Classes that are small, in rows or in what their weights leave of them, and few clusters."""
    rely = ": rely on the certified interval" if certified else ""
    need = f"the calibrated interval needs more (about {3 * FEW})"
    sizes = {"positive": summary.n_pos, "negative": summary.n_neg}
    of_counts, of_shares = (CountDoubt, Doubt) if certified else (CountWarning, str)
    said: list[str] = [
        of_counts(f"Only {size} {name} row{'s' if size > 1 else ''}{rely}.")
        for name, size in sizes.items()
        if size < FEW
    ]
    effective = {"positive": summary.moments.n_pos, "negative": summary.moments.n_neg}
    if summary.weighted and summary.clusters is None:
        said += [
            of_shares(
                f"The weights leave the {name} rows worth {float(size):.1f} of equal weight{rely}."
            )
            for name, size in effective.items()
            if size < FEW - _ROUNDING and sizes[name] >= FEW
        ]
    if summary.clusters is not None and summary.clusters < 3 * FEW:
        noun = "cluster" if summary.clusters == 1 else "clusters"
        certain = "; rely on the certified one" if rely else ""
        said.append(of_counts(f"Only {summary.clusters} {noun}: {need}{certain}."))
    return said


def uneven(summary: BinarySummary) -> list[str]:
    """Where a few heavy rows or large clusters carry most of what the estimate varies by."""
    moments = summary.moments
    if moments.units is not None and moments.units.unseen > 0.0:
        return [
            "A class has no row as heavy as those that carry most of the other's weight: the "
            "sample may have missed them. The default interval allows for one such row."
        ]
    if moments.units is None or not np.asarray(moments.variance) > 0.0:
        return []
    worth = 1.0 + float(degrees_of_freedom(moments))
    if not worth < 3 * FEW:
        return []
    if summary.clusters is not None:
        return [
            f"{summary.clusters} clusters as uneven as these are worth about {worth:.0f} of equal "
            f"size: the calibrated interval needs more (about {3 * FEW})."
        ] * (summary.clusters >= 3 * FEW)
    rows = replace(moments, n_pos=summary.n_pos, n_neg=summary.n_neg, units=None)
    if worth > 0.5 * float(degrees_of_freedom(rows)):
        return []
    return [
        f"A few heavy rows carry the estimate, whose error is known as from {worth:.0f} rows of "
        "equal weight. If heavy rows are rare, a sample can miss them all: then the interval is "
        "too short, and nothing shows it."
    ]


def of_ties(ties: int, n_pos: int, n_neg: int) -> list[str]:
    share = ties / (n_pos * n_neg)
    if share <= MANY_TIES:
        return []
    tied = f"{100 * share:.3g} %"
    return [f"{tied} of the pairs of a positive and a negative are tied; a tie counts half."]


class _Limit(Protocol):
    @property
    def high(self) -> float: ...


def reversed_score(asked: _Limit) -> list[str]:
    """The warning where even the upper limit is below one half."""
    if asked.high >= 0.5:
        return []
    return [
        "Positives are ranked below negatives more often than not: if low scores mean positive, "
        "say so by lower_is_better, as the direction is never guessed."
    ]
