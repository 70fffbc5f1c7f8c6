"""What a released score gives away about the labels behind it."""

from rocsolid.leaks import release
from rocsolid.leaks.chosen_queries import ChosenQueries
from rocsolid.leaks.counting import count
from rocsolid.leaks.evidence import Measure, Release
from rocsolid.leaks.exposure import exposure
from rocsolid.leaks.growth import conjecture
from rocsolid.leaks.improve import improve
from rocsolid.leaks.joint import joint
from rocsolid.leaks.labelings import labelings
from rocsolid.leaks.numbering import rank, unrank
from rocsolid.leaks.page_leaks import page
from rocsolid.leaks.plan import plan
from rocsolid.leaks.replay import replay
from rocsolid.leaks.sample import sample
from rocsolid.leaks.simulate import simulate
from rocsolid.leaks.submission_log import read_submissions
from rocsolid.public_names import install_lookup

__all__ = [
    "ChosenQueries", "Measure", "Release", "conjecture", "count", "exposure", "improve", "joint",
    "labelings", "page", "plan", "rank", "read_submissions", "release", "replay", "sample",
    "simulate", "unrank",
]  # fmt: skip
install_lookup(__name__)
