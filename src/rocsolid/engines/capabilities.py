"""What each engine can be asked for, declared in one table; anything else is refused by name."""

from __future__ import annotations

from typing import Literal

from rocsolid.errors import UnsoundError

EngineName = Literal["memory", "duckdb", "narwhals", "spark"]

Feature = Literal[
    "auc", "weights", "clusters", "segments", "partial areas", "comparison",
    "comparison with weights or clusters", "queries",
    "segments of queries", "partial areas by segment", "resampling", "placements", "rows",
    "partial areas of clusters", "frequencies",
]  # fmt: skip

CAPABILITIES: dict[Feature, tuple[EngineName, ...]] = {
    "auc": ("memory", "duckdb", "narwhals", "spark"),
    "weights": ("memory", "duckdb", "narwhals", "spark"),
    "clusters": ("memory", "duckdb", "narwhals", "spark"),
    "segments": ("memory", "duckdb", "narwhals", "spark"),
    "partial areas": ("memory", "duckdb", "narwhals", "spark"),
    "comparison": ("memory", "duckdb", "narwhals", "spark"),
    "comparison with weights or clusters": ("memory", "narwhals"),
    "queries": ("memory", "duckdb", "narwhals", "spark"),
    "segments of queries": ("memory", "duckdb", "narwhals", "spark"),
    "partial areas by segment": ("memory",),
    "partial areas of clusters": ("memory",),
    "resampling": ("memory",),
    "placements": ("memory",),
    "rows": ("memory",),
    "frequencies": ("memory",),
}
"""Which engines give what: closed-form inference everywhere, what looks at rows again in memory."""

_WORDS: dict[Feature, str] = {
    "auc": "the AUC",
    "weights": "row weights",
    "clusters": "clusters",
    "segments": "segments (by)",
    "partial areas": "partial areas",
    "segments of queries": "segments and document identifiers of ranked lists (by and doc)",
    "partial areas by segment": "partial areas of each segment",
    "partial areas of clusters": "partial and weighted areas of clustered rows",
    "comparison": "comparing scores",
    "comparison with weights or clusters": "comparing scores under weights or clusters",
    "queries": "measures of ranked lists (qid)",
    "resampling": "resampling rows (bootstrap and permutation)",
    "placements": "intervals that read every placement (e-value and betting)",
    "rows": "measures that look at rows again",
    "frequencies": "counts of rows (frequency); group the rows there, or write them out",
}


def require(engine: EngineName, *features: Feature) -> None:
    """Refuse what an engine does not do, and say which engines do.

    >>> require("memory", "resampling")
    >>> require("spark", "resampling")
    Traceback (most recent call last):
    rocsolid.errors.UnsoundError: the spark engine does not do resampling rows (bootstrap and
    permutation). Fix: use an engine that does: memory.
    """
    for feature in features:
        able = CAPABILITIES[feature]
        if engine not in able:
            raise UnsoundError(
                f"the {engine} engine does not do {_WORDS[feature]}",
                fix=f"use an engine that does: {', '.join(able)}",
            )
