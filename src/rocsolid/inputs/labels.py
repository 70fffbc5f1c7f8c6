"""Labels become a boolean array: which rows are positive."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import nearest
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import column, is_missing, missing_values
from rocsolid.inputs.rows import ARRAY_ROWS, Rows
from rocsolid.inputs.wanted import listed

_CHUNK = 1 << 16  # rows worked on at a time, so that the second look at them is in the cache
_SHOWN = 5
_USUAL_POSITIVES = ("yes", "true", "positive", "pos", "y", "t", "case", "relevant")


def positives(
    y_true: Any, *, pos_label: Any = None, name: str = "y_true", rows: Rows = ARRAY_ROWS
) -> NDArray[np.bool_]:
    """Which rows are positive.

    Without ``pos_label`` the labels are booleans, or 0 and 1, or -1 and 1, in any numeric type.
    With it, the rows whose label equals it are positive and all others negative, whatever the
    labels are; it must occur. A missing label is always an error. One class alone is legal here:
    whether a measure needs both is for the measure to say.

    >>> positives([-1, 1, 1])
    array([False,  True,  True])
    >>> positives(["no", "yes"], pos_label="yes")
    array([False,  True])
    >>> positives(["no", "yes"])
    Traceback (most recent call last):
    rocsolid.errors.InputError: labels must be 0 and 1, -1 and 1, or booleans, not 'no' and 'yes'
    (y_true). Fix: name the positive label, such as pos_label='yes'.
    """
    y = column(y_true, name, rows=rows)
    if y.dtype.kind == "O":
        y = _plain(y, name, rows)
    if pos_label is not None:
        return _equal_to(y, pos_label, name, rows)
    if y.dtype.kind == "b":
        return y
    if y.dtype.kind in "iuf":
        mask = _ones(y)
        if mask is not None:
            return mask
    raise _not_binary(y, name, rows)


class TextLabel(str):
    """A positive label typed on a command line; it takes the type of the labels."""

    __slots__ = ()


def pos_label_from_text(text: str, y_true: Any) -> Any:
    """A ``pos_label`` typed on a command line, in the type of the labels where it reads as one.

    >>> pos_label_from_text("2", [1, 2]), pos_label_from_text("2", ["1", "2"])
    (2, '2')
    """
    kind = column(y_true, "y_true").dtype.kind
    if kind == "b" and text.lower() in {"true", "false"}:
        return text.lower() == "true"
    if kind in "biuf":
        for read in (int, float):
            try:
                return read(text)
            except ValueError:
                continue
    return text


def _ones(y: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Where ``y`` is 1, if all the rest is 0 or all the rest is -1; otherwise None.

    Counting the ones and the non-zeros settles it without sorting and without another large array.
    """
    mask = np.empty(len(y), dtype=np.bool_)
    ones = others = 0
    for start in range(0, len(y), _CHUNK):
        part = y[start : start + _CHUNK]
        is_one = np.equal(part, 1, out=mask[start : start + _CHUNK])
        ones += int(np.count_nonzero(is_one))
        others += int(np.count_nonzero(part))
    if ones == others:
        return mask
    minus = sum(np.count_nonzero(y[i : i + _CHUNK] == -1) for i in range(0, len(y), _CHUNK))
    return mask if ones + minus == len(y) else None


def _plain(y: NDArray[Any], name: str, rows: Rows) -> NDArray[Any]:
    """An object array as numbers or booleans if that is what it holds; missing values refused."""
    bad = np.fromiter(map(is_missing, y), dtype=np.bool_, count=len(y))
    if bad.any():
        raise missing_values(name, bad, rows)
    if all(isinstance(v, bool | int | float | np.number | np.bool_) for v in y):
        values = np.asarray(y.tolist())
        return values if values.ndim == 1 else y
    return y


def _equal_to(y: NDArray[Any], pos_label: Any, name: str, rows: Rows) -> NDArray[np.bool_]:
    if hasattr(pos_label, "ndim") and not isinstance(pos_label, np.generic):
        raise InputError(
            f"the positive label is one value, not a {type(pos_label).__name__}",
            where="pos_label",
            value=pos_label,
            fix="pass pos_label=x.item() for an array x of one value",
        )
    if is_missing(pos_label):
        raise InputError("a missing value cannot be the positive label", value=pos_label)
    _no_nan(y, name, rows)
    number = isinstance(pos_label, bool | int | float | np.number | np.bool_)
    comparable = {"U": isinstance(pos_label, str), "S": isinstance(pos_label, bytes), "O": True}
    if y.dtype.kind == "O":
        mask = np.fromiter((v == pos_label for v in y), dtype=np.bool_, count=len(y))
    elif comparable.get(y.dtype.kind, number or y.dtype.kind not in "biuf"):
        mask = np.asarray(y == pos_label, dtype=np.bool_)
    else:
        mask = np.zeros(len(y), dtype=np.bool_)
    if len(y) and not mask.any():
        raise _absent(y, pos_label, name)
    return mask


def _absent(y: NDArray[Any], pos_label: Any, name: str) -> InputError:
    present = _distinct(y)
    by_text = {str(v): v for v in present}
    text = str(pos_label)
    near = text if text in by_text else nearest(text, by_text)
    fix = "use one that occurs"
    if near is not None:
        fix += f", such as pos_label={by_text[near]!r}"
    return InputError(
        f"no label equals pos_label={pos_label!r}; the labels are {listed(present, _SHOWN)}",
        where=name,
        fix=fix,
    )


def _no_nan(y: NDArray[Any], name: str, rows: Rows) -> None:
    if y.dtype.kind in "fcmM":
        bad = np.isnat(y) if y.dtype.kind in "mM" else np.isnan(y)
        if bad.any():
            raise missing_values(name, bad, rows)


def _not_binary(y: NDArray[Any], name: str, rows: Rows) -> InputError:
    _no_nan(y, name, rows)
    present = _distinct(y)
    usual = [v for v in present if str(v).strip().casefold() in _USUAL_POSITIVES]
    guess = (usual or present)[-1]
    if len(present) > 2:
        what = f"labels must have two values, not {len(present):,}: {listed(present, _SHOWN)}"
        fix = "name the positive label with pos_label=...; all others then count as negative"
        if _looks_continuous(y):
            fix = "check that labels and scores are not exchanged, or " + fix
    else:
        what = f"labels must be 0 and 1, -1 and 1, or booleans, not {listed(present, _SHOWN)}"
        fix = f"name the positive label, such as pos_label={guess!r}"
    return InputError(what, where=name, fix=fix)


def _looks_continuous(y: NDArray[Any]) -> bool:
    return y.dtype.kind == "f" and bool((y != np.rint(y)).any())


def _distinct(y: NDArray[Any]) -> list[Any]:
    """The distinct labels as plain Python values, sorted where they can be."""
    if y.dtype.kind != "O":
        return [v.item() if hasattr(v, "item") else v for v in np.unique(y)]
    try:
        distinct = list(dict.fromkeys(y.tolist()))
    except TypeError:
        raise InputError(
            "a label is not a single value", value=y[0], fix="pass one value a row"
        ) from None
    try:
        return sorted(distinct)
    except TypeError:
        return distinct
