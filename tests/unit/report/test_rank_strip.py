from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from rocsolid.report.data import RankBins, RankMarks, ScoreCurve
from rocsolid.report.rate_drawings import rank_strips


def strips(*curves: ScoreCurve) -> str:
    return rank_strips(
        "All rows", curves, "panel-0", {curve.score: i for i, curve in enumerate(curves)}
    )


def test_each_positive_is_a_mark_and_equal_ranks_pile_up(bars: ScoreCurve) -> None:
    marks = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', strips(bars))
    # the drawing runs from 48 (rank 1) to 388 (rank 0)
    assert [float(x) for x, _ in marks] == [48.0, 133.0, 133.0]
    assert marks[1][1] == marks[0][1] != marks[2][1]
    assert "average 0.8333" in strips(bars)


def test_the_mean_stands_where_one_minus_the_auc_does(bars: ScoreCurve) -> None:
    (x,) = re.findall(r'd="M([\d.]+) [\d.]+V[\d.]+" class="mean"', strips(bars))
    assert float(x) == pytest.approx(48 + 340 * (1 - 10 / 12), abs=0.01)


def test_the_area_of_a_bar_is_its_count(bars: ScoreCurve) -> None:
    edges, counts = np.array([0.0, 0.5, 0.75, 1.0]), np.array([10.0, 10.0, 0.0])
    text = strips(replace(bars, ranks=RankBins(edges, counts, 0.5)))
    (path,) = re.findall(r'd="([^"]*)" class="bars"', text)
    base = float(re.findall(r"V([\d.]+)z", path)[0])
    low, middle, high = (base - float(top) for top in re.findall(r"V([\d.]+)h", path))
    assert high == 0  # nothing is drawn where nothing is
    assert middle == pytest.approx(2 * low, abs=0.11)  # places are rounded to a tenth
    assert path.startswith("M388 ")
    assert re.findall(r"h([-\d.]+)", path) == ["-170", "-85", "-85"]  # the highest on the left
    assert "counted by the share" in text


@pytest.mark.parametrize("mean", [0.0, 0.3, 0.5, 0.8, 1.0])
def test_texts_do_not_meet(bars: ScoreCurve, mean: float) -> None:
    long = replace(bars, score="a name that does not fit", ranks=RankMarks(np.array([mean]), mean))
    text = strips(long)
    places = re.findall(r'<text x="([\d.]+)" y="12" class="(tick[^"]*)">([^<]*)<', text)
    (average, name) = places
    reach = {"strong": 112.0}
    spans = []
    for x, classes, words in (average, name):
        wide = reach["strong"] if "strong" in classes else 6.8 * len(words)
        start = float(x) - wide if "end" in classes else float(x)
        spans.append((start, start + wide))
    (a, b), (c, d) = sorted(spans)
    assert b <= c + 6
    assert a >= 40
    assert d <= 396


def test_the_average_is_said_in_words_and_the_strip_is_a_table(bars: ScoreCurve) -> None:
    other = replace(bars, score="other", ranks=RankBins(np.linspace(0, 1, 41), np.ones(40), 0.5))
    text = strips(bars, other)
    assert (
        "<strong><bdi>goodness</bdi></strong>: the average positive example is ranked above "
        "83.3\N{NO-BREAK SPACE}% of the negatives."
    ) in text
    counted = "".join(f"<td>{count}</td>" for count in (0, 0, 0, 0, 0, 0, 0, 2, 0, 1))
    assert f"<td>0.8333</td>{counted}" in text
    assert f"<td>0.5000</td>{'<td>4</td>' * 10}" in text
