"""What the pages of the studies say of themselves."""

from __future__ import annotations

import inspect
import re

import pytest

import rocsolid.theory.study.tables_2005 as tables
from rocsolid.theory.study import bounds, labelings, ndcg, pauc, ranks
from rocsolid.theory.study.tables_2005 import Tables

CLASSES = [
    name for name, _ in inspect.getmembers(tables, inspect.isclass) if re.search("[a-z][A-Z]", name)
]


@pytest.fixture(scope="module")
def studies() -> dict[str, Tables]:
    return {study.__name__: study(quick=True) for study in (bounds, labelings, ndcg, pauc, ranks)}


def test_no_name_of_the_code_stands_in_a_sentence(studies: dict[str, Tables]) -> None:
    """Renaming a class once renamed a word of a caption."""
    assert "StudySteps" in CLASSES
    for study in studies.values():
        text = re.sub(r"<[^>]*>", " ", study.to_html())
        assert [name for name in CLASSES if re.search(rf"\b{name}\b", text)] == []


def test_figure_4_of_2005_shows_auc_and_limit_on_axes_of_their_own(
    studies: dict[str, Tables],
) -> None:
    (group,) = [g for g in studies["bounds"].content().groups if g.anchor == "figure-4"]
    lines = [{line.name for line in chart.lines} for chart in group.charts]
    assert lines[:2] == [{"training AUC", "test AUC"}, {"Corollary 18", "block-VC"}]
    assert "as in the paper" not in " ".join(group.paragraphs)


def test_a_measure_without_a_limit_is_not_given_one(studies: dict[str, Tables]) -> None:
    """2^−r: no line is called its limit, and ten long lists are not drawn as a mean of many."""
    charts = [chart for group in studies["ndcg"].content().groups for chart in group.charts]
    (chart,) = [chart for chart in charts if chart.title == "2^−r" and chart.levels]
    assert all(word.startswith("mean over lists") for _, word in chart.levels)
    few = chart.x > 2_000
    assert few.any()
    for line in chart.lines:
        assert [value != value for value in line.y] == few.tolist()


def test_the_headline_of_ndcg_counts_lists(studies: dict[str, Tables]) -> None:
    (verdict,) = studies["ndcg"].content().frame.verdict
    assert re.fullmatch(
        r"Of 100 simulated lists of 2,000 documents, the standard discount ranks the stronger of "
        r"two rankers first in \d+, and a discount that falls too fast in \d+\.",
        verdict,
    )


def test_the_time_of_the_polynomial(studies: dict[str, Tables]) -> None:
    assert "takes n·log²n steps" in studies["ranks"].to_html()
