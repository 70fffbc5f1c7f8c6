"""All reproduced figures and tables of the five documents, in one run."""

from rocsolid.theory.study.tour.tour import Tour, tour
from rocsolid.theory.study.tour.weighted_areas import Check, Item, TourItem

__all__ = ["Check", "Item", "Tour", "TourItem", "tour"]
