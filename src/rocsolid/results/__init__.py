"""The frozen results that functions return; the names are for annotations and `isinstance`."""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from rocsolid.parameters import Alternative as Alternative
from rocsolid.public_names import install_lookup, returned
from rocsolid.results.bracket import Bracket
from rocsolid.results.comparison import Comparison, Difference, Omnibus
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval
from rocsolid.results.interval import percent as percent
from rocsolid.results.plain import Explanation, Reproduction
from rocsolid.results.query_estimate import QueryEstimate

__all__ = [
    "Bracket", "Comparison", "Difference", "Estimate", "Explanation", "Interval", "Omnibus",
    "QueryEstimate", "Reproduction",
]  # fmt: skip
__all__.extend(returned())
if find_spec("sklearn") is None:  # or `from rocsolid.results import *` would fail
    __all__.remove("OutOfFold")
install_lookup(__name__, returned())
if TYPE_CHECKING:  # what imports this package cannot be imported by it: such a type is Any

    def __getattr__(name: str) -> Any: ...


def __dir__() -> list[str]:
    return sorted(__all__)
