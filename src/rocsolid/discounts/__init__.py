"""Discounts D(r): how much a document at rank r = 1, 2, … counts.

Each is a small frozen object; the strings "log2", "natural" and "zipf" are short for three of them.
"""

from rocsolid.discounts.cutoff import Cutoff, as_cutoff, frac
from rocsolid.discounts.discount import Discount, Tail
from rocsolid.discounts.formulas import exponential, log2, natural, power, zipf
from rocsolid.discounts.named import as_discount, from_callable, table

__all__ = [
    "Cutoff", "Discount", "Tail", "as_cutoff", "as_discount", "exponential", "frac",
    "from_callable", "log2", "natural", "power", "table", "zipf",
]  # fmt: skip
