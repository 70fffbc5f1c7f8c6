"""The study of NDCG on 15 topics of CLEF TAR 2017 (Kanoulas et al. 2017), with real systems."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.theory.study import ndcg
from rocsolid.theory.study.ndcg import RUNS, Collection, NdcgStudy
from rocsolid.theory.study.tour.auc_bounds import DISCOUNTS_ENTRIES as ENTRIES


@pytest.fixture(scope="module")
def folder(data: Path) -> Path:
    return data / "ir" / "clef_tar_2017"


@pytest.fixture(scope="module")
def study(folder: Path) -> NdcgStudy:
    return ndcg(folder, quick=True)


def test_the_values_are_those_of_the_collection(study: NdcgStudy, folder: Path) -> None:
    read = Collection.read(folder, 0)
    assert len(set(read.topic.tolist())) == 15
    assert np.bincount(read.grade.astype(int)).tolist() == [11_438, 291, 158]
    one = study.pairs[0]["1/log(1+r)"]
    for name, found in zip(RUNS, (one.value_a, one.value_b), strict=True):
        value = rs.ndcg(read.grade, read.scores[name], qid=read.topic).value
        assert found == pytest.approx(value, abs=1e-13)


def test_which_measures_tell_the_systems_apart(study: NdcgStudy) -> None:
    """The two systems: none on so few topics, but the standard discount cut at n/5 would on more;
    2^−r does not, and has another winner. Against a random order the standard discount does with
    14 items of each topic."""
    pair, against_random = study.pairs
    assert pair["1/log(1+r) at n/5"].verdict == "more queries"
    assert pair["1/log(1+r) at n/5"].ahead == RUNS[0]
    fast = pair["2^−r"]
    assert fast.ahead == RUNS[1]
    assert fast.verdict == "cannot"
    assert "2^−r" in pair.choose().avoid
    assert against_random["1/log(1+r)"].reached == 14


def test_figures_1_to_4(study: NdcgStudy) -> None:
    table = study["collection_figures"]
    assert table.columns == ("figure", "measure", "n", *RUNS, "random")
    assert "4 topics" in table.title
    for figure, part in table.parts("figure"):
        systems, nobody = part.column(RUNS[0]), part.column("random")
        if figure in (1, 2, 4):
            assert np.all(systems[20:] > nobody[20:])
    assert "CLEF TAR 2017" in study.note
    page = study.to_html()
    for words in ("which measure to use", f"{RUNS[0]} against {RUNS[1]}", "topics of CLEF TAR"):
        assert words in page


def test_rankers_that_were_learned(folder: Path) -> None:
    """Rank aggregation beats every system that it aggregates, and learners saw no topic twice."""
    read = Collection.read(folder, 0, learned=True)
    assert list(read.scores) == ["RankSVM", "ListNet", "random"]
    single = Collection.read(folder, 0).scores[RUNS[0]]
    least = rs.ndcg(read.grade, single, qid=read.topic).value
    for name in ("RankSVM", "ListNet"):
        assert rs.ndcg(read.grade, read.scores[name], qid=read.topic).value > least + 0.05


def test_the_tour_says_what_came_of_each_figure(study: NdcgStudy) -> None:
    checks = {entry.name: entry.check(study) for entry in ENTRIES if entry.needs}
    assert list(checks) == [f"Figure {i}, real lists" for i in range(1, 5)]
    for name, check in checks.items():
        assert not check.numbers
        verdict = "more queries" if name.startswith("Figure 3") else "separates"  # it is of 2^−r
        assert f"{RUNS[1]} and random: {verdict}" in check.words
