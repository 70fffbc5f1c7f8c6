"""Segments read off columns, against each segment by itself."""

from __future__ import annotations

import random
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.binary.grouped_rows import GroupedRows
from rocsolid.binary.precision_steps import Kind, PrecisionSteps
from rocsolid.inputs.binary import BinaryRows
from rocsolid.intervals.guarantees.completed_curve import (
    average_precision_of,
    beyond_average_precision,
    cuts_average_precision,
)
from rocsolid.measures import precision_recall_area
from rocsolid.results import Alternative
from rocsolid.results.interval import Interval
from rocsolid.summaries.groups import ALONE, Groups
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.ranked_classes import RankedClasses
from rocsolid.summaries.score_counts import ScoreCounts

MEASURES = [
    "auc",
    "pr_auc",
    "pr_auc(davis-goadrich, prevalence=classes)",
    "pr_auc(trapezoid)",
    "partial_auc(fpr<=0.3)",
    "partial_auc(tpr>=0.6, scale=mean)",
    "weighted_auc(power(2))",
    "sensitivity(specificity=0.7)",
    "specificity(sensitivity=0.6)",
]


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    rows=st.integers(20, 120),
    segments=st.integers(1, 6),
    digits=st.integers(0, 3),
    missing=st.booleans(),
    extra=st.sampled_from(["", "sample_weight", "cluster"]),
)
def test_a_segment_among_many_is_the_segment_alone(
    seed: int, rows: int, segments: int, digits: int, missing: bool, extra: str
) -> None:
    rng = np.random.default_rng(seed)
    y = (rng.random(rows) < 0.4).astype(np.int64)
    y[:2] = 0, 1
    g = rng.integers(0, segments, rows)
    s = (y + rng.normal(size=rows)).round(digits)
    if missing:
        s[rng.random(rows) < 0.1] = np.nan
        s[:2] = 0.0, 1.0
    table: dict[str, Any] = {"y": y, "s": s, "g": g}
    asked: dict[str, Any] = {"nan": "omit", "resamples": 20}
    if extra:
        table["x"] = rng.integers(1, 6, rows)
        asked[extra] = "x"
    together = rs.evaluate(table, label="y", scores="s", by="g", measures=MEASURES, **asked)
    for entry in together.results:
        if entry.by is None:
            continue
        own = {name: column[g == entry.by["g"]] for name, column in table.items()}
        (alone,) = rs.evaluate(own, label="y", scores="s", measures=entry.measure, **asked).results
        assert entry.value == alone.value == entry.result.value
        assert (entry.method, entry.n_pos, entry.ties) == (alone.method, alone.n_pos, alone.ties)
        for name in ("low", "high", "std_error"):
            ours, theirs = (getattr(each, name) for each in (entry, alone))
            assert (ours is None) == (theirs is None)
            assert theirs is None or ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)
        assert {each.code for each in entry.warnings} == {each.code for each in alone.warnings}


@pytest.mark.parametrize("interval", ["auto", "bootstrap-percentile"])  # without columns of AUCs
def test_a_large_segment_among_small_ones(interval: str) -> None:
    rng = np.random.default_rng(5)
    g = np.repeat([0, 1, 2, 3], [60, ALONE + 1, 60, 5])
    y = (rng.random(len(g)) < 0.4).astype(np.int64)
    y[g == 3] = 0
    table = {"y": y, "s": y + rng.normal(size=len(g)), "g": g}
    asked: dict[str, Any] = {"measures": ["auc", "sensitivity(specificity=0.7)"], "resamples": 200}
    asked["interval"] = interval
    together = rs.evaluate(table, label="y", scores="s", by="g", **asked)
    found = {(entry.by["g"], entry.measure): entry for entry in together.results if entry.by}
    assert sorted({group for group, _ in found}) == [0, 1, 2]
    assert len(found) == 6
    for group in (0, 1, 2):
        own = {name: column[g == group] for name, column in table.items()}
        for alone in rs.evaluate(own, label="y", scores="s", **asked).results:
            entry = found[group, alone.measure]
            assert entry.value == alone.value
            assert entry.interval == alone.interval


