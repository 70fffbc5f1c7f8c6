"""Results for research: uniform bounds, trained scorers, limits of NDCG, and reproductions."""

from rocsolid.public_names import install_lookup

__all__ = ["guarantees"]
install_lookup(__name__, modules={"guarantees": "rocsolid.theory.guarantees"})
