"""Detect columns that were not named but look like the folds of a cross-validation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.groups import codes
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.tables import FoldColumn, OutOfFoldScore

FOLD_NAMES = frozenset(
    {"cv", "cv_fold", "cvfold", "fold", "fold_id", "folds", "k_fold", "kfold", "split"}
)
_MOST = 20  # folds
_OUT_OF_FOLD = re.compile(r"(^|[^a-z])(oof|out[-_ ]of[-_ ]folds?|cross[-_ ]val[a-z]*)([^a-z]|$)")


def fold_like(names: Iterable[str]) -> list[str]:
    """Return the unique column names that folds usually have, in any case.

    >>> fold_like(["y", "Fold", "folder"])
    ['Fold']
    """
    every = list(names)
    return [
        name for name in every if name.strip().casefold() in FOLD_NAMES and every.count(name) == 1
    ]


def looks_like_folds(values: Any, label: NDArray[Any]) -> bool:
    """Return whether a column has few values, each with rows of two classes, and none missing.

    >>> looks_like_folds([1, 1, 2, 2], np.array([0, 1, 0, 1]))
    True
    >>> looks_like_folds([1, 1, 2, 2], np.array([0, 0, 1, 1]))
    False
    """
    try:
        of_fold, folds = codes(values, "fold")
        of_label, labels = codes(label, "label")
    except InputError:
        return False
    if not (2 <= len(folds) <= _MOST and len(labels) == 2 and len(of_fold) == len(of_label)):
        return False
    return bool(np.bincount(2 * of_fold + of_label, minlength=2 * len(folds)).all())


def unnamed_folds(columns: Iterable[str], scores: Iterable[str]) -> tuple[Remark, ...]:
    """Warn of the first column that looks like folds, or the first score named out-of-fold.

    >>> unnamed_folds(["fold"], [])[0]
    "The column 'fold' looks like folds of a cross-validation. ..."
    >>> unnamed_folds([], ["risk", "oof_risk"])[0]
    "The score 'oof_risk' is called out-of-fold, so ..."
    """
    for name in columns:
        return (FoldColumn(name),)
    for name in scores:
        if _OUT_OF_FOLD.search(name.casefold()):
            return (OutOfFoldScore(name),)
    return ()
