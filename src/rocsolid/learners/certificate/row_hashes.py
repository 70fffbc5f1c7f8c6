"""A 64-bit number for each row of features, so that rows can be recognised without being kept."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs import column

Hashes = NDArray[np.uint64]

_STEP = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: spreads the column numbers
_TIMES = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_SHIFTS = tuple(np.uint64(bits) for bits in (30, 27, 31))
_LABEL = 0  # features count from 1


def row_hashes(X: Any, label: NDArray[Any] | None = None) -> Hashes:
    """A number for each row: equal rows have equal ones, different rows by accident only (2⁻⁶⁴).

    A row's number is the sum modulo 2⁶⁴ of one mixed word for each cell that is not zero (the
    finaliser of SplitMix64; Steele, Lea and Flood 2014), so that a sparse matrix, the dense one,
    and a table with the same columns agree, whatever the numeric type: 1, 1.0 and True are one
    value, 0.0 and -0.0 too, and all missing values. ``label`` is one more cell. Anybody who has a
    row can find its number: it hides nothing that can be guessed.

    >>> import scipy.sparse
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    >>> dense, sparse = row_hashes(X), row_hashes(scipy.sparse.csr_array(X.astype(np.int8)))
    >>> bool(np.all(dense == sparse)), bool(dense[0] == dense[2]), bool(dense[0] == dense[1])
    (True, True, False)
    """
    total = _sparse(X) if hasattr(X, "tocsr") else _dense(X)
    if label is not None:
        if len(label) != len(total):
            raise InputError(
                f"X has {len(total):,} rows and y has {len(label):,}",
                fix="pass the features and the labels of the same rows",
            )
        total += _words(label, _LABEL)
    return total


def with_scores(rows: Hashes, scores: NDArray[Any]) -> Hashes:
    """A number for each pair of a row and its score."""
    return rows + _words(np.asarray(scores, dtype=np.float64), _LABEL)


def _dense(X: Any) -> Hashes:
    columns = _columns(X)
    total = np.zeros(len(columns[0]), dtype=np.uint64)
    for place, values in enumerate(columns, start=1):
        if len(values) != len(total):
            raise InputError("the columns of X differ in length", where="X")
        total += _words(values, place)
    return total


def _sparse(X: Any) -> Hashes:
    rows = X.tocsr(copy=True)
    rows.sum_duplicates()
    keys = _mixed((rows.indices.astype(np.uint64) + np.uint64(1)) * _STEP)
    words = _mixed(_bits(rows.data) + keys)
    words[rows.data == 0] = 0
    ends = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(words, dtype=np.uint64)])
    total: Hashes = ends[rows.indptr[1:]] - ends[rows.indptr[:-1]]  # modulo 2⁶⁴: sums may wrap
    return total


def _columns(X: Any) -> list[NDArray[Any]]:
    """The columns of an array, a table or a list of rows; whatever has one dimension is one."""
    if hasattr(X, "columns") and not isinstance(X, np.ndarray):
        import narwhals as nw

        frame = nw.from_native(nw.to_native(X, pass_through=True), eager_only=True)
        return [
            column(series, f"X, column {series.name!r}", missing="nan")
            for series in frame.iter_columns()
        ]
    values = np.asarray(X.detach().cpu() if hasattr(X, "detach") else X)
    if values.ndim == 0 or values.size == 0:
        raise InputError("X has no rows", where="X", value=values.shape)
    if values.ndim == 1:
        return [values]
    return list(values.reshape(len(values), -1).T)


def _words(values: NDArray[Any], place: int) -> Hashes:
    """One word a cell; a zero has the word 0, as a sparse matrix leaves it out."""
    key = _mixed(np.full(1, place, dtype=np.uint64) * _STEP)
    number = _numbers(values)
    words = _mixed((_text_bits(values) if number is None else _bits(number)) + key)
    if number is not None:
        words[number == 0] = 0
    return words


def _numbers(values: NDArray[Any]) -> NDArray[np.float64] | None:
    if values.dtype.kind in "biuf":
        return values.astype(np.float64)
    if values.dtype.kind != "O":
        return None
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        return None


def _bits(values: NDArray[Any]) -> Hashes:
    number = values.astype(np.float64) + 0.0  # -0.0 becomes 0.0
    number[np.isnan(number)] = np.nan
    return number.view(np.uint64)


def _text_bits(values: NDArray[Any]) -> Hashes:
    distinct, code = np.unique([str(value) for value in values], return_inverse=True)
    known = [
        int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
        for text in distinct.tolist()
    ]
    return np.array(known, dtype=np.uint64)[code]


def _mixed(words: Hashes) -> Hashes:
    """SplitMix64's finaliser: each bit of the word depends on all of them."""
    for shift, times in zip(_SHIFTS, _TIMES, strict=False):
        words = words ^ (words >> shift)
        words = words * times
    return words ^ (words >> _SHIFTS[2])
