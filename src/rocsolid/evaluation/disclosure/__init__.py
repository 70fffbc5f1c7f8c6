"""What a leak audit found, as the data of one page for a disclosure review."""

from rocsolid.evaluation.disclosure.release import (
    released_decimals,
    review_joint,
    review_release,
    roundings,
)
from rocsolid.evaluation.disclosure.replay import review_plan, review_replay
from rocsolid.evaluation.disclosure.shared import ExposedRows

__all__ = [
    "ExposedRows", "released_decimals", "review_joint", "review_plan", "review_release",
    "review_replay", "roundings",
]  # fmt: skip
