"""Certificates of what is fitted here: on rows kept aside, and on the rows of the fit."""

from rocsolid.theory.learners.certificate.of_fit import FittedScorer, fit_certify
from rocsolid.theory.learners.certificate.training import TrainingBounds, training_bounds

__all__ = ["FittedScorer", "TrainingBounds", "fit_certify", "training_bounds"]
