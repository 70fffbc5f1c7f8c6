"""What `rocsolid.evaluate` returns: an estimate for each score and segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.binary.measure_name import Measure
from rocsolid.evaluation.measured import Grouped
from rocsolid.evaluation.segments import Segments
from rocsolid.inputs import BinaryRows
from rocsolid.results import Estimate, ScoreEstimate

if TYPE_CHECKING:
    from rocsolid.binary.roc import Roc
    from rocsolid.evaluation.public import Published


@dataclass(frozen=True, slots=True, eq=False)
class ScoreResult:
    """One measure of one score: its rows, the estimate over all of them and those by segment.

    ``kept`` says which rows of the table have the score, where some lack it.
    """

    score: str
    measure: Measure
    rows: BinaryRows
    overall: Estimate
    grouped: Grouped | None
    kept: NDArray[np.bool_] | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A segment in which a score has no estimate of a measure, and why."""

    score: str
    measure: str
    by: dict[str, Any]
    reason: str
    n_pos: int
    n_neg: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "score": self.score,
            "measure": self.measure,
            "by": self.by,
            "reason": self.reason,
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
        }


class Results(Sequence[ScoreEstimate]):
    """The estimates in order: each score, each measure of it over all rows, then its segments.

    They are put together when they are read, so that 100,000 segments cost nothing before that.
    """

    def __init__(self, parts: tuple[ScoreResult, ...], segments: Segments | None) -> None:
        self._parts = parts
        self._segments = segments
        self._index = [
            (part, group)
            for part in parts
            for group in (None, *_estimated(part, 0 if segments is None else len(segments)))
        ]

    def __len__(self) -> int:
        return len(self._index)

    def __repr__(self) -> str:
        return f"<{len(self):,} estimates>"

    @overload
    def __getitem__(self, index: int) -> ScoreEstimate: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[ScoreEstimate]: ...

    def __getitem__(self, index: int | slice) -> ScoreEstimate | Sequence[ScoreEstimate]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        part, group = self._index[index]
        if group is None or part.grouped is None or self._segments is None:
            return _scored(part.overall, part, None)
        return _scored(part.grouped[group], part, self._segments.key(group))

    def __iter__(self) -> Iterator[ScoreEstimate]:
        return (self[i] for i in range(len(self)))


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """The estimates of all scores over all rows and in each segment, with what was left out."""

    source: str
    label: str
    options: Options
    n_rows: int
    parts: tuple[ScoreResult, ...] = field(repr=False)
    segments: Segments | None = field(repr=False)

    @property
    def results(self) -> Results:
        return Results(self.parts, self.segments)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Segments that have no estimate, most often because they hold one class only."""
        if self.segments is None:
            return ()
        return tuple(
            Skipped(part.score, part.measure.name, self.segments.key(group), reason, n_pos, n_neg)
            for part in self.parts
            if part.grouped is not None
            for group, (reason, n_pos, n_neg) in sorted(part.grouped.refused.items())
        )

    @property
    def curves(self) -> dict[str, Roc]:
        """The ROC curve of each score over all rows, sorted anew each time it is asked for."""
        from rocsolid.binary.roc import roc_of_rows

        low = self.options.lower_is_better
        rows = {part.score: part.rows for part in self.parts}
        return {score: roc_of_rows(of, lower_is_better=low) for score, of in rows.items()}

    def __str__(self) -> str:
        lines = [f"{result.score}{segment_text(result.by)}: {result}" for result in self.results]
        lines += [
            f"{s.score}{segment_text(s.by)}: no estimate{_of(s.measure)}, {s.reason}"
            for s in self.skipped
        ]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {
            "rows": self.n_rows,
            "source": self.source,
            "label": self.label,
            "results": [result.to_dict() for result in self.results],
            "skipped": [skipped.to_dict() for skipped in self.skipped],
        }

    def _repr_html_(self) -> str:
        from rocsolid.evaluation.notebook import evaluation_output

        return evaluation_output(self)

    def public(self) -> Published:
        """What may be shown to people who are not to learn the labels, and what that gives away.

        Rounded numbers, a coarse curve and an audit of them, as plain results with ``to_dict()``
        and ``to_html()``. It never says that publishing is safe.
        """
        from rocsolid.evaluation.public import publish

        return publish(self)

    def to_html(self, *, title: str = "", command: str = "", public: bool = False) -> str:
        """One self-contained page: the answer in words, curves, ranks, the table, the methods.

        It shows exact curves and the place of every positive: read it as a page that discloses
        the labels to whoever has the scores, and it says so itself. With ``public`` the numbers
        are rounded, limits outward, the curve is drawn at a few rounded points, and path,
        thresholds, ranks, bands, fingerprints and the ``command`` are left out; the page then says
        what it still gives away. ``title`` is the source of the data unless given (on a public
        page without its folders); ``command`` is shown as the way to make the page again.
        """
        if public:
            return self.public().to_html(title=title)
        from rocsolid.evaluation.page import page_of
        from rocsolid.report import render

        return render(page_of(self, title=title, command=command))


def _estimated(part: ScoreResult, segments: int) -> Iterator[int]:
    if part.grouped is not None:
        yield from (group for group in range(segments) if group not in part.grouped.refused)


def _scored(estimate: Estimate, part: ScoreResult, by: dict[str, Any] | None) -> ScoreEstimate:
    fields = {name: getattr(estimate, name) for name in Estimate.__dataclass_fields__}
    fields["measure"] = part.measure.name  # as it was asked for
    return ScoreEstimate(**fields, score=part.score, by=by)


def _of(measure: str) -> str:
    return "" if measure == "auc" else f" of {measure}"


def segment_text(by: Any) -> str:
    """A segment as it follows the name of a score.

    >>> segment_text({"site": "a"})
    ', site = a'
    """
    return "" if by is None else "".join(f", {name} = {value}" for name, value in by.items())
