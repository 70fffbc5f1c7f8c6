"""Surrogates of a partial area and their solvers, without scikit-learn."""
