from __future__ import annotations

import json

import pytest

from misranked_pairs import recursion
from rocsolid.theory.study import labelings
from rocsolid.theory.study.labelings import (
    PUBLISHED,
    PUBLISHED_SWAPS,
    LabelingsStudy,
    Y,
    misranked,
    swaps,
)


@pytest.fixture(scope="module")
def quick() -> LabelingsStudy:
    return labelings(quick=True)


def test_the_table_is_the_printed_one_and_goes_on(quick: LabelingsStudy) -> None:
    table = quick["section_6"]
    below = {row[0]: row[2] for row in table.rows if row[5] == "below"}
    assert below == PUBLISHED
    at = next(row for row in table.rows if row[5] == "at")
    assert at[:3] == (108, "48, 60", 759_219_864)
    assert at[2] == 2 * recursion(48, 60, 106)


def test_the_figures_have_the_printed_numbers(quick: LabelingsStudy) -> None:
    table = quick["figure_1"]
    assert table.column("misranked").tolist() == table.column("published_misranked").tolist()
    steps = quick["figure_2"]
    assert steps.rows[0][1:11] == (0, 0, 0, 0, 0, 1, 1, 1, 1, 1)
    assert steps.rows[-1][1:11] == Y
    assert steps.column("misranked").tolist() == [0, 1, 2, 3, 4]
    assert swaps(Y) == PUBLISHED_SWAPS
    assert sum(swaps(Y)) == misranked(Y)


def test_one_labeling_fits_the_four_guesses(quick: LabelingsStudy) -> None:
    assert quick["introduction"].rows == ((1, 1, 0, 1, 0),)


def test_the_conjecture_is_tested_and_not_assumed(quick: LabelingsStudy) -> None:
    (_, _, below), (_, _, at) = quick["conjecture"].rows
    assert below == len(quick["rises"].rows) == len(quick.tested.below) > 0
    assert at == quick.tested.rises_at
    assert "The conjecture does not hold." in quick.to_html()


def test_rounding_leaves_more_labelings(quick: LabelingsStudy) -> None:
    counts = quick["rounding"].column("labelings")
    assert sorted(counts) == counts.tolist()
    assert counts[0] == PUBLISHED[76]


def test_the_seed_changes_nothing(quick: LabelingsStudy) -> None:
    assert labelings(quick=True, seed=1).to_html() == quick.to_html()
    data = json.loads(json.dumps(quick.to_dict(), allow_nan=False))
    assert data["conjecture"]["max_q"] == 100
    assert {table["name"] for table in data["tables"]} >= {"section_6", "growth", "rounding"}


def test_progress_is_told_and_ends_at_the_end() -> None:
    said: list[tuple[int, int]] = []
    labelings(quick=True, progress=lambda done, total: said.append((done, total)))
    assert [done for done, _ in said] == list(range(1, len(said) + 1))
    assert {total for _, total in said} == {len(said)}
