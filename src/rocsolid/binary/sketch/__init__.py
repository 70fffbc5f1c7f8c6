"""The AUC of a stream, or of many sites, from a sketch of fixed size."""

from rocsolid.binary.sketch.refinement import Refinement
from rocsolid.binary.sketch.sketch import Sketch

__all__ = ["Refinement", "Sketch"]
