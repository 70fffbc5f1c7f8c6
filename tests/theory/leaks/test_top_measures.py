"""What measures of the top of a ranking give away: what they declare, and their public pages."""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from collections.abc import Hashable
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.errors import ExposedError, RocsolidError, UnsoundError
from rocsolid.evaluation.public.public_numbers import without_audit
from rocsolid.evaluation.public.relabelled import as_published
from rocsolid.results import Interval
from rocsolid.results.interval import VALUE

Labels = tuple[int, ...]

NAMES = [
    "pr_auc", "pr_auc(davis-goadrich)", "pr_auc(trapezoid)", "pr_auc(prevalence=classes)",
    "pr_auc(prevalence=0.1)", "precision@3", "precision@40%(prevalence=classes)", "recall@3",
    "lift@40%", "bedroc(2)", "gain", "precision(recall=0.6)",
    "ppv(sensitivity=0.6, prevalence=0.02)",
]  # fmt: skip
TIED = [1, 1, 1, 2, 2, 3, 3, 4]
WEIGHT = [1, 3, 2, 2, 1, 3, 2, 2, 1]
CLUSTER = [0, 0, 1, 2, 1, 2, 3, 3, 4]


def labelings(rows: int, positives: int) -> list[Labels]:
    return [y for y in itertools.product((0, 1), repeat=rows) if sum(y) == positives]


def one_of(labels: Labels, scores: list[int], measure: str, **asked: Any) -> Any:
    n = len(labels)
    table = {"y": list(labels), "s": scores, "sample_weight": WEIGHT[:n], "cluster": CLUSTER[:n]}
    return rs.evaluate(
        table, label="y", scores="s", measures=measure, level=0.3, resamples=20, **asked
    ).results[0]


def text_of(interval: Interval) -> Hashable:
    return interval.method, round(interval.low, 9), round(interval.high, 9)


def read_by(interval: Interval, labels: Labels, scores: list[int], value: float) -> Hashable:
    """What a reader who knows this much of the labels knows."""
    y, s = np.array(labels), np.array(scores)
    above = np.sign(s[y == 1][:, None] - s[y == 0])
    known = {
        "sizes": sum(labels),
        "value": round(value, 10),
        "variance": (round(above.mean(axis=1).var(), 10), round(above.mean(axis=0).var(), 10)),
        "placements": tuple(np.sort(above.sum(axis=1))),
        "curve": tuple(int(y[s == score].sum()) for score in sorted(set(scores))),
        "rows": labels,
    }
    return tuple((read, known[read]) for read in sorted(interval.reads))


@pytest.mark.parametrize("measure", NAMES)
def test_intervals_follow_from_what_they_declare(measure: str) -> None:
    """And where values repeat, from less than that they do not."""
    by_declared: dict[Hashable, set[Hashable]] = defaultdict(set)
    by_value: dict[Hashable, set[Hashable]] = defaultdict(set)
    methods = ["auto"] if "(recall" in measure or "ppv" in measure else ["auto", "logit-t"]
    for labels, method in itertools.product(labelings(8, 4), methods):
        try:
            found = one_of(labels, TIED, measure, interval=method)
        except UnsoundError:  # at an end of the range
            continue
        for interval in filter(None, (found.interval, found.certified)):
            kind, text = (method, interval.certified), text_of(interval)
            by_declared[kind, read_by(interval, labels, TIED, found.value)].add(text)
            by_value[kind, round(found.value, 10)].add(text)
            assert not interval.reads <= VALUE
    assert max(map(len, by_declared.values())) == 1
    if measure.startswith(("precision@", "recall@", "lift@")):
        assert max(map(len, by_value.values())) > 1


PULLED = [
    *itertools.product(NAMES[:-2], ["sample_weight", "cluster"]),
    ("partial_auc(fpr<=0.5)", "sample_weight"),
]


@pytest.mark.parametrize(("measure", "column"), PULLED)
def test_with_weights_or_clusters_it_matters_which_of_tied_rows_is_positive(
    measure: str, column: str
) -> None:
    """Two labelings with the same curve, value, weights and clusters whose intervals differ."""
    scores = [1, 1, 1, 1, 2, 2, 2, 2, 3]
    pair = (1, 1, 0, 0, 0, 0, 1, 1, 1), (0, 0, 1, 1, 1, 1, 0, 0, 1)
    positive = np.array(pair, bool)
    if column == "cluster":
        one, other = (sorted(np.bincount(CLUSTER, labels)) for labels in positive)
    else:
        one, other = (sorted(np.array(WEIGHT)[labels]) for labels in positive)
    assert one == other
    asked = {column: column, "interval": "logit-t"}
    one, other = (one_of(labels, scores, measure, **asked) for labels in pair)
    assert one.value == pytest.approx(other.value, abs=1e-12)
    assert text_of(one.interval) != text_of(other.interval)
    assert one.interval.reads == other.interval.reads
    assert "rows" in one.interval.reads


PAGES = [["pr_auc"], ["precision@5%"], ["precision@30%"], ["auc", "precision@30%"]]
SCORES = {"untied": [*range(10)], "tied": [1, 1, 2, 3, 3, 4, 5, 6, 6, 6]}


SOON = (["pr_auc"], "tied"), (["precision@5%"], "untied")
CASES = [
    pytest.param(measures, scores, marks=[pytest.mark.slow] * ((measures, scores) not in SOON))
    for scores in SCORES
    for measures in PAGES
]


@pytest.mark.parametrize(("measures", "scores"), CASES)
def test_a_public_page_leaves_no_label_certain(measures: list[str], scores: str) -> None:
    """Each of some labelings is refused for that reason, or shares its page with others.

    For every row there is one among them, of all 210 labelings, with the other label there.
    """
    every = labelings(10, 4)
    found = {
        y: rs.evaluate(
            {"y": list(y), "s": SCORES[scores]}, label="y", scores="s", measures=measures
        )
        for y in every
    }
    chosen: dict[Any, list[Labels]] = defaultdict(list)
    for at in np.random.default_rng(3).choice(len(every), 10, replace=False):
        try:
            chosen[found[every[at]].public().coarseness].append(every[at])
        except ExposedError:
            continue
    # half a row from the top is the best row, whose label each value would say
    assert bool(chosen) == ((measures, scores) != (["precision@5%"], "untied"))
    for coarseness, published in chosen.items():
        pages: dict[str, list[Labels]] = defaultdict(list)
        for labels, evaluation in found.items():
            try:
                numbers = without_audit(as_published(evaluation.basis), coarseness)
            except RocsolidError:
                continue
            pages[json.dumps(numbers.to_dict(), default=str)].append(labels)
        for alike in pages.values():
            if set(alike) & set(published):
                rows = np.array(alike)
                assert (rows.any(axis=0) & ~rows.all(axis=0)).all()
