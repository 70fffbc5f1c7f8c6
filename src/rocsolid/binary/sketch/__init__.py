from rocsolid.binary.sketch.sketch import Sketch
from rocsolid.binary.sketch.stored import Refinement

__all__ = ["Refinement", "Sketch"]
