"""The two parts beside the core, which imports neither: their names and verbs, as text.

A part is a folder of this package. Without it the core works as before, and lacks these names.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, NamedTuple

from rocsolid.errors import RocsolidError


class Verb(NamedTuple):
    """A verb of a part: where help lists it, what it does, and whether it has verbs of its own."""

    name: str
    heading: str
    sentence: str
    has_verbs: bool


class Additions(NamedTuple):
    """What a part adds: modules to `rocsolid`, types to `rocsolid.results`, verbs and JSON.

    ``results`` has the types in each module; ``documents`` has a verb, and the module and the class
    of what it prints as JSON.
    """

    modules: str
    verbs: tuple[Verb, ...]
    results: dict[str, str]
    documents: tuple[tuple[str, str, str], ...] = ()


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
    """The parts whose folders are there; a folder without a module is what a deletion left."""
    for home, added in PARTS.items():
        spec = find_spec(home)
        if spec is not None and spec.has_location:
            yield home, added


def modules() -> dict[str, str]:
    """Each public module of a part, by its name in `rocsolid`."""
    return {
        name: home if home == f"rocsolid.{name}" else f"{home}.{name}"
        for home, added in present()
        for name in added.modules.split()
    }


def verbs() -> dict[str, Verb]:
    """Each verb of a part, by the module that holds it."""
    return {f"{home}.cli.{verb.name}": verb for home, added in present() for verb in added.verbs}


def results() -> dict[str, str]:
    """The module of each type that a part adds to `rocsolid.results`."""
    return {
        name: f"{home}.{inner}"
        for home, added in present()
        for inner, names in added.results.items()
        for name in names.split()
    }


def documents() -> dict[str, tuple[str, ...]]:
    """The module and the class of what each verb of a part prints as JSON."""
    return {verb: tuple(home) for _, added in present() for verb, *home in added.documents}


def module(name: str) -> Any:
    """A public module of a part, which what the caller was asked to do needs."""
    homes = modules()
    if name not in homes:
        raise RocsolidError(
            f"rocsolid.{name} is not in this installation", fix="install all of rocsolid"
        )
    return importlib.import_module(homes[name])
