"""Labels and scores of rows, with their weights, frequencies and clusters."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import flag, nearest, one_of
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import (
    check_lengths,
    column,
    is_missing,
    missing_values,
    of_bad_weights,
    of_huge_weights,
    reverse,
    scores,
)
from rocsolid.inputs.delimited import listed
from rocsolid.inputs.groups import codes, hashable
from rocsolid.inputs.matrices import on_device, taken
from rocsolid.inputs.rows import ARRAY_ROWS, Rows

MOST = 500_000_000
"""The largest number of rows after expansion: about 10 GB in memory."""


def frequencies(
    f: Any, n: int, name: str = "frequency", *, rows: Rows = ARRAY_ROWS
) -> NDArray[np.int64]:
    """The frequency of each of ``n`` rows: whole numbers from 0, in any numeric type.

    A row with the frequency 3 stands for three equal rows; a row with the frequency 0 is dropped.

    >>> frequencies([3, 0, 2.0], 3)
    array([3, 0, 2])
    >>> frequencies([1, 2.5], 2)
    Traceback (most recent call last):
    ...
    rocsolid.errors.InputError: a frequency must be a whole number of 0 or more: 2.5 (frequency, row
    1, counting from 0). Fix: count equal rows; put importance into sample_weight.
    """
    values = scores(f, name=name, nan="allow", rows=rows)
    if len(values) != n:
        check_lengths({"y_true": n, name: len(values)})
    if values.dtype.kind == "f":
        bad = ~((values >= 0) & (values == np.floor(values)) & np.isfinite(values))
    else:
        bad = values < 0
    if bad.any():
        raise InputError(
            "a frequency must be a whole number of 0 or more",
            where=rows.where(name, bad),
            value=values[np.argmax(bad)],
            fix="count equal rows; put importance into sample_weight",
        )
    total = float(values.sum(dtype=np.float64))
    if not 0.0 < total <= MOST:
        raise InputError(
            "no row has a frequency above 0" if total == 0.0 else "too many rows after expansion",
            where=name,
            value=int(total),
            fix=f"choose frequencies that sum to at least 1 and at most {MOST:,}",
        )
    return values.astype(np.int64)


def sample_weights(
    w: Any, n: int, name: str = "sample_weight", *, rows: Rows = ARRAY_ROWS
) -> NDArray[np.float64]:
    """The weights of ``n`` rows: zero is legal, negative and infinite weights are errors.

    >>> sample_weights([1, 0, 2.5], 3)
    array([1. , 0. , 2.5])
    >>> sample_weights([1, -2, 1], 3)
    Traceback (most recent call last):
    rocsolid.errors.InputError: weights must be finite and not negative: -2.0 (sample_weight, row 1,
    counting from 0). Fix: ...
    """
    values = scores(w, name=name, nan="allow", rows=rows).astype(np.float64, copy=False)
    if len(values) != n:
        check_lengths({"y_true": n, name: len(values)})
    bad = ~(values >= 0) | np.isinf(values)
    if bad.any():
        raise of_bad_weights(rows.where(name, bad), values[np.argmax(bad)])
    with np.errstate(over="ignore"):
        total = values.sum()
    if np.isinf(total):
        raise of_huge_weights(name, value=values.max())
    return values


_CHUNK = 1 << 16  # rows worked on at a time, so that the second look at them is in the cache
_SHOWN = 5
_USUAL_POSITIVES = ("yes", "true", "positive", "pos", "y", "t", "case", "relevant")


def positives(
    y_true: Any, *, pos_label: Any = None, name: str = "y_true", rows: Rows = ARRAY_ROWS
) -> NDArray[np.bool_]:
    """Return which rows are positive.

    Without ``pos_label`` the labels are booleans, 0 and 1, or -1 and 1. With ``pos_label``, the
    rows with that label are positive and all others negative; the label must occur. A missing label
    is an error. One class alone is legal here.

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
    """A positive label typed on a command line, which takes the type of the labels."""

    __slots__ = ()


