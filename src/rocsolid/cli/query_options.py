"""The options of ``rocsolid evaluate`` that need ``--qid``."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal

from cyclopts import Parameter


@Parameter(name="*", group="With --qid")
@dataclass(frozen=True)
class QueryOptions:
    """Options that need --qid.

    Parameters
    ----------
    doc
        The column of document identifiers, for --ties trec.
    profile
        The conventions of a tool, such as trec_eval-9, sklearn or lightgbm. The options below go
        first.
    ties
        Documents with equal scores: averaged over all orders, as without a profile; by falling
        document id as trec_eval does; or as in the file.
    empty
        What a query without a relevant document counts: it is left out, as without a profile, 0,
        1, or an error.
    unjudged
        A document without a grade gains nothing (zero), as without a profile, or leaves the list
        (condense).
    negative
        A grade below 0: an error, as without a profile, grade 0, or no judgement.
    relevant
        The lowest grade that counts as relevant, for measures that ask for one.
    test
        How scores are compared: Student's t over queries, or sign-flip, exact for few queries.
    adjust
        How all pairs are judged together.
    distinguish
        Ask too which discount and cut-off of nDCG tell the two best scores apart, by samples of
        the documents; it takes about a second for each few thousand of them.
    per_query
        The values of every query as well.
    """

    doc: str | None = None
    profile: str | None = None
    ties: Literal["average", "trec", "input"] | None = None
    empty: Literal["exclude", "0", "1", "error"] | None = None
    unjudged: Literal["zero", "condense"] | None = None
    negative: Literal["raise", "zero", "unjudged"] | None = None
    relevant: float | None = None
    test: Literal["t", "sign-flip"] | None = None
    adjust: Literal["holm", "max-t", "tukey", "none"] | None = None
    distinguish: Annotated[bool, Parameter(negative=())] = False
    per_query: Annotated[bool, Parameter(negative=())] = False

    def given(self) -> dict[str, Any]:
        """What was said, as keywords of `rocsolid.evaluate`; a number is text on a command line."""
        said = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "per_query"}
        said["distinguish"] = self.distinguish or None
        if self.empty in ("0", "1"):
            said["empty"] = int(self.empty)
        return {name: value for name, value in said.items() if value is not None}
