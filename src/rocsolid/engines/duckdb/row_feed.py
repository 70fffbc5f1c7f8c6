"""Sorted rows from a stream, as NumPy columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs import reverse


@dataclass(frozen=True, slots=True, eq=False)
class SortedRows:
    """Rows in ascending order of their scores; a higher score is better."""

    positive: NDArray[np.bool_]
    score: NDArray[Any]
    weight: NDArray[np.float64] | None
    cluster: NDArray[np.int64] | None

    def __len__(self) -> int:
        return len(self.score)

    def part(self, rows: slice) -> SortedRows:
        columns = (self.positive, self.score, self.weight, self.cluster)
        return SortedRows(*(None if each is None else each[rows] for each in columns))  # type: ignore[arg-type]


class RowFeed:
    """Rows from record batches with the columns p, s and, where requested, w and c."""

    def __init__(
        self, stream: Iterator[Any], reversed_: bool, seen: Callable[[int], None] | None = None
    ) -> None:
        self._stream = stream
        self._reversed = reversed_
        self._seen = seen
        self._held: SortedRows | None = None

    def batches(self, count: int) -> Iterator[SortedRows]:
        """Yield the next ``count`` rows in pieces; fewer rows are an error."""
        while count:
            held = self._held or self._next()
            if held is None:
                raise changed()
            rows, rest = held.part(slice(count)), held.part(slice(count, None))
            self._held = rest if len(rest) else None
            count -= len(rows)
            if self._seen is not None:
                self._seen(len(rows))
            yield rows

    def take(self, count: int) -> SortedRows:
        parts = list(self.batches(count))
        if len(parts) == 1:
            return parts[0]
        columns = [
            None if getattr(parts[0], name) is None
            else np.concatenate([getattr(part, name) for part in parts])
            for name in ("positive", "score", "weight", "cluster")
        ]  # fmt: skip
        return SortedRows(*columns)  # type: ignore[arg-type]

    def rest(self) -> Iterator[SortedRows]:
        while (rows := self._held or self._next()) is not None:
            self._held = None
            yield rows

    def end(self) -> None:
        if self._held is not None or self._next() is not None:
            raise changed()

    def _next(self) -> SortedRows | None:
        batch = next(self._stream, None)
        if batch is None:
            return None
        columns = {
            name: batch.column(i).to_numpy(zero_copy_only=False)
            for i, name in enumerate(batch.schema.names)
        }
        score = columns["s"]
        return SortedRows(
            columns["p"].view(np.bool_),
            reverse(score) if self._reversed else score,
            columns.get("w"),
            columns.get("c"),
        )


def changed() -> InputError:
    return InputError(
        "the source changed while it was read",
        fix="run this again when no process writes to the source",
    )
