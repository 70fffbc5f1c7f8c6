"""What `compare_table` returns: the comparisons of a table, and what could not be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocsolid.results import Comparison
from rocsolid.results.one_line import one_line


@dataclass(frozen=True, slots=True, eq=False)
class TableComparison:
    """The comparisons of a table: one of its scores, or one of the segments for each score.

    ``skipped`` says of a segment that could not be compared why not.
    """

    source: str
    label: str
    rows: int
    by: tuple[str, ...]
    comparisons: dict[str | None, Comparison]
    skipped: tuple[tuple[str, str, str], ...] = ()

    __repr__ = one_line

    def __str__(self) -> str:
        parts = [
            str(comparison) if score is None else f"{score} by {', '.join(self.by)}: {comparison}"
            for score, comparison in self.comparisons.items()
        ]
        parts += [f"{score}, {name}: left out, {reason}." for score, name, reason in self.skipped]
        return "\n\n".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {
            "source": self.source,
            "label": self.label,
            "rows": self.rows,
            "by": list(self.by),
            "comparisons": [
                {"score": score, **comparison.to_dict()}
                for score, comparison in self.comparisons.items()
            ],
            "skipped": [
                {"score": score, "segment": name, "reason": reason}
                for score, name, reason in self.skipped
            ],
        }

    def to_markdown(self) -> str:
        """Values and pairs as Markdown tables, with what to mind below them."""
        from rocsolid.evaluation.comparison_tables import as_markdown

        return as_markdown(self)

    def to_latex(self) -> str:
        """Values and pairs as LaTeX tables, for the booktabs package."""
        from rocsolid.evaluation.comparison_tables import as_latex

        return as_latex(self)
