"""RankBoost's parts on plain arrays; nothing here needs scikit-learn."""

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
