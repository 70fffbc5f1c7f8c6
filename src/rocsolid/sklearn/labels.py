"""What kind of target the labels are, and which of them is positive."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target

_DEFAULTS = ([0, 1], [-1, 1], [0], [-1], [1])


def target_type(y_true: Any) -> str:
    """scikit-learn's ``type_of_target``, without its sort where two whole numbers are plain to see.

    >>> target_type(np.array([0, 1, 1])), target_type(["a", "b", "c"])
    ('binary', 'multiclass')
    """
    two = _two_values(y_true)
    if two is not None and (two.dtype.kind != "f" or all(map(_whole, two))):
        return "binary"
    return str(type_of_target(y_true, input_name="y_true"))


def distinct(y_true: Any) -> NDArray[Any]:
    """The distinct labels in ascending order.

    >>> distinct(["b", "a", "b"]).tolist()
    ['a', 'b']
    """
    two = _two_values(y_true)
    return np.unique(y_true) if two is None else two


def positive_label(pos_label: Any, classes: NDArray[Any]) -> Any:
    """The label given, or 1 where the labels leave no doubt.

    >>> positive_label(None, np.array([-1, 1]))
    1
    """
    if pos_label is not None:
        return pos_label
    if classes.dtype.kind not in "OUS" and classes.tolist() in _DEFAULTS:
        return 1
    values = ", ".join(repr(value) for value in classes.tolist())
    raise ValueError(
        f"y_true takes value in {{{values}}} and pos_label is not specified: either make y_true "
        "take value in {0, 1} or {-1, 1} or pass pos_label explicitly."
    )


def _whole(value: Any) -> bool:
    """A whole number that an int64 holds: to scikit-learn, larger floats are continuous."""
    return abs(value) < 2**63 and float(value).is_integer()


def _two_values(y_true: Any) -> NDArray[Any] | None:
    """The one or two values that a plain numeric column holds; None where there are more."""
    dtype = getattr(y_true, "dtype", None)
    if not (isinstance(dtype, np.dtype) and dtype.kind in "biuf"):
        return None
    column = np.asarray(y_true)
    if column.ndim != 1 or not len(column):
        return None
    low, high = column.min(), column.max()
    if not bool(np.all((column == low) | (column == high))):  # NaN equals nothing
        return None
    return np.array([low] if low == high else [low, high], dtype=dtype)
