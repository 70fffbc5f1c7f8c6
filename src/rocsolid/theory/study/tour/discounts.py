"""Figures 1 to 4 of Wang et al. 2013: on simulated lists, and on a collection that is at hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocsolid.theory.study.ndcg_simulated import CUT, FAST, HALF_POWER, NAMES, RANKERS, STANDARD
from rocsolid.theory.study.table import StudyTable, Tables
from rocsolid.theory.study.tour.entry import Check, TourItem

_SURE = 0.95
_STILL = (
    0.04  # in 60 seeds lines that have a limit moved by .03 at most, those of 2^−r by .06 or more
)
_FUNCTIONS = "rs.ndcg, rs.asymptotics.limit, rs.asymptotics.distinguish"


def _separates(found: Tables, measure: int) -> tuple[bool, str]:
    """Whether single lists of the largest size may have the right order in 95 % of all cases."""
    shares, far, n = [], True, 0.0
    for _, part in found["simulated_signs"].parts("pair"):
        one = dict(part.parts("measure"))[NAMES[measure]]
        n = float(one.column("n")[-1])
        shares.append(float(one.column("right")[-1]))
        far = far and one.column("right_high")[-1] >= _SURE
    text = " and ".join(f"{100 * share:.0f} %" for share in shares)
    return far, f"at n = {n:,.0f} the two pairs are in the right order in {text} of single lists"


def _drawn(found: Tables, measure: int) -> tuple[bool, bool, str]:
    """Of the one growing list of the figure: does it settle, does it not, and the words.

    It settles if the rankers keep the right order over the second half of the sizes and no line
    moves much there. It does not if the order is wrong at some size and a line goes on moving.
    """
    table = dict(found["simulated_figures"].parts("measure"))[NAMES[measure]]
    lines = np.array([table.column(name) for name in RANKERS])
    right = np.all(np.diff(lines, axis=0) < 0.0, axis=0)
    half = right.size // 2
    moves = float(np.ptp(lines[:, half:], axis=1).max())
    words = (
        f"the list that is drawn has {', '.join(RANKERS)} in this order at {right.sum()} of "
        f"{right.size} sizes, and over the second half of them a line moves by {moves:.2f}"
    )
    return bool(right[half:].all()) and moves < _STILL, not right.all() and moves > _STILL, words


def _limits(found: Tables, measure: int) -> tuple[list[float], str]:
    part: StudyTable = dict(found["simulated_convergence"].parts("measure"))[NAMES[measure]]
    limits = [float(ranker.column("limit")[0]) for _, ranker in part.parts("ranker")]
    known = [f"{limit:.3f}" for limit in limits if not np.isnan(limit)]
    return limits, f"limits {', '.join(known)}" if known else "no limit"


def _figure_1(found: Tables) -> Check:
    far, words = _separates(found, STANDARD)
    limits, text = _limits(found, STANDARD)
    same = bool(np.allclose(limits, 1.0))
    settles, _, drawn = _drawn(found, STANDARD)
    claim = "one limit for all rankers, which are separated"
    agrees = far and same and settles
    return Check(agrees, f"the caption says: {claim}; here {text}, {words}, and {drawn}", False)


def _own_limits(measure: int) -> Callable[[Tables], Check]:
    def check(found: Tables) -> Check:
        far, words = _separates(found, measure)
        limits, text = _limits(found, measure)
        several = len({round(limit, 9) for limit in limits}) == len(limits)
        settles, _, drawn = _drawn(found, measure)
        claim = "a limit for each ranker, and they are separated"
        agrees = far and several and settles
        return Check(agrees, f"the text says: {claim}; here {text}, {words}, and {drawn}", False)

    return check


def _figure_3(found: Tables) -> Check:
    far, words = _separates(found, FAST)
    limits, text = _limits(found, FAST)
    none = bool(np.all(np.isnan(limits)))
    _, moves_on, drawn = _drawn(found, FAST)
    claim = "no limit, and rankers are not separated"
    agrees = none and not far and moves_on
    return Check(agrees, f"the caption says: {claim}; here {text}, {words}, and {drawn}", False)


def _on_collection(measure: int) -> Callable[[Tables], Check]:
    """The captions, about the rankers here: separated, or by 2^−r not."""

    def check(found: Tables) -> Check:
        table = dict(found["collection_figures"].parts("measure"))[NAMES[measure]]
        values = np.array([table.column(name) for name in table.columns[3:]])
        last = zip(table.columns[3:], values[:, -1].tolist(), strict=True)
        ends = ", ".join(f"{name} {value:.3f}" for name, value in last)
        pairs = _verdicts(found["collection_measures"], NAMES[measure])
        told = "; ".join(f"{pair}: {verdict}" for pair, verdict in pairs.items())
        here = f"here {ends} on {table.title.split(':')[0]}, and over many orders {told}"
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
    mine = [row for row in table.rows if row[name] == measure]
    return {f"{row[a]} and {row[b]}": str(row[verdict]) for row in mine}


_ABOUT = (
    "standard NDCG as lists grow",
    "discount r^−½ as lists grow",
    "discount 2^−r as lists grow",
    "standard NDCG cut at a fifth",
)
_CHECKS = (_figure_1, _own_limits(HALF_POWER), _figure_3, _own_limits(CUT))


def _place(measure: int) -> int:
    """The chart on the page, where figure 1 is drawn twice."""
    return measure + 1 if measure else 0


ENTRIES = (
    *(
        TourItem(
            *("Wang et al. 2013", f"Figure {i + 1}", f"{_ABOUT[i]}, simulated", "ndcg"),
            *(f"simulated-{_place(i)}", _FUNCTIONS, _CHECKS[i]),
        )
        for i in range(4)
    ),
    *(
        TourItem(
            *(
                "Wang et al. 2013",
                f"Figure {i + 1}, real lists",
                f"{_ABOUT[i]}, on CLEF TAR 2017",
                "ndcg",
            ),
            *(f"collection-{_place(i)}", "rs.learners.RankSVM, ListNet; rs.ndcg"),
            *(_on_collection(i), "clef"),
        )
        for i in range(4)
    ),
)
