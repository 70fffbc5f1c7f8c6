"""Measures of graded relevance: lists of documents in, per-query values and an average out."""
