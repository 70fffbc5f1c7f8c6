"""An estimate that knows which score and which segment of a table it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rocsolid.results.estimate import Estimate
from rocsolid.results.plain import one_line, plain_segment


@dataclass(frozen=True, slots=True)
class ScoreEstimate(Estimate):
    """The estimate of one score column, over all rows (``by`` is ``None``) or in one segment."""

    score: str = ""
    by: Mapping[str, Any] | None = None
    _json = f"score by {Estimate._json}"

    __repr__ = one_line

    def to_dict(self) -> dict[str, Any]:
        # named explicitly: a dataclass with slots breaks the short form of super()
        return Estimate.to_dict(self) | {"by": plain_segment(self.by)}
