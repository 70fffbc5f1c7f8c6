"""``rocsolid schema``: the JSON Schema of a command's output."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal

from rocsolid import parts
from rocsolid.cli.output import print_json
from rocsolid.errors import RocsolidError
from rocsolid.results.json_schema import json_schema

DOCUMENTS = {
    "audit": ("evaluation.audit", "PrintedAudit"),
    "compare": (
        "evaluation.documents",
        "OfTable",
        "OfQueries",
        "OfClusters",
        "OfOutcomes",
        "OfLogs",
    ),
    "concordance": ("evaluation.documents", "OfOutcomes"),
    "evaluate": (
        "evaluation.documents",
        *("OfRows", "OfQueries", "OfClusters", "Public", "OfFolds", "OfGroups", "OfWithin"),
        "OfOutcomes",
        "OfLogs",
    ),
    "gate": ("gating.decision", "GateDecision"),
    "many": ("evaluation.documents", "OfMany"),
    "publish": ("evaluation.documents", "OfPublish", "Public"),
    "qualify": ("qualifying.qualify", "Qualification"),
    "runs": ("evaluation.documents", "OfRuns"),
}
"""The module and the classes of each verb's output, loaded on request."""


def schema(
    verb: Literal[
        "audit",
        "board",
        "compare",
        "concordance",
        "evaluate",
        "gate",
        "many",
        "publish",
        "qualify",
        "runs",
    ],
    /,
) -> int:
    """The JSON Schema of a command's output with --json.

    Example: `rocsolid schema evaluate > evaluate.schema.json`

    Parameters
    ----------
    verb
        The verb. evaluate includes logs, --qid, --fold, --across, --within and --public; publish
        includes --choose; board is `board standings`, and many is the to_dict() of rs.many in
        Python.
    """
    print_json(schema_of(verb))
    return 0


def schema_of(verb: str) -> dict[str, Any]:
    """The schema of a command's output."""
    documents_of = DOCUMENTS | parts.documents()
    if verb not in documents_of:
        raise RocsolidError("this installation lacks the JSON of this verb", value=verb)
    path, *names = documents_of[verb]
    documents = (getattr(import_module(f"rocsolid.{path}"), name) for name in names)
    command = f"rocsolid {'board standings' if verb == 'board' else verb}"
    schema = json_schema(verb, command, *documents)
    if verb == "many":  # it has no command
        schema |= {"title": "rs.many(...).to_dict()", "description": "The result of `rs.many`."}
    return schema