def pos_label_from_text(text: str, y_true: Any) -> Any:
    """Convert a ``pos_label`` typed on a command line to the type of the labels where possible.

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
    """Return the mask of ``y`` = 1 if all other values are 0, or all are -1; otherwise None."""
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
    """Convert an object array of numbers or booleans to that type; refuse missing values."""
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
        raise _absent(y, pos_label, name, rows)
    return mask


def _absent(y: NDArray[Any], pos_label: Any, name: str, rows: Rows) -> InputError:
    present = _distinct(y, name, rows)
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
    present = _distinct(y, name, rows)
    usual = [v for v in present if str(v).strip().casefold() in _USUAL_POSITIVES]
    if len(present) > 2:
        what = f"labels must have two values, not {len(present):,}: {listed(present, _SHOWN)}"
        fix = "name the positive label with pos_label=...; all others then count as negative"
        if _looks_continuous(y):
            fix = "check that labels and scores are not swapped, or " + fix
    else:
        what = f"labels must be 0 and 1, -1 and 1, or booleans, not {listed(present, _SHOWN)}"
        either = " or ".join(f"pos_label={label!r}" for label in present)
        fix = f"name the positive label: {either}"
        if usual:
            fix = f"name the positive label, such as pos_label={usual[-1]!r}"
    return InputError(what, where=name, fix=fix)


def _looks_continuous(y: NDArray[Any]) -> bool:
    return y.dtype.kind == "f" and bool((y != np.rint(y)).any())


def _distinct(y: NDArray[Any], name: str, rows: Rows) -> list[Any]:
    if y.dtype.kind != "O":
        return [v.item() if hasattr(v, "item") else v for v in np.unique(y)]
    try:
        distinct = list(dict.fromkeys(y.tolist()))
    except TypeError:
        row = next(i for i, value in enumerate(y) if not hashable(value))
        raise InputError(
            "a label is not a single value", where=f"{name}, {rows.name([row])}", value=y[row],
            fix="write one value there, or leave the row out",
        ) from None  # fmt: skip
    try:
        return sorted(distinct)
    except TypeError:
        return distinct


@dataclass(frozen=True, slots=True)
class BinaryRows:
    """Rows ready to be ranked: a higher ``score`` is better, and no score is NaN.

    ``omitted`` counts the rows that were left out because their score was missing. Arrays may
    belong to the caller, so they must not be modified. ``evened`` states that weights were given
    and are all equal, so that rows are counted. ``there`` is the same score on a device that can
    sort it. ``kept`` caches what an engine has computed from exactly these rows.
    """

    positive: NDArray[np.bool_]
    score: NDArray[Any]
    weight: NDArray[np.float64] | None = None
    cluster: NDArray[np.int64] | None = None
    omitted: int = 0
    there: Any = None
    evened: bool = False
    kept: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.positive)

    def copied(self) -> BinaryRows:
        """The same rows in new arrays, for computations that run later."""
        copy = BinaryRows(
            self.positive.copy(),
            self.score.copy(),
            None if self.weight is None else self.weight.copy(),
            self.cluster,
            self.omitted,
            self.there,
            self.evened,
        )
        copy.kept.update(self.kept)
        return copy

    def subset(self, rows: NDArray[np.intp] | NDArray[np.bool_], omitted: int = 0) -> BinaryRows:
        """Some of the rows; clusters are renumbered."""
        return BinaryRows(
            self.positive[rows],
            self.score[rows],
            None if self.weight is None else self.weight[rows],
            None if self.cluster is None else codes(self.cluster[rows])[0],
            omitted,
            None if self.there is None or rows.dtype != np.bool_ else taken(self.there, rows),
            self.evened,
        )


def binary_rows(
    y_true: Any,
    y_score: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    frequency: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    name: str = "y_score",
) -> BinaryRows:
    """Validate the labels, scores, weights and cluster keys of the same rows.

    ``nan="omit"`` leaves out the rows whose **score** is missing and counts them; a missing label,
    weight or cluster is an error. A row is repeated by its ``frequency``. ``lower_is_better``
    reverses the order of the scores exactly (`reverse`).

    >>> rows = binary_rows([0, 1, 1], [0.2, float("nan"), 0.7], nan="omit")
    >>> rows.score, rows.omitted
    (array([0.2, 0.7]), 1)
    """
    one_of(nan, ("raise", "omit"), "nan")
    flag(lower_is_better, "lower_is_better")
    positive = positives(y_true, pos_label=pos_label)
    score = scores(y_score, name=name, nan="raise" if nan == "raise" else "allow")
    check_lengths({"y_true": len(positive), name: len(score)})
    n = len(positive)
    weight = None if sample_weight is None else sample_weights(sample_weight, n)
    group = None
    if cluster is not None:
        group = codes(cluster)[0]
        check_lengths({"y_true": n, "cluster": len(group)})
    if frequency is not None:
        times = frequencies(frequency, n)
        n = int(times.sum())
        positive, score = np.repeat(positive, times), np.repeat(score, times)
        weight = None if weight is None else np.repeat(weight, times)
        # a cluster whose rows were never seen is none
        group = None if group is None else codes(np.repeat(group, times))[0]
    omitted = 0
    if nan == "omit" and score.dtype.kind == "f":
        keep = ~np.isnan(score)
        omitted = n - int(np.count_nonzero(keep))
        if omitted == n:
            raise every_score_missing(name)
        if omitted:
            positive, score = positive[keep], score[keep]
            weight = None if weight is None else weight[keep]
            # a cluster that lost all its rows is no cluster any more
            group = None if group is None else codes(group[keep])[0]
    unchanged = frequency is None and not omitted
    there = on_device(y_score, score, descending=lower_is_better) if unchanged else None
    if lower_is_better:
        score = reverse(score)
    evened = weight is not None and len(weight) > 0 and bool(weight.min() == weight.max() > 0.0)
    if evened:
        weight = None  # equal weights weigh nothing: rows are counted
    return BinaryRows(positive, score, weight, group, omitted, there, evened)


def every_score_missing(where: str) -> InputError:
    return InputError(
        "every score is missing, so no row is left", where=where, fix="name a column with scores"
    )


def unclustered(rows: BinaryRows) -> BinaryRows:
    return rows if rows.cluster is None else replace(rows, cluster=None)
