"""The scores that an estimator, a function or a column assigns to rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    """Return one score per row, higher for a more probable positive.

    The first of ``decision_function``, ``predict_proba`` and ``predict`` that the scorer has is
    called, and a function is called with X; anything else is a column of scores. The positive class
    is the second of ``classes_`` unless ``pos_label`` is given; a decision function for the other
    class is reversed.

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
            fix="pass X, or the column of its scores instead of the scorer",
        )
    if method is None:
        return _one_column(scorer(X), "scores of the function")
    output = getattr(scorer, method)(X)
    name = f"{name_of(scorer)}.{method}"
    if method == "predict":
        return _one_column(output, name)
    first = first_is_positive(scorer, pos_label)
    if method == "predict_proba":
        table = np.asarray(in_main_memory(output, name))
        two_classes = table.ndim == 2 and table.shape[1] == 2
        return _one_column(table[:, 0 if first else 1] if two_classes else output, name)
    column = _one_column(output, name)
    return reverse(column) if first else column


def name_of(scorer: Any) -> str:
    """Return the name of the scorer in a certificate.

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


def named_candidates(models: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    """Return the candidates by name; candidates in a list are numbered."""
    if isinstance(models, Mapping):
        named = {str(name): scorer for name, scorer in models.items()}
        if len(named) < len(models):
            raise InputError("two names read the same", where="models", value=list(models))
    elif isinstance(models, list | tuple):
        named = {f"{name_of(scorer)} {at}": scorer for at, scorer in enumerate(models, start=1)}
    else:
        raise InputError(
            f"candidates are a mapping of names to scorers, or a list, not a "
            f"{type(models).__name__}",
            where="models",
            fix='pass {"a": scorer_a, "b": scorer_b}',
        )
    if not named:
        raise InputError("there is no candidate", where="models", fix="pass at least one scorer")
    return named


def _called(scorer: Any) -> bool:
    return callable(scorer) and not hasattr(scorer, "__array__")


def first_is_positive(scorer: Any, pos_label: Any) -> bool:
    """Return whether ``pos_label`` is the first of the scorer's two classes."""
    classes = getattr(scorer, "classes_", None)
    if pos_label is None or classes is None or len(classes) != 2:
        return False
    is_positive = [bool(label == pos_label) for label in classes]
    if not any(is_positive):
        raise InputError(
            f"{name_of(scorer)} was fitted on the classes {list(classes)!r}",
            where="pos_label",
            value=pos_label,
            fix="pass the class that is positive",
        )
    return is_positive[0]


def _one_column(output: Any, name: str) -> NDArray[Any]:
    shape = getattr(output, "shape", None)
    if shape is None or len(shape) != 2:
        return every_score(output, name)
    if shape[1] != 1:
        raise InputError(
            f"{name} returns {shape[1]} columns, but one score per row is needed",
            where="scorer",
            fix="pass a function that returns the score of the positive class",
        )
    return every_score(
        output.reshape(-1) if hasattr(output, "reshape") else output.iloc[:, 0], name
    )


def every_score(output: Any, name: str, rows: Rows = ARRAY_ROWS) -> NDArray[Any]:
    """Return a valid score for every row, because a certificate is about all rows.

    >>> every_score([0.2, None], "scores")
    Traceback (most recent call last):
    rocsolid.errors.InputError: a row has no score, but a certificate needs a score for every row
    (scores, row 1, counting from 0). Fix: score every row, also those without an answer.
    """
    column = valid_scores(output, name=name, nan="allow", rows=rows)
    if column.dtype.kind == "f" and np.isnan(column).any():
        raise unscored(rows.where(name, np.isnan(column)))
    return column


def unscored(where: str) -> InputError:
    return InputError(
        "a row has no score, but a certificate needs a score for every row",
        where=where,
        fix="score every row, also those without an answer",
    )
