"""Everything that a measure of a binary score takes, validated together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import flag, one_of
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import check_lengths
from rocsolid.inputs.groups import codes
from rocsolid.inputs.labels import positives
from rocsolid.inputs.scores import reverse, scores
from rocsolid.inputs.tensors import on_device, taken
from rocsolid.inputs.weights import frequencies, sample_weights


@dataclass(frozen=True, slots=True)
class BinaryRows:
    """Rows ready to be ranked: a higher ``score`` is better, and no score is NaN.

    ``omitted`` counts the rows that were left out because their score was missing. Arrays may be
    the caller's own, so nothing may write into them. ``evened`` says that weights were given and
    all are equal: the rows are counted then, but they are of a weighted design. ``there`` is the
    same score on a device that can sort it. ``kept`` caches what an engine has computed from
    exactly these rows; other rows, such as those that ``replace`` makes, begin without.
    """

    positive: NDArray[np.bool_]
    score: NDArray[Any]
    weight: NDArray[np.float64] | None = None
    cluster: NDArray[np.int64] | None = None
    omitted: int = 0
    there: Any = None
    evened: bool = False
    kept: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.positive)

    def subset(self, rows: NDArray[np.intp] | NDArray[np.bool_], omitted: int = 0) -> BinaryRows:
        """Some of the rows; clusters are numbered anew, as some may have lost all their rows."""
        return BinaryRows(
            self.positive[rows],
            self.score[rows],
            None if self.weight is None else self.weight[rows],
            None if self.cluster is None else codes(self.cluster[rows])[0],
            omitted,
            None if self.there is None or rows.dtype != np.bool_ else taken(self.there, rows),
            self.evened,
        )


def binary_rows(
    y_true: Any,
    y_score: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    frequency: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
) -> BinaryRows:
    """Labels, scores, weights and cluster keys of the same rows, validated.

    ``nan="omit"`` leaves out the rows whose **score** is missing and counts them; a missing label,
    weight or cluster is an error all the same. A row with a ``frequency`` is written out that
    often. ``lower_is_better`` turns the order of the scores round exactly (see ``reverse``), so
    that later layers know one direction only.

    >>> rows = binary_rows([0, 1, 1], [0.2, float("nan"), 0.7], nan="omit")
    >>> rows.score, rows.omitted
    (array([0.2, 0.7]), 1)
    """
    one_of(nan, ("raise", "omit"), "nan")
    flag(lower_is_better, "lower_is_better")
    positive = positives(y_true, pos_label=pos_label)
    score = scores(y_score, nan="raise" if nan == "raise" else "allow")
    check_lengths({"y_true": len(positive), "y_score": len(score)})
    n = len(positive)
    weight = None if sample_weight is None else sample_weights(sample_weight, n)
    group = None
    if cluster is not None:
        group = codes(cluster)[0]
        check_lengths({"y_true": n, "cluster": len(group)})
    if frequency is not None:
        times = frequencies(frequency, n)
        n = int(times.sum())
        positive, score = np.repeat(positive, times), np.repeat(score, times)
        weight = None if weight is None else np.repeat(weight, times)
        # a cluster whose rows were never seen is none
        group = None if group is None else codes(np.repeat(group, times))[0]
    omitted = 0
    if nan == "omit" and score.dtype.kind == "f":
        keep = ~np.isnan(score)
        omitted = n - int(np.count_nonzero(keep))
        if omitted == n:
            raise InputError("every score is missing, so no row is left", where="y_score")
        if omitted:
            positive, score = positive[keep], score[keep]
            weight = None if weight is None else weight[keep]
            # a cluster that lost all its rows is no cluster any more
            group = None if group is None else codes(group[keep])[0]
    unchanged = frequency is None and not omitted
    there = on_device(y_score, score, descending=lower_is_better) if unchanged else None
    if lower_is_better:
        score = reverse(score)
    evened = weight is not None and len(weight) > 0 and bool(weight.min() == weight.max() > 0.0)
    if evened:
        weight = None  # equal weights weigh nothing: rows are counted
    return BinaryRows(positive, score, weight, group, omitted, there, evened)


def unclustered(rows: BinaryRows) -> BinaryRows:
    """The rows as if all were independent, for values, which do not know clusters."""
    return rows if rows.cluster is None else replace(rows, cluster=None)


def clustered(rows: BinaryRows) -> BinaryRows | None:
    """The rows where they have clusters."""
    return None if rows.cluster is None else rows
