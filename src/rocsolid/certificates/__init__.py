"""Certified lower limits for a scorer's true measure, on rows that it has not seen."""

from rocsolid.certificates.certificate import Certificate
from rocsolid.certificates.of_scorer import CertifiedGrid, certify, certify_grid
from rocsolid.certificates.repeats import remember_rows

__all__ = ["Certificate", "CertifiedGrid", "certify", "certify_grid", "remember_rows"]
