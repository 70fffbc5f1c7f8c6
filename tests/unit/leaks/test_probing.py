from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np

from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.simulate import SIGNS, ranking_signs, release_signs

START = datetime(2024, 5, 1, tzinfo=UTC)


def _signs(*vectors: np.ndarray, previous: list[int] | None = None) -> list[set[str]]:
    doubled = np.array([doubled_ranks(v) for v in vectors])
    return ranking_signs(np.array(vectors, dtype=float), doubled, previous or [-1] * len(vectors))


def test_independent_models_show_no_sign() -> None:
    rng = np.random.default_rng(0)
    truth = rng.normal(size=200)
    models = [truth + rng.normal(size=200) for _ in range(20)]
    assert _signs(*models) == [set()] * 20


def test_ties_are_seen() -> None:
    assert _signs(np.zeros(10)) == [{"two-valued", "mostly tied"}]
    assert _signs(np.array([0, 0, 0, 1, 1, 1])) == [{"two-valued"}]
    assert _signs(np.array([0, 0, 0, 0, 1, 2])) == [{"mostly tied"}]


def test_rankings_that_come_back_are_seen() -> None:
    base = np.random.default_rng(1).normal(size=100)
    changed = base.copy()
    changed[:5] += 10
    found = _signs(base, 2 * base + 1, changed, base + 1e-4 * np.arange(100))
    assert found[0] == set()
    assert found[1] == {"repeated"}
    assert "near-duplicate" in found[2]
    assert found[3] & {"near-duplicate", "repeated"}


def test_blocks_that_change_places_are_seen() -> None:
    ranks = np.arange(100.0)
    swapped = ranks.copy()
    swapped[10:40], swapped[60:90] = ranks[60:90], ranks[10:40]
    uneven = np.concatenate([ranks[70:], ranks[20:70], ranks[:20]])
    shuffled = np.random.default_rng(2).permutation(100)
    assert _signs(ranks, shuffled, swapped, previous=[-1, 0, 1])[2] == {"block swap"}
    assert "block swap" in _signs(ranks, np.argsort(uneven).astype(float))[1]
    assert _signs(ranks, shuffled)[1] == set()


def test_many_releases_in_an_hour_are_seen() -> None:
    times = [START + timedelta(minutes=6 * i) for i in range(12)]
    steady = [START + timedelta(minutes=7 * i) for i in range(12)]
    score = np.linspace(0.6, 0.9, 12)
    assert release_signs(times, score, 2500) == [{"burst"}] * 12
    assert release_signs(steady, score, 2500) == [set()] * 12


def test_small_steps_are_seen() -> None:
    times = [START + timedelta(days=i) for i in range(8)]
    score = np.array([0.5, 0.7, 0.701, 0.703, 0.702, 0.7025, 0.703, 0.9])
    found = release_signs(times, score, 2000)
    assert found == [set(), set(), *[{"small steps"}] * 5, set()]
    assert release_signs(times, score, 4000) == [set()] * 8
    assert set().union(*found) <= set(SIGNS)
