"""The AUC against true labels from one against noisy labels."""

from __future__ import annotations

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
    estimate = rs.auc([0, 0, 0, 1, 1], [1, 2, 3, 4, 5])
    with pytest.raises(rs.UnsoundError, match="cannot come from these rates"):
        rs.undo_label_noise(estimate, wrong_positives=0.1, wrong_negatives=0.0)
    with pytest.raises(rs.UnsoundError, match="say nothing"):
        rs.undo_label_noise(estimate, wrong_positives=0.6, wrong_negatives=0.5)
    with pytest.raises(rs.InputError, match="lies in"):
        rs.undo_label_noise(estimate, wrong_positives=-0.1, wrong_negatives=0.0)
    area = rs.partial_auc([0, 0, 0, 1, 1], [1, 2, 3, 4, 5], fpr=(0, 0.5))
    with pytest.raises(rs.InputError, match="for the AUC only"):
        rs.undo_label_noise(area, wrong_positives=0.0, wrong_negatives=0.0)
