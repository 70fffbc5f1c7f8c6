"""Reproductions of published figures and experiments, with the project's own results beside."""

from rocsolid.theory.study.bounds import BoundsStudy, bounds
from rocsolid.theory.study.labelings import LabelingsStudy, labelings
from rocsolid.theory.study.learn import LearnStudy, learn
from rocsolid.theory.study.ndcg import NdcgStudy, OwnNdcgStudy, ndcg
from rocsolid.theory.study.pauc import PaucStudy, pauc
from rocsolid.theory.study.ranks import RanksStudy, ranks
from rocsolid.theory.study.table import StudyTable
from rocsolid.theory.study.tour import Tour, tour

__all__ = [
    "BoundsStudy", "LabelingsStudy", "LearnStudy", "NdcgStudy", "OwnNdcgStudy", "PaucStudy",
    "RanksStudy", "StudyTable", "Tour", "bounds", "labelings", "learn", "ndcg", "pauc", "ranks",
    "tour",
]  # fmt: skip
