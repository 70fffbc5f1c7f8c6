"""A column that nobody named, and that looks like the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.groups import codes

FOLD_NAMES = frozenset(
    {"cv", "cv_fold", "cvfold", "fold", "fold_id", "folds", "k_fold", "kfold", "split"}
)
_MOST = 20  # folds


def fold_like(names: Sequence[str]) -> list[str]:
    """The names that folds usually have, whatever their case, each of one column.

    >>> fold_like(["y", "Fold", "folder"])
    ['Fold']
    """
    return [
        name for name in names if name.strip().casefold() in FOLD_NAMES and names.count(name) == 1
    ]


def unnamed_folds(columns: Mapping[str, Any], label: NDArray[Any]) -> tuple[str, ...]:
    """A warning for the first of these columns that has few values, each with rows of two classes.

    A column that cannot be one of folds, as some rows lack it, says nothing.

    >>> unnamed_folds({"fold": [1, 1, 2, 2]}, np.array([0, 1, 0, 1]))[0]
    "The column 'fold' looks like folds of a cross-validation. ..."
    >>> unnamed_folds({"fold": [1, 1, 2, 2]}, np.array([0, 0, 1, 1]))
    ()
    """
    for name, values in columns.items():
        try:
            of_fold, folds = codes(values, name)
            of_label, labels = codes(label, "label")
        except InputError:
            continue
        if not (2 <= len(folds) <= _MOST and len(labels) == 2 and len(of_fold) == len(of_label)):
            continue
        if np.bincount(2 * of_fold + of_label, minlength=2 * len(folds)).all():
            return (
                f"The column {name!r} looks like folds of a cross-validation. If each row was "
                "scored by the model of its fold, different models share this ranking, and no "
                f"interval here knows that: evaluate with fold={name!r}, or rename the column if "
                "it means something else.",
            )
    return ()
