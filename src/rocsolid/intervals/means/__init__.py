"""Calibrated and certified intervals for the mean of one value per query."""

from rocsolid.intervals.means.mean import MeanInterval, mean_interval

__all__ = ["MeanInterval", "mean_interval"]
