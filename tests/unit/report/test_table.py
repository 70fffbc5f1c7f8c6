from __future__ import annotations

import re
from typing import Any

import pytest

from rocsolid.pictures.marks import Axis
from rocsolid.report.table import forest_scale, results_table

COLOURS = {"goodness": 0}


def test_what_all_rows_share_stands_in_the_head(row: dict[str, Any]) -> None:
    same = results_table((row, row), COLOURS)
    assert same.count("95 %, logit-t") == 1
    other = results_table((row, row | {"method": "delong"}), COLOURS)
    assert "<td" in other.partition("95 %, logit-t")[0]
    assert other.count("95 %, delong") == 1


def test_a_certificate_that_says_nothing_or_is_unknown_is_called_so(row: dict[str, Any]) -> None:
    assert "0 – 1 (says nothing)" in results_table((row,), COLOURS)
    assert "none known" in results_table((row | {"certified": None},), COLOURS)


def test_segments_get_columns(row: dict[str, Any]) -> None:
    text = results_table((row, row | {"by": {"hospital": "North", "year": 2024}}), COLOURS)
    assert re.findall(r"<th scope=\"col\"><bdi>(\w+)", text) == ["hospital", "year"]
    assert text.count(">all<") == 2
    assert "<bdi>2024</bdi>" in text


def test_warnings_are_said_once_and_pointed_at(row: dict[str, Any]) -> None:
    rows = (row | {"warnings": ["Few.", "Tied."]}, row | {"warnings": ["Tied."]})
    text = results_table(rows, COLOURS)
    assert text.count("Tied.") == 1
    assert text.count('href="#warning-2"') == 2
    assert "Warnings" not in results_table((row,), COLOURS)


def test_large_counts_are_grouped(row: dict[str, Any]) -> None:
    assert ">1,234,567<" in results_table((row | {"n_neg": 1_234_567},), COLOURS)


def test_the_scale_shows_every_interval_whole(row: dict[str, Any]) -> None:
    narrow = row | {"certified": {"low": 0.7, "high": 0.9}, "low": 0.75, "high": 0.85}
    over = forest_scale([narrow, narrow | {"low": 0.6}])
    assert 0.5 < over.low < 0.6
    assert 0.9 < over.high < 1.0
    assert forest_scale([row]) == Axis(0.0, 1.0)
    assert over.at(over.low) < over.at(0.6) < over.at(0.85) < over.at(0.9)


def test_an_interval_of_no_width_can_be_drawn(row: dict[str, Any]) -> None:
    sure = row | {"value": 1.0, "low": 1.0, "high": 1.0, "certified": None}
    assert "NaN" not in results_table((sure,), COLOURS)


def test_ties_are_a_number_with_their_share(row: dict[str, Any]) -> None:
    counts = {"n_pos": 100, "n_neg": 200}
    text = results_table((row | counts | {"ties": 2_000},), COLOURS)
    assert ">2,000<small>10.0\N{NO-BREAK SPACE}%</small>" in text
    assert ">19</td>" in results_table((row | counts | {"ties": 19},), COLOURS)


@pytest.mark.parametrize("by_score", [True, False])
def test_groups_of_rows_are_set_apart(row: dict[str, Any], by_score: bool) -> None:
    scores, segments = ("a", "b"), (None, {"hospital": "N"}, {"hospital": "S"})
    rows = [row | {"score": score, "by": by} for score in scores for by in segments]
    if not by_score:
        rows.sort(key=lambda r: str(r["by"]))
    text = results_table(rows, {"a": 0, "b": 1})
    assert text.count(' first"') == (1 if by_score else 2)
