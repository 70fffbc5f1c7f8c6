"""Weights W for areas under the ROC curve, and losses ℓ for the plug-in estimator.

The constructors accept false-positive rates. Maurer and Pontil (2020) define W as a function of the
*true-negative* rate u: W(u) is the weight of the false-positive rate 1−u.
"""

from rocsolid.public_names import install_lookup
from rocsolid.weights import losses
from rocsolid.weights.exponential import exponential, from_callable, power
from rocsolid.weights.losses import cost_curve
from rocsolid.weights.losses import ramp_of_ramp as ramp
from rocsolid.weights.losses import step_of_ramp as step
from rocsolid.weights.point import point
from rocsolid.weights.polynomial import polynomial
from rocsolid.weights.weight import Weight

__all__ = [
    "Weight", "cost_curve", "exponential", "from_callable", "losses", "point", "polynomial",
    "power", "ramp", "step",
]  # fmt: skip
install_lookup(__name__)
