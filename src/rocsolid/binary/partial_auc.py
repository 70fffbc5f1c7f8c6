"""Partial areas under the ROC curve, with a calibrated and a certified interval."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from rocsolid.binary.area import Area, box_area, curve
from rocsolid.binary.area_estimate import Wording, area_estimate
from rocsolid.binary.area_inference import NAMES
from rocsolid.binary.design import Design
from rocsolid.binary.estimate import Options
from rocsolid.binary.inference import check_name
from rocsolid.binary.partial_area import Rates, Region, Scale, rescaled
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.binary.resampling.schemes import Scheme
from rocsolid.inputs import BinaryRows, binary_rows
from rocsolid.inputs.binary import clustered, unclustered
from rocsolid.results import Alternative, Estimate
from rocsolid.weights import step

_ALL = (0.0, 1.0)


def partial_auc(
    y_true: Any,
    y_score: Any,
    *,
    fpr: Rates | None = None,
    tpr: Rates | None = None,
    scale: Scale = "raw",
    sample_weight: Any = None,
    frequency: Any = None,
    cluster: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    interval: str = "auto",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    resamples: int = 2000,
    seed: int = 0,
    scheme: Scheme | None = None,
    design: Design = None,
) -> Estimate:
    """The area under the ROC curve over a region of rates, which must be named.

    ``fpr=0.05`` means false-positive rates up to 5 %, ``tpr=0.9`` true-positive rates from 90 % on,
    a pair both ends, and both together a box. ``scale`` is "raw" (the area, at most that of the
    region), "mean" (divided by it: the mean height of the curve, or for ``tpr`` alone the mean
    specificity) or "mcclish" (one half at random, one at best; McClish 1989, scikit-learn's
    ``max_fpr``). Tied scores are straight segments of the curve, also where the region cuts them.
    Rows that share a ``cluster`` may depend on each other in any way: the interval is then
    calibrated for clusters and nothing is certified. This is the weighted area of Maurer and
    Pontil (2020) with W = 1 at u = 1−FPR in the region.

    ``interval`` is "auto", "logit-t", "wald", a bootstrap ("bootstrap", "bootstrap-percentile",
    "bootstrap-bca" or "bootstrap-logit"; ``resamples``, ``seed`` and ``scheme`` are for those, see
    `rocsolid.auc`) or a guarantee by name; ``certified`` comes with it whatever is requested; under
    weights it needs ``design="fixed"``, see `rocsolid.auc`.

    >>> y = [1, 0, 1, 1, 0, 0, 0]
    >>> result = partial_auc(y, [8, 5, 3, 3, 1, -3, -5], fpr=0.5)
    >>> print(result)
    partial_auc(fpr<=0.5) 0.33333, [0.00005, 0.49999] at 95 % (auto (hull)), certified ...
    >>> round(partial_auc(y, [8, 5, 3, 3, 1, -3, -5], fpr=0.5, scale="mcclish").value, 4)
    0.7778
    """
    region = Region.of(fpr, tpr)
    check_name(interval, NAMES)
    options = Options(
        interval, level, alternative, lower_is_better, nan, pos_label,
        Resampling(resamples, seed, scheme), design,
    )  # fmt: skip
    rescaled(
        0.0, region, scale
    )  # an unknown scale, or one that does not exist here, is refused before any work
    rows = binary_rows(
        y_true, y_score, sample_weight=sample_weight, frequency=frequency, cluster=cluster,
        pos_label=pos_label, lower_is_better=lower_is_better, nan=nan,
    )  # fmt: skip
    area = region_area(unclustered(rows), region)
    return partial_estimate(area, options, region, scale, rows.omitted, clustered(rows))


def region_area(rows: BinaryRows, region: Region) -> Area:
    """The raw area of a region: of a step along one axis, or of a box."""
    if region.tpr == _ALL:
        return curve(rows, step(*region.fpr))
    if region.fpr == _ALL:
        return curve(rows, step(*region.tpr, axis="tpr"))
    return box_area(rows, region)


def partial_estimate(
    area: Area,
    options: Options,
    region: Region,
    scale: Scale,
    omitted: int,
    clustered: BinaryRows | None = None,
) -> Estimate:
    """The estimate from the raw area of a region; see `area_estimate`."""
    wording = Wording(
        f"partial_auc({region})",
        _meaning(region, scale),
        region.diagonal,
        {"fpr": list(region.fpr), "tpr": list(region.tpr), "scale": scale, "estimator": "curve"},
    )
    on_scale = partial(rescaled, region=region, scale=scale)
    return area_estimate(area, options, wording, on_scale, omitted, clustered)


def _meaning(region: Region, scale: Scale) -> str:
    if scale == "raw":
        return f"The area under the ROC curve for {region} is {{value}}, out of {region.maximum:g}."
    if scale == "mcclish":
        return (
            f"On McClish's scale, where one half is chance and one is perfect, the area under the "
            f"ROC curve for {region} is {{value}}."
        )
    if region.tpr == _ALL:
        return f"For {region} the true-positive rate is {{percent}} on average."
    if region.fpr == _ALL:
        return f"For {region} the true-negative rate is {{percent}} on average."
    return f"The ROC curve has {{percent}} of the box {region} under it."
