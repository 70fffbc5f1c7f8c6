"""Gains G(y): what a document of grade y is worth.

Each is a small frozen object; the strings "linear" and "exp2" are short for two of them.
"""

from rocsolid.gains.formulas import at_least, exp2, linear
from rocsolid.gains.gain import Gain
from rocsolid.gains.named import as_gain, from_callable, table

__all__ = ["Gain", "as_gain", "at_least", "exp2", "from_callable", "linear", "table"]
