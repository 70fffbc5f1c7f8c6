"""The verbs as ``rocsolid --help`` groups them, and how those with arguments are typed."""

from __future__ import annotations

from typing import Any

from cyclopts import Group

from rocsolid import parts
from rocsolid.cli.options import OPTIONS

_GROUPS = {
    "Scores in a table": (
        "evaluate", "compare", "curve", "gate", "certify", "watch", "concordance", "sketch",
    ),
    "Ranked documents": ("runs", "explain"),
    "Before you label": ("plan",),
    "Before you publish": ("leak", "audit"),
    "About": ("checks", "demo", "measures", "schema"),
}  # fmt: skip
_OF_PARTS = parts.verbs()
GROUPS = {
    title: (*verbs, *(verb.name for verb in _OF_PARTS.values() if verb.heading == title))
    for title, verbs in _GROUPS.items()
}
MODULES = {
    **{verb: f"rocsolid.cli.{verb}" for verbs in _GROUPS.values() for verb in verbs},
    **{verb.name: module for module, verb in _OF_PARTS.items()},
}
"""The module that holds a verb."""
VERBS = tuple(sorted(MODULES))
APPS = ("leak", "plan", "sketch", *(verb.name for verb in _OF_PARTS.values() if verb.has_verbs))
"""Verbs with verbs of their own."""

_LABELLED = "TABLE --label COLUMN --score COLUMN"
_TYPED = {
    **dict.fromkeys(("evaluate", "compare", "curve", "certify"), _LABELLED),
    "watch": f"{_LABELLED} --state FILE",
    "concordance": "TABLE --outcome COLUMN --score COLUMN",
    "gate": "POLICY [TABLE]",
    "runs": "QRELS RUN...",
    "explain": "QRELS RUN",
}
_PLACES = {
    verb: (group, place)
    for title, verbs in GROUPS.items()
    for group in [Group.create_ordered(title)]
    for place, verb in enumerate(verbs)
}
LAST_GROUP = _PLACES["demo"][0]


def shown(verb: str) -> dict[str, Any]:
    """How help shows a verb, as settings of its app."""
    group, place = _PLACES[verb]
    settings: dict[str, Any] = {"group": group, "sort_key": place}
    if verb in _TYPED:
        settings["usage"] = f"Usage: rocsolid {verb} {_TYPED[verb]} [OPTIONS]"
    if verb in APPS:
        settings["group_parameters"] = OPTIONS
    return settings
