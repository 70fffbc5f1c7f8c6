"""Exact, mergeable summaries of scores, between data and statistics."""
