"""The scores that anything gives rows: an estimator, a function, or a column that is there."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs import ARRAY_ROWS, Rows
from rocsolid.inputs import scores as valid_scores
from rocsolid.inputs.arrays import reverse
from rocsolid.inputs.matrices import in_main_memory

COLUMN = "a column of scores"
_METHODS = ("decision_function", "predict_proba", "predict")


def scores_of(scorer: Any, X: Any, *, pos_label: Any = None) -> NDArray[Any]:
    """One score a row, higher for what is more probably positive.

    A scorer with ``decision_function``, ``predict_proba`` or ``predict`` is asked in this order,
    and a function is called with X; anything else is a column of scores. Of probabilities for two
    classes that of the positive class is taken, the second of ``classes_`` unless ``pos_label``
    says otherwise, and a decision function is reversed where it is for the other class.

    >>> scores_of(lambda X: X[:, 0] - X[:, 1], np.array([[3.0, 1.0], [0.0, 2.0]]))
    array([ 2., -2.])
    >>> scores_of([0.2, 0.7], None)
    array([0.2, 0.7])
    """
    if isinstance(scorer, type):
        raise InputError(
            f"{scorer.__name__} is a class, not a fitted scorer",
            where="scorer",
            fix=f"fit one first: {scorer.__name__}(...).fit(X, y) on other rows",
        )
    method = next((name for name in _METHODS if callable(getattr(scorer, name, None))), None)
    if method is None and not _called(scorer):
        return _one_column(scorer, "scorer")
    if X is None:
        raise InputError(
            f"{name_of(scorer)} needs rows to score",
            where="X",
            fix="pass X, or the column of its scores in place of the scorer",
        )
    if method is None:
        return _one_column(scorer(X), "scores of the function")
    output = getattr(scorer, method)(X)
    name = f"{name_of(scorer)}.{method}"
    if method == "predict":
        return _one_column(output, name)
    first = first_is_positive(scorer, pos_label)
    if method == "predict_proba":
        return _probability(output, name, first)
    column = _one_column(output, name)
    return reverse(column) if first else column


def name_of(scorer: Any) -> str:
    """What a certificate calls the scorer.

    >>> name_of([0.2, 0.7]), name_of(np.zeros(2)), name_of(name_of)
    ('a column of scores', 'a column of scores', 'name_of')
    """
    steps = getattr(scorer, "steps", None)
    if isinstance(steps, list) and steps:
        return f"{type(scorer).__name__}({', '.join(name_of(step) for _, step in steps)})"
    if any(callable(getattr(scorer, name, None)) for name in (*_METHODS, "fit", "transform")):
        return type(scorer).__name__
    if not _called(scorer):
        return COLUMN
    own = getattr(scorer, "__name__", type(scorer).__name__)
    return "a function" if own == "<lambda>" else str(own)


def _called(scorer: Any) -> bool:
    return callable(scorer) and not hasattr(scorer, "__array__")


def first_is_positive(scorer: Any, pos_label: Any) -> bool:
    """Whether ``pos_label`` is the first of the scorer's two classes."""
    classes = getattr(scorer, "classes_", None)
    if pos_label is None or classes is None or len(classes) != 2:
        return False
    which = [bool(label == pos_label) for label in classes]
    if not any(which):
        raise InputError(
            f"{name_of(scorer)} was fitted on the classes {list(classes)!r}",
            where="pos_label",
            value=pos_label,
            fix="name the one of them that is the positive class",
        )
    return which[0]


def _probability(output: Any, name: str, first: bool) -> NDArray[Any]:
    table = np.asarray(in_main_memory(output, name))
    if table.ndim == 2 and table.shape[1] == 2:
        return _one_column(table[:, 0 if first else 1], name)
    return _one_column(output, name)


def _one_column(output: Any, name: str) -> NDArray[Any]:
    shape = getattr(output, "shape", None)
    if shape is None or len(shape) != 2:
        return every_score(output, name)
    if shape[1] != 1:
        raise InputError(
            f"{name} gives {shape[1]} columns, and one score a row is needed",
            where="scorer",
            fix="pass a function that returns the score of the class that counts as positive",
        )
    return every_score(
        output.reshape(-1) if hasattr(output, "reshape") else output.iloc[:, 0], name
    )


def every_score(output: Any, name: str, rows: Rows = ARRAY_ROWS) -> NDArray[Any]:
    """A valid score for every row: what a scorer says nothing about cannot be certified.

    >>> every_score([0.2, None], "scores")
    Traceback (most recent call last):
    rocsolid.errors.InputError: a row has no score, and a certificate is about all of them (scores,
    row 1, counting from 0). Fix: score every row, the ones without an answer too.
    """
    column = valid_scores(output, name=name, nan="allow", rows=rows)
    if column.dtype.kind == "f" and np.isnan(column).any():
        raise unscored(rows.where(name, np.isnan(column)))
    return column


def unscored(where: str) -> InputError:
    """The error for rows without a score."""
    return InputError(
        "a row has no score, and a certificate is about all of them",
        where=where,
        fix="score every row, the ones without an answer too",
    )
