"""Relevance curves ȳ(s) = E[Y | f~ = s]: by formula, by grade, and from data."""

from rocsolid.public_names import install_lookup
from rocsolid.theory.asymptotics.curves.curve import from_function
from rocsolid.theory.asymptotics.curves.graded import graded
from rocsolid.theory.asymptotics.curves.isotonic import binned, isotonic
from rocsolid.theory.asymptotics.curves.local import local
from rocsolid.theory.asymptotics.curves.parametric import (
    constant,
    linear,
    logistic,
    piecewise,
    power,
)

__all__ = [
    "binned", "constant", "from_function", "graded", "isotonic", "linear", "local", "logistic",
    "piecewise", "power",
]  # fmt: skip
install_lookup(__name__)
