"""Measures of rows that went by equal those of rows at hand, whatever the blocks."""

from __future__ import annotations

from dataclasses import replace

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocsolid.binary.estimate import Options
from rocsolid.binary.resampling.interval import Resampling, Scheme
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.guarantees import curve_point
from rocsolid.intervals.guarantees.band import band_ranks, lower_band, upper_band
from rocsolid.measures.at_cut import AtCut
from rocsolid.measures.binary_measure import BinaryMeasure, ScoredRows
from rocsolid.measures.named import measure_of, measures_of
from rocsolid.results import Estimate
from rocsolid.summaries.ranges.cluster_sums import ClusterRuns
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.terms import ClusterWalk, PlacementTerm, TermSums, TermWalk

CUTS = ["precision@30%", "recall@2", "lift@3", "precision@3", "enrichment@20%(prevalence=classes)"]
MEASURES = [
    *CUTS,
    *("pr_auc", "pr_auc(trapezoid)", "pr_auc(davis-goadrich, prevalence=classes)"),
    *("pr_auc(prevalence=0.02)", "pr_auc(davis-goadrich, prevalence=0.3)"),
    *("gain", "gain(prevalence=classes)", "bedroc(20)", "bedroc(5, prevalence=classes)"),
]
RATES = [
    *("sensitivity(specificity=0.9)", "sensitivity(fpr=0.5)", "specificity(sensitivity=0.7)"),
    *("precision(recall=0.5)", "precision(recall=0.8, prevalence=classes)"),
    "ppv(sensitivity=0.9, prevalence=0.02)",
]
BENEFITS = [
    *("net_benefit@0.25", "net_benefit@0.5(prevalence=classes)"),
    "net_benefit@0.75(prevalence=0.3)",
]
AREAS = [
    *("partial_auc(fpr<=0.3)", "partial_auc(0.2<=fpr<=0.7, scale=mean)", "partial_auc(tpr>=0.6)"),
    *("partial_auc(fpr<=0.5, tpr>=0.4)", "partial_auc(0.1<=fpr<=0.9, 0.2<=tpr<=0.8)"),
    *("weighted_auc(power(2))", "weighted_auc(power(0))", "weighted_auc(step(0.5, 1, axis=tpr))"),
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
    if rows.weight is not None:
        sides = (rows.weight[rows.positive], rows.weight[~rows.positive])
        n_pos, n_neg = (int(np.count_nonzero(side)) for side in sides)
        term = term.weighed((n_pos, n_neg), 1.0)
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

    def sums(self, _: object) -> TermSums:
        return self._sums


def same(walked: Estimate, wanted: Estimate) -> None:
    assert walked.value == pytest.approx(wanted.value, abs=1e-12)
    assert walked.std_error == pytest.approx(wanted.std_error, abs=1e-10, nan_ok=True)
    ends = wanted.low, wanted.high
    assert (walked.low, walked.high) == pytest.approx(ends, abs=1e-9)
    assert walked.chance == pytest.approx(wanted.chance, abs=1e-12)
    assert (walked.certified is None) == (wanted.certified is None)
    if walked.certified is not None and wanted.certified is not None:
        limits = wanted.certified.low, wanted.certified.high
        assert (walked.certified.low, walked.certified.high) == pytest.approx(limits, abs=1e-12)
    assert [type(each) for each in walked.warnings] == [type(each) for each in wanted.warnings]


@pytest.mark.parametrize("text", MEASURES)
@settings(max_examples=20)
@given(sample=samples())
def test_rows_that_went_by_tell_the_same(text: str, sample: tuple[BinaryRows, int, bool]) -> None:
    rows, blocks, tied = sample
    if tied:
        rows = BinaryRows(rows.positive, np.zeros(len(rows)), rows.weight, rows.cluster)
    (measure,) = measures_of(text)
    went_by = WentBy(rows, walked(rows, measure, blocks))
    same(measure.estimate(went_by, Options()), measure.estimate(ScoredRows(rows), Options()))


@pytest.mark.parametrize("text", AREAS)
@settings(max_examples=20)
@given(sample=samples())
def test_areas_of_rows_that_went_by(text: str, sample: tuple[BinaryRows, int, bool]) -> None:
    rows, blocks, tied = sample
    if tied:
        rows = BinaryRows(rows.positive, np.zeros(len(rows)), rows.weight, rows.cluster)
    measure = measure_of(text)
    went_by = WentBy(rows, walked(rows, measure, blocks))
    found = measure.estimate(went_by, Options())
    wanted = measure.estimate(ScoredRows(rows), Options())
    assert (found.settings, found.method) == (wanted.settings, wanted.method)
    same(found, wanted)


@pytest.mark.parametrize("text", BENEFITS)
@settings(max_examples=30)
@given(sample=samples(), narrow=st.booleans())
def test_net_benefits_of_rows_that_went_by(
    text: str, sample: tuple[BinaryRows, int, bool], narrow: bool
) -> None:
    rows, blocks, tied = sample
    score = np.full(len(rows), 0.5) if tied else (rows.score + 6.0) / 12.0
    score = score.astype(np.float32 if narrow else np.float64)
    rows = BinaryRows(rows.positive, score, rows.weight, rows.cluster)
    measure = measure_of(text)
    went_by = WentBy(rows, walked(rows, measure, blocks))
    found, wanted = (measure.estimate(each, Options()) for each in (went_by, ScoredRows(rows)))
    assert (found.settings, found.method) == (wanted.settings, "auto (wilson)")
    assert dict(found.references) == pytest.approx(dict(wanted.references))
    same(found, wanted)


def same_rates(found: Estimate, wanted: Estimate) -> None:
    """No digit of the curve around the rate is lost; only sums of influences are rounded."""
    same(found, wanted)
    assert (found.value, found.chance) == (wanted.value, wanted.chance)
    assert (found.method, found.settings) == (wanted.method, wanted.settings)
    for one, other in ((found.interval, wanted.interval), (found.certified, wanted.certified)):
        assert one is not None
        assert other is not None
        assert (one.low, one.high) == (other.low, other.high)


@pytest.mark.parametrize("text", RATES)
@settings(max_examples=20)
@given(sample=samples(), scheme=st.sampled_from([None, "plain", "stratified"]))
def test_rates_of_rows_that_went_by(
    text: str, sample: tuple[BinaryRows, int, bool], scheme: Scheme | None
) -> None:
    rows = BinaryRows(sample[0].positive, sample[0].score)
    measure = measure_of(text)
    options = Options(
        "auto" if scheme is None else "bootstrap-percentile", resampling=Resampling(20, 3, scheme)
    )
    went_by = WentBy(rows, walked(rows, measure, sample[1]))
    found, wanted = (measure.estimate(each, options) for each in (went_by, ScoredRows(rows)))
    same_rates(found, wanted)


@pytest.mark.parametrize("text", RATES)
@settings(max_examples=20)
@given(sample=samples())
def test_rates_of_weighted_and_clustered_rows_that_went_by(
    text: str, sample: tuple[BinaryRows, int, bool]
) -> None:
    rows, blocks, tied = sample
    if tied:
        rows = BinaryRows(rows.positive, np.zeros(len(rows)), rows.weight, rows.cluster)
    measure = measure_of(text)
    went_by = WentBy(rows, walked(rows, measure, blocks))
    found, wanted = (measure.estimate(each, Options()) for each in (went_by, ScoredRows(rows)))
    assert (found.settings, found.method) == (wanted.settings, "auto (wilson)")
    same(found, wanted)


@pytest.mark.parametrize("text", RATES)
def test_a_rate_reads_the_rows_near_it(text: str) -> None:
    """A table grows with the root of the class, not with the other class, and loses no digit."""
    rng = np.random.default_rng(5)
    positive = np.repeat([True, False], (3_000, 60_000))
    if "specificity=" in text or "fpr" in text:
        positive = ~positive
    rows = BinaryRows(positive, rng.normal(size=63_000) + positive)
    measure = measure_of(text)
    sums = walked(rows, measure, 7)
    assert 800 < len(sums.details) < 4_000
    assert (sums.details.n_pos, sums.details.n_neg) == (positive.sum(), (~positive).sum())
    for options in (Options(), Options(level=1.0 - 1e-9, alternative="greater")):
        found = measure.estimate(WentBy(rows, sums), options)
        same_rates(found, measure.estimate(ScoredRows(rows), options))


@pytest.mark.parametrize(
    ("classes", "decimals"), [((801, 2000), 1), ((2000, 801), 9), ((40, 900), 9), ((900, 40), 1)]
)
def test_certified_areas_of_many_streamed_rows_are_those_of_the_band(
    classes: tuple[int, int], decimals: int
) -> None:
    """The scores at the ranks of the band are known at every level, from one pass."""
    rng = np.random.default_rng(classes)
    positive = np.repeat([True, False], classes)
    rows = BinaryRows(positive, np.round(rng.normal(size=sum(classes)) + positive, decimals))
    for text in (*AREAS[:4], "partial_auc(fpr<=0.01)", "weighted_auc(step(0.3, 0.4, axis=tpr))"):
        measure = measure_of(text)
        went_by, at_hand = WentBy(rows, walked(rows, measure, 7)), ScoredRows(rows)
        found, wanted = (measure.estimate(each, Options()) for each in (went_by, at_hand))
        assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=1e-9)
        assert wanted.certified is not None
        for chosen in (Options(level=0.5), Options(level=1.0 - 1e-7, alternative="greater")):
            certified = measure.estimate(went_by, chosen).certified
            band = measure.estimate(at_hand, replace(chosen, interval="weighted-band")).interval
            assert certified is not None
            assert (certified.low, certified.high) == (band.low, band.high)
            assert certified.method == band.method


