"""Losses of ranked lists, with their gradients, as functions of the scores."""
