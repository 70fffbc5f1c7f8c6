"""Coverage of both intervals of a concordance, seeded.

A calibrated interval of true coverage .94 or more would be seen below .91 in 300 data sets
with a chance of 2 % at most; a certified one below .94 less often than that.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import bdtr

import rocsolid as rs
from rocsolid.binary.concordance import OrderedRows
from rocsolid.inputs.models import outcome_rows
from rocsolid.intervals.calibrated.standard_error import logit_t

DRAWN = 300


def grades(y: np.ndarray) -> np.ndarray:
    return np.searchsorted([-0.8, -0.2, 0.3, 0.9], y)


def noisy(rng: np.random.Generator, n: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    y = rng.normal(size=n)
    return y, y + noise * rng.normal(size=n)


def lumpy(rng: np.random.Generator, n: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    """A share of the rows has a score that knows nothing; the others are perfect."""
    y = rng.normal(size=n)
    return y, np.where(rng.random(n) < share, rng.normal(size=n), y)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "of_draw", "n", "graded"),
    [(noisy, 1.5, 40, True), (noisy, 0.3, 150, False), (lumpy, 0.05, 60, False)],
)
def test_coverage(draw: object, of_draw: float, n: int, graded: bool) -> None:
    outcome = grades if graded else np.asarray
    rng = np.random.default_rng(20)
    y, s = draw(rng, 100_000, of_draw)  # type: ignore[operator]
    truth = rs.concordance(outcome(y), s).value
    calibrated = certified = 0
    for _ in range(DRAWN):
        y, s = draw(rng, n, of_draw)  # type: ignore[operator]
        found = rs.concordance(outcome(y), s)
        calibrated += found.low <= truth <= found.high
        assert found.certified is not None
        certified += found.certified.low <= truth <= found.certified.high
    assert calibrated >= 0.91 * DRAWN
    assert certified >= 0.94 * DRAWN


def clustered(
    rng: np.random.Generator, clusters: int, size: int, shared: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Graded outcomes and scores with noise; rows of a cluster share a part of both."""
    y, noise = (
        shared**0.5 * rng.normal(size=(clusters, 1))
        + (1.0 - shared) ** 0.5 * rng.normal(size=(clusters, size))
        for _ in range(2)
    )
    return grades(y.ravel()), (y + 0.3 * noise).ravel(), np.repeat(np.arange(clusters), size)


@pytest.mark.slow
@pytest.mark.parametrize(("clusters", "size"), [(10, 200), (20, 100), (50, 40)])
@pytest.mark.parametrize("shared", [0.02, 0.3])
def test_coverage_of_clusters(clusters: int, size: int, shared: float) -> None:
    """A true coverage of .93 fails with a chance below 1e-6, so all six below 6e-6."""
    rng = np.random.default_rng(21)
    y, s, _ = clustered(rng, 5_000, 20, shared)
    truth = rs.concordance(y, s).value
    covered = 0
    for _ in range(DRAWN):
        y, s, cluster = clustered(rng, clusters, size, shared)
        found = rs.concordance(y, s, cluster=cluster)
        covered += found.low <= truth <= found.high
    assert bdtr(covered, DRAWN, 0.93) > 1e-6


@pytest.mark.parametrize(("clusters", "size"), [(10, 200), (20, 100)])
def test_few_large_clusters_that_are_alike_need_little_of_the_hull(
    clusters: int, size: int
) -> None:
    """With the hull of ten or twenty clusters these were 21 and 1.9 times as wide."""
    rng = np.random.default_rng(22)
    width = plain = 0.0
    for _ in range(20):
        y, s, cluster = clustered(rng, clusters, size, 0.02)
        width += rs.concordance(y, s, cluster=cluster).interval.width
        rows = outcome_rows(
            y, {"score": s}, sample_weight=None, cluster=cluster, lower_is_better=False,
            nan="raise", word="argument",
        )  # fmt: skip
        low, high = logit_t(OrderedRows.of(rows).spread("score").moments(), 0.95, "two-sided")
        plain += float(high - low)
    assert plain * (1.0 - 1e-9) <= width < 1.1 * plain


def test_a_cluster_that_misplaces_all_its_rows_keeps_the_hull() -> None:
    rng = np.random.default_rng(23)
    y, s, cluster = clustered(rng, 50, 40, 0.02)
    assert "hull" not in rs.concordance(y, s, cluster=cluster).method
    s[cluster == 7] *= -1.0
    assert "hull" in rs.concordance(y, s, cluster=cluster).method


def test_clusters_of_one_row_have_the_interval_of_rows() -> None:
    y, s = noisy(np.random.default_rng(24), 60, 0.3)
    (plain,), (apart,) = (
        OrderedRows.of(
            outcome_rows(
                grades(y), {"score": s}, sample_weight=None, cluster=cluster, lower_is_better=False,
                nan="raise", word="argument",
            )
        ).spread("score").sizes()
        for cluster in (None, np.arange(60))
    )  # fmt: skip
    assert apart == pytest.approx(plain)
