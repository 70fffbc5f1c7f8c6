from __future__ import annotations

import json
import math

import numpy as np
import pytest

from rocsolid.theory.study import ranks
from rocsolid.theory.study.ranks import RanksStudy
from rocsolid.theory.study.ranks_tables import GOOD, PUBLISHED_PATH, SCORES


@pytest.fixture(scope="module")
def quick() -> RanksStudy:
    return ranks(quick=True)


def test_the_path_and_its_area(quick: RanksStudy) -> None:
    table = quick["path"]
    assert ", ".join(str(row[1]) for row in table.rows[1:]) == PUBLISHED_PATH
    assert table.rows[-1][2:] == (1.0, 1.0)
    np.testing.assert_allclose(quick["area"].column("value"), 10 / 12, rtol=1e-14)


def test_the_ranks_are_the_printed_ones(quick: RanksStudy) -> None:
    for name in ("ranks", "vectors"):
        table = quick[name]
        assert table.column("rank").tolist() == table.column("published_rank").tolist()


def test_a_tie_is_one_diagonal_step(quick: RanksStudy) -> None:
    moves = [row[1] for row in quick["tied_path"].rows]
    assert moves.count("diagonal (1 up, 1 right)") == 1
    assert quick["tied_path"].rows[4][2:] == (0.5, 1.0)


def test_the_polynomial_has_the_scores_as_its_roots(quick: RanksStudy) -> None:
    """Against the values of the product itself; -3 and -5 among the scores make it 0 at 3 and 5."""
    table = quick["polynomial"]
    for row in table.rows:
        assert row[4] == math.prod(int(str(row[3])) + score for score in SCORES)
        assert row[1] == row[2]
        assert row[4] == row[5]
    given, in_order, changed = (row[1] for row in quick["fingerprints"].rows)
    assert given == in_order != changed


def test_the_bars_are_sorted_and_three_are_good(quick: RanksStudy) -> None:
    scores = quick["bars"].column("score")
    assert np.all(np.diff(scores) <= 0.0)
    assert quick["bars"].column("good").sum() == sum(GOOD) == 3


def test_numbers_by_chance_come_to_the_integral(quick: RanksStudy) -> None:
    """Four sizes, five standard errors: a false alarm in less than one of 10^5 seeds."""
    table = quick["monte_carlo"]
    assert np.all(table.column("error") < 5 * table.column("standard_error"))
    assert table.column("mean").tolist() == table.column("mean_again").tolist()
    np.testing.assert_allclose(
        table.column("error_evenly_spaced"), 1 / (12 * table.column("n") ** 2), rtol=1e-6
    )


def test_the_seed_decides_the_random_numbers_alone(quick: RanksStudy) -> None:
    other = ranks(quick=True, seed=1)
    assert other["monte_carlo"] != quick["monte_carlo"]
    assert other["path"] == quick["path"]
    json.dumps(quick.to_dict(), allow_nan=False)


def test_the_page_draws_the_curve_and_the_ranks(quick: RanksStudy) -> None:
    page = quick.to_html("rocsolid study ranks")
    assert page.count('class="roc"') == 2
    assert page.count('class="ranks"') == 2
    assert "<script" not in page
    assert "ranked above 83.3" in page
