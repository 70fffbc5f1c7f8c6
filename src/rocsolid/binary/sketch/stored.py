"""A sketch as bytes: little-endian columns, a version and a checksum."""

from __future__ import annotations

import struct
import zlib
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import flag
from rocsolid.counts import both_classes
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, OneClassError
from rocsolid.inputs.binary import binary_rows
from rocsolid.results.bracket import Bracket
from rocsolid.summaries.binary_summary import PRIME, Fingerprint
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.score_keys import (
    LEVELS,
    SCORE_TYPES,
    KeyCells,
    Keys,
    KnownPairs,
    ScoreType,
    cell_low,
    exact_scores,
    score_keys,
)
from rocsolid.summaries.segments import Block, KeyStretches, ScoreBuffer

VERSION = 1
_MAGIC = b"rocsolid sketch\n"
# version, score type, bytes allowed, rows omitted, fingerprint, cells
_HEADER = struct.Struct("<HBQQQQ")
_CHECK = struct.Struct("<I")
_COLUMNS = (("low", "<u8"), ("level", "|u1"), ("pos", "<i8"), ("neg", "<i8"))
CELL_BYTES = sum(np.dtype(kind).itemsize for _, kind in _COLUMNS)
FIXED_BYTES = len(_MAGIC) + _HEADER.size + _CHECK.size
_FIX = "write the sketch again with to_bytes(), or copy the file again"


@dataclass(frozen=True, slots=True, eq=False)
class State:
    scores: ScoreType
    size: int
    omitted: int
    fingerprint: Fingerprint
    cells: KeyCells

    def to_bytes(self) -> bytes:
        header = _HEADER.pack(
            VERSION,
            SCORE_TYPES.index(self.scores),
            self.size,
            self.omitted,
            self.fingerprint.value,
            len(self.cells),
        )
        columns = [
            getattr(self.cells, name).astype(kind, copy=False).tobytes() for name, kind in _COLUMNS
        ]
        body = b"".join([_MAGIC, header, *columns])
        return body + _CHECK.pack(zlib.crc32(body))

    @classmethod
    def from_bytes(cls, data: bytes) -> State:
        """Read the output of `to_bytes` and check every part."""
        if not data.startswith(_MAGIC):
            raise InputError("this is not a sketch", value=data[:16], fix=_FIX)
        if len(data) < FIXED_BYTES:
            raise _damaged("it is cut short")
        version, code, size, omitted, value, count = _HEADER.unpack_from(data, len(_MAGIC))
        if version != VERSION:
            raise InputError(
                f"the sketch has format version {version}, and this rocsolid reads {VERSION}",
                fix="use the version of rocsolid that wrote it, or a newer one",
            )
        if len(data) != FIXED_BYTES + count * CELL_BYTES:
            raise _damaged(f"{len(data):,} bytes are not those of {count:,} buckets")
        if _CHECK.unpack(data[-_CHECK.size :])[0] != zlib.crc32(data[: -_CHECK.size]):
            raise _damaged("its checksum is wrong")
        if code >= len(SCORE_TYPES) or value >= PRIME or len(data) > size:
            raise _damaged("its header contradicts itself")
        cells = KeyCells(**_columns(data, count))
        _check_cells(cells)
        return cls(SCORE_TYPES[code], size, omitted, Fingerprint(value), cells)


def _columns(data: bytes, count: int) -> dict[str, Any]:
    columns, at = {}, len(_MAGIC) + _HEADER.size
    for name, kind in _COLUMNS:
        column = np.frombuffer(data, dtype=kind, count=count, offset=at)
        columns[name] = column.astype(np.dtype(kind).newbyteorder("="))
        at += column.nbytes
    return columns


def _check_cells(cells: KeyCells) -> None:
    """Check that cells are unique, ascending, aligned and not empty, as brackets require."""
    low, level = cells.low, cells.level
    if len(cells) == 0:
        return
    if level.max() > LEVELS or (cell_low(low, level) != low).any():
        raise _damaged("a bucket begins where none can begin")
    ascends = (low[1:] > low[:-1]) | ((low[1:] == low[:-1]) & (level[1:] < level[:-1]))
    if not ascends.all():
        raise _damaged("its buckets do not ascend")
    if min(cells.pos.min(), cells.neg.min()) < 0 or (cells.pos + cells.neg <= 0).any():
        raise _damaged("a bucket has an impossible count")
    if float(cells.pos.sum(dtype=np.float64)) + float(cells.neg.sum(dtype=np.float64)) >= 2**62:
        raise _damaged("it counts more rows than there can be")


def _damaged(how: str) -> InputError:
    return InputError(f"the sketch is damaged: {how}", fix=_FIX)


def bracket(
    pairs: KnownPairs, lower_is_better: bool, omitted: int, fingerprint: Fingerprint
) -> Bracket:
    """Known wins as the lower end; known wins and all unknown pairs as the upper end.

    >>> bracket(KnownPairs(2, 4, 11, 1), True, 0, Fingerprint(1)).low
    0.1875
    """
    check_classes(pairs.n_pos, pairs.n_neg)
    flag(lower_is_better, "lower_is_better")
    doubled = pairs.doubled_wins
    if lower_is_better:
        doubled = 2 * (pairs.n_pos * pairs.n_neg - pairs.unknown) - doubled
    return Bracket(doubled, pairs.unknown, pairs.n_pos, pairs.n_neg, omitted, str(fingerprint))


def check_classes(n_pos: int, n_neg: int) -> None:
    if n_pos and n_neg:
        return
    raise OneClassError(
        f"there is no {'negative' if n_pos else 'positive'} row yet, so the AUC is not defined",
        where=both_classes(n_pos, n_neg, ", "),
        fix="add rows of both classes, or the sketch of a part that has them",
    )


