"""What every measure of graded relevance can be asked beside its own conventions."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, TypedDict

from rocsolid.arguments import known
from rocsolid.errors import InputError
from rocsolid.inputs.graded_rows import GradedRows, graded_rows
from rocsolid.inputs.grades import Negative, Unjudged
from rocsolid.intervals.guarantees.checks import check_level
from rocsolid.results import Alternative
from rocsolid.summaries.query_lists import Ties

Empty = Literal["exclude", 0, 1, "error"]
"""What a query without a relevant document counts: nothing, 0, 1, or it is an error."""


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


@dataclass(frozen=True, slots=True)
class GradedOptions:
    """The shared keywords that do not name a column, with their defaults."""

    ties: Ties = "average"
    empty: Empty = "exclude"
    unjudged: Unjudged = "zero"
    negative: Negative = "raise"
    lower_is_better: bool = False
    nan: Literal["raise", "omit"] = "raise"
    interval: str = "auto"
    level: float = 0.95
    alternative: Alternative = "two-sided"
    resamples: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        check_level(self.level)
        # True and 1.0 would pass for 1
        if isinstance(self.empty, bool | float) or self.empty not in ("exclude", 0, 1, "error"):
            raise InputError(
                "unknown empty",
                where="empty",
                value=self.empty,
                fix='use "exclude", 0, 1 or "error"',
            )

    @classmethod
    def of(cls, given: GradedKeywords, **defaults: Any) -> GradedOptions:
        """From a measure's keywords; the measure's own ``defaults`` replace those here.

        >>> GradedOptions.of({"level": 0.9}).level
        0.9
        >>> GradedOptions.of({"tie": "input"})
        Traceback (most recent call last):
        rocsolid.errors.InputError: unknown keyword: 'tie'. Fix: use 'ties', or another of ...
        """
        for name in given:
            known(name, GradedKeywords.__annotations__, "keyword")
        own = {field.name for field in fields(cls)}
        return cls(**{**defaults, **{k: v for k, v in given.items() if k in own}})

    def together(self, count: int) -> GradedOptions:
        """Those of each of ``count`` certified intervals that hold together (Bonferroni)."""
        level = 1.0 - (1.0 - self.level) / count
        return replace(self, interval="auto", level=level, alternative="two-sided")

    def to_dict(self) -> dict[str, Any]:
        """The settings that had a say."""
        found = asdict(self)
        if self.interval != "items":
            del found["resamples"], found["seed"]
        return found


def read_rows(
    relevance: Any, scores: Any, given: GradedKeywords, options: GradedOptions
) -> GradedRows:
    """The rows that a measure's keywords describe."""
    return graded_rows(
        relevance,
        scores,
        qid=given.get("qid"),
        doc=given.get("doc"),
        rank=given.get("rank"),
        unjudged=options.unjudged,
        negative=options.negative,
        lower_is_better=options.lower_is_better,
        nan=options.nan,
    )
