"""Intervals for the mean of one value per query: calibrated and certified, one file a method."""

from rocsolid.intervals.means.mean import MeanInterval, mean_interval

__all__ = ["MeanInterval", "mean_interval"]
