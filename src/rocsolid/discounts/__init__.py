"""Discounts D(r): how much a document at rank r = 1, 2, … counts.

Each is a small frozen object; the strings "log2", "natural" and "zipf" are short for three of them.
"""

from rocsolid.discounts.callable_discount import from_callable
from rocsolid.discounts.cutoff import Cutoff, as_cutoff, frac
from rocsolid.discounts.discount import Discount, Tail
from rocsolid.discounts.exponential import exponential
from rocsolid.discounts.logarithm import log2, natural
from rocsolid.discounts.named import as_discount
from rocsolid.discounts.power import power, zipf
from rocsolid.discounts.table import table

__all__ = [
    "Cutoff",
    "Discount",
    "Tail",
    "as_cutoff",
    "as_discount",
    "exponential",
    "frac",
    "from_callable",
    "log2",
    "natural",
    "power",
    "table",
    "zipf",
]
