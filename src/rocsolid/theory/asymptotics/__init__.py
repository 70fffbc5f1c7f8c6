"""Limits of NDCG as lists grow, and the discounts that can separate two rankers."""

from rocsolid.public_names import install_lookup
from rocsolid.theory.asymptotics import curves
from rocsolid.theory.asymptotics.classify import classify
from rocsolid.theory.asymptotics.distinguishing.distinguish import choose, distinguish
from rocsolid.theory.asymptotics.limit import limit
from rocsolid.theory.asymptotics.predicted import predicted_gap, predicted_ndcg, separation
from rocsolid.theory.asymptotics.rates import (
    gap_order,
    lemma_2,
    lemma_4,
    log_rank_gap,
    pseudo_expectation,
)

__all__ = [
    "choose", "classify", "curves", "distinguish", "gap_order", "lemma_2", "lemma_4", "limit",
    "log_rank_gap", "predicted_gap", "predicted_ndcg", "pseudo_expectation", "separation",
]  # fmt: skip
install_lookup(__name__)
