"""Averages over queries: systems compared query by query, and measures judged by how they decide.

For those who have one value per query and system already, such as trec_eval's output.
"""

from rocsolid.comparison.queries.compare_queries import average, compare, compare_queries
from rocsolid.comparison.queries.discriminative_power import discriminative_power, swap_rate
from rocsolid.public_names import install_lookup

__all__ = [
    "average", "compare", "compare_queries", "discriminative_power", "swap_rate",
]  # fmt: skip
install_lookup(__name__)
