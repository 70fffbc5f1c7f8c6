"""What rows that a sample happens not to show could add to how AUCs vary."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.parts import NO_VARIANCE

_FLOATS = NDArray[np.float64]


def unseen(values: _FLOATS, covariance: _FLOATS, smaller: _FLOATS) -> _FLOATS:
    """What to add to DeLong's covariance of AUCs; leading axes are data sets.

    A score that misplaces one positive in twenty misplaces none of thirty in a fifth of all
    samples. It then looks perfect, and DeLong's variance says that it could not have been
    otherwise. With k rows in the smaller class, u = k·min(Â, 1 − Â) rows are misplaced, and
    λ = k²Var/u, from 0 to 1, says whether these are whole rows at the wrong end (1) or many that
    lie a little off (near 0). In units of 1/k², each variance is raised to the larger of

    - Var + λ⁴: one more row like those seen, where whole rows are what is seen;
    - (1 − u/2)³ for u < 2: rows of which the sample shows none.

    Correlations stay. The two terms and their powers were chosen by simulation: false alarms of
    scores of different shape near 1 fall from 20 % to 5 % and less (tables in `docs/compare.md`),
    for .02 of power where DeLong's test keeps its level with fifty rows of each class.

    >>> alike = np.diag([1e-3, 1e-3])
    >>> unseen(np.array([0.8, 0.8]), alike, np.array([100.0, 100.0])).diagonal()
    array([6.25e-06, 6.25e-06])
    >>> unseen(np.array([0.95, 1.0]), np.diag([2e-4, 0.0]), np.array([30.0, 30.0])).diagonal()
    array([2.30...e-07, 1.11...e-03])
    """
    variance = np.diagonal(covariance, axis1=-2, axis2=-1)
    variance = np.where(variance > NO_VARIANCE, variance, 0.0)
    misplaced = smaller * np.minimum(values, 1.0 - values)
    shown = variance * smaller**2
    whole = shown / np.maximum(np.maximum(misplaced, shown), 1e-300)
    raised = np.maximum(
        variance + whole**4 / smaller**2,
        np.clip(1.0 - misplaced / 2.0, 0.0, None) ** 3 / smaller**2,
    )
    ratio = np.sqrt(raised / np.where(variance > 0.0, variance, 1.0))
    joint = covariance * ratio[..., :, None] * ratio[..., None, :]
    diagonal = np.eye(variance.shape[-1], dtype=bool)
    return np.asarray(np.where(diagonal, raised[..., :, None], joint) - covariance)


def added(more: _FLOATS, varies: NDArray[np.bool_]) -> _FLOATS:
    """What `unseen` adds to the covariance of the differences from the first that vary.

    A matrix that takes nothing away in any direction.
    """
    difference = more[1:, 1:] - more[1:, :1] - more[:1, 1:] + more[0, 0]
    eigenvalues, vectors = np.linalg.eigh(np.where(np.outer(varies, varies), difference, 0.0))
    return np.asarray((vectors * np.clip(eigenvalues, 0.0, None)) @ vectors.T)
