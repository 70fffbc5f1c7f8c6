"""Steps of scikit-learn that are affine maps of the features, composed into one map."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class AffineMap:
    """The map x → xA + b, and how many numbers in A and in b were learned from the rows."""

    matrix: _FLOATS
    shift: _FLOATS
    learned_in_matrix: int = 0
    learned_in_shift: int = 0

    @classmethod
    def identity(cls, features: int) -> AffineMap:
        return cls(np.eye(features), np.zeros(features))

    @property
    def learned(self) -> int:
        return self.learned_in_matrix + self.learned_in_shift

    @property
    def is_identity(self) -> bool:
        rows, columns = self.matrix.shape
        return (
            rows == columns and not self.shift.any() and bool((self.matrix == np.eye(rows)).all())
        )

    @property
    def per_feature(self) -> bool:
        """True if each output depends on at most one feature."""
        return bool((np.count_nonzero(self.matrix, axis=0) <= 1).all())

    def __call__(self, rows: _FLOATS) -> _FLOATS:
        mapped: _FLOATS = rows @ self.matrix + self.shift
        return mapped

    def then(self, following: AffineMap) -> AffineMap:
        """Return the composition of this map with ``following``."""
        return AffineMap(
            self.matrix @ following.matrix,
            self.shift @ following.matrix + following.shift,
            self.learned_in_matrix + following.learned_in_matrix,
            self.learned_in_shift + following.learned_in_shift,
        )


def affine_of(step: Any, features: int) -> AffineMap | None:
    """Return the map of a fitted step, or ``None`` if the step is not known to be affine.

    Only classes of scikit-learn itself are known, because a subclass may do anything.
    """
    if step is None or isinstance(step, str):  # "passthrough"
        return AffineMap.identity(features)
    if not type(step).__module__.startswith("sklearn."):
        return None
    if (name := type(step).__name__) == "Pipeline":
        return _of_pipeline(step, features)
    if name == "ColumnTransformer":
        return _of_columns(step, features)
    if callable(getattr(step, "get_support", None)):
        chosen = np.asarray(step.get_support())
        return AffineMap(np.eye(features)[:, chosen], np.zeros(int(chosen.sum())), _words(features))
    read = _READERS.get(name)
    return None if read is None else read(step, features)


def _words(choices: int) -> int:
    """Return how many 64-bit numbers describe which features were selected."""
    return math.ceil(choices / 64)


def _scaled(scale: Any, shift: Any, features: int) -> AffineMap:
    """Return x·scale + shift; an argument of ``None`` was not learned."""
    return AffineMap(
        np.eye(features) if scale is None else np.diag(np.asarray(scale, np.float64)),
        np.zeros(features) if shift is None else np.asarray(shift, np.float64),
        0 if scale is None else features,
        0 if shift is None else features,
    )


def _of_division(centre: Any, scale: Any, features: int) -> AffineMap:
    """Return (x − centre)/scale."""
    factor = None if scale is None else 1.0 / np.asarray(scale, np.float64)
    if centre is None:
        return _scaled(factor, None, features)
    shift = -np.asarray(centre, np.float64)
    return _scaled(factor, shift if factor is None else shift * factor, features)


def _of_standard(step: Any, features: int) -> AffineMap:
    # mean_ is kept where it is not taken away, scale_ is None where it is not divided by
    return _of_division(step.mean_ if step.with_mean else None, step.scale_, features)


def _of_robust(step: Any, features: int) -> AffineMap:
    return _of_division(step.center_, step.scale_, features)


def _of_min_max(step: Any, features: int) -> AffineMap | None:
    return None if step.clip else _scaled(step.scale_, step.min_, features)


def _of_max_abs(step: Any, features: int) -> AffineMap | None:
    return None if step.clip else _of_division(None, step.scale_, features)


def _of_components(step: Any, _: int) -> AffineMap:
    """Return the map of PCA, or of the singular value decomposition without a centre."""
    matrix = np.asarray(step.components_, np.float64).T
    if getattr(step, "whiten", False):
        matrix = matrix / np.sqrt(step.explained_variance_)
    width = matrix.shape[1]
    mean = getattr(step, "mean_", None)
    if mean is None:
        return AffineMap(matrix, np.zeros(width), matrix.size)
    return AffineMap(matrix, -np.asarray(mean, np.float64) @ matrix, matrix.size, width)


def _of_function(step: Any, features: int) -> AffineMap | None:
    return AffineMap.identity(features) if step.func is None else None


_READERS: Mapping[str, Callable[[Any, int], AffineMap | None]] = {
    "StandardScaler": _of_standard,
    "RobustScaler": _of_robust,
    "MinMaxScaler": _of_min_max,
    "MaxAbsScaler": _of_max_abs,
    "PCA": _of_components,
    "TruncatedSVD": _of_components,
    "FunctionTransformer": _of_function,
}


def _of_pipeline(step: Any, features: int) -> AffineMap | None:
    composed = AffineMap.identity(features)
    for _, inner in step.steps:
        following = affine_of(inner, composed.matrix.shape[1])
        if following is None:
            return None
        composed = composed.then(following)
    return composed


def _of_columns(step: Any, features: int) -> AffineMap | None:
    """Return the outputs of a ``ColumnTransformer``, side by side in its own order."""
    width = max((place.stop for place in step.output_indices_.values()), default=0)
    matrix, shift, in_matrix, in_shift = np.zeros((features, width)), np.zeros(width), 0, 0
    for name, inner, _ in step.transformers_:
        place = step.output_indices_[name]
        if (isinstance(inner, str) and inner == "drop") or place.stop == place.start:
            continue
        # columns by name, mask, slice or function, all as positions
        positions = step._transformer_to_input_indices[name]
        own = affine_of(inner, len(positions))
        if own is None:
            return None
        np.add.at(matrix[:, place], positions, own.matrix)
        shift[place] = own.shift
        in_matrix, in_shift = in_matrix + own.learned_in_matrix, in_shift + own.learned_in_shift
    return AffineMap(matrix, shift, in_matrix, in_shift)
