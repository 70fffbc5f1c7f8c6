"""The table of measures of two classes, and the one parser of their names."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from rocsolid.arguments import misspelt, spelling
from rocsolid.binary.estimate import Options
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.engines.engine import ELSEWHERE, STREAMS
from rocsolid.errors import InputError
from rocsolid.graded.measure_name import further_names, kinds_of_lists, measure, parameters_of
from rocsolid.inputs.binary import BinaryRows, binary_rows
from rocsolid.inputs.measure_parameters import MeasureParameter
from rocsolid.measures import (
    at_cut,
    partial_area,
    precision_recall_area,
    top_measure,
    weighted_area,
    whole_area,
)
from rocsolid.measures.binary_measure import BinaryMeasure, ScoredRows
from rocsolid.measures.top_measure import parse_predictive_value
from rocsolid.measures.weighted_area import WeightedArea
from rocsolid.weights.weight import Weight

Parser = Callable[[str, str | None], BinaryMeasure]


@dataclass(frozen=True, slots=True)
class Kind:
    """How a name is read, an example, and what other tools call it.

    ``aliases`` are names of exactly the same number, in any case, with or without underscores.
    """

    parse: Parser
    example: str
    aliases: tuple[str, ...] = ()


KINDS: MappingProxyType[str, Kind] = MappingProxyType(
    {
        "auc": Kind(
            whole_area.parse,
            "auc",
            (
                "roc_auc",
                "auroc",
                "auc_roc",
                "roc_auc_score",
                "binary_auroc",
                "area_under_roc",
                "c_statistic",
            ),
        ),
        "partial_auc": Kind(
            partial_area.parse_partial_area, "partial_auc(fpr<=0.05)", ("pauc", "partial_roc_auc")
        ),
        "weighted_auc": Kind(weighted_area.parse, "weighted_auc(power(2))"),
        "sensitivity": Kind(
            partial_area.parse_rate,
            "sensitivity(specificity=0.9)",
            ("sens", "se", "true_positive_rate"),
        ),
        "recall": Kind(partial_area.parse_rate, "recall(fpr=0.1)"),
        "tpr": Kind(partial_area.parse_rate, "tpr(fpr=0.1)"),
        "specificity": Kind(
            partial_area.parse_rate,
            "specificity(sensitivity=0.9)",
            ("spec", "sp", "true_negative_rate"),
        ),
        "tnr": Kind(partial_area.parse_rate, "tnr(recall=0.9)"),
        "pr_auc": Kind(
            precision_recall_area.parse,
            "pr_auc",
            (
                "average_precision",
                "ap",
                "auprc",
                "auc_pr",
                "average_precision_score",
                "binary_average_precision",
                "binary_auprc",
            ),
        ),
        "precision@": Kind(at_cut.parse, "precision@5%", ("p@",)),
        "recall@": Kind(at_cut.parse, "recall@100", ("r@",)),
        "lift@": Kind(at_cut.parse, "lift@10%"),
        "enrichment@": Kind(at_cut.parse, "enrichment@1%", ("ef@", "enrichment_factor@")),
        "bedroc": Kind(top_measure.parse, "bedroc(20)"),
        "gain": Kind(top_measure.parse, "gain"),
        "precision": Kind(parse_predictive_value, "precision(recall=0.8)"),
        "ppv": Kind(
            parse_predictive_value,
            "ppv(sensitivity=0.9, prevalence=0.02)",
            ("positive_predictive_value",),
        ),
    }
)
"""By name; a name that ends in @ is followed by a cut."""

_SHOWN = ("auc", "partial_auc", "weighted_auc", "sensitivity", "pr_auc", "precision@")
_EXAMPLES = ", ".join(f'"{KINDS[kind].example}"' for kind in _SHOWN)
_CALL = re.compile(r"\s*([\w-]+)\s*(@)?(?(2)[^()]*)(?:\((.*)\))?\s*", re.DOTALL)
_REGION = re.compile(r"[^()]*(?:<=|>=|≤|≥)[^()]*")
_ELSEWHERE = {
    "the concordance is of outcomes that need not be two": (
        ("concordance", "c_index", "concordance_index", "somers_d"),
        "use rs.concordance, rs.compare or rocsolid concordance; of two outcomes it is auc",
    ),
    "the Gini coefficient is 2·AUC − 1": (
        ("gini", "gini_coefficient", "accuracy_ratio"),
        "write auc, and take 2·AUC − 1 of the value and of both limits",
    ),
}
"""Names of what is no row of the table, with what to write."""


def kind_of(measure: Any) -> str | None:
    """The row of `KINDS` that a text names, whatever stands in its brackets or after its @.

    >>> kind_of("AUROC"), kind_of("pAUC(spec>=0.9)"), kind_of("P@10"), kind_of("ndcg@10")
    ('auc', 'partial_auc', 'precision@', None)
    """
    return _kind(_name(measure))


def _name(measure: Any) -> str:
    """What stands before brackets or a cut, with the @ of the cut."""
    call = _CALL.fullmatch(measure) if isinstance(measure, str) else None
    return "" if call is None else call[1] + (call[2] or "")


def _names() -> dict[str, str]:
    """The kind of each name."""
    return {name: kind for kind, row in KINDS.items() for name in (kind, *row.aliases)}


def _kind(name: str) -> str | None:
    if name in KINDS:
        return name
    plain = spelling(name)
    return next((kind for other, kind in _names().items() if spelling(other) == plain), None)


def _near(name: str) -> str | None:
    """The name that another one is misspelt for, unless there are several of unlike measures."""
    names = _names()
    near = misspelt(name, names)
    return near[0] if len({names[each] for each in near}) == 1 else None


def of_lists(measure: Any, *, queries: bool) -> bool:
    """Whether a measure is one of ranked lists, for rows that have ``queries`` or have none.

    Average precision, precision and recall are of both kinds: the rows decide.

    >>> of_lists("average_precision", queries=True), of_lists("average_precision", queries=False)
    (True, False)
    >>> of_lists("auc", queries=True), of_lists("ndcg@10", queries=False)
    (False, True)
    """
    from rocsolid.graded.measure_name import is_of_lists

    if not is_of_lists(measure):
        return False
    name = _name(measure)
    return queries or (_kind(name) is None and _near(name) is None)


def measure_of(measure: str | Weight | BinaryMeasure) -> BinaryMeasure:
    """A measure itself, the area with a weight of ``rs.weights``, or what a name says.

    An alias is read as the name of its row, which is what results show.

    >>> measure_of("partial_auc(0.01 <= fpr <= 0.1, scale=mcclish)").text
    'partial_auc(0.01<=fpr<=0.1, scale=mcclish)'
    >>> measure_of("weighted_auc(power(2))").name
    'weighted_auc(power(2))'
    >>> measure_of("roc_auc").name, measure_of("pAUC(specificity>=0.9)").name
    ('auc', 'partial_auc(specificity>=0.9)')
    """
    if isinstance(measure, BinaryMeasure):
        return measure
    if isinstance(measure, Weight):
        return WeightedArea(measure)
    call = _CALL.fullmatch(measure) if isinstance(measure, str) else None
    kind = kind_of(measure)
    if call is None or kind is None:
        raise _unknown(measure, call)
    text = kind.removesuffix("@") + measure[call.end(1) :].strip()
    try:
        return replace(KINDS[kind].parse(text, call[3]), written=text)
    except InputError as error:
        if text == measure.strip() or text not in (error.where, error.value):
            raise
        where = measure if error.where == text else error.where
        given = {} if error.value is None else {"value": error.value}
        if error.value == text:
            given = {"value": measure}
        raise InputError(error.what, where=where, fix=error.fix, **given) from None


def _unknown(measure: Any, call: re.Match[str] | None) -> InputError:
    what, fix = "unknown measure", f"write {_EXAMPLES}; rocsolid measures lists all"
    if call is not None:
        name = _name(measure)
        for other, (names, instead) in _ELSEWHERE.items():
            if spelling(name) in map(spelling, names):
                return InputError(other, where="measure", value=measure, fix=instead)
        if of_lists(measure, queries=False):
            return _needs_queries(measure)
        if (cut := _kind(f"{name}@")) is not None:
            fix = f"{name} needs a cut, such as {KINDS[cut].example}"
        elif (near := _near(name)) is not None:
            corrected = near.removesuffix("@") + measure[call.end(1) :].strip()
            fix = f"did you mean {corrected!r}? {fix}"
    elif isinstance(measure, str) and _REGION.fullmatch(measure):
        what = "a region of rates is no measure"
        fix = f"write partial_auc({measure.strip()}) for the area there"
    return InputError(what, where="measure", value=measure, fix=fix)


def _needs_queries(measure: str) -> InputError:
    from rocsolid.graded.measure_name import measure as list_measure

    try:
        list_measure(measure)
    except InputError as misspelt_one:
        return misspelt_one
    return InputError(
        "a measure of ranked lists needs to know which rows belong to which query",
        where="measure",
        value=measure,
        fix="name the column of queries with qid=. Measures without queries are pr_auc (average "
        "precision), precision@k and recall@k",
    )


def measures_of(asked: str | Sequence[str | Weight]) -> tuple[BinaryMeasure, ...]:
    """One or more measures, each once."""
    texts = [asked] if isinstance(asked, str) else list(asked)
    if not texts:
        raise InputError("no measure is requested", where="measure", fix=f"write {_EXAMPLES}")
    requested = [measure_of(text) for text in texts]
    for number, chosen in enumerate(requested):
        if chosen in requested[:number]:
            raise InputError("a measure is requested twice", where="measure", value=chosen.name)
    return tuple(requested)


@dataclass(frozen=True, slots=True)
class ListedMeasure:
    """One measure: what to write, what it is, and who takes it.

    ``example`` is what ``measure`` and ``measures`` take, ``also`` are further names. ``of`` says
    what the sample is: "rows" with labels, or "queries" with a list each. ``engines`` keep the rows
    where they are; every other one collects them. ``designs`` are what rows may have, and
    ``certified`` whether the interval has a guarantee beside it, for independent rows or queries.
    ``parameters`` are what may stand in brackets after the name.
    """

    name: str
    example: str
    also: tuple[str, ...]
    about: str
    of: str
    verbs: tuple[str, ...]
    engines: tuple[str, ...]
    designs: tuple[str, ...]
    certified: bool
    parameters: tuple[MeasureParameter, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        return own | {"parameters": [each.to_dict() for each in self.parameters]}


def table() -> tuple[ListedMeasure, ...]:
    """Every measure that can be requested by name.

    >>> import rocsolid as rs
    >>> auc, *_, rbp = rs.measures.table()
    >>> auc.name, auc.certified, auc.verbs
    ('auc', True, ('evaluate', 'compare', 'certify', 'plan'))
    >>> rbp.example, rbp.of, rbp.designs
    ('rbp(p=0.8)', 'queries', ('clusters', 'segments'))
    """
    return (*_of_rows(), *_of_queries())


def _of_rows() -> Iterator[ListedMeasure]:
    kinds = KINDS
    made = {kind: measure_of(row.example) for kind, row in kinds.items()}
    first = {kind: _first_word(binary.text) for kind, binary in made.items()}
    for kind, binary in made.items():
        if first[kind] in kinds and first[kind] != kind:
            continue  # a further name of another row
        certified = _certified(binary)
        planned = binary.influence(_rows()) is not None and not binary.of_so_many
        yield ListedMeasure(
            kind,
            kinds[kind].example,
            (
                *(further for further, word in first.items() if word == kind != further),
                *kinds[kind].aliases,
            ),
            binary.words,
            "rows",
            ("evaluate", "compare", *(["certify"] if certified else []), *(["plan"] * planned)),
            ("memory", *(engine for engine in ELSEWHERE if engine in STREAMS[binary.reads])),
            ("weights", "clusters", "segments"),
            certified,
            binary.parameters,
        )


def _of_queries() -> Iterator[ListedMeasure]:
    for kind, example in kinds_of_lists().items():
        graded = measure(example)
        certified = math.isfinite(graded.range[1])
        yield ListedMeasure(
            kind,
            example,
            further_names(kind),
            graded.meaning.format(value="x"),
            "queries",
            ("evaluate", "compare", "runs", *(["certify"] if certified else []), "plan"),
            ("memory", *STREAMS["queries"]),
            ("clusters", "segments"),
            certified,
            parameters_of(kind),
        )


def _first_word(text: str) -> str:
    found = re.match(r"\w+@?", text)
    return "" if found is None else found[0]


def _rows() -> BinaryRows:
    return binary_rows(np.arange(200) % 2, np.arange(200.0))


def _certified(one: BinaryMeasure) -> bool:
    """Whether a guarantee comes with it: that is asked of 200 rows."""
    found = one.estimate(ScoredRows(_rows()), Options(resampling=Resampling(10, 0)))
    return found.certified is not None or found.interval.certified
