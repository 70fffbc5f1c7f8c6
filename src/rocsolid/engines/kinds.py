"""Rows that are alike in all that matters, as a grouping query gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.counted import Counted
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import FILL_OR_DROP, FILL_OR_OMIT, missing_text
from rocsolid.inputs.groups import codes
from rocsolid.inputs.scores import reverse


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """Rows that are alike in every column that matters, and how many of each there are."""

    count: NDArray[np.int64]
    positive: NDArray[np.bool_]
    scores: dict[str, NDArray[Any]]
    keys: dict[str, NDArray[Any]]
    weight: NDArray[np.float64] | None
    cluster: NDArray[np.int64] | None

    @property
    def classes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return self.count * self.positive, self.count * ~self.positive

    def subset(self, rows: NDArray[np.intp]) -> Kinds:
        return Kinds(
            self.count[rows],
            self.positive[rows],
            {name: values[rows] for name, values in self.scores.items()},
            {name: values[rows] for name, values in self.keys.items()},
            None if self.weight is None else self.weight[rows],
            None if self.cluster is None else self.cluster[rows],
        )

    def missing(self, score: str, nan: Literal["raise", "omit"]) -> NDArray[np.bool_]:
        """Which kinds lack a score: an error unless such rows are to be left out."""
        values = self.scores[score]
        bad = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)
        if nan == "raise":
            refuse_missing(bad, self.count, score, FILL_OR_OMIT)
        return bad

    def whole(self, scores: Sequence[str], nan: Literal["raise", "omit"]) -> tuple[Kinds, int]:
        """The kinds that have all of these scores, and how many rows have not."""
        lacking = np.zeros(len(self.count), dtype=bool)
        for name in scores:
            lacking |= self.missing(name, nan)
        if not lacking.any():
            return self, 0
        return self.subset(np.flatnonzero(~lacking)), int(self.count[lacking].sum())

    def of(self, score: str, *, lower_is_better: bool) -> Counted:
        """One of the scores, which all of these kinds have."""
        cluster = None if self.cluster is None else codes(self.cluster)[0]
        values = self.scores[score]
        score_of = reverse(values) if lower_is_better else values
        return Counted(score_of, *self.classes, self.weight, cluster)


def refuse_missing(
    bad: NDArray[np.bool_], count: NDArray[np.int64], name: str, fix: str = FILL_OR_DROP
) -> None:
    """An error if a kind of rows has no value, with the number of its rows."""
    rows = int(count[bad].sum())
    if rows:
        raise InputError(missing_text(rows), where=f"column {name!r}", fix=fix)
