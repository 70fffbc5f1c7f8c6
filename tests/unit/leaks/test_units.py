"""Rows that share a label: every verb against all labelings of the units."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.errors import InputError, RocsolidError, UnsoundError
from rocsolid.leaks import Release, constraint
from rocsolid.leaks.constraint import unit_constraint
from rocsolid.leaks.gaussian import _inverted, _listed, _multiplied, subset_bits, units_of


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    """Scores with ties, units of some rows, frequencies, and what is known."""
    n = draw(st.integers(3, 8))
    scores = draw(st.lists(st.integers(0, 6), min_size=n, max_size=n))
    unit = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    times = draw(st.none() | st.lists(st.integers(1, 4), min_size=n, max_size=n))
    shares = draw(st.sampled_from([unit, None])) if times else unit
    return {"scores": scores, "shares_label": shares, "frequency": times}


def labelings(table: dict[str, Any]) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Each labeling of the units: of the table's rows, and the rows written out with scores."""
    n = len(table["scores"])
    unit = np.arange(n) if table["shares_label"] is None else np.array(table["shares_label"])
    times = np.ones(n, int) if table["frequency"] is None else np.array(table["frequency"])
    names = sorted(set(unit.tolist()))
    scores = np.repeat(table["scores"], times)
    found = []
    for chosen in itertools.product([0, 1], repeat=len(names)):
        label = np.array([dict(zip(names, chosen, strict=True))[u] for u in unit.tolist()])
        found.append((label, np.repeat(label, times), scores))
    return found


def auc(labels: np.ndarray, scores: np.ndarray) -> Fraction | None:
    pos, neg = scores[labels == 1], scores[labels == 0]
    if not len(pos) or not len(neg):
        return None
    twice = sum(2 * int((p > neg).sum()) + int((p == neg).sum()) for p in pos)
    return Fraction(twice, 2 * len(pos) * len(neg))


def fitting(table: dict[str, Any], decimals: int | None, pick: int) -> tuple[str, list, list]:
    """A value of some labeling, all labelings of both classes, and those that fit."""
    both = [(one, rows, auc(rows, s)) for one, rows, s in labelings(table)]
    both = [one for one in both if one[2] is not None]
    if not both:
        return "", [], []
    value = both[pick % len(both)][2]
    assert value is not None
    if decimals is None:
        return f"{value.numerator}/{value.denominator}", both, [b for b in both if b[2] == value]
    text, unit = f"{float(value):.{decimals}f}", Fraction(1, 2 * 10**decimals)
    return text, both, [b for b in both if abs(b[2] - Fraction(text)) <= unit]


@settings(max_examples=150, deadline=None)
@given(tables(), st.sampled_from([None, 1, 2]), st.integers(0, 1000), st.booleans(), st.booleans())
def test_count_exposure_and_joint_are_those_of_all_labelings(
    table: dict[str, Any], decimals: int | None, pick: int, sized: bool, tell: bool
) -> None:
    value, both, fits = fitting(table, decimals, pick)
    if not both:
        return
    n_pos = int(fits[pick % len(fits)][1].sum()) if sized else None
    known = {0: int(fits[pick % len(fits)][0][0])} if tell else {}
    allowed = [b for b in both if n_pos is None or b[1].sum() == n_pos]
    allowed = [b for b in allowed if all(b[0][row] == label for row, label in known.items())]
    fits = [b for b in allowed if any(b is f for f in fits)]
    if not fits:
        return
    more = {k: v for k, v in table.items() if k != "scores"} | {"n_pos": n_pos, "known": known}
    found = rs.leaks.count(value, table["scores"], **more)
    assert found.by_n_pos == dict(sorted(Counter(int(b[1].sum()) for b in fits).items()))
    assert found.exact
    assert math.isclose(found.entropy_before, math.log2(len(allowed)), abs_tol=1e-9)
    chance = [
        Fraction(sum(int(b[0][row]) for b in fits), len(fits)) for row in range(len(fits[0][0]))
    ]
    exposed = rs.leaks.exposure(value, table["scores"], **more)
    assert list(exposed.fractions) == chance
    known_rows = {r for r in range(len(chance)) if r in exposed.known}
    sure = {r: int(p) for r, p in enumerate(chance) if p in (0, 1) and r not in known_rows}
    assert dict(exposed.forced) == sure
    together = rs.leaks.joint([Release(table["scores"], value)], **more)
    assert together.count == len(fits)
    np.testing.assert_allclose(together.posterior, [float(p) for p in chance])
    assert (together.verdict == "unique") == (len(fits) == 1)
    assert math.isclose(together.entropy_before, math.log2(len(allowed)), abs_tol=1e-9)


