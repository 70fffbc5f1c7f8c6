"""What NDCG tends to as lists grow, and which discount can separate two rankers."""

from rocsolid.theory.asymptotics import curves
from rocsolid.theory.asymptotics.classify import classify
from rocsolid.theory.asymptotics.distinguishing.choice import Choice
from rocsolid.theory.asymptotics.distinguishing.distinction import Distinction
from rocsolid.theory.asymptotics.distinguishing.distinguish import choose, distinguish
from rocsolid.theory.asymptotics.distinguishing.measure_distinction import MeasureDistinction
from rocsolid.theory.asymptotics.gap_order import GapOrder, gap_order
from rocsolid.theory.asymptotics.limit import Limit, limit
from rocsolid.theory.asymptotics.log_rank_gap import log_rank_gap
from rocsolid.theory.asymptotics.predicted import PredictedGap, predicted_gap, predicted_ndcg
from rocsolid.theory.asymptotics.pseudo_expectation import pseudo_expectation
from rocsolid.theory.asymptotics.rates import Rate, lemma_2, lemma_4
from rocsolid.theory.asymptotics.separation import Separation, separation

__all__ = [
    "Choice", "Distinction", "GapOrder", "Limit", "MeasureDistinction", "PredictedGap", "Rate",
    "Separation", "choose", "classify", "curves", "distinguish", "gap_order", "lemma_2", "lemma_4",
    "limit", "log_rank_gap", "predicted_gap", "predicted_ndcg", "pseudo_expectation", "separation",
]  # fmt: skip
