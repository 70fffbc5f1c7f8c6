"""Validate several scores of the same rows together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import flag, one_of
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, OneClassError
from rocsolid.inputs.arrays import check_lengths, missing_values, reverse
from rocsolid.inputs.arrays import scores as valid_scores
from rocsolid.inputs.binary import BinaryRows, frequencies, positives, sample_weights
from rocsolid.inputs.groups import codes
from rocsolid.inputs.matrices import as_matrix, on_device
from rocsolid.inputs.rows import ARRAY_ROWS, Rows


@dataclass(frozen=True, slots=True, eq=False)
class ModelRows:
    """The same rows with each name's score, in the same order.

    ``missing`` counts each name's missing scores; ``omitted`` counts the rows left out.
    """

    rows: dict[str, BinaryRows]
    missing: dict[str, int]
    omitted: int


@dataclass(frozen=True, slots=True, eq=False)
class AlignedScores:
    """Labels or outcomes of rows, the scores of each name, and the rows' weights and clusters.

    ``missing`` and ``omitted`` are those of `ModelRows`; ``there`` and ``evened`` are those of
    `BinaryRows`.
    """

    truth: NDArray[Any]
    scores: dict[str, NDArray[Any]]
    weight: NDArray[np.float64] | None
    cluster: NDArray[np.int64] | None
    missing: dict[str, int]
    omitted: int
    there: dict[str, Any]
    evened: bool = False

    def alike(self, design: str | None) -> bool:
        """Whether rows are independent and count equally; equal weights must be of the design."""
        plain = self.weight is None and self.cluster is None
        return plain and (not self.evened or design == "fixed")


def model_rows(
    y_true: Any,
    scores: Mapping[str, Any],
    *,
    sample_weight: Any = None,
    frequency: Any = None,
    cluster: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    word: str = "score",
    rows: Rows = ARRAY_ROWS,
) -> ModelRows:
    """Validate labels, named scores, weights and cluster keys; errors call a score ``word``.

    ``nan="omit"`` leaves out a row if **any** of its scores is missing.

    >>> found = model_rows([0, 1, 1], {"a": [1, 2, 3], "b": [1, float("nan"), 3]}, nan="omit")
    >>> found.rows["a"].score, found.omitted, found.missing
    (array([1, 3]), 1, {'b': 1})
    """
    named = several(scores)
    aligned = aligned_scores(
        positives(y_true, pos_label=pos_label, rows=rows), named, sample_weight=sample_weight,
        frequency=frequency, cluster=cluster, lower_is_better=lower_is_better, nan=nan, word=word,
        rows=rows,
    )  # fmt: skip
    return ModelRows(
        {
            name: BinaryRows(
                aligned.truth, score, aligned.weight, aligned.cluster, there=aligned.there[name]
            )
            for name, score in aligned.scores.items()
        },
        aligned.missing,
        aligned.omitted,
    )


@dataclass(frozen=True, slots=True, eq=False)
class ScoreColumns:
    """Scores as columns, from named columns or from a matrix."""

    names: tuple[str, ...]
    given: Any

    @classmethod
    def of(cls, scores: Any) -> ScoreColumns:
        """Build from a mapping, a dataframe, or a matrix, whose columns are named by their numbers.

        >>> ScoreColumns.of(np.eye(2)).names, ScoreColumns.of({"a": [1, 2]}).names
        (('0', '1'), ('a',))
        """
        by_column = by_name(scores)
        if isinstance(by_column, Mapping):
            names = tuple(map(str, by_column))
            given: Any = list(by_column.values())
        else:
            given = as_matrix(by_column, "scores")
            if given.ndim != 2:
                raise InputError(
                    "the scores must be columns of a matrix, a dataframe or a mapping",
                    where="scores",
                    value=type(scores).__name__,
                    fix='pass an array with one row per label, or {"a": scores of a}',
                )
            names = tuple(map(str, range(given.shape[1])))
        if not names:
            raise InputError("there is no column of scores", where="scores")
        if len(set(names)) < len(names):
            raise InputError("two names read the same", where="scores")
        return cls(names, given)

    def between(self, first: int, last: int) -> Sequence[Any]:
        """Some neighbouring columns, each contiguous in memory."""
        if isinstance(self.given, list):
            return self.given[first:last]
        return list(np.ascontiguousarray(self.given[:, first:last].T))


_MAPPINGS = (dict, Mapping)  # the check of an abstract class is slow, so it comes last


def by_name(scores: Any) -> Any:
    """Convert a dataframe to columns by name; return anything else unchanged."""
    if not isinstance(scores, _MAPPINGS) and hasattr(scores, "columns"):
        return {name: scores[name] for name in scores.columns}
    return scores


def several(scores: Any) -> Mapping[str, Any]:
    scores = by_name(scores)
    if not isinstance(scores, _MAPPINGS):
        raise InputError(
            f"the scores must be named, not a {type(scores).__name__}",
            where="scores",
            fix='pass a mapping of names to columns, such as {"a": s_a, "b": s_b}',
        )
    if len(scores) < 2:
        raise InputError(
            "a comparison needs at least two scores",
            where="scores",
            value=list(scores),
            fix="name another, or use rocsolid.auc for one",
        )
    return scores


def aligned_scores(
    truth: NDArray[Any],
    scores: Mapping[str, Any],
    *,
    sample_weight: Any = None,
    frequency: Any = None,
    cluster: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    word: str = "score",
    truth_name: str = "y_true",
    rows: Rows = ARRAY_ROWS,
) -> AlignedScores:
    """Align named scores, weights and cluster keys with the rows of ``truth``, which is valid.

    Rows are repeated by their ``frequency`` and left out if a score is missing; in every score,
    higher is better.
    """
    one_of(nan, ("raise", "omit"), "nan")
    flag(lower_is_better, "lower_is_better")
    columns = {
        str(name): valid_scores(
            values, name=f"{word} {name!r}", nan="raise" if nan == "raise" else "allow", rows=rows
        )
        for name, values in scores.items()
    }
    if len(columns) < len(scores):
        raise InputError("two names read the same", where="scores", value=list(scores))
    n = len(truth)
    if n == 0 or {len(s) for s in columns.values()} != {n}:
        lengths = {f"{word} {name!r}": len(s) for name, s in columns.items()}
        check_lengths({truth_name: n, **lengths})
    weight = None if sample_weight is None else sample_weights(sample_weight, n, rows=rows)
    group = None
    if cluster is not None:
        group = codes(cluster, rows=rows)[0]
        check_lengths({truth_name: n, "cluster": len(group)})
    if frequency is not None:
        times = frequencies(frequency, n, rows=rows)
        n = int(times.sum())
        truth = np.repeat(truth, times)
        columns = {name: np.repeat(s, times) for name, s in columns.items()}
        weight = None if weight is None else np.repeat(weight, times)
        group = None if group is None else codes(np.repeat(group, times))[0]
    absent = {}  # with nan="raise", columns have no gap
    if nan == "omit":
        absent = {name: np.isnan(s) for name, s in columns.items() if s.dtype.kind == "f"}
    missing = {name: int(gaps.sum()) for name, gaps in absent.items() if gaps.any()}
    omitted = 0
    if missing:
        incomplete = np.logical_or.reduce([absent[name] for name in missing])
        omitted = int(np.count_nonzero(incomplete))
        if omitted == n:
            raise no_complete_row(", ".join(f"{word} {name!r}" for name in columns))
        keep: NDArray[np.bool_] = ~incomplete
        truth, columns = truth[keep], {name: s[keep] for name, s in columns.items()}
        weight = None if weight is None else weight[keep]
        group = None if group is None else codes(group[keep])[0]
    there: dict[str, Any] = dict.fromkeys(columns)
    if frequency is None and not omitted:
        for name, values in scores.items():
            column = columns[str(name)]
            there[str(name)] = on_device(values, column, descending=lower_is_better)
    if lower_is_better:
        columns = {name: reverse(s) for name, s in columns.items()}
    return AlignedScores(truth, columns, weight, group, missing, omitted, there)


def no_complete_row(where: str) -> InputError:
    return InputError(
        "no row has all of its scores",
        where=where,
        fix="fill in missing scores, or compare scores that have rows in common",
    )


def outcome_rows(
    outcome: Any,
    scores: Mapping[str, Any],
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    word: str = "score",
    name: str = "outcome",
    rows: Rows = ARRAY_ROWS,
) -> AlignedScores:
    """Validate outcomes, scores, weights and cluster keys; at least two outcomes must differ.

    Outcomes are compared exactly, in their own type. A missing outcome is an error.

    >>> outcome_rows([1.5, 3, 3], {"a": [1, 2, 3]}).scores
    {'a': array([1, 2, 3])}
    """
    truth = valid_scores(outcome, name=name, nan="allow", rows=rows)
    if truth.dtype.kind == "f" and np.isnan(truth).any():
        raise missing_values(name, np.isnan(truth), rows)
    aligned = aligned_scores(
        truth, scores, sample_weight=sample_weight, cluster=cluster,
        lower_is_better=lower_is_better, nan=nan, word=word, truth_name=name, rows=rows,
    )  # fmt: skip
    weight = aligned.weight
    seen = aligned.truth if weight is None else aligned.truth[weight > 0.0]
    if not (seen != seen[:1]).any():
        raise one_outcome(name, seen[:1])
    if weight is not None and weight.min() == weight.max():
        # equal weights weigh nothing: the exact way is open
        return replace(aligned, weight=None, evened=True)
    return aligned


def one_outcome(name: str, seen: Any) -> OneClassError:
    """The error for rows of one outcome, which ``seen`` contains, or of no weight."""
    return OneClassError(
        "all outcomes are the same, so no pair of rows can be ordered",
        where=name,
        value=seen[0] if len(seen) else "no row of a weight above zero",
        fix="collect rows of different outcomes",
    )
