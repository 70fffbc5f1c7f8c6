from __future__ import annotations

import html
import itertools
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rocsolid.report.comparison_section import comparison_section
from rocsolid.report.data import Page
from rocsolid.report.html import render
from rocsolid.report.sections import (
    Narrowing,
    Pair,
    SampleSizes,
    ScoreComparison,
    Segmented,
    SegmentForest,
    SegmentRow,
    sample_size_section,
    segment_section,
)

HOSTILE = "<script>alert(1)</script>\"'&"


def comparison(scores: int, p: float = 0.003) -> ScoreComparison:
    """Each score is .01 below the one before; neighbours are not told apart."""
    names = [f"model_{i:02d}" for i in range(scores)]
    pairs = []
    for i, j in itertools.combinations(range(scores), 2):
        d = 0.01 * (j - i)
        limits, certified = (d - 0.005, d + 0.005), (d - 0.02, d + 0.02)
        adjusted = 0.4 if j == i + 1 else p
        pairs.append(Pair(names[i], names[j], d, limits, certified, adjusted))
    values = {name: 0.9 - 0.01 * i for i, name in enumerate(names)}
    groups = tuple(itertools.pairwise(names))
    return ScoreComparison("auc", ("A sentence.",), values, tuple(pairs), groups, ("Below.",))


def colours(found: ScoreComparison) -> dict[str, int]:
    return {name: i for i, name in enumerate(reversed(found.values))}


def segmented(scores: int = 2, segments: int = 3) -> Segmented:
    rows = tuple(
        SegmentRow(f"site {i}", 0.6 + 0.1 * i, (0.5, 0.9), (0.4, 0.95), 1_234, 12_345)
        for i in range(segments)
    )
    whole = SegmentRow("all rows", 0.72, (0.7, 0.74), None, 9_999, 99_999)
    forests = tuple(SegmentForest(f"model_{i:02d}", "auc", whole, rows) for i in range(scores))
    skipped = (("model_00", "site 9", "there is no positive row", 0, 17),)
    return Segmented(("hospital",), forests, skipped, ("A note.",))


def sizes(lines: int) -> SampleSizes:
    grid = np.geomspace(25, 1_600, 25)
    found = tuple(
        Narrowing(f"model_{i:02d}", 100, 400, 0.05, 396, 2_500, None, 0.5 / np.sqrt(grid))
        for i in range(lines)
    )
    return SampleSizes(0.95, 0.01, grid, found, ("A sentence.",), ("Below.",))


def whole(page: Page, **sections: Any) -> str:
    return render(replace(page, **sections))


def test_every_pair_stands_in_the_matrix_once_with_its_p() -> None:
    found = comparison(6)
    text = comparison_section((found,), colours(found))
    cells = re.findall(r'<td class="p(\d)">([^<]*)</td>', text)
    assert len(cells) == 2 * len(found.pairs)
    assert sorted(cell for _, cell in cells if cell.startswith("+")) == sorted(
        f"{pair.difference:+.4f}" for pair in found.pairs
    )
    assert {shade for shade, cell in cells if cell == "0.4000"} == {"0"}
    assert {shade for shade, cell in cells if cell == "0.0030"} == {"2"}


@pytest.mark.parametrize(
    ("p", "shade"), [(0.049, 1), (0.0099, 2), (0.00099, 3), (0.05, 0), (float("nan"), 0)]
)
def test_the_shade_goes_with_p(p: float, shade: int) -> None:
    found = comparison(6, p)
    text = comparison_section((found,), colours(found))
    assert text.count(f'class="p{shade}"') >= 2
    assert ("unknown" in text) == (p != p)


def test_few_pairs_are_drawn_and_many_are_folded() -> None:
    few, many = comparison(5), comparison(6)
    drawn = comparison_section((few,), colours(few))
    assert drawn.count('class="forest"') == 10 + 1
    assert "as a table" not in drawn
    folded = comparison_section((many,), colours(many))
    assert "The 15 pairs with their intervals as a table" in folded
    assert folded.count("<tr>") == 1 + 6 + 1 + 15
    assert "+0.0050 to +0.0150" in folded


def test_two_scores_need_no_matrix() -> None:
    found = comparison(2)
    text = comparison_section((found,), colours(found))
    assert "matrix" not in text
    assert text.count('class="forest"') == 1 + 1


def test_of_very_many_scores_the_best_are_shown_and_that_is_said() -> None:
    found = comparison(32)
    text = comparison_section((found,), colours(found))
    assert "The matrix has the 20 highest scores; 12 more are not in it." in text
    assert "the first 400 of 496 pairs" in text
    assert "The first 12 of 31; the matrix shows the others." in text
    assert "+.0100" in text


