"""What a leak audit found, as the data of one page for a disclosure review."""

from rocsolid.evaluation.disclosure.joint import review_joint
from rocsolid.evaluation.disclosure.plan import review_plan
from rocsolid.evaluation.disclosure.release import released_decimals, review_release, roundings
from rocsolid.evaluation.disclosure.replay import review_replay
from rocsolid.evaluation.disclosure.shared import ExposedRows

__all__ = [
    "ExposedRows",
    "released_decimals",
    "review_joint",
    "review_plan",
    "review_release",
    "review_replay",
    "roundings",
]
