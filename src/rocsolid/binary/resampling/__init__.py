"""The bootstrap: counts of each row in resamples, and measures of the resampled rows.

A block of resamples is a matrix with a line for each row and a column for each resample; several
models use the same matrix.
"""
