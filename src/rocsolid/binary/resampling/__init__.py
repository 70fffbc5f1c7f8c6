"""The bootstrap: how often each row is drawn, and the measures of the rows drawn.

Nothing is sorted again. A block of resamples is a matrix with a row for every row of data and a
column for every resample; several models are judged on the same matrix.
"""
