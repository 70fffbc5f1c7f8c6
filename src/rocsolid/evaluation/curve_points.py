"""The operating points that a page names on a curve, and how each was chosen, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rocsolid.binary.operating_point import OperatingPoint
from rocsolid.binary.roc import Roc
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.tables import NoSuchPoint
from rocsolid.remarks.values import ClusteredPoint
from rocsolid.report import CutPoint
from rocsolid.results import percent

FALSE_ALARMS = (0.01, 0.05, 0.1)
FOUND = 0.9
_CRITERIA = {
    "threshold": "Given beforehand",
    "youden": "Largest sensitivity plus specificity (Youden)",
    "closest-topleft": "Closest to the top left corner",
    "cost": "Least expected cost",
}


def usual_points(
    curve: Roc, level: float, *, clustered: bool = False
) -> tuple[tuple[CutPoint, ...], tuple[Remark, ...]]:
    """Thresholds that flag at most 1, 5 and 10 % of the negatives, that find 90 % of the positives,
    and that are best by Youden's index; and what cannot be given, in sentences.

    A share of negatives that comes to less than one row is not told from none. Points that share
    their threshold are one point.

    >>> import numpy as np, rocsolid as rs
    >>> ill = np.arange(60) % 2
    >>> points, missing = usual_points(rs.roc(ill, np.arange(60) % 37 + 20 * ill), 0.95)
    >>> [point.chosen for point in points][:2]
    ['At most 5 % of the negatives flagged', 'At most 10 % of the negatives flagged']
    >>> missing
    ('30 negatives are too few for a false-positive rate of 1 %.',)
    """
    negatives = curve.counts.n_neg
    known = [rate for rate in FALSE_ALARMS if curve.weighted or rate * negatives >= 1.0]
    few = [percent(rate) for rate in FALSE_ALARMS if rate not in known]
    missing: list[Remark] = []
    if few:
        rows = "1 negative is" if negatives == 1 else f"{int(negatives):,} negatives are"
        missing.append(NoSuchPoint(f"{rows} too few for a false-positive rate of {_listed(few)}"))
    candidates = [
        *((_at_most(rate), curve.at(fpr=rate, level=level)) for rate in known),
        (_at_least(FOUND), curve.at(tpr=FOUND, level=level)),
        (_CRITERIA["youden"], curve.best(level=level)),
    ]
    points = []
    for chosen, point in candidates:
        if math.isfinite(point.threshold):
            points.append((chosen, point))
        else:
            why = f"{chosen}: that takes a threshold beyond all scores, flagging nothing"
            missing.append(NoSuchPoint(why))
    return named_points(points, clustered=clustered), tuple(missing)


def asked_points(points: Sequence[OperatingPoint]) -> tuple[CutPoint, ...]:
    """Points that were requested one by one."""
    return named_points([(_CRITERIA[point.chosen], point) for point in points])


def named_points(
    points: Sequence[tuple[str, OperatingPoint]], *, clustered: bool = False
) -> tuple[CutPoint, ...]:
    """In order; those that are the same threshold, found by different ways, in one."""
    merged: dict[tuple[float, bool], tuple[list[str], OperatingPoint]] = {}
    for chosen, point in points:
        # a threshold that was fixed beforehand has intervals of another kind
        key = (point.threshold, point.chosen == "threshold")
        merged.setdefault(key, ([], point))[0].append(chosen)
    return tuple(_plain("; ".join(chosen), point, clustered) for chosen, point in merged.values())


def _plain(chosen: str, point: OperatingPoint, clustered: bool) -> CutPoint:
    known = None if clustered else point.intervals
    if not known:
        warnings = (ClusteredPoint(drawn=True),) if clustered else point.warnings
        return CutPoint(chosen, point.threshold, point.tpr, point.fpr, warnings=warnings)
    tpr, fpr = known["tpr"], known["fpr"]
    return CutPoint(
        chosen,
        point.threshold,
        point.tpr,
        point.fpr,
        (tpr.low, tpr.high),
        (fpr.low, fpr.high),
        tpr.level,
        tpr.method,
        point.warnings,
    )


def _at_most(rate: float) -> str:
    return f"At most {percent(rate)} of the negatives flagged"


def _at_least(rate: float) -> str:
    return f"At least {percent(rate)} of the positives found"


def _listed(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
