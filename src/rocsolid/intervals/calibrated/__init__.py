"""Calibrated intervals, whose coverage approaches the level as samples grow."""
