"""The works behind methods, as sentences, BibTeX and full references."""

from rocsolid.citations.cite import Citations, cite, entries_of
from rocsolid.citations.entry import Work

__all__ = ["Citations", "Work", "cite", "entries_of"]
