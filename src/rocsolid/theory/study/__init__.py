"""Reproductions of published figures and experiments, and the project's own results."""

from rocsolid.public_names import install_lookup
from rocsolid.theory.study.bounds import bounds
from rocsolid.theory.study.labelings import labelings
from rocsolid.theory.study.learn import learn
from rocsolid.theory.study.ndcg import ndcg
from rocsolid.theory.study.ranks import pauc, ranks
from rocsolid.theory.study.tour import tour

__all__ = [
    "bounds", "labelings", "learn", "ndcg", "pauc", "ranks", "tour",
]  # fmt: skip
install_lookup(__name__)