def test_a_band_reads_some_hundred_scores() -> None:
    rng = np.random.default_rng(0)
    positive = rng.random(50_000) < 0.4
    rows = BinaryRows(positive, rng.normal(size=50_000) + positive)
    for text in AREAS:
        sums = walked(rows, measure_of(text), 7)
        assert sums.ranked is not None
        assert 390 < len(sums.ranked.pos.score) <= 1200


@pytest.mark.parametrize("rates", [(0.0, 0.1), (0.2, 0.3), (0.9, 1.0), (0.0, 1e-6), (0.0, 1.0)])
@pytest.mark.parametrize("n", [1, 30, 10**5])
@pytest.mark.parametrize("share", [0.0125, 1e-20])
def test_the_ranks_of_a_band_are_known_before_its_error(
    n: int, rates: tuple[float, float], share: float
) -> None:
    ranks = band_ranks(n, *rates)
    assert sorted(set(ranks)) == list(ranks)
    for band in (upper_band(n, *rates, share), lower_band(n, *rates, share)):
        assert set(band.ranks) <= set(ranks)
        if share == 0.0125 and n > 30:
            assert set(band.ranks) == set(ranks)
    ends = [n * rate + sign * 8.0 * np.sqrt(n * rate * (1.0 - rate))
            for rate, sign in zip(rates, (-1.0, 1.0), strict=True)]  # fmt: skip
    inside = np.array([rank for rank in ranks if ends[0] <= rank <= ends[1]])
    assert np.all(np.diff(inside) <= 1.0 + 4.0 * (ends[1] - ends[0]) / 400)


