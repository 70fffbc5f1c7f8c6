"""Maximum-entropy posteriors: their equations, and how near they are to the exact ones."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rocsolid.leaks.lattice import System, meet_in_middle
from rocsolid.leaks.posterior import joint_posterior, window


def ranks_and_size(free, rows, seed, width=0):
    rng = np.random.default_rng(seed)
    y = rng.permutation(free) < free // 2
    weights = np.array([np.ones(free), *[rng.permutation(free) + 1 for _ in range(rows)]])
    weights = weights.astype(np.int64)
    sums = weights @ y
    wide = np.array([0] + [width] * rows)
    return System(weights, tuple((sums - wide).tolist()), tuple((sums + wide).tolist()))


def test_the_mean_sums_are_the_released_ones():
    question = ranks_and_size(200, 5, 0)
    found = joint_posterior(question)
    np.testing.assert_allclose(question.weights @ found.probability, question.low, rtol=1e-5)
    assert ((found.probability > 0) & (found.probability < 1)).all()


@pytest.mark.parametrize("width", [0, 5])
def test_near_the_exact_count_and_probabilities(width):
    question = ranks_and_size(28, 2, 1, width)
    exact = meet_in_middle(question, 10**8)
    found = joint_posterior(question)
    assert exact.count is not None
    assert exact.positive is not None
    assert found.log_count == pytest.approx(math.log(exact.count), abs=0.2)
    truth = np.array(exact.positive) / exact.count
    assert np.abs(found.probability - truth).max() < 0.05


def test_nothing_released_is_one_half():
    found = joint_posterior(System(np.zeros((0, 5), np.int64), (), ()))
    np.testing.assert_array_equal(found.probability, 0.5)
    assert found.log_count == pytest.approx(5 * math.log(2))


def test_sums_at_the_edge_do_not_diverge():
    # all positives on top: the labels are certain, and the probabilities come near them
    question = System(np.array([[1, 1, 1, 1], [1, 2, 3, 4]]), (2, 7), (2, 7))
    found = joint_posterior(question)
    np.testing.assert_allclose(found.probability, [0, 0, 1, 1], atol=0.01)


def test_a_window_gives_labelings_that_fit():
    question = ranks_and_size(400, 2, 3, 4)
    found = window(question, joint_posterior(question).probability, 10**7)
    assert len(found.labelings) == 2
    assert not found.complete
    assert question.fits(np.array(found.labelings)).all()
    assert (found.labelings[0] != found.labelings[1]).any()


def test_a_window_without_work_finds_nothing():
    question = ranks_and_size(400, 2, 3)
    assert window(question, np.full(400, 0.5), 10).labelings == ()
