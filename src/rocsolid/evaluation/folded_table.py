"""One column or several, as the caller named them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.engine import Columns
from rocsolid.engines.in_memory import InMemory
from rocsolid.errors import InputError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.folds import Folds, folds_of
from rocsolid.inputs.groups import codes, combined, plain
from rocsolid.measures.folded import Order, ScoredFolds, check_order


def column_names(given: str | Sequence[str], argument: str) -> tuple[str, ...]:
    """At least one name, none of them twice.

    >>> column_names("risk", "scores"), column_names(["risk", "lab"], "scores")
    (('risk',), ('risk', 'lab'))
    """
    if not isinstance(given, Iterable):
        raise InputError("a column is named by text", where=argument, value=given)
    names = (given,) if isinstance(given, str) else tuple(given)
    if not names:
        raise InputError(f"{argument} names no column", where=argument, fix="name at least one")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError("a column is named twice", where=argument, value=twice)
    return names


@dataclass(frozen=True, slots=True)
class OptionPair:
    """An option, and one that is refused beside it; with ``needed``, refused without it.

    ``what`` and ``fix`` are said with the names of both, as ``{option}`` and ``{other}``.
    """

    option: str
    other: str
    what: str
    fix: str
    needed: bool = False


def _pairs(
    option: str, others: str, what: str, fix: str, *, needed: bool = False
) -> tuple[OptionPair, ...]:
    return tuple(OptionPair(option, other, what, fix, needed) for other in others.split())


OF_ROWS = {
    "sample_weight": "each query counts once; leave it out",
    "frequency": "each document stands once in its list; leave it out",
    "cluster": "the queries are the clusters already; leave it out",
    "pos_label": "grades are numbers; say from which one on a document counts with relevant=",
    "design": "queries have neither weights nor clusters; leave it out",
    "scheme": "no rows are resampled; leave it out",
}
"""Options without a meaning beside qid, each with what to do."""

PAIRS: tuple[OptionPair, ...] = (
    *_pairs("fold", "repeat order", "repeat and order are about folds", "name the column of folds",
            needed=True),
    *_pairs("across", "qid fold",
            "pairs of groups are for labels of two classes, scored by one model",
            "leave {option} out, or {other}"),
    *_pairs("fold", "qid", "folds are for labels of two classes, not for queries",
            "leave {option} or {other} out"),
    *(OptionPair("qid", other, "{other} has no meaning for measures of queries", fix)
      for other, fix in OF_ROWS.items()),
    *_pairs("within", "counts", "counts is about groups", "name the column of groups",
            needed=True),
    *_pairs("within", "qid fold across",
            "values within groups are for labels of two classes, scored by one model",
            "leave {option} out, or {other}"),
    *_pairs("within", "nan interval resamples scheme memory",
            "{other} is not for values within groups", "leave it out, or leave {option} out"),
    *_pairs("fold", "frequency nan interval resamples scheme design memory",
            "{other} is not for scores of a cross-validation",
            "leave it out, or leave {option} out"),
    *_pairs("fold", "next", "what a next sample would give is not known of learners",
            "leave {other} out, or leave {option} out"),
    *_pairs("across", "measures by resamples scheme memory", "{other} is not for pairs of groups",
            "leave it out, or leave {option} out"),
    *_pairs("public", "qid fold across within plot",
            "{other} has no public form: it would show more than a public report may",
            "leave {other} out, or leave {option} out and keep the output private"),
    *_pairs("public", "max_exposed max_posterior max_bits",
            "{other} is a limit for what {option} makes", "add {option}, or leave {other} out",
            needed=True),
    *_pairs("qid", "plot", "measures of queries have no ROC curve to draw",
            "leave {other} out; --html draws the values and their differences"),
    *_pairs("fold", "plot", "folds have no picture", "leave {other} out; --html has the tables"),
    *_pairs("within", "plot", "values within groups have no picture",
            "leave {other} out; --html has the tables"),
    *_pairs("across", "plot", "pairs of groups have no picture",
            "leave {other} out; --html has the tables"),
)  # fmt: skip


def _given(value: Any) -> bool:
    """Whether it is no default; 0 and False are given, as a positive label may be."""
    return value is not None and not (isinstance(value, str) and value in ("auto", "raise", "any"))


def refuse_pairs(*, written: Callable[[str], str] = str, **options: Any) -> None:
    """Refuse the first pair of the table that the options contain; an error names them as written.

    >>> refuse_pairs(fold="part", interval="delong", order="any")
    Traceback (most recent call last):
    rocsolid.errors.InputError: interval is not for scores of a cross-validation: 'delong'
    (interval). Fix: leave it out, or leave fold out.
    >>> refuse_pairs(qid=None, repeat="round")
    Traceback (most recent call last):
    rocsolid.errors.InputError: repeat and order are about folds: 'round' (repeat).
    Fix: name the column of folds.
    """
    for pair in PAIRS:
        value = options.get(pair.other)
        if _given(value) and _given(options.get(pair.option)) is not pair.needed:
            names = {"option": written(pair.option), "other": written(pair.other)}
            raise InputError(
                pair.what.format(**names),
                where=names["other"],
                value=value,
                fix=pair.fix.format(**names),
            )


@dataclass(frozen=True, slots=True)
class FoldColumns:
    """Which columns name the fold and the repeat of a row, and what is declared of their order."""

    fold: str
    repeat: str | None
    order: Order

    @property
    def names(self) -> tuple[str, ...]:
        return (self.fold,) if self.repeat is None else (self.fold, self.repeat)


def fold_columns(
    fold: str | None = None, repeat: str | None = None, order: Order = "any"
) -> FoldColumns | None:
    """The columns of folds, ``None`` where none is named."""
    refuse_pairs(fold=fold, repeat=repeat, order=order)
    return None if fold is None else FoldColumns(fold, repeat, order)


@dataclass(frozen=True, slots=True, eq=False)
class FoldedTable:
    """Out-of-fold scores as they were read; ``segments`` are the places of the rows of each."""

    source: str
    rows: int
    scored: dict[str, BinaryRows]
    folds: Folds
    order: Order
    segments: list[tuple[dict[str, Any], NDArray[np.intp]]]
    pos_label: Any

    @classmethod
    def read(cls, data: Any, columns: Columns, folded: FoldColumns) -> FoldedTable:
        names, by = folded.names, columns.by
        engine = InMemory(data, replace(columns, by=(*names, *by)))
        with closing(engine):
            engine.check()
            assert engine.segments is not None
            keys = [values[engine.segments.code] for values in engine.segments.values]
            folds = folds_of(*keys[: len(names)])
            check_order(folded.order, folds)
            return cls(
                engine.source,
                engine.rows,
                {score: engine.rows_of(score)[0] for score in columns.scores},
                folds,
                folded.order,
                segment_rows(by, keys[len(names) :]),
                engine.pos_label,
            )

    def samples(self, *scores: str, segment: int | None = None) -> dict[str, ScoredFolds]:
        """Each score and its folds, in a segment or, where it has no number, of all rows."""
        folds = self.folds
        if segment is None:
            return {score: ScoredFolds(self.scored[score], folds) for score in scores}
        inside = self.segments[segment][1]
        folds = folds.subset(inside)
        return {score: ScoredFolds(self.scored[score].subset(inside), folds) for score in scores}


def segment_rows(
    names: Sequence[str], columns: Sequence[NDArray[Any]]
) -> list[tuple[dict[str, Any], NDArray[np.intp]]]:
    """The rows of each combination of segments that occurs."""
    if not columns:
        return []
    code, values = combined(
        [codes(column, name) for name, column in zip(names, columns, strict=True)]
    )
    return [
        (
            {name: plain(value[group]) for name, value in zip(names, values, strict=True)},
            np.flatnonzero(code == group),
        )
        for group in range(len(values[0]))
    ]
