"""Rows that are alike in all that matters, as a grouping query gives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.counted import Counted
from rocsolid.engines.engine import Columns
from rocsolid.errors import InputError
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

    def subset(self, at: NDArray[np.intp]) -> Kinds:
        return Kinds(
            self.count[at],
            self.positive[at],
            {name: values[at] for name, values in self.scores.items()},
            {name: values[at] for name, values in self.keys.items()},
            None if self.weight is None else self.weight[at],
            None if self.cluster is None else self.cluster[at],
        )

    def missing(self, score: str, nan: Literal["raise", "omit"]) -> NDArray[np.bool_]:
        """Which kinds lack a score: an error unless such rows are to be left out."""
        values = self.scores[score]
        bad = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)
        count = int(self.count[bad].sum())
        if count and nan == "raise":
            raise InputError(
                f"{count:,} missing value{'s' if count > 1 else ''} (NaN, None or null)",
                where=f"column {score!r}",
                fix='fill them in, or leave these rows out with nan="omit"',
            )
        return bad

    def without_missing(self, score: str, columns: Columns) -> tuple[Counted, int]:
        """The kinds that have a score, and how many rows have none."""
        bad = self.missing(score, columns.nan)
        kept = self.subset(np.flatnonzero(~bad)) if bad.any() else self
        cluster = kept.cluster if kept.cluster is None else codes(kept.cluster)[0]
        values = kept.scores[score]
        score_of = reverse(values) if columns.lower_is_better else values
        counted = Counted(score_of, *kept.classes, kept.weight, cluster)
        return counted, int(self.count[bad].sum())
