"""Calibrated intervals, whose coverage approaches the level as samples grow.

Every method is a function ``f(moments, level, alternative) -> (low, high)``, vectorised over the
groups of a `Moments`; `auto.METHODS` maps the public names to them.
"""
