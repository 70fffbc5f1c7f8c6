"""What each engine reduces in place, in one table; for everything else the rows are collected."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

EngineName = Literal["memory", "duckdb", "narwhals", "spark"]

Feature = Literal[
    "auc", "weights", "clusters", "segments", "partial areas", "comparison",
    "comparison with weights or clusters", "queries", "rows",
]  # fmt: skip

ELSEWHERE: tuple[EngineName, ...] = ("duckdb", "narwhals", "spark")

STREAMS: dict[Feature, tuple[EngineName, ...]] = {
    "auc": ELSEWHERE,
    "weights": ELSEWHERE,
    "clusters": ELSEWHERE,
    "segments": ELSEWHERE,
    "partial areas": ELSEWHERE,
    "comparison": ELSEWHERE,
    "comparison with weights or clusters": ("narwhals",),
    "queries": ELSEWHERE,
    "rows": (),
}
"""Which engines make what of summaries; what needs the rows themselves, all at once, none does."""


def streams(engine: EngineName, features: Collection[Feature]) -> bool:
    """Whether an engine has all of this without collecting the rows.

    >>> streams("spark", {"auc", "weights"}), streams("spark", {"auc", "rows"})
    (True, False)
    """
    return all(engine in STREAMS[feature] for feature in features)
