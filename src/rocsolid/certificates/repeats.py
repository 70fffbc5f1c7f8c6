"""A 64-bit hash of each row of features, to recognise rows without storing them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs.arrays import column
from rocsolid.inputs.matrices import in_main_memory
from rocsolid.inputs.rows import ARRAY_ROWS
from rocsolid.summaries.stream import stream

Hashes = NDArray[np.uint64]

_STEP = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: spreads the column numbers
_TIMES = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_SHIFTS = tuple(np.uint64(bits) for bits in (30, 27, 31))
_LABEL = 0  # features count from 1
_BITS = 16  # float32 has 24, so its last digits may be those of its arithmetic
_FEATURES = 32  # of wide rows: in all of them some cell lies near an edge of the rounding


@dataclass(frozen=True, slots=True)
class Rounding:
    """A rounding of cells, and the largest number of features that are kept."""

    name: str
    cells: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    features: int | None = None

    def positions(self, columns: int) -> NDArray[np.intp]:
        kept = min(columns, self.features or columns)
        return np.unique(np.linspace(0, columns - 1, kept).round().astype(np.intp))


def row_hashes(
    X: Any, label: NDArray[Any] | None = None, rounding: Rounding | None = None
) -> Hashes:
    """Return a hash for each row; different rows have equal hashes with probability 2⁻⁶⁴.

    A row's hash is the sum modulo 2⁶⁴ of one mixed word for each cell that is not zero (the
    finaliser of SplitMix64; Steele, Lea and Flood 2014), so sparse, dense and tabular features
    agree, whatever the numeric type. ``label`` is one more cell. A hash hides nothing that can be
    guessed: anyone who has a row can compute it. A ``rounding`` finds rows that were copied with
    fewer digits.

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
    """The hashes of rows, and of the same rows with each cell rounded.

    A copy in float32 differs from the rows in nearly every cell, but seldom after rounding to 16
    bits. A copy in float16, or with two or three digits, seldom differs after rounding to two
    digits (``coarse``). Coarse hashes are never stored, because they would let an attacker guess
    rows with few features.
    """

    exact: Hashes
    rounded: Hashes
    coarse: Hashes | None = None

    @classmethod
    def of(cls, X: Any, label: NDArray[Any] | None = None, *, coarse: bool = False) -> RowHashes:
        """Compute the hashes of features, with the label as one more cell if given.

        >>> X = np.array([[0.1, 3.0], [0.7, 5.0]])
        >>> rows, copy = RowHashes.of(X), RowHashes.of(X.astype(np.float32))
        >>> bool(np.any(rows.exact == copy.exact)), bool(np.all(rows.rounded == copy.rounded))
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
    return np.asarray(ends[rows.indptr[1:]] - ends[rows.indptr[:-1]])  # modulo 2⁶⁴


def _columns(X: Any) -> list[NDArray[Any]]:
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
    """Return one word per cell; a zero has the word 0, because a sparse matrix omits it."""
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


def _to_bits(values: NDArray[np.float64]) -> NDArray[np.float64]:
    mantissa, exponent = np.frexp(values)
    return np.asarray(np.ldexp(np.rint(np.ldexp(mantissa, _BITS)), exponent - _BITS))


def _to_two_digits(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round to two significant decimal digits; zeros and infinite values do not change.

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


CELLS = Rounding("", lambda cells: cells)
SIXTEEN_BITS = Rounding("16 bits", _to_bits)
TWO_DIGITS = Rounding("two digits", _to_two_digits, _FEATURES)


def _bits(values: NDArray[Any]) -> Hashes:
    number = values.astype(np.float64) + 0.0  # -0.0 becomes 0.0
    number[np.isnan(number)] = np.nan
    return number.view(np.uint64)


def _text_bits(values: NDArray[Any]) -> Hashes:
    distinct, code = np.unique([str(value) for value in values], return_inverse=True)
    hashes = [
        int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
        for text in distinct.tolist()
    ]
    return np.array(hashes, dtype=np.uint64)[code]


def _mixed(words: Hashes) -> Hashes:
    """Apply SplitMix64's finaliser: each bit of the result depends on all bits of the word."""
    for shift, times in zip(_SHIFTS, _TIMES, strict=False):
        words = words ^ (words >> shift)
        words = words * times
    return words ^ (words >> _SHIFTS[2])


_FINE = "; fitted_on=(X, y) also checks for copies with fewer digits"
_ASSERTED = "asserted: the rows are independent of those that the scorer was fitted on"
_DRAWS = 299
LEVEL = 1 / (_DRAWS + 1)
"""The probability that rows which repeat by chance alone are taken for the fitted ones."""

_KEYS = 50_000  # distinct rows that are split again and again; of more, a share by their hash


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedRows:
    """The number of rows among the fitted ones, and whether chance explains it.

    ``positions`` are the rows that equal a fitted row. ``matched`` is the size of the intersection
    of the two multisets. ``rounded`` names the rounding of the cells, empty if none; ``coarsest``
    is the last rounding that was tried.
    """

    matched: int
    positions: NDArray[np.intp]
    rows: int
    p_value: float
    rounded: str = ""
    coarsest: str = ""

    @property
    def by_chance(self) -> bool:
        return self.p_value > LEVEL


