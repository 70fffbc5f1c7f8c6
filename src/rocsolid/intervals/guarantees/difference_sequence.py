from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import is_number
from rocsolid.counts import both_classes
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import check_lengths
from rocsolid.inputs.binary import positives
from rocsolid.inputs.groups import codes, plain
from rocsolid.inputs.matrices import in_main_memory
from rocsolid.inputs.models import aligned_scores
from rocsolid.intervals.guarantees.checks import FIXED_SCORER, check_level
from rocsolid.intervals.guarantees.difference_matchings import (
    RANGE,
    STAKES,
    earned_on_queries,
    earned_on_rows,
    lower_limit,
)
from rocsolid.intervals.guarantees.sequence import AfterLook
from rocsolid.results import Interval
from rocsolid.results.card import Carded
from rocsolid.results.interval import ROWS
from rocsolid.results.plain import one_line

METHOD = "difference sequence"
SOURCE = (
    "Ville 1939, for bets on the pairs of each batch, averaged over all matchings (Hoeffding 1963, "
    "section 5) and over stakes"
)
ASSUMPTIONS = (
    "rows (or queries) independent of each other",
    "when to look and when to stop may depend on anything seen so far",
    FIXED_SCORER,
)
_HALF = 0.5 + 1e-9  # a mean of grades may be rounded up
FEWEST = 5  # rows of the smaller class that make a batch: fewer wait for more
Verdict = Literal["A better", "B better", "within margin", "go on"]
_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class DifferenceSequence(Carded):
    """The data of two scores so far, and the interval and verdict for A − B.

    ``add`` accepts rows and ``add_queries`` values of queries; one sequence accepts only one kind.
    The two methods return the state after one more batch. ``parts`` contains the segments, and
    ``looks`` the interval after each batch. ``to_dict`` and ``from_dict`` store and restore a
    state. Rows are kept only while they wait for the other class.
    """

    level: float = 0.95
    margin: float | None = None
    lower_is_better: bool = False
    batches: int = 0
    n: tuple[int, int] = (0, 0)  # positives and negatives, or queries and 0
    pairs: int = 0
    sum: float = 0.0  # of the differences of all batches, each times its pairs
    earned: tuple[tuple[float, ...], tuple[float, ...]] = ((0.0,) * len(STAKES),) * 2
    waiting: tuple[tuple[bool, float, float], ...] = ()
    verdict: Verdict = "go on"
    decided_at: int | None = None  # the batch of the verdict
    parts: Mapping[str, DifferenceSequence] = field(default_factory=dict)
    looks: tuple[AfterLook, ...] = ()

    __repr__ = one_line

    def __str__(self) -> str:
        return "\n".join(self.lines("A", "B"))

    def lines(self, a: str, b: str) -> list[str]:
        """Return the state of A − B, then of each segment, with the names of the two scores."""
        seen = f"after {self.batches:,} batch{'' if self.batches == 1 else 'es'}"
        if not self.pairs:
            return [f"{seen}: no difference yet"]
        summary = f"{seen}: {a} − {b} {self.value:+.4f}, {self.interval}: {self.words_for(a, b)}"
        return [summary, *(f"{n}, {part.lines(a, b)[0]}" for n, part in self.parts.items())]

    @property
    def words(self) -> str:
        """The verdict, and the batch in which it was reached."""
        return self.words_for("A", "B")

    def words_for(self, a: str, b: str) -> str:
        """Return the verdict with the names of the two scores."""
        text = {
            "A better": f"{a} better",
            "B better": f"{b} better",
            "within margin": f"within the margin of {self.margin}",
        }.get(self.verdict, self.verdict)
        return text if self.decided_at is None else f"{text} (batch {self.decided_at:,})"

    @property
    def value(self) -> float:
        """The mean of the differences of the batches, weighted as in the interval."""
        if not self.pairs:
            raise InputError(
                "there is no difference yet: a batch needs rows of both classes",
                where=both_classes(self.n[0], self.n[1], ", "),
                fix="add more rows",
            )
        return self.sum / self.pairs

    @property
    def interval(self) -> Interval:
        """Limits for A − B from all batches so far, or for its average if A − B changed."""
        error = (1.0 - self.level) / 2.0
        low, high = (lower_limit(each, self.pairs, error) for each in self.earned)
        return Interval(
            low, -high, self.level, METHOD, certified=True, assumptions=ASSUMPTIONS, source=SOURCE,
            range=RANGE, reads=ROWS,
        )  # fmt: skip

    def add(
        self,
        y_true: Any,
        a: Any,
        b: Any,
        *,
        by: Any = None,
        pos_label: Any = None,
        nan: Literal["raise", "omit"] = "raise",
    ) -> DifferenceSequence:
        """Return the state after one more batch of labelled rows, which may have one class only.

        ``by`` contains the segment of each row. ``nan="omit"`` leaves out rows without a score.
        """
        self._check_unit("rows")
        positive = positives(y_true, pos_label=pos_label)
        aligned = aligned_scores(
            np.arange(len(positive)), {"a": a, "b": b}, lower_is_better=self.lower_is_better,
            nan=nan,
        )  # fmt: skip
        positive, both = positive[aligned.truth], (aligned.scores["a"], aligned.scores["b"])
        grown = self._with_rows(positive, *both)
        return grown._with_parts(
            by, len(aligned.truth) + aligned.omitted, aligned.truth,
            lambda part, at: part._with_rows(positive[at], *(one[at] for one in both)),
        )  # fmt: skip

    def add_queries(self, a: ArrayLike, b: ArrayLike, *, by: Any = None) -> DifferenceSequence:
        """Return the state after one more batch of queries, with values in [0, 1] for A and B.

        ``by`` contains the segment of each query.
        """
        self._check_unit("queries")
        here = [in_main_memory(each, "values") for each in (a, b)]
        both = [np.asarray(each, dtype=np.float64).ravel() for each in here]
        check_lengths({"a": len(both[0]), "b": len(both[1])})
        outside = [one for each in both for one in each[~(np.abs(each - 0.5) <= _HALF)].tolist()]
        if outside:
            raise InputError(
                "values of queries are numbers from 0 to 1", where="add_queries",
                value=outside[:3], fix="leave gaps out of both",
            )  # fmt: skip
        d = np.clip(both[0] - both[1], -1.0, 1.0)
        grown = self._with_values(d)
        return grown._with_parts(by, len(d), slice(None), lambda part, at: part._with_values(d[at]))

    def _check_unit(self, unit: Literal["rows", "queries"]) -> None:
        """Reject queries in a sequence of rows, and rows in a sequence of queries."""
        begun = "queries" if self.pairs and not self.n[1] else "rows"  # rows need both classes
        if self.batches and begun != unit:
            raise InputError(
                f"this sequence watches {begun}, so it does not accept a batch of {unit}",
                where="add" if unit == "rows" else "add_queries",
                fix=f"add {begun}, or begin another with difference_sequence()",
            )

    def _with_values(self, d: _FLOATS) -> DifferenceSequence:
        return self._with_batch(earned_on_queries(d), len(d), float(d.mean()), (len(d), 0), ())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data to store the sequence."""
        state = {one.name: getattr(self, one.name) for one in fields(self)}
        state["looks"] = [look.plain() for look in self.looks]
        return {**state, "parts": {name: part.to_dict() for name, part in self.parts.items()}}

    @classmethod
    def from_dict(cls, state: Mapping[str, Any]) -> DifferenceSequence:
        """Restore a sequence from the result of `to_dict`."""
        names = {one.name for one in fields(cls)} - {"looks"}  # older states have none
        if not isinstance(state, Mapping) or not names <= set(state):
            raise InputError(
                "this is not the state of a difference sequence",
                value=sorted(state) if isinstance(state, Mapping) else type(state).__name__,
                fix="give what DifferenceSequence.to_dict() returned",
            )
        return cls(
            **{
                **{name: state[name] for name in names},
                "n": tuple(state["n"]),
                "earned": tuple(tuple(each) for each in state["earned"]),
                "waiting": tuple(tuple(row) for row in state["waiting"]),
                "parts": {name: cls.from_dict(part) for name, part in state["parts"].items()},
                "looks": AfterLook.many(state.get("looks", ())),
            }
        )

    def _new_part(self, others: int) -> DifferenceSequence:
        """Return a new segment; the r-th has 1/(r(r+1)) of the error."""
        rank = others + 1
        share = (1.0 - self.level) / (rank * (rank + 1))
        return DifferenceSequence(1.0 - share, self.margin, self.lower_is_better)

    def _with_parts(
        self,
        by: Any,
        count: int,
        kept: NDArray[np.intp] | slice,
        add: Callable[[DifferenceSequence, NDArray[np.bool_]], DifferenceSequence],
    ) -> DifferenceSequence:
        """Add to each segment its rows out of ``count``, of which ``kept`` are in the batch."""
        if by is None:
            return self
        code, names = codes(by, "by")
        check_lengths({"the batch": count, "by": len(code)})
        code, parts = code[kept], dict(self.parts)
        for number in np.unique(code).tolist():
            name = str(plain(names[number]))
            parts[name] = add(parts.get(name) or self._new_part(len(parts)), code == number)
        return replace(self, parts=parts)

    def _with_rows(
        self, positive: NDArray[np.bool_], a: NDArray[Any], b: NDArray[Any]
    ) -> DifferenceSequence:
        fresh = zip(positive.tolist(), a.tolist(), b.tolist(), strict=True)
        waiting = (*self.waiting, *fresh)
        rows = np.array(waiting, dtype=np.float64).reshape(-1, 3)
        pos, neg = (rows[rows[:, 0] == of] for of in (1.0, 0.0))
        k = min(len(pos), len(neg))
        new = int(np.count_nonzero(positive))
        sizes = new, len(positive) - new
        if k < FEWEST:
            return self._with_batch([np.zeros(len(STAKES))] * 2, 0, 0.0, sizes, waiting)
        won, mean = earned_on_rows(pos[:, 1:], neg[:, 1:])
        return self._with_batch(won, k, mean, sizes, ())

    def _with_batch(
        self,
        won: Sequence[_FLOATS],
        pairs: int,
        mean: float,
        sizes: tuple[int, int],
        waiting: tuple[tuple[bool, float, float], ...],
    ) -> DifferenceSequence:
        earned = [
            tuple((np.array(old) + new).tolist()) for old, new in zip(self.earned, won, strict=True)
        ]
        grown = replace(
            self,
            batches=self.batches + 1,
            n=(self.n[0] + sizes[0], self.n[1] + sizes[1]),
            pairs=self.pairs + pairs,
            sum=self.sum + pairs * mean,
            earned=(earned[0], earned[1]),
            waiting=waiting,
        )
        if grown.pairs:
            interval = grown.interval
            look = AfterLook(grown.batches, grown.value, interval.low, interval.high)
            grown = replace(grown, looks=(*self.looks, look))
        if self.decided_at is not None or not pairs:
            return grown
        verdict = grown._found()
        at = None if verdict == "go on" else grown.batches
        return replace(grown, verdict=verdict, decided_at=at)

    def _found(self) -> Verdict:
        low, high = self.interval.low, self.interval.high
        if low > 0.0:
            return "A better"
        if high < 0.0:
            return "B better"
        if self.margin is not None and -self.margin <= low and high <= self.margin:
            return "within margin"
        return "go on"


def difference_sequence(
    *, level: float = 0.95, margin: float | None = None, lower_is_better: bool = False
) -> DifferenceSequence:
    """Watch A − B while labels arrive; all intervals hold together with probability ``level``.

    You may look after every batch and stop for any reason. The verdict is "A better" or "B better"
    once the interval excludes 0, "within margin" once it lies within ± ``margin``, and otherwise
    "go on". The first verdict is kept.

    For every Δ ≤ a, the product over batches of the mean over all matchings of Π(1 + μd), as in
    `difference_matchings`, over (1 + μa)^k reaches 2/δ at any time with probability at most δ/2
    (Ville 1939). If Δ differs between batches, the limits hold for its average so far, weighted by
    k. A batch with fewer than five rows of a class waits for the next one. For queries, d is the
    difference of their values.

    With segments (``add(..., by=)``) the r-th segment to appear has the level 1 − (1 −
    level)/(r(r+1)), so that all segments together err with probability at most 1 − level.

    >>> rng = np.random.default_rng(0)
    >>> watch = difference_sequence(margin=0.02)
    >>> while watch.verdict == "go on":
    ...     y = np.arange(200) % 4 == 0
    ...     a = 1.2 * y + rng.normal(size=200)
    ...     watch = watch.add(y, a, a + 0.7 * rng.normal(size=200))
    >>> print(watch)
    after 6 batches: A − B +0.0378, [0.0028, 0.0729] at 95 % (difference sequence): A better (batch
    6)
    >>> DifferenceSequence.from_dict(watch.to_dict()).interval == watch.interval
    True
    """
    check_level(level)
    if margin is not None and not (is_number(margin) and 0.0 < margin < 1.0):
        raise InputError(
            "a margin is a difference that does not matter, above 0", where="margin", value=margin,
            fix="use one such as 0.01",
        )  # fmt: skip
    return DifferenceSequence(level, margin, lower_is_better)
