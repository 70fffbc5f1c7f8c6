"""Frozen results. They can print themselves and become JSON; they draw and compute nothing."""

from rocsolid.results.comparison import Comparison, Difference, Omnibus
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Alternative, Interval, percent
from rocsolid.results.query_estimate import QueryEstimate
from rocsolid.results.score_estimate import ScoreEstimate

__all__ = [
    "Alternative",
    "Comparison",
    "Difference",
    "Estimate",
    "Interval",
    "Omnibus",
    "QueryEstimate",
    "ScoreEstimate",
    "percent",
]
