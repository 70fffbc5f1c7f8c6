"""Reproductions of published figures and experiments, with the project's own results beside."""

from rocsolid.study.bounds import BoundsStudy, bounds
from rocsolid.study.labelings import LabelingsStudy, labelings
from rocsolid.study.learn import LearnStudy, learn
from rocsolid.study.ndcg import NdcgStudy, OwnNdcgStudy, ndcg
from rocsolid.study.pauc import PaucStudy, pauc
from rocsolid.study.ranks import RanksStudy, ranks
from rocsolid.study.table import StudyTable
from rocsolid.study.tour import Tour, tour

__all__ = [
    "BoundsStudy", "LabelingsStudy", "LearnStudy", "NdcgStudy", "OwnNdcgStudy", "PaucStudy",
    "RanksStudy", "StudyTable", "Tour", "bounds", "labelings", "learn", "ndcg", "pauc", "ranks",
    "tour",
]  # fmt: skip
