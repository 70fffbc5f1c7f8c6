"""Reproductions of published figures and experiments, with the project's own results beside."""

from rocsolid.study.bounds import BoundsStudy, bounds
from rocsolid.study.table import Table

__all__ = ["BoundsStudy", "Table", "bounds"]
