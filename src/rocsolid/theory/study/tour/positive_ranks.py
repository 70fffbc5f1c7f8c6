"""What a blog of 2011 draws and prints."""

from __future__ import annotations

import numpy as np

from rocsolid.theory.study.ranks_tables import PUBLISHED_PATH
from rocsolid.theory.study.table import StudyTable, Tables
from rocsolid.theory.study.tour.entry import Check, TourItem


def _bars(found: Tables) -> Check:
    rows = found["bars"].rows
    labels = " ".join(str(row[1]) for row in rows)
    return Check(
        labels == "1 0 1 1 0 0 0", f"classes by falling score 1 0 1 1 0 0 0; here {labels}"
    )


def _path(found: Tables) -> Check:
    moves = ", ".join(str(row[1]) for row in found["path"].rows[1:])
    area = found["area"].column("value")
    return Check(
        moves == PUBLISHED_PATH and bool(np.allclose(area, 10 / 12, rtol=1e-14)),
        f"moves {PUBLISHED_PATH}, area 10/12; here {moves}, area {area[0]:.4f}",
    )


def _same(table: StudyTable, ours: str, theirs: str) -> Check:
    found, printed = table.column(ours), table.column(theirs)
    texts = (", ".join(f"{value:g}" for value in values) for values in (printed, found))
    return Check(bool(np.array_equal(found, printed)), "{}; here {}".format(*texts))


def _ranks(found: Tables) -> Check:
    return _same(found["ranks"], "rank", "published_rank")


def _vectors(found: Tables) -> Check:
    return _same(found["vectors"], "rank", "published_rank")


def _polynomial(found: Tables) -> Check:
    table, prints = found["polynomial"], [row[1] for row in found["fingerprints"].rows]
    sorted_same = all(row[1] == row[2] and row[4] == row[5] for row in table.rows)
    told = prints[0] == prints[1] != prints[2]
    return Check(
        sorted_same and told,
        "the post says: equal for equal numbers in any order, and only for these; here "
        f"coefficients and values after sorting are {_as(sorted_same)}, the fingerprint is "
        f"{_as(prints[0] == prints[1])}, and for another sample it is "
        f"{_as(prints[0] == prints[2])}",
        numbers=False,
    )


def _as(same: bool) -> str:
    return "the same" if same else "another one"


def _random(found: Tables) -> Check:
    table = found["monte_carlo"]
    chance = table.column("error") / table.column("standard_error")
    same = np.array_equal(table.column("mean"), table.column("mean_again"))
    return Check(
        bool(np.all(chance < 4.0)) and same,
        f"the mean should tend to the integral; here it is at most {chance.max():.1f} standard "
        f"errors away, and with the same seed it is {_as(bool(same))}",
        numbers=False,
    )


ENTRIES = (
    TourItem(
        *(
            "blog of 2011",
            "Tables of bars",
            "seven chocolate bars, their classes and scores",
            "ranks",
        ),
        *("bars", "rs.roc", _bars),
    ),
    TourItem(
        *("blog of 2011", "Pictures of the curve", "the ROC square and the path in it", "ranks"),
        *("path", "rs.roc(…).path, rs.auc", _path),
    ),
    TourItem(
        *("blog of 2011", "Table of ranks", "where the very good bars stand", "ranks"),
        *("ranks", "rs.roc(…).positive_ranks", _ranks),
    ),
    TourItem(
        *(
            "blog of 2011",
            "Ranks of single positives",
            "first, in the middle and last of five",
            "ranks",
        ),
        *("ranks", "rs.roc(…).positive_ranks", _vectors),
    ),
    TourItem(
        *(
            "blog of 2011",
            "Order-agnostic polynomials",
            "one value for numbers in any order",
            "ranks",
        ),
        *("polynomial", "fingerprint of every result", _polynomial),
    ),
    TourItem(
        *("blog of 2011", "Pseudorandom generators", "a mean over seeded numbers", "ranks"),
        *("random", "seed= of every method that draws", _random),
    ),
)
