"""Intervals of the AUC, and the declarations that certified intervals need."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.resampling.auc import auc_bootstrap
from rocsolid.binary.resampling.interval import NAMES as BOOTSTRAPS
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.intervals.calibrated.auto import METHODS as CALIBRATED
from rocsolid.intervals.calibrated.auto import hull_share, within
from rocsolid.intervals.guarantees.berry_esseen import berry_esseen_of
from rocsolid.intervals.guarantees.best import of_sizes
from rocsolid.intervals.guarantees.betting import betting, e_value
from rocsolid.intervals.guarantees.clustered import clustered_from, squared_shares, weighted_from
from rocsolid.intervals.guarantees.cuts import CLAIM as CUTS
from rocsolid.intervals.guarantees.cuts import cuts_inside, cuts_of
from rocsolid.intervals.guarantees.hinge import hinge
from rocsolid.intervals.guarantees.hoeffding import hoeffding, kl, mcdiarmid
from rocsolid.intervals.guarantees.matchings import matchings_of
from rocsolid.parameters import Design as Design
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.rows import UndeclaredDesign
from rocsolid.results import Alternative
from rocsolid.results.interval import CLUSTERS, CURVE, NOTHING, ROWS, WEIGHTS, Interval, Reads
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.moments import Moments


def check_design(design: Design) -> None:
    if design not in (None, "fixed"):
        raise InputError(
            "unknown design",
            where="design",
            value=design,
            fix='write design="fixed" if the weights and the sizes of the clusters were fixed '
            "without regard to the scores, or leave it out",
        )


def certifiable(summary: BinarySummary, design: Design) -> bool:
    """Whether rows can have a certified interval under the declared design.

    McDiarmid's bounds are for the expectation of the estimate given weights and sizes. The
    expectation differs from the population's AUC if weights depend on the scores within a class, or
    if scores depend on the sizes of clusters. The data cannot exclude this, so a declaration is
    needed. Equal weights need it too: if heavy rows are rare, a sample may contain none.
    """
    return design == "fixed" or (summary.squared_shares is None and not summary.evened)


def undeclared(summary: BinarySummary, design: Design) -> list[Remark]:
    """A remark on why there is no certified interval, with the declaration to make."""
    return [] if certifiable(summary, design) else [UndeclaredDesign(*_needed(*_facts(summary)))]


def _facts(summary: BinarySummary) -> tuple[bool, bool]:
    return summary.weighted or summary.evened, summary.clusters is not None


def _needed(weighted: bool, clustered: bool) -> tuple[str, str]:
    """The dependence that would invalidate a certificate, and what the design must fix."""
    if not clustered:
        what, fixed = "weights that go with the scores", "the weights were"
    elif weighted:
        what, fixed = "weights or sizes of clusters that go with the scores", "both were"
    else:
        what, fixed = "sizes of clusters that go with the scores", "the sizes were"
    return what, fixed


def refuse_undeclared(summary: BinarySummary, design: Design, name: str) -> None:
    if not certifiable(summary, design):
        raise undeclared_design(*_facts(summary), name)


def undeclared_design(weighted: bool, clustered: bool, name: str) -> UnsoundError:
    return UnsoundError(
        f"No certified interval, because it would be wrong for {_needed(weighted, clustered)[0]}",
        where="interval",
        value=name,
        fix='say design="fixed" if the design fixed them, or use interval="auto"',
    )


# guarantees from the AUC and the class sizes
_FROM_SIZES: dict[str, Callable[..., Interval]] = {
    "hinge": hinge,
    "kl": kl,
    "hoeffding-blocks": hoeffding,
    "hoeffding": hoeffding,
    "mcdiarmid": mcdiarmid,
}

# guarantees from the placements of the smaller class
_FROM_PLACEMENTS: dict[str, Callable[..., Interval]] = {"e-value": e_value, "betting": betting}
OF_PLACEMENTS = tuple(_FROM_PLACEMENTS)

# methods for weighted or clustered rows
FOR_SHARES = ("auto", "delong", "logit-t", *BOOTSTRAPS, "mcdiarmid")

NAMES = (
    *CALIBRATED,
    *BOOTSTRAPS,
    *_FROM_SIZES,
    "cuts",
    "matchings",
    "berry-esseen",
    *_FROM_PLACEMENTS,
)


def check_name(name: str, names: Sequence[str] = NAMES) -> None:
    if name not in names:
        close = difflib.get_close_matches(str(name), names, n=1)
        raise InputError(
            "unknown interval",
            value=name,
            fix=f"{f'use {close[0]!r}, or another' if close else 'use one'} of {', '.join(names)}",
        )


def asked_interval(
    summary: BinarySummary,
    name: str,
    level: float,
    alternative: Alternative,
    rows: BinaryRows | None = None,
    resampling: Resampling | None = None,
    design: Design = None,
) -> Interval:
    if summary.squared_shares is not None and name not in FOR_SHARES:
        raise UnsoundError(
            f"the interval {name!r} holds for independent rows of equal weight only",
            where="sample_weight" if summary.clusters is None else "cluster",
            fix=f"use interval= one of {', '.join(FOR_SHARES)}",
        )
    if name in BOOTSTRAPS:
        if rows is None:
            raise UnsoundError(
                f"the interval {name!r} resamples rows, which are not available here",
                where="interval",
                fix='use interval="auto"',
            )
        return auc_bootstrap(rows, summary, name, level, alternative, resampling or Resampling())
    if name in CALIBRATED:
        return _calibrated(summary, name, level, alternative)
    refuse_undeclared(summary, design, name)
    if summary.squared_shares is not None:
        return _of_shares(summary, 1.0 - level, alternative)
    return _guaranteed(summary, name, 1.0 - level, alternative)


def certificate(
    summary: BinarySummary, level: float, alternative: Alternative, design: Design = None
) -> Interval | None:
    """The tightest interval that is valid for every distribution with such rows.

    Weighted or clustered rows have none unless the design is declared.
    """
    if not certifiable(summary, design):
        return None
    if summary.squared_shares is None:
        return plain_certificate(summary, level, alternative)
    return _of_shares(summary, 1.0 - level, alternative)


def plain_certificate(summary: BinarySummary, level: float, alternative: Alternative) -> Interval:
    """The certificate of independent rows of equal weight, which always exists."""
    return _guaranteed(summary, certificate_name(summary), 1.0 - level, alternative)


def certificate_name(summary: BinarySummary) -> str:
    name = of_sizes(summary.n_pos, summary.n_neg)
    if name == "berry-esseen" or summary.classes is not None or summary.board is not None:
        return name
    return "hinge"


def plain_is_shorter_in_memory(summary: BinarySummary) -> bool:
    """Whether `plain_certificate` of streamed rows has to use another method than in memory."""
    plain = summary.squared_shares is None
    return plain and certificate_name(summary) != of_sizes(summary.n_pos, summary.n_neg)


def cut_inside(
    summary: BinarySummary, interval: Interval, level: float, alternative: Alternative
) -> Interval | None:
    """The default interval cut to `cuts`; ``None`` if the rows have another certificate."""
    if summary.squared_shares is not None or certificate_name(summary) != "cuts":
        return None
    limits = cuts_inside(
        summary.board, summary.classes, interval.low, interval.high, 1.0 - level, alternative
    )
    return within(interval, CUTS.interval(limits, 1.0 - level), summary.auc)


def _of_shares(summary: BinarySummary, delta: float, alternative: Alternative) -> Interval:
    if summary.clusters is not None and summary.squared_shares is not None:
        return clustered_from(summary.auc, summary.squared_shares, delta, alternative)
    m, n = (float(np.asarray(size)) for size in (summary.moments.n_pos, summary.moments.n_neg))
    return weighted_from(summary.auc, m, n, delta, alternative)


def _guaranteed(
    summary: BinarySummary, name: str, delta: float, alternative: Alternative
) -> Interval:
    m, n = summary.n_pos, summary.n_neg
    if name in _FROM_SIZES:
        return _FROM_SIZES[name](summary.auc, m, n, delta, alternative)
    if name == "cuts":
        return cuts_of(summary.board, summary.classes, delta, alternative)
    if name == "matchings":
        return matchings_of(summary.board, summary.classes, summary.auc, delta, alternative)
    if name == "berry-esseen":
        at_hand = summary.classes is not None or summary.board is not None
        outer = _guaranteed(summary, "matchings" if at_hand else "hinge", delta, alternative)
        return berry_esseen_of(summary.moments, outer, delta, alternative)
    placements = summary.smaller_placements()
    return _FROM_PLACEMENTS[name](placements, m, n, delta, alternative)


def beside(summary: BinarySummary) -> Reads:
    weights = WEIGHTS if summary.weighted else NOTHING
    return weights | (NOTHING if summary.clusters is None else CLUSTERS)


def of_curve(summary: BinarySummary) -> Reads:
    """The data that an interval from influences reads: the curve, if rows count equally.

    Otherwise it matters which of several tied rows is positive.
    """
    return ROWS if summary.weighted or summary.clusters is not None else CURVE


def auto_name(moments: Moments) -> NDArray[np.str_]:
    share = hull_share(moments)
    between = np.where(share > 0.0, "auto (logit-t and hull)", "auto (logit-t)")
    return np.where(share == 1.0, "auto (hull)", between)


def _calibrated(
    summary: BinarySummary, name: str, level: float, alternative: Alternative
) -> Interval:
    method = CALIBRATED[name]
    moments = summary.calibrated_moments
    low, high = method.limits(moments, level, alternative)
    assumptions = method.assumptions
    if summary.clusters is not None:
        assumptions = (
            "clusters are independent; rows within a cluster may depend on each other in any way",
            *assumptions[1:],
        )
    if summary.weighted:
        assumptions += ("weights fixed without regard to the scores; sizes are effective sizes",)
    return Interval(
        float(low),
        float(high),
        level,
        auto_name(moments).item() if name == "auto" else name,
        assumptions=assumptions,
        source=method.source,
        reads=method.reads | beside(summary),
    )


def shares_of_units(rows: BinaryRows) -> float:
    """Return `squared_shares` of the clusters, or of the rows without clusters."""
    return squared_shares(*_shares_by_class(rows))


def units_of(rows: BinaryRows) -> NDArray[np.float64] | None:
    """The share of each cluster in the value, summed over classes; ``None`` without clusters."""
    if rows.cluster is None:
        return None
    pos, neg = _shares_by_class(rows)
    return np.asarray(pos / pos.sum() + neg / neg.sum())


def _shares_by_class(rows: BinaryRows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    share = np.ones(len(rows)) if rows.weight is None else rows.weight
    unit = np.arange(len(rows)) if rows.cluster is None else rows.cluster
    pos, neg = (
        np.bincount(unit[of_class], share[of_class], int(unit.max()) + 1).astype(np.float64)
        for of_class in (rows.positive, ~rows.positive)
    )
    return pos, neg
