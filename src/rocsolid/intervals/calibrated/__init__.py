"""Calibrated intervals: right on average for large samples, with their coverage measured.

One file a method. Every method is a function ``f(moments, level, alternative) -> (low, high)``,
vectorised over the groups of a `Moments`; `table.METHODS` maps the public names to them.
"""
