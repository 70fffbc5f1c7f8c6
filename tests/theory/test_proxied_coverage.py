"""Coverage of the prediction-powered interval where it claims to hold.

250 draws a setting, each with 30 wrong machine labels or more among the labelled rows. A setting
fails when a binomial with probability .92 (.93 with twenty positives) would cover as rarely with a
chance below 1e-6 / 4; the file's false-alarm budget is 1.5e-6, and seeds are fixed.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import bdtr, ndtri

from rocsolid.binary.estimate import Options, estimate
from rocsolid.binary.proxied_auc import proxied_auc
from rocsolid.engines.memory import summarise
from rocsolid.inputs import BinaryRows

DRAWS = 250


@pytest.mark.parametrize("auc", [0.8, pytest.param(0.95, marks=pytest.mark.slow)])
@pytest.mark.parametrize("biased", [False, True], ids=["blind errors", "errors by score"])
def test_coverage(auc: float, biased: bool) -> None:
    """Errors that depend on the score are measured too: they cost width, never the level."""
    shift, few, many = np.sqrt(2) * ndtri(auc), 600, 4000
    rng = np.random.default_rng([11, int(100 * auc), biased])
    covered, gains = 0, []
    for _ in range(DRAWS):
        y = rng.random(few + many) < 0.35
        s = shift * y + rng.normal(size=few + many)
        odds = 0.3 / (1 + np.exp(s)) if biased else 0.1
        w = y ^ (rng.random(few + many) < odds)
        rows = BinaryRows(y[:few], s[:few])
        found = proxied_auc(
            rows,
            BinaryRows(w[:few], s[:few]),
            BinaryRows(w[few:], s[few:]),
            estimate(summarise(rows), Options()),
            0.95,
            "two-sided",
        )
        covered += found.low <= auc <= found.high
        gains.append(found.gain)
    assert bdtr(covered, DRAWS, 0.92) > 1e-6 / 4
    assert np.mean(gains) > 1.0


def test_few_disagreements_are_not_trusted() -> None:
    """Forty labelled rows, four machine labels wrong: the plain interval stands, which covers .99.

    The prediction-powered one covers .94 here. The check fails when a binomial with probability
    .985 would cover as rarely with a chance below 1e-6.
    """
    shift, few, many, draws = np.sqrt(2) * ndtri(0.95), 40, 2000, 150
    rng, covered = np.random.default_rng(1), 0
    for _ in range(draws):
        y = rng.random(few + many) < 0.5
        s = shift * y + rng.normal(size=few + many)
        w = y ^ (rng.random(few + many) < 0.1)
        rows = BinaryRows(y[:few], s[:few])
        plain = estimate(summarise(rows), Options())
        found = proxied_auc(
            rows, BinaryRows(w[:few], s[:few]), BinaryRows(w[few:], s[few:]),
            plain, 0.95, "two-sided",
        )  # fmt: skip
        assert (found.low, found.high) == (plain.low, plain.high)
        covered += found.low <= 0.95 <= found.high
    assert bdtr(covered, draws, 0.985) > 1e-6


@pytest.mark.parametrize("auc", [pytest.param(0.8, marks=pytest.mark.slow), 0.95])
def test_twenty_labelled_positives(auc: float) -> None:
    """Few positives carry the error: a normal quantile covered .865 at an AUC of .95."""
    shift, few, many, pos = np.sqrt(2) * ndtri(auc), 500, 4000, 20
    rng = np.random.default_rng([12, int(100 * auc)])
    covered, by_machine = 0, 0
    for _ in range(DRAWS):
        y = np.r_[np.arange(few) < pos, rng.random(many) < pos / few]
        s = shift * y + rng.normal(size=few + many)
        w = y ^ (rng.random(few + many) < 0.1)
        rows = BinaryRows(y[:few], s[:few])
        found = proxied_auc(
            rows,
            BinaryRows(w[:few], s[:few]),
            BinaryRows(w[few:], s[few:]),
            estimate(summarise(rows), Options()),
            0.95,
            "two-sided",
        )
        covered += found.low <= auc <= found.high
        by_machine += found.method == "prediction-powered"
    assert by_machine > 0.95 * DRAWS
    assert bdtr(covered, DRAWS, 0.93) > 1e-6 / 4
