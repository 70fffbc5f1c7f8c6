"""The figures and tables of three documents, and checks against their printed values."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from rocsolid.theory.study.labelings import PUBLISHED
from rocsolid.theory.study.ndcg_simulated import CUT, FAST, HALF_POWER, NAMES, RANKERS, STANDARD
from rocsolid.theory.study.tables_2005 import NOT_PRINTED, TABLE_3, StudyTable, Tables
from rocsolid.theory.study.tour.weighted_areas import Check, TourItem

_RATIOS = 3
"""Ratios of the classes for each total in table 3."""


def _table_1(tables: Tables) -> Check:
    table = tables["table_1"]
    same = np.array_equal(table.column("errors"), table.column("published_errors"))
    same = same and np.array_equal(table.column("auc"), table.column("published_auc"))
    aucs = " and ".join(f"{value:g}" for value in table.column("auc"))
    return Check(same, f"2 errors of 8 for both, AUCs 12/16 and 8/16; here {aucs}")


def _table_2(tables: Tables) -> Check:
    rows = tables["table_2"].rows
    printed = sum(row[0] != NOT_PRINTED for row in rows)
    derived = sum(row[-1] == "yes" for row in rows)
    both = sum(row[0] != NOT_PRINTED and row[-1] == "yes" for row in rows)
    return Check(
        printed == derived == both,
        f"{printed} matrices printed, {derived} derived, {both} of them the same",
    )


def _table_3(tables: Tables) -> Check:
    table = tables["experiment"]
    sizes = list(zip(table.column("n_pos"), table.column("n_neg"), strict=True))
    words = f"{len(sizes)} of {len(TABLE_3)} training sequences, with the printed sizes"
    return Check(sizes == list(TABLE_3[: len(sizes)]), words)


def _figure_1(tables: Tables) -> Check:
    table = tables["figure_1"]
    ours = table.column("mcdiarmid")
    holds = (ours < table.column("chebyshev")) & (ours > table.column("normal"))
    return Check(
        bool(np.all(holds)),
        "the text states that McDiarmid is tighter than Chebyshev and looser than the normal "
        f"approximation; here this holds at {holds.sum()} of {len(ours)} points",
        numbers=False,
    )


def _figure_2(tables: Tables) -> Check:
    table = tables["figure_2"]
    share, factor = table.column("positive_fraction"), table.column("factor")
    least = float(factor[np.argmin(np.abs(share - 0.5))])
    grows = bool(np.all(np.diff(factor[share <= 0.5]) < 0.0))
    return Check(
        least == factor.min() == 4.0 and grows,
        f"4 at equal classes, more for others; here the least is {least:g}",
    )


def _figure_3(tables: Tables) -> Check:
    table = tables["figure_3"]
    theirs, ours = table.column("Freund et al."), table.column("rank-shatter")
    meaningful = np.minimum(theirs, ours) < 0.5
    tighter = ours[meaningful] < theirs[meaningful]
    return Check(
        bool(tighter.size and np.all(tighter)),
        "the caption states that the paper's bound is tighter than that of Freund et al. wherever "
        f"it is meaningful; here this holds at {tighter.sum()} of {tighter.size} points where one "
        "of them is below ½",
        numbers=False,
    )


def _figure_4(tables: Tables) -> Check:
    """Check steps between neighbours in table 3: another class ratio or another total.

    Over all sequences the limit follows the sizes, as does any quantity that grows with them. The
    training AUC is the control: it should not follow the limit.
    """
    table = tables["experiment"]
    last = len(table.rows) - 1
    steps = [(index, index + 1) for index in range(last) if index % _RATIOS != _RATIOS - 1]
    steps += [(index, index + _RATIOS) for index in range(last + 1 - _RATIOS)]
    before, after = np.transpose(steps)
    low, test, training = (
        np.sign(table.column(name)[after] - table.column(name)[before])
        for name in ("corollary_18_low", "test_auc", "training_auc")
    )
    same, control = int(np.sum(low == test)), int(np.sum(low == training))
    return Check(
        same > len(steps) / 2 and same > control,
        "the paper used other random draws. It states that the limit has roughly the shape of the "
        f"test AUC. Here the test AUC moves in the same direction as the limit in {same} of "
        f"{len(steps)} steps to another class ratio or another total; the training AUC does so in "
        f"{control}",
        numbers=False,
    )


_bounds = partial(TourItem, "Agarwal et al. 2005", "bounds")
ENTRIES = (
    _bounds(
        "Table 1", "two scorers with the same errors and different AUCs",
        "table-1", "rs.auc", _table_1,
    ),
    _bounds(
        "Figure 1", "deviation of the AUC of one fixed scorer",
        "figure-1", "rs.guarantees.deviation", _figure_1,
    ),
    _bounds(
        "Figure 2", "rows for the AUC and for the error rate",
        "figure-2", "rs.plan.samples, error_rate_samples", _figure_2,
    ),
    _bounds(
        "Table 2", "matrices that no ranking has",
        "table-2", "rs.theory.guarantees.forbidden_submatrices", _table_2,
    ),
    _bounds(
        "Figure 3", "bounds for all linear scorers on a line at once",
        "figure-3", "rs.theory.guarantees.uniform_rank_shatter, uniform_freund", _figure_3,
    ),
    _bounds(
        "Table 3", "sizes of the training sequences", "figure-4", "rs.learners.RankBoost", _table_3
    ),
    _bounds(
        "Figure 4", "training AUC, test AUC and the lower limit, by RankBoost",
        "figure-4", "rs.theory.guarantees.uniform_rank_shatter", _figure_4,
    ),
)  # fmt: skip


def _introduction(tables: Tables) -> Check:
    rows = tables["introduction"].rows
    labels = "; ".join(str(row[1:]) for row in rows)
    same = [row[1:] for row in rows] == [(1, 0, 1, 0)]
    return Check(same, f"one labeling, (1, 0, 1, 0); here {labels}")


def _figure_1_of_auc_labelings(tables: Tables) -> Check:
    table = tables["figure_1"]
    ours, theirs = (table.column(name) for name in ("misranked", "published_misranked"))
    return Check(
        bool(np.array_equal(ours, theirs)),
        f"4 and 5 misranked pairs; here {ours[0]:g} and {ours[1]:g}",
    )


def _figure_2_of_auc_labelings(tables: Tables) -> Check:
    table = tables["left_swaps"]
    ours = table.column("swaps")
    last = tables["figure_2"].column("misranked")[-1]
    text = ", ".join(f"{swap:g}" for swap in ours)
    return Check(
        bool(np.array_equal(ours, table.column("published_swaps")) and last == ours.sum()),
        f"left swaps 3, 1, 0, 0, 0; here {text}",
    )


def _section_6(tables: Tables) -> Check:
    table = tables["section_6"]
    counted = {row[0]: row[2] for row in table.rows if row[5] == "below"}
    right = sum(counted.get(n) == number for n, number in PUBLISHED.items())
    return Check(
        counted == PUBLISHED,
        f"{right} of {len(PUBLISHED)} numbers of labelings are the printed ones; n up to 107 with "
        f"any: {len(counted)} here",
    )


def _conjecture(tables: Tables) -> Check:
    (_, below, rises), (_, at, rises_at) = tables["conjecture"].rows
    return Check(
        rises == rises_at == 0,
        f"conjectured: the number never rises up to a threshold; counted: it rises in {rises:,} of "
        f"{below:,} steps below the threshold and in {rises_at:,} of {at:,} at it",
    )


_labelings = partial(TourItem, "Whitehill 2019", "labelings")
AUC_LABELINGS_ENTRIES = (
    _labelings(
        "Section 1, example", "four guesses with AUC 3/4",
        "introduction", "rs.leaks.labelings", _introduction,
    ),
    _labelings(
        "Figure 1", "a left swap adds a misranked pair",
        "figure-1", "rs.auc", _figure_1_of_auc_labelings,
    ),
    _labelings(
        "Figure 2", "every labeling by left swaps",
        "figure-2", "rs.auc", _figure_2_of_auc_labelings,
    ),
    _labelings(
        "Section 6, table", "labelings with AUC 1387/1440 by rows",
        "section-6", "rs.leaks.count", _section_6,
    ),
    _labelings(
        "Section 6, conjecture", "does the number fall as rows are added?",
        "conjecture", "rs.leaks.conjecture", _conjecture,
    ),
)  # fmt: skip


_SURE = 0.95
_STILL = 0.04
"""In 60 seeds lines with a limit moved by at most .03, and lines of 2^−r by at least .06."""
_FUNCTIONS = "rs.ndcg, rs.asymptotics.limit, rs.asymptotics.distinguish"


def _separates(tables: Tables, measure: int) -> tuple[bool, str]:
    shares, far, n = [], True, 0.0
    for _, part in tables["simulated_signs"].parts("pair"):
        signs = dict(part.parts("measure"))[NAMES[measure]]
        n = float(signs.column("n")[-1])
        shares.append(float(signs.column("right")[-1]))
        far = far and signs.column("right_high")[-1] >= _SURE
    text = " and ".join(f"{100 * share:.0f} %" for share in shares)
    return far, f"at n = {n:,.0f} the two pairs are in the right order in {text} of single lists"


def _drawn(tables: Tables, measure: int) -> tuple[bool, bool, str]:
    """Return whether the growing list of the figure settles, whether it keeps moving, and words."""
    table = dict(tables["simulated_figures"].parts("measure"))[NAMES[measure]]
    lines = np.array([table.column(name) for name in RANKERS])
    right = np.all(np.diff(lines, axis=0) < 0.0, axis=0)
    half = right.size // 2
    moves = float(np.ptp(lines[:, half:], axis=1).max())
    words = (
        f"the drawn list has {', '.join(RANKERS)} in this order at {right.sum()} of {right.size} "
        f"sizes, and over the second half of them a line moves by {moves:.2f}"
    )
    return bool(right[half:].all()) and moves < _STILL, not right.all() and moves > _STILL, words


def _limits(tables: Tables, measure: int) -> tuple[list[float], str]:
    part: StudyTable = dict(tables["simulated_convergence"].parts("measure"))[NAMES[measure]]
    limits = [float(ranker.column("limit")[0]) for _, ranker in part.parts("ranker")]
    known = [f"{limit:.3f}" for limit in limits if not np.isnan(limit)]
    return limits, f"limits {', '.join(known)}" if known else "no limit"


def _figure_1_of_discounts(tables: Tables) -> Check:
    far, words = _separates(tables, STANDARD)
    limits, text = _limits(tables, STANDARD)
    same = bool(np.allclose(limits, 1.0))
    settles, _, drawn = _drawn(tables, STANDARD)
    claim = "one limit for all rankers, which are separated"
    agrees = far and same and settles
    return Check(agrees, f"the caption says: {claim}; here {text}, {words}, and {drawn}", False)


def _own_limits(measure: int) -> Callable[[Tables], Check]:
    def check(tables: Tables) -> Check:
        far, words = _separates(tables, measure)
        limits, text = _limits(tables, measure)
        several = len({round(limit, 9) for limit in limits}) == len(limits)
        settles, _, drawn = _drawn(tables, measure)
        claim = "a limit for each ranker, and they are separated"
        agrees = far and several and settles
        return Check(agrees, f"the text says: {claim}; here {text}, {words}, and {drawn}", False)

    return check


def _figure_3_of_discounts(tables: Tables) -> Check:
    far, words = _separates(tables, FAST)
    limits, text = _limits(tables, FAST)
    none = bool(np.all(np.isnan(limits)))
    _, moves_on, drawn = _drawn(tables, FAST)
    claim = "no limit, and rankers are not separated"
    agrees = none and not far and moves_on
    return Check(agrees, f"the caption says: {claim}; here {text}, {words}, and {drawn}", False)


def _on_collection(measure: int) -> Callable[[Tables], Check]:
    """Check the captions for these rankers: separated, except by 2^−r."""

    def check(tables: Tables) -> Check:
        table = dict(tables["collection_figures"].parts("measure"))[NAMES[measure]]
        values = np.array([table.column(name) for name in table.columns[3:]])
        last = zip(table.columns[3:], values[:, -1].tolist(), strict=True)
        ends = ", ".join(f"{name} {value:.3f}" for name, value in last)
        pairs = _verdicts(tables["collection_measures"], NAMES[measure])
        verdicts = "; ".join(f"{pair}: {verdict}" for pair, verdict in pairs.items())
        here = f"here {ends} on {table.title.split(':')[0]}, and over many orders {verdicts}"
        if measure == FAST:
            claim = "rankers, even a random one, are not separated"
            agrees = "separates" not in pairs.values()
        else:
            claim = "rankers are separated"
            later = np.argsort(values[:, values.shape[1] // 2 :], axis=0)
            agrees = bool(np.all(later == later[:, :1]))
            order = "keep one order" if agrees else "change their order"
            here += f"; over the second half of the sizes they {order}"
        return Check(agrees, f"the caption says: {claim}; {here}", numbers=False)

    return check


def _verdicts(table: StudyTable, measure: str) -> dict[str, str]:
    a, b, name, verdict = (table.columns.index(x) for x in ("a", "b", "measure", "verdict"))
    rows = (row for row in table.rows if row[name] == measure)
    return {f"{row[a]} and {row[b]}": str(row[verdict]) for row in rows}


_ABOUT = (
    "standard NDCG as lists grow",
    "discount r^−½ as lists grow",
    "discount 2^−r as lists grow",
    "standard NDCG cut at a fifth",
)
_CHECKS = (
    _figure_1_of_discounts,
    _own_limits(HALF_POWER),
    _figure_3_of_discounts,
    _own_limits(CUT),
)


def _chart(measure: int) -> int:
    return measure + 1 if measure else 0


_ndcg = partial(TourItem, "Wang et al. 2013", "ndcg")
DISCOUNTS_ENTRIES = (
    *(
        _ndcg(
            f"Figure {i + 1}", f"{_ABOUT[i]}, simulated",
            f"simulated-{_chart(i)}", _FUNCTIONS, _CHECKS[i],
        )
        for i in range(4)
    ),
    *(
        _ndcg(
            f"Figure {i + 1}, real lists", f"{_ABOUT[i]}, on CLEF TAR 2017",
            f"collection-{_chart(i)}", "rs.learners.RankSVM, ListNet; rs.ndcg",
            _on_collection(i), "clef",
        )
        for i in range(4)
    ),
)  # fmt: skip
