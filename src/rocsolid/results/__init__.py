"""Frozen results. They can print themselves and become JSON; they draw and compute nothing."""

from rocsolid.results.bracket import Bracket
from rocsolid.results.comparison import Comparison, Difference, Omnibus
from rocsolid.results.estimate import Estimate
from rocsolid.results.explanation import Explanation
from rocsolid.results.interval import Alternative, Interval, percent
from rocsolid.results.query_estimate import QueryEstimate
from rocsolid.results.reproduction import Reproduction

__all__ = [
    "Alternative", "Bracket", "Comparison", "Difference", "Estimate", "Explanation", "Interval",
    "Omnibus", "QueryEstimate", "Reproduction", "percent",
]  # fmt: skip
