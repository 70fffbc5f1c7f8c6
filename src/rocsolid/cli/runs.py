"""``rocsolid runs``: TREC runs judged, averaged and compared."""

from __future__ import annotations

import shlex
import sys
from typing import Annotated, Literal

from cyclopts import Parameter

from rocsolid.cli.output import one_form, print_json, refuse_overwriting, write_text
from rocsolid.cli.runs_output import print_runs
from rocsolid.cli.screen import tell
from rocsolid.cli.source import not_an_option
from rocsolid.errors import InputError
from rocsolid.evaluation.runs import evaluate_runs
from rocsolid.graded.options import Empty


def runs(
    qrels: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *run: Annotated[str, Parameter(allow_leading_hyphen=True, validator=not_an_option)],
    measure: Annotated[list[str] | None, Parameter(negative=())] = None,
    test: Literal["t", "sign-flip"] = "t",
    adjust: Literal["max-t", "holm", "tukey", "none"] = "max-t",
    interval: str = "auto",
    level: float = 0.95,
    profile: str | None = None,
    ties: Literal["average", "trec", "rank", "input"] | None = None,
    missing: Literal["zero", "exclude"] | None = None,
    empty: Literal["exclude", "0", "1", "error"] | None = None,
    relevant: float = 1,
    unjudged: Literal["zero", "condense"] | None = None,
    negative: Literal["raise", "zero", "unjudged"] | None = None,
    duplicates: Literal["raise", "first", "best"] = "raise",
    resamples: int = 10_000,
    seed: int = 0,
    per_query: Annotated[bool, Parameter(negative=())] = False,
    json: Annotated[bool, Parameter(negative=())] = False,
    markdown: Annotated[bool, Parameter(negative=())] = False,
    latex: Annotated[bool, Parameter(negative=())] = False,
    html: str | None = None,
) -> int:
    """An audit of TREC runs, their means over queries with intervals, and all differences.

    Example: `rocsolid runs qrels.txt bm25.run bert.run --measure ndcg@10 --measure map`

    Example: `rocsolid runs qrels.txt bm25.run --measure recip_rank --profile trec_eval-9`

    Parameters
    ----------
    qrels
        The judgements: a TREC file (plain or gzipped), a table with the columns qid, doc and
        relevance (CSV, Parquet, JSON Lines), or a JSON object; `-` reads standard input.
    run
        One or more runs, each a TREC file, a table with qid, doc and score, or a JSON object.
    measure
        Such as ndcg@10, map, rr@10, P_10, recall@100, err@20, "rbp(p=0.8)", bpref, gauc,
        "ndcg[exp2]@10" or "ndcg@frac(0.1)"; trec_eval's names are known too. Repeat the option for
        more; ndcg@10 by default.
    test
        Student's t over queries, or sign-flip: exact for few queries.
    adjust
        How all pairs are judged together.
    interval
        Of each mean: auto, t, logit-t, betting, hinge, kl or hoeffding.
    level
        The level of all intervals.
    profile
        The conventions of a tool: trec_eval-9 (or trec_eval-9-c for its option -c), trec_eval-10,
        trec_eval-10-c, gdeval, sklearn, lightgbm, xgboost or letor. The options below go first.
    ties
        Documents with equal scores: averaged over all orders, as without a profile; or in one
        order, by falling document id as trec_eval does, by the rank column, or as in the file.
    missing
        A judged query that a run lacks counts 0 for it, as without a profile, or is left out for
        all runs.
    empty
        What a query without a relevant document counts: it is left out, as without a profile, 0,
        1, or an error.
    relevant
        The lowest grade that counts as relevant, for measures that ask for one.
    unjudged
        A document that nobody judged gains nothing (zero), as without a profile, or leaves the
        list (condense).
    negative
        A grade below 0: an error, as without a profile, grade 0, or no judgement.
    duplicates
        A document twice in a query: an error, its first line counts, or the one with the best
        score.
    resamples
        How often the tests that exchange runs do so, where they cannot go through all ways.
    seed
        The seed of these exchanges.
    per_query
        The values of every query as well.
    json
        Print JSON in place of the tables.
    markdown
        Print Markdown in place of the tables.
    latex
        Print LaTeX tables (booktabs) in place of the tables.
    html
        Write a self-contained report to this file as well.
    """
    if not run:
        raise InputError(
            "there is no run to judge", where="run", fix="name one or more runs after the qrels"
        )
    if [qrels, *run].count("-") > 1:
        raise InputError("standard input can be read once only", value="-", fix="name a file")
    one_form(json=json, markdown=markdown, latex=latex)
    if html is not None:
        for file in (qrels, *run):
            refuse_overwriting(file, html)
    found = evaluate_runs(
        qrels,
        list(run),
        measure or "ndcg@10",
        profile=profile,
        ties=ties,
        missing=missing,
        empty=_counts(empty),
        relevant=relevant,
        unjudged=unjudged,
        negative=negative,
        duplicates=duplicates,
        interval=interval,
        level=level,
        test=test,
        adjust=adjust,
        resamples=resamples,
        seed=seed,
    )
    if html is not None:
        write_text(html, found.to_html(command=shlex.join(["rocsolid", *sys.argv[1:]])))
    if json:
        print_json(found.to_dict(per_query=per_query))
    elif markdown or latex:
        sys.stdout.write(found.to_markdown() if markdown else found.to_latex())
    else:
        print_runs(found, per_query=per_query)
        if html is not None:
            tell(f"\nReport: {html}")
    return 0


def _counts(empty: Literal["exclude", "0", "1", "error"] | None) -> Empty | None:
    """A number is text on a command line."""
    if empty == "0":
        return 0
    return 1 if empty == "1" else empty
