"""Frozen results. They can print themselves and become JSON; they draw and compute nothing."""

from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Alternative, Interval, percent
from rocsolid.results.score_estimate import ScoreEstimate

__all__ = ["Alternative", "Estimate", "Interval", "ScoreEstimate", "percent"]
