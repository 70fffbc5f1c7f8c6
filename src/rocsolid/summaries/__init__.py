"""Exact, mergeable summaries of scores: the border between data and statistics."""
