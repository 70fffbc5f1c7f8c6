"""A 64-bit number for each row of features, so that rows can be recognised without being kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs import column
from rocsolid.inputs.tensors import in_main_memory

Hashes = NDArray[np.uint64]

_STEP = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: spreads the column numbers
_TIMES = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_SHIFTS = tuple(np.uint64(bits) for bits in (30, 27, 31))
_LABEL = 0  # features count from 1
_BITS = 16  # float32 has 24, so its last digits may be those of its arithmetic
_FEATURES = 32  # of wide rows: in all of them some cell lies near an edge of the rounding


@dataclass(frozen=True, slots=True)
class Rounding:
    """What is kept of a cell, and of how many features at most, evenly spaced among all."""

    name: str
    cells: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    features: int | None = None

    def positions(self, columns: int) -> NDArray[np.intp]:
        """The features that are kept, counting from 0."""
        kept = min(columns, self.features or columns)
        return np.unique(np.linspace(0, columns - 1, kept).round().astype(np.intp))


def row_hashes(
    X: Any, label: NDArray[Any] | None = None, rounding: Rounding | None = None
) -> Hashes:
    """A number for each row: equal rows have equal ones, different rows by accident only (2⁻⁶⁴).

    A row's number is the sum modulo 2⁶⁴ of one mixed word for each cell that is not zero (the
    finaliser of SplitMix64; Steele, Lea and Flood 2014), so that a sparse matrix, the dense one,
    and a table with the same columns agree, whatever the numeric type: 1, 1.0 and True are one
    value, 0.0 and -0.0 too, and all missing values. ``label`` is one more cell. Anybody who has a
    row can find its number: it hides nothing that can be guessed. A ``rounding`` is for rows that
    were copied with fewer digits.

    >>> import scipy.sparse
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    >>> dense, sparse = row_hashes(X), row_hashes(scipy.sparse.csr_array(X.astype(np.int8)))
    >>> bool(np.all(dense == sparse)), bool(dense[0] == dense[2]), bool(dense[0] == dense[1])
    (True, True, False)
    """
    kept = CELLS if rounding is None else rounding
    total = _sparse(X, kept) if hasattr(X, "tocsr") else _dense(X, kept)
    if label is not None:
        if len(label) != len(total):
            raise InputError(
                f"X has {len(total):,} rows and y has {len(label):,}",
                fix="pass the features and the labels of the same rows",
            )
        total += _words(label, _LABEL)
    return total


@dataclass(frozen=True, slots=True, eq=False)
class RowHashes:
    """The numbers of rows as they are, and of the same rows with each cell rounded.

    A copy in float32, and one that a pipeline transformed in float32, differ from the rows in
    nearly every cell, but seldom by a step of a rounding to 16 bits; a copy in float16, or with two
    or three digits, seldom by one to two digits (``coarse``). Whoever guesses rows finds those of
    few features by their coarse numbers, so these are for comparing only and never kept.
    """

    exact: Hashes
    rounded: Hashes
    coarse: Hashes | None = None

    @classmethod
    def of(cls, X: Any, label: NDArray[Any] | None = None, *, coarse: bool = False) -> RowHashes:
        """Of features and where given the label as one more cell.

        >>> X = np.array([[0.1, 3.0], [0.7, 5.0]])
        >>> one, other = RowHashes.of(X), RowHashes.of(X.astype(np.float32))
        >>> bool(np.any(one.exact == other.exact)), bool(np.all(one.rounded == other.rounded))
        (False, True)
        """
        return cls(
            row_hashes(X, label),
            row_hashes(X, label, SIXTEEN_BITS),
            row_hashes(X, label, TWO_DIGITS) if coarse else None,
        )


def _dense(X: Any, kept: Rounding) -> Hashes:
    columns = _columns(X)
    total = np.zeros(len(columns[0]), dtype=np.uint64)
    if any(len(values) != len(total) for values in columns):
        raise InputError("the columns of X differ in length", where="X")
    for position in kept.positions(len(columns)).tolist():
        total += _words(columns[position], position + 1, kept)
    return total


def _sparse(X: Any, kept: Rounding) -> Hashes:
    rows = X.tocsr(copy=True)
    rows.sum_duplicates()
    keys = _mixed((rows.indices.astype(np.uint64) + np.uint64(1)) * _STEP)
    data = kept.cells(rows.data.astype(np.float64))
    words = _mixed(_bits(data) + keys)
    words[data == 0] = 0
    if len(positions := kept.positions(rows.shape[1])) < rows.shape[1]:
        words[~np.isin(rows.indices, positions)] = 0
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
    values = np.asarray(in_main_memory(X, "X"))
    if values.ndim == 0 or values.size == 0:
        raise InputError("X has no rows", where="X", value=values.shape)
    if values.ndim == 1:
        return [values]
    return list(values.reshape(len(values), -1).T)


def _words(values: NDArray[Any], position: int, kept: Rounding | None = None) -> Hashes:
    """One word a cell; a zero has the word 0, as a sparse matrix leaves it out."""
    key = _mixed(np.full(1, position, dtype=np.uint64) * _STEP)
    number = _numbers(values)
    if kept is not None and number is not None:
        number = kept.cells(number)
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


def _as_they_are(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return values


def _to_bits(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """To the nearest number of so many significant bits."""
    mantissa, exponent = np.frexp(values)
    return np.asarray(np.ldexp(np.rint(np.ldexp(mantissa, _BITS)), exponent - _BITS))


def _to_two_digits(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """To two significant decimal digits; what is 0 or not finite stays.

    >>> _to_two_digits(np.array([0.0996, 0.1, -1234.0, 0.0, np.inf])).tolist()
    [0.1, 0.1, -1200.0, 0.0, inf]
    """
    rounded = values.copy()
    usual = np.isfinite(values) & (np.abs(values) > 1e-290)
    size = np.floor(np.log10(np.abs(values[usual])))
    digits = np.rint(values[usual] / 10.0 ** (size - 1.0))
    over = np.abs(digits) >= 100.0  # 99.6 has become 100: 10 with one zero more
    rounded[usual] = np.where(over, np.sign(digits) * 10.0, digits) * 10.0 ** (size - 1.0 + over)
    return rounded


CELLS = Rounding("", _as_they_are)
SIXTEEN_BITS = Rounding("16 bits", _to_bits)
TWO_DIGITS = Rounding("two digits", _to_two_digits, _FEATURES)


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
