"""Plans from rows that are there, for any measure with an influence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from without_formula import Youden

MEASURES = (
    *("auc", "partial_auc(fpr<=0.4)", "partial_auc(tpr>=0.5, scale=mean)"),
    *("weighted_auc(power(2))", "pr_auc(trapezoid)"),
    *("pr_auc", "pr_auc(davis-goadrich)", "pr_auc(prevalence=0.1)", "pr_auc(prevalence=classes)"),
    *("precision@20%", "recall@20%", "lift@20%", "precision@20%(prevalence=classes)"),
    *("bedroc(20)", "gain"),
)  # fmt: skip
OF_RATIO = (
    *("pr_auc", "pr_auc(davis-goadrich)", "pr_auc(trapezoid)", "pr_auc(prevalence=classes)"),
    *("precision@20%", "recall@20%", "lift@20%", "bedroc(20)", "gain"),
)


def drawn(seed: int = 1, n: int = 240, m: int = 60, digits: int = 1) -> tuple[Any, dict[str, Any]]:
    """Scores with ties."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) < m
    new, old = rng.normal(size=n) + 1.4 * y, rng.normal(size=n) + 0.8 * y
    return y, {"new": new.round(digits), "old": old.round(digits)}


@pytest.mark.parametrize("measure", MEASURES)
def test_with_the_pilots_rows_it_is_the_comparison(measure: str) -> None:
    y, scores = drawn()
    pilot = rs.plan.pilot(y, scores, measure=measure)
    found = rs.plan.auc_difference_power(pilot=pilot, n_pos=60, n_neg=180)
    pair = rs.compare(y, scores, measure=measure, test="delong").pairs[0]
    assert found.measure == measure
    assert found.difference == pytest.approx(pair.difference, rel=1e-12)
    assert found.std_error == pytest.approx(pair.std_error, rel=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_what_was_given_comes_back(measure: str) -> None:
    y, scores = drawn()
    pilot = rs.plan.pilot(y, scores, measure=measure)
    enough = rs.plan.auc_difference_power(pilot=pilot, power=0.9, prevalence=0.1)
    sizes = {"n_pos": enough.n_pos, "n_neg": enough.n_neg}
    again = rs.plan.auc_difference_power(pilot=pilot, **sizes)
    assert again.power == pytest.approx(0.9, abs=1e-9)
    level = rs.plan.auc_difference_power(pilot=pilot, **sizes, power=0.9, level=None).level
    assert level == pytest.approx(0.95, abs=1e-9)
    margin = 1.5 * abs(enough.difference)
    for equivalence in (False, True):
        safe = rs.plan.auc_difference_power(
            pilot=pilot, power=0.9, margin=margin, equivalence=equivalence
        )
        assert safe.power == pytest.approx(0.9, abs=1e-9)


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 5)), min_size=6, max_size=20
    )
)
def test_of_the_auc_it_is_delongs(rows: list[tuple[bool, int, int]]) -> None:
    """Placements counted pair by pair, and their sample covariances."""
    pos, neg = ([row[1:] for row in rows if row[0] == kind] for kind in (True, False))
    if min(len(pos), len(neg)) < 2:
        return
    y, a, b = zip(*rows, strict=True)
    found = rs.plan.pilot(y, {"a": a, "b": b}, measure="auc")

    def above(high: Sequence[int], low: Sequence[int], i: int) -> float:
        return float(high[i] > low[i]) + 0.5 * (high[i] == low[i])

    of_pos = [[np.mean([above(p, q, i) for q in neg]) for p in pos] for i in (0, 1)]
    of_neg = [[np.mean([above(p, q, i) for p in pos]) for q in neg] for i in (0, 1)]
    assert found.values == pytest.approx([np.mean(of_pos[0]), np.mean(of_pos[1])], abs=1e-12)
    assert found.aucs == found.values
    np.testing.assert_allclose(found.pos, np.cov(of_pos), atol=1e-12)
    np.testing.assert_allclose(found.neg, np.cov(of_neg), atol=1e-12)


def average_precision(y: Any, score: Any, weight: Any) -> float:
    """Σ (share of the positives in a tied block)·(precision down to its end), under weights."""
    positives, above, hits, total = float(weight[y].sum()), 0.0, 0.0, 0.0
    for value in sorted(set(score), reverse=True):
        block = score == value
        new = float(weight[block & y].sum())
        above, hits = above + float(weight[block].sum()), hits + new
        total += new / positives * hits / above
    return total


def gain(y: Any, score: Any, weight: Any) -> float:
    """P(a positive ranks above a row drawn from all), ties half."""
    over = (score[:, None] > score) + 0.5 * (score[:, None] == score)
    return float(weight[y] @ over[y] @ weight / (weight[y].sum() * weight.sum()))


@pytest.mark.parametrize("prevalence", [0.25, 0.05, 0.6])
@pytest.mark.parametrize(("measure", "plain"), [("pr_auc", average_precision), ("gain", gain)])
def test_the_plain_slopes(
    measure: str, plain: Callable[[Any, Any, Any], float], prevalence: float
) -> None:
    """By how much the value moves with the weight of each row, with classes of this ratio."""
    y, scores = drawn(n=60, m=15)
    weight = np.where(y, prevalence / 15, (1.0 - prevalence) / 45)
    slopes = []
    for score in scores.values():
        moved = []
        for i in range(60):
            step = np.eye(60)[i] * weight[i] * 1e-4
            up, down = plain(y, score, weight + step), plain(y, score, weight - step)
            moved.append((up - down) / 2e-4)  # the pull of this row
        slopes.append(moved)
    pos, neg = np.array(slopes)[:, y], np.array(slopes)[:, ~y]
    expected = 15 / 14 * pos @ pos.T, 45 / 44 * neg @ neg.T
    found = rs.plan.pilot(y, scores, measure=measure).at(prevalence)
    assert found.values == pytest.approx([plain(y, s, weight) for s in scores.values()])
    np.testing.assert_allclose(found.pos / 15, expected[0], rtol=1e-5)
    np.testing.assert_allclose(found.neg / 45, expected[1], rtol=1e-5)


