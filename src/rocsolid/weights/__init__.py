"""Weights W for areas under the ROC curve, and losses ℓ for the plug-in estimator.

Maurer and Pontil 2020 writes W as a function of the *true-negative* rate u. The constructors here
take false-positive rates, as people do, and convert: W(u) weighs the false-positive rate 1−u.
"""

from rocsolid.public_names import install_lookup
from rocsolid.weights import losses
from rocsolid.weights.callable_weight import from_callable
from rocsolid.weights.cost_curve import cost_curve
from rocsolid.weights.exponential import exponential
from rocsolid.weights.point import point
from rocsolid.weights.power import power
from rocsolid.weights.ramp import ramp, step
from rocsolid.weights.weight import Weight

__all__ = [
    "Weight", "cost_curve", "exponential", "from_callable", "losses", "point", "power", "ramp",
    "step",
]  # fmt: skip
install_lookup(__name__)
