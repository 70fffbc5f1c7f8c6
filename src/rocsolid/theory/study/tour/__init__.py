"""Every figure and table of the five documents that is reproduced, made in one go."""

from rocsolid.theory.study.tour.tour import Tour, tour
from rocsolid.theory.study.tour.weighted_areas import Check, Item, TourItem

__all__ = ["Check", "Item", "Tour", "TourItem", "tour"]
