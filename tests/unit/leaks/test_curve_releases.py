"""A published ROC curve as releases: what it tells about the labels."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from sklearn.metrics import roc_curve

import rocsolid as rs


def test_labelings_of_a_curve_are_those_with_the_same_points() -> None:
    rng = np.random.default_rng(0)
    scores = np.round(rng.random(9), 1)
    labels = (rng.random(9) < 0.5).astype(int)
    fpr, tpr, thresholds = roc_curve(labels, scores)
    releases = rs.leaks.curve_releases(scores, fpr, tpr, thresholds)
    fitting = 0
    for guess in itertools.product([0, 1], repeat=9):
        y = np.array(guess)
        if 0 < y.sum() < 9:
            points = [
                (np.mean(scores[y == 0] >= cut), np.mean(scores[y == 1] >= cut))
                for cut in thresholds
            ]
            same = np.allclose(points, np.column_stack([fpr, tpr]), atol=1e-12)
            assert all(release.fits(y) for release in releases) == same
            fitting += same
    assert rs.leaks.joint(releases).count == fitting > 0


def test_every_point_of_an_untied_curve_reveals_every_label() -> None:
    """Matthews and Harel (2013) need all other labels; the exact curve needs none."""
    rng = np.random.default_rng(1)
    scores, labels = rng.random(20), rng.random(20) < 0.4
    curve = roc_curve(labels, scores, drop_intermediate=False)
    found = rs.leaks.joint(rs.leaks.curve_releases(scores, *curve))
    assert found.verdict == "unique"
    np.testing.assert_array_equal(found.labels, labels)


def test_rounded_points_and_known_labels() -> None:
    rng = np.random.default_rng(2)
    scores, labels = rng.random(30), rng.random(30) < 0.4
    fpr, tpr, cuts = roc_curve(labels, scores, drop_intermediate=False)
    fpr, tpr = ([f"{rate:.2f}" for rate in rates] for rates in (fpr, tpr))
    known = {row: int(labels[row]) for row in range(24)}
    found = rs.leaks.joint(rs.leaks.curve_releases(scores, fpr, tpr, cuts), known=known)
    np.testing.assert_array_equal(found.labels, labels)


def test_columns_of_one_length() -> None:
    with pytest.raises(rs.InputError, match="for each point"):
        rs.leaks.curve_releases([0.1, 0.2], [0, 1], [0], [1, 0])
