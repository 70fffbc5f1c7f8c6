"""What Whitehill 2019 draws, prints and supposes."""

from __future__ import annotations

import numpy as np

from rocsolid.theory.study.labelings_tables import PUBLISHED
from rocsolid.theory.study.table import Tables
from rocsolid.theory.study.tour.entry import Check, TourItem


def _introduction(found: Tables) -> Check:
    rows = found["introduction"].rows
    labels = "; ".join(str(row[1:]) for row in rows)
    same = [row[1:] for row in rows] == [(1, 0, 1, 0)]
    return Check(same, f"one labeling, (1, 0, 1, 0); here {labels}")


def _figure_1(found: Tables) -> Check:
    table = found["figure_1"]
    ours, theirs = (table.column(name) for name in ("misranked", "published_misranked"))
    return Check(
        bool(np.array_equal(ours, theirs)),
        f"4 and 5 misranked pairs; here {ours[0]:g} and {ours[1]:g}",
    )


def _figure_2(found: Tables) -> Check:
    table = found["left_swaps"]
    ours = table.column("swaps")
    last = found["figure_2"].column("misranked")[-1]
    text = ", ".join(f"{swap:g}" for swap in ours)
    return Check(
        bool(np.array_equal(ours, table.column("published_swaps")) and last == ours.sum()),
        f"left swaps 3, 1, 0, 0, 0; here {text}",
    )


def _section_6(found: Tables) -> Check:
    table = found["section_6"]
    counted = {row[0]: row[2] for row in table.rows if row[5] == "below"}
    right = sum(counted.get(n) == number for n, number in PUBLISHED.items())
    return Check(
        counted == PUBLISHED,
        f"{right} of {len(PUBLISHED)} numbers of labelings are the printed ones; n up to 107 with "
        f"any: {len(counted)} here",
    )


def _conjecture(found: Tables) -> Check:
    (_, below, rises), (_, at, rises_at) = found["conjecture"].rows
    return Check(
        rises == rises_at == 0,
        f"supposed: the number never rises up to a threshold; counted: it rises in {rises:,} of "
        f"{below:,} steps below it and {rises_at:,} of {at:,} at it",
    )


ENTRIES = (
    TourItem(
        *("Whitehill 2019", "Section 1, example", "four guesses with AUC 3/4", "labelings"),
        *("introduction", "rs.leaks.labelings", _introduction),
    ),
    TourItem(
        *("Whitehill 2019", "Figure 1", "a left swap adds a misranked pair", "labelings"),
        *("figure-1", "rs.auc", _figure_1),
    ),
    TourItem(
        *("Whitehill 2019", "Figure 2", "every labeling by left swaps", "labelings"),
        *("figure-2", "rs.auc", _figure_2),
    ),
    TourItem(
        *(
            "Whitehill 2019",
            "Section 6, table",
            "labelings with AUC 1387/1440 by rows",
            "labelings",
        ),
        *("section-6", "rs.leaks.count", _section_6),
    ),
    TourItem(
        *(
            "Whitehill 2019",
            "Section 6, conjecture",
            "does the number fall as rows are added?",
            "labelings",
        ),
        *("conjecture", "rs.leaks.conjecture", _conjecture),
    ),
)
