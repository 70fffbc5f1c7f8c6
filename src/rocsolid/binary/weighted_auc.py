"""Weighted areas under the ROC curve, with a calibrated and a certified interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, Literal, get_args

from rocsolid.arguments import one_of
from rocsolid.binary.area import Area, curve, plugged_in
from rocsolid.binary.area_estimate import Wording, area_estimate
from rocsolid.binary.area_inference import NAMES
from rocsolid.binary.design import Design
from rocsolid.binary.estimate import Options
from rocsolid.binary.inference import check_name
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.binary.resampling.schemes import Scheme
from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows, binary_rows
from rocsolid.inputs.binary import clustered, unclustered
from rocsolid.results import Alternative, Estimate
from rocsolid.weights import Weight, as_weight, losses
from rocsolid.weights.losses import Loss

Estimator = Literal["curve", "plug-in"]


def weighted_auc(
    y_true: Any,
    y_score: Any,
    *,
    weight: Weight | Callable[[Any], Any],
    estimator: Estimator = "curve",
    loss: Loss | None = None,
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
    """∫ roc(v)·W(1−v) dv, the weighted area of Maurer and Pontil 2020, from 0 to ∫W.

    ``weight`` is one of ``rs.weights``, or a function W(u) of the *true-negative* rate u = 1−v, as
    in the document; a bare function is probed, and then nothing is certified. The estimator "curve"
    (the default) is the area under the completed ROC curve, W integrated exactly over each step;
    "plug-in" is the document's double sum with ``loss`` as ℓ (``rs.weights.losses``; unless given,
    the step, which counts a tie as nothing), and only for it the document's Theorem 2 holds.

    >>> from rocsolid.weights import power
    >>> y, s = [1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5]
    >>> result = weighted_auc(y, s, weight=power(2))
    >>> print(result.measure, round(result.value, 4), round(result.high, 4))
    weighted_auc(power(p=2)) 0.2049 0.3333
    >>> round(weighted_auc(y, s, weight=power(2), estimator="plug-in").value, 4)
    0.3021
    """
    one_of(estimator, get_args(Estimator), "estimator")
    if loss is not None and estimator != "plug-in":
        raise InputError(
            "only the plug-in estimator has a loss",
            where="loss",
            value=loss,
            fix='set estimator="plug-in", or leave the loss out',
        )
    w = as_weight(weight)
    ell = losses.step() if loss is None else loss
    check_name(interval, NAMES)
    options = Options(
        interval, level, alternative, pos_label, lower_is_better, nan,
        Resampling(resamples, seed, scheme), design,
    )  # fmt: skip
    rows = binary_rows(
        y_true, y_score, sample_weight=sample_weight, frequency=frequency, cluster=cluster,
        pos_label=pos_label, lower_is_better=lower_is_better, nan=nan,
    )  # fmt: skip
    if estimator == "curve":
        area = curve(unclustered(rows), w)
        return weighted_estimate(area, options, w, rows.omitted, clustered=clustered(rows))
    area = plugged_in(unclustered(rows), w, ell)
    return weighted_estimate(area, options, w, rows.omitted, ell, clustered(rows))


def weighted_estimate(
    area: Area,
    options: Options,
    weight: Weight,
    omitted: int,
    loss: Loss | None = None,
    clustered: BinaryRows | None = None,
) -> Estimate:
    """The estimate from a raw area; ``loss`` is that of the plug-in estimator."""
    text = weight_text(weight)
    wording = Wording(
        f"weighted_auc({text})",
        f"The area under the ROC curve, weighted by {text}, is {{value}}, out of "
        f"{weight.l1_norm:.6g}.",
        # a random score's curve is the diagonal, whose area is the average of K
        float(weight.mean_integral(0.0, 1.0)),
        {
            "weight": text,
            "estimator": "curve" if loss is None else "plug-in",
            "loss": None if loss is None else weight_text(loss),
        },
    )
    return area_estimate(area, options, wording, float, omitted, clustered)


def weight_text(described: Weight | Loss) -> str:
    """The description as its constructor would be called."""
    kind = type(described).__name__.removesuffix("Loss")
    if not is_dataclass(described) or kind == "CallableWeight":
        return "a function of the true-negative rate"
    parts = ((f.name, getattr(described, f.name)) for f in fields(described))
    given = (f"{n}={v:g}" if isinstance(v, float | int) else f"{n}={v}" for n, v in parts)
    words = "".join(f"_{c.lower()}" if c.isupper() else c for c in kind).lstrip("_")
    return f"{words}({', '.join(given)})"
