"""The AUC of a stream, or of many sites, from a sketch of fixed size."""

from rocsolid.binary.sketch.sketch import Sketch
from rocsolid.binary.sketch.stored import Refinement

__all__ = ["Refinement", "Sketch"]