class Refinement:
    """A second pass over the rows of a sketch, in any order, that resolves unknown pairs.

    The rows of these buckets are kept up to ``memory`` bytes, first in the buckets with most
    unknown pairs for each row; other rows are only counted. If all fit, `auc` is exact; otherwise
    the bracket is narrower, and `refine` begins a third pass that continues from this one.

    A result requires the same scores as in the first pass, by number and by fingerprint, and no
    bucket with more rows of a class than before.

    >>> from rocsolid.binary.sketch.sketch import Sketch
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(20_000) < 0.5
    >>> s = y + rng.normal(size=20_000)
    >>> sketch = Sketch(size=10_000).update(y, s)
    >>> print(sketch.auc())
    AUC from 0.7599 to 0.7620 for certain (half-width 0.0010), 9,933 positives, 10,067 negatives
    >>> print(sketch.refine().update(y, s).auc())
    AUC 0.7610, exact, 9,933 positives, 10,067 negatives
    """

    __slots__ = (
        "_buffer", "_chosen", "_fingerprint", "_kept", "_neg", "_omitted", "_plan", "_pos",
        "_rows", "_scores", "_target",
    )  # fmt: skip

    def __init__(
        self, plan: KeyStretches, scores: ScoreType, rows: tuple[int, int], target: Fingerprint,
        memory: int,
    ) -> None:  # fmt: skip
        if isinstance(memory, bool) or not isinstance(memory, int) or memory <= 0:
            raise InputError("memory is a number of bytes above zero", value=memory)
        self._plan = plan
        self._scores = scores
        self._rows = rows
        self._target = target
        self._chosen = plan.chosen(memory, sum(rows))
        self._pos = np.zeros(len(plan.start), dtype=np.int64)
        self._neg = np.zeros(len(plan.start), dtype=np.int64)
        self._kept: tuple[list[Keys], list[Keys]] = ([], [])
        self._fingerprint = Fingerprint(1)
        self._omitted = 0
        self._buffer = ScoreBuffer(scores)

    @classmethod
    def begin(cls, state: State, memory: int) -> Refinement:
        """Begin the pass after the one that created a sketch."""
        rows = state.cells.n_pos, state.cells.n_neg
        check_classes(*rows)
        return cls(KeyStretches.of(state.cells), state.scores, rows, state.fingerprint, memory)

    def update(
        self,
        y_true: Any,
        y_score: Any,
        *,
        pos_label: Any = None,
        nan: Literal["raise", "omit"] = "raise",
    ) -> Refinement:
        """Add rows, as `Sketch.update` does, and return this refinement."""
        rows = binary_rows(y_true, y_score, pos_label=pos_label, nan=nan)
        score = exact_scores(rows.score, self._scores)
        seen = self._seen() + len(score)
        if seen > sum(self._rows):
            raise InputError(
                f"these are more rows than the sketch has seen: {seen:,} of {sum(self._rows):,}",
                fix="give each row of the first pass once",
            )
        self._omitted += rows.omitted
        for block in self._buffer.add(rows.positive, score):
            self._take(block)
        return self

    def auc(self, *, lower_is_better: bool = False) -> Bracket:
        """The AUC, exact if all buckets were resolved."""
        done = self._done()
        return bracket(done.pairs(), lower_is_better, self._omitted, self._target)

    def refine(self, *, memory: int = 1_000_000_000) -> Refinement:
        """Begin another pass, for the buckets whose rows did not fit."""
        return Refinement(self._done(), self._scores, self._rows, self._target, memory)

    def __repr__(self) -> str:
        return (
            f"Refinement of {int(self._chosen.sum()):,} of "
            f"{int((~self._plan.resolved).sum()):,} open buckets, "
            f"{self._seen():,} of {sum(self._rows):,} rows seen"
        )

    def _seen(self) -> int:
        return int(self._pos.sum() + self._neg.sum()) + len(self._buffer.waiting[0])

    def _take(self, block: Block) -> None:
        positive, score = block
        self._fingerprint *= Fingerprint.of(score)
        key = score_keys(score)
        for counts, kept, of_class in zip(
            (self._pos, self._neg), self._kept, (positive, ~positive), strict=True
        ):
            some = np.compress(of_class, key)
            some.sort()
            count = np.diff(some.searchsorted(self._plan.start), append=len(some))
            counts += count
            kept.append(some[np.repeat(self._chosen, count)])

    def _done(self) -> KeyStretches:
        self._take(self._buffer.drain())
        counts = int(self._pos.sum()), int(self._neg.sum())
        if counts != self._rows:
            raise InputError(
                "this pass has not seen the same rows: "
                f"{counts[0]:,} of {self._rows[0]:,} positives and {counts[1]:,} of "
                f"{self._rows[1]:,} negatives",
                fix="give every row of the first pass once, with the same label",
            )
        more = (self._pos > self._plan.pos) | (self._neg > self._plan.neg)
        if self._fingerprint != self._target or more.any():
            raise InputError(
                "this pass has seen other scores or labels than the first",
                fix="give the rows of the first pass, with the same scores and labels",
            )
        pos, neg = (_sorted(parts) for parts in self._kept)
        return self._plan.counted(self._pos, self._neg, self._chosen, SortedClasses(pos, neg))


def _sorted(parts: list[NDArray[np.uint64]]) -> Keys:
    together = np.concatenate([np.empty(0, dtype=np.uint64), *parts])
    together.sort()
    return together
