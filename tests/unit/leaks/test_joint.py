"""The verdicts on several releases, against every labeling tried in turn."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocsolid.errors import InputError
from rocsolid.leaks.evidence import Release
from rocsolid.leaks.joint import joint


def pair_auc(scores, y):
    """The definition: pairs of a positive and a negative, ties one half."""
    wins = [
        2 * (a > b) + (a == b)
        for a, p in zip(scores, y, strict=True)
        for b, q in zip(scores, y, strict=True)
        if p and not q
    ]
    return Fraction(sum(int(w) for w in wins), 2 * len(wins))


def releases(rng, n, how_many, y, decimals=None, distinct=None):
    found = []
    for _ in range(how_many):
        scores = rng.permutation(n) if distinct is None else rng.integers(0, distinct, n)
        auc = pair_auc(scores, y)
        found.append(
            Release(scores, auc if decimals is None else round(float(auc), decimals), decimals)
        )
    return found


def by_force(questions, n, n_pos=None, known=None):
    """Every labeling whose AUCs are the exact ones, or within half a unit of the last decimal."""
    fitting = []
    for y in itertools.product((0, 1), repeat=n):
        if sum(y) in (0, n) or (n_pos is not None and sum(y) not in n_pos):
            continue
        if any(y[row] != label for row, label in (known or {}).items()):
            continue
        for release in questions:
            auc = pair_auc(release.scores, y)
            if release.decimals is None:
                fits = auc == release.value
            else:
                value = Fraction(str(release.value))
                fits = abs(auc - value) <= Fraction(1, 2 * 10**release.decimals)
            if not fits:
                break
        else:
            fitting.append(y)
    return fitting


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 8),
    how_many=st.integers(1, 4),
    decimals=st.sampled_from([None, None, 1, 2, 3]),
    distinct=st.sampled_from([None, 2, 4]),
    size_known=st.booleans(),
    labels_known=st.integers(0, 2),
)
def test_verdict_count_and_posterior_are_those_of_all_labelings(
    seed, n, how_many, decimals, distinct, size_known, labels_known
):
    rng = np.random.default_rng(seed)
    y = rng.permutation(n) < rng.integers(1, n)
    told = releases(rng, n, how_many, y, decimals, distinct)
    n_pos = [int(y.sum())] if size_known else None
    known = {int(row): int(y[row]) for row in rng.permutation(n)[: min(labels_known, n)]}
    fitting = by_force(told, n, n_pos, known)
    answer = joint(told, n_pos=n_pos, known=known)
    assert answer.verdict == ("unique" if len(fitting) == 1 else "ambiguous")
    assert answer.count == len(fitting)
    assert answer.exact
    np.testing.assert_allclose(answer.posterior, np.mean(fitting, axis=0))
    assert tuple(answer.first) in fitting
    if answer.verdict == "unique":
        assert answer.second is None
        np.testing.assert_array_equal(answer.labels, y)
    else:
        assert answer.labels is None
        assert tuple(answer.second) in fitting
        assert (answer.first != answer.second).any()


@pytest.mark.slow
@pytest.mark.parametrize(("n", "aucs"), [(40, 8), (60, 16), (80, 24), (80, 26)])
def test_random_rankings_give_all_labels_away(n, aucs):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        y = rng.permutation(n) < n // 2
        answer = joint(releases(rng, n, aucs, y), n_pos=n // 2)
        assert answer.verdict == "unique"
        assert answer.count == 1
        np.testing.assert_array_equal(answer.labels, y)


def test_eighty_labels_with_unknown_class_sizes():
    rng = np.random.default_rng(5)
    y = rng.permutation(80) < 37
    answer = joint(releases(rng, 80, 24, y))
    np.testing.assert_array_equal(answer.labels, y)


@pytest.mark.parametrize(("decimals", "too_few", "enough"), [(3, 14, 30), (2, 20, 50)])
def test_rounding_takes_more_releases_and_still_falls(decimals, too_few, enough):
    rng = np.random.default_rng(8)
    y = rng.permutation(80) < 40
    told = releases(rng, 80, enough, y, decimals)
    few = joint(told[:too_few], n_pos=40, max_work=200_000)
    assert few.verdict != "unique"
    answer = joint(told, n_pos=40)
    np.testing.assert_array_equal(answer.labels, y)


def test_two_rows_that_always_tie_are_ambiguous():
    rng = np.random.default_rng(2)
    n = 80
    y = rng.permutation(n) < 40
    positive, negative = np.flatnonzero(y)[0], np.flatnonzero(~y)[0]
    told = []
    for _ in range(30):
        scores = rng.permutation(n).astype(float)
        scores[positive] = scores[negative]
        told.append(Release(scores, pair_auc(scores, y)))
    answer = joint(told, n_pos=40)
    assert answer.verdict == "ambiguous"
    assert answer.count == 2
    assert sorted(np.flatnonzero(answer.first != answer.second)) == sorted([positive, negative])
    assert all(pair_auc(r.scores, answer.second) == r.value for r in told)
    # exact: the two rows share what is open, all others are certain
    assert answer.posterior[positive] == answer.posterior[negative] == 0.5
    assert set(answer.posterior) == {0.0, 0.5, 1.0}


@pytest.mark.parametrize(("n", "aucs", "decimals"), [(300, 1, None), (200, 2, 3), (1000, 2, None)])
def test_few_releases_of_many_rows_are_ambiguous(n, aucs, decimals):
    rng = np.random.default_rng(1)
    y = rng.permutation(n) < n // 3
    told = releases_by_rank(rng, n, aucs, y, decimals)
    answer = joint(told, n_pos=n // 3)
    assert answer.verdict == "ambiguous"
    assert all(r.fits(answer.first) and r.fits(answer.second) for r in told)
    assert not answer.exact
    assert answer.posterior.sum() == pytest.approx(n // 3, rel=1e-4)


def releases_by_rank(rng, n, how_many, y, decimals):
    """As `releases`, by the rank sum."""
    m = int(y.sum())
    found = []
    for _ in range(how_many):
        scores = rng.permutation(n)
        auc = Fraction(int(scores[y].sum()) + m - m * (m + 1) // 2, m * (n - m))
        found.append(
            Release(scores, auc if decimals is None else round(float(auc), decimals), decimals)
        )
    return found


def test_out_of_work_is_undetermined_and_never_safe():
    rng = np.random.default_rng(0)
    y = rng.permutation(60) < 30
    answer = joint(releases(rng, 60, 9, y), n_pos=30, max_work=1)
    assert answer.verdict == "undetermined"
    assert answer.labels is None
    assert answer.count is None
    assert not answer.exact
    assert "does not mean" in answer.explain()
    assert "safe" not in answer.explain().lower()


def test_the_same_answer_every_time():
    rng = np.random.default_rng(0)
    y = rng.permutation(100) < 50
    told = releases(rng, 100, 2, y)
    one, two = (joint(told, n_pos=50).to_dict() for _ in range(2))
    assert one == two


def test_known_labels_count():
    rng = np.random.default_rng(4)
    y = rng.permutation(60) < 30
    told = releases(rng, 60, 6, y)
    known = {row: bool(y[row]) for row in range(30)}
    answer = joint(told, n_pos=30, known=known)
    np.testing.assert_array_equal(answer.labels, y)
    # and all labels known: nothing is left to search
    everything = joint(told, known=dict(enumerate(y)))
    assert everything.verdict == "unique"


def test_a_range_of_class_sizes():
    scores = [3, 2, 1, 0]
    told = [Release(scores, 1)]
    assert joint(told).count == 3
    assert joint(told, n_pos=range(2, 4)).count == 2
    assert joint(told, n_pos=2).verdict == "unique"


@pytest.mark.parametrize(
    ("told", "options", "message"),
    [
        ([], {}, "no release"),
        ([Release([1, 2], 1), Release([1, 2, 3], 1)], {}, "a different number"),
        ([Release([1, 2, 3], "1/7")], {}, "no labeling fits"),
        ([Release([3, 2, 1], 1)], {"known": {0: 0}, "n_pos": 1}, "no labeling fits"),
        ([Release([1, 2, 3], 1)], {"n_pos": 3}, "number of positives"),
        ([Release([1, 2, 3], 1)], {"known": {3: 1}}, "no such row"),
    ],
)
def test_what_cannot_be_is_refused(told, options, message):
    with pytest.raises(InputError, match=message):
        joint(told, **options)


def test_the_surprise_is_exact_where_one_labeling_is_left_or_all_are_counted():
    unique = joint([Release([3, 2, 1, 0], 1)], n_pos=2)
    several = joint([Release([3, 2, 1, 0], "1/2")], n_pos=2)
    assert several.count == 2
    for found, left, exact in (
        (unique, 0.0, True),
        (replace(unique, count=None), 0.0, True),  # a search may settle it without a count
        (several, 1.0, True),
        (replace(several, count=None), 1.0, False),
        (replace(several, count=None, verdict="undetermined"), 0.0, False),
    ):
        assert found.surprise_bits == pytest.approx(found.entropy_before - left)
        assert found.surprise_exact == exact


def test_as_plain_data():
    answer = joint([Release([3, 2, 1, 0], 1)], n_pos=2)
    assert json.loads(json.dumps(answer.to_dict())) == {
        "verdict": "unique",
        "labels": [1, 1, 0, 0],
        "units": 4,
        "first": [1, 1, 0, 0],
        "second": None,
        "count": 1,
        "posterior": [1.0, 1.0, 0.0, 0.0],
        "posterior_kind": "exact",
        "releases": 1,
        "work": answer.work,
        "entropy_before": answer.entropy_before,
        "surprise_bits": answer.entropy_before,
        "surprise_exact": True,
    }
    assert answer.explain().startswith("Unique: of all labelings of 4 rows, one fits the release")
    both = joint([Release([3, 2, 1, 0], "1/2")], n_pos=2)
    assert both.count == 2
    assert both.explain().startswith("Ambiguous: 2 labelings of 4 rows fit the release.")
