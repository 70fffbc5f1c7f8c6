"""Exposure by its three methods, and what is said about forced labels."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rocsolid.errors import InputError, RocsolidError, UnsoundError
from rocsolid.leaks.exposure import exposure
from rocsolid.leaks.labelings import improve

RNG = np.random.default_rng(7)
CASES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "untied": ("4/5", RNG.permutation(60), {"n_pos": 30}),
    "rounded, classes unknown": ("0.82", RNG.permutation(40), {}),
    "tied": ("0.7", RNG.integers(0, 15, 50), {"n_pos": 20, "decimals": 2}),
    "known labels": ("0.7", RNG.permutation(50), {"n_pos": [20, 21], "known": {3: 1, 9: 0, 17: 0}}),
    "near perfect": ("0.99", RNG.permutation(80), {"n_pos": 40}),
    "one misranked pair, classes unknown": ("0.99", RNG.permutation(24), {}),
    "near perfectly wrong": ("0.003", RNG.permutation(50), {"n_pos": 25}),
    "two values": ("0.7", np.repeat([0, 1], [20, 10]), {"n_pos": 10, "decimals": 2}),
}


@pytest.mark.parametrize("name", CASES)
def test_fourier_inversion_is_as_good_as_exact(name: str):
    auc, scores, more = CASES[name]
    exact = exposure(auc, scores, method="exact", **more)
    found = exposure(auc, scores, method="numerical", **more)
    assert found.error < 1e-9
    np.testing.assert_allclose(found.probability, exact.probability, atol=1e-11)
    assert dict(found.forced) == dict(exact.forced)
    assert found.n_pos == pytest.approx({k: p for k, p in exact.n_pos.items() if p > 1e-15})


LONGER: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "untied": ("4/5", RNG.permutation(200), {"n_pos": 100}),
    "rounded, classes unknown": ("0.8", RNG.permutation(100), {"decimals": 2}),
    "tied": ("0.8", RNG.integers(0, 60, 130), {"n_pos": 60, "decimals": 3}),
    "known labels": ("0.9", RNG.permutation(130), {"n_pos": [60, 61], "known": {3: 1, 9: 0}}),
    "two values": CASES["two values"],
}


@pytest.mark.parametrize("name", LONGER)
def test_the_saddle_point_is_off_by_no_more_than_it_says(name: str):
    auc, scores, more = LONGER[name]
    exact = exposure(auc, scores, method="exact", **more)
    found = exposure(auc, scores, method="asymptotic", **more)
    assert found.error < 0.01
    np.testing.assert_allclose(found.probability, exact.probability, atol=found.error + 1e-15)
    assert set(found.forced.items()) <= set(exact.forced.items())


def test_the_saddle_point_refuses_a_lattice_with_few_rows_off_it():
    scores = np.concatenate([np.repeat(np.arange(29), 2), [29, 30]])
    with pytest.raises(UnsoundError, match='use method="numerical"'):
        exposure("0.8", scores, n_pos=30, decimals=3, method="asymptotic")
    assert exposure("0.8", scores, n_pos=30, decimals=3, method="numerical").error < 1e-6


def test_a_long_list_near_a_perfect_auc_has_forced_labels():
    n = 20_000
    found = exposure(Fraction(10**8 - 50, 10**8), np.arange(n), n_pos=n // 2)
    assert found.forced_complete
    assert len(found.forced) == n - 100
    assert found.forced[0] == 0
    assert found.forced[n - 1] == 1


def test_what_is_not_settled_is_said():
    scores = RNG.integers(0, 3_000, 40_000)
    found = exposure("0.9", scores, n_pos=20_000, method="asymptotic")
    assert not found.forced_complete
    assert "whether others are certain too is undecided" in found.explain()
    assert "asymptotic, off by about" in found.explain()


def test_the_surest_rows_come_first_and_known_rows_never():
    found = exposure("0.9", np.arange(20), n_pos=8, known={0: 0, 19: 1})
    rows = found.most_exposed(5)
    assert [row.probability for row in rows] == sorted((r.probability for r in rows), reverse=True)
    assert {0, 19}.isdisjoint(row.row for row in found.most_exposed(100))
    assert len(found.most_exposed(100)) == 18
    assert found.probability[[0, 19]].tolist() == [0.0, 1.0]
    assert found.bits[0] == 0
    assert all(0 < bits <= 1 for bits in found.bits[1:19])


def test_plain_data():
    data = exposure("3/4", [0.2, 0.5, 0.9, 0.1], known={3: 0}).to_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["forced"] == {"2": 1, "1": 0, "0": 1}
    assert data["known"] == [3]


def test_all_labels_known_leaves_nothing_to_say():
    found = exposure("3/4", [0.2, 0.5, 0.9, 0.1], known={0: 1, 1: 0, 2: 1, 3: 0})
    assert found.most_exposed() == []
    assert found.explain().startswith("Of 0 unknown labels, 0 are certain")
    with pytest.raises(InputError, match="no labeling"):
        exposure("3/4", [0.2, 0.5, 0.9, 0.1], known={0: 0, 1: 0, 2: 1, 3: 0})


def test_nothing_fits():
    for method in ("auto", "exact", "numerical", "asymptotic"):
        with pytest.raises(InputError, match="no labeling of these rows has this AUC: '2/7'"):
            exposure("2/7", [1, 2, 3, 4], method=method)  # type: ignore[arg-type]


def test_an_unknown_method_is_refused():
    with pytest.raises(InputError, match="unknown method: 'fast'"):
        exposure("3/4", [1, 2, 3, 4], n_pos=2, method="fast")  # type: ignore[arg-type]


def test_too_many_class_sizes_are_refused_with_the_fix():
    with pytest.raises(RocsolidError, match="give n_pos"):
        exposure("0.8", np.arange(20_000))


def test_several_releases_improve_the_ranking():
    truth = np.array([1, 0, 1, 1, 0, 0])
    better = improve("5/9", [6, 5, 3, 2, 4, 1], n_pos=3, posterior=truth)
    assert better.auc == pytest.approx((5 / 9, 1.0))
    assert better.accuracy.after == 1.0
    assert better.log_loss.after == 0.0
    assert "goes from 0.5556 to 1.0000" in better.explain()


def test_scores_in_the_unit_interval_are_compared_as_probabilities():
    better = improve("3/4", [0.2, 0.5, 0.9, 0.1], n_pos=2)
    assert better.baseline == "scores as probabilities"
    assert better.log_loss.before == pytest.approx(-np.log([0.2, 0.5, 0.9, 0.9]).mean())
    assert improve("3/4", [2, 5, 9, 1], n_pos=2).accuracy.before == 0.5


@pytest.mark.parametrize("posterior", [[0.5], [0.5, 0.5, 0.5, 1.5], [0.5, 0.5, 0.5, np.nan]])
def test_a_posterior_must_be_probabilities_of_the_rows(posterior: list[float]):
    with pytest.raises(InputError, match="one probability for each of the 4 rows"):
        improve("3/4", [1, 2, 3, 4], n_pos=2, posterior=posterior)


def test_a_posterior_needs_one_class_size():
    with pytest.raises(RocsolidError, match="give n_pos as one number"):
        improve("1/2", [1, 2, 3, 4, 5], posterior=np.full(5, 0.5))
