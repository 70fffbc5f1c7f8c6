"""Intervals from resampled values: numbers in, limits out, one file a method."""
