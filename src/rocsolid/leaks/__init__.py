"""The information that a released score reveals about the labels behind it."""

from rocsolid.leaks import release
from rocsolid.leaks.completions import rank, sample, unrank
from rocsolid.leaks.counting import count
from rocsolid.leaks.evidence import Measure, Release, curve_releases
from rocsolid.leaks.exposure import exposure
from rocsolid.leaks.growth import conjecture
from rocsolid.leaks.joint import joint
from rocsolid.leaks.labelings import improve, labelings
from rocsolid.leaks.page_leaks import page
from rocsolid.leaks.plan import plan
from rocsolid.leaks.query_bits import ChosenQueries
from rocsolid.leaks.replay import replay
from rocsolid.leaks.simulate import simulate
from rocsolid.leaks.submission_log import read_submissions
from rocsolid.public_names import install_lookup

__all__ = [
    "ChosenQueries", "Measure", "Release", "conjecture", "count", "curve_releases", "exposure",
    "improve", "joint", "labelings", "page", "plan", "rank", "read_submissions", "release",
    "replay", "sample", "simulate", "unrank",
]  # fmt: skip
install_lookup(__name__)
