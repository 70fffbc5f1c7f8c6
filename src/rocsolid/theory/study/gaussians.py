"""The experiment of Agarwal et al. 2005, section 4.5, with tighter bounds beside theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.guarantees import hinge
from rocsolid.summaries.placements import Placements
from rocsolid.summaries.sorted_classes import SortedClasses
from rocsolid.summaries.stream import stream
from rocsolid.theory.guarantees import Linear, pac_bayes, uniform_blocks, uniform_rank_shatter
from rocsolid.theory.learners.boosting import LinearRankers, boost, slopes
from rocsolid.theory.study.table import StudyTable

Floats = NDArray[np.float64]

DIMENSION = 20
TABLE_3 = (
    *((50, 50), (20, 80), (10, 90), (100, 100), (40, 160), (20, 180)),
    *((150, 150), (60, 240), (30, 270), (200, 200), (80, 320), (40, 360)),
)
"""The positives and negatives of the twelve training sequences."""

TEST_ROWS = 2500  # of each class
ROUNDS = 1000
LEARNER = f"RankBoost with linear weak rankers, {ROUNDS:,} rounds"
COLUMNS = (
    *("sequence", "n_pos", "n_neg", "training_auc", "test_auc"),
    *("corollary_18_deviation", "corollary_18_low", "regions_low", "block_vc_low"),
    *("pac_bayes_auc", "pac_bayes_low", "test_hinge_low", "test_hinge_high"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Mixture:
    """Two Gaussians with diagonal covariances, equally likely."""

    means: Floats
    variances: Floats

    @classmethod
    def drawn(cls, random: np.random.Generator) -> Mixture:
        """Every mean and every variance uniform on (0, 1)."""
        return cls(random.random((2, DIMENSION)), random.random((2, DIMENSION)))

    def rows(self, random: np.random.Generator, size: int) -> Floats:
        part = random.integers(2, size=size)
        noise = random.standard_normal((size, DIMENSION))
        return np.asarray(self.means[part] + np.sqrt(self.variances[part]) * noise)


def rank_boost(pos: Floats, neg: Floats) -> Floats:
    """The weights of RankBoost's sum of features, each scaled to [0, 1] on these rows.

    The 2005 paper trains a linear scorer "using the RankBoost algorithm" and does not say for how
    many rounds. Another 1,000 here would move the training AUC by a few thousandths at most.

    >>> rank_boost(np.array([[2.0], [3.0]]), np.array([[0.0], [1.0]])).item() > 0
    True
    """
    rows = np.concatenate([pos, neg])
    made = boost(LinearRankers(rows), len(pos), np.ones(len(rows)), ROUNDS)
    return slopes(made.rankers, made.alpha, rows.shape[1])


def experiment(
    delta: float, seed: int, sequences: int, test_rows: int, done: Callable[[], None]
) -> StudyTable:
    """The first ``sequences`` lines of table 3, each learned on and then tested on other rows.

    Corollary 18 with Theorem 24's count, as in the paper, and with the exact number of regions; its
    lower limit is Â − ε and not cut off at 0, to show its shape. All limits are lower ends of
    two-sided intervals; PAC-Bayes is about the randomised scorer.
    """
    random = stream(seed, 0)
    classes = (Mixture.drawn(random), Mixture.drawn(random))
    random = stream(seed, 1)
    test = [mixture.rows(random, test_rows) for mixture in classes]
    rows = []
    for i, sizes in enumerate(TABLE_3[:sequences]):
        random = stream(seed, 2, i)
        pos, neg = (
            mixture.rows(random, size) for mixture, size in zip(classes, sizes, strict=True)
        )
        rows.append((i, *sizes, *_results(pos, neg, test[0], test[1], delta)))
        done()
    return StudyTable(
        "experiment", f"Section 4.5: {LEARNER}, delta = {delta:g}", COLUMNS, tuple(rows)
    )


def _results(
    pos: Floats, neg: Floats, test_pos: Floats, test_neg: Floats, delta: float
) -> tuple[float, ...]:
    w = rank_boost(pos, neg)
    trained, tested = auc(pos @ w, neg @ w), auc(test_pos @ w, test_neg @ w)
    m, n = len(pos), len(neg)
    paper = uniform_rank_shatter(trained, m, n, Linear(DIMENSION, count="closed-form"), delta)
    regions = uniform_rank_shatter(trained, m, n, Linear(DIMENSION), delta)
    blocks = uniform_blocks(trained, m, n, Linear(DIMENSION), delta)
    randomised = pac_bayes(w, pos, neg, delta)
    on_test = hinge(tested, len(test_pos), len(test_neg), delta)
    return (
        *(trained, tested, paper.deviation, trained - paper.deviation),
        *(trained - regions.deviation, trained - blocks.deviation),
        *(randomised.auc, randomised.interval.low, on_test.low, on_test.high),
    )


def auc(pos: Floats, neg: Floats) -> float:
    """The AUC of two lists of scores."""
    return Placements.from_sorted(SortedClasses(np.sort(pos), np.sort(neg))).auc
