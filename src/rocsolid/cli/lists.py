"""The options of ranked lists: how they are read, measured and compared, each declared once.

Annotations are no text here (``from __future__``): a group elsewhere inherits them as they are.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Parameter

from rocsolid.cli.options import ADJUST, NEGATIVE, QUERIES, Duplicates

TIES = Parameter(
    help="Documents with equal scores: the average over all orders (the default), or one order; "
    "trec is that of trec_eval, by descending document id."
)


@dataclass(frozen=True, kw_only=True)
class JudgedOptions:
    """How lists of judged documents are read.

    Parameters
    ----------
    profile
        Use the conventions of another tool: trec_eval-9 (trec_eval-9-c for its option -c),
        trec_eval-10, trec_eval-10-c, gdeval, sklearn, lightgbm, xgboost or letor. The options
        below override it.
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
    empty: Literal["exclude", 0, 1, "error"] | None = None
    unjudged: Literal["zero", "condense"] | None = None
    negative: Annotated[Literal["raise", "zero", "unjudged"] | None, NEGATIVE] = None
    relevant: float | None = None


@dataclass(frozen=True, kw_only=True)
class ComparedOptions(JudgedOptions):
    """The same where they are compared too.

    Parameters
    ----------
    test
        How scores are compared: auto (the default), Student's t over queries, bootstrap-t where few
        queries decide a difference, or sign-flip, exact for few queries.
    """

    test: Literal["auto", "t", "bootstrap-t", "sign-flip"] | None = None
    adjust: Annotated[Literal["holm", "max-t", "tukey", "none"] | None, ADJUST] = None


@Parameter(name="*", group=QUERIES)
@dataclass(frozen=True, kw_only=True)
class RankedOptions(JudgedOptions):
    """Lists in a table, read with --qid.

    Parameters
    ----------
    doc
        The column of document identifiers, for --ties trec.
    """

    doc: str | None = None
    ties: Annotated[Literal["average", "trec", "input"] | None, TIES] = None


@Parameter(name="*", group=QUERIES)
@dataclass(frozen=True, kw_only=True)
class QueryOptions(RankedOptions, ComparedOptions):
    """The same where they are compared, and what separates the two best.

    Parameters
    ----------
    distinguish
        Also find which discounts and cut-offs of nDCG separate the two best scores, on samples of
        the documents. It takes about a second for each few thousand documents.
    """

    distinguish: Annotated[bool | None, Parameter(negative=())] = None


@Parameter(name="*", group="Judgements")
@dataclass(frozen=True, kw_only=True)
class RunOptions(ComparedOptions):
    """How runs meet their judgements.

    Parameters
    ----------
    missing
        A judged query that a run lacks: it counts 0 for that run (the default), or is left out
        for all runs.
    """

    ties: Annotated[Literal["average", "trec", "rank", "input"] | None, TIES] = None
    missing: Literal["zero", "exclude"] | None = None
    duplicates: Duplicates = "raise"