@pytest.mark.parametrize("measure", OF_RATIO)
def test_another_ratio_is_that_of_repeated_negatives(measure: str) -> None:
    y, scores = drawn(digits=6)
    times = np.where(y, 1, 3)
    more = {name: np.repeat(score, times) for name, score in scores.items()}
    repeated = rs.plan.pilot(np.repeat(y, times), more, measure=measure)
    found = rs.plan.pilot(y, scores, measure=measure).at(60 / 600)
    assert found.values == pytest.approx(repeated.values, rel=1e-9)
    np.testing.assert_allclose(found.pos, repeated.pos, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(
        found.neg * 179 / 180, repeated.neg * 539 / 540, rtol=1e-9, atol=1e-12
    )
    asked = rs.plan.pilot(y, scores, measure=measure)
    plan = rs.plan.auc_difference_power(pilot=asked, n_pos=30, n_neg=270)
    assert (plan.value_a, plan.value_b) == pytest.approx(repeated.values, rel=1e-9)


def test_values_that_no_ratio_changes_stay() -> None:
    y, scores = drawn()
    for measure in set(MEASURES) - set(OF_RATIO) - {"precision@20%(prevalence=classes)"}:
        pilot = rs.plan.pilot(y, scores, measure=measure)
        assert pilot.at(0.01) is pilot
        assert rs.plan.auc_difference_power(pilot=pilot, power=0.8, n_neg=900).n_pos > 0
    known = rs.plan.pilot(y, scores, measure="pr_auc(prevalence=0.1)")
    weighted = rs.plan.pilot(y, scores, measure="pr_auc").at(0.1)
    assert known.values == pytest.approx(weighted.values, rel=1e-9)


@pytest.mark.parametrize("measure", ["auc", "pr_auc", "lift@20%"])
def test_a_smaller_difference_than_the_pilots(measure: str) -> None:
    y, scores = drawn()
    pilot = rs.plan.pilot(y, scores, measure=measure)
    seen = rs.plan.auc_difference_power(pilot=pilot, power=0.8)
    half = rs.plan.auc_difference_power(pilot=pilot, power=0.8, difference=seen.difference / 2)
    assert half.value_b == seen.value_b
    assert half.difference == pytest.approx(seen.difference / 2)
    # Φ(Δ/σ − z) + tiny = .8: the rows go with 1/Δ²
    assert half.n_pos == pytest.approx(4.0 * seen.n_pos, rel=1e-9)


def test_few_misplaced_rows_are_doubted_with_a_figure() -> None:
    y, scores = drawn(n=2400, m=600)
    pilot = rs.plan.pilot(y, scores, measure="precision@5%")
    few = rs.plan.auc_difference_power(pilot=pilot, n_pos=20, n_neg=60)
    assert any("rows are expected on the wrong side; below 5" in said for said in few.warnings)
    many = rs.plan.auc_difference_power(pilot=pilot, n_pos=600, n_neg=1800)
    assert [said.code for said in many.warnings] == ["ROC507"]
    few_rows = rs.plan.pilot(y[::20], {name: score[::20] for name, score in scores.items()})
    note = rs.plan.auc_difference_power(pilot=few_rows, n_pos=60, n_neg=180).warnings[-1]
    assert " % interval −0." in note


def test_sentences_name_the_measure() -> None:
    y, scores = drawn()
    pilot = rs.plan.pilot(y, scores, measure="pr_auc")
    assert str(pilot).startswith("pilot of 60 positives and 180 negatives, pr_auc: new 0.")
    said = str(rs.plan.auc_difference_power(pilot=pilot, power=0.8))
    assert " rows with about " in said
    assert "for pr_auc of 0." in said
    lift = rs.plan.pilot(y, scores, measure="lift@20%")
    wide = rs.plan.auc_difference_power(pilot=lift, power=0.8, margin=1.5)
    assert "with a margin of 1.5" in str(wide)


@pytest.mark.parametrize(
    ("measure", "asked", "said"),
    [
        ("precision@20", {}, "smaller share of more rows.*precision@5%"),
        ("recall@20", {}, "recall@5%"),
        (Youden(), {}, "no formula.*measure"),
        ("rocarea", {}, "unknown measure"),
        ("pr_auc", {"auc_a": 0.8, "auc_b": 0.7}, "come from the pilot"),
        ("pr_auc", {"n_neg": 500}, "depends on the share of positives.*prevalence, or both"),
        ("pr_auc", {"margin": 1.5}, "margin must lie"),
        ("partial_auc(fpr<=0.1)", {"null": 0.2}, "null must lie"),
        ("pr_auc", {"difference": 0.9}, "pr_auc of a would be 1.3.*difference"),
        ("auc", {"difference": 0.1, "auc_a": 0.8}, "no AUC"),
        ("pr_auc", {"difference": "0.1"}, "difference must lie"),
    ],
)
def test_what_cannot_be_planned(measure: Any, asked: dict[str, Any], said: str) -> None:
    y, scores = drawn()
    with pytest.raises(rs.InputError, match=said):
        rs.plan.auc_difference_power(
            pilot=rs.plan.pilot(y, scores, measure=measure), power=0.8, **asked
        )
