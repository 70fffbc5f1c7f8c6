"""What NDCG tends to as lists grow, and which discount can separate two rankers."""

from rocsolid.asymptotics import curves
from rocsolid.asymptotics.classify import classify
from rocsolid.asymptotics.distinguishing.choice import Choice
from rocsolid.asymptotics.distinguishing.distinction import Distinction
from rocsolid.asymptotics.distinguishing.distinguish import choose, distinguish
from rocsolid.asymptotics.distinguishing.measure_distinction import MeasureDistinction
from rocsolid.asymptotics.gap_order import GapOrder, gap_order
from rocsolid.asymptotics.limit import Limit, limit
from rocsolid.asymptotics.log_rank_gap import log_rank_gap
from rocsolid.asymptotics.predicted import PredictedGap, predicted_gap, predicted_ndcg
from rocsolid.asymptotics.pseudo_expectation import pseudo_expectation
from rocsolid.asymptotics.rates import Rate, lemma_2, lemma_4
from rocsolid.asymptotics.separation import Separation, separation

__all__ = [
    "Choice", "Distinction", "GapOrder", "Limit", "MeasureDistinction", "PredictedGap", "Rate",
    "Separation", "choose", "classify", "curves", "distinguish", "gap_order", "lemma_2", "lemma_4",
    "limit", "log_rank_gap", "predicted_gap", "predicted_ndcg", "pseudo_expectation", "separation",
]  # fmt: skip
