"""Which discount and cut-off of nDCG tell two scores of a table apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from rocsolid.asymptotics.distinguishing.distinction import Distinction
from rocsolid.asymptotics.distinguishing.distinguish import distinguish
from rocsolid.errors import InputError
from rocsolid.evaluation.query_block import AskedOfQueries
from rocsolid.inputs.grades import grades
from rocsolid.inputs.missing_alike import missing_alike
from rocsolid.inputs.scores import reverse
from rocsolid.report.cells import Cells


def distinction_of(
    columns: Mapping[str, NDArray[Any]],
    asked: AskedOfQueries,
    best_first: Sequence[str],
    *,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> Distinction:
    """`rocsolid.asymptotics.distinguish` for the two best scores; the rows are valid already.

    It samples documents, so it needs the rows, and takes about a second for each few thousand.
    """
    if len(best_first) < 2:
        raise InputError(
            "there is one score, so nothing to tell apart",
            where="distinguish",
            value=list(best_first),
            fix="name a second score, or leave distinguish out",
        )
    scores, gone = missing_alike({name: columns[name] for name in asked.scores})
    grade = grades(columns[asked.label], negative=asked.way.profile.negative)[~gone]
    two = {
        name: reverse(scores[name][~gone]) if asked.lower_is_better else scores[name][~gone]
        for name in best_first[:2]
    }
    return distinguish(grade, two, qid=columns[asked.qid][~gone], seed=seed, progress=progress)


def distinction_cells(found: Distinction) -> Cells:
    """A row for each discount and cut-off, with the verdict."""
    head, *rows = found.table
    return Cells(
        f"{found.names[0]} against {found.names[1]}: {found.data}. Items and queries: from how "
        "many on the sign of the difference is right 95 times in 100.",
        head,
        tuple(rows),
    )
