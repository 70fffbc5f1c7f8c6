"""Drawn labelings are uniform, and improved guesses bring what they promise. Seeded.

False-alarm budget: 10^-4 for each chi-square and each z-test below, were they run on new seeds.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import chdtri

import rocsolid as rs
from rocsolid.leaks.completions import sample
from rocsolid.leaks.evidence import Release
from rocsolid.leaks.joint import joint
from rocsolid.leaks.labelings import improve, labelings

ALARM = 1e-4
Z = 3.9  # two-sided, below 10^-4


@pytest.mark.parametrize(
    ("auc", "scores", "n_pos"),
    [
        ("3/4", np.arange(9), 4),
        ("0.7", [1, 1, 2, 2, 2, 3, 4, 4, 5], None),
        ("1/2", np.arange(8), None),
    ],
)
def test_samples_are_uniform(auc: str, scores: object, n_pos: int | None):
    every = [labels.tobytes() for labels in labelings(auc, scores, n_pos=n_pos, decimals=1)]
    drawn = sample(auc, scores, size=40 * len(every), seed=5, n_pos=n_pos, decimals=1)
    times = dict.fromkeys(every, 0)
    for labels in drawn:
        times[labels.tobytes()] += 1
    chi_square = sum((count - 40) ** 2 / 40 for count in times.values())
    assert chi_square < chdtri(len(every) - 1, ALARM)


def auc_of(labels: np.ndarray, scores: np.ndarray) -> Fraction:
    exact = rs.auc(labels, scores).exact
    assert exact is not None
    return exact


def test_one_release_pays_in_ranking_where_rows_are_few_and_as_said():
    """Labels at random among 8 rows: release, improve, and score the improved guesses."""
    rng = np.random.default_rng(11)
    scores = rng.permutation(8)
    gains, promised = [], []
    for _ in range(200):
        labels = rng.permutation(np.arange(8) < 4)
        released = auc_of(labels, scores)
        better = improve(released, scores, n_pos=4)
        promised.append(better.auc.after - better.auc.before)
        gains.append(float(auc_of(labels, better.scores) - released))
    off = np.array(gains) - np.array(promised)
    assert abs(off.mean()) < Z * off.std() / len(off) ** 0.5
    assert np.mean(promised) > 0.1  # an AUC below one half is turned over, among others


def test_one_release_does_not_pay_in_ranking_where_rows_are_many_but_calibrates():
    rng = np.random.default_rng(12)
    realised, promised = [], []
    for _ in range(20):
        labels = rng.random(120) < 0.4
        scores = rng.normal(size=120) + 1.2 * labels
        better = improve(auc_of(labels, scores), scores, n_pos=int(labels.sum()))
        assert better.baseline == "share of positives"
        assert better.auc.after - better.auc.before < 1e-4
        assert better.log_loss.after < better.log_loss.before - 0.03
        assert better.accuracy.after > better.accuracy.before
        p = better.probability
        realised.append(-np.log(np.where(labels, p, 1 - p)).mean())
        promised.append(better.log_loss.after)
    # the uniform prior knows the AUC alone; for normal scores it comes close all the same
    assert np.mean(realised) == pytest.approx(np.mean(promised), abs=0.03)


def test_known_labels_pay_in_ranking():
    rng = np.random.default_rng(13)
    labels = rng.random(60) < 0.5
    scores = rng.normal(size=60) + labels
    known = {row: int(labels[row]) for row in range(20)}
    released = auc_of(labels, scores)
    better = improve(released, scores, n_pos=int(labels.sum()), known=known)
    assert better.auc.after > better.auc.before + 0.03
    assert auc_of(labels, better.scores) > released


def test_several_releases_pay_in_ranking_as_said():
    rng = np.random.default_rng(14)
    gains, promised = [], []
    for _ in range(40):
        labels = rng.permutation(np.arange(14) < 7)
        rankings = [rng.normal(size=14) + labels for _ in range(3)]
        releases = [Release(scores, auc_of(labels, scores)) for scores in rankings]
        told = joint(releases, n_pos=7)
        assert told.exact
        released = auc_of(labels, rankings[0])
        better = improve(released, rankings[0], n_pos=7, posterior=told.posterior)
        assert better.auc.before == pytest.approx(float(released))
        promised.append(better.auc.after - better.auc.before)
        gains.append(float(auc_of(labels, better.scores) - released))
    off = np.array(gains) - np.array(promised)
    # the labels are not uniform given the scores, which are better than chance: allow for that
    assert abs(off.mean()) < Z * off.std() / len(off) ** 0.5 + 0.02
    assert np.mean(gains) > 0.05
