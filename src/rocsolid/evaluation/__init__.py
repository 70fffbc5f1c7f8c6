"""Evaluate tables and files: an estimate for each score and segment, or each run and measure."""
