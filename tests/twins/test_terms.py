"""Measures of rows that went by equal those of rows at hand, whatever the blocks."""

from __future__ import annotations

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsolid.binary.estimate import Options
from rocsolid.inputs import BinaryRows
from rocsolid.measures.binary_measure import BinaryMeasure, ScoredRows
from rocsolid.measures.named import measures_of
from rocsolid.results import Estimate
from rocsolid.summaries.ranges.cluster_sums import ClusterRuns
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.terms import ClusterWalk, TermSums, TermWalk

MEASURES = [
    *("pr_auc", "pr_auc(trapezoid)", "pr_auc(davis-goadrich, prevalence=classes)"),
    *("pr_auc(prevalence=0.02)", "pr_auc(davis-goadrich, prevalence=0.3)"),
    *("gain", "gain(prevalence=classes)", "bedroc(20)", "bedroc(5, prevalence=classes)"),
]


@st.composite
def samples(draw: st.DrawFn) -> tuple[BinaryRows, int, bool]:
    """Rows with ties, some with weights and clusters, a number of blocks, and all scores alike."""
    n = draw(st.integers(4, 60))
    positive = draw(hnp.arrays(np.bool_, n))
    positive[:4] = [True, False, True, False]
    score = draw(hnp.arrays(np.float64, n, elements=st.integers(-6, 6).map(float)))
    weight = cluster = None
    if draw(st.booleans()):
        weight = draw(hnp.arrays(np.float64, n, elements=st.sampled_from([0.0, 0.25, 1.0, 3.0])))
        weight[:4] = [1.0, 2.0, 0.5, 1.0]
    if draw(st.booleans()):
        code = draw(hnp.arrays(np.int64, n, elements=st.integers(0, n // 2)))
        cluster = np.unique(code, return_inverse=True)[1]
    return (
        BinaryRows(positive, score, weight, cluster),
        draw(st.integers(1, 9)),
        draw(st.booleans()),
    )


def walked(rows: BinaryRows, measure: BinaryMeasure, blocks: int) -> TermSums:
    """The term of a measure along tables of groups, and along rows where they have clusters."""
    term = measure.term
    assert term is not None
    table = ScoreCounts.from_arrays(rows.positive, rows.score, rows.weight)
    squares = table
    if rows.weight is not None:
        squares = ScoreCounts.from_arrays(rows.positive, rows.score, rows.weight**2)
    totals = float(table.n_pos), float(table.n_neg)
    walk = TermWalk.of(term, *totals, counted=rows.weight is None and rows.cluster is None)
    for block in np.array_split(np.arange(len(table)), min(blocks, len(table))):
        walk.add(
            *(ScoreCounts(t.score[block], t.pos[block], t.neg[block]) for t in (table, squares))
        )
    if rows.cluster is None:
        return walk.end()
    clusters = int(rows.cluster.max()) + 1
    along = ClusterWalk.of(term, *totals, clusters, (1.0, 1.0))
    pairs = int(2 * table.n_pos * table.n_neg) if rows.weight is None else None
    runs = ClusterRuns.empty(clusters, pairs, [along])
    for block in np.array_split(np.argsort(rows.score, kind="stable"), blocks):
        weight = None if rows.weight is None else rows.weight[block]
        runs.add(rows.score[block], rows.positive[block], rows.cluster[block], weight)
    runs.finished()
    return walk.end(along)


class WentBy:
    """A score whose rows are not available."""

    rows = None
    omitted = 0

    def __init__(self, rows: BinaryRows, sums: TermSums) -> None:
        self.summary = ScoredRows(rows).summary
        self._sums = sums

    def region(self, *_: object) -> tuple[ScoreCounts, ScoreCounts]:
        raise AssertionError

    def sums(self, _: object) -> TermSums:
        return self._sums


def same(walked: Estimate, wanted: Estimate) -> None:
    assert walked.value == pytest.approx(wanted.value, abs=1e-12)
    assert walked.std_error == pytest.approx(wanted.std_error, abs=1e-10, nan_ok=True)
    assert (walked.low, walked.high) == pytest.approx((wanted.low, wanted.high), abs=1e-9)
    assert walked.chance == pytest.approx(wanted.chance, abs=1e-12)
    assert (walked.certified is None) == (wanted.certified is None)
    if walked.certified is not None and wanted.certified is not None:
        limits = wanted.certified.low, wanted.certified.high
        assert (walked.certified.low, walked.certified.high) == pytest.approx(limits, abs=1e-12)
    assert [type(each) for each in walked.warnings] == [type(each) for each in wanted.warnings]


@pytest.mark.parametrize("text", MEASURES)
@given(sample=samples())
def test_rows_that_went_by_tell_the_same(text: str, sample: tuple[BinaryRows, int, bool]) -> None:
    rows, blocks, tied = sample
    if tied:
        rows = BinaryRows(rows.positive, np.zeros(len(rows)), rows.weight, rows.cluster)
    (measure,) = measures_of(text)
    went_by = WentBy(rows, walked(rows, measure, blocks))
    same(measure.estimate(went_by, Options()), measure.estimate(ScoredRows(rows), Options()))


@pytest.mark.parametrize("rows", [401, 3000])
def test_a_certificate_reads_some_hundred_scores(rows: int) -> None:
    rng = np.random.default_rng(rows)
    positive = np.arange(rows) % 3 == 0
    sample = BinaryRows(positive, np.round(rng.normal(size=rows) + positive, 2))
    for text in ("pr_auc", "pr_auc(davis-goadrich)", "bedroc(20)"):
        (measure,) = measures_of(text)
        sums = walked(sample, measure, 7)
        assert sums.ranked is not None
        assert len(sums.ranked.pos.score) <= 801
        same(
            measure.estimate(WentBy(sample, sums), Options()),
            measure.estimate(ScoredRows(sample), Options()),
        )


@pytest.mark.parametrize("seed", range(10, 15))
def test_a_share_of_rounding_is_no_row(seed: int) -> None:
    """Weights whose sum is rounded: nothing lies above the best group."""
    rng = np.random.default_rng(seed)
    positive = np.arange(2000) % 2 == 1
    score = np.append(rng.permutation(1999), 5000).astype(np.float64)
    rows = BinaryRows(positive, score, rng.uniform(0.1, 0.3, 2000))
    for text in ("pr_auc(trapezoid)", "pr_auc(davis-goadrich)"):
        (measure,) = measures_of(text)
        went_by = WentBy(rows, walked(rows, measure, 3))
        same(measure.estimate(went_by, Options()), measure.estimate(ScoredRows(rows), Options()))
