"""What a reader should know before quoting an AUC."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np

from rocsolid.binary.design import Design, undeclared
from rocsolid.intervals.calibrated.auto import near_boundary
from rocsolid.intervals.calibrated.logit_t import degrees_of_freedom
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.rows import (
    BOOTSTRAP_LIMITS,
    FEW,
    BootstrapNearEnd,
    FewClusters,
    FewEffectiveRows,
    FewRows,
    HeavyRows,
    ManyTies,
    MissingScores,
    ReversedScore,
    UnevenClusters,
    UnseenHeavyRows,
)
from rocsolid.results import Interval
from rocsolid.summaries.binary_summary import BinarySummary

_ROUNDING = 1e-9  # of a sum of shares of weights
MANY_TIES = 0.05


def of_auc(
    summary: BinarySummary, interval: Interval, deciding: Interval, design: Design
) -> tuple[Remark, ...]:
    """Sentences on uneven weights, many ties and a reversed score."""
    return (
        *uneven(summary),
        *undeclared(summary, design),
        *of_ties(summary.ties, summary.n_pos, summary.n_neg),
        *reversed_score(deciding),
        *bootstrap_doubts(interval, bool(near_boundary(summary.moments))),
    )


def bootstrap_doubts(asked: Interval, near: bool) -> list[Remark]:
    """What limits a bootstrap ``near`` an end of the range; see the page on intervals."""
    return [BootstrapNearEnd(asked.method)] if near and asked.method in BOOTSTRAP_LIMITS else []


def missing_rows(omitted: int) -> list[Remark]:
    return [MissingScores(omitted)] if omitted else []


def few_rows(summary: BinarySummary, certified: bool) -> list[Remark]:
    """Classes that are small, in rows or in what their weights leave of them, and few clusters."""
    sizes = {"positive": summary.n_pos, "negative": summary.n_neg}
    few: list[Remark] = [
        FewRows(size, name, certified) for name, size in sizes.items() if size < FEW
    ]
    effective = {"positive": summary.moments.n_pos, "negative": summary.moments.n_neg}
    if summary.weighted and summary.clusters is None:
        few += [
            FewEffectiveRows(float(size), name, certified)
            for name, size in effective.items()
            if size < FEW - _ROUNDING and sizes[name] >= FEW
        ]
    if summary.clusters is not None and summary.clusters < 3 * FEW:
        few.append(FewClusters(summary.clusters, certified))
    return few


def uneven(summary: BinarySummary) -> list[Remark]:
    """Where a few heavy rows or large clusters carry most of what the estimate varies by."""
    moments = summary.moments
    if moments.units is not None and moments.units.unseen > 0.0:
        return [UnseenHeavyRows()]
    if moments.units is None or not np.asarray(moments.variance) > 0.0:
        return []
    effective = 1.0 + float(degrees_of_freedom(moments))
    if not effective < 3 * FEW:
        return []
    if summary.clusters is not None:
        enough = summary.clusters >= 3 * FEW
        return [UnevenClusters(summary.clusters, effective)] if enough else []
    rows = replace(moments, n_pos=summary.n_pos, n_neg=summary.n_neg, units=None)
    if effective > 0.5 * float(degrees_of_freedom(rows)):
        return []
    return [HeavyRows(effective)]


def of_ties(ties: int, n_pos: int, n_neg: int) -> list[Remark]:
    share = ties / (n_pos * n_neg)
    return [ManyTies(share)] if share > MANY_TIES else []


class _Limit(Protocol):
    @property
    def high(self) -> float: ...


def reversed_score(asked: _Limit) -> list[Remark]:
    """The warning where even the upper limit is below one half."""
    return [ReversedScore()] if asked.high < 0.5 else []
