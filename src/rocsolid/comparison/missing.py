"""What is said of rows that lack a score."""

from __future__ import annotations

from collections.abc import Mapping


def missing_scores(omitted: int, missing: Mapping[str, int]) -> list[str]:
    """The warning on rows that lack a score, and how many lack each."""
    if not omitted:
        return []
    left = "1 row was" if omitted == 1 else f"{omitted:,} rows were"
    by_name = ", ".join(f"{name}: {count:,}" for name, count in missing.items())
    return [f"{left} left out for every score because some score is missing ({by_name})."]


def missing_from(name: str, count: int) -> str:
    """The warning on a sample that lacks scores."""
    rows = "row" if count == 1 else "rows"
    return f"{name}: {count:,} {rows} left out because the score is missing."
