"""What to cite: the works behind methods, as sentences, BibTeX and full references."""

from rocsolid.citations.cite import Citations, cite
from rocsolid.citations.entry import Entry
from rocsolid.citations.matching import entries_of

__all__ = ["Citations", "Entry", "cite", "entries_of"]
