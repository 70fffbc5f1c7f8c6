"""Relevance curves ȳ(s) = E[Y | f~ = s]: by formula, by grade, and from data."""

from rocsolid.theory.asymptotics.curves.curve import Curve, as_curve, from_function
from rocsolid.theory.asymptotics.curves.estimated import EstimatedCurve
from rocsolid.theory.asymptotics.curves.graded import graded
from rocsolid.theory.asymptotics.curves.isotonic import binned, isotonic
from rocsolid.theory.asymptotics.curves.levels import Levels, as_levels
from rocsolid.theory.asymptotics.curves.local import local
from rocsolid.theory.asymptotics.curves.parametric import (
    constant,
    linear,
    logistic,
    piecewise,
    power,
)

__all__ = [
    "Curve", "EstimatedCurve", "Levels", "as_curve", "as_levels", "binned", "constant",
    "from_function", "graded", "isotonic", "linear", "local", "logistic", "piecewise", "power",
]  # fmt: skip
