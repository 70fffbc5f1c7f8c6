"""Relevance curves ȳ(s) = E[Y | f~ = s]: by formula, by grade, and from data."""

from rocsolid.asymptotics.curves.curve import Curve, as_curve, from_function
from rocsolid.asymptotics.curves.estimated import EstimatedCurve
from rocsolid.asymptotics.curves.graded import graded
from rocsolid.asymptotics.curves.isotonic import binned, isotonic
from rocsolid.asymptotics.curves.levels import Levels, as_levels
from rocsolid.asymptotics.curves.local import local
from rocsolid.asymptotics.curves.parametric import constant, linear, logistic, piecewise, power

__all__ = [
    "Curve", "EstimatedCurve", "Levels", "as_curve", "as_levels", "binned", "constant",
    "from_function", "graded", "isotonic", "linear", "local", "logistic", "piecewise", "power",
]  # fmt: skip
