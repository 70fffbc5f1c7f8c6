"""Measures of a binary score: labels and scores in, an estimate or a curve out."""
