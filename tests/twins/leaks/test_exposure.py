"""Exposure and improvement against trying every labeling."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from brute_labelings import exact_auc, fitting, questions
from rocsolid.errors import InputError
from rocsolid.leaks.alternating_sum import alternating_sum, forward_backward
from rocsolid.leaks.approximate_exposure import forced
from rocsolid.leaks.constraint import constraint
from rocsolid.leaks.exposure import exposure
from rocsolid.leaks.labelings import improve

Question = tuple[Fraction, list[int], dict[str, Any]]


@settings(max_examples=120)
@given(questions())
def test_exposure_is_the_share_of_all_labelings(question: Question):
    auc, scores, more = question
    every = fitting(auc, scores, **more)
    if not every:
        with pytest.raises(InputError, match="no labeling"):
            exposure(auc, scores, **more)
        return
    found = exposure(auc, scores, **more)
    shares = [Fraction(column, len(every)) for column in np.sum(every, axis=0).tolist()]
    assert list(found.fractions) == shares
    assert found.probability.tolist() == [float(share) for share in shares]
    unknown = set(range(len(scores))) - set(more["known"])
    assert dict(found.forced) == {row: int(shares[row]) for row in unknown if shares[row] in (0, 1)}
    assert found.forced_complete
    sizes = [sum(labels) for labels in every]
    assert dict(found.n_pos) == {k: sizes.count(k) / len(sizes) for k in set(sizes)}


@settings(max_examples=80)
@given(questions())
def test_the_two_ways_to_count_agree(question: Question):
    auc, scores, more = question
    c = constraint(auc, scores, more["n_pos"], more.get("decimals"), more["known"])
    if not c.consecutive:
        c = constraint(auc, np.arange(len(scores)), more["n_pos"], more.get("decimals"))
    worth = {k: 3 * k + 1 for k in c.targets}
    for times in (None, worth):
        plain, alternating = forward_backward(c, times), alternating_sum(c, times)
        assert plain.total == alternating.total
        assert plain.favourable == alternating.favourable
        ways = {k: count for k, count in alternating.by_free_positives.items() if count}
        assert ways == {k: count for k, count in plain.by_free_positives.items() if count}


@settings(max_examples=200)
@given(questions())
def test_what_is_called_forced_is(question: Question):
    auc, scores, more = question
    every = fitting(auc, scores, **more)
    c = constraint(auc, scores, more["n_pos"], more.get("decimals"), more["known"])
    found = forced(c)
    if found.complete:
        columns = np.array(every, dtype=int).reshape(len(every), len(scores))[:, c.free]
        assert found.may_be_positive.tolist() == (columns == 1).any(axis=0).tolist()
        assert found.may_be_negative.tolist() == (columns == 0).any(axis=0).tolist()
    else:
        for labels in every:
            chosen = np.array(labels, dtype=bool)[c.free]
            assert np.where(chosen, found.may_be_positive, found.may_be_negative).all()


@pytest.mark.parametrize("n", range(2, 11))
def test_forced_labels_of_untied_scores_are_complete(n: int):
    for n_pos in range(1, n):
        every = fitting_by_sum(n, n_pos)
        pairs = n_pos * (n - n_pos)
        for wins in range(pairs + 1):
            found = forced(constraint(Fraction(wins, pairs), np.arange(n, 0, -1), n_pos))
            columns = np.array(every[wins])
            assert found.complete
            assert found.may_be_positive.tolist() == (columns == 1).any(axis=0).tolist()
            assert found.may_be_negative.tolist() == (columns == 0).any(axis=0).tolist()


def fitting_by_sum(n: int, n_pos: int) -> dict[int, list[tuple[int, ...]]]:
    """All labelings of falling scores by the number of well-ranked pairs."""
    by_wins: dict[int, list[tuple[int, ...]]] = {}
    for labels in itertools.product((0, 1), repeat=n):
        if sum(labels) == n_pos:
            wins = sum(labels[i] > labels[j] for i in range(n) for j in range(i + 1, n))
            by_wins.setdefault(wins, []).append(labels)
    return by_wins


@settings(max_examples=60)
@given(questions(max_size=8))
def test_improved_guesses_are_worth_what_is_said_over_all_labelings(question: Question):
    auc, scores, more = question
    every = fitting(auc, scores, **more)
    if not every:
        return
    better = improve(auc, scores, **more)
    labels = np.array(every)
    mean_auc = [
        float(np.mean([float(exact_auc(y, by)) for y in every]))
        for by in (scores, better.scores.tolist())
    ]
    np.testing.assert_allclose(better.auc, mean_auc, atol=1e-12)
    assert better.auc.after >= better.auc.before - 1e-12
    p = better.probability
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = -np.where(labels == 1, np.log(p), np.log1p(-p)).mean()
    np.testing.assert_allclose(better.log_loss.after, loss, atol=1e-12)
    np.testing.assert_allclose(better.accuracy.after, ((p >= 0.5) == labels).mean(), atol=1e-12)
    assert better.accuracy.after >= better.accuracy.before - 1e-12
    assert better.log_loss.after <= better.log_loss.before + 1e-12


def test_every_auc_of_every_pattern_of_ties_is_improved_as_all_labelings_say():
    """The number of positives is open, so that some of its values fit no labeling of tied rows."""
    n = 5
    labelings = [y for y in itertools.product((0, 1), repeat=n) if 0 < sum(y) < n]
    for breaks in itertools.product((0, 1), repeat=n - 1):
        scores = list(itertools.accumulate((0, *breaks)))
        by_auc: dict[Fraction, list[tuple[int, ...]]] = {}
        for y in labelings:
            by_auc.setdefault(exact_auc(y, scores), []).append(y)
        for auc, every in by_auc.items():
            better = improve(auc, scores)
            gain = [
                float(sum(exact_auc(y, by) for y in every) / len(every))
                for by in (scores, better.scores.tolist())
            ]
            np.testing.assert_allclose(better.auc, gain, atol=1e-12)
            np.testing.assert_allclose(better.probability, np.mean(every, axis=0), atol=1e-12)


@settings(max_examples=30)
@given(questions(max_size=6))
def test_no_ranking_has_a_higher_expected_auc(question: Question):
    auc, scores, more = question
    every = fitting(auc, scores, **more)
    if not every:
        return
    best = max(
        sum(exact_auc(y, order) for y in every) / len(every)
        for order in itertools.permutations(range(len(scores)))
    )
    np.testing.assert_allclose(improve(auc, scores, **more).auc.after, float(best), atol=1e-12)
