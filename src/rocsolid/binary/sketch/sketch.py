"""Sketches of streams of labels and scores, with brackets and intervals of the AUC."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import nearest
from rocsolid.binary.sketch.stored import CELL_BYTES, FIXED_BYTES, Refinement, State, bracket
from rocsolid.counts import both_classes
from rocsolid.errors import InputError
from rocsolid.inputs.binary import binary_rows
from rocsolid.intervals.calibrated.standard_error import (
    DELONG_ASSUMPTIONS,
    DELONG_REASON,
    DELONG_SOURCE,
    delong,
    refuse_scalar,
    unsound_of_delong,
)
from rocsolid.intervals.guarantees.checks import IID, check_delta
from rocsolid.intervals.guarantees.hinge import SOURCE as HINGE_SOURCE
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.results.bracket import Bracket
from rocsolid.results.interval import VALUE, Interval
from rocsolid.summaries.binary_summary import Fingerprint
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_keys import (
    SCORE_TYPES,
    KeyCells,
    ScoreType,
    absorbed,
    collapsed,
    exact_scores,
    score_keys,
)
from rocsolid.summaries.segments import Block, ScoreBuffer

Method = Literal["delong", "hinge"]
_METHODS: tuple[str, ...] = get_args(Method)
_WIDENED = "widened by what the sketch leaves open: it holds the interval that all rows would give"


def widened_interval(cells: KeyCells, auc: Bracket, level: float, method: Method) -> Interval:
    """The interval by a method, widened so that it contains the interval from all rows.

    For "hinge" the limits increase with the AUC, so the limits at the two ends of the bracket
    enclose those of any AUC between: the widened interval is certified, too. For "delong" see
    `largest_moments`.
    """
    if method not in _METHODS:
        near = nearest(str(method), _METHODS)
        raise InputError(
            "this method is not available for a sketch",
            value=method,
            fix=f"use {near!r}" if near else "use 'delong' or 'hinge'",
        )
    check_delta(1.0 - level)
    if method == "hinge":
        ends = np.array([auc.low, auc.high])
        lows, highs = hinge_limits(ends, min(auc.n_pos, auc.n_neg), 1.0 - level)
        return Interval(
            float(lows[0]), float(highs[1]), level, "hinge, widened", certified=True,
            assumptions=(*IID, _WIDENED), source=HINGE_SOURCE, reads=VALUE,
        )  # fmt: skip
    moments = largest_moments(cells, auc)
    refuse_scalar(
        unsound_of_delong(moments), moments, "DeLong's interval", DELONG_REASON,
        'use method="hinge", which holds there',
    )  # fmt: skip
    at_low, at_high = (
        delong(replace(moments, auc=end), level, "two-sided") for end in (auc.low, auc.high)
    )
    return Interval(
        float(at_low[0]), float(at_high[1]), level, "DeLong, widened",
        assumptions=(*DELONG_ASSUMPTIONS, _WIDENED), source=DELONG_SOURCE,
    )  # fmt: skip


def largest_moments(cells: KeyCells, auc: Bracket) -> Moments:
    """An upper bound on DeLong's variance over all orders of rows within buckets.

    A row's placement is known up to the half-range h of its cell. The standard deviation is a
    seminorm, so s(V) ≤ s(V₀) + s(V − V₀) with V₀ the middles, and (m − 1)·s(V − V₀)² ≤ Σh².
    """
    return Moments(
        auc.value,
        _largest_variance(cells.pos, *cells.below(cells.neg), auc.n_neg),
        _largest_variance(cells.neg, *cells.below(cells.pos), auc.n_pos),
        float(auc.n_pos),
        float(auc.n_neg),
    )


def _largest_variance(
    count: NDArray[np.int64], doubled: NDArray[np.int64], open_: NDArray[np.int64], n_other: int
) -> float:
    rows = int(count.sum())
    if rows < 2:
        return math.nan
    middle, half = (doubled + open_) / (2 * n_other), open_ / (2 * n_other)
    spread = middle - np.average(middle, weights=count)
    own, more = (math.sqrt(dot(count, x * x) / (rows - 1)) for x in (spread, half))
    return (own + more) ** 2 / rows


SMALLEST, LARGEST = 1_000, 10_000_000_000
# Multiples of the final number of buckets: the most that a sketch keeps while rows arrive, so that
# it can merge better, and the number to which a block of rows then reduces them.
MOST, CUT = 4, 3


class Sketch:
    """A summary of a stream of labels and scores in at most ``size`` bytes.

    ``update`` adds rows to a sketch, and ``+`` creates a new sketch of the rows of two. `auc`
    returns a `Bracket`: two numbers that enclose the AUC of all rows with certainty. The AUC is
    exact as long as the distinct scores fit (40,000 in a megabyte). Afterwards neighbouring scores
    share a bucket, and pairs inside a bucket are unknown: with P_b positives and N_b negatives in
    bucket b the AUC is within Σ P_b·N_b/(2PN) of the middle. ``size`` limits results and
    `to_bytes`; while rows arrive, a sketch uses four times as much, and a block of rows.

    Buckets are dyadic cells of the ordered bit patterns of scores, so buckets of two sketches are
    nested or disjoint. Every bound therefore stays valid after any merging, with the unknown pairs
    of nested buckets counted. A sketch is not anonymous: it counts labels by score, often of a
    single row. Protect it like the labels.

    ``scores`` is a type that represents every score exactly: "float64" (all floats of up to 64
    bits, and integers up to 2**53), or "int64" or "uint64" for larger integers. Weights are not
    accepted, because sums of weights are rounded and their bounds would not be certain.

    In a training loop a sketch can replace a torchmetrics metric, with `update` (labels first),
    `compute`, `reset`, `merge_state`, `state_dict` and `load_state_dict`.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> sketch = Sketch(size=10_000)
    >>> for _ in range(10):
    ...     y = rng.random(1000) < 0.5
    ...     sketch = sketch.update(y, y + rng.normal(size=1000))
    >>> print(sketch.auc())
    AUC from 0.7575 to 0.7596 for certain (half-width 0.0010), 4,934 positives, 5,066 negatives
    >>> again = Sketch.from_bytes(sketch.to_bytes()) + Sketch().update([0, 1], [0.1, 0.2])
    >>> again.n_pos, again.n_neg
    (4935, 5067)
    """

    __slots__ = ("_buffer", "_cells", "_fingerprint", "_omitted", "_scores", "_size")

    def __init__(self, *, size: int = 1_000_000, scores: ScoreType = "float64") -> None:
        try:
            self._size = operator.index(size)
        except TypeError:
            raise InputError("size is a whole number of bytes", value=size) from None
        if not SMALLEST <= self._size <= LARGEST:
            raise InputError(
                f"a sketch has a size of {SMALLEST:,} to {LARGEST:,} bytes",
                where="size",
                value=size,
                fix="the usual size is 1_000_000",
            )
        if scores not in SCORE_TYPES:
            near = nearest(str(scores), SCORE_TYPES)
            raise InputError(
                "there is no such type of scores",
                where="scores",
                value=scores,
                fix=f"use {near!r}" if near else f"use one of {', '.join(SCORE_TYPES)}",
            )
        self._scores: ScoreType = scores
        self._cells = KeyCells.empty()
        self._fingerprint = Fingerprint(1)
        self._omitted = 0
        self._buffer = ScoreBuffer(scores)

    @property
    def size(self) -> int:
        """The largest number of bytes that `to_bytes` may return."""
        return self._size

    @property
    def scores(self) -> ScoreType:
        """The type in which scores are stored."""
        return self._scores

    @property
    def omitted(self) -> int:
        """The number of rows that were omitted because their score was missing."""
        return self._omitted

    @property
    def n_pos(self) -> int:
        """The number of positives so far."""
        return self._cells.n_pos + int(self._buffer.waiting[0].sum())

    @property
    def n_neg(self) -> int:
        """The number of negatives so far."""
        positive = self._buffer.waiting[0]
        return self._cells.n_neg + len(positive) - int(positive.sum())

    @property
    def buckets(self) -> int:
        """The number of buckets, most of which may contain a single score."""
        return len(self._state().cells)

    def update(
        self,
        y_true: Any,
        y_score: Any,
        *,
        pos_label: Any = None,
        nan: Literal["raise", "omit"] = "raise",
    ) -> Sketch:
        """Add rows to this sketch and return it; rejected rows change nothing.

        The rows may be of one class. A ``pos_label`` must occur in the rows; for batches that may
        lack it, give booleans, such as ``y == "yes"``.
        """
        rows = binary_rows(y_true, y_score, pos_label=pos_label, nan=nan)
        score = exact_scores(rows.score, self._scores)
        self._omitted += rows.omitted
        for block in self._buffer.add(rows.positive, score):
            self._cells, self._fingerprint = self._with(block)
        return self

    def __add__(self, other: Sketch) -> Sketch:
        """Return a sketch of the rows of two sketches, with the larger of their sizes."""
        if not isinstance(other, Sketch):
            return NotImplemented
        if self._scores != other._scores:
            raise InputError(
                "sketches of different types of scores cannot be added",
                value=(self._scores, other._scores),
                fix='begin both with the same type, such as Sketch(scores="int64")',
            )
        both = Sketch(size=max(self._size, other._size), scores=self._scores)
        (cells, fingerprint), (more, other_fingerprint) = self._all(), other._all()
        both._cells = collapsed(cells + more, MOST * both._capacity)
        both._fingerprint = fingerprint * other_fingerprint
        both._omitted = self._omitted + other._omitted
        return both

    def merge_state(self, other: Sketch) -> None:
        """Add the rows of another sketch to this sketch, as ``+`` does."""
        if not isinstance(other, Sketch):
            raise InputError("a sketch is merged with a sketch", value=type(other).__name__)
        self._become(self + other)

    def reset(self) -> None:
        """Remove all rows, as before an epoch."""
        self._become(Sketch(size=self._size, scores=self._scores))

    def state_dict(self) -> dict[str, bytes]:
        """The bytes of `to_bytes`, in the form that training frameworks save with a model."""
        return {"sketch": self.to_bytes()}

    def load_state_dict(self, state: Mapping[str, bytes]) -> None:
        """Become the sketch that was saved; a state that is damaged changes nothing."""
        if not isinstance(state, Mapping) or "sketch" not in state:
            raise InputError("this is not a result of Sketch.state_dict", value=state)
        self._become(Sketch.from_bytes(state["sketch"]))

    def compute(self) -> Bracket:
        """Return ``auc()``, under the name that training frameworks use."""
        return self.auc()

    def auc(self, *, lower_is_better: bool = False) -> Bracket:
        """Return two numbers that enclose the AUC of all rows so far with certainty."""
        state = self._state()
        return bracket(state.cells.pairs(), lower_is_better, state.omitted, state.fingerprint)

    def interval(
        self, *, level: float = 0.95, method: Method = "delong", lower_is_better: bool = False
    ) -> Interval:
        """Return a confidence interval for the population, widened by the bracket.

        The result contains the interval by the same method from all rows. "delong" is calibrated
        for large samples; "hinge" is certified for every sample size.
        """
        auc = self.auc(lower_is_better=lower_is_better)
        return widened_interval(self._state().cells, auc, level, method)

    def refine(self, *, memory: int = 1_000_000_000) -> Refinement:
        """Begin a second pass over the same rows, for the exact AUC; see `Refinement`."""
        return Refinement.begin(self._state(), memory)

    def to_bytes(self) -> bytes:
        """Return the state in at most ``size`` bytes, equal for the same rows in the same order."""
        return self._state().to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Sketch:
        """Return the sketch that `to_bytes` stored."""
        if not isinstance(data, bytes | bytearray | memoryview):
            raise InputError("a sketch is read from bytes", value=type(data).__name__)
        state = State.from_bytes(bytes(data))
        sketch = cls(size=state.size, scores=state.scores)
        sketch._cells, sketch._fingerprint = state.cells, state.fingerprint
        sketch._omitted = state.omitted
        return sketch

    def __repr__(self) -> str:
        return (
            f"Sketch(size={self._size:_}, scores={self._scores!r}) of "
            f"{both_classes(self.n_pos, self.n_neg)}"
        )

    def _become(self, other: Sketch) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(other, name))

    @property
    def _capacity(self) -> int:
        return (self._size - FIXED_BYTES) // CELL_BYTES

    def _with(self, block: Block) -> tuple[KeyCells, Fingerprint]:
        positive, score = block
        key = score_keys(score)
        pos, neg = np.compress(positive, key), np.compress(~positive, key)
        pos.sort()
        neg.sort()
        most_cost = self._capacity**-2.0  # about half the cost of a cell of the final table
        cells = absorbed(self._cells, pos, neg, most_cost)
        if len(cells) > MOST * self._capacity:
            cells = collapsed(cells, CUT * self._capacity)
        return cells, self._fingerprint * Fingerprint.of(score)

    def _all(self) -> tuple[KeyCells, Fingerprint]:
        waiting = self._buffer.waiting
        return self._with(waiting) if len(waiting[0]) else (self._cells, self._fingerprint)

    def _state(self) -> State:
        cells, fingerprint = self._all()
        final = collapsed(cells, self._capacity)
        return State(self._scores, self._size, self._omitted, fingerprint, final)
