"""What a released score gives away about the labels behind it."""

from rocsolid.leaks import release
from rocsolid.leaks.chosen_queries import ChosenQueries
from rocsolid.leaks.counting import count
from rocsolid.leaks.evidence import Measure, Release
from rocsolid.leaks.exposure import ExposedRow, Exposure, exposure
from rocsolid.leaks.growth import Conjecture, Rise, conjecture
from rocsolid.leaks.improve import Gain, Improvement, improve
from rocsolid.leaks.joint import Joint, joint
from rocsolid.leaks.labeling_count import LabelingCount, SizeCount
from rocsolid.leaks.labelings import labelings
from rocsolid.leaks.numbering import rank, unrank
from rocsolid.leaks.page_leaks import Finding, PageLeaks, page
from rocsolid.leaks.plan import Plan, Recovery, plan
from rocsolid.leaks.replay import Replay, ReplayedAccount, ReplayedRelease, replay
from rocsolid.leaks.sample import sample
from rocsolid.leaks.simulate import AttackResult, Simulation, simulate
from rocsolid.leaks.submission_log import read_submissions

__all__ = [
    "AttackResult", "ChosenQueries", "Conjecture", "ExposedRow", "Exposure", "Finding", "Gain",
    "Improvement", "Joint", "LabelingCount", "Measure", "PageLeaks", "Plan", "Recovery", "Release",
    "Replay", "ReplayedAccount", "ReplayedRelease", "Rise", "Simulation", "SizeCount", "conjecture",
    "count", "exposure", "improve", "joint", "labelings", "page", "plan", "rank",
    "read_submissions", "release", "replay", "sample", "simulate", "unrank",
]  # fmt: skip
