"""Bounds for networks of rectified linear units."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.certificates.scores_of import first_is_positive
from rocsolid.errors import UnsoundError
from rocsolid.summaries.placements import Placements
from rocsolid.theory.guarantees.networks import network_spread, networks, path_norm
from rocsolid.theory.learners.certificate.affine import AffineMap
from rocsolid.theory.learners.certificate.training_rows import (
    NO_RADIUS,
    Named,
    TrainingSet,
    blocks_bound,
    margin_bound,
)

_FLOATS = NDArray[np.float64]


def network_bounds(
    final: Any, before: AffineMap, scores: _FLOATS, training: TrainingSet
) -> tuple[str, Named]:
    """Bound scikit-learn's networks by sign patterns of the architecture and by margins.

    Affine steps before the network are part of its first layer.
    """
    if final.activation != "relu":
        raise UnsoundError(
            "bounds of networks are known for rectified linear units",
            where="scorer, activation",
            value=final.activation,
            fix='use activation="relu", or certify on rows not used in the fit',
        )
    first, *later = [np.asarray(layer, np.float64) for layer in final.coefs_]
    if later[-1].shape[1] != 1:
        raise UnsoundError(
            "a network of two classes has one output", where="scorer", value=later[-1].shape[1]
        )
    constants = [np.asarray(layer, np.float64) for layer in final.intercepts_]
    coefficients = [before.matrix @ first, *later]
    intercepts = [before.shift @ first + constants[0], *constants[1:]]
    widths = [training.features.shape[1], *(layer.shape[1] for layer in coefficients[:-1])]
    sizes, norm = training.rows().sizes, path_norm(coefficients, intercepts)
    sign = -1.0 if first_is_positive(final, training.pos_label) else 1.0
    # the network's own scores are probabilities, which can be 0 or 1 in doubles
    output = _output(training.features, coefficients, intercepts)

    def bounds() -> Named:
        value = Placements.from_sorted(training.sorted(scores)).auc
        yield "block-VC", blocks_bound(value, sizes, networks(widths))
        if training.radius is None:
            yield "Rademacher margin", NO_RADIUS
        elif norm:
            spread = network_spread(len(later), training.radius)
            largest = 2.0 * float(np.hypot(training.radius, 1.0))
            classes = training.sorted(sign * output / norm)
            yield "Rademacher margin", margin_bound(classes, sizes, spread, largest)

    layers = "–".join(map(str, widths))
    return f"a network {layers}–1 of rectified linear units, of path norm {norm:.3g}", bounds()


def _output(rows: _FLOATS, coefficients: list[_FLOATS], intercepts: list[_FLOATS]) -> _FLOATS:
    values = rows
    for weights, constants in zip(coefficients[:-1], intercepts[:-1], strict=True):
        values = np.maximum(values @ weights + constants, 0.0)
    return np.asarray(values @ coefficients[-1] + intercepts[-1]).ravel()
