"""The table of all measures, and where each is available."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from rocsolid.binary.estimate import Options
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import ELSEWHERE
from rocsolid.graded.measure_name import further_names, kinds_of_lists, measure, parameters_of
from rocsolid.inputs.binary import BinaryRows, binary_rows
from rocsolid.inputs.measure_parameters import MeasureParameter
from rocsolid.measures.binary_measure import BinaryMeasure, ScoredRows
from rocsolid.measures.concordance import NAMES_OF_OUTCOMES, Concordance
from rocsolid.measures.named import kinds_of_rows, measure_of


@dataclass(frozen=True, slots=True)
class ListedMeasure:
    """A measure with its names, description and availability.

    ``measure`` and ``measures`` accept ``example``; ``also`` lists further names. ``of`` is the
    sample: "rows" with labels of two classes, "outcomes" in an order, or "queries" with a list
    each. ``verbs`` list the functions that
    accept it. ``engines`` compute at the source of the rows; other engines collect the rows.
    ``designs`` are the designs of rows that it supports. ``certified`` means that independent rows
    or queries have a certified interval. ``parameters`` are the settings in brackets after the
    name.
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
        """Return plain data for JSON; the keys are stable."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        return own | {"parameters": [each.to_dict() for each in self.parameters]}


def table() -> tuple[ListedMeasure, ...]:
    """Return every measure that has a name.

    >>> import rocsolid as rs
    >>> auc, *_, rbp = rs.measures.table()
    >>> auc.name, auc.certified, auc.verbs
    ('auc', True, ('evaluate', 'compare', 'certify', 'plan'))
    >>> rbp.example, rbp.of, rbp.designs
    ('rbp(p=0.8)', 'queries', ('clusters', 'segments'))
    """
    return (*_of_rows(), *_of_outcomes(), *_of_queries())


def _of_rows() -> Iterator[ListedMeasure]:
    kinds = kinds_of_rows()
    made = {kind: measure_of(row.example) for kind, row in kinds.items()}
    first = {kind: _first_word(binary.text) for kind, binary in made.items()}
    for kind, binary in made.items():
        if first[kind] in kinds and first[kind] != kind:
            continue  # another name of a listed measure
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
            ("memory", *(ELSEWHERE if binary.streams else ())),
            ("weights", "clusters", "segments"),
            certified,
            binary.parameters,
        )


def _of_outcomes() -> Iterator[ListedMeasure]:
    for name, aliases in NAMES_OF_OUTCOMES.items():
        yield ListedMeasure(
            name, name, aliases, Concordance(name).words, "outcomes",
            ("evaluate", "compare", "certify"), ("memory",), ("weights", "clusters", "segments"),
            certified=True,
        )  # fmt: skip


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
            ("memory", *ELSEWHERE),
            ("clusters", "segments"),
            certified,
            parameters_of(kind),
        )


def _first_word(text: str) -> str:
    start = re.match(r"\w+@?", text)
    return "" if start is None else start[0]


def _rows() -> BinaryRows:
    return binary_rows(np.arange(200) % 2, np.arange(200) / 200)


def _certified(measure: BinaryMeasure) -> bool:
    """Whether an estimate on 200 rows has a guarantee."""
    estimate = measure.estimate(ScoredRows(_rows()), Options(resampling=Resampling(10, 0)))
    return estimate.certified is not None or estimate.interval.certified
