"""The keywords of `rocsolid.evaluate` that are for measures of queries alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocsolid.arguments import nearest
from rocsolid.errors import InputError

KEYWORDS = (
    "doc", "profile", "ties", "empty", "unjudged", "negative", "relevant", "test", "adjust",
    "distinguish",
)  # fmt: skip
"""Keywords of `rocsolid.evaluate` that need ``qid``.

- ``doc``: the column of document identifiers, for ``ties="trec"``.
- ``profile``: the conventions of a tool, such as "trec_eval-9"; other keywords override it.
  ``ties``, ``empty``, ``unjudged`` and ``negative`` are those of `rocsolid.ndcg`.
- ``relevant``: the lowest grade that counts, for measures that need one.
- ``test`` and ``adjust``: how scores are compared, as in `rocsolid.queries.compare`.
- ``distinguish``: ask too which discount and cut-off of nDCG separate the two best scores, by
  samples of the documents (`rocsolid.asymptotics.distinguish`).
"""


def check_query_keywords(given: Mapping[str, Any]) -> None:
    """Every keyword is one of `KEYWORDS`.

    >>> check_query_keywords({"tie": "input"})
    Traceback (most recent call last):
    rocsolid.errors.InputError: unknown keyword: 'tie'. Fix: use 'ties'.
    """
    for name in given:
        if name not in KEYWORDS:
            close = "measures" if name == "measure" else nearest(name, KEYWORDS)
            raise InputError(
                "unknown keyword",
                value=name,
                fix=f"use {close!r}" if close else f"with qid= these go too: {', '.join(KEYWORDS)}",
            )


def refuse_without_queries(given: Mapping[str, Any]) -> None:
    """Without ``qid`` none of `KEYWORDS` has a meaning.

    >>> refuse_without_queries({"ties": "input"})
    Traceback (most recent call last):
    rocsolid.errors.InputError: ties is for measures of queries (ties). Fix: name the column of
    queries with qid=, or leave ties out.
    """
    check_query_keywords(given)
    for name in given:
        raise InputError(
            f"{name} is for measures of queries",
            where=name,
            fix=f"name the column of queries with qid=, or leave {name} out",
        )
