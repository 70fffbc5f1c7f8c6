"""What to cite: the works behind methods, as sentences, BibTeX and full references."""

from rocsolid.citations.cite import Citations, cite
from rocsolid.citations.entry import Work
from rocsolid.citations.matching import entries_of

__all__ = ["Citations", "Work", "cite", "entries_of"]
