"""Learners that were cross-validated on the same folds, compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocsolid.results.comparison import Comparison, Difference
from rocsolid.results.plain import one_line


@dataclass(frozen=True, slots=True, eq=False)
class FoldedComparison(Comparison):
    """A comparison of learners, with the corrected resampled t of each pair beside it.

    ``corrected_t`` has the test of Nadeau and Bengio, from the differences of the folds alone:
    what others print, and wider as a rule.
    """

    corrected_t: tuple[Difference, ...] = ()

    __repr__ = one_line

    def __str__(self) -> str:
        lines = [Comparison.__str__(self)]
        lines += [f"Beside it, {pair.method}: {pair}" for pair in self.corrected_t]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        # named explicitly: a dataclass with slots breaks the short form of super()
        return {
            **Comparison.to_dict(self),
            "corrected_t": [pair.to_dict() for pair in self.corrected_t],
        }
