"""RankBoost's parts on plain arrays; nothing here needs scikit-learn."""

from rocsolid.theory.learners.boosting.linear_rankers import LinearRanker, LinearRankers, slopes
from rocsolid.theory.learners.boosting.rounds import Rounds, boost, rank_loss
from rocsolid.theory.learners.boosting.threshold_rankers import ThresholdRanker, ThresholdRankers

__all__ = [
    "LinearRanker", "LinearRankers", "Rounds", "ThresholdRanker", "ThresholdRankers", "boost",
    "rank_loss", "slopes",
]  # fmt: skip
