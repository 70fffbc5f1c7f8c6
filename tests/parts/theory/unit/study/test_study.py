from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest

from rocsolid.theory.learners.boosting import LinearRankers, boost, slopes
from rocsolid.theory.study import bounds
from rocsolid.theory.study.bounds import BoundsStudy
from rocsolid.theory.study.tables_2005 import DIMENSION, ROUNDS, Mixture, StudyTable, rank_boost
from rocsolid.theory.study.tables_2005 import gaussian_auc as auc


@pytest.fixture(scope="module")
def quick() -> BoundsStudy:
    return bounds(quick=True)


def test_the_seed_decides_everything(quick: BoundsStudy) -> None:
    assert bounds(quick=True) == quick
    other = bounds(quick=True, seed=1)
    assert other["experiment"] != quick["experiment"]
    assert other["figure_3"] == quick["figure_3"]


def test_quick_is_smaller(quick: BoundsStudy) -> None:
    assert len(quick["experiment"].rows) == 4
    assert len(quick["figure_1"].rows) == 4 * 7
    assert "quick" in quick.to_html()


def test_progress_is_told_and_ends_at_the_end() -> None:
    said: list[tuple[int, int]] = []
    bounds(quick=True, progress=lambda done, total: said.append((done, total)))
    assert [done for done, _ in said] == list(range(1, len(said) + 1))
    assert {total for _, total in said} == {len(said)}


def test_json_has_every_table(quick: BoundsStudy) -> None:
    data = json.loads(json.dumps(quick.to_dict(), allow_nan=False))
    assert [table["name"] for table in data["tables"]] == [
        "figure_1",
        "figure_2",
        "figure_3",
        "experiment",
        "table_1",
        "table_2",
    ]
    assert data["delta"] == 0.01
    assert "RankBoost" in data["learner"]


def test_csv_can_be_read_back(quick: BoundsStudy) -> None:
    for table in quick.tables:
        rows = list(csv.reader(io.StringIO(table.to_csv())))
        assert tuple(rows[0]) == table.columns
        kinds = [str if isinstance(cell, str) else float for cell in table.rows[0]]
        assert [
            tuple(kind(cell) for kind, cell in zip(kinds, row, strict=True)) for row in rows[1:]
        ] == list(table.rows)


def test_table_1_has_the_printed_errors_and_aucs(quick: BoundsStudy) -> None:
    table = quick["table_1"]
    assert table.column("errors").tolist() == table.column("published_errors").tolist() == [2, 2]
    assert table.column("auc").tolist() == table.column("published_auc").tolist() == [0.75, 0.5]


def test_table_2_has_the_printed_matrices_and_no_others(quick: BoundsStudy) -> None:
    rows = quick["table_2"].rows
    assert len(rows) == len({row[1:5] for row in rows}) == 30
    assert {(row[0], row[-1]) for row in rows} == {(1, "yes"), (2, "yes")}


def test_what_is_not_defined_is_empty_or_null() -> None:
    table = StudyTable("t", "T", ("a", "b"), ((1, math.nan), (2, 0.5)))
    assert table.to_csv() == "a,b\n1,\n2,0.5\n"
    assert table.to_dict()["rows"] == [{"a": 1, "b": None}, {"a": 2, "b": 0.5}]


def test_a_table_in_parts_keeps_every_row() -> None:
    table = StudyTable("t", "T", ("a", "b"), ((2, 1), (1, 2), (2, 3)))
    assert [(value, part.rows) for value, part in table.parts("a")] == [
        (2, ((2, 1), (2, 3))),
        (1, ((1, 2),)),
    ]


def test_rank_boost_is_near_the_best_linear_scorer_of_two_gaussians() -> None:
    rng = np.random.default_rng(0)
    pos, neg = rng.normal(0.5, 1.0, (3000, 4)), rng.normal(0.0, 2.0, (2000, 4))
    w = rank_boost(pos, neg)
    best = np.ones(4)  # equal variances and gaps in all directions
    assert w @ best / np.linalg.norm(w) / np.linalg.norm(best) > 0.98


def test_more_rounds_of_rank_boost_would_change_little() -> None:
    rng = np.random.default_rng(1)
    mixtures = Mixture.drawn(rng), Mixture.drawn(rng)
    pos, neg = (mixture.rows(rng, 100) for mixture in mixtures)
    made = boost(LinearRankers(np.concatenate([pos, neg])), 100, np.ones(200), 2 * ROUNDS)
    once, twice = (
        auc(pos @ w, neg @ w)
        for w in (slopes(made.rankers[:k], made.alpha[:k], 20) for k in (ROUNDS, 2 * ROUNDS))
    )
    np.testing.assert_array_equal(
        rank_boost(pos, neg), slopes(made.rankers[:ROUNDS], made.alpha[:ROUNDS], 20)
    )
    assert twice == pytest.approx(once, abs=0.005)
    assert once > 0.85


def test_a_mixture_has_the_mean_and_the_variance_of_its_parts() -> None:
    rng = np.random.default_rng(1)
    mixture = Mixture.drawn(rng)
    rows = mixture.rows(rng, 100_000)
    assert rows.shape == (100_000, DIMENSION)
    np.testing.assert_allclose(rows.mean(axis=0), mixture.means.mean(axis=0), atol=0.025)
    variance = mixture.variances.mean(axis=0) + mixture.means.var(axis=0)
    np.testing.assert_allclose(rows.var(axis=0), variance, atol=0.03)


def test_the_page_has_every_figure_and_is_the_same_twice(quick: BoundsStudy) -> None:
    page = quick.to_html("rocsolid study bounds")
    assert page == quick.to_html("rocsolid study bounds")
    for text in (
        "Figure 1",
        "Figure 2",
        "Figure 3",
        "Section 4.5",
        "RankBoost",
        "Table 1",
        "Table 2",
    ):
        assert text in page
    assert page.count('role="img"') == 4 + 1 + 4 + 3
