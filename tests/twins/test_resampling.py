"""Resampled values against the same rows repeated, one resample after another."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import reference
from rocsolid.binary.area import variance_of_tables
from rocsolid.binary.area_term import AreaTerm
from rocsolid.binary.curve_area import curve_area
from rocsolid.binary.resampling import replicates as blocks
from rocsolid.binary.resampling.auc import resampled_moments
from rocsolid.binary.resampling.interval import Drawn, Sampler
from rocsolid.binary.resampling.replicates import (
    Ranking,
    RankingCells,
    doubled_wins,
    in_blocks,
    of_tables,
    replicates,
    table_replicates,
)
from rocsolid.inputs import BinaryRows
from rocsolid.summaries.placements import Placements, SortedClasses
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.weighted_placements import WeightedPlacements
from rocsolid.weights import power, step
from samples import labelled_scores

SCHEMES = ["stratified", "plain", "poisson", "bayesian"]


def multiplicities(
    rows: BinaryRows, scheme: str | None, resamples: int, seed: int
) -> NDArray[np.float64]:
    """What each row counts in each resample, without its sample weight; rows in their order."""
    sampler = Sampler.of(rows, scheme)

    def keep(drawn: Drawn) -> NDArray[np.float64]:
        counts = np.zeros((drawn.pos.shape[1], len(rows)))
        counts[:, sampler.pos], counts[:, sampler.neg] = drawn.pos[:-1].T, drawn.neg[:-1].T
        return counts

    found = in_blocks(sampler, resamples, seed, keep)
    return found if sampler.weight is None else found / sampler.weight


def repeated(rows: BinaryRows, counts: NDArray[np.float64]) -> BinaryRows:
    at = np.repeat(np.arange(len(rows)), counts.astype(int))
    weight = None if rows.weight is None else rows.weight[at]
    return BinaryRows(rows.positive[at], rows.score[at], weight)


def exact(rows: BinaryRows, weight: NDArray[np.float64]) -> Fraction:
    """The AUC pair by pair, each row with a weight."""
    pos, neg = rows.positive & (weight > 0), ~rows.positive & (weight > 0)
    score: Any = rows.score.tolist()
    return reference.weighted_auc(
        [score[i] for i in np.flatnonzero(pos)],
        [score[i] for i in np.flatnonzero(neg)],
        weight[pos].tolist(),
        weight[neg].tolist(),
    )


@settings(max_examples=40)
@given(first=labelled_scores(), seed=st.integers(0, 2**40), scheme=st.sampled_from(SCHEMES))
def test_replicates_are_the_aucs_of_repeated_rows(
    first: tuple[NDArray[np.bool_], NDArray[Any]], seed: int, scheme: str
) -> None:
    positive, score = first
    rows = BinaryRows(positive, score)
    turned = BinaryRows(positive, np.arange(len(score)) % 4)
    counts = multiplicities(rows, scheme, 6, seed)
    found = replicates([rows, turned], resamples=6, seed=seed, scheme=scheme)
    for drawn, values in zip(counts, found, strict=True):
        for model, value in zip((rows, turned), values, strict=True):
            truth = float(exact(model, drawn))
            assert value == (truth if scheme != "bayesian" else pytest.approx(truth, abs=1e-13))


@settings(max_examples=20)
@given(
    first=labelled_scores(), seed=st.integers(0, 99), scheme=st.sampled_from([*SCHEMES, "cluster"])
)
def test_weights_and_clusters(
    first: tuple[NDArray[np.bool_], NDArray[Any]], seed: int, scheme: str
) -> None:
    positive, score = first
    size = len(score)
    weight = 0.25 + np.arange(size) % 5
    cluster = (np.arange(size) // 3 if scheme == "cluster" else None)  # fmt: skip
    rows = BinaryRows(positive, score, weight, cluster)
    counts = multiplicities(rows, scheme, 5, seed)
    if cluster is not None:
        for drawn in counts:
            firsts = np.array([drawn[cluster == c][0] for c in range(int(cluster.max()) + 1)])
            assert drawn == pytest.approx(firsts[cluster])
            assert firsts.sum() == pytest.approx(len(firsts))
    found = replicates([rows], resamples=5, seed=seed, scheme=scheme)[:, 0]
    truth = [float(exact(rows, drawn * weight)) for drawn in counts]
    assert found == pytest.approx(truth, abs=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("grades", [None, 7])
@pytest.mark.parametrize("size", [40, 5000])
def test_moments_are_delongs(size: int, grades: int | None, weighted: bool) -> None:
    rng = np.random.default_rng(size)
    positive = rng.random(size) < 0.4
    score = rng.normal(size=size) + positive
    if grades is not None:
        score = np.floor(score * grades / 4)
    rows = BinaryRows(positive, score, rng.random(size) + 0.2 if weighted else None)
    auc, variance = resampled_moments(rows, Sampler.of(rows, "plain"), 4, seed=3)
    for b, counts in enumerate(multiplicities(rows, "plain", 4, 3).round()):
        drawn = repeated(rows, counts)
        if weighted:
            moments = WeightedPlacements.from_arrays(
                drawn.positive, drawn.score, drawn.weight
            ).moments
        else:
            moments = Placements.from_sorted(
                SortedClasses.from_arrays(drawn.positive, drawn.score)
            ).moments
        assert auc[b] == pytest.approx(moments.auc, abs=1e-14)
        assert variance[b] == pytest.approx(moments.variance, rel=1e-11)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("weighted", [False, True])
def test_tables_are_those_of_repeated_rows(scheme: str, weighted: bool) -> None:
    rng = np.random.default_rng(5)
    positive = rng.random(60) < 0.5
    weight = np.append(rng.random(59), 1.0) if weighted else None  # the largest is the unit
    rows = BinaryRows(positive, rng.integers(0, 12, 60).astype(float) + positive, weight)
    sampler = Sampler.of(rows, scheme)
    counts = multiplicities(rows, scheme, 5, 8)
    for merged in (False, True):
        cells = RankingCells.of(rows, sampler, merged=merged)
        seen: list[tuple[ScoreCounts, ScoreCounts]] = []
        of_tables(sampler, cells, 5, 8, lambda t, s, seen=seen: (seen.append((t, s)) or 0.0,))
        for (table, squares), drawn in zip(seen, counts, strict=True):
            whole = ScoreCounts.from_arrays(
                positive, rows.score, drawn if weight is None else drawn * weight
            )
            square = ScoreCounts.from_arrays(
                positive, rows.score, drawn if weight is None else drawn * weight**2
            )
            if not merged:
                assert table.score.tolist() == whole.score.tolist()
                assert table.pos == pytest.approx(whole.pos)
                assert squares.neg == pytest.approx(square.neg)
            for w in (step(0, 0.3), power(2)):
                assert curve_area(table, w) == pytest.approx(curve_area(whole, w), abs=1e-13)
                term = AreaTerm(w)
                assert variance_of_tables(term, table, squares) == pytest.approx(
                    variance_of_tables(term, whole, square), rel=1e-10, nan_ok=True
                )


@settings(max_examples=30)
@given(drawn=labelled_scores(), most=st.sampled_from([1, 30, 255]), seed=st.integers(0, 99))
def test_wins_are_exact_for_any_counts(
    drawn: tuple[NDArray[np.bool_], NDArray[Any]], most: int, seed: int
) -> None:
    """Also where the sums of a stretch of the ranking need more than 16 bits."""
    positive, score = drawn
    pos, neg = score[positive], score[~positive]
    rng = np.random.default_rng(seed)
    a, b = (
        np.vstack([rng.integers(0, most + 1, (len(x), 3)), np.zeros((1, 3))]).astype(np.uint8)
        for x in (pos, neg)
    )
    doubled = [[int(2 * reference.phi(x, y)) for y in neg.tolist()] for x in pos.tolist()]
    truth = np.einsum("ib,ij,jb->b", a[:-1].astype(int), np.array(doubled), b[:-1].astype(int))
    assert doubled_wins(Ranking.of(pos, neg), a, b).tolist() == truth.tolist()


def test_two_threads_draw_what_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    rows = BinaryRows(rng.random(4000) < 0.3, rng.normal(size=4000))
    area = lambda table: curve_area(table, step(0, 0.1))  # noqa: E731

    def all_of_them() -> list[NDArray[np.float64]]:
        sampler = Sampler.of(rows, None)
        return [
            replicates([rows], resamples=3000, seed=4),
            replicates([rows], resamples=3000, seed=4, scheme="bayesian"),
            *resampled_moments(rows, sampler, 3000, seed=4),
        ]

    threaded = all_of_them()
    monkeypatch.setattr(
        blocks, "blocks_side_by_side", lambda one, count, _: [one(i) for i in range(count)]
    )
    for one, two in zip(all_of_them(), threaded, strict=True):
        assert np.array_equal(one, two)
    values = table_replicates(rows, area, resamples=40, seed=4)
    assert np.array_equal(table_replicates(rows, area, resamples=9, seed=4), values[:9])
    assert np.array_equal(replicates([rows], resamples=1500, seed=4), threaded[0][:1500])
    assert not np.array_equal(replicates([rows], resamples=1500, seed=5), threaded[0][:1500])
