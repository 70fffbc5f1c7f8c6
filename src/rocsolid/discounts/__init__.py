"""Discounts D(r): the weight of a document at rank r = 1, 2, ….

The strings "log2", "natural" and "zipf" are short for three of them.
"""

from rocsolid.discounts.cutoff import frac
from rocsolid.discounts.discount import (
    Discount,
    exponential,
    from_callable,
    log2,
    natural,
    power,
    table,
    zipf,
)
from rocsolid.public_names import install_lookup

__all__ = [
    "Discount", "exponential", "frac", "from_callable", "log2", "natural", "power", "table", "zipf",
]  # fmt: skip
install_lookup(__name__)
