"""What a scheme draws, and which ones are refused."""

from __future__ import annotations

import numpy as np
import pytest

from rocsolid.binary.resampling.interval import Sampler, scheme_for
from rocsolid.binary.resampling.replicates import replicates
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.summaries.stream import stream

POSITIVE = np.arange(30) % 3 == 0
SCORE = np.arange(30) % 7
ROWS = BinaryRows(POSITIVE, SCORE)
CLUSTERED = BinaryRows(POSITIVE, SCORE, cluster=np.arange(30) // 2)


def test_the_scheme_unless_one_is_named() -> None:
    assert scheme_for(ROWS, None) == "stratified"
    assert scheme_for(CLUSTERED, None) == "cluster"
    assert scheme_for(CLUSTERED, "poisson") == "poisson"


def test_refusals_say_the_fix() -> None:
    with pytest.raises(InputError, match="use 'bayesian', or another of stratified"):
        scheme_for(ROWS, "bayes")
    with pytest.raises(InputError, match="use one of stratified"):
        scheme_for(ROWS, "jackknife")
    with pytest.raises(InputError, match="no clusters"):
        scheme_for(ROWS, "cluster")
    for name in ("stratified", "plain"):
        with pytest.raises(UnsoundError, match='scheme="cluster"'):
            scheme_for(CLUSTERED, name)
    other = BinaryRows(~POSITIVE, SCORE)
    with pytest.raises(InputError, match="same rows"):
        replicates([ROWS, other], resamples=5, seed=0)


@pytest.mark.parametrize(
    ("resamples", "seed", "word"),
    [(0, 0, "resamples"), (2.5, 0, "resamples"), (True, 0, "resamples"), (9, -1, "seed"),
     (9, 0.5, "seed"), (9, False, "seed")],
)  # fmt: skip
def test_numbers_that_are_none(resamples: int, seed: int, word: str) -> None:
    with pytest.raises(InputError, match=word):
        replicates([ROWS], resamples=resamples, seed=seed)


def test_sizes_of_what_is_drawn() -> None:
    for scheme in ("stratified", "plain", "poisson", "bayesian"):
        drawn = Sampler.of(ROWS, scheme).draw(stream(1), 200)
        assert drawn.pos.shape == (11, 200)
        assert drawn.neg.shape == (21, 200)
        assert not drawn.pos[-1].any()
        assert drawn.pos_total == pytest.approx(drawn.pos.sum(axis=0))
        assert drawn.neg_total == pytest.approx(drawn.neg.sum(axis=0))
        if scheme == "stratified":
            assert set(drawn.pos_total) == {10}
            assert set(drawn.neg_total) == {20}
        elif scheme == "plain":
            assert set(drawn.pos_total + drawn.neg_total) == {30}
        else:
            assert np.std(drawn.pos_total) > 1.0


def test_whole_clusters_are_drawn() -> None:
    drawn = Sampler.of(CLUSTERED, None).draw(stream(1), 100)
    rows = np.empty((30, 100))
    rows[POSITIVE], rows[~POSITIVE] = drawn.pos[:-1], drawn.neg[:-1]
    assert np.array_equal(rows[::2], rows[1::2])
    assert set(rows[::2].sum(axis=0)) == {15}


@pytest.mark.parametrize("scheme", ["plain", "poisson"])
def test_a_resample_without_a_class_is_drawn_again(scheme: str) -> None:
    """With one positive among 30 rows every third resample misses it."""
    rows = BinaryRows(np.arange(30) == 7, SCORE)
    drawn = Sampler.of(rows, scheme).draw(stream(2), 500)
    assert (drawn.pos_total > 0).all()
    assert drawn.pos[0].mean() == pytest.approx(1 / (1 - np.exp(-1)), abs=0.15)
    assert np.isfinite(replicates([rows], resamples=500, seed=2, scheme=scheme)).all()


def test_rows_of_weight_zero_are_not_rows() -> None:
    weight = np.where(np.arange(30) == 3, 1.0, 0.0) + ~POSITIVE
    rows = BinaryRows(POSITIVE, SCORE, weight)
    drawn = Sampler.of(rows, None).draw(stream(2), 300)
    assert (drawn.pos_total > 0).all()


def test_the_scale_of_the_weights_cancels() -> None:
    weight = 1.0 + np.arange(30) % 4
    first, second = (
        replicates([BinaryRows(POSITIVE, SCORE, w)], resamples=50, seed=0)
        for w in (weight, weight * 2.0**1020)
    )
    assert np.array_equal(first, second)


def test_equal_weights_weigh_nothing() -> None:
    weighted = BinaryRows(POSITIVE, SCORE, np.full(30, 2.5))
    assert np.array_equal(
        replicates([weighted], resamples=50, seed=0), replicates([ROWS], resamples=50, seed=0)
    )
