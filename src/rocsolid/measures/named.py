"""The table of measures of two classes, and the one parser of their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MappingProxyType

from rocsolid.checks import nearest
from rocsolid.errors import InputError
from rocsolid.measures import (
    at_cut,
    curve_rate,
    early_gain,
    partial_area,
    predictive_value,
    top_measure,
    weighted_area,
    whole_area,
)
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.weighted_area import WeightedArea
from rocsolid.weights import Weight

Parser = Callable[[str, str | None], BinaryMeasure]

KINDS: MappingProxyType[str, tuple[Parser, str]] = MappingProxyType(
    {
        "auc": (whole_area.parse, "auc"),
        "partial_auc": (partial_area.parse, "partial_auc(fpr<=0.05)"),
        "weighted_auc": (weighted_area.parse, "weighted_auc(power(2))"),
        "sensitivity": (curve_rate.parse, "sensitivity(specificity=0.9)"),
        "recall": (curve_rate.parse, "recall(fpr=0.1)"),
        "tpr": (curve_rate.parse, "tpr(fpr=0.1)"),
        "specificity": (curve_rate.parse, "specificity(sensitivity=0.9)"),
        "tnr": (curve_rate.parse, "tnr(recall=0.9)"),
        "pr_auc": (top_measure.parse, "pr_auc"),
        "precision@": (at_cut.parse, "precision@5%"),
        "recall@": (at_cut.parse, "recall@100"),
        "lift@": (at_cut.parse, "lift@10%"),
        "enrichment@": (at_cut.parse, "enrichment@1%"),
        "bedroc": (early_gain.parse, "bedroc(20)"),
        "gain": (early_gain.parse, "gain"),
        "precision": (predictive_value.parse, "precision(recall=0.8)"),
        "ppv": (predictive_value.parse, "ppv(sensitivity=0.9, prevalence=0.02)"),
    }
)
"""What each kind is called, and whether a cut follows: how it is read, and an example."""

_SHOWN = ("auc", "partial_auc", "weighted_auc", "sensitivity", "pr_auc", "precision@")
_EXAMPLES = ", ".join(f'"{KINDS[kind][1]}"' for kind in _SHOWN)
_CALL = re.compile(r"\s*(\w+)\s*(@)?(?(2)[^()]*)(?:\((.*)\))?\s*", re.DOTALL)


def measure_of(measure: str | Weight | BinaryMeasure) -> BinaryMeasure:
    """A measure itself, the area with a weight of ``rs.weights``, or what a name says.

    >>> measure_of("partial_auc(0.01 <= fpr <= 0.1, scale=mcclish)").text
    'partial_auc(0.01<=fpr<=0.1, scale=mcclish)'
    >>> measure_of("weighted_auc(power(2))").name
    'weighted_auc(power(2))'
    """
    if isinstance(measure, BinaryMeasure):
        return measure
    if isinstance(measure, Weight):
        return WeightedArea(measure)
    call = _CALL.fullmatch(measure) if isinstance(measure, str) else None
    kind = "" if call is None else call[1] + (call[2] or "")
    if call is None or kind not in KINDS:
        from rocsolid.graded.measure_name import is_of_lists

        if is_of_lists(measure, queries=False):
            raise InputError(
                "a measure of ranked lists needs to know which rows belong to which query",
                where="measure",
                value=measure,
                fix="name the column of queries with qid, as rs.compare, rocsolid evaluate and a "
                "policy have it; of rows there are pr_auc (average precision), precision@k and "
                "recall@k",
            )
        if kind == "concordance":
            raise InputError(
                "the concordance is of outcomes that need not be two",
                where="measure",
                fix="use rs.concordance, rs.compare or rocsolid concordance",
            )
        near = nearest(kind, tuple(KINDS)) if call is not None else None
        raise InputError(
            "unknown measure",
            where="measure",
            value=measure,
            fix=f"{'' if near is None else f'did you mean {near!r}? '}write {_EXAMPLES}",
        )
    return replace(KINDS[kind][0](measure, call[3]), written=measure.strip())


def measures_of(asked: str | Sequence[str | Weight]) -> tuple[BinaryMeasure, ...]:
    """One or more measures, each once."""
    texts = [asked] if isinstance(asked, str) else list(asked)
    if not texts:
        raise InputError("no measure is requested", where="measure", fix=f"write {_EXAMPLES}")
    found = [measure_of(text) for text in texts]
    for at, measure in enumerate(found):
        if measure in found[:at]:
            raise InputError("a measure is requested twice", where="measure", value=measure.name)
    return tuple(found)
