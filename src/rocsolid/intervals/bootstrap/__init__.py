"""Intervals from resampled values."""
