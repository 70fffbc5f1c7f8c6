"""What a method declares that it reads, against all labelings of a few rows.

Labelings that agree in what is declared have the same text. And where more is declared than the
value and the class sizes, there are labelings with the same value and sizes whose texts differ.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.binary.inference import FOR_SHARES, NAMES
from rocsolid.binary.resampling.interval import NAMES as BOOTSTRAPS
from rocsolid.comparison.options import TESTS
from rocsolid.engines.memory import summarise
from rocsolid.errors import UnsoundError
from rocsolid.inputs import binary_rows
from rocsolid.intervals.guarantees.roc_band import SIMULTANEOUS
from rocsolid.results import Difference, Interval
from rocsolid.results.interval import VALUE, Read, Reads
from rocsolid.summaries.score_counts import ScoreCounts

Labels = tuple[int, ...]
Printed = Callable[[Labels], tuple[Interval, float]]

UNTIED = [3, 1, 4, 15, 9, 2, 6]
TIED = [1, 1, 2, 3, 4, 5, 6]
OTHER = [2, 7, 1, 8, 9, 4, 5]
WEIGHT = [1, 2, 1, 3, 1, 2, 1]
CLUSTER = [0, 0, 0, 1, 1, 2, 3]
ROWS: dict[str, dict[str, Any]] = {
    "plain": {},
    "weighted": {"sample_weight": WEIGHT},
    "clustered": {"cluster": CLUSTER},
}


LABELINGS = [y for y in itertools.product((0, 1), repeat=7) if sum(y) in (3, 4)]


def known(read: Read, labels: Labels, scores: list[int], kind: str, value: float) -> Hashable:
    """What a reader who knows this much of the labels knows."""
    y = np.array(labels)
    if read == "value":
        return round(value, 10)
    if read == "sizes":
        return int(y.sum())
    if read == "weights":
        of = np.array(WEIGHT if kind == "weighted" else [1] * 7)
        return tuple(tuple(np.sort(of[y == c])) for c in (0, 1))
    if read == "clusters":
        unit = np.array(CLUSTER if kind == "clustered" else range(7))
        return tuple(sorted((int(y[unit == u].sum()), int((unit == u).sum())) for u in set(unit)))
    if read == "curve":
        table = ScoreCounts.from_arrays(y == 1, np.array(scores))
        return tuple(table.pos), tuple(table.neg), known("weights", labels, scores, kind, value)
    if read == "rows":
        return labels
    summary = summarise(binary_rows(labels, scores, **ROWS[kind]))
    if read == "placements":
        return tuple(np.sort(summary.smaller_placements()).round(10))
    if read == "covariance":
        pair = rs.compare(labels, {"a": scores, "b": OTHER}, **ROWS[kind]).pairs[0]
        return round(pair.std_error, 10)
    return tuple(np.round([summary.moments.var_pos, summary.moments.var_neg], 10).tolist())


def check(scores: list[int], kind: str, printed: Printed) -> None:
    """The text follows from what is declared, and from less only if less is declared."""
    by_declared: dict[tuple[Reads, Hashable], set[Hashable]] = defaultdict(set)
    by_value: dict[Hashable, set[Hashable]] = defaultdict(set)
    declared: Reads = frozenset()
    for labels in LABELINGS:
        try:
            interval, value = printed(labels)
        except UnsoundError:
            continue
        declared |= interval.reads
        text = (interval.method, round(interval.low, 9), round(interval.high, 9))
        facts = tuple(known(read, labels, scores, kind, value) for read in sorted(interval.reads))
        by_declared[interval.reads, facts].add(text)
        by_value[round(value, 10), sum(labels)].add(text)
    assert max(map(len, by_declared.values())) == 1
    assert (max(map(len, by_value.values())) > 1) == (not declared <= VALUE)


DECLARING = [method for method in NAMES if method not in BOOTSTRAPS]
SHARING = [method for method in FOR_SHARES if method not in BOOTSTRAPS]
CASES = [
    # a bootstrap declares every row, of which there is nothing to hold it to
    *((method, "plain", scores) for method in DECLARING for scores in (UNTIED, TIED)),
    *((method, kind, UNTIED) for method in SHARING for kind in ("weighted", "clustered")),
    ("bootstrap", "plain", UNTIED),
]


@pytest.mark.parametrize(("method", "kind", "scores"), CASES)
def test_the_interval_of_an_auc(method: str, kind: str, scores: list[int]) -> None:
    def printed(labels: Labels) -> tuple[Interval, float]:
        # at a higher level a guarantee says nothing about so few rows
        asked = {"interval": method, "level": 0.3, "resamples": 20, "design": "fixed", **ROWS[kind]}
        found = rs.auc(labels, scores, **asked)
        return found.interval, found.value

    check(scores, kind, printed)


AREA_CASES = [
    ("auto", "plain"),
    ("weighted-dkw", "plain"),
    ("weighted-mcdiarmid", "plain"),
    ("weighted-sandwich", "plain"),
    ("weighted-band", "plain"),
    ("weighted-rooks", "plain"),
    ("auto", "weighted"),
    ("weighted-mcdiarmid", "weighted"),
]


@pytest.mark.parametrize(("method", "kind"), AREA_CASES)
def test_the_interval_of_a_partial_area(method: str, kind: str) -> None:
    weight = rs.weights.step(0, 1) if "mcdiarmid" in method else rs.weights.step(0, 0.5)
    weight = rs.weights.power(1) if method == "weighted-rooks" else weight

    def printed(labels: Labels) -> tuple[Interval, float]:
        asked = {
            "interval": method,
            "weight": weight,
            "level": 0.01,
            "design": "fixed",
            **ROWS[kind],
        }
        found = rs.weighted_auc(labels, UNTIED, **asked)
        return found.interval, found.value

    check(UNTIED, kind, printed)


@pytest.mark.parametrize("kind", ROWS)
def test_the_certified_interval_of_a_difference(kind: str) -> None:
    def printed(labels: Labels) -> tuple[Interval, float]:
        pair = _pair(labels, kind, "delong", level=0.1)
        assert pair.certified is not None
        return pair.certified, pair.difference

    check(UNTIED, kind, printed)


@pytest.mark.parametrize("test", [name for name in TESTS if "bootstrap-" not in name])
def test_the_test_of_a_difference(test: str) -> None:
    """The interval, or the p-value where a test gives no interval."""

    def printed(labels: Labels) -> tuple[Interval, float]:
        pair = _pair(labels, "plain", test, level=0.5)
        if pair.interval.vacuous:
            return replace(pair.interval, high=pair.p_value), pair.difference
        return pair.interval, pair.difference

    check(UNTIED, "plain", printed)


def _pair(labels: Labels, kind: str, test: str, level: float) -> Difference:
    scores = {"a": UNTIED, "b": OTHER}
    more: dict[str, Any] = {"resamples": 20} if "bootstrap" in test else {}
    more["design"] = "fixed"  # without it there is no certificate to look at
    return rs.compare(labels, scores, test=test, level=level, **more, **ROWS[kind]).pairs[0]


@pytest.mark.parametrize("band", [None, *SIMULTANEOUS])
def test_a_band(band: str | None) -> None:
    def printed(labels: Labels) -> tuple[Interval, float]:
        curve = rs.roc(labels, TIED)
        found = curve.band(level=0.05) if band is None else curve.band(kind=band, level=0.05)
        return found.at(fpr=0.4), curve.auc

    check(TIED, "plain", printed)


def test_an_operating_point() -> None:
    def printed(labels: Labels) -> tuple[Interval, float]:
        curve = rs.roc(labels, TIED)
        return curve.at(threshold=3, level=0.5).intervals["tpr"], curve.auc

    check(TIED, "plain", printed)


def test_what_a_method_does_not_declare_is_everything() -> None:
    assert Interval(0.1, 0.9, 0.95, "some method").reads == {"rows"}
