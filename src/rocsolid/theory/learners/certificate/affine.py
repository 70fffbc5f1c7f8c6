"""Steps of scikit-learn that are affine maps of the features, composed into one map."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass

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
    from sklearn.utils.validation import check_is_fitted  # names load without scikit-learn

    check_is_fitted(step)
    if (name := type(step).__name__) == "Pipeline":
        composed, others = leading([inner for _, inner in step.steps], features)
        return None if others else composed
    if name == "ColumnTransformer":
        return _of_columns(step, features)
    if callable(getattr(step, "get_support", None)):
        chosen = np.asarray(step.get_support())
        # one 64-bit number describes the selection among 64 features
        return AffineMap(
            np.eye(features)[:, chosen], np.zeros(int(chosen.sum())), math.ceil(features / 64)
        )
    reader = _READERS.get(name)
    return None if reader is None else reader(step, features)


def imputation(step: Any, features: int) -> AffineMap | None:
    """Return SimpleImputer as a map of (x with 0 where missing, whether missing).

    ``None`` stands for other steps, and for imputers that drop or add columns.
    """
    if type(step).__name__ != "SimpleImputer" or not type(step).__module__.startswith("sklearn."):
        return None
    values = np.asarray(step.statistics_, np.float64)
    usual = isinstance(step.missing_values, float) and math.isnan(step.missing_values)
    if not usual or step.add_indicator or np.isnan(values).any():
        return None
    learned = 0 if step.strategy == "constant" else features
    return AffineMap(np.vstack([np.eye(features), np.diag(values)]), np.zeros(features), learned)


def leading(steps: list[Any], features: int) -> tuple[AffineMap, list[Any]]:
    """Return the leading affine steps as one map, and the steps from the first other one on."""
    composed = AffineMap.identity(features)
    for position, step in enumerate(steps):
        following = affine_of(step, composed.matrix.shape[1])
        if following is None:
            return composed, steps[position:]
        composed = composed.then(following)
    return composed, []


def _scaled(scale: Any, shift: Any, features: int) -> AffineMap:
    """Return x·scale + shift; an argument of ``None`` was not learned."""
    return AffineMap(
        np.eye(features) if scale is None else np.diag(np.asarray(scale, np.float64)),
        np.zeros(features) if shift is None else np.asarray(shift, np.float64),
        0 if scale is None else features,
        0 if shift is None else features,
    )


def _of_division(centre: Any, scale: Any, features: int) -> AffineMap:
    factor = None if scale is None else 1.0 / np.asarray(scale, np.float64)
    if centre is None:
        return _scaled(factor, None, features)
    shift = -np.asarray(centre, np.float64)
    return _scaled(factor, shift if factor is None else shift * factor, features)


def _of_components(step: Any) -> AffineMap:
    """Return the map of PCA, or of the singular value decomposition without a centre."""
    matrix = np.asarray(step.components_, np.float64).T
    if getattr(step, "whiten", False):
        matrix = matrix / np.sqrt(step.explained_variance_)
    width = matrix.shape[1]
    mean = getattr(step, "mean_", None)
    if mean is None:
        return AffineMap(matrix, np.zeros(width), matrix.size)
    return AffineMap(matrix, -np.asarray(mean, np.float64) @ matrix, matrix.size, width)


_READERS: Mapping[str, Callable[[Any, int], AffineMap | None]] = {
    # StandardScaler keeps mean_ even if it does not subtract it
    "StandardScaler": lambda step, features: _of_division(
        step.mean_ if step.with_mean else None, step.scale_, features
    ),
    "RobustScaler": lambda step, features: _of_division(step.center_, step.scale_, features),
    "MinMaxScaler": lambda step, features: (
        None if step.clip else _scaled(step.scale_, step.min_, features)
    ),
    "MaxAbsScaler": lambda step, features: (
        None if step.clip else _of_division(None, step.scale_, features)
    ),
    "PCA": lambda step, _: _of_components(step),
    "TruncatedSVD": lambda step, _: _of_components(step),
    "FunctionTransformer": lambda step, features: (
        AffineMap.identity(features) if step.func is None else None
    ),
}


def _of_columns(step: Any, features: int) -> AffineMap | None:
    width = max((columns.stop for columns in step.output_indices_.values()), default=0)
    matrix, shift, in_matrix, in_shift = np.zeros((features, width)), np.zeros(width), 0, 0
    for name, inner, _ in step.transformers_:
        outputs = step.output_indices_[name]
        if (isinstance(inner, str) and inner == "drop") or outputs.stop == outputs.start:
            continue
        # columns by name, mask, slice or function, all as positions
        positions = step._transformer_to_input_indices[name]
        own = affine_of(inner, len(positions))
        if own is None:
            return None
        np.add.at(matrix[:, outputs], positions, own.matrix)
        shift[outputs] = own.shift
        in_matrix, in_shift = in_matrix + own.learned_in_matrix, in_shift + own.learned_in_shift
    return AffineMap(matrix, shift, in_matrix, in_shift)
