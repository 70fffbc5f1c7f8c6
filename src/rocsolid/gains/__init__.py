"""Gains G(y): the value of a document of grade y.

The strings "linear" and "exp2" are short for two of them.
"""

from rocsolid.gains.gain import Gain, at_least, exp2, from_callable, linear, table
from rocsolid.public_names import install_lookup

__all__ = [
    "Gain", "at_least", "exp2", "from_callable", "linear", "table",
]  # fmt: skip
install_lookup(__name__)
