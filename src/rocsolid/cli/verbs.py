"""The verbs as ``rocsolid --help`` groups them, and how those with arguments are typed."""

from __future__ import annotations

from typing import Any

from cyclopts import Group

from rocsolid.cli.options import OPTIONS

GROUPS = {
    "Scores in a table": (
        "evaluate", "compare", "curve", "gate", "certify", "watch", "concordance", "sketch",
    ),
    "Ranked documents": ("runs", "explain"),
    "Before you label": ("plan",),
    "Before you publish": ("leak", "audit", "board", "serve"),
    "About": ("checks", "demo", "measures", "schema", "study"),
}  # fmt: skip
VERBS = tuple(sorted(verb for verbs in GROUPS.values() for verb in verbs))
APPS = ("board", "leak", "plan", "sketch", "study")
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
LAST_GROUP = _PLACES["study"][0]


def shown(verb: str) -> dict[str, Any]:
    """How help shows a verb, as settings of its app."""
    group, place = _PLACES[verb]
    found: dict[str, Any] = {"group": group, "sort_key": place}
    if verb in _TYPED:
        found["usage"] = f"Usage: rocsolid {verb} {_TYPED[verb]} [OPTIONS]"
    if verb in APPS:
        found["group_parameters"] = OPTIONS
    return found
