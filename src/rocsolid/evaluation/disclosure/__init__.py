"""The findings of a leak audit, as the data of one page for a disclosure review."""

from rocsolid.evaluation.disclosure.release import (
    ExposedRows,
    released_decimals,
    review_joint,
    review_plan,
    review_release,
    review_replay,
    roundings,
)

__all__ = [
    "ExposedRows", "released_decimals", "review_joint", "review_plan", "review_release",
    "review_replay", "roundings",
]  # fmt: skip