def repeated_rows(fitted: RowHashes, rows: RowHashes) -> RepeatedRows:
    """Compare exact rows with the fitted ones; if chance explains the matches, rounded rows too.

    At most three exact tests are made, so chance alone is rejected with probability at most 1/100.
    """
    repeated = repeats(fitted.exact, rows.exact)
    rounded = [(SIXTEEN_BITS.name, fitted.rounded, rows.rounded)]
    if fitted.coarse is not None and rows.coarse is not None:
        rounded.append((TWO_DIGITS.name, fitted.coarse, rows.coarse))
    for name, before, now in rounded:
        if not repeated.by_chance:
            return repeated
        again = repeats(before, now, rounded=name)
        if again.matched > repeated.matched or not again.by_chance:
            repeated = again
    return replace(repeated, coarsest=rounded[-1][0])


def independence_of(repeated: RepeatedRows | None, independent: bool, unknown: str) -> str:
    """State how independence is known, or reject the rows of the fit."""
    if repeated is None:
        return _ASSERTED if independent else unknown
    if not repeated.matched:
        return (
            "checked: none of the rows equals one that the scorer was fitted on, even rounded to "
            f"{repeated.coarsest}{'' if repeated.coarsest == TWO_DIGITS.name else _FINE}"
        )
    many = f"{len(repeated.positions):,} of {repeated.rows:,} rows equal rows that it was fitted on"
    if repeated.rounded:
        many = f"rounded to {repeated.rounded}, {many}"
    if independent:
        return f"asserted, although {many}"
    if repeated.by_chance:
        return f"checked: {many}, no more than chance explains (p = {repeated.p_value:.3g})"
    raise UnsoundError(
        f"{many}, more than chance explains: these rows make the scorer look better than it is",
        where=ARRAY_ROWS.name(repeated.positions),
        fix="certify on rows not used in the fit, or pass independent=True if these rows "
        "are new and only look the same",
    )


def repeats(fitted: Hashes, rows: Hashes, *, rounded: str = "") -> RepeatedRows:
    """Compare the rows with the fitted ones, given by their hashes.

    Rows with discrete features repeat by chance. If the rows are independent of the fitted ones and
    have the same distribution, which of the pooled rows were fitted on is a random split. Chance
    does not explain the intersection if it is larger than the intersections of 299 random splits,
    which chance causes with probability at most 1/300. If no row repeats within either part, chance
    explains no repeat; ``rounded`` rows are always tested.

    >>> rows = np.arange(10, dtype=np.uint64)
    >>> repeats(rows[:6], rows[5:]).matched, repeats(rows[:6], rows[5:]).by_chance
    (1, False)
    >>> repeats(rows[:6] % 2, rows[6:] % 2).by_chance
    True
    """
    keys, code = np.unique(np.concatenate([fitted, rows]), return_inverse=True)
    before = np.bincount(code[: len(fitted)], minlength=len(keys))
    now = np.bincount(code[len(fitted) :], minlength=len(keys))
    matched = int(np.minimum(before, now).sum())
    positions = np.flatnonzero(before[code[len(fitted) :]] > 0)
    if not matched:
        p_value = 1.0
    elif before.max() == 1 and now.max() == 1 and not rounded:
        p_value = 0.0
    else:
        p_value = _exchangeable(keys, before, now)
    return RepeatedRows(matched, positions, len(rows), p_value, rounded)


def _exchangeable(keys: Hashes, before: NDArray[np.intp], now: NDArray[np.intp]) -> float:
    """Return the share of random splits, the actual one included, that match as many rows."""
    pooled = before + now
    often = pooled > 1
    thinning = -(-int(often.sum()) // _KEYS)
    if thinning > 1:  # a part of the keys, chosen without regard to the split, is split at random
        chosen = keys % np.uint64(thinning) == 0
        before, now, pooled, often = (x[chosen] for x in (before, now, pooled, often))
    # rows that occur once match nothing; together they are one more kind to draw from
    sizes = np.append(pooled[often], pooled[~often].sum())
    shared = int(np.minimum(before, now).sum())
    random, as_many = stream(0), 1
    for _ in range(_DRAWS):
        drawn = random.multivariate_hypergeometric(sizes, int(now.sum()))[:-1]
        as_many += int(np.minimum(drawn, sizes[:-1] - drawn).sum() >= shared)
    return as_many / (_DRAWS + 1)


_NAME = "_fitted_rows"


def remember_rows(scorer: Any, X: Any) -> None:
    """Store two sorted 64-bit hashes of each row of features, so that `certify` recognises them.

    Labels are not stored, because a reader of a row's features could try labels until the hash
    matches.

    >>> from types import SimpleNamespace
    >>> scorer = SimpleNamespace()
    >>> remember_rows(scorer, np.array([[1.0, 2.0], [3.0, 4.0]]))
    >>> fitted, rows = remembered(scorer, np.array([[3.0, 4.0]]))
    >>> bool(rows.exact[0] in fitted.exact)
    True
    """
    hashes = RowHashes.of(X)
    setattr(scorer, _NAME, RowHashes(np.sort(hashes.exact), np.sort(hashes.rounded)))


def remembered(scorer: Any, X: Any) -> tuple[RowHashes, RowHashes] | None:
    """Return the scorer's hashes of its fitted rows, if it stores any, and the hashes of ``X``.

    In a pipeline the last step stores hashes of transformed rows; in a parameter search the best
    estimator does.
    """
    best = getattr(scorer, "best_estimator_", None)
    if best is not None:
        return remembered(best, X)
    steps = getattr(scorer, "steps", None)
    if isinstance(steps, list) and len(steps) > 1:
        last = steps[-1][1]
        if getattr(last, _NAME, None) is None:
            return None
        return remembered(last, scorer[:-1].transform(X))
    fitted = getattr(scorer, _NAME, None)
    return None if fitted is None else (fitted, RowHashes.of(X))