@given(
    seed=st.integers(0, 2**32 - 1),
    sizes=st.tuples(st.integers(1, 40), st.integers(1, 60)),
    digits=st.integers(0, 3),
    level=st.sampled_from([0.5, 0.95]),
)
def test_pointwise_limits_lie_within_those_of_the_average_precision(
    seed: int, sizes: tuple[int, int], digits: int, level: float
) -> None:
    rng = np.random.default_rng(seed)
    y = np.repeat([True, False], sizes)
    s = (y + rng.normal(size=len(y))).round(digits)
    ranked = GroupedRows.of(BinaryRows(y, s), Groups.of(np.zeros(len(y), dtype=np.int64), 1))
    for prevalence in ("rows", "classes"):
        certified = average_precision_of(
            ranked.classes(0), 1.0 - level, prevalence=prevalence
        )  # fmt: skip
        (above,), (below,) = beyond_average_precision(ranked.blocks[0], 1.0 - level, prevalence)
        assert certified.low <= above
        assert below <= certified.high
        for side in SIDES:
            alone = average_precision_of(
                ranked.classes(0), 1.0 - level, side, prevalence=prevalence
            )
            for low, high in np.sort(rng.random((8, 2))).round(2):
                interval = Interval(low, high, level, "any")
                if not cuts_average_precision(
                    ranked.classes(0), interval, 1.0 - level, side, prevalence
                ):
                    assert side == "less" or alone.low < low
                    assert side == "greater" or high < alone.high


SIDES: tuple[Alternative, ...] = ("two-sided", "less", "greater")


@pytest.mark.parametrize("kind", ["step", "davis-goadrich"])
@pytest.mark.parametrize("side", SIDES)
def test_many_rows_keep_the_scores_of_their_certificate_alone(
    kind: Kind, side: Alternative, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    y = rng.random(5_000) < 0.3
    s = (y + rng.normal(size=len(y))).round(2)
    alone = rs.pr_auc(y, s, kind=kind, alternative=side)
    known = alone.interval, alone.certified
    monkeypatch.setattr(precision_recall_area, "KEPT", 100)
    kept = rs.pr_auc(y, s, kind=kind, alternative=side)
    if kind == "step":
        # pointwise limits show that the certified ones are wider
        with patch.object(precision_recall_area, "average_precision_of", side_effect=LookupError):
            assert kept.interval == known[0]
    assert (kept.interval, kept.certified) == known


def test_many_compared_rows_keep_the_scores_of_their_certificates_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(4)
    y = rng.random(5_000) < 0.3
    scores = {"untied": y + rng.normal(size=len(y))}
    scores["tied"] = scores["untied"].round(1)
    alone = {name: rs.pr_auc(y, score).certified for name, score in scores.items()}
    monkeypatch.setattr(precision_recall_area, "KEPT", 100)
    of_sorted = RankedClasses.of_sorted
    with patch.object(RankedClasses, "of_sorted", side_effect=of_sorted) as kept:
        estimates = rs.compare(y, scores, measure="pr_auc").estimates
        assert {name: each.certified for name, each in estimates.items()} == alone
    assert kept.call_count == len(scores)


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=2), st.data())
def test_ranked_classes_count_the_rows_below_and_at_each_score(
    rows: list[tuple[int, bool]], data: st.DataObject
) -> None:
    score = np.sort(np.array([float(score) for score, _ in rows]))
    above = np.array([positive for _, positive in rows])
    classes = SortedClasses.of_ascending(score, above)
    places = [
        np.array(
            sorted(data.draw(st.sets(st.integers(0, len(each) - 1)))) if len(each) else [], int
        )
        for each in (classes.pos, classes.neg)
    ]
    if not sum(map(len, places)):
        return
    ranked = RankedClasses.of_sorted(classes, *places)
    known = sorted({*classes.pos[places[0]].tolist(), *classes.neg[places[1]].tolist()})
    for own, each in ((ranked.pos, classes.pos.tolist()), (ranked.neg, classes.neg.tolist())):
        assert own.size == len(each)
        assert own.score.tolist() == known
        assert own.below.tolist() == [sum(x < s for x in each) for s in known]
        assert own.tied.tolist() == [each.count(s) for s in known]


@given(st.lists(st.lists(st.booleans(), min_size=2), min_size=1, max_size=6), st.randoms())
def test_steps_of_groups_without_ties_are_those_of_each_group(
    labels: list[list[bool]], random: random.Random
) -> None:
    labels = [[True, *each, False] for each in labels]
    group = np.repeat(np.arange(len(labels)), [len(each) for each in labels])
    score = np.array(random.sample(range(len(group)), len(group)), dtype=np.float64)
    y = np.concatenate([np.array(each) for each in labels])
    ranked = GroupedRows.of(BinaryRows(y, score), Groups.of(group, len(labels)))
    for block in ranked.blocks:
        steps = PrecisionSteps.of_groups(block)
        for line, number in enumerate(block.groups.tolist()):
            rows = group == number
            alone = PrecisionSteps.of_table(ScoreCounts.from_arrays(y[rows], score[rows]))
            count = len(alone.pos)
            assert steps.below[line] == alone.below
            for name in ("pos", "tied", "gap"):
                column = getattr(steps, name)[line]
                np.testing.assert_array_equal(column[:count], getattr(alone, name))
                assert not column[count:].any()