@settings(max_examples=40, deadline=None)
@given(tables(), st.integers(0, 1000), st.sampled_from([62, 0]))
def test_one_large_table_counts_as_two_lists_do(
    table: dict[str, Any], pick: int, whole: int
) -> None:
    """The route of many units, in integers and in doubles, on few of them."""
    value, both, _ = fitting(table, 1, pick)
    if not both:
        return
    units = units_of(len(table["scores"]), table["shares_label"], table["frequency"])
    question = unit_constraint(value, table["scores"], units)
    listed = constraint.expose_units(question)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(constraint, "_LISTED", 0)
        patch.setattr(constraint, "_WHOLE", whole)
        counted, error = constraint.count_units(question)
        table_of = constraint.expose_units(question)
    assert counted == listed.total
    assert (error == 0.0) == (whole > 0)
    if sum(listed.total.values()) and len(question.free):
        assert table_of.positive == listed.positive
        assert table_of.negative == listed.negative
        assert table_of.total == listed.total


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=9),
    st.lists(st.integers(0, 40), min_size=1, max_size=4, unique=True),
)
def test_subsets_of_a_total_are_counted_by_three_routes(rows: list[int], totals: list[int]) -> None:
    sizes = np.array(rows)
    sums = Counter(
        sum(itertools.compress(rows, c)) for c in itertools.product([0, 1], repeat=len(rows))
    )
    ways = sum(sums[t] for t in totals)
    bits = subset_bits(sizes, totals)
    assert math.isclose(bits, math.log2(ways), abs_tol=1e-9) if ways else bits == -math.inf
    for total in totals:
        if total <= sizes.sum():
            assert _listed(sizes, [total]) == _multiplied(sizes, [total]) == sums[total]
            inverted = _inverted(sizes, total)
            assert (
                math.isclose(2**inverted, sums[total], rel_tol=1e-9)
                if sums[total]
                else inverted == -math.inf
            )


@pytest.mark.parametrize("measure", ["accuracy", "precision", "recall", "dcg", "ndcg", "log-loss"])
def test_other_measures_are_sums_over_units_too(measure: Any) -> None:
    rng = np.random.default_rng(len(measure))
    for _ in range(3):
        unit = rng.integers(0, 5, 7)
        scores = np.round(rng.uniform(0.05, 0.95, 7), 1)
        truth = rng.permutation(np.arange(5) < 2)[unit].astype(int)
        if truth.all() or not truth.any():
            continue
        more = {"k": 3} if measure in ("precision", "recall") else {}
        values = (f"{v / 100:.2f}" for v in range(400))
        every = (Release(scores, value, measure=measure, **more) for value in values)
        release = next(one for one in every if one.fits(truth))
        fits = {
            tuple(label.tolist())
            for label, _, _ in labelings(
                {"scores": scores, "shares_label": unit, "frequency": None}
            )
            if 0 < label.sum() < 7 and release.fits(label)
        }
        found = rs.leaks.joint([release], shares_label=unit)
        assert found.count == len(fits)
        np.testing.assert_allclose(found.posterior, np.mean(list(fits), axis=0))