@settings(max_examples=20)
@pytest.mark.parametrize("text", [*MEASURES, *AREAS, *RATES[::3], BENEFITS[0], "auc"])
@given(sample=samples())
def test_ranges_walked_apart_are_joined(text: str, sample: tuple[BinaryRows, int, bool]) -> None:
    """Each range begins with no more than the sums below it, in whatever order they are walked."""
    rows, blocks, _ = sample
    (measure,) = measures_of(text)
    term = measure.term or PlacementTerm()
    counted = rows.weight is None
    table, squares = (
        ScoreCounts.from_arrays(rows.positive, rows.score, weight)
        for weight in (rows.weight, None if rows.weight is None else rows.weight**2)
    )
    totals = float(table.n_pos), float(table.n_neg)
    whole = TermWalk.of(term, *totals, counted=counted)
    wanted = whole.add(table, squares)
    joined = TermWalk.of(term, *totals, counted=counted)
    found: tuple[list[float], list[float]] = ([], [])
    for block in np.array_split(np.arange(len(table)), min(blocks, len(table))):
        parts = [ScoreCounts(t.score[block], t.pos[block], t.neg[block]) for t in (table, squares)]
        below = float(table.pos[: block[0]].sum()), float(table.neg[: block[0]].sum())
        walk = TermWalk.of(term, *totals, counted=counted, below=below)
        known = walk.add(*parts)
        for side, of_class, missing in zip(found, known, joined.then(walk), strict=True):
            side += (of_class + missing).tolist()
    for held, of_class, side in zip((table.pos > 0, table.neg > 0), found, wanted, strict=True):
        assert np.array(of_class)[held] == pytest.approx(side[held], abs=1e-12)
    ended, exact = joined.end(), whole.end()
    assert ended.value == pytest.approx(exact.value, abs=1e-13, nan_ok=True)
    if text == BENEFITS[0]:  # any numbers are scores of a walk
        for column in ("score", "pos", "neg"):
            whole_of = getattr(exact.details, column).tolist()
            assert getattr(ended.details, column).tolist() == pytest.approx(whole_of)
    if text in RATES and counted:  # the table around a rate is of rows of equal weight
        assert ended.details.n_pos == exact.details.n_pos
        assert measure.value(ended.details) == measure.value(exact.details)  # type: ignore[attr-defined]
    for parts_of, exact_of in ((ended.own, exact.own), (ended.alone, exact.alone)):
        assert parts_of.total == pytest.approx(exact_of.total, rel=1e-9, abs=1e-14, nan_ok=True)
        assert parts_of.known == pytest.approx(exact_of.known)
    assert (ended.ranked is None) == (exact.ranked is None)
    if ended.ranked is not None and exact.ranked is not None:
        for of_class in ("pos", "neg"):
            one, other = (getattr(each.ranked, of_class) for each in (ended, exact))
            assert one.size == other.size
            places = getattr(term.places(ended.ranked.pos.size, ended.ranked.neg.size), of_class)
            assert one[places].tolist() == other[places].tolist()
            assert one.tied.tolist() == other.tied.tolist()


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


