"""Smooth ROC curves from models of the distributions of scores."""
