"""Averages over queries from one value for each query and system, such as trec_eval prints."""

from rocsolid.comparison.queries.compare_queries import average, compare, compare_queries
from rocsolid.comparison.queries.discriminative_power import discriminative_power, swap_rate
from rocsolid.public_names import install_lookup

__all__ = [
    "average", "compare", "compare_queries", "discriminative_power", "swap_rate",
]  # fmt: skip
install_lookup(__name__)
