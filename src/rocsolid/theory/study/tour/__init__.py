"""Every figure and table of the five documents that is reproduced, made in one go."""

from rocsolid.theory.study.tour.entry import Check, Item, TourItem
from rocsolid.theory.study.tour.tour import Tour, tour

__all__ = ["Check", "Item", "Tour", "TourItem", "tour"]
