"""What NDCG tends to as lists grow, and which discount can separate two rankers."""

from rocsolid.public_names import install_lookup
from rocsolid.theory.asymptotics import curves
from rocsolid.theory.asymptotics.classify import classify
from rocsolid.theory.asymptotics.distinguishing.distinguish import choose, distinguish
from rocsolid.theory.asymptotics.gap_order import gap_order
from rocsolid.theory.asymptotics.limit import limit
from rocsolid.theory.asymptotics.log_rank_gap import log_rank_gap
from rocsolid.theory.asymptotics.predicted import predicted_gap, predicted_ndcg
from rocsolid.theory.asymptotics.pseudo_expectation import pseudo_expectation
from rocsolid.theory.asymptotics.rates import lemma_2, lemma_4
from rocsolid.theory.asymptotics.separation import separation

__all__ = [
    "choose", "classify", "curves", "distinguish", "gap_order", "lemma_2", "lemma_4", "limit",
    "log_rank_gap", "predicted_gap", "predicted_ndcg", "pseudo_expectation", "separation",
]  # fmt: skip
install_lookup(__name__)
