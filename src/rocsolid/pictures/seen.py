"""A curve of both rates as another picture shows it: precision by recall, or gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocsolid.measures.picture import Picture
from rocsolid.pictures.marks import FloatArray

_BETWEEN = 6  # parts of a side: a straight line of rates is bent in the other pictures
_AXES: dict[Picture, tuple[str, str]] = {
    "roc": ("False-positive rate", "True-positive rate"),
    "pr": ("Recall", "Precision"),
    "gain": ("Share of rows flagged", "Share of positives flagged"),
}


@dataclass(frozen=True, slots=True)
class Seen:
    """A picture, with the share of positives among the rows that it is drawn of.

    >>> Seen("pr", 0.2).at(np.array([0.25]), np.array([1.0]))
    (array([1.]), array([0.5]))
    """

    picture: Picture = "roc"
    prevalence: float = 0.5

    @property
    def axes(self) -> tuple[str, str]:
        """What is drawn across, and what upwards."""
        return _AXES[self.picture]

    def at(self, fpr: FloatArray, tpr: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Where points of the ROC curve lie; precision is NaN where nothing is flagged."""
        if self.picture == "roc":
            return fpr, tpr
        hits = self.prevalence * tpr
        flagged = hits + (1.0 - self.prevalence) * fpr
        if self.picture == "gain":
            return flagged, tpr
        with np.errstate(invalid="ignore"):
            return tpr, hits / np.where(flagged > 0.0, flagged, np.nan)

    def line(self, fpr: FloatArray, tpr: FloatArray) -> tuple[FloatArray, FloatArray]:
        """A path of corners that straight lines of rates join."""
        if self.picture == "roc":
            return fpr, tpr
        part = np.arange(len(fpr) - 1 + 1e-9, step=1.0 / _BETWEEN)
        corner = np.arange(len(fpr))
        x, y = self.at(np.interp(part, corner, fpr), np.interp(part, corner, tpr))
        there = np.isfinite(y)
        return x[there], y[there]

    def chance(self) -> tuple[FloatArray, FloatArray]:
        """Ranking at random."""
        ends = np.array([0.0, 1.0])
        return ends, np.full(2, self.prevalence) if self.picture == "pr" else ends


ROC = Seen()
