"""``rocsolid explain``: why two tools differ on the same files, or how a number arose."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.lists import Duplicates, File, Json, Measure, Qrels
from rocsolid.cli.output import Screen, print_json
from rocsolid.errors import InputError
from rocsolid.evaluation.explain import explain as explain_difference
from rocsolid.results import Explanation, Reproduction


def explain(
    qrels: Qrels,
    run: File,
    /,
    *,
    as_: Annotated[str, Parameter(name="--as")] = "trec_eval-9",
    vs: str | None = None,
    published: str | None = None,
    measure: Measure = "ndcg@10",
    duplicates: Duplicates = "raise",
    json: Json = False,
) -> int:
    """Explain why two tools give different values for one run, or how a published value arose.

    Profiles: trec_eval-9, trec_eval-9-c (with -c), trec_eval-10, trec_eval-10-c, gdeval, sklearn,
    lightgbm, xgboost, letor.

    Example: `rocsolid explain qrels.txt bm25.run --as trec_eval-9 --vs sklearn --measure ndcg@10`

    Example: `rocsolid explain qrels.txt bm25.run --published 0.544 --measure ndcg@3`

    Parameters
    ----------
    run
        The run: a TREC file, a table with the columns qid, doc and score, or a JSON object.
    as_
        The profile of the first tool.
    vs
        The profile of the second tool.
    published
        A published number with the printed digits, instead of --vs.
    """
    if (vs is None) == (published is None):
        raise InputError(
            "exactly one of --vs and --published is needed",
            where="explain",
            fix="write --vs sklearn to compare tools, or --published 0.544 to explain a number",
        )
    if published is None:
        difference = explain_difference(
            qrels, run, measure=measure, profile=as_, vs=vs, duplicates=duplicates
        )
        print_json(difference.to_dict()) if json else _show_difference(difference)
        return 0
    found = explain_difference(
        qrels, run, published=published, measure=measure, profile=as_, duplicates=duplicates
    )
    print_json(found.to_dict()) if json else _show_published(found)
    return 0


def _show_difference(explanation: Explanation) -> None:
    console = Screen()
    heads, *rows = explanation.rows()
    console.print(f"{explanation.measure}, {explanation.counts}", style="bold")
    console.table(heads, rows, sentences=True)
    if explanation.queries:
        moved = []
        for query in explanation.queries:
            values = (
                "left out" if v is None else explanation.number(v)
                for v in (query.value, query.other)
            )
            moved.append((query.qid, *values, explanation.signed(query.effect), query.label))
        console.print("\nQueries with the largest effects", style="bold")
        console.table(
            ("query", explanation.profile, explanation.vs, "in the mean", "most by"), moved
        )
    _say(console, explanation.sentences())


def _show_published(reproduction: Reproduction) -> None:
    console = Screen()
    console.print(
        f"{reproduction.measure}: published {reproduction.published}; "
        f"{reproduction.number(reproduction.value)} as "
        f"{reproduction.profile}, over {reproduction.counted:,} queries",
        style="bold",
    )
    if not reproduction.ways:
        console.print(f"No attempt gives {reproduction.published}.")
    console.table(
        (f"what gives {reproduction.published}" if reproduction.ways else "nearest", "value"),
        (
            (way.how, reproduction.number(way.value))
            for way in reproduction.ways or reproduction.nearest
        ),
        sentences=True,
    )
    _say(console, reproduction.sentences())


def _say(console: Screen, sentences: tuple[str, ...]) -> None:
    if sentences:
        console.print()
    for sentence in sentences:
        console.words(sentence)
