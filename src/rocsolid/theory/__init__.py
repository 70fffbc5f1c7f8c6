"""The source documents beyond daily use: bounds, trained scorers, limits of NDCG, reproductions."""

from rocsolid.public_names import install_lookup

__all__ = ["guarantees"]
install_lookup(__name__, modules={"guarantees": "rocsolid.theory.guarantees"})
