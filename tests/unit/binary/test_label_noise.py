"""The AUC against true labels from one against noisy labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs


def _noisy(seed: int, n: int, a: float, b: float):
    """True labels that are mixed within what is *labelled* positive and negative."""
    rng = np.random.default_rng(seed)
    labelled = np.arange(n) % 3 == 0
    wrong = rng.random(n) < np.where(labelled, a, b)
    truth = labelled ^ wrong
    return truth, labelled, truth * 1.5 + rng.normal(size=n)


def test_the_true_value_is_recovered() -> None:
    """2·10⁵ rows: the standard errors are below .0015, so .01 is more than six of them."""
    truth, labelled, score = _noisy(1, 200_000, 0.2, 0.1)
    noisy = rs.auc(labelled, score)
    undone = rs.undo_label_noise(noisy, wrong_positives=0.2, wrong_negatives=0.1)
    true = rs.auc(truth, score)
    assert abs(noisy.value - true.value) > 0.08
    assert abs(undone.value - true.value) < 0.01


def test_limits_and_errors_stretch_by_the_same_factor() -> None:
    _, labelled, score = _noisy(2, 900, 0.2, 0.1)
    noisy = rs.auc(labelled, score)
    undone = rs.undo_label_noise(noisy, wrong_positives=0.2, wrong_negatives=0.1)
    assert undone.std_error == pytest.approx(noisy.std_error / 0.7)
    for before, after in ((noisy.interval, undone.interval), (noisy.certified, undone.certified)):
        assert after.low == pytest.approx(max(0.5 + (before.low - 0.5) / 0.7, 0.0))
        assert after.high == pytest.approx(min(0.5 + (before.high - 0.5) / 0.7, 1.0))
        assert "label errors independent of the score" in after.assumptions[-1]
    assert undone.exact is None
    assert (
        "if 20 % of the positive and 10 % of the negative labels are wrong" in undone.warnings[-1]
    )


def test_no_noise_changes_no_number() -> None:
    estimate = rs.auc([0, 1, 0, 1, 1], [1, 2, 3, 4, 5])
    same = rs.undo_label_noise(estimate, wrong_positives=0, wrong_negatives=0)
    assert (same.value, same.low, same.high) == pytest.approx(
        (estimate.value, estimate.low, estimate.high)
    )


def test_impossible_rates_are_refused() -> None:
    estimate = rs.auc([0] * 60 + [1] * 60, list(range(120)))
    with pytest.raises(rs.UnsoundError, match="the data contradict these rates"):
        rs.undo_label_noise(estimate, wrong_positives=0.3, wrong_negatives=0.1)
    with pytest.raises(rs.UnsoundError, match="uninformative"):
        rs.undo_label_noise(estimate, wrong_positives=0.6, wrong_negatives=0.5)
    with pytest.raises(rs.InputError, match="lies in"):
        rs.undo_label_noise(estimate, wrong_positives=-0.1, wrong_negatives=0.0)
    area = rs.partial_auc([0, 0, 0, 1, 1], [1, 2, 3, 4, 5], fpr=(0, 0.5))
    with pytest.raises(rs.InputError, match="for the AUC only"):
        rs.undo_label_noise(area, wrong_positives=0.0, wrong_negatives=0.0)


@pytest.mark.parametrize("rate", ["0.1", None, True, -0.1])
def test_a_rate_is_a_number(rate: Any) -> None:
    estimate = rs.auc([0, 1, 0, 1], [1, 2, 3, 4])
    with pytest.raises(rs.InputError, match="share of wrong labels"):
        rs.undo_label_noise(estimate, wrong_positives=rate, wrong_negatives=0)
    with pytest.raises(rs.InputError, match=r"result of rocsolid\.auc"):
        rs.undo_label_noise(0.8, wrong_positives=0.1, wrong_negatives=0)  # type: ignore[arg-type]


def test_both_ends_of_what_the_rates_allow_are_told() -> None:
    poor = rs.auc([1] * 60 + [0] * 60, list(range(120)))
    with pytest.raises(rs.UnsoundError, match=r"from 0\.1500 to 0\.8500: it is 0\.0000"):
        rs.undo_label_noise(poor, wrong_positives=0.2, wrong_negatives=0.1)


def test_a_value_beyond_what_the_rates_allow_by_chance_is_cut_and_told() -> None:
    """Refusing it would leave out the data sets that came out high: a seventh of those here."""
    for labels, value in (([0, 0, 0, 1, 1], 1.0), ([1, 1, 1, 0, 0], 0.0)):
        estimate = rs.auc(labels, [1, 2, 3, 4, 5])
        undone = rs.undo_label_noise(estimate, wrong_positives=0.1, wrong_negatives=0.0)
        assert undone.value == value
        assert 0.0 <= undone.low <= value <= undone.high <= 1.0
        assert f"the value is cut to {value:g}" in undone.warnings[-2]


def test_the_interval_holds_near_the_end_of_what_the_rates_allow() -> None:
    """300 data sets; .95 less four standard errors of .0126 is .90. A refusal is a miss."""
    held = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        labelled = np.arange(300) % 3 == 0
        truth = labelled ^ (rng.random(300) < np.where(labelled, 0.15, 0.1))
        estimate = rs.auc(labelled, 2.5 * truth + rng.normal(size=300))
        try:
            undone = rs.undo_label_noise(estimate, wrong_positives=0.15, wrong_negatives=0.1)
        except rs.UnsoundError:
            continue
        held += undone.low <= 0.9614 <= undone.high  # Φ(2.5/√2)
    assert held >= 270
