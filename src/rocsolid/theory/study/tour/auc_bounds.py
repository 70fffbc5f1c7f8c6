"""What Agarwal et al. 2005 draws and prints, and whether ours says the same."""

from __future__ import annotations

import numpy as np

from rocsolid.theory.study.gaussians import TABLE_3
from rocsolid.theory.study.table import Tables
from rocsolid.theory.study.tables_2005 import NOT_PRINTED
from rocsolid.theory.study.tour.entry import Check, TourItem

_RATIOS = 3
"""Ratios of the classes for each total in table 3."""


def _table_1(found: Tables) -> Check:
    table = found["table_1"]
    same = np.array_equal(table.column("errors"), table.column("published_errors"))
    same = same and np.array_equal(table.column("auc"), table.column("published_auc"))
    aucs = " and ".join(f"{value:g}" for value in table.column("auc"))
    return Check(same, f"2 errors of 8 for both, AUCs 12/16 and 8/16; here {aucs}")


def _table_2(found: Tables) -> Check:
    rows = found["table_2"].rows
    printed = sum(row[0] != NOT_PRINTED for row in rows)
    derived = sum(row[-1] == "yes" for row in rows)
    both = sum(row[0] != NOT_PRINTED and row[-1] == "yes" for row in rows)
    return Check(
        printed == derived == both,
        f"{printed} matrices printed, {derived} derived, {both} of them the same",
    )


def _table_3(found: Tables) -> Check:
    table = found["experiment"]
    sizes = list(zip(table.column("n_pos"), table.column("n_neg"), strict=True))
    words = f"{len(sizes)} of {len(TABLE_3)} training sequences, with the printed sizes"
    return Check(sizes == list(TABLE_3[: len(sizes)]), words)


def _figure_1(found: Tables) -> Check:
    table = found["figure_1"]
    ours = table.column("mcdiarmid")
    holds = (ours < table.column("chebyshev")) & (ours > table.column("normal"))
    return Check(
        bool(np.all(holds)),
        "the text says that McDiarmid is tighter than Chebyshev and looser than the normal "
        f"approximation; here it is at {holds.sum()} of {len(ours)} points drawn",
        numbers=False,
    )


def _figure_2(found: Tables) -> Check:
    table = found["figure_2"]
    share, factor = table.column("positive_fraction"), table.column("factor")
    least = float(factor[np.argmin(np.abs(share - 0.5))])
    grows = bool(np.all(np.diff(factor[share <= 0.5]) < 0.0))
    return Check(
        least == factor.min() == 4.0 and grows,
        f"4 at equal classes, more for others; here the least is {least:g}",
    )


def _figure_3(found: Tables) -> Check:
    table = found["figure_3"]
    theirs, ours = table.column("Freund et al."), table.column("rank-shatter")
    meaningful = np.minimum(theirs, ours) < 0.5
    tighter = ours[meaningful] < theirs[meaningful]
    return Check(
        bool(tighter.size and np.all(tighter)),
        "the caption says that the paper's bound is tighter than that of Freund et al. wherever "
        f"it means something; here it is at {tighter.sum()} of {tighter.size} points where one of "
        "them is below ½",
        numbers=False,
    )


def _figure_4(found: Tables) -> Check:
    """By steps between neighbours in table 3: another ratio of the classes, or another total.

    Over all sequences the limit follows the sizes alone, so that it has a high rank correlation
    with whatever grows with the sizes. The training AUC is the control: it should not follow.
    """
    table = found["experiment"]
    last = len(table.rows) - 1
    steps = [(at, at + 1) for at in range(last) if at % _RATIOS != _RATIOS - 1]
    steps += [(at, at + _RATIOS) for at in range(last + 1 - _RATIOS)]
    before, after = np.transpose(steps)
    low, test, training = (
        np.sign(table.column(name)[after] - table.column(name)[before])
        for name in ("corollary_18_low", "test_auc", "training_auc")
    )
    same, control = int(np.sum(low == test)), int(np.sum(low == training))
    return Check(
        same > len(steps) / 2 and same > control,
        "the paper's data were other draws; it says that the shape of the limit is roughly that of "
        f"the test AUC: here the test AUC moves the way the limit does in {same} of {len(steps)} "
        f"steps to another ratio of the classes or another total, the training AUC in {control}",
        numbers=False,
    )


ENTRIES = (
    TourItem(
        *(
            "Agarwal et al. 2005",
            "Table 1",
            "two scorers with the same errors and different AUCs",
            "bounds",
        ),
        *("table-1", "rs.auc", _table_1),
    ),
    TourItem(
        *(
            "Agarwal et al. 2005",
            "Figure 1",
            "how far the AUC of one fixed scorer can be off",
            "bounds",
        ),
        *("figure-1", "rs.guarantees.deviation", _figure_1),
    ),
    TourItem(
        *(
            "Agarwal et al. 2005",
            "Figure 2",
            "what the AUC costs in rows over the error rate",
            "bounds",
        ),
        *("figure-2", "rs.plan.samples, error_rate_samples", _figure_2),
    ),
    TourItem(
        *("Agarwal et al. 2005", "Table 2", "matrices that no ranking has", "bounds"),
        *("table-2", "rs.theory.guarantees.forbidden_submatrices", _table_2),
    ),
    TourItem(
        *(
            "Agarwal et al. 2005",
            "Figure 3",
            "bounds for all linear scorers on a line at once",
            "bounds",
        ),
        *("figure-3", "rs.theory.guarantees.uniform_rank_shatter, uniform_freund", _figure_3),
    ),
    TourItem(
        *("Agarwal et al. 2005", "Table 3", "sizes of the training sequences", "bounds"),
        *("figure-4", "rs.learners.RankBoost", _table_3),
    ),
    TourItem(
        *(
            "Agarwal et al. 2005",
            "Figure 4",
            "training AUC, test AUC and the lower limit, by RankBoost",
            "bounds",
        ),
        *("figure-4", "rs.theory.guarantees.uniform_rank_shatter", _figure_4),
    ),
)
