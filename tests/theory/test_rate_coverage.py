"""Default limits and tests of rates at a rate: how often they hold.

A check fails when a binomial with .93 would cover as rarely, or one with .07 reject as often, with
a chance below 1e-6. The file raises a false alarm with a chance below 4e-5 over the seeds, which
are fixed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc

import rocsolid as rs
from rocsolid.binary.estimate import Options
from rocsolid.engines.memory import score_counts
from rocsolid.inputs.binary import BinaryRows
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.named import measure_of

MEASURES = [
    *("sensitivity(specificity=0.9)", "specificity(sensitivity=0.9)", "precision(recall=0.8)"),
    "ppv(sensitivity=0.9, prevalence=0.02)",
]
ALARM = 1e-6
Rows = tuple[Any, Any, Any, Any]


def noise(rng: np.random.Generator, kind: str, n: int) -> Any:
    return rng.standard_t(3, n) if kind == "heavy tails" else rng.normal(size=n)


def drawn(rng: np.random.Generator, kind: str, design: str, n: int, share: float) -> Rows:
    """Labels, what two scores share, weights, and clusters of four rows."""
    positive, weight, cluster = rng.random(n) < share, None, None
    shared = noise(rng, kind, n)
    if "clusters" in design:
        cluster = np.arange(n) // 4
        alike = (rng.random(n // 4) < share)[cluster]
        positive = np.where(rng.random(n) < 2 / 3, alike, positive)
        shared = 0.8 * noise(rng, kind, n // 4)[cluster] + 0.6 * shared
    if "weights" in design:
        weight = np.exp(0.8 * rng.normal(size=n))
    return positive, shared + 1.3 * positive, weight, cluster


def tied(kind: str, score: Any) -> Any:
    return np.clip(np.round(2.0 * score), -4, 6) if kind == "ties" else score


DESIGNS = [
    *((kind, "plain", n, share)
      for kind in ("normal", "heavy tails", "ties")
      for n, share in ((200, 0.5), (1_000, 0.05), (1_000, 0.5), (5_000, 0.05))),
    *(("normal", design, n, share)
      for design in ("weights", "clusters", "weights and clusters")
      for n, share in ((400, 0.5), (2_000, 0.05))),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "design", "n", "share"), DESIGNS)
def test_default_limits_cover(kind: str, design: str, n: int, share: float) -> None:
    samples = 400

    def sample(rng: np.random.Generator, n: int) -> BinaryRows:
        positive, score, weight, cluster = drawn(rng, kind, design, n, share)
        return BinaryRows(positive, tied(kind, score), weight, cluster)

    measures: list[Any] = [measure_of(text) for text in MEASURES]
    table = score_counts(sample(np.random.default_rng(9), 2_000_000))
    truths = [measure.value(table) for measure in measures]
    rng, held = np.random.default_rng(1), np.zeros(len(measures))
    for _ in range(samples):
        rows = ScoredRows(sample(rng, n))
        for i, (measure, truth) in enumerate(zip(measures, truths, strict=True)):
            found = measure.estimate(rows, Options(certified=False))
            held[i] += found.low - 1e-12 <= truth <= found.high + 1e-12
    assert all(bdtr(k, samples, 0.93) > ALARM for k in held), held / samples


@pytest.mark.slow
@pytest.mark.parametrize("text", MEASURES)
@pytest.mark.parametrize(("kind", "design", "n", "share"), DESIGNS)
def test_scores_of_equal_rates_rarely_differ(
    text: str, kind: str, design: str, n: int, share: float
) -> None:
    samples, rng, rejected = 200, np.random.default_rng(5), 0
    for _ in range(samples):
        positive, shared, weight, cluster = drawn(rng, kind, design, n, share)
        a, b = (tied(kind, 0.8 * shared + 0.6 * noise(rng, kind, n)) for _ in range(2))
        found = rs.compare(
            positive, {"a": a, "b": b}, measure=text, sample_weight=weight, cluster=cluster,
            certified=False,
        )  # fmt: skip
        rejected += found.pairs[0].p_value < 0.05
    assert bdtrc(rejected - 1, samples, 0.07) > ALARM, rejected / samples
