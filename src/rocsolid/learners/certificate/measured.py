"""A measure's value with a guarantee, by the function that anybody would call for it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area_inference import CERTIFIED as AREA_BOUNDS
from rocsolid.binary.inference import asked_interval, certificate
from rocsolid.binary.measure_name import measure as binary_measure
from rocsolid.binary.partial_auc import partial_auc
from rocsolid.binary.weighted_auc import weighted_auc
from rocsolid.engines.memory import summarise
from rocsolid.errors import InputError, UnsoundError
from rocsolid.graded.estimate import averaged, measured
from rocsolid.graded.measure import Measure
from rocsolid.graded.measure_name import is_of_lists
from rocsolid.graded.measure_name import measure as list_measure
from rocsolid.graded.measure_options import Conventions
from rocsolid.graded.options import Options
from rocsolid.inputs import BinaryRows, binary_rows
from rocsolid.inputs.graded_rows import graded_rows
from rocsolid.inputs.wanted import nearest
from rocsolid.results import Alternative, Estimate, Interval
from rocsolid.weights import Weight

AUC_BOUNDS = ("hinge", "kl", "hoeffding", "mcdiarmid", "e-value", "betting")
MEAN_BOUNDS = ("betting", "hinge", "kl", "hoeffding")
_DIAGONAL = "The area is below that of the diagonal"  # begins a warning worth keeping


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be certified and how; ``delta`` is that of one candidate."""

    measure: str | Weight | Measure
    bound: str
    delta: float
    alternative: Alternative

    @property
    def of_lists(self) -> bool:
        return is_of_lists(self.measure)

    @property
    def level(self) -> float:
        """1 − delta, rounded up where it has to be rounded."""
        level = 1.0 - self.delta
        return level if 1.0 - level <= self.delta else math.nextafter(level, 1.0)

    def check(self) -> None:
        """Refuse a measure and a bound that do not exist, before any scorer is asked."""
        if self.of_lists:
            if isinstance(self.measure, str):
                list_measure(self.measure)
            _check_bound(self.bound, MEAN_BOUNDS)
        elif isinstance(self.measure, Weight):
            _check_bound(self.bound, AREA_BOUNDS)
        else:
            whole = binary_measure(str(self.measure)).region is None
            _check_bound(self.bound, AUC_BOUNDS if whole else AREA_BOUNDS)


@dataclass(frozen=True, slots=True)
class Found:
    """A value with its guarantee; ``chance`` is the value of a score that ranks at random."""

    measure: str
    value: float
    interval: Interval
    counts: Mapping[str, int]
    chance: float | None = None
    warnings: tuple[str, ...] = ()


def of_pairs(
    asked: Asked,
    y: Any,
    score: NDArray[Any],
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
) -> Found:
    """The AUC, or a partial or weighted area under the ROC curve."""
    how_to_read: dict[str, Any] = {
        "sample_weight": sample_weight,
        "pos_label": pos_label,
        "lower_is_better": lower_is_better,
    }
    options: dict[str, Any] = {
        "level": asked.level,
        "alternative": asked.alternative,
        "interval": asked.bound,
    }
    if isinstance(asked.measure, Weight):
        _no_clusters(cluster)
        found = weighted_auc(y, score, weight=asked.measure, **how_to_read, **options)
        return _of_area(found, asked)
    named = binary_measure(str(asked.measure))
    if named.region is None:
        return _of_auc(binary_rows(y, score, cluster=cluster, **how_to_read), asked)
    _no_clusters(cluster)
    region = named.region
    found = partial_auc(
        y, score, fpr=region.fpr, tpr=region.tpr, scale=named.scale, **how_to_read, **options
    )
    return _of_area(found, asked)


def of_queries(
    asked: Asked, y: Any, score: NDArray[Any], qid: Any, *, lower_is_better: bool = False
) -> Found:
    """The mean over queries of a measure of ranked lists."""
    bound = MEAN_BOUNDS[0] if asked.bound == "auto" else asked.bound
    options = Options(
        lower_is_better=lower_is_better,
        interval=bound,
        level=asked.level,
        alternative=asked.alternative,
    )
    rows = graded_rows(y, score, qid=qid, lower_is_better=lower_is_better)
    top = float(np.nanmax(rows.relevance, initial=1.0))
    one = (
        asked.measure
        if isinstance(asked.measure, Measure)
        else list_measure(str(asked.measure), Conventions(max=top))
    )
    if not math.isfinite(one.range[1]):
        raise UnsoundError(
            f"{one.name} has no upper end, so no guarantee for its mean is known",
            where="measure",
            fix="certify a measure with values in [0, 1], such as ndcg",
        )
    found = averaged(measured(rows, [one], options.ties)[0], options)
    warnings: tuple[str, ...] = ()
    if found.n_excluded:
        warnings = (
            f"{found.n_excluded:,} of {len(found.qids):,} queries have no {found.without} and "
            "are left out: the certificate speaks of queries that have one.",
        )
    return Found(
        found.measure, found.value, found.interval, {"n_queries": found.n_queries},
        warnings=warnings,
    )  # fmt: skip


def _of_auc(rows: BinaryRows, asked: Asked) -> Found:
    """As `rocsolid.auc` certifies it, without the calibrated interval."""
    summary = summarise(rows)
    interval = (
        certificate(summary, asked.level, asked.alternative)
        if asked.bound == "auto"
        else asked_interval(summary, asked.bound, asked.level, asked.alternative)
    )
    return Found("AUC", summary.auc, interval, _sizes(summary.n_pos, summary.n_neg), 0.5)


def _sizes(n_pos: int, n_neg: int) -> dict[str, int]:
    return {"n_pos": n_pos, "n_neg": n_neg}


def _of_area(found: Estimate, asked: Asked) -> Found:
    interval = found.certified if asked.bound == "auto" else found.interval
    if interval is None or not interval.certified:
        raise UnsoundError(
            "no guarantee is known for this measure of these rows",
            where="measure",
            value=found.measure,
            fix="name a step or a Lipschitz weight of rs.weights, and give no sample_weight with "
            "other weights",
        )
    return Found(
        found.measure,
        found.value,
        interval,
        _sizes(found.n_pos, found.n_neg),
        found.chance,
        tuple(said for said in found.warnings if said.startswith(_DIAGONAL)),
    )


def _check_bound(bound: str, known: Sequence[str]) -> None:
    if bound in ("auto", *known):
        return
    near = nearest(str(bound), known)
    raise InputError(
        "no guarantee of this name for this measure",
        where="bound",
        value=bound,
        fix=f"{f'use {near!r}, or another' if near else 'use one'} of {', '.join(known)}, or "
        '"auto"',
    )


def _no_clusters(cluster: Any) -> None:
    if cluster is not None:
        raise UnsoundError(
            "no guarantee is known for this area of clustered rows",
            where="cluster",
            fix='certify measure="auc", or one row of each cluster',
        )