def plain_cut(rows: BinaryRows, measure: AtCut) -> tuple[float, np.ndarray, float, float, float]:
    """Row by row: the value, influences, the trials behind it, and what orders of ties allow."""
    n = len(rows)
    w = np.ones(n) if rows.weight is None else rows.weight
    y, total, positives = rows.positive, float(w.sum()), float(w[rows.positive].sum())
    count = measure.count(total)
    above = np.array([w[rows.score > s].sum() for s in rows.score])
    size = np.array([w[rows.score == s].sum() for s in rows.score])
    taken = np.clip((count - above) / np.where(size > 0, size, 1.0), 0.0, 1.0)
    taken[size == 0] = 0.0
    width = 0.5 * count * max(count / total * np.count_nonzero(w), 1.0) ** -0.2
    near = (above + size > count - width) & (above < count + width)
    rate = float((w * y)[near].sum() / w[near].sum())
    hits, share = float((w * y * taken).sum()), count / total
    slope = taken * (y - rate) + rate * share  # of the hits
    known = np.where(y, positives, total - positives)
    recall = hits / positives
    if measure.of == "precision":
        value = hits / count
        influence = known * (slope - value * share) / count
    else:
        by = 1.0 if measure.of == "recall" else 1.0 / share
        value, influence = recall * by, by * known * (slope - recall * y) / positives
    of_taken, squares = w * taken, float((w**2 * taken).sum())
    trials = float(of_taken.sum()) ** 2 / squares
    if measure.of != "precision":
        trials = min(trials, positives**2 / float((w[y] ** 2).sum()))
    tied = (above < count * (1 - 1e-12)) & (above + size >= count * (1 - 1e-12)) & (size > 0)
    drawn = count - float(above[tied][0])
    sure = float((w * y)[rows.score > rows.score[tied][0]].sum())
    of_pos = float((w * y)[tied].sum())
    fewest = sure + max(drawn - (float(size[tied][0]) - of_pos), 0.0)
    return value, influence, trials, fewest, sure + min(of_pos, drawn)


