"""Calibrated intervals: they near their level as samples grow, with their coverage measured.

One file a method. Every method is a function ``f(moments, level, alternative) -> (low, high)``,
vectorised over the groups of a `Moments`; `table.METHODS` maps the public names to them.
"""
