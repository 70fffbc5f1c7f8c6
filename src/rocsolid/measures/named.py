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

KINDS: MappingProxyType[str, tuple[Parser, str, str]] = MappingProxyType(
    {
        "auc": (
            whole_area.parse,
            "auc",
            "the probability that a positive is scored above a negative, a tie counting half",
        ),
        "partial_auc": (
            partial_area.parse,
            "partial_auc(fpr<=0.05)",
            "the area under the ROC curve within a region of rates",
        ),
        "weighted_auc": (
            weighted_area.parse,
            "weighted_auc(power(2))",
            "the area under the ROC curve with a weight over false-positive rates",
        ),
        "sensitivity": (
            curve_rate.parse,
            "sensitivity(specificity=0.9)",
            "the share of positives found at a given specificity",
        ),
        "recall": (
            curve_rate.parse,
            "recall(fpr=0.1)",
            "the share of positives found at a given false-positive rate",
        ),
        "tpr": (
            curve_rate.parse,
            "tpr(fpr=0.1)",
            "the share of positives found at a given false-positive rate",
        ),
        "specificity": (
            curve_rate.parse,
            "specificity(sensitivity=0.9)",
            "the share of negatives spared at a given sensitivity",
        ),
        "tnr": (
            curve_rate.parse,
            "tnr(recall=0.9)",
            "the share of negatives spared at a given sensitivity",
        ),
        "pr_auc": (
            top_measure.parse,
            "pr_auc",
            "the area under the precision-recall curve; by steps, the average precision",
        ),
        "precision@": (
            at_cut.parse,
            "precision@5%",
            "the share of positives among the best rows: so many, or a share of all",
        ),
        "recall@": (
            at_cut.parse,
            "recall@100",
            "the share of all positives that are among the best rows",
        ),
        "lift@": (
            at_cut.parse,
            "lift@10%",
            "precision among the best rows over the share of positives in all",
        ),
        "enrichment@": (
            at_cut.parse,
            "enrichment@1%",
            "the same as the lift, by its name in drug discovery",
        ),
        "bedroc": (
            early_gain.parse,
            "bedroc(20)",
            "an area under the gain curve that weighs the top of the list most",
        ),
        "gain": (early_gain.parse, "gain", "the area under the cumulative gain curve"),
        "precision": (
            predictive_value.parse,
            "precision(recall=0.8)",
            "the share of positives among the rows flagged at a given recall",
        ),
        "ppv": (
            predictive_value.parse,
            "ppv(sensitivity=0.9, prevalence=0.02)",
            "the precision at a given sensitivity, for a prevalence that you name",
        ),
    }
)
"""What each kind is called, and whether a cut follows: how it is read, an example, what it is."""

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
