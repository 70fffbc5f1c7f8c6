"""The keywords of `rocsolid.evaluate` that are for measures of queries alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from rocsolid.arguments import nearest
from rocsolid.errors import InputError

if TYPE_CHECKING:  # an AUC needs none of this
    from rocsolid.graded.options import Empty
    from rocsolid.graded.profile import Profile
    from rocsolid.inputs.grades import Negative
    from rocsolid.summaries.query_lists import Ties


OF_ROWS = {
    "sample_weight": "each query counts once; leave it out",
    "frequency": "each document stands once in its list; leave it out",
    "cluster": "the queries are the clusters already; leave it out",
    "pos_label": "grades are numbers; say from which one on a document counts with relevant=",
    "design": "queries have neither weights nor clusters; leave it out",
    "scheme": "no rows are resampled; leave it out",
}


class QueryKeywords(TypedDict, total=False):
    """Keywords of `rocsolid.evaluate` that need ``qid``.

    - ``doc``: the column of document identifiers, for ``ties="trec"``.
    - ``profile``: the conventions of a tool, such as "trec_eval-9"; other keywords override
      first. ``ties``, ``empty``, ``unjudged`` and ``negative`` are those of `rocsolid.ndcg`.
    - ``relevant``: the lowest grade that counts, for measures that need one.
    - ``test`` and ``adjust``: how scores are compared, as in `rocsolid.queries.compare`.
    - ``distinguish``: ask too which discount and cut-off of nDCG separate the two best scores,
      by samples of the documents (`rocsolid.asymptotics.distinguish`).
    """

    doc: str | None
    profile: str | Profile | None
    ties: Ties | None
    empty: Empty | None
    unjudged: Literal["zero", "condense"] | None
    negative: Negative | None
    relevant: float
    test: str
    adjust: str
    distinguish: bool


def check_query_keywords(given: Mapping[str, Any], **of_rows: Any) -> None:
    """Every keyword is one of `QueryKeywords`; those that only rows have a use for are ``None``.

    >>> check_query_keywords({"tie": "input"})
    Traceback (most recent call last):
    rocsolid.errors.InputError: unknown keyword: 'tie'. Fix: use 'ties'.
    """
    known = QueryKeywords.__annotations__
    for name in given:
        if name not in known:
            close = "measures" if name == "measure" else nearest(name, known)
            raise InputError(
                "unknown keyword",
                value=name,
                fix=f"use {close!r}" if close else f"with qid= these go too: {', '.join(known)}",
            )
    for name, value in of_rows.items():
        if value is not None:
            raise InputError(
                f"{name} has no meaning for measures of queries", where=name, fix=OF_ROWS[name]
            )


def refuse_without_queries(given: Mapping[str, Any]) -> None:
    """Without ``qid`` none of `QueryKeywords` has a meaning.

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
