"""The options of ranked lists, each declared once.

Annotations are no text here (``from __future__``): a group elsewhere inherits them as they are.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Parameter

from rocsolid.cli.options import NEGATIVE, QUERIES


@Parameter(name="*", group=QUERIES)
@dataclass(frozen=True, kw_only=True)
class ListOptions:
    """How lists of judged documents are read.

    Parameters
    ----------
    profile
        Use the conventions of another tool: trec_eval-9 (trec_eval-9-c for its option -c),
        trec_eval-10, trec_eval-10-c, gdeval, sklearn, lightgbm, xgboost or letor. The options
        below override it.
    ties
        Documents with equal scores: the average over all orders (the default), or one order; trec
        is that of trec_eval, by descending document id, and rank that of the rank column of runs.
    empty
        A query without a relevant document: it is left out (the default), counts 0 or 1, or is
        an error.
    unjudged
        A document that nobody judged: it gains nothing (zero, the default) or is removed from the
        list (condense).
    relevant
        The lowest grade that counts as relevant, for measures that need one.
    """

    profile: str | None = None
    ties: Literal["average", "trec", "rank", "input"] | None = None
    empty: Literal["exclude", 0, 1, "error"] | None = None
    unjudged: Literal["zero", "condense"] | None = None
    negative: Annotated[Literal["raise", "zero", "unjudged"] | None, NEGATIVE] = None
    relevant: float | None = None
