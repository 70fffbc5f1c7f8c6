"""The private ROC curve: exact without noise, private by the sensitivity of its counts."""

from __future__ import annotations

import itertools
import random
from functools import partial

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.leaks.release import private_curve as public
from rocsolid.leaks.release import rho_of_epsilon
from rocsolid.leaks.release.defence import discrete_laplace

RNG = np.random.default_rng(0)
LABELS = RNG.random(200) < 0.3
SCORES = np.round(LABELS + RNG.normal(size=200), 1)
MODULE = "rocsolid.leaks.release.noisy_curve.discrete_laplace"


@pytest.mark.parametrize("bins", [1, 7, 200, 1000])
def test_without_noise_it_is_the_curve(monkeypatch: pytest.MonkeyPatch, bins: int) -> None:
    monkeypatch.setattr(MODULE, lambda _: 0)
    curve = public(LABELS, SCORES, epsilon=1, bins=bins)
    for cut, fpr, tpr in zip(curve.thresholds, curve.fpr, curve.tpr, strict=True):
        assert fpr == pytest.approx(np.mean(SCORES[~LABELS] >= cut))
        assert tpr == pytest.approx(np.mean(SCORES[LABELS] >= cut))
    assert (curve.fpr[-1], curve.tpr[-1]) == (1.0, 1.0)
    assert len(curve.tpr) <= bins
    if bins >= 200:
        assert curve.auc == pytest.approx(rs.auc(LABELS, SCORES).value)


@pytest.mark.parametrize(("neighbours", "most"), [("flip", 1), ("swap", 2)])
def test_neighbours_move_the_counts_by_the_scale(
    monkeypatch: pytest.MonkeyPatch, neighbours: str, most: int
) -> None:
    """The counts before noise, over all pairs of neighbours, and the scale of the noise."""
    scores, scales = np.array([1, 2, 2, 3, 4, 5]), []
    monkeypatch.setattr(MODULE, lambda scale: scales.append(scale) or 0)

    def counts(labels: np.ndarray) -> np.ndarray:
        curve = public(labels, scores, epsilon=0.5, bins=3, neighbours=neighbours)
        return np.diff([0, *(np.array(curve.tpr) * labels.sum())])

    largest = 0.0
    every = [np.array(y) for y in itertools.product([0, 1], repeat=6) if 0 < sum(y) < 6]
    for a, b in itertools.combinations(every, 2):
        changed = np.sum(a != b)
        if changed == most and (most == 1 or a.sum() == b.sum()):
            largest = max(largest, np.abs(counts(a) - counts(b)).sum())
    assert largest == pytest.approx(most)
    assert set(scales) == {most / 0.5}


def test_thresholds_do_not_depend_on_labels_and_rates_rise() -> None:
    curves = [public(y, SCORES, epsilon=0.1) for y in (LABELS, ~LABELS)]
    assert curves[0].thresholds == curves[1].thresholds
    for curve in curves:
        assert (np.diff(curve.fpr) >= 0).all()
        assert (np.diff(curve.tpr) >= 0).all()
        assert curve.rho == rho_of_epsilon(0.1)


def test_more_budget_is_closer(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = partial(discrete_laplace, randbits=random.Random(1).getrandbits)
    monkeypatch.setattr(MODULE, noise)
    true = rs.auc(LABELS, SCORES).value
    errors = [
        np.mean([abs(public(LABELS, SCORES, epsilon=e).auc - true) for _ in range(60)])
        for e in (0.1, 1.0, 10.0)
    ]
    assert errors[0] > 2 * errors[1] > 2 * errors[2]
    assert errors[2] < 0.01


def test_bad_requests_and_citation() -> None:
    for how in ({"epsilon": 0}, {"epsilon": 1, "bins": 0}, {"epsilon": 1, "neighbours": "x"}):
        with pytest.raises(rs.InputError):
            public(LABELS, SCORES, **how)
    cited = rs.cite(public(LABELS, SCORES, epsilon=1))
    assert "Stoddard et al. (2014)" in cited.sentences[0]
