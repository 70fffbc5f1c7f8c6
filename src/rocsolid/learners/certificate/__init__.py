"""Certificates: a limit below a scorer's true measure, on rows that it has not seen."""

from rocsolid.learners.certificate.certificate import Certificate
from rocsolid.learners.certificate.grid import CertifiedGrid, certify_grid
from rocsolid.learners.certificate.memory import remember_rows
from rocsolid.learners.certificate.of_fit import FittedScorer, fit_certify
from rocsolid.learners.certificate.of_scorer import certify
from rocsolid.learners.certificate.training import TrainingBounds, training_bounds

__all__ = [
    "Certificate", "CertifiedGrid", "FittedScorer", "TrainingBounds", "certify", "certify_grid",
    "fit_certify", "remember_rows", "training_bounds",
]  # fmt: skip