def test_units_of_equally_many_rows_are_counted_like_rows() -> None:
    """Two eyes of 200 people: too many for a table, and the routes of rows take them."""
    rng = np.random.default_rng(4)
    person = np.repeat(np.arange(200), 2)
    ill = (rng.random(200) < 0.3)[person]
    score = rng.normal(size=400) + ill
    value = f"{rs.auc(ill, score).value:.3f}"
    found = rs.leaks.count(value, score, n_pos=int(ill.sum()), shares_label=person)
    assert math.isclose(found.entropy_before, math.log2(math.comb(200, int(ill.sum()) // 2)))
    assert 5 < found.surprise_bits < 60
    exposed = rs.leaks.exposure(value, score, n_pos=int(ill.sum()), shares_label=person)
    assert exposed.unknown == 200
    assert (exposed.probability[::2] == exposed.probability[1::2]).all()
    assert math.isclose(exposed.probability.sum(), ill.sum(), rel_tol=1e-6)


def test_more_units_than_integers_hold_are_counted_in_doubles() -> None:
    rng = np.random.default_rng(4)
    person = np.repeat(np.arange(70), rng.integers(1, 4, 70))
    ill = (rng.random(70) < 0.4)[person]
    score = np.round(rng.normal(size=len(ill)) + ill)
    value = f"{rs.auc(ill, score).value:.2f}"
    found = rs.leaks.count(value, score, n_pos=int(ill.sum()), shares_label=person)
    assert found.method == "numerical"
    assert 0 < found.relative_error < 1e-11
    exposed = rs.leaks.exposure(value, score, n_pos=int(ill.sum()), shares_label=person)
    assert exposed.method == "numerical"
    assert math.isclose(exposed.probability.sum(), ill.sum(), rel_tol=1e-9)


def test_what_cannot_be_counted_is_refused() -> None:
    unit = [0, 0, 1, 2]
    with pytest.raises(UnsoundError, match="average precision is not a sum over units"):
        rs.leaks.joint([Release([4, 3, 2, 1], 0.5, measure="average-precision")], shares_label=unit)
    with pytest.raises(InputError, match="known to have different ones"):
        rs.leaks.count("0.5", 4, shares_label=unit, known={0: 1, 1: 0})
    with pytest.raises(InputError, match="frequency 0"):
        rs.leaks.count("0.5", 4, frequency=[1, 0, 2, 3])
    with pytest.raises(InputError, match="3 units for 4 rows"):
        rs.leaks.count("0.5", 4, shares_label=[1, 2, 3])
    person = np.repeat(np.arange(1200), [1, 2, 3] * 400)
    with pytest.raises(RocsolidError, match="takes too long"):
        rs.leaks.count("0.7", np.arange(len(person)), n_pos=900, shares_label=person)


def test_the_words_count_units() -> None:
    found = rs.leaks.count("1/2", 6, shares_label=["a", "b", "b", "c", "c", "a"])
    assert found.explain().startswith("2 labelings of 3 units, 6 rows in all, fit the release")
    assert found.to_dict()["units"] == found.units == 3
    exposed = rs.leaks.exposure("1/2", range(6), shares_label=["a", "b", "b", "c", "c", "a"])
    assert exposed.explain().startswith("Of 3 unknown labels, 0 are certain")
    assert len(exposed.most_exposed(9)) == exposed.to_dict()["units"] == 3
    release = Release([1, 2, 3, 4, 5, 6], "1/2")
    together = rs.leaks.joint([release], shares_label=["a", "b", "b", "c", "c", "a"])
    assert "2 labelings of 3 units of 6 rows" in together.explain()
    assert len(together.most_exposed(9)) == together.to_dict()["units"] == 3


def test_units_of_one_row_change_nothing() -> None:
    scores = [0.2, 0.5, 0.9, 0.1, 0.7]
    for call in (rs.leaks.count, rs.leaks.exposure):
        alone = call("3/4", scores, shares_label=range(5), frequency=[1] * 5)
        assert alone.to_dict() == call("3/4", scores).to_dict()


def test_a_plan_has_the_label_bits_of_units_and_no_more_average_than_a_ranking_of_rows() -> None:
    """By hand: of six rows of three patients, the entropy of the AUC of every untied ranking."""
    unit = np.array([0, 0, 0, 1, 1, 2])
    plan = rs.leaks.plan(6, 3, 2, shares_label=unit)
    chosen = [np.isin(unit, [0]), np.isin(unit, [1, 2])]  # the patients with three rows together
    assert plan.label_bits == pytest.approx(1.0)
    assert (plan.n, plan.units, plan.average_exact) == (6, 3, False)
    entropies = []
    for order in itertools.permutations(range(6)):
        values = Counter(auc(labels.astype(int), np.array(order)) for labels in chosen)
        share = np.array(list(values.values())) / len(chosen)
        entropies.append(-(share * np.log2(share)).sum())
    assert np.mean(entropies) <= plan.average_bits_each
    assert "at most" in plan.verdict
    assert plan.most_bits <= plan.label_bits
    assert plan.deliberate.releases < rs.leaks.plan(6, 3, 2).deliberate.releases
    with pytest.raises(InputError, match="no choice of units"):
        rs.leaks.plan(6, 3, 2, shares_label=[0, 0, 1, 1, 2, 2])


def test_a_replay_counts_the_rankings_that_were_given() -> None:
    unit = [0, 0, 1, 2, 2, 2, 3]
    rankings = {"a": [3, 1, 2, 7, 5, 6, 4], "b": [1, 2, 3, 4, 5, 6, 7]}
    log = {"time": ["2024-05-01", "2024-05-02"], "account": ["ann", "bob"],
           "score": [0.5, 0.75], "submission": ["a", "b"]}  # fmt: skip
    found = rs.leaks.replay(log, n=7, n_pos=3, decimals=2, shares_label=unit, submissions=rankings)
    assert (found.n, found.units) == (7, 4)
    assert found.label_bits == pytest.approx(math.log2(3))  # {0, 1}, {2} and {0, 3}
    for release in found.releases:
        counted = rs.leaks.count(
            release.score, rankings[release.submission], n_pos=3, decimals=2, shares_label=unit
        )
        expected = counted.surprise_bits if counted.support else None
        assert release.surprise_bits == expected
    bare = rs.leaks.replay(log, n=7, n_pos=3, decimals=2, shares_label=unit)
    assert [release.surprise_bits for release in bare.releases] == [None, None]
    assert bare.most_bits == found.most_bits == found.label_bits