@pytest.mark.parametrize("text", CUTS)
@settings(max_examples=20)
@given(sample=samples())
def test_a_cut_row_by_row(text: str, sample: tuple[BinaryRows, int, bool]) -> None:
    rows, blocks, _ = sample
    measure = measure_of(text)
    assert isinstance(measure, AtCut)
    value, influence, trials, fewest, most = plain_cut(rows, measure)
    sums = walked(rows, measure, blocks)
    top = measure.top_value(sums, rows)
    assert (top.value, top.trials) == pytest.approx((value, trials), rel=1e-12)
    assert (sums.details.fewest, sums.details.most) == pytest.approx((fewest, most), rel=1e-12)
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    weighty = weight > 0.0
    assert top.influences()[weighty] == pytest.approx(influence[weighty], rel=1e-9, abs=1e-12)
    own = Spread.of(rows, [influence], centred=measure.prevalence != "rows").own(0).total
    assert sums.own.total == pytest.approx(own, rel=1e-9, abs=1e-14, nan_ok=True)


@pytest.mark.parametrize("rows", [2500, 30_000])
@pytest.mark.parametrize("share", [0.5, 7.0, 60.0])
@pytest.mark.parametrize("prevalence", ["rows", "classes"])
def test_a_certificate_of_a_cut_reads_the_scores_around_it(
    rows: int, share: float, prevalence: str
) -> None:
    """All others are counted together, and the limits are those of the whole table."""
    rng = np.random.default_rng(rows)
    positive = rng.random(rows) < (0.002 if share == 7.0 else 0.2)
    score = rng.normal(size=rows) + 2.0 * positive
    sample = BinaryRows(positive, np.round(score, 2) if share == 60.0 else score)
    whole = ScoreCounts.from_arrays(sample.positive, sample.score)
    for of, bound in (
        ("precision", curve_point.precision_at_share_of),
        ("recall", curve_point.recall_at_share_of),
    ):
        measure = measure_of(f"{of}@{share}%(prevalence={prevalence})")
        cut = walked(sample, measure, 7).details
        assert rows < 3000 or len(cut.table) < len(whole)
        for delta in (0.3, 0.05, 1e-9, 1e-15):
            found, wanted = (
                bound(table, share / 100.0, delta, prevalence=measure.prevalence)
                for table in (cut.table, whole)
            )
            assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=1e-12)


def test_weights_of_any_size_have_a_cut_at_a_number_of_rows() -> None:
    """Engines walk along weights in another unit."""
    rng = np.random.default_rng(3)
    positive, weight = rng.random(300) < 0.3, rng.uniform(0.5, 3.0, 300)
    rows = BinaryRows(positive, rng.normal(size=300) + positive, weight)
    found = ScoredRows(rows).sums(measure_of("precision@40").term)
    value, _, _, fewest, most = plain_cut(rows, measure_of("precision@40"))
    assert (found.value, found.details.count) == pytest.approx((value, 40.0), rel=1e-12)
    assert (found.details.fewest, found.details.most) == pytest.approx((fewest, most), rel=1e-12)
    assert found.details.total == pytest.approx(weight.sum(), rel=1e-12)


@pytest.mark.parametrize("text", AREAS)
@pytest.mark.parametrize("ties", [False, True])
def test_influences_on_an_area_are_its_derivatives(text: str, ties: bool) -> None:
    """The change of the area if one row counts a little more, times the rows of its class.

    No end of a region is a corner of these curves, where a derivative has two sides.
    """
    rng = np.random.default_rng(5)
    positive = np.arange(42) < 19
    score = rng.normal(size=42) + 0.8 * positive
    rows = BinaryRows(positive, np.round(2.0 * score) / 2.0 if ties else score)
    measure = measure_of(text)
    influence = measure.influence(rows)
    assert influence is not None
    value = measure.of_table(rows)
    assert value is not None
    for of_class in (positive, ~positive):
        centred = influence[of_class] - influence[of_class].mean()
        slopes = []
        for row in np.flatnonzero(of_class):
            ends = []
            for step in (1e-6, -1e-6):
                weight = np.ones(42)
                weight[row] += step
                ends.append(value(ScoreCounts.from_arrays(positive, rows.score, weight)))
            slopes.append((ends[0] - ends[1]) / 2e-6 * of_class.sum())
        assert centred == pytest.approx(np.array(slopes), abs=1e-6)
