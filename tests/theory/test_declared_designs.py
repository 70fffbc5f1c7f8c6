"""Certified intervals under weights and clusters hold where their design is declared.

Weights that go with the scores are simulated too: McDiarmid's bound fails there.
False alarms: each check fails with a probability below 1e-7 if the coverage is the level.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import bdtr, ndtr, ndtri

import rocsolid as rs
from rocsolid.certificates import certify
from rocsolid.errors import UnsoundError

_FLOATS = NDArray[np.float64]
SETS = 200
ALARM = 1e-7
SHIFT = float(np.sqrt(2.0) * ndtri(0.8))


def normal_rows(rng: np.random.Generator, m: int, n: int) -> tuple[_FLOATS, _FLOATS]:
    y = np.repeat([1, 0], [m, n])
    return y, rng.normal(size=m + n) + SHIFT * y


def verified(rng: np.random.Generator, m: int, n: int) -> tuple[_FLOATS, _FLOATS, _FLOATS]:
    """Positives with a high score are all verified, 1 in 500 of the others; negatives 1 in 2."""
    y, s = normal_rows(rng, 5 * m, 5 * n)
    chance = np.where(y == 0, 0.5, np.where(s > 1.2, 1.0, 0.002))
    kept = rng.random(len(s)) < chance
    chosen = np.r_[np.flatnonzero(kept & (y == 1))[:m], np.flatnonzero(kept & (y == 0))[:n]]
    return y[chosen], s[chosen], 1.0 / chance[chosen]


def informative(rng: np.random.Generator, clusters: int) -> tuple[_FLOATS, _FLOATS, _FLOATS]:
    """One cluster in ten is fifty times as large, and ranks worse."""
    big = rng.random(clusters) < 0.1
    sizes = np.where(big, 200, 4)
    c = np.repeat(np.arange(clusters), sizes)
    y = rng.random(len(c)) < 0.5
    s = rng.normal(size=len(c)) + np.where(big[c], -0.5, 2.0) * y
    return y, s, c


def test_score_dependent_weights_have_no_certificate_and_would_not_keep_it() -> None:
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(SETS):
        y, s, w = verified(rng, 200, 200)
        plain = rs.auc(y, s, sample_weight=w)
        assert plain.certified is None
        claimed = rs.auc(y, s, sample_weight=w, design="fixed").certified
        assert claimed is not None
        covered += 0.8 in claimed
    assert bdtr(covered, SETS, 0.95) < ALARM, "this design is no longer hard"
    assert any("weights that go with the scores" in text for text in plain.warnings)
    assert not any("rely on the certified" in text for text in plain.warnings)


def test_weights_fixed_by_the_design_keep_their_certificate() -> None:
    rng = np.random.default_rng(2)
    w = np.tile([1.0, 20.0, 3.0, 0.0, 6.0], 40)
    covered = 0
    for _ in range(SETS):
        y, s = normal_rows(rng, 100, 100)
        found = rs.auc(y, s, sample_weight=w, design="fixed").certified
        assert found is not None
        assert found.method == "weighted"
        covered += 0.8 in found
    assert bdtr(covered, SETS, 0.95) > ALARM


def test_clusters_whose_sizes_go_with_the_scores_have_none() -> None:
    rng = np.random.default_rng(3)
    y, s, c = informative(rng, 40)
    found = rs.auc(y, s, cluster=c)
    assert found.certified is None
    assert any("sizes of clusters that go with the scores" in text for text in found.warnings)


def test_fixed_clusters_keep_their_certificate() -> None:
    rng = np.random.default_rng(4)
    c = np.repeat(np.arange(40), 6)
    y = np.tile([1, 1, 0, 0, 0, 0], 40)
    covered = 0
    for _ in range(SETS):
        s = rng.normal(size=240) * np.sqrt(0.5) + np.sqrt(0.5) * rng.normal(size=40)[c] + SHIFT * y
        found = rs.auc(y, s, cluster=c, design="fixed").certified
        assert found is not None
        # within a cluster, an eighth of 1/40 of the pairs, the truth is higher
        between, within = 0.8, float(ndtr(SHIFT))
        covered += (39 * between + within) / 40 in found
    assert bdtr(covered, SETS, 0.95) > ALARM


@pytest.mark.parametrize("given", [{"sample_weight": [1.0, 2.0] * 20}, {"cluster": range(40)}])
def test_every_way_to_ask_knows_the_design(given: dict[str, object]) -> None:
    y, s = [0, 1] * 20, [float(i * 7 % 23 + 5 * (i % 2)) for i in range(40)]
    other = [float(i * 5 % 17) for i in range(40)]
    with pytest.raises(UnsoundError, match="go with the scores"):
        rs.auc(y, s, interval="mcdiarmid", **given)
    assert rs.auc(y, s, interval="mcdiarmid", design="fixed", **given).interval.certified
    table = {"y": y, "a": s, "b": other, "g": list(next(iter(given.values())))}
    name = next(iter(given))
    for design, there in ((None, False), ("fixed", True)):
        row = rs.evaluate(table, label="y", scores="a", design=design, **{name: "g"}).results[0]
        assert (row.certified is not None) == there
        assert row.settings["design"] == design
        pair = rs.compare(y, {"a": s, "b": other}, design=design, **given).pairs[0]
        assert (pair.certified is not None) == there
    with pytest.raises(UnsoundError, match="go with the scores"):
        certify(s, y=y, independent=True, **given)
    assert certify(s, y=y, independent=True, design="fixed", **given).interval.certified
    with pytest.raises(rs.errors.InputError, match="unknown design"):
        rs.auc(y, s, design="random", **given)


def test_weighted_areas_know_it_too() -> None:
    y, s = [0, 1] * 20, [float(i * 7 % 23 + 5 * (i % 2)) for i in range(40)]
    w = [1.0, 2.0] * 20
    assert rs.partial_auc(y, s, fpr=0.5, sample_weight=w).certified is None
    assert rs.partial_auc(y, s, fpr=0.5, sample_weight=w, design="fixed").certified is not None
    with pytest.raises(UnsoundError, match="go with the scores"):
        rs.partial_auc(y, s, fpr=0.5, sample_weight=w, interval="weighted-sandwich")
