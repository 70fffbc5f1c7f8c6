from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.page_segments import page_sample_sizes
from rocsolid.report.sections import Narrowing, SampleSizes


def table(rows: int, seed: int = 1) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    y = (rng.random(rows) < 0.25).astype(int)
    return {
        "y": y,
        "a": rng.normal(size=rows) + 1.2 * y,
        "b": rng.exponential(size=rows) * (1 + y),
        "patient": np.arange(rows) // 4,
        "w": rng.random(rows) + 0.5,
    }


def shown(data: dict[str, Any], **asked: Any) -> SampleSizes:
    settings: dict[str, Any] = {"scores": ["b", "a"], **asked}
    found, notes = page_sample_sizes(rs.evaluate(data, label="y", **settings))
    assert found is not None
    assert len(notes) == 1
    return found


def line(found: SampleSizes, score: str) -> Narrowing:
    return next(one for one in found.lines if one.score == score)


@pytest.mark.parametrize(
    "asked", [{}, {"interval": "delong"}, {"cluster": "patient"}, {"sample_weight": "w"}]
)
def test_it_starts_from_the_interval_on_the_page(asked: dict[str, str]) -> None:
    data = table(900)
    found = shown(data, **asked)
    for result in rs.evaluate(data, label="y", scores=["a", "b"], **asked).results:
        one = line(found, result.score)
        assert one.half_width == pytest.approx((result.high - result.low) / 2, rel=1e-9)
        assert (one.n_pos, one.n_neg) == (result.n_pos, result.n_neg)
    assert [one.score for one in found.lines] == ["a", "b"]  # the highest AUC first


def test_half_the_width_takes_about_four_times_the_rows() -> None:
    found = shown(table(2_000))
    for one in found.lines:
        assert one.halved is not None
        assert one.halved / one.n_pos == pytest.approx(4.0, rel=0.02)
        assert np.all(np.diff(one.half_widths) < 0.0)
        at = np.interp(one.halved, found.n_pos, one.half_widths)
        assert at == pytest.approx(one.half_width / 2, rel=0.05)
        assert one.to_target is not None
        assert one.certified_target is not None
        assert one.n_pos < one.halved < one.to_target < one.certified_target


@pytest.mark.slow
def test_what_is_predicted_comes_about() -> None:
    """Four times the rows, drawn anew: on average of a few samples; one alone may be 20 % off."""
    positives = 4 * 200
    ratios = []
    for seed in range(12):
        larger = rs.evaluate(table(3_200, seed=100 + seed), label="y", scores=["a", "b"])
        found = shown(table(800, seed=seed))
        for result in larger.results:
            predicted = np.interp(positives, found.n_pos, line(found, result.score).half_widths)
            # the numbers of positives vary around theirs, and the width goes with their root
            actual = (result.high - result.low) / 2 * (result.n_pos / positives) ** 0.5
            ratios.append(predicted / actual)
    assert np.mean(ratios) == pytest.approx(1.0, abs=0.05)
    assert np.all(np.abs(np.array(ratios) - 1.0) < 0.3)


def test_the_sentences_say_the_numbers() -> None:
    found = shown(table(900))
    one = found.lines[0]
    text = " ".join(found.sentences)
    assert "of a, which has the highest AUC, is ±" in text
    assert one.halved is not None
    assert f"Another {one.halved - one.n_pos:,} positives would halve it: {one.halved:,}" in text
    assert f"±0.01 needs {one.to_target:,} positives in all." in text
    assert any(
        text.startswith("This is a prediction, not a certified result") for text in found.below
    )
    assert not any("is itself uncertain" in text for text in found.below)
    assert any("One class has only" in text for text in shown(table(60)).below)


def test_a_target_that_is_reached_is_called_that() -> None:
    found = shown(table(60_000), scores="a")
    assert found.lines[0].to_target == found.lines[0].n_pos
    assert "It is within ±0.01 already." in found.sentences
    assert "which has the highest AUC" not in found.sentences[0]


def test_what_cannot_be_planned_for_is_none_known() -> None:
    rare = {"y": np.arange(20_000) < 2, "a": np.r_[0.5, 0.6, np.linspace(0, 1, 19_998)]}
    found = shown(rare, scores="a")
    assert "than can be planned for" in " ".join(found.sentences) or found.lines[0].to_target


def test_a_bootstrap_interval_is_replaced_by_the_default_one_and_that_is_said() -> None:
    for asked, used in (("bootstrap", "auto"), ("delong", "delong")):
        evaluation = rs.evaluate(table(300), label="y", scores="a", interval=asked, resamples=50)
        _, (note,) = page_sample_sizes(evaluation)
        assert note.title == f"Sample size: {used} with more rows"


def test_certified_sizes_are_for_independent_rows_of_equal_weight() -> None:
    for asked in ({"cluster": "patient"}, {"sample_weight": "w"}):
        found = shown(table(900), **asked)
        assert [one.certified_target for one in found.lines] == [None, None]
        assert not any("Certified" in text for text in found.below)


def test_without_an_auc_there_is_no_section() -> None:
    evaluation = rs.evaluate(table(300), label="y", scores="a", measures="partial_auc(fpr<=0.1)")
    assert page_sample_sizes(evaluation) == (None, ())


def test_a_perfect_score_has_a_curve_too() -> None:
    found = shown({"y": [0] * 40 + [1] * 20, "a": np.arange(60)}, scores="a")
    assert np.all(np.isfinite(found.lines[0].half_widths))
    assert found.lines[0].half_width > 0.0