def test_a_reason_stands_where_there_is_no_comparison() -> None:
    found = ScoreComparison("auc", ("No comparison is made: too many rows.",), {})
    text = comparison_section((found,), {})
    assert "too many rows" in text
    assert "<table" not in text


def test_a_difference_is_never_written_as_zero_unless_it_is() -> None:
    pair = Pair("a", "b", 3e-6, (-0.1, 0.1), None, 0.9)
    found = ScoreComparison("auc", (), {"a": 0.5, "b": 0.5}, (pair,))
    text = comparison_section((found,), {})
    assert "+3.0e−06" in text
    level = comparison_section((replace(found, pairs=(replace(pair, difference=0.0),)),), {})
    assert re.search(r">0</td>", level)


def test_a_forest_holds_what_its_table_says() -> None:
    text = segment_section(segmented(), {"model_00": 0, "model_01": 1})
    assert text.count("<svg") == 2
    assert text.count('role="img"') == 2
    assert text.count("<circle") == 2 * 4
    assert "from site 0 (0.6000) to site 2 (0.8000); over all rows 0.7200." in text
    assert text.count(">1,234<") == 2 * 3
    assert "none known" in text
    assert "there is no positive row" in text
    dots = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', text)]
    assert dots[0] < dots[1] < dots[3] < dots[2]  # 0.6, 0.7, all rows with 0.72, 0.8
    line = re.search(r'd="M([\d.]+) 8V[\d.]+" class="overall"', text)
    assert line is not None
    assert float(line[1]) == pytest.approx(dots[3], abs=0.01)


def test_the_curve_marks_where_things_stand() -> None:
    text = sample_size_section(sizes(8), {f"model_{i:02d}": i for i in range(8)})
    assert text.count('class="here"') == 6
    assert "2 more are in the table" in text
    assert text.count(">2,500<") == 8
    assert "±0.01" in text
    far = replace(sizes(1), target=1e-5)
    assert "chance" not in sample_size_section(far, {"model_00": 0})


def test_sections_appear_only_where_they_apply(page: Page) -> None:
    titles = ("Scores compared", "Segments", "How much more data would help")
    plain = whole(page)
    assert not any(f">{title}</h2>" in plain for title in titles)
    found = comparison(3)
    full = whole(page, comparisons=(found,), segments=segmented(), sample_sizes=sizes(1))
    assert all(f">{title}</h2>" in full for title in titles)
    for text in (full, whole(page, comparisons=(found, replace(found, measure="another")))):
        levels = [int(level) for level in re.findall(r"<h([1-6])", text)]
        assert all(b <= a + 1 for a, b in itertools.pairwise(levels))
        ids = re.findall(r' id="([^"]+)"', text)
        assert len(ids) == len(set(ids))
        assert all(
            set(refs.split()) <= set(ids) for refs in re.findall(r'labelledby="([^"]+)"', text)
        )


def test_names_cannot_break_the_sections(page: Page) -> None:
    two = comparison(2)
    pair = replace(two.pairs[0], a=HOSTILE, b=HOSTILE * 2)
    pairs = ScoreComparison(
        HOSTILE, (HOSTILE,), {HOSTILE: 0.7, HOSTILE * 2: 0.6, "c": 0.5},
        (pair, replace(pair, b="c"), replace(pair, a=HOSTILE * 2, b="c")),
        ((HOSTILE, HOSTILE * 2),), (HOSTILE,), (HOSTILE,),
    )  # fmt: skip
    row = replace(segmented().forests[0].rows[0], segment=HOSTILE)
    forest = replace(segmented().forests[0], score=HOSTILE, measure=HOSTILE, rows=(row,))
    segments = Segmented((HOSTILE,), (forest,), ((HOSTILE, HOSTILE, HOSTILE, 0, 1),), (HOSTILE,))
    line = replace(sizes(1).lines[0], score=HOSTILE)
    more = replace(sizes(1), lines=(line,), sentences=(HOSTILE,), below=(HOSTILE,))
    text = whole(page, comparisons=(pairs,), segments=segments, sample_sizes=more)
    assert text.count("<script") == 1
    assert "alert(1)</script>" not in text
    assert text.count(html.escape(HOSTILE)) > 20


def test_twenty_scores_leave_room_for_the_rest_of_the_page() -> None:
    found = comparison(20)
    names = {f"model_{i:02d}": i for i in range(20)}
    assert len(comparison_section((found,), names).encode()) < 65_000
    assert len(sample_size_section(sizes(20), names).encode()) < 20_000
    assert len(segment_section(segmented(20, 6), names).encode()) < 100_000
