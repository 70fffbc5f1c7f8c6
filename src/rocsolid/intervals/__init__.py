"""Confidence intervals: calibrated ones, and guarantees that hold at every sample size."""
