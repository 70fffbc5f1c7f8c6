"""Certificates of fitted scorers, on held-out rows and on the training rows."""

from rocsolid.theory.learners.certificate.of_fit import FittedScorer, fit_certify
from rocsolid.theory.learners.certificate.training import TrainingBounds, training_bounds

__all__ = ["FittedScorer", "TrainingBounds", "fit_certify", "training_bounds"]
