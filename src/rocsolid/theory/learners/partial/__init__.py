"""Surrogates of a partial area and their solvers on plain arrays, without scikit-learn."""
