"""What is said of rows that lack a score."""

from __future__ import annotations

from collections.abc import Mapping

from rocsolid.remarks.remark import Remark
from rocsolid.remarks.rows import MissingInSample, MissingInSomeScore


def missing_scores(omitted: int, missing: Mapping[str, int]) -> list[Remark]:
    """The warning on rows that lack a score, and how many lack each."""
    return [MissingInSomeScore(omitted, missing)] if omitted else []


def missing_from(omitted: Mapping[str, int]) -> list[Remark]:
    """The warnings on samples that lack scores."""
    return [MissingInSample(name, count) for name, count in omitted.items() if count]
