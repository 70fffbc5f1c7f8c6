"""Gains G(y): what a document of grade y is worth.

Each is a small frozen object; the strings "linear" and "exp2" are short for two of them.
"""

from rocsolid.gains.at_least import at_least
from rocsolid.gains.callable_gain import from_callable
from rocsolid.gains.exp2 import exp2
from rocsolid.gains.gain import Gain
from rocsolid.gains.linear import linear
from rocsolid.gains.named import as_gain
from rocsolid.gains.table import table

__all__ = ["Gain", "as_gain", "at_least", "exp2", "from_callable", "linear", "table"]
