"""Figures 1 to 4 of document 002: on simulated lists, and on a collection that is at hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocsolid.study.ndcg_measures import CUT, FAST, HALF_POWER, NAMES, STANDARD
from rocsolid.study.table import Table
from rocsolid.study.tables import Tables
from rocsolid.study.tour.entry import Check, Entry

_SURE = 0.95
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


def _limits(found: Tables, measure: int) -> list[float]:
    part: Table = dict(found["simulated_convergence"].parts("measure"))[NAMES[measure]]
    return [float(ranker.column("limit")[0]) for _, ranker in part.parts("ranker")]


def _figure_1(found: Tables) -> Check:
    far, words = _separates(found, STANDARD)
    same = bool(np.allclose(_limits(found, STANDARD), 1.0))
    return Check(
        far and same, f"one limit for all rankers, and an order that settles: {words}", False
    )


def _own_limits(measure: int) -> Callable[[Tables], Check]:
    def check(found: Tables) -> Check:
        far, words = _separates(found, measure)
        limits = _limits(found, measure)
        several = len({round(limit, 9) for limit in limits}) == len(limits)
        text = ", ".join(f"{limit:.3f}" for limit in limits)
        return Check(far and several, f"a limit for each ranker ({text}): {words}", False)

    return check


def _figure_3(found: Tables) -> Check:
    far, words = _separates(found, FAST)
    none = bool(np.all(np.isnan(_limits(found, FAST))))
    return Check(none and not far, f"no limit, and no order that settles: {words}", False)


def _on_collection(measure: int) -> Callable[[Tables], Check]:
    """The captions, about the rankers here: told apart, or by 2^−r not."""

    def check(found: Tables) -> Check:
        table = dict(found["collection_figures"].parts("measure"))[NAMES[measure]]
        names = table.columns[3:]
        values = np.array([table.column(name) for name in names])
        ends = ", ".join(f"{name} {value[-1]:.3f}" for name, value in zip(names, values))
        if measure == FAST:
            pairs = _verdicts(found["collection_measures"], NAMES[measure])
            told = "; ".join(f"{pair}: {verdict}" for pair, verdict in pairs.items())
            return Check(
                "separates" not in pairs.values(),
                "the caption says that rankers, even a random one, cannot be told apart; here "
                f"{ends}, and over many orders {told}",
                numbers=False,
            )
        later = np.argsort(values[:, values.shape[1] // 2 :], axis=0)
        return Check(
            bool(np.all(later == later[:, :1])),
            f"the caption says that rankers are told apart; here {ends}, in one order over the "
            "second half of the sizes",
            numbers=False,
        )

    return check


def _verdicts(table: Table, measure: str) -> dict[str, str]:
    a, b, name, verdict = (table.columns.index(x) for x in ("a", "b", "measure", "verdict"))
    return {
        f"{row[a]} and {row[b]}": str(row[verdict]) for row in table.rows if row[name] == measure
    }


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
        Entry(
            *("002", f"Figure {i + 1}", f"{_ABOUT[i]}, simulated", "ndcg"),
            *(f"simulated-{_place(i)}", _FUNCTIONS, _CHECKS[i]),
        )
        for i in range(4)
    ),
    *(
        Entry(
            *("002", f"Figure {i + 1}, real lists", f"{_ABOUT[i]}, on CLEF TAR 2017", "ndcg"),
            *(f"collection-{_place(i)}", "rs.learners.RankSVM, ListNet; rs.ndcg"),
            *(_on_collection(i), "clef"),
        )
        for i in range(4)
    ),
)
