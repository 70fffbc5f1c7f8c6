"""Smooth ROC curves by a model of the two distributions of scores."""
