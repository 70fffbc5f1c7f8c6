"""The two optional parts of the package: their names and verbs, as text.

The core imports neither part. Without the folder of a part the core works and lacks its names.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, NamedTuple

from rocsolid.errors import RocsolidError


class Verb(NamedTuple):
    """A verb of a part: its heading in help, a description, and whether it has verbs of its own."""

    name: str
    heading: str
    sentence: str
    has_verbs: bool


class Additions(NamedTuple):
    """The names that a part adds: modules, types in `rocsolid.results`, verbs and JSON.

    ``publications`` is a module with a function of the same name, which returns the publications
    that the part stored in a ledger. ``results`` maps a module to its types. ``documents`` lists a
    verb with the module and the class of its JSON output.
    """

    modules: str
    verbs: tuple[Verb, ...]
    results: dict[str, str]
    documents: tuple[tuple[str, str, str], ...] = ()
    publications: str = ""


PARTS = {
    "rocsolid.board": Additions(
        modules="board",
        verbs=(
            Verb(
                "board",
                "Before you publish",
                "Run a leaderboard that can prove that it was fair.",
                has_verbs=True,
            ),
            Verb(
                "serve",
                "Before you publish",
                "Run a board as a web server: pages and forms for people, a JSON API for programs.",
                has_verbs=False,
            ),
        ),
        results={"receipts": "Receipt RecordCheck Verification", "standings": "Standing"},
        documents=(("board", "board.standings", "ShownBoard"),),
        publications="stated",
    ),
    "rocsolid.theory": Additions(
        modules="asymptotics learners study theory",
        verbs=(
            Verb(
                "study",
                "About",
                "Published figures and experiments, computed again.",
                has_verbs=True,
            ),
        ),
        results={
            "asymptotics.curves.curve": "Curve",
            "asymptotics.curves.estimated": "EstimatedCurve",
            "asymptotics.curves.levels": "Levels",
            "asymptotics.distinguishing.at_size": "MeasureDistinction",
            "asymptotics.distinguishing.distinction": "Choice Distinction",
            "asymptotics.limit": "Limit",
            "asymptotics.predicted": "PredictedGap Separation",
            "asymptotics.rates": "GapOrder Rate",
            "guarantees.distances": "UniformFunctionalBound",
            "guarantees.gaussian_complexity": "GaussianComplexity",
            "guarantees.pac_bayes": "PacBayes",
            "guarantees.uniform": "UniformBound",
            "guarantees.weighted_uniform": "WeightedUniformBound",
            "learners.certificate": "FittedScorer TrainingBounds",
            "study.bounds": "BoundsStudy",
            "study.labelings": "LabelingsStudy",
            "study.learn": "LearnStudy",
            "study.ndcg": "NdcgStudy OwnNdcgStudy",
            "study.ranks": "PaucStudy RanksStudy",
            "study.tables_2005": "StudyTable",
            "study.tour": "Tour",
        },
    ),
}


def present() -> Iterator[tuple[str, Additions]]:
    """Yield the installed parts. A folder without a module is the remainder of a deletion."""
    for home, added in PARTS.items():
        spec = find_spec(home)
        if spec is not None and spec.has_location:
            yield home, added


def modules() -> dict[str, str]:
    """Map the name of each public module of a part in `rocsolid` to the module."""
    return {
        name: home if home == f"rocsolid.{name}" else f"{home}.{name}"
        for home, added in present()
        for name in added.modules.split()
    }


def verbs() -> dict[str, Verb]:
    """Map the module of each verb of a part to the verb."""
    return {f"{home}.cli.{verb.name}": verb for home, added in present() for verb in added.verbs}


def results() -> dict[str, str]:
    """Map each type that a part adds to `rocsolid.results` to its module."""
    return {
        name: f"{home}.{inner}"
        for home, added in present()
        for inner, names in added.results.items()
        for name in names.split()
    }


def documents() -> dict[str, tuple[str, ...]]:
    """Map each verb of a part to the module and the class of its JSON output."""
    return {verb: tuple(home) for _, added in present() for verb, *home in added.documents}


def publications(ledger: Any) -> list[Any]:
    """Return the publications that the parts stored in an open ledger."""
    return [
        publication
        for home, added in present()
        if added.publications
        for publication in importlib.import_module(f"{home}.{added.publications}").publications(
            ledger
        )
    ]


def module(name: str) -> Any:
    """Import a public module of a part; raise an error if the part is missing."""
    homes = modules()
    if name not in homes:
        raise RocsolidError(
            f"rocsolid.{name} is not in this installation", fix="install all of rocsolid"
        )
    return importlib.import_module(homes[name])
