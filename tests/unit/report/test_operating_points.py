from __future__ import annotations

from dataclasses import replace

from rocsolid.report.data import CutPoint, Panel, ScoreCurve
from rocsolid.report.rate_drawings import operating_points, sentence

POINT = CutPoint(
    "At most 5 % of the negatives flagged", 0.61, 0.8, 0.05, (0.62, 0.9), (0.03, 0.08), 0.95,
    "equal-local-levels", ("Mind this.",),
)  # fmt: skip


def drawn(*curves: ScoreCurve) -> str:
    return operating_points(Panel("All rows", curves), "panel-0")


def test_each_point_is_a_row_and_a_sentence(bars: ScoreCurve) -> None:
    text = drawn(replace(bars, points=(POINT,)))
    assert "1. At most 5 % of the negatives flagged</th><td>0.61</td>" in text
    assert "<td>80.0 %<small>62.0 – 90.0 %</small></td>" in text
    assert "<td>95.0 %<small>92.0 – 97.0 %</small></td>" in text  # one minus the other rate
    assert "Flagging scores ≥ 0.61 finds 80.0" in text
    assert "In brackets: 95\N{NO-BREAK SPACE}% intervals." in text
    assert text.count("Mind this.") == 1


def test_low_scores_may_be_the_positive_ones(bars: ScoreCurve) -> None:
    assert "Flagging scores ≤ −2 finds" in sentence(replace(POINT, threshold=-2.0), "≤")
    assert "Threshold (≤)" in drawn(replace(bars, rule="≤", points=(POINT,)))


def test_without_limits_there_are_no_brackets(bars: ScoreCurve) -> None:
    bare = replace(POINT, tpr_limits=None, fpr_limits=None)
    text = drawn(replace(bars, points=(bare,)))
    assert sentence(bare, "≥") == (
        "Flagging scores ≥ 0.61 finds 80.0 % of the positives and flags 5.0 % of the negatives."
    )
    assert "In brackets" not in text
    assert "<small>" not in text


def test_two_kinds_of_intervals_say_for_which_points(bars: ScoreCurve) -> None:
    text = drawn(replace(bars, points=(replace(POINT, method="clopper-pearson"), POINT)))
    assert "(clopper-pearson) for 1." in text
    assert "(equal-local-levels) for 2." in text


def test_each_score_has_a_list_of_its_own_that_follows_the_choice(bars: ScoreCurve) -> None:
    both = replace(bars, points=(POINT,)), replace(bars, score="other", points=(POINT,))
    text = drawn(*both)
    assert 'class="of-one chosen" data-of="0"' in text
    assert 'class="of-one" data-of="1"' in text
    assert text.count("<h5>") == 2
    assert drawn(bars) == ""


def test_a_threshold_that_is_shown_rounded_is_said_to_be(bars: ScoreCurve) -> None:
    said = "shown to six significant digits"
    assert said not in drawn(replace(bars, points=(POINT,)))
    fine = replace(POINT, threshold=0.61234567)
    assert drawn(replace(bars, points=(POINT, fine))).count(said) == 1
