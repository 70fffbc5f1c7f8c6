"""RankBoost on plain arrays, without scikit-learn."""

from rocsolid.theory.learners.boosting.rounds import (
    LinearRanker,
    LinearRankers,
    Rounds,
    ThresholdRanker,
    ThresholdRankers,
    boost,
    rank_loss,
    slopes,
)

__all__ = [
    "LinearRanker", "LinearRankers", "Rounds", "ThresholdRanker", "ThresholdRankers", "boost",
    "rank_loss", "slopes",
]  # fmt: skip
