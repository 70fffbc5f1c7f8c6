"""The folds and the segments of rows; folds that cannot be tested are errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, OneClassError, UnsoundError
from rocsolid.inputs.arrays import check_lengths
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.groups import codes, combined, plain
from rocsolid.inputs.rows import ARRAY_ROWS, Rows
from rocsolid.inputs.tables import Table


@dataclass(frozen=True, slots=True, eq=False)
class Folds:
    """The fold of each row from 0, the names of the folds, and their repeats.

    Each repeat has folds of its own. ``unit`` is the name of each row's cluster, for messages.
    """

    code: NDArray[np.int64]
    names: tuple[str, ...]
    repeat: NDArray[np.int64]
    unit: NDArray[Any] | None = None

    def __len__(self) -> int:
        return len(self.names)

    @property
    def repeats(self) -> int:
        return len(np.unique(self.repeat))

    @property
    def a_repeat(self) -> float:
        """The mean number of folds per repeat."""
        return len(self) / self.repeats

    def subset(self, at: NDArray[np.intp]) -> Folds:
        """The folds of some of the rows; folds without remaining rows are dropped."""
        kept, code = np.unique(self.code[at], return_inverse=True)
        names = tuple(self.names[number] for number in kept)
        unit = None if self.unit is None else self.unit[at]
        return Folds(code.astype(np.int64), names, self.repeat[kept], unit)


def folds_of(
    fold: Any, repeat: Any = None, *, cluster: Any = None, rows: Rows = ARRAY_ROWS
) -> Folds:
    """The folds that columns name, at least two in each repeat; ``cluster`` names rows' clusters.

    >>> found = folds_of([1, 2, 1, 2], ["a", "a", "b", "b"])
    >>> found.code.tolist(), found.names, found.repeats
    ([0, 1, 2, 3], ('1 of a', '2 of a', '1 of b', '2 of b'), 2)
    """
    code, keys = codes(fold, "fold", rows=rows)
    if repeat is None:
        names, of_fold = tuple(str(plain(key)) for key in keys), np.zeros(len(keys), dtype=np.int64)
    else:
        repeats_code, of_repeat = codes(repeat, "repeat", rows=rows)
        check_lengths({"fold": len(code), "repeat": len(repeats_code)})
        code, (of_fold, inner) = combined([(repeats_code, np.arange(len(of_repeat))), (code, keys)])
        names = tuple(
            f"{plain(k)} of {plain(of_repeat[r])}" for r, k in zip(of_fold, inner, strict=True)
        )
    alone = np.flatnonzero(np.bincount(of_fold) < 2)
    if alone.size:
        raise InputError(
            "there is only one fold, so nothing was cross-validated",
            where="fold",
            value=names[int(np.argmax(of_fold == alone[0]))],
            fix="name the column with the fold that each row was held out in; use rocsolid.auc "
            "for one test set",
        )
    if cluster is None:
        return Folds(code, names, of_fold)
    unit, called = codes(cluster, rows=rows)
    return Folds(code, names, of_fold, called[unit])


def check_folds(rows: BinaryRows, folds: Folds) -> None:
    """Refuse folds in which nothing can be ranked, and repeats of unknown rows."""
    check_lengths({"y_true": len(rows), "fold": len(folds.code)})
    if rows.cluster is None and folds.repeats > 1:
        raise UnsoundError(
            "repeats score the same rows again, but no column identifies the rows",
            where="repeat",
            value=folds.repeats,
            fix="set cluster= to a number for each row of the original table",
        )
    size = len(folds)
    of_pos = np.bincount(folds.code[rows.positive], minlength=size)
    of_neg = np.bincount(folds.code, minlength=size) - of_pos
    if int((of_pos + of_neg).max()) == 1:
        raise UnsoundError(
            "leave-one-out has no pair of rows within a fold, and scores of different models "
            "cannot be compared: a constant model has an AUC of 0 there",
            where="fold",
            fix="use 5 or 10 stratified folds",
        )
    for counts, word in ((of_pos, "positive"), (of_neg, "negative")):
        few = int(np.argmin(counts))
        if counts[few] == 0:
            raise OneClassError(
                f"fold {folds.names[few]} has no {word} row, so nothing can be ranked in it",
                where="fold",
                fix="make stratified folds (StratifiedKFold), or fewer",
            )
        if counts[few] == 1:
            raise UnsoundError(
                f"fold {folds.names[few]} has a single {word} row, which shows no spread",
                where="fold",
                fix="make fewer folds, so that each has at least two rows of either class",
            )


@dataclass(frozen=True, slots=True)
class SplitClusters:
    """Clusters with rows in several folds of a repeat: their number, and one as an example."""

    count: int
    clusters: int
    name: str
    folds: tuple[str, str]

    @property
    def example(self) -> str:
        return f"{self.name} has rows in fold {self.folds[0]} and in fold {self.folds[1]}"


def split_clusters(cluster: NDArray[np.int64] | None, folds: Folds) -> SplitClusters | None:
    """The clusters whose rows a model scores although it may have seen others of them.

    >>> folds = folds_of([1, 2, 1, 2], cluster=["x", "x", "y", "z"])
    >>> split_clusters(np.array([0, 0, 1, 2]), folds).example
    'cluster x has rows in fold 1 and in fold 2'
    """
    if cluster is None:
        return None
    key = cluster * (int(folds.repeat.max()) + 1) + folds.repeat[folds.code]
    first = np.full(int(key.max()) + 1, len(folds), dtype=np.int64)
    np.minimum.at(first, key, folds.code)
    split = np.flatnonzero(first[key] != folds.code)
    if not split.size:
        return None
    row = int(split[0])
    name = (
        f"the cluster of row {row}" if folds.unit is None else f"cluster {plain(folds.unit[row])}"
    )
    return SplitClusters(
        len(np.unique(cluster[split])), int(cluster.max()) + 1, name,
        (folds.names[first[key[row]]], folds.names[folds.code[row]]),
    )  # fmt: skip


WHOLE = "make folds of whole clusters (StratifiedGroupKFold) and fit the models again"


@dataclass(frozen=True, eq=False)
class Segments:
    """Each row's segment number, and the values of the columns that make each segment."""

    code: NDArray[np.int64]
    columns: tuple[str, ...]
    values: tuple[NDArray[Any], ...]

    def __len__(self) -> int:
        return len(self.values[0])

    def key(self, segment: int) -> dict[str, Any]:
        """Map column names to values in plain Python types.

        >>> from rocsolid.inputs import read_table
        >>> table = read_table({"site": ["b", "a", "b"]}, keys=["site"])
        >>> segments_of(table, ["site"]).key(0)
            {'site': 'a'}
        """
        return next(self.keys([segment]))

    def keys(self, segments: Iterable[int]) -> Iterator[dict[str, Any]]:
        """The keys of many segments."""
        plain_values = self._plain
        return ({name: values[at] for name, values in plain_values} for at in segments)

    @cached_property
    def _plain(self) -> list[tuple[str, list[Any]]]:
        """Each column with its values in plain Python types; NumPy converts whole arrays faster."""
        return [
            (name, values.tolist() if values.dtype.kind in "biufU" else [plain(v) for v in values])
            for name, values in zip(self.columns, self.values, strict=True)
        ]

    def largest(self, most: int) -> list[int]:
        """The numbers of at most ``most`` segments with the most rows, ascending."""
        size = np.bincount(self.code, minlength=len(self))
        # stable, so that of segments of one size the first are taken
        return sorted(np.argsort(-size, kind="stable")[:most].tolist())


def segments_of(table: Table, columns: Sequence[str]) -> Segments:
    """The segments that occur, in ascending order of their values."""
    code, keys = combined(
        [codes(table[name], name=f"column {name!r}", rows=table.rows) for name in columns]
    )
    return Segments(code, tuple(columns), keys)
