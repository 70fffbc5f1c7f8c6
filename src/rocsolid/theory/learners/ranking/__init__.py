"""Losses of ranked lists as functions of the scores, with their gradients."""
