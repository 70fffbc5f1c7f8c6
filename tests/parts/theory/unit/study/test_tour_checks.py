"""The checks of the tour look at what is drawn: broken pictures do not agree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rocsolid.theory.study import bounds, ndcg
from rocsolid.theory.study.bounds import BoundsStudy
from rocsolid.theory.study.ndcg import NdcgStudy
from rocsolid.theory.study.ndcg_simulated import FAST, NAMES, RANKERS
from rocsolid.theory.study.tables_2005 import StudyTable, Tables
from rocsolid.theory.study.tour.catalogue import ENTRIES


@pytest.fixture(scope="module")
def figures() -> NdcgStudy:
    return ndcg(quick=True)


@pytest.fixture(scope="module")
def experiment() -> BoundsStudy:
    return bounds(quick=True)


def agrees(found: Tables, document: str, name: str) -> bool:
    (entry,) = [e for e in ENTRIES if (e.document, e.name) == (document, name)]
    return entry.check(found).agrees


def changed(found: Tables, table: StudyTable) -> Tables:
    tables = tuple(table if one.name == table.name else one for one in found.tables)
    return replace(found, tables=tables)


def test_the_figures_of_2013_agree_with_what_is_drawn(figures: NdcgStudy) -> None:
    for i in range(4):
        assert agrees(figures, "Wang et al. 2013", f"Figure {i + 1}")


def test_figure_3_does_not_agree_beside_lines_that_never_cross(figures: NdcgStudy) -> None:
    """Means of many lists: .6, .45 and .35 all along, which is no picture of its caption."""
    table = figures["simulated_figures"]
    rows = tuple(
        (*row[:3], 0.6, 0.45, 0.35) if row[1] == NAMES[FAST] else row for row in table.rows
    )
    assert not agrees(changed(figures, replace(table, rows=rows)), "Wang et al. 2013", "Figure 3")


@pytest.mark.parametrize("number", [1, 2, 4])
def test_the_others_do_not_agree_beside_lines_that_cross(figures: NdcgStudy, number: int) -> None:
    table = figures["simulated_figures"]
    last = {}
    for row in table.rows:
        last[row[0]] = row
    rows = tuple((*r[:3], *r[:2:-1]) if r == last[number] else r for r in table.rows)
    assert rows != table.rows
    assert len(RANKERS) == 3
    broken = changed(figures, replace(table, rows=rows))
    assert not agrees(broken, "Wang et al. 2013", f"Figure {number}")


def test_figure_4_of_2005_does_not_agree_with_a_test_auc_that_goes_its_own_way(
    experiment: BoundsStudy,
) -> None:
    """Not even if it rises with the number of rows, which gives a high rank correlation."""
    assert agrees(experiment, "Agarwal et al. 2005", "Figure 4")
    table = experiment["experiment"]
    at = table.columns.index("test_auc")
    values = np.array([0.75, 0.8, 0.85, 0.87])  # better, the rarer the positives
    rows = tuple(
        (*row[:at], float(value), *row[at + 1 :])
        for row, value in zip(table.rows, values, strict=True)
    )
    broken = changed(experiment, replace(table, rows=rows))
    assert not agrees(broken, "Agarwal et al. 2005", "Figure 4")
