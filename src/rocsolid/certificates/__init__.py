"""Certificates: a limit below a scorer's true measure, on rows that it has not seen."""

from rocsolid.certificates.certificate import Certificate
from rocsolid.certificates.grid import CertifiedGrid, certify_grid
from rocsolid.certificates.memory import remember_rows
from rocsolid.certificates.of_scorer import certify

__all__ = ["Certificate", "CertifiedGrid", "certify", "certify_grid", "remember_rows"]
