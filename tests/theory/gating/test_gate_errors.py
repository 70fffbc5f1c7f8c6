"""A gate passes wrongly, or fails wrongly, with at most the probability that it says.

Limits that err exactly as often as they are asked to stand in for those of data, so that the budget
is tested by itself; then builds of data. Alarms: each share is held against a binomial tail that is
crossed once in a million runs of a right program.
"""

# ruff: noqa: ARG002
from __future__ import annotations

import importlib
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import binom

import rocsolid as rs
from rocsolid.gating import Policy
from rocsolid.gating.quantity import Side
from rocsolid.results import Interval

BUILDS = 2_000
RARE = 1e-6
GATE = importlib.import_module("rocsolid.gating.gate")  # its function has the same name


@dataclass(frozen=True)
class Normal:
    """A normal estimate with exact one-sided limits."""

    value: float
    std_error: float
    basis: str = "a draw"
    doubts: tuple[str, ...] = ()

    def limit(self, side: Side, error: float, *, certified: bool) -> Interval | None:
        reach = -float(ndtri(error)) * self.std_error
        return Interval(self.value - reach, self.value + reach, 1 - error, "z", range=(-9.0, 9.0))


class Drawn:
    """In the place of a table: one estimate for each score."""

    unit, source, rows, clusters, warnings = "rows", "draws", 100, None, ()

    def __init__(self, _policy: Any, data: dict[str, Normal], *_: Any) -> None:
        self.data, self.segments = data, [{"s": i} for i in range(4)]

    def quantity(self, measure: str, score: str, segment: int | None) -> Normal:
        return self.data[score if segment is None else f"{score}{segment}"]

    def difference(self, measure: str, a: str, b: str, segment: int | None) -> Normal:
        return self.data[f"{a}-{b}"]

    def range(self, measure: str) -> tuple[float, float]:
        return -10.0, 10.0

    def close(self) -> None: ...


def shares(rules: list[dict[str, Any]], truths: dict[str, float], *, shared: float
           ) -> dict[str, float]:  # fmt: skip
    """How often each decision is taken; the estimates have a correlation of ``shared``."""
    rng = np.random.default_rng(len(rules))
    noise = np.sqrt(shared) * rng.normal(size=(BUILDS, 1))
    noise = noise + np.sqrt(1 - shared) * rng.normal(size=(BUILDS, len(truths)))
    policy = Policy.read({"label": "y", "by": "s", "rule": rules})
    drawn = np.array(list(truths.values())) + 0.1 * noise
    found = [
        rs.gate(policy, {k: Normal(x, 0.1) for k, x in zip(truths, row, strict=True)}).verdict
        for row in drawn.tolist()
    ]
    return {word: found.count(word) for word in ("pass", "fail", "undecided")}


def at_most(count: int, share: float) -> bool:
    return bool(count <= binom.isf(RARE, BUILDS, share))


def about(count: int, share: float) -> bool:
    return bool(binom.ppf(RARE, BUILDS, share) <= count <= binom.isf(RARE, BUILDS, share))


BAR = {"at_least": 0.0}
A, B, C, D = ({"score": name, **BAR} for name in "abcd")


@pytest.mark.parametrize("shared", [0.0, 0.9])
def test_the_budget(shared: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GATE, "labelled", Drawn)
    one_at_bar = shares([A, B, C, D], {"a": 0.0, "b": 9.0, "c": 9.0, "d": 9.0}, shared=shared)
    assert about(one_at_bar["pass"], 0.05)  # all of the budget, whatever the other rules
    assert about(one_at_bar["fail"], 0.05 / 4)
    all_at_bar = shares([A, B, C, D], dict.fromkeys("abcd", 0.0), shared=shared)
    assert at_most(all_at_bar["pass"], 0.05)
    assert at_most(all_at_bar["fail"], 0.05)
    if shared == 0.0:
        assert about(all_at_bar["fail"], 1 - (1 - 0.05 / 4) ** 4)
    worst = [{"score": "a", **BAR, "segments": "worst"}]
    segments = shares(worst, {f"a{i}": 0.0 if i == 2 else 9.0 for i in range(4)}, shared=shared)
    assert about(segments["pass"], 0.05)
    assert about(segments["fail"], 0.05 / 4)


def test_two_sides_and_margins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GATE, "labelled", Drawn)
    within = [{"score": "a", "within": 1.0, "of": "b"}]
    for truth in (-1.0, 1.0):
        found = shares(within, {"a-b": truth}, shared=0.0)
        assert about(found["pass"], 0.05)
        assert about(found["fail"], 0.025)
    margin = [{"score": "a", "not_worse_than": "b", "margin": 0.3}]
    assert about(shares(margin, {"a-b": -0.3}, shared=0.0)["pass"], 0.05)
    better = [{"score": "a", "better_than": "b"}]
    assert about(shares(better, {"a-b": 0.0}, shared=0.0)["pass"], 0.05)
    assert shares(better, {"a-b": 3.0}, shared=0.0)["pass"] == BUILDS
    assert shares(better, {"a-b": -3.0}, shared=0.0)["fail"] == BUILDS


def test_an_open_gate_is_decided_by_as_many_rows_as_it_asks_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the estimate for the truth, 80 % of the larger builds are decided."""
    monkeypatch.setattr(GATE, "labelled", Drawn)
    margin = {"label": "y", "rule": [{"score": "a", "not_worse_than": "b", "margin": 0.1}]}
    for truth in (0.0, -0.22):
        (one,) = rs.gate(margin, {"a-b": Normal(truth, 0.1)}).rulings
        assert one.verdict == "undecided"
        assert one.more is not None
        error = 0.1 * math.sqrt(100 / (100 + one.more))
        draws = truth + error * np.random.default_rng(1).normal(size=BUILDS)
        found = [rs.gate(margin, {"a-b": Normal(float(x), error)}).verdict for x in draws]
        assert abs(found.count("undecided") / BUILDS - 0.2) < 0.05


def test_builds_of_data_at_the_bar() -> None:
    """Non-inferiority at its margin beside a rule that holds, with DeLong's test: 5 %."""
    builds, rows = 150, 240
    y = np.arange(rows) % 3 == 0
    shift = np.sqrt(2) * ndtri(np.array([0.8, 0.82]))
    rules = [{"score": "new", "not_worse_than": "old", "margin": 0.02},
             {"score": "new", "at_least": 0.55}]  # fmt: skip
    passed = failed = 0
    for seed in range(builds):
        rng = np.random.default_rng([3, seed])
        noise = 0.8 * rng.normal(size=(rows, 1)) + 0.6 * rng.normal(size=(rows, 2))
        new, old = (noise + shift * y[:, None]).T
        data = {"y": y.astype(int), "new": new, "old": old}
        verdict = rs.gate({"label": "y", "rule": rules}, data).verdict
        passed, failed = passed + (verdict == "pass"), failed + (verdict == "fail")
    assert passed <= binom.isf(RARE, builds, 0.055)
    assert failed <= binom.isf(RARE, builds, 0.055)
