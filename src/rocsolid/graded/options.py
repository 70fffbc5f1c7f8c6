"""The keywords of every measure of ranked lists, beside those of its own."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Literal, TypedDict, cast

from rocsolid.arguments import known
from rocsolid.graded.profile import OURS, Empty, Profile
from rocsolid.inputs.graded_rows import GradedRows, graded_rows
from rocsolid.inputs.grades import Negative, Unjudged
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.results import Alternative
from rocsolid.results.plain import attributes
from rocsolid.summaries.query_lists import Ties

READING = "ties empty unjudged negative"
"""The conventions that are keywords of every measure."""


class GradedKeywords(TypedDict, total=False):
    """The keywords that all measures share.

    - ``qid``: the query of each row; without it all rows are one query. Matrices need none.
    - ``ties``: "average" (over all orders of documents with equal scores, exactly), "trec"
      (greater document identifier first; needs ``doc``), "rank" (as the rank column has it; needs
      ``rank``) or "input" (as the rows stand).
    - ``empty``: queries without a relevant document are left out ("exclude"), count 0 or 1, or are
      an error ("error").
    - ``unjudged``: a document whose relevance is NaN gains nothing ("zero"), leaves the list
      ("condense") or is an error ("raise"). ``negative``: a grade below 0 is an error ("raise"),
      grade 0 ("zero") or no judgement ("unjudged").
    - ``lower_is_better``, ``nan``: as in `rocsolid.auc`.
    - ``interval``: "auto" (Student's t over queries, with corrections for skewness), "t",
      "logit-t", "betting", "hinge", "kl", "hoeffding"; or "items", for one query: documents
      resampled, ``resamples`` times with ``seed``. ``level`` and ``alternative``: as in
      `rocsolid.auc`.
    """

    qid: Any
    doc: Any
    rank: Any
    ties: Ties
    empty: Empty
    unjudged: Unjudged
    negative: Negative
    lower_is_better: bool
    nan: Literal["raise", "omit"]
    interval: str
    level: float
    alternative: Alternative
    resamples: int
    seed: int


def profile_and_options(given: GradedKeywords, **defaults: Any) -> tuple[Profile, EstimateOptions]:
    """What a measure's keywords say; the measure's own ``defaults`` replace the usual ones.

    >>> profile_and_options({"level": 0.9})[1].level
    0.9
    >>> profile_and_options({"tie": "input"})
    Traceback (most recent call last):
    rocsolid.errors.InputError: unknown keyword: 'tie'. Fix: use 'ties', or another of ...
    """
    for name in given:
        known(name, GradedKeywords.__annotations__, "keyword")
    every = defaults | cast(dict[str, Any], given)
    of_options = {field.name for field in fields(EstimateOptions)}
    return (
        replace(OURS, **{name: every[name] for name in READING.split() if name in every}),
        EstimateOptions(**{name: every[name] for name in every if name in of_options}),
    )


def settings(profile: Profile, options: EstimateOptions) -> dict[str, Any]:
    """What a result says of how it was requested."""
    asked = "lower_is_better nan interval level alternative"
    return {**attributes(profile, READING), **attributes(options, asked)}


def read_rows(
    relevance: Any,
    scores: Any,
    columns: GradedKeywords,
    profile: Profile,
    options: EstimateOptions,
    name: str = "scores",
) -> GradedRows:
    """The rows that a measure's keywords describe; an error calls the scores ``name``."""
    return graded_rows(
        relevance,
        scores,
        qid=columns.get("qid"),
        doc=columns.get("doc"),
        rank=columns.get("rank"),
        unjudged=profile.unjudged,
        negative=profile.negative,
        lower_is_better=options.lower_is_better,
        nan=options.nan,
        name=name,
    )
