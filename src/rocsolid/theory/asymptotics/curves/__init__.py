"""Relevance curves ȳ(s) = E[Y | f~ = s]: by formula, by grade, and from data."""

from rocsolid.public_names import install_lookup
from rocsolid.theory.asymptotics.curves.curve import (
    constant,
    from_function,
    graded,
    linear,
    logistic,
    piecewise,
    power,
)
from rocsolid.theory.asymptotics.curves.estimated import binned, isotonic, local

__all__ = [
    "binned", "constant", "from_function", "graded", "isotonic", "linear", "local", "logistic",
    "piecewise", "power",
]  # fmt: skip
install_lookup(__name__)
