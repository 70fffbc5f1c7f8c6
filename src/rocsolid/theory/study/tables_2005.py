"""Tables 1 and 2 of Agarwal et al. 2005: an example with two scorers, and forbidden matrices."""

from __future__ import annotations

from rocsolid.measures.whole_area import auc
from rocsolid.theory.guarantees.rank_matrix import forbidden_submatrices
from rocsolid.theory.study.table import Cell, StudyTable

LABELS = (-1, -1, -1, -1, 1, 1, 1, 1)
SCORERS = {"f1": (-2, -1, 3, 4, 1, 2, 5, 6), "f2": (-2, -1, 5, 6, 1, 2, 3, 4)}
PUBLISHED = {"f1": (2, 12), "f2": (2, 8)}
"""Errors of 8 when the sign is the class, and pairs in the right order of 16."""

# table 2 as printed: upper row / lower row of each matrix, h for one half
_ROWS = (
    "10/01 h0/01 1h/01 10/0h 10/h1 hh/01 h0/0h h0/h1 1h/0h 1h/h1 10/hh 1h/hh h0/hh hh/h1 hh/0h",
    "01/10 h1/10 0h/10 01/1h 01/h0 hh/10 h1/1h h1/h0 0h/1h 0h/h0 01/hh 0h/hh h1/hh hh/h0 hh/1h",
)
_HALVES = {"0": 0.0, "h": 0.5, "1": 1.0}
NOT_PRINTED = 0
"""The row of a matrix that was derived and is not in the printed table."""


def table_1() -> StudyTable:
    """Two scorers with the same errors and different AUCs."""
    rows: list[tuple[Cell, ...]] = []
    for name, scores in SCORERS.items():
        errors = sum(
            (score > 0) != (label > 0) for score, label in zip(scores, LABELS, strict=True)
        )
        published_errors, pairs = PUBLISHED[name]
        value = auc(LABELS, scores).value
        rows.append((name, *scores, errors, published_errors, value, pairs / 16))
    return StudyTable(
        "table_1",
        "Table 1: two scorers of eight examples, four negative and then four positive",
        ("scorer", *(f"x{i}" for i in range(1, 9)), "errors", "published_errors", "auc",
         "published_auc"),
        tuple(rows),
    )  # fmt: skip


def table_2() -> StudyTable:
    """The 2 × 2 matrices that no scoring has, printed and derived.

    >>> {row[-1] for row in table_2().rows}
    {'yes'}
    """
    derived = set(forbidden_submatrices())
    rows: list[tuple[Cell, ...]] = []
    for at, line in enumerate(_ROWS, start=1):
        for block in line.split():
            (a, b), (c, d) = (tuple(_HALVES[x] for x in row) for row in block.split("/"))
            found = ((a, b), (c, d)) in derived
            derived.discard(((a, b), (c, d)))
            rows.append((at, a, b, c, d, "yes" if found else "no"))
    rows += [(NOT_PRINTED, *one, *two, "yes") for one, two in sorted(derived)]
    return StudyTable(
        "table_2",
        "Table 2: matrices of two positives and two negatives that no scoring has",
        ("printed_row", "upper_left", "upper_right", "lower_left", "lower_right", "derived"),
        tuple(rows),
    )
