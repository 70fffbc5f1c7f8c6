"""Other measures than the AUC: every labeling tried in turn, with scikit-learn's values."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    dcg_score,
    log_loss,
    ndcg_score,
    precision_score,
    recall_score,
)

from rocsolid.errors import InputError
from rocsolid.leaks.evidence import Release
from rocsolid.leaks.joint import joint


def found_by_two(y, s):
    """The positives among the two best rows, over all pairs that may stand there."""
    pairs = itertools.combinations(range(len(s)), 2)
    best = [pair for pair in pairs if min(s[list(pair)]) >= max(np.delete(s, pair), default=0.0)]
    return np.mean([y[list(pair)].sum() for pair in best])


VALUE = {
    "precision": lambda y, s: found_by_two(y, s) / 2,
    "recall": lambda y, s: found_by_two(y, s) / y.sum(),
    "fpr": lambda y, s: (2 - found_by_two(y, s)) / (len(y) - y.sum()),
    "accuracy": lambda y, s: accuracy_score(y, s >= 0.5),
    "dcg": lambda y, s: dcg_score([y], [s]),
    "ndcg": lambda y, s: ndcg_score([y], [s]),
    "log-loss": lambda y, s: log_loss(y, s, labels=[0, 1]),
    "average-precision": average_precision_score,
}


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 8),
    measure=st.sampled_from(sorted(VALUE)),
    how_many=st.integers(1, 2),
    decimals=st.sampled_from([None, None, 2, 3]),
    tied=st.booleans(),
    size_known=st.booleans(),
    labels_known=st.integers(0, 1),
)
def test_verdict_and_count_are_those_of_all_labelings(
    seed, n, measure, how_many, decimals, tied, size_known, labels_known
):
    rng = np.random.default_rng(seed)
    y = rng.permutation(n) < rng.integers(1, n)
    told = []
    for _ in range(how_many):
        scores = rng.integers(1, 5, n) / 5 if tied else rng.uniform(0.01, 0.99, n)
        value = float(VALUE[measure](y, scores))
        value = value if decimals is None else round(value, decimals)
        told.append(Release(scores, value, decimals, measure, k=2))
    n_pos = int(y.sum()) if size_known else None
    known = {int(row): int(y[row]) for row in rng.permutation(n)[:labels_known]}
    # half a unit in the last decimal; the margin is far below the gaps between distinct values
    reach = 1e-12 + (0 if decimals is None else 10.0**-decimals / 2)
    fitting = [
        guess
        for guess in itertools.product((0, 1), repeat=n)
        if 0 < sum(guess) < n
        and (n_pos is None or sum(guess) == n_pos)
        and all(guess[row] == label for row, label in known.items())
        and all(abs(VALUE[measure](np.array(guess), r.scores) - r.value) <= reach for r in told)
    ]
    answer = joint(told, n_pos=n_pos, known=known)
    assert answer.verdict == ("unique" if len(fitting) == 1 else "ambiguous")
    assert answer.count == len(fitting)
    np.testing.assert_allclose(answer.posterior, np.mean(fitting, axis=0))
    assert all(r.fits(answer.first) for r in told)


@pytest.mark.parametrize("measure", ["dcg", "ndcg", "log-loss"])
@pytest.mark.parametrize("n", [12, 30])
def test_one_unrounded_value_gives_a_short_list_away(measure, n):
    rng = np.random.default_rng(n)
    scores, y = rng.uniform(0.05, 0.95, n), rng.random(n) < 0.4
    told = Release(scores, float(VALUE[measure](y, scores)), measure=measure)
    np.testing.assert_array_equal(joint([told]).labels, y)


def test_three_values_give_sixty_labels_away():
    rng = np.random.default_rng(6)
    y = rng.random(60) < 0.4
    told = []
    for _ in range(3):
        scores = rng.random(60)
        told.append(Release(scores, float(VALUE["ndcg"](y, scores)), measure="ndcg"))
    np.testing.assert_array_equal(joint(told, n_pos=int(y.sum())).labels, y)


def test_measures_mix():
    rng = np.random.default_rng(1)
    n = 20
    scores, y = rng.uniform(0.05, 0.95, n), rng.random(n) < 0.4
    told = [
        Release(scores, round(float(VALUE[measure](y, scores)), 4), 4, measure)
        for measure in sorted(set(VALUE) - {"precision", "recall", "fpr"})
    ]
    answer = joint(told)
    assert answer.count is not None
    assert all(release.fits(y) for release in told)
    alone = joint(told[:1], n_pos=int(y.sum()))
    assert answer.count < alone.count


def test_two_short_lists_with_the_same_dcg():
    # 1/log₂4 = 1/log₂8 + 1/log₂64: rank 3 is worth ranks 7 and 63
    scores = -np.arange(63.0)
    y = np.zeros(63, dtype=bool)
    y[2] = True
    known = {row: 0 for row in range(63) if row not in (2, 6, 62)}
    answer = joint([Release(scores, 0.5, measure="dcg")], known=known)
    assert answer.verdict == "ambiguous"
    assert answer.count == 2
    assert {tuple(np.flatnonzero(labels)) for labels in (answer.first, answer.second)} == {
        (2,),
        (6, 62),
    }


def test_average_precision_of_a_long_list_is_undetermined():
    release = Release(np.arange(100), 0.5, 2, "average-precision")
    answer = joint([release], n_pos=30)
    assert answer.verdict == "undetermined"
    assert answer.first is None
    assert answer.posterior == pytest.approx(np.full(100, 0.3), abs=1e-6)


def test_average_precision_of_thirty_rows():
    rng = np.random.default_rng(3)
    scores, y = rng.random(30), rng.random(30) < 0.3
    value = float(average_precision_score(y, scores))
    answer = joint([Release(scores, value, measure="average-precision")], n_pos=int(y.sum()))
    assert answer.exact
    assert (answer.posterior[y] > 0).all()
    assert (answer.posterior[~y] < 1).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2], 0.5, None, "f1"), "unknown measure"),
        (([1, 2], 1.5), "an AUC lies"),
        (([1, 2], 1.5, None, "ndcg"), "not a possible ndcg"),
        (([1, 2], -0.5, None, "dcg"), "not a possible dcg"),
        (([0.2, 1.0], 0.5, None, "log-loss"), "strictly between"),
        (([0.2, 0.3], "x", None, "log-loss"), "not a released value"),
        (([1, 2], 0.5, -1), "decimals"),
        (([1], 0.5), "two rows"),
        (([1, 2], 0.5, None, "precision", 3), "no row is called positive"),
        (([1, 2], 0.5, None, "recall", 3, 0), "k"),
    ],
)
def test_what_cannot_be_released_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        Release(*arguments)


def test_the_labels_must_be_of_the_rows():
    with pytest.raises(InputError, match="2 rows"):
        Release([1, 2], 1).fits([1, 0, 1])


def test_no_positive_has_no_ndcg_and_no_average_precision():
    assert not Release([2, 1], 0, measure="ndcg").fits([0, 0])
    assert not Release([2, 1], 0, measure="average-precision").fits([0, 0])
    assert Release([2, 1], 0, measure="dcg").fits([0, 0])


def test_a_point_of_the_precision_recall_curve():
    scores, y = np.array([0.9, 0.8, 0.8, 0.6, 0.4, 0.1]), np.array([1, 1, 0, 0, 1, 0], dtype=bool)
    point = [
        Release(scores, precision_score(y, scores >= 0.6), measure="precision", threshold=0.6),
        Release(scores, recall_score(y, scores >= 0.6), measure="recall", threshold=0.6),
    ]
    fitting = [
        guess
        for guess in itertools.product((0, 1), repeat=6)
        if sum(guess[:4]) == 2 and sum(guess) == 3
    ]
    answer = joint(point)
    assert answer.count == len(fitting) == 12
    np.testing.assert_allclose(answer.posterior, np.mean(fitting, axis=0))


def test_a_threshold_for_the_accuracy():
    release = Release([3, 2, 1], 1, measure="accuracy", threshold=2)
    np.testing.assert_array_equal(joint([release]).labels, [True, True, False])
